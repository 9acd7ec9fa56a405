"""A seen picture of Urbion's table, asked in the words of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from companion.games.kit.evidence import MISSING
from companion.games.kit.notation import UNSEEN
from companion.games.urbion.catalogue import CHAOS_LOOKS, ROWS, SIDES
from companion.games.urbion.state import Cards, Row, UrbionState, polarities
from companion.games.urbion.table import (
    DISCARD,
    FANS,
    WAITING,
    city_place,
    discard_fits,
    dream_places,
    fits,
    hand_places,
    polarity_place,
)
from companion.table import Place, Value, kind_of, parts_of

# What is compared as one: ("city", row), ("dream", row, side), ("hand", seat), ("polarity", seat),
# ("discard",), ("drawn", number),
# ("waiting",).
Group: TypeAlias = tuple[str | int, ...]
DISCARD_GROUP: Group = ("discard",)
SIDE_GROUPS: tuple[Group, ...] = tuple(("dream", row, side) for row in range(ROWS) for side in SIDES)


class SeenTable:
    """The believed picture; places that are absent were not seen.

    Attributes:
        waiting: the cards that are seen to wait for a decision.
    """

    def __init__(self, picture: Mapping[Place, Value], players: tuple[str, ...]) -> None:
        self.picture = picture
        self.players = players
        self._sides = {(row, side): dream_places(row, side) for row in range(ROWS) for side in SIDES}
        self._hands = [hand_places(player) for player in players]
        self._surplus = [where for where in picture if _is_surplus(where)]
        self._fans = [self._read(places) for places in FANS]
        self._fours = tuple(tuple(fan.elements()) if fan.total() == CHAOS_LOOKS else () for fan in self._fans)
        self.waiting: Cards = tuple(self._read(WAITING).elements())
        self._known: dict[Group, Cards] = {}
        self._whole: dict[Group, bool] = {}
        self._exact: dict[Group, Cards | None] = {}
        for group in card_groups(len(players)):
            whole = self.is_whole(group)
            self._exact[group] = tuple(sorted(self.known(group))) if whole else None

    def places(self, group: Group) -> tuple[Place, ...]:
        """Return the places of a group of cards, those of surplus cards included."""
        is_side = group[0] == "dream"
        own = self._sides[int(group[1]), str(group[2])] if is_side else self._hands[int(group[1])]
        kind, parts = kind_of(own[0]), parts_of(own[0])[:-1]
        return (*own, *(w for w in self._surplus if kind_of(w) == kind and parts_of(w)[:-1] == parts))

    @property
    def surplus(self) -> set[Group]:
        """Return the groups with cards beyond what a side or a hand can ever hold."""
        if not self._surplus:
            return set()
        return {g for g in self._exact if any(_is_surplus(w) and self.picture[w] for w in self.places(g))}

    def city(self, row: int) -> object:
        """Return the city seen in a row, None = none, MISSING = not seen."""
        return self.picture.get(city_place(row), MISSING)

    def side_fits(self, row: int, side: str, cards: Cards) -> bool:
        """Say whether a side may hold just these cards."""
        exact = self._exact["dream", row, side]
        if exact is not None:
            return tuple(sorted(cards)) == exact
        return fits(self.picture, self._sides[row, side], cards)

    def row_fits(self, number: int, row: Row | None) -> bool:
        """Say whether a row may look like this."""
        if self.city(number) not in (MISSING, row.city if row else None):
            return False
        return all(self.side_fits(number, side, row.side(side) if row else ()) for side in SIDES)

    def hand_fits(self, seat: int, cards: Cards) -> bool:
        """Say whether a player may hold just these cards."""
        exact = self._exact["hand", seat]
        if exact is not None:
            return tuple(sorted(cards)) == exact
        return fits(self.picture, self._hands[seat], cards)

    def known(self, group: Group) -> Cards:
        """Return the cards of a group that were read."""
        if group not in self._known:
            values = (self.picture.get(where) for where in self.places(group))
            self._known[group] = tuple(value for value in values if value not in (None, UNSEEN))
        return self._known[group]

    def is_whole(self, group: Group) -> bool:
        """Whether every place of the group was seen, and every card read."""
        if group not in self._whole:
            whole = all(self.picture.get(where, UNSEEN) != UNSEEN for where in self.places(group))
            self._whole[group] = whole
        return self._whole[group]

    def is_partial(self, group: Group) -> bool:
        """Whether some places of the group were seen, but not all, or not every card was read."""
        return any(where in self.picture for where in self.places(group)) and not self.is_whole(group)

    def is_part(self, group: Group, cards: Cards) -> bool:
        """Say whether what was seen of the group is some of these cards, and no more."""
        there = [self.picture[w] for w in self.places(group) if self.picture.get(w) is not None]
        return len(there) <= len(cards) and not Counter(self.known(group)) - Counter(cards)

    def _read(self, places: tuple[Place, ...]) -> Counter[str]:
        values = (self.picture.get(where) for where in places)
        return Counter(value for value in values if value is not None and value != UNSEEN)

    def fan(self, number: int) -> Cards:
        """Return the dreams of a draw for a Chaos card; () where not all four of them can be told."""
        return self._fours[number] if number < len(FANS) else ()

    def fan_fits(self, number: int, cards: Cards) -> bool:
        """Say whether no other dreams lie open than these, if any."""
        there = self._fans[number]
        return not there or not there - Counter(cards)

    def polarity(self, seat: int) -> object:
        """Return the polarity seen before a player, MISSING = not seen."""
        return self.picture.get(polarity_place(self.players[seat]), MISSING)


def card_groups(seats: int) -> tuple[Group, ...]:
    """Return the groups of cards of a table: all sides, then so many hands."""
    return (*SIDE_GROUPS, *(("hand", seat) for seat in range(seats)))


def differences(state: UrbionState, sight: SeenTable) -> set[Group]:
    """Return the groups that do not look as the state predicts."""
    wrong: set[Group] = set()
    for number, row in enumerate(state.rows):
        if sight.city(number) not in (MISSING, row.city if row else None):
            wrong.add(("city", number))
    for group in SIDE_GROUPS:
        if not sight.side_fits(int(group[1]), str(group[2]), cards_of(state, group)):
            wrong.add(group)
    wrong.update(("hand", seat) for seat, hand in enumerate(state.hands) if not sight.hand_fits(seat, hand))
    for seat, polarity in enumerate(polarities(state).values()):
        if sight.polarity(seat) not in (MISSING, polarity):
            wrong.add(("polarity", seat))
    return wrong | sight.surplus | _wrong_heaps(state, sight)


def _wrong_heaps(state: UrbionState, sight: SeenTable) -> set[Group]:
    """Return the pile, the dreams drawn for Chaos, and the waiting cards where they look otherwise."""
    wrong: set[Group] = {("drawn", n) for n in range(len(FANS)) if not sight.fan_fits(n, state.fan(n))}
    if DISCARD in sight.picture and not discard_fits(state, sight.picture[DISCARD]):
        wrong.add(DISCARD_GROUP)
    if sight.waiting and Counter(sight.waiting) - Counter(state.waiting):
        wrong.add(("waiting",))
    return wrong


def _is_surplus(where: Place) -> bool:
    kind = kind_of(where)
    return (kind == "dream" and int(parts_of(where)[-1]) >= 3) or (
        kind == "hand" and int(parts_of(where)[-1]) >= 4
    )


def cards_of(state: UrbionState, group: Group) -> Cards:
    """Return the cards that the state has in a group of cards."""
    if group[0] == "hand":
        return state.hands[int(group[1])]
    row = state.rows[int(group[1])]
    return row.side(str(group[2])) if row else ()
