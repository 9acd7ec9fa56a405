"""Rewriting the game when an earlier moment explains the table better: which edit, if any. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from companion.decision import Accepted, OutOfStep, Waiting
from companion.errors import RuleViolation
from companion.game import Game
from companion.observation import Query
from companion.reconcile.retrodiction import (
    Rewrite,
    Story,
    has_idle_turn,
    is_explained,
    retrodict,
    retrodict_missed,
    retrodict_undo,
    retrodict_unlikely,
)
from companion.record.game_record import same
from companion.session.ledger import BY_TABLE, Edit, Ledger
from companion.session.verdict import LOST, GameSoFar

S = TypeVar("S")
A = TypeVar("A")
_Retrodiction: TypeAlias = Callable[[Game[S, A], Story[S, A], Query], Iterable[Rewrite[A]]]


class Rewriting(Generic[S, A]):
    """The search for an earlier moment that explains what a scene shows.

    `entry` is the number that the journal's entry of an edit would have.
    """

    def __init__(self, scene: GameSoFar[S, A], ledger: Ledger[S, A], entry: int) -> None:
        self._scene = scene
        self._ledger = ledger
        self._entry = entry

    def edit_for(self, decision: Waiting | OutOfStep[A] | Accepted[A]) -> Edit[S, A] | None:
        """Return the only edit by which the table makes (better) sense; None for none or several."""
        scene = self._scene
        if scene.history.seen is None:
            return None
        seen = scene.cleaned(scene.history.seen)
        if isinstance(decision, OutOfStep) and scene.is_named(decision):
            seen = scene.filled() or seen
        for further in self._retrodictions(decision):
            known: Edit[S, A] | None = None
            for edit in self._edits(further, seen):
                if known is not None and not self._are_alike(known, edit):
                    return None
                known = edit
            if known is not None:
                return known
        return None

    def _edits(self, further: _Retrodiction[S, A], seen: Query) -> Iterator[Edit[S, A]]:
        """Yield the possible edits from one kind of retrodiction."""
        scene = self._scene
        for rewrite in further(scene.game, scene.story, seen):
            if further is retrodict or self._keeps_what_was_told(rewrite):
                edit = self._rewritten(rewrite, seen)
                if edit is not None:
                    yield edit

    def _retrodictions(
        self, decision: Waiting | OutOfStep[A] | Accepted[A]
    ) -> tuple[_Retrodiction[S, A], ...]:
        """Return how an earlier moment may explain a table, given its verdict for the current game."""
        scene = self._scene
        if isinstance(decision, Waiting):
            # The missing piece may be back where it was before its move, beside the table.
            return () if scene.line.rulings.held else (retrodict_undo,)
        if isinstance(decision, OutOfStep):
            # While not enough has been seen, there is no reason to doubt what was seen.
            ways = (retrodict, retrodict_missed)
            return ways if decision.rule == LOST else (*ways, retrodict_unlikely)
        if has_idle_turn(scene.game, scene.line.state, decision.actions):
            return (partial(retrodict_unlikely, run=decision.actions),)
        return ()

    def _keeps_what_was_told(self, rewrite: Rewrite[A]) -> bool:
        """Whether a rewrite keeps every action that players entered or confirmed: they know better."""
        replaced = self._scene.line.played[rewrite.kept : rewrite.kept + rewrite.count]
        return all(each.action in rewrite.actions for each in replaced if each.by != BY_TABLE)

    def _rewritten(self, rewrite: Rewrite[A], seen: Query) -> Edit[S, A] | None:
        """Return the edit for a rewrite; None if later actions rule it out."""
        try:
            edit = self._ledger.plan_correction(
                rewrite.kept + 1, rewrite.count, rewrite.actions, by=BY_TABLE, entry=self._entry
            )
        except RuleViolation:
            return None
        return edit if rewrite.count or is_explained(self._scene.game, edit.line.state, seen) else None

    def _are_alike(self, one: Edit[S, A], other: Edit[S, A]) -> bool:
        """Whether two edits lead to indistinguishable games."""
        first, second = (self._scene.game.checkpoint(edit.line.state) for edit in (one, other))
        return same(first, second)
