"""Whole games of the sample sets: enrols from SET/enrol, watches SET/frames, compares with SET/record.jsonl.

    python -m tests.benchmarks.sample_games [SET...] [--verbose]

There is a photograph at the end of every turn, and some with hands in between. The referee knows what
everybody at the table knows. Printed are the turns and actions played and accepted, wrong commits, actions
missed, questions, what had to be told by hand, and how long it took.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion.log import reconcile as log
from companion.reconcile.debounce import DebounceRules
from companion.record.game_record import Record, read_record
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.update import Update
from companion.session.watch import watch
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import SimulatedTable
from tests.benchmarks.read_accuracy import learn, samples
from vision.camera_source import CameraSource
from vision.capture.sources.files import ImageFiles
from vision.capture.sources.frame import Frame
from vision.reader import Reader


class RecordedTable(SimulatedTable[Any, Any]):
    """A table at which a record is played again, a turn for every photograph."""

    def __init__(self, record: Record) -> None:
        """Begin with the set-up."""
        super().__init__(record.game, record.header, random.Random(0))
        self._record = record
        acting = [record.game.turn_of(state) for state in record.states]
        passed = [number for number in range(1, len(acting)) if acting[number] != acting[number - 1]]
        self._turns = [0, *passed, len(record.actions)]

    def advance(self, turns: int) -> None:
        """Play until so many turns are over."""
        count = self._turns[min(turns, len(self._turns) - 1)]
        self.actions[:] = self._record.actions[:count]
        self.states[:] = self._record.states[: count + 1]


class _Photographs:
    """The photographs of a set; the table is as far as each shows it."""

    def __init__(
        self, folder: Path, truth: Sequence[dict[str, Any]], table: RecordedTable, *, verbose: bool
    ) -> None:
        self._verbose = verbose
        self._files = ImageFiles(folder.name, [folder / "frames" / one["frame"] for one in truth])
        self._truth, self._table = truth, table
        self.name = folder.name

    def frames(self) -> Iterator[Frame]:
        for frame, one in zip(self._files.frames(), self._truth, strict=True):
            state = one["state"]
            # The turn that ends the game is never over.
            self._table.advance(state["turn"] + (bool(state["hand"]) or one is self._truth[-1]))
            if self._verbose:
                print(one["frame"], flush=True)
            yield frame

    def close(self) -> None:
        self._files.close()


def _tell(update: Update[Any], keeper: Scorekeeper[Any, Any], referee: Referee[Any, Any]) -> None:
    state, text = referee.state, update.decision.text
    played = "; ".join(referee.game.describe_action(state, action) for action in update.new_actions)
    print(f"    {keeper.wrong} wrong: {played or '-'} | {type(update.decision).__name__} {text}", flush=True)


def follow(folder: Path, *, verbose: bool) -> tuple[str, int]:
    """Watch one set's game; return its figures as text and the number of wrong commits."""
    record = read_record(folder / "record.jsonl")
    game, table = record.game, RecordedTable(record)
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    reader = Reader(learn(folder))
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as kept,
        Journal.create(Path(kept) / "game.moontable", game.public_header(record.header)) as journal,
    ):
        referee = Referee(game, journal, DebounceRules.for_stills())
        keeper = Scorekeeper(table, referee)
        if verbose:
            referee.subscribe(lambda update: _tell(update, keeper, referee))
        source = CameraSource(
            _Photographs(folder, truth, table, verbose=verbose),
            reader,
            expected=lambda: referee.expectation,
            stills=True,
        )
        summary = watch(source, referee, answer=keeper.answer, protest=keeper.protest)
        accepted = len(referee.line)
    table.advance(len(record.actions))
    text = (
        f"played {len(table.actions)}, accepted {accepted}, wrong {keeper.wrong}, missed {keeper.missed}, "
        f"asked {summary.questions}, told by hand {keeper.entered}, violations {summary.violations}, "
        f"turns {summary.turns}, photographs {summary.observations}, over {summary.result is not None}, "
        f"{time.perf_counter() - began:.0f} s"
    )
    return text, keeper.wrong


def main() -> int:
    """Run from the command line; return 1 when anything was accepted that was not played."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=["game-1", "fam_c-game"])
    parser.add_argument("--verbose", action="store_true", help="every update of the referee")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    log.disabled = True
    wrong = 0
    for name in arguments.sets:
        text, more = follow(samples() / name, verbose=arguments.verbose)
        wrong += more
        print(f"{name}: {text}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
