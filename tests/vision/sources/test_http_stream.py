"""Pictures by HTTP, from a server on this machine that behaves well or badly."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion.errors import DeviceError, DeviceFault
from tests.helpers.logfail import WarningCollector
from vision.draw import Image
from vision.sources import Patience, open_source
from vision.sources.http_stream import HttpLink


def _jpeg(level: int) -> bytes:
    _, packed = cv2.imencode(".jpg", np.full((72, 96, 3), level, np.uint8))
    return packed.tobytes()


class _Camera(http.server.BaseHTTPRequestHandler):
    """Streams three pictures at /video, one at /shot.jpg, and misbehaves elsewhere."""

    release = threading.Event()

    def do_GET(self) -> None:
        getattr(self, "_" + self.path.strip("/").partition(".")[0], self._missing)()

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
        if self.headers.get("Authorization") == "Basic YW5uYTpwQHNz":
            self._shot()
        else:
            self.send_error(401)

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
        HttpLink(f"http://{address}/{path}")

    assert fault == caught.value.fault


def test_name_and_password_are_sent(address: str) -> None:
    """A name and a password in the address are used, and kept out of the source's name."""
    link = HttpLink(f"http://anna:p%40ss@{address}/secret")
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
        HttpLink("http://127.0.0.1:9/video", timeout_s=1)


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
