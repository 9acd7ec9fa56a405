"""Light undone and glare told from white pieces."""

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.photometry.light import LightGrid, coded, edges, glare, is_colourless, linear, step_at

RNG = np.random.default_rng(3)
KNOWN = RNG.uniform(0.05, 0.9, (900, 3)).astype(np.float32)
GRID = np.stack(np.meshgrid(np.linspace(-1, 1, 30), np.linspace(-1, 1, 30)), axis=-1)
PLACES = GRID.reshape(-1, 2).astype(np.float32)
WHERE = np.column_stack([np.ones(900, np.float32), PLACES])


@given(st.integers(0, 255))
def test_linear_light_and_code_undo_each_other(value: int) -> None:
    """Every picture value survives."""
    assert value == int(coded(linear(np.full((1, 1, 3), value, np.uint8)))[0, 0, 0])


@given(st.integers(20, 220))
def test_a_step_of_a_level_is_so_much_light(value: int) -> None:
    """Between a level and those beside it."""
    below, at, above = linear(np.array([[[value - 1, value, value + 1]]], np.uint8))[0, 0]
    assert below + 0.9 * float(step_at(at)) < at < above - 0.9 * float(step_at(at))


@given(st.floats(0.3, 1.5), st.floats(0.3, 1.5), st.floats(-0.2, 0.2), st.floats(0, 0.1))
def test_light_is_undone(blue: float, red: float, slope: float, haze: float) -> None:
    """A tinted, uneven, hazy light over a third of foreign pixels is taken away again."""
    gain = np.array([blue, 0.8, red]) * (1 + slope * PLACES[:, :1])
    seen = (KNOWN * gain + haze).astype(np.float32)
    seen[:300] = RNG.uniform(0, 1, (300, 3))
    fit = LightGrid(PLACES).fit(KNOWN.T.copy(), seen.T.copy(), np.ones(900, np.float32), rounds=8)
    shown = (seen - fit.haze_at(WHERE)) / fit.gain_at(WHERE)
    off = np.abs(shown[300:] - KNOWN[300:])

    assert np.median(off) < 0.03


def test_edges_do_not_know_how_bright_it_is() -> None:
    """Half the light gives nearly the same edge field."""
    gray = RNG.uniform(40, 200, (60, 60)).astype(np.float32)

    assert np.abs(edges(gray, 9) - edges(gray * 0.5 + 20, 9)).mean() < 0.01


def test_glare_is_large_and_a_white_cube_is_not() -> None:
    """A burnt patch the size of a piece still counts as seen."""
    picture = np.full((200, 200, 3), 120, np.uint8)
    picture[20:33, 20:33] = 255
    picture[100:160, 100:160] = 255
    found = glare(picture, least_px=1000)

    assert not found[:60, :60].any()
    assert found[130, 130]


def test_a_night_camera_has_no_colours() -> None:
    """Grey pictures, packed or not, are colourless; a dim warm one is not."""
    rng = np.random.default_rng(3)
    grey = np.repeat(rng.integers(20, 200, (240, 320, 1)), 3, axis=2).astype(np.uint8)
    packed = np.asarray(cv2.imdecode(cv2.imencode(".jpg", grey)[1], cv2.IMREAD_COLOR), np.uint8)
    warm = np.asarray(grey * np.array([0.85, 0.95, 1.0]), np.uint8)

    assert is_colourless(grey)
    assert is_colourless(packed)
    assert not is_colourless(warm)


@given(st.floats(0.6, 1.25))
def test_a_bright_picture_of_a_face_tells_the_same_light_as_a_dim_one(exposure: float) -> None:
    """A camera presses bright light together; read as it stands, that looks like haze over the face."""
    light = KNOWN * exposure
    pressed = np.where(light < 0.7, light, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.3))
    seen = linear(np.rint(255 * pressed ** (1 / 2.2)).astype(np.uint8).reshape(-1, 1, 3))[:, 0]
    found = LightGrid(PLACES).fit(KNOWN.T.copy(), seen.T.copy(), np.ones(len(KNOWN), np.float32))

    assert np.abs(found.haze_at(WHERE.astype(np.float32))).max() < 0.03
    assert np.abs(found.gain_at(WHERE.astype(np.float32)) / exposure - 1).max() < 0.1
