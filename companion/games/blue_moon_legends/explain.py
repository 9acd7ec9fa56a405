"""Reconciling: what a snapshot of the table means in a state.

The shortest runs of likely actions (`hypotheses`) are played by the rules until one casts the table that was
seen. Runs of the same length that end alike are one explanation; others are a question. Where no run gets
there, a run that only leaves work by hand to do is waited for, and else the rule that its most likely reading
breaks is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from companion.errors import Param, RuleViolation
from companion.games.blue_moon_legends.actions import Action, Announce, Call, Play
from companion.games.blue_moon_legends.hypotheses import candidates, is_step
from companion.games.blue_moon_legends.reminders import text
from companion.games.blue_moon_legends.rules import apply
from companion.games.blue_moon_legends.sight import Difference, Sight, Way, fixes_for
from companion.games.blue_moon_legends.state import State
from companion.games.blue_moon_legends.table import COUNTS
from companion.games.blue_moon_legends.wording import describe_action
from companion.reconcile.decision import Accepted, Ask, Choice, Decision, InStep, OutOfStep, Waiting
from companion.reconcile.observation import Snapshot

MOST_ACTIONS: Final = 7  # in one run
MOST_STEPS: Final = 3  # actions of a run that leave no card on the table
MOST_NODES: Final = 160  # states looked at for one snapshot
MOST_CHOICES: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    """A state on the way, the actions that led to it, and what still differs."""

    state: State
    actions: tuple[Action, ...]
    left: list[Difference]
    steps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Refusal:
    """A likely action that a rule refused."""

    error: RuleViolation
    depth: int
    is_step: bool
    action: Action


@dataclass(slots=True)
class _Search:
    """The search from one state towards one snapshot."""

    sight: Sight
    start: State
    exact: list[_Node] = field(default_factory=list)
    nearly: list[_Node] = field(default_factory=list)
    refusals: list[_Refusal] = field(default_factory=list)

    def run(self, left: list[Difference]) -> None:
        """Look at runs in order of length; stop at the first length that explains everything."""
        level, seen, nodes = [_Node(state=self.start, actions=(), left=left)], set[State](), 0
        for _ in range(MOST_ACTIONS):
            following: list[_Node] = []
            for node in level:
                for child in self._children(node):
                    key = _key(child.state)
                    if key in seen:
                        continue
                    seen.add(key)
                    nodes += 1
                    self._keep(child, following)
                    if nodes >= MOST_NODES:
                        return
            if self.exact or not following:
                return
            level = sorted(following, key=lambda node: len(node.left))

    def _keep(self, child: _Node, following: list[_Node]) -> None:
        if not child.left or _is_call(child):
            self.exact.append(child)
            return
        if all(_is_by_hand(self.start, child.state, each) for each in child.left):
            self.nearly.append(child)
        if child.state.outcome is None and child.steps <= MOST_STEPS:
            following.append(child)

    def _children(self, node: _Node) -> Iterator[_Node]:
        for action in candidates(node.state, self.sight, node.left):
            step = is_step(action)
            try:
                state, _ = apply(node.state, action)
            except RuleViolation as error:
                refusal = _Refusal(error=error, depth=len(node.actions), is_step=step, action=action)
                self.refusals.append(refusal)
                continue
            yield _Node(
                state=state,
                actions=(*node.actions, action),
                left=self.sight.differences(state),
                steps=node.steps + step,
            )


def _key(state: State) -> State:
    """Return the state without what two orders of the same actions may leave behind differently."""
    played = tuple(sorted(state.turn.played, key=lambda each: str(each.card)))
    sides = tuple(
        replace(
            side,
            combat=tuple(sorted(side.combat, key=lambda laid: (laid.is_active, str(laid.card)))),
            support=tuple(sorted(side.support, key=lambda laid: str(laid.card))),
            discard=tuple(sorted(side.discard, key=str)),
        )
        for side in state.sides
    )
    return replace(state, actions=0, turn=replace(state.turn, played=played), sides=(sides[0], sides[1]))


# -- nearly explained -------------------------------------------------------------------------------


def _is_call(node: _Node) -> bool:
    """Whether all that is left over are the bluff cards that were just turned up."""
    call = node.actions[-1]
    return isinstance(call, Call) and all(
        (each.way is Way.EXTRA and each.card in call.cards) or each.area in COUNTS for each in node.left
    )


def _is_by_hand(start: State, state: State, left: Difference) -> bool:
    """Whether a difference is work that the players still have to do after the run."""
    if left.area == "dragon":
        return state.dragons != start.dragons
    if left.area in COUNTS:
        return True
    if left.area == "element":
        return True
    if left.way is not Way.EXTRA or left.side is None:
        return False
    before = start.sides[left.side]
    lay = [laid.card if not laid.is_bluff else "back" for laid in (*before.combat, *before.support)]
    lay += [card for ship in (*before.ships, *before.landed) for card in (ship.card, *ship.cargo)]
    return left.card in lay or left.card in before.revealed


def _progress(node: _Node, left: list[Difference]) -> bool:
    """Whether the run explains most of what differs: then what is left over is likely under way."""
    cleared = sum(each.way is Way.MISSING for each in left)
    waiting = sum(each.way is Way.EXTRA for each in node.left)
    moved = any(each.area == "dragon" for each in left) and not any(
        each.area == "dragon" for each in node.left
    )
    laid = any(not is_step(action) for action in node.actions)
    return laid or moved or cleared > waiting


# -- the verdict ------------------------------------------------------------------------------------


def explain(state: State, seen: Snapshot) -> Decision[Action]:
    """Say what the snapshot means; pure and deterministic."""
    sight = Sight(state.setup, seen)
    left = sight.differences(state)
    if not left:
        return InStep()
    if seen.busy:
        return Waiting(text="A hand is over the table.")
    if state.outcome is not None:
        return InStep(text="The game is over.")
    search = _Search(sight, state)
    search.run(left)
    if search.exact:
        return _accepted(state, search.exact)
    under_way = [node for node in search.nearly if _progress(node, left)]
    if under_way:
        return _waiting(state, under_way[0])
    rule, params = _broken_rule(state, sight, left, search.refusals)
    return OutOfStep(rule=rule, text=text(rule, params), params=params, fixes=fixes_for(left))


def _words(state: State, actions: tuple[Action, ...]) -> str:
    return "; ".join(describe_action(state, action) for action in actions) + "."


def _accepted(state: State, nodes: list[_Node]) -> Decision[Action]:
    if len(nodes) == 1:
        node = nodes[0]
        return Accepted(actions=node.actions, text=_words(state, node.actions), pending=fixes_for(node.left))
    choices = tuple(
        Choice(actions=node.actions, text=_words(state, node.actions)) for node in nodes[:MOST_CHOICES]
    )
    return Ask(text="Which of these happened?", choices=choices)


def _waiting(state: State, node: _Node) -> Waiting:
    fixes = fixes_for(node.left)
    todo = " ".join(fix.text for fix in fixes)
    return Waiting(text=f"{_words(state, node.actions)} Still to do: {todo}", pending=fixes)


# -- naming the broken rule ---------------------------------------------------------------------------


def _broken_rule(
    state: State, sight: Sight, left: list[Difference], refusals: list[_Refusal]
) -> tuple[str, dict[str, Param]]:
    """Return the rule that the most likely reading breaks, with what its text names."""
    foreign = _foreign(state, left)
    if foreign is not None:
        return foreign
    laid = [each for each in refusals if not each.is_step]
    stuck = [
        each
        for each in refusals
        if isinstance(each.action, Announce) and each.error.rule != "power.no_character"
    ]
    by_others = any(each.way is Way.EXTRA and each.side == 1 - state.active for each in left)
    ordered = sorted(laid, key=lambda each: (each.depth, not isinstance(each.action, Play)))
    if ordered and not (by_others and ordered[0].depth > 0 and _is_out_of_turn(refusals)):
        return ordered[0].error.rule, dict(ordered[0].error.params)
    if stuck and by_others:
        return stuck[0].error.rule, dict(stuck[0].error.params)
    return _by_difference(state, left)


def _is_out_of_turn(refusals: list[_Refusal]) -> bool:
    """Whether the active player has not even begun what the other one goes on from."""
    return any(each.error.rule == "power.no_character" for each in refusals)


def _foreign(state: State, left: list[Difference]) -> tuple[str, dict[str, Param]] | None:
    for each in left:
        if each.way is Way.EXTRA and each.side is not None and each.card in state.setup.cards:
            owned = {str(card) for card in state.setup.owned[each.side]}
            if each.card not in owned:
                player = state.setup.players[each.side]
                return "card.foreign", {"card": each.card, "player": player}
    return None


def _by_difference(state: State, left: list[Difference]) -> tuple[str, dict[str, Param]]:
    """Name the rule by what differs, where no single action could be meant."""
    order = {"combat": 0, "support": 0, "ship": 0, "cargo": 0, "landed": 0, "open": 0, "leader": 1}
    first = min(left, key=lambda each: order.get(each.area, 2 if each.area == "dragon" else 3))
    player = state.setup.players[first.side] if first.side is not None else "the board"
    if first.area == "dragon":
        dragons = state.dragons_of(first.side) if first.side is not None else 3 - abs(state.dragons)
        return "dragon.unearned", {"player": player, "dragons": dragons}
    if first.area == "element":
        return "element.wrong", {"element": first.wanted or "not chosen yet"}
    if first.area in COUNTS:
        return "count.wrong", {"place": f"{player}'s {first.area}"}
    if first.way is Way.MISSING:
        return "card.gone", {"card": first.card}
    if first.side == 1 - state.active:
        return "turn.not_yours", {"player": player}
    return ("card.moved", {"card": first.card}) if first.card else ("table.unexplained", {})
