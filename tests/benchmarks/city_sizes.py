"""How exactly the sizes of tiles, and how far apart they lie, are measured from photographs of both sides.

    python -m tests.benchmarks.city_sizes [SET...] [--first N] [--tables N]

Of drawn tables, on which tiles are 45 to 75 mm, the true sizes are known; of the sample sets the tiles' edge
is 60 mm. Prints what is measured and how far it is off, then of all drawn tables the median and the most. The
sets are looked for in MOONTABLE_SAMPLES or in ../shared/tablecam beside the repository.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from companion.errors import ProfileError  # noqa: E402
from companion.games.blue_moon_city.layout import table_layout  # noqa: E402
from companion.table_layout import TableLayout  # noqa: E402
from tests.benchmarks.read_accuracy import samples  # noqa: E402
from vision.arrays import Picture8  # noqa: E402
from vision.faces.table_frame import Photograph, measured  # noqa: E402
from vision.training.tables import RandomTable  # noqa: E402

SET_EDGE_MM = 60.0


def sizes(name: str, sides: Mapping[str, Picture8], usual: TableLayout) -> TableLayout | None:
    """Return the layout as measured, None where no city is found; print how long it took."""
    begun = time.process_time()
    try:
        found = measured(
            [Photograph(frame=one, what=side) for side, one in sides.items()], usual, any_size=True
        )
    except ProfileError as error:
        print(f"{name:>12}  {error}")
        return None
    took = time.process_time() - begun
    print(
        f"{name:>12}  edge {found.tile_edge_mm:6.2f}  pitch {found.pitch_mm:6.2f} mm, {took:4.1f} s", end=""
    )
    return found


def main() -> int:
    """Measure tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--first", type=int, default=81000, help="number of the first drawn table")
    parser.add_argument("--tables", type=int, default=24)
    wanted = parser.parse_args()
    for name in wanted.sets:
        pictures = {
            side: cv2.imread(str(samples() / name / "enrol" / f"{side}.jpg")) for side in ("sketch", "built")
        }
        sides = {side: np.asarray(one, np.uint8) for side, one in pictures.items()}
        if (found := sizes(name, sides, table_layout())) is not None:
            print(f"   edge {found.tile_edge_mm - SET_EDGE_MM:+.2f} mm off")
    off: list[tuple[float, float]] = []
    for number in range(wanted.first, wanted.first + wanted.tables):
        table = RandomTable.of(number)
        laid = table.camera(seed=1).enrolment()
        usual = table_layout().with_codes_of(table.layout.fiducials[0].edge_mm)
        found = sizes(str(number), {"sketch": laid.sketch, "built": laid.built}, usual)
        if found is not None:
            truth = table.layout
            off.append((found.tile_edge_mm - truth.tile_edge_mm, found.pitch_mm - truth.pitch_mm))
            print(f"   edge {off[-1][0]:+.2f} of {truth.tile_edge_mm:.2f}, pitch {off[-1][1]:+.2f} mm off")
    if off:
        edge, pitch = np.abs(np.array(off)).T
        print(f"{len(off)} drawn tables of {wanted.tables} found, off, median and most, mm: ", end="")
        print(f"edge {np.median(edge):.2f} {edge.max():.2f}, pitch {np.median(pitch):.2f} {pitch.max():.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
