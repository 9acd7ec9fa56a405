"""Positions of Blue Moon City, laid by hand: a fixed city, and only what a test is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from companion.errors import RuleViolation
from companion.game import Event
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon
from companion.games.blue_moon_city.catalogue import CARDS, CELLS, DRAGONS, INDEX, MARKERS, Catalogue
from companion.games.blue_moon_city.game import BlueMoonCity
from companion.games.blue_moon_city.reconcile.hypotheses import veil
from companion.games.blue_moon_city.state import CityState, Options

GAME = BlueMoonCity()
LAYOUT = {
    "0,1": "aqueduct",
    "0,2": "hospice",
    "0,3": "citadel",
    "1,0": "watchtower",
    "1,1": "great_hall",
    "1,2": "fire_temple",
    "1,3": "university",
    "1,4": "market_hall",
    "2,0": "library",
    "2,1": "water_temple",
    "2,2": "courtyard",
    "2,3": "royal_palace",
    "2,4": "trading_house",
    "3,0": "caravanserai",
    "3,1": "thermae",
    "3,2": "earth_temple",
    "3,3": "flight_tower",
    "3,4": "iron_foundry",
    "4,1": "city_residence",
    "4,2": "mill",
    "4,3": "monastery_tower",
}
CELL_OF = {tile: cell for cell, tile in LAYOUT.items()}
NAMES = ("purple", "white", "teal", "black")


def header(
    players: int = 2, *, edition: str = "kosmos-2006", hands: Mapping[str, Sequence[str]] | None = None
) -> dict[str, object]:
    """Return the header of a game in the fixed city; hands and deck in the cards' fixed order."""
    names = NAMES[:players]
    cards = [card for card in CARDS for _ in range(GAME.catalogue.cards[card])]
    dealt = {name: list(hands[name]) if hands else [cards.pop(0) for _ in range(8)] for name in names}
    if hands:
        left = Counter(cards) - Counter(card for hand in dealt.values() for card in hand)
        cards = list(left.elements())
    return {
        "record": "moontable/1",
        "game": "blue_moon_city",
        "edition": edition,
        "setup": "standard",
        "players": list(names),
        "layout": dict(LAYOUT),
        "hands": dealt,
        "deck": cards,
    }


def scene(
    players: int = 2,
    *,
    edition: str = "kosmos-2006",
    hands: Mapping[str, str] | None = None,
    deck: str = "",
    pile: str | None = "",
    at: Mapping[str, str] | None = None,
    dragons: Mapping[str, str] | None = None,
    boxes: Mapping[str, Sequence[str | None]] | None = None,
    built: Sequence[str] = (),
    obelisk: Mapping[int, str] | None = None,
    crystals: Mapping[str, int] | None = None,
    scales: Mapping[str, int] | None = None,
    active: str = "purple",
    catalogue: Catalogue | None = None,
    options: Options | None = None,
) -> CityState:
    """Return an open position; cards are words, tiles stand for their cells.

    `deck` names the next cards, `pile` the discards (None = every card that lies nowhere else); the other
    cards are at the bottom of the deck. Markers and golden scales that lie nowhere are where they belong.
    """
    game = BlueMoonCity(catalogue, options)
    start = game.start(header(players, edition=edition))
    names = NAMES[:players]
    held = tuple(tuple(sorted((hands or {}).get(name, "").split())) for name in names)
    placed = tuple(
        ()
        if LAYOUT[cell] in built or building is None
        else tuple(-1 if o is None else names.index(o) for o in (boxes or {}).get(LAYOUT[cell], ()))
        or (-1,) * len(building.values)
        for cell, building in zip(CELLS, start.setup.buildings, strict=True)
    )
    offered = tuple(
        names.index((obelisk or {})[i]) if i in (obelisk or {}) else -1 for i in range(len(start.obelisk))
    )
    owned = tuple((scales or {}).get(name, 0) for name in names)
    known = [card for hand in held for card in hand] + deck.split() + (pile or "").split()
    rest = tuple((Counter(game.catalogue.cards) - Counter(known)).elements())
    return replace(
        start,
        active=names.index(active),
        figures=tuple(cell_of((at or {}).get(name, "courtyard")) for name in names),
        dragons=tuple(cell_of(dragons[d]) if dragons and d in dragons else -1 for d in DRAGONS),
        boxes=placed,
        built=start.built | {cell_of(tile) for tile in built},
        obelisk=offered,
        markers=tuple(
            MARKERS - sum(o.count(seat) for o in placed) - offered.count(seat) for seat in range(players)
        ),
        scales=owned,
        supply=start.supply - sum(owned),
        crystals=tuple((crystals or {}).get(name, 0) for name in names),
        hands=held,
        deck=tuple(deck.split()) + (() if pile is None else rest),
        discard=rest if pile is None else tuple(pile.split()),
    )


def cell_of(tile: str) -> int:
    """Return the index of the cell on which a tile of the fixed city lies; a cell stands for itself."""
    return INDEX[CELL_OF.get(tile, tile)]


def closed(state: CityState) -> CityState:
    """Return the position as those see it who see no hands."""
    return veil(state)


def walk(*way: str, player: str = "purple", cards: str | None = "") -> Move:
    """Return a walk over these tiles or cells."""
    path = tuple(cell_of(step) for step in way)
    return Move(player=player, to=path[-1], path=path, cards=_cards(cards))


def fly(to: str, *, player: str = "purple", card: str | None = "flit-1") -> Fly:
    """Return a flight to a tile or cell."""
    return Fly(player=player, to=cell_of(to), card=card)


def summon(dragon: str, to: str, *, player: str = "purple", card: str | None) -> MoveDragon:
    """Return a dragon's leap (or its walk, where the way was not seen)."""
    return MoveDragon(player=player, dragon=dragon, to=cell_of(to), card=card)


def lead(dragon: str, *way: str, player: str = "purple", card: str | None) -> MoveDragon:
    """Return a dragon's walk over these tiles or cells."""
    path = tuple(cell_of(step) for step in way)
    return MoveDragon(player=player, dragon=dragon, to=path[-1], path=path, card=card)


def pay(
    box: int,
    colour: str,
    cards: str | None = "",
    *,
    player: str = "purple",
    pairs: Sequence[tuple[str, str]] | None = (),
    turn: Sequence[tuple[str, str]] = (),
    reshuffle: str | None = None,
) -> Contribute:
    """Return a contribution; `turn` names each Hoax with the cards that it turns."""
    return Contribute(
        player=player,
        box=box,
        colour=colour,
        cards=_cards(cards),
        pairs=None if pairs is None else tuple(pairs),
        recolour=tuple((hoax, tuple(turned.split())) for hoax, turned in turn),
        reshuffle=_cards(reshuffle),
    )


def end(discard: str | None = "", *, player: str = "purple", reshuffle: str | None = None) -> End:
    """Return the end of a turn."""
    return End(player=player, discard=_cards(discard), reshuffle=_cards(reshuffle))


def _cards(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(text.split())


def done(state: CityState, *actions: Action) -> CityState:
    """Return the state after these actions."""
    for action in actions:
        state, _ = GAME.apply(state, action)
    return state


def told(state: CityState, *actions: Action) -> tuple[Event, ...]:
    """Return what the last of these actions made happen."""
    events: tuple[Event, ...] = ()
    for action in actions:
        state, events = GAME.apply(state, action)
    return events


def refusal(state: CityState, action: Action) -> str:
    """Return the id of the rule that refuses the action; its sentence is complete, nothing has changed."""
    before = repr(state)
    with pytest.raises(RuleViolation) as caught:
        GAME.apply(state, action)

    assert before == repr(state)
    assert caught.value.text
    assert "…" not in caught.value.text
    return caught.value.rule
