"""The truth of photographed tables without printed places, as a reader that never errs would tell it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.free_faces import FreeFace, FreeReading, Side
from companion.free_pieces import FreePiece, FreeTable, Shape
from companion.loose_pieces import Point

# What shows less of itself than this cannot be expected to be found.
LEAST_SEEN = 0.12
_FLAT = ("flat", "disc-board")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenFrame:
    """A photograph: its file, the table state, the pieces as they lie."""

    file: Path
    state: Mapping[str, Any]
    pieces: list[dict[str, Any]]
    table: FreeTable


def frames_of(folder: Path) -> Iterator[SeenFrame]:
    """Yield the photographs of a set in ../shared/tablecam."""
    for text in (folder / "truth.jsonl").read_text().splitlines():
        truth = json.loads(text)
        yield SeenFrame(
            file=folder / "frames" / truth["frame"],
            state=truth["state"],
            pieces=truth["pieces"],
            table=table_of(truth["pieces"]),
        )


def table_of(pieces: list[dict[str, Any]]) -> FreeTable:
    """Return what a reader would tell that makes out all that shows enough of itself."""
    flats = sorted((one for one in pieces if one["shape"] in _FLAT), key=lambda one: one["z"])
    flats = [one for one in flats if one["visible"] >= LEAST_SEEN]
    orders = {one["place"]: order for order, one in enumerate(flats)}
    faces = tuple(_face(one, order) for order, one in enumerate(flats))
    hands = _hidden(pieces)
    solids = tuple(_piece(one, orders) for one in pieces if one["shape"] not in _FLAT)
    return FreeTable(reading=FreeReading(faces=faces, hidden=hands), pieces=solids)


def _hidden(pieces: list[dict[str, Any]]) -> tuple[Point, ...]:
    """Return the middles of the pieces of which a hand hides a part."""
    return tuple(
        (one["pose"]["x"], one["pose"]["y"])
        for one in pieces
        if one.get("covered_by", {}).get("hand", 0.0) > 0.0
    )


def _face(one: Mapping[str, Any], order: int) -> FreeFace:
    pose, (width, height) = one["pose"], one["size_mm"]
    return FreeFace(
        name=_name(one),
        side=Side.FACE if one["up"] else Side.BACK,
        x_mm=pose["x"],
        y_mm=pose["y"],
        turn_deg=(pose["rot"] + 180.0) % 360.0 - 180.0,
        width_mm=width,
        height_mm=height,
        visible_share=one["visible"],
        order=order,
        confidence=1.0,
        area=None,
    )


def _name(one: Mapping[str, Any]) -> str:
    kind = str(one["place"]).partition(":")
    if one["id"] == "back" and kind[0] == "deck" and kind[2] in ("dreams", "cities"):
        return {"dreams": "back-dream", "cities": "back-city"}[kind[2]]
    return str(one["id"])


def _piece(one: Mapping[str, Any], orders: Mapping[str, int]) -> FreePiece:
    kind, *parts = str(one["place"]).split(":")
    on = spot = None
    level = 0
    if kind == "cover":
        on, spot = orders.get(":".join(("area", *parts[:2]))), int(parts[2])
    elif kind == "track":
        on, level = orders.get("board"), int(parts[1])
    return FreePiece(
        name=one["id"],
        shape=Shape(one["shape"]),
        x_mm=one["pose"]["x"],
        y_mm=one["pose"]["y"],
        confidence=1.0,
        on=on,
        spot=spot,
        level=level,
    )


def distance_mm(one: FreeFace, piece: Mapping[str, Any]) -> float:
    """Return how far a face is read from where a piece truly lies."""
    return math.hypot(one.x_mm - piece["pose"]["x"], one.y_mm - piece["pose"]["y"])
