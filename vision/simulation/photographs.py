"""The four photographs of an enrolment, and pictures in the shape of a table state's JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from companion.table import Picture, kind_of, parts_of
from vision.arrays import Image
from vision.enrolment.enrol import Photographs


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolment:
    """The four photographs of an enrolment and what they show.

    Attributes:
        empty, sketch, built, pieces: frames.
        layout: which tile lies on which cell in the sketch and built photographs.
        pieces_state: what the fourth photograph shows.
    """

    empty: Image
    sketch: Image
    built: Image
    pieces: Image
    layout: Mapping[str, str]
    pieces_state: Picture

    def photographs(self) -> Photographs:
        """Return the photographs as the input of an enrolment."""
        return Photographs(
            empty=self.empty,
            sketch=self.sketch,
            built=self.built,
            pieces=self.pieces,
            tiles=self.layout,
            shown=self.pieces_state,
        )

    def write(self, folder: Path) -> None:
        """Write four photographs and two JSON files, named as an enrolment expects them."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("empty", "sketch", "built", "pieces"):
            _, packed = cv2.imencode(".png", getattr(self, name))
            (folder / f"{name}.png").write_bytes(packed.tobytes())
        (folder / "layout.json").write_text(json.dumps(dict(self.layout), indent=1), encoding="utf-8")
        state = json.dumps(table_state(self.pieces_state), indent=1)
        (folder / "pieces.json").write_text(state, encoding="utf-8")


def table_state(picture: Picture) -> dict[str, Any]:
    """Return a picture in the shape of a table state's JSON."""
    state: dict[str, Any] = {"cells": {}, "boxes": {}, "pawns": {}, "dragons": {}}
    plural = {"figure": "pawns", "dragon": "dragons"}
    for where, value in picture.items():
        kind, parts = kind_of(where), parts_of(where)
        if kind == "cell" and value is not None:
            tile, _, side = value.partition("/")
            state["cells"][parts[0]] = {"tile": tile, "side": side}
        elif kind == "box":
            row = state["boxes"].setdefault(parts[0], [])
            row += ["?"] * (int(parts[1]) + 1 - len(row))
            row[int(parts[1])] = value
        elif kind in plural:
            state[plural[kind]][parts[0]] = value
        elif kind == "obelisk":
            row = state.setdefault("obelisk", [])
            row += ["?"] * (int(parts[0]) + 1 - len(row))
            row[int(parts[0])] = value
        elif kind == "discard":
            state["discard"] = value
    return state
