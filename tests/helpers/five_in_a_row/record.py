"""Record lines and checkpoints of five in a row."""

from __future__ import annotations

from companion.games.kit.record_codec import ActionLine, CheckCodec, Fact, Key, RecordCodec, Word, choice
from companion.games.kit.table_codec import compare_pictures
from tests.helpers.five_in_a_row.state import CELLS, Five, Lay, turn_of
from tests.helpers.five_in_a_row.table import TABLE, predict

_LINES = RecordCodec[Lay](ActionLine(Lay, (Word("do", "lay"), Key("at", choice(*CELLS)))))
parse_action, format_action = _LINES.parse_action, _LINES.format_action

_CHECKS = CheckCodec[Five](
    Fact("turn", turn_of),
    Fact("stones", lambda state: len(state.stones)),
    table=lambda state: TABLE.format_table(predict(state)),
    compare_table=lambda state, claimed: compare_pictures(TABLE.parse_table(claimed), predict(state)),
)
checkpoint, check = _CHECKS.checkpoint, _CHECKS.check
