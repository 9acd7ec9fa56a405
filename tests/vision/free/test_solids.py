"""Discs and what stands, found on a drawn table whose truth is known exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.free_faces import Side
from companion.free_pieces import Shape
from companion.table_layout import Area, Arrangement, Content, Fiducial, around
from companion.table_pieces import FacePrint
from vision.arrays import Bools, Image, Patches, Singles
from vision.free.expected import Expected
from vision.free.known_faces import Deck, KnownFace
from vision.free.known_paint import KnownPaint, Solid
from vision.free.peeling import Find
from vision.free.reader import FreeAreaReader, LastRead
from vision.free.solid_recogniser import SolidRecogniser
from vision.free.solids import SolidFinder
from vision.photometry.light import coded, linear
from vision.photometry.palette import shades_of
from vision.simulation.free_camera import FlatPiece, FreeCamera, LaidTable, SolidPiece
from vision.simulation.printed_faces import FaceArtwork, paint_of
from vision.simulation.scenery import Scenery, Viewpoint

EDGE_MM = 43.0
ARTWORK = FaceArtwork(7)
LIME = (100, 205, 225)
# In the paints of the discs, so that colour alone would find discs all over it.
DOTTED = FacePrint(
    name="dotted", ground="red", number="4", groups=(("red", "blue"), ("blue", "blue"), ("yellow", "red"))
)
PLAIN = FacePrint(name="plain", ground="yellow", number="2", groups=(("turquoise",),))
AREAS = {
    "table": Area(
        outline_mm=around(0.0, 0.0, 300.0, 160.0), content=Content.TILES, arrangement=Arrangement.FREE
    )
}
CODES = tuple(
    Fiducial(id=i, x_mm=x, y_mm=y, edge_mm=40.0)
    for i, (x, y) in enumerate(((-200.0, 120.0), (200.0, 120.0), (200.0, -120.0), (-200.0, -120.0)))
)
PAINTS = [
    KnownPaint(name="red", shape=Shape.DISC, palette=shades_of(paint_of("red"))),
    KnownPaint(name="blue", shape=Shape.DISC, palette=shades_of(paint_of("blue"))),
    KnownPaint(name="green", shape=Shape.MEEPLE, palette=shades_of(paint_of("green"))),
]
TILES = tuple(
    FlatPiece(
        key=f"{what.name}{x}",
        face=what,
        x_mm=x,
        y_mm=20.0,
        turn_deg=3.0,
        width_mm=EDGE_MM,
        height_mm=EDGE_MM,
        top_mm=2.0,
    )
    for what, x in ((DOTTED, -60.0), (PLAIN, 10.0), (DOTTED, 80.0))
)


def disc(name: str, x: float, y: float, low: float = 0.0) -> SolidPiece:
    """Return a disc that lies there."""
    key = f"{name}@{x},{y}"
    return SolidPiece(key=key, name=name, shape="disc", colour=paint_of(name), x_mm=x, y_mm=y, lowest_mm=low)


@pytest.fixture(scope="module")
def room() -> FreeCamera:
    """Return a camera that looks down at an angle."""
    viewpoint = Viewpoint(tilt_deg=14, distance_mm=620)
    return FreeCamera(CODES, ARTWORK, seed=5, viewpoint=viewpoint, scenery=Scenery())


def known(what: FacePrint) -> KnownFace:
    """Return a tile as it is learnt."""
    picture = cv2.resize(ARTWORK.face(what, (EDGE_MM, EDGE_MM)), (129, 129), interpolation=cv2.INTER_AREA)
    return KnownFace(
        name=what.name,
        side=Side.FACE,
        picture=np.asarray(picture, np.uint8),
        width_mm=EDGE_MM,
        height_mm=EDGE_MM,
    )


def found(room: FreeCamera, *solid: SolidPiece) -> tuple[Solid, ...]:
    """Return what is found of these pieces beside and on the tiles."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES, solid=solid)), np.uint8))
    last: LastRead = reader.last_read()
    assert len(last.finds) == len(TILES)
    solids = SolidFinder(PAINTS, room.studio.pose, reader.flat).find(last.picture, last.finds)
    assert solids is not None
    return solids


def missed(solids: Sequence[Solid], truth: Sequence[SolidPiece], off_mm: float) -> list[str]:
    """Return which pieces are nowhere found as what they are."""
    return [
        one.key
        for one in truth
        if not any(
            each.name == one.name
            and each.shape.value == one.shape
            and math.dist(each.at_mm, (one.x_mm, one.y_mm)) <= off_mm
            for each in solids
        )
    ]


def darkened(picture: Image, finds: Sequence[Find], light: Singles, scale: float) -> tuple[Find, list[Find]]:
    """Draw the plain tile as a board of one colour, linear (1, 1, 3); return its find, and the others.

    `scale` is in px a mm.
    """
    colour = coded(light)[0, 0]
    tile = next(one for one in finds if one.deck.faces[one.evidence.face].name == PLAIN.name)
    cv2.fillConvexPoly(picture, np.round(tile.corners()).astype(np.int32), colour.tolist())
    face = known(PLAIN)
    deck = Deck([replace(face, picture=np.full_like(face.picture, colour))], scale)
    board = replace(tile, deck=deck, evidence=replace(tile.evidence, face=0))
    return board, [one for one in finds if one is not tile]


def test_printed_dots_in_the_paint_of_discs_are_none(room: FreeCamera) -> None:
    """Nothing stands there."""
    assert found(room) == ()


def test_discs_are_found_on_tiles_and_beside_them(room: FreeCamera) -> None:
    """Each where it lies, with its paint, and none besides."""
    truth = (
        disc("blue", -60.0, 20.0, 2.0),
        disc("red", 20.0, 10.0, 2.0),
        disc("red", -120.0, -50.0),
        disc("red", -106.0, -50.0),
        disc("blue", 90.0, -55.0),
    )
    solids = found(room, *truth)

    assert missed(solids, truth, 3.0) == []
    assert len(solids) == len(truth)
    assert min(one.confidence for one in solids) > 0.5


def test_of_stacked_discs_only_the_uppermost_is_told(room: FreeCamera) -> None:
    """Whose the lower one is cannot be seen."""
    solids = found(room, disc("red", 0.0, -50.0), disc("blue", 0.5, -50.5, 4.0))

    assert [one.name for one in solids] == ["blue"]


def test_what_stands_is_found_by_its_base(room: FreeCamera) -> None:
    """It leans away from the camera in the picture, its base does not."""
    meeple = SolidPiece(
        key="moon",
        name="green",
        shape="meeple",
        colour=paint_of("green"),
        x_mm=-20.0,
        y_mm=-50.0,
        width_mm=26.0,
        height_mm=36.0,
    )
    solids = found(room, meeple)

    assert missed(solids, [meeple], 10.0) == []
    assert len(solids) == 1


def test_its_shadow_on_print_is_no_part_of_it(room: FreeCamera) -> None:
    """In a shadow print may have the figure's paint, and it lies where the base would be."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last, scale = reader.last_read(), reader.flat.px_per_mm
    picture = last.picture.copy()
    x, y = np.round(reader.flat.to_px(np.array([[2.0, 30.0]]))[0]).astype(int).tolist()
    wide, high = round(16 * scale), round(22 * scale)
    cv2.rectangle(picture, (x, y - high), (x + wide, y), (45, 95, 90), -1)
    there = slice(y + 1, y + 1 + high), slice(x, x + wide)
    picture[there] = coded(np.asarray(linear(np.asarray(picture[there], np.uint8)) * 0.25, np.float32))
    olive = KnownPaint(name="olive", shape=Shape.MEEPLE, palette=shades_of((45, 95, 90)))
    solids = SolidFinder([olive], room.studio.pose, reader.flat).find(picture, last.finds)

    assert solids is not None
    (figure,) = (one for one in solids if one.name == "olive")
    # What is seen of it ends at 30 mm, the shadow at 8.
    assert 30 < figure.at_mm[1] < 52


@pytest.mark.parametrize("size_mm", [(20, 20), (44, 2)])
def test_print_of_a_card_that_nobody_knows_is_no_figure(room: FreeCamera, size_mm: tuple[int, int]) -> None:
    """Though it is in the paint of one and as large: it is part of something larger, or too thin."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last = reader.last_read()
    picture = last.picture.copy()
    scale = reader.flat.px_per_mm
    x, y = np.round(reader.flat.to_px(np.array([[-40.0, -20.0]]))[0]).astype(int)
    wide, deep = (round(one * scale) for one in size_mm)
    if deep > 4 * scale:
        cv2.rectangle(picture, (x - 10, y - 10), (x + 3 * wide, y + 2 * deep), paint_of("red"), -1)
    cv2.rectangle(picture, (x, y), (x + wide, y + deep), paint_of("green"), -1)
    solids = SolidFinder(PAINTS, room.studio.pose, reader.flat).find(picture, last.finds)

    assert solids is not None
    assert [each.name for each in solids if each.shape is Shape.MEEPLE] == []


def test_the_pattern_of_the_table_is_no_figure(room: FreeCamera) -> None:
    """What is as it was on the empty table hides no figure in the same paint either."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last, scale = reader.last_read(), reader.flat.px_per_mm
    picture, empty = last.picture.copy(), np.zeros(last.picture.shape[:2], np.uint8)
    for at in ((-60.0, -50.0), (60.0, -50.0)):
        x, y = np.round(reader.flat.to_px(np.array([at]))[0]).astype(int).tolist()
        wide, high = round(24 * scale), round(36 * scale)
        cv2.rectangle(picture, (x, y - high), (x + wide, y), paint_of("green"), -1)
        if at[0] > 0:
            cv2.rectangle(empty, (x, y - high), (x + wide, y), 1, -1)
    finder = SolidFinder(PAINTS, room.studio.pose, reader.flat)

    def figures(**known_of_table: Bools) -> list[float]:
        solids = finder.find(picture, last.finds, **known_of_table)
        assert solids is not None
        return [one.at_mm[0] for one in solids if one.name == "green"]

    # There is but one, and both are as plain.
    assert figures() == []
    (x_mm,) = figures(empty=np.asarray(empty > 0, np.bool_))
    assert -70 < x_mm < -30


def test_print_in_another_light_is_no_figure(room: FreeCamera) -> None:
    """A yellow tile that is darker in one place has still the hue of what is printed there."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last, scale = reader.last_read(), reader.flat.px_per_mm
    picture = last.picture.copy()
    x, y = np.round(reader.flat.to_px(np.array([[-8.0, 6.0]]))[0]).astype(int).tolist()
    lit = slice(y - round(24 * scale), y), slice(x, x + round(16 * scale))
    picture[lit] = coded(np.asarray(linear(picture[lit]) * 0.6 - 0.02, np.float32))
    yellow = KnownPaint(name="yellow", shape=Shape.MEEPLE, palette=shades_of(paint_of("yellow")))
    expected = Expected.of(picture, last.finds, np.ones(picture.shape[:2], np.bool_))
    solids = SolidFinder([yellow], room.studio.pose, reader.flat).find(picture, last.finds)

    assert expected is not None
    assert expected.strange[lit].mean() > 0.3
    assert solids is not None
    assert [one for one in solids if one.name == "yellow"] == []


def test_a_figure_in_the_hue_of_what_it_stands_on_is_told(room: FreeCamera) -> None:
    """Its lit part is plainly no print, the rest differs little from it."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last, scale = reader.last_read(), reader.flat.px_per_mm
    picture, ground = last.picture.copy(), last.picture.copy()
    x, y = np.round(reader.flat.to_px(np.array([[2.0, 8.0]]))[0]).astype(int).tolist()
    wide, high = round(16 * scale), round(24 * scale)
    body, lit = (slice(y - high, y), slice(x, x + wide)), (slice(y - high // 4, y), slice(x, x + wide))
    yellow = np.median(ground[y - high : y, x : x + wide].reshape(-1, 3), axis=0)
    picture[body] = np.clip(yellow + np.array((-4, 24, -2)), 0, 255)
    picture[lit] = np.clip(yellow + np.array((-8, 60, -60)), 0, 255)
    shades = [tuple(int(level) for level in picture[at]) for at in ((y - high + 2, x + 2), (y - 2, x + 2))]
    lime = KnownPaint(name="lime", shape=Shape.MEEPLE, palette=tuple(shades))
    solids = SolidFinder([lime], room.studio.pose, reader.flat).find(picture, last.finds)

    assert solids is not None
    (figure,) = (one for one in solids if one.name == "lime")
    assert math.dist(figure.at_mm, (10.0, 10.0)) < 10


@pytest.mark.parametrize("haze", [0.0, 0.25])
def test_far_lighter_than_print_of_its_hue_is_a_figure_but_for_a_mirrored_lamp(
    room: FreeCamera, haze: float
) -> None:
    """A red dragon on a dark red board is no print: no light makes that so much lighter and not paler."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last, scale = reader.last_read(), reader.flat.px_per_mm
    picture = last.picture.copy()
    x, y = np.round(reader.flat.to_px(np.array([[2.0, 8.0]]))[0]).astype(int).tolist()
    body = slice(y - round(24 * scale), y), slice(x, x + round(16 * scale))
    bright = linear(np.full((1, 1, 3), LIME, np.uint8))
    board, others = darkened(picture, last.finds, np.asarray(bright * 0.35, np.float32), scale)
    picture[body] = coded(np.asarray(bright + haze, np.float32))[0, 0]
    finds = [*others, board]
    lime = KnownPaint(name="lime", shape=Shape.MEEPLE, palette=shades_of(LIME))
    solids = SolidFinder([lime], room.studio.pose, reader.flat).find(picture, finds)

    assert solids is not None
    assert [one.name for one in solids if one.name] == ([] if haze else ["lime"])


def test_what_stands_where_a_mirrored_lamp_whitens_a_face_is_told(room: FreeCamera) -> None:
    """Nobody can see the print there, so all around looks strange; yet it is no larger thing."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last, scale = reader.last_read(), reader.flat.px_per_mm
    picture = last.picture.copy()
    dark = linear(np.full((1, 1, 3), (60, 60, 90), np.uint8))
    board, others = darkened(picture, last.finds, dark, scale)
    left, top, right, bottom = (
        round(float(one)) for way in (np.min, np.max) for one in way(board.corners(), axis=0)
    )
    lit = slice(top, bottom), slice((left + right) // 2, right)
    picture[lit] = coded(np.asarray(linear(picture[lit]) + 0.5, np.float32))
    high, at = bottom - round(10 * scale), (left + right) // 2 + round(4 * scale)
    picture[high - round(14 * scale) : high, at : at + round(12 * scale)] = paint_of("green")
    mask = board.evidence.mask.copy()
    mask[:, mask.shape[1] // 2 :] = False
    finds = [*others, replace(board, evidence=replace(board.evidence, mask=mask))]
    expected = Expected.of(picture, finds, np.ones(picture.shape[:2], np.bool_))
    crystal = KnownPaint(name="crystal", shape=Shape.GEM, palette=shades_of(paint_of("green")))
    solids = SolidFinder([crystal], room.studio.pose, reader.flat).find(picture, finds)

    assert expected is not None
    assert expected.strange[lit].mean() > 0.9
    assert solids is not None
    assert [one.name for one in solids if one.name] == ["crystal"]


@pytest.mark.parametrize("light", [1.0, 0.15])
def test_what_is_far_darker_than_any_shade_of_a_figure_is_none(room: FreeCamera, light: float) -> None:
    """The hue of a dark table is noise, wherever the bare one is not known."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last, scale = reader.last_read(), reader.flat.px_per_mm
    picture = last.picture.copy()
    x, y = np.round(reader.flat.to_px(np.array([[-60.0, -50.0]]))[0]).astype(int).tolist()
    wide, high = round(16 * scale), round(24 * scale)
    darkest = linear(np.array([[min(shades_of(paint_of("green")), key=sum)]], np.uint8))
    dark = coded(np.asarray(darkest * light, np.float32))[0, 0]
    cv2.rectangle(picture, (x, y - high), (x + wide, y), dark.tolist(), -1)
    solids = SolidFinder(PAINTS, room.studio.pose, reader.flat).find(picture, last.finds)

    assert solids is not None
    assert [one.name for one in solids if one.name] == (["green"] if light == 1.0 else [])


def test_a_plain_thing_in_the_paint_of_discs_is_no_heap(room: FreeCamera) -> None:
    """Between discs there are gaps."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last = reader.last_read()
    picture = last.picture.copy()
    x, y = np.round(reader.flat.to_px(np.array([[-40.0, -20.0]]))[0]).astype(int)
    cv2.rectangle(picture, (x, y), (x + 90, y + 50), paint_of("blue"), -1)
    solids = SolidFinder(PAINTS, room.studio.pose, reader.flat).find(picture, last.finds)

    assert solids is not None
    assert [one.name for one in solids] == []


@pytest.mark.parametrize("is_burnt", [True, False])
def test_beside_a_mirrored_lamp_nothing_white_is_told(room: FreeCamera, *, is_burnt: bool) -> None:
    """The table itself looks white there; elsewhere the same white circle is a disc."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    reader.read(np.asarray(room.frame(LaidTable(flat=TILES)), np.uint8))
    last, scale = reader.last_read(), reader.flat.px_per_mm
    picture = last.picture.copy()
    x, y = np.round(reader.flat.to_px(np.array([[-20.0, -50.0]]))[0]).astype(int).tolist()
    if is_burnt:
        cv2.circle(picture, (x + round(28 * scale), y), round(20 * scale), (255, 255, 255), -1)
    cv2.circle(picture, (x, y), round(6.5 * scale), (225, 228, 230), -1)
    white = KnownPaint(name="white", shape=Shape.DISC, palette=shades_of((225, 228, 230)))
    solids = SolidFinder([white], room.studio.pose, reader.flat).find(picture, last.finds)

    assert solids is not None
    there = [one for one in solids if math.dist(one.at_mm, (-20.0, -50.0)) < EDGE_MM]
    assert [one.name for one in there] == ([] if is_burnt else ["white"])


def test_where_nothing_changes_places_are_looked_at_once(room: FreeCamera) -> None:
    """Only about a disc that is taken away and another one that is laid down anything is looked at again."""
    asked: list[int] = []

    class Counting(SolidRecogniser):
        def chances(self, patches: Patches) -> Singles:
            asked.append(len(patches))
            return super().chances(patches)

    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    finder = SolidFinder(PAINTS, room.studio.pose, reader.flat, recogniser=Counting())
    lying = [disc("red", x, -50.0) for x in (-120.0, -90.0, 0.0, 60.0, 90.0, 120.0)]
    moved = [*lying[1:], disc("red", 20.0, 60.0)]

    def places(truth: Sequence[SolidPiece]) -> int:
        asked.clear()
        reader.read(np.asarray(room.frame(LaidTable(flat=TILES, solid=tuple(truth))), np.uint8))
        last = reader.last_read()
        solids = finder.find(last.picture, last.finds)
        assert solids is not None
        assert len([one for one in solids if one.name]) == len(truth)
        assert missed(solids, truth, 2.0) == []
        return sum(asked)

    first, same, other = places(lying), places(lying), places(moved)

    assert same == 0
    assert 0 < other < first / 2


def test_without_any_known_face_nobody_can_name_a_colour(room: FreeCamera) -> None:
    """The light is not known."""
    reader = FreeAreaReader(AREAS, [known(DOTTED), known(PLAIN)], room.studio.pose)
    picture = np.full((reader.flat.height_px, reader.flat.width_px, 3), 128, np.uint8)
    blank: Image = np.asarray(picture, np.uint8)

    assert SolidFinder(PAINTS, room.studio.pose, reader.flat).find(blank, ()) is None
