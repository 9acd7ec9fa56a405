"""The table in pictures: each card as the window's painter draws it, once."""

from __future__ import annotations

import base64

import pytest
from PyQt6.QtGui import QImage

from companion.games import registry
from companion.view_model import TableView
from tests.helpers.random_play import played
from ui.painting.zones import painter_of
from ui.phones import drawing
from ui.phones.drawing import CARD_ZOOM, Artist
from ui.theme import DARK, LIGHT

DRAWN = ("nova_luna", "urbion", "blue_moon_legends")
pytestmark = pytest.mark.usefixtures("qapp")


def view_of(name: str, moment: int) -> TableView:
    """Return the table after so many actions of a random game."""
    return registry.display(name).presenter.present(played(name, 2, 20).states[moment])


@pytest.mark.parametrize("name", DRAWN)
def test_every_card_has_its_picture_where_the_painter_puts_it(name: str) -> None:
    """Areas within the table, pictures of their size, names for those who hear the page."""
    view = view_of(name, 12)
    drawn = Artist().draw_table(view, LIGHT)
    assert drawn is not None
    wide, high = drawn.page["size"]
    assert len(painter_of(view.painter).lay_out(view).cards) == len(drawn.page["cards"])
    for left, top, width, height, picture, said in drawn.page["cards"]:
        image = QImage.fromData(base64.b64decode(drawn.pictures[picture]))
        assert 0 <= left <= left + width <= wide + 1
        assert 0 <= top <= top + height <= high + 1
        assert (round(width * CARD_ZOOM), round(height * CARD_ZOOM)) == (image.width(), image.height())
        assert said
    assert drawn.page["ground"] in drawn.pictures


@pytest.mark.parametrize("name", DRAWN)
def test_the_ground_does_not_depend_on_the_cards(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a painter draws below the cards is the same with the cards as without: it is kept by that."""
    view = view_of(name, 12)
    bare = Artist().draw_table(view, LIGHT)
    monkeypatch.setattr(drawing, "replace", lambda value, **_: value)
    whole = Artist().draw_table(view, LIGHT)

    assert bare is not None
    assert whole is not None
    assert bare.page["ground"] == whole.page["ground"]


@pytest.mark.parametrize("name", DRAWN)
def test_what_stays_is_not_drawn_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same moment costs no stroke; the next one costs less than all cards."""
    artist, strokes = Artist(), list[object]()
    painted = drawing._painted
    monkeypatch.setattr(drawing, "_painted", lambda *given: strokes.append(given) or painted(*given))
    first = artist.draw_table(view_of(name, 12), LIGHT)
    drawn_first = len(strokes)
    again = artist.draw_table(view_of(name, 12), LIGHT)
    drawn_again = len(strokes)
    artist.draw_table(view_of(name, 13), LIGHT)

    assert first == again
    assert 0 < drawn_first == drawn_again
    assert len(strokes) - drawn_again < drawn_first
    other = artist.draw_table(view_of(name, 13), DARK)
    assert other is not None


def test_tiles_on_cells_are_not_drawn() -> None:
    """Blue Moon City has no painter of zones: its tiles are in the page's own boxes."""
    assert Artist().draw_table(view_of("blue_moon_city", 5), LIGHT) is None
    assert Artist().draw_hand((), view_of("blue_moon_city", 5), LIGHT) is None
