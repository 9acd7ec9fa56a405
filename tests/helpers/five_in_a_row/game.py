"""Five in a row as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from companion.errors import MalformedError
from companion.game import Json
from companion.games.kit.assembled import AssembledGame, Parts
from companion.storage.strict import as_map, as_names, as_object
from companion.table import Picture, Place, Value
from tests.helpers.five_in_a_row import explain, prompts, record, rules, state, table, texts
from tests.helpers.five_in_a_row.state import Five, Lay, turn_of


class FiveInARow(AssembledGame[Five, Lay]):
    """Two players; whoever first has five stones in a row wins."""

    name: ClassVar[str] = "five_in_a_row"
    parts = Parts(
        rules=rules,
        legal=rules,
        state=state,
        invariants=state,
        players=rules,
        record=record,
        table=table,
        explain=explain,
        prompts=prompts,
        descriptions=texts,
        texts=texts,
    )

    def deal(self, rng: random.Random, options: Mapping[str, Any]) -> Json:
        """Return the header of a new game: who moves first is drawn."""
        given = as_map(dict(options), "the options", ("players",)).get("players", ["ann", "ben"])
        names = rng.sample(["ann", "ben"] if given == 2 else list(given), 2)
        return {"record": "moontable/1", "game": self.name, "players": names}

    def start(self, header: Json) -> Five:
        """Return the state before the first stone."""
        as_object(header, "the header", ("record", "game", "players"))
        first, second = as_names(header["players"], "players", 2, 2)
        return Five((first, second))

    def header_from_table(self, picture: Picture, options: Mapping[str, Any]) -> Json:
        """Return the header of the game of these players, whose grid must be empty."""
        if any(picture.values()):
            raise MalformedError("the grid must be empty at the start")
        return {"record": "moontable/1", "game": self.name, "players": list(options["players"])}

    def result(self, state: Five) -> Json | None:
        """Return the record's result: a winner, or a draw when the grid is full."""
        if turn_of(state) is not None:
            return None
        is_draw = state.winner is None
        winners = [] if is_draw else [state.winner]
        return {"winners": winners, "reason": "full" if is_draw else "five", "draw": is_draw}

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """Return the picture of a table state."""
        return table.TABLE.parse_table(table_state)
