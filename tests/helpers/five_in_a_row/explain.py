"""Reconciling five in a row: stones were laid in turn, and in which order does not matter afterwards."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TypeAlias

from companion.decision import Decision, Fix, InStep, OutOfStep
from companion.games.kit.evidence import believed, removals_first
from companion.games.kit.notation import escape
from companion.games.kit.search import Limits, Run, Search
from companion.observation import Query
from companion.table import Place, Value, parts_of
from tests.helpers.five_in_a_row.rules import apply
from tests.helpers.five_in_a_row.state import Five, Lay, turn_of
from tests.helpers.five_in_a_row.table import predict
from tests.helpers.five_in_a_row.texts import describe_action, text

FiveRun: TypeAlias = Run[Five, Lay, dict[Place, Value]]


def explain(state: Five, seen: Query) -> Decision[Lay]:
    """Say what the snapshot means in this state."""
    return InStep() if turn_of(state) is None else FiveSearch(state, seen, apply, describe_action).decision()


class FiveSearch(Search[Five, Lay, dict[Place, Value]]):
    """Stones that are seen and not yet laid, tried in every order of the turns."""

    limits = Limits(levels=4)

    def differences(self, state: Five) -> dict[Place, Value]:
        """Return the cells that show something else, with what they should show."""
        sight = believed(self.seen)
        return {at: want for at, want in predict(state).items() if at in sight and sight[at] != want}

    def longer(self, run: FiveRun) -> Iterator[FiveRun]:
        """Lay each stone of the player in turn that is seen on a free cell."""
        turn = turn_of(run.state)
        for where, wanted in run.wrong.items():
            if turn is not None and wanted is None and self.seen.picture[where] == escape(turn):
                yield from self.played(run, [Lay(turn, parts_of(where)[0])])

    def sort(self, level: Sequence[FiveRun]) -> None:
        """A run explains the table that shows nothing else."""
        self.whole += [run for run in level if run.actions and not run.wrong]

    def essence(self, state: Five) -> Hashable:
        """The order of the stones does not matter afterwards."""
        return frozenset(predict(state).items()), state.winner

    def unexplained(self) -> Decision[Lay]:
        """Name what is wrong: a stone that went, or one laid out of turn."""
        fixes = [
            Fix(place=at, seen=got, wanted=want, text=_instruction(at, want))
            for at, want in self.start.wrong.items()
            for got in (self.seen.picture[at],)
        ]
        is_moved = any(fix.wanted is not None for fix in fixes)
        rule, params = "lay.moved" if is_moved else "turn.other", {"player": turn_of(self.start.state) or ""}
        return OutOfStep(rule=rule, text=text(rule, params), params=params, fixes=removals_first(fixes))


def _instruction(where: Place, wanted: Value) -> str:
    cell = parts_of(where)[0]
    return f"Take the stone off {cell}." if wanted is None else f"Lay {wanted}'s stone on {cell}."
