"""Highlights: which places of the table need attention, for lights or anything else that points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.decision import Accepted, Ask, OutOfStep, Waiting
from companion.observation import Snapshot
from companion.prompts import PromptKind
from companion.session.referee import Referee
from companion.session.update import Update
from companion.table import Picture, Place, Value, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """Which places deserve attention, and why.

    Attributes:
        wanted: what the table should come to show: tiles to turn, pieces to put.
        taken: boxes taken by the newest action, and by whom.
        wrong: what is there is wrong, or contradicted by another sense.
        payable: boxes of the building someone is at, which they may pay if they can.
        reachable: cells that the active player's figure can still go to.
    """

    wanted: Picture = field(default_factory=dict)
    taken: Mapping[Place, str] = field(default_factory=dict)
    wrong: frozenset[Place] = frozenset()
    payable: tuple[Place, ...] = ()
    reachable: tuple[Place, ...] = ()


class Lamps(Protocol):
    """Anything that can point at places and make itself heard."""

    def show(self, highlights: Highlights) -> None:
        """Point at exactly this."""

    def sound(self, kind: PromptKind) -> None:
        """A prompt of this kind has opened."""


def light_up(referee: Referee[Any, Any], lamps: Lamps) -> Callable[[], None]:
    """Let the lamps follow a game from now on; returns the function that ends this."""
    taken: dict[Place, str] = {}

    def hear(update: Update[Any]) -> None:
        if update.new_actions or update.taken_back:
            taken.clear()
        if update.new_actions:
            taken.update(_boxes_taken(update.changed))
        lamps.show(highlights_of(referee, taken))
        order = list(PromptKind)
        news = min((order.index(prompt.kind) for prompt in update.opened), default=None)
        if news is not None:
            lamps.sound(order[news])

    lamps.show(highlights_of(referee, taken))
    return referee.subscribe(hear)


def highlights_of(referee: Referee[Any, Any], taken: Mapping[Place, str]) -> Highlights:
    """Return what is due in a game as it stands; `taken` are the boxes of the newest action."""
    decision = referee.decision
    wanted: dict[Place, Value] = {}
    wrong: set[Place] = set()
    prompts = referee.prompts
    for prompt in prompts:
        wanted.update(prompt.done_when)
    if isinstance(decision, Waiting | Accepted):
        wanted.update({fix.place: fix.wanted for fix in decision.pending})
    elif isinstance(decision, OutOfStep):
        wanted.update({fix.place: fix.wanted for fix in decision.fixes})
        wrong.update(_where_wrong((fix.place, fix.seen) for fix in decision.fixes))
    elif isinstance(decision, Ask) and referee.snapshot is not None:
        wrong.update(_where_contested(referee.snapshot))
    return Highlights(
        wanted=wanted,
        taken=dict(taken),
        wrong=frozenset(wrong),
        payable=tuple(place for prompt in prompts for place in prompt.about),
        reachable=referee.game.reachable(referee.state),
    )


def _boxes_taken(changed: Mapping[Place, tuple[Value, Value]]) -> dict[Place, str]:
    return {
        where: after
        for where, (_, after) in changed.items()
        if after is not None and kind_of(where) in ("box", "obelisk")
    }


def _where_wrong(fixes: Iterable[tuple[Place, Value]]) -> set[Place]:
    """Return the places to show in red: for a figure, the wrong cell it is on."""
    found: set[Place] = set()
    for where, seen in fixes:
        if kind_of(where) not in ("figure", "dragon"):
            found.add(where)
        elif seen is not None:
            found.add(Place(f"cell:{seen}"))
    return found


def _where_contested(seen: Snapshot) -> set[Place]:
    return {
        place
        for where, values in seen.contested.items()
        for place in _where_wrong((where, value) for value in values)
    }
