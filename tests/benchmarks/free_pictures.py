"""Photo-like pictures of tables on which pieces lie anywhere, read each by itself, judged by exact truth.

    python -m tests.benchmarks.free_pictures [SET ...] [--profiles DIR] [--verbose]

A set is a folder with `enrol/` (photographs and `photos.json`), `setup.json`, `frames/` and `truth.jsonl`;
without one, the golden pictures are read. The pieces are learnt from the set's own photographs, or taken from
`--profiles` if they were learnt before. Printed for each set:

- tiles and cards that were named and are there, of those at least half seen, of those of which about a third
  is seen, and of the rest; backs; then discs and what stands. Covered by a hand counts as not seen.
- what was named and is not there, or is something else; with more than 95 % confidence in brackets.
- of what is right how much was told to be in the right zone (kind of place and owner, slot, space or side).
- places of the game: right, open and wrong. Cards of one hand or of one side of a row lie in no order.
- seconds of one thread a picture.

`--verbose` lists what is wrong or missed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np

from calibration.profile import Profile
from calibration.store import load_profile, save_profile
from companion.game import Json
from companion.games import registry
from companion.table import Place, Value
from tests.helpers.free_areas import groups_of
from tests.helpers.golden import GOLDEN
from tests.helpers.true_pieces import matched, true_pieces, zone_of
from ui.assembly.free_table import free_reader, what_lies
from ui.assembly.layouts import layout_of
from vision.enrolment.copy_photographs import read_copy_photographs
from vision.enrolment.free_copy import learn_copy

SURE: Final = 0.95
GOLDEN_SETS: Final = [GOLDEN / "urbion", GOLDEN / "nova_luna"]


@dataclass
class Figures:
    """What came of the pictures of a set: counts by name, seconds, and what was wrong, in words."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the figures as text."""
        n = self.counts
        for name in ("half seen", "a third seen", "less", "backs", "disc", "gem", "meeple", "dragon"):
            if n[name]:
                right = n[f"right {name}"]
                yield f"  {name}: {right} of {n[name]} ({right / n[name]:.1%})"
        yield f"  not there or other: {n['false']} ({n['false and sure']} sure) of {n['claims']}"
        yield f"  zones: {n['zone']} of {n['right']}"
        yield f"  hands: {n['hands right']} of {len(self.seconds)} pictures"
        yield f"  places: right {n['place right']}, open {n['place open']}, wrong {n['place wrong']}"
        yield f"  {np.median(self.seconds):.2f} s, most {max(self.seconds):.2f} s"


def main() -> int:
    """Read and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "sets", nargs="*", type=Path, metavar="SET", default=[GOLDEN / "urbion", GOLDEN / "nova_luna"]
    )
    parser.add_argument("--profiles", type=Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="read only every N-th picture")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in chosen.sets:
        figures = read_set(folder, chosen.profiles, chosen.every)
        print(f"{folder.name}:", *figures.lines(), sep="\n", flush=True)
        for note in figures.notes if chosen.verbose else ():
            print("    ", note)
    return 0


def read_set(folder: Path, profiles: Path | None, every: int = 1) -> Figures:
    """Read the frames of a set; return what came of it."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    setup = json.loads((folder / "setup.json").read_text("utf-8"))
    name, players = setup["game"], tuple(setup["players"])
    game, profile = registry.lookup(name), learnt_profile(folder, profiles, name, players)
    reader, figures = free_reader(name, profile, players, header=setup), Figures()
    for number, one in enumerate(truth[::every]):
        picture: Any = cv2.imread(str(folder / "frames" / one["frame"]))
        reader.forget()
        begun = time.thread_time()
        seen = reader.read(np.asarray(picture, np.uint8), seq=number, seen_at_s=float(number), source="set")
        figures.seconds.append(time.thread_time() - begun)
        judge_pieces(one, what_lies(name, reader, players), figures)
        has_hand = reader.table is not None and reader.table.has_hand
        figures.counts["hands right"] += has_hand == bool(one["hands"])
        if has_hand != bool(one["hands"]):
            figures.notes.append(f"{one['frame']}: hand told {has_hand}")
        located = game.laid_out({"players": list(players)}, seen)
        told = {where: sighting.value for where, sighting in located.sightings.items()}
        for how, group in judged(name, told, game.parse_table(one["state"])):
            figures.counts[f"place {how}"] += 1
            if how == "wrong":
                figures.notes.append(f"{one['frame']}: place {group}")
    return figures


def learnt_profile(folder: Path, profiles: Path | None, name: str, players: tuple[str, ...]) -> Profile:
    """Return what the set's photographs teach."""
    kept = None if profiles is None else profiles / folder.name
    if kept is not None and kept.exists():
        return load_profile(kept)
    pieces = registry.pieces(name)
    photographs, _ = read_copy_photographs(folder / "enrol", pieces)
    profile = learn_copy(name, pieces, layout_of(name, players), players, photographs).profile
    if kept is not None:
        save_profile(profile, kept)
    return profile


# -- places ------------------------------------------------------------------------------------------


def judged(name: str, told: Mapping[Place, Value], true: Mapping[Place, Value]) -> Iterator[tuple[str, str]]:
    """Yield for each place of the truth how it was told, and where that is."""
    game = registry.lookup(name)
    found = groups_of(game, {where: value for where, value in told.items() if where in true})
    for group, values in groups_of(game, true).items():
        claimed = found.get(group, Counter())
        right = (claimed & values).total()
        yield from (("right", group) for _ in range(right))
        yield from (("wrong", group) for _ in range(claimed.total() - right))
        yield from (("open", group) for _ in range(values.total() - claimed.total()))


# -- pieces ------------------------------------------------------------------------------------------


def judge_pieces(truth: Json, told: Sequence[Json], figures: Figures) -> None:
    """Count what is right, missed and false of the pieces of a picture."""
    pieces = true_pieces(truth)
    figures.counts.update(one.kind for one in pieces)
    figures.counts["claims"] += len(told)
    found = list(matched(told, pieces))
    for claim, one in found:
        said = f"{claim['id']} {claim['confidence']:.3f} {claim['place']} at {claim['at_px']}"
        if one is None:
            figures.counts["false"] += 1
            figures.counts["false and sure"] += claim["confidence"] > SURE
            figures.notes.append(f"{truth['frame']}: {said} is none")
            continue
        figures.counts["right"] += 1
        figures.counts[f"right {one.kind}"] += 1
        if zone_of(one.place) == zone_of(claim["place"]):
            figures.counts["zone"] += 1
        else:
            figures.notes.append(f"{truth['frame']}: {one.id} is at {one.place}, not {claim['place']}")
    for one in pieces:
        if one.kind not in ("less", "hidden") and not any(one is other for _, other in found):
            figures.notes.append(f"{truth['frame']}: missed {one.id} {one.kind} {one.place} at {one.at}")


if __name__ == "__main__":
    sys.exit(main())
