"""The two endings beside the win by offerings: nobody has a marker, nobody can pay (rulings 20 and 21).

An unseen Pillar leaves the crystals between bounds, so in closed play it may be unknown whether anyone can
still pay, or who has most crystals. Then the state names no end or no winners, and a record's claim is taken
if some hidden cards could have led to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from companion.decision import Ask, Choice
from companion.game import Event
from companion.games.blue_moon_city.actions import Action
from companion.games.blue_moon_city.catalogue import CELLS
from companion.games.blue_moon_city.events import GameEnded
from companion.games.blue_moon_city.rules.draft import Draft
from companion.games.blue_moon_city.state import CityState, Outcome, next_free
from companion.i18n import msg, nmsg
from companion.names import list_text, player_name

Seats = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides a stalemate: offerings, bounds of crystals and markers by seat, the next box's price."""

    offerings: Seats
    low: Seats
    high: Seats
    markers: Seats
    price: int | None

    def capped(self) -> Seats:
        """Return the most crystals of each player with which nobody could pay; below `low` = impossible."""
        return tuple(
            min(most, self.price - 1) if have and self.price is not None else most
            for most, have in zip(self.high, self.markers, strict=True)
        )


def tested_ending(draft: Draft) -> Outcome | None:
    """Return the ending that is certain after an action; its winners are left out where nobody knows them."""
    if not any(draft.markers):
        return Outcome(winners=(), reason="no_markers", draw=True)
    if len(draft.built) < len(CELLS):
        return None
    standing = _standing(draft)
    if standing.capped() != standing.high:  # someone may be able to pay
        return None
    winners = _possible_winners(standing)
    names = tuple(draft.setup.players[seat] for seat in winners[0]) if len(winners) == 1 else ()
    return Outcome(winners=names, reason="stalemate", draw=False)


def may_have_ended(state: CityState) -> tuple[tuple[str, ...], ...]:
    """Return the sets of winners of every stalemate that hidden cards could have led to in this state."""
    decided = state.outcome is not None and (state.outcome.reason != "stalemate" or state.outcome.winners)
    if decided or len(state.built) < len(CELLS):
        return ()
    names = state.setup.players
    return tuple(tuple(names[seat] for seat in seats) for seats in _possible_winners(_standing(state)))


def open_ending(state: CityState) -> Ask[Action] | None:
    """Return the question who has won a stalemate, or may have; None if nothing is open.

    Whoever may be able to pay is not named: crystals lie face down.
    """
    possible = may_have_ended(state)
    if not possible:
        return None
    over: tuple[Choice[Action], ...] = tuple(
        Choice(
            actions=(),
            text=nmsg("{players} wins", "{players} win", len(winners), players=_listed(winners)),
            result={"winners": list(winners), "reason": "stalemate", "draw": False},
        )
        for winners in possible
    )
    if state.outcome is not None:
        return Ask(
            text=msg("Nobody can pay for another offering. Who wins? Compare offerings, then crystals."),
            choices=over,
        )
    text = msg(
        "The city is built. Can anyone still pay {price} crystals for the next offering? If not, who wins? "
        "Compare offerings, then crystals.",
        price=_standing(state).price or 0,
    )
    return Ask(text=text, choices=(Choice(actions=(), text=msg("Yes, the game continues")), *over))


def settle(state: CityState, winners: tuple[str, ...]) -> tuple[CityState, tuple[Event, ...]]:
    """Return the state after a stalemate that these players have won, by their own word."""
    outcome = Outcome(winners=winners, reason="stalemate", draw=False)
    return replace(state, outcome=outcome), (GameEnded(winners=winners, reason=outcome.reason),)


def _listed(winners: Sequence[str]) -> str:
    return list_text([player_name(winner) for winner in winners])


def _standing(game: Draft | CityState) -> Standing:
    values = game.setup.catalogue.obelisk
    box = next_free(game.obelisk, game.setup.first_obelisk_box)
    seats = range(len(game.setup.players))
    return Standing(
        offerings=tuple(game.obelisk.count(seat) for seat in seats),
        low=tuple(game.crystals_low if game.crystals_low is not None else game.crystals),
        high=tuple(game.crystals),
        markers=tuple(game.markers),
        price=values[box] if box < len(values) else None,
    )


def _possible_winners(standing: Standing) -> list[Seats]:
    """Return each set of seats that may share the win if nobody can pay; empty when someone surely can."""
    high = standing.capped()
    if any(most < least for least, most in zip(standing.low, high, strict=True)):
        return []
    best = max(standing.offerings)
    tied = [seat for seat, count in enumerate(standing.offerings) if count == best]
    sets = (seats for size in range(1, len(tied) + 1) for seats in combinations(tied, size))
    return [seats for seats in sets if _may_win(standing, high, tied, seats)]


def _may_win(standing: Standing, high: Sequence[int], tied: Sequence[int], seats: Seats) -> bool:
    """Whether of the tied seats just these may have as many crystals, and the others fewer."""
    crystals = min(high[seat] for seat in seats)
    behind = (standing.low[seat] for seat in tied if seat not in seats)
    return crystals >= max(standing.low[seat] for seat in seats) and all(low < crystals for low in behind)
