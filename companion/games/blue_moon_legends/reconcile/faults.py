"""What is wrong with a table that no legal run explains: the rule that its most likely reading breaks."""

from __future__ import annotations

from companion.errors import Param
from companion.games.blue_moon_legends.actions import (
    Action,
    Announce,
    Bluff,
    Drop,
    Launch,
    Lead,
    Load,
    Play,
    Retrieve,
    Unload,
)
from companion.games.blue_moon_legends.catalogue import DRAGONS
from companion.games.blue_moon_legends.reconcile.seen_table import Difference, Way
from companion.games.blue_moon_legends.state import State
from companion.games.blue_moon_legends.table import COUNTS
from companion.games.blue_moon_legends.texts import area_name
from companion.games.kit.search import Refusal
from companion.i18n import msg


def broken_rule(
    state: State, left: list[Difference], refusals: list[Refusal[Action]], *, is_hand_counted: bool
) -> tuple[str, dict[str, Param]]:
    """Return the rule that the most likely reading breaks, with what its text names.

    `is_hand_counted` says whether the active side's hand is seen to be as large as it is.
    """
    is_into_hand = not is_hand_counted or any(
        each.way is Way.EXTRA or (each.area == "hand" and each.side == state.active) for each in left
    )
    laid = [
        each
        for each in refusals
        if _is_about(each.actions[0], left) and (is_into_hand or not isinstance(each.actions[0], Retrieve))
    ]
    stuck = [
        each
        for each in refusals
        if isinstance(each.actions[0], Announce) and each.error.rule != "power.no_character"
    ]
    by_others = any(each.way is Way.EXTRA and each.side == 1 - state.active for each in left)
    ordered = sorted(laid, key=lambda each: (each.depth, _rank(each.actions[0])))
    if ordered and not (by_others and ordered[0].depth > 0 and _is_out_of_turn(refusals)):
        return ordered[0].error.rule, dict(ordered[0].error.params)
    if stuck and by_others:
        return stuck[0].error.rule, dict(stuck[0].error.params)
    return _by_difference(state, left)


def _rank(action: Action) -> int:
    """Return how likely the action is what was meant: laying a card, anything else, joining a gang."""
    return 1 if not isinstance(action, Play) else 2 * action.joins


def _is_about(action: Action, left: list[Difference]) -> bool:
    """Whether the action is about a card that differs on the table, and not about one on the way there."""
    cards = {each.card for each in left}
    if isinstance(action, Bluff | Drop):
        return "back" in cards
    if isinstance(action, Play | Lead | Launch | Load | Retrieve):
        return action.card in cards
    return isinstance(action, Unload) and action.ship in cards


def _is_out_of_turn(refusals: list[Refusal[Action]]) -> bool:
    """Whether the active player has not even begun what the other one goes on from."""
    return any(each.error.rule == "power.no_character" for each in refusals)


def foreign_card(state: State, left: list[Difference]) -> tuple[str, dict[str, Param]] | None:
    """Return the rule that a card on a side to which it does not belong breaks, None if all belong."""
    for each in left:
        if each.way is Way.EXTRA and each.side is not None and each.card in state.setup.cards:
            owned = {str(card) for card in state.setup.owned[each.side]}
            if each.card not in owned:
                player = state.setup.players[each.side]
                return "card.foreign", {"card": each.card, "player": player}
    return None


def unearned_dragon(state: State, found: Difference) -> tuple[str, dict[str, Param]]:
    """Return the rule that a dragon breaks which stands where nothing has brought it."""
    dragons = DRAGONS - abs(state.dragons) if found.side is None else state.dragons_of(found.side)
    return "dragon.unearned", {"player": _whose(state, found), "dragons": dragons}


def _whose(state: State, found: Difference) -> str:
    return state.setup.players[found.side] if found.side is not None else "the board"


def _by_difference(state: State, left: list[Difference]) -> tuple[str, dict[str, Param]]:
    """Name the rule by what differs, where no single action could be meant."""
    order = {"combat": 0, "support": 0, "ship": 0, "cargo": 0, "landed": 0, "open": 0, "leader": 1}
    first = min(left, key=lambda each: order.get(each.area, 2 if each.area == "dragon" else 3))
    player = _whose(state, first)
    if first.area == "dragon":
        return unearned_dragon(state, first)
    if first.area == "element":
        return "element.wrong", {"element": first.wanted or msg("not chosen yet")}
    if first.area == "winner":
        return "winner.wrong", {}
    if first.area in COUNTS:
        return "count.wrong", {"place": area_name(first.area, player)}
    if first.way is Way.MISSING:
        return "card.gone", {"card": first.card}
    if first.side == 1 - state.active:
        return "turn.not_yours", {"player": player}
    return ("card.moved", {"card": first.card}) if first.card else ("table.unexplained", {})
