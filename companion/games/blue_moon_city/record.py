"""Blue Moon City's lines of a record: actions and checkpoints."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import CARDS, CELLS, COURTYARD, DRAGONS, INDEX, PEOPLES
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.table import CityTable, compare_table, predict
from companion.games.kit.notation import compare
from companion.games.kit.record_codec import (
    ActionLine,
    CheckCodec,
    Fact,
    Key,
    RecordCodec,
    Word,
    choice,
    each,
    maybe,
)
from companion.storage.strict import as_choice, as_integer, as_list, as_object, as_string

# The lowest and highest number that each player may have.
Bounds: TypeAlias = dict[str, tuple[int, int]]

# -- lines ------------------------------------------------------------------------------------------

_as_card: Final = choice(*CARDS)
_as_cards: Final = each(_as_card)


def _as_cell(value: object, what: str) -> int:
    return INDEX[as_choice(value, what, CELLS)]


def _as_pair(value: object, what: str) -> tuple[str, str]:
    one, other = _as_cards(as_list(value, what, 2), what)
    return one, other


def _as_recolouring(value: object, what: str) -> tuple[str, tuple[str, ...]]:
    entry = as_object(value, what, ("card", "cards"))
    return _as_card(entry["card"], "card"), _as_cards(entry["cards"], "cards")


def _format_recolour(recolour: tuple[tuple[str, tuple[str, ...]], ...] | None) -> list[Json] | None:
    return None if recolour is None else [{"card": card, "cards": list(cards)} for card, cards in recolour]


def _as_reshuffle(value: object, what: str) -> tuple[str, ...]:
    """Return the new order of the deck; empty = reshuffled in an order that nobody saw."""
    return () if value is None else each(_as_card, least=1)(value, what)


def _walked(kind: type[Move | MoveDragon]) -> Any:
    return lambda path, **others: kind(path=path, to=path[-1], **others)


_CARD: Final = Key("card", maybe(_as_card))
_CARDS: Final = Key("cards", maybe(_as_cards))
_DRAGON: Final = Key("dragon", choice(*DRAGONS))
_TO: Final = Key("to", _as_cell, CELLS.__getitem__)
_PATH: Final = Key("path", each(_as_cell, least=1), lambda path: [CELLS[cell] for cell in path])
_RESHUFFLE: Final = Key("reshuffle", _as_reshuffle, lambda order: list(order) or None, is_optional=True)

_LINES: Final = RecordCodec[Action](
    ActionLine(Move, (Word("do", "move"), _TO, _CARDS), given={"path": None}),
    ActionLine(Move, (Word("do", "move"), _PATH, _CARDS), make=_walked(Move)),
    ActionLine(Fly, (Word("do", "fly"), _TO, _CARD)),
    ActionLine(MoveDragon, (Word("do", "dragon"), _DRAGON, _CARD, _TO), given={"path": None}),
    ActionLine(MoveDragon, (Word("do", "dragon"), _DRAGON, _CARD, _PATH), make=_walked(MoveDragon)),
    ActionLine(
        Contribute,
        (
            Word("do", "contribute"),
            Key("box", as_integer),
            Key("colour", choice(*PEOPLES)),
            _CARDS,
            Key("pairs", maybe(each(_as_pair))),
            Key("recolour", maybe(each(_as_recolouring)), _format_recolour),
            _RESHUFFLE,
        ),
    ),
    ActionLine(Offer, (Word("do", "offer"), Key("pillar", maybe(_as_card)))),
    ActionLine(End, (Word("do", "end"), Key("discard", maybe(_as_cards)), _RESHUFFLE)),
)
parse_action = _LINES.parse_action
format_action = _LINES.format_action


# -- checkpoints ------------------------------------------------------------------------------------


def _exactly(state: CityState, numbers: tuple[int, ...]) -> Bounds:
    return {name: (number, number) for name, number in zip(state.setup.players, numbers, strict=True)}


def _crystals(state: CityState) -> Bounds:
    bounds = zip(state.crystals_low, state.crystals, strict=True)
    return dict(zip(state.setup.players, bounds, strict=True))


def _hand_counts(state: CityState) -> Bounds:
    if state.hidden is None:
        return _exactly(state, tuple(map(len, state.hands)))
    bounds = zip(state.hidden.hand_low, state.hidden.hand_high, strict=True)
    return dict(zip(state.setup.players, bounds, strict=True))


def _compare_bounds(claimed: object, bounds: Bounds, what: str) -> None:
    for name, value in as_object(claimed, what, (), bounds).items():
        low, high = bounds[name]
        number = as_integer(value, f"{what} of {name}")
        if not low <= number <= high:
            actual = low if low == high else f"{low} to {high}"
            raise MalformedError(f"{what} of {name} is {actual}, not {number}")


def _known(bounds: Bounds) -> dict[str, int]:
    """Return what is known exactly."""
    return {name: low for name, (low, high) in bounds.items() if low == high}


def _built(state: CityState) -> list[str]:
    """Return the tiles that were built, in the order of their cells, without the courtyard."""
    return [t for i, t in enumerate(state.setup.layout) if i in state.built and t != COURTYARD]


def _compare_built(claimed: object, built: list[str], what: str) -> None:
    tiles = [as_string(tile, "a built tile") for tile in as_list(claimed, what)]
    if sorted(tiles) != sorted(built):
        odd = min(set(tiles) ^ set(built), default="a tile twice")
        raise MalformedError(f"{what} differs: {odd}")


def _table(state: CityState) -> Json:
    return CityTable(state.setup.catalogue).format_table(predict(state))


_CHECKS: Final = CheckCodec[CityState](
    Fact("scales", lambda state: _exactly(state, state.scales), _compare_bounds, _known),
    Fact("crystals", _crystals, _compare_bounds, _known),
    Fact("markers", lambda state: _exactly(state, state.markers), _compare_bounds, _known),
    Fact("supply_scales", lambda state: state.supply, compare),
    Fact("built", _built, _compare_built),
    Fact("hand_counts", _hand_counts, _compare_bounds, _known),
    table=_table,
    compare_table=compare_table,
)
checkpoint = _CHECKS.checkpoint
check = _CHECKS.check
