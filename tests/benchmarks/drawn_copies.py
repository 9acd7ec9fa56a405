"""How well drawn copies whose pieces lie anywhere are learnt: ``python -m tests.benchmarks.drawn_copies``.

    python -m tests.benchmarks.drawn_copies [--game NAME] [--first N] [--copies N] [--rooms]

Each copy, in random art, lies in rows on photographs, is learnt as a player would have it learnt, and is
judged by how it truly lay. With `--rooms` each is in a room of its own, drawn at random as for training:
table top, lamp, light, noise, up to 35 degrees from overhead. Printed for each: how many faces, backs and
boards of it were learnt, taken from elsewhere or not learnt, and how far the worst corner of each is off, mm.
"""

from __future__ import annotations

import argparse
import os
import random

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from companion.games import registry
from tests.helpers.drawn_game import FREE_GAMES
from tests.helpers.drawn_rooms import copy_in_room
from ui.assembly.free_demo import SIZE_WH
from ui.assembly.layouts import layout_of
from vision.enrolment.free_copy import learn_copy
from vision.simulation.free_frames import DrawnCopy
from vision.simulation.free_photographs import take_photographs

# A face further off than this share of its height was taken from elsewhere; one off by more mm is noted.
_ELSEWHERE, _FAR_MM = 0.3, 1.5


def learn(name: str, seed: int, *, in_room: bool) -> None:
    """Learn one copy and print how well."""
    header = registry.lookup(name).deal(random.Random(seed), {})
    copy, pieces = drawn(name, seed, header["players"], in_room=in_room), registry.pieces(name)
    taken = take_photographs(copy.camera, copy.arranger, list(pieces.in_play(header)), pieces.paints(header))
    learnt = learn_copy(name, pieces, copy.arranger.layout, header["players"], taken.photographs())
    camera = copy.camera.studio.pose
    elsewhere, off, missing = list[str](), dict[str, float](), list[str]()
    for shot in taken.pictures:
        for piece in shot.table.flat:
            face = learnt.faces.get(piece.face.name)
            if face is None:
                missing.append(piece.face.name)
                continue
            seen, true = (
                camera.to_table(np.asarray(corners, np.float64), piece.top_mm)
                for corners in (face.corners_px, copy.camera.corners_px(piece))
            )
            # How a round board is turned is not to be seen.
            apart = seen - true if not piece.is_round else (seen - true).mean(axis=0, keepdims=True)
            worst = float(np.hypot(*apart.T).max())
            if worst > _ELSEWHERE * piece.height_mm:
                elsewhere.append(piece.face.name)
            else:
                off[piece.face.name] = worst
    far = np.array(list(off.values()) or [0.0])
    print(
        f"{name}, copy {seed}: {len(off)} of {len(off) + len(elsewhere) + len(missing)} faces learnt, "
        f"{len(elsewhere)} taken from elsewhere, {len(missing)} not learnt; corners off by "
        f"{np.median(far):.2f} mm at the median, {far.max():.2f} at most, "
        f"{int((far > _FAR_MM).sum())} by more than {_FAR_MM} mm",
        flush=True,
    )


def drawn(name: str, seed: int, players: list[str], *, in_room: bool) -> DrawnCopy:
    """Return a copy on the usual table, or in a room of its own."""
    if in_room:
        return copy_in_room(name, seed, players)
    return DrawnCopy.of(layout_of(name, players), registry.pieces(name), seed=seed, size_wh=SIZE_WH)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=FREE_GAMES, action="append")
    parser.add_argument("--first", type=int, default=8301)
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--rooms", action="store_true", help="each in a room of its own")
    given = parser.parse_args()
    for each in given.game or FREE_GAMES:
        for number in range(given.first, given.first + given.copies):
            learn(each, number, in_room=given.rooms)
