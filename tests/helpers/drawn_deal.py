"""A deal in drawn art, some of whose cards have been taken before the camera looks at the table."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from companion.game import Json
from companion.games import registry
from companion.table_pieces import PieceSet
from ui.assembly.deal_draft import DealDraft
from ui.assembly.deal_lesson import DealLesson
from vision.arrays import Image
from vision.capture.sources.frame import Frame
from vision.enrolment.dealt_copy import new_deal
from vision.enrolment.dealt_table import DealtTable
from vision.enrolment.laid_shot import LearntFace
from vision.simulation.dealt_film import dealt
from vision.simulation.free_frames import DrawnCopy


class Film:
    """A frame source that shows some pictures once."""

    name = "film"

    def __init__(self, images: Sequence[Image]) -> None:
        self.images = images

    def frames(self) -> Iterator[Frame]:
        """Yield the pictures."""
        for seq, image in enumerate(self.images):
            yield Frame(image=image, seq=seq, seen_at_s=seq / 15)

    def close(self) -> None:
        """There is nothing to release."""


def copy_of(game: str, size_wh: tuple[int, int] = (1280, 720)) -> tuple[DrawnCopy, PieceSet, Json]:
    """Return a drawn copy of a game, its pieces, and the header of a game with it."""
    pieces, header = registry.pieces(game), registry.lookup(game).deal(random.Random(1), {})
    layout = registry.lookup(game).table_layout(header["players"])
    assert layout is not None
    return DrawnCopy.of(layout, pieces, seed=11, size_wh=size_wh), pieces, header


def drawn_deal(game: str, faces: Sequence[str], folder: Path) -> DealLesson:
    """Return a deal in which these faces have come, above an empty table; its draft is in the folder."""
    copy, pieces, header = copy_of(game)
    layout = copy.arranger.layout
    deal = new_deal(pieces, header, layout)
    for name in faces:
        image = copy.arranger.artwork.face(pieces.faces[name], deal.listed_mm)
        valid = np.ones(image.shape[:2], np.bool_)
        deal.add(LearntFace("film", np.zeros((4, 2)), deal.listed_mm, image, valid))
    empty = next(dealt(copy.camera, copy.arranger, ())).image
    table = DealtTable(layout, pieces, deal)
    return DealLesson(table, DealDraft(folder / "draft", game), pieces, lambda: Film([empty]))
