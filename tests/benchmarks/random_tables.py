"""How well tables are read that are drawn at random: copy, room, light, camera and hands.

    python tests/benchmarks/random_tables.py [--first N] [--tables N] [--frames N] [--any-size]

Each is enrolled from its own photographs; with `--any-size` nobody tells how large tiles and pieces are.
Prints table by table, then of all: how many places of each kind are right and wrong in frames without a hand
(boxes and pieces of which less than half can be seen are counted apart, as "hidden"; "no figure": one that is
not in the city), in how many of those frames a hand was seen all the same, and why boxes on tiles were left
open.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from companion.games.blue_moon_city.layout import table_layout  # noqa: E402
from companion.table import Place, Value, kind_of, parts_of  # noqa: E402
from companion.table_layout import TableLayout  # noqa: E402
from vision.pieces.marker_recogniser import CLAIMED, CLAIMED_BARE  # noqa: E402
from vision.reader import Reader  # noqa: E402
from vision.training.drawn_frames import learnt  # noqa: E402
from vision.training.tables import RandomTable  # noqa: E402

EVENINGS = 3
SEEN = 0.5
STANDING = ("figure", "dragon")
NO_TABLE, NO_TILE, NOT_ASKED = (
    "no table found",
    "its tile is not told",
    "a hand seems near, or it was never learnt",
)
BEHIND, WHOSE, UNSURE = "a piece may stand before it", "a marker, but whose", "bare or not"
WHYS = (NO_TABLE, NO_TILE, NOT_ASKED, BEHIND, WHOSE, UNSURE)
KINDS = ("cell", "box", "figure", "no figure", "dragon", "no dragon", "board", "hidden")
FATES = ("right", "open", "wrong")


def read_table(number: int, frames: int, usual: TableLayout | None) -> Counter[tuple[str, str]] | None:
    """Return what became of the places of a table, by kind and fate; None if it could not be enrolled."""
    table = RandomTable.of(number)
    profile = learnt(table, usual)
    if profile is None:
        return None
    reader, counts = Reader(profile), Counter[tuple[str, str]]()
    board = table.layout.places.board_box
    for evening in range(EVENINGS):
        room = table.evening(evening)
        camera = room.camera(seed=2 + evening)
        for i, truth in enumerate(room.positions(frames, seed=evening)):
            reader.forget()
            seen = reader.read(camera.frame(truth, t=float(i)), seq=i, seen_at_s=float(i), source="bench")
            seen_apart = [
                where
                for where, value in truth.items()
                if kind_of(where) in ("box", board) or (kind_of(where) in STANDING and value is not None)
            ]
            shares = camera.visible_shares(truth, seen_apart)
            for where, value in truth.items():
                claim = seen.sightings.get(where)
                fate = "open" if claim is None else "right" if claim.value == value else "wrong"
                kind = "hidden" if shares.get(where, 1.0) < SEEN else kind_of(where)
                counts[f"no {kind}" if kind in STANDING and value is None else kind, fate] += 1
                if (kind, fate) == ("box", "open"):
                    counts["why", why_open(reader, where, value)] += 1
                if fate == "wrong":
                    print(f"   {number} evening {evening} frame {i}: {where} is {value} ({kind})")
            counts["frame", "hand seen" if seen.busy else "free"] += 1
    return counts


def why_open(reader: Reader, where: Place, value: Value) -> str:
    """Return why nothing is told of a box on a tile that holds `value`."""
    reading = reader.reading
    if reading is None:
        return NO_TABLE
    if reading.located.layout.places.on_cell(parts_of(where)[0]) not in reading.claims:
        return NO_TILE
    if where not in reading.boxes.chances:
        return NOT_ASKED
    _, chances = reading.boxes.chances[where]
    own = chances.bare if value is None else chances.owners[reader.library.owners().index(value)]
    if own >= (CLAIMED_BARE if value is None else CLAIMED):
        return BEHIND
    if value is not None and chances.marker >= CLAIMED:
        return WHOSE
    return UNSURE


def line(name: str, counts: Counter[tuple[str, str]]) -> str:
    """Return one line of figures."""
    parts = []
    for kind in KINDS:
        total = sum(counts[kind, fate] for fate in FATES)
        if total:
            right, wrong = 100 * counts[kind, "right"] / total, counts[kind, "wrong"]
            parts.append(f"{kind} {right:6.2f} % of {total}, {wrong} wrong")
    frames = counts["frame", "hand seen"] + counts["frame", "free"]
    return f"{name:>6}  {' | '.join(parts)} | hands seen {counts['frame', 'hand seen']} of {frames}"


def main() -> int:
    """Read the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=70000, help="number of the first table")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--frames", type=int, default=2, help="on each of three evenings")
    parser.add_argument("--any-size", action="store_true", help="measure sizes, as for a copy nobody knows")
    wanted = parser.parse_args()
    everything, refused = Counter[tuple[str, str]](), 0
    for number in range(wanted.first, wanted.first + wanted.tables):
        counts = read_table(number, wanted.frames, table_layout() if wanted.any_size else None)
        if counts is None:
            refused += 1
            print(f"{number:>6}  refused", flush=True)
            continue
        everything += counts
        print(line(str(number), counts), flush=True)
    print(line("all", everything) + f" | refused {refused}")
    whys = {why: everything["why", why] for why in WHYS}
    print("boxes left open: " + ", ".join(f"{why} {count}" for why, count in whys.items() if count))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
