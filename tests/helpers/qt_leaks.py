"""Qt threads that a test leaves behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QThread


@pytest.fixture(autouse=True)
def no_running_qthread() -> Iterator[None]:
    """Fail a test that leaves a QThread running."""
    yield
    running = [thread for thread in gc.get_objects() if isinstance(thread, QThread) and thread.isRunning()]
    if running:
        pytest.fail(f"QThreads left running: {running}")
