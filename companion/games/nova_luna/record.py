"""Nova Luna's lines of a record: actions and checkpoints."""

from __future__ import annotations

from typing import Final

from companion.game import Json
from companion.games.kit.notation import UNSEEN, as_cell, compare_counts, format_cell
from companion.games.kit.record_codec import ActionLine, CheckCodec, Fact, Group, Key, RecordCodec, Word, each
from companion.games.nova_luna.actions import Action, NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.setup import as_tile
from companion.games.nova_luna.state import NovaState, turn_of
from companion.games.nova_luna.table import compare_table, format_table, predict

_LINES: Final = RecordCodec[Action](
    ActionLine(Reveal, (Group("reveal", (Key("stock", each(as_tile, least=1)),)),)),
    ActionLine(Refill, (Word("do", "refill"),)),
    ActionLine(Take, (Word("do", "take"), Key("tile", as_tile), Key("at", as_cell, format_cell))),
    ActionLine(NextPhase, (Word("do", "next_phase"),)),
)
parse_action = _LINES.parse_action
format_action = _LINES.format_action


def _table(state: NovaState) -> Json:
    return format_table(predict(state), state=state)


def _compare_table(state: NovaState, claimed: object) -> None:
    if claimed != UNSEEN:
        compare_table(state, claimed)


def _supply(state: NovaState) -> dict[str, int]:
    return {seat.player: seat.supply for seat in state.seats}


def _travelled(state: NovaState) -> dict[str, int]:
    return {} if state.is_solo else {seat.player: seat.travelled for seat in state.seats}


_CHECKS: Final = CheckCodec[NovaState](
    Fact("supply", _supply, compare_counts),
    Fact("travelled", _travelled, compare_counts),
    Fact("stock", lambda state: len(state.stock)),
    Fact("turn", turn_of),
    Fact("phase", lambda state: state.phase),
    Fact("noted", lambda state: state.noted),
    table=_table,
    compare_table=_compare_table,
)
checkpoint = _CHECKS.checkpoint
check = _CHECKS.check
