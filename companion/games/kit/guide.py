"""Rules to look up, as a game's room keeps them in its ``reminders.json``."""

from __future__ import annotations

import functools
from importlib import resources

from companion.i18n import msg
from companion.storage.strict import parse_json_object
from companion.view_model import Reminder


@functools.cache
def read_reminders(package: str) -> tuple[Reminder, ...]:
    """Return the reminders of a game's package in the order to list them; none where it has no such file."""
    file = resources.files(package).joinpath("reminders.json")
    if not file.is_file():
        return ()
    return tuple(
        Reminder(
            id=each["id"],
            topic=msg(each["topic"]),
            title=msg(each["title"]),
            text=msg(each["text"]),
            rules=tuple(each["rules"]),
            ruling=each.get("ruling"),
            is_edition=each.get("editions", False),
            hints=frozenset((*each.get("phases", ()), *each.get("tiles", ()))),
        )
        for each in parse_json_object(file.read_bytes())["reminders"]
    )
