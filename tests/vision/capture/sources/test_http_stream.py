"""Pictures by HTTP, from a server on this machine that behaves well or badly."""

from __future__ import annotations

import contextlib
import http.server
import itertools
import re
import threading
from collections.abc import Iterator
from typing import ClassVar

import cv2
import numpy as np
import pytest

from companion.errors import DeviceError, DeviceFault, MalformedError
from tests.helpers.logfail import WarningCollector
from vision.arrays import Image
from vision.capture.sources import Patience, open_source
from vision.capture.sources.http_stream import HttpLink


def _jpeg(level: int) -> bytes:
    _, packed = cv2.imencode(".jpg", np.full((72, 96, 3), level, np.uint8))
    return packed.tobytes()


class _Camera(http.server.BaseHTTPRequestHandler):
    """Streams three pictures at /video, one at /shot.jpg, and misbehaves elsewhere."""

    release = threading.Event()
    heard: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        with contextlib.suppress(ConnectionError):  # who listens may go at any moment
            getattr(self, "_" + re.split("[.?]", self.path.strip("/"))[0], self._missing)()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _video(self) -> None:
        self._head("multipart/x-mixed-replace; boundary=--shots")
        for level in (10, 120, 200):
            packed = _jpeg(level)
            self.wfile.write(
                b"--shots\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(packed)
            )
            self.wfile.write(packed + b"\r\n")

    def _stall(self) -> None:
        self._head("multipart/x-mixed-replace; boundary=shots")
        self.wfile.write(b"--shots\r\nContent-Length: 5000\r\n\r\nbegun")
        self.wfile.flush()
        self.release.wait(20)

    def _shot(self) -> None:
        self._head("image/jpeg")
        self.wfile.write(_jpeg(77))

    def _page(self) -> None:
        self._head("text/html")
        self.wfile.write(b"<html>")

    def _secret(self) -> None:
        self.heard.append(self.headers.get("Authorization"))
        if self.headers.get("Authorization") == "Basic YW5uYTpwQHNz":
            self._shot()
        else:
            self.send_error(401)

    def _away(self) -> None:
        """Send on to /secret of the host that the query names."""
        self.send_response(302)
        self.send_header("Location", f"http://{self.path.partition('?')[2]}/secret")
        self.end_headers()

    def _round(self) -> None:
        self.send_response(301)
        self.send_header("Location", "/round")
        self.end_headers()

    def _tiny(self) -> None:
        self._head("multipart/x-mixed-replace; boundary=b")
        self.wfile.write(b"--b\n\nx" * 5000)

    def _drip(self) -> None:
        """Send a head that never ends, a byte at a time, for as long as anybody listens."""
        self.wfile.write(b"HTTP/1.0 200 OK\r\n")
        while not self.release.wait(0.02):
            self.wfile.write(b"X")

    def _trickle(self) -> None:
        """Send a picture that never ends."""
        self._head("image/jpeg")
        while not self.release.wait(0.02):
            self.wfile.write(b"X")

    def _missing(self) -> None:
        self.send_error(404)

    def _head(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a running camera server."""
    _Camera.release.clear()
    _Camera.heard.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Camera)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    _Camera.release.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_stream_gives_its_newest_picture(address: str) -> None:
    """Pictures that arrived together are passed over but the last; the end of the stream is a fault."""
    link = HttpLink(f"http://{address}/video")
    seen: list[tuple[Image, bytes | None]] = []

    def read_all() -> None:
        while True:
            seen.append(link.read())

    with pytest.raises(DeviceError, match="ended"):
        read_all()
    link.close()

    assert seen[-1][1] == _jpeg(200)
    assert (72, 96, 3) == seen[-1][0].shape


def test_single_pictures_are_asked_for_again(address: str) -> None:
    """An address that gives one picture is asked each time."""
    link = HttpLink(f"http://{address}/shot.jpg")
    images = [link.read()[0] for _ in range(3)]
    link.close()

    assert all(abs(int(image[0, 0, 0]) - 77) < 4 for image in images)


@pytest.mark.parametrize(
    ("path", "fault", "says"),
    [
        ("page", DeviceFault.UNREADABLE, "text/html"),
        ("nothing", DeviceFault.NOT_FOUND, "error 404"),
        ("secret", DeviceFault.NO_PERMISSION, "password"),
    ],
)
def test_wrong_addresses_are_explained(address: str, path: str, fault: DeviceFault, says: str) -> None:
    """What is no stream is refused with words to act on."""
    with pytest.raises(DeviceError, match=says) as caught:
        HttpLink(f"http://{address}/{path}").read()

    assert fault == caught.value.fault


def test_name_and_password_are_sent(address: str) -> None:
    """A name and a password in the address are used, and kept out of the source's name."""
    link = HttpLink(f"http://anna:p%40ss@{address}/secret")
    link.read()
    link.close()

    assert f"http://{address}/secret" == open_source(f"http://anna:p%40ss@{address}/secret").name


def test_a_silent_stream_is_noticed(address: str) -> None:
    """A stream that stops in the middle of a picture is a stall, not a wait for ever."""
    link = HttpLink(f"http://{address}/stall", timeout_s=0.1)
    with pytest.raises(DeviceError, match="stopped sending") as caught:
        link.read()
    link.close()

    assert DeviceFault.STALLED == caught.value.fault


def test_nobody_there_is_explained() -> None:
    """A refused connection names the host and asks the right question."""
    with pytest.raises(DeviceError, match="same network"):
        HttpLink("http://127.0.0.1:9/video", timeout_s=1).read()


def test_a_live_source_reads_the_stream_and_goes(address: str, logged_warnings: WarningCollector) -> None:
    """The whole chain delivers frames, reconnects when the stream ends, and leaves no thread behind."""
    source = open_source(f"http://{address}/video", patience=Patience(first_retry_s=0.01))
    frames = source.frames()
    seen = [next(frames) for _ in range(3)]
    source.close()

    ended = f"source lost name=http://{address}/video fault=the stream has ended"
    assert set(logged_warnings.take()) <= {ended}
    assert all(frame.packed is not None for frame in seen)
    assert [one.seq for one in seen] == sorted({one.seq for one in seen})


def test_closing_wakes_a_reader_that_waits(address: str) -> None:
    """A source on a silent stream is closed at once, not after the time-out."""
    source = open_source(f"http://{address}/stall", patience=Patience(stall_s=0.2, farewell_s=2))
    with pytest.raises(DeviceError):
        next(source.frames())
    source.close()

    assert not any(one.name.startswith("frames of") for one in threading.enumerate())


@pytest.mark.parametrize("path", ["drip", "trickle", "stall", "video", "shot.jpg"])
def test_closing_is_prompt_whatever_drips(address: str, path: str) -> None:
    """A head or a picture that never ends holds nobody up: the connection is broken off under its reader."""
    link = HttpLink(f"http://{address}/{path}", timeout_s=20)
    reader = threading.Thread(target=lambda: _read_until_it_fails(link))
    reader.start()
    while link._getter._wire is None and reader.is_alive():
        pass
    link.interrupt()
    reader.join(10)
    link.close()

    assert not reader.is_alive()


def _read_until_it_fails(link: HttpLink) -> None:
    with contextlib.suppress(DeviceError):
        while True:
            with contextlib.suppress(MalformedError):  # one that was cut off; the next is tried, as always
                link.read()


def test_a_link_broken_off_beforehand_asks_nobody() -> None:
    """Whoever closes before the first read does not wait for a connection."""
    link = HttpLink("http://127.0.0.1:9/video")
    link.interrupt()
    with pytest.raises(DeviceError):
        link.read()


def test_a_picture_that_only_drips_is_given_up(address: str) -> None:
    """Something arrives all the time, but never a picture: that is a stall, said after a while."""
    ticks = itertools.count(step=3)
    link = HttpLink(f"http://{address}/trickle", clock=lambda: float(next(ticks)))
    with pytest.raises(DeviceError, match="too slowly") as caught:
        link.read()
    link.close()

    assert DeviceFault.STALLED == caught.value.fault


def test_a_stream_of_crumbs_is_given_up(address: str) -> None:
    """Thousands of parts that can be no pictures are not looked at one by one for ever."""
    link = HttpLink(f"http://{address}/tiny")
    with pytest.raises(DeviceError, match="no pictures in the stream"):
        link.read()
    link.close()


def test_secrets_go_to_no_other_host(address: str) -> None:
    """A redirect to another host, or another port, is followed without name and password."""
    other = address.replace("127.0.0.1", "localhost")
    link = HttpLink(f"http://anna:p%40ss@{address}/away?{other}")
    with pytest.raises(DeviceError, match="asks for a name and a password"):
        link.read()

    assert [None] == _Camera.heard


def test_secrets_go_on_within_the_host(address: str) -> None:
    """On the same host and port they are still needed."""
    link = HttpLink(f"http://anna:p%40ss@{address}/away?{address}")
    link.read()
    link.close()

    assert ["Basic YW5uYTpwQHNz", "Basic YW5uYTpwQHNz"] == _Camera.heard[:1] * 2


def test_secrets_in_a_redirect_are_not_taken(address: str) -> None:
    """Who sends on does not say as whom."""
    link = HttpLink(f"http://{address}/away?anna:p%40ss@{address}")
    with pytest.raises(DeviceError, match="asks for a name and a password"):
        link.read()


def test_going_round_in_circles_ends(address: str) -> None:
    """Redirects are followed a few times only."""
    with pytest.raises(DeviceError, match="redirects too many times"):
        HttpLink(f"http://{address}/round").read()


def test_no_address_is_said_without_its_secrets() -> None:
    """What cannot be understood is not quoted."""
    with pytest.raises(DeviceError, match="not an HTTP address") as caught:
        HttpLink("http://anna:secret@:nowhere/")

    assert "secret" not in str(caught.value)
