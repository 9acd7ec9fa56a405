"""What a game's pieces look like in kind, and which of them lie on a table, where they may lie anywhere.

A game declares its `PieceSet`: the faces that a player's photographs teach, and what lies there in a state.
The simulated camera draws it, in art of its own; what reads tables knows the names of faces from it. Colours
and numbers are facts of the rules; pictures are not: a copy has its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from companion.table import Picture

Shape: TypeAlias = Literal["flat", "board", "disc", "meeple", "gem", "dragon"]
FLAT: Final = ("flat", "board")
"""The shapes that lie: they have a face."""
Corner: TypeAlias = Literal["upper left", "upper right", "lower left", "lower right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A printed number or symbol.

    Attributes:
        at: the corner of the card that it stands in.
        text: digits, perhaps after a sign; empty = a plain spot of colour, as of an element.
        ink: name of the colour of what it stands on.
    """

    at: Corner
    text: str = ""
    ink: str = "black"


@dataclass(frozen=True, slots=True, kw_only=True)
class FacePrint:
    """What is printed on a face.

    Attributes:
        name: its identifier; every face has its own ornaments and, without `picture`, its own picture.
        ground: name of the colour of its ground; empty = of the copy's choice, the same for one `family`.
        number: the large number, empty = none.
        groups: dots in groups, each a sequence of names of colours.
        marks: numbers and symbols in its corners.
        picture: faces of one picture share it; empty = a picture of its own.
        family: faces of one family share their paper; empty = all do.
        is_back: the back of a deck.
        board: the kind of board that it is the face of, ``wheel`` (round) or ``tracks``; empty = no board.
    """

    name: str
    ground: str = ""
    number: str = ""
    groups: tuple[tuple[str, ...], ...] = ()
    marks: tuple[Mark, ...] = ()
    picture: str = ""
    family: str = ""
    is_back: bool = False
    board: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePiece:
    """A piece, or a pile of them, that lies on the table.

    Attributes:
        key: stays with the piece as long as it lies in the same place.
        place: what it lies there as: a place of the table, or a name like one for what no place names.
        area: the area of the layout that it lies in.
        face: the name of its face, or of its paint.
        number, count: which one it is of how many of its row, ring or heap.
        on: the key of the piece that it is laid upon or under; empty = it lies by itself.
        shift: how far its middle is from that of `on`, or of its place: in own widths and heights, to the
            right of and away from the player.
        spot: the group of dots of `on` that it lies upon.
        toward: the player to whose side of the area it is moved; empty = none.
        thickness: how many pieces the pile holds.
        turn_deg: how far it is turned anticlockwise from how others lie there.
    """

    key: str
    place: str
    area: str
    face: str
    shape: Shape = "flat"
    number: int = 0
    count: int = 1
    on: str = ""
    shift: tuple[float, float] = (0.0, 0.0)
    spot: int | None = None
    toward: str = ""
    thickness: int = 1
    turn_deg: float = 0.0


class PieceSet(ABC):
    """The pieces of one game.

    Attributes:
        faces: what is printed on each face, by name, in the order in which a new copy is sorted; boards last.
        sizes_mm: width and height of faces that are not of the layout's usual size, by name.
        thickness_mm: of one tile or card.
        is_readable: whether cameras read them well enough for a game to be refereed; until then no table is
            watched.
    """

    faces: Mapping[str, FacePrint]
    sizes_mm: Mapping[str, tuple[float, float]]
    thickness_mm: float
    is_readable: bool = False

    @abstractmethod
    def in_play(self, header: Mapping[str, Any]) -> Sequence[str]:
        """Return the faces that come into a game with this header, in their order, no boards."""

    def sorted_copy(self, header: Mapping[str, Any]) -> Sequence[str]:
        """Return the faces of all tiles and cards of a game one by one, as a new copy is sorted.

        A face that a copy holds several times is named as often; backs and boards are not among them.
        """
        return [name for name in self.in_play(header) if not self.faces[name].is_back]

    def backs(self, header: Mapping[str, Any]) -> Sequence[str]:
        """Return the backs that come into a game with this header, in their order."""
        return [name for name in self.in_play(header) if self.faces[name].is_back]

    def may_look_alike(self, one: str, other: str) -> bool:
        """Whether the list tells of two faces nothing by which they differ: only their ornaments may."""
        first, second = self.faces[one], self.faces[other]
        tells = first.number or first.groups or first.picture
        return one == other or (bool(tells) and replace(first, name=other) == second)

    def seats_among(self, faces: Collection[str]) -> tuple[str, ...] | None:
        """Return the seats whose own tiles or cards are among these faces; None if no seat has any."""
        del faces
        return None

    def name_of(self, face: str) -> str:
        """Return what people call a face; the word for it where it has no name."""
        return face

    def paint_name(self, paint: str) -> str:
        """Return what people call the solid pieces of a paint; the word for it where they have no name."""
        return paint

    @abstractmethod
    def paints(self, header: Mapping[str, Any]) -> Mapping[str, Shape]:
        """Return the shape of the solid pieces of each paint in a game with this header."""

    @abstractmethod
    def laid(self, state: Any, picture: Picture) -> Iterator[TablePiece]:
        """Yield what lies on the table, the lowest first.

        Where the table is on its way from one state to the next, `picture` says what lies there and `state`
        only what no picture tells.
        """
