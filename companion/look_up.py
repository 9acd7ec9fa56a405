"""``moontable rules``: look up a game's rules by words or by the id of a broken rule."""

from __future__ import annotations

import argparse

from companion.commands import Commands
from companion.games import registry
from companion.printing import print_json


def add_rules(commands: Commands) -> None:
    """Add the command."""
    rules = commands.add_parser("rules", help="look up a game's rules, in our own words")
    rules.add_argument("words", nargs="*", metavar="WORD", help="words to find, or the id of a rule")
    rules.add_argument("--game", choices=registry.NAMES, default=registry.DEFAULT, help="which game")
    rules.add_argument("--json", action="store_true", help="print the reminders as JSON")
    rules.set_defaults(func=_rules)


def _rules(arguments: argparse.Namespace) -> int:
    words = " ".join(arguments.words)
    reminders = registry.lookup(arguments.game).reminders()
    found = [each for each in reminders if each.has(words) or any(map(each.explains, arguments.words))]
    if arguments.json:
        keys = ("id", "topic", "title", "text", "rules", "ruling")
        told = [{key: getattr(each, key) for key in keys} for each in found]
        print_json({"reminders": told})
        return 0
    for each in found:
        doubt = "" if each.ruling is None else f" (ruling {each.ruling})"
        print(f"{each.topic}: {each.title}{doubt}\n  {each.text}")
    if not found:
        print("No rule matches these words.")
    return 0
