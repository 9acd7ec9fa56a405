"""What assembly hands to the window: the referee, the game's presenter, the sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.decision import Ask, OutOfStep
from companion.observation import Observation
from companion.session.referee import Referee
from companion.view_model import CameraView, Presenter
from ui.controller.shelf import Shelf
from ui.wizard.guide import GameChoice, SetupGuide
from ui.wizard.sensor_guide import SensorGuide


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedObservation:
    """One observation, with the picture it was made from where there is one."""

    observation: Observation
    camera: CameraView | None = None


class PicturedSource(Protocol):
    """A camera, a sensor table, a recording or a simulation, as the window watches it."""

    @property
    def name(self) -> str:
        """Name that players recognise."""

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what is seen, blocking between frames, until the source ends.

        Raises DeviceError if the world lets us down; the window tells the players and iterates again.
        """

    def close(self) -> None:
        """Release the device and let `pictured` end; called from another thread, safe to call twice."""


class Cable(Protocol):
    """The cable of a simulated device, which people at the window may pull out and put in again."""

    @property
    def is_out(self) -> bool:
        """Whether the device is cut off just now."""

    def pull(self) -> None:
        """Cut the device off; called from another thread than `pictured`."""

    def put_in(self) -> None:
        """Let it see again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookout:
    """How the eyes on the table can be chosen again while the game is played.

    Attributes:
        guide, sensor_guide: what the wizard asks.
        game: edition and players, which stay.
        camera, profile: addresses of what watches now.
        sources: makes the sources of other addresses; raises DeviceError or ProfileError in words.
    """

    guide: SetupGuide
    game: GameChoice
    camera: str
    profile: str
    sources: Callable[[str, str], Sequence[PicturedSource]]
    sensor_guide: SensorGuide | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One game at one table.

    Attributes:
        referee: holds the game; the window calls it from one thread of its own.
        presenter: turns the game's state into what is drawn.
        sources: whatever sees the table; none = everything is entered by hand.
        title: stands in the window's frame.
        answer: answers the referee's questions where someone else knows the truth: the players of a
            simulated table; None = the people at the window answer.
        protest: hears of everything that is out of step, on behalf of the same players.
        cable: that of a simulated device; None if all devices are real.
        shelf: past games; None if there are none to be shown.
        lookout: how to set camera and profile up again; None if that cannot be.
    """

    # The window neither knows nor cares which game's states and actions these are.
    referee: Referee[Any, Any]
    presenter: Presenter[Any, Any]
    sources: Sequence[PicturedSource] = ()
    title: str = "Moontable"
    answer: Callable[[Ask[Any]], int | None] | None = None
    protest: Callable[[OutOfStep[Any]], None] | None = None
    cable: Cable | None = None
    shelf: Shelf | None = None
    lookout: Lookout | None = None
