"""Sharing a game with phones: begun and ended from the window, told by the bridge."""

from __future__ import annotations

import queue
from typing import Final

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtNetwork import QAbstractSocket, QHostAddress, QNetworkInterface

from companion.phones.admission import Answered, Named, Role, Wish
from companion.phones.page import Shared
from ui.controller.bridge import ControllerBridge
from ui.controller.view_state import ViewState
from ui.phones.hub import Hub
from ui.phones.server import PhoneServer

ANSWER_S: Final = 60.0
Reply = queue.SimpleQueue[bool]


def local_addresses() -> tuple[str, ...]:
    """Return this machine's addresses in local networks, the one that only itself can reach last."""
    found = [
        address
        for address in QNetworkInterface.allAddresses()
        if address.protocol() == QAbstractSocket.NetworkLayerProtocol.IPv4Protocol
    ]
    found.sort(key=QHostAddress.isLoopback)
    return tuple(address.toString() for address in found)


def shared_of(shown: ViewState) -> Shared:
    """Return what is shared of what the window shows."""
    notice = ""
    if shown.trouble is not None:
        notice = shown.trouble.text
    elif shown.question is not None:
        notice = shown.question.text
    return Shared(
        table=shown.table,
        prompts=shown.prompts,
        history=tuple((line.number, line.text) for line in shown.history[-20:]),
        notice=notice,
        asked=shown.asked,
        own=shown.seats,
    )


class Sharing(QObject):
    """Off until `begin`. Lives in the window's thread; the server's threads reach it by signals alone.

    Signals:
        asked: a role that is opened on a second device, and where to put the answer (`Reply`).
        changed: sharing has begun or ended.
    """

    asked = pyqtSignal(object, object)
    changed = pyqtSignal()
    _wished = pyqtSignal(object, object)

    def __init__(
        self, bridge: ControllerBridge, shown: ViewState | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.hub: Hub | None = None
        self.server: PhoneServer | None = None
        self.theme = "light"
        self._shown = shown
        self._replies: list[Reply] = []
        self._bridge = bridge
        self._wished.connect(self._grant)
        bridge.changed.connect(self._publish)

    def begin(self, address: str, port: int = 0) -> None:
        """Serve the game on a local address, with new tokens; raises DeviceError."""
        self.end()
        if self._shown is None:
            return
        players = tuple(one.player for one in self._shown.table.players)
        hub = Hub(players, self._wished.emit)
        self.server, self.hub = PhoneServer(hub, self._ask, address, port), hub
        self._publish(self._shown)
        self.changed.emit()

    def end(self) -> None:
        """Stop serving; the old links open nothing any more. Safe to call twice."""
        if self.server is None:
            return
        for reply in self._replies:
            reply.put(False)
        self.server.stop()
        self.server = self.hub = None
        self._replies.clear()
        self.changed.emit()

    def _grant(self, role: Role, wish: Wish) -> None:
        """Pass a seat's wish on to the game; in the window's thread."""
        if isinstance(wish, Named):
            self._bridge.name_cards(role.player, wish.action, wish.cards)
        elif isinstance(wish, Answered):
            self._bridge.answer_as(role.player, wish.question, wish.choice)
        else:
            self._bridge.confirm(wish.prompt)

    def _publish(self, shown: ViewState) -> None:
        self._shown = shown
        if self.hub is not None:
            self.hub.publish(shared_of(shown), self.theme)

    def _ask(self, role: Role) -> bool:
        """Ask the players whether a second device may have a seat; in a connection's thread."""
        reply: Reply = queue.SimpleQueue()
        self._replies.append(reply)
        self.asked.emit(role, reply)
        try:
            return reply.get(timeout=ANSWER_S)
        except queue.Empty:
            return False
