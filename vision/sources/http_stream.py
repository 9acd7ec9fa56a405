"""Pictures from a phone or IP camera by HTTP: an MJPEG stream, or one picture at a time."""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from typing import TypeVar

from companion.errors import DeviceError, DeviceFault
from companion.words import msg
from vision.draw import Image
from vision.sources.frame import open_picture
from vision.sources.multipart import MOST_BYTES, MultipartParser

TIMEOUT_S = 3.0
_CHUNK = 65536
T = TypeVar("T")


class HttpLink:
    """An open MJPEG stream, or an address that gives one picture each time it is asked."""

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S) -> None:
        """Connect; raises DeviceError in words that help."""
        self._url = url
        self._timeout_s = timeout_s
        self._answer = _get(url, timeout_s)
        self._parser: MultipartParser | None = None
        self._ready: list[bytes] = []
        kind = self._answer.headers.get_content_maintype()
        if kind == "multipart":
            self._parser = MultipartParser(str(self._answer.headers.get_param("boundary", "")))
        elif kind != "image":
            found = self._answer.headers.get_content_type()
            self._answer.close()
            raise DeviceError(
                msg(
                    "the address answers with {found}, not with pictures; look in the camera app for the "
                    "address of its MJPEG stream, which often ends in /video or /mjpeg",
                    found=found,
                ),
                DeviceFault.UNREADABLE,
            )

    def read(self) -> tuple[Image, bytes | None]:
        """Return the newest picture that has arrived whole."""
        packed = self._next_part() if self._parser is not None else self._next_single()
        return open_picture(packed), packed

    def interrupt(self) -> None:
        """Hang up under a reader that waits."""
        # The one way to wake a reader of urllib.
        wire = getattr(getattr(self._answer.fp, "raw", None), "_sock", None)
        if wire is not None:
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)

    def properties(self) -> Mapping[str, float]:
        """Return nothing: a stream tells no settings."""
        return {}

    def close(self) -> None:
        """Let go of the connection."""
        with contextlib.suppress(OSError, ValueError):
            self._answer.close()

    def _next_part(self) -> bytes:
        assert self._parser is not None
        while not self._ready:
            chunk = _guarded(lambda: self._answer.read1(_CHUNK), self._url)
            if not chunk:
                raise DeviceError(msg("the stream has ended"), DeviceFault.UNPLUGGED)
            self._ready = self._parser.feed(chunk)
        newest, self._ready = self._ready[-1], []
        return newest

    def _next_single(self) -> bytes:
        packed = _guarded(lambda: self._answer.read(MOST_BYTES), self._url)
        self._answer.close()
        self._answer = _get(self._url, self._timeout_s)
        return packed


def _get(url: str, timeout_s: float) -> http.client.HTTPResponse:
    parts = urllib.parse.urlsplit(url)
    headers = {"User-Agent": "Moontable", "Cache-Control": "no-cache"}
    if parts.username is not None:
        pair = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        host = parts.netloc.rpartition("@")[2]
        url = urllib.parse.urlunsplit(parts._replace(netloc=host))
    request = urllib.request.Request(url, headers=headers)
    # A camera stands in the same house: a proxy of the network would only be in the way.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    answer = _guarded(lambda: opener.open(request, timeout=timeout_s), url)
    if not isinstance(answer, http.client.HTTPResponse):
        raise DeviceError(msg("{url} is not an HTTP address", url=url), DeviceFault.NOT_FOUND)
    return answer


def _guarded(call: Callable[[], T], url: str) -> T:
    """Call, and turn what the network throws into a DeviceError that says what to do."""
    host = urllib.parse.urlsplit(url).hostname or url
    try:
        return call()
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (401, 403):
            text = msg("{host} wants a name and a password: write http://name:password@...", host=host)
            raise DeviceError(text, DeviceFault.NO_PERMISSION) from error
        raise DeviceError(
            msg("{host} answers with error {number}", host=host, number=error.code), DeviceFault.NOT_FOUND
        ) from error
    except TimeoutError as error:
        raise DeviceError(msg("{host} has stopped sending", host=host), DeviceFault.STALLED) from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise DeviceError(msg("{host} does not answer", host=host), DeviceFault.STALLED) from error
        text = msg(
            "{host} cannot be reached ({why}); is it on, and in the same network?",
            host=host,
            why=error.reason,
        )
        raise DeviceError(text, DeviceFault.NOT_FOUND) from error
    except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
        raise DeviceError(msg("the connection to {host} broke", host=host), DeviceFault.UNPLUGGED) from error
