"""The server: the page and its live data on one port, in threads of its own.

It is bound to one local address. Host and Origin are checked before anything is answered; a connection shows
nothing before it has sent the token of a role, and is ended if it sends too much.
"""

from __future__ import annotations

import contextlib
import http
import json
import logging
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.i18n import msg
from companion.phones.admission import (
    MOST_BYTES,
    MOST_CLIENTS,
    Allowance,
    Role,
    is_own_host,
    is_own_origin,
    parse_hello,
    parse_wish,
)
from ui.phones.hub import Client, Hub

PAGE: Final = Path(__file__).resolve().parent / "page"
FILES: Final = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
}
LIVE: Final = "/live"
GREETING_S: Final = 5.0
OPENING_S: Final = 5.0
# Connections in all: clients, those that are about to greet, and requests for the page's files.
MOST_CONNECTIONS: Final = 3 * MOST_CLIENTS
SAFE: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
# Why a connection was ended, for the page.
REFUSED, FULL, REPLACED, FLOOD = 4001, 4002, 4003, 4004

Ask = Callable[[Role], bool]


class PhoneServer:
    """Serves one game until it is stopped.

    `ask` is called when a seat is opened on a second device: in a connection's thread, until the players have
    answered.
    """

    def __init__(self, hub: Hub, ask: Ask, address: str, port: int = 0) -> None:
        self._hub = hub
        self._ask = ask
        self.address = address
        try:
            listener = socket.create_server((address, port))
        except OSError as error:
            why = error.strerror or str(error)
            text = msg("{address} cannot be shared on: {why}", address=address, why=why)
            raise DeviceError(text, DeviceFault.BUSY) from error
        self.port: int = listener.getsockname()[1]
        silent = logging.getLogger("moontable.phones.connections")
        silent.disabled = True  # what strangers send is not worth a line each
        self._server = serve(
            self._serve,
            sock=listener,
            process_request=self._answer,
            server_header=None,
            compression=None,
            open_timeout=OPENING_S,
            ping_interval=10,
            ping_timeout=10,
            close_timeout=1,
            max_size=MOST_BYTES,
            max_queue=4,
            logger=silent,
        )
        self._server.handler = self._limited(self._server.handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="phones", daemon=True)
        self._thread.start()

    def link(self, token: str) -> str:
        """Return the link of a token; browsers never send what stands behind the sign."""
        return f"http://{self.address}:{self.port}/#{token}"

    def stop(self) -> None:
        """End all connections and threads; safe to call twice."""
        self._hub.close()
        self._server.shutdown()
        self._thread.join()

    def _limited(self, handler: Callable[[socket.socket, Any], None]) -> Callable[[socket.socket, Any], None]:
        """Close what comes while there are too many connections already."""

        def handle(sock: socket.socket, address: Any) -> None:
            if len(self._server.handler_threads) <= MOST_CONNECTIONS:
                handler(sock, address)
                return
            sock.close()
            with self._server.lock:
                self._server.handler_threads.discard(threading.current_thread())

        return handle

    # -- requests -------------------------------------------------------------------------------------

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the page's files; let a live connection pass only if our own page opened it."""
        host = request.headers.get_all("Host")
        if len(host) != 1 or not is_own_host(host[0], self.address, self.port):
            return _response(http.HTTPStatus.FORBIDDEN)
        if request.path == LIVE:
            origin = request.headers.get_all("Origin")
            is_ours = len(origin) == 1 and is_own_origin(origin[0], self.address, self.port)
            return None if is_ours else _response(http.HTTPStatus.FORBIDDEN)
        if request.path not in FILES:
            return _response(http.HTTPStatus.NOT_FOUND)
        name, kind = FILES[request.path]
        return _response(http.HTTPStatus.OK, (PAGE / name).read_bytes(), kind)

    # -- live connections -----------------------------------------------------------------------------

    def _serve(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            client = self._welcome(connection)
            if client is None:
                return
            teller = threading.Thread(target=self._tell, args=(connection, client), name="phone")
            teller.start()
            try:
                self._listen(connection, client)
            finally:
                self._hub.leave(client)
                teller.join()

    def _welcome(self, connection: ServerConnection) -> Client | None:
        """Return the client that a greeting opens the door to; end the connection of any other."""
        try:
            hello = parse_hello(connection.recv(GREETING_S))
        except (MalformedError, TimeoutError):
            connection.close(REFUSED)
            return None
        role = self._hub.role_of(hello.token)
        if role is None:
            connection.close(REFUSED)
            return None
        if self._hub.is_taken(role, hello.device):
            connection.send('{"asking": true}')
            if not self._ask(role):
                connection.close(REFUSED)
                return None
        client = self._hub.join(role, hello.device)
        if client is None:
            connection.close(FULL)
        return client

    def _listen(self, connection: ServerConnection, client: Client) -> None:
        allowance = Allowance(time.monotonic())
        while True:
            message = connection.recv()
            if not allowance.spend(time.monotonic()):
                connection.close(FLOOD)
                return
            try:
                self._hub.wish(client, parse_wish(message))
            except MalformedError:
                connection.close(FLOOD)
                return

    def _tell(self, connection: ServerConnection, client: Client) -> None:
        """Send every moment; a connection that is slow gets the newest one when it can take it."""
        seen, sent = 0, set[str]()
        with contextlib.suppress(ConnectionClosed):
            while (news := self._hub.next_page(client, seen)) is not None:
                new = {name: data for name, data in news.pictures.items() if name not in sent}
                if new:
                    connection.send(json.dumps({"pictures": new}))
                    sent.update(new)
                connection.send(news.page)
                seen = news.number
            connection.close(REPLACED if client.is_replaced else 1001)


def _response(status: http.HTTPStatus, body: bytes = b"", kind: str = "text/plain") -> Response:
    headers = Headers({**SAFE, "Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"})
    return Response(status.value, status.phrase, headers, body)
