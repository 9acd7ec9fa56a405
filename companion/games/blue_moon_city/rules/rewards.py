"""What is paid out: golden scales and their exchange, and the rewards of a completed building."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.blue_moon_city.catalogue import NEIGHBOURS, Reward
from companion.games.blue_moon_city.events import Completed, Exchanged, Rewarded
from companion.games.blue_moon_city.rules.draft import Draft


def majority(owners: tuple[int, ...]) -> int:
    """Return the seat with most markers; a tie goes to the leftmost marker of the tied (ruling 2)."""
    counts = {seat: owners.count(seat) for seat in owners}
    best = max(counts.values())
    return next(seat for seat in owners if counts[seat] == best)


class ScalePurse:
    """The golden scales of one awarding action, with those owed beyond the supply (rulings 16 and 17)."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._owed = [0] * len(draft.scales)
        self._paid = False

    def give(self, seat: int, count: int) -> int:
        """Give `count` scales to a player; return how many of them stay owed."""
        if not count:
            return 0
        given = min(count, self._draft.supply)
        self._draft.supply -= given
        self._draft.scales[seat] += given
        self._owed[seat] += count - given
        self._paid = True
        return count - given

    def close(self) -> None:
        """End the awarding action: exchange if the supply has run out (rulings 16 to 18)."""
        if self._paid and self._draft.supply == 0:
            self._exchange()

    def _exchange(self) -> None:
        draft = self._draft
        counts = tuple(have + owed for have, owed in zip(draft.scales, self._owed, strict=True))
        gains = tuple(_crystals_for(count, counts) for count in counts)
        returned = tuple(draft.scales[i] if gain else 0 for i, gain in enumerate(gains))
        for seat, gain in enumerate(gains):
            if gain:
                draft.gain_crystals(seat, gain)
                draft.supply += draft.scales[seat]
                draft.scales[seat] = 0
        if draft.setup.options.owed_scales_paid:
            self._pay_late(seat for seat, gain in enumerate(gains) if not gain)
        draft.events.append(
            Exchanged(players=draft.setup.players, counts=counts, crystals=gains, returned=returned)
        )

    def _pay_late(self, seats: Iterable[int]) -> None:
        """Give the owed scales that the supply can pay now."""
        for seat in seats:
            late = min(self._owed[seat], self._draft.supply)
            self._draft.supply -= late
            self._draft.scales[seat] += late


def _crystals_for(count: int, counts: tuple[int, ...]) -> int:
    """Return what so many scales are exchanged for: 6 for the only leader, 3 for tied ones and for three."""
    if count == max(counts):
        return 6 if counts.count(count) == 1 else 3
    return 3 if count >= 3 else 0


def pay_dragons(draft: Draft, seat: int, cell: int) -> None:
    """Pay one golden scale for each dragon beside the turn's first contribution (ruling 15)."""
    purse = ScalePurse(draft)
    for number, where in enumerate(draft.dragons):
        if where == cell:
            owed = purse.give(seat, 1)
            draft.events.append(
                Rewarded(
                    player=draft.setup.players[seat],
                    reason="dragon",
                    source=draft.dragon_name(number),
                    scales=1,
                    owed=owed,
                )
            )
    purse.close()


def complete(draft: Draft, cell: int) -> None:
    """Pay a completed building in the order of ruling 1, give the markers back and flip the tile."""
    owners = draft.boxes[cell]
    names, building = draft.setup.players, draft.building(cell)
    winner = majority(owners)
    seats = [s for s in draft.clockwise() if s in owners]
    purse = ScalePurse(draft)
    draft.events.append(
        Completed(
            cell=cell,
            tile=building.tile,
            majority=names[winner],
            contributors=tuple(names[s] for s in seats),
        )
    )
    _pay(draft, purse, winner, building.majority, "majority", building.tile)
    for seat in seats:
        _pay(draft, purse, seat, building.contributor, "contributor", building.tile)
    for seat in seats:
        for near in NEIGHBOURS[cell]:
            if near in draft.built and draft.setup.buildings[near] is not None:
                beside = draft.building(near)
                _pay(draft, purse, seat, beside.neighbour, "neighbour", beside.tile)
    for owner in owners:
        draft.markers[owner] += 1
    draft.boxes[cell] = ()
    draft.built = draft.built | {cell}
    purse.close()


def _pay(draft: Draft, purse: ScalePurse, seat: int, reward: Reward, reason: str, source: str) -> None:
    if reward.crystals:
        draft.gain_crystals(seat, reward.crystals)
    owed = purse.give(seat, reward.scales)
    if reward.cards:
        draft.cards.reward(seat, reward.cards)
    draft.events.append(
        Rewarded(
            player=draft.setup.players[seat],
            reason=reason,
            source=source,
            cards=reward.cards,
            crystals=reward.crystals,
            scales=reward.scales,
            owed=owed,
        )
    )
