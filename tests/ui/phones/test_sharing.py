"""Sharing: off until asked, a seat's wish reaches the game, a second device is asked about."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PyQt6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city.actions import End
from companion.phones.admission import SEAT, Role
from companion.table import Place
from tests.helpers.city_session import entered_session, played_table
from tests.helpers.patience import WAIT_MS
from tests.helpers.phones import LOCAL, heard, visit
from tests.helpers.toy_game import Act
from tests.helpers.toy_session import toy_session
from ui.controller.bridge import ControllerBridge
from ui.controller.view_state import ViewState
from ui.phones.share_dialog import ShareDialog, ask_second_device, code_picture
from ui.phones.sharing import Reply, Sharing, local_addresses

# Until ann stands at the lamp in the middle, which can be lit in two ways.
TO_THE_MIDDLE = (("ann", "step", 1), ("ben", "step", 3), ("ann", "step", 2), ("ben", "step", 4))


@pytest.fixture
def bridge(tmp_path: Path, qtbot: QtBot) -> Iterator[ControllerBridge]:
    """A running game with open prompts."""
    del qtbot
    session = entered_session(tmp_path, played_table(60, players=2, seed=5))
    bridge = ControllerBridge(session)
    yield bridge
    bridge.stop()
    session.referee.journal.close()


@pytest.fixture
def sharing(bridge: ControllerBridge, qtbot: QtBot) -> Iterator[Sharing]:
    """What shares that game; nothing is shared yet."""
    sharing = Sharing(bridge)
    with qtbot.waitSignal(bridge.changed, timeout=WAIT_MS):
        bridge.start()
    yield sharing
    sharing.end()


def test_nothing_is_shared_until_asked(sharing: Sharing) -> None:
    """No server, no token."""
    assert sharing.server is None
    assert sharing.hub is None
    assert LOCAL == local_addresses()[-1]


def test_done_on_the_phone_closes_the_prompt(
    sharing: Sharing, bridge: ControllerBridge, qtbot: QtBot
) -> None:
    """The seat's own prompt goes away in the window and on the phone."""
    sharing.begin(LOCAL)
    assert sharing.hub is not None
    assert sharing.server is not None
    seats = {role: token for role, token in sharing.hub.links if role.kind == SEAT}
    closed = False
    for token in seats.values():
        with visit(sharing.server, token) as phone:
            mine = [one["id"] for one in heard(phone)["prompts"] if one["mine"]]
            if not mine:
                continue
            with qtbot.waitSignal(bridge.changed, timeout=WAIT_MS) as told:
                phone.send(json.dumps({"done": mine[0]}))
            shown: ViewState = told.args[0]
            closed = mine[0] not in [one.id for one in shown.prompts]
            assert mine[0] not in [one["id"] for one in heard(phone)["prompts"]]
    assert closed


def test_cards_that_nobody_saw_are_named_on_the_phone(
    sharing: Sharing, bridge: ControllerBridge, qtbot: QtBot
) -> None:
    """What is no card is not passed on; the cards become part of the game, and nothing is asked any more."""
    sharing.begin(LOCAL)
    assert sharing.hub is not None
    assert sharing.server is not None
    game = played_table(60, players=2, seed=5)
    number, true = next(
        (number, action)
        for number, action in reversed(list(enumerate(game.actions, 1)))
        if isinstance(action, End) and action.discard
    )
    token = next(token for role, token in sharing.hub.links if role.player == true.player)
    with visit(sharing.server, token) as phone:
        asked = next(one for one in heard(phone)["asked"] if one["action"] == number)
        assert set(true.discard or ()) <= {card for card, _ in asked["cards"]}
        phone.send(json.dumps({"action": number, "cards": ["no such"]}))
        with qtbot.waitSignal(bridge.changed, timeout=WAIT_MS):
            phone.send(json.dumps({"action": number, "cards": list(true.discard or ())}))
        assert number not in [one["action"] for one in heard(phone)["asked"]]


def test_a_question_is_answered_on_the_phone_of_whom_it_is_about(tmp_path: Path, qtbot: QtBot) -> None:
    """Ann lit a lamp in one of two ways: her phone shows both, and only what it says counts."""
    session = toy_session(tmp_path)
    session.referee.enter(*(Act(*each) for each in TO_THE_MIDDLE))
    bridge = ControllerBridge(session)
    sharing = Sharing(bridge)
    with qtbot.waitSignal(bridge.changed, timeout=WAIT_MS):
        bridge.start()
    with qtbot.waitSignal(bridge.changed, timeout=WAIT_MS):
        bridge.report(Place("box:2"), "ann")
    sharing.begin(LOCAL)
    assert sharing.hub is not None
    assert sharing.server is not None
    tokens = {role.player or role.kind: token for role, token in sharing.hub.links}
    with visit(sharing.server, tokens["ann"]) as ann:
        answers = heard(ann)["answers"]
        wish = json.dumps({"question": answers["question"], "choice": 1})
        for other in ("ben", "everybody", "overlay"):
            with visit(sharing.server, tokens[other], "1" * 32) as phone:
                assert not heard(phone).get("answers")
                phone.send(wish)
        ann.send(json.dumps({"question": answers["question"] + 1, "choice": 0}))
        with qtbot.waitSignal(bridge.changed, timeout=WAIT_MS) as told:
            ann.send(wish)
        after = heard(ann)
    sharing.end()
    bridge.stop()
    session.referee.journal.close()

    assert ["plain", "bright"] == answers["choices"]
    assert "ann at 2: bright 2" == told.args[0].history[-1].text
    assert after["answers"] is None


def test_the_window_is_asked_about_a_second_device(sharing: Sharing, qtbot: QtBot) -> None:
    """A question with a player's name; No is the answer of somebody who just presses Enter."""
    parent = QWidget()
    qtbot.addWidget(parent)
    replies: list[Reply] = []
    boxes: list[QMessageBox] = []

    def ask(role: Role, reply: Reply) -> None:
        replies.append(reply)
        boxes.append(ask_second_device(role, reply, parent))

    sharing.asked.connect(ask)
    sharing.begin(LOCAL)
    assert sharing.hub is not None
    assert sharing.server is not None
    role, token = next(link for link in sharing.hub.links if link[0].kind == SEAT)
    with contextlib.ExitStack() as visits:
        first = visits.enter_context(visit(sharing.server, token))
        heard(first)  # else the second may be there before it
        second = visits.enter_context(visit(sharing.server, token, "1" * 32))
        assert {"asking": True} == heard(second)
        qtbot.waitUntil(lambda: bool(boxes), timeout=WAIT_MS)
        button = boxes[0].button(QMessageBox.StandardButton.Yes)
        assert role.player in boxes[0].text().lower()
        assert boxes[0].defaultButton() is boxes[0].button(QMessageBox.StandardButton.No)
        assert button is not None
        button.click()
        assert heard(second)["players"]


def test_the_dialog_begins_shows_a_code_and_ends(sharing: Sharing, qtbot: QtBot) -> None:
    """A link and a code for each role while it lasts; the link's token is behind the sign."""
    dialog = ShareDialog(sharing)
    qtbot.addWidget(dialog)
    assert dialog.code.pixmap().isNull()
    dialog.address.setCurrentText(LOCAL)
    dialog.button.click()
    links = set()
    for index in range(dialog.role.count()):
        dialog.role.setCurrentIndex(index)
        links.add(dialog.link.text())
        assert not dialog.code.pixmap().isNull()
    dialog.button.click()

    assert 4 == len(links)
    assert all("/#" in link for link in links)
    assert sharing.server is None
    assert dialog.code.pixmap().isNull()


def test_a_code_is_dark_on_light_with_room_around() -> None:
    """What scanners need: the quiet zone is white, the corners are not."""
    picture = code_picture("http://127.0.0.1:1/#x")

    assert 0xFFFFFFFF == picture.pixel(0, 0)
    assert 0xFF000000 == picture.pixel(4, 4)
