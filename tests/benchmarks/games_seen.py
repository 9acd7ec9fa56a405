"""Whole games whose pieces lie anywhere, drawn in random art, from pixels to the referee; a line a game.

    python -m tests.benchmarks.games_seen [--game NAME] [--games N] [--first N] [--frames N]
        [--enrol | --rooms] [--verbose]

Everything after the frames is what players run; the profile is what perfect photographs would teach, or with
`--enrol` what the drawn ones do. With `--rooms` each copy lies in a room of its own, where it was learnt on
one evening and is played on another, in other light and half of the time seen from elsewhere.

Printed are actions played and accepted, wrong commits, actions missed, questions, how often players told what
had been played, frames, and how long the reading of a frame took: of one in which nothing had changed
(median), and of one in which something had (median and most), seconds of one thread. Without `--game`: all.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np

from companion.games import registry
from companion.log import reconcile as log
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.watch import watch
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import SimulatedTable
from tests.helpers.drawn_game import FREE_GAMES
from tests.helpers.drawn_profile import perfect_profile
from tests.helpers.drawn_rooms import copy_in_room
from ui.assembly.free_demo import FreeDemo
from vision.camera_source import CameraSource
from vision.free_reader import FreeReader

UNCHANGED_S = 0.15


def film(
    name: str, seed: int, frames: int | None, *, enrol: bool, in_room: bool, verbose: bool
) -> tuple[str, int]:
    """Play one game and watch it; return its figures as text and the number of wrong commits."""
    game, rng = registry.lookup(name), random.Random(seed)
    header = game.deal(rng, {})
    table = SimulatedTable(game, header, rng, stages=game.stages)
    if in_room:
        first, later = (copy_in_room(name, seed, header["players"], evening=evening) for evening in (0, 1))
        profile = FreeDemo(game, header, seed, first).learn(lambda *_: None)
        demo = FreeDemo(game, header, seed, later)
    else:
        demo = FreeDemo(game, header, seed)
        arranger = demo.copy.arranger
        profile = demo.profile(lambda *_: None) if enrol else perfect_profile(arranger, header)
    spent: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.create(Path(folder) / "game.moontable", game.public_header(header)) as journal,
    ):
        referee = Referee(game, journal)
        keeper = Scorekeeper(table, referee)
        if verbose:
            referee.subscribe(lambda update: print("   ", update.new_actions, update.decision, flush=True))
        scenes = itertools.islice(demo.scenes(table, table.moments()), frames)
        source = demo.source(profile, scenes, expected=lambda: referee.expectation)
        _time(source, spent)
        summary = watch(source, referee, answer=keeper.answer, protest=keeper.protest)
        accepted = len(referee.line)
    changed = [one for one in spent if one > UNCHANGED_S] or [0.0]
    same = [one for one in spent if one <= UNCHANGED_S] or [0.0]
    text = (
        f"played {len(table.actions)}, accepted {accepted}, wrong {keeper.wrong}, missed {keeper.missed}, "
        f"asked {referee.questions}, told by hand {keeper.entered}, frames {summary.observations}, "
        f"over {summary.result is not None}, "
        f"unchanged {np.median(same):.3f} s of {len(same)}, changed {np.median(changed):.2f} s and "
        f"{max(changed):.2f} s of {len(changed)}"
    )
    return text, keeper.wrong


def _time(source: CameraSource, spent: list[float]) -> None:
    """Note how long each frame's reading takes."""
    reader: Any = source.reader
    assert isinstance(reader, FreeReader)
    read = reader.read

    def timed(*frame: Any, **more: Any) -> Any:
        begun = time.thread_time()
        told = read(*frame, **more)
        spent.append(time.thread_time() - begun)
        return told

    reader.read = timed  # type: ignore[method-assign]


def main() -> int:
    """Run from the command line; return 1 when anything was accepted that was not played."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=FREE_GAMES)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--frames", type=int, help="so many scenes of each game, not all")
    learnt = parser.add_mutually_exclusive_group()
    learnt.add_argument("--enrol", action="store_true", help="learnt from drawn photographs")
    learnt.add_argument("--rooms", action="store_true", help="learnt and played in drawn rooms")
    parser.add_argument("--verbose", action="store_true")
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    log.disabled = True
    wrong = 0
    for name in [wanted.game] if wanted.game else FREE_GAMES:
        for seed in range(wanted.first, wanted.first + wanted.games):
            text, more = film(
                name,
                seed,
                wanted.frames,
                enrol=wanted.enrol,
                in_room=wanted.rooms,
                verbose=wanted.verbose,
            )
            wrong += more
            print(f"{name} {seed}: {text}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
