"""Blue Moon Legends as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from companion.game import Json
from companion.games.blue_moon_legends import (
    descriptions,
    invariants,
    layout,
    loose_pieces,
    placing,
    players,
    prompts,
    record,
    setup,
    state,
    table,
    texts,
)
from companion.games.blue_moon_legends.actions import Action, Count, Reveal
from companion.games.blue_moon_legends.reconcile import explain
from companion.games.blue_moon_legends.rules import apply, legal
from companion.games.blue_moon_legends.state import Demand, State
from companion.games.kit.assembled import AssembledGame, Parts
from companion.observation import Observation
from companion.table import Picture, Place, Value, kind_of


class BlueMoonLegends(AssembledGame[State, Action]):
    """Two players, two of nine decks, three dragons."""

    name: ClassVar[str] = setup.NAME
    # A card taken back and laid again leaves the table as it was, but the turn further on.
    reckoned: ClassVar[frozenset[str]] = frozenset({"phase"})

    parts = Parts(
        rules=apply,
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
        return None if kind_of(where) in table.SINGLE else where.rpartition(":")[0]

    def public_header(self, header: Json) -> Json:
        """Return the header as everyone at the table can know it."""
        return setup.public_header(header)

    def stages(self, before: State, action: Action, after: State) -> Iterable[Picture]:
        """Return the pictures between two states: bluff cards turned up, before they are discarded."""
        return table.stages(before, action, after)

    def told(self, state: State, true: State, action: Action) -> tuple[Action, ...]:
        """Return the action, and what whoever did not know it enters as well.

        That is the hand that it lays open, and how many cards are left in decks that nobody counted where it
        uses up the last ones.
        """
        shown, _ = apply.apply(true, action)
        counts = tuple(_used_up(state, true, shown))
        for count in counts:
            state, _ = apply.apply(state, count)
        after, _ = apply.apply(state, action)
        if not after.pending or after.pending[0].demand is not Demand.REVEAL:
            return *counts, action
        side = after.pending[0].side
        return *counts, action, Reveal(player=state.setup.players[side], cards=shown.sides[side].hand)

    def result(self, state: State) -> Json | None:
        """Return the record's result, None while the game runs."""
        if state.outcome is None:
            return None
        return {
            "winners": [state.setup.players[state.outcome.winner]],
            "reason": state.outcome.reason,
            "draw": False,
            "dragons": state.outcome.dragons,
        }

    # -- the table ------------------------------------------------------------------------------------

    def laid_out(self, options: Mapping[str, Any], observation: Observation) -> Observation:
        """Return the observation with the places of the cards in its rows, before any game has begun."""
        del options
        return loose_pieces.in_rows(observation)

    def name_place(self, state: State, place: Place) -> str:
        """Return the words for a place."""
        del state
        return texts.place_name(place)

    def name_value(self, state: State, place: Place, value: Value) -> str:
        """Return in words what is at a place."""
        del state
        return texts.value_name(place, value)

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """Return the picture of a ``table state`` object."""
        return table.parse_table(table_state)


def _used_up(state: State, true: State, after: State) -> Iterator[Action]:
    """Yield how many cards are left in decks that nobody counted, of those that are used up next."""
    for number, side in enumerate(state.sides):
        left = len(true.sides[number].deck)
        if side.uncounted and not after.sides[number].deck:
            yield Count(player=state.setup.players[number], number=left)
