"""Pieces that end and arms that do not, on maps without a picture."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from calibration.profile import PieceRecord
from companion.games.blue_moon_city.layout import table_layout
from vision.faces.registration import BLOCK, Pose2D
from vision.faces.residuals import Residual
from vision.faces.scene import MARGIN_MM, PX_PER_MM
from vision.geometry.rectify import Flat
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.palette import NOTHING, shades_of
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Candidate, Paint, StandingFigure, find_standing, strongest
from vision.pieces.occlusion import Occlusion
from vision.simulation.scenery import Viewpoint

LAYOUT = table_layout()
FLAT = Flat.around(*LAYOUT.extent_mm(MARGIN_MM), PX_PER_MM / 2, LAYOUT.pieces.tile_thickness_mm)
BODIES = Silhouettes(Viewpoint().pose((1280, 720)), LAYOUT, FLAT)
SHAPE = (FLAT.height_px, FLAT.width_px)
CELL = "2,2"
EDGE = 96
SKIN = (0.5, 0.6, 0.8)


def city(thing: np.ndarray, label: int = 0) -> CityMap:
    """A city of known tiles on which one thing, (height, width) bool, is strange and of one colour."""
    nothing = np.zeros(SHAPE, np.bool_)
    return CityMap(
        flat=FLAT, colours=np.zeros((*SHAPE, 3), np.float32),
        labels=np.where(thing, label, NOTHING).astype(np.uint8),
        alike=np.where(thing, 1 << label, 0).astype(np.uint16),
        learnt=np.zeros((*SHAPE, 3), np.uint8), is_learnt=~nothing, tile=~nothing, unknown=nothing,
        strange=np.asarray(thing, np.bool_), shadow=nothing, darker=nothing, brighter=nothing,
        blind=nothing, glare=nothing, taken=nothing, fresh=~nothing,
    )  # fmt: skip


def dragon() -> np.ndarray:
    """What a dragon in the middle of the cell covers."""
    covered = np.zeros(SHAPE, np.bool_)
    region, body = BODIES.outline("dragon", LAYOUT.cells[CELL])
    covered[region] = body
    return covered


def limb(length_mm: float) -> np.ndarray:
    """Something as wide as a wing that begins in the dragon and reaches so far out of it to the right."""
    ys, xs = np.nonzero(dragon())
    middle, wide = int(ys.mean()), round(5 * FLAT.px_per_mm)
    found = np.zeros(SHAPE, np.bool_)
    found[middle - wide : middle + wide, int(xs.mean()) : int(xs.max() + length_mm * FLAT.px_per_mm)] = True
    return found


def found_in(thing: np.ndarray) -> StandingFigure:
    """The dragon that is found in a city with this thing on it."""
    standing = find_standing(city(thing), BODIES, Paint(label=0), "dragon")
    assert standing is not None
    return standing


def test_what_may_be_a_paint_counts_if_it_is_sought_loosely() -> None:
    """In other light a dragon may seem to be of another's colour."""
    seen = replace(city(dragon(), label=1), alike=np.where(dragon(), 0b11, 0).astype(np.uint16))
    found = [
        find_standing(seen, BODIES, Paint(label=label, is_loose=is_loose), "dragon")
        for label, is_loose in ((0, False), (0, True), (2, True))
    ]

    assert [one and one.cell for one in found] == [None, CELL, None]
    assert found[1] is not None
    assert found[1].share == found_in(dragon()).share


def test_wings_are_part_of_a_dragon_and_arms_are_not() -> None:
    """What ends near the body does not spill out of it; what goes on does."""
    plain, winged, arm = found_in(dragon()), found_in(dragon() | limb(8)), found_in(dragon() | limb(60))

    assert plain.cell == winged.cell == CELL
    assert (plain.spill, winged.spill) == (0.0, 0.0)
    assert arm.spill > 0.05
    assert plain.mass == pytest.approx(1.0, abs=0.15)
    assert winged.mass > plain.mass


def test_a_head_reaches_a_little_out_of_the_outline() -> None:
    """What lies just beside a figure may be a part of it, what lies farther off is something else."""
    standing = found_in(dragon())
    ys, xs = np.nonzero(dragon())
    x, y = float(xs[ys.argmin()]), float(ys.min())

    assert standing.may_reach((x, y - 4))
    assert not standing.may_reach((x, y - 12))
    assert not standing.may_reach((-20.0, -20.0))


def finger(where: str, reach_mm: float) -> np.ndarray:
    """Something as wide as two fingers that reaches so far over a cell, from beyond it or in its middle."""
    x, y = LAYOUT.cells[where]
    left, top = (round(float(one)) for one in FLAT.to_px(np.array([x - 17.0, y + LAYOUT.tile_edge_mm / 2])))
    found = np.zeros(SHAPE, np.bool_)
    found[top : top + round(reach_mm * FLAT.px_per_mm), left : left + round(34 * FLAT.px_per_mm)] = True
    return found


def ground() -> np.ndarray:
    """Where the tiles lie, with gaps between them."""
    tiles = np.zeros(SHAPE, np.bool_)
    half = LAYOUT.tile_edge_mm / 2 - 1.5
    for x, y in LAYOUT.cells.values():
        (x0, y0), (x1, y1) = (
            FLAT.to_px(np.array([[x - half, y + half], [x + half, y - half]])).round().astype(int)
        )
        tiles[y0:y1, x0:x1] = True
    return tiles


def residuals() -> dict[str, Residual]:
    """Tiles of which all print is seen, one on every cell."""
    faces = {}
    for cell, at in LAYOUT.cells.items():
        x, y = FLAT.to_px(np.array(at))
        faces[cell] = SimpleNamespace(
            pose=Pose2D(x_px=2 * float(x) + 0.5, y_px=2 * float(y) + 0.5, turn=0.0),
            known=np.zeros((EDGE, EDGE, 3), np.float32),
            odd=np.zeros((EDGE, EDGE), np.float32),
            blind=np.zeros((EDGE, EDGE), np.bool_),
            lost=np.zeros((EDGE // BLOCK, EDGE // BLOCK), np.bool_),
            plain=np.zeros((EDGE // BLOCK, EDGE // BLOCK), np.bool_),
        )
    return cast(dict[str, Residual], faces)


def test_pale_ground_in_a_shadow_is_no_more_of_a_white_figure() -> None:
    """It has a light piece's colour, but is only darker than the tile: it is no more of it."""
    region, body = BODIES.outline("figure", LAYOUT.cells[CELL])
    figure = np.zeros(SHAPE, np.bool_)
    figure[region] = body
    shade = np.roll(figure, 10, axis=1) & ~figure
    shown = replace(city(figure | shade), darker=shade)
    white, grey = (
        find_standing(shown, BODIES, Paint(label=0, is_light=is_light), "figure")
        for is_light in (True, False)
    )

    assert white is not None
    assert grey is not None
    assert white.cell == CELL
    assert white.mass == pytest.approx(1.0, abs=0.15)
    assert white.lit_spill == 0.0
    assert white.spill > 0.05
    assert grey.mass > 1.2
    assert grey.lit_spill == grey.spill > 0.05


def test_a_dragons_own_shadow_is_no_more_of_it() -> None:
    """Where a tile's print is of its colour the shadow looks like more of it, and has no end of a wing's."""
    piece = dragon()
    shade = limb(60) & ~piece
    marked = replace(city(piece | shade), shadow=shade)
    shaded = find_standing(marked, BODIES, Paint(label=0), "dragon")

    assert shaded is not None
    assert shaded.cell == CELL
    assert shaded.spill > 0.05
    assert shaded.lit_spill == 0.0
    assert found_in(piece | shade).lit_spill > 0.05


@pytest.mark.parametrize(("ground", "is_lost"), [((38, 34, 32), True), ((190, 205, 214), False)])
def test_a_black_figure_may_stand_unseen_on_black_ground(ground: tuple[int, int, int], is_lost: bool) -> None:
    """On ground of its own colour, as large as itself, a piece can be overlooked; behind a dragon too."""
    black = PieceRecord(kind="figure", name="black", palette=shades_of((38, 34, 32)))
    built = np.zeros(SHAPE, np.bool_)
    built[dragon()] = True
    colours = np.full((*SHAPE, 3), 0.8, np.float32)
    colours[built] = np.array(ground, np.float32) / 255
    shown = replace(city(np.zeros(SHAPE, np.bool_)), colours=colours)

    assert Occlusion(shown, BODIES, []).may_hold(black) is is_lost
    assert Occlusion(shown, BODIES, [found_in(dragon())]).may_hold(black)


@pytest.mark.parametrize(
    ("tilt_deg", "hidden"), [(18, [False, False]), (42, [False, True]), (50, [True, True])]
)
def test_the_lower_the_camera_the_fewer_dragons_hide_another(tilt_deg: float, hidden: list[bool]) -> None:
    """Seen from low down two hide most of a third; nothing stands in another's place."""
    low = Silhouettes(Viewpoint(tilt_deg=tilt_deg).pose((1280, 720)), LAYOUT, FLAT)
    blue = PieceRecord(kind="dragon", name="water", palette=shades_of((206, 92, 30)))
    nothing, (x, y) = city(np.zeros(SHAPE, np.bool_)), LAYOUT.cells[CELL]
    seen: list[StandingFigure] = []
    for base_mm in ((x - 9.0, y), (x + 9.0, y + 4.0)):
        covered = np.zeros(SHAPE, np.bool_)
        region, body = low.outline("dragon", base_mm)
        covered[region] = body
        standing = find_standing(city(covered), low, Paint(label=0), "dragon")
        assert standing is not None
        seen.append(standing)

    assert not Occlusion(nothing, low, []).may_hold(blue)
    assert [Occlusion(nothing, low, seen[:count]).may_hold(blue) for count in (1, 2)] == hidden


@pytest.mark.parametrize(
    ("share", "off_mm", "cell"),
    [(0.84, 15.0, "0,2"), (0.66, 6.0, "0,2"), (0.66, 15.0, "1,2"), (0.57, 6.0, "1,2")],
)
def test_a_dragon_that_reaches_beyond_the_tiles_stands_where_most_of_it_is_seen(
    share: float, off_mm: float, cell: str
) -> None:
    """How well it fits cannot be told there; a part of it that fits the next cell better is not believed.

    At the border of two cells somewhat more is enough.
    """
    x, y = LAYOUT.cells["0,2"]
    seen: dict[str, Candidate | None] = {}
    for at, shown, fit, down_mm in (("0,2", share, 0.0, 0.0), ("1,2", 0.55, 0.58, off_mm)):
        base_mm = (x, y - down_mm)
        region, body = BODIES.outline("dragon", base_mm)
        seen[at] = Candidate(
            share=shown, cell=at, base_mm=base_mm, spill=0.0, fit=fit, region=region, body=body
        )  # fmt: skip
    standing = strongest(city(dragon()), BODIES, Paint(label=0), "dragon", seen.values())

    assert standing is not None
    assert standing.cell == cell
