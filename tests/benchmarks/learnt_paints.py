"""How well the paints of pieces are learnt from the photographs of tables drawn at random.

    python -m tests.benchmarks.learnt_paints [--first N] [--tables N]

Prints every paint that was learnt in another hue, or much darker or brighter than it was drawn, and those
that were not learnt; then how many there were. Hues are compared as shares of blue, green and red light.
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np

from calibration.profile import PieceRecord
from vision.photometry.palette import Shade, shades_of
from vision.training.drawn_frames import learnt
from vision.training.tables import RandomTable

OTHER_HUE, DARK, BRIGHT = 0.15, 0.5, 1.7
# Light that is added before hues are compared: black has none.
HUELESS = 0.01


def paint_of(piece: PieceRecord) -> Shade:
    """Return the paint whose shades were kept of a piece."""
    return next(shade for shade in piece.palette if shades_of(shade) == piece.palette)


def faults_of(paint: Shade, drawn: Shade) -> list[str]:
    """Return in which ways a paint is not as it was drawn."""
    lights = [(np.array(one) / 255) ** 2.2 + HUELESS for one in (paint, drawn)]
    off = float(np.linalg.norm(lights[0] / lights[0].sum() - lights[1] / lights[1].sum()))
    brighter = float(lights[0].sum() / lights[1].sum())
    found = {"other hue": off > OTHER_HUE, "dark": brighter < DARK, "bright": brighter > BRIGHT}
    return [name for name, is_so in found.items() if is_so]


def judge(number: int) -> Counter[str]:
    """Return how many paints of a table were learnt how; nothing where its photographs were refused."""
    table, counts = RandomTable.of(number), Counter[str]()
    profile = learnt(table)
    if profile is None:
        return counts
    known = {(one.kind, one.name): paint_of(one) for one in profile.pieces}
    drawn = {
        **{(kind, name): colour for name, colour in table.players.items() for kind in ("marker", "figure")},
        **{("dragon", name): colour for name, colour in table.dragons.items()},
    }
    for piece, colour in drawn.items():
        paint = known.get(piece)
        faults = ["not learnt"] if paint is None else faults_of(paint, colour)
        counts.update(["paints", *faults])
        if faults:
            print(
                f"{number} {' '.join(piece)}: drawn {colour}, learnt {paint}: {', '.join(faults)}", flush=True
            )
    return counts


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", type=int, default=97000, help="number of the first table")
    parser.add_argument("--tables", type=int, default=12)
    wanted = parser.parse_args()
    counts = Counter[str]()
    for number in range(wanted.first, wanted.first + wanted.tables):
        counts += judge(number)
    print(", ".join(f"{many} {name}" for name, many in counts.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
