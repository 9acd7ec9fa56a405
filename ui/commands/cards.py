"""``moontable cards``: learn the faces of a game's cards from photographs, for reading the discard pile."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from calibration.store import load_profile, save_profile
from companion.commands import Commands
from companion.errors import MalformedError
from companion.games import registry
from companion.storage.strict import as_choice, as_list, named, parse_json, read_bytes
from vision.capture.sources import open_picture_file
from vision.enrolment.cards import learn_cards

CARDS: Final = registry.components(registry.DEFAULT).cards


def add_commands(commands: Commands) -> None:
    """Add ``cards``."""
    cards = commands.add_parser("cards", help="learn the faces of your cards, to read the discard pile")
    cards.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help="cards laid out face up, not touching"
    )
    cards.add_argument(
        "--profile", required=True, type=Path, metavar="DIR", help="the profile to add them to"
    )
    cards.add_argument(
        "--empty", required=True, type=Path, metavar="IMAGE", help="the same table without the cards"
    )
    cards.add_argument(
        "--order",
        type=Path,
        metavar="JSON",
        help='which cards lie there, row by row from the far one: ["vulca-1", ...]; by default all, '
        "people by people in the order of the rules",
    )
    cards.set_defaults(func=run_cards)


def run_cards(arguments: argparse.Namespace) -> int:
    """Run ``cards``."""
    folder: Path = arguments.profile
    profile = load_profile(folder)
    if folder.is_file():
        raise MalformedError(
            f"{folder} is an exported profile; cards can only be added to a profile in a folder"
        )
    names = CARDS if arguments.order is None else card_order(arguments.order)
    photographs = [open_picture_file(file) for file in arguments.images]
    learnt = learn_cards(profile, open_picture_file(arguments.empty), photographs, names)
    save_profile(learnt, folder)
    print(f"{folder}: {len(learnt.cards)} of {len(CARDS)} faces of cards are known")
    return 0


def card_order(file: Path) -> tuple[str, ...]:
    """Return the cards that a file names, in the file's order; raises MalformedError or OSError."""
    with named(str(file)):
        found = as_list(parse_json(read_bytes(file)), "the order", most=len(CARDS))
        names = tuple(as_choice(one, "a card", CARDS) for one in found)
        if len(set(names)) != len(names):
            raise MalformedError("a card is named twice")
    return names
