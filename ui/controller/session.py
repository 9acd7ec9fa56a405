"""What `ui.assembly` hands to the window: the referee, the game's presenter, the sources."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.decision import Ask, OutOfStep
from companion.observation import Observation
from companion.session.referee import Referee
from companion.view_model import CameraView, Presenter
from ui.controller.shelf import Shelf
from ui.wizard.copy_guide import WatchGuide
from ui.wizard.guide import GameChoice, SetupGuide
from ui.wizard.sensor_guide import SensorGuide


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedObservation:
    """One observation, with the picture it was made from if there is one."""

    observation: Observation
    camera: CameraView | None = None


class PicturedSource(Protocol):
    """A camera, a sensor table, a recording or a simulation, as the window watches it."""

    @property
    def name(self) -> str:
        """Name that players recognise."""

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what is seen, blocking between frames, until the source ends.

        Raises DeviceError if the device fails; the window tells the players and iterates again.
        """

    def close(self) -> None:
        """Release the device and end `pictured`; called from another thread, safe to call twice."""


class BlindSource(ABC):
    """A `PicturedSource` that has nothing to show: a table that is simulated without a camera."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name that players recognise."""

    @abstractmethod
    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what is seen, without pictures."""

    @abstractmethod
    def close(self) -> None:
        """End `pictured`; safe to call twice."""


class Cable(Protocol):
    """The cable of a simulated device, which can be unplugged and plugged in again from the window."""

    @property
    def is_out(self) -> bool:
        """Whether the device is unplugged."""

    def pull(self) -> None:
        """Unplug the device; called from another thread than `pictured`."""

    def put_in(self) -> None:
        """Plug the device in again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookout:
    """How the sources can be chosen again during a game.

    Attributes:
        game: edition and players, which stay the same.
        camera, profile: addresses of the current source and profile.
        sources: opens the sources of other addresses; raises DeviceError or ProfileError with the reason.
        guide: what the wizard calls; of a game whose pieces lie anywhere `copies`.
        sensor_guide: the same for a sensor table, None where none can be built for the game.
    """

    game: GameChoice
    camera: str
    profile: str
    sources: Callable[[str, str], Sequence[PicturedSource]]
    guide: SetupGuide | None = None
    copies: WatchGuide | None = None
    sensor_guide: SensorGuide | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One game at one table.

    Attributes:
        referee: holds the game; the window calls it from one thread of its own.
        presenter: turns the game's state into what is drawn.
        sources: what watches the table; none = everything is entered by hand.
        title: the window's title.
        answer: answers the referee's questions for the players of a simulated table; None = the people at the
            window answer.
        protest: called with everything that is out of step, for the players of a simulated table.
        cable: the cable of a simulated device; None if all devices are real.
        shelf: past games; None if there are none to show.
        lookout: how to choose camera and profile again; None if that is impossible.
        called: returns what the players are called now, by player; who is missing goes by colour.
    """

    # The window works with the states and actions of any game.
    referee: Referee[Any, Any]
    presenter: Presenter[Any, Any]
    sources: Sequence[PicturedSource] = ()
    title: str = "Moontable"
    answer: Callable[[Ask[Any]], int | None] | None = None
    protest: Callable[[OutOfStep[Any]], None] | None = None
    cable: Cable | None = None
    shelf: Shelf | None = None
    lookout: Lookout | None = None
    called: Callable[[], Mapping[str, str]] = dict
