"""Tables with zones: where things are drawn, and that they are to be seen."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest
from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from companion.games import registry
from companion.table import Place
from companion.view_model import TableView
from ui.painting.table_view import TableScene, TableTwin
from ui.painting.zones import CardItem, painter_of
from ui.theme import DARK, LIGHT, Theme

ZONED = [name for name in registry.NAMES if not registry.has_components(name)]
STEPS = (0, 12, 30)


def view_after(name: str, steps: int) -> TableView:
    """Return the table of a random game after so many actions."""
    game, rng = registry.lookup(name), random.Random(5)
    choose = game.random_player(rng)
    state = game.start(game.deal(rng, {"players": 2}))
    for _ in range(steps):
        if game.result(state) is None:
            state, _ = game.apply(state, game.with_chance(state, choose(state), rng))
    return registry.display(name).presenter.present(state)


def drawn(scene: TableScene) -> QImage:
    """Return the whole scene as a picture, one pixel a unit."""
    picture = QImage(scene.sceneRect().size().toSize(), QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    scene.render(painter, QRectF(picture.rect()), scene.sceneRect())
    painter.end()
    return picture


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ZONED)
def test_every_card_has_a_place_within_the_picture(name: str, steps: int) -> None:
    """Nothing that the presenter shows is left out or lies beyond the edge."""
    view = view_after(name, steps)
    layout = painter_of(view.painter).lay_out(view)
    whole = QRectF(0, 0, *layout.size)

    assert view.cards.keys() == layout.cards.keys()
    assert [] == [place for place, area in layout.cards.items() if not whole.contains(area)]


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ZONED)
def test_the_middle_of_each_card_can_be_pointed_at(name: str, steps: int) -> None:
    """No card hides the middle of another one, but for what is printed on it."""
    view = view_after(name, steps)
    layout = painter_of(view.painter).lay_out(view)
    areas = {place: area for place, area in layout.cards.items() if view.cards[place].face != "task"}
    hidden = [
        (one, other)
        for one, other in combinations(areas, 2)
        if areas[other].contains(areas[one].center()) or areas[one].contains(areas[other].center())
    ]

    assert [] == hidden


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", ZONED)
def test_every_card_is_to_be_seen(qtbot: QtBot, name: str, theme: Theme) -> None:
    """Where a card lies the picture is not the bare table's."""
    del qtbot
    scene = TableScene(theme)
    scene.show_view(view_after(name, 12))
    picture, felt = drawn(scene), QColor(theme.felt)
    blank = [
        place
        for place, item in scene.items_by_place().items()
        if not _differs(picture, item.sceneBoundingRect(), felt)
    ]

    assert [] == blank


def _differs(picture: QImage, area: QRectF, ground: QColor) -> bool:
    """Whether any pixel of an area has another colour than the ground."""
    inside = area.toRect().intersected(picture.rect())
    return any(
        picture.pixelColor(x, y) != ground
        for x in range(inside.left(), inside.right(), 3)
        for y in range(inside.top(), inside.bottom(), 3)
    )


@pytest.mark.parametrize("name", ZONED)
def test_a_later_moment_replaces_an_earlier_one(qtbot: QtBot, name: str) -> None:
    """The scene holds exactly what the newest view has, whatever it showed before."""
    del qtbot
    scene = TableScene(LIGHT)
    for steps in (30, 0, 12):
        view = view_after(name, steps)
        scene.show_view(view)

        assert set(view.cards) == set(scene.items_by_place())
        assert all(scene.card_of(Place(place)) == card for place, card in view.cards.items())


def test_another_size_is_drawn_from_the_same_recording(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles become smaller as an area grows without being drawn by Python again; changed ones are drawn."""
    views = [view_after("nova_luna", steps) for steps in range(14)]
    scene = TableScene(LIGHT)
    scene.is_still = True
    twin = TableTwin(scene)
    qtbot.addWidget(twin)
    twin.show()
    recorded: list[Place] = []
    draw = CardItem._draw

    def noted(self: CardItem, painter: QPainter) -> None:
        recorded.append(self.place)
        draw(self, painter)

    monkeypatch.setattr(CardItem, "_draw", noted)
    resized = 0
    for before, after in pairwise(views):
        scene.show_view(before)
        twin.grab()
        sizes = {place: scene.items_by_place()[place].boundingRect().size() for place in before.cards}
        recorded.clear()
        scene.show_view(after)
        twin.grab()
        same = {place for place, card in after.cards.items() if before.cards.get(place) == card}
        resized += sum(scene.items_by_place()[place].boundingRect().size() != sizes[place] for place in same)

        assert not same & set(recorded)
    assert resized
