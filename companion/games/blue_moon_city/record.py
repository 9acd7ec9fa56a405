"""Actions as lines of a record, and back."""

from __future__ import annotations

from typing import Any

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import CARDS, CELLS, DRAGONS, INDEX, PEOPLES
from companion.storage.strict import as_choice, as_integer, as_list, as_object, as_string

DOINGS = ("move", "fly", "dragon", "contribute", "offer", "end")


def parse_action(line: Json) -> Action:
    """Return the action of one record line; raises MalformedError."""
    if not isinstance(line, dict) or "do" not in line:
        raise MalformedError("a line is a header, an action, a check or a result; this is none of them")
    doing = as_choice(line["do"], "do", DOINGS)
    player = as_string(line.get("player"), "player")
    match doing:
        case "move":
            return _parse_move(line, player)
        case "fly":
            as_object(line, "a fly action", ("player", "do", "to", "card"))
            return Fly(player=player, to=_cell(line["to"], "to"), card=_card_or_none(line["card"], "card"))
        case "dragon":
            return _parse_dragon(line, player)
        case "contribute":
            return _parse_contribute(line, player)
        case "offer":
            as_object(line, "an offer action", ("player", "do", "pillar"))
            return Offer(player=player, pillar=_card_or_none(line["pillar"], "pillar"))
        case _:
            as_object(line, "an end action", ("player", "do", "discard"), ("reshuffle",))
            return End(
                player=player, discard=_cards_or_none(line["discard"], "discard"), reshuffle=_reshuffle(line)
            )


def format_action(action: Action) -> Json:
    """Return the record line of an action."""
    match action:
        case Move():
            line = {
                "player": action.player,
                "do": "move",
                **_way(action.path, action.to),
                "cards": _maybe(action.cards),
            }
        case Fly():
            line = {"player": action.player, "do": "fly", "to": CELLS[action.to], "card": action.card}
        case MoveDragon():
            way = _way(action.path, action.to)
            line = {
                "player": action.player,
                "do": "dragon",
                "dragon": action.dragon,
                "card": action.card,
                **way,
            }
        case Contribute():
            line = _format_contribute(action)
        case Offer():
            line = {"player": action.player, "do": "offer", "pillar": action.pillar}
        case End():
            line = {"player": action.player, "do": "end", "discard": _maybe(action.discard)}
    reshuffle = getattr(action, "reshuffle", None)
    if reshuffle is not None:
        line["reshuffle"] = list(reshuffle) or None
    return line


def _parse_move(line: Json, player: str) -> Move:
    way = "to" if "to" in line else "path"
    as_object(line, "a move action", ("player", "do", way, "cards"))
    cards = _cards_or_none(line["cards"], "cards")
    if way == "to":
        return Move(player=player, to=_cell(line["to"], "to"), path=None, cards=cards)
    path = _path(line["path"])
    return Move(player=player, to=path[-1], path=path, cards=cards)


def _parse_dragon(line: Json, player: str) -> MoveDragon:
    way = "to" if "to" in line else "path"
    as_object(line, "a dragon action", ("player", "do", "dragon", "card", way))
    dragon = as_choice(line["dragon"], "dragon", DRAGONS)
    card = _card_or_none(line["card"], "card")
    if way == "to":
        return MoveDragon(player=player, dragon=dragon, to=_cell(line["to"], "to"), card=card)
    path = _path(line["path"])
    return MoveDragon(player=player, dragon=dragon, to=path[-1], path=path, card=card)


def _parse_contribute(line: Json, player: str) -> Contribute:
    keys = ("player", "do", "box", "colour", "cards", "pairs", "recolour")
    as_object(line, "a contribute action", keys, ("reshuffle",))
    pairs = line["pairs"]
    if pairs is not None:
        pairs = tuple(_pair(p) for p in as_list(pairs, "pairs"))
    recolour = line["recolour"]
    if recolour is not None:
        recolour = tuple(_recolour(r) for r in as_list(recolour, "recolour"))
    return Contribute(
        player=player,
        box=as_integer(line["box"], "box"),
        colour=as_choice(line["colour"], "colour", PEOPLES),
        cards=_cards_or_none(line["cards"], "cards"),
        pairs=pairs,
        recolour=recolour,
        reshuffle=_reshuffle(line),
    )


def _format_contribute(action: Contribute) -> Json:
    pairs, recolour = action.pairs, action.recolour
    return {
        "player": action.player,
        "do": "contribute",
        "box": action.box,
        "colour": action.colour,
        "cards": _maybe(action.cards),
        "pairs": None if pairs is None else [list(p) for p in pairs],
        "recolour": None if recolour is None else [{"card": h, "cards": list(c)} for h, c in recolour],
    }


def _pair(given: object) -> tuple[str, str]:
    one, other = _cards(as_list(given, "a pair", 2), "a pair")
    return one, other


def _recolour(given: object) -> tuple[str, tuple[str, ...]]:
    entry = as_object(given, "an entry of recolour", ("card", "cards"))
    hoax = as_choice(entry["card"], "a recolouring card", CARDS)
    return hoax, _cards(as_list(entry["cards"], "the recoloured cards"), "the recoloured cards")


def _reshuffle(line: Json) -> tuple[str, ...] | None:
    if "reshuffle" not in line:
        return None
    if line["reshuffle"] is None:  # reshuffled in an order that nobody saw
        return ()
    order = _cards(as_list(line["reshuffle"], "reshuffle"), "reshuffle")
    if not order:
        raise MalformedError("a reshuffle has at least one card")
    return order


def _cell(given: object, what: str) -> int:
    return INDEX[as_choice(given, what, CELLS)]


def _path(given: object) -> tuple[int, ...]:
    path = tuple(_cell(c, "a cell of the path") for c in as_list(given, "path"))
    if not path:
        raise MalformedError("a path has at least one step")
    return path


def _cards(given: list[Any], what: str) -> tuple[str, ...]:
    return tuple(as_choice(c, f"a card of {what}", CARDS) for c in given)


def _cards_or_none(given: object, what: str) -> tuple[str, ...] | None:
    return None if given is None else _cards(as_list(given, what), what)


def _card_or_none(given: object, what: str) -> str | None:
    return None if given is None else as_choice(given, what, CARDS)


def _maybe(cards: tuple[str, ...] | None) -> list[str] | None:
    return None if cards is None else list(cards)


def _way(path: tuple[int, ...] | None, to: int) -> Json:
    return {"to": CELLS[to]} if path is None else {"path": [CELLS[c] for c in path]}
