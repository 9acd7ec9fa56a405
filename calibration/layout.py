"""A table's layout as a JSON object: the file format of `companion.table_layout.TableLayout`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from calibration.old_layouts import OLDEST, upgraded
from companion.errors import MalformedError, ProfileError
from companion.storage.strict import (
    as_boolean,
    as_choice,
    as_each,
    as_integer,
    as_list,
    as_mapping,
    as_number,
    as_numbers,
    as_object,
    as_text,
    named,
    parse_json,
    read_bytes,
    shown,
)
from companion.table_layout import (
    Area,
    Arrangement,
    BoxBoard,
    Content,
    Fiducial,
    PieceSizes,
    PlaceNames,
    Rectangle,
    TableLayout,
)

LAYOUT_VERSION: Final = 4
# Larger than any table at home; beyond this, pictures of it would only fill the memory.
MOST_MM: Final = 2000.0
MOST_MM2: Final = 6e6
MOST_PIECE_MM: Final = 500.0
MOST_FIDUCIALS: Final = 50
MOST_PLACES: Final = 500
MOST_BOXES: Final = 100
LEAST_CORNERS, MOST_CORNERS = 3, 200


def format_layout(layout: TableLayout) -> dict[str, Any]:
    """Return the layout as a JSON object; `parse_layout` is the inverse."""
    return {
        "layout": LAYOUT_VERSION,
        "name": layout.name,
        "fiducials": [[one.id, one.x_mm, one.y_mm, one.edge_mm, one.turn_deg] for one in layout.fiducials],
        "cells": {name: list(centre) for name, centre in layout.cells.items()},
        "tile_edge_mm": layout.tile_edge_mm,
        "board_rows": list(layout.board_rows),
        "board": None if layout.board is None else _format_board(layout.board),
        "areas": {name: _format_area(area) for name, area in layout.areas.items()},
        "pieces": {name: getattr(layout.pieces, name) for name in PieceSizes.__slots__},
        "places": {name: getattr(layout.places, name) for name in PlaceNames.__slots__},
    }


def _format_board(board: BoxBoard) -> dict[str, Any]:
    area = board.area
    return {
        "area": [area.x_mm, area.y_mm, area.width_mm, area.height_mm],
        "thickness_mm": board.thickness_mm,
        "box_edge_mm": board.box_edge_mm,
        "boxes_mm": [list(centre) for centre in board.boxes_mm],
    }


def _format_area(area: Area) -> dict[str, Any]:
    return {
        "outline_mm": [list(corner) for corner in area.outline_mm],
        "content": area.content.value,
        "arrangement": area.arrangement.value,
        "owner": area.owner,
        "is_face_up": area.is_face_up,
        "holds": list(area.holds),
        "places_mm": {name: list(middle) for name, middle in area.places_mm.items()},
    }


def layout_text(layout: TableLayout) -> str:
    """Return the layout as JSON text."""
    return json.dumps(format_layout(layout), indent=1)


def parse_layout(found: object) -> TableLayout:
    """Return the layout that a JSON object describes; raises ProfileError in words."""
    try:
        return _parse_layout(found)
    except MalformedError as error:
        raise ProfileError(str(error)) from error


def read_layout(file: Path) -> TableLayout:
    """Return the layout that a JSON file holds; raises ProfileError in words, or OSError."""
    try:
        with named(str(file)):
            return _parse_layout(parse_json(read_bytes(file)))
    except MalformedError as error:
        raise ProfileError(str(error)) from error


def _parse_layout(found: object) -> TableLayout:
    version = as_mapping(found, "the layout").get("layout")
    if type(version) is not int or not OLDEST <= version <= LAYOUT_VERSION:
        raise MalformedError(
            f"layout version {shown(version)} is not {LAYOUT_VERSION}, the version this program reads"
        )
    top = upgraded(as_mapping(found, "the layout"), version)
    top = as_object(top, "the layout", ("layout", *TableLayout.__slots__))
    layout = TableLayout(
        name=as_text(top["name"], "the layout's name"),
        fiducials=tuple(
            _parse_fiducial(one) for one in as_list(top["fiducials"], "fiducials", most=MOST_FIDUCIALS)
        ),
        cells=as_each(top["cells"], "cells", _parse_point),
        tile_edge_mm=as_number(top["tile_edge_mm"], "tile_edge_mm", 0, MOST_MM),
        board_rows=tuple(
            as_integer(one, "a row of board_rows", 1, MOST_BOXES)
            for one in as_list(top["board_rows"], "board_rows", most=MOST_BOXES)
        ),
        board=None if top["board"] is None else _parse_board(top["board"]),
        areas=as_each(top["areas"], "areas", _parse_area),
        pieces=_parse_pieces(top["pieces"]),
        places=_parse_place_names(top["places"]),
    )
    _refuse_what_is_too_large(layout)
    return layout


def _refuse_what_is_too_large(layout: TableLayout) -> None:
    """Refuse a layout whose pictures would fill the memory, and one without places."""
    fixed = sum(len(area.places_mm) for area in layout.areas.values())
    places = len(layout.cells) + len(layout.areas) + fixed
    if not 1 <= places <= MOST_PLACES:
        raise MalformedError(f"a layout has 1 to {MOST_PLACES} places, not {places}")
    x0, x1, y0, y1 = layout.extent_mm()
    boards = [] if layout.board is None else [layout.board.area]
    rectangles = [*(area.around for area in layout.areas.values()), *boards]
    whole_mm2 = (x1 - x0) * (y1 - y0) + sum(one.width_mm * one.height_mm for one in rectangles)
    if whole_mm2 > MOST_MM2:
        raise MalformedError(f"the layout is of {whole_mm2 / 1e6:.1f} square metres, more than any table's")


def _parse_rectangle(found: object, what: str) -> Rectangle:
    x, y, width, height = as_numbers(found, what, 4, -MOST_MM, MOST_MM)
    if width <= 0 or height <= 0:
        raise MalformedError(f"{what} is {width:g} by {height:g} mm")
    return Rectangle(x_mm=x, y_mm=y, width_mm=width, height_mm=height)


def _parse_area(value: object, what: str) -> Area:
    found = as_object(value, what, Area.__slots__)
    corners = as_list(found["outline_mm"], f"{what}: outline_mm", most=MOST_CORNERS)
    if len(corners) < LEAST_CORNERS:
        raise MalformedError(f"{what} has {len(corners)} corners")
    area = Area(
        outline_mm=tuple(_parse_corner(one, f"a corner of {what}") for one in corners),
        content=Content(as_choice(found["content"], f"{what}: content", tuple(Content))),
        arrangement=Arrangement(as_choice(found["arrangement"], f"{what}: arrangement", tuple(Arrangement))),
        owner=None if found["owner"] is None else as_text(found["owner"], f"{what}: owner"),
        is_face_up=as_boolean(found["is_face_up"], f"{what}: is_face_up"),
        holds=tuple(
            as_text(one, f"{what}: holds")
            for one in as_list(found["holds"], f"{what}: holds", most=MOST_PLACES)
        ),
        places_mm=as_each(found["places_mm"], f"{what}: places_mm", _parse_point),
    )
    if area.around.width_mm <= 0 or area.around.height_mm <= 0:
        raise MalformedError(f"{what} is {area.around.width_mm:g} by {area.around.height_mm:g} mm")
    return area


def _parse_fiducial(found: object) -> Fiducial:
    number, x, y, edge, turn = as_numbers(found, "a fiducial", 5, -MOST_MM, MOST_MM)
    if number != int(number) or not 0 <= number < 50:
        raise MalformedError(f"fiducial number {number:g} is not one of 0 to 49")
    return Fiducial(id=int(number), x_mm=x, y_mm=y, edge_mm=edge, turn_deg=turn)


def _parse_board(found: object) -> BoxBoard:
    board = as_object(found, "board", BoxBoard.__slots__)
    area = _parse_rectangle(board["area"], "the board's area")
    boxes = as_list(board["boxes_mm"], "boxes_mm", most=MOST_BOXES)
    return BoxBoard(
        area=area,
        thickness_mm=as_number(board["thickness_mm"], "thickness_mm", 0, MOST_PIECE_MM),
        box_edge_mm=as_number(board["box_edge_mm"], "box_edge_mm", 0, MOST_PIECE_MM),
        boxes_mm=tuple(parse_box(one, area.width_mm, area.height_mm) for one in boxes),
    )


def parse_box(found: object, width_mm: float, height_mm: float) -> tuple[float, float]:
    """Return the middle of a box on a face of this size, from the face's middle; raises MalformedError."""
    x, y = as_numbers(found, "a box", 2)
    if abs(x) > width_mm / 2 or abs(y) > height_mm / 2:
        raise MalformedError(f"a box at {x:g}, {y:g} mm is outside its {width_mm:g} by {height_mm:g} mm")
    return x, y


def _parse_pieces(found: object) -> PieceSizes:
    sizes = as_object(found, "pieces", PieceSizes.__slots__)
    return PieceSizes(**{name: as_number(size, name, 0, MOST_PIECE_MM) for name, size in sizes.items()})


def _parse_place_names(found: object) -> PlaceNames:
    names = as_object(found, "places", PlaceNames.__slots__)
    return PlaceNames(**{name: as_text(kind, f"places: {name}") for name, kind in names.items()})


def _parse_corner(found: object, what: str) -> tuple[float, float]:
    # An area may reach further than its middle may lie.
    x, y = as_numbers(found, what, 2, -2 * MOST_MM, 2 * MOST_MM)
    return x, y


def _parse_point(found: object, what: str) -> tuple[float, float]:
    x, y = as_numbers(found, what, 2, -MOST_MM, MOST_MM)
    return x, y
