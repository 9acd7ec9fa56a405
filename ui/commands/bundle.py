"""``moontable replay-bundle``: replay a bug report."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from companion.commands import Commands
from companion.printing import print_json
from companion.record.game_record import game_of
from companion.session.bug_report import read_report, replay


def add_commands(commands: Commands) -> None:
    """Add ``replay-bundle``."""
    command = commands.add_parser("replay-bundle", help="play back a report of a misreading")
    command.add_argument("file", type=Path, metavar="FILE.zip")
    command.add_argument("--json", action="store_true")
    command.set_defaults(func=run_replay)


def run_replay(arguments: argparse.Namespace) -> int:
    """Run ``replay-bundle``: print the errors and decisions in the report, and what would be decided now."""
    bundle = read_report(arguments.file)
    if bundle.errors and not arguments.json:
        print(bundle.errors)
    told = replay(bundle, game_of(bundle.header))
    if arguments.json:
        print_json({"errors": bundle.errors, "then": bundle.decision, "now": [asdict(each) for each in told]})
        return 0
    print(f"then: {bundle.decision}")
    for each in told:
        print(f"{each.seq:6}  {each.kind}: {each.text}")
        for action in each.actions:
            print(f"        {action}")
    return 0
