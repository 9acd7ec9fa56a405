"""The commands that need more than one room: each module puts together what its commands use."""

import calibration  # noqa: F401 -- its limits hold before OpenCV is loaded
