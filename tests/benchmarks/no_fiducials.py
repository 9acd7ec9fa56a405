"""How well a table without fiducials is found and read: the sample frames with the fiducials painted over.

    python tests/benchmarks/no_fiducials.py [SET...] [--every N] [--expected] [--verbose]

Enrols from SET/enrol as it is, paints over the fiducials of SET/frames and reads each picture by itself; with
--expected the game's knowledge of which tile lies where is given. Prints how often the table was found, how
far the cells are from where the tiles truly lie (the city as a whole may lie off its place), and what became
of the cells: right, left out, wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from read_accuracy import frames, learn, picture_of, samples

from companion.observation import Expectation
from companion.table import kind_of
from vision.arrays import Image
from vision.reader import Reader


def painted_over(frame: Image, truth: Mapping[str, Any]) -> Image:
    """Return the frame with table where the fiducials and their paper are."""
    found = frame.copy()
    for one in truth["markers"].values():
        corners = np.array(one["corners_px"])
        middle = corners.mean(axis=0)
        inner, outer = (((corners - middle) * share + middle).astype(np.int32) for share in (1.75, 2.1))
        ring = np.zeros(frame.shape[:2], np.uint8)
        cv2.fillConvexPoly(ring, outer, 1)
        cv2.fillConvexPoly(ring, inner, 0)
        colour = np.median(frame[ring > 0], axis=0) if ring.any() else np.array([90, 90, 90])
        cv2.fillConvexPoly(found, inner, colour.tolist())
    return found


def off_mm(reader: Reader, truth: Mapping[str, Any]) -> float:
    """Return how far the cells are from the tiles, median, the city's own shift left out."""
    assert reader.reading is not None
    view, layout = reader.reading.camera, reader.library.layout
    camera, height = truth["camera"], layout.pieces.tile_thickness_mm
    cells = np.array(list(layout.cells.values()))
    poses = [truth["cells"][cell]["pose"] for cell in layout.cells]
    lying = np.array([[one["x"], one["y"]] if isinstance(one, dict) else one[:2] for one in poses])
    solid = np.column_stack([cells, np.full(len(cells), height)])
    turn = cv2.Rodrigues(np.array(camera["R"], float).reshape(3, 3))[0]
    seen, _ = cv2.projectPoints(
        solid,
        turn,
        np.array(camera["t"], float),
        np.array(camera["K"], float).reshape(3, 3),
        np.array(camera["dist"], float),
    )
    shift = np.median(lying - cells, axis=0)
    return float(
        np.median(np.linalg.norm(view.to_table(seen.reshape(-1, 2), height) + shift - cells, axis=1))
    )


def main() -> int:
    """Run from the command line."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=["s1", "s2", "s3", "s4"])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--expected", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    for name in options.sets:
        reader = Reader(learn(samples() / name))
        count: Counter[str] = Counter()
        offs, times = [], []
        for truth, frame in frames(samples() / name, options.every):
            wanted = picture_of(truth["state"])
            reader.forget()
            began = time.process_time()
            seen = reader.read(
                painted_over(frame, truth),
                seq=0,
                seen_at_s=0.0,
                source="bench",
                expected=Expectation(picture=wanted, revision=0) if options.expected else None,
            )
            times.append(1000 * (time.process_time() - began))
            count["frames"] += 1
            if reader.reading is not None:
                count["found"] += 1
                offs.append(off_mm(reader, truth))
            for where, value in wanted.items():
                claim, kind = seen.sightings.get(where), "cell" if kind_of(where) == "cell" else "other"
                fate = "left out" if claim is None else "right" if claim.value == value else "wrong"
                count[f"{kind} {fate}"] += 1
                if fate == "wrong" and options.verbose:
                    print(f"  {truth['frame']} {where} = {value}, read {claim}")
        print(
            f"{name}: found {count['found']} of {count['frames']}, "
            f"off by {np.median(offs) if offs else 0:.1f} mm; "
            + ", ".join(f"{what} {n}" for what, n in sorted(count.items()) if " " in what)
            + f"; {np.median(times):.0f} ms"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
