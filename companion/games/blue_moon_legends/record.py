"""Blue Moon Legends' lines of a record: actions and checkpoints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_legends.actions import (
    Action,
    Adjust,
    Announce,
    Bluff,
    Call,
    Count,
    Decline,
    Discard,
    Double,
    Drop,
    End,
    Launch,
    Lead,
    Load,
    Pay,
    Play,
    Retreat,
    Retrieve,
    Reveal,
    Trust,
    Unload,
    Use,
)
from companion.games.blue_moon_legends.catalogue import ELEMENTS, CardId, catalogue
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.rules.totals import total
from companion.games.blue_moon_legends.state import Hidden, Side, State, turn_of
from companion.games.blue_moon_legends.table import compare_table, format_table, predict
from companion.games.kit.notation import compare_counts
from companion.games.kit.record_codec import (
    ActionLine,
    CheckCodec,
    Fact,
    Key,
    RecordCodec,
    Word,
    choice,
    maybe,
)
from companion.storage.strict import as_boolean, as_choice, as_integer, as_list, as_object

T = TypeVar("T")

_MOST_POINTS: Final = 999
_MOST_CARDS: Final = 60

# -- lines ------------------------------------------------------------------------------------------


def _card(value: object, what: str) -> CardId:
    return CardId(as_choice(value, what, catalogue().cards))


def _hidden(value: object, what: str) -> Hidden:
    return None if value is None else _card(value, what)


def _hiddens(value: object, what: str) -> tuple[Hidden, ...]:
    cards = tuple(_hidden(card, what) for card in as_list(value, what))
    known = [card for card in cards if card is not None]
    if len(set(known)) != len(known):
        raise MalformedError(f"{what} names a card twice")
    return cards


def _places(value: object, what: str) -> tuple[int, ...]:
    places = tuple(_place(at, what) for at in as_list(value, what))
    if list(places) != sorted(set(places)):
        raise MalformedError(f"{what} must be ascending")
    return places


def _place(value: object, what: str) -> int:
    return as_integer(value, what, 0, _MOST_CARDS)


def _points(value: object, what: str) -> int:
    return as_integer(value, what, -_MOST_POINTS, _MOST_POINTS)


def _number(value: object, what: str) -> int:
    return as_integer(value, what, 1, _MOST_CARDS)


def _from_ship(value: object, what: str) -> bool:
    return as_choice(value, what, ("hand", "ship")) == "ship"


def _where(is_from_ship: bool) -> str:
    return "ship" if is_from_ship else "hand"


_FROM: Final = Key("from", _from_ship, _where, field="from_ship")
_CARD: Final = Key("card", _card)
_CARDS: Final = Key("cards", _hiddens)
_SHIP: Final = Key("ship", _card)
_MORE: Final = Key("more", _number, is_optional=True)


def _line(word: str, kind: type[Action], *keys: Key) -> ActionLine:
    return ActionLine(kind, (Word("do", word), *keys))


_LINES: Final = RecordCodec[Action](
    _line("retrieve", Retrieve, _CARD),
    _line("drop", Drop, Key("at", _place)),
    _line("unload", Unload, _SHIP),
    _line("lead", Lead, _CARD),
    _line("ship", Launch, _CARD),
    _line("decline", Decline, _CARDS, _MORE),
    _line("retreat", Retreat, _CARDS, _MORE),
    _line("play", Play, _CARD, _FROM, Key("join", as_boolean, field="joins")),
    _line("bluff", Bluff, Key("card", _hidden), _FROM),
    _line("load", Load, _CARD, _SHIP),
    _line(
        "use",
        Use,
        _CARD,
        _CARDS,
        Key("backs", _places),
        Key("number", maybe(_number)),
        Key("ship", _hidden),
    ),
    _line("pay", Pay, _CARD, _CARDS),
    _line("discard", Discard, _CARDS),
    _line("reveal", Reveal, _CARDS),
    _line("double", Double, _CARD, Key("target", _card)),
    _line("adjust", Adjust, _CARD, Key("fire", _points), Key("earth", _points)),
    _line("power", Announce, Key("element", choice(*ELEMENTS)), Key("total", _points)),
    _line("call", Call, _CARDS, Key("true", as_boolean, field="is_true")),
    _line("trust", Trust),
    _line("end", End),
    _line("count", Count, Key("number", _number)),
)
parse_action = _LINES.parse_action
format_action = _LINES.format_action


# -- checkpoints ------------------------------------------------------------------------------------


def _per_player(state: State, count: Callable[[int], T]) -> dict[str, T]:
    return {player: count(side) for side, player in enumerate(state.setup.players)}


def totals(state: State) -> dict[str, dict[str, int]]:
    """Return both players' totals in fire and earth, as they stand."""
    force = Force(state)
    return _per_player(
        state, lambda side: {element: total(state, force, side, element).value for element in ELEMENTS}
    )


def _compare_totals(claimed: object, truth: dict[str, dict[str, int]], what: str) -> None:
    rows = as_object(claimed, what, tuple(truth))
    for player, row in truth.items():
        compare_counts(rows[player], row, f"{what} of {player}")


def _compare_hands(claimed: object, truth: dict[str, list[Hidden]], what: str) -> None:
    """Compare hands as sets of cards; null on either side is a card that is not known."""
    hands = as_object(claimed, what, tuple(truth))
    for player, hand in truth.items():
        cards = as_list(hands[player], f"the hand of {player}", len(hand))
        named = Counter(str(card) for card in cards if card is not None)
        strange = named - Counter(str(card) for card in hand if card is not None)
        if strange.total() > hand.count(None):
            raise MalformedError(f"the hand of {player} is {hand!r}, not {cards!r}")


def _pending(state: State) -> str | None:
    return state.pending[0].demand.value if state.pending else None


def _phase(state: State) -> str | None:
    return state.turn.phase.name.lower() if state.outcome is None else None


def _table(state: State) -> Json:
    return format_table(predict(state))


def _counts(name: str, bounds: Callable[[Side], tuple[int, int]]) -> Fact[State]:
    """Return the fact how many cards lie somewhere; two bounds of a pile whose cards nobody counted."""

    def count(side: Side) -> int | list[int]:
        low, high = bounds(side)
        return low if low == high else [low, high]

    return Fact(
        name, lambda state: _per_player(state, lambda side: count(state.sides[side])), _compare_counts
    )


def _compare_counts(claimed: object, truth: dict[str, int | list[int]], what: str) -> None:
    """Compare numbers of cards, or bounds of them, which must agree in one number at least."""
    counts = as_object(claimed, what, tuple(truth))
    for player, known in truth.items():
        least, most = _bounds(known, what)
        low, high = _bounds(counts[player], f"{what} of {player}")
        if high < least or most < low:
            raise MalformedError(f"{what} of {player} is {known}, not {counts[player]}")


def _bounds(value: object, what: str) -> tuple[int, int]:
    if not isinstance(value, list):
        number = as_integer(value, what)
        return number, number
    low, high = (as_integer(one, what) for one in as_list(value, what, 2))
    return low, high


def _of_discard(side: Side) -> tuple[int, int]:
    return len(side.discard), len(side.discard) + len(side.deck) - side.fewest_in_deck


_CHECKS: Final = CheckCodec[State](
    Fact("turn", turn_of),
    Fact("phase", _phase),
    Fact("element", lambda state: state.fight.element if state.fight is not None else None),
    Fact("pending", _pending),
    Fact("reason", lambda state: state.outcome.reason if state.outcome is not None else None),
    Fact("dragons", lambda state: _per_player(state, state.dragons_of), compare_counts),
    Fact("totals", totals, _compare_totals),
    _counts("hand_counts", lambda side: (len(side.hand), len(side.hand))),
    _counts("deck_counts", lambda side: (side.fewest_in_deck, len(side.deck))),
    _counts("discard_counts", _of_discard),
    Fact(
        "hands", lambda state: _per_player(state, lambda side: list(state.sides[side].hand)), _compare_hands
    ),
    table=_table,
    compare_table=compare_table,
)
checkpoint = _CHECKS.checkpoint
check = _CHECKS.check
