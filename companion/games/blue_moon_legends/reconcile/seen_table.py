"""What was seen of the table against what a state predicts: the differences, card by card."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from companion.decision import Fix
from companion.games.blue_moon_legends.catalogue import DRAGONS
from companion.games.blue_moon_legends.state import Setup, Side, State
from companion.games.blue_moon_legends.table import (
    BACK,
    BOARD,
    COUNTS,
    ELEMENT,
    LEFT,
    TOP,
    WINNER,
    cards_of,
    dragon_places,
    element_shown,
    length_of,
    rows_of,
    visible_rows,
    winner_shown,
)
from companion.games.blue_moon_legends.texts import area_name, card_name, element_name
from companion.games.kit.evidence import removals_first
from companion.games.kit.notation import escape, unescape
from companion.i18n import Message, msg
from companion.names import player_name
from companion.table import Picture, Place, Value, place

# Powers that put cards back into decks or take them out of discard piles.
_RETURNING = (
    "draw_from_shuffled_discard",
    "draw_then_shuffle_back",
    "hand_to_deck_bottom",
    "search_discard",
    "shuffle_discard_into_deck",
)


class Way(enum.Enum):
    """How the table differs in one thing."""

    EXTRA = "extra"  # something lies there that should not
    MISSING = "missing"  # something should lie there that does not
    VALUE = "value"  # one thing is another than it should be


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing in which the table differs from the prediction.

    Attributes:
        area: kind of the place: combat, support, ship, cargo, landed, open, leader, hand, deck, discard,
            top (a card on a discard pile of which the state does not know), dragon, element, winner.
        side: whose; None for what is nobody's.
        card: the card, ``back`` for a face-down one, empty for an unread one.
        ship: the ship on which a cargo lies.
        doubt: how many of the missing cards of this row may be the ones that could not be read.
    """

    way: Way
    area: str
    side: int | None
    card: str
    where: Place
    seen: Value
    wanted: Value
    ship: str = ""
    doubt: int = 0


class SeenTable:
    """The believed picture taken apart into rows and single places; places that are absent were not seen."""

    def __init__(
        self, setup: Setup, picture: Picture, start: State | None = None, covered: Collection[int] = ()
    ) -> None:
        """Take a picture apart that was seen after a state.

        `covered` are the sides on whose discard piles another card lay then than now.
        """
        self._setup = setup
        self._sides = {escape(player): side for side, player in enumerate(setup.players)}
        self._piles = {
            (kind, side): place(kind, name) for name, side in self._sides.items() for kind in COUNTS
        }
        self._values = picture
        self._rows = {
            name: (Counter(cards_of(entries)), length_of(entries))
            for name, entries in rows_of(picture).items()
        }
        self._returning = {
            side
            for side, cards in enumerate(setup.owned)
            if any(setup.cards[card].has(effect) for card in cards for effect in _RETURNING)
        }
        self._before = start.sides if start is not None else None
        self._covered = covered
        self._compared: dict[int, tuple[Side, list[Difference]]] = {}
        self._compared_rows: dict[tuple[str, tuple[str, ...]], list[Difference]] = {}
        self._compared_dragons: dict[int, list[Difference]] = {}
        self.element_is_seen = ELEMENT in picture
        self.element = picture.get(ELEMENT)

    def cards(self, area: str, side: int) -> Counter[str]:
        """Return the cards seen in a row."""
        row = self._rows.get(f"{area}:{escape(self._setup.players[side])}")
        return row[0] if row is not None else Counter()

    def is_cut(self, area: str, side: int) -> bool:
        """Whether cards are seen in a row, but not where it ends: something hides a part of it."""
        row = self._rows.get(f"{area}:{escape(self._setup.players[side])}")
        return row is not None and row[1] is None

    def count(self, area: str, side: int) -> int | None:
        """Return a number of cards, None if it was not seen."""
        where = self._piles[area, side]
        return int(self._values[where] or 0) if where in self._values else None

    def is_partial(self, left: list[Difference]) -> bool:
        """Whether what differs may come of cards that could not be seen.

        That is so where an unread card lies or one came to a pile unseen, where only numbers differ and some
        cannot be read, and where none of the sides with something out of place is seen whole.
        """
        if any(each.area == TOP or (each.way is Way.EXTRA and not each.card) for each in left):
            return True
        if all(each.area in COUNTS for each in left) and not self.sees_piles():
            return True
        whole = {side: self._is_side_whole(name) for name, side in self._sides.items()}
        return not all(whole.values()) and not any(self._is_plain(each, whole) for each in left)

    def _is_plain(self, found: Difference, whole: Mapping[int, bool]) -> bool:
        """Whether a card lies where it should not, on a side that is seen whole."""
        is_placed = found.way is Way.EXTRA or found.area == "leader"
        return is_placed and found.side is not None and whole[found.side]

    def sees_left(self, side: int) -> bool:
        """Whether it is seen that cards are left in a deck, counted or not."""
        where = place(LEFT, escape(self._setup.players[side]))
        return where in self._values or bool(self.count("deck", side))

    def counts_piles(self) -> bool:
        """Whether the cards of piles are counted at this table: that a pile is empty is seen at any."""
        return any(self.count(kind, side) for kind in ("deck", "discard") for side in self._sides.values())

    def sees_piles(self) -> bool:
        """Whether the numbers of cards in all decks and discard piles, and all dragons, are seen."""
        piles = (self.count(kind, side) for kind in ("deck", "discard") for side in self._sides.values())
        dragons = self._rows.get("dragon")
        return None not in list(piles) and dragons is not None and dragons[0].total() == DRAGONS

    def is_beyond(self, state: State, left: list[Difference]) -> bool:
        """Whether more cards have left a deck or come to a discard pile than can lead to what was seen.

        Cards still to be drawn or cleared away are allowed for; decks whose powers bring cards back are never
        judged.
        """
        return any(self._is_over(state, number, left) for number in (0, 1) if number not in self._returning)

    def may_discard(self, state: State, number: int, cards: int, left: Sequence[Difference]) -> bool:
        """Say whether so many more cards may have come to a discard pile, without those still to clear."""
        seen, discard = self.count("discard", number), state.sides[number].discard
        if seen is None or number in self._returning:
            return True
        extra = (each.card for each in left if each.way is Way.EXTRA and each.side == number)
        to_clear = sum(card in discard or card in ("", BACK) for card in extra)
        return len(discard) + cards - to_clear <= seen

    def shows_cleared(self, state: State, left: list[Difference]) -> bool:
        """Whether cards lie there that the state has on a discard pile from which none comes back."""
        return any(
            each.way is Way.EXTRA
            and each.side is not None
            and each.side not in self._returning
            and each.card in state.sides[each.side].discard
            for each in left
        )

    def _is_over(self, state: State, number: int, left: list[Difference]) -> bool:
        side = state.sides[number]
        hand, deck = (self.count(kind, number) for kind in ("hand", "deck"))
        to_draw = max(0, len(side.hand) - hand) if hand is not None else len(side.hand)
        if deck is not None and len(side.deck) + to_draw < deck:
            return True
        return not self.may_discard(state, number, 0, left)

    def shows_news(self, state: State) -> bool:
        """Whether a card lies on the active side's discard pile of which the state does not know."""
        return any(each.area == TOP and each.side == state.active for each in self.differences(state))

    def sees_row(self, area: str, side: int) -> bool:
        """Say whether every card of a row was seen."""
        return self._is_whole(f"{area}:{escape(self._setup.players[side])}")

    def sees_leader(self, side: int) -> bool:
        """Say whether the leader of a side, and what lies on it, was seen."""
        return place("leader", escape(self._setup.players[side])) in self._values

    def _is_side_whole(self, name: str) -> bool:
        if not self.sees_leader(self._sides[name]):
            return False
        return all(self._is_whole(f"{area}:{name}") for area in ("combat", "support", "ship"))

    def _is_whole(self, name: str) -> bool:
        row = self._rows.get(name)
        return row is not None and row[1] is not None and row[1] <= sum(row[0].values())

    def differences(self, state: State) -> list[Difference]:
        """Return every difference between the table and the prediction of a state."""
        found: list[Difference] = []
        for name, side in self._sides.items():
            found += self._of_side(state, side, name)
        found += self._of_dragons(state)
        for where, wanted in ((ELEMENT, element_shown(state)), (WINNER, winner_shown(state))):
            if where in self._values and self._values[where] != wanted:
                found.append(_value(str(where), None, where, self._values[where], wanted))
        return found

    def _of_side(self, state: State, number: int, name: str) -> list[Difference]:
        """Return what differs on a side; most actions leave the other one untouched."""
        side = state.sides[number]
        known = self._compared.get(id(side))
        if known is None:  # the side is kept as well, so that nothing else gets its id
            self._compared[id(side)] = known = (side, list(self._side(state, number, name)))
        return known[1]

    def _side(self, state: State, number: int, name: str) -> Iterator[Difference]:
        side = state.sides[number]
        for kind, cards in visible_rows(side, self.cards("combat", number)).items():
            yield from self._of_row(kind, number, f"{kind}:{name}", tuple(cards))
        for ship in (*side.ships, *side.landed):
            yield from self._of_row("cargo", number, f"cargo:{name}:{ship.card}", ship.cargo, ship.card)
        top = side.leadership[-1] if side.leadership else state.setup.leaders[number]
        where = place("leader", name)
        if where in self._values and self._values[where] != top:
            yield _value("leader", number, where, self._values[where], top)
        yield from self._of_numbers(side, number)
        on_pile = self._values.get(place(TOP, name))
        if (
            on_pile is not None
            and on_pile not in side.discard
            and not self._may_lie_on(side, number, on_pile)
        ):
            yield _value(TOP, number, place(TOP, name), on_pile, None)

    def _may_lie_on(self, side: Side, number: int, card: str) -> bool:
        """Whether a card on top of a side's discard pile may be one that nobody knows.

        Those on which another one lies since, or lay before, are not on top. Nor is any where every card was
        known and none has come: it is one of them, whatever was shuffled or taken out.
        """
        if self._before is None:
            return _unknown_in(side) > 0
        before = self._before[number]
        was_known = not _unknown_in(before) and card not in before.discard
        if was_known and not side.uncounted and len(side.discard) <= len(before.discard):
            return False
        if number in self._covered or _known_in(side) > _known_in(before):
            return _unknown_since(before, side, is_returning=number in self._returning) > 0
        return _unknown_in(side) > 0

    def _of_numbers(self, side: Side, number: int) -> Iterator[Difference]:
        """Yield the numbers of cards that are others; of a pile that nobody counted any number is news."""
        for kind, many in zip(COUNTS, (len(side.hand), len(side.deck), len(side.discard)), strict=True):
            where = self._piles[kind, number]
            wanted = str(many) if many else None
            is_news = bool(side.uncounted) and kind != "hand" and wanted is not None
            if where in self._values and (is_news or self._values[where] != wanted):
                yield _value(kind, number, where, self._values[where], wanted)
        if self.sees_left(number) and not side.deck:
            where = self._piles["deck", number]
            yield _value("deck", number, where, None, None)

    def _of_row(
        self, area: str, side: int, name: str, cards: tuple[str, ...], ship: str = ""
    ) -> list[Difference]:
        """Return what differs in a row; most actions leave most rows untouched."""
        known = self._compared_rows.get((name, cards))
        if known is None:
            known = self._compared_rows[name, cards] = list(self._row(area, side, name, cards, ship))
        return known

    def _row(
        self, area: str, side: int, name: str, cards: tuple[str, ...], ship: str
    ) -> Iterator[Difference]:
        row = self._rows.get(name)
        if row is None:
            return
        seen, length = row
        if length == len(cards) == len(seen) and all(card in seen for card in cards):
            return
        expected = Counter(cards)
        extra = partial(Difference, way=Way.EXTRA, area=area, side=side, wanted=None, ship=ship)
        for at, card in enumerate((seen - expected).elements()):
            yield extra(card=card, where=Place(f"{name}:{at}"), seen=card)
        if length is None:
            return
        unread = max(0, length - sum(seen.values()))
        missing = partial(Difference, way=Way.MISSING, area=area, side=side, seen=None, ship=ship)
        absent = list((expected - seen).elements())
        for at, card in enumerate(absent if len(absent) > unread else ()):
            yield missing(card=card, where=Place(f"{name}:{length + at}"), wanted=card, doubt=unread)
        for at in range(unread - len(absent)):
            yield extra(card="", where=Place(f"{name}:{len(cards) + at}"), seen="?")

    def dragons_differ(self, state: State) -> bool:
        """Whether the dragons were seen to stand otherwise."""
        return bool(self._of_dragons(state))

    def _of_dragons(self, state: State) -> list[Difference]:
        known = self._compared_dragons.get(state.dragons)
        if known is None:
            known = self._compared_dragons[state.dragons] = list(self._dragons(state))
        return known

    def _dragons(self, state: State) -> Iterator[Difference]:
        row = self._rows.get("dragon")
        if row is None:
            return
        expected = Counter(str(value) for _, value in dragon_places(state))
        if row[0] == expected:
            return
        strange, owed = list((row[0] - expected).elements()), list((expected - row[0]).elements())
        for at, (seen, due) in enumerate(zip(strange, owed, strict=False)):
            yield _value("dragon", self._sides.get(seen), Place(f"dragon:{at}"), seen, due)


def _known_in(side: Side) -> int:
    return len(side.discard) - side.discard.count(None)


def _unknown_in(side: Side) -> int:
    return side.discard.count(None) + side.uncounted


def _unknown_since(before: Side, side: Side, *, is_returning: bool) -> int:
    """Return how many unknown cards came to a pile since; what was counted meanwhile lay there before.

    Cards that were counted lie under all others: what lay there before begins after them. Where powers take
    cards out of the pile (`is_returning`) and one was used, any unknown card may be on top.
    """
    had = len(before.discard)
    starts = range(len(side.discard) - had + 1)
    under = next((at for at in starts if side.discard[at : at + had] == before.discard), None)
    if under is None:
        return _unknown_in(side) - (0 if is_returning else _unknown_in(before))
    is_counted = under > 0 or side.uncounted < before.uncounted
    return side.discard[under + had :].count(None) + side.uncounted - (0 if is_counted else before.uncounted)


def _value(area: str, side: int | None, where: Place, seen: Value, wanted: Value) -> Difference:
    card = seen or ""
    return Difference(way=Way.VALUE, area=area, side=side, card=card, where=where, seen=seen, wanted=wanted)


def fixes_for(differences: list[Difference]) -> tuple[Fix, ...]:
    """Return what to put right by hand, removals first; nobody is to undo what came to a pile."""
    fixes = [
        Fix(place=found.where, seen=found.seen, wanted=found.wanted, text=_instruction(found))
        for found in differences
        if found.area != TOP
    ]
    return removals_first(fixes)


def _instruction(found: Difference) -> Message:
    if found.area == "dragon":
        seen, wanted = _dragon_stand(found.seen), _dragon_stand(found.wanted)
        return msg("Move a dragon ({seen} → {wanted}).", seen=seen, wanted=wanted)
    if found.area == "element":
        if found.wanted is None:
            return msg("Take the element token off.")
        return msg("Turn the element token to {element}.", element=element_name(found.wanted))
    if found.area == "winner":
        if found.wanted is None:
            return msg("Nobody has won yet: take the token off the leader.")
        return msg("Lay the token on the leader of {player}.", player=player_name(unescape(found.wanted)))
    return _in_area(found, area_name(found.area, unescape(found.where.split(":")[1])))


def _dragon_stand(value: Value) -> str:
    if value is None:
        return "?"
    return msg("the board") if value == BOARD else player_name(unescape(value))


def _in_area(found: Difference, area: str) -> Message:
    if found.area in COUNTS:
        return msg(
            "Cards there ({area}): {wanted}, not {seen}.",
            area=area,
            wanted=found.wanted or 0,
            seen=found.seen or 0,
        )
    if found.area == "leader":
        return msg("{card} belongs on top ({area}).", card=card_name(found.wanted or "?"), area=area)
    name = card_name(found.card) if found.card else msg("the unread card")
    if found.way is Way.EXTRA:
        return msg("Take away {card} ({place}).", card=name, place=area)
    return msg("Lay {card} there ({place}).", card=name, place=area)
