"""How well dealt tiles and cards are learnt: ``python -m tests.benchmarks.dealt_copies [--game NAME]``.

A drawn copy in art of its own is dealt by hands that sometimes pass without a card, lay one face down first,
or push a heap. Printed for each film: its length, how many cards were taken, twice, not, or under another
name, and how far off their corners were cut.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

import numpy as np

from companion.games import registry
from vision.enrolment.dealt_copy import new_deal
from vision.enrolment.dealt_table import DealtTable
from vision.simulation.dealt_film import FRAMES_PER_S, Dealing, dealt
from vision.simulation.free_frames import DrawnCopy
from vision.simulation.scenery import SCENERIES

GAMES = [name for name in registry.NAMES if registry.has_pieces(name)]
SIZE_WH = (1920, 1080)
# Tiles are laid quickly: all within a minute.
_QUICK = Dealing(coming=2, going=2, still=6, passing=0.02, face_down=0.02, pushing=0.02)
_CAREFUL = Dealing(coming=5, going=4, still=10, passing=0.05, face_down=0.05, pushing=0.05)


def film(game: str, seed: int, most: int, place: str) -> None:
    """Deal one copy and print what was taken."""
    rules, pieces = registry.lookup(game), registry.pieces(game)
    header = rules.deal(random.Random(seed), {})
    layout = rules.table_layout(header["players"])
    if layout is None:
        raise SystemExit(f"{game} has no layout")
    scenery = SCENERIES[place][1]
    copy = DrawnCopy.of(layout, pieces, seed=seed, size_wh=SIZE_WH, scenery=scenery)
    deal = new_deal(pieces, header, layout)
    table = DealtTable(layout, pieces, deal)
    names = list(deal.order.names)[: most or None]
    dealing = _QUICK if layout.tile_edge_mm > 0 else _CAREFUL
    taken: list[tuple[int, str, float]] = []
    busy, frames, slowest = 0.0, 0, 0.0
    for frame in dealt(
        copy.camera, copy.arranger, names, seed=seed, dealing=dealing, back=next(iter(pieces.backs(header)))
    ):
        began = time.process_time()
        step = table.feed(frame.image)
        spent = time.process_time() - began
        busy, slowest, frames = busy + spent, max(slowest, spent), frames + 1
        if step.taken is not None and frame.piece is not None and table.view is not None:
            camera, top = table.view.camera, frame.piece.top_mm
            seen, true = (
                camera.to_table(one, top)
                for one in (step.taken.face.corners_px, copy.camera.corners_px(frame.piece))
            )
            off = float(np.hypot(*(seen - true).T).mean())
            taken.append((frame.laid, frame.top, off))
    _print(f"{game}, seed {seed}, {place}", names, taken, [one.name for one in deal.names()], frames)
    print(f"  {busy / frames:.3f} s CPU a frame, {slowest:.2f} s at most")


def _print(
    what: str, names: list[str], taken: list[tuple[int, str, float]], called: list[str | None], frames: int
) -> None:
    once = Counter(number for number, _, _ in taken)
    off = np.array([one for _, _, one in taken] or [0.0])
    wrong = [(top, name) for (_, top, _), name in zip(taken, called, strict=True) if top != name]
    print(
        f"{what}: {len(names)} dealt in {frames / FRAMES_PER_S:.0f} s; taken {len(once)}, twice "
        f"{sum(once.values()) - len(once)}, missed {len(names) - len(once)}, misnamed {len(wrong)}; corners "
        f"off {np.median(off):.1f} mm at the median, {np.percentile(off, 95):.1f} at 95 %, "
        f"{off.max():.1f} at most"
    )
    if wrong:
        print(f"  {wrong[:6]}")
    missed = [name for number, name in enumerate(names, 1) if number not in once]
    if missed:
        print(f"  missed {missed[:8]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--seed", type=int, default=7001)
    parser.add_argument("--most", type=int, default=0, help="deal only so many")
    parser.add_argument("--place", choices=SCENERIES, default="evening")
    given = parser.parse_args()
    for each in given.game or GAMES:
        film(each, given.seed, given.most, given.place)
