"""The table of five in a row: ``cell:R,C`` holds the name of whose stone lies there, None = no stone."""

from __future__ import annotations

from companion.games.kit.notation import escape, unescape
from companion.games.kit.table_codec import Named, TableCodec, or_none
from companion.storage.strict import as_string
from companion.table import Place, Value, place
from tests.helpers.five_in_a_row.state import CELLS, Five, owner

TABLE = TableCodec(
    Named("cells", "cell", or_none(lambda value, what: escape(as_string(value, what))), names=CELLS),
    write={"cell": lambda value: None if value is None else unescape(value)},
)
format_table, confidences = TABLE.format_table, TABLE.confidences


def predict(state: Five) -> dict[Place, Value]:
    """Return the picture that the state casts."""
    picture: dict[Place, Value] = {place("cell", cell): None for cell in CELLS}
    for number, cell in enumerate(state.stones):
        picture[place("cell", cell)] = escape(owner(state, number))
    return picture
