"""Highlights: the places of the table that need attention, for lights or other pointers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.decision import Accepted, Ask, OutOfStep, Waiting
from companion.game import Game
from companion.prompts import PromptKind
from companion.session.referee import Referee
from companion.session.update import Update
from companion.table import Picture, Place, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """Which places deserve attention, and why.

    Attributes:
        wanted: what the players still have to do: tiles to turn, pieces to place.
        taken: boxes taken by the newest action, and by whom.
        wrong: places where something is wrong, or where two sources disagree.
        payable: boxes of the building where a player's figure is, which they may pay for if they can.
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
    """Let the lamps follow a game from now on; returns a function that stops this."""
    taken: dict[Place, str] = {}

    def hear(update: Update[Any]) -> None:
        if update.new_actions or update.taken_back:
            taken.clear()
        if update.new_actions:
            taken.update(_places_taken(update.changed, referee.journal.header["players"]))
        lamps.show(highlights_of(referee, taken))
        order = list(PromptKind)
        news = min((order.index(prompt.kind) for prompt in update.opened), default=None)
        if news is not None:
            lamps.sound(order[news])

    lamps.show(highlights_of(referee, taken))
    return referee.subscribe(hear)


def highlights_of(referee: Referee[Any, Any], taken: Mapping[Place, str]) -> Highlights:
    """Return the highlights for a game in its current state; `taken` are the boxes of the newest action."""
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
        wrong.update(_where_wrong(referee.game, ((fix.place, fix.seen) for fix in decision.fixes)))
    elif isinstance(decision, Ask) and referee.snapshot is not None:
        claims = referee.snapshot.contested.items()
        wrong.update(
            _where_wrong(referee.game, ((where, value) for where, values in claims for value in values))
        )
    return Highlights(
        wanted=wanted,
        taken=dict(taken),
        wrong=frozenset(wrong),
        payable=tuple(place for prompt in prompts for place in prompt.about),
        reachable=referee.game.reachable(referee.state),
    )


def _places_taken(changed: Mapping[Place, tuple[Value, Value]], players: Sequence[str]) -> dict[Place, str]:
    """Return the places that players' pieces have newly taken, and whose pieces they are."""
    return {where: after for where, (_, after) in changed.items() if after is not None and after in players}


def _where_wrong(game: Game[Any, Any], claims: Iterable[tuple[Place, Value]]) -> set[Place]:
    """Return the places to point at in red."""
    return {at for where, value in claims if (at := game.pointed_at(where, value)) is not None}
