"""Layouts that earlier programs wrote, as today's file format has them.

Version 1 has fiducials that are not turned; those before 3 do not tell how many boxes a board has; those
before 4 have zones for cards, one of them for cards face down, and areas in which tiles lie anyhow. They were
all of the one game that had a camera then, so the names of its places are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.errors import MalformedError
from companion.storage.strict import as_list, as_mapping, as_numbers
from companion.table_layout import Arrangement, Content, PieceSizes, PlaceNames, around

OLDEST: Final = 1
_TURNED, _WITH_ROWS, _WITH_AREAS = 2, 3, 4
_FACE_DOWN: Final = "deck"
_PLACES: Final = PlaceNames(cell="cell", box="box", board_box="obelisk")
_CARD_SIZE: Final = ("card_width_mm", "card_height_mm")


def upgraded(found: Mapping[str, Any], version: int) -> dict[str, Any]:
    """Return the JSON object of a layout of this version as one of today's; raises MalformedError.

    Only what has changed is looked at; whether the rest is sound is for the reader to say.
    """
    layout = dict(found)
    if version < _TURNED:
        codes = as_list(layout.get("fiducials"), "fiducials")
        layout["fiducials"] = [[*as_numbers(one, "a fiducial", 4), 0.0] for one in codes]
    if version < _WITH_ROWS:
        _add(layout, "board_rows", [])
    if version < _WITH_AREAS:
        # Layouts from before cards were read do not have their size.
        usual = {name: getattr(PieceSizes(), name) for name in _CARD_SIZE}
        layout["pieces"] = usual | as_mapping(layout.get("pieces"), "pieces")
        layout["areas"] = _areas(layout)
        _add(layout, "places", {name: getattr(_PLACES, name) for name in PlaceNames.__slots__})
    return layout


def _add(layout: dict[str, Any], key: str, value: object) -> None:
    if key in layout:
        raise MalformedError(f"the layout has {key!r}, which its version does not know")
    layout[key] = value


def _areas(layout: dict[str, Any]) -> dict[str, Any]:
    """Return the areas of a layout that had zones for cards and free areas, both as rectangles."""
    zones = as_mapping(layout.pop("zones", None), "zones")
    free = as_mapping(layout.get("areas"), "areas")
    if both := sorted(set(zones) & set(free)):
        raise MalformedError(f"the layout has {both[0]!r} twice")
    piles = {
        name: _area(zone, f"zones: {name}", Content.CARDS, Arrangement.PILE, is_face_up=name != _FACE_DOWN)
        for name, zone in zones.items()
    }
    return piles | {
        name: _area(area, f"areas: {name}", Content.TILES, Arrangement.FREE, is_face_up=True)
        for name, area in free.items()
    }


def _area(
    found: object, what: str, content: Content, arrangement: Arrangement, *, is_face_up: bool
) -> dict[str, Any]:
    x, y, width, height = as_numbers(found, what, 4)
    if width <= 0 or height <= 0:
        raise MalformedError(f"{what} is {width:g} by {height:g} mm")
    return {
        "outline_mm": [list(corner) for corner in around(x, y, width, height)],
        "content": content.value,
        "arrangement": arrangement.value,
        "owner": None,
        "is_face_up": is_face_up,
        "holds": [],
        "places_mm": {},
    }
