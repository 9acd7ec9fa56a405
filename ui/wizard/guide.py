"""The wizard's interface to the rest of the program: plain values and one protocol, supplied by assembly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from companion.components import Pose
from companion.table import Place
from companion.view_model import CameraView, TableView

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraChoice:
    """A camera that is plugged in, or an address that was typed."""

    address: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileChoice:
    """A profile that was learnt earlier.

    Attributes:
        address: its address for `SetupGuide`.
        players: the players' colours it knows.
        has_faces: it can be used with a camera.
        has_sensors: it can be used with a sensor table.
        missing: what the photographs did not teach: which, where, and what to do.
    """

    address: str
    name: str
    edition: str
    players: tuple[str, ...]
    has_faces: bool = True
    has_sensors: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChoice:
    """The game to play.

    Attributes:
        players: colours in seat order; the first one begins.
    """

    edition: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something to improve about a picture."""

    text: str
    is_bad: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One live picture, with notes on its quality.

    Attributes:
        is_table_found: enough fiducials are seen.
        notes: what to improve, the worst first.
        token: the picture itself, in the guide's own form.
    """

    camera: CameraView
    is_table_found: bool
    notes: tuple[Note, ...]
    token: object


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTile:
    """A tile in a photograph, and what it was identified as.

    Attributes:
        cell: the cell it is on.
        boxes: its boxes, enlarged; None if it has none.
        tile, name: what it was identified as, and what players call that tile.
        choices: the tiles that it may be, with names, likeliest first; a single one needs no question.
        seen, listed: the numbers it seems to show, and those in the game's list.
        is_unclear: a number cannot be read, and may be another than the list has.
    """

    cell: str
    picture: CameraView
    tile: str
    name: str
    choices: tuple[tuple[str, str], ...]
    seen: tuple[int, ...]
    listed: tuple[int, ...]
    boxes: CameraView | None = None
    is_unclear: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether it can only be this tile."""
        return len(self.choices) < 2

    @property
    def differs(self) -> bool:
        """Whether it shows other numbers than the list has, or may do so."""
        return self.is_sure and (self.is_unclear or self.seen != self.listed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Which tile is which in the photograph of the sketch sides.

    Attributes:
        token: the same, in the guide's own form.
    """

    tiles: tuple[NamedTile, ...]
    token: object

    @property
    def asked(self) -> tuple[NamedTile, ...]:
        """The tiles to ask about: the unidentified ones or, if there are none, those whose numbers differ."""
        unsure = tuple(one for one in self.tiles if not one.is_sure)
        return unsure or tuple(one for one in self.tiles if one.differs)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardQuestion:
    """A picture in which the boxes of a board are to be pointed at.

    Attributes:
        picture: the table from straight above.
        boxes: x, y of where they may be, px of the picture, by number.
        token: the same, in the guide's own form.
    """

    picture: CameraView
    boxes: tuple[tuple[float, float], ...]
    token: object


@dataclass(frozen=True, slots=True, kw_only=True)
class PointedBoxes:
    """Where someone pointed: the question, and x, y of each box, px of its picture, by number."""

    question: BoardQuestion
    boxes: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    """What the camera sees of the laid-out table.

    Attributes:
        fault: text on what is wrong; empty when the game can begin.
        table: the table at the start, when the game can begin.
        start: what the game starts with, in the guide's own form, when the game can begin.
        wrong: the places where something is wrong.
        begins: the player who starts; empty if that is the first.
    """

    camera: CameraView
    fault: str
    table: TableView | None = None
    start: object = None
    wrong: frozenset[Place] = frozenset()
    begins: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A city to lay out, for a game without a source.

    Attributes:
        table: how it looks.
        start: what the game starts with, in the guide's own form.
    """

    table: TableView
    start: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What a profile is learnt from.

    Attributes:
        shots: the tokens of the photographs, by pose.
        naming: which tile is which; None if no photograph has shown it.
        own_values: by tile, the numbers of tiles that differ from the game's list.
        board: where the board's boxes are, if someone had to point at them.
    """

    shots: Mapping[str, object]
    game: GameChoice
    naming: Naming | None = None
    own_values: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    board: PointedBoxes | None = None


class TableReader(Protocol):
    """What reads a table that is laid out for a new game."""

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        """Yield what is seen of the laid-out table until `close`; raises DeviceError or ProfileError."""

    def close(self) -> None:
        """End what is running and release the camera; safe at any time."""


class CameraChooser(Protocol):
    """What the choice of a camera needs from the rest of the program; `looks` runs in another thread."""

    def cameras(self) -> tuple[CameraChoice, ...]:
        """Return the cameras that are plugged in."""

    @property
    def code_sizes_mm(self) -> tuple[float, float, float]:
        """The width of a fiducial's black square: least, usual, most; mm."""

    def use_codes(self, edge_mm: float) -> None:
        """Set the printed width of the black squares, mm, for the sheets and for all photographs."""

    def write_sheets(self, folder: str) -> tuple[str, ...]:
        """Write the sheets to print; return the files."""

    def looks(self, camera: str) -> Iterator[Look]:
        """Yield live pictures until `close` is called; raises DeviceError with the reason."""

    def close(self) -> None:
        """End what is running and release the camera; safe at any time."""


class SetupGuide(CameraChooser, TableReader, Protocol):
    """What the wizard needs from the rest of the program.

    `check`, `name_tiles`, `board_question`, `learn` and `laid_out` are called from other threads, too.
    """

    def editions(self) -> tuple[tuple[str, str], ...]:
        """Return the editions: identifier and name."""

    def colours(self) -> tuple[str, ...]:
        """Return the colours that players may have, in the usual order."""

    def profiles(self) -> tuple[ProfileChoice, ...]:
        """Return the profiles learnt earlier, newest first."""

    def import_profile(self, address: str) -> ProfileChoice:
        """Import a profile file; raises ProfileError with the reason."""

    def export_profile(self, address: str, file: str) -> None:
        """Write a profile to one file for sharing; raises ProfileError with the reason."""

    def poses(self, game: GameChoice, naming: Naming | None = None) -> tuple[Pose, ...]:
        """Return the photographs that learning needs, in order; always the same ones.

        If `naming` is given, they show the table as it is laid out.
        """

    def check(self, lesson: Lesson) -> None:
        """Check that the newest photograph shows what it should; raises ProfileError with the reason.

        `lesson` holds the photographs so far. Takes a while.
        """

    def name_tiles(self, shot: object, said: Mapping[str, str]) -> Naming:
        """Identify the tiles; `said` has the tiles that someone named, by cell. Takes a while.

        Raises ProfileError with the reason.
        """

    def board_question(self, lesson: Lesson) -> BoardQuestion | None:
        """Return what to ask about the board's boxes; None if they are found without. Takes a while.

        Raises ProfileError with the reason.
        """

    def learn(self, lesson: Lesson, report: Report) -> ProfileChoice:
        """Learn from photographs; raises ProfileError with the reason. Takes a while."""

    def deal(self, game: GameChoice) -> Dealt:
        """Return a city laid out at random, a different one each time."""

    def swapped(self, dealt: Dealt, one: Place, other: Place) -> Dealt:
        """Return the city with the tiles of two places swapped; raises CompanionError with the reason."""
