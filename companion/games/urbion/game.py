"""Urbion as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from companion.game import Json
from companion.games.kit.assembled import AssembledGame, Parts
from companion.games.urbion import (
    descriptions,
    invariants,
    layout,
    legal,
    loose_pieces,
    placing,
    players,
    prompts,
    record,
    rules,
    setup,
    state,
    table,
    texts,
)
from companion.games.urbion.actions import Action, Reveal
from companion.games.urbion.catalogue import Catalogue, catalogue
from companion.games.urbion.reconcile import explain
from companion.games.urbion.reconcile.unknown import told
from companion.games.urbion.state import Options, UrbionState
from companion.observation import Observation
from companion.table import Picture, Place, Value


class Urbion(AssembledGame[UrbionState, Action]):
    """Urbion; `options` are the rulings players may want otherwise, `cards` the split of their own box."""

    name: ClassVar[str] = "urbion"

    parts = Parts(
        rules=rules,
        legal=legal,
        state=state,
        invariants=invariants,
        players=players,
        record=record,
        table=table,
        loose_pieces=loose_pieces,
        placing=placing,
        explain=explain,
        prompts=prompts,
        descriptions=descriptions,
        texts=texts,
        layout=layout,
    )

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

    def laid_out(self, options: Mapping[str, Any], observation: Observation) -> Observation:
        """Return the observation with the places of the cards in its areas, before any game has begun."""
        return loose_pieces.located(setup.bare(options, self._options), observation)

    def is_left_to_table(self, header: Json) -> bool:
        """Say whether a header has no list of cities or dreams: they lie open at the start."""
        return header.get("cities", ()) is None or header.get("dreams", ()) is None

    def public_header(self, header: Json) -> Json:
        """Return the header with the decks face down but for what the set-up deals at once."""
        return setup.public_header(header, self._options)

    def group_of(self, where: Place) -> str | None:
        """Return the side, hand or heap in which a card lies in no order."""
        group = table.group_of_place(where)
        return None if group is None else ":".join(group)

    def told(self, state: UrbionState, true: UrbionState, action: Action) -> tuple[Action, ...]:
        """Return the action after the cards that it turns up from unknown decks."""
        return told(state, true, action)

    def is_played(self, action: Action) -> bool:
        """Say whether someone did it; what becomes known is nobody's doing."""
        return not isinstance(action, Reveal)

    def result(self, state: UrbionState) -> Json | None:
        """Return the record's result, None while the game runs."""
        if state.reason is None:
            return None
        winners = list(state.players) if state.reason == "cities" else []
        return {"winners": winners, "reason": state.reason, "draw": False}

    # -- the table ------------------------------------------------------------------------------------

    def name_place(self, state: UrbionState, place: Place) -> str:
        """Return the words for a place."""
        del state
        return texts.place_name(place)

    def name_value(self, state: UrbionState, place: Place, value: Value) -> str:
        """Return in words what is at a place."""
        del state
        return texts.value_name(place, value)

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """Return the picture of a ``table state`` object."""
        return table.parse_table(table_state)
