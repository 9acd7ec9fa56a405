"""Nova Luna as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from companion.errors import Param
from companion.games.game import Event, Game, Json, Verdict
from companion.games.nova_luna import codec, explain, players, prompts, reminders, rules, setup, table
from companion.games.nova_luna.actions import Action, Reveal
from companion.games.nova_luna.invariants import defects
from companion.games.nova_luna.state import NovaState, Options, ranking, turn_of
from companion.prompts import Prompt
from companion.reconcile.decision import Decision
from companion.reconcile.observation import Observation, Snapshot
from companion.table import Picture, Place, Value


class NovaLuna(Game[NovaState, Action]):
    """Nova Luna; `options` are the rulings that players may want otherwise."""

    name: ClassVar[str] = "nova_luna"
    late_kinds: ClassVar[frozenset[str]] = frozenset({"cover"})

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()

    # -- set-up and rules ---------------------------------------------------------------------------

    def deal(self, rng: random.Random, options: Mapping[str, Any]) -> Json:
        """Return the header of a new open game."""
        return setup.deal(rng, options)

    def start(self, header: Json) -> NovaState:
        """Return the state after the set-up."""
        return setup.start(header, self._options)

    def header_from_table(self, picture: Picture, options: Mapping[str, Any]) -> Json:
        """Return the header of the game whose set-up lies on the table, its stock unknown."""
        return setup.header_from_table(picture, options)

    def public_header(self, header: Json) -> Json:
        """Return the header without the stock, whose tiles lie face down."""
        return {**header, "stock": [None] * len(header["stock"])}

    def apply(self, state: NovaState, action: Action) -> tuple[NovaState, tuple[Event, ...]]:
        """Return the next state and what happened, or raise RuleViolation."""
        return rules.apply(state, action)

    def legal_actions(self, state: NovaState) -> Iterable[Action]:
        """Yield what may be done, in a fixed order."""
        return rules.legal_actions(state)

    def is_played(self, action: Action) -> bool:
        """Say whether somebody did it; what becomes known is nobody's doing."""
        return not isinstance(action, Reveal)

    def random_player(self, rng: random.Random) -> Callable[[NovaState], Action]:
        """Return a random player for one open game."""
        return players.random_player(rng)

    def judge(self, state: NovaState, action: Action) -> Verdict:
        """Say whether the action is legal, refused, or needs tiles that nobody has seen."""
        return rules.judge(state, action)

    def result(self, state: NovaState) -> Json | None:
        """Return the record's result, None while the game runs."""
        if state.reason is None:
            return None
        if state.is_solo:
            return {"winners": [], "reason": state.reason, "draw": False, "score": rules.solo_score(state)}
        order = list(ranking(state))
        return {"winners": order[:1], "reason": state.reason, "draw": False, "ranking": order}

    def turn_of(self, state: NovaState) -> str | None:
        """Return the player who acts next."""
        return turn_of(state)

    def defects(self, state: NovaState) -> tuple[str, ...]:
        """Return every broken invariant."""
        return defects(state)

    # -- the record -----------------------------------------------------------------------------------

    def parse_action(self, line: Json) -> Action:
        """Return the action of one record line."""
        return codec.parse_action(line)

    def format_action(self, action: Action) -> Json:
        """Return the record line of an action."""
        return codec.format_action(action)

    def checkpoint(self, state: NovaState) -> Json:
        """Return the full checkpoint of the state."""
        return codec.checkpoint(state)

    def check(self, state: NovaState, claimed: Json) -> None:
        """Compare a checkpoint with the state."""
        codec.check(state, claimed)

    # -- the table ------------------------------------------------------------------------------------

    def predict(self, state: NovaState) -> Picture:
        """Return the picture that the state casts."""
        return table.predict(state)

    def explain(self, state: NovaState, seen: Snapshot) -> Decision[Action]:
        """Say what the snapshot means in this state."""
        return explain.explain(state, seen)

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """Return the picture of a ``table state`` object."""
        return table.parse_table(table_state, self._options.spaces)

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
        self, before: NovaState, action: Action, after: NovaState, events: tuple[Event, ...]
    ) -> tuple[Prompt, ...]:
        """Return what the players are to be told after an accepted action."""
        return prompts.prompts(before, action, after, events)

    def describe(self, state: NovaState) -> str:
        """Return the state in one line."""
        return prompts.describe(state)

    def describe_action(self, state: NovaState, action: Action) -> str:
        """Return the action in words."""
        return prompts.describe_action(state, action)

    def rule_text(self, rule: str, params: Mapping[str, Param]) -> str:
        """Return the sentence of a rule."""
        return reminders.text(rule, params)
