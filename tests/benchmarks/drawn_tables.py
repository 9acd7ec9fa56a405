"""Drawn tables on which pieces lie anywhere, read from pixels, judged by their exact truth; a line a table.

    python -m tests.benchmarks.drawn_tables [--game NAME] [--seed N] [--seeds N] [--tables N] [--step N]
                                            [--verbose] [--pictures DIR]

Each seed is a game in art of its own, of which every `--step`-th moment at rest is read. Printed are: places
claimed, of how many, and claimed wrongly; faces named, and named wrongly; pieces found where they are, found
where there are none or in another paint, and there; seconds of one thread. `--verbose` lists what is wrong.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np

from companion.free_pieces import FreeTable
from companion.observation import Observation
from tests.helpers.drawn_game import FREE_GAMES, DrawnGame, Laid
from tests.helpers.drawn_profile import true_profile
from tests.helpers.free_tables import contradictions
from ui.assembly.free_table import free_reader
from vision.free_reader import FreeReader
from vision.simulation.free_camera import FlatPiece, LaidTable

OFF_MM = 6.0
NEAR_MM = {"disc": 5.0, "gem": 6.0, "meeple": 14.0, "dragon": 14.0}


@dataclass
class Figures:
    """What came of some tables: counts by name, seconds a table, and what was wrong, in words."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Add those of other tables."""
        self.counts += other.counts
        self.seconds += other.seconds

    def line(self) -> str:
        """Return the figures as text."""
        n = self.counts
        return (
            f"places {n['claimed']} of {n['places']}, wrong {n['wrong']}; "
            f"faces {n['named']} of {n['faces']}, "
            f"wrong {n['misnamed']}; pieces {n['found']} of {n['pieces']}, false {n['false']}; "
            f"{np.median(self.seconds):.2f} s, most {max(self.seconds):.2f} s"
        )


def reader_of(drawn: DrawnGame) -> FreeReader:
    """Return the reader that players have, with what perfect photographs would teach."""
    return free_reader(drawn.game.name, true_profile(drawn), drawn.header["players"], header=drawn.header)


def judged(drawn: DrawnGame, moment: Laid, reader: FreeReader, told: Observation) -> Figures:
    """Return what is right and wrong of one table that was read."""
    figures = Figures()
    picture = {where: one.value for where, one in drawn.game.located(moment.state, told).sightings.items()}
    wrong = contradictions(drawn.game, picture, moment.picture)
    figures.counts["places"] += len(moment.picture)
    figures.counts["claimed"] += sum(where in moment.picture for where in picture)
    figures.counts["wrong"] += len(wrong)
    figures.notes += [f"place {where}: {told}" for where, told in wrong.items()]
    if reader.table is not None:
        _judge_faces(moment.table, reader.table, figures)
        _judge_pieces(moment.table, reader.table, figures)
    return figures


def _judge_faces(laid: LaidTable, table: FreeTable, figures: Figures) -> None:
    figures.counts["faces"] += len(laid.flat)
    for one in table.reading.faces:
        if one.name is None:
            continue
        names = {one.name, *one.alike}
        figures.counts["named"] += 1
        if not any(
            piece.face.name in names and _apart((one.x_mm, one.y_mm), piece) < OFF_MM + 0.3 * piece.top_mm
            for piece in laid.flat
        ):
            figures.counts["misnamed"] += 1
            there = [piece.face.name for piece in laid.flat if _apart((one.x_mm, one.y_mm), piece) < OFF_MM]
            figures.notes.append(
                f"face {one.name} {one.confidence:.3f} at {one.x_mm:.0f},{one.y_mm:.0f} is {there}"
            )


def _judge_pieces(laid: LaidTable, table: FreeTable, figures: Figures) -> None:
    """Count pieces; of a stack only the uppermost, for nobody sees more."""
    left = [
        one
        for one in laid.solid
        if not any(
            other.lowest_mm > one.lowest_mm and math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) < 8
            for other in laid.solid
        )
    ]
    figures.counts["pieces"] += len(left)
    for one in table.pieces or ():
        if one.name is None:
            continue
        near = [
            piece
            for piece in left
            if piece.name == one.name
            and piece.shape == one.shape
            and math.dist((one.x_mm, one.y_mm), (piece.x_mm, piece.y_mm)) < NEAR_MM[one.shape]
        ]
        if near:
            figures.counts["found"] += 1
            left.remove(near[0])
        else:
            figures.counts["false"] += 1
            figures.notes.append(
                f"no {one.name} {one.shape} {one.confidence:.2f} at {one.x_mm:.0f},{one.y_mm:.0f}"
            )
    figures.notes += [f"missed {one.name} {one.shape} at {one.x_mm:.0f},{one.y_mm:.0f}" for one in left]


def _apart(at: tuple[float, float], piece: FlatPiece) -> float:
    return math.dist(at, (piece.x_mm, piece.y_mm))


def tables(name: str, seed: int, many: int, step: int, pictures: Path | None) -> Iterator[Figures]:
    """Yield the figures of the tables of one game."""
    drawn = DrawnGame(name, seed, size_wh=(1920, 1080))
    reader = reader_of(drawn)
    moments = itertools.islice(drawn.moments(at_rest=True), 4, 4 + step * many, step)
    for number, moment in enumerate(moments):
        frame = np.asarray(drawn.copy.camera.frame(moment.table, t=float(number)), np.uint8)
        if pictures is not None:
            cv2.imwrite(str(pictures / f"{name}-{seed}-{number}.png"), frame)
        begun = time.thread_time()
        told = reader.read(frame, seq=number, seen_at_s=float(number), source="camera")
        spent = time.thread_time() - begun
        figures = judged(drawn, moment, reader, told)
        figures.seconds.append(spent)
        yield figures


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=FREE_GAMES)
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--step", type=int, default=9)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--verbose", action="store_true")
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    for name in [wanted.game] if wanted.game else FREE_GAMES:
        whole = Figures()
        for seed in range(wanted.seed, wanted.seed + wanted.seeds):
            for figures in tables(name, seed, wanted.tables, wanted.step, wanted.pictures):
                whole.add(figures)
                print(f"  {name} {seed}: {figures.line()}", flush=True)
                for note in figures.notes if wanted.verbose else ():
                    print("     ", note)
        print(f"{name}: {whole.line()}", flush=True)


if __name__ == "__main__":
    main()
