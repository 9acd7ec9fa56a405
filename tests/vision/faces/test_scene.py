"""The city from above, redrawn where it has changed."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose, Lens
from companion.games.blue_moon_city.layout import table_layout
from vision.capture.image_pyramid import ImagePyramid
from vision.faces.scene import Plane, Surveyor, Window
from vision.simulation.art import OBELISK

LAYOUT = table_layout()
TURN = cv2.Rodrigues(np.array([np.pi - 0.4, 0.05, 0.02]))[0]
EYE = np.array([10.0, -250.0, 640.0])


def view(width: int) -> CameraPose:
    """A camera over the table whose frames are so wide."""
    height = width * 9 // 16
    lens = Lens(
        size_wh=(width, height), focal_px=0.9 * width, centre_px=(width / 2, height / 2), k1=-0.05, k2=0.0
    )
    return CameraPose(lens=lens, rotation=cv2.Rodrigues(TURN)[0].ravel(), shift=-TURN @ EYE, error_px=0.0)


def frame(width: int, seed: int = 0, *, spots: tuple[str, ...] = (), light: float = 1.0) -> NDArray[np.uint8]:
    """A frame of some pattern, with a camera's noise, and a white marker in the middle of some cells."""
    y, x = np.mgrid[: width * 9 // 16, :width] * 1280 / width
    pattern = (110 + 50 * np.sin(x / 31) * np.cos(y / 23)) * light
    noise = np.random.default_rng(seed).normal(0, 3, (*pattern.shape, 3))
    shown = np.asarray(np.clip(pattern[..., None] + noise, 0, 255), np.uint8)
    camera = view(width)
    for cell in spots:
        at = camera.project(np.array([[*LAYOUT.cells[cell], LAYOUT.pieces.tile_thickness_mm]]))[0]
        cv2.circle(shown, (round(at[0]), round(at[1])), max(round(5 * width / 1100), 2), (250, 252, 251), -1)
    return shown


def differences(one: Plane, other: Plane, middle: tuple[int, int], reach: int) -> list[bool]:
    """Whether two planes differ around a place: in their pictures, softened, and in what is blind."""
    part = tuple(slice(max(at - reach, 0), at + reach) for at in reversed(middle))
    pairs = (one.picture, other.picture), (one.soft, other.soft), (one.blind, other.blind)
    return [bool((first[part] != second[part]).any()) for first, second in pairs]


def changes(window: Window, frames: Sequence[np.ndarray]) -> list[set[str]]:  # type: ignore[type-arg]
    """What changes in a window, frame after frame."""
    read, found = None, []
    for one in frames:
        changed, read = window.changed(ImagePyramid(one), read)
        found.append(set(changed))
    return found


@pytest.mark.parametrize("width", [640, 1280, 2560])
def test_a_marker_is_a_change_of_its_cell(width: int) -> None:
    """Whatever the size of the frames, noise is no change, and a marker changes its cell alone, once."""
    shown = [
        frame(width),
        frame(width, 1),
        frame(width, 2, light=0.9),
        frame(width, 3, spots=("1,3",)),
        frame(width, 4, spots=("1,3",)),
    ]

    assert changes(Surveyor(LAYOUT, view(width)).city, shown) == [
        set(LAYOUT.cells),
        set(),
        set(),
        {"1,3"},
        set(),
    ]


def test_only_what_was_asked_for_is_drawn_anew() -> None:
    """Around the cells named all is as if the whole were redrawn; far from them it is as it was."""
    surveyor = Surveyor(LAYOUT, view(1280))
    first, second = frame(1280), frame(1280, 1, spots=("1,3", "3,0"))
    drawn = surveyor.draw_city(first)
    before, kept = drawn.plane, drawn.plane.picture.copy()
    redrawn = surveyor.draw_city(second, drawn, ["1,3", "2,3"])
    after, whole = redrawn.plane, surveyor.draw_city(second).plane
    near, far = (
        tuple(round(one) for one in surveyor.flat.to_px(np.array(LAYOUT.cells[cell])).tolist())
        for cell in ("1,3", "3,0")
    )

    assert differences(after, whole, near, 65) == [False, False, False]
    assert differences(after, before, near, 65)[:2] == [True, True]
    assert differences(after, before, far, 50) == [False, False, False]
    assert (before.picture == kept).all()
    assert surveyor.draw_city(second, redrawn, []) is redrawn


def test_glare_that_has_gone_is_forgotten() -> None:
    """What was burnt out is seen again in the frame in which its cell is drawn anew."""
    surveyor = Surveyor(LAYOUT, view(1280))
    burnt = frame(1280)
    middle = view(1280).project(np.array([[*LAYOUT.cells["2,2"], 2.0]]))[0]
    cv2.circle(burnt, (round(middle[0]), round(middle[1])), 40, (255, 255, 255), -1)

    drawn = surveyor.draw_city(burnt)
    elsewhere = surveyor.draw_city(frame(1280, 1), drawn, ["0,1"])

    assert drawn.plane.blind.any()
    assert elsewhere.plane.blind.any()
    assert not surveyor.draw_city(frame(1280, 1), elsewhere, ["2,2"]).plane.blind.any()


def test_a_board_is_watched_where_there_is_one() -> None:
    """The obelisk's board is news once, and when something is put on it."""
    surveyor = Surveyor(replace(LAYOUT, board=OBELISK), view(1280))
    area = OBELISK.area
    other = frame(1280, 1)
    x, y = view(1280).project(np.array([[area.x_mm, area.y_mm, 0.0]]))[0].round().astype(int).tolist()
    inside = 8 <= x < 1272 and 8 <= y < 712
    assert inside
    cv2.circle(other, (x, y), 8, (0, 0, 250), -1)

    assert surveyor.board is not None
    assert list(map(bool, changes(surveyor.board, (frame(1280), frame(1280, 2), other)))) == [
        True,
        False,
        True,
    ]


def test_a_frame_is_halved_as_often_as_asked() -> None:
    """Halves of halves are kept, and a frame of one pixel stays one."""
    halved = ImagePyramid(frame(640))

    assert [halved.times(count).shape for count in (2, 0, 1)] == [(90, 160, 3), (360, 640, 3), (180, 320, 3)]
    assert halved.times(1) is halved.times(1)
    assert ImagePyramid(np.zeros((1, 1, 3), np.uint8)).times(3).shape == (1, 1, 3)
