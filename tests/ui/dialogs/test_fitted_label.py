"""Letters as large as the words leave room for."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.helpers.measure import clipped
from ui.dialogs.fitted_label import FittedLabel

LARGEST_PX = 80
ROOM_WH = (600, 200)


@pytest.fixture
def label(qtbot: QtBot) -> FittedLabel:
    """An empty label with room for two lines of the largest letters."""
    made = FittedLabel("prompt")
    qtbot.addWidget(made)
    made.resize(*ROOM_WH)
    made.set_largest(LARGEST_PX)
    made.show()
    return made


def test_letters_are_as_large_as_fit(label: FittedLabel) -> None:
    """A word has the largest, a long text smaller ones, none is cut off; a word again the largest."""
    sizes = []
    for words in ("Ada", "The Great Hall is complete. " * 4, "Ada", "Rindfleischetikettierung is too wide"):
        label.show_words(words)
        sizes.append(label.fontInfo().pixelSize())

        assert [] == list(clipped(label))
    assert LARGEST_PX == sizes[0] == sizes[2]
    assert LARGEST_PX / 4 < sizes[1] < LARGEST_PX
    assert sizes[3] < LARGEST_PX


def test_letters_grow_with_the_room(label: FittedLabel) -> None:
    """Twice the width for the same words allows larger letters, and less allows smaller ones."""
    label.show_words("The Great Hall is complete. Ada takes 3 crystals and a card.")
    before = label.fontInfo().pixelSize()
    label.resize(2 * ROOM_WH[0], ROOM_WH[1])
    wide = label.fontInfo().pixelSize()
    label.resize(ROOM_WH[0] // 2, ROOM_WH[1])

    assert label.fontInfo().pixelSize() < before < wide <= LARGEST_PX
