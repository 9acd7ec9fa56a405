"""Words in the players' language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QLocale

from companion.i18n import LANGUAGES
from ui import text


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Leave English behind."""
    yield
    text.install("en")


@pytest.mark.parametrize(
    ("machine", "expected"), [("uk_UA", "uk"), ("es_MX", "es"), ("ru_RU", "ru"), ("fi_FI", "en"), ("C", "en")]
)
def test_the_machines_language_is_taken(monkeypatch: pytest.MonkeyPatch, machine: str, expected: str) -> None:
    """Without a choice the window speaks as the machine does, English where we cannot."""
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(machine))

    assert expected == text.install(text.SYSTEM)
    assert expected == text.language()


def test_a_chosen_language_stands() -> None:
    """A choice is taken as it is; an unknown one is English."""
    for language in LANGUAGES:
        assert language == text.install(language)
    assert "en" == text.install("tlh")


def test_numbers_and_names() -> None:
    """Plurals, players and things are told in the language."""
    text.install("en")

    assert ["1 step", "2 steps"] == [text.ntr("{n} step", "{n} steps", number) for number in (1, 2)]
    assert "Purple's turn" == text.tr("{player}'s turn", player=text.player_name("purple"))
    assert "3 crystals" == text.amount("crystals", 3)
