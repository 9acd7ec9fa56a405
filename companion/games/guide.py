"""Rules to look up, as a game's room keeps them in its ``reminders.json``."""

from __future__ import annotations

import functools
import json
from importlib import resources

from companion.view import Reminder


@functools.cache
def read_reminders(package: str) -> tuple[Reminder, ...]:
    """Return the reminders of a game's package in the order to list them."""
    text = resources.files(package).joinpath("reminders.json").read_text("utf-8")
    return tuple(
        Reminder(
            id=each["id"],
            topic=each["topic"],
            title=each["title"],
            text=each["text"],
            rules=tuple(each["rules"]),
            ruling=each.get("ruling"),
        )
        for each in json.loads(text)["reminders"]
    )
