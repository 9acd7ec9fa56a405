"""From a record's header to the first state, and new shuffled headers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_legends.catalogue import (
    HAND_SIZE,
    Card,
    CardId,
    Deck,
    catalogue,
    corrected,
)
from companion.games.blue_moon_legends.state import Hidden, Setup, Side, State
from companion.games.blue_moon_legends.table import ROWS
from companion.games.kit.notation import escape
from companion.storage.strict import as_choice, as_integer, as_list, as_names, as_object, as_string
from companion.table import Picture, kind_of, place

NAME = "blue_moon_legends"
_KEYS = ("record", "game", "players", "decks", "order", "shuffles", "corrections")
_SHUFFLES = 8  # orders in a new header; they follow one another in a circle
DEFAULT_DECKS = ("vulca", "hoax")


def start(header: Json, corrections: Mapping[str, Any] | None = None) -> State:
    """Return the state after the set-up; raises MalformedError.

    `corrections` are what the players' copy prints otherwise; those of the header come on top of them.
    """
    as_object(header, "the header", _KEYS)
    first, second = as_names(header["players"], "players", 2, 2)
    decks = _decks(header["decks"], (first, second))
    cards = corrected_cards(header["corrections"], corrected_cards(corrections or {}))
    orders = _by_player(header["order"], "order", (first, second))
    shuffles = _by_player(header["shuffles"], "shuffles", (first, second))
    sides = (_side(orders[first], decks[0]), _side(orders[second], decks[1]))
    setup = Setup(
        players=(first, second),
        decks=(decks[0].name, decks[1].name),
        shuffles=(_shuffles(shuffles[first], decks[0]), _shuffles(shuffles[second], decks[1])),
        closed=(_is_closed(sides[0]), _is_closed(sides[1])),
        cards=cards,
        leaders=(decks[0].leader, decks[1].leader),
        owned=(frozenset(decks[0].cards), frozenset(decks[1].cards)),
    )
    return State(setup=setup, sides=sides)


def _by_player(value: object, what: str, players: tuple[str, str]) -> dict[str, Any]:
    """Return what each player has; null: nobody knows anything of it."""
    return dict.fromkeys(players) if value is None else as_object(value, what, players)


def _decks(value: object, players: tuple[str, str]) -> tuple[Deck, Deck]:
    known = catalogue().decks
    named = as_object(value, "decks", players)
    first, second = (as_choice(named[player], f"the deck of {player}", known) for player in players)
    if first == second:
        raise MalformedError(f"there is only one deck {first!r}")
    return known[first], known[second]


def corrected_cards(value: object, cards: Mapping[CardId, Card] | None = None) -> Mapping[CardId, Card]:
    """Return the cards with the corrections of a header; raises MalformedError."""
    cards = catalogue().cards if cards is None else cards
    changes = as_object(value, "corrections", (), tuple(cards))
    if not changes:
        return cards
    fixed = {CardId(card): corrected(cards[CardId(card)], _change(card, changes[card])) for card in changes}
    return {**cards, **fixed}


def _change(card: str, value: object) -> dict[str, Any]:
    what = f"the correction of {card}"
    change = as_object(value, what, (), ("fire", "earth", "power"))
    for element in ("fire", "earth"):
        if change.get(element) is not None:
            as_integer(change[element], f"{what}: {element}", 0, 20)
    power = change.get("power")
    if power is not None:
        as_object(power, f"{what}: power", ("when", "effect", "params", "note"))
        for key in ("when", "effect", "note"):
            as_string(power[key], f"{what}: {key}")
        _check_params(power["params"], what)
    return change


def _check_params(value: object, what: str) -> None:
    """Refuse parameters of a shape that no power has."""
    params = as_object(value, f"{what}: params", (), tuple(value) if isinstance(value, dict) else ())
    for key, item in params.items():
        if isinstance(item, list):
            for word in item:
                as_string(word, f"{what}: {key}")
        elif isinstance(item, dict):
            for number in item.values():
                as_integer(number, f"{what}: {key}")
        elif not isinstance(item, str | int):
            raise MalformedError(f"{what}: {key} cannot be {item!r}")


def _order(value: object, what: str, deck: Deck, *, may_hide: bool) -> tuple[Hidden, ...]:
    """Return an order of all cards of a deck; null where nobody knows the card."""
    cards = as_list(value, what, len(deck.cards))
    known = [
        as_choice(card, f"a card of {what}", deck.cards) for card in cards if not (may_hide and card is None)
    ]
    if len(set(known)) != len(known):
        raise MalformedError(f"{what} has a card twice")
    return tuple(None if card is None else CardId(card) for card in cards)


def _shuffles(value: object, deck: Deck) -> tuple[tuple[CardId, ...], ...]:
    if value is None:
        return ()
    what = f"a shuffle of {deck.name}"
    orders = [_order(order, what, deck, may_hide=False) for order in as_list(value, what)]
    return tuple(tuple(card for card in order if card is not None) for order in orders)


def _side(value: object, deck: Deck) -> Side:
    """Return a side after its first hand was drawn; the whole order may be unknown (null)."""
    if value is None:
        order: tuple[Hidden, ...] = (None,) * len(deck.cards)
    else:
        order = _order(value, f"the order of {deck.name}", deck, may_hide=True)
    return Side(deck=order[HAND_SIZE:], hand=order[:HAND_SIZE])


def _is_closed(side: Side) -> bool:
    return None in side.hand or None in side.deck


def deal(rng: random.Random, options: Mapping[str, Any]) -> Json:
    """Return the header of a new open game.

    Options: ``decks`` (two names, a list or ``"a,b"``), ``players`` (2, or two names). Raises MalformedError.
    """
    unknown = sorted(set(options) - {"decks", "players"})
    if unknown:
        raise MalformedError(f"{NAME} has no option {unknown[0]!r}")
    decks = _deck_option(options.get("decks", DEFAULT_DECKS))
    players = _player_option(options.get("players"), decks)
    known = catalogue().decks

    def shuffled(deck: str) -> list[str]:
        cards: list[str] = list(known[deck].cards)
        rng.shuffle(cards)
        return cards

    by_player = dict(zip(players, decks, strict=True))
    return {
        "record": "moontable/1",
        "game": NAME,
        "players": list(players),
        "decks": by_player,
        "order": {player: shuffled(deck) for player, deck in by_player.items()},
        "shuffles": {
            player: [shuffled(deck) for _ in range(_SHUFFLES)] for player, deck in by_player.items()
        },
        "corrections": {},
    }


def _deck_option(value: object) -> tuple[str, str]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or len(names) != 2 or names[0] == names[1]:
        raise MalformedError(f"decks must be two different names, not {value!r}")
    known = catalogue().decks
    first, second = (as_choice(str(name).strip().lower(), "a deck", known) for name in names)
    return first, second


def _player_option(value: object, decks: tuple[str, str]) -> tuple[str, str]:
    if value is None or value == 2:
        return decks
    first, second = as_names(list(value) if isinstance(value, list | tuple) else value, "players", 2, 2)
    return first, second


def public_header(header: Json) -> Json:
    """Return the header as everyone at the table can know it: no deck, no shuffle."""
    nobody = dict.fromkeys(header["players"])
    return {**header, "order": nobody, "shuffles": dict(nobody)}


def header_from_table(picture: Picture, options: Mapping[str, Any]) -> Json:
    """Return the closed header of the game that is laid out: the leaders tell the decks.

    Option ``players``: two names, in the order of play. Raises MalformedError for what is missing or laid
    wrongly.
    """
    players = as_names(list(options.get("players") or ()), "players", 2, 2)
    decks = {player: _deck_of_leader(picture, player) for player in players}
    first, second = decks.values()
    if first == second:
        raise MalformedError(f"both leaders are those of the deck {first!r}")
    lying = [where for where, value in picture.items() if value is not None and kind_of(where) in ROWS]
    if lying:
        raise MalformedError(f"the areas must be empty at the start: {', '.join(sorted(lying))}")
    nobody = dict.fromkeys(players)
    return {
        "record": "moontable/1",
        "game": NAME,
        "players": list(players),
        "decks": decks,
        "order": nobody,
        "shuffles": dict(nobody),
        "corrections": {},
    }


def _deck_of_leader(picture: Picture, player: str) -> str:
    leader = picture.get(place("leader", escape(player)))
    for deck in catalogue().decks.values():
        if deck.leader == leader:
            return deck.name
    raise MalformedError(f"the leader of {player} is not on the table")
