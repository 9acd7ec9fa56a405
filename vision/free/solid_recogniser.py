"""How likely a piece is where one may be, told by a network that was taught with drawn tables.

How it is trained: `vision.training`.
"""

from __future__ import annotations

from typing import Final

from vision.arrays import Patches, Singles
from vision.models.network import Network

NAME: Final = "solid_look"
SEES: Final = ("something else", "the piece")


class SolidRecogniser:
    """Tells pieces from what looks like them. Not for use by two threads at once."""

    def __init__(self, network: Network | None = None) -> None:
        """Load the network unless one is given; raises ProfileError where its files are missing or torn."""
        self._network = network or Network.load(NAME)

    def chances(self, patches: Patches) -> Singles:
        """Return how likely the piece is in each of N patches, (N,)."""
        return self._network.probabilities(patches)[:, 1]
