"""One HTTP GET after another, each of which can be aborted from another thread at any moment.

urllib's own opener passes name and password on to any host that a redirect names, and cannot be interrupted
while it waits for an answer.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import ssl
import threading
import urllib.parse
from typing import Final

from companion.addresses import Address, parse_address
from companion.errors import DeviceError, DeviceFault
from companion.i18n import msg

REDIRECTS_MOST: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SAFE: Final = "%/:=&?~#+!$,;'@()*[]"


class HttpGetter:
    """Requests one address after the other over at most one connection."""

    def __init__(self, timeout_s: float) -> None:
        """Set the time limit of each step: connecting, and each piece of the answer."""
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._wire: socket.socket | None = None
        self._is_broken_off = False

    def get(self, address: Address) -> http.client.HTTPResponse:
        """Return the answer, its body not yet read; raises DeviceError saying what to do.

        Follows redirects. The name and password are sent only to the original host, port and scheme, or to
        its https port after http. A redirect from https to http is refused.
        """
        first = address
        for _ in range(REDIRECTS_MOST + 1):
            answer = self._answer(address, with_secrets=_may_know(first, address))
            where = answer.headers.get("Location")
            if answer.status not in _REDIRECTS or where is None:
                return _good(answer, address.host)
            answer.close()
            address = _redirected(address, where)
        raise DeviceError(msg("{host} redirects too many times", host=first.host), DeviceFault.NOT_FOUND)

    def interrupt(self) -> None:
        """Abort the request under way, for good; called from another thread than `get`."""
        with self._lock:
            self._is_broken_off = True
            wire = self._wire
        if wire is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(
                    wire, socket.SHUT_RDWR
                )  # wrapping an encrypted one would replace the socket during a read

    def _answer(self, address: Address, *, with_secrets: bool) -> http.client.HTTPResponse:
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        connection = kind(address.host, address.port)
        connection.sock = self._dialled(address)
        headers = {"User-Agent": "Moontable", "Cache-Control": "no-cache", "Connection": "close"}
        if with_secrets and address.user is not None:
            pair = f"{address.user}:{address.password or ''}"
            headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        parts = urllib.parse.urlsplit(address.url)
        path = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
        try:
            connection.request("GET", urllib.parse.quote(path, safe=_SAFE), headers=headers)
            return connection.getresponse()
        except BaseException:
            connection.close()
            raise

    def _dialled(self, address: Address) -> socket.socket:
        """Return an open connection; raises DeviceError if the host cannot be reached."""
        try:
            wire = self._connected(address)
            if address.scheme != "https":
                return wire
            context = ssl.create_default_context()
            wire = self._held(
                context.wrap_socket(wire, server_hostname=address.host, do_handshake_on_connect=False)
            )
            assert isinstance(wire, ssl.SSLSocket)
            wire.do_handshake()
        except TimeoutError as error:
            raise DeviceError(
                msg("{host} does not answer", host=address.host), DeviceFault.STALLED
            ) from error
        except OSError as error:
            text = msg(
                "{host} cannot be reached ({why}); is it on, and on the same network?",
                host=address.host,
                why=error.strerror or error,
            )
            raise DeviceError(text, DeviceFault.NOT_FOUND) from error
        return wire

    def _connected(self, address: Address) -> socket.socket:
        fault = OSError("it has no address")
        for family, kind, protocol, _, where in socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM
        ):
            wire = socket.socket(family, kind, protocol)
            try:
                wire.settimeout(self._timeout_s)
                self._held(wire).connect(where)
            except OSError as error:
                wire.close()
                fault = error
            else:
                return wire
        raise fault

    def _held(self, wire: socket.socket) -> socket.socket:
        """Store the connection so that `interrupt` can close it."""
        with self._lock:
            self._wire = wire
            if not self._is_broken_off:
                return wire
        wire.close()
        raise ConnectionAbortedError("broken off")


def _may_know(first: Address, now: Address) -> bool:
    """Whether credentials given for the first address may be sent to another."""
    if first.host != now.host:
        return False
    upgraded = (first.scheme, first.port, now.scheme, now.port) == ("http", 80, "https", 443)
    return upgraded or (first.scheme, first.port) == (now.scheme, now.port)


def _redirected(address: Address, where: str) -> Address:
    """Return the address that an answer redirects to, with the original name and password."""
    try:
        target = parse_address(urllib.parse.urljoin(address.url, where))
    except ValueError:
        target = None
    if target is None or target.scheme not in ("http", "https"):
        raise DeviceError(
            msg("{host} redirects to something that is not an address", host=address.host),
            DeviceFault.NOT_FOUND,
        )
    if (address.scheme, target.scheme) == ("https", "http"):
        text = msg(
            "{host} redirects to an address without encryption; give that address if you trust it",
            host=address.host,
        )
        raise DeviceError(text, DeviceFault.NO_PERMISSION)
    return Address(
        url=target.url,
        scheme=target.scheme,
        host=target.host,
        port=target.port,
        user=address.user,
        password=address.password,
    )


def _good(answer: http.client.HTTPResponse, host: str) -> http.client.HTTPResponse:
    """Return the answer if it succeeded; raises DeviceError otherwise."""
    if answer.status < 300:
        return answer
    answer.close()
    if answer.status in (401, 403):
        text = msg("{host} asks for a name and a password: write http://name:password@...", host=host)
        raise DeviceError(text, DeviceFault.NO_PERMISSION)
    raise DeviceError(
        msg("{host} answers with error {number}", host=host, number=answer.status), DeviceFault.NOT_FOUND
    )
