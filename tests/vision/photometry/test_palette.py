"""Paints told apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.photometry.palette import NOTHING, Palette, is_light, paint_of, shades_of

PAINTS = {"purple": (150, 45, 90), "white": (245, 248, 250), "orange": (40, 128, 245), "red": (45, 42, 200)}
PALETTE = Palette([(name, shades_of(paint)) for name, paint in PAINTS.items()])


@pytest.mark.parametrize("name", list(PAINTS))
@given(level=st.floats(0.45, 1.2))
def test_a_paint_is_known_in_shade_and_in_light(name: str, level: float) -> None:
    """Half the light or more does not change the name."""
    light = np.clip((np.array(PAINTS[name]) / 255) ** 2.2 * level, 0, 1) ** (1 / 2.2)
    label = int(PALETTE.label(light[None].astype(np.float32))[0])

    assert name == PALETTE.names[label]


def test_a_colour_between_two_paints_may_be_either() -> None:
    """It has the name of one of them; what is near to none may be none."""
    orange, red = (list(PAINTS).index(name) for name in ("orange", "red"))
    light = [(np.array(PAINTS[name]) / 255) ** 2.2 for name in ("orange", "red")]
    mixed = [(light[0] * (1 - share) + light[1] * share) ** (1 / 2.2) for share in np.linspace(0, 1, 21)]
    colours = np.array([*mixed, (0.1, 0.75, 0.1)], np.float32)
    names, may_be = PALETTE.label(colours), PALETTE.alike(colours)

    assert (may_be[:-1] >> names[:-1] & 1 == 1).all()
    assert may_be[0] & 1 << red == may_be[20] & 1 << orange == may_be[-1] == 0
    assert {1 << orange | 1 << red} <= set(may_be.tolist())


def test_parchment_and_black_are_nobody() -> None:
    """What is no paint gets no name."""
    others = np.array([[0.1, 0.75, 0.1], [0.9, 0.9, 0.1]], np.float32)

    assert (PALETTE.label(others) == NOTHING).all()


def test_the_paint_of_many_pixels_is_the_commonest() -> None:
    """Edges and shadows among the samples do not spoil it."""
    rng = np.random.default_rng(1)
    body = np.array([0.6, 0.18, 0.35]) + rng.normal(0, 0.02, (200, 3))
    rim = rng.uniform(0, 1, (60, 3))
    paint = paint_of(np.concatenate([body, rim]).astype(np.float32))

    assert paint is not None
    assert np.abs(np.array(paint) / 255 - (0.6, 0.18, 0.35)).max() < 0.06


def test_a_shadow_on_the_ground_is_no_paint() -> None:
    """A white body throws a green shadow on green ground, and that is more colourful."""
    rng = np.random.default_rng(2)
    ground = np.tile(np.array([0.3, 0.45, 0.25]), (300, 1))
    sides, top = np.full((160, 3), 0.55), np.full((60, 3), 0.9)
    seen = np.concatenate([sides, top, ground[:80] * 0.5]) + rng.normal(0, 0.01, (300, 3))
    paint = paint_of(seen.astype(np.float32), ground=ground.astype(np.float32))

    assert paint is not None
    assert np.abs(np.array(paint) / 255 - 0.9).max() < 0.05


def test_few_pixels_tell_nothing() -> None:
    """A handful of pixels is no sample."""
    assert paint_of(np.zeros((5, 3), np.float32)) is None


def test_white_is_light_and_orange_is_not() -> None:
    """Only nearly colourless bright paints are light."""
    assert is_light(PAINTS["white"])
    assert not any(is_light(PAINTS[name]) for name in ("purple", "orange", "red"))


@pytest.mark.parametrize("name", ["purple", "red"])
@given(level=st.floats(0.6, 1.0), gloss=st.floats(0.008, 0.014))
def test_a_paint_learnt_in_the_shade_is_known_in_the_light(name: str, level: float, gloss: float) -> None:
    """Where the tiles shine and the pieces do not it is learnt dim, with some of the room that it mirrors."""
    light = (np.array(PAINTS[name]) / 255) ** 2.2
    dull = [round(float(one)) for one in 255 * (light * 0.38 + gloss) ** (1 / 2.2)]
    palette = Palette([("learnt", shades_of((dull[0], dull[1], dull[2])))])
    seen = (light * level) ** (1 / 2.2)

    assert int(palette.label(seen[None].astype(np.float32))[0]) == 0


def test_no_paint_is_taken_so_bright_that_it_turns_into_another() -> None:
    """Orange in more light than full light would be yellow."""
    yellow = np.array([[52, 228, 255]], np.float32) / 255
    palette = Palette([("orange", shades_of(PAINTS["orange"]))])

    assert int(palette.label(yellow)[0]) == NOTHING
