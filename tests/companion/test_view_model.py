"""The words between a game's room and the window."""

from __future__ import annotations

import pytest

from companion.games.blue_moon_city.presenter import CityPresenter
from companion.view_model import CameraView, CounterView, differences
from tests.helpers.city import city_after


@pytest.mark.parametrize(
    ("low", "high", "text"), [(3, 3, "3"), (0, 4, "0–4"), (0, 5, "?"), (9, 18, "9–18"), (9, 19, "?")]
)
def test_a_counter_reads_as_number_or_range(low: int, high: int, text: str) -> None:
    """A known number is one figure, an unknown one its bounds."""
    assert text == CounterView(name="cards", label="Cards", low=low, high=high).text


@pytest.mark.parametrize(("low", "high", "text"), [(30, 56, "30–56"), (30, 57, "?"), (27, 27, "27")])
def test_bounds_that_say_nothing_are_unknown(low: int, high: int, text: str) -> None:
    """Apart by more than a third of all there are, a range says nothing; a known number always does."""
    counter = CounterView(name="cards", label="Cards", low=low, high=high, most=80)

    assert text == counter.text
    assert counter.is_unknown == (text == "?")


def test_a_picture_with_missing_rows_is_refused() -> None:
    """The bytes of a picture must be exactly width times height times three."""
    with pytest.raises(ValueError, match="no 4x2 picture"):
        CameraView(width=4, height=2, bgr=b"\0" * 23)


def test_differences_never_tell_a_secret() -> None:
    """What changed between two tables is told, crystals excepted."""
    before, after = (CityPresenter().present(city_after(steps)) for steps in (10, 150))
    told = differences(before, after)

    assert told
    assert not any("Crystals" in line for line in told)
    assert () == differences(after, after)
