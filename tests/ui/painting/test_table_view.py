"""The table twin."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from PyQt6.QtCore import QPoint, QRectF, Qt
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from companion.games import registry
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.table import Place
from companion.view_model import CardView, Mark, TableView
from tests.helpers.city import city_after
from tests.helpers.patience import WAIT_MS
from tests.helpers.random_play import played
from ui.painting.table_items import TileItem
from ui.painting.table_view import TableScene, TableTwin, came_from, seat_shapes
from ui.painting.tiled_table import COUNTER_STEP, COUNTERS_TOP, PITCH, SIDE_WIDTH
from ui.theme import DARK, LIGHT, Theme


def view_after(steps: int, players: int = 3, seed: int = 1) -> TableView:
    """Return a table in mid-game."""
    return CityPresenter().present(city_after(steps, players=players, seed=seed))


def shown_twin(qtbot: QtBot, view: TableView, theme: Theme = LIGHT) -> TableTwin:
    """Return a twin that shows the view on an offscreen window."""
    scene = TableScene(theme)
    scene.is_still = True
    scene.show_view(view)
    twin = TableTwin(scene)
    qtbot.addWidget(twin)
    twin.resize(760, 600)
    twin.show()
    return twin


def scene_of(twin: TableTwin) -> TableScene:
    """Return the scene behind a twin."""
    scene = twin.scene()
    assert isinstance(scene, TableScene)
    return scene


def point_of(twin: TableTwin, place: str) -> QPoint:
    """Return where a place lies in the twin's window."""
    item = scene_of(twin).items_by_place()[Place(place)]
    return twin.mapFromScene(item.sceneBoundingRect().center())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_place_of_the_view_is_an_item(qtbot: QtBot, players: int) -> None:
    """Tiles, spaces, pieces and tracks all can be pointed at; showing later moments keeps them complete."""
    twin = shown_twin(qtbot, view_after(0, players))
    for steps in (40, 90, 20):
        view = view_after(steps, players)
        scene_of(twin).show_view(view)
        wanted = {tile.place for tile in view.tiles} | {piece.place for piece in view.pieces}
        wanted |= {spot.place for tile in view.tiles for spot in tile.spots}
        wanted |= {spot.place for track in view.tracks for spot in track.spots}

        assert wanted == set(scene_of(twin).items_by_place())


@pytest.mark.parametrize("place", ["cell:2,3", "box:1,2:0", "obelisk:12", "figure:purple"])
def test_a_click_names_the_place(qtbot: QtBot, place: str) -> None:
    """A click on a tile, a space, the obelisk or a figure tells which."""
    view = view_after(0)
    player = view.players[0].player
    place = place.replace("purple", player)
    twin = shown_twin(qtbot, view)
    viewport = twin.viewport()
    assert viewport is not None

    with qtbot.waitSignal(scene_of(twin).chosen, timeout=WAIT_MS) as heard:
        qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=point_of(twin, place))

    assert [place, False] == heard.args


def test_arrows_and_enter_reach_every_tile(qtbot: QtBot) -> None:
    """The arrow keys go to the neighbour in their direction and on to the obelisk; Enter chooses."""
    twin = shown_twin(qtbot, view_after(0))
    with qtbot.waitActive(twin):
        twin.activateWindow()
    twin.setFocus()
    told: list[str] = []
    scene_of(twin).inspected.connect(told.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right):
        qtbot.keyClick(twin, key)
    with qtbot.waitSignal(scene_of(twin).chosen, timeout=WAIT_MS) as heard:
        qtbot.keyClick(twin, Qt.Key.Key_Return)

    visited = [place for place in told if place]
    assert ["cell:2,2", "cell:1,2", "cell:1,3", "cell:1,4"] == visited[:4]
    assert visited[4].startswith("obelisk:")
    assert heard.args == [visited[4], True]


def counters_of(twin: TableTwin) -> list[QImage]:
    """Return what is painted of each counter beside the table, in order."""
    whole = twin.grab().toImage()
    view = scene_of(twin).view
    assert view is not None
    left = view.extent[1] * PITCH + 10
    areas = [
        QRectF(left, COUNTERS_TOP + index * COUNTER_STEP, SIDE_WIDTH, COUNTER_STEP)
        for index in range(len(view.stock))
    ]
    return [whole.copy(twin.mapFromScene(area).boundingRect()) for area in areas]


def with_stock(view: TableView, *numbers: int) -> TableView:
    """Return the same table with other numbers beside it."""
    stock = tuple(
        dataclasses.replace(counter, low=number, high=number)
        for counter, number in zip(view.stock, numbers, strict=True)
    )
    return dataclasses.replace(view, stock=stock)


def test_counters_beside_the_table_are_painted_anew(qtbot: QtBot) -> None:
    """Each counter shows its new number, where it stands; the others stay as they were painted."""
    view = with_stock(view_after(0), *range(10, 10 + len(view_after(0).stock)))
    twin = shown_twin(qtbot, view)
    painted = counters_of(twin)
    assert len(painted) > 1
    for changed in range(len(painted)):
        numbers = [10 + index + (50 if index == changed else 0) for index in range(len(painted))]
        scene_of(twin).show_view(with_stock(view, *numbers))
        now = counters_of(twin)

        assert [index == changed for index in range(len(painted))] == [
            new != old for new, old in zip(now, painted, strict=True)
        ]
        scene_of(twin).show_view(view)
        assert painted == counters_of(twin)


def test_counters_of_a_whole_game_are_painted_as_they_are_now(qtbot: QtBot) -> None:
    """All the way to the end they look, pixel for pixel, like those of a window opened at that moment."""
    twin = shown_twin(qtbot, view_after(0))
    looks: list[list[QImage]] = []
    for steps in range(0, 400, 40):
        view = view_after(steps)
        scene_of(twin).show_view(view)
        looks.append(counters_of(twin))

        assert counters_of(shown_twin(qtbot, view)) == looks[-1]
    assert view.outcome is not None
    assert all(first != last for first, last in zip(looks[0], looks[-1], strict=True))


def test_marks_stand_out_and_go_again(qtbot: QtBot) -> None:
    """A marked place is painted differently; without the mark it is as before."""
    twin = shown_twin(qtbot, view_after(0))
    plain = twin.grab().toImage()
    for mark in Mark:
        scene_of(twin).set_marks({Place("cell:1,1"): mark})

        assert twin.grab().toImage() != plain, mark
    scene_of(twin).set_marks({})

    assert twin.grab().toImage() == plain


def test_pieces_of_one_cell_do_not_hide_each_other(qtbot: QtBot) -> None:
    """Four figures in the courtyard stand beside each other."""
    view = view_after(0, players=4)
    twin = shown_twin(qtbot, view)
    items = scene_of(twin).items_by_place()
    figures = [items[piece.place] for piece in view.pieces if piece.shape == "figure"]
    lefts = sorted(item.scenePos().x() for item in figures)

    assert 4 == len(lefts)
    assert all(right - left > 15 for left, right in itertools.pairwise(lefts))


def test_a_moved_figure_travels(qtbot: QtBot) -> None:
    """With motion on, a figure reaches its new cell after a moment."""
    first, later = view_after(0), view_after(25)
    twin = shown_twin(qtbot, first)
    scene = scene_of(twin)
    scene.is_still = False
    moved = next(new for old, new in zip(first.pieces, later.pieces, strict=True) if old.cell != new.cell)
    scene.show_view(later)

    def has_arrived() -> bool:
        return scene.tile_of(moved.place) is not None and scene.items_by_place()[moved.place].pos().y() > -1

    qtbot.waitUntil(has_arrived, timeout=WAIT_MS)
    scene.show_view(first)  # turning back in mid-move is no error


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_every_seat_has_its_own_shape(qtbot: QtBot, theme: Theme) -> None:
    """Players are told apart by shape as well as by colour, and the twin paints in both themes."""
    view = view_after(80, players=4)
    twin = shown_twin(qtbot, view, theme)

    assert 4 == len(set(seat_shapes(view).values()))
    assert QImage(twin.grab().toImage()).width() > 0


def test_a_table_without_pieces_may_get_some(qtbot: QtBot) -> None:
    """The same tiles with other pieces are drawn anew: nothing of the old table is missed or left."""
    full = view_after(0)
    bare = dataclasses.replace(full, pieces=(), tracks=())
    twin = shown_twin(qtbot, bare)
    for view in (full, bare, full):
        scene_of(twin).show_view(view)
        pieces = {piece.place for piece in view.pieces}

        assert pieces == {
            place for place in scene_of(twin).items_by_place() if place.startswith(("figure", "dragon"))
        }


def test_another_size_draws_nothing_anew(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies on the table is drawn once, and again only where it changed; sizes are Qt's affair."""
    drawn: list[str] = []
    draw = TileItem._draw

    def counted(item: TileItem, painter: QPainter) -> None:
        drawn.append(item.place)
        draw(item, painter)

    monkeypatch.setattr(TileItem, "_draw", counted)
    view = view_after(30)
    twin = shown_twin(qtbot, view)
    twin.grab()
    assert len(view.tiles) == len(drawn)

    twin.resize(500, 400)
    assert twin.grab().width() == 500
    assert len(view.tiles) == len(drawn)

    scene_of(twin).set_marks({Place("cell:1,1"): Mark.DUE})
    twin.grab()
    assert ["cell:1,1"] == drawn[len(view.tiles) :]


def test_a_twin_owns_its_scene(qtbot: QtBot) -> None:
    """The scene goes with the widget that shows it, in the widget's own thread."""
    twin = shown_twin(qtbot, view_after(0))

    assert scene_of(twin).parent() is twin


def test_a_flipped_tile_unfolds(qtbot: QtBot) -> None:
    """It shows its new side at once, and is as wide as ever at the end; where nothing moves, always."""
    view = view_after(40)
    sketch = next(tile for tile in view.tiles if tile.side == "sketch")
    turned = dataclasses.replace(sketch, side="built", spots=())
    later = dataclasses.replace(view, tiles=tuple(turned if tile is sketch else tile for tile in view.tiles))
    twin = shown_twin(qtbot, view)
    scene = scene_of(twin)
    item = scene.items_by_place()[sketch.place]
    assert isinstance(item, TileItem)
    scene.show_view(later)
    assert item.transform().isIdentity()

    scene.show_view(view)
    scene.is_still = False
    scene.show_view(later)
    assert "built" == item.view.side
    assert item.transform().m11() < 0.5
    qtbot.waitUntil(lambda: item.transform().isIdentity(), timeout=WAIT_MS)


def test_a_card_that_goes_while_it_moves_harms_nobody(qtbot: QtBot) -> None:
    """Moments follow faster than cards glide; what is taken off lives until its glide has ended."""
    twin = shown_twin(qtbot, nova_luna_after(0))
    scene_of(twin).is_still = False
    for moment in (*range(1, 12), *range(10, 0, -1)):
        view = nova_luna_after(moment)
        scene_of(twin).show_view(view)
        QApplication.processEvents()

        assert set(view.cards) == {one for one in scene_of(twin).items_by_place() if one in view.cards}


def nova_luna_after(moment: int) -> TableView:
    """Return the table of a game in which cards come and go."""
    state = played("nova_luna", 2, 20).states[moment]
    return registry.display("nova_luna").presenter.present(state)


def test_a_card_is_known_again_where_it_lies_now() -> None:
    """One that has gone and one like it that has come are the same; of several alike nobody knows."""

    def card(place: str, name: str) -> CardView:
        return CardView(place=Place(place), at=(0, 0), face="tile", name=name)

    def table(**names: str) -> dict[Place, CardView]:
        return {Place(place): card(place, name) for place, name in names.items()}

    assert {"c": "a"} == came_from(table(a="mill", b="free"), table(b="free", c="mill"))
    assert {"a": "b", "b": "a"} == came_from(table(a="mill", b="tower"), table(a="tower", b="mill"))
    assert {} == came_from(table(a="free", b="free"), table(c="free"))
    assert {} == came_from(table(a="mill"), table(a="mill", c="mill"))
