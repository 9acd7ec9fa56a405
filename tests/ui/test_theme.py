"""Colours, and the signs beside them."""

from __future__ import annotations

import pytest
from PyQt6.QtGui import QColor

from companion.games.blue_moon_city.catalogue import DRAGONS, PEOPLES
from companion.view_model import Mark
from ui.theme import KINDS, SEAT_SHAPES, THEMES, Theme, ink_on, player_colour


def luminance(colour: QColor) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = [value / 255 for value in (colour.red(), colour.green(), colour.blue())]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2, 1 to 21."""
    light, dark = sorted((luminance(QColor(one)), luminance(QColor(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_text_is_readable(theme: Theme) -> None:
    """Text stands out from what it lies on by 7 to 1, soft text by 4.5 to 1; each mark has a colour."""
    assert contrast(theme.text, theme.panel) >= 7
    assert contrast(theme.text, theme.window) >= 7
    assert contrast(theme.soft, theme.panel) >= 4.5
    assert contrast(theme.paper_ink, theme.paper) >= 7
    assert set(Mark) == set(dict(theme.marks))


def test_every_kind_has_a_sign_of_its_own() -> None:
    """Peoples are told apart without colour: no two share a letter, nor do two dragons."""
    assert len(PEOPLES) == len({KINDS[people].sign for people in PEOPLES} - {""})
    assert len(DRAGONS) == len({KINDS[dragon].sign for dragon in DRAGONS} - {""})
    assert all(contrast(look.fill, look.ink) >= 3.0 for look in KINDS.values())
    assert len(SEAT_SHAPES) == len(set(SEAT_SHAPES)) >= 4


@pytest.mark.parametrize("player", ["purple", "White", " red ", "Людмила", ""])
def test_any_word_is_a_player_colour(player: str) -> None:
    """Known words give their colour, any other a stable colour of its own; ink on it is readable."""
    fill = player_colour(player)

    assert fill == player_colour(player)
    assert contrast(fill.name(), ink_on(fill).name()) >= 3.5
