"""Pictures from a phone or IP camera over HTTP: an MJPEG stream, or one picture at a time."""

from __future__ import annotations

import contextlib
import http.client
import time
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from companion.addresses import parse_address
from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.i18n import msg
from companion.ports import Clock
from vision.arrays import Image
from vision.capture.sources.frame import open_picture
from vision.capture.sources.http_get import HttpGetter
from vision.capture.sources.multipart import MOST_BYTES, MultipartParser

TIMEOUT_S: Final = 3.0
# Time limit for a whole picture, however slowly its bytes arrive.
PICTURE_S: Final = 10.0
_CHUNK: Final = 65536
_USELESS_MOST: Final = 1000
T = TypeVar("T")


class HttpLink:
    """An MJPEG stream, or an address that gives one picture each time it is asked.

    It connects on the first read, so that another thread can abort the attempt.
    """

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S, clock: Clock = time.monotonic) -> None:
        """Prepare; raises DeviceError if the address is not valid."""
        try:
            self._address = parse_address(url)
        except ValueError as error:
            raise DeviceError(msg("this is not an HTTP address"), DeviceFault.NOT_FOUND) from error
        self._clock = clock
        self._getter = HttpGetter(timeout_s)
        self._answer: http.client.HTTPResponse | None = None
        self._parser: MultipartParser | None = None
        self._ready: list[bytes] = []

    def read(self) -> tuple[Image, bytes | None]:
        """Return the newest picture that has arrived whole."""
        packed = self._guarded(self._next)
        return open_picture(packed), packed

    def interrupt(self) -> None:
        """Close the connection, so that a waiting read ends."""
        self._getter.interrupt()

    def properties(self) -> Mapping[str, float]:
        """Return nothing: a stream does not report settings."""
        return {}

    def close(self) -> None:
        """Let go of the connection."""
        if self._answer is not None:
            with contextlib.suppress(OSError, ValueError):
                self._answer.close()

    def _next(self) -> bytes:
        answer = self._answer or self._begun()
        until_s = self._clock() + PICTURE_S
        if self._parser is not None:
            return self._next_part(answer, self._parser, until_s)
        packed = bytearray()
        while chunk := answer.read1(_CHUNK):
            packed += chunk
            if len(packed) > MOST_BYTES:
                break
            self._ensure_in_time(until_s)
        answer.close()
        self._answer = None
        if len(packed) > MOST_BYTES:
            raise MalformedError(msg("the picture is too large"))
        return bytes(packed)

    def _begun(self) -> http.client.HTTPResponse:
        """Connect, and return the answer."""
        answer = self._getter.get(self._address)
        kind = answer.headers.get_content_maintype()
        if kind == "multipart":
            self._parser = MultipartParser(str(answer.headers.get_param("boundary", "")))
        elif kind != "image":
            found = answer.headers.get_content_type()
            answer.close()
            raise DeviceError(
                msg(
                    "the address answers with {found}, not with pictures; look in the camera app for the "
                    "address of its MJPEG stream, which often ends in /video or /mjpeg",
                    found=found,
                ),
                DeviceFault.UNREADABLE,
            )
        self._answer = answer
        return answer

    def _next_part(self, answer: http.client.HTTPResponse, parser: MultipartParser, until_s: float) -> bytes:
        while not self._ready:
            chunk = answer.read1(_CHUNK)
            if not chunk:
                raise DeviceError(msg("the stream has ended"), DeviceFault.UNPLUGGED)
            self._ready = parser.feed(chunk)
            if parser.useless > _USELESS_MOST:
                raise DeviceError(msg("there are no pictures in the stream"), DeviceFault.UNREADABLE)
            self._ensure_in_time(until_s)
        newest, self._ready = self._ready[-1], []
        return newest

    def _ensure_in_time(self, until_s: float) -> None:
        if self._clock() > until_s:
            text = msg("{host} sends too slowly", host=self._address.host)
            raise DeviceError(text, DeviceFault.STALLED)

    def _guarded(self, call: Callable[[], T]) -> T:
        """Call, and turn network errors into a DeviceError that says what to do."""
        host = self._address.host
        try:
            return call()
        except TimeoutError as error:
            raise DeviceError(msg("{host} has stopped sending", host=host), DeviceFault.STALLED) from error
        except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
            raise DeviceError(
                msg("the connection to {host} broke", host=host), DeviceFault.UNPLUGGED
            ) from error
