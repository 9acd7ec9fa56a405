"""The assembly point: the only package in which rooms meet, for the commands and for the window."""

import calibration  # noqa: F401 -- its limits hold before OpenCV is loaded
