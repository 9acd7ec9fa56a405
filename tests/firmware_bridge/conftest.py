"""Boards for the tests of this room: the native firmware where a C compiler is at hand, and the double."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.virtual import native
from firmware_bridge.virtual.double import DoubleBoard
from tests.firmware_bridge.bench import Board

NO_COMPILER = "no C compiler: the firmware cannot be built here"


@pytest.fixture(scope="session")
def library() -> Path:
    """The native firmware, built once."""
    if native.find_compiler() is None:
        pytest.skip(NO_COMPILER)
    return native.build()


@pytest.fixture(scope="session")
def one_native(library: Path) -> native.NativeBoard:
    """One copy of the native firmware for all tests; each starts a new life of it."""
    return native.NativeBoard(library=library)


@pytest.fixture
def firmware(one_native: native.NativeBoard) -> native.NativeBoard:
    """The native firmware, freshly switched on."""
    one_native.power(1)
    return one_native


@pytest.fixture(params=["native", "double"])
def board(request: pytest.FixtureRequest) -> Board:
    """The native firmware and its double, freshly switched on."""
    if request.param == "double":
        return DoubleBoard(1)
    found = request.getfixturevalue("firmware")
    assert isinstance(found, native.NativeBoard)
    return found
