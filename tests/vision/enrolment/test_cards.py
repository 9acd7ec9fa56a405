"""Cards: learnt from photographs of them laid out, and the top of the discard pile read with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.profile import Profile
from calibration.store import load_profile, save_profile
from companion.errors import ProfileError
from companion.games.blue_moon_city.catalogue import CARDS
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Place
from companion.table_layout import around
from vision.enrolment.cards import learn_cards
from vision.faces.cutting import camera_pose_of
from vision.faces.scene import plane_of
from vision.pieces.face_library import FaceLibrary
from vision.pieces.pile import PileReader, PileReading, pile_area, pile_place
from vision.simulation.camera import SimulatedCamera
from vision.simulation.scenery import SCENERIES, HandPose

LAYOUT = table_layout()
BARE = Profile(edition="x", players=("a", "b"), layout=LAYOUT, faces=())
DISCARD = Place("discard")


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    """A camera over a table by lamplight."""
    return SimulatedCamera(LAYOUT, [], {}, seed=2)


@pytest.fixture(scope="module")
def profile(camera: SimulatedCamera) -> Profile:
    """All cards learnt."""
    return learn_cards(BARE, camera.frame({}), camera.card_photographs(CARDS), CARDS)


@pytest.fixture(scope="module")
def reader(profile: Profile) -> PileReader:
    """What reads the pile."""
    found = FaceLibrary(profile).pile
    assert found is not None
    return found


def read(reader: PileReader, frame: NDArray[np.uint8]) -> PileReading:
    """Read one frame."""
    view = camera_pose_of(frame, LAYOUT, "the frame")
    return reader.read(plane_of(frame, view, reader.flat), frame, view, LAYOUT)


def test_cards_are_named_in_reading_order(profile: Profile) -> None:
    """Every card is learnt, whole and the right way round."""
    assert [one.name for one in profile.cards] == list(CARDS)
    assert set(profile.pictures) == {f"card-{name}.png" for name in CARDS}


def test_a_profile_keeps_its_cards(profile: Profile, tmp_path: Path) -> None:
    """Saved and loaded it is the same."""
    save_profile(profile, tmp_path)
    assert load_profile(tmp_path) == profile


def test_a_wrong_number_of_cards_is_refused(camera: SimulatedCamera) -> None:
    """It is said how many cards are seen and how many were named."""
    with pytest.raises(ProfileError, match="show 2 cards, not 3"):
        learn_cards(BARE, camera.frame({}), camera.card_photographs(CARDS[:2]), CARDS[:3])


@pytest.mark.parametrize("room", SCENERIES)
def test_the_top_card_is_read_in_any_room(reader: PileReader, room: str) -> None:
    """Other tables, lights and angles: the card is named, surely."""
    viewpoint, scenery = SCENERIES[room]
    elsewhere = SimulatedCamera(LAYOUT, [], {}, seed=5, viewpoint=viewpoint, scenery=scenery)
    for card in CARDS[list(SCENERIES).index(room) :: 8]:
        top = read(reader, elsewhere.frame({DISCARD: card}, t=1)).top
        assert top is not None
        assert (top.face, top.confidence >= 0.99) == (card, True)


def test_nothing_is_claimed_of_an_empty_place_or_a_covered_card(
    reader: PileReader, camera: SimulatedCamera
) -> None:
    """Neither the bare table nor the deck's back is a card, and a hand hides one."""
    zone = LAYOUT.areas["discard"].around
    over = HandPose(tip_mm=(zone.x_mm - 10, zone.y_mm + 10), elbow_mm=(zone.x_mm + 200, -420))

    assert read(reader, camera.frame({})).top is None
    assert read(reader, camera.frame({DISCARD: "aqua-2"}, hand_pose=over)).top is None


def test_a_card_much_like_the_one_below_is_told(reader: PileReader, camera: SimulatedCamera) -> None:
    """Cards of one people lie in the same place one after the other; none left is told as well."""
    cards = ("pillar-1", "pillar-2", "pillar-2", "flit-1", "flit-2", "vulca-3", None)
    seen = [read(reader, camera.frame({} if card is None else {DISCARD: card})).top for card in cards]

    assert [None if top is None else top.face for top in seen] == list(cards)


def test_a_card_that_was_not_learnt_is_not_taken_for_another(
    camera: SimulatedCamera, profile: Profile
) -> None:
    """The players left one out: when it lies on top nothing is claimed."""
    for left_out in ("terrah-3", "mimix-1", "hoax-2"):
        cards = tuple(one for one in profile.cards if not one.name.startswith(left_out[:-2]))
        found = FaceLibrary(replace(profile, cards=cards)).pile
        assert found is not None
        assert read(found, camera.frame({DISCARD: left_out})).top is None


def test_where_the_piles_lie_is_data() -> None:
    """Deck and discard pile may be exchanged; a layout without a discard pile has none to read."""
    area = pile_area(LAYOUT)
    assert pile_place(LAYOUT) == "discard"
    for zone in (one.around for one in LAYOUT.areas.values()):
        assert abs(zone.x_mm - area.x_mm) <= area.width_mm / 2
        assert abs(zone.y_mm - area.y_mm) <= area.height_mm / 2
    alone = replace(LAYOUT.areas["discard"], outline_mm=around(1.0, 2.0, 44.0, 68.0))
    assert pile_area(replace(LAYOUT, areas={"top": alone})) == alone.around
    assert pile_place(replace(LAYOUT, areas={"top": alone})) == "top"


def test_piles_on_two_sides_of_the_tiles_are_not_looked_for_between_them() -> None:
    """The window would hold the whole city: the discard pile is looked for in its own place."""
    deck = replace(LAYOUT.areas["deck"], outline_mm=around(-222.0, 40.0, 44.0, 68.0))
    apart = replace(LAYOUT, areas={**LAYOUT.areas, "deck": deck})

    assert pile_area(apart) == LAYOUT.areas["discard"].around


def test_a_layout_of_decks_alone_has_no_pile_to_read() -> None:
    """Backs say nothing."""
    alone = replace(LAYOUT.areas["discard"], outline_mm=around(1.0, 2.0, 44.0, 68.0))
    assert pile_place(replace(LAYOUT, areas={"deck": replace(alone, is_face_up=False)})) is None
