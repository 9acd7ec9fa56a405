"""One logger for each topic; nothing here uses Qt. Passwords in addresses never get into a log."""

from __future__ import annotations

import logging

from companion.addresses import hidden

engine = logging.getLogger("moontable.engine")
reconcile = logging.getLogger("moontable.reconcile")
vision = logging.getLogger("moontable.vision")
bridge = logging.getLogger("moontable.bridge")
calibration = logging.getLogger("moontable.calibration")
ui = logging.getLogger("moontable.ui")


def _hide(record: logging.LogRecord) -> bool:
    """Take secrets out of a record before any handler sees it."""
    record.msg, record.args = hidden(record.getMessage()), ()
    if record.exc_info:
        record.exc_text = hidden(logging.Formatter().formatException(record.exc_info))
    return True


for _logger in (engine, reconcile, vision, bridge, calibration, ui):
    _logger.addFilter(_hide)
