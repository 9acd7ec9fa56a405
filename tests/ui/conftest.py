"""What holds for every test of the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.qt_leaks import no_running_qthread
from ui import text

__all__ = ["english_again", "no_running_qthread"]


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Leave English behind: the language is the whole program's."""
    yield
    text.install("en")
