"""The page in a real browser: it shows the game, follows it, sends a wish, and comes back by itself."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest

from companion.phones.admission import Done, Wish
from tests.helpers.patience import WAIT_S
from tests.helpers.phones import BROWSER, PLAYERS, browser, moment, served, token_of
from ui.phones.hub import Hub
from ui.phones.server import PhoneServer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="chromium is not installed (`.ci/setup test` installs it)"),
]


def test_a_browser_follows_the_game(tmp_path: Path) -> None:
    """A seat's page from the scan to Done, a torn connection, the overlay, and a wrong link."""
    wishes: queue.SimpleQueue[Wish] = queue.SimpleQueue()
    hub = Hub(PLAYERS, lambda _role, wish: wishes.put(wish))
    hub.publish(moment(), "dark")
    with browser(tmp_path / "profile") as page, served(hub) as server:
        page.open(server.link(token_of(hub, "seat", "purple")))
        page.wait("document.querySelectorAll('.tile').length === 21")
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
        assert 0 == page.value("document.querySelectorAll('.tile').length")
        assert "rgba(0, 0, 0, 0)" == page.value("getComputedStyle(document.body).backgroundColor")
        page.open(server.link("wrong"))
        page.wait("document.getElementById('state').textContent.includes('no longer opens')")
        assert 0 == page.value("document.querySelectorAll('.player').length")


def test_the_server_is_on_one_port() -> None:
    """Page and live data come from the same place, which the link names."""
    hub = Hub(PLAYERS, lambda _role, _wish: None)
    with served(hub) as server:
        assert isinstance(server, PhoneServer)
        assert f"http://127.0.0.1:{server.port}/#abc" == server.link("abc")
