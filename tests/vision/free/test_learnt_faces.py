"""Faces in a profile of a game whose pieces lie anywhere."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.profile import FaceRecord, Profile
from companion.errors import ProfileError
from companion.free_faces import Side
from companion.games.urbion.layout import table_layout
from vision.arrays import Image
from vision.capture.pictures import packed_face
from vision.free.learnt_faces import known_faces_of


def profile(picture: Image, valid: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> Profile:
    """A profile of one back."""
    record = FaceRecord(name="back-dream", picture="face.png", width_mm=59.0, height_mm=91.0, is_back=True)
    return Profile(
        edition="urbion",
        players=(),
        layout=table_layout(),
        faces=(record,),
        pictures={"face.png": packed_face("back-dream", picture, valid)},
    )


@pytest.fixture
def picture() -> Image:
    """Some print, 3 px a millimetre."""
    return np.random.default_rng(1).integers(0, 256, (273, 177, 3), np.uint8)


def test_a_face_comes_back_as_it_was_kept(picture: Image) -> None:
    """Name, side, size and every pixel."""
    (face,) = known_faces_of(profile(picture, np.ones(picture.shape[:2], np.bool_)))

    assert ("back-dream", Side.BACK, (59.0, 91.0)) == (face.name, face.side, face.size_mm)
    assert (picture == face.picture).all()


def test_what_was_not_seen_has_the_colour_of_the_rest(picture: Image) -> None:
    """Glare is no print."""
    valid = np.ones(picture.shape[:2], np.bool_)
    valid[:50] = False
    picture[valid] = (10, 20, 30)
    (face,) = known_faces_of(profile(picture, valid))

    assert (face.picture == (10, 20, 30)).all()


def test_a_picture_of_other_proportions_is_damaged(picture: Image) -> None:
    """It is refused before it is decoded, however large it claims to be."""
    one = profile(picture, np.ones(picture.shape[:2], np.bool_))
    narrow = replace(one, faces=(replace(one.faces[0], width_mm=80.0),))

    with pytest.raises(ProfileError, match=r"face\.png"):
        known_faces_of(narrow)
