"""Nova Luna as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from companion.game import Json
from companion.games.kit.assembled import AssembledGame, Parts
from companion.games.nova_luna import (
    descriptions,
    invariants,
    layout,
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
from companion.games.nova_luna.actions import Action, Reveal
from companion.games.nova_luna.reconcile import explain, hypotheses
from companion.games.nova_luna.state import NovaState, Options, ranking
from companion.table import Picture, Place, Value


class NovaLuna(AssembledGame[NovaState, Action]):
    """Nova Luna; `options` are the rulings that players may want otherwise."""

    name: ClassVar[str] = "nova_luna"
    late_kinds: ClassVar[frozenset[str]] = frozenset({"cover"})

    parts = Parts(
        rules=rules,
        legal=rules,
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

    def told(self, state: NovaState, true: NovaState, action: Action) -> tuple[Action, ...]:
        """Return the action after the tiles that it turns up from the unknown stock."""
        return hypotheses.told(state, true, action)

    def is_played(self, action: Action) -> bool:
        """Say whether someone did it; what becomes known is nobody's doing."""
        return not isinstance(action, Reveal)

    def result(self, state: NovaState) -> Json | None:
        """Return the record's result, None while the game runs."""
        if state.reason is None:
            return None
        if state.is_solo:
            return {"winners": [], "reason": state.reason, "draw": False, "score": rules.solo_score(state)}
        order = list(ranking(state))
        return {"winners": order[:1], "reason": state.reason, "draw": False, "ranking": order}

    # -- the table ------------------------------------------------------------------------------------

    def name_place(self, state: NovaState, place: Place) -> str:
        """Return the words for a place."""
        del state
        return texts.place_name(place)

    def name_value(self, state: NovaState, place: Place, value: Value) -> str:
        """Return in words what is at a place."""
        del state
        return texts.value_name(place, value)

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """Return the picture of a ``table state`` object."""
        return table.codec(self._options.spaces).parse_table(table_state)
