"""Lamps, a toy game for two: the fifth game, whose only purpose is to prove the machinery.

Five lamps in a row, a figure each. In his turn a player steps to a neighbouring lamp or lights the dark lamp
he stands at: his marker goes on it and the lamp is flipped. The middle lamp may be lit plainly or brightly
(two points), which nobody can see. The last lamp or the 40th action ends the game; most points win.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.decision import Accepted, Ask, Choice, Decision, Fix, InStep, OutOfStep, Waiting
from companion.errors import MalformedError, Param, RuleViolation
from companion.game import Event, Game, Json, Verdict
from companion.games.kit.record_codec import ActionLine, Key, RecordCodec, Word, choice
from companion.games.kit.table_codec import Listed, Named, TableCodec, or_none
from companion.observation import Query
from companion.prompts import Prompt, PromptKind
from companion.storage.strict import as_integer, as_map, as_names, as_object, as_string
from companion.table import Picture, Place, Value, kind_of, parts_of, place

LAMPS, LIMIT = 5, 40
RULES = {
    "turn.other": "It is {player}'s turn.",
    "step.far": "A step goes to a neighbouring lamp.",
    "light.lit": "Only a dark lamp can be lit, by who stands there, and only the middle one brightly.",
    "table.odd": "No legal action leads there.",
}


@dataclass(frozen=True, slots=True)
class Act:
    player: str
    do: str  # step, plain or bright
    to: int


LINES = RecordCodec[Act](
    *(ActionLine(Act, (Word("do", do), Key("to", as_integer))) for do in ("step", "plain", "bright"))
)
TABLE = TableCodec(
    Named("figures", "figure", choice(*map(str, range(LAMPS)))),
    Listed("cells", "cell", LAMPS, choice("dark", "lit")),
    Listed("boxes", "box", LAMPS, or_none(as_string)),
)


@dataclass(frozen=True, slots=True)
class Lamps:
    players: tuple[str, ...]
    at: Mapping[str, int]
    owners: tuple[str | None, ...] = (None,) * LAMPS
    bright: str | None = None
    count: int = 0


class ToyGame(Game[Lamps, Act]):
    name = "lamps"

    def deal(self, rng: random.Random, options: Mapping[str, Any]) -> Json:
        names = rng.sample(
            as_map(dict(options), "the options", ["players"]).get("players", ["ann", "ben"]), 2
        )
        return {"record": "moontable/1", "game": self.name, "players": names}

    def start(self, header: Json) -> Lamps:
        names = as_names(
            as_object(header, "the header", ("record", "game", "players"))["players"], "players", 2, 2
        )
        return Lamps(players=names, at={names[0]: 0, names[1]: LAMPS - 1})

    def apply(self, state: Lamps, action: Act) -> tuple[Lamps, tuple[Event, ...]]:
        me, to = self.turn_of(state), action.to
        if me is None or action.player != me:
            raise RuleViolation("turn.other", player=str(me))
        after = replace(state, count=state.count + 1)
        if action.do == "step":
            if abs(to - state.at[me]) != 1 or to not in range(LAMPS):
                raise RuleViolation("step.far", lamp=to)
            return replace(after, at={**state.at, me: to}), ()
        if to != state.at[me] or state.owners[to] or (action.do == "bright" and to != LAMPS // 2):
            raise RuleViolation("light.lit", lamp=to)
        bright = me if action.do == "bright" else state.bright
        owners = (*state.owners[:to], me, *state.owners[to + 1 :])
        return replace(after, owners=owners, bright=bright), (Event(),)

    def legal_actions(self, state: Lamps) -> Iterable[Act]:
        all_acts = [
            Act(str(self.turn_of(state)), do, to) for do in ("step", "plain", "bright") for to in range(LAMPS)
        ]
        return [act for act in all_acts if self.judge(state, act) is Verdict.LEGAL]

    def judge(self, state: Lamps, action: Act) -> Verdict:
        try:
            return Verdict.LEGAL if self.apply(state, action) else Verdict.REFUSED
        except RuleViolation:
            return Verdict.REFUSED

    def result(self, state: Lamps) -> Json | None:
        points = [state.owners.count(name) + (state.bright == name) for name in state.players]
        best = [name for name, mine in zip(state.players, points, strict=True) if mine == max(points)]
        return None if self.turn_of(state) else {"winners": best, "reason": "lamps", "draw": False}

    def turn_of(self, state: Lamps) -> str | None:
        return state.players[state.count % 2] if None in state.owners and state.count < LIMIT else None

    def defects(self, state: Lamps) -> tuple[str, ...]:
        return () if len(state.owners) == LAMPS else ("a lamp is lost",)

    parse_action, format_action = LINES.parse_action, LINES.format_action

    def checkpoint(self, state: Lamps) -> Json:
        return {"bright": state.bright or "nobody", "table": self.format_table(self.predict(state))}

    def check(self, state: Lamps, claimed: Json) -> None:
        if any(self.checkpoint(state).get(key, self) != value for key, value in claimed.items()):
            raise MalformedError("the checkpoint differs")

    def tile_under(self, where: Place) -> Place | None:
        """Markers lie on lamps."""
        return place("cell", *parts_of(where)) if kind_of(where) == "box" else None

    def pointed_at(self, where: Place, value: Value) -> Place | None:
        """Figures stand at lamps."""
        lamp = place("cell", value) if value else None
        return lamp if kind_of(where) == "figure" else where

    def predict(self, state: Lamps) -> Picture:
        figures = {place("figure", name): str(at) for name, at in state.at.items()}
        cells = {place("cell", lamp): "lit" if owner else "dark" for lamp, owner in enumerate(state.owners)}
        return figures | cells | {place("box", lamp): owner for lamp, owner in enumerate(state.owners)}

    def explain(self, state: Lamps, seen: Query) -> Decision[Act]:
        runs: list[tuple[tuple[Act, ...], Lamps]] = [((), state)]
        for _ in range(4):
            fits = [(run, last) for run, last in runs if all(map(_is_flip, self._fixes(last, seen)))]
            if len({str(self.predict(last)) for _, last in fits}) > 1:
                return Waiting(text="Something cannot be seen.")
            if len(fits) > 1:
                choices = tuple(Choice(actions=run, text=run[-1].do) for run, _ in fits)
                return Ask(text="How was it lit?", choices=choices)
            if fits:
                run, late = fits[0][0], self._fixes(fits[0][1], seen)
                stay = Waiting(text="A lamp is still dark.", pending=late) if late else InStep()
                return Accepted(actions=run, pending=late) if run else stay
            steps = [(run, last, act) for run, last in runs for act in self.legal_actions(last)]
            runs = [((*run, act), self.apply(last, act)[0]) for run, last, act in steps]
        return self._odd(str(self.turn_of(state)), self._fixes(state, seen))

    def _fixes(self, state: Lamps, seen: Query) -> tuple[Fix, ...]:
        odd = [(at, seen.picture[at], want) for at, want in self.predict(state).items() if at in seen.picture]
        fixes = [
            Fix(place=at, seen=got, wanted=want, text=f"{at}: {want}") for at, got, want in odd if got != want
        ]
        return tuple(sorted(fixes, key=lambda fix: not fix.is_removal))

    def _odd(self, turn: str, fixes: tuple[Fix, ...]) -> Decision[Act]:
        moved = [fix.place for fix in fixes if kind_of(fix.place) == "figure"]
        rule = "table.odd" if not moved else "step.far" if moved[0] == place("figure", turn) else "turn.other"
        return OutOfStep(rule=rule, text="That cannot be.", params={"player": turn}, fixes=fixes)

    parse_table, format_table, format_reading = TABLE.parse_table, TABLE.format_table, TABLE.format_reading

    def prompts(
        self, before: Lamps, action: Act, after: Lamps, events: tuple[Event, ...]
    ) -> tuple[Prompt, ...]:
        turn = self.turn_of(after)
        kind = PromptKind.TURN if turn else PromptKind.END
        told = [Prompt(id=f"turn/{after.count}/0", kind=kind, text=f"{action} done, {turn}")]
        if events and after.owners != before.owners:
            text, done = f"Flip {action.to}.", {place("cell", action.to): "lit"}
            told.append(
                Prompt(id=f"flip/{after.count}/1", kind=PromptKind.HOUSEKEEPING, text=text, done_when=done)
            )
            told.append(Prompt(id=f"reward/{after.count}/2", kind=PromptKind.REWARD, text="A point!"))
        return tuple(told)

    def describe(self, state: Lamps) -> str:
        return str(state)

    def describe_action(self, state: Lamps, action: Act) -> str:
        return f"{action.player} at {state.at[action.player]}: {action.do} {action.to}"

    def rule_text(self, rule: str, params: Mapping[str, Param]) -> str:
        return RULES[rule].format(**params)


def _is_flip(fix: Fix) -> bool:
    return (fix.seen, fix.wanted) == ("dark", "lit")


GAME = ToyGame()
