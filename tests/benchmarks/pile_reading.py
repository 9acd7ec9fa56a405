"""How the top of the discard pile is read: ``pile_reading.py [drawn tables] [SET...]``.

Drawn: cards learnt by lamplight are read in every room, turned anyhow, up to 10 mm off, every fourth under a
hand. Photograph-like: each card is learnt from the first frame of game-1 that shows it bare, and read in all
other frames of all sets. Either way also with the card on top left out of what was learnt. Prints right,
abstained, wrong, wrong though sure (0.99 or more). The sample sets are looked for in MOONTABLE_SAMPLES or in
../shared/tablecam beside the repository; without them only drawn tables are read.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from calibration.profile import Profile
from companion.games.blue_moon_city.catalogue import CARDS
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Place
from vision.arrays import Image
from vision.enrolment.cards import learn_cards
from vision.faces.cutting import camera_pose_of, cut_face, trim, white_light
from vision.faces.registration import Face, Pose2D
from vision.faces.scene import PX_PER_MM, plane_of
from vision.geometry.rectify import Flat
from vision.pieces.face_library import FaceLibrary, face_shape
from vision.pieces.pile import PileReader, pile_area
from vision.simulation.camera import SimulatedCamera
from vision.simulation.scenery import SCENERIES, HandPose

LAYOUT = table_layout()
SURE = 0.99
HOME = "game-1"
ROOT = Path(__file__).resolve().parents[2]


def read(reader: PileReader, frame: Image) -> tuple[str | None, float]:
    """Return the card that is claimed, and how surely."""
    view = camera_pose_of(frame, LAYOUT, "the frame")
    plane = plane_of(frame, view, reader.flat)
    top = reader.read(plane, frame, view, LAYOUT).top
    return (None, 0.0) if top is None else (top.face, top.confidence)


def judge(found: tuple[str | None, float], true: str | None) -> str:
    """Return what a claim is worth."""
    if found[0] is None:
        return "abstained" if true else "right: none"
    if found[0] == true:
        return "right, sure" if found[1] >= SURE else "right"
    return "WRONG THOUGH SURE" if found[1] >= SURE else "wrong"


def run_drawn(count: int) -> None:
    """Read drawn tables."""
    rng = np.random.default_rng(3)
    camera = SimulatedCamera(LAYOUT, [], {}, seed=2)
    bare = Profile(edition="bench", players=("a", "b"), layout=LAYOUT, faces=())
    profile = learn_cards(bare, camera.frame({}), camera.card_photographs(CARDS), CARDS)
    whole = FaceLibrary(profile).pile
    assert whole is not None
    zone = LAYOUT.areas["discard"].around
    tally: Counter[str] = Counter()
    for number in range(count):
        viewpoint, scenery = list(SCENERIES.values())[number % len(SCENERIES)]
        room = SimulatedCamera(
            LAYOUT, [], {}, seed=100 + number, viewpoint=viewpoint,
            scenery=replace(scenery, turn_deg=70.0, slide_mm=10.0),
        )  # fmt: skip
        card = str(rng.choice(CARDS))
        tip = zone.x_mm + rng.uniform(-25, 25), zone.y_mm + rng.uniform(-35, 35)
        hand = HandPose(tip_mm=tip, elbow_mm=(tip[0] + 220, tip[1] - 300)) if number % 4 == 3 else None
        frame = room.frame({Place("discard"): card}, hand_pose=hand, t=1.0)
        tally["hand: " * (hand is not None) + judge(read(whole, frame), card)] += 1
        if number % 5 == 0:
            cards = tuple(one for one in profile.cards if one.name != card)
            rest = FaceLibrary(replace(profile, cards=cards)).pile
            assert rest is not None
            tally["not learnt: " + judge(read(rest, frame), None)] += 1
    print(f"{count} drawn tables:", ", ".join(f"{what} {n}" for what, n in sorted(tally.items())))


def lines(samples: Path, name: str) -> Iterator[tuple[dict[str, Any], Image]]:
    """Yield the truth and the picture of every frame of a set."""
    for line in (samples / name / "truth.jsonl").read_text().splitlines():
        found = json.loads(line)
        picture = cv2.imread(str(samples / name / "frames" / Path(found["frame"]).name))
        yield found, np.asarray(picture, np.uint8)


def cut(frame: Image, shown: dict[str, Any]) -> Face:
    """Return the face of the card on top, cut out where it truly lies."""
    view = camera_pose_of(frame, LAYOUT, "the frame")
    corners = view.to_table(np.array(shown["corners_px"], float), shown["z"])
    (x, y), reach = corners.mean(axis=0), 70.0
    flat = Flat.around(x - reach, x + reach, y - reach, y + reach, PX_PER_MM, shown["z"])
    at = flat.to_px(corners)
    turn = float(np.arctan2(*(at[1] - at[0])[::-1]))
    pose = Pose2D(x_px=float(at[:, 0].mean()), y_px=float(at[:, 1].mean()), turn=turn)
    width, height = (float(np.linalg.norm(corners[i] - corners[i + 1])) for i in (0, 1))
    plane = plane_of(frame, view, flat)
    sizes = LAYOUT.pieces
    shape = face_shape(sizes.card_width_mm, sizes.card_height_mm)
    face = cut_face(plane, white_light(frame, LAYOUT, view)(flat), pose, shape, shown["card"])
    trim(face, width, height)
    return face


def run_samples(samples: Path, names: list[str]) -> None:
    """Read the sample sets."""
    faces: dict[str, Face] = {}
    taken = set()
    for truth, frame in lines(samples, HOME):
        shown = truth["discard"]
        if shown and not shown["hand_occlusion"] and shown["card"] not in faces:
            faces[shown["card"]] = cut(frame, shown)
            taken.add(truth["frame"])
    area, where = pile_area(LAYOUT), Place("discard")
    whole = PileReader(where, area, list(faces.values()))
    for name in names:
        tally: Counter[str] = Counter()
        for number, (truth, frame) in enumerate(lines(samples, name)):
            shown = truth["discard"]
            if name == HOME and truth["frame"] in taken:
                continue
            card = shown["card"] if shown else None
            covered = "hand: " * bool(shown and shown["hand_occlusion"])
            tally[covered + judge(read(whole, frame), card)] += 1
            if card and number % 3 == 0:
                rest = PileReader(where, area, [face for other, face in faces.items() if other != card])
                tally["not learnt: " + judge(read(rest, frame), None)] += 1
        print(f"{name}:", ", ".join(f"{what} {n}" for what, n in sorted(tally.items())))


def main(words: list[str]) -> None:
    """Read drawn tables and the sample sets."""
    cv2.setNumThreads(1)
    run_drawn(int(words[0]) if words else 96)
    samples = Path(os.environ.get("MOONTABLE_SAMPLES", ROOT.parent / "shared" / "tablecam"))
    if samples.is_dir():
        run_samples(samples, words[1:] or sorted(one.parent.name for one in samples.glob("*/truth.jsonl")))


if __name__ == "__main__":
    main(sys.argv[1:])
