"""The trained recogniser of hands: how likely each patch that nothing explains is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from vision.models.network import FOLDER, Network, softmax
from vision.pieces.suspects import MEASURES, Suspect

NAME: Final = "hand_classifier"
KINDS: Final = ("something else", "hand")
"""What is told of a suspect."""
# Taking a hand for a part of the table costs about ten times as much as waiting for one that is not there.
_LIKELY = 0.1


class HandRecogniser:
    """Tells hands from light, from tiles that were not recognised, and from pieces that were not found."""

    def __init__(self, folder: Path | None = FOLDER) -> None:
        """Prepare; `folder` is where the models are, None to see no hands at all.

        Raises:
            ProfileError: the model is missing or torn.
        """
        self._network = None if folder is None else Network.load(NAME, folder)

    def hands(self, suspects: Sequence[Suspect]) -> list[Suspect]:
        """Return those that must be taken for hands."""
        if self._network is None or not suspects:
            return []
        rows = np.array([one.values for one in suspects], np.float32).reshape(-1, MEASURES)
        chances = softmax(self._network.classified(rows))[:, 1]
        return [one for one, chance in zip(suspects, chances, strict=True) if chance >= _LIKELY]
