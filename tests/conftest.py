"""What holds for every test: no screen, no leaked thread, no unexpected warning in the log."""

from __future__ import annotations

import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

from companion.session import journal
from tests.helpers.leaks import leaked_threads, running_threads
from tests.helpers.logfail import WarningCollector, collected_warnings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# What is expected is written in English, whatever the machine speaks.
os.environ.update(LC_ALL="C.UTF-8", LANGUAGE="")
# OpenCV and Qt would otherwise take every core from their neighbours.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile(
    "ci", max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


# What takes longest begins first, so that several processes end at about the same time.
LONGEST = ("tests/vision/", "tests/ui/assembly/", "tests/ui/wizard/", "tests/ui/commands/", "tests/end2end/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the long files first; otherwise the order stays."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(autouse=True, scope="session")
def hasty_disk() -> Iterator[None]:
    """Do not wait for the disk: no test cuts the power. That the product does is a test of its own."""
    with patch.object(journal, "SYNCHRONOUS", "OFF"), patch.object(os, "fsync"):
        yield


@pytest.fixture(autouse=True)
def no_leaked_thread() -> Iterator[None]:
    """Fail a test that leaves a thread running."""
    before = running_threads()
    yield
    leaked = leaked_threads(before)
    if leaked:
        pytest.fail(f"threads left running: {', '.join(leaked)}")


@pytest.fixture(autouse=True)
def logged_warnings() -> Iterator[WarningCollector]:
    """Fail on warnings in the log; a test that expects some asks for this and takes them with `take()`."""
    with collected_warnings() as collector:
        yield collector
    unexpected = collector.take()
    if unexpected:
        pytest.fail("unexpected warnings in the log: " + " | ".join(unexpected))
