"""Nova Luna as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from companion.games.assembled import AssembledGame, Parts
from companion.games.game import Json
from companion.games.guide import read_reminders
from companion.games.nova_luna import codec, explain, players, prompts, reminders, rules, setup, table
from companion.games.nova_luna.actions import Action, Reveal
from companion.games.nova_luna.invariants import defects
from companion.games.nova_luna.state import NovaState, Options, ranking, turn_of
from companion.reconcile.observation import Observation
from companion.table import Picture, Place, Value
from companion.view import Reminder


class NovaLuna(AssembledGame[NovaState, Action]):
    """Nova Luna; `options` are the rulings that players may want otherwise."""

    name: ClassVar[str] = "nova_luna"
    late_kinds: ClassVar[frozenset[str]] = frozenset({"cover"})

    parts = Parts(
        apply=rules.apply,
        legal_actions=rules.legal_actions,
        judge=rules.judge,
        turn_of=turn_of,
        defects=defects,
        random_player=players.random_player,
        parse_action=codec.parse_action,
        format_action=codec.format_action,
        checkpoint=codec.checkpoint,
        check=codec.check,
        predict=table.predict,
        explain=explain.explain,
        prompts=prompts.prompts,
        describe=prompts.describe,
        describe_action=prompts.describe_action,
        rule_text=reminders.text,
    )

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

    def is_played(self, action: Action) -> bool:
        """Say whether somebody did it; what becomes known is nobody's doing."""
        return not isinstance(action, Reveal)

    def result(self, state: NovaState) -> Json | None:
        """Return the record's result, None while the game runs."""
        if state.reason is None:
            return None
        if state.is_solo:
            return {"winners": [], "reason": state.reason, "draw": False, "score": rules.solo_score(state)}
        order = list(ranking(state))
        return {"winners": order[:1], "reason": state.reason, "draw": False, "ranking": order}

    # -- the record -----------------------------------------------------------------------------------

    # -- the table ------------------------------------------------------------------------------------

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """Return the picture of a ``table state`` object."""
        return table.parse_table(table_state, self._options.spaces)

    def format_table(self, picture: Picture) -> Json:
        """Return the ``table state`` object of a picture."""
        return table.format_table(picture)

    def reminders(self) -> tuple[Reminder, ...]:
        """Return the rules to look up."""
        return read_reminders(__package__ or "")

    def format_reading(self, observation: Observation) -> Json:
        """Return the ``table state`` object of one observation, with its confidences."""
        sightings = observation.sightings
        reading = table.format_table({where: sighting.value for where, sighting in sightings.items()})
        confidence = {where: sighting.confidence for where, sighting in sightings.items()}
        return {"t": observation.seen_at_s, **reading, "confidence": table.confidences(confidence)}
