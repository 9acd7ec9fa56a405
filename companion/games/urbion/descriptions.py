"""States and actions of Urbion in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

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
    Reveal,
    Swap,
    SwapPolarity,
    Turn,
    Vanish,
)
from companion.games.urbion.catalogue import LEFT
from companion.games.urbion.legal import open_rows
from companion.games.urbion.state import Row, UrbionState, turn_of
from companion.games.urbion.texts import dream_name
from companion.i18n import Message, join, msg
from companion.names import player_name


def describe_chaos(state: UrbionState, action: Chaos) -> Message:
    """Return one of a Chaos card's options in words."""
    if action.way == "draw" or action.row is None:
        return msg("discard it and draw four dreams")
    city, row = state.rows[action.row], action.row + 1
    if action.way == "clear":
        return msg("discard it and all dreams of row {row}", row=row)
    if city is not None and city.chaos_side == LEFT:
        return msg("lay it on the left of row {row}", row=row)
    return msg("lay it on the right of row {row}", row=row)


def dreams_left(state: UrbionState) -> str:
    """Return the number of dreams in the deck, or the most there can be."""
    return str(len(state.dreams)) if state.is_counted else f"at most {len(state.dreams)}"


def describe_row(row: Row | None) -> str:
    """Return a city with its dreams in a few words."""
    if row is None:
        return "-"
    return f"{' '.join(row.left) or '.'} | {row.city} | {' '.join(row.right) or '.'}"


def describe(state: UrbionState) -> str:
    """Return the state in a few lines."""
    turn = turn_of(state)
    whose = f"{turn} to act" if turn else f"over ({state.reason})"
    pending = f", {state.pending} pending" if state.pending else ""
    rows = "; ".join(f"{number}: {describe_row(row)}" for number, row in enumerate(state.rows))
    hands = "; ".join(
        f"{player}: {' '.join(hand)}" for player, hand in zip(state.players, state.hands, strict=True)
    )
    decks = f"{state.subdued} claimed, {len(state.cities)} cities, {dreams_left(state)} dreams"
    return f"{whose}{pending}; {decks}; {rows}; {hands}"


def describe_action(state: UrbionState, action: Action) -> Message:
    """Return the action in words; rows count from 1."""
    match action:
        case Reveal():
            return msg("The next cards of the decks become known")
        case ChooseSide():
            pair = cards_text(state.pair)
            if action.side == LEFT:
                return msg("{player} lays the pair on the left: {cards}", player=_who(action), cards=pair)
            return msg("{player} lays the pair on the right: {cards}", player=_who(action), cards=pair)
        case Chaos():
            return msg("{player}, Chaos: {what}", player=_who(action), what=describe_chaos(state, action))
        case Play():
            card, row = dream_name(action.card), action.row + 1
            if action.side == LEFT:
                return msg(
                    "{player} lays {card} on the left of row {row}", player=_who(action), card=card, row=row
                )
            return msg(
                "{player} lays {card} on the right of row {row}", player=_who(action), card=card, row=row
            )
        case _:
            return _describe_spending(state, action)


def cards_text(cards: Iterable[str | None]) -> Message:
    """Return dreams in words, one after the other; of an unknown one a question mark."""
    return join(", ", ["?" if card is None else dream_name(card) for card in cards])


def _who(action: ChooseSide | Chaos | Turn) -> str:
    return player_name(action.player)


def _describe_spending(state: UrbionState, action: Turn) -> Message:
    """Return in words which card is discarded, and what for."""
    player, card = _who(action), dream_name(action.card)
    match action:
        case Play() | Discard():
            return msg("{player} discards {card}", player=player, card=card)
        case Swap():
            (row, one), (other_row, other) = action.cards
            return msg(
                "{player} discards {card} and swaps {one} in row {row} with {other} in row {other_row}",
                player=player,
                card=card,
                one=dream_name(one),
                row=row + 1,
                other=dream_name(other),
                other_row=other_row + 1,
            )
        case SwapPolarity():
            return msg("{player} discards {card} and swaps the polarity cards", player=player, card=card)
        case Balance():
            return _describe_balance(state, action)
        case _:
            return _describe_book(action)


def _describe_book(action: Fly | Vanish | Agoraphilia | Prophecy) -> Message:
    player, card = _who(action), dream_name(action.card)
    match action:
        case Fly():
            return msg(
                "{player} discards {card} and moves {dream} from row {start} to row {end}",
                player=player,
                card=card,
                dream=dream_name(action.dream),
                start=action.start + 1,
                end=action.end + 1,
            )
        case Vanish():
            return msg(
                "{player} discards {card}, and {dream} from row {row} too",
                player=player,
                card=card,
                dream=dream_name(action.dream),
                row=action.row + 1,
            )
        case Agoraphilia():
            return msg(
                "{player} discards {card} and claims the city without dreams in row {row}",
                player=player,
                card=card,
                row=action.row + 1,
            )
        case Prophecy():
            return msg(
                "{player} discards {card} and puts the next dreams back: {cards}",
                player=player,
                card=card,
                cards=cards_text(action.order),
            )
        case _:
            assert_never(action)


def _describe_balance(state: UrbionState, action: Balance) -> Message:
    done = [msg("claims row {row}", row=row + 1) for row, city in open_rows(state) if city.is_balanced]
    done += [
        msg("removes {cards} from row {row}", cards=cards_text((*each.left, *each.right)), row=each.row + 1)
        for each in action.remove
    ]
    told = {"player": _who(action), "card": dream_name(action.card), "what": join(", ", done)}
    if action.is_amazing:
        return msg("{player} discards {card} for Amazing Balance and {what}", **told)
    return msg("{player} discards {card} and {what}", **told)
