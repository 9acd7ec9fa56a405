"""See why: what the reader saw in its last frame, step by step, as pictures and numbers in a folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.observation import Observation
from vision.arrays import Image
from vision.diagnostics.outlines import outlines
from vision.pieces.findings import Findings
from vision.reader import Reader

MOST_CANDIDATES = 4
_SURE, _UNSURE = (80, 200, 60), (40, 170, 240)


def write_diagnosis(folder: Path, frame: Image, reader: Reader, observation: Observation) -> None:
    """Write the frame with outlines, the city from above, the cells, what is strange on them, and all scores.

    Raises OSError where the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    findings = reader.findings
    _write(folder / "overlay.png", draw_outlines(frame, reader, observation))
    if findings.plane is not None:
        _write(folder / "city.png", findings.plane.picture)
        _write(folder / "blind.png", _mask(findings.plane.blind))
    for cell, (face, residuals) in findings.residuals.items():
        name = f"cell_{cell.replace(',', '_')}"
        seen = np.clip(residuals.colours * 255, 0, 255).astype(np.uint8)
        known = np.clip(residuals.known * 255, 0, 255).astype(np.uint8)
        strange = cv2.cvtColor(_mask(residuals.strange), cv2.COLOR_GRAY2BGR)
        _write(folder / f"{name}_{_file_part(reader, face)}.png", np.hstack([seen, known, strange]))
    scores = json.dumps(_scores(reader, findings, observation), indent=1, ensure_ascii=False)
    (folder / "scores.json").write_text(scores + "\n", "utf-8")


def draw_outlines(frame: Image, reader: Reader, observation: Observation) -> Image:
    """Return a copy of the frame (height, width, 3) with what was recognised drawn over it."""
    drawn = frame.copy()
    for one in outlines(reader, observation):
        colour = _SURE if one.sighting.confidence >= 0.99 else _UNSURE
        corners = np.round(np.array(one.corners_px)).astype(np.int32)
        cv2.polylines(
            drawn, [corners[:, None]], isClosed=True, color=colour, thickness=1, lineType=cv2.LINE_AA
        )
        at = (int(corners[:, 0].min()), int(corners[:, 1].min()) - 2)
        text = f"{one.sighting.value} {one.sighting.confidence:.2f}"
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.3, colour, 1, cv2.LINE_AA)
    return drawn


def _file_part(reader: Reader, face: int) -> str:
    return reader.library.tiles.faces[face].name.replace("/", "_")


def _mask(mask: Any) -> Image:
    return np.asarray(np.where(mask, 255, 0), np.uint8)


def _write(file: Path, picture: Image) -> None:
    good, packed = cv2.imencode(".png", picture)
    if not good:
        raise OSError(f"{file} cannot be encoded")
    file.write_bytes(packed.tobytes())


def _scores(reader: Reader, findings: Findings, observation: Observation) -> dict[str, Any]:
    faces = reader.library.tiles.faces
    camera = findings.camera
    return {
        "busy": observation.busy,
        "hidden": sorted(observation.hidden),
        "fiducials": None if camera is None else sorted(camera.fiducials),
        "error_px": None if camera is None else round(float(camera.error_px), 3),
        "cells": {
            cell: [
                {"face": faces[m.face].name, "score": round(float(m.score), 4)}
                for m in found[:MOST_CANDIDATES]
            ]
            for cell, found in findings.matches.items()
        },
        "boxes": {where: _plain(asdict(look)) for where, look in findings.boxes.items()},
        "standing": {
            name: {"cell": one.cell, "share": round(float(one.share), 4), "rival": round(float(one.rival), 4)}
            for name, one in findings.standing.items()
        },
        "claims": {
            where: {"value": one.value, "confidence": round(one.confidence, 4)}
            for where, one in observation.sightings.items()
        },
    }


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {key: round(float(value), 4) for key, value in values.items() if isinstance(value, int | float)}
