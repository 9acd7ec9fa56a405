"""Urbion as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from companion.errors import Param
from companion.games.game import Event, Game, Json, Verdict
from companion.games.urbion import codec, explain, legal, players, prompts, reminders, rules, setup, table
from companion.games.urbion.actions import Action, Reveal
from companion.games.urbion.catalogue import Catalogue, catalogue
from companion.games.urbion.invariants import defects
from companion.games.urbion.state import Options, UrbionState, turn_of
from companion.games.urbion.unknown import told
from companion.prompts import Prompt
from companion.reconcile.decision import Decision
from companion.reconcile.observation import Observation, Snapshot
from companion.table import Picture, Place, Value


class Urbion(Game[UrbionState, Action]):
    """Urbion; `options` are the rulings players may want otherwise, `cards` the split of their own box."""

    name: ClassVar[str] = "urbion"

    def __init__(self, options: Options | None = None, cards: Catalogue | None = None) -> None:
        self._options = options or Options()
        self._cards = cards or catalogue()

    # -- set-up and rules ---------------------------------------------------------------------------

    def deal(self, rng: random.Random, options: Mapping[str, Any]) -> Json:
        """Return the header of a new open game."""
        return setup.deal(rng, options, self._cards)

    def start(self, header: Json) -> UrbionState:
        """Return the state after the set-up, as far as it goes without a choice."""
        return setup.start(header, self._options)

    def header_from_table(self, picture: Picture, options: Mapping[str, Any]) -> Json:
        """Return the header of the game whose set-up lies on the table, its decks unknown."""
        return setup.header_from_table(picture, options)

    def public_header(self, header: Json) -> Json:
        """Return the header with the decks face down but for what the set-up deals at once."""
        return setup.public_header(header, self._options)

    def apply(self, state: UrbionState, action: Action) -> tuple[UrbionState, tuple[Event, ...]]:
        """Return the next state and what happened, or raise RuleViolation."""
        return rules.apply(state, action)

    def legal_actions(self, state: UrbionState) -> Iterable[Action]:
        """Yield what may be done, in a fixed order."""
        return legal.legal_actions(state)

    def group_of(self, where: Place) -> str | None:
        """Return the side, hand or heap in which a card lies in no order."""
        group = table.group_of_place(where)
        return None if group is None else ":".join(group)

    def told(self, state: UrbionState, true: UrbionState, action: Action) -> tuple[Action, ...]:
        """Return the action after the cards that it turns up from unknown decks."""
        return told(state, true, action)

    def is_played(self, action: Action) -> bool:
        """Say whether somebody did it; what becomes known is nobody's doing."""
        return not isinstance(action, Reveal)

    def random_player(self, rng: random.Random) -> Callable[[UrbionState], Action]:
        """Return a random player for one open game."""
        return players.random_player(rng)

    def judge(self, state: UrbionState, action: Action) -> Verdict:
        """Say whether the action is legal, refused, or needs cards that nobody has seen."""
        return rules.judge(state, action)

    def result(self, state: UrbionState) -> Json | None:
        """Return the record's result, None while the game runs."""
        if state.reason is None:
            return None
        winners = list(state.players) if state.reason == "cities" else []
        return {"winners": winners, "reason": state.reason, "draw": False}

    def turn_of(self, state: UrbionState) -> str | None:
        """Return the player who acts next."""
        return turn_of(state)

    def defects(self, state: UrbionState) -> tuple[str, ...]:
        """Return every broken invariant."""
        return defects(state)

    # -- the record -----------------------------------------------------------------------------------

    def parse_action(self, line: Json) -> Action:
        """Return the action of one record line."""
        return codec.parse_action(line)

    def format_action(self, action: Action) -> Json:
        """Return the record line of an action."""
        return codec.format_action(action)

    def checkpoint(self, state: UrbionState) -> Json:
        """Return the full checkpoint of the state."""
        return codec.checkpoint(state)

    def check(self, state: UrbionState, claimed: Json) -> None:
        """Compare a checkpoint with the state."""
        codec.check(state, claimed)

    # -- the table ------------------------------------------------------------------------------------

    def predict(self, state: UrbionState) -> Picture:
        """Return the picture that the state casts."""
        return table.predict(state)

    def explain(self, state: UrbionState, seen: Snapshot) -> Decision[Action]:
        """Say what the snapshot means in this state."""
        return explain.explain(state, seen)

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """Return the picture of a ``table state`` object."""
        return table.parse_table(table_state)

    def format_table(self, picture: Picture) -> Json:
        """Return the ``table state`` object of a picture."""
        return table.format_table(picture)

    def format_reading(self, observation: Observation) -> Json:
        """Return the ``table state`` object of one observation, with its confidences."""
        sightings = observation.sightings
        reading = table.format_table({where: sighting.value for where, sighting in sightings.items()})
        confidence = {where: sighting.confidence for where, sighting in sightings.items()}
        return {"t": observation.seen_at_s, **reading, "confidence": table.confidences(confidence)}

    # -- words ----------------------------------------------------------------------------------------

    def prompts(
        self, before: UrbionState, action: Action, after: UrbionState, events: tuple[Event, ...]
    ) -> tuple[Prompt, ...]:
        """Return what the players are to be told after an accepted action."""
        return prompts.prompts(before, action, after, events)

    def describe(self, state: UrbionState) -> str:
        """Return the state in one line."""
        return prompts.describe(state)

    def describe_action(self, state: UrbionState, action: Action) -> str:
        """Return the action in words."""
        return prompts.describe_action(state, action)

    def rule_text(self, rule: str, params: Mapping[str, Param]) -> str:
        """Return the sentence of a rule."""
        return reminders.text(rule, params)
