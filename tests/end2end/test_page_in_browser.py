"""The page in a real browser: it shows the game, follows it, sends a wish, and comes back by itself."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.phones.admission import Answered, Done, Wish
from companion.phones.page import MOST_LINES
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.simulation.eye import NoisyEye, SimulatedSource
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import SimulatedTable
from companion.view_model import SeatQuestion
from tests.helpers.patience import WAIT_MS, WAIT_S
from tests.helpers.phones import BROWSER, CITY_SHOWN, LOCAL, PLAYERS, browser, moment, served, token_of, visit
from tests.helpers.watched_eye import Eye
from ui.controller.bridge import ControllerBridge
from ui.controller.session import PicturedObservation, Session
from ui.main_window import MainWindow
from ui.phones.hub import Hub
from ui.phones.server import PhoneServer

pytestmark = [
    pytest.mark.slow,
    # The table is sent as pictures, whose letters need an application.
    pytest.mark.usefixtures("qapp"),
    pytest.mark.skipif(BROWSER is None, reason="chromium is not installed (`.ci/setup test` installs it)"),
]


def test_a_browser_follows_the_game(tmp_path: Path) -> None:
    """A seat's page from the scan to Done, a torn connection, the overlay, and a wrong link."""
    wishes: queue.SimpleQueue[Wish] = queue.SimpleQueue()
    hub = Hub(PLAYERS, lambda _role, wish: wishes.put(wish))
    hub.publish(moment(), "dark")
    with browser(tmp_path / "profile") as page, served(hub) as server:
        page.open(server.link(token_of(hub, "seat", "purple")))
        page.wait(CITY_SHOWN)
        assert page.value("document.querySelectorAll('.player').length") == 2
        assert page.value("document.querySelectorAll('button').length") == 1
        assert "rgb(22, 24, 29)" == page.value("getComputedStyle(document.body).backgroundColor")
        assert "" == page.value("document.getElementById('state').textContent")
        hub.publish(moment(2), "light")
        page.wait("document.getElementById('log').textContent.includes('action 2')")
        page.value("document.querySelector('button').click()")
        assert Done(prompt="reward/2/1") == wishes.get(timeout=WAIT_S)
        page.value("socket.close()")
        hub.publish(moment(3), "light")
        page.wait("document.getElementById('log').textContent.includes('action 3')")
        page.open(server.link(token_of(hub, "overlay")))
        page.wait(
            "document.body.className === 'overlay' && document.querySelectorAll('.player').length === 2"
        )
        assert 0 == page.value("document.querySelectorAll('#drawing img').length")
        assert "rgba(0, 0, 0, 0)" == page.value("getComputedStyle(document.body).backgroundColor")
        page.open(server.link("wrong"))
        page.wait("document.getElementById('state').textContent.includes('no longer opens')")
        assert 0 == page.value("document.querySelectorAll('.player').length")


def test_a_question_is_answered_in_a_browser(tmp_path: Path) -> None:
    """Its player's page has a button for each answer, with the wished words; the other page has none."""
    wishes: queue.SimpleQueue[Wish] = queue.SimpleQueue()
    hub = Hub(PLAYERS, lambda _role, wish: wishes.put(wish))
    asked = SeatQuestion(number=7, concerns=("purple",), choices=("2 crystals <b>", "a card & a scale"))
    hub.publish(replace(moment(), prompts=(), notice="What was paid?", asked=asked), "light")
    texts = "[...document.querySelectorAll('#answers button')].map(one => one.textContent)"
    with browser(tmp_path / "profile") as page, served(hub) as server:
        page.open(server.link(token_of(hub, "seat", "white")))
        page.wait("document.getElementById('notice').textContent === 'What was paid?'")
        assert [] == page.value(texts)
        page.open(server.link(token_of(hub, "seat", "purple")))
        page.wait("document.querySelectorAll('#answers button').length === 2")
        assert ["1. 2 crystals <b>", "2. a card & a scale"] == page.value(texts)
        page.value("document.querySelectorAll('#answers button')[1].click()")
        assert Answered(question=7, choice=1) == wishes.get(timeout=WAIT_S)
        assert 2 == page.value("document.querySelectorAll('#answers button:disabled').length")
        hub.publish(moment(2), "light")
        page.wait("document.querySelectorAll('#answers button').length === 0")


class GatedEye(Eye):
    """A simulated eye that looks only as often as it is let."""

    def __init__(self, source: SimulatedSource) -> None:
        super().__init__(source)
        self.looks = threading.Semaphore(0)

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what the eye sees, one look after the other."""
        for sight in super().pictured():
            self.looks.acquire()
            yield sight

    def close(self) -> None:
        """End, also while waiting."""
        super().close()
        self.looks.release()


def test_phones_follow_a_running_game(qtbot: QtBot, tmp_path: Path) -> None:
    """The main window watches a simulated table and shares it: pages open, follow and come back."""
    rng = random.Random(11)
    header = GAME.deal(rng, {"players": 2})
    table = SimulatedTable(GAME, header, rng, stages=GAME.stages)
    with Journal.create(tmp_path / "game.moontable", GAME.public_header(header)) as journal:
        referee = Referee(GAME, journal)
        keeper = Scorekeeper(table, referee)
        eye = GatedEye(SimulatedSource(table.moments(), NoisyEye(rng)))
        session = Session(referee=referee, presenter=CityPresenter(), sources=[eye], answer=keeper.answer)
        bridge = ControllerBridge(session)
        window = MainWindow(bridge, tmp_path, "")
        qtbot.addWidget(window)
        window.show()
        bridge.start()
        qtbot.waitUntil(lambda: window.shown is not None, timeout=WAIT_MS)
        window.side.open_sharing()
        window.side.share_dialog.address.setCurrentText(LOCAL)
        window.side.share_dialog.button.click()
        sharing = window.side.sharing
        assert sharing is not None
        assert sharing.hub is not None
        assert sharing.server is not None
        with ThreadPoolExecutor(1) as pool:
            visitor = pool.submit(look_on, tmp_path / "profile", sharing.hub, sharing.server, eye)
            asked: list[bool] = []

            def attend() -> bool:
                asked.append(answered(window))
                return visitor.done()

            qtbot.waitUntil(attend, timeout=WAIT_MS)
        newest = visitor.result()
        lines = [line.text for line in window.shown.history[-MOST_LINES:]] if window.shown else []
        sharing.end()
        window.close()

        assert lines == newest
        assert any(asked)
        assert 0 == keeper.wrong


def answered(window: MainWindow) -> bool:
    """Say Yes to a question about a second device, if there is one."""
    for box in window.findChildren(QMessageBox):
        button = box.button(QMessageBox.StandardButton.Yes)
        if button is not None and box.isVisible():
            button.click()
            return True
    return False


def look_on(folder: Path, hub: Hub, server: PhoneServer, eye: GatedEye) -> list[str]:
    """Open a seat, follow over a torn connection, open the seat twice; return the last page's log."""
    shows = "Number(document.body.dataset.number)"
    with browser(folder) as page:
        page.open(server.link("wrong"))
        page.wait("document.getElementById('state').textContent.includes('no longer opens')")
        link = server.link(token_of(hub, "seat", hub.links[1][0].player))
        page.open(link)
        page.wait(CITY_SHOWN)
        for is_torn in (False, True):
            if is_torn:
                page.value("socket.close()")
            before = hub.number
            while hub.number == before:
                eye.looks.release(5)
                page.wait("true")
            page.wait(f"{shows} >= {hub.number}")
        page.value("sessionStorage.clear()")
        with visit(server, hub.links[1][1]):
            page.open(link)  # another device for all the server knows: the window is asked
            page.wait(CITY_SHOWN)
        page.wait(f"{shows} >= {hub.number}")
        lines = page.value("[...document.querySelectorAll('#log .small')].map(line => line.textContent)")
    return list(reversed(lines))


def test_the_server_is_on_one_port() -> None:
    """Page and live data come from the same place, which the link names."""
    hub = Hub(PLAYERS, lambda _role, _wish: None)
    with served(hub) as server:
        assert isinstance(server, PhoneServer)
        assert f"http://127.0.0.1:{server.port}/#abc" == server.link("abc")
