"""How well tiles and cards that lie free are read, set by set.

    python -m tests.benchmarks.free_faces SET... [--every N] [--missing]

Faces are cut out of a set's enrolment photographs by its exact truth, and looked for in its frames with the
camera that is known exactly. `--missing` lists what was missed and what was wrong. A piece counts as
found under its own name within 6 mm at every corner; piles' lower cards count by what is seen of them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.camera_pose import CameraPose, Lens
from companion.free_faces import FreeFace, Side
from companion.table_layout import Area, Arrangement, Content
from vision.arrays import Floats, Image
from vision.capture.sources import open_picture_file
from vision.free.known_faces import KnownFace
from vision.free.reader import FreeAreaReader

PX_PER_MM = 3.0
SURE = 0.95
OFF_MM = 6.0
MARGIN_MM = 60.0
# Shares of a piece that are seen, from which it belongs to a class.
CLASSES = {"half seen": 0.5, "a strip of 30 %": 0.27, "less": 0.1}


@dataclass
class Tally:
    """What was found in the frames of one set.

    Attributes:
        found: whether each piece was, by class.
        wrong: confidences of what is not there.
        seconds: for each frame, of one thread.
    """

    found: dict[str, list[bool]] = field(default_factory=dict)
    wrong: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the figures as text."""
        for name, found in self.found.items():
            yield f"  {name}: {np.mean(found):.1%} of {len(found)}"
        sure = sum(one > SURE for one in self.wrong)
        share = len(self.wrong) / max(sum(map(len, self.found.values())) + len(self.wrong), 1)
        yield f"  wrong {len(self.wrong)} ({share:.2%}), wrong and sure {sure}"
        first, again = np.median(self.seconds), np.median(self.again)
        yield f"  {first:.3f} s CPU a table, {again:.3f} s the same frame again"


def camera_of(line: Mapping[str, Any]) -> CameraPose:
    """Return the camera of a truth line."""
    one = line["camera"]
    matrix, distortion = np.array(one["K"]), one["dist"]
    lens = Lens(
        size_wh=(one["size"][0], one["size"][1]),
        focal_px=float(matrix[0, 0] + matrix[1, 1]) / 2,
        centre_px=(float(matrix[0, 2]), float(matrix[1, 2])),
        k1=distortion[0],
        k2=distortion[1],
    )
    turn = cv2.Rodrigues(np.array(one["R"], np.float64))[0].ravel()
    return CameraPose(
        lens=lens,
        rotation=np.asarray(turn, np.float64),
        shift=np.array(one["t"], np.float64),
        error_px=0.0,
    )


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a truth file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def known_faces(folder: Path) -> list[KnownFace]:
    """Return the faces and backs that the enrolment photographs of a set show."""
    faces: dict[str, KnownFace] = {}
    for line in lines_of(folder / "enrol" / "enrol.jsonl"):
        photograph = open_picture_file(folder / "enrol" / line["frame"])
        for piece in line["pieces"]:
            name = name_of(piece)
            if not is_flat(piece) or name in faces or piece["visible"] < 0.97:
                continue
            width, height = piece["size_mm"]
            faces[name] = KnownFace(
                name=name,
                side=Side.FACE if piece["up"] else Side.BACK,
                picture=cut(photograph, piece["corners_px"], (width, height)),
                width_mm=width,
                height_mm=height,
            )
    return list(faces.values())


def name_of(piece: Mapping[str, Any]) -> str:
    """Return the name of what a piece shows; decks with the same size may have different backs."""
    if piece["up"]:
        return str(piece["id"])
    return "back:" + ("cities" if "cities" in str(piece["place"]) or "subdued" in str(piece["place"]) else "")


def is_flat(piece: Mapping[str, Any]) -> bool:
    """Whether a piece is a tile or a card."""
    return bool(piece["shape"] == "flat" and piece["id"] != "board")


def cut(photograph: Image, corners_px: Sequence[Sequence[float]], size_mm: tuple[float, float]) -> Image:
    """Return a face straightened out of a photograph."""
    width, height = (round(one * PX_PER_MM) for one in size_mm)
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    view = cv2.getPerspectiveTransform(np.array(corners_px, np.float32), whole)
    return np.asarray(cv2.warpPerspective(photograph, view, (width, height), flags=cv2.INTER_CUBIC), np.uint8)


def note_seen(line: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tiles and cards of a truth line, each with the share that others leave of it, ``seen``."""
    flat = sorted((one for one in line["pieces"] if is_flat(one)), key=lambda one: float(one["top"]))
    width, height = line["camera"]["size"]
    owner = np.full((height, width), -1, np.int32)
    quads = [np.round(np.array(one["corners_px"])).astype(np.int32) for one in flat]
    for number, quad in enumerate(quads):
        cv2.fillConvexPoly(owner, quad, number)
    for number, (one, quad) in enumerate(zip(flat, quads, strict=True)):
        mask = np.zeros(owner.shape, np.uint8)
        cv2.fillConvexPoly(mask, quad, 1)
        left = float((owner[mask > 0] == number).mean()) if mask.any() else 0.0
        one["seen"] = min(one["visible"], left)
    return flat


def corners_of(face: FreeFace) -> Floats:
    """Return the corners of a face, mm, from its top left clockwise, (4, 2)."""
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (face.width_mm / 2, face.height_mm / 2)
    turn = np.radians(face.turn_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(half @ rotation.T + (face.x_mm, face.y_mm), np.float64)


def judge(line: dict[str, Any], faces: Sequence[FreeFace], camera: CameraPose, tally: Tally) -> None:
    """Count what was found of one frame."""
    left = list(faces)
    pieces = sorted(note_seen(line), key=lambda one: -float(one["seen"]))
    for piece in pieces:
        corners = camera.to_table(np.array(piece["corners_px"]), 0.4)
        match = next((one for one in left if is_it(one, piece, corners)), None)
        if match is not None:
            left.remove(match)
        name = next((name for name, least in CLASSES.items() if piece["seen"] >= least), None)
        if name is None or piece["outside"] > 0.02:
            continue
        tally.found.setdefault(name, []).append(match is not None)
        if match is None:
            tally.notes.append(f"{line['frame']} missed {piece['key']} {piece['place']} {piece['seen']:.2f}")
    for one in left:
        if one.name is not None:
            tally.wrong.append(one.confidence)
            place = f"{one.x_mm:.0f},{one.y_mm:.0f} shown {one.visible_share:.2f}"
            tally.notes.append(f"{line['frame']} WRONG {one.name} {one.confidence:.3f} at {place}")


def is_it(face: FreeFace, piece: Mapping[str, Any], corners: Floats) -> bool:
    """Whether a face that was read is this piece, whose corners appear there on the table."""
    if face.name is None or name_of(piece) not in (face.name, *face.alike):
        return False
    own = corners_of(face)
    turns = range(4) if face.side is Side.BACK else range(1)
    return min(float(np.abs(np.roll(own, turn, axis=0) - corners).max()) for turn in turns) < OFF_MM


def read_set(folder: Path, every: int) -> Tally:
    """Return what was found in a set."""
    tally = Tally()
    truth = lines_of(folder / "truth.jsonl")
    points = np.array(
        [(p["pose"]["x"], p["pose"]["y"]) for line in truth for p in line["pieces"] if is_flat(p)]
    )
    low, high = points.min(axis=0) - MARGIN_MM, points.max(axis=0) + MARGIN_MM
    outline = ((low[0], high[1]), (high[0], high[1]), (high[0], low[1]), (low[0], low[1]))
    area = Area(outline_mm=outline, content=Content.CARDS, arrangement=Arrangement.FREE)
    reader: FreeAreaReader | None = None
    last: CameraPose | None = None
    faces = known_faces(folder)
    for line in truth[::every]:
        camera = camera_of(line)
        if reader is None or last is None or not np.allclose(last.shift, camera.shift):
            reader = FreeAreaReader({"table": area}, faces, camera)
            last = camera
        frame = open_picture_file(folder / "frames" / line["frame"])
        reader.forget()
        started = time.thread_time()
        reading = reader.read(frame)
        tally.seconds.append(time.thread_time() - started)
        started = time.thread_time()
        reader.read(frame)
        tally.again.append(time.thread_time() - started)
        judge(line, reading.faces, camera, tally)
    return tally


def main() -> None:
    """Read the sets that are named and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--missing", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in options.sets:
        tally = read_set(folder, options.every)
        print(folder.name)
        for line in [*tally.lines(), *(tally.notes if options.missing else ())]:
            print(line, flush=True)


if __name__ == "__main__":
    main()
