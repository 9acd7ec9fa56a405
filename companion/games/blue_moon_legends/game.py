"""Blue Moon Legends as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from companion.errors import Param
from companion.games.blue_moon_legends import (
    checks,
    explain,
    legal,
    lines,
    players,
    prompts,
    reminders,
    rules,
    setup,
    wording,
)
from companion.games.blue_moon_legends import table as tables
from companion.games.blue_moon_legends.actions import Action
from companion.games.blue_moon_legends.state import State
from companion.games.game import Event, Game, Json, Verdict
from companion.games.guide import read_reminders
from companion.prompts import Prompt
from companion.reconcile.decision import Decision
from companion.reconcile.observation import Observation, Snapshot
from companion.table import Picture, Place, Value, kind_of
from companion.view import Reminder


class BlueMoonLegends(Game[State, Action]):
    """Two players, two of nine decks, three dragons."""

    name: ClassVar[str] = setup.NAME

    def __init__(self, corrections: Mapping[str, Any] | None = None) -> None:
        self._corrections = dict(corrections or {})

    # -- set-up and rules ---------------------------------------------------------------------------

    def deal(self, rng: random.Random, options: Mapping[str, Any]) -> Json:
        """Return the header of a new open game."""
        return setup.deal(rng, options)

    def start(self, header: Json) -> State:
        """Return the state after the set-up."""
        return setup.start(header, self._corrections)

    def corrected(self, corrections: Mapping[str, Any]) -> BlueMoonLegends:
        """Return the game of a copy on which other values or powers are printed, shaped as in a header."""
        setup.corrected_cards(corrections)
        return BlueMoonLegends({**self._corrections, **corrections})

    def header_from_table(self, picture: Picture, options: Mapping[str, Any]) -> Json:
        """Return the closed header of the game that is laid out; raises MalformedError."""
        return setup.header_from_table(picture, options)

    def group_of(self, where: Place) -> str | None:
        """Return the row in which a card lies in no order."""
        return None if kind_of(where) in tables.SINGLE else where.rpartition(":")[0]

    def public_header(self, header: Json) -> Json:
        """Return the header as everybody at the table can know it."""
        return setup.public_header(header)

    def stages(self, before: State, action: Action, _after: State) -> Iterable[Picture]:
        """Return the pictures between two states: bluff cards turned up, before they are discarded."""
        return tables.stages(before, action)

    def random_player(self, rng: random.Random) -> Callable[[State], Action]:
        """Return a random player with a little sense, so that fights last: see `players`."""
        return players.random_player(rng)

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """Return the next state and what happened, or raise RuleViolation."""
        return rules.apply(state, action)

    def legal_actions(self, state: State) -> Iterable[Action]:
        """Yield what may be done, in a fixed order; points given by hand are not among it."""
        return legal.legal_actions(state)

    def judge(self, state: State, action: Action) -> Verdict:
        """Say whether the action is legal, refused, or rests on cards that nobody has seen."""
        return rules.judge(state, action)

    def result(self, state: State) -> Json | None:
        """Return the record's result, None while the game runs."""
        return checks.result(state)

    def turn_of(self, state: State) -> str | None:
        """Return the player who acts next."""
        return None if state.outcome is not None else state.setup.players[state.actor]

    def defects(self, state: State) -> tuple[str, ...]:
        """Return every broken invariant."""
        return checks.defects(state)

    # -- the record -----------------------------------------------------------------------------------

    def parse_action(self, line: Json) -> Action:
        """Return the action of one record line."""
        return lines.parse_action(line)

    def format_action(self, action: Action) -> Json:
        """Return the record line of an action."""
        return lines.format_action(action)

    def checkpoint(self, state: State) -> Json:
        """Return the full checkpoint of the state."""
        return checks.checkpoint(state)

    def check(self, state: State, claimed: Json) -> None:
        """Compare a checkpoint with the state."""
        checks.check(state, claimed)

    # -- the table ------------------------------------------------------------------------------------

    def predict(self, state: State) -> Picture:
        """Return the picture that the state casts."""
        return tables.predict(state)

    def explain(self, state: State, seen: Snapshot) -> Decision[Action]:
        """Say what the snapshot means in this state."""
        return explain.explain(state, seen)

    def parse_table(self, table: Json) -> dict[Place, Value]:
        """Return the picture of a ``table state`` object."""
        return tables.parse_table(table)

    def format_table(self, picture: Picture) -> Json:
        """Return the ``table state`` object of a picture."""
        return tables.format_table(picture)

    def reminders(self) -> tuple[Reminder, ...]:
        """Return the rules to look up."""
        return read_reminders(__package__ or "")

    def format_reading(self, observation: Observation) -> Json:
        """Return the ``table state`` object of one observation, with its confidences."""
        sightings = observation.sightings
        reading = tables.format_table({where: sighting.value for where, sighting in sightings.items()})
        confidence = {where: sighting.confidence for where, sighting in sightings.items()}
        return {"t": observation.seen_at_s, **reading, "confidence": tables.confidences(confidence)}

    # -- words ----------------------------------------------------------------------------------------

    def prompts(
        self, before: State, action: Action, after: State, events: tuple[Event, ...]
    ) -> tuple[Prompt, ...]:
        """Return what the players are to be told after an accepted action."""
        return prompts.prompts(before, action, after, events)

    def describe(self, state: State) -> str:
        """Return the state in one line."""
        return wording.describe(state)

    def describe_action(self, state: State, action: Action) -> str:
        """Return the action in words."""
        return wording.describe_action(state, action)

    def rule_text(self, rule: str, params: Mapping[str, Param]) -> str:
        """Return the sentence of a rule."""
        return reminders.text(rule, params)
