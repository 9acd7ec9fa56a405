"""Which building is which, and which built side belongs to it."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.errors import ProfileError
from companion.games.blue_moon_city import COMPONENTS
from companion.games.blue_moon_city.layout import table_layout
from companion.table import place
from vision.enrolment.naming import (
    FINE,
    Digit,
    Printed,
    TileNamer,
    cut_built_sides,
    cut_sketch_sides,
    plain_enough,
)
from vision.enrolment.pairing import pair_sides
from vision.enrolment.photographed_tiles import printed_of
from vision.faces.scene import PX_PER_MM
from vision.photometry.light import coded
from vision.simulation.art import COLOURS, draw_tile
from vision.simulation.camera import SimulatedCamera
from vision.simulation.printed_tiles import tile_arts
from vision.simulation.scenery import Scenery, Viewpoint

LAYOUT = table_layout()


class MixedTiles:
    """All tiles in an order of their own, each turned somehow."""

    def __init__(self, viewpoint: Viewpoint | None = None, scenery: Scenery | None = None) -> None:
        tiles = list(printed_of(COMPONENTS.tiles))
        random.Random(2).shuffle(tiles)
        self.tiles: Mapping[str, str] = dict(zip(LAYOUT.cells, tiles, strict=True))
        self.camera = SimulatedCamera(
            LAYOUT,
            tile_arts(COMPONENTS.tiles),
            {},
            viewpoint=viewpoint or Viewpoint(),
            scenery=scenery or Scenery(quarter_turns=True),
            seed=7,
        )
        self.namer = TileNamer(cut_sketch_sides(self.photograph("sketch"), LAYOUT))

    def photograph(self, side: str) -> NDArray[np.uint8]:
        """All tiles with this side up."""
        table = {place("cell", cell): f"{tile}/{side}" for cell, tile in self.tiles.items()}
        return self.camera.frame(table, t=1.0)

    def turn(self, cell: str) -> int:
        """The quarter turns that set a tile upright."""
        return -round(self.camera.tile_pose(cell, self.tiles[cell]).turn_deg / 90) % 4


@pytest.fixture(scope="module")
def mixed() -> MixedTiles:
    """The tiles, looked at once."""
    return MixedTiles()


def test_tiles_in_any_order_and_turned_as_you_like_are_named(mixed: MixedTiles) -> None:
    """All of them surely and rightly, and how each is turned."""
    named = mixed.namer.name(printed_of(COMPONENTS.tiles), COLOURS)

    assert {cell: one.tile for cell, one in named.items()} == mixed.tiles
    assert all(one.is_sure and not one.differs for one in named.values())
    for cell, one in named.items():
        assert one.tile == "courtyard" or one.turn == mixed.turn(cell)


def test_tiles_are_set_upright_from_afar_too() -> None:
    """Where numbers are seven pixels wide the catalogue tells up from down, and which are the boxes."""
    far = MixedTiles(
        Viewpoint(tilt_deg=12, azimuth_deg=103, distance_mm=1080, hfov_deg=66, k1=-0.09, k2=0),
        Scenery(table="linen", exposure=0.75, blur_px=0.65, jpeg=70, turn_deg=3.4, quarter_turns=True),
    )
    named = far.namer.name(printed_of(COMPONENTS.tiles), COLOURS, far.tiles)

    upright = {cell: one.turn == far.turn(cell) for cell, one in named.items() if one.values}
    assert all(upright.values()), upright


def test_the_boxes_are_cut_out_for_people(mixed: MixedTiles) -> None:
    """However a tile was turned: all its boxes and hardly more, upright, as they are drawn."""
    arts = {art.tile: art for art in tile_arts(COMPONENTS.tiles)}
    edge = round(LAYOUT.tile_edge_mm * PX_PER_MM * FINE)
    for one in mixed.namer.name(printed_of(COMPONENTS.tiles), COLOURS).values():
        if not one.values:
            assert one.boxes is None
            continue
        assert one.boxes is not None
        drawn = draw_tile(arts[one.tile], "sketch", edge)
        upright, head_over = (
            float(cv2.matchTemplate(drawn, boxes, cv2.TM_CCOEFF_NORMED).max())
            for boxes in (one.boxes, np.ascontiguousarray(np.rot90(one.boxes, 2)))
        )

        assert one.boxes.shape[0] < edge / 3, one.tile
        assert upright > head_over, one.tile


def test_what_is_printed_otherwise_than_listed_is_told(mixed: MixedTiles) -> None:
    """A list that is wrong about one number of a tile: the tile is named, its own numbers are told."""
    wrong = {**printed_of(COMPONENTS.tiles), "city_residence": Printed(colour="mimix", values=(4, 4, 2))}
    named = mixed.namer.name(wrong, COLOURS)
    odd = {one.tile: one.values for one in named.values() if one.differs}

    assert {cell: one.tile for cell, one in named.items()} == mixed.tiles
    assert odd == {"city_residence": (4, 3, 2)}


def test_what_is_read_less_plainly_than_most_is_asked_about() -> None:
    """Another number is claimed only if it is as plain as most that are as listed."""
    plain = [Digit(listed=3, seen=3, over_listed=0.0, lead=lead) for lead in (0.05, 0.1, 0.2)]
    odd = Digit(listed=3, seen=2, over_listed=0.08, lead=0.08)

    assert plain_enough([*plain, odd]) == pytest.approx(0.1)
    assert plain_enough([odd, *plain[:1]]) == math.inf
    assert plain_enough([]) == math.inf


def test_tiles_that_are_alike_are_left_to_people(mixed: MixedTiles) -> None:
    """Two tiles that the list describes alike may be each other; once one is named the other is known."""
    alike = {
        **printed_of(COMPONENTS.tiles),
        "mill": Printed(colour="vulca", values=(3, 2, 2)),
        "iron_foundry": printed_of(COMPONENTS.tiles)["mill"],
    }
    alike["iron_foundry"] = alike["mill"]
    named = mixed.namer.name(alike, COLOURS)
    cells = {tile: cell for cell, tile in mixed.tiles.items()}
    unsure = {cell: {one.tile, *one.others} for cell, one in named.items() if not one.is_sure}

    assert {"mill", "iron_foundry"} <= unsure[cells["iron_foundry"]]
    said = {cells["mill"]: "mill", cells["iron_foundry"]: "iron_foundry"}
    again = mixed.namer.name(alike, COLOURS, said)
    assert {cell: one.tile for cell, one in again.items()} == mixed.tiles
    assert all(one.is_sure for one in again.values())


def test_built_sides_find_their_sketch_sides(mixed: MixedTiles) -> None:
    """Turned over in place or mixed once more and turned: the drawing tells."""
    named = mixed.namer.name(printed_of(COMPONENTS.tiles), COLOURS)
    sketch = {cell: coded(face.turned(named[cell].turn).picture) for cell, face in mixed.namer.faces.items()}
    built = {
        cell: coded(face.picture) for cell, face in cut_built_sides(mixed.photograph("built"), LAYOUT).items()
    }
    in_place = pair_sides(sketch, built)
    order = list(built)
    random.Random(5).shuffle(order)
    quarters = {cell: number % 4 for number, cell in enumerate(built)}
    moved = {
        cell: np.ascontiguousarray(np.rot90(built[home], quarters[cell]))
        for cell, home in zip(built, order, strict=True)
    }
    paired = pair_sides(sketch, moved)

    assert all(one.is_plain and one.home == cell for cell, one in in_place.items())
    assert [paired[cell].home for cell in built] == order
    for cell, home in zip(built, order, strict=True):
        assert (paired[cell].turn + quarters[cell]) % 4 == in_place[home].turn


def test_what_shows_nothing_is_believed_in_place_only(mixed: MixedTiles) -> None:
    """A tile washed out by glare lies as the others do; where all are mixed nobody knows."""
    sketch = {cell: coded(face.picture) for cell, face in mixed.namer.faces.items()}
    cells = list(sketch)
    glare = np.full_like(sketch[cells[0]], 255)
    stayed = pair_sides(sketch, {**sketch, cells[3]: glare})
    shifted = dict(zip(cells, [sketch[cell] for cell in (*cells[1:], cells[0])], strict=True))
    lost = pair_sides(sketch, {**shifted, cells[3]: glare})

    assert stayed[cells[3]].is_plain
    assert stayed[cells[3]].home == cells[3]
    assert [cell for cell, one in lost.items() if not one.is_plain] == [cells[3]]


def test_a_photograph_without_codes_is_refused() -> None:
    """In words."""
    with pytest.raises(ProfileError, match="sketch sides"):
        cut_sketch_sides(np.full((480, 640, 3), 90, np.uint8), LAYOUT)
