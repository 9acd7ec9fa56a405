"""Urbion's lines of a record: actions and checkpoints."""

from __future__ import annotations

from typing import Any, Final, assert_never

from companion.errors import MalformedError
from companion.game import Json
from companion.games.kit.notation import UNSEEN, compare
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
    Turn,
    Vanish,
)
from companion.games.urbion.catalogue import (
    AGORAPHILIA,
    AMAZING_BALANCE,
    BOOKS,
    FLYING_INCUBI,
    FLYING_SANAE,
    PROPHECY,
    ROWS,
    SIDES,
)
from companion.games.urbion.setup import as_city, as_dream
from companion.games.urbion.state import UrbionState, turn_of
from companion.games.urbion.table import compare_table, format_table, predict
from companion.storage.strict import as_choice, as_integer, as_list, as_object, as_string

_KEYS: Final = {
    "side": ("side",),
    "chaos": ("way",),
    "play": ("card", "row", "side"),
    "discard": ("card",),
    "swap": ("card", "side", "cards"),
    "balance": ("card", "remove"),
    "polarity": ("card",),
    "book": ("card", "book"),
}
_WAYS: Final = ("place", "clear", "draw")


# -- reading ----------------------------------------------------------------------------------------


def parse_action(line: Json) -> Action:
    """Return the action of one line; raises MalformedError."""
    if "reveal" in line:
        return _parse_reveal(line)
    if "do" not in line:
        raise MalformedError("the line lacks the key 'do'")
    do = as_choice(line["do"], "do", tuple(_KEYS))
    if do == "book":
        return _parse_book(line)
    keys = _KEYS[do] if line.get("way") not in ("place", "clear") else ("way", "row")
    as_object(line, "the line", ("player", "do", *keys))
    player = as_string(line["player"], "player")
    if do == "side":
        return ChooseSide(player=player, side=_side(line))
    if do == "chaos":
        way = as_choice(line["way"], "way", _WAYS)
        return Chaos(player=player, way=way, row=None if way == "draw" else _row(line["row"]))
    return _parse_turn(line, do, player, as_dream(line["card"], "card"))


def _parse_turn(line: Json, do: str, player: str, card: str) -> Turn:
    if do == "play":
        return Play(player=player, card=card, row=_row(line["row"]), side=_side(line))
    if do == "discard":
        return Discard(player=player, card=card)
    if do == "swap":
        first, second = (_swap_end(end) for end in as_list(line["cards"], "cards", 2))
        return Swap(player=player, card=card, side=_side(line), cards=(first, second))
    if do == "balance":
        return Balance(player=player, card=card, remove=_removals(line["remove"]))
    return SwapPolarity(player=player, card=card)


def _parse_book(line: Json) -> Turn:
    if "book" not in line:
        raise MalformedError("the line lacks the key 'book'")
    book = as_choice(line["book"], "book", BOOKS)
    as_object(line, "the line", ("player", "do", "card", "book", *_book_keys(book)))
    player, card = as_string(line["player"], "player"), as_dream(line["card"], "card")
    if book == AGORAPHILIA:
        return Agoraphilia(player=player, card=card, row=_row(line["row"]))
    if book == AMAZING_BALANCE:
        return Balance(player=player, card=card, remove=_removals(line["remove"]), is_amazing=True)
    if book == PROPHECY:
        order = (None if c is None else as_dream(c, "a dream") for c in as_list(line["order"], "order"))
        return Prophecy(player=player, card=card, order=tuple(order))
    dream = as_dream(line["dream"], "dream")
    if book in (FLYING_INCUBI, FLYING_SANAE):
        start, end = _row(line["from"]), _row(line["to"])
        return Fly(player=player, card=card, book=book, start=start, end=end, dream=dream)
    return Vanish(player=player, card=card, book=book, row=_row(line["row"]), dream=dream)


def _book_keys(book: str) -> tuple[str, ...]:
    if book == AGORAPHILIA:
        return ("row",)
    if book == AMAZING_BALANCE:
        return ("remove",)
    if book == PROPHECY:
        return ("order",)
    return ("from", "to", "dream") if book in (FLYING_INCUBI, FLYING_SANAE) else ("row", "dream")


def _parse_reveal(line: Json) -> Reveal:
    as_object(line, "the line", ("reveal",))
    shown = as_object(line["reveal"], "reveal", (), ("dreams", "cities"))
    dreams = tuple(as_dream(card, "a revealed dream") for card in as_list(shown.get("dreams", []), "dreams"))
    cities = tuple(as_city(city, "a revealed city") for city in as_list(shown.get("cities", []), "cities"))
    if not shown or any(not entries for entries in shown.values()):
        raise MalformedError("reveal shows nothing")
    return Reveal(dreams=dreams or None, cities=cities or None)


def _row(value: object) -> int:
    return as_integer(value, "a row", 0, ROWS - 1)


def _side(line: Json) -> str:
    return as_choice(line["side"], "side", SIDES)


def _swap_end(value: object) -> tuple[int, str]:
    end = as_object(value, "a card to swap", ("row", "card"))
    return _row(end["row"]), as_dream(end["card"], "a card to swap")


def _removals(value: object) -> tuple[Removal, ...]:
    return tuple(_removal(entry) for entry in as_list(value, "remove"))


def _removal(value: object) -> Removal:
    entry = as_object(value, "a removal", ("row", *SIDES))
    left, right = (tuple(as_dream(c, f"a card to remove {s}") for c in as_list(entry[s], s)) for s in SIDES)
    return Removal(row=_row(entry["row"]), left=left, right=right)


# -- writing ----------------------------------------------------------------------------------------


def format_action(action: Action) -> Json:
    """Return the line of an action."""
    match action:
        case Reveal():
            shown = {"dreams": action.dreams, "cities": action.cities}
            return {"reveal": {deck: list(cards) for deck, cards in shown.items() if cards}}
        case ChooseSide():
            return {"player": action.player, "do": "side", "side": action.side}
        case Chaos():
            row = {} if action.row is None else {"row": action.row}
            return {"player": action.player, "do": "chaos", "way": action.way, **row}
        case _:
            return _format_turn(action)


def _format_turn(action: Turn) -> Json:
    do, members = _turn_members(action)
    return {"player": action.player, "do": do, "card": action.card, **members}


def _turn_members(action: Turn) -> tuple[str, Json]:
    match action:
        case Play():
            return "play", {"row": action.row, "side": action.side}
        case Discard():
            return "discard", {}
        case Swap():
            cards = [{"row": row, "card": card} for row, card in action.cards]
            return "swap", {"side": action.side, "cards": cards}
        case Balance():
            remove = [{"row": r.row, "left": list(r.left), "right": list(r.right)} for r in action.remove]
            return (
                ("book", {"book": AMAZING_BALANCE, "remove": remove})
                if action.is_amazing
                else (
                    "balance",
                    {"remove": remove},
                )
            )
        case SwapPolarity():
            return "polarity", {}
        case Fly():
            return "book", {
                "book": action.book,
                "from": action.start,
                "to": action.end,
                "dream": action.dream,
            }
        case Vanish():
            return "book", {"book": action.book, "row": action.row, "dream": action.dream}
        case Agoraphilia():
            return "book", {"book": AGORAPHILIA, "row": action.row}
        case Prophecy():
            return "book", {"book": PROPHECY, "order": list(action.order)}
        case _:
            assert_never(action)


# -- checkpoints ------------------------------------------------------------------------------------


def checkpoint(state: UrbionState) -> Json:
    """Return the checkpoint of a state: all that is sure. What only helps watching is no part of a record."""
    table = format_table(predict(state))
    unsure = () if state.is_counted else ("dreams", "discarded")
    counts = {key: count for key, count in _counts(state).items() if key not in unsure}
    return {**counts, "table": {key: table[key] for key in table if key not in ("waiting", "drawn")}}


def _counts(state: UrbionState) -> dict[str, Any]:
    return {
        "subdued": state.subdued,
        "cities": len(state.cities),
        "dreams": len(state.dreams),
        "discarded": len(state.discards),
        "turn": turn_of(state),
        "pending": state.pending,
    }


def check(state: UrbionState, claimed: Json) -> None:
    """Compare a checkpoint with the state; raises MalformedError naming the first difference."""
    actual = _counts(state)
    as_object(claimed, "the checkpoint", (), (*actual, "table"))
    for key, value in claimed.items():
        if key != "table":
            compare(value, actual[key], key)
        elif value != UNSEEN:
            compare_table(state, value)
