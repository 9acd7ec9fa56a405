"""Where name and password may go, and where a redirect may lead."""

from __future__ import annotations

import pytest

from companion.addresses import parse_address
from companion.errors import DeviceError, DeviceFault
from vision.capture.sources.http_get import _may_know, _redirected


@pytest.mark.parametrize(
    ("first", "then", "may"),
    [
        ("http://cam/a", "http://cam/b", True),
        ("http://cam:80/a", "http://CAM/b", True),
        ("http://cam/a", "https://cam/b", True),
        ("http://cam/a", "http://cam:8080/b", False),
        ("http://cam:8080/a", "https://cam/b", False),
        ("http://cam/a", "https://cam:8443/b", False),
        ("http://cam/a", "http://evil/b", False),
        ("http://cam/a", "http://cam.evil/b", False),
        ("https://cam/a", "https://cam:444/b", False),
    ],
)
def test_who_may_know_the_password(first: str, then: str, may: bool) -> None:
    """The same host, port and scheme, or the same host with encryption added."""
    assert _may_know(parse_address(first), parse_address(then)) is may


def test_encryption_is_not_given_up() -> None:
    """From https no redirect leads to http; which address it was is for the player to say."""
    with pytest.raises(DeviceError, match="without encryption") as caught:
        _redirected(parse_address("https://anna:secret@cam/a"), "http://cam/b")

    assert caught.value.fault is DeviceFault.NO_PERMISSION
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("where", ["file:///etc/passwd", "ftp://cam/", "http://cam:port/", "javascript:1"])
def test_a_redirect_leads_to_http_only(where: str) -> None:
    """No file and no other protocol is opened because a camera says so."""
    with pytest.raises(DeviceError, match="not an address"):
        _redirected(parse_address("http://cam/a"), where)


def test_relative_redirects_stay() -> None:
    """A path alone is on the same host, with what was given for it."""
    found = _redirected(parse_address("http://anna:secret@cam:8080/a/b"), "../video?x=1")

    assert (found.url, found.user, found.password) == ("http://cam:8080/video?x=1", "anna", "secret")
