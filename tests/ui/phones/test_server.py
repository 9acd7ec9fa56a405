"""The server: each role gets its page, everybody else nothing, and nobody harms the game."""

from __future__ import annotations

import contextlib
import json
import queue
import socket

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from companion.errors import DeviceError
from companion.phones.admission import BURST, MOST_CLIENTS, Done, Wish
from tests.helpers.patience import WAIT_S
from tests.helpers.phones import LOCAL, PLAYERS, heard, moment, served, token_of, visit
from ui.phones.hub import Hub
from ui.phones.server import FLOOD, FULL, REFUSED, REPLACED, PhoneServer

# The table is sent as pictures, whose letters need an application.
pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def wishes() -> queue.SimpleQueue[Wish]:
    """What seats have wished."""
    return queue.SimpleQueue()


@pytest.fixture
def hub(wishes: queue.SimpleQueue[Wish]) -> Hub:
    """A game of two that is shared."""
    hub = Hub(PLAYERS, lambda _role, wish: wishes.put(wish))
    hub.publish(moment(), "light")
    return hub


def asked(server: PhoneServer, head: str) -> bytes:
    """Return the answer to a raw request."""
    with socket.create_connection((LOCAL, server.port), timeout=WAIT_S) as plain:
        plain.sendall(head.encode())
        return b"".join(iter(lambda: plain.recv(4096), b""))


def test_every_role_gets_its_page_and_every_change(hub: Hub) -> None:
    """The moment at once, the next one when it comes, in order."""
    with served(hub) as server, visit(server, token_of(hub, "everybody")) as everybody:
        first = heard(everybody)
        hub.publish(moment(2), "dark")
        second = heard(everybody)

    assert ["action 1"] == first["history"]
    assert (["action 2"], "dark") == (second["history"], second["theme"])
    assert second["number"] > first["number"]


def test_a_seat_says_done_and_others_do_not(hub: Hub, wishes: queue.SimpleQueue[Wish]) -> None:
    """Only the seat that a prompt concerns closes it."""
    wish = json.dumps({"done": "reward/1/1"})
    with served(hub) as server:
        for kind, player in (("everybody", ""), ("overlay", ""), ("seat", "white")):
            with visit(server, token_of(hub, kind, player)) as other:
                heard(other)
                other.send(wish)
                other.send(wish)
        with visit(server, token_of(hub, "seat", "purple")) as seat:
            heard(seat)
            seat.send(json.dumps({"done": "no such"}))
            seat.send(wish)
            told = wishes.get(timeout=WAIT_S)

    assert Done(prompt="reward/1/1") == told
    assert wishes.empty()


@pytest.mark.parametrize(
    "greeting",
    ["", "{", "[]", '{"token": ""}', '{"token": "x", "device": "' + "0" * 32 + '"}', "x" * 2000, b"\x00\x01"],
)
def test_strangers_are_shown_nothing(hub: Hub, greeting: str | bytes) -> None:
    """Whatever else they say first, the connection ends without a page."""
    origin = f"http://{LOCAL}:"
    with served(hub) as server:
        url = f"ws://{LOCAL}:{server.port}/live"
        with connect(url, origin=f"{origin}{server.port}", proxy=None) as stranger:
            stranger.send(greeting)
            with pytest.raises(ConnectionClosed) as ended:
                stranger.recv(WAIT_S)

    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code in {REFUSED, 1009}


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1"])
def test_a_foreign_page_cannot_connect(hub: Hub, origin: str | None) -> None:
    """Only our own page opens a live connection."""
    with (
        served(hub) as server,
        pytest.raises(InvalidStatus, match="403"),
        connect(f"ws://{LOCAL}:{server.port}/live", origin=origin, proxy=None),
    ):
        pass


@pytest.mark.parametrize("host", ["evil.example", "localhost", "", "127.0.0.1"])
def test_a_foreign_name_is_not_answered(hub: Hub, host: str) -> None:
    """A site that points its name at this machine gets nothing."""
    with served(hub) as server:
        answer = asked(server, f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 403")
    assert b"<html" not in answer


@pytest.mark.parametrize("path", ["/../server.py", "/server.py", "/page.html/..", "//x", "/%2e%2e/hub.py"])
def test_only_the_page_is_served(hub: Hub, path: str) -> None:
    """Three files and nothing else of the disk."""
    with served(hub) as server:
        host = f"{LOCAL}:{server.port}"
        answer = asked(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")
        page = asked(server, f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 404")
    assert page.startswith(b"HTTP/1.1 200")
    assert b"default-src 'none'" in page


def test_a_flood_is_cut_off(hub: Hub) -> None:
    """Too many messages end the connection; the others go on."""
    with served(hub) as server, visit(server, token_of(hub, "everybody")) as calm:
        heard(calm)
        with visit(server, token_of(hub, "overlay")) as wild:
            heard(wild)
            with contextlib.suppress(ConnectionClosed):
                for _ in range(20 * BURST):
                    wild.send('{"done": "x"}')
            with pytest.raises(ConnectionClosed) as ended:
                wild.recv(WAIT_S)
        hub.publish(moment(3), "light")
        after = heard(calm)

    assert ended.value.rcvd is not None
    assert FLOOD == ended.value.rcvd.code
    assert ["action 3"] == after["history"]


def test_there_are_at_most_sixteen(hub: Hub) -> None:
    """The next one is told that it is full; a place that is left can be taken."""
    token = token_of(hub, "everybody")
    with served(hub) as server, contextlib.ExitStack() as stack:
        for number in range(MOST_CLIENTS):
            heard(stack.enter_context(visit(server, token, f"{number:032x}")))
        late = stack.enter_context(visit(server, token, "f" * 32))
        with pytest.raises(ConnectionClosed) as ended:
            heard(late)

    assert ended.value.rcvd is not None
    assert FULL == ended.value.rcvd.code


@pytest.mark.parametrize("answer", [True, False])
def test_a_seat_opened_twice_asks(hub: Hub, answer: bool) -> None:
    """The second device gets the seat, and the first loses it, only if the players say so."""
    token = token_of(hub, "seat", "purple")
    with served(hub, answer=answer) as server, visit(server, token) as first:
        heard(first)
        with visit(server, token, "1" * 32) as second:
            assert {"asking": True} == heard(second)
            loser = first if answer else second
            if answer:
                assert heard(second)["history"]
            with pytest.raises(ConnectionClosed) as ended:
                heard(loser)

    assert ended.value.rcvd is not None
    assert (REPLACED if answer else REFUSED) == ended.value.rcvd.code


def test_the_same_device_comes_back_unasked(hub: Hub) -> None:
    """A torn connection is taken up again, with the newest moment."""
    token = token_of(hub, "seat", "purple")
    with served(hub) as server, visit(server, token) as torn:
        heard(torn)
        torn.socket.shutdown(socket.SHUT_RDWR)
        hub.publish(moment(4), "light")
        with visit(server, token) as again:
            told = heard(again)

    assert ["action 4"] == told["history"]


def test_old_links_open_nothing_in_the_next_sharing(hub: Hub) -> None:
    """Tokens are drawn anew for each sharing."""
    again = Hub(PLAYERS, lambda _role, _wish: None)

    assert not {token for _, token in hub.links} & {token for _, token in again.links}
    assert all(len(token) >= 43 for _, token in again.links)


def test_an_address_of_somebody_else_is_refused(hub: Hub) -> None:
    """One that this machine does not have is told in words."""
    with pytest.raises(DeviceError, match="cannot be shared"):
        PhoneServer(hub, lambda _role: False, "192.0.2.1")
