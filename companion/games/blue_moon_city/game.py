"""Blue Moon City as a game of the house."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from companion.decision import Ask
from companion.errors import MalformedError, RuleViolation
from companion.game import Event, Json
from companion.games.blue_moon_city import (
    descriptions,
    invariants,
    layout,
    players,
    prompts,
    record,
    setup,
    state,
    table,
    texts,
)
from companion.games.blue_moon_city.actions import Action, Contribute, End, Move
from companion.games.blue_moon_city.catalogue import CELLS, DISTANCE, Catalogue, printed
from companion.games.blue_moon_city.reconcile import explain
from companion.games.blue_moon_city.rules import apply, endings, legal
from companion.games.blue_moon_city.rules.spending import needs_no_card
from companion.games.blue_moon_city.state import CityState, Options
from companion.games.kit.assembled import AssembledGame, Parts
from companion.table import Picture, Place, Value, kind_of, parts_of, place


class BlueMoonCity(AssembledGame[CityState, Action]):
    """The game with one catalogue (a player's own copy may differ) and one set of options."""

    name: ClassVar[str] = "blue_moon_city"
    reckoned: ClassVar[frozenset[str]] = frozenset({"hand_counts"})
    unentered_kinds: ClassVar[frozenset[str]] = frozenset({"discard"})
    roaming_kinds: ClassVar[frozenset[str]] = frozenset({"figure", "dragon"})
    arriving_kinds: ClassVar[frozenset[str]] = frozenset({"dragon"})

    def __init__(self, catalogue: Catalogue | None = None, options: Options | None = None) -> None:
        self.catalogue = catalogue or printed()
        self.options = options or Options()
        self._table = table.CityTable(self.catalogue)
        self.parts = Parts(
            rules=apply,
            legal=legal,
            state=state,
            invariants=invariants,
            players=players,
            record=record,
            table=self._table,
            explain=explain,
            prompts=prompts,
            descriptions=descriptions,
            texts=texts,
            layout=layout,
        )

    # -- set-up and rules ---------------------------------------------------------------------------

    def deal(self, rng: random.Random, options: Mapping[str, Any]) -> Json:
        """See `Game.deal`; the options are players (a number or names), edition and setup."""
        return setup.deal(rng, options, self.catalogue)

    def start(self, header: Json) -> CityState:
        """See `Game.start`."""
        try:
            return setup.start(header, self.catalogue, self.options)
        except RuleViolation as wrong:
            raise MalformedError(self.rule_text(wrong.rule, wrong.params)) from wrong

    def corrected(self, corrections: Mapping[str, Any]) -> BlueMoonCity:
        """See `Game.corrected`; the corrections are those of `Catalogue.corrected`."""
        return BlueMoonCity(self.catalogue.corrected(corrections), self.options) if corrections else self

    def header_from_table(self, picture: Picture, options: Mapping[str, Any]) -> Json:
        """See `Game.header_from_table`; the options are edition and players (names)."""
        edition = options.get("edition", setup.EDITIONS[0])
        try:
            return setup.header_from_table(picture, edition, options["players"], self.catalogue)
        except RuleViolation as wrong:
            raise MalformedError(self.rule_text(wrong.rule, wrong.params)) from wrong

    def public_header(self, header: Json) -> Json:
        """See `Game.public_header`."""
        return {**header, "hands": None, "deck": None}

    def tile_under(self, where: Place) -> Place | None:
        """See `Game.tile_under`: contribution boxes are on tiles."""
        return place("cell", parts_of(where)[0]) if kind_of(where) == "box" else None

    def pointed_at(self, where: Place, value: Value) -> Place | None:
        """See `Game.pointed_at`: figures and dragons stand on cells, or beside the city."""
        if kind_of(where) not in ("figure", "dragon"):
            return where
        return None if value is None else place("cell", value)

    def stages(self, before: CityState, action: Action, after: CityState) -> Iterable[Picture]:
        """See `Game.stages`: the completing marker on its box, before the markers go back."""
        cell = before.figures[before.active]
        if isinstance(action, Contribute) and cell in after.built:
            spot = place("box", CELLS[cell], action.box)
            yield {**table.predict(before), spot: action.player}

    def apply(self, state: CityState, action: Action) -> tuple[CityState, tuple[Event, ...]]:
        """See `Game.apply`."""
        try:
            return super().apply(state, action)
        except RuleViolation as wrong:
            wrong.text = self.rule_text(wrong.rule, wrong.params)
            wrong.args = (wrong.text,)
            raise

    def with_chance(self, state: CityState, action: Action, rng: random.Random) -> Action:
        """See `Game.with_chance`."""
        return players.with_chance(state, action, rng)

    def ends_turn(self, action: Action) -> bool:
        """See `Game.ends_turn`."""
        return isinstance(action, End)

    def is_revisable(self, state: CityState, action: Action) -> bool:
        """A walk may be reconsidered until the turn goes on; what a card was spent for may not."""
        return isinstance(action, Move) and needs_no_card(state, action)

    def reachable(self, state: CityState) -> tuple[Place, ...]:
        """Return the cells that the steps left lead to; none once the player has begun to build."""
        if not state.moving or state.outcome is not None:
            return ()
        far = DISTANCE[state.figures[state.active]]
        return tuple(place("cell", cell) for i, cell in enumerate(CELLS) if 0 < far[i] <= state.steps)

    def result(self, state: CityState) -> Json | None:
        """See `Game.result`."""
        if state.outcome is None:
            return None
        return {
            "winners": list(state.outcome.winners),
            "reason": state.outcome.reason,
            "draw": state.outcome.draw,
        }

    def admits(self, state: CityState, claimed: Json) -> bool:
        """See `Game.admits`: crystals spent with unseen Pillars may decide a stalemate either way."""
        return any(
            claimed == {"winners": list(winners), "reason": "stalemate", "draw": False}
            and claimed["draw"] is False
            for winners in endings.may_have_ended(state)
        )

    def open_ending(self, state: CityState) -> Ask[Action] | None:
        """See `Game.open_ending`."""
        return endings.open_ending(state)

    def settle(self, state: CityState, result: Json) -> tuple[CityState, tuple[Event, ...]]:
        """See `Game.settle`."""
        if not self.admits(state, result):
            return super().settle(state, result)
        return endings.settle(state, tuple(result["winners"]))

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """See `Game.parse_table`."""
        return self._table.codec.parse_table(table_state)

    @property
    def boxes_of_tile(self) -> Mapping[str, int]:
        """Number of contribution boxes of each building tile."""
        return {tile: len(b.values) for tile, b in self.catalogue.buildings.items()}

    @property
    def cells(self) -> tuple[str, ...]:
        """The 21 cells of the city."""
        return CELLS

    def name_place(self, state: CityState, place: Place) -> str:
        """See `Game.name_place`."""
        return texts.place_name(state, place)

    def name_value(self, state: CityState, place: Place, value: Value) -> str:
        """See `Game.name_value`: for a figure or a dragon, where it is."""
        return texts.value_name(state, place, value)
