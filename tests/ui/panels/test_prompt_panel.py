"""Prompts, questions and troubles, as cards in their panel."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from companion.decision import Fix
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.prompts import Prompt, PromptKind, PromptRow
from companion.table import Place
from companion.view_model import TableView
from tests.helpers.city import city_after
from tests.helpers.patience import WAIT_MS
from ui.controller.view_state import Question, Trouble, ViewState
from ui.painting.table_view import seat_shapes
from ui.panels.prompt_panel import PromptPanel, kind_title


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
