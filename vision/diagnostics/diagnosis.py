"""Diagnosis: what the reader saw in its last frame, step by step, as pictures and numbers in a folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.observation import Observation
from vision.arrays import Image
from vision.capture.pictures import pack
from vision.reading.observed import Reading
from vision.reading.outlines import outlines

MOST_CANDIDATES = 4
_SURE, _UNSURE = (80, 200, 60), (40, 170, 240)


def write_diagnosis(folder: Path, frame: Image, reading: Reading | None, observation: Observation) -> None:
    """Write the frame with outlines, the city from above, the cells, what is unusual on them, and all scores.

    `reading` is None if the table was not found. Raises OSError if the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "overlay.png", draw_outlines(frame, reading, observation))
    if reading is not None:
        _write_faces(folder, reading)
    scores = json.dumps(_scores(reading, observation), indent=1, ensure_ascii=False)
    (folder / "scores.json").write_text(scores + "\n", "utf-8")


def _write_faces(folder: Path, reading: Reading) -> None:
    faces, names = reading.faces, reading.located.rig.library.names
    _write(folder / "city.png", faces.plane.picture)
    _write(folder / "blind.png", _mask(faces.plane.blind))
    for cell, (face, found) in faces.residuals.items():
        seen, known = (np.clip(one * 255, 0, 255).astype(np.uint8) for one in (found.colours, found.known))
        strange = cv2.cvtColor(_mask(found.strange), cv2.COLOR_GRAY2BGR)
        name = f"cell_{cell.replace(',', '_')}_{names[face].replace('/', '_')}"
        _write(folder / f"{name}.png", np.hstack([seen, known, strange]))


def draw_outlines(frame: Image, reading: Reading | None, observation: Observation) -> Image:
    """Return a copy of the frame (height, width, 3) with what was recognised drawn over it."""
    drawn = frame.copy()
    for one in outlines(reading, observation):
        colour = _SURE if one.sighting.confidence >= 0.99 else _UNSURE
        corners = np.round(np.array(one.corners_px)).astype(np.int32)
        cv2.polylines(
            drawn, [corners[:, None]], isClosed=True, color=colour, thickness=1, lineType=cv2.LINE_AA
        )
        at = (int(corners[:, 0].min()), int(corners[:, 1].min()) - 2)
        text = f"{one.sighting.value} {one.sighting.confidence:.2f}"
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.3, colour, 1, cv2.LINE_AA)
    return drawn


def _mask(mask: Any) -> Image:
    return np.asarray(np.where(mask, 255, 0), np.uint8)


def _write(file: Path, picture: Image) -> None:
    file.write_bytes(pack(picture))


def _scores(reading: Reading | None, observation: Observation) -> dict[str, Any]:
    claims = {
        where: {"value": one.value, "confidence": round(one.confidence, 4)}
        for where, one in observation.sightings.items()
    }
    told = {"busy": observation.busy, "hidden": sorted(observation.hidden), "claims": claims}
    return told if reading is None else told | _stages(reading)


def _stages(reading: Reading) -> dict[str, Any]:
    camera, names = reading.camera, reading.located.rig.library.names
    return {
        "fiducials": sorted(camera.fiducials),
        "error_px": round(float(camera.error_px), 3),
        "cells": {
            cell: [
                {"face": names[m.face], "score": round(float(m.score), 4)} for m in found[:MOST_CANDIDATES]
            ]
            for cell, found in reading.faces.matches.items()
        },
        "boxes": {where: _plain(asdict(box)) for where, box in reading.faces.features.items()},
        "standing": {
            name: {"cell": one.cell, "share": round(float(one.share), 4), "rival": round(float(one.rival), 4)}
            for name, one in reading.pieces.standing.items()
        },
    }


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {key: round(float(value), 4) for key, value in values.items() if isinstance(value, int | float)}
