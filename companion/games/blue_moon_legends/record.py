"""The record's action lines: strict reading, and writing as their inverse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_legends.actions import (
    Action,
    Adjust,
    Announce,
    Bluff,
    Call,
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
from companion.games.blue_moon_legends.state import Hidden
from companion.storage.strict import as_boolean, as_choice, as_integer, as_list, as_object, as_string

_MOST_POINTS: Final = 999
_MOST_CARDS: Final = 60


def _card(value: object, what: str) -> CardId:
    return CardId(as_choice(value, what, catalogue().cards))


def _hidden(value: object, what: str) -> Hidden:
    return None if value is None else _card(value, what)


def _distinct(cards: tuple[Hidden, ...], what: str) -> None:
    known = [card for card in cards if card is not None]
    if len(set(known)) != len(known):
        raise MalformedError(f"{what} names a card twice")


def _hiddens(value: object, what: str) -> tuple[Hidden, ...]:
    cards = tuple(_hidden(card, what) for card in as_list(value, what))
    _distinct(cards, what)
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


def _number(value: object, what: str) -> int | None:
    return None if value is None else as_integer(value, what, 1, _MOST_CARDS)


def _element(value: object, what: str) -> str:
    return as_choice(value, what, ELEMENTS)


def _from_ship(value: object, what: str) -> bool:
    return as_choice(value, what, ("hand", "ship")) == "ship"


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _where(value: Any) -> Any:
    return "ship" if value else "hand"


@dataclass(frozen=True, slots=True)
class _Key:
    """One key of a line: its name there, the field of the action, how to read and to write it."""

    name: str
    field: str
    read: Callable[[object, str], Any]
    write: Callable[[Any], Any] = _plain


_FROM: Final = _Key("from", "from_ship", _from_ship, _where)
_CARD: Final = _Key("card", "card", _card)

_LINES: Final[Mapping[str, tuple[type[Action], tuple[_Key, ...]]]] = {
    "retrieve": (Retrieve, (_CARD,)),
    "drop": (Drop, (_Key("at", "at", _place),)),
    "unload": (Unload, (_Key("ship", "ship", _card),)),
    "lead": (Lead, (_CARD,)),
    "ship": (Launch, (_CARD,)),
    "decline": (Decline, (_Key("cards", "cards", _hiddens),)),
    "retreat": (Retreat, (_Key("cards", "cards", _hiddens),)),
    "play": (Play, (_CARD, _FROM, _Key("join", "joins", as_boolean))),
    "bluff": (Bluff, (_Key("card", "card", _hidden), _FROM)),
    "load": (Load, (_CARD, _Key("ship", "ship", _card))),
    "use": (
        Use,
        (
            _CARD,
            _Key("cards", "cards", _hiddens),
            _Key("backs", "backs", _places),
            _Key("number", "number", _number),
            _Key("ship", "ship", _hidden),
        ),
    ),
    "pay": (Pay, (_CARD, _Key("cards", "cards", _hiddens))),
    "discard": (Discard, (_Key("cards", "cards", _hiddens),)),
    "reveal": (Reveal, (_Key("cards", "cards", _hiddens),)),
    "double": (Double, (_CARD, _Key("target", "target", _card))),
    "adjust": (Adjust, (_CARD, _Key("fire", "fire", _points), _Key("earth", "earth", _points))),
    "power": (Announce, (_Key("element", "element", _element), _Key("total", "total", _points))),
    "call": (Call, (_Key("cards", "cards", _hiddens), _Key("true", "is_true", as_boolean))),
    "trust": (Trust, ()),
    "end": (End, ()),
}
_WORDS: Final[Mapping[type[Action], str]] = {kind: word for word, (kind, _) in _LINES.items()}


def parse_action(line: Json) -> Action:
    """Return the action of one record line; raises MalformedError."""
    word = as_choice(line.get("do"), '"do"', _LINES)
    kind, keys = _LINES[word]
    as_object(line, f"a line {word!r}", ("player", "do", *(key.name for key in keys)))
    values = {key.field: key.read(line[key.name], f"{key.name} of {word!r}") for key in keys}
    return kind(player=as_string(line["player"], '"player"'), **values)


def format_action(action: Action) -> Json:
    """Return the record line of an action."""
    word = _WORDS[type(action)]
    line: Json = {"player": action.player, "do": word}
    for key in _LINES[word][1]:
        line[key.name] = key.write(getattr(action, key.field))
    return line
