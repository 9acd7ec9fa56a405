"""Whether two faces look exactly alike."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Image
from vision.enrolment.face_likeness import FaceLook, are_alike, look_of

SIZE_MM = (59.0, 91.0)
WH = (177, 273)


def face(seed: int) -> Image:
    """A face with a picture of its own."""
    dice = np.random.default_rng(seed)
    small = dice.integers(30, 220, (13, 9, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(small, WH, interpolation=cv2.INTER_CUBIC), np.uint8)


def look(image: Image, *, slip: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0) -> FaceLook:
    """How a face looks that was cut out a little off, in other light, with noise."""
    matrix = cv2.getRotationMatrix2D((WH[0] / 2, WH[1] / 2), turn_deg, 1.0)
    matrix[:, 2] += slip
    cut = cv2.warpAffine(image, matrix, WH, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    noisy = cut * (0.95, 1.0, 1.04) + np.random.default_rng(9).normal(0, 2.5, cut.shape)
    return look_of(np.asarray(np.clip(noisy, 0, 255), np.uint8), np.ones(WH[::-1], np.bool_), SIZE_MM)


def test_copies_of_a_face_look_alike() -> None:
    """Cut out two millimetres off, a little turned."""
    image = face(1)

    assert are_alike(look(image), look(image))
    assert are_alike(look(image), look(image, slip=(6.0, -5.0), turn_deg=0.5))


def test_other_faces_do_not() -> None:
    """Nor does one with one dot of another colour, three millimetres across."""
    image, dotted = face(1), face(1)
    for picture, colour in ((image, (40, 40, 200)), (dotted, (40, 190, 40))):
        cv2.circle(picture, (90, 150), 5, colour, -1, cv2.LINE_AA)

    assert not are_alike(look(image), look(face(2)))
    assert not are_alike(look(image), look(dotted, slip=(2.0, 1.0)))
    assert are_alike(look(image), look(image, slip=(2.0, 1.0)))


def test_faces_of_which_hardly_the_same_part_was_seen_are_not_called_alike() -> None:
    """Glare hid the one's left and the other's right half."""
    halves = []
    for columns in (slice(0, 88), slice(88, None)):
        valid = np.zeros(WH[::-1], np.bool_)
        valid[:, columns] = True
        halves.append(look_of(face(1), valid, SIZE_MM))

    assert not are_alike(*halves)
