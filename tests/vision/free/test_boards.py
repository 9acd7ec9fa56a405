"""Boards, of which there is one each, found on a drawn table however they are turned."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.free_faces import FreeFace, Side
from companion.table_layout import Area, Arrangement, Content, Fiducial, around
from companion.table_pieces import FacePrint
from vision.arrays import Picture8
from vision.free.boards import BoardFinder
from vision.free.confidence import confidence_of
from vision.free.known_faces import KnownFace
from vision.free.reader import FreeAreaReader
from vision.simulation.free_camera import FlatPiece, FreeCamera, LaidTable, SolidPiece
from vision.simulation.printed_faces import FaceArtwork, paint_of
from vision.simulation.scenery import Scenery, Viewpoint

ARTWORK = FaceArtwork(11)
WHEEL = FacePrint(name="wheel", family="wheel", board="wheel")
TRACKS = FacePrint(name="tracks", family="tracks", board="tracks")
TILE = FacePrint(name="tile", ground="red", number="4", groups=(("blue", "yellow"),))
SIZES_MM = {"wheel": (150.0, 150.0), "tracks": (220.0, 60.0), "tile": (43.0, 43.0)}
AREAS = {
    "table": Area(
        outline_mm=around(0.0, 0.0, 360.0, 200.0), content=Content.TILES, arrangement=Arrangement.FREE
    )
}
CODES = tuple(
    Fiducial(id=i, x_mm=x, y_mm=y, edge_mm=40.0)
    for i, (x, y) in enumerate(((-220.0, 130.0), (220.0, 130.0), (220.0, -130.0), (-220.0, -130.0)))
)


@pytest.fixture(scope="module")
def room() -> FreeCamera:
    """Return a camera that looks down at an angle."""
    viewpoint = Viewpoint(tilt_deg=18, distance_mm=680)
    return FreeCamera(CODES, ARTWORK, seed=8, viewpoint=viewpoint, scenery=Scenery())


def known(what: FacePrint) -> KnownFace:
    """Return a face as it is learnt."""
    width, height = SIZES_MM[what.name]
    size = round(width * 3), round(height * 3)
    picture = cv2.resize(ARTWORK.face(what, (width, height)), size, interpolation=cv2.INTER_AREA)
    return KnownFace(
        name=what.name,
        side=Side.FACE,
        picture=np.asarray(picture, np.uint8),
        width_mm=width,
        height_mm=height,
        is_round=what.board == "wheel",
    )


def laid(what: FacePrint, x: float, y: float, turn: float) -> FlatPiece:
    """Return a face that lies there."""
    width, height = SIZES_MM[what.name]
    return FlatPiece(
        key=what.name, face=what, x_mm=x, y_mm=y, turn_deg=turn, width_mm=width, height_mm=height, top_mm=2.0
    )


def frame(room: FreeCamera, *flat: FlatPiece, solid: tuple[SolidPiece, ...] = ()) -> Picture8:
    """Return a picture of a table."""
    return np.asarray(room.frame(LaidTable(flat=flat, solid=solid)), np.uint8)


def reader_of(room: FreeCamera, *boards: FacePrint) -> FreeAreaReader:
    """Return what reads a table with these boards, and with tiles."""
    faces = [known(one) for one in (*boards, TILE)]
    return FreeAreaReader(AREAS, faces, room.studio.pose, boards={one.name for one in boards})


def off(face: FreeFace, piece: FlatPiece) -> tuple[float, float]:
    """Return how far a face is from where it lies, mm and degrees."""
    turn = (face.turn_deg - piece.turn_deg + 180) % 360 - 180
    return float(np.hypot(face.x_mm - piece.x_mm, face.y_mm - piece.y_mm)), abs(turn)


@pytest.mark.parametrize("turn", [0.0, 37.0, 161.0, -100.0])
@pytest.mark.parametrize("what", [WHEEL, TRACKS], ids=["round", "long"])
def test_a_board_is_found_in_any_turn(room: FreeCamera, what: FacePrint, turn: float) -> None:
    """With discs upon it and a tile beside it, which is found as well."""
    board, tile = laid(what, -30.0, 10.0, turn), laid(TILE, 120.0, 5.0, 12.0)
    discs = tuple(
        SolidPiece(key=name, name=name, shape="disc", colour=paint_of(name), x_mm=x, y_mm=12.0, lowest_mm=2.0)
        for name, x in (("red", -60.0), ("blue", -10.0))
    )
    found = {one.name: one for one in reader_of(room, what).read(frame(room, board, tile, solid=discs)).faces}

    assert {what.name, "tile"} == found.keys()
    for piece in (board, tile):
        far, turned = off(found[piece.face.name], piece)
        assert far < 3.0
        assert turned < 2.0


def test_where_no_board_lies_none_is_told(room: FreeCamera) -> None:
    """Though it is looked for everywhere."""
    reading = reader_of(room, WHEEL, TRACKS).read(frame(room, laid(TILE, 60.0, 0.0, 5.0)))
    assert ["tile"] == [one.name for one in reading.faces]


def test_a_board_is_known_again_and_found_where_it_was_moved_to(room: FreeCamera) -> None:
    """A disc upon it changes what is seen of it; when it is pushed, it lies elsewhere."""
    reader, tile = reader_of(room, WHEEL), laid(TILE, 130.0, 30.0, 0.0)
    disc = SolidPiece(
        key="disc", name="red", shape="disc", colour=paint_of("red"), x_mm=-50.0, y_mm=0.0, lowest_mm=2.0
    )
    before = laid(WHEEL, -30.0, 0.0, 20.0)
    after = laid(WHEEL, -55.0, 8.0, 48.0)
    for board, discs in ((before, ()), (before, (disc,)), (after, ())):
        found = {one.name: one for one in reader.read(frame(room, board, tile, solid=discs)).faces}
        assert {"wheel", "tile"} == found.keys()
        assert max(off(found["wheel"], board)) < 3.0


def test_a_board_that_is_laid_later_is_found(room: FreeCamera) -> None:
    """Or that an arm hid while the rest of the table was read."""
    reader, tile = reader_of(room, WHEEL), laid(TILE, 130.0, 30.0, 0.0)
    board = laid(WHEEL, -30.0, 0.0, 20.0)
    told = [[one.name for one in reader.read(frame(room, *flat)).faces] for flat in ((tile,), (tile, board))]

    assert ["tile"] == told[0]
    assert {"tile", "wheel"} == set(told[1])


def test_a_board_that_a_mirrored_lamp_whitens_is_told_by_its_print(room: FreeCamera) -> None:
    """Most of it is nearly white, by more in the middle than at its ends; a tile beside it is named."""
    board, tile = laid(TRACKS, -30.0, 10.0, 20.0), laid(TILE, 120.0, 5.0, 12.0)
    picture = frame(room, board, tile)
    haze = np.zeros(picture.shape[:2], np.float32)
    middle = room.studio.pose.project(np.array([[-30.0, 10.0, 2.0]]))[0]
    cv2.circle(haze, (round(float(middle[0])), round(float(middle[1]))), 130, 0.8, -1)
    haze = np.asarray(cv2.GaussianBlur(haze, (0, 0), 25), np.float32)[..., None]
    hazy = np.asarray(picture * (1 - haze) + 235 * haze, np.uint8)
    found = {one.name: one for one in reader_of(room, TRACKS).read(hazy).faces}

    assert {"tracks", "tile"} == found.keys()
    assert max(off(found["tracks"], board)) < 3.0


@pytest.mark.parametrize("end_mm", [-90.0, 90.0])
def test_where_a_lamp_whitens_an_end_of_a_board_its_lines_are_not_mistaken(
    room: FreeCamera, end_mm: float
) -> None:
    """They run along the board, so that it would look much the same a hand's width further on."""
    board = laid(TRACKS, -30.0, 10.0, 0.0)
    picture = frame(room, board)
    haze = np.zeros(picture.shape[:2], np.float32)
    lit = room.studio.pose.project(np.array([[-30.0 + end_mm, 10.0, 2.0]]))[0]
    cv2.circle(haze, (round(float(lit[0])), round(float(lit[1]))), 60, 0.97, -1)
    haze = np.asarray(cv2.GaussianBlur(haze, (0, 0), 25), np.float32)[..., None]
    hazy = np.asarray(picture * 0.35 * (1 - haze) + 235 * haze, np.uint8)
    (found,) = reader_of(room, TRACKS).read(hazy).faces

    assert max(off(found, board)) < 3.0


def test_a_strip_of_print_at_the_edge_of_a_picture_is_no_board() -> None:
    """However like it is, in whatever colours: something else may have such lines."""
    finder = BoardFinder([known(TRACKS)], 1.5, confidence_of)
    picture = np.full((300, 500, 3), (120, 150, 160), np.uint8)
    picture[150:240, 80:410] = cv2.resize(known(TRACKS).picture, (330, 90), interpolation=cv2.INTER_AREA)
    (before,) = finder.find(picture, 0.5)
    strip = np.ascontiguousarray(picture[:176])
    strip[150:] = strip[150:] * 0.3 + 150

    assert finder.find_again(picture, before, 0.5) is not None
    assert finder.find_again(strip, before, 0.5) is None
