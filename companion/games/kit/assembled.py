"""A game put together of its room's modules; and its prompts put together of drafts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from companion.decision import Decision
from companion.errors import Param
from companion.free_pieces import FreeTable, Homes, Placed
from companion.game import Event, Game, Json, Verdict
from companion.games.kit.guide import read_reminders
from companion.loose_pieces import LoosePiece
from companion.observation import Observation, Query
from companion.prompts import Prompt
from companion.table import Picture, Place
from companion.table_layout import TableLayout
from companion.view_model import Reminder

S = TypeVar("S")
A = TypeVar("A")
S_in = TypeVar("S_in", contravariant=True)
A_in = TypeVar("A_in", contravariant=True)
A_out = TypeVar("A_out", covariant=True)


# -- what the modules of a room hold; each function is the one that `Game` describes ------------------


class Rules(Protocol[S, A_in]):
    """Actions carried out."""

    def apply(self, state: S, action: A_in, /) -> tuple[S, tuple[Event, ...]]:
        """Return the next state and what happened, or raise RuleViolation."""

    def judge(self, state: S, action: A_in, /) -> Verdict:
        """Say whether the action is legal, refused, or cannot be told."""


class Legal(Protocol[S_in, A_out]):
    """What may be done."""

    def legal_actions(self, state: S_in, /) -> Iterable[A_out]:
        """Yield what may be done, in a fixed order."""


class Turns(Protocol[S_in]):
    """Whose turn it is."""

    def turn_of(self, state: S_in, /) -> str | None:
        """Return the player who acts next."""


class Soundness(Protocol[S_in]):
    """What must hold."""

    def defects(self, state: S_in, /) -> tuple[str, ...]:
        """Return every broken invariant."""


class Players(Protocol[S_in, A_out]):
    """Random players."""

    def random_player(self, rng: random.Random, /) -> Callable[[S_in], A_out]:
        """Return a random player for one open game."""


class RecordLines(Protocol[S_in, A]):
    """Actions and checkpoints as lines of a record."""

    def parse_action(self, line: Json, /) -> A:
        """Return the action of one record line."""

    def format_action(self, action: A, /) -> Json:
        """Return the record line of an action."""

    def checkpoint(self, state: S_in, /) -> Json:
        """Return the full checkpoint of the state."""

    def check(self, state: S_in, claimed: Json, /) -> None:
        """Compare a checkpoint with the state."""


class Table(Protocol[S_in]):
    """The table's picture and its text."""

    def predict(self, state: S_in, /) -> Picture:
        """Return the picture that the state casts."""

    def format_table(self, picture: Picture, /) -> Json:
        """Return the ``table state`` object of a picture."""

    def confidences(self, picture: Picture, confidence: Mapping[Place, float], /) -> Json:
        """Return the ``confidence`` member of a reading of this picture."""


class Areas(Protocol[S_in]):
    """Pieces in free areas."""

    def located(self, state: S_in, observation: Observation, /) -> Observation:
        """Return the observation with the places on which the pieces in its areas lie."""

    def area_of(self, where: Place, /) -> str | None:
        """Return the free area from which a place is known."""

    def spots(self, picture: Picture, /) -> Mapping[Place, LoosePiece]:
        """Return where careful players lay the pieces of free areas."""


class Placing(Protocol):
    """Whatever lies free."""

    def placed(self, layout: TableLayout, players: Sequence[str], table: FreeTable, /) -> Placed:
        """Return what lies free as sightings of places, and as the pieces of areas."""

    def homes(self, layout: TableLayout, players: Sequence[str], table: FreeTable, /) -> Homes:
        """Return where each face and each piece is."""


class Explaining(Protocol[S_in, A]):
    """Reconciling."""

    def explain(self, state: S_in, seen: Query, /) -> Decision[A]:
        """Say what the snapshot means in this state."""


class Prompting(Protocol[S_in, A_in]):
    """What players are told."""

    def prompts(
        self, before: S_in, action: A_in, after: S_in, events: tuple[Event, ...], /
    ) -> tuple[Prompt, ...]:
        """Return what the players are to be told after an accepted action."""


class Wording(Protocol[S_in, A_in]):
    """States and actions in words."""

    def describe(self, state: S_in, /) -> str:
        """Return the state in a line or a few."""

    def describe_action(self, state: S_in, action: A_in, /) -> str:
        """Return the action in words."""


class Guide(Protocol):
    """Rules in words."""

    def text(self, rule: str, params: Mapping[str, Param], /) -> str:
        """Return the sentence of a rule."""


class Arranging(Protocol):
    """How the table is laid out."""

    def table_layout(self, players: Sequence[str] = (), /) -> TableLayout:
        """Return the usual layout of the table for these players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts(Generic[S, A]):
    """The modules of a game's room; one module may be several of them."""

    rules: Rules[S, A]
    legal: Legal[S, A]
    state: Turns[S]
    invariants: Soundness[S]
    players: Players[S, A]
    record: RecordLines[S, A]
    table: Table[S]
    loose_pieces: Areas[S] | None = None
    placing: Placing | None = None
    explain: Explaining[S, A]
    prompts: Prompting[S, A]
    descriptions: Wording[S, A]
    texts: Guide
    layout: Arranging | None = None


class AssembledGame(Game[S, A]):
    """A game whose class holds only what is its own; the rest are its `parts`."""

    parts: Parts[S, A]

    def apply(self, state: S, action: A) -> tuple[S, tuple[Event, ...]]:
        """Return the next state and what happened, or raise RuleViolation."""
        return self.parts.rules.apply(state, action)

    def legal_actions(self, state: S) -> Iterable[A]:
        """Yield what may be done, in a fixed order."""
        return self.parts.legal.legal_actions(state)

    def judge(self, state: S, action: A) -> Verdict:
        """Say whether the action is legal, refused, or cannot be told."""
        return self.parts.rules.judge(state, action)

    def turn_of(self, state: S) -> str | None:
        """Return the player who acts next."""
        return self.parts.state.turn_of(state)

    def defects(self, state: S) -> tuple[str, ...]:
        """Return every broken invariant."""
        return self.parts.invariants.defects(state)

    def random_player(self, rng: random.Random) -> Callable[[S], A]:
        """Return a random player for one open game."""
        return self.parts.players.random_player(rng)

    def parse_action(self, line: Json) -> A:
        """Return the action of one record line."""
        return self.parts.record.parse_action(line)

    def format_action(self, action: A) -> Json:
        """Return the record line of an action."""
        return self.parts.record.format_action(action)

    def checkpoint(self, state: S) -> Json:
        """Return the full checkpoint of the state."""
        return self.parts.record.checkpoint(state)

    def check(self, state: S, claimed: Json) -> None:
        """Compare a checkpoint with the state."""
        self.parts.record.check(state, claimed)

    def predict(self, state: S) -> Picture:
        """Return the picture that the state casts."""
        return self.parts.table.predict(state)

    def format_table(self, picture: Picture) -> Json:
        """Return the ``table state`` object of a picture."""
        return self.parts.table.format_table(picture)

    def format_reading(self, observation: Observation) -> Json:
        """Return the ``table state`` object of one observation, with its confidences."""
        sightings = observation.sightings
        picture = {where: sighting.value for where, sighting in sightings.items()}
        confidence = {where: sighting.confidence for where, sighting in sightings.items()}
        sure = self.parts.table.confidences(picture, confidence)
        return {"t": observation.seen_at_s, **self.format_table(picture), "confidence": sure}

    def located(self, state: S, observation: Observation) -> Observation:
        """Return the observation with the places on which the pieces in its areas lie."""
        areas = self.parts.loose_pieces
        return observation if areas is None else areas.located(state, observation)

    def placed(self, layout: TableLayout, players: Sequence[str], table: FreeTable) -> Placed:
        """Return what lies free on a table as sightings of places, and as the pieces of areas."""
        placing = self.parts.placing
        return Placed() if placing is None else placing.placed(layout, players, table)

    def homes(self, layout: TableLayout, players: Sequence[str], table: FreeTable) -> Homes:
        """Return where each face and each piece that lies free on a table is."""
        placing = self.parts.placing
        return Homes() if placing is None else placing.homes(layout, players, table)

    def table_layout(self, players: Sequence[str] = ()) -> TableLayout | None:
        """Return the usual layout of the table for these players, None for a game that nothing looks at."""
        return None if self.parts.layout is None else self.parts.layout.table_layout(players)

    def area_of(self, where: Place) -> str | None:
        """Return the free area from which a place is known, None for a place that is looked at itself."""
        areas = self.parts.loose_pieces
        return None if areas is None else areas.area_of(where)

    def spots(self, picture: Picture) -> Mapping[Place, LoosePiece]:
        """Return where careful players lay the pieces of free areas."""
        areas = self.parts.loose_pieces
        return {} if areas is None else areas.spots(picture)

    def explain(self, state: S, seen: Query) -> Decision[A]:
        """Say what the snapshot means in this state."""
        return self.parts.explain.explain(state, seen)

    def prompts(self, before: S, action: A, after: S, events: tuple[Event, ...]) -> tuple[Prompt, ...]:
        """Return what the players are to be told after an accepted action."""
        return self.parts.prompts.prompts(before, action, after, events)

    def describe(self, state: S) -> str:
        """Return the state in a line or a few."""
        return self.parts.descriptions.describe(state)

    def describe_action(self, state: S, action: A) -> str:
        """Return the action in words."""
        return self.parts.descriptions.describe_action(state, action)

    def rule_text(self, rule: str, params: Mapping[str, Param]) -> str:
        """Return the sentence of a rule."""
        return self.parts.texts.text(rule, params)

    def reminders(self) -> tuple[Reminder, ...]:
        """Return the rules to look up, which lie beside the game's class."""
        return read_reminders(type(self).__module__.rpartition(".")[0])
