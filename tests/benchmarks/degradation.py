"""How reading bears damage: 22 kinds of it done to sample frames, each picture read by itself.

    python tests/benchmarks/degradation.py [SET...] [--every N] [--kinds NAME,...] [--verbose]

For every kind: boards exact, boards exact apart from places declared unknown ("honest"), and cells, boxes,
dragons, figures and obelisk boxes right / abstained / wrong / wrong though sure (0.99 or more). Frames with
hands are left out. One profile, enrolled from the set's undamaged photographs, reads everything.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Picture8

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from read_accuracy import KINDS, SURE, frames, hidden_of, learn, picture_of, samples

from companion.observation import Observation
from companion.table import kind_of
from vision.reader import Reader

Damage: TypeAlias = Callable[[Picture8, np.random.Generator], Picture8]
GOAL = 90.0


def clipped(values: NDArray[Any]) -> Picture8:
    """Return values as a picture."""
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)


def gamma(power: float) -> Damage:
    """Make the picture lighter (below 1) or darker (above 1) in its middle tones."""
    table = clipped(255 * (np.arange(256) / 255) ** power)
    return lambda picture, _: np.asarray(cv2.LUT(picture, table), np.uint8)


def gains(blue: float, green: float, red: float) -> Damage:
    """Multiply the colours, as a wrong white balance or too short an exposure does."""
    return lambda picture, _: clipped(picture * np.array([blue, green, red]))


def blur(sigma: float) -> Damage:
    """Put the picture out of focus."""
    return lambda picture, _: np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def noise(sigma: float) -> Damage:
    """Add noise to every pixel and colour."""
    return lambda picture, rng: clipped(picture + rng.normal(0, sigma, picture.shape))


def shadow(level: float) -> Damage:
    """Lay half of the picture into shadow, along a slanting edge through its middle."""

    def cast(picture: Picture8, rng: np.random.Generator) -> Picture8:
        height, width = picture.shape[:2]
        turn = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[:height, :width]
        side = (x - width / 2) * np.cos(turn) + (y - height / 2) * np.sin(turn)
        light = level + (1 - level) * np.clip(side / 6 + 0.5, 0, 1)
        return clipped(picture * light[:, :, None])

    return cast


def glare(strength: float) -> Damage:
    """Mirror a lamp somewhere in the middle of the picture."""

    def shine(picture: Picture8, rng: np.random.Generator) -> Picture8:
        height, width = picture.shape[:2]
        at = rng.uniform(0.38, 0.62, 2) * (width, height)
        y, x = np.mgrid[:height, :width]
        spot = np.exp(-(((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * (0.09 * width) ** 2)))[:, :, None]
        return clipped(picture + strength * spot * (255 - picture * 0.4))

    return shine


def skew(share: float) -> Damage:
    """Move the picture's corners by up to a share of its size, as another camera place would."""

    def bend(picture: Picture8, rng: np.random.Generator) -> Picture8:
        height, width = picture.shape[:2]
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        inward = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], np.float32)
        moved = corners + inward * rng.uniform(0, share, (4, 2)).astype(np.float32) * (width, height)
        warp = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
        return np.asarray(
            cv2.warpPerspective(picture, warp, (width, height), borderMode=cv2.BORDER_REPLICATE)
        )

    return bend


def rotated(degrees: float) -> Damage:
    """Turn the picture about its middle, either way."""

    def turn(picture: Picture8, rng: np.random.Generator) -> Picture8:
        height, width = picture.shape[:2]
        angle = degrees if rng.random() < 0.5 else -degrees
        # Drawn in a little, so that nothing that matters leaves the picture.
        warp = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 0.92)
        return np.asarray(cv2.warpAffine(picture, warp, (width, height), borderMode=cv2.BORDER_REPLICATE))

    return turn


def smaller(times: int) -> Damage:
    """Take the picture with a camera of fewer pixels."""

    def shrink(picture: Picture8, _: np.random.Generator) -> Picture8:
        size = (picture.shape[1] // times, picture.shape[0] // times)
        return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)

    return shrink


def jpeg(quality: int) -> Damage:
    """Pack the picture badly."""

    def pack(picture: Picture8, _: np.random.Generator) -> Picture8:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    return pack


def hand_over_corner(picture: Picture8, rng: np.random.Generator) -> Picture8:
    """Lay an arm from one corner of the picture towards the city; what is under it is hidden."""
    height, width = picture.shape[:2]
    corner = np.array([(0, 0), (width, 0), (width, height), (0, height)][int(rng.integers(4))], np.float64)
    tip = corner + (np.array([width, height]) / 2 - corner) * rng.uniform(0.6, 0.75)
    arm = picture.copy()
    skin = tuple(int(one) for one in rng.integers((110, 140, 185), (160, 190, 235)))
    cv2.line(arm, tuple(corner.astype(int)), tuple(tip.astype(int)), skin, int(width * 0.055), cv2.LINE_AA)
    cv2.circle(arm, tuple(tip.astype(int)), int(width * 0.042), skin, -1, cv2.LINE_AA)
    y = np.linspace(0.75, 1.1, height)[:, None, None]
    covered = (arm != picture).any(axis=2, keepdims=True)
    return clipped(np.where(covered, cv2.GaussianBlur(arm, (0, 0), 1.5) * y, picture))


DAMAGES: Mapping[str, Damage] = {
    "none": lambda picture, _: picture,
    "gamma .5": gamma(0.5),
    "gamma 1.8": gamma(1.8),
    "gamma 2.5": gamma(2.5),
    "x0.4 dark": gains(0.4, 0.4, 0.4),
    "warm": gains(0.7, 0.95, 1.15),
    "cool": gains(1.2, 1.0, 0.78),
    "blur s2": blur(2),
    "blur s4": blur(4),
    "noise 15": noise(15),
    "noise 30": noise(30),
    "shadow .6": shadow(0.6),
    "shadow .4": shadow(0.4),
    "glare .4": glare(0.4),
    "glare .8": glare(0.8),
    "persp 5%": skew(0.05),
    "persp 10%": skew(0.10),
    "rot 3": rotated(3),
    "rot 8": rotated(8),
    "1/2 res": smaller(2),
    "1/3 res": smaller(3),
    "jpeg 30": jpeg(30),
    "hand": hand_over_corner,
}


class Tally:
    """What became of the boards and places under one kind of damage."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.boards = self.exact = self.honest = self.sure_wrong = 0
        self.faults: list[str] = []

    def add(self, name: str, truth: Mapping[str, Any], seen: Observation, *, may_hide: bool) -> None:
        """Compare one reading with the truth; `may_hide`: a hand was laid over it, abstaining is no loss."""
        hidden = hidden_of(truth)
        wrong = abstained = 0
        for where, value in picture_of(truth["state"]).items():
            if where in hidden:
                continue
            claim = seen.sightings.get(where)
            if claim is None:
                fate = "abstained"
                abstained += not may_hide
            elif claim.value == value:
                fate = "right"
            else:
                fate = "wrong"
                wrong += 1
                self.sure_wrong += claim.confidence >= SURE
                self.faults.append(
                    f"{name} {truth['frame']} {where} = {value}: {claim.value} {claim.confidence:.3f}"
                )
            self.counts[kind_of(where), fate] += 1
        self.boards += 1
        self.exact += wrong == abstained == 0
        self.honest += wrong == 0

    def line(self, name: str) -> str:
        """Return the figures on one line."""
        text = f"{name:10} {self.boards:3} {self.exact:5} {self.honest:6} {self.sure_wrong:4}  "
        for kind in KINDS:
            fates = [self.counts[kind, fate] for fate in ("right", "abstained", "wrong")]
            total = max(sum(fates), 1)
            text += f" {100 * fates[0] / total:5.1f}/{100 * fates[1] / total:5.1f}/{fates[2]:<3}"
        return text


def run(name: str, every: int, kinds: list[str], tallies: dict[str, Tally]) -> None:
    """Damage and read the frames of one set."""
    folder = samples() / name
    reader = Reader(learn(folder))
    for truth, picture in frames(folder, every):
        if truth["hands"]:
            continue
        print(f"{name} {truth['frame']} ...", file=sys.stderr)
        for kind in kinds:
            rng = np.random.default_rng(zlib.crc32(f"{name} {truth['frame']} {kind}".encode()))
            damaged = np.ascontiguousarray(DAMAGES[kind](picture, rng))
            reader.forget()
            seen = reader.read(damaged, seq=truth["index"], seen_at_s=truth["t"], source="bench")
            tallies[kind].add(name, truth, seen, may_hide=kind == "hand")


def show(tallies: Mapping[str, Tally], *, verbose: bool) -> None:
    """Print the table and the sum."""
    print("            n exact honest sure-wrong; right %/abstained %/wrong: " + ", ".join(KINDS))
    for kind, tally in tallies.items():
        print(tally.line(kind))
        if verbose:
            print("\n".join("      " + fault for fault in tally.faults))
    damaged = [tally for kind, tally in tallies.items() if kind != "none"]
    boards = max(sum(one.boards for one in damaged), 1)
    honest = 100 * sum(one.honest for one in damaged) / boards
    exact = 100 * sum(one.exact for one in damaged) / boards
    sure = sum(one.sure_wrong for one in tallies.values())
    print(
        f"{len(damaged)} kinds, {boards} boards: exact {exact:.1f} %, honest {honest:.1f} % (goal {GOAL:.0f})"
    )
    print(f"wrong though sure: {sure} (goal 0)")


def main() -> int:
    """Run from the command line."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=["s1", "s2", "s3", "s4", "game-1"])
    parser.add_argument("--every", type=int, default=1, help="only every N-th frame of a set")
    parser.add_argument("--kinds", default=",".join(DAMAGES), help="only these kinds of damage")
    parser.add_argument("--verbose", action="store_true", help="list the wrong claims")
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    unknown = sorted(set(kinds) - set(DAMAGES))
    if unknown:
        parser.error(f"no such damage: {', '.join(unknown)}; known: {', '.join(DAMAGES)}")
    tallies = {kind: Tally() for kind in kinds}
    begun = time.perf_counter()
    for name in options.sets:
        run(name, options.every, kinds, tallies)
    show(tallies, verbose=options.verbose)
    print(f"{time.perf_counter() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
