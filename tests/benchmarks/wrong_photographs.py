"""Which wrong photographs of an enrolment are told, and whether a right one ever is.

    python tests/benchmarks/wrong_photographs.py [FOLDER] [--sets SET...] [--kinds KIND...]

FOLDER holds sets with `enrol/` (empty, sketch, built, pieces) and `frames/` with `truth.jsonl`, as the sample
sets are. Every wrong kind is made of each set by giving one of its photographs, or one of the running game,
in the place of another. Printed, set by set: the photograph at which it is told, `-` where it is not,
`REFUSED` where the right ones are, and `?` where a set lacks what the kind is made of or its fiducials are
not found.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.arrays import Picture8

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion.errors import ProfileError
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.layout import table_layout
from tests.benchmarks.read_accuracy import samples
from vision.enrolment.photograph_names import EMPTY, NAMES
from vision.enrolment.wrong_photographs import PhotographCheck
from vision.faces.cutting import camera_pose_of, register_outlines
from vision.faces.scene import PX_PER_MM, Surveyor
from vision.faces.table_frame import Photograph, measured

Photographs = dict[str, Picture8]
LAYOUT = table_layout()
# The tiles that are not turned over, or missing, where only some are.
SOME = ("1,1", "3,3")


class Sample:
    """One set: its four right photographs, and some of the game."""

    def __init__(self, folder: Path) -> None:
        self.right = {name: _read(folder / "enrol" / f"{name}.jpg") for name in NAMES}
        self.shown = GAME.parse_table(json.loads((folder / "enrol" / "pieces.json").read_text()))
        truths = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
        self.quiet = self._frame(folder, truths, lambda most: most == 0)
        # A hand over the city, not at its rim.
        self.hand = self._frame(folder, truths, lambda most: most > 0.8)

    def _frame(
        self, folder: Path, truths: list[dict[str, Any]], fits: Callable[[float], bool]
    ) -> Picture8 | None:
        for truth in truths:
            if fits(max(cell["hand_occlusion"] for cell in truth["cells"].values())):
                return _read(folder / "frames" / truth["frame"])
        return None

    def pasted(self, into: str, of: str) -> Picture8:
        """Return a photograph with some places as they are in another one."""
        frame, other = self.right[into].copy(), self.right[of]
        # Where the tiles lie only a photograph with tiles tells.
        tiles = other if into == EMPTY else frame
        layout = measured([Photograph(frame=tiles, what=into)], LAYOUT)
        plane = Surveyor(layout, camera_pose_of(tiles, layout, into)).draw_city(tiles).plane
        view = camera_pose_of(frame, layout, into)
        poses = register_outlines(plane, layout)
        half = LAYOUT.tile_edge_mm / 2 * PX_PER_MM + 3
        for cell in SOME:
            pose = poses[cell]
            c, s = np.cos(pose.turn), np.sin(pose.turn)
            corners = [(pose.x_px + c * x - s * y, pose.y_px + s * x + c * y) for x, y in _square(half)]
            table = plane.flat.to_mm(np.array(corners))
            px = view.project(np.column_stack([table, np.full(4, plane.flat.height_mm)]))
            mask = np.zeros(frame.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, np.round(px).astype(np.int32), 1)
            frame[mask > 0] = other[mask > 0]
        return frame


def _square(half: float) -> tuple[tuple[float, float], ...]:
    return ((-half, -half), (half, -half), (half, half), (-half, half))


def _read(file: Path) -> Picture8:
    return np.asarray(cv2.imread(str(file)), np.uint8)


def _instead(sample: Sample, **others: Picture8 | None) -> Photographs | None:
    if any(one is None for one in others.values()):
        return None
    return {**sample.right, **{name: one for name, one in others.items() if one is not None}}


def _swapped(place: str, other: str) -> Callable[[Sample], Photographs | None]:
    # A copy: as if it had been taken again, not given twice.
    return lambda sample: _instead(sample, **{place: _noisy(sample.right[other])})


def _noisy(frame: Picture8) -> Picture8:
    """Return another photograph of the same table: the camera's noise is another."""
    rng = np.random.default_rng(1)
    return np.asarray(np.clip(frame + rng.normal(0, 1.5, frame.shape), 0, 255), np.uint8)


KINDS: Mapping[str, Callable[[Sample], Photographs | None]] = {
    "right": lambda sample: dict(sample.right),
    **{f"{other} as {place}": _swapped(place, other) for place in NAMES for other in NAMES if other != place},
    "sketch, built swapped": lambda one: _instead(one, sketch=one.right["built"], built=one.right["sketch"]),
    "same file twice": lambda one: _instead(one, built=one.right["sketch"]),
    "game as empty": lambda one: _instead(one, empty=one.quiet),
    "game as sketch": lambda one: _instead(one, sketch=one.quiet),
    "game as built": lambda one: _instead(one, built=one.quiet),
    "game as pieces": lambda one: _instead(one, pieces=one.quiet),
    "hand as sketch": lambda one: _instead(one, sketch=one.hand),
    "hand as built": lambda one: _instead(one, built=one.hand),
    "hand as pieces": lambda one: _instead(one, pieces=one.hand),
    "two not turned over": lambda one: _instead(one, built=one.pasted("built", "sketch")),
    "two missing in sketch": lambda one: _instead(one, sketch=one.pasted("sketch", "empty")),
    "two missing in built": lambda one: _instead(one, built=one.pasted("built", "empty")),
    "two left on empty": lambda one: _instead(one, empty=one.pasted("empty", "sketch")),
}


def told(check: PhotographCheck, sample: Sample, wrong: Photographs | None) -> tuple[str, str]:
    """Return at which photograph it is told, and in which words."""
    if wrong is None:
        return "?", ""
    before: Photographs = {}
    for name in NAMES:
        before[name] = wrong[name]
        try:
            check.check(before, sample.shown)
        except ProfileError as error:
            text = str(error)
            return ("?" if "fiducial" in text else name), text
    return "-", ""


def main() -> int:
    """Run from the command line."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=samples())
    parser.add_argument("--sets", nargs="*", help="only these")
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--words", action="store_true", help="print what is said, too")
    options = parser.parse_args()
    folders = [
        each
        for each in sorted(options.folder.iterdir())
        if (each / "enrol" / "sketch.jpg").is_file() and (not options.sets or each.name in options.sets)
    ]
    refused = missed = 0
    for folder in folders:
        sample, check = Sample(folder), PhotographCheck(LAYOUT)
        print(folder.name)
        for kind in options.kinds:
            at, words = told(check, sample, KINDS[kind](sample))
            if kind == "right":
                refused += at not in "-?"
                at = {"-": "accepted", "?": "?"}.get(at, f"REFUSED at {at}")
            else:
                missed += at == "-"
            print(f"  {kind:24} {at:10} {words if options.words or 'REFUSED' in at else ''}", flush=True)
    print(f"{len(folders)} sets: {refused} right ones refused, {missed} wrong ones not told")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
