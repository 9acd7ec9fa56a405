"""Assembly: the only package in which the rooms meet, for the commands and for the window."""

import calibration  # noqa: F401 -- its limits hold before OpenCV is loaded
