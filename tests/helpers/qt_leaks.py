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
    # By its type: to ask a weak proxy what it is would ask what is gone.
    threads = [each for each in gc.get_objects() if issubclass(type(each), QThread)]
    running = [thread for thread in threads if thread.isRunning()]
    if running:
        pytest.fail(f"QThreads left running: {running}")
