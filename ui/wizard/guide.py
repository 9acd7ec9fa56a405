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
    """Something learnt earlier.

    Attributes:
        address: what `SetupGuide` knows it by.
        players: the colours it knows.
        has_faces: it serves a camera.
        has_sensors: it serves a sensor table.
    """

    address: str
    name: str
    edition: str
    players: tuple[str, ...]
    has_faces: bool = True
    has_sensors: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChoice:
    """What is to be played.

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
    """One live picture, judged.

    Attributes:
        is_table_found: the fiducials suffice.
        notes: what to improve, bad things first.
        token: the picture itself in whatever form the guide keeps it.
    """

    camera: CameraView
    is_table_found: bool
    notes: tuple[Note, ...]
    token: object


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTile:
    """A tile of a photograph and what it is taken for.

    Attributes:
        cell: where it lies.
        boxes: its boxes, enlarged; None if it has none.
        tile: what it is taken for, and `name` what people call that.
        choices: tiles that it may be, with their names, likeliest first; one alone needs no question.
        seen: the numbers it seems to show, and `listed` those that the game's list says.
    """

    cell: str
    picture: CameraView
    tile: str
    name: str
    choices: tuple[tuple[str, str], ...]
    seen: tuple[int, ...]
    listed: tuple[int, ...]
    boxes: CameraView | None = None

    @property
    def is_sure(self) -> bool:
        """Whether it can be no other."""
        return len(self.choices) < 2

    @property
    def differs(self) -> bool:
        """Whether it seems to show other numbers than the list says."""
        return self.is_sure and self.seen != self.listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Which tile is which in the photograph of the sketch sides.

    Attributes:
        token: the same in whatever form the guide keeps it.
    """

    tiles: tuple[NamedTile, ...]
    token: object

    @property
    def asked(self) -> tuple[NamedTile, ...]:
        """The tiles that someone must say something about: first names, when those are known numbers."""
        unsure = tuple(one for one in self.tiles if not one.is_sure)
        return unsure or tuple(one for one in self.tiles if one.differs)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    """What the camera makes of the laid-out table.

    Attributes:
        fault: what lies wrong, in words; empty when the game can begin.
        table: the table as it will be at the start, when it can begin.
        start: what `SetupGuide.begin` wants, when it can begin.
        wrong: where something lies wrong.
    """

    camera: CameraView
    fault: str
    table: TableView | None = None
    start: object = None
    wrong: frozenset[Place] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A city to be laid out, for a game that nothing watches.

    Attributes:
        table: how it looks.
        start: what the game begins with, in whatever form the guide keeps it.
    """

    table: TableView
    start: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What is learnt from.

    Attributes:
        shots: the tokens of the looks, by pose.
        naming: which tile is which; None if no pose told.
        own_values: the numbers of tiles that show others than the list says, by tile.
    """

    shots: Mapping[str, object]
    game: GameChoice
    naming: Naming | None = None
    own_values: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class SetupGuide(Protocol):
    """The house as the wizard sees it.

    `looks`, `check`, `name_tiles`, `learn` and `laid_out` are called from other threads.
    """

    def editions(self) -> tuple[tuple[str, str], ...]:
        """Return the editions: word and name."""

    def colours(self) -> tuple[str, ...]:
        """Return the colours that players may have, in the usual order."""

    def cameras(self) -> tuple[CameraChoice, ...]:
        """Return the cameras that are plugged in."""

    def profiles(self) -> tuple[ProfileChoice, ...]:
        """Return what was learnt earlier, newest first."""

    def import_profile(self, address: str) -> ProfileChoice:
        """Take over a profile file; raises ProfileError in words."""

    def export_profile(self, address: str, file: str) -> None:
        """Write a profile into one file to be shared; raises ProfileError in words."""

    @property
    def code_sizes_mm(self) -> tuple[float, float, float]:
        """How wide the black square of a code is: at least, usually, at most, mm."""

    def use_codes(self, edge_mm: float) -> None:
        """Tell how wide the black squares are as printed, for the sheets and for all photographs."""

    def write_sheets(self, folder: str) -> tuple[str, ...]:
        """Write the sheets to be printed; return the files."""

    def poses(self, game: GameChoice, naming: Naming | None = None) -> tuple[Pose, ...]:
        """Return the photographs that learning needs, in order; always the same ones.

        With the tiles named they show the table as it has been laid out.
        """

    def looks(self, camera: str) -> Iterator[Look]:
        """Yield live pictures until `close`; raises DeviceError in words."""

    def check(self, lesson: Lesson) -> None:
        """Look whether the newest photograph shows what it should; raises ProfileError in words if not.

        The lesson is what there is of it so far. Takes a while.
        """

    def name_tiles(self, shot: object, said: Mapping[str, str]) -> Naming:
        """Tell which tile is which; `said` are tiles by cell that someone named. Takes a while.

        Raises ProfileError in words.
        """

    def learn(self, lesson: Lesson, report: Report) -> ProfileChoice:
        """Learn from photographs; raises ProfileError in words. Takes a while."""

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        """Yield what is seen of the laid-out table until `close`; raises DeviceError or ProfileError."""

    def deal(self, game: GameChoice) -> Dealt:
        """Return a city laid out at random, another one each time."""

    def swapped(self, dealt: Dealt, one: Place, other: Place) -> Dealt:
        """Return the city with the tiles of two places swapped; raises CompanionError in words."""

    def close(self) -> None:
        """End what `looks` or `laid_out` yields and release the camera; safe at any time."""
