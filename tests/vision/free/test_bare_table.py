"""What a table looks like with nothing on it: learnt, kept in a profile, compared with a picture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera_pose import CameraPose
from calibration.profile import Profile, format_profile, parse_profile
from companion.errors import ProfileError
from companion.table_layout import Area, Arrangement, Content, around
from tests.helpers.readers import some_profile
from vision.arrays import Floats, Image, Picture8
from vision.free.bare_table import BareTable, learnt_ground
from vision.geometry.rectify import Flat, flat_maps, flatten
from vision.photometry.light import coded, linear
from vision.simulation.scenery import Viewpoint

AREAS = {
    "row": Area(outline_mm=around(0.0, 0.0, 240.0, 160.0), content=Content.CARDS, arrangement=Arrangement.ROW)
}
FLAT = Flat.around(-120.0, 120.0, -80.0, 80.0, 0.4, 0.4)


@pytest.fixture(scope="module", name="pose")
def camera() -> CameraPose:
    """A camera a little from the side."""
    return Viewpoint(tilt_deg=18).pose((1280, 720))


@pytest.fixture(scope="module", name="empty")
def photograph(pose: CameraPose) -> Image:
    """A cloth with coloured spots, as that camera sees it."""
    size = pose.lens.size_wh
    rng = np.random.default_rng(5)
    cloth = np.full((size[1], size[0], 3), (90, 60, 50), np.uint8)
    for x, y in rng.integers(0, (size[0], size[1]), (150, 2)).tolist():
        cv2.circle(cloth, (x, y), 22, rng.integers(40, 220, 3).tolist(), -1)
    return cloth


def knowing(pose: CameraPose, empty: Image) -> Profile:
    """Return a profile that knows this table."""
    record, packed = learnt_ground(empty, pose, AREAS)
    before = some_profile()
    return replace(before, ground=record, pictures={**before.pictures, record.picture: packed})


def above(pose: CameraPose, frame: Image) -> Picture8:
    """Return the window of a frame from straight above, reduced."""
    fine = Flat.around(-120.0, 120.0, -80.0, 80.0, 1.6, 0.4)
    whole = flatten(frame, flat_maps(pose, fine))
    return np.asarray(cv2.resize(whole, (FLAT.width_px, FLAT.height_px), interpolation=cv2.INTER_AREA))


def lit(picture: Image, light: Floats | float) -> Picture8:
    """Return a picture with so many times the light on it."""
    return coded(np.asarray(np.minimum(linear(np.asarray(picture, np.uint8)) * light, 1), np.float32))


@pytest.mark.parametrize("light", [1.0, 0.7])
def test_a_spotted_cloth_is_bare_and_a_card_is_not(pose: CameraPose, empty: Image, light: float) -> None:
    """In other light, too; what is lighter than the cloth there is told apart from a shadow."""
    ground = BareTable.of(knowing(pose, empty), FLAT)
    assert ground is not None
    frame = empty.copy()
    low, high = (pose.project(np.array([[x, y, 0.0]]))[0] for x, y in ((-30.0, 40.0), (30.0, -40.0)))
    cv2.rectangle(
        frame, np.round(low).astype(int).tolist(), np.round(high).astype(int).tolist(), (250,) * 3, -1
    )
    seen = above(pose, np.asarray(frame * light, np.uint8))
    card = np.zeros((FLAT.height_px, FLAT.width_px), np.bool_)
    corners = FLAT.to_px(np.array([[-22.0, 32.0], [22.0, -32.0]])).round().astype(int)
    card[corners[0][1] : corners[1][1], corners[0][0] : corners[1][0]] = True
    away = cv2.dilate(card.astype(np.uint8), np.ones((15, 15), np.uint8)) == 0

    is_bare, is_lighter = ground.compared(linear(seen), np.asarray(away, np.bool_))

    assert is_bare[away].mean() > 0.97
    assert is_lighter[away].mean() < 0.01
    assert not is_bare[card].any()
    assert is_lighter[card].all()


@pytest.mark.parametrize("dim", [1.0, 0.15])
def test_a_lamp_that_hangs_elsewhere_changes_nothing(pose: CameraPose, empty: Image, dim: float) -> None:
    """Half as light on one side as on the other, and where hardly a colour but one is seen at all."""
    dark = lit(empty, np.array([dim, dim, 1.0]) ** 2.2)
    ground = BareTable.of(knowing(pose, dark), FLAT)
    assert ground is not None
    width, height = pose.lens.size_wh
    falling = np.linspace(0.6, 1.1, width)[None, :, None] * np.linspace(1.0, 0.8, height)[:, None, None]
    seen = above(pose, lit(dark, falling**2.2))
    seen[10:40, 20:50] = 250
    everywhere = np.ones(seen.shape[:2], np.bool_)
    away = everywhere.copy()
    away[7:43, 17:53] = False

    is_bare, is_lighter = ground.compared(linear(seen), everywhere)

    assert is_bare[away].mean() > 0.97
    assert is_lighter[away].mean() < 0.01
    assert not is_bare[11:39, 21:49].any()


@pytest.mark.parametrize("paints", [((150, 170, 200), (6, 110, 105)), ((160, 190, 250), (30, 12, 40))])
def test_stripes_in_the_light_of_another_lamp_are_bare(
    pose: CameraPose, paints: tuple[tuple[int, ...], ...]
) -> None:
    """Though half of them hardly have a colour, or are nearly black, and the camera has stirred."""
    width, height = pose.lens.size_wh
    striped = np.zeros((height, width, 3), np.float32)
    for row in range(height):
        striped[row] = paints[row // 34 % 2]
    striped = np.asarray(cv2.GaussianBlur(striped, (0, 0), 1.5), np.float32)
    ground = BareTable.of(knowing(pose, lit(striped, 0.1)), FLAT)
    assert ground is not None
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    lamp = 0.9 * np.exp(-((x + 0.9) ** 2 + (y - 0.8) ** 2) / 1.2)[..., None] * (0.8, 0.9, 1.0)
    off = np.float32([[1, 0, 0.6], [0, 1, 1.2]])
    moved = cv2.warpAffine(striped, off, (width, height), borderMode=cv2.BORDER_REFLECT)
    seen = above(pose, lit(moved, 0.08 + lamp))
    everywhere = np.ones(seen.shape[:2], np.bool_)

    is_bare, is_lighter = ground.compared(linear(seen), everywhere)

    assert is_bare.mean() > 0.97
    assert is_lighter.mean() < 0.01


def test_what_is_burnt_out_in_a_balanced_picture_may_be_any_lighter(pose: CameraPose, empty: Image) -> None:
    """In a reddish light the lightest cloth loses some red; once white is balanced it seems to lack that."""
    ground = BareTable.of(knowing(pose, lit(empty, 0.3)), FLAT)
    assert ground is not None
    light = np.array([0.6, 0.7, 5.0])
    balance = np.asarray(1.5 / light, np.float32)
    seen = np.asarray(linear(above(pose, lit(empty, light))) * balance, np.float32)
    everywhere = np.ones(seen.shape[:2], np.bool_)

    is_bare, is_other = ground.compared(seen, everywhere, balance * 0.93)
    _, is_other_if_white = ground.compared(seen, everywhere)

    assert is_bare.mean() > 0.99
    assert is_other.mean() < 0.005
    assert is_other_if_white.mean() > 0.03


def test_where_a_lamp_burnt_the_table_out_it_is_bare_however_light_it_is_now(pose: CameraPose) -> None:
    """How much of the lamp's light fell there nobody knows; a card that is darker is told there as well."""
    width, height = pose.lens.size_wh
    rows, columns = np.mgrid[:height, :width] // 40 % 2
    checked = np.full((height, width, 3), 190, np.uint8)
    checked[(rows + columns) == 0] = (60, 50, 180)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    bright = (1 + 4 * np.exp(-((x - 0.3) ** 2 + y**2) / 0.03))[..., None]
    photographed = lit(checked, bright)
    ground = BareTable.of(knowing(pose, photographed), FLAT)
    assert ground is not None
    frame = lit(checked, 0.2 * bright)
    low, high = (pose.project(np.array([[x, y, 0.0]]))[0] for x, y in ((60.0, 30.0), (100.0, -30.0)))
    cv2.rectangle(
        frame, np.round(low).astype(int).tolist(), np.round(high).astype(int).tolist(), (25,) * 3, -1
    )
    card, near = (np.zeros((FLAT.height_px, FLAT.width_px), np.bool_) for _ in range(2))
    for marked, (x, y) in ((card, (18.0, 28.0)), (near, (24.0, 34.0))):
        (left, top), (right, bottom) = (
            FLAT.to_px(np.array([[80 - x, y], [80 + x, -y]])).round().astype(int).tolist()
        )
        marked[top:bottom, left:right] = True
    away = ~near

    is_bare, is_lighter = ground.compared(linear(above(pose, frame)), np.asarray(away, np.bool_))

    assert 0.1 < ground.was_burnt[away].mean() < 0.5
    assert is_bare[away].mean() > 0.97
    assert is_lighter[away].mean() < 0.01
    assert not is_bare[card].any()


@pytest.mark.parametrize("light", [1.0, 0.3])
def test_on_a_table_that_was_burnt_out_all_over_a_darker_card_is_told(pose: CameraPose, light: float) -> None:
    """A white cloth in a photograph that is much too light."""
    white = np.full((pose.lens.size_wh[1], pose.lens.size_wh[0], 3), 255, np.uint8)
    ground = BareTable.of(knowing(pose, white), FLAT)
    assert ground is not None
    seen = above(pose, lit(white, light))
    seen[10:40, 20:50] = seen[10:40, 20:50] * 0.7
    away = np.ones(seen.shape[:2], np.bool_)
    away[7:43, 17:53] = False

    is_bare, is_lighter = ground.compared(linear(seen), np.ones_like(away))

    assert ground.was_burnt.all()
    assert is_bare[away].mean() > 0.97
    assert not is_bare[11:39, 21:49].any()
    assert is_lighter[away].mean() < 0.01


def test_a_shadow_is_neither_bare_nor_lighter(pose: CameraPose, empty: Image) -> None:
    """What is darker than the table may be in a shadow."""
    ground = BareTable.of(knowing(pose, empty), FLAT)
    assert ground is not None
    seen = above(pose, empty)
    left = np.zeros(seen.shape[:2], np.bool_)
    left[:, : FLAT.width_px // 3] = True
    seen[left] = lit(seen, 0.2)[left]

    is_bare, is_lighter = ground.compared(linear(seen), ~left)

    assert is_bare[left].mean() < 0.05
    assert is_lighter[left].mean() < 0.01


def test_a_pale_card_on_a_plain_table_of_nearly_its_colour_is_not_bare(pose: CameraPose) -> None:
    """Even where it is dark, and the picture noisy: what the table itself is off by counts."""
    size = pose.lens.size_wh
    rng = np.random.default_rng(8)
    plain = np.full((size[1], size[0], 3), (100, 108, 118), np.uint8)
    ground = BareTable.of(knowing(pose, plain), FLAT)
    assert ground is not None
    frame = lit(plain, 0.6) + rng.normal(0, 3, plain.shape)
    (left, far), (right, near) = (
        pose.project(np.array([[x, y, 0.0]]))[0].round().astype(int) for x, y in ((-30, 40), (30, -40))
    )
    frame[far:near, left:right] *= np.array([1.05, 0.97, 1.0])
    seen = above(pose, np.asarray(np.clip(frame, 0, 255), np.uint8))
    card = np.zeros(seen.shape[:2], np.bool_)
    corners = FLAT.to_px(np.array([[-22.0, 32.0], [22.0, -32.0]])).round().astype(int)
    card[corners[0][1] : corners[1][1], corners[0][0] : corners[1][0]] = True
    away = cv2.dilate(card.astype(np.uint8), np.ones((15, 15), np.uint8)) == 0

    is_bare, is_other = ground.compared(linear(seen), np.ones_like(card))

    assert is_bare[away].mean() > 0.99
    assert is_other[away].mean() < 0.01
    assert is_bare[card].mean() < 0.25


def test_it_is_kept_in_the_profile(pose: CameraPose, empty: Image) -> None:
    """Written and read again it is the same; a profile without it knows none."""
    profile = knowing(pose, empty)
    again = parse_profile(format_profile(profile), profile.pictures)
    assert profile.ground == again.ground
    one, other = BareTable.of(profile, FLAT), BareTable.of(again, FLAT)
    assert one is not None
    assert other is not None
    assert np.array_equal(one.highest, other.highest)
    assert BareTable.of(some_profile(), FLAT) is None
    assert "ground" not in format_profile(some_profile())


def test_a_damaged_picture_is_told(pose: CameraPose, empty: Image) -> None:
    """No profile is used with half of what it knows."""
    profile = knowing(pose, empty)
    assert profile.ground is not None
    torn = replace(profile, pictures={**profile.pictures, profile.ground.picture: b"\x89PNG torn"})

    with pytest.raises(ProfileError, match=r"ground\.png is damaged"):
        BareTable.of(torn, FLAT)
    with pytest.raises(ProfileError, match=r"ground\.png is missing"):
        replace(profile, pictures=some_profile().pictures)


def test_too_little_of_the_table_is_no_measure(pose: CameraPose, empty: Image) -> None:
    """Where hardly anything lies bare, today's light is unknown and nothing is said."""
    ground = BareTable.of(knowing(pose, empty), FLAT)
    assert ground is not None
    is_bare, is_lighter = ground.compared(
        linear(above(pose, empty)), np.zeros((FLAT.height_px, FLAT.width_px), np.bool_)
    )

    assert not is_bare.any()
    assert not is_lighter.any()
