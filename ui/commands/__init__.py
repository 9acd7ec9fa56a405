"""The commands that need more than one room: each module connects the rooms that its commands use."""

import calibration  # noqa: F401 -- it sets limits that must hold before OpenCV is loaded
