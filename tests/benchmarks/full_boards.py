"""How well the board is read while it fills with markers, on tables drawn at random.

    python -m tests.benchmarks.full_boards [--tables 10] [--first 97000]

Two evenings of each table; the board is shown with 0, 3, 6, 9, 10, 11, 12 and 13 markers, a photograph each.
Printed are, for each evening, how many boxes are told with each, how many of them wrongly (!), and where the
board was taken for covered (c), which would hold up the game.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import cv2

from companion.table import Picture, kind_of, place
from vision.reader import Reader
from vision.training.drawn_frames import learnt
from vision.training.tables import RandomTable

COUNTS = (0, 3, 6, 9, 10, 11, 12, 13)
EVENINGS = (1, 2)


def evening(reader: Reader, table: RandomTable, number: int) -> tuple[Counter[str], str]:
    """Return the figures of one evening, and a word for each number of markers."""
    room, owners = table.evening(number), list(table.players)
    camera, drawn = room.camera(seed=3), next(room.positions(1, seed=1))
    boxes = sum(kind_of(at) == "board" for at in drawn)
    figures, words = Counter[str](), list[str]()
    reader.forget()
    for count in COUNTS:
        owned: Picture = {
            place("board", n): owners[n % len(owners)] if n < count else None for n in range(boxes)
        }
        reader.forget(but_tiles=True)
        reader.read(camera.frame({**drawn, **owned}, t=1.0 + count), seq=count, seen_at_s=0.0, source="bench")
        board = None if reader.reading is None else reader.reading.board
        claims = {} if board is None else {one.place: one.value for one in board.sightings}
        wrong = sum(owned[at] != value for at, value in claims.items())
        is_covered = board is not None and board.covered
        figures.update(boxes=len(owned), told=len(claims), wrong=wrong, covered=is_covered)
        words.append(f"{len(claims)}{f'!{wrong}' if wrong else ''}{'c' if is_covered else ''}")
    return figures, " ".join(words)


def main() -> int:
    """Run from the command line; return 1 when anything was told wrongly."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--first", type=int, default=97000)
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    for number in range(arguments.first, arguments.first + arguments.tables):
        table = RandomTable.of(number)
        profile = learnt(table)
        if profile is None or profile.board is None:
            print(f"table {number}: {'refused' if profile is None else 'no board'}", flush=True)
            continue
        reader = Reader(profile)
        for each in EVENINGS:
            figures, words = evening(reader, table, each)
            total.update(figures)
            print(f"table {number} evening {each}: {words}", flush=True)
    print(
        f"{total['told']} of {total['boxes']} boxes told, {total['wrong']} wrongly; "
        f"taken for covered {total['covered']} times"
    )
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
