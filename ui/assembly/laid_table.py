"""Reading the table that is laid out for a new game: what is still wrong, and what the game starts with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from calibration.store import load_profile
from companion.decision import InStep, OutOfStep, Waiting
from companion.errors import MalformedError
from companion.games import registry
from companion.i18n import join, msg
from companion.observation import Query, Snapshot
from companion.reconcile.debounce import Debouncer, DebounceRules
from companion.view_model import CameraView, TableView
from ui.assembly.free_table import free_reader, free_text
from ui.assembly.layouts import ensure_profile_of
from ui.assembly.own_copy import AnyGame, game_for
from ui.assembly.pictured_camera import camera_view
from ui.wizard.guide import GameChoice, LaidOut
from vision.camera_source import CameraSource
from vision.capture.sources import open_source
from vision.capture.sources.frame import FrameSource

# Shown for a sensor table, and for a camera before its first frame.
NO_PICTURE: Final = CameraView(width=0, height=0, bgr=b"")
UNSEEN: Final = LaidOut(camera=NO_PICTURE, fault=msg("Looking at the table …"))


def judged_table(
    rules: AnyGame,
    present: Callable[[Any], TableView],
    snapshot: Snapshot,
    options: Mapping[str, Any],
    last: LaidOut,
) -> LaidOut:
    """Return what is wrong in a settled picture, or the header that the game starts with.

    `options` are those of `Game.header_from_table`, `present` shows a state, `last` was said before.
    """
    try:
        header = rules.header_from_table(snapshot.picture, options)
        state = rules.start(header)
    except MalformedError as error:
        return replace(last, fault=str(error), start=None, wrong=frozenset())
    decision = rules.explain(state, Query.about(snapshot))
    table = present(state)
    if isinstance(decision, InStep):
        begins = rules.turn_of(state) or ""
        return replace(last, fault="", table=table, start=header, wrong=frozenset(), begins=begins)
    fixes = decision.fixes if isinstance(decision, OutOfStep) else ()
    waiting = decision.text if isinstance(decision, Waiting) else msg("A piece is not on its starting place.")
    fault = join(" ", [fix.text for fix in fixes]) or waiting
    return replace(last, fault=fault, table=table, start=None, wrong=frozenset(fix.place for fix in fixes))


class FreeTableReader:
    """The wizard's `TableReader` for a game whose pieces lie anywhere.

    `options` are those of `Game.header_from_table` but the players; `opener` opens the frame source of an
    address.
    """

    def __init__(
        self, game: str, options: Mapping[str, Any], *, opener: Callable[[str], FrameSource] = open_source
    ) -> None:
        self._game, self._options, self._open = game, dict(options), opener
        self._lock = threading.Lock()
        self._running: CameraSource | None = None

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        """Yield what is seen of the laid-out table and what is still wrong on it."""
        known = load_profile(Path(profile))
        ensure_profile_of(self._game, known)
        rules, options = game_for(self._game, Path(profile)), {**self._options, "players": list(game.players)}
        present = registry.display(self._game).presenter.present
        source = CameraSource(self._open(camera), free_reader(self._game, known, game.players))
        self.close()
        with self._lock:
            self._running = source
        debouncer, last = Debouncer(DebounceRules()), UNSEEN
        for seen in source.seen():
            snapshot = debouncer.feed(rules.laid_out(options, seen.observation))
            if snapshot is not None:
                last = judged_table(rules, present, snapshot, options, last)
            yield replace(last, camera=camera_view(seen, free_text))

    def close(self) -> None:
        """Close the running source, if any."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.close()
