"""Assembly: connects the rooms with each other, for the commands and the window."""

import calibration  # noqa: F401 -- it sets limits that must hold before OpenCV is loaded
