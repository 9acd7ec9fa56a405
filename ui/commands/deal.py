"""``moontable enrol --dealt``: learn tiles or cards that are laid one after another under the camera."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.profile import Profile
from calibration.store import load_profile
from companion.errors import MalformedError, ProfileError
from companion.games import registry
from companion.storage.strict import as_choice, as_each, named, read_json_object
from ui.assembly.deal_draft import DealDraft
from ui.assembly.deal_lesson import DealLesson
from ui.assembly.deal_window import show_deal
from ui.assembly.layouts import layout_of
from vision.capture.sources import open_source
from vision.enrolment.copy_profile import joined
from vision.enrolment.deal import Deal
from vision.enrolment.dealt_copy import dealt_profile, new_deal
from vision.enrolment.dealt_names import DealtName
from vision.enrolment.dealt_table import DealtTable


def add_deal_options(command: argparse.ArgumentParser) -> None:
    """Add the options of dealing to ``enrol``."""
    command.add_argument(
        "--dealt",
        metavar="SOURCE",
        help="for a game whose pieces lie anywhere: a camera, a folder of frames or a video in which tiles "
        "or cards are laid one after another, in their order, one of each back first",
    )
    command.add_argument(
        "--window", action="store_true", help="with --dealt: in a window, where cards can be named and undone"
    )
    command.add_argument("--decks", metavar="A,B", help="Blue Moon Legends: the two decks")
    command.add_argument("--archiplaces", action="store_true", help="Urbion: with Archiplaces and Metas")
    command.add_argument("--no-backs", action="store_true", help="with --dealt: no back is dealt first")
    command.add_argument(
        "--names",
        type=Path,
        metavar="JSON",
        help='with --dealt: names of single cards by number, those after them follow: {"12": "aqua-03"}',
    )


def copy_header(arguments: argparse.Namespace, players: Sequence[str]) -> Mapping[str, Any]:
    """Return the header of a game with all that is to be learnt; raises MalformedError."""
    options: dict[str, Any] = {"players": players}
    if arguments.decks:
        options["decks"] = tuple(arguments.decks.split(","))
    if arguments.archiplaces:
        options["archiplaces"] = True
    header: Mapping[str, Any] = registry.lookup(arguments.game).deal(random.Random(0), options)
    return header


def enrol_dealt(arguments: argparse.Namespace, players: Sequence[str]) -> Profile | None:
    """Return the profile of the cards that are dealt, joined with what the profile knew.

    None = it is to go on later. What has been taken is kept until it is saved: the same command goes on
    where the source was cut off. Raises MalformedError, ProfileError, DeviceError or OSError.
    """
    game, pieces = arguments.game, registry.pieces(arguments.game)
    layout = layout_of(game, players).with_codes_of(arguments.code_size)
    deal = new_deal(pieces, copy_header(arguments, players), layout, with_backs=not arguments.no_backs)
    draft = draft_of(arguments.profile, game, deal)
    if draft.is_there:
        draft.load(deal)
        print(f"going on after {len(deal)} cards that were dealt before", file=sys.stderr)
    if arguments.names is not None:
        deal.said.update(_read_names(arguments.names, deal))
    table = DealtTable(layout, pieces, deal)
    lesson = DealLesson(table, draft, pieces, lambda: open_source(arguments.dealt))
    if arguments.window:
        if not show_deal(lesson):
            return None
    else:
        _watch(lesson)
    profile = dealt_profile(game, pieces, players, table, {})
    _tell_doubts(deal)
    return joined(profile, kept) if (kept := _known(arguments.profile, game)) is not None else profile


def draft_of(profile: Path, game: str, deal: Deal) -> DealDraft:
    """Return where the cards of a deal are kept until it is over."""
    return DealDraft(_draft_folder(profile), " ".join((game, *deal.order.names)))


def drop_draft(profile: Path) -> None:
    """Remove the cards that were kept: the profile has them; raises OSError."""
    DealDraft(_draft_folder(profile), "").discard()


def _draft_folder(profile: Path) -> Path:
    return profile.with_name(f"{profile.name}.dealt")


def _watch(lesson: DealLesson) -> None:
    fault = ""
    for _, step in lesson.steps():
        if step.fault != fault:
            fault = step.fault
            if fault:
                print(fault, file=sys.stderr)
        if step.taken is not None:
            print(_line(step.taken.number, step.taken.named), flush=True)
            if sys.stdout.isatty():
                print("\a", end="", flush=True)


def _line(number: int, named: DealtName) -> str:
    doubt = " ?" if named.is_doubtful else ""
    again = " again" if named.is_extra else ""
    return f"{number + 1} {named.name or 'unknown'}{again}{doubt}"


def _tell_doubts(deal: Deal) -> None:
    """Say what somebody should look at."""
    for number, one in enumerate(deal.names()):
        if one.is_doubtful:
            print(f"look at card {_line(number, one)}; name it with --names", file=sys.stderr)


def _read_names(file: Path, deal: Deal) -> dict[int, str]:
    """Return the names in a file by number from 0; raises MalformedError or OSError."""
    with named(str(file)):
        names = as_each(
            read_json_object(file), "the names", lambda one, what: as_choice(one, what, deal.order.names)
        )
        if not all(key.isdecimal() and int(key) for key in names):
            raise MalformedError("cards are numbered from 1")
        return {int(key) - 1: name for key, name in names.items()}


def _known(folder: Path, game: str) -> Profile | None:
    """Return what the profile knew before, None if it is of another game or not there."""
    try:
        kept = load_profile(folder)
    except ProfileError:
        return None
    return kept if kept.edition == game else None
