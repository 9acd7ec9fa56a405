"""How well copies of games whose pieces lie anywhere are learnt: ``python -m tests.benchmarks.enrol_copies``.

Each set's photographs are learnt as a player would have them learnt. Printed set by set: how many
faces were found where they lie, named wrongly or missed, how far their corners are off in px of the
photograph, and which paints were learnt. Sets are arguments; by default all six.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.games import registry
from vision.enrolment.copy_photographs import read_copy_photographs
from vision.enrolment.free_copy import learn_copy
from vision.enrolment.laid_shot import LearntFace

SETS: Final = Path(__file__).resolve().parents[3] / "shared" / "tablecam"
NAMES: Final = (
    "nova_luna-1",
    "nova_luna-2",
    "urbion-1",
    "urbion-2",
    "blue_moon_legends-1",
    "blue_moon_legends-2",
)
# A face further off is not the one that lies there, in shares of its height.
_ELSEWHERE: Final = 0.3


def learn(name: str) -> None:
    """Learn one set and print how well."""
    folder, game = SETS / name, name.rpartition("-")[0]
    players = json.loads((folder / "setup.json").read_text(encoding="utf-8"))["players"]
    layout = registry.lookup(game).table_layout(players)
    if layout is None:
        raise SystemExit(f"{game} has no layout")
    pieces = registry.pieces(game)
    photographs, refused = read_copy_photographs(folder / "enrol", pieces)
    began = time.process_time()
    learnt = learn_copy(game, pieces, layout, players, photographs)
    seconds = time.process_time() - began
    right, wrong, off = 0, [], []
    worst = (0.0, "")
    truth = truth_of(folder)
    for face, one in learnt.faces.items():
        real = truth[face, one.picture]
        errors = np.hypot(*(one.corners_px - real).T)
        if errors.mean() > _ELSEWHERE * np.hypot(*(real[3] - real[0])):
            wrong.append(face)
        else:
            right += 1
            # A round board has no corners: how it was turned is not to be seen.
            off.append(errors if not is_round(one) else np.abs((one.corners_px - real).mean(axis=0)))
            worst = max(worst, (float(off[-1].max()), face))
    errors = np.concatenate(off) if off else np.zeros(1)
    print(
        f"{name}: {right} of {len(truth)} right, {len(wrong)} wrong {wrong}, corners off by "
        f"{errors.mean():.2f} px on average, {np.percentile(errors, 95):.2f} at 95 %, {errors.max():.2f} at "
        f"most ({worst[1]}); {seconds:.0f} s CPU; paints: "
        f"{[(one.kind, one.name) for one in learnt.profile.pieces]}"
    )
    for why in (*refused, *(one.why for one in learnt.profile.not_learnt)):
        print(f"  {why}")


def is_round(face: LearntFace) -> bool:
    """Whether a face is known only within a circle."""
    return bool(not face.valid[0, 0] and not face.valid[-1, -1] and face.valid.mean() < 0.8)


def truth_of(folder: Path) -> dict[tuple[str, str], np.ndarray[Any, np.dtype[np.float64]]]:
    """Return the corners (4, 2) px of every face by its name and photograph."""
    found = {}
    for line in (folder / "enrol" / "enrol.jsonl").read_text(encoding="utf-8").splitlines():
        shot: dict[str, Any] = json.loads(line)
        for piece in shot["pieces"]:
            if "corners_px" in piece:
                found[str(piece["id"]), shot["frame"]] = np.array(piece["corners_px"], np.float64)
    return found


if __name__ == "__main__":
    for each in sys.argv[1:] or NAMES:
        learn(each)
