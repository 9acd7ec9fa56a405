"""Addresses: understood as they are meant, shown without what is secret."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import log
from companion.addresses import hidden, parse_address, plain
from companion.errors import DeviceError
from vision.capture.sources import open_source


@pytest.mark.parametrize(
    ("text", "shown", "user", "password", "host", "port"),
    [
        ("http://cam/video", "http://cam/video", None, None, "cam", 80),
        ("https://cam:8443/v?x=1", "https://cam:8443/v?x=1", None, None, "cam", 8443),
        ("http://anna:p%40ss@cam/v", "http://cam/v", "anna", "p@ss", "cam", 80),
        ("http://anna@cam/v", "http://cam/v", "anna", None, "cam", 80),
        ("http://anna:pa/ss@cam:81/v", "http://…cam:81/v", "anna", "pa/ss", "cam", 81),
        ("http://anna:p?a#s@s@cam/v", "http://…cam/v", "anna", "p?a#s@s", "cam", 80),
        ("http://[::1]:8080/v", "http://[::1]:8080/v", None, None, "::1", 8080),
        ("rtsp://a:b@cam/s?user=a&PWD=b&n=1", "rtsp://cam/s?user=…&PWD=…&n=1", "a", "b", "cam", 0),
        ("http://cam/@home/v", "http://…home/v", None, None, "cam", 80),
    ],
)
def test_addresses_are_understood_and_shown(
    text: str, shown: str, user: str | None, password: str | None, host: str, port: int
) -> None:
    """Also with a password that should have been encoded."""
    found = parse_address(text)

    assert (found.user, found.password, found.host, found.port) == (user, password, host, port)
    assert shown == plain(text)
    assert "password" not in repr(found)


@pytest.mark.parametrize(
    "text", ["camera:0", "http://", "http://cam:port/", "/tmp/x", "http://cam:99999999/"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    """By a ValueError, whatever is wrong."""
    with pytest.raises(ValueError):  # noqa: PT011 -- the words are urllib's
        parse_address(text)


@given(
    st.text(st.characters(codec="ascii", exclude_categories=("Z", "C")), min_size=1).map(
        lambda s: f"S3CR3T{s}S3CR3T"
    ),
    st.sampled_from(("http", "https", "rtsp", "htp")),
)
def test_no_password_is_shown(password: str, scheme: str) -> None:
    """Whatever signs it holds, neither alone nor within a text is any of it shown."""
    text = f"{scheme}://anna:{password}@cam/video"

    assert "S3CR3T" not in plain(text)
    assert "anna" not in plain(text)
    assert "S3CR3T" not in hidden(f"lost '{text}': it is gone")


def test_no_log_holds_a_password(caplog: pytest.LogCaptureFixture) -> None:
    """Neither as a part of the message nor in what an exception says."""
    with caplog.at_level(logging.INFO):
        log.vision.info("trying %s", "http://anna:secret@cam/video")
        try:
            raise ValueError("http://anna:secret@cam/video")
        except ValueError:
            log.vision.info("failed", exc_info=True)

    assert "http://cam/video" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    "text", ["htp://anna:secret@cam/v", "http://anna:secret@:x/", "http://anna:se/cret@cam/v"]
)
def test_no_source_names_its_password(text: str) -> None:
    """Neither in its name nor in words of refusal."""
    try:
        said = open_source(text).name
    except DeviceError as error:
        said = str(error)

    assert "cret" not in said
