"""How well the trained recognisers of boxes know the sample sets, which training never saw.

    python tests/benchmarks/recognisers.py [SET...] [--models DIR] [--cache DIR] [--sheet DIR]

Every set is enrolled from its own photographs and its frames are read; the boxes of the tiles recognised in
them, and of the board, are what is judged. Prints set by set how many claims there are at each confidence,
which of them are wrong, and the calibration error. With --cache what was cut is kept, so that other models
are judged in seconds; with --sheet the boxes told worst are drawn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from companion.errors import ProfileError  # noqa: E402
from companion.table import Place, kind_of, parts_of  # noqa: E402
from tests.benchmarks.read_accuracy import frames, learn, picture_of, samples  # noqa: E402
from vision.models.network import FOLDER, softmax  # noqa: E402
from vision.pieces.box_measures import measures, owner_measures  # noqa: E402
from vision.pieces.box_patches import SIZE_PX, colour_patches, fill_patches  # noqa: E402
from vision.pieces.marker_recogniser import MarkerModels  # noqa: E402
from vision.reader import Reader  # noqa: E402
from vision.training.box_samples import boxes_of  # noqa: E402
from vision.training.calibration import calibration_error  # noqa: E402

SETS = ("s1", "s2", "s3", "s4", "game-1", "fam_a-1", "fam_a-2", "fam_b-1", "fam_b-2", "fam_c-1", "fam_c-2")
SURE = (0.0, 0.9, 0.97, 0.99)
# Of a box less can be seen than anyone could tell; more than enough.
HIDDEN, SEEN = 0.3, 0.5
NOBODY, UNCLAIMED = -1, -2
MOST_DRAWN = 64
# What is kept of every box.
KEPT = ("fills", "colours", "measures", "known", "owner", "share", "claim", "sure", "place", "hands")


def visible(truth: Mapping[str, Any], where: Place) -> float:
    """Return how much of a box, or of the marker on it, can be seen."""
    parts = parts_of(where)
    if kind_of(where) == "box":
        one = truth["boxes"][parts[0]][int(parts[1])]
    else:
        one = truth["obelisk"]["boxes"][int(parts[0])]
    seen = one.get("cube") or one
    return float(seen.get("visible", 1.0)) * (1 - float(seen.get("hand_occlusion", 0.0)))


def collect(name: str) -> dict[str, np.ndarray[Any, Any]]:
    """Return the boxes of a set: patches, the owner's number or `NOBODY`, share seen, today's claim."""
    folder = samples() / name
    profile = learn(folder)
    markers = [one for one in profile.pieces if one.kind == "marker"]
    names = [one.name for one in markers]
    reader = Reader(profile)
    rows: dict[str, list[Any]] = {key: [] for key in KEPT}
    for truth, frame in frames(folder, 1):
        reader.forget()
        seen = reader.read(frame, seq=0, seen_at_s=0.0, source="bench")
        if reader.reading is None:
            continue
        wanted = picture_of(truth["state"])
        for where, box in boxes_of(reader.reading, wanted):
            claim = seen.sightings.get(where)
            owner = wanted[where]
            rows["fills"].append(fill_patches(box.face, [box.place], markers)[0])
            rows["colours"].append(colour_patches(box.face, box.place, markers))
            rows["measures"].append(measures(box))
            rows["known"].append([owner_measures(box.look, at) for at in range(len(markers))])
            rows["owner"].append(NOBODY if owner is None else names.index(owner))
            rows["share"].append(visible(truth, where))
            value = None if claim is None else claim.value
            rows["claim"].append(
                UNCLAIMED if claim is None else NOBODY if value is None else names.index(value)
            )
            rows["sure"].append(0.0 if claim is None else claim.confidence)
            rows["place"].append(f"{truth['frame']} {where}")
            rows["hands"].append(bool(truth["hands"]))
    return {key: np.array(values) for key, values in rows.items()}


def kept(name: str, cache: Path | None) -> dict[str, np.ndarray[Any, Any]]:
    """Return the boxes of a set, from the cache where they are in it."""
    file = None if cache is None else cache / f"{name}.npz"
    if file is not None and file.exists():
        with np.load(file) as found:
            return dict(found)
    boxes = collect(name)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(file, **boxes)
    return boxes


def told(boxes: Mapping[str, np.ndarray[Any, Any]], models: MarkerModels) -> np.ndarray[Any, Any]:
    """Return the chances of every box, (N, owners + 2): each owner's, bare, cannot tell."""
    count, owners = boxes["colours"].shape[:2]
    holds = models.fills(boxes["fills"], np.asarray(boxes["measures"], np.float32))
    patches = boxes["colours"].reshape(-1, *boxes["colours"].shape[2:])
    known = np.asarray(boxes["known"], np.float32).reshape(count * owners, -1)
    odds = models.odds(patches, known).reshape(count, owners)
    return np.column_stack([holds[:, 1:2] * softmax(odds), holds[:, 0], holds[:, 2]])


def judge(name: str, boxes: Mapping[str, np.ndarray[Any, Any]], chances: np.ndarray[Any, Any]) -> None:
    """Print what became of the boxes of a set, tiles and board apart."""
    count = chances.shape[1] - 2
    truth = np.where(boxes["owner"] == NOBODY, count, boxes["owner"])
    best = chances.argmax(axis=1)
    claimed, sure = best <= count, chances.max(axis=1)
    on_board = np.char.find(boxes["place"], "obelisk") >= 0
    for label, part in (("boxes", ~on_board), ("obelisk", on_board)):
        seen = part & (boxes["share"] >= SEEN) & ~boxes["hands"]
        hidden = part & (boxes["share"] < HIDDEN)
        if not seen.any():
            continue
        old = boxes["claim"][seen]
        old_right = (old == boxes["owner"][seen]).mean()
        old_wrong = ((old != boxes["owner"][seen]) & (old != UNCLAIMED)).sum()
        text = f"{name:9} {label:8} n {seen.sum():5} today {100 * old_right:6.2f} % wrong {old_wrong:3} |"
        for limit in SURE:
            is_claimed = seen & claimed & (sure >= limit)
            right = is_claimed & (best == truth)
            wrong = (is_claimed & (best != truth)).sum()
            text += f" >={limit}: {100 * right.sum() / seen.sum():6.2f} % wrong {wrong:3}"
        mine = seen & claimed
        error = calibration_error(sure[mine].astype(float), (best == truth)[mine].astype(float))
        held = (hidden & claimed & (sure >= SURE[2])).sum()
        print(f"{text} | ECE {error:.4f} | hidden {hidden.sum()} claimed {held}", flush=True)


def worst_told(boxes: Mapping[str, np.ndarray[Any, Any]], chances: np.ndarray[Any, Any]) -> dict[int, str]:
    """Return the boxes whose truth is told to be least likely, with what is claimed."""
    count = chances.shape[1] - 2
    truth = np.where(boxes["owner"] == NOBODY, count, boxes["owner"])
    own = np.where(boxes["share"] >= SEEN, chances[np.arange(len(truth)), truth], 2)
    worst = [int(one) for one in np.argsort(own) if own[one] <= 1][:MOST_DRAWN]
    return {
        one: f"{truth[one]}:{own[one]:.2f} {chances[one].argmax()}:{chances[one].max():.2f}" for one in worst
    }


def missed_today(boxes: Mapping[str, np.ndarray[Any, Any]]) -> dict[int, str]:
    """Return the boxes that today's reading leaves open, or claims wrongly, though they can be seen."""
    is_missed = (boxes["claim"] != boxes["owner"]) & (boxes["share"] >= SEEN) & ~boxes["hands"]
    found = np.flatnonzero(is_missed)
    some = found[:: max(1, -(-len(found) // MOST_DRAWN))]
    return {
        int(one): "open" if boxes["claim"][one] == UNCLAIMED else f"claimed {boxes['claim'][one]}"
        for one in some
    }


def draw(boxes: Mapping[str, np.ndarray[Any, Any]], words: Mapping[int, str], file: Path) -> None:
    """Draw some boxes, as seen and as learnt, with words about each."""
    if not words:
        return
    tiles = []
    for one, word in words.items():
        patch = boxes["fills"][one]
        views = [patch[:3].transpose(1, 2, 0), patch[3:6].transpose(1, 2, 0)]
        picture = cv2.resize(np.hstack(views), (8 * SIZE_PX, 4 * SIZE_PX), interpolation=cv2.INTER_NEAREST)
        label = np.zeros((30, picture.shape[1], 3), np.uint8)
        for row, text in enumerate((word, str(boxes["place"][one]).replace("frame", ""))):
            cv2.putText(label, text, (2, 11 + 14 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.38, (255, 255, 255))
        tiles.append(np.vstack([picture, label]))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 8)
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [np.hstack(tiles[start : start + 8]) for start in range(0, len(tiles), 8)]
    cv2.imwrite(str(file), np.vstack(lines))


def main() -> int:
    """Run from the command line."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--models", type=Path, default=FOLDER, help="folder of the models")
    parser.add_argument("--cache", type=Path, help="folder that keeps what was cut")
    parser.add_argument("--sheet", type=Path, help="folder for pictures of what was told worst")
    parser.add_argument("--only-cut", action="store_true", help="cut and keep, judge nothing")
    options = parser.parse_args()
    models = None if options.only_cut else MarkerModels(options.models)
    for name in options.sets:
        try:
            boxes = kept(name, options.cache)
        except ProfileError as error:
            print(f"{name}: refused: {error}")
            continue
        if options.sheet is not None:
            draw(boxes, missed_today(boxes), options.sheet / f"{name}-today.png")
        if models is None:
            continue
        chances = told(boxes, models)
        judge(name, boxes, chances)
        if options.sheet is not None:
            draw(boxes, worst_told(boxes, chances), options.sheet / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
