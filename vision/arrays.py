"""Names for the kinds of arrays used in this room."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Singles: TypeAlias = NDArray[np.float32]
"""Measurements for pixels."""
Picture8: TypeAlias = NDArray[np.uint8]
"""Pixels of 0 to 255: gray (height, width), or blue, green, red (height, width, 3)."""
Bools: TypeAlias = NDArray[np.bool_]
"""Yes or no for each pixel."""
Floats: TypeAlias = NDArray[np.float64]
"""Places and other exact numbers."""
Labels: TypeAlias = NDArray[np.uint8]
"""A small number for each pixel, (height, width)."""
Image: TypeAlias = NDArray[np.uint8]
"""A picture in colour, (height, width, 3): blue, green, red."""
Gray: TypeAlias = NDArray[np.uint8]
"""A picture in gray, (height, width)."""
Corners: TypeAlias = NDArray[np.float64]
"""Corners of a quadrilateral in pixels, (4, 2), as printed from the top left clockwise."""
Patches: TypeAlias = NDArray[np.uint8]
"""What models see, (patches, channels, height, width)."""
Bits: TypeAlias = NDArray[np.uint16]
"""A set of small numbers for each pixel, as bits."""
Numbers: TypeAlias = NDArray[np.intp]
"""Whole numbers that count or index."""
