"""Urbion's lines of a record: actions and checkpoints."""

from __future__ import annotations

from typing import Final

from companion.game import Json
from companion.games.kit.notation import UNSEEN
from companion.games.kit.record_codec import (
    ActionLine,
    CheckCodec,
    Fact,
    Group,
    Key,
    Reader,
    RecordCodec,
    Word,
    choice,
    each,
    maybe,
)
from companion.games.urbion.actions import (
    Action,
    Agoraphilia,
    Balance,
    Chaos,
    ChooseSide,
    Discard,
    Fly,
    Play,
    Prophecy,
    Removal,
    Reveal,
    Swap,
    SwapPolarity,
    Vanish,
)
from companion.games.urbion.catalogue import (
    AGORAPHILIA,
    AMAZING_BALANCE,
    FLYING_INCUBI,
    FLYING_SANAE,
    INVISIBLE_INCUBI,
    INVISIBLE_SANAE,
    PROPHECY,
    ROWS,
    SIDES,
)
from companion.games.urbion.setup import as_city, as_dream
from companion.games.urbion.state import UrbionState, turn_of
from companion.games.urbion.table import compare_table, format_recorded, predict
from companion.storage.strict import as_integer, as_list, as_object

# -- lines ------------------------------------------------------------------------------------------


def _as_row(value: object, what: str) -> int:
    return as_integer(value, what, 0, ROWS - 1)


def _as_swapped(value: object, what: str) -> tuple[tuple[int, str], ...]:
    ends = (as_object(end, f"an entry of {what}", ("row", "card")) for end in as_list(value, what, 2))
    return tuple((_as_row(end["row"], "row"), as_dream(end["card"], "card")) for end in ends)


def _as_removal(value: object, what: str) -> Removal:
    entry = as_object(value, what, ("row", *SIDES))
    left, right = (each(as_dream)(entry[side], side) for side in SIDES)
    return Removal(row=_as_row(entry["row"], "row"), left=left, right=right)


def _format_removal(removal: Removal) -> Json:
    return {"row": removal.row, "left": list(removal.left), "right": list(removal.right)}


def _revealed(deck: str, read: Reader) -> Key:
    return Key(deck, each(read, least=1), is_optional=True)


_CARD: Final = Key("card", as_dream)
_ROW: Final = Key("row", _as_row)
_SIDE: Final = Key("side", choice(*SIDES))
_DREAM: Final = Key("dream", as_dream)
_REMOVE: Final = Key(
    "remove", each(_as_removal), lambda removals: [_format_removal(removal) for removal in removals]
)
_SWAPPED: Final = Key("cards", _as_swapped, lambda ends: [{"row": row, "card": card} for row, card in ends])
_BOOK: Final = (Word("do", "book"), _CARD)
_FLIGHT: Final = (Key("from", _as_row, field="start"), Key("to", _as_row, field="end"), _DREAM)

_LINES: Final = RecordCodec[Action](
    ActionLine(Reveal, (Group("reveal", (_revealed("dreams", as_dream), _revealed("cities", as_city))),)),
    ActionLine(ChooseSide, (Word("do", "side"), _SIDE)),
    ActionLine(Chaos, (Word("do", "chaos"), Word("way", "place"), _ROW)),
    ActionLine(Chaos, (Word("do", "chaos"), Word("way", "clear"), _ROW)),
    ActionLine(Chaos, (Word("do", "chaos"), Word("way", "draw")), given={"row": None}),
    ActionLine(Play, (Word("do", "play"), _CARD, _ROW, _SIDE)),
    ActionLine(Discard, (Word("do", "discard"), _CARD)),
    ActionLine(Swap, (Word("do", "swap"), _CARD, _SIDE, _SWAPPED)),
    ActionLine(Balance, (Word("do", "balance"), _CARD, _REMOVE), given={"is_amazing": False}),
    ActionLine(SwapPolarity, (Word("do", "polarity"), _CARD)),
    *(ActionLine(Fly, (*_BOOK, Word("book", book), *_FLIGHT)) for book in (FLYING_INCUBI, FLYING_SANAE)),
    *(
        ActionLine(Vanish, (*_BOOK, Word("book", book), _ROW, _DREAM))
        for book in (INVISIBLE_INCUBI, INVISIBLE_SANAE)
    ),
    ActionLine(Agoraphilia, (*_BOOK, Word("book", AGORAPHILIA), _ROW)),
    ActionLine(Balance, (*_BOOK, Word("book", AMAZING_BALANCE), _REMOVE), given={"is_amazing": True}),
    ActionLine(Prophecy, (*_BOOK, Word("book", PROPHECY), Key("order", each(maybe(as_dream))))),
)
parse_action = _LINES.parse_action
format_action = _LINES.format_action


# -- checkpoints ------------------------------------------------------------------------------------


def _table(state: UrbionState) -> Json:
    return format_recorded(predict(state))


def _compare_table(state: UrbionState, claimed: object) -> None:
    if claimed != UNSEEN:
        compare_table(state, claimed)


def _is_counted(state: UrbionState) -> bool:
    return state.is_counted


_CHECKS: Final = CheckCodec[UrbionState](
    Fact("subdued", lambda state: state.subdued),
    Fact("cities", lambda state: len(state.cities)),
    Fact("dreams", lambda state: len(state.dreams), is_sure=_is_counted),
    Fact("discarded", lambda state: len(state.discards), is_sure=_is_counted),
    Fact("turn", turn_of),
    Fact("pending", lambda state: state.pending),
    table=_table,
    compare_table=_compare_table,
)
checkpoint = _CHECKS.checkpoint
check = _CHECKS.check
