"""Blue Moon City as the house sees it: one object that keeps the `Game` protocol."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.decision import Ask, Decision
from companion.errors import MalformedError, Param, RuleViolation
from companion.game import Event, Game, Json, Verdict
from companion.games.blue_moon_city import checks, players, record, setup, table, texts
from companion.games.blue_moon_city.actions import Action, Contribute, End, Move, Offer
from companion.games.blue_moon_city.catalogue import CELLS, DISTANCE, Catalogue, printed
from companion.games.blue_moon_city.prompts import prompts
from companion.games.blue_moon_city.reconcile.explain import explain
from companion.games.blue_moon_city.reminders import reminders
from companion.games.blue_moon_city.rules import endings, legal
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.rules.spending import needs_no_card
from companion.games.blue_moon_city.state import CityState, Hidden, Options, describe
from companion.observation import Observation, Snapshot
from companion.prompts import Prompt
from companion.table import Picture, Place, Value, place
from companion.view_model import Reminder


class BlueMoonCity(Game[CityState, Action]):
    """The game with one catalogue (a player's own copy may differ) and one set of options."""

    name = "blue_moon_city"
    reckoned = frozenset({"hand_counts"})

    def __init__(self, catalogue: Catalogue | None = None, options: Options | None = None) -> None:
        self.catalogue = catalogue or printed()
        self.options = options or Options()

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

    def stages(self, before: CityState, action: Action, after: CityState) -> Iterable[Picture]:
        """See `Game.stages`: the completing marker on its box, before the markers go back."""
        cell = before.figures[before.active]
        if isinstance(action, Contribute) and cell in after.built:
            spot = place("box", CELLS[cell], action.box)
            yield {**table.predict(before), spot: action.player}

    def apply(self, state: CityState, action: Action) -> tuple[CityState, tuple[Event, ...]]:
        """See `Game.apply`."""
        try:
            return apply(state, action)
        except RuleViolation as wrong:
            wrong.text = self.rule_text(wrong.rule, wrong.params)
            wrong.args = (wrong.text,)
            raise

    def legal_actions(self, state: CityState) -> Iterable[Action]:
        """See `Game.legal_actions`."""
        return legal.legal_actions(state)

    def with_chance(self, state: CityState, action: Action, rng: random.Random) -> Action:
        """See `Game.with_chance`."""
        return players.with_chance(state, action, rng)

    def random_player(self, rng: random.Random) -> Callable[[CityState], Action]:
        """See `Game.random_player`."""
        style = players.PlayStyle.draw(rng)
        return lambda state: players.choose(state, rng, style)

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

    def judge(self, state: CityState, action: Action) -> Verdict:
        """See `Game.judge`: with hidden cards only what needs none is surely legal."""
        try:
            apply(state, action)
        except RuleViolation:
            return Verdict.REFUSED
        if state.hidden is None:
            return Verdict.LEGAL
        return Verdict.LEGAL if _is_sure(state, state.hidden, action) else Verdict.CANNOT_TELL

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

    def turn_of(self, state: CityState) -> str | None:
        """See `Game.turn_of`."""
        return None if state.outcome is not None else state.player

    def defects(self, state: CityState) -> tuple[str, ...]:
        """See `Game.defects`."""
        return checks.invariants(state)

    def parse_action(self, line: Json) -> Action:
        """See `Game.parse_action`."""
        return record.parse_action(line)

    def format_action(self, action: Action) -> Json:
        """See `Game.format_action`."""
        return record.format_action(action)

    def checkpoint(self, state: CityState) -> Json:
        """See `Game.checkpoint`; in closed play only what is known exactly."""
        known = checks.counts(state)
        exact = {
            key: {name: low for name, (low, high) in who.items() if low == high} for key, who in known.items()
        }
        return {
            "scales": exact["scales"],
            "crystals": exact["crystals"],
            "markers": exact["markers"],
            "supply_scales": state.supply,
            "built": checks.built_tiles(state),
            "hand_counts": exact["hand_counts"],
            "table": self.format_table(self.predict(state)),
        }

    def check(self, state: CityState, claimed: Json) -> None:
        """See `Game.check`."""
        checks.check(state, claimed)

    def predict(self, state: CityState) -> Picture:
        """See `Game.predict`."""
        return table.predict(state)

    def explain(self, state: CityState, seen: Snapshot) -> Decision[Action]:
        """See `Game.explain`."""
        return explain(state, seen)

    def parse_table(self, table_state: Json) -> dict[Place, Value]:
        """See `Game.parse_table`."""
        return table.parse_table(table_state, len(self.catalogue.obelisk))

    def format_table(self, picture: Picture) -> Json:
        """See `Game.format_table`."""
        return table.format_table(picture, len(self.catalogue.obelisk), self._box_count)

    def format_reading(self, observation: Observation) -> Json:
        """See `Game.format_reading`."""
        return table.format_reading(observation, len(self.catalogue.obelisk), self._box_count)

    @property
    def boxes_of_tile(self) -> Mapping[str, int]:
        """Number of contribution boxes of each building tile."""
        return {tile: len(b.values) for tile, b in self.catalogue.buildings.items()}

    @property
    def cells(self) -> tuple[str, ...]:
        """The 21 cells of the city."""
        return CELLS

    def prompts(
        self, before: CityState, action: Action, after: CityState, events: tuple[Event, ...]
    ) -> tuple[Prompt, ...]:
        """See `Game.prompts`."""
        del action
        return prompts(before, after, events)

    def describe(self, state: CityState) -> str:
        """See `Game.describe`."""
        return describe(state)

    def describe_action(self, state: CityState, action: Action) -> str:
        """See `Game.describe_action`."""
        return texts.describe_action(state, action)

    def name_place(self, state: CityState, place: Place) -> str:
        """See `Game.name_place`."""
        return texts.place_name(state, place)

    def name_value(self, state: CityState, place: Place, value: Value) -> str:
        """See `Game.name_value`: for a figure or a dragon, where it is."""
        return texts.value_name(state, place, value)

    def reminders(self) -> tuple[Reminder, ...]:
        """See `Game.reminders`."""
        return reminders()

    def rule_text(self, rule: str, params: Mapping[str, Param]) -> str:
        """See `Game.rule_text`."""
        return texts.rule_text(rule, params)

    def _box_count(self, tile: str) -> int:
        building = self.catalogue.buildings.get(tile)
        return 0 if building is None else len(building.values)


def _is_sure(state: CityState, hidden: Hidden, action: Action) -> bool:
    """Whether an action that the bounds allow is legal whatever the hidden cards are."""
    match action:
        case Move(cards=()):
            here = state.figures[state.active]
            steps = DISTANCE[here][action.to] or 2 if action.path is None else len(action.path)
            return steps <= hidden.steps_low
        case Offer(pillar=None):
            price = state.setup.catalogue.obelisk[state.next_box]
            return not state.offered and hidden.crystals_low[state.active] >= price
        case End():
            return not action.discard
        case _:
            return False
