"""What lies in the free areas of a table, for games whose cards lie in rows and heaps."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from companion.loose_pieces import LoosePiece
from companion.observation import Sighting
from companion.table import Place

# The size of a card where nobody has measured one: that of the usual sleeves, less their margin.
CARD_WIDTH_MM, CARD_HEIGHT_MM = 59.0, 91.0


def card_at(face: str, area: str, x_mm: float, y_mm: float) -> LoosePiece:
    """Return a card that lies straight at this place of an area."""
    return LoosePiece(
        face=face,
        area=area,
        x_mm=x_mm,
        y_mm=y_mm,
        turn_deg=0.0,
        width_mm=CARD_WIDTH_MM,
        height_mm=CARD_HEIGHT_MM,
        confidence=1.0,
    )


def only(pieces: Iterable[LoosePiece], faces: Container[str]) -> list[LoosePiece]:
    """Return the pieces, those as not read whose face cannot be meant here."""
    return [
        piece if piece.face is None or piece.face in faces else replace(piece, face=None) for piece in pieces
    ]


def in_row(
    places: Sequence[Place], pieces: Iterable[LoosePiece], *, is_whole: bool = True
) -> Iterator[Sighting]:
    """Yield what lies at the places of a row that pieces fill in the order given; beyond them lies nothing.

    A piece that could not be read takes its place without being seen there. Pieces beyond the last place
    are not told. Where the row is not seen whole, more pieces may lie in it.
    """
    ordered = list(pieces)
    sure = min((piece.confidence for piece in ordered), default=1.0)
    for index, where in enumerate(places):
        if index >= len(ordered):
            if not is_whole:
                return
            yield Sighting(place=where, value=None, confidence=sure)
        elif ordered[index].face is not None:
            yield Sighting(place=where, value=ordered[index].face, confidence=ordered[index].confidence)
