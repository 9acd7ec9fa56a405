"""What a box may hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.profile import PieceRecord
from companion.errors import ProfileError
from tests.vision.pieces.test_markers import BOX, printed, residuals
from vision.faces.residuals import Residual
from vision.pieces.box_measures import SeenBox
from vision.pieces.face_library import piece_palette
from vision.pieces.marker_recogniser import CLAIMED, CLAIMED_BARE, BoxChances, MarkerRecogniser
from vision.pieces.markers import box_features

RED = PieceRecord(kind="marker", name="red", palette=((40, 40, 200), (20, 20, 120)))
BLUE = PieceRecord(kind="marker", name="blue", palette=((200, 60, 40), (120, 30, 20)))
COLOURS = {"red": (40, 40, 200), "blue": (200, 60, 40)}


def face(marker: tuple[int, int, int] | None) -> Residual:
    """A printed face with a marker on its box, or none."""
    picture = printed()
    if marker is not None:
        x, y = (round(at) for at in BOX.centre)
        picture[y - 6 : y + 7, x - 6 : x + 7] = marker
    return residuals(printed(), picture)


def seen(owner: str | None, known: tuple[PieceRecord, ...] = (RED, BLUE)) -> SeenBox:
    """A box with somebody's marker, measured by one who knows some markers."""
    found = face(None if owner is None else COLOURS[owner])
    look = box_features(found, [BOX], piece_palette(known), len(known))[0]
    return SeenBox(face=found, place=BOX, look=look, picture=np.zeros((96, 96, 3), np.uint8))


@st.composite
def anything(draw: st.DrawFn) -> BoxChances:
    """Chances that add up to 1."""
    weights = np.array(draw(st.lists(st.floats(0.001, 1), min_size=5, max_size=5)))
    one, other, bare, hidden, _ = (weights / weights.sum()).tolist()
    return BoxChances(owners=(one, other), bare=bare, hidden=hidden)


@given(anything())
def test_what_is_claimed_is_likely(chances: BoxChances) -> None:
    """And likelier than anything else."""
    claim = chances.claim(("red", "blue"))
    if claim is None:
        assert chances.bare < CLAIMED_BARE
        assert max(chances.owners) < CLAIMED
        return
    value, sure = claim
    assert sure >= (CLAIMED_BARE if value is None else CLAIMED)
    assert sure == (chances.bare if value is None else chances.owners[("red", "blue").index(value)])


@given(anything(), st.floats(0, 1))
def test_what_a_piece_may_hide_is_claimed_less(chances: BoxChances, in_sight: float) -> None:
    """As surely as nothing hides it, at most."""
    claim, whole = chances.claim(("red", "blue"), in_sight=in_sight), chances.claim(("red", "blue"))

    assert claim is None or (whole is not None and claim[0] == whole[0] and claim[1] == whole[1] * in_sight)


@pytest.mark.parametrize("owner", ["red", "blue"])
def test_markers_are_told_apart(owner: str) -> None:
    """Each is its owner's, and a box without one is bare."""
    recogniser = MarkerRecogniser([RED, BLUE])
    marked, bare = recogniser.chances([seen(owner), seen(None)])

    assert marked.owner == ["red", "blue"].index(owner)
    assert marked.owners[marked.owner] > 0.9
    assert bare.bare > 0.9


def test_light_and_dark_of_one_hue_are_never_claimed() -> None:
    """More light falls on one place than on another: the dark player's marker may be the light player's."""
    dark = PieceRecord(kind="marker", name="dark", palette=((27, 27, 140), (14, 14, 84)))
    other = PieceRecord(kind="marker", name="blue", palette=BLUE.palette)
    apart, alike = (
        MarkerRecogniser([RED, one]).chances([seen("red", (RED, one))])[0] for one in (other, dark)
    )

    assert apart.claim(("red", "other")) == ("red", apart.owners[0])
    assert alike.claim(("red", "other")) is None
    assert alike.marker == pytest.approx(apart.marker, abs=0.02)
    assert alike.likeliest(("red", "dark"))[0] == "red"


def test_a_marker_that_was_not_learnt_is_nobody_s() -> None:
    """Where a player's marker is unknown, one may be theirs."""
    known, doubtful = (
        MarkerRecogniser([RED], are_all=are_all).chances([seen("blue", (RED,))])[0]
        for are_all in (True, False)
    )

    assert doubtful.owners[0] < known.owners[0]
    assert doubtful.marker == pytest.approx(known.marker)
    assert doubtful.claim(("red",)) is None


def test_without_models_nobody_can_tell() -> None:
    """As when there are none yet."""
    recogniser = MarkerRecogniser([RED, BLUE], folder=None)

    assert recogniser.chances([seen(None)]) == [BoxChances(owners=(0.0, 0.0), bare=0.0, hidden=1.0)]
    assert recogniser.chances([]) == []


def test_missing_models_are_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    """By their name."""
    with pytest.raises(ProfileError, match="box_fill"):
        MarkerRecogniser([RED], folder=tmp_path_factory.mktemp("empty"))
