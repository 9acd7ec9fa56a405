"""From a record's header to the state after the set-up, and dealing a new game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import MalformedError, RuleViolation
from companion.game import Json
from companion.games.blue_moon_city.catalogue import (
    CARD_COUNT,
    CARDS,
    CELLS,
    CENTRE,
    COURTYARD,
    HAND_SIZE,
    INDEX,
    MARKERS,
    NEIGHBOURS,
    STEPS,
    TILES,
    Catalogue,
)
from companion.games.blue_moon_city.state import CityState, Hidden, Options, Setup
from companion.games.blue_moon_city.texts import tile_name
from companion.i18n import msg
from companion.names import cell_text
from companion.storage.strict import as_choice, as_list, as_names, as_object
from companion.table import Picture, place

EDITIONS = ("kosmos-2006", "cmon-2019")
KEYS = ("record", "game", "edition", "setup", "players", "layout", "hands", "deck")


def start(header: Json, catalogue: Catalogue, options: Options) -> CityState:
    """Return the state after the set-up; raises MalformedError, or RuleViolation for a wrong city."""
    as_object(header, "the header", KEYS)
    as_choice(header["game"], "game", ("blue_moon_city",))
    edition = as_choice(header["edition"], "edition", EDITIONS)
    variant = as_choice(header["setup"], "setup", ("standard", "variant")) == "variant"
    players = as_names(header["players"], "players", 2, 4)
    layout = _layout(header["layout"])
    _check_start_tiles(layout, catalogue, edition, variant)
    is_open = header["hands"] is not None
    if is_open != (header["deck"] is not None):
        raise MalformedError("hands and deck are either both known or both null")
    hands, deck = _cards(header, players, catalogue) if is_open else ((), ())
    setup = Setup(
        edition=edition,
        variant=variant,
        players=players,
        layout=layout,
        catalogue=catalogue,
        options=options,
        is_open=is_open,
        buildings=tuple(catalogue.buildings.get(tile) for tile in layout),
    )
    return _first_state(setup, hands, deck)


def _first_state(setup: Setup, hands: tuple[tuple[str, ...], ...], deck: tuple[str, ...]) -> CityState:
    n = len(setup.players)
    in_deck = CARD_COUNT - HAND_SIZE * n
    hidden = Hidden(
        hand_low=(HAND_SIZE,) * n,
        hand_high=(HAND_SIZE,) * n,
        aside_low=(0,) * n,
        aside_high=(0,) * n,
        deck_low=in_deck,
        deck_high=in_deck,
        crystals_low=(0,) * n,
        steps_low=STEPS,
    )
    return CityState(
        setup=setup,
        active=0,
        moving=True,
        steps=STEPS,
        contributed=False,
        offered=0,
        acts=0,
        figures=(CENTRE,) * n,
        dragons=(-1, -1, -1),
        boxes=tuple(() if b is None else (-1,) * len(b.values) for b in setup.buildings),
        built=frozenset({CENTRE}),
        obelisk=(-1,) * len(setup.catalogue.obelisk),
        markers=(MARKERS,) * n,
        scales=(0,) * n,
        supply=setup.catalogue.editions[setup.edition].scales[n],
        crystals=(0,) * n,
        hands=hands,
        aside=((),) * n if setup.is_open else (),
        deck=deck,
        discard=(),
        hidden=None if setup.is_open else hidden,
        outcome=None,
        turn=1,
    )


def _layout(given: object) -> tuple[str, ...]:
    layout = as_object(given, "layout", CELLS)
    tiles = tuple(as_choice(layout[cell], f"the tile on {cell}", TILES) for cell in CELLS)
    twice = [tile for tile, n in Counter(tiles).items() if n > 1]
    if twice:
        raise RuleViolation("setup.tile_twice", tile=twice[0])
    return tiles


def _check_start_tiles(layout: tuple[str, ...], catalogue: Catalogue, edition: str, variant: bool) -> None:
    """Refuse a city that the edition does not allow (ruling 22)."""
    if layout[CENTRE] != COURTYARD:
        raise RuleViolation("setup.courtyard", cell=CELLS[layout.index(COURTYARD)])
    if variant:
        return
    if catalogue.editions[edition].fixed_start:
        for cell, tile in catalogue.start.items():
            if layout[cell] != tile:
                raise RuleViolation("setup.start_tile", tile=tile, cell=CELLS[cell], seen=layout[cell])
    elif {layout[c] for c in NEIGHBOURS[CENTRE]} != set(catalogue.start.values()):
        wrong = next(t for t in catalogue.start.values() if layout.index(t) not in NEIGHBOURS[CENTRE])
        raise RuleViolation("setup.start_tile_apart", tile=wrong, cell=CELLS[layout.index(wrong)])


def _cards(
    header: Json, players: tuple[str, ...], catalogue: Catalogue
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    given = as_object(header["hands"], "hands", players)
    hands = []
    for name in players:
        hand = as_list(given[name], f"the hand of {name}", HAND_SIZE)
        hands.append(tuple(sorted(as_choice(c, f"a card of {name}", CARDS) for c in hand)))
    deck = tuple(as_choice(c, "a card of the deck", CARDS) for c in as_list(header["deck"], "deck"))
    found = Counter(deck)
    for one in hands:
        found.update(one)
    wrong = next((c for c in CARDS if found[c] != catalogue.cards[c]), None)
    if wrong is not None:
        raise MalformedError(
            f"hands and deck hold {found[wrong]} of {wrong}, the game has {catalogue.cards[wrong]}"
        )
    return tuple(hands), deck


def deal(rng: random.Random, options: Mapping[str, Any], catalogue: Catalogue) -> Json:
    """Return the header of a new open game; `options` may hold players, edition and setup."""
    as_object(dict(options), "the options", (), ("players", "edition", "setup"))
    wanted = options.get("players", 2)
    names = ("purple", "white", "teal", "black")[:wanted] if isinstance(wanted, int) else tuple(wanted)
    if not 2 <= len(names) <= 4 or (isinstance(wanted, int) and wanted != len(names)):
        raise MalformedError("Blue Moon City is for 2 to 4 players")
    edition = as_choice(options.get("edition", EDITIONS[0]), "edition", EDITIONS)
    setup = as_choice(options.get("setup", "standard"), "setup", ("standard", "variant"))
    layout = _shuffled_layout(rng, catalogue, edition, setup)
    cards = [card for card in CARDS for _ in range(catalogue.cards[card])]
    rng.shuffle(cards)
    hands = {name: [cards.pop(0) for _ in range(HAND_SIZE)] for name in names}
    return {
        "record": "moontable/1",
        "game": "blue_moon_city",
        "edition": edition,
        "setup": setup,
        "players": list(names),
        "layout": layout,
        "hands": hands,
        "deck": cards,
    }


def _shuffled_layout(rng: random.Random, catalogue: Catalogue, edition: str, setup: str) -> dict[str, str]:
    placed = {CENTRE: COURTYARD}
    if setup == "standard":
        cells, tiles = list(catalogue.start), list(catalogue.start.values())
        if not catalogue.editions[edition].fixed_start:
            rng.shuffle(tiles)
        placed |= dict(zip(cells, tiles, strict=True))
    rest = [tile for tile in TILES if tile not in placed.values()]
    rng.shuffle(rest)
    for i in range(len(CELLS)):
        if i not in placed:
            placed[i] = rest.pop()
    return {cell: placed[INDEX[cell]] for cell in CELLS}


def header_of(state: CityState) -> Json:
    """Return the closed header of a game: what everyone at the table can see of its set-up."""
    setup = state.setup
    return {
        "record": "moontable/1",
        "game": "blue_moon_city",
        "edition": setup.edition,
        "setup": "variant" if setup.variant else "standard",
        "players": list(setup.players),
        "layout": dict(zip(CELLS, setup.layout, strict=True)),
        "hands": None,
        "deck": None,
    }


def header_from_table(picture: Picture, edition: str, players: Sequence[str], catalogue: Catalogue) -> Json:
    """Return the closed header of the game that lies on the table before its first move.

    Raises MalformedError if a cell was not seen, a tile lies on its built side or the city breaks the
    rules of the set-up; where the start tiles lie elsewhere it is the random variant.
    """
    layout = {}
    for cell in CELLS:
        seen = picture.get(place("cell", cell))
        if seen is None:
            raise MalformedError(msg("no tile can be seen here: {cell}", cell=cell_text(cell, CELLS)))
        tile, _, side = seen.partition("/")
        if side == "built" and tile != COURTYARD:
            raise MalformedError(
                msg(
                    "{tile} must start with its sketch side up; it lies here: {cell}",
                    tile=tile_name(tile),
                    cell=cell_text(cell, CELLS),
                )
            )
        layout[cell] = tile
    header: Json = {
        "record": "moontable/1",
        "game": "blue_moon_city",
        "edition": edition,
        "setup": "standard",
    }
    header |= {"players": list(players), "layout": layout, "hands": None, "deck": None}
    try:
        start(header, catalogue, Options())
    except RuleViolation as odd:
        if odd.rule not in ("setup.start_tile", "setup.start_tile_apart"):
            raise
        header["setup"] = "variant"
        start(header, catalogue, Options())
    return header
