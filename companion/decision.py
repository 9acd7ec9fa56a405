"""The verdict on a snapshot: a closed union, matched with `assert_never`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from companion.errors import Param
from companion.i18n import Message, join, msg
from companion.table import Place, Value

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """One thing to put right by hand.

    Attributes:
        place: where.
        seen: what is there now.
        wanted: what should be there (None = take it off).
        text: the same as an instruction in words.
    """

    place: Place
    seen: Value
    wanted: Value
    text: str

    @property
    def is_removal(self) -> bool:
        """Whether the fix only takes something away."""
        return self.wanted is None


@dataclass(frozen=True, slots=True, kw_only=True)
class InStep:
    """The table shows what the state predicts."""

    text: str = msg("The table and the game agree.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted(Generic[A]):
    """A run of legal actions explains the table, surely enough to commit it.

    Attributes:
        actions: in order; never empty.
        pending: housekeeping still to be done by hand after these actions (flip, markers off).
        assumed: number of hidden cards that the run takes for granted beyond what any reading needs.
    """

    actions: tuple[A, ...]
    text: str = ""
    pending: tuple[Fix, ...] = ()
    assumed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The table is on its way; nothing is decided.

    Attributes:
        pending: what is still to be done, if it is known.
    """

    text: str
    pending: tuple[Fix, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Generic[A]):
    """One possible answer to a question.

    Attributes:
        actions: what it says was played.
        text: the answer in words.
        result: how it says the game ended, as a record tells it; None if it says nothing of that.
    """

    actions: tuple[A, ...]
    text: str
    result: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Generic[A]):
    """Two or more explanations differ in a way that matters for the game; the likeliest comes first."""

    text: str
    choices: tuple[Choice[A], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfStep(Generic[A]):
    """No legal run explains the table.

    Attributes:
        rule: id of the rule that the most likely reading of the table breaks.
        params: values that the rule's text names.
        fixes: what to put back, removals first.
        offers: what players may say was played without a trace: then the table is judged again.
    """

    rule: str
    text: str
    params: Mapping[str, Param] = field(default_factory=dict)
    fixes: tuple[Fix, ...] = ()
    offers: tuple[Choice[A], ...] = ()


Decision: TypeAlias = InStep | Accepted[A] | Waiting | Ask[A] | OutOfStep[A]


def told(
    state: S,
    actions: Iterable[A],
    describe: Callable[[S, A], str],
    apply: Callable[[S, A], tuple[S, object]],
) -> Message:
    """Return what is played from a state, in words; raises RuleViolation if it cannot be played."""
    words = []
    for action in actions:
        words.append(describe(state, action))
        state, _ = apply(state, action)
    return msg("{actions}.", actions=join("; ", words))
