"""The table in pictures: each card as the window's painter draws it, once."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from PyQt6.QtGui import QImage

from companion.games import registry
from companion.view_model import CounterView, TableView
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
    drawn_light = len(strokes)
    artist.draw_table(view_of(name, 13), DARK)
    assert len(strokes) > drawn_light


def test_tiles_on_cells_are_drawn_with_all_that_lies_there() -> None:
    """Every tile, box of the obelisk and piece has a picture on the table, and a name to be heard."""
    view = view_of("blue_moon_city", 12)
    drawn = Artist().draw_table(view, LIGHT)
    wide, high = drawn.page["size"]
    spots = [spot for track in view.tracks for spot in track.spots]
    assert len(view.tiles) + len(spots) + len(view.stock) + len(view.pieces) == len(drawn.page["cards"])
    for left, top, width, height, picture, said in drawn.page["cards"]:
        image = QImage.fromData(base64.b64decode(drawn.pictures[picture]))
        assert 0 <= left <= left + width <= wide
        assert 0 <= top <= top + height <= high
        assert (round(width * CARD_ZOOM), round(height * CARD_ZOOM)) == (image.width(), image.height())
        assert said
    names = [card[5] for card in drawn.page["cards"]]
    for tile, name in zip(view.tiles, names, strict=False):
        owners = [spot.owner for spot in tile.spots if spot.owner is not None]
        assert ", ".join([tile.name, *owners]) == name
    assert Artist().draw_hand((), view, LIGHT) is None


def test_what_is_secret_of_the_supplies_is_not_drawn() -> None:
    """The page is the same whatever a secret counter says."""
    view = view_of("blue_moon_city", 5)
    secret = CounterView(name="crystals", label="Crystals", low=7, high=7, secret=True)
    bare, *others = (
        Artist().draw_table(replace(view, stock=(*view.stock, *more)), LIGHT)
        for more in ((), (secret,), (replace(secret, low=8, high=8),))
    )

    assert [bare, bare] == others
