"""What a copy of a game consists of and how it is laid out: for learning, watching and playing by hand.

A game that can be watched by camera or sensors and shown in a window offers its `Components`. A game without
them works on the command line only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.i18n import join
from companion.set_up_form import SetUpForm
from companion.table import Place, Value
from companion.view_model import Presenter, TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class TilePrint:
    """What is printed on a tile.

    Attributes:
        colour: the kind that its boxes belong to, ``any`` for boxes that take all; empty without boxes.
        values: the numbers in its boxes, left to right.
        gains: what it pays, by the part of the tile that says so: words such as crystal, scale, card.
    """

    colour: str = ""
    values: tuple[int, ...] = ()
    gains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """One photograph to be taken.

    Attributes:
        name: stable word.
        text: what to lay on the table.
        table: how that looks; None = nothing to be drawn, or as players like.
        names_tiles: from this one it is told which tile is which.
    """

    name: str
    text: str
    table: TableView | None
    names_tiles: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """How a game is shown in a window.

    Attributes:
        presenter: turns its states into what is drawn.
        edition_name: returns an edition's name for people; games with one edition have the name "".
        form: what is to be chosen before a game begins.
    """

    presenter: Presenter[Any, Any]
    edition_name: Callable[[str], str]
    form: SetUpForm

    def title(self, edition: str) -> str:
        """Return the game's name with its edition, as it stands in a list of games of every kind."""
        name = self.edition_name(edition)
        return name if name == self.form.title else join(", ", (self.form.title, name))


class Components(ABC):
    """What is in a game's box.

    Attributes:
        editions: stable words of the editions.
        colours: colours of pieces that players may choose when they set a table up.
        cells: names of the cells on which tiles lie.
        tiles: what is printed on each tile.
        built_only: tiles that lie built from the beginning.
        dragons: names of the neutral dragons.
        cards: the faces of cards that come to lie on a pile, in the order of the rules.
        presenter: how the game is drawn.
    """

    editions: tuple[str, ...]
    colours: tuple[str, ...]
    cells: tuple[str, ...]
    tiles: Mapping[str, TilePrint]
    built_only: tuple[str, ...]
    dragons: tuple[str, ...]
    cards: tuple[str, ...]
    presenter: Presenter[Any, Any]

    @property
    def boxes_of_tile(self) -> Mapping[str, int]:
        """Number of boxes of each tile that has any."""
        return {tile: len(one.values) for tile, one in self.tiles.items() if one.values}

    @abstractmethod
    def edition_name(self, edition: str) -> str:
        """Return an edition's name for people."""

    @abstractmethod
    def reading_text(self, where: Place, value: Value) -> str:
        """Return the words for what was recognised at a place; a piece goes by its name."""

    @abstractmethod
    def name_of(self, kind: str, name: str) -> str:
        """Return the words for a ``tile``, a ``dragon`` or a ``player``."""

    @abstractmethod
    def model_pieces(self, tiles: Mapping[str, str], players: tuple[str, ...]) -> dict[Place, Value]:
        """Return the table of the photograph of the pieces; `tiles` are those that lie there, by cell."""

    @abstractmethod
    def poses(self, header: Mapping[str, Any], tiles: Mapping[str, str] | None = None) -> tuple[Pose, ...]:
        """Return the photographs that learning needs, in order, for a game's header.

        With `tiles`, by cell, the table is drawn as they lie, else as the header has them.
        """
