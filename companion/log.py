"""One logger a topic; nothing here knows Qt."""

from __future__ import annotations

import logging

engine = logging.getLogger("moontable.engine")
reconcile = logging.getLogger("moontable.reconcile")
vision = logging.getLogger("moontable.vision")
bridge = logging.getLogger("moontable.bridge")
calibration = logging.getLogger("moontable.calibration")
ui = logging.getLogger("moontable.ui")
