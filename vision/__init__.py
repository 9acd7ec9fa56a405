"""Frames in, observations out; and a simulated camera that ships with the product."""

import calibration  # noqa: F401 -- its limits hold before OpenCV is loaded
