"""The four photographs of an enrolment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.table import Picture
from vision.arrays import Image
from vision.enrolment.enrol import Photographs


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolment:
    """The four photographs of an enrolment and what they show.

    Attributes:
        empty, sketch, built, pieces: frames.
        layout: which tile lies on which cell in the sketch and built photographs.
        pieces_state: what the fourth photograph shows.
    """

    empty: Image
    sketch: Image
    built: Image
    pieces: Image
    layout: Mapping[str, str]
    pieces_state: Picture

    def photographs(self) -> Photographs:
        """Return the photographs as the input of an enrolment."""
        return Photographs(
            empty=self.empty,
            sketch=self.sketch,
            built=self.built,
            pieces=self.pieces,
            tiles=self.layout,
            shown=self.pieces_state,
        )
