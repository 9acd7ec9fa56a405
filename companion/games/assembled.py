"""A game put together of its room's functions; and its prompts put together of drafts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from companion.errors import Param
from companion.games.game import Event, Game, Json, Verdict
from companion.prompts import Prompt, PromptKind, PromptRow
from companion.reconcile.decision import Decision
from companion.reconcile.observation import Snapshot
from companion.table import Picture, Place, Value

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts(Generic[S, A]):
    """The functions of a game that need nothing but state and action, each as `Game` describes it."""

    apply: Callable[[S, A], tuple[S, tuple[Event, ...]]]
    legal_actions: Callable[[S], Iterable[A]]
    judge: Callable[[S, A], Verdict]
    turn_of: Callable[[S], str | None]
    defects: Callable[[S], tuple[str, ...]]
    random_player: Callable[[random.Random], Callable[[S], A]]
    parse_action: Callable[[Json], A]
    format_action: Callable[[A], Json]
    checkpoint: Callable[[S], Json]
    check: Callable[[S, Json], None]
    predict: Callable[[S], Picture]
    explain: Callable[[S, Snapshot], Decision[A]]
    prompts: Callable[[S, A, S, tuple[Event, ...]], tuple[Prompt, ...]]
    describe: Callable[[S], str]
    describe_action: Callable[[S, A], str]
    rule_text: Callable[[str, Mapping[str, Param]], str]


class AssembledGame(Game[S, A]):
    """A game whose class holds only what is its own; the rest are its `parts`."""

    parts: Parts[S, A]

    def apply(self, state: S, action: A) -> tuple[S, tuple[Event, ...]]:
        """Return the next state and what happened, or raise RuleViolation."""
        return self.parts.apply(state, action)

    def legal_actions(self, state: S) -> Iterable[A]:
        """Yield what may be done, in a fixed order."""
        return self.parts.legal_actions(state)

    def judge(self, state: S, action: A) -> Verdict:
        """Say whether the action is legal, refused, or cannot be told."""
        return self.parts.judge(state, action)

    def turn_of(self, state: S) -> str | None:
        """Return the player who acts next."""
        return self.parts.turn_of(state)

    def defects(self, state: S) -> tuple[str, ...]:
        """Return every broken invariant."""
        return self.parts.defects(state)

    def random_player(self, rng: random.Random) -> Callable[[S], A]:
        """Return a random player for one open game."""
        return self.parts.random_player(rng)

    def parse_action(self, line: Json) -> A:
        """Return the action of one record line."""
        return self.parts.parse_action(line)

    def format_action(self, action: A) -> Json:
        """Return the record line of an action."""
        return self.parts.format_action(action)

    def checkpoint(self, state: S) -> Json:
        """Return the full checkpoint of the state."""
        return self.parts.checkpoint(state)

    def check(self, state: S, claimed: Json) -> None:
        """Compare a checkpoint with the state."""
        self.parts.check(state, claimed)

    def predict(self, state: S) -> Picture:
        """Return the picture that the state casts."""
        return self.parts.predict(state)

    def explain(self, state: S, seen: Snapshot) -> Decision[A]:
        """Say what the snapshot means in this state."""
        return self.parts.explain(state, seen)

    def prompts(self, before: S, action: A, after: S, events: tuple[Event, ...]) -> tuple[Prompt, ...]:
        """Return what the players are to be told after an accepted action."""
        return self.parts.prompts(before, action, after, events)

    def describe(self, state: S) -> str:
        """Return the state in a line or a few."""
        return self.parts.describe(state)

    def describe_action(self, state: S, action: A) -> str:
        """Return the action in words."""
        return self.parts.describe_action(state, action)

    def rule_text(self, rule: str, params: Mapping[str, Param]) -> str:
        """Return the sentence of a rule."""
        return self.parts.rule_text(rule, params)


# What a prompt says, before it has a number: kind, text, who it concerns, rows, when it is done, its rule.
PromptDraft: TypeAlias = tuple[
    PromptKind, str, tuple[str, ...], tuple[PromptRow, ...], Mapping[Place, Value], str | None
]


def numbered(drafts: Iterable[PromptDraft], number: int) -> tuple[Prompt, ...]:
    """Return the prompts that follow the numbered action, with their ids."""
    return tuple(
        Prompt(
            id=f"{kind.value}/{number}/{ordinal}",
            kind=kind,
            text=text,
            concerns=concerns,
            rows=rows,
            done_when=done_when,
            rule=rule,
        )
        for ordinal, (kind, text, concerns, rows, done_when, rule) in enumerate(drafts)
    )
