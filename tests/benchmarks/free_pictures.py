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
import math
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
from companion.games.nova_luna.catalogue import twin
from companion.table import Place, Value
from tests.helpers.free_areas import groups_of
from tests.helpers.golden import GOLDEN
from ui.assembly.free_table import free_reader, what_lies
from ui.assembly.layouts import layout_of
from vision.enrolment.copy_photographs import read_copy_photographs
from vision.enrolment.free_copy import learn_copy

SURE: Final = 0.95
# So far from where it is, in shares of the shorter edge or of the width, a piece counts as found.
NEAR: Final = 0.35
# Widths of what is not flat, in edges of a code (40 mm).
WIDTHS: Final = {"disc": 13 / 40, "gem": 12 / 40, "meeple": 26 / 40, "dragon": 24 / 40}
# Kinds of places of which the number of the slot, or the row and its side, is part of the zone.
NUMBERED: Final = {"wheel": 1, "track": 1, "meeple": 1, "city": 1, "dream": 2}


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


@dataclass(frozen=True)
class Truth:
    """A piece of the truth: what it is, its middle, how near a claim must be, px, and its class."""

    id: str
    shape: str
    at: tuple[float, float]
    near: float
    kind: str
    place: str


def main() -> int:
    """Read and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", type=Path, metavar="SET", default=[GOLDEN / "urbion"])
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
    game, profile = registry.lookup(name), _profile(folder, profiles, name, players)
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


def _profile(folder: Path, profiles: Path | None, name: str, players: tuple[str, ...]) -> Profile:
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
    left = list(_there(truth))
    for one in left:
        figures.counts[one.kind] += 1
    for claim in sorted(told, key=lambda each: -each["confidence"]):
        figures.counts["claims"] += 1
        at = tuple(claim["at_px"])
        near = [one for one in left if one.shape == claim["shape"] and math.dist(one.at, at) < one.near]
        # The truth calls the token after the element that it shows; there is but one.
        same = [one for one in near if one.shape == "gem" or _alike(one.id) == _alike(claim["id"])]
        if not same:
            figures.counts["false"] += 1
            figures.counts["false and sure"] += claim["confidence"] > SURE
            what = [f"{one.id} ({one.place}, {one.kind})" for one in near]
            said = f"{claim['id']} {claim['confidence']:.3f} {claim['place']} at {claim['at_px']}"
            figures.notes.append(f"{truth['frame']}: {said} is {what}")
            continue
        best = min(same, key=lambda one: math.dist(one.at, at))
        left.remove(best)
        figures.counts["right"] += 1
        figures.counts[f"right {best.kind}"] += 1
        if zone_of(best.place) == zone_of(claim["place"]):
            figures.counts["zone"] += 1
        else:
            figures.notes.append(f"{truth['frame']}: {best.id} is at {best.place}, not {claim['place']}")
    for one in left:
        if one.kind not in ("less", "hidden"):
            figures.notes.append(f"{truth['frame']}: missed {one.id} {one.kind} {one.place} at {one.at}")


def _there(truth: Json) -> Iterator[Truth]:
    """Yield the pieces of the truth; the dragons' board and the wheel are faces as well."""
    code = truth["markers"]["0"]["corners_px"]
    code_px = math.dist(code[0], code[2]) / math.sqrt(2)
    flats = [one for one in truth["pieces"] if one["shape"] == "flat"]
    for one in truth["pieces"]:
        flat = one["shape"] in ("flat", "disc-board")
        corners = np.array(one.get("corners_px") or [one.get("base_px", (0, 0))], np.float64)
        at = _crossing(corners) if flat else (float(corners[0][0]), float(corners[0][1]))
        short = min(math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2])) if flat else 0.0
        width = short if flat else WIDTHS[one["shape"]] * code_px * 1.6
        kind, shape = _kind(one, flats), "flat" if flat else one["shape"]
        yield Truth(str(one["id"]), shape, at, NEAR * width, kind, one["place"])


def _kind(one: Json, flats: Sequence[Json]) -> str:
    """Return the class of a piece by how much of it is seen."""
    seen = one["visible"] - one.get("outside", 0.0)
    if one["shape"] == "flat":
        # The truth's own share does not count cards that lie closely upon each other.
        seen = min(seen, _uncovered(one, [other for other in flats if other["z"] > one["z"]]))
    if one["shape"] not in ("flat", "disc-board"):
        return str(one["shape"]) if seen >= 0.5 else "hidden"
    if one["id"] == "back":
        return "backs" if seen >= 0.5 else "hidden"
    return "half seen" if seen >= 0.5 else "a third seen" if seen >= 0.25 else "less"


def _uncovered(one: Json, upper: Sequence[Json]) -> float:
    """Return the share of a face that no others cover."""
    corners = np.array(one["corners_px"])
    low = corners.min(axis=0)
    width, height = (corners.max(axis=0) - low).astype(int) + 2
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(corners - low).astype(np.int32)], 1)
    whole = int(mask.sum())
    for other in upper:
        cv2.fillPoly(mask, [np.round(np.array(other["corners_px"]) - low).astype(np.int32)], 0)
    return float(mask.sum()) / max(whole, 1)


def _crossing(corners: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float]:
    """Return where the diagonals of a quadrilateral cross: the middle as a camera sees it."""
    one, other = corners[2] - corners[0], corners[3] - corners[1]
    share = np.linalg.solve(np.column_stack([one, -other]), corners[1] - corners[0])[0]
    x, y = corners[0] + share * one
    return float(x), float(y)


def _alike(name: str) -> str:
    """Return the name that all tiles of one look share."""
    return str(twin(int(name))) if name.isdigit() else name


def zone_of(where: str | None) -> str:
    """Return the kind of a place and its owner, with its number where that is part of where it is."""
    kind, *parts = (where or "none").split(":")
    kind = {"discard-under": "discard", "under-leader": "leader", "covered": "combat"}.get(kind, kind)
    kept = 0 if kind == "stock" else NUMBERED.get(kind, 1)
    return ":".join((kind, *parts[:kept]))


if __name__ == "__main__":
    sys.exit(main())
