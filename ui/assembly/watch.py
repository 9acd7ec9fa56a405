"""Watching a real game: the journal, the sources, and a window or lines on standard output."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from calibration.profile import Profile
from calibration.store import load_profile
from companion.game import Json
from companion.printing import print_json
from companion.session.journal import Journal
from companion.session.laid_out import read_setup
from companion.session.referee import Referee
from companion.session.telling import Teller
from companion.session.watch import Summary, open_journal, watch
from ui import folders
from ui.assembly.free_table import label_of, reader_of
from ui.assembly.layouts import ensure_profile_of, game_of
from ui.assembly.own_copy import AnyGame, game_for, read_header
from ui.assembly.pictured_camera import Label
from ui.assembly.play import lookout_of, show_window
from ui.assembly.salvage import ensure_whole
from ui.assembly.sensor_table import debounce_rules
from ui.assembly.sources import open_sources
from ui.last_table import LastTable, remember_table
from ui.onward import Left, Onward


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """What to watch, and how.

    Attributes:
        game: name of the game; None = that of the profile.
        source: address of the sources (`ui.assembly.sources`).
        profile: folder of the profile.
        setup: file with the game's header; None = take it from the journal or the table.
        journal: file to begin or to continue; None = a new one.
        salvage: continue from what is left of a damaged journal.
        record: where the game's record is written at the end.
        frame_log: where every byte of a sensor table's line is written.
        stills: every image is a separate photograph, not a frame of a film.
        is_headless: open no window.
        as_json: print nothing but a summary as JSON.
    """

    game: str | None
    source: str
    profile: Path
    setup: Path | None = None
    journal: Path | None = None
    salvage: bool = False
    record: Path | None = None
    frame_log: Path | None = None
    stills: bool = False
    is_headless: bool = False
    as_json: bool = False


def watch_table(wanted: Watching) -> Left:
    """Watch the table until the game is over or the window is closed.

    Raises CompanionError with the reason.
    """
    profile = load_profile(wanted.profile)
    name = wanted.game or game_of(profile)
    ensure_profile_of(name, profile)
    game = game_for(name, wanted.profile)
    label = label_of(name)
    if wanted.journal is not None and wanted.journal.exists():
        ensure_whole(wanted.journal, salvage=wanted.salvage)
    header = _header(wanted, name, game, profile, label)
    with open_journal(wanted.journal or folders.new_journal_path(game.name), header, game) as journal:
        referee = Referee(game, journal, debounce_rules(stills=wanted.stills))
        opened = open_sources(
            wanted.source,
            profile,
            label=label,
            expected=lambda: referee.expectation,
            stills=wanted.stills,
            log=wanted.frame_log,
            reader=reader_of(name, profile, header["players"], header),
        )
        opened.follow(referee)
        if wanted.is_headless or wanted.as_json:
            teller = None if wanted.as_json else Teller(referee)
            summary = watch(opened.source, referee, progress=teller, record=wanted.record, presume=True)
            return Left(status=_report(summary, as_json=wanted.as_json), onward=Onward.QUIT)
        table = LastTable(camera=wanted.source, profile=str(wanted.profile.resolve()))
        remember_table(table, journal.path.name)
        return show_window(referee, opened.pictured(), wanted.record, lookout=lookout_of(table, referee))


def _header(wanted: Watching, name: str, game: AnyGame, profile: Profile, label: Label) -> Json:
    """Return the header: the given one, the journal's if one is continued, or that of the laid-out table."""
    options: Json = {"edition": profile.edition, "players": profile.players}
    if wanted.setup is not None:
        given = read_header(wanted.setup)
        if not game.is_left_to_table(given):
            return given
        options |= {key: value for key, value in given.items() if value is not None}
    elif wanted.journal is not None and wanted.journal.exists():
        return Journal.look(wanted.journal, lambda kept: kept.header)
    reader = reader_of(name, profile, options["players"])
    source = open_sources(wanted.source, profile, label=label, stills=wanted.stills, reader=reader).source
    try:
        return read_setup(
            source,
            game,
            options,
            debounce_rules(stills=wanted.stills),
            lambda why: print(f"waiting for the table to be laid out: {why}", file=sys.stderr),
        )
    finally:
        source.close()


def _report(summary: Summary, *, as_json: bool) -> int:
    if as_json:
        print_json(summary.to_json())
    elif summary.result is None:
        print(f"the game is not over: {summary.turns} turns so far; the journal is {summary.journal}")
    else:
        print(json.dumps(summary.result, ensure_ascii=False))
    return 0
