"""A trained model at work: patches in, calibrated probabilities out.

Weights are ONNX files beside their cards; `cv2.dnn` runs them, so that reading needs no further library. How
they are trained: `vision.training`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import ProfileError
from companion.storage.strict import as_list, as_number, as_object, as_text, parse_json
from vision.arrays import Patches, Singles

FOLDER = Path(__file__).parent
_MOST_SIZE = 512
_MOST_CLASSES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What a model is for and how it was made.

    Attributes:
        name: of the model and its files.
        channels, size_px: of its square patches; of a model that takes rows of numbers how many, and 1.
        coloured: the first channels of the pictures in three colours, see `compared`.
        classes: what it tells apart, in the order of its probabilities.
        temperature: by which its scores are divided, so that they are calibrated (Guo et al. 2017).
        data: what it was trained on, in words, with the numbers of the tables.
        figures: what was measured, by name, on tables that training never saw.
    """

    name: str
    channels: int
    size_px: int
    coloured: tuple[int, ...]
    classes: tuple[str, ...]
    temperature: float
    data: str
    figures: dict[str, float]

    def text(self) -> str:
        """Return the card as JSON text; `parse_card` is the inverse."""
        return (
            json.dumps(
                {**asdict(self), "classes": list(self.classes), "coloured": list(self.coloured)}, indent=1
            )
            + "\n"
        )


def parse_card(text: str | bytes) -> ModelCard:
    """Return the card of a JSON text; raises MalformedError in words."""
    found = as_object(parse_json(text), "a model's card", ModelCard.__slots__)
    classes = as_list(found["classes"], "classes", most=_MOST_CLASSES)
    coloured = as_list(found["coloured"], "coloured", most=_MOST_SIZE)
    figures: Any = found["figures"]
    return ModelCard(
        name=as_text(found["name"], "a model's name"),
        channels=int(as_number(found["channels"], "channels", 1, _MOST_SIZE)),
        size_px=int(as_number(found["size_px"], "size_px", 1, _MOST_SIZE)),
        coloured=tuple(int(as_number(one, "a channel", 0, _MOST_SIZE)) for one in coloured),
        classes=tuple(as_text(one, "a class") for one in classes),
        temperature=as_number(found["temperature"], "temperature", 1e-3, 1e3),
        data=as_text(found["data"], "data"),
        figures={str(name): as_number(value, name, -math.inf, math.inf) for name, value in figures.items()},
    )


class Network:
    """A model ready to run; not to be shared between threads."""

    def __init__(self, weights: bytes, card: ModelCard) -> None:
        """Take the bytes of an ONNX file.

        Raises:
            ProfileError: OpenCV cannot read them.
        """
        self.card = card
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        except cv2.error as error:
            raise ProfileError(f"the model {card.name} cannot be read; install the program again") from error

    @classmethod
    def load(cls, name: str, folder: Path = FOLDER) -> Network:
        """Return the model with this name; raises ProfileError where its files are missing or torn."""
        try:
            card = parse_card((folder / f"{name}.json").read_bytes())
            return cls((folder / f"{name}.onnx").read_bytes(), card)
        except OSError as error:
            raise ProfileError(f"the model {name} is missing; install the program again") from error

    def scores(self, patches: Patches) -> Singles:
        """Return the scores of patches (N, channels, size, size) uint8, not yet calibrated: (N, classes)."""
        shape = (self.card.channels, self.card.size_px, self.card.size_px)
        if patches.shape[1:] != shape:
            raise ValueError(f"{self.card.name} wants patches of {shape}, not {patches.shape[1:]}")
        if not len(patches):
            return np.zeros((0, len(self.card.classes)), np.float32)
        return self._run(compared(patches, self.card.coloured))

    def probabilities(self, patches: Patches) -> Singles:
        """Return the calibrated probabilities of patches (N, channels, size, size) uint8, (N, classes)."""
        return softmax(self.scores(patches) / np.float32(self.card.temperature))

    def classified(self, values: Singles) -> Singles:
        """Return the calibrated scores of rows of numbers (N, channels), of a model that takes those."""
        if values.shape[1:] != (self.card.channels,):
            raise ValueError(f"{self.card.name} wants {self.card.channels} numbers, not {values.shape[1:]}")
        if not len(values):
            return np.zeros((0, len(self.card.classes)), np.float32)
        return self._run(np.ascontiguousarray(values, np.float32)) / np.float32(self.card.temperature)

    def _run(self, values: Singles) -> Singles:
        self._net.setInput(values)
        return np.asarray(self._net.forward(), np.float32).reshape(len(values), len(self.card.classes))


def compared(patches: Patches, coloured: Sequence[int]) -> Singles:
    """Return what a model sees of patches (N, channels, size, size): 0 to 1, and how far colours are apart.

    The first of the `coloured` pictures is what is seen now. How far it is from each of the others, in the
    colour in which it is farthest, follows the channels of the patches themselves.
    """
    values = patches.astype(np.float32) / np.float32(255)
    if not coloured:
        return values
    seen = values[:, coloured[0] : coloured[0] + 3]
    apart = [np.abs(seen - values[:, one : one + 3]).max(axis=1, keepdims=True) for one in coloured[1:]]
    return np.concatenate([values, *apart], axis=1)


def softmax(scores: Singles) -> Singles:
    """Return probabilities in proportion to the exponentials of scores (N, classes)."""
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True), np.float32)
