"""Photographs of an enrolment that show something else than they should are told, with the place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest

from companion.errors import ProfileError
from companion.games.blue_moon_city import COMPONENTS
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Picture, Value, kind_of, parts_of, place
from vision.arrays import Picture8
from vision.enrolment.photograph_names import BUILT, EMPTY, NAMES, PIECES, SKETCH
from vision.enrolment.wrong_photographs import PhotographCheck, check_photographs
from vision.simulation.camera import SimulatedCamera
from vision.simulation.printed_tiles import PIECE_COLOURS, tile_arts
from vision.simulation.scenery import SCENERIES, HandPose, Scenery, Viewpoint

LAYOUT = table_layout()


@dataclass(frozen=True)
class Room:
    """A camera over a table, four right photographs of it, and one who looks at photographs."""

    camera: SimulatedCamera
    right: Mapping[str, Picture8]
    shown: Picture
    check: PhotographCheck

    def lying(self, side: str) -> dict[str, Value]:
        """All tiles on one side."""
        return {
            where: f"{str(value).partition('/')[0]}/{side}"
            for where, value in self.shown.items()
            if kind_of(where) == "cell"
        }

    def told(self, newest: str, **instead: Picture8) -> str:
        """What is said when so many photographs have been taken, some of them others; "" if nothing is."""
        names = NAMES[: NAMES.index(newest) + 1]
        try:
            self.check.check({name: instead.get(name, self.right[name]) for name in names}, self.shown)
        except ProfileError as error:
            return str(error)
        return ""


def room_of(viewpoint: Viewpoint, scenery: Scenery, seed: int) -> Room:
    """A room with its right photographs."""
    colours = {name: PIECE_COLOURS[name] for name in ("purple", "orange")}
    camera = SimulatedCamera(
        LAYOUT, tile_arts(COMPONENTS.tiles), colours, viewpoint=viewpoint, scenery=scenery, seed=seed
    )
    learnt = camera.enrolment()
    return Room(
        camera=camera,
        right={name: getattr(learnt, name) for name in NAMES},
        shown=learnt.pieces_state,
        check=PhotographCheck(LAYOUT),
    )


@pytest.fixture(scope="module")
def room() -> Room:
    """One room for all: right photographs are looked at once."""
    return room_of(Viewpoint(), Scenery(), 5)


def test_right_photographs_are_taken(room: Room) -> None:
    """One after the other, as they are taken."""
    assert ["", "", "", ""] == [room.told(name) for name in NAMES]


def test_right_ones_are_taken_in_another_room() -> None:
    """Another table, light and camera angle; the tiles lie in quarter turns of their own."""
    viewpoint, scenery = SCENERIES["window"]
    other = room_of(viewpoint, replace(scenery, quarter_turns=True), 7)

    assert ["", "", "", ""] == [other.told(each) for each in NAMES]


def test_tiles_on_the_empty_table_are_told(room: Room) -> None:
    """Whichever side they show, with pieces or without."""
    for other in (BUILT, PIECES):
        assert "the photograph of the empty table shows tiles" in room.told(EMPTY, empty=room.right[other])


def test_a_table_without_tiles_is_told(room: Room) -> None:
    """In each photograph that should show some."""
    bare = room.camera.frame({}, t=9.0)
    assert f"{what(SKETCH)}: the tiles could not be found" in room.told(SKETCH, sketch=bare)
    assert f"{what(BUILT)} shows no tiles" in room.told(BUILT, built=bare)


def what(name: str) -> str:
    """What a photograph is called here."""
    return "the photograph of the " + {SKETCH: "sketch sides", BUILT: "built sides", PIECES: "pieces"}[name]


def test_a_missing_tile_is_told_with_its_place(room: Room) -> None:
    """Counted as who looks counts: rows from far, tiles of a row from the left."""
    tiles = room.lying("sketch")
    for cell in ("0,2", "3,3"):
        tiles[place("cell", cell)] = None
    words = room.told(SKETCH, sketch=room.camera.frame(tiles, t=9.0))

    assert "like the empty table" in words
    spot = "row {} from the far side, place {} from the left"
    assert f"{spot.format(1, 2)}; {spot.format(4, 4)}" in words
    assert "more" not in words


def test_a_hand_is_told(room: Room) -> None:
    """It hides the sides of tiles."""
    hand = HandPose.over(LAYOUT, "2,3", seat=1)
    words = room.told(BUILT, built=room.camera.frame(room.lying(BUILT), hand_pose=hand, t=9.0))

    assert f"{what(BUILT)} does not show all the tiles" in words
    assert "row 3 from the far side" in words


def test_single_bad_places_do_not_stop_the_rest(room: Room) -> None:
    """Tiles under a hand are told with their places, in the photographs where they do not agree."""
    hand = HandPose.over(LAYOUT, "4,2", seat=0)
    sketch = room.camera.frame(room.lying(SKETCH), hand_pose=hand, t=9.0)
    faults, sized = check_photographs({**room.right, SKETCH: sketch}, LAYOUT, room.shown)

    assert faults
    assert sized.tile_edge_mm == LAYOUT.tile_edge_mm
    for one in faults:
        assert one.photograph in (SKETCH, PIECES)
        assert "row " in one.text
        assert 0 < len(one.cells) <= len(LAYOUT.cells) / 4
        assert {cell for _, cell in one.faces} <= set(one.cells)


def test_a_photograph_that_is_wrong_in_many_places_is_refused(room: Room) -> None:
    """The same side twice is no matter of single places."""
    again = room.camera.frame(room.lying(SKETCH), t=9.0)
    with pytest.raises(ProfileError, match="the same sides"):
        check_photographs({**room.right, BUILT: again}, LAYOUT, room.shown)


def test_tiles_that_were_not_turned_over_are_told(room: Room) -> None:
    """All of them, or the one that was forgotten, wherever it lies now."""
    again = room.camera.frame(room.lying("sketch"), t=9.0)
    assert "the same sides as the photograph of the sketch sides" in room.told(BUILT, built=again)
    tiles = room.lying("built")
    forgotten = place("cell", "1,1")
    tiles[forgotten] = room.lying("sketch")[forgotten]
    words = room.told(BUILT, built=room.camera.frame(tiles, t=9.0))

    assert ": row 2 from the far side, place 2 from the left. Every tile" in words


def test_the_same_photograph_twice_is_told(room: Room) -> None:
    """The very same file, under two names."""
    assert "identical to" in room.told(BUILT, built=room.right[SKETCH].copy())


def test_sides_the_wrong_way_round_are_told(room: Room) -> None:
    """By the pieces at the latest, which lie on sketch sides."""
    words = room.told(PIECES, sketch=room.right[BUILT], built=room.right[SKETCH])

    assert "the other way round" in words


def test_missing_pieces_are_told(room: Room) -> None:
    """All of them, or those of one tile with its place."""
    tiles = {where: value for where, value in room.shown.items() if kind_of(where) == "cell"}
    assert "shows no pieces" in room.told(PIECES, pieces=room.camera.frame(tiles, t=9.0))
    held = {parts_of(one)[0] for one, owner in room.shown.items() if kind_of(one) == "box" and owner}
    cell = max(held - {str(value) for value in room.shown.values()})
    fewer = {
        where: None if where.startswith(f"box:{cell}:") else value for where, value in room.shown.items()
    }
    words = room.told(PIECES, pieces=room.camera.frame(fewer, t=9.0))

    assert "no piece where one should be" in words
    assert "more" not in words


def test_what_lies_where_nothing_should_is_told(room: Room) -> None:
    """A figure that lay about on a tile when its sketch side was photographed."""
    figure = place("figure", "purple")
    littered = room.camera.frame({**room.lying("sketch"), figure: "4,2"}, t=9.0)
    words = room.told(PIECES, sketch=littered)

    assert "row 5 from the far side, place 2 from the left: the tile looks different" in words


def test_codes_must_be_seen(room: Room) -> None:
    """As everywhere: what is missing is said of the photograph by its name."""
    words = room.told(SKETCH, sketch=np.full_like(room.right[SKETCH], 120))

    assert "the photograph of the sketch sides" in words
    assert "codes" in words
