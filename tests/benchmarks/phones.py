"""Phones beside the table: how soon they show a change, what sixteen cost the window, what strangers get.

``python -m tests.benchmarks.phones [--game NAME] [--changes 100]``: the main window plays a game's moments
while sixteen devices, in a process of their own, are connected. Printed: milliseconds from the window's
signal until a device has the page (median, 95 %, worst), the worst block of the event loop without and with
devices, and how many hostile attempts were made and how many of them were shown a page.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect
from websockets.typing import Origin

from companion.games import registry
from companion.phones.admission import MOST_CLIENTS, SEAT
from tests.helpers.phones import LOCAL, public_session, visit_port
from ui.controller.bridge import ControllerBridge
from ui.controller.session import Session
from ui.controller.view_state import ViewState
from ui.main_window import MainWindow
from ui.phones.server import PhoneServer
from ui.phones.sharing import Sharing
from ui.qt_environment import favour_the_window
from ui.tidying import Tidying

EVERY_MS = 60
TICK_MS = 5
MESSAGES = ("", "{", "[]", "null", '{"token": 1}', '{"done": "x"}', "x" * 5000, "[" * 900)


class Loop:
    """Moments of the window, one after the other, and the longest pause of its event loop."""

    def __init__(self, app: QApplication, bridge: ControllerBridge, window: MainWindow) -> None:
        self._app = app
        self._bridge = bridge
        self.worst_ms = 0.0
        self.sent: dict[int, float] = {}
        self.window = window

    def play(self, changes: int, moment: Callable[[int], ViewState], note: Callable[[], int]) -> None:
        """Emit so many moments and let the window show them."""
        ticks = QTimer()
        last = time.perf_counter()

        def tick() -> None:
            nonlocal last
            now = time.perf_counter()
            self.worst_ms = max(self.worst_ms, (now - last) * 1000 - TICK_MS)
            last = now

        ticks.timeout.connect(tick)
        ticks.start(TICK_MS)
        for number in range(changes):
            began = time.perf_counter()
            self._bridge.changed.emit(moment(number))
            self.sent[note()] = began
            while time.perf_counter() - began < EVERY_MS / 1000:
                self._app.processEvents()
                time.sleep(0.001)
        ticks.stop()


def moments(session: Session, shown: ViewState) -> Callable[[int], ViewState]:
    """Return the game's own moments, over and over."""
    line, presenter = session.referee.line, session.presenter
    tables = [presenter.present(line.state_after(number)) for number in range(len(line) + 1)]
    return lambda number: replace(shown, table=tables[number % len(tables)])


def listen(port: int, token: str, device: str, got: list[tuple[int, float]]) -> None:
    """Note each page's number and when it came."""
    with contextlib.suppress(ConnectionClosed), visit_port(port, token, device) as connection:
        while True:
            page = json.loads(connection.recv())
            if "number" in page:
                got.append((page["number"], time.perf_counter()))


def be_devices(port: int, tokens: list[str]) -> None:
    """Be sixteen devices until the server goes; print what each of them was shown, and when."""
    got: list[list[tuple[int, float]]] = [[] for _ in range(MOST_CLIENTS)]
    devices = [
        threading.Thread(target=listen, args=(port, tokens[n % len(tokens)], f"{n:032x}", got[n]))
        for n in range(MOST_CLIENTS)
    ]
    for device in devices:
        device.start()
    for device in devices:
        device.join()
    print(json.dumps(got))


def attack(server: PhoneServer, rng: random.Random, attempts: int) -> tuple[int, int]:
    """Try to be shown something; return how many attempts were made and how many of them were."""
    shown = 0
    place = f"{LOCAL}:{server.port}"
    for number in range(attempts):
        kind = number % 4
        try:
            if kind == 0:  # a wrong token or a broken greeting
                greeting = rng.choice(MESSAGES) if rng.random() < 0.5 else _guess(rng)
                with connect(f"ws://{place}/live", origin=Origin(f"http://{place}"), proxy=None) as stranger:
                    stranger.send(greeting)
                    stranger.recv(10)
                    shown += 1
            elif kind == 1:  # a foreign page
                with connect(f"ws://{place}/live", origin=Origin("http://evil.example"), proxy=None):
                    shown += 1
            else:  # a foreign name, or bytes that are no request
                foreign = b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"
                head = foreign if kind == 2 else rng.randbytes(300) + b"\r\n\r\n"
                with socket.create_connection((LOCAL, server.port), timeout=10) as plain:
                    plain.sendall(head)
                    shown += b" 200 " in plain.recv(4096)
        except (ConnectionClosed, InvalidHandshake, OSError):
            continue
    return attempts, shown


def _guess(rng: random.Random) -> str:
    return json.dumps({"token": rng.randbytes(32).hex(), "device": rng.randbytes(16).hex()})


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--attempts", type=int, default=400)
    parser.add_argument("--game", default="blue_moon_city", choices=registry.NAMES)
    parser.add_argument("--devices", action="append", metavar="PORT|TOKEN", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.devices:
        be_devices(int(chosen.devices[0]), chosen.devices[1:])
        return 0
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication(sys.argv[:1])
    favour_the_window()
    with tempfile.TemporaryDirectory() as folder:
        session = public_session(Path(folder), chosen.game, seed=2, most=120)
        bridge = ControllerBridge(session)
        tidying = Tidying()
        tidying.start()
        window = MainWindow(bridge, Path(folder), "Moontable")
        sharing = Sharing(bridge)
        shown: list[ViewState] = []
        bridge.changed.connect(shown.append)
        window.show()
        bridge.start()
        while not shown:
            app.processEvents()
        measure(app, bridge, window, sharing, moments(session, shown[0]), chosen)
        window.close()
        bridge.stop()
        tidying.stop()
        session.referee.journal.close()
    return 0


def measure(
    app: QApplication,
    bridge: ControllerBridge,
    window: MainWindow,
    sharing: Sharing,
    moment: Callable[[int], ViewState],
    chosen: argparse.Namespace,
) -> None:
    """Play without devices, then with sixteen, then with strangers at the door."""
    warm = Loop(app, bridge, window)
    warm.play(20, moment, lambda: 0)
    alone = Loop(app, bridge, window)
    alone.play(chosen.changes, moment, lambda: 0)
    sharing.begin(LOCAL)
    hub, server = sharing.hub, sharing.server
    assert hub is not None
    assert server is not None
    tokens = [token for role, token in hub.links if role.kind != SEAT]
    # Joined by a sign: a token may begin with a dash.
    told = [f"--devices={each}" for each in (server.port, *tokens)]
    devices = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.phones", *told],
        stdout=subprocess.PIPE,
        text=True,
    )
    while hub.count < MOST_CLIENTS:
        app.processEvents()
    shared = Loop(app, bridge, window)
    shared.play(chosen.changes, moment, lambda: hub.number)
    tried: list[tuple[int, int]] = []
    storm = threading.Thread(target=lambda: tried.append(attack(server, random.Random(1), chosen.attempts)))
    storm.start()
    stormy = Loop(app, bridge, window)
    while storm.is_alive():
        stormy.play(5, moment, lambda: hub.number)
    count = hub.count
    sharing.end()
    got = json.loads(devices.communicate()[0])
    waits = sorted(
        (at - shared.sent[number]) * 1000 for one in got for number, at in one if number in shared.sent
    )
    middle, most = waits[len(waits) // 2], waits[len(waits) * 95 // 100]
    print(f"{count} devices, {len(waits)} pages of {chosen.changes} changes received")
    print(f"change until page: median {middle:.1f} ms, 95 % {most:.1f} ms, worst {waits[-1]:.1f} ms")
    print(
        f"worst block of the event loop: alone {alone.worst_ms:.0f} ms, shared {shared.worst_ms:.0f} ms, "
        f"under attack {stormy.worst_ms:.0f} ms"
    )
    print(f"hostile attempts: {tried[0][0]}, shown a page: {tried[0][1]}; devices still connected: {count}")


if __name__ == "__main__":
    sys.exit(main())
