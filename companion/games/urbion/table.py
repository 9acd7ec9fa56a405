"""The table of Urbion: the picture that a state casts, and the record's ``table state`` object.

Names of places, by kind:

    city:R            the city card in row R; None = no city there
    dream:R:SIDE:I    the I-th dream on that side (0 is laid first); None = no card there
    hand:P:I          the I-th card of player P's open hand; None = no card there
    polarity:P        the polarity card in front of player P, ``sanae`` or ``incubi``; two players only
    discard           the card on top of the discard pile; None = the pile is empty
    drawn:N:I         the I-th of four dreams drawn for a Chaos card, the N-th in the last turn that had any
    waiting:I         the I-th drawn card that waits for a decision: Chaos cards, or a pair without a side
    stray             a card of which nobody could tell at which city it lies, and where that may be,
                      ``incubus-air-3 0:left 1:left``; ``?`` = one that was not read, or several; None = none
    pushed            cards that lie like that, but are missed at one of these sides and so belong there: that
                      side first, ``incubus-air-3 1:left 0:left``, parted by ``;``; None = none

The value ``?`` means that a card lies there which could not be read. Cards are free-lying: the places of one
side, and those of one hand, are compared as multisets. A place that the
prediction lacks is expected to be empty. Drawn
dreams lie open beside the pile until there are others; they may be put onto the pile before. Waiting
cards may be held as well.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.errors import MalformedError
from companion.game import Json
from companion.games.kit.notation import UNSEEN, escape, unescape
from companion.games.kit.record_codec import choice
from companion.games.kit.table_codec import ABSENT, Entry, Named, One, Own, TableCodec, or_none
from companion.games.urbion.catalogue import CHAOS_LOOKS, HAND_SIZE, MOST_FANS, ROWS, SIDE_LIMIT, SIDES
from companion.games.urbion.setup import as_city, as_dream
from companion.games.urbion.state import UrbionState, polarities
from companion.storage.strict import as_list, as_mapping, as_object, as_string
from companion.table import Picture, Place, Value, kind_of, parts_of, place

DISCARD: Final = Place("discard")
FANS: Final = tuple(
    tuple(place("drawn", fan, index) for index in range(CHAOS_LOOKS)) for fan in range(MOST_FANS)
)
STRAY: Final = Place("stray")
PUSHED: Final = Place("pushed")
WAITING: Final = tuple(place("waiting", index) for index in range(CHAOS_LOOKS))
_POLARITIES: Final = ("sanae", "incubi")


# -- places -----------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def city_place(row: int) -> Place:
    """Return the place of a row's city."""
    return place("city", row)


@functools.lru_cache(maxsize=4096)
def dream_places(row: int, side: str) -> tuple[Place, ...]:
    """Return the places of one side of a city."""
    return tuple(place("dream", row, side, index) for index in range(SIDE_LIMIT))


@functools.lru_cache(maxsize=4096)
def hand_places(player: str) -> tuple[Place, ...]:
    """Return the places of a player's hand."""
    return tuple(place("hand", escape(player), index) for index in range(HAND_SIZE))


@functools.lru_cache(maxsize=4096)
def polarity_place(player: str) -> Place:
    """Return the place of a player's polarity card."""
    return place("polarity", escape(player))


def group_of_place(where: Place) -> tuple[str, ...] | None:
    """Return what is compared together: ``("dream", "2", "left")``, ``("hand", "anna")``, else None."""
    kind = kind_of(where)
    return (kind, *parts_of(where)[:-1]) if kind in ("dream", "hand", "drawn", "waiting") else None


# -- the picture ------------------------------------------------------------------------------------


def predict(state: UrbionState) -> dict[Place, Value]:
    """Return the picture that the state casts."""
    picture: dict[Place, Value] = {}
    for number, row in enumerate(state.rows):
        picture[city_place(number)] = row.city if row else None
        for side in SIDES:
            cards = row.side(side) if row else ()
            picture.update(_spread(dream_places(number, side), cards))
    for player, hand in zip(state.players, state.hands, strict=True):
        picture.update(_spread(hand_places(player), hand))
    for player, polarity in polarities(state).items():
        picture[polarity_place(player)] = polarity
    picture[DISCARD] = state.discards[-1] if state.discards else None
    for fan, places in enumerate(FANS):
        picture.update(_spread(places, state.fan(fan)))
    picture.update(_spread(WAITING, state.waiting))
    return picture


def _spread(places: tuple[Place, ...], cards: tuple[str, ...]) -> Iterator[tuple[Place, Value]]:
    for index, where in enumerate(places):
        yield where, cards[index] if index < len(cards) else None


def fits(seen: Mapping[Place, Value], places: tuple[Place, ...], cards: tuple[str, ...]) -> bool:
    """Say whether the places of one group may hold these cards; an unseen place may hold any or none."""
    unseen = sum(where not in seen for where in places)
    if unseen == len(places):
        return True
    there = [value for where in places if (value := seen.get(where)) is not None]
    unread = there.count(UNSEEN)
    known = Counter(value for value in there if value != UNSEEN)
    rest = len(cards) - len(there)
    return not known - Counter(cards) and 0 <= rest <= unseen and unread <= len(cards)


# -- the table state object: reading ----------------------------------------------------------------


def _parse_rows(value: object) -> Iterator[tuple[Place, Value]]:
    for number, row in enumerate(as_list(value, "rows", ROWS)):
        yield from _parse_row(number, row)


def _parse_hands(value: object) -> Iterator[tuple[Place, Value]]:
    for player, hand in as_mapping(value, "hands").items():
        places = hand_places(as_string(player, "a player's name"))
        yield from _parse_cards(places, hand, f"{player}'s hand")


def _parse_drawn(value: object) -> Iterator[tuple[Place, Value]]:
    for places, cards in zip(FANS, as_list(value, "drawn", MOST_FANS), strict=True):
        yield from _parse_cards(places, cards, "drawn")


def _parse_row(number: int, value: object) -> Iterator[tuple[Place, Value]]:
    if value == UNSEEN:
        return
    if value is None:
        yield city_place(number), None
        for side in SIDES:
            yield from _spread(dream_places(number, side), ())
        return
    row = as_object(value, f"row {number}", (), ("city", *SIDES, "confidence"))
    if row.get("city", UNSEEN) != UNSEEN:
        city = row["city"]
        yield city_place(number), None if city is None else as_city(city, f"the city of row {number}")
    for side in SIDES:
        if side in row:
            yield from _parse_cards(dream_places(number, side), row[side], f"{side} of row {number}")


def _parse_cards(places: tuple[Place, ...], value: object, what: str) -> Iterator[tuple[Place, Value]]:
    if value == UNSEEN:
        return
    cards = [card if card == UNSEEN else as_dream(card, f"a card of {what}") for card in as_list(value, what)]
    yield from _spread(places, tuple(cards[: len(places)]))
    kind, *parts = kind_of(places[0]), *parts_of(places[0])[:-1]
    for index in range(len(places), len(cards)):
        yield place(kind, *parts, index), cards[index]


# -- the table state object: writing ----------------------------------------------------------------


def _format_rows(picture: Picture, _entry: Entry, _unseen: object) -> Any:
    rows = [_format_row(picture, number) for number in range(ROWS)]
    return ABSENT if rows == [UNSEEN] * ROWS else rows


def _hands(picture: Picture) -> dict[str, list[Value]]:
    players = dict.fromkeys(unescape(parts_of(where)[0]) for where in picture if kind_of(where) == "hand")
    groups = {player: _format_group(picture, hand_places(player)) for player in players}
    return {player: cards for player, cards in groups.items() if cards is not None}


def _format_hands(picture: Picture, _entry: Entry, _unseen: object) -> Any:
    return _hands(picture) or ABSENT


def _format_polarities(picture: Picture, entry: Entry, unseen: object) -> Any:
    """Return the polarities; one player alone has none, which is said."""
    found = _POLARITY.lay_out(picture, entry, unseen)
    return {} if found is ABSENT and len(_hands(picture)) == 1 else found


def _format_waiting(picture: Picture, _entry: Entry, _unseen: object) -> Any:
    waiting = _format_group(picture, WAITING)
    return ABSENT if waiting is None else waiting


def _format_drawn(picture: Picture, _entry: Entry, _unseen: object) -> Any:
    fans = [_format_group(picture, places) for places in FANS]
    return ABSENT if fans == [None] * MOST_FANS else [UNSEEN if fan is None else fan for fan in fans]


def _format_row(picture: Picture, number: int) -> Json | str | None:
    sides = {side: _format_group(picture, dream_places(number, side)) for side in SIDES}
    seen = {side: cards for side, cards in sides.items() if cards is not None}
    if city_place(number) not in picture and not seen:
        return UNSEEN
    city = picture.get(city_place(number), UNSEEN)
    if city is None and not any(seen.values()):
        return None
    return {"city": city, **seen}


def _format_group(picture: Picture, places: tuple[Place, ...]) -> list[Value] | None:
    """Return the cards of a group, None if a place of it is unseen."""
    kind, *parts = kind_of(places[0]), *parts_of(places[0])[:-1]
    more = tuple(place(kind, *parts, index) for index in range(len(places), 2 * len(places)))
    if any(where not in picture for where in places):
        return None
    return [value for where in (*places, *more) if (value := picture.get(where)) is not None]


_POLARITY: Final = Named("polarity", "polarity", choice(*_POLARITIES))
_RECORDED: Final = (
    Own("rows", _parse_rows, _format_rows),
    Own("hands", _parse_hands, _format_hands),
    Own("polarity", _POLARITY.parse, _format_polarities),
    One("discard", DISCARD, or_none(as_dream)),
)
# A record's table, and one that is seen: what only helps watching is no part of a record.
_RECORD: Final = TableCodec(*_RECORDED)
_TABLE: Final = TableCodec(
    *_RECORDED,
    Own("waiting", lambda value: _parse_cards(WAITING, value, "waiting"), _format_waiting),
    Own("drawn", _parse_drawn, _format_drawn),
)
parse_table = _TABLE.parse_table
format_table = _TABLE.format_table
format_recorded = _RECORD.format_table


def confidences(_picture: Picture, confidence: Mapping[Place, float]) -> Json:
    """Return the ``confidence`` member of a reading: kind by kind, as the places are named."""
    members: Json = {}
    for where, value in confidence.items():
        node = members
        *path, last = (kind_of(where), *map(unescape, parts_of(where)))
        for part in path:
            node = node.setdefault(part, {})
        node[last] = value
    return members


# -- the table state object: comparing --------------------------------------------------------------


def compare_table(state: UrbionState, table: object) -> None:
    """Compare a checkpoint's table with the state; raises MalformedError naming the first difference."""
    seen = _RECORD.parse_table(table)
    _check_players(state, seen)
    for where, value in seen.items():
        if kind_of(where) == "city":
            row = state.rows[int(parts_of(where)[0])]
            _expect(value, row.city if row else None, where)
    _compare_groups(state, seen)
    if isinstance(table, dict) and table.get("polarity", UNSEEN) != UNSEEN:
        _compare_polarities(state, table["polarity"])
    if DISCARD in seen and not discard_fits(state, seen[DISCARD]):
        raise MalformedError(
            f"discard cannot be {seen[DISCARD]!r}: it is one of {list(state.last_discards)!r}"
        )


def _expect(claimed: object, actual: object, what: str) -> None:
    if claimed != actual:
        raise MalformedError(f"{what} of the table is {actual!r}, not {claimed!r}")


def _check_players(state: UrbionState, seen: Mapping[Place, Value]) -> None:
    players = {escape(player) for player in state.players}
    for where in seen:
        if kind_of(where) in ("hand", "polarity") and parts_of(where)[0] not in players:
            raise MalformedError(f"there is no player {unescape(parts_of(where)[0])!r}")


def _compare_groups(state: UrbionState, seen: Mapping[Place, Value]) -> None:
    for (kind, *parts), values in seen_groups(seen).items():
        if kind == "dream":
            row = state.rows[int(parts[0])]
            cards = row.side(parts[1]) if row else ()
            places = dream_places(int(parts[0]), parts[1])
        else:
            player = unescape(parts[0])
            cards = state.hands[state.players.index(player)]
            places = hand_places(player)
        if len(values) > len(places) or not fits(seen, places, cards):
            raise MalformedError(f"{' '.join(parts)} is {list(cards)!r}, not {[v for v in values if v]!r}")


def seen_groups(seen: Mapping[Place, Value]) -> dict[tuple[str, ...], list[Value]]:
    """Return the values of each group of places that are compared together."""
    groups: dict[tuple[str, ...], list[Value]] = {}
    for where, value in seen.items():
        group = group_of_place(where)
        if group is not None and group[0] in ("dream", "hand"):
            groups.setdefault(group, []).append(value)
    return groups


def _compare_polarities(state: UrbionState, claimed: Mapping[str, Any]) -> None:
    actual = polarities(state)
    if not claimed and actual:
        raise MalformedError(f"polarity is {actual!r}, not {{}}")
    for player, polarity in claimed.items():
        if polarity != UNSEEN:
            _expect(polarity, actual.get(player), f"polarity of {player}")


def discard_fits(state: UrbionState, top: Value) -> bool:
    """Say whether this card may lie on top of the discard pile: any that came with the last discards."""
    return top in state.last_discards if state.discards else top is None
