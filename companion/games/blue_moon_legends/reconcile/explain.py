"""Reconciling: what a snapshot of the table means in a state.

The shortest runs of likely actions (`hypotheses`) are played by the rules until one casts the table that was
seen. Runs of the same length that end alike are one explanation; others are a question. Where no run gets
there, a run that only leaves work by hand to do is waited for, and else the rule that its most likely reading
breaks is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final

from companion.decision import Accepted, Ask, Choice, Decision, InStep, OutOfStep, Waiting
from companion.errors import RuleViolation
from companion.games.blue_moon_legends.actions import (
    Action,
    Call,
    Decline,
    Launch,
    Lead,
    Play,
    Retreat,
    Retrieve,
    Use,
)
from companion.games.blue_moon_legends.descriptions import describe_action
from companion.games.blue_moon_legends.reconcile.disguise import in_disguise
from companion.games.blue_moon_legends.reconcile.faults import (
    Refusal,
    broken_rule,
    foreign_card,
    unearned_dragon,
)
from companion.games.blue_moon_legends.reconcile.hypotheses import candidates, is_step
from companion.games.blue_moon_legends.reconcile.seen_table import Difference, SeenTable, Way, fixes_for
from companion.games.blue_moon_legends.rules.apply import apply
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.state import Hidden, Phase, Side, State, changed
from companion.games.blue_moon_legends.table import COUNTS
from companion.games.blue_moon_legends.texts import text
from companion.observation import Snapshot

MOST_ACTIONS: Final = 7  # in one run
_LAID_ONE_BY_ONE: Final = ("combat", "support", "ship")
MOST_STEPS: Final = 5  # actions of a run that leave no card on the table
MOST_NODES: Final = 80  # states looked at for one snapshot
MOST_CHOICES: Final = 6
_MOST_TURNS: Final = 4  # turns that one picture may bring the game on
_MOST_ENDED: Final = 2  # fights declined, and retreats, that are told apart in one run
_MOST_BEFORE_DRAGON: Final = 3  # announcement, answer, retreat


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    """A state on the way, the actions that led to it, and what still differs.

    Attributes:
        steps: actions that leave no card on the table.
        turned_up_by: the side that was active before the last action.
    """

    state: State
    actions: tuple[Action, ...]
    left: list[Difference]
    steps: int = 0
    turned_up_by: int = 0


@dataclass(slots=True)
class _Search:
    """The search from one state towards one snapshot.

    Attributes:
        exact: runs that explain the table.
        nearly: runs that leave work by hand to do.
        astray: runs that would, but for a dragon that went too far.
        refusals: what the rules did not let pass.
    """

    sight: SeenTable
    start: State
    exact: list[_Node] = field(default_factory=list)
    nearly: list[_Node] = field(default_factory=list)
    astray: list[tuple[_Node, Difference]] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    def run(self, left: list[Difference]) -> None:
        """Look at runs in order of length; stop at the first length that explains everything."""
        level, seen, nodes = [_Node(state=self.start, actions=(), left=left)], set[object](), 0
        sides = _Sides()
        for depth in range(1, MOST_ACTIONS + 1):
            following: list[_Node] = []
            for node in level:
                for child in self._children(node):
                    key = _key(child.state, sides)
                    if key in seen:
                        continue
                    seen.add(key)
                    nodes += 1
                    self._keep(child, following)
                    if nodes >= MOST_NODES:
                        return
            if (self.exact and not self._is_one_sided(depth)) or not following:
                return
            level = sorted(following, key=lambda node: len(node.left))

    def _is_one_sided(self, depth: int) -> bool:
        """Whether all that explains the table so far is a retreat, or rests on cards laid unseen before one.

        What else may be as likely is longer by an announcement (after which the other side retreats, say) and
        by what must be said before a turn ends, so such runs must be looked at as well.
        """
        shortest = min(len(node.actions) for node in self.exact)
        return depth < shortest + _longest_announcement(self.start) and all(
            len(node.actions) == shortest and (isinstance(node.actions[-1], Retreat) or _unseen(node))
            for node in self.exact
        )

    def _keep(self, child: _Node, following: list[_Node]) -> None:
        if not child.left or _is_call(self.start, self.sight, child):
            if not self.exact or self._is_as_short(child) or self._is_rival(child):
                self.exact.append(child)
            return
        odd = [each for each in child.left if not _is_by_hand(self.start, child, each)]
        if not odd:
            self.nearly.append(child)
        elif all(_is_too_far(self.start, child, each) for each in odd):
            self.astray.append((child, odd[0]))
        if child.state.outcome is None and child.steps <= MOST_STEPS and not self._is_past(child):
            following.append(child)

    def _is_past(self, child: _Node) -> bool:
        """Whether nothing that follows can explain the table, or make it likelier to be on its way.

        More happened than one picture tells; more cards lie there than can still be laid one by one; or what
        the last fight left behind was not seen to before more was played: cards to clear, dragons to move.
        """
        new = (each for each in child.left if each.way is Way.EXTRA and each.area in _LAID_ONE_BY_ONE)
        owed = sum(not _is_by_hand(self.start, child, each) for each in new)
        if len(child.actions) + owed > MOST_ACTIONS:
            return True
        ends = Counter(type(each) for each in child.actions if isinstance(each, Decline | Retreat))
        if (
            child.state.number - self.start.number > _MOST_TURNS
            or max(ends.values(), default=0) > _MOST_ENDED
        ):
            return True
        last = child.actions[-1]
        if isinstance(last, Retreat):
            return False
        if any(each.area == "dragon" for each in child.left) and Retreat in ends:
            return True
        return not isinstance(last, Decline) and self.sight.shows_cleared(child.state, child.left)

    def _is_rival(self, child: _Node) -> bool:
        """Whether a longer run leaves the same table as a retreat that was found.

        That is the other side's retreat; a declined fight after it where the retreat needs cards that nobody
        saw, or moves two dragons at once; a power used after it instead of a card laid unseen before it; or
        what ends the game without such cards.
        """
        last = child.actions[-1]
        found = [node.actions[-1] for node in self.exact]
        needs_unseen = any(map(_unseen, self.exact))
        if isinstance(last, Retreat) and not last.cards:
            is_over = child.state.outcome is not None
            return all(last.player != each.player for each in found) or (is_over and needs_unseen)
        if isinstance(last, Use):
            return any(len(_unseen(node)) > len(_unseen(child)) for node in self.exact)
        return isinstance(last, Decline) and (needs_unseen or any(map(self._may_be_two_fights, self.exact)))

    def _may_be_two_fights(self, node: _Node) -> bool:
        """Whether a declined fight may have followed a retreat: it moves two dragons, or comes late."""
        last = node.actions[-1]
        if not isinstance(last, Retreat):
            return False
        return abs(node.state.dragons - self.start.dragons) > 1 or _has_begun(node.actions, last.player)

    def _is_unwitnessed(self, node: _Node, action: Action) -> bool:
        """Whether a second declined fight would be assumed in one run with nothing to show for either."""
        declined = any(isinstance(each, Decline) for each in node.actions)
        return declined and isinstance(action, Decline) and not self.sight.sees_piles()

    def _is_as_short(self, child: _Node) -> bool:
        return len(child.actions) == min(len(node.actions) for node in self.exact)

    def _children(self, node: _Node) -> Iterator[_Node]:
        for action in candidates(node.state, self.sight, node.left):
            if self._is_unwitnessed(node, action):
                continue
            step = is_step(action)
            try:
                state, _ = apply(node.state, action)
            except RuleViolation as error:
                refusal = Refusal(error=error, depth=len(node.actions), action=action)
                self.refusals.append(refusal)
                continue
            left = self.sight.differences(state)
            if self.sight.is_beyond(state, left):
                continue
            yield _Node(
                state=state,
                actions=(*node.actions, action),
                left=left,
                steps=node.steps + step,
                turned_up_by=node.state.active,
            )


def _longest_announcement(state: State) -> int:
    """Return how many actions may lie between the last card laid and the other side's turn."""
    call = any(laid.is_bluff for laid in state.mine.support)
    end = any(
        entry.card.power is not None and entry.card.power.when == "end_of_my_turn"
        for entry in Force(state).sides[state.active]
    )
    return 1 + call + end


def _key(state: State, sides: _Sides) -> tuple[object, ...]:
    """Return the state without what two orders of the same actions may leave behind differently."""
    counted = [replace(each, card=None) for each in state.turn.played]
    played = tuple(sorted(counted, key=lambda each: (each.kind, each.group, each.is_free)))
    cost = state.turn.retreat_cost
    turn = changed(state.turn, played=played, retreat_cost=None)
    first, second = (sides.number_of(side) for side in state.sides)
    return (
        first,
        second,
        state.active,
        turn,
        cost.dragons if cost is not None else None,
        state.fight,
        state.dragons,
        state.pending,
        state.out,
        state.outcome,
    )


class _Sides:
    """Numbers the sides that a search has met; those that differ only in the order of cards have one number.

    Most actions leave one side as it is, so each is put in order only once.
    """

    def __init__(self) -> None:
        self._met: dict[int, tuple[Side, int]] = {}
        self._numbers: dict[Side, int] = {}

    def number_of(self, side: Side) -> int:
        """Return the number of a side."""
        known = self._met.get(id(side))
        if known is None:  # the side is kept as well, so that nothing else gets its id
            number = self._numbers.setdefault(_in_order(side), len(self._numbers))
            self._met[id(side)] = known = (side, number)
        return known[1]


def _in_order(side: Side) -> Side:
    return changed(
        side,
        combat=tuple(sorted(side.combat, key=lambda laid: (laid.is_active, str(laid.card)))),
        support=tuple(sorted(side.support, key=lambda laid: str(laid.card))),
        discard=tuple(sorted(side.discard, key=str)),
        hand=tuple(sorted(side.hand, key=str)),
        ships=tuple(replace(ship, cargo=tuple(sorted(ship.cargo))) for ship in side.ships),
    )


# -- nearly explained -------------------------------------------------------------------------------


def _is_call(start: State, sight: SeenTable, node: _Node) -> bool:
    """Whether bluff cards were just turned up: they lie there face up, and all else is work by hand.

    What they were is known now only, so the call is taken as soon as it is seen.
    """
    call = node.actions[-1]
    if not isinstance(call, Call) or not set(call.cards) <= set(sight.cards("support", node.turned_up_by)):
        return False
    return all(
        (each.way is Way.EXTRA and each.card in call.cards) or _is_by_hand(start, node, each)
        for each in node.left
    )


def _is_by_hand(start: State, node: _Node, left: Difference) -> bool:
    """Whether a difference is work that the players still have to do after the run."""
    if left.area == "dragon":
        if _is_too_far(start, node, left):
            return False
        return node.state.dragons != start.dragons or any(isinstance(each, Retreat) for each in node.actions)
    if left.area in COUNTS:
        return True
    if left.area == "element":
        return True
    if left.area == "winner":
        return node.state.outcome is not None and left.seen is None
    if left.way is not Way.EXTRA or left.side is None:
        return False
    before = start.sides[left.side]
    lay = [laid.card if not laid.is_bluff else "back" for laid in (*before.combat, *before.support)]
    lay += [card for ship in (*before.ships, *before.landed) for card in (ship.card, *ship.cargo)]
    return left.card in lay or left.card in before.revealed


def _is_too_far(start: State, node: _Node, left: Difference) -> bool:
    """Whether a dragon stands further from where it was than the run takes it."""
    if left.area != "dragon" or left.side is None:
        return False
    return start.dragons_of(left.side) <= node.state.dragons_of(left.side)


def _is_under_way(node: _Node, left: list[Difference]) -> bool:
    """Whether the table may well be on its way to the end of the run.

    A retreat that shows in nothing but a single missing card is none; its dragon or most of its cards must
    have moved.
    """
    missing = {each.card for each in left if each.way is Way.MISSING}
    if any(isinstance(action, Retrieve) and action.card not in missing for action in node.actions):
        return False
    if any(isinstance(action, Decline) for action in node.actions[:-1]):
        return False
    if not any(isinstance(action, Retreat | Call) for action in node.actions):
        return any(not is_step(action) for action in node.actions)
    cleared = sum(each.way is Way.MISSING for each in left)
    waiting = sum(each.way is Way.EXTRA for each in node.left)
    moved = any(each.area == "dragon" for each in left) and not any(
        each.area == "dragon" for each in node.left
    )
    return cleared > waiting or (moved and len(node.actions) <= _MOST_BEFORE_DRAGON)


# -- the verdict ------------------------------------------------------------------------------------


def explain(state: State, seen: Snapshot) -> Decision[Action]:
    """Say what the snapshot means; pure and deterministic."""
    sight = SeenTable(state.setup, seen)
    left = sight.differences(state)
    if not left:
        return InStep()
    if seen.busy:
        return Waiting(text="A hand is over the table.")
    if state.outcome is not None:
        return InStep(text="The game is over.")
    foreign = foreign_card(state, left)
    search = _Search(sight, state)
    if foreign is None:  # no run lays a card that the side does not own
        search.run(left)
    if search.exact:
        return _accepted(state, sight, left, search.exact)
    if foreign is None and sight.is_partial(left):
        return Waiting(text="Some cards cannot be seen or read just now.")
    under_way = [node for node in search.nearly if _is_under_way(node, left)]
    if under_way:
        return _waiting(state, under_way[0])
    far = [unearned_dragon(node.state, odd) for node, odd in search.astray if _is_under_way(node, left)]
    is_counted = sight.count("hand", state.active) is not None
    broken = far[0] if far else broken_rule(state, left, search.refusals, is_hand_counted=is_counted)
    rule, params = foreign or broken
    return OutOfStep(rule=rule, text=text(rule, params), params=params, fixes=fixes_for(left))


def _words(state: State, actions: tuple[Action, ...]) -> str:
    return "; ".join(describe_action(state, action) for action in actions) + "."


def _accepted(state: State, sight: SeenTable, left: list[Difference], nodes: list[_Node]) -> Decision[Action]:
    nodes = [node for node in nodes if not _names_unseen(node)] or nodes
    nodes = [node for node in nodes if not _is_needless(node, nodes)]
    numbers_only = len(nodes) > 1 and all(each.area in COUNTS for each in left)
    if numbers_only or all(_rests_on_numbers(state, sight, node) for node in nodes):
        return Waiting(text="More happened than the table shows: enter it, or play on.")
    disguised = [run for node in nodes if (run := _disguise_of(state, sight, node))]
    runs = list(dict.fromkeys([*(node.actions for node in nodes), *disguised]))
    if len(disguised) == len(nodes) and not sight.is_doubting:
        # Whose turn it is will show; courses of the game over several looks need both.
        text = f"{_words(state, runs[0])} What is played next will tell."
        return Waiting(text=text, pending=fixes_for(nodes[0].left))
    if len(runs) == 1:
        pending = fixes_for(nodes[0].left)
        return Accepted(actions=runs[0], text=_words(state, runs[0]), pending=pending)
    return _asked(state, runs)


def _asked(state: State, runs: Sequence[tuple[Action, ...]]) -> Ask[Action]:
    choices = tuple(Choice(actions=run, text=_words(state, run)) for run in runs[:MOST_CHOICES])
    return Ask(text="Which of these happened?", choices=choices)


def _names_unseen(node: _Node) -> bool:
    """Whether the run names a card that nobody saw; one that does not need to is likelier."""
    return any(card is not None for card in _unseen(node))


def _unseen(node: _Node) -> list[Hidden]:
    """Return the cards that were laid and cleared away unseen in the run."""
    return [card for each in node.actions if isinstance(each, Retreat) for card in each.cards]


def _is_needless(node: _Node, nodes: Sequence[_Node]) -> bool:
    """Whether the run ends the game as another does that needs no card laid that nobody saw."""
    outcome = node.state.outcome
    if outcome is None or not _unseen(node):
        return False
    return any(other.state.outcome == outcome and not _unseen(other) for other in nodes)


def _disguise_of(start: State, sight: SeenTable, node: _Node) -> tuple[Action, ...]:
    """Return another run that the table shows as well, after which it is another's turn; empty for none."""
    if node.state.outcome is not None or not sight.sees_piles():
        return ()  # where the piles are not seen, nearly every run has one
    return in_disguise(start, sight, node.actions, node.left)


def _rests_on_numbers(start: State, sight: SeenTable, node: _Node) -> bool:
    """Whether a run ends a fight or a turn with too little to show for it; whoever plays next will tell.

    A card laid just before a retreat leaves the same numbers behind as a declined fight after it, and a whole
    fight may hide behind numbers of cards that cannot be read.
    """
    if node.state.number - start.number > _MOST_TURNS:
        return True
    if _hides_beginning(start, sight, node):
        return True
    if node.state.outcome is not None:
        return False
    if sum(isinstance(each, Decline) for each in node.actions) > 1:
        return True  # one of them may have been two, one after the other's
    last = node.actions[-1]
    before = node.actions[-2] if len(node.actions) > 1 else None
    if isinstance(last, Use) and node.state.fight is None and last.cards.count(None) > 1:
        return True  # some of them may have gone for a fight that was declined
    if isinstance(last, Retreat) and _has_begun(node.actions, last.player):
        return True  # perhaps the other way round: he who retreats begins the next fight
    if isinstance(last, Decline):
        return not sight.sees_piles() or (isinstance(before, Retreat) and before.player == last.player)
    if isinstance(last, Retreat) and last.cards:
        return True
    retreats = any(isinstance(each, Retreat) for each in node.actions)
    return retreats and not sight.sees_piles() and sight.reads_piles()


def _has_begun(actions: Sequence[Action], player: str) -> bool:
    """Whether a player did what opens a turn, and nothing that only a fight lets him do, before the last."""
    mine = list(takewhile(lambda each: isinstance(each, Lead | Launch | Use), reversed(actions[:-1])))
    return any(isinstance(each, Lead | Launch) and each.player == player for each in mine)


def _hides_beginning(start: State, sight: SeenTable, node: _Node) -> bool:
    """Whether something may have been done unseen before the first card of a turn covered the others.

    A leadership card on a leader out of view; a card taken back into a hand that is not counted.
    """
    if start.turn.phase > Phase.LEADERSHIP or not isinstance(node.actions[0], Play):
        return False
    if not sight.sees_leader(start.active):
        return True
    icons = [start.card(laid.card).icons for laid in start.mine.active_combat if laid.card is not None]
    could = start.turn.phase == Phase.START and any("retrieve" in each for each in icons)
    return could and sight.reads_piles() and sight.count("hand", start.active) is None


def _waiting(state: State, node: _Node) -> Waiting:
    fixes = fixes_for(node.left)
    todo = " ".join(fix.text for fix in fixes)
    return Waiting(text=f"{_words(state, node.actions)} Still to do: {todo}", pending=fixes)
