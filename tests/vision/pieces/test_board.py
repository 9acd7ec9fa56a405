"""The board with boxes, seen by a camera that hangs low."""

from collections.abc import Collection, Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.layout import table_layout
from companion.observation import Observation
from companion.table import Picture, Place, place
from vision.enrolment.enrol import enrol
from vision.pieces.marker_recogniser import BoxChances, MarkerRecogniser
from vision.reader import Reader
from vision.simulation.camera import SimulatedCamera
from vision.simulation.printed_tiles import PIECE_COLOURS, tile_arts
from vision.simulation.scenery import HandPose, Scenery, Viewpoint
from vision.training.drawn_frames import learnt
from vision.training.tables import RandomTable

PLAYERS = ("purple", "white")
BOXES = {place("board", number) for number in range(13)}
FREE_BOXES = {place("board", number) for number in range(6, 13)}


def test_markers_side_by_side_are_no_hand_however_low_the_camera() -> None:
    """Leaning over each other they are seen as one large thing; each is read, and an arm is still told."""
    camera = SimulatedCamera(
        table_layout(),
        tile_arts(COMPONENTS.tiles),
        {name: PIECE_COLOURS[name] for name in PLAYERS},
        viewpoint=Viewpoint(tilt_deg=46, azimuth_deg=80, distance_mm=860, hfov_deg=64),
        scenery=Scenery(stray_mm=3.5),
        seed=3,
    )
    profile = enrol(
        camera.enrolment().photographs(),
        camera.layout,
        edition="bench",
        players=PLAYERS,
        boxes_of_tile=GAME.boxes_of_tile,
    )
    tiles = zip(camera.layout.cells, GAME.boxes_of_tile, strict=False)
    table: Picture = {place("cell", cell): f"{tile}/sketch" for cell, tile in tiles}
    table |= {place("obelisk", number): PLAYERS[0] for number in range(13)}
    frame = camera.frame(table, t=1.0)
    reader = Reader(profile)
    seen = reader.read(frame, seq=0, seen_at_s=0.0, source="test")
    claimed = {at: one.value for at, one in seen.sightings.items() if at.startswith("obelisk")}

    assert not seen.busy
    assert claimed
    assert all(value == table[at] for at, value in claimed.items())
    board = camera.layout.board
    assert board is not None
    x, y = board.area.x_mm, board.area.y_mm
    reach = np.array([(x + dx, y + dy, 2.0) for dx in (-60, 12) for dy in (-12, 12)])
    corners = camera.pose.project(reach)[[0, 1, 3, 2]]
    arm = frame.copy()
    cv2.fillConvexPoly(arm, np.round(corners).astype(np.int32), (120, 150, 205))
    assert reader.read(arm, seq=1, seen_at_s=1.0, source="test").busy


@cache
def profile_of(number: int) -> Profile:
    """What is learnt of a drawn table."""
    profile = learnt(RandomTable.of(number))
    assert profile is not None
    return profile


def read_without_and_with_an_arm(
    number: int, evening: int, free: Collection[Place]
) -> tuple[Observation, Picture, Observation]:
    """Return what is read of a drawn table whose board has these boxes `free`, and what lies there."""
    table = RandomTable.of(number)
    room = table.evening(evening)
    camera, reader = room.camera(seed=3), Reader(profile_of(number))
    drawn = next(room.positions(1, seed=1))
    picture: Picture = {at: None if at in free else value for at, value in drawn.items()}
    beside = reader.read(camera.frame(picture, t=0.0), seq=0, seen_at_s=0.0, source="test")
    board = table.layout.board
    assert board is not None
    x, y = board.area.x_mm, board.area.y_mm
    arm = HandPose(tip_mm=(x, y), elbow_mm=(x, y - 400))
    reader.forget()
    frame = camera.frame(picture, hand_pose=arm, t=1.0)
    return beside, picture, reader.read(frame, seq=1, seen_at_s=1.0, source="test")


def test_the_table_around_a_round_board_is_no_hand() -> None:
    """It lies elsewhere than where it was learnt; an arm over some of its boxes is told all the same."""
    beside, picture, under = read_without_and_with_an_arm(93005, 3, frozenset())
    read = [at for at in picture if at.startswith("board") and at in beside.sightings]

    assert not beside.busy
    assert len(read) == 13
    assert all(beside.sightings[at].value == picture[at] for at in read)
    assert under.busy


def test_another_table_in_the_notches_of_a_board_is_no_hand() -> None:
    """All boxes of a spire are read; where an arm hides all but its end, at most that is told."""
    beside, picture, under = read_without_and_with_an_arm(90208, 1, FREE_BOXES)
    read = [at for at in picture if at.startswith("board") and at in beside.sightings]
    claimed = {at: one.value for at, one in under.sightings.items() if at in BOXES}

    assert not beside.busy
    assert len(read) == 13
    assert all(beside.sightings[at].value == picture[at] for at in read)
    assert under.busy or all(at in FREE_BOXES and value is None for at, value in claimed.items())


def test_tall_markers_side_by_side_are_no_hand_whatever_their_colour() -> None:
    """Their tops are lit, their sides in the shade, and little of them is as bright as it was learnt."""
    room = RandomTable.of(90212).evening(3)
    paid = {place("board", number) for number in (2, 3)}
    picture: Picture = {
        at: ("two" if at in paid else None) if at in BOXES else value
        for at, value in next(room.positions(1, seed=1)).items()
    }
    seen = Reader(profile_of(90212)).read(
        room.camera(seed=3).frame(picture, t=0.0), seq=0, seen_at_s=0.0, source="test"
    )

    assert not seen.busy
    assert all(seen.sightings[at].value == picture[at] for at in BOXES)


def test_a_board_full_of_markers_is_read_where_it_lay() -> None:
    """Of its print hardly anything is left to be seen; it has not moved since there was more."""
    table = RandomTable.of(90208)
    room, owners = table.evening(1), list(table.players)
    camera, reader = room.camera(seed=3), Reader(profile_of(90208))
    drawn = next(room.positions(1, seed=1))
    for count in (0, 7, 13):
        owned = {place("board", n): owners[n % len(owners)] if n < count else None for n in range(13)}
        reader.forget(but_tiles=True)
        frame = camera.frame({**drawn, **owned}, t=float(count))
        seen = reader.read(frame, seq=count, seen_at_s=float(count), source="test")
        claimed = {at: one.value for at, one in seen.sightings.items() if at in BOXES}

        assert claimed == owned
        assert not seen.busy


@pytest.mark.parametrize(("owner", "hidden"), [(0.9, 0.0), (0.3, 0.6)])
def test_what_the_board_likely_shows_is_told_beside_the_claims(
    monkeypatch: pytest.MonkeyPatch, owner: float, hidden: float
) -> None:
    """A marker that is not sure enough may be asked about, and its box is hardly free."""

    def chances(_: MarkerRecogniser, boxes: Sequence[object]) -> list[BoxChances]:
        rest = 1 - owner - hidden
        return [BoxChances(owners=(owner, rest, 0.0), bare=0.0, hidden=hidden) for _ in boxes]

    room = RandomTable.of(90208).evening(1)
    picture = {at: None if at in BOXES else one for at, one in next(room.positions(1, seed=1)).items()}
    monkeypatch.setattr(MarkerRecogniser, "chances", chances)
    frame = room.camera(seed=3).frame(picture, t=0.0)
    seen = Reader(profile_of(90208)).read(frame, seq=0, seen_at_s=0.0, source="test")
    likely = {at: (one.value, one.confidence) for at, one in seen.likely.items() if at in BOXES}
    taken = {at for at, values in seen.denied.items() if at in BOXES and None in values}

    assert not BOXES & seen.sightings.keys()
    assert likely == (dict.fromkeys(BOXES, ("one", owner)) if owner > hidden else {})
    assert taken == (BOXES if owner > hidden else set())
