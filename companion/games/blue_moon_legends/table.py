"""The table of Blue Moon Legends: the picture that a state casts, and the record's ``table state`` object.

Cards lie freely in areas; an area is a *row* of places numbered from 0, its cards in alphabetical order, and
behind the last one a place with None: the row ends here. A row whose end was not seen may hold more cards.

    combat:P:I       a visible card in P's combat area: an uncovered one, else the top of the pile
    support:P:I      a card in P's support area; ``back`` = it lies face down
    ship:P:I         a ship in P's influence area
    cargo:P:SHIP:I   a card on that ship (in the influence area or unloaded)
    landed:P:I       a ship unloaded in front of P
    open:P:I         a card of P's revealed hand
    leader:P         the card on top of P's leader: a leadership card, or the leader's own id
    hand:P           number of cards in P's hand; deck:P, discard:P: in the deck and the discard pile
    left:P           ``back`` where cards can be seen to be left in P's deck; no state predicts it
    top:P            the card on top of P's discard pile, where it can be read; no state predicts it
    dragon:I         the three dragons: the player on whose side it stands, or ``board``; players' first
    element          the contested element, shown by a token or entered: ``fire``, ``earth``, None = not yet
    winner           the player on whose leader that token is laid when the game is over; None before

Cards are named by id, numbers by figures (None = none). Dragons are alike: only how many stand where counts.
Names of players are escaped (`companion.games.kit.notation.escape`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_legends.actions import Action, Call
from companion.games.blue_moon_legends.catalogue import DRAGONS, ELEMENTS, SHIP, catalogue
from companion.games.blue_moon_legends.state import Laid, Side, State
from companion.games.kit.notation import UNSEEN, escape, unescape
from companion.games.kit.record_codec import choice
from companion.games.kit.table_codec import ABSENT, Entry, Named, One, Own, TableCodec, or_none
from companion.storage.strict import as_choice, as_integer, as_list, as_map, as_mapping, as_string
from companion.table import Picture, Place, Value, kind_of, parts_of, place

BACK: Final = "back"
BOARD: Final = "board"
MORE: Final = "..."
ELEMENT: Final = Place("element")
WINNER: Final = Place("winner")

ROWS: Final = ("combat", "support", "ship", "landed", "open")
COUNTS: Final = ("hand", "deck", "discard")
TOP: Final = "top"
LEFT: Final = "left"
UNFORESEEN: Final = (TOP, LEFT)
SINGLE: Final = (*COUNTS, *UNFORESEEN, "leader", "element", "winner")
_MOST: Final = 60


# -- the picture ------------------------------------------------------------------------------------


def predict(state: State) -> dict[Place, Value]:
    """Return the picture that the state casts."""
    picture: dict[Place, Value] = {}
    for number, player in enumerate(state.setup.players):
        side, name = state.sides[number], escape(player)
        for kind, cards in visible_rows(side).items():
            picture.update(row((kind, name), cards))
        for ship in (*side.ships, *side.landed):
            picture.update(row(("cargo", name, ship.card), ship.cargo))
        top = side.leadership[-1] if side.leadership else state.setup.leaders[number]
        picture[place("leader", name)] = top
        counts = {"hand": len(side.hand)}
        if not side.uncounted:
            counts |= {"deck": len(side.deck), "discard": len(side.discard)}
        picture.update((place(kind, name), str(many) if many else None) for kind, many in counts.items())
    picture.update(dragon_places(state))
    picture[ELEMENT] = element_shown(state)
    picture[WINNER] = winner_shown(state)
    return picture


def element_shown(state: State) -> Value:
    """Return where the token that shows the contested element lies: at an element or at none."""
    return state.fight.element if state.fight is not None and state.outcome is None else None


def winner_shown(state: State) -> Value:
    """Return on whose leader that token lies once the game is over."""
    return escape(state.setup.players[state.outcome.winner]) if state.outcome is not None else None


def stages(before: State, action: Action, after: State) -> Iterator[Picture]:
    """Yield the pictures on the way to the state after an action.

    Bluff cards were just turned up; or cards of an open hand were just taken from it: they go to where they
    are counted at once, unlike those that are cleared away after a fight.
    """
    known = [card for card in action.cards if card is not None] if isinstance(action, Call) else []
    if known:
        side, name = before.mine, escape(before.setup.players[before.active])
        face_up = [laid.card for laid in side.support if not laid.is_bluff and laid.card is not None]
        yield {**predict(before), **dict(row(("support", name), [*face_up, *known]))}
    for number, player in enumerate(before.setup.players):
        shown, left = before.sides[number].revealed, after.sides[number].revealed
        if len(left) < len(shown):
            rest, parts = predict(before), ("open", escape(player))
            for at in range(len(left) + 1, len(shown) + 1):
                rest.pop(place(*parts, at), None)
            yield {**rest, **dict(row(parts, left))}


def visible_rows(side: Side, shown: Container[str] = ()) -> dict[str, list[str]]:
    """Return the cards to be seen in each of a side's rows.

    Where nothing covers the covered cards any more, the one that is `shown` lies on top: cards that were seen
    together were laid in any order.
    """
    return {
        "combat": [laid.card for laid in _uncovered(side, shown) if laid.card is not None],
        "support": [BACK if laid.is_bluff else laid.card or BACK for laid in side.support],
        "ship": [ship.card for ship in side.ships],
        "landed": [ship.card for ship in side.landed],
        "open": list(side.revealed),
    }


def _uncovered(side: Side, shown: Container[str]) -> Sequence[Laid]:
    if side.active_combat:
        return side.active_combat
    return [laid for laid in side.combat if laid.card in shown][:1] or side.combat[-1:]


def row(parts: tuple[str, ...], cards: Iterable[str]) -> Iterator[tuple[Place, Value]]:
    """Yield the places of a row and its end."""
    ordered = sorted(cards)
    for at, card in enumerate(ordered):
        yield place(*parts, at), card
    yield place(*parts, len(ordered)), None


def dragon_places(state: State) -> Iterator[tuple[Place, Value]]:
    """Yield the three dragons, those of a player first."""
    owner = 0 if state.dragons > 0 else 1
    held = abs(state.dragons)
    for at in range(DRAGONS):
        yield place("dragon", at), escape(state.setup.players[owner]) if at < held else BOARD


# -- rows of a picture --------------------------------------------------------------------------------


def rows_of(picture: Picture) -> dict[str, dict[int, Value]]:
    """Return the rows of a picture: by name without the number, values by number."""
    found: dict[str, dict[int, Value]] = {}
    for where, value in picture.items():
        if kind_of(where) in ROWS or kind_of(where) in ("cargo", "dragon"):
            name, _, at = where.rpartition(":")
            found.setdefault(name, {})[int(at)] = value
    return found


def length_of(entries: Mapping[int, Value]) -> int | None:
    """Return how many cards lie in a row, None if its end was not seen."""
    ends = [at for at, value in entries.items() if value is None]
    return min(ends) if ends else None


def cards_of(entries: Mapping[int, Value]) -> list[str]:
    """Return the cards seen in a row; what is remembered of places beyond its end does not count."""
    length = length_of(entries)
    return sorted(
        value for at, value in entries.items() if value is not None and (length is None or at < length)
    )


# -- the table state object: reading ----------------------------------------------------------------


def _rows(kind: str) -> Own:
    """Return the rows of a kind, by player."""

    def parse(value: object) -> Iterator[tuple[Place, Value]]:
        for player, cards in _by_player(value, kind):
            yield from _entries((kind, player), cards, f"{kind} of {unescape(player)}")

    def lay_out(picture: Picture, _entry: Entry, _unseen: object) -> Any:
        rows = rows_of({where: value for where, value in picture.items() if kind_of(where) == kind})
        return {unescape(parts_of(Place(name))[0]): _format_row(row) for name, row in rows.items()} or ABSENT

    return Own(kind, parse, lay_out)


def _by_player(value: object, kind: str) -> Iterator[tuple[str, object]]:
    for player, each in as_mapping(value, kind).items():
        if each != UNSEEN:
            yield escape(as_string(player, f"a player of {kind}")), each


def _entries(parts: tuple[str, ...], value: object, what: str) -> Iterator[tuple[Place, Value]]:
    cards = as_list(value, what)
    known = (*catalogue().cards, BACK) if parts[0] == "support" else tuple(catalogue().cards)
    named = [card for card in cards if card not in (UNSEEN, MORE)]
    for card in named:
        as_choice(card, f"a card of {what}", known)
    if len(set(named) - {BACK}) != len([card for card in named if card != BACK]):
        raise MalformedError(f"{what} has a card twice")
    if MORE in cards[:-1]:
        raise MalformedError(f'"{MORE}" may only end {what}')
    is_whole = cards[-1:] != [MORE]
    count = len(cards) if is_whole else len(cards) - 1
    # Seen cards come first in order, unread ones after them: a row says what is there, not where.
    for at, card in enumerate(sorted(named)):
        yield place(*parts, at), card
    if is_whole:
        yield place(*parts, count), None


def _parse_cargo(value: object) -> Iterator[tuple[Place, Value]]:
    ships = [card.id for card in catalogue().cards.values() if card.type == SHIP]
    for player, loads in _by_player(value, "cargo"):
        what = f"cargo of {unescape(player)}"
        for ship, cards in as_map(loads, what, ships).items():
            if cards != UNSEEN:
                yield from _entries(("cargo", player, ship), cards, f"{what} on {ship}")


def _as_leader(value: object, what: str) -> str:
    return as_choice(value, what, (*catalogue().cards, *(deck.leader for deck in catalogue().decks.values())))


def _as_count(value: object, what: str) -> Value:
    number = as_integer(value, what, 0, _MOST)
    return str(number) if number else None


def _parse_dragons(value: object) -> Iterator[tuple[Place, Value]]:
    names = [as_string(name, "a dragon") for name in as_list(value, "dragons", DRAGONS)]
    seen = [BOARD if name == BOARD else escape(name) for name in names if name != UNSEEN]
    for at, name in enumerate(sorted(seen, key=lambda name: (name == BOARD, name))):
        yield place("dragon", at), name


# -- the table state object: writing ------------------------------------------------------------------


def _format_cargo(picture: Picture, _entry: Entry, _unseen: object) -> Any:
    loads: dict[str, dict[str, list[str]]] = {}
    for name, entries in rows_of(picture).items():
        if kind_of(Place(name)) == "cargo":
            player, ship = parts_of(Place(name))
            loads.setdefault(unescape(player), {})[ship] = _format_row(entries)
    return loads or ABSENT


def _format_row(entries: Mapping[int, Value]) -> list[str]:
    cards, length = cards_of(entries), length_of(entries)
    return [*cards, MORE] if length is None else [*cards, *[UNSEEN] * (length - len(cards))]


def _format_dragons(picture: Picture, _entry: Entry, _unseen: object) -> Any:
    entries = rows_of(picture).get("dragon")
    if entries is None:
        return ABSENT
    names = [unescape(value) for value in entries.values() if value is not None]
    return [*names, *[UNSEEN] * (DRAGONS - len(names))]


_TABLE: Final = TableCodec(
    *map(_rows, ROWS),
    *(Named(kind, kind, _as_count) for kind in COUNTS),
    Own("cargo", _parse_cargo, _format_cargo),
    Named("leader", "leader", _as_leader),
    Own("dragons", _parse_dragons, _format_dragons),
    One("element", ELEMENT, or_none(choice(*ELEMENTS))),
    One("winner", WINNER, or_none(lambda value, what: escape(as_string(value, what)))),
    write={
        **dict.fromkeys(COUNTS, lambda value: int(value or 0)),
        "winner": lambda value: None if value is None else unescape(value),
    },
)
parse_table = _TABLE.parse_table
format_table = _TABLE.format_table


def confidences(_picture: Picture, confidence: Mapping[Place, float]) -> Json:
    """Return the ``confidence`` member of a reading: the shape of the table state, a row's end left out."""
    members: Json = {}
    for where, sure in sorted(confidence.items()):
        kind, parts = kind_of(where), [unescape(part) for part in parts_of(where)]
        if kind in ROWS:
            members.setdefault(kind, {}).setdefault(parts[0], []).append(sure)
        elif kind == "cargo":
            members.setdefault(kind, {}).setdefault(parts[0], {}).setdefault(parts[1], []).append(sure)
        elif kind == "dragon":
            members.setdefault("dragons", []).append(sure)
        elif where in (ELEMENT, WINNER):
            members[str(where)] = sure
        elif kind not in UNFORESEEN:
            members.setdefault(kind, {})[parts[0]] = sure
    return members


# -- the table state object: comparing -----------------------------------------------------------------


def compare_table(state: State, table: object) -> None:
    """Compare a table state with the one that the state casts; what it leaves out is not compared."""
    members = as_map(table, "the table", tuple(table) if isinstance(table, dict) else ())
    seen = parse_table(members)
    for key, member in members.items():
        if isinstance(member, dict) and key != "confidence":
            as_map(member, f"{key} of the table", state.setup.players)
    wrong = first_difference(_as_shown(state, seen), seen)
    if wrong is not None:
        raise MalformedError(wrong)


def _as_shown(state: State, seen: Picture) -> Picture:
    """Return the picture that the state casts, with the covered cards on top that are seen there."""
    rows = rows_of(seen)
    expected = dict(predict(state))
    for player, side in zip(state.setup.players, state.sides, strict=True):
        name = escape(player)
        shown = cards_of(rows.get(f"combat:{name}", {}))
        expected.update(row(("combat", name), visible_rows(side, shown)["combat"]))
    return expected


def first_difference(expected: Picture, seen: Picture) -> str | None:
    """Return the first difference in words, None if the picture fits what is expected."""
    truth = rows_of(expected)
    for name, entries in rows_of(seen).items():
        cards, here = cards_of(entries), cards_of(truth.get(name, {}))
        length = length_of(entries)
        if Counter(cards) - Counter(here) or (length is not None and length != len(here)):
            return f"{name} of the table is {here}, not {cards}"
    for where, value in seen.items():
        if kind_of(where) in ("hand", "deck", "discard", "leader", "element", "winner"):
            if where not in expected:
                return f"{where} of the table does not exist"
            if expected[where] != value:
                return f"{where} of the table is {expected[where]!r}, not {value!r}"
    return None
