"""How well ``moontable find`` finds tiles and cards in photographs, set by set.

    python -m tests.benchmarks.find_faces SET... [--every N] [--hide SHARE] [--cover] [--fit]

The faces are cut out of a set's enrolment photographs and looked for in its frames. Of the faces,
`--hide` leaves some unknown: what shows them must not be taken for another. `--cover` lays
other faces over a fifth to two thirds of every second piece. `--fit` prints the factors of the confidence.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image
from vision.capture.sources import open_picture_file
from vision.faces.photo_search import FoundInPhoto, PhotoSearch, features_of

PX_PER_MM = 3.0
SURE, CLAIMED = 0.95, 0.5
# Corners may be this far off, as a share of the diagonal.
OFF = 0.08
# Cards of a pile lie on each other to within this, px.
PILE_PX = 8.0


@dataclass
class Tally:
    """What was found in the frames of one set.

    Attributes:
        seen: confidences of the pieces that are there, by the tenth of them that is visible.
        wrong: confidences of what is not there.
        features: what the confidence depends on, and whether it was right.
        seconds: for each frame.
    """

    seen: dict[int, list[float]] = field(default_factory=dict)
    wrong: list[float] = field(default_factory=list)
    features: list[tuple[NDArray[np.float64], bool]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the figures as text."""
        for tenth, found in sorted(self.seen.items(), reverse=True):
            shares = [float(np.mean([one > least for one in found])) for least in (CLAIMED, SURE)]
            shown = f"{tenth / 10:.1f} visible and more"
            yield f"  {shown}: {len(found):4d} found {shares[0]:.1%} surely {shares[1]:.1%}"
        claimed, sure = (sum(one > least for one in self.wrong) for least in (CLAIMED, SURE))
        yield f"  wrong {claimed}, wrong and sure {sure}; {np.median(self.seconds):.2f} s a frame"


def faces_of(folder: Path) -> dict[str, Image]:
    """Return the faces cut out of a set's enrolment photographs, by name."""
    faces = {}
    for line in (folder / "enrol" / "enrol.jsonl").read_text().splitlines():
        shot = json.loads(line)
        frame = open_picture_file(folder / "enrol" / shot["frame"])
        for piece in shot["pieces"]:
            if piece["shape"] == "flat" and shot["frame"] != "board.jpg":
                width, height = (round(one * PX_PER_MM) for one in piece["size_mm"])
                ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
                view = cv2.getPerspectiveTransform(np.array(piece["corners_px"], np.float32), ends)
                face = cv2.warpPerspective(frame, view, (width, height), flags=cv2.INTER_CUBIC)
                faces[str(piece["id"])] = np.asarray(face, np.uint8)
    return faces


def flat_pieces(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tiles and cards that lie face up, without those under others of their pile."""
    flat = [one for one in truth["pieces"] if one["shape"] == "flat" and "corners_px" in one]
    middles = [np.mean(one["corners_px"], axis=0) for one in flat]
    return [
        one
        for one, at in zip(flat, middles, strict=True)
        if one["up"]
        and not any(
            other["top"] > one["top"] + 0.1 and np.hypot(*(here - at)) < PILE_PX
            for other, here in zip(flat, middles, strict=True)
        )
    ]


def is_at(found: FoundInPhoto, piece: dict[str, Any]) -> bool:
    """Whether what was found is this piece."""
    corners = np.array(piece["corners_px"])
    most = OFF * float(np.hypot(*(corners[0] - corners[2])))
    return found.face == str(piece["id"]) and float(np.abs(found.corners_px - corners).max()) < most


def cover_some(
    frame: Image, pieces: list[dict[str, Any]], faces: dict[str, Image], rng: np.random.Generator
) -> None:
    """Lay faces over a part of every second piece, from one of its sides, and say so in the truth."""
    names = sorted(faces)
    for piece in pieces[::2]:
        share = float(rng.uniform(0.2, 0.67))
        side = int(rng.integers(4))
        corners = np.roll(np.array(piece["corners_px"]), side, axis=0)
        moved = corners + (corners[1] - corners[0]) * (1 - share)
        face = faces[names[int(rng.integers(len(names)))]]
        ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * face.shape[1::-1] - 0.5
        view = cv2.getPerspectiveTransform(ends.astype(np.float32), moved.astype(np.float32))
        size = (frame.shape[1], frame.shape[0])
        there = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), view, size) > 127
        frame[there] = cv2.warpPerspective(face, view, size, flags=cv2.INTER_AREA)[there]
        for other in pieces:
            quad = np.round(np.array(other["corners_px"])).astype(np.int32)
            inside = cv2.fillConvexPoly(np.zeros(there.shape, np.uint8), quad, 1) > 0
            other["visible"] *= 1 - float((inside & there).sum()) / max(int(inside.sum()), 1)


def measure(folder: Path, every: int, hidden: float, *, cover: bool) -> Tally:
    """Return what is found in every so many frames of a set, with a share of its faces hidden."""
    faces = faces_of(folder)
    names = sorted(faces)
    gone = set(np.random.default_rng(0).choice(names, int(hidden * len(names)), replace=False).tolist())
    search = PhotoSearch({name: face for name, face in faces.items() if name not in gone})
    tally = Tally()
    for line in (folder / "truth.jsonl").read_text().splitlines()[::every]:
        truth = json.loads(line)
        frame = open_picture_file(folder / "frames" / truth["frame"])
        pieces = flat_pieces(truth)
        if cover:
            unknown = {name: face for name, face in faces.items() if name in gone} or faces
            cover_some(frame, pieces, unknown, np.random.default_rng(len(tally.seconds)))
        start = time.perf_counter()
        found = search.find(frame)
        tally.seconds.append(time.perf_counter() - start)
        for one in found:
            if not one.face.startswith("back"):
                right = any(is_at(one, piece) for piece in pieces)
                tally.features.append((features_of(one.compared, one.votes), right))
                if not right:
                    tally.wrong.append(one.confidence)
        for piece in pieces:
            if str(piece["id"]) in faces and str(piece["id"]) not in gone:
                best = max((one.confidence for one in found if is_at(one, piece)), default=0.0)
                tally.seen.setdefault(min(int(piece["visible"] * 10), 9), []).append(best)
    return tally


def fit(rows: Sequence[tuple[NDArray[np.float64], bool]]) -> NDArray[np.float64]:
    """Return the factors of a logistic regression, held near 0."""
    features = np.array([one for one, _ in rows])
    right = np.array([float(one) for _, one in rows])
    spread = np.concatenate([[1.0], features[:, 1:].std(axis=0) + 1e-9])
    middle = np.concatenate([[0.0], features[:, 1:].mean(axis=0)])
    scaled, factors = (features - middle) / spread, np.zeros(features.shape[1])
    held = np.diag([1e-6, *[1.0] * (features.shape[1] - 1)])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-scaled @ factors))
        square = scaled.T @ (scaled * (likely * (1 - likely) + 1e-6)[:, None]) + held
        factors = factors + np.linalg.solve(square, scaled.T @ (right - likely) - held @ factors)
    plain = factors / spread
    plain[0] -= float((plain[1:] * middle[1:]).sum())
    return np.asarray(plain, np.float64)


def main() -> None:
    """Print the figures of some sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--hide", type=float, default=0.0)
    parser.add_argument("--cover", action="store_true")
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    rows = []
    for folder in arguments.sets:
        tally = measure(folder, arguments.every, arguments.hide, cover=arguments.cover)
        rows += tally.features
        print(
            f"{folder.name} ({arguments.hide:.0%} of the faces unknown)", *tally.lines(), sep="\n", flush=True
        )
    if arguments.fit:
        print("factors", np.round(fit(rows), 2).tolist())


if __name__ == "__main__":
    main()
