"""The toy game at a table with a window: its presenter, scripted sources, a session in a folder."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from companion.errors import DeviceError, DeviceFault
from companion.games.kit.open_hands import OpenHands
from companion.observation import Observation, Sighting
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from companion.view_model import (
    CameraView,
    CounterView,
    HandEntry,
    HandMove,
    Option,
    PieceView,
    PlayerView,
    Reminder,
    SpotView,
    TableView,
    TileView,
)
from tests.helpers.toy_game import GAME, LAMPS, Act, Lamps
from tests.helpers.toy_play import HEADER
from ui.controller.session import PicturedObservation, Session


class ToyPresenter(OpenHands):
    """Lamps in a row."""

    def present(self, state: Lamps) -> TableView:
        """Return the table as the state has it."""
        turn = GAME.turn_of(state)
        result = GAME.result(state)
        return TableView(
            title="Lamps",
            turn=state.count + 1,
            phase="Step or light.",
            outcome=None if result is None else f"{' and '.join(result['winners'])} wins.",
            extent=(1, LAMPS),
            tiles=tuple(self._tile(state, lamp) for lamp in range(LAMPS)),
            pieces=tuple(
                PieceView(place=place("figure", name), shape="figure", name=name, colour=name, cell=(0, at))
                for name, at in state.at.items()
            ),
            tracks=(),
            players=tuple(
                PlayerView(
                    player=name,
                    is_active=name == turn,
                    is_winner=result is not None and name in result["winners"],
                    counters=(
                        CounterView(name="lit", label="Lamps lit", low=mine, high=mine),
                        CounterView(name="crystals", label="Points", low=mine, high=mine + 1, secret=True),
                    ),
                )
                for name in state.players
                for mine in [state.owners.count(name)]
            ),
            stock=(),
        )

    def predict(self, state: Lamps) -> Picture:
        """Return the picture of the table that the state casts."""
        return GAME.predict(state)

    def options(self, state: Lamps, place: Place) -> tuple[Option, ...]:
        """Return what can lie on a place, what lies there now first."""
        values: Mapping[str, Sequence[Value]] = {
            "cell": ("dark", "lit"),
            "box": (None, *state.players),
            "figure": tuple(map(str, range(LAMPS))),
        }
        now = GAME.predict(state)[place]
        found = [Option(value=value, text=f"{value}") for value in values[kind_of(place)]]
        return tuple(sorted(found, key=lambda option: option.value != now))

    def entries(self, state: Lamps) -> tuple[HandEntry[Act], ...]:
        """Offer to light the lamp under the figure."""
        me = GAME.turn_of(state)
        if me is None or state.owners[state.at[me]]:
            return ()
        return (HandEntry(action=Act(me, "plain", state.at[me]), text=f"{me} lights it"),)

    def moves(self, state: Lamps) -> tuple[HandMove[Act], ...]:
        """Return no moves: lamps are pointed at."""
        del state
        return ()

    def attempt(self, state: Lamps, path: tuple[Place, ...]) -> Act | None:
        """Return nothing."""
        del state, path
        return None

    def alternatives(self, state: Lamps, action: Act) -> tuple[HandEntry[Act], ...]:
        """Return the other legal actions."""
        return tuple(
            HandEntry(action=act, text=GAME.describe_action(state, act))
            for act in GAME.legal_actions(state)
            if act != action
        )

    def name_place(self, state: Lamps, place: Place) -> str:
        """Return the words for a place."""
        assert place in GAME.predict(state)
        return " ".join((kind_of(place), *parts_of(place)))

    def reminders(self) -> tuple[Reminder, ...]:
        """Return two rules."""
        return (
            Reminder(
                id="turn", topic="Lamps", title="A turn", text="Step or light.", hints=frozenset({"any"})
            ),
            Reminder(id="step", topic="Lamps", title="Steps", text="One lamp.", rules=("step.",), ruling=1),
        )

    def hint(self, state: Lamps) -> str:
        """Return the same word for every moment."""
        return "any" if GAME.turn_of(state) else "over"

    def _tile(self, state: Lamps, lamp: int) -> TileView:
        return TileView(
            place=place("cell", lamp),
            cell=(0, lamp),
            tile="mill",
            name=f"Lamp {lamp + 1}",
            side="sketch" if state.owners[lamp] is None else "built",
            kind="pillar",
            spots=(SpotView(place=place("box", lamp), label="1", colour="pillar", owner=state.owners[lamp]),),
        )


def picture(shade: int = 0) -> CameraView:
    """Return a small grey picture."""
    return CameraView(width=32, height=18, bgr=bytes([shade % 256]) * (32 * 18 * 3))


def sight_of(
    state: Lamps, seq: int, changes: Mapping[str, Value] | None = None, *, source: str = "cam"
) -> PicturedObservation:
    """Return a sight of the table as the state has it, with changes."""
    seen = {**GAME.predict(state), **{Place(where): value for where, value in (changes or {}).items()}}
    sightings = {where: Sighting(place=where, value=value, confidence=0.99) for where, value in seen.items()}
    observation = Observation(source=source, seq=seq, seen_at_s=seq / 10, sightings=sightings)
    return PicturedObservation(observation=observation, camera=picture(seq))


class ScriptedSource:
    """Shows prepared sights, each when `show` is called; `unplug` makes it fail, `plug` lets it come back."""

    name = "cam"

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[PicturedObservation] = []
        self._is_plugged = True
        self._is_closed = False
        self.attempts = 0

    def show(self, sights: Iterable[PicturedObservation]) -> None:
        """Let these be seen, in order."""
        with self._changed:
            self._waiting.extend(sights)
            self._changed.notify_all()

    def unplug(self) -> None:
        """Make the source fail until `plug`."""
        with self._changed:
            self._is_plugged = False
            self._changed.notify_all()

    def plug(self) -> None:
        """Let the source be opened again."""
        with self._changed:
            self._is_plugged = True
            self._changed.notify_all()

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what `show` brings."""
        self.attempts += 1
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or not self._is_plugged or self._is_closed, 10)
                if self._is_closed:
                    return
                if not self._is_plugged:
                    raise DeviceError("The cable was pulled.", DeviceFault.UNPLUGGED)
                sight = self._waiting.pop(0)
            yield sight

    def close(self) -> None:
        """End."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()


def toy_session(folder: Path, *sources: ScriptedSource) -> Session:
    """Return a session of the toy game with a fresh journal in the folder."""
    journal = Journal.create(folder / "game.journal", HEADER)
    return Session(referee=Referee(GAME, journal), presenter=ToyPresenter(), sources=sources, title="Test")
