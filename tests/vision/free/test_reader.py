"""Cards and tiles that lie free, read from drawn tables whose truth is known exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from companion.free_faces import FreeFace, FreeReading, Side
from companion.table_layout import Area, Arrangement, Content, Fiducial, around
from tests.helpers.readers import some_profile
from vision.arrays import Picture8
from vision.free.bare_table import BareTable, learnt_ground
from vision.free.known_faces import KnownFace, decks_of
from vision.free.peeling import Peeling
from vision.free.reader import FreeAreaReader
from vision.geometry.rectify import Flat
from vision.simulation.free_camera import FlatPiece, FreeCamera, LaidTable, SolidPiece
from vision.simulation.printed_faces import FaceArtwork, FacePrint
from vision.simulation.scenery import Scenery, Viewpoint

CODES = tuple(
    Fiducial(id=i, x_mm=x, y_mm=y, edge_mm=40.0)
    for i, (x, y) in enumerate(((-260.0, 150.0), (260.0, 150.0), (260.0, -150.0), (-260.0, -150.0)))
)
CARD_MM = (60.0, 90.0)
ARTWORK = FaceArtwork(11)
PRINTS = [FacePrint(name=f"card-{n}", number=str(n % 5)) for n in range(12)]
BACK = FacePrint(name="back", is_back=True)
AREAS = {
    "row": Area(
        outline_mm=around(0.0, 60.0, 420.0, 100.0), content=Content.CARDS, arrangement=Arrangement.ROW
    ),
    "pile": Area(
        outline_mm=around(120.0, -70.0, 70.0, 100.0), content=Content.CARDS, arrangement=Arrangement.PILE
    ),
    "free": Area(
        outline_mm=around(-80.0, -70.0, 280.0, 140.0), content=Content.CARDS, arrangement=Arrangement.FREE
    ),
}


def known(what: FacePrint) -> KnownFace:
    """Return a face as an enrolment photograph would show it."""
    picture = cv2.resize(ARTWORK.face(what, CARD_MM), (180, 270), interpolation=cv2.INTER_AREA)
    side = Side.BACK if what.is_back else Side.FACE
    return KnownFace(
        name=what.name,
        side=side,
        picture=np.asarray(picture, np.uint8),
        width_mm=CARD_MM[0],
        height_mm=CARD_MM[1],
    )


def card(what: FacePrint, x: float, y: float, *, turn: float = 0.0, top: float = 0.3) -> FlatPiece:
    """Return a card that lies there."""
    return FlatPiece(
        key=f"{what.name}@{x:.0f},{y:.0f}",
        face=what,
        x_mm=x,
        y_mm=y,
        turn_deg=turn,
        width_mm=CARD_MM[0],
        height_mm=CARD_MM[1],
        top_mm=top,
    )


TABLE = LaidTable(
    flat=(
        card(PRINTS[0], -150, 62, turn=4),
        card(PRINTS[1], -70, 58, turn=178),
        card(PRINTS[2], 20, 60, turn=-2),
        card(PRINTS[3], 100, 66, turn=1),
        card(PRINTS[4], 118, 60, turn=-1, top=0.7),
        card(PRINTS[5], -140, -70, turn=75),
        card(PRINTS[6], 120, -70, top=6.0, turn=2),
        card(BACK, -40, -72, turn=3),
    ),
    solid=(SolidPiece(key="disc", shape="disc", colour=(180, 80, 40), x_mm=30.0, y_mm=75.0),),
)


@pytest.fixture(scope="module")
def room() -> FreeCamera:
    """A camera over a table, a little from the side."""
    return FreeCamera(CODES, ARTWORK, seed=3, viewpoint=Viewpoint(tilt_deg=18), scenery=Scenery())


def reader(
    room: FreeCamera, prints: Sequence[FacePrint] = PRINTS, areas: Mapping[str, Area] = AREAS
) -> FreeAreaReader:
    """Return a reader of the areas that knows these faces and the back."""
    faces = [known(one) for one in (*prints, BACK)]
    return FreeAreaReader(areas, faces, room.studio.pose, codes=CODES)


def knowing_table(room: FreeCamera) -> Profile:
    """Return a profile that knows the empty table."""
    record, packed = learnt_ground(room.frame(LaidTable(flat=())), room.studio.pose, AREAS)
    before = some_profile()
    return replace(before, ground=record, pictures={**before.pictures, record.picture: packed})


@pytest.fixture(scope="module")
def reading(room: FreeCamera) -> FreeReading:
    """What is read of the whole table."""
    return reader(room).read(room.frame(TABLE))


def named(reading: FreeReading, name: str) -> FreeFace:
    """Return the one face with this name."""
    (face,) = (one for one in reading.faces if one.name == name)
    return face


def test_every_card_is_named_where_it_lies(reading: FreeReading) -> None:
    assert sorted(str(one.name) for one in reading.faces) == sorted(one.face.name for one in TABLE.flat)
    for piece in TABLE.flat:
        face = named(reading, piece.face.name)
        assert np.hypot(face.x_mm - piece.x_mm, face.y_mm - piece.y_mm) < 2.0
        if face.side is Side.FACE:
            assert abs((face.turn_deg - piece.turn_deg + 180) % 360 - 180) < 1.5
        assert face.confidence > 0.95


def test_each_lies_in_its_area(reading: FreeReading) -> None:
    assert {one.name for one in reading.in_area("row")} == {f"card-{n}" for n in range(5)}
    assert [one.name for one in reading.in_area("pile")] == ["card-6"]
    assert {one.name for one in reading.in_area("free")} == {"card-5", "back"}


def test_the_upper_card_is_over_the_lower_one(reading: FreeReading) -> None:
    lower, upper = named(reading, "card-3"), named(reading, "card-4")
    assert upper.over == (lower.order,)
    assert lower.order < upper.order
    assert lower.visible_share < 0.5 < 0.9 < upper.visible_share


@pytest.mark.parametrize("beyond", [0, 56])
def test_where_pieces_are_edge_to_edge_none_is_half_under_another(room: FreeCamera, beyond: int) -> None:
    """What seems to be so is not named; all that is apart is. So it is `beyond` the area's edge, mm."""
    table = LaidTable(
        flat=(
            card(PRINTS[0], -150, 62 + beyond),
            card(PRINTS[1], -60, 60 + beyond),
            card(PRINTS[2], -28, 62 + beyond, top=0.7),
            card(PRINTS[3], 100, 66 + beyond),
        )
    )
    grid = {**AREAS, "row": replace(AREAS["row"], arrangement=Arrangement.GRID)}
    apart, loose = (reader(room, areas=areas).read(room.frame(table)) for areas in (grid, AREAS))

    assert {f"card-{n}" for n in (0, 1, 2, 3)} == {one.name for one in loose.faces}
    assert {f"card-{n}" for n in (0, 2, 3)} == {one.name for one in apart.faces if one.name is not None}


def test_a_card_that_was_not_learnt_is_not_taken_for_another(room: FreeCamera) -> None:
    found = reader(room, PRINTS[6:]).read(room.frame(TABLE))
    sure = [one for one in found.faces if one.confidence > 0.9]
    assert {one.name for one in sure if one.side is not Side.UNKNOWN} == {"card-6", "back"}


def test_a_card_that_nobody_can_name_is_something_that_lies_there(room: FreeCamera) -> None:
    found = reader(room, PRINTS[6:]).read(room.frame(TABLE))
    strangers = [one for one in TABLE.flat if one.face in PRINTS[:6]]
    unnamed = [one for one in found.faces if one.side is Side.UNKNOWN]
    assert unnamed
    for one in unnamed:
        assert min(np.hypot(one.x_mm - each.x_mm, one.y_mm - each.y_mm) for each in strangers) < 6.0


def test_a_gap_between_cards_is_no_card_where_the_empty_table_is_known(room: FreeCamera) -> None:
    """The edges of cards all around it are its outline."""
    around_it = ((-61.0, 0.0), (61.0, 0.0), (0.0, 91.0), (0.0, -91.0))
    table = LaidTable(flat=tuple(card(PRINTS[n], x, y) for n, (x, y) in enumerate(around_it)))

    def in_gap(ground: Callable[[Flat], BareTable | None]) -> list[FreeFace]:
        faces = [known(one) for one in (*PRINTS, BACK)]
        found = FreeAreaReader(AREAS, faces, room.studio.pose, codes=CODES, ground=ground).read(
            room.frame(table)
        )
        assert {one.name for one in found.faces if one.name} == {f"card-{n}" for n in range(4)}
        return [one for one in found.faces if np.hypot(one.x_mm, one.y_mm) < 20]

    assert not in_gap(partial(BareTable.of, knowing_table(room)))
    assert [one.side for one in in_gap(lambda _: None)] == [Side.UNKNOWN]


def test_of_the_next_frame_only_what_changed_is_read(room: FreeCamera) -> None:
    one = reader(room)
    before = one.read(room.frame(TABLE))
    moved = replace(TABLE.flat[2], x_mm=10.0, y_mm=52.0, turn_deg=9.0, face=PRINTS[8])
    table = replace(TABLE, flat=(*TABLE.flat[:2], moved, *TABLE.flat[3:]), solid=())
    after = one.read(room.frame(table, t=1.0))
    face = named(after, "card-8")
    assert np.hypot(face.x_mm - 10.0, face.y_mm - 52.0) < 2.0
    assert "card-2" not in {other.name for other in after.faces}
    for name in ("card-0", "card-5", "card-6", "back"):
        assert abs(named(after, name).x_mm - named(before, name).x_mm) < 0.3


@pytest.mark.parametrize("arrangement", [Arrangement.GRID, Arrangement.FREE])
def test_on_a_card_that_nothing_may_lie_over_no_other_one_is_looked_for(
    room: FreeCamera, monkeypatch: pytest.MonkeyPatch, arrangement: Arrangement
) -> None:
    """A disc that was laid on it is no news of faces; where cards may lie anywhere it may be one."""
    table = replace(AREAS["free"], outline_mm=around(0.0, 0.0, 420.0, 240.0), arrangement=arrangement)
    reads = reader(room, areas={"table": table})
    cards = LaidTable(flat=(card(PRINTS[0], -100, 20, turn=4), card(PRINTS[2], 60, 10, turn=-2)))
    disc = SolidPiece(key="disc", shape="disc", colour=(180, 80, 40), x_mm=-96.0, y_mm=26.0, width_mm=24.0)
    reads.read(room.frame(cards))
    looked = list[object]()
    peel = Peeling.peel

    def noted(peeling: Peeling, *arguments: Any) -> None:
        looked.append(arguments)
        peel(peeling, *arguments)

    monkeypatch.setattr(Peeling, "peel", noted)
    reading = reads.read(room.frame(replace(cards, solid=(disc,))))

    assert {one.name for one in reading.faces if one.name} == {"card-0", "card-2"}
    assert bool(looked) == (arrangement is not Arrangement.GRID)


@pytest.mark.parametrize("many", [6, 8])
def test_every_back_of_a_fan_is_found(room: FreeCamera, many: int) -> None:
    """Of all but one only a strip is seen, each turned against the one before."""
    fan = [
        card(BACK, 24.0 * at - 12.0 * many, 60, turn=3.5 * ((many - 1) / 2 - at), top=0.3 * (at + 1))
        for at in range(many)
    ]

    found = reader(room).read(room.frame(LaidTable(flat=tuple(fan))))

    at = sorted(one.x_mm for one in found.faces if one.side is Side.BACK)
    assert at == pytest.approx([one.x_mm for one in fan], abs=3.0)


def test_print_of_the_strips_of_a_fan_is_no_piece(room: FreeCamera) -> None:
    """They may lie a little off. Upon the card that is seen whole a piece may stand."""
    fan = [card(BACK, 16.0 * at - 48.0, 60, turn=3.5 * (2 - at), top=0.3 * (at + 1)) for at in range(5)]
    reads = reader(room)
    reads.read(room.frame(LaidTable(flat=tuple(fan))))

    last = reads.last_read()

    assert len(last.finds) == len(fan)
    assert [one.mean(axis=0).tolist() for one in last.strips] == [
        one.corners().mean(axis=0).tolist() for one in last.finds[:-1]
    ]


def test_a_card_between_two_others_is_read(room: FreeCamera) -> None:
    """It shows no corner, and the lowest is known only once it is."""
    row = [
        card(PRINTS[7], -60, 60, top=0.3),
        card(PRINTS[8], -30, 61, top=0.6),
        card(PRINTS[9], -1, 60, top=0.9),
    ]
    found = reader(room).read(room.frame(LaidTable(flat=(*row,), solid=())))

    assert sorted(str(one.name) for one in found.faces) == ["card-7", "card-8", "card-9"]


def with_paper(
    room: FreeCamera, x_mm: float, y_mm: float, edge_mm: float, table: LaidTable = TABLE
) -> Picture8:
    """Return a picture of a table with a sheet of plain paper on it."""
    half = edge_mm / 2
    corners = np.array(
        [(x_mm + x * half, y_mm + y * half, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    frame = room.frame(table).copy()
    at = np.round(room.studio.pose.project(corners)).astype(np.int32)
    cv2.fillConvexPoly(frame, at, (60, 200, 60))
    return frame


@pytest.mark.parametrize("off_mm", [0.0, 4.0])
def test_what_lay_there_before_something_hid_it_lies_there_still(room: FreeCamera, off_mm: float) -> None:
    """Too little of it is seen beside another card to name it anew, but it lies exactly where it lay.

    Covered, it is not told, and `off_mm` away it is not what lay there.
    """
    before = LaidTable(flat=(card(PRINTS[7], -80, -70, turn=3),))
    after = room.frame(
        LaidTable(
            flat=(
                card(PRINTS[7], -80 + off_mm, -70, turn=3),
                card(PRINTS[6], -80 + off_mm, -84, turn=3, top=0.7),
            )
        )
    )
    one = reader(room)
    one.read(room.frame(before))
    covered = one.read(with_paper(room, -80, -70, 150, before))

    assert covered.faces == ()
    assert [face.name for face in reader(room).read(after).faces] == ["card-6"]
    assert [face.name for face in one.read(after).faces] == ["card-7", "card-6"][off_mm > 0 :]


def test_what_was_named_elsewhere_since_lies_there_no_more(room: FreeCamera) -> None:
    """A card that was taken from under a hand is the one that lies where it was laid."""
    before, after = (LaidTable(flat=(card(PRINTS[5], x, -70, turn=3),)) for x in (-150.0, 0.0))
    one = reader(room)
    one.read(room.frame(before))
    one.read(with_paper(room, -150, -70, 130, before))
    one.read(with_paper(room, -150, -70, 130, after))
    found = one.read(room.frame(after))

    assert [face.x_mm for face in found.faces if face.name == "card-5"] == pytest.approx([0.0], abs=2.0)


def test_what_hides_the_table_is_told_by_where_it_is(room: FreeCamera) -> None:
    one = reader(room)
    stood = [(30.0, 75.0, 13.0)]
    one.read(room.frame(TABLE))
    assert one.hidden(one.residual(stood)) == ()

    one.forget()
    one.read(with_paper(room, 30.0, -90.0, 70.0))
    hidden = one.hidden(one.residual(stood))

    assert any(np.hypot(x - 30.0, y + 90.0) < 10.0 for x, y in hidden)
    assert all(abs(x - 30.0) < 45.0 and abs(y + 90.0) < 45.0 for x, y in hidden)


@pytest.mark.parametrize("at_hand", [True, False])
def test_what_may_be_a_shadow_is_a_card_beside_those_of_a_hand(room: FreeCamera, *, at_hand: bool) -> None:
    """Elsewhere it is one."""
    faces = [known(one) for one in (*PRINTS, BACK)]
    one = FreeAreaReader(
        AREAS, faces, room.studio.pose, codes=CODES, ground=partial(BareTable.of, knowing_table(room))
    )
    hand = (card(BACK, -20.0, 60.0, top=0.3), card(BACK, 0.0, 60.0, top=0.6))
    frame = room.frame(LaidTable(flat=hand)).copy()
    x = hand[1].x_mm + hand[1].width_mm / 2 + (14.0 if at_hand else 110.0)
    corners = np.array(
        [(x + right, 60.0 + away, 0.0) for right, away in ((-13, -40), (13, -40), (13, 40), (-13, 40))]
    )
    shade = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(shade, np.round(room.studio.pose.project(corners)).astype(np.int32), 1)
    frame[shade > 0] = frame[shade > 0] * 0.6

    found = one.read(np.asarray(frame, np.uint8))

    assert [face.side for face in found.faces] == [Side.BACK] * 2
    hidden = one.hidden(one.residual())
    assert any(abs(point[0] - x) < 15.0 and abs(point[1] - 60.0) < 40.0 for point in hidden) is at_hand


def test_where_a_card_lies_that_nobody_can_name_nothing_is_hidden(room: FreeCamera) -> None:
    one = reader(room, PRINTS[6:])
    found = one.read(room.frame(TABLE))
    unnamed = [face for face in found.faces if face.side is Side.UNKNOWN]
    assert unnamed

    hidden = one.hidden(one.residual())

    for face in unnamed:
        assert all(np.hypot(x - face.x_mm, y - face.y_mm) > 20.0 for x, y in hidden)


def test_what_is_near_an_arm_is_told(room: FreeCamera) -> None:
    """Parts of tiles that it hides may show there."""
    here = reader(room)
    here.read(np.asarray(room.frame(LaidTable(flat=())), np.uint8))
    hands = np.zeros(here.residual().shape, np.bool_)
    nowhere = here.are_beside(hands, np.array([[0.0, 0.0]]))
    row, column = (np.round(here.flat.to_px(np.array([[0.0, 0.0]]))[0][::-1]) // 4).astype(int).tolist()
    hands[row, column] = True
    beside = here.are_beside(hands, np.array([[0.0, 0.0], [30.0, 0.0], [80.0, 0.0]]))

    assert nowhere.tolist() == [False]
    assert beside.tolist() == [True, True, False]


def test_what_is_supposed_to_lie_there_is_taken_as_found(room: FreeCamera) -> None:
    """The next frame is shown with it, and nothing is looked for."""
    reads = reader(room)
    reads.read(room.frame(TABLE))
    before, number = reads.last_read(), reads.number
    reads.suppose(np.asarray(room.frame(LaidTable()), np.uint8), before.finds[:1])
    after = reads.last_read()

    assert reads.number == number + 1
    assert after.finds == before.finds[:1]
    assert np.abs(after.picture.astype(int) - before.picture).max() > 50


@pytest.mark.parametrize(("distance_mm", "times"), [(702.0, 0), (620.0, 1)])
def test_after_a_bump_faces_are_prepared_again_only_if_they_look_larger(
    distance_mm: float, times: int
) -> None:
    """They take longest to prepare; read is what lies there either way."""
    first, bumped = (
        FreeCamera(
            CODES, ARTWORK, seed=3, viewpoint=Viewpoint(tilt_deg=tilt, distance_mm=far), scenery=Scenery()
        )
        for tilt, far in ((12.0, 700.0), (12.6, distance_mm))
    )
    faces = [known(one) for one in (*PRINTS, BACK)]
    before = FreeAreaReader(AREAS, faces, first.studio.pose, codes=CODES)
    with patch("vision.free.reader.decks_of", wraps=decks_of) as prepared:
        after = FreeAreaReader(AREAS, faces, bumped.studio.pose, codes=CODES, before=before)

    assert prepared.call_count == times
    found = after.read(np.asarray(bumped.frame(TABLE), np.uint8)).faces
    assert sorted(str(one.name) for one in found) == sorted(one.face.name for one in TABLE.flat)
