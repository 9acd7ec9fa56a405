"""Whole games of the sample sets: enrols from SET/enrol, watches SET/frames, compares with SET/record.jsonl.

    python -m tests.benchmarks.sample_games [SET...] [--profiles DIR] [--verbose]

Sets of all four games; of those whose pieces lie anywhere what was learnt may be kept in a folder, see
`free_pictures`. There is a photograph at the end of every turn, and some with hands in between. The referee
knows what everybody at the table knows. Printed are the turns and actions played and accepted, wrong commits,
actions missed, questions, what had to be told by hand, and how long it took.
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
from typing import Any, Final

import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion.games import registry
from companion.log import reconcile as log
from companion.reconcile.debounce import DebounceRules
from companion.record.game_record import Record, read_record
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.update import Update
from companion.session.watch import watch
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import SimulatedTable
from tests.benchmarks.free_pictures import learnt_profile
from tests.benchmarks.read_accuracy import learn, samples
from ui.assembly.free_table import free_reader
from vision.camera_source import CameraSource, FrameReader
from vision.capture.sources.files import ImageFiles
from vision.capture.sources.frame import Frame
from vision.reader import Reader

SETS: Final = ("game-1", "fam_c-game", "nova_luna-1", "urbion-1", "blue_moon_legends-1")


class RecordedTable(SimulatedTable[Any, Any]):
    """A table at which a record is played again, as far as each photograph shows it."""

    def __init__(self, record: Record) -> None:
        """Begin with the set-up."""
        super().__init__(record.game, record.header, random.Random(0))
        self._record = record

    def advance(self, count: int) -> None:
        """Play until so many actions are played."""
        self.actions[:] = self._record.actions[:count]
        self.states[:] = self._record.states[: count + 1]


def played_by_turn(record: Record, truth: Sequence[dict[str, Any]]) -> list[int]:
    """Return how many actions each photograph of Blue Moon City shows, which counts turns."""
    acting = [record.game.turn_of(state) for state in record.states]
    passed = [number for number in range(1, len(acting)) if acting[number] != acting[number - 1]]
    counts = [0, *passed, len(record.actions)]
    # The turn that ends the game is never over.
    turns = [one["state"]["turn"] + (bool(one["state"]["hand"]) or one is truth[-1]) for one in truth]
    return [counts[min(turn, len(counts) - 1)] for turn in turns]


def played_by_action(record: Record, truth: Sequence[dict[str, Any]]) -> list[int]:
    """Return how many actions each photograph of another game shows, which tells the last one."""
    lines, counts = [record.game.format_action(action) for action in record.actions], [0]
    for one in truth[1:]:
        counts.append(lines.index(one["action"], counts[-1]) + 1)
    return counts


class _Photographs:
    """The photographs of a set; the table is as far as each shows it."""

    def __init__(
        self,
        folder: Path,
        frames: Sequence[str],
        counts: Sequence[int],
        table: RecordedTable,
        *,
        verbose: bool,
    ) -> None:
        self._verbose = verbose
        self._files = ImageFiles(folder.name, [folder / "frames" / frame for frame in frames])
        self._counts, self._table = counts, table
        self.name = folder.name

    def frames(self) -> Iterator[Frame]:
        for frame, count in zip(self._files.frames(), self._counts, strict=True):
            self._table.advance(count)
            if self._verbose:
                print(f"after {count} actions", flush=True)
            yield frame

    def close(self) -> None:
        self._files.close()


def _tell(update: Update[Any], keeper: Scorekeeper[Any, Any], referee: Referee[Any, Any]) -> None:
    state, text = referee.state, update.decision.text
    played = "; ".join(referee.game.describe_action(state, action) for action in update.new_actions)
    print(f"    {keeper.wrong} wrong: {played or '-'} | {type(update.decision).__name__} {text}", flush=True)


def _reader(folder: Path, record: Record, profiles: Path | None) -> FrameReader:
    """Return a reader that has learnt from the set's own photographs."""
    name, players = record.game.name, tuple(record.header["players"])
    if not registry.has_pieces(name):
        return Reader(learn(folder))
    header = record.game.public_header(record.header)
    return free_reader(name, learnt_profile(folder, profiles, name, players), players, header=header)


def follow(folder: Path, profiles: Path | None, *, verbose: bool) -> tuple[str, int]:
    """Watch one set's game; return its figures as text and the number of wrong commits."""
    record = read_record(folder / "record.jsonl")
    game, table = record.game, RecordedTable(record)
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    reader = _reader(folder, record, profiles)
    by_turn = "turn" in truth[0]["state"]
    counts = (played_by_turn if by_turn else played_by_action)(record, truth)
    photographs = _Photographs(folder, [one["frame"] for one in truth], counts, table, verbose=verbose)
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as kept,
        Journal.create(Path(kept) / "game.moontable", game.public_header(record.header)) as journal,
    ):
        referee = Referee(game, journal, DebounceRules.for_stills())
        keeper = Scorekeeper(table, referee)
        if verbose:
            referee.subscribe(lambda update: _tell(update, keeper, referee))
        source = CameraSource(photographs, reader, expected=lambda: referee.expectation, stills=True)
        summary = watch(source, referee, answer=keeper.answer, protest=keeper.protest)
        accepted = len(referee.line)
    table.advance(counts[-1])
    text = (
        f"played {len(table.actions)}, accepted {accepted}, wrong {keeper.wrong}, missed {keeper.missed}, "
        f"asked {summary.questions}, told by hand {keeper.entered}, "
        f"took what was offered {keeper.agreed_to}, told it was misread {keeper.overruled}, "
        f"violations {summary.violations}, turns {summary.turns}, photographs {summary.observations}, "
        f"over {summary.result is not None}, "
        f"{time.perf_counter() - began:.0f} s"
    )
    return text, keeper.wrong


def main() -> int:
    """Run from the command line; return 1 when anything was accepted that was not played."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--profiles", type=Path, metavar="DIR")
    parser.add_argument("--verbose", action="store_true", help="every update of the referee")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    log.disabled = True
    wrong = 0
    for name in arguments.sets:
        text, more = follow(samples() / name, arguments.profiles, verbose=arguments.verbose)
        wrong += more
        print(f"{name}: {text}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
