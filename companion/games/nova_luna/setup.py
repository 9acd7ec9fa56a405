"""The set-up of Nova Luna: dealing a new game, and the state that a record's header describes."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

from companion.errors import MalformedError
from companion.game import Json
from companion.games.kit.notation import unescape
from companion.games.nova_luna.catalogue import SLOTS, START_TILES, TILES, catalogue
from companion.games.nova_luna.state import NovaState, Options, Seat
from companion.i18n import msg
from companion.storage.strict import as_integer, as_list, as_names, as_object
from companion.table import Picture, Place, Value, kind_of, parts_of, place

HEADER_KEYS: Final = ("record", "game", "players", "stack", "tokens", "wheel", "stock")
DEAL_OPTIONS: Final = ("players", "tokens")
COLOURS: Final = ("red", "blue", "white", "orange")
STOCK: Final = len(TILES) - START_TILES


def deal(rng: random.Random, options: Mapping[str, Any]) -> Json:
    """Return the header of a new open game; options `players` (a number or names) and `tokens`."""
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in DEAL_OPTIONS:
            raise MalformedError(f"Nova Luna has no option {key!r}")
    players = player_names(given.get("players", 2), COLOURS, "players")
    tokens = as_integer(given.get("tokens", catalogue().tokens), "tokens")
    if tokens not in token_counts(len(players)):
        raise MalformedError(f"{len(players)} players do not play with {tokens} tokens each")
    tiles = rng.sample(sorted(TILES), len(TILES))
    stack = rng.sample(players, len(players)) if len(players) > 1 else []
    return {
        "record": "moontable/1",
        "game": "nova_luna",
        "players": players,
        "stack": stack,
        "tokens": tokens,
        "wheel": [None, *tiles[:START_TILES]],
        "stock": tiles[START_TILES:],
    }


def player_names(value: object, names: tuple[str, ...], what: str) -> list[str]:
    """Return the players: a number of the usual names, or the names themselves."""
    if isinstance(value, list | tuple):
        return list(as_names(list(value), what, 1, len(names)))
    return list(names[: as_integer(value, what, 1, len(names))])


def header_from_table(picture: Picture, options: Mapping[str, Any]) -> Json:
    """Return the closed header of the set-up that lies on the table; options as for `deal`, with names.

    Raises MalformedError for a tile, the figure or a track token that is missing, hidden or laid wrongly.
    """
    players = player_names(options.get("players", 2), COLOURS, "players")
    if picture.get(Place("meeple")) != "0":
        raise MalformedError(msg("the moon begins in slot {slot} of the wheel", slot=1))
    if picture.get(place("wheel", 0), "") is not None:
        raise MalformedError(msg("slot {slot} of the wheel must be empty", slot=1))
    stack = [unescape(name) for name in (picture.get(place("track", 0)) or "").split(">") if name]
    if len(players) > 1 and set(stack) != set(players):
        raise MalformedError(
            msg("the camera cannot see the order of the stacked tokens: give a set-up file (--setup)")
        )
    header: Json = {
        "record": "moontable/1",
        "game": "nova_luna",
        "players": players,
        "stack": stack[::-1],
        "tokens": options.get("tokens") or catalogue().tokens,
        "wheel": [None, *_wheel_on(picture)],
        "stock": [None] * STOCK,
    }
    start(header, Options())
    return header


def _wheel_on(picture: Picture) -> list[int]:
    """Return the tiles seen on the wheel; of two that look the same the second is the twin."""
    tiles: list[int] = []
    for slot in range(1, SLOTS):
        value = picture.get(place("wheel", slot))
        if value is None:
            raise MalformedError(msg("slot {slot} of the wheel needs a tile that can be seen", slot=slot + 1))
        looks = [tile for tile in TILES.values() if str(tile.twin) == value and tile.id not in tiles]
        if not looks:
            raise MalformedError(msg("the tile in slot {slot} is on the wheel too often", slot=slot + 1))
        tiles.append(looks[0].id)
    return tiles


def relaid(header: Mapping[str, Any], where: Place, value: Value) -> Json:
    """Return the header with another tile in a slot of the wheel, or with the tokens stacked otherwise.

    A tile that lies in another slot changes places with the one here. Raises MalformedError for what cannot
    lie there.
    """
    new = {**header, "wheel": list(header["wheel"])}
    match kind_of(where), parts_of(where):
        case "track", ("0",):
            new["stack"] = [unescape(name) for name in (value or "").split(">") if name][::-1]
        case "wheel", (slot,) if value is not None and slot != "0":
            _lay_on_wheel(new["wheel"], int(slot), value)
        case _:
            raise MalformedError(f"{where} cannot show {value} before the game")
    start(new, Options())
    return new


def _lay_on_wheel(wheel: list[int | None], slot: int, look: str) -> None:
    """Put a tile that looks like this into a slot: one that lies on no other slot, if there is any."""
    copies = [tile.id for tile in TILES.values() if str(tile.twin) == look]
    free = [tile for tile in copies if tile not in wheel]
    if wheel[slot] in copies:
        return
    if free:
        wheel[slot] = free[0]
    elif copies:
        other = wheel.index(copies[0])
        wheel[slot], wheel[other] = wheel[other], wheel[slot]
    else:
        raise MalformedError(f"no tile looks like {look}")


def start(header: Json, options: Options) -> NovaState:
    """Return the state after the set-up; raises MalformedError."""
    as_object(header, "the header", HEADER_KEYS)
    players = as_names(header["players"], "players", 1, 4)
    tokens = as_integer(header["tokens"], "tokens")
    if tokens not in token_counts(len(players)):
        raise MalformedError(f"{len(players)} players do not take {tokens} tokens each")
    wheel = as_list(header["wheel"], "wheel", SLOTS)
    if wheel[0] is not None:
        raise MalformedError("wheel slot 0 must be null: the figure starts there")
    on_wheel = tuple(as_tile(tile, "a tile of the wheel") for tile in wheel[1:])
    stock = tuple(
        None if tile is None else as_tile(tile, "a tile of the stock")
        for tile in as_list(header["stock"], "stock", STOCK)
    )
    _check_copies([*on_wheel, *stock])
    return NovaState(
        seats=_seats(players, header["stack"], tokens),
        tokens=tokens,
        wheel=(None, *on_wheel),
        figure=0,
        stock=stock,
        phase=1 if len(players) == 1 else None,
        options=options,
    )


def as_tile(value: object, what: str) -> int:
    """Return a tile's id."""
    tile = as_integer(value, what)
    if tile not in TILES:
        raise MalformedError(f"{what} cannot be {tile}: there is no such tile")
    return tile


def token_counts(players: int) -> tuple[int, ...]:
    """Return how many tokens each of so many players may take, the usual number first."""
    facts = catalogue()
    fewer = facts.fewer_tokens.get(players)
    return (facts.tokens,) if fewer is None else (facts.tokens, fewer)


def _check_copies(tiles: list[int | None]) -> None:
    known = [tile for tile in tiles if tile is not None]
    double = sorted(tile for tile in set(known) if known.count(tile) > 1)
    if double:
        raise MalformedError(f"tile {double[0]} is there twice")


def _seats(players: tuple[str, ...], stack: object, tokens: int) -> tuple[Seat, ...]:
    order = as_list(stack, "stack")
    if len(players) == 1:
        if order:
            raise MalformedError("the solo game has no token on the track: stack must be empty")
        return (Seat(player=players[0], supply=catalogue().solo_piles[0]),)
    names = as_names(order, "stack", len(players), len(players))
    if set(names) != set(players):
        raise MalformedError("stack must name every player once")
    return tuple(
        Seat(player=player, supply=tokens - 1, arrival=len(players) - names.index(player))
        for player in players
    )
