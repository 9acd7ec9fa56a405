"""Threads that a test leaves behind."""

from __future__ import annotations

import threading
import time

GRACE_S = 2.0


def running_threads() -> set[threading.Thread]:
    """Return the Python threads alive now; those that Qt made are not Python's to count."""
    return {thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}


def leaked_threads(before: set[threading.Thread]) -> list[str]:
    """Return the names of threads started since `before` that do not end within the grace time."""
    end = time.monotonic() + GRACE_S
    for thread in running_threads() - before:
        thread.join(max(0.0, end - time.monotonic()))
    return sorted(thread.name for thread in running_threads() - before)
