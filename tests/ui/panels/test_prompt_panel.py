"""Prompts, players, camera, log: each panel for itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from companion.decision import Fix
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.prompts import Prompt, PromptKind, PromptRow
from companion.table import Place
from companion.view_model import CameraView, CounterView, Outline, TableView
from tests.helpers.city import city_after
from tests.helpers.patience import WAIT_MS
from ui.controller.view_state import HistoryLine, Question, Trouble, ViewState
from ui.painting.camera_view import CameraPicture
from ui.painting.table_view import seat_shapes
from ui.panels.log_panel import LogPanel
from ui.panels.players_panel import HIDDEN, PlayersPanel
from ui.panels.prompt_panel import PromptPanel, kind_title
from ui.theme import LIGHT


def table(players: int = 2) -> TableView:
    """Return some table."""
    return CityPresenter().present(city_after(50, players=players))


def words_of(panel: PromptPanel) -> list[str]:
    """Return all texts of the panel, top to bottom."""
    body = panel.widget()
    assert body is not None
    return [label.text() for label in body.findChildren(QLabel)]


def show(panel: PromptPanel, shown: ViewState) -> None:
    """Show a moment."""
    panel.show_shown(shown, seat_shapes(shown.table))


def prompt(kind: PromptKind, text: str, **more: object) -> Prompt:
    """Return a prompt."""
    return Prompt(id=f"{kind.value}/1", kind=kind, text=text, **more)  # type: ignore[arg-type]


def test_calm_when_nothing_is_due(qtbot: QtBot) -> None:
    """With nothing to do there is one quiet line and no button; Enter does nothing."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    show(panel, ViewState(table=table()))
    told: list[str] = []
    panel.confirmed.connect(told.append)
    panel.confirm_top()

    body = panel.widget()

    assert body is not None
    assert 1 == len(words_of(panel))
    assert [] == body.findChildren(QPushButton)
    assert panel.more.isHidden()
    assert [] == told


def test_what_is_below_the_fold_is_counted(qtbot: QtBot) -> None:
    """A line says how much more is due; pressed, it brings the next into sight, and goes at the end."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    panel.resize(400, 100)
    due = tuple(
        Prompt(id=f"reward/{number}", kind=PromptKind.REWARD, text=f"Reward {number}.") for number in range(4)
    )
    with qtbot.waitExposed(panel):
        panel.show()
    show(panel, ViewState(table=table(), prompts=due))
    qtbot.waitUntil(panel.more.isVisible, timeout=WAIT_MS)
    first = panel.more.text()
    panel.more.click()
    second = panel.more.text()
    for _ in due:
        panel.more.click()

    assert "▼  3 more to do" == first
    assert first != second
    assert panel.more.isHidden()

    show(panel, ViewState(table=table(), prompts=due[:1]))
    qtbot.waitUntil(panel.more.isHidden, timeout=WAIT_MS)


def test_trouble_offers_what_may_be_said(qtbot: QtBot) -> None:
    """Out of turn: that somebody has passed is said by a button with a number, by Tab or by the digit."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    offers = ("purple passed",)
    trouble = Trouble(text="It is purple's turn.", rule="x", rule_text="", fixes=(), offers=offers)
    show(panel, ViewState(table=table(), trouble=trouble))
    told: list[int] = []
    panel.answered.connect(told.append)
    button = panel.choice_buttons[0]
    button.click()
    panel.answer(0)
    panel.answer(1)

    assert "1   Purple passed" in words_of(panel)
    assert Qt.FocusPolicy.TabFocus & button.focusPolicy()
    assert [0, 0] == told


def test_trouble_and_question_come_before_prompts(qtbot: QtBot) -> None:
    """What stops the game stands above what is due, and Enter still confirms the first prompt."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    fixes = (
        Fix(place=Place("box:1,1:0"), seen="white", wanted=None, text="Take it off."),
        Fix(place=Place("figure:white"), seen="1,1", wanted="2,2", text="Put it back."),
    )
    show(
        panel,
        ViewState(
            table=table(),
            prompts=(
                prompt(PromptKind.REWARD, "Rewards for all."),
                prompt(PromptKind.HOUSEKEEPING, "Flip it."),
            ),
            question=Question(text="Which one?", choices=("this", "that")),
            trouble=Trouble(text="Not so.", rule="x", rule_text="The rule says so.", fixes=fixes),
        ),
    )
    words = words_of(panel)
    order = ["Not so.", "−  Take it off.", "+  Put it back.", "Which one?", "Rewards for all.", "Flip it."]

    assert order == [text for text in words if text in order]
    assert "reward/1" == panel.top_prompt
    assert 2 == len(panel.choice_buttons)
    with qtbot.waitSignal(panel.answered, timeout=WAIT_MS) as heard:
        panel.answer(1)
    assert [1] == heard.args
    panel.answer(5)  # no such answer: nothing happens


@pytest.mark.parametrize("kind", list(PromptKind))
def test_every_kind_has_a_title(qtbot: QtBot, kind: PromptKind) -> None:
    """Each kind of prompt has its heading; whose turn it is needs no card."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    show(panel, ViewState(table=table(), prompts=(prompt(kind, "Something."),)))

    assert kind_title(kind)
    assert ("Something." in words_of(panel)) == (kind is not PromptKind.TURN)


def test_rewards_are_a_table(qtbot: QtBot) -> None:
    """Who gets what, and why: amounts, player, reason and the tile by its name."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    rows = (
        PromptRow(player="purple", amounts={"crystals": 2, "cards": 0}, reason="majority", source="mill"),
        PromptRow(player="white", amounts={"counted": 4, "returned": 3}, reason="exchange"),
    )
    show(panel, ViewState(table=table(), prompts=(prompt(PromptKind.REWARD, "The mill.", rows=rows),)))
    words = words_of(panel)

    assert "most markers, Mill" in words
    assert "2" in words
    assert "0" not in words
    assert {"has 4", "returns 3"} <= set(words)


def test_an_unchanged_moment_is_not_rebuilt(qtbot: QtBot) -> None:
    """Cards stay the same widgets while nothing about them changes, so that a click is not lost."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    shown = ViewState(table=table(), waiting="A hand is over the table.")
    show(panel, shown)
    body = panel.widget()
    show(panel, shown)

    assert body is panel.widget()


def test_a_card_stays_while_others_come_and_go(qtbot: QtBot) -> None:
    """News above a card neither takes its focus nor makes it anew; what is done goes."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    flip = prompt(PromptKind.HOUSEKEEPING, "Flip it.")
    pay = prompt(PromptKind.REWARD, "Rewards for all.")
    end = prompt(PromptKind.END, "White wins.")
    trouble = Trouble(text="Not so.", rule="x", rule_text="", fixes=())
    show(panel, ViewState(table=table(), prompts=(pay, flip)))
    button = panel.findChildren(QPushButton)[1]
    button.setFocus()
    show(panel, ViewState(table=table(), prompts=(end, pay, flip), trouble=trouble))

    order = ["Not so.", "White wins.", "Rewards for all.", "Flip it."]
    assert order == [text for text in words_of(panel) if text in order]
    assert button in panel.findChildren(QPushButton)
    assert panel.focusWidget() is button
    assert "end/1" == panel.top_prompt

    show(panel, ViewState(table=table(), prompts=(flip,)))
    assert ["Flip it."] == [text for text in words_of(panel) if text in order]
    assert "housekeeping/1" == panel.top_prompt


def test_the_tab_key_follows_the_cards_from_top_to_bottom(qtbot: QtBot) -> None:
    """A card that came later but stands higher is reached first."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    flip = prompt(PromptKind.HOUSEKEEPING, "Flip it.")
    show(panel, ViewState(table=table(), prompts=(flip,)))
    question = Question(text="Which one?", choices=("this", "that"))
    show(panel, ViewState(table=table(), prompts=(flip,), question=question))
    buttons = panel.findChildren(QPushButton)

    assert panel.choice_buttons == buttons[:2]
    chain: list[QWidget | None] = [buttons[0]]
    while (following := chain[-1].nextInFocusChain()) not in chain:
        chain.append(following)
    assert buttons == [widget for widget in chain if isinstance(widget, QPushButton)]


def test_players_keep_secrets_when_updated(qtbot: QtBot) -> None:
    """Four players fit; revealing shows the crystals of all, hiding hides all."""
    panel = PlayersPanel(LIGHT)
    qtbot.addWidget(panel)
    panel.show_view(table(4))
    numbers = [card.rows["crystals"].number for card in panel.cards.values()]
    assert 4 * [HIDDEN] == [number.text() for number in numbers]

    panel.reveal(True)
    assert HIDDEN not in [number.text() for number in numbers]

    panel.reveal(False)
    panel.show_view(table(4))
    assert 4 * [HIDDEN] == [number.text() for number in numbers]
    assert "hidden" in numbers[0].parentWidget().accessibleName()  # type: ignore[union-attr]


def test_the_panel_never_becomes_narrower(qtbot: QtBot) -> None:
    """Numbers come and go; the border to the table stays where it is."""
    panel = PlayersPanel(LIGHT)
    qtbot.addWidget(panel)
    long = CounterView(name="cards", label="Cards", low=10, high=1000)
    for counter in (replace(long, high=10), long, replace(long, high=10)):
        view = table(2)
        players = tuple(replace(player, counters=(counter,)) for player in view.players)
        widest = panel.minimumSizeHint().width()
        panel.show_view(replace(view, players=players))

        assert panel.minimumSizeHint().width() >= widest
    assert panel.minimumSizeHint().width() == widest


def test_other_players_get_other_cards(qtbot: QtBot) -> None:
    """A game with other players rebuilds the panel."""
    panel = PlayersPanel(LIGHT)
    qtbot.addWidget(panel)
    panel.show_view(table(2))
    panel.show_view(table(3))

    assert 3 == len(panel.cards)


def test_the_camera_shows_picture_outlines_and_notice(qtbot: QtBot) -> None:
    """The picture keeps its shape, outlines can be switched off, a notice says why there is none."""
    panel = CameraPicture()
    qtbot.addWidget(panel)
    panel.resize(400, 400)
    empty = panel.grab().toImage()
    corners = ((10.0, 10.0), (150.0, 10.0), (150.0, 80.0), (10.0, 80.0))
    outline = Outline(place=Place("cell:0,1"), corners=corners, label="mill", confidence=0.99)
    panel.show_view(
        CameraView(width=160, height=90, bgr=bytes([0, 0, 200]) * (160 * 90), outlines=(outline,))
    )
    panel.show_notice("")
    drawn = panel.grab().toImage()
    panel.set_outlines_shown(False)
    plain = panel.grab().toImage()

    assert len({image.cacheKey() for image in (empty, drawn, plain)}) == 3
    assert drawn != plain != empty
    assert QColor(200, 0, 0) == plain.pixelColor(200, 200)
    assert 400 / 225 == pytest.approx(panel.picture_area().width() / panel.picture_area().height())


def test_the_log_follows_the_game_and_its_corrections(qtbot: QtBot) -> None:
    """New lines are added, changed ones replaced, others removed; a double click names the action."""
    panel = LogPanel()
    qtbot.addWidget(panel)
    lines = tuple(HistoryLine(number=n, turn=n, player="a", text=f"action {n}") for n in range(1, 6))
    panel.show_lines(lines[:3])
    kept = panel.list.item(0)
    panel.show_lines(lines)
    assert kept is panel.list.item(0)
    mended = (*lines[:2], HistoryLine(number=3, turn=3, player="a", text="something else"))
    panel.show_lines(mended)
    told: list[int] = []
    panel.picked.connect(told.append)
    panel.list.itemActivated.emit(panel.list.item(2))
    last = panel.list.item(2)
    assert last is not None

    assert 3 == panel.list.count()
    assert "3.  Something else" == last.text()
    assert [3] == told


def test_long_answers_go_on_in_a_second_line(qtbot: QtBot) -> None:
    """An answer of many words is not cut off, and still is answered by a click."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    panel.resize(320, 400)
    panel.show()
    long = "; ".join(["Purple ends the turn", "white walks to the Monastery Tower"] * 3)
    show(panel, ViewState(table=table(), question=Question(text="Which?", choices=(long, "Mill"))))
    qtbot.waitUntil(
        lambda: panel.choice_buttons[0].height() > panel.choice_buttons[1].height(), timeout=WAIT_MS
    )

    assert panel.choice_buttons[0].width() <= panel.width()
    assert long in panel.choice_buttons[0].accessibleName()
    with qtbot.waitSignal(panel.answered, timeout=WAIT_MS) as heard:
        qtbot.mouseClick(panel.choice_buttons[0], Qt.MouseButton.LeftButton)
    assert [0] == heard.args


def test_the_end_offers_the_report(qtbot: QtBot) -> None:
    """When the game is over, its charts are one click away."""
    panel = PromptPanel()
    qtbot.addWidget(panel)
    show(panel, ViewState(table=table(), prompts=(prompt(PromptKind.END, "purple won."),)))
    button = next(each for each in panel.findChildren(QPushButton) if "Report" in each.text())
    with qtbot.waitSignal(panel.report_wanted, timeout=WAIT_MS):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
