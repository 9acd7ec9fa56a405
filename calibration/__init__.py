"""Lens, table plane, light, enrolment of pieces, sensor set-up, profiles and printable sheets."""

import os
from typing import Final

# The most pixels a picture may have, whatever its header claims. OpenCV reads this when it is loaded; every
# room that uses OpenCV loads this one first.
MOST_PIXELS: Final = 60_000_000
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
