"""An unexpected warning in Moontable's log fails the test that caused it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

ROOT_LOGGER = "moontable"


class WarningCollector(logging.Handler):
    """Keeps every record of WARNING and above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def take(self) -> list[str]:
        """Return what was collected so far and forget it; a test that expects warnings calls this."""
        taken = [record.getMessage() for record in self.records]
        self.records.clear()
        return taken


@contextmanager
def collected_warnings() -> Iterator[WarningCollector]:
    """Collect the warnings logged inside the block."""
    collector = WarningCollector()
    logger = logging.getLogger(ROOT_LOGGER)
    logger.addHandler(collector)
    try:
        yield collector
    finally:
        logger.removeHandler(collector)
