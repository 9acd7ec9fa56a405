"""What a window needs to draw a game, without knowing the game and without Qt.

A game offers a `Presenter` that turns its state into a `TableView`. The window draws that and hands
back plain values: a place and what is there, or one of the entries that the presenter offered.

Colours are names: a player's own colour word ("purple") or a game's kind ("aqua"). The window decides how
they look, and shows a letter or a shape with every colour.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from companion.i18n import join, msg
from companion.names import player_name
from companion.table import Picture, Place, Value

S_contra = TypeVar("S_contra", contravariant=True)
A = TypeVar("A")

# Bounds that are this close always say something.
SMALL_RANGE: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterView:
    """A number on a player's panel or beside the table.

    Attributes:
        name: stable word ("crystals"); the window picks the drawing by it.
        label: the same for people.
        low, high: inclusive bounds; equal when the number is known.
        goal: the number that wins or is the most there can be; None if there is none.
        most: the most there can be of it at all, where bounds may be too wide to say anything.
        secret: face down at a real table; the window hides it until asked.
        is_charted: the report shows how it changes, though it is nobody's and has no goal.
    """

    name: str
    label: str
    low: int
    high: int
    goal: int | None = None
    most: int | None = None
    secret: bool = False
    is_charted: bool = False

    @property
    def is_unknown(self) -> bool:
        """Whether the bounds say nothing.

        They are apart by more than a third of what is possible, or so far that the number may be more than
        twice as high as it is known to be.
        """
        apart = self.high - self.low
        return apart > max(SMALL_RANGE, self.low) or (self.most is not None and 3 * apart > self.most)

    @property
    def text(self) -> str:
        """The number in figures, a range if it is not known, a question mark if a range says nothing."""
        if self.is_unknown:
            return "?"
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotView:
    """A space for one marker, on a tile or a track.

    Attributes:
        label: what is printed in it.
        colour: the kind it belongs to, None if it has none.
        owner: the player whose marker stands on it.
        is_used: False for a space that this game leaves out.
    """

    place: Place
    label: str
    colour: str | None = None
    owner: str | None = None
    is_used: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GainView:
    """What one part of a tile pays: ``("majority", "Majority", (("crystals", 2), ("cards", 1)))``."""

    part: str
    label: str
    amounts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TileView:
    """One tile on the table.

    Attributes:
        cell: row and column; row 0 is the far row, column 0 the left one.
        tile: stable id; the window picks its drawing by it.
        name: for people.
        side: "sketch", "built" or a side of another game.
        kind: the colour the tile belongs to, None if it has none.
        spots: its spaces, left to right.
        gains: what it pays.
        notes: sentences for the one who asks about it: who stands to win it, what neighbours add.
    """

    place: Place
    cell: tuple[int, int]
    tile: str
    name: str
    side: str
    kind: str | None = None
    spots: tuple[SpotView, ...] = ()
    gains: tuple[GainView, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceView:
    """A piece that stands on cells: a figure of a player, or a neutral one.

    Attributes:
        shape: "figure", "dragon" or another game's word.
        name: for people.
        colour: the player or kind it belongs to.
        cell: where it stands, None = beside the table.
    """

    place: Place
    shape: str
    name: str
    colour: str
    cell: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackView:
    """A row or pyramid of spots beside the cells, first spot first.

    Attributes:
        rows: number of spots in each row, from the bottom; their sum is the number of spots.
    """

    name: str
    label: str
    spots: tuple[SpotView, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A card, tile or token that lies in a zone, or a place in it where one may come to lie.

    Attributes:
        at: where in the zone, row and column as the game counts them.
        part: number of the thing among those at the same spot: a task on a tile, a disc in a stack.
        face: what kind of thing it is ("tile", "back", "free" ...); the game's painter draws it by this word.
        name: for people.
        kind: the colour it belongs to, None if it has none.
        values: what is printed on it: a sign and its text each.
        dots: colours that are printed on it, in order.
        owner: the player whose it is, None if it is nobody's.
        is_done: it is covered, fulfilled or used up.
        is_lit: it may be taken, played or filled now.
        can_move: players may point at it to say that it goes somewhere.
        notes: sentences for the one who asks about it.
    """

    place: Place
    at: tuple[int, int]
    part: int = 0
    face: str
    name: str
    kind: str | None = None
    values: tuple[tuple[str, str], ...] = ()
    dots: tuple[str, ...] = ()
    owner: str | None = None
    is_done: bool = False
    is_lit: bool = False
    can_move: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView:
    """A part of the table in which cards lie.

    Attributes:
        name: stable word; the game's painter knows by it where the zone is drawn.
        owner: the player whose it is, None if it is nobody's.
        lines: what is written beside it: sums, what is in the balance.
    """

    name: str
    label: str
    cards: tuple[CardView, ...]
    owner: str | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """One player's panel.

    Attributes:
        rank: place in the standings of a finished game, 1 for the best, the same for those who tie; None
            while the game runs, and where the players have no order among themselves.
    """

    player: str
    is_active: bool
    is_winner: bool
    counters: tuple[CounterView, ...]
    rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """Everything on and beside the table in one moment of the game.

    Attributes:
        title: the game and its edition.
        turn: number of the turn, from 1.
        phase: what the active player may do now, in words.
        outcome: how the game ended, in words; None while it runs.
        extent: number of rows and columns of cells.
        tiles, pieces, tracks: what lies and stands on cells and beside them.
        stock: counters that belong to nobody.
        painter: name of the module that draws the zones; empty where tiles lie on cells.
        zones: what lies on the table where there are no cells.
    """

    title: str
    turn: int
    phase: str
    outcome: str | None
    players: tuple[PlayerView, ...]
    extent: tuple[int, int] = (0, 0)
    tiles: tuple[TileView, ...] = ()
    pieces: tuple[PieceView, ...] = ()
    tracks: tuple[TrackView, ...] = ()
    stock: tuple[CounterView, ...] = ()
    painter: str = ""
    zones: tuple[ZoneView, ...] = ()

    @property
    def cards(self) -> Mapping[Place, CardView]:
        """Everything in the zones, by place."""
        return {card.place: card for zone in self.zones for card in zone.cards}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing that can be on a place, and its name.

    Attributes:
        group: what it is listed under where there are many; empty = listed by itself.
    """

    value: Value
    text: str
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntry(Generic[A]):
    """An action that players may enter by hand, and its words."""

    action: A
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandMove(Generic[A]):
    """An action that players may enter by pointing: at what moves, then at where it goes.

    Attributes:
        path: the places pointed at, in order.
        groups: what it is listed under where the same places mean many actions, the outermost first;
            empty = listed by itself.
    """

    path: tuple[Place, ...]
    action: A
    text: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """One thing worth looking up, in our own words.

    Attributes:
        topic: what it is listed under.
        rules: ids of rules it explains; one that ends with a dot stands for all that begin so.
        ruling: number of the ruling that decides it where the rulebooks leave a doubt, else None.
        is_edition: it tells how the editions differ.
        hints: words for the moments it fits: a phase, a tile's id.
    """

    id: str
    topic: str
    title: str
    text: str
    rules: tuple[str, ...] = ()
    ruling: int | None = None
    is_edition: bool = False
    hints: frozenset[str] = frozenset()

    def has(self, words: str) -> bool:
        """Say whether every one of the words occurs in it."""
        text = f"{self.topic} {self.title} {self.text}".lower()
        return all(word in text for word in words.lower().split())

    def explains(self, rule: str) -> int:
        """Return how closely it explains a rule: 0 not at all, more for a longer match."""
        fits = (
            len(each) for each in self.rules if each == rule or (each.endswith(".") and rule.startswith(each))
        )
        return max(fits, default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnamedCards:
    """What nobody has seen of an action, and its player may say: the cards that were spent.

    Attributes:
        cards: what can have been among them.
        least, most: how many of them there can be, inclusive.
    """

    cards: tuple[Option, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnamedAction:
    """An accepted action whose cards nobody has seen.

    Attributes:
        number: its place in the game, 1 for the first.
        text: the action in words.
        was_refused: cards have been named that cannot be they.
    """

    number: int
    text: str
    cards: UnnamedCards
    was_refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatQuestion:
    """What the players are asked, as those whose actions are in question may answer it from their seats.

    Attributes:
        number: of the question among those asked so far.
        concerns: who may answer; nobody where it is for all players to agree on.
        choices: texts of the answers.
    """

    number: int
    concerns: tuple[str, ...]
    choices: tuple[str, ...]

    def takes(self, player: str, number: int, index: int) -> bool:
        """Whether a player may give this answer (0 = the first) to the question of that number."""
        return player in self.concerns and number == self.number and 0 <= index < len(self.choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """What one player alone may see and say.

    Attributes:
        hand: the cards that the others do not see, as far as they are known.
        unnamed: the player's latest actions whose cards nobody has seen, the last one last.
    """

    player: str
    hand: tuple[CardView, ...] = ()
    unnamed: tuple[UnnamedAction, ...] = ()


class Presenter(Protocol[S_contra, A]):
    """What a game's room offers to a window."""

    def present(self, state: S_contra) -> TableView:
        """Return the table as the state has it."""

    def predict(self, state: S_contra) -> Picture:
        """Return the picture of the table that the state casts."""

    def options(self, state: S_contra, place: Place) -> tuple[Option, ...]:
        """Return everything that can be on a place, what is there now first."""

    def entries(self, state: S_contra) -> tuple[HandEntry[A], ...]:
        """Return the actions to offer as buttons just now: those that leave no trace on the table."""

    def moves(self, state: S_contra) -> tuple[HandMove[A], ...]:
        """Return the actions that can be entered by pointing now; none where moving pieces says it all."""

    def attempt(self, state: S_contra, path: tuple[Place, ...]) -> A | None:
        """Return the action that players mean by pointing at places which no move has, None for nothing.

        It may break a rule: carrying it out says which.
        """

    def alternatives(self, state: S_contra, action: A) -> tuple[HandEntry[A], ...]:
        """Return what could have been done in this state in place of an action, the likeliest first."""

    def hand(self, state: S_contra, player: str) -> tuple[CardView, ...]:
        """Return the cards that a player holds unseen by the others, as far as they are known."""

    def unnamed(self, state: S_contra, action: A) -> UnnamedCards | None:
        """Return what an action leaves open about its cards; `state` is the one before it."""

    def named(self, state: S_contra, action: A, cards: tuple[str, ...]) -> A | None:
        """Return the action with the cards that were spent; None if these cannot be they."""

    def name_place(self, state: S_contra, place: Place) -> str:
        """Return the words for a place."""

    def reminders(self) -> tuple[Reminder, ...]:
        """Return all reminders of the game's rules, in the order to list them."""

    def hint(self, state: S_contra) -> str:
        """Return the word of this moment that reminders are found by."""


def differences(before: TableView, after: TableView) -> tuple[str, ...]:
    """Return what is different on two tables, in words: numbers, whose turn it is, how it ended."""
    told: list[str] = []
    for old, new in zip(before.players, after.players, strict=True):
        for was, now in zip(old.counters, new.counters, strict=False):
            if was.name == now.name and was.text != now.text and not now.secret:
                change = join(" ", (now.label, was.text, "→", now.text))
                told.append(join(": ", (player_name(new.player), change)))
    sides = {tile.place: tile.side for tile in before.tiles}
    told += [_side_text(tile) for tile in after.tiles if sides.get(tile.place) != tile.side]
    where = {piece.place: piece.cell for piece in before.pieces}
    told += _cards_told(before, after)
    told += [
        msg("{piece} is somewhere else", piece=piece.name)
        for piece in after.pieces
        if where.get(piece.place) != piece.cell
    ]
    if before.outcome != after.outcome:
        told.append(after.outcome or msg("The game goes on."))
    return tuple(told)


def _cards_told(before: TableView, after: TableView) -> Iterator[str]:
    """Yield what lies in the zones now and did not before."""
    lay = before.cards
    for zone in after.zones:
        for card in zone.cards:
            if card.place not in lay or lay[card.place].name != card.name:
                yield join(": ", (zone.label, card.name))


def _side_text(tile: TileView) -> str:
    if tile.side == "built":
        return msg("{tile}: built", tile=tile.name)
    if tile.side == "sketch":
        return msg("{tile}: not built", tile=tile.name)
    return join(": ", (tile.name, tile.side))


class Mark(enum.Enum):
    """How a place stands out; the order is the order of precedence, strongest first."""

    WRONG = "wrong"
    DUE = "due"
    NEWS = "news"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """One thing recognised in a camera picture.

    Attributes:
        corners: polygon in pixels of that picture, x then y.
        label: what it was taken for.
        confidence: calibrated, 0 to 1.
    """

    place: Place
    corners: tuple[tuple[float, float], ...]
    label: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraView:
    """One picture of a camera with what was recognised in it.

    Attributes:
        bgr: rows of pixels, three bytes each (blue, green, red), no padding.
        outlines: what was recognised, in pixels of this picture.
        busy: a hand was over the table.
    """

    width: int
    height: int
    bgr: bytes
    outlines: tuple[Outline, ...] = ()
    busy: bool = False

    def __post_init__(self) -> None:
        if len(self.bgr) != self.width * self.height * 3:
            raise ValueError(f"{len(self.bgr)} bytes are no {self.width}x{self.height} picture")
