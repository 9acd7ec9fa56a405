"""Legal runs of actions that a seen table may be explained by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import RuleViolation
from companion.games.urbion.actions import Action, Chaos, ChooseSide, Reveal, Turn
from companion.games.urbion.catalogue import CHAOS, SIDES
from companion.games.urbion.legal import chaos_actions
from companion.games.urbion.reconcile.effects import turns_towards
from companion.games.urbion.reconcile.hands import gone_cards, turns_played
from companion.games.urbion.reconcile.seen_table import Group, SeenTable, cards_of, differences
from companion.games.urbion.reconcile.unknown import revealed, undrawn
from companion.games.urbion.rules import apply
from companion.games.urbion.state import Cards, UrbionState, turn_of

DEEPEST = 8
MOST_NODES = 120
# Where a deck is unknown every step has more to try, and runs are short; loose ones are hardly ever believed.
MOST_NODES_CLOSED = 64
WIDEST = 24
# Turns that are told apart when they are seen at once; the first of two may be hidden under the second.
STRICT_TURNS = 3
LOOSE_TURNS = 2
# Sides that a turn touches, other than a balance.
_MOST_TOUCHED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Some legal actions and where they lead.

    Attributes:
        states: the state before, and after each action.
        wrong: groups that the last state does not predict.
        turns: number of turns among the actions.
        is_short: what the last action draws cannot be told; the last state is the one before drawing.
    """

    actions: tuple[Action, ...]
    states: tuple[UrbionState, ...]
    wrong: set[Group]
    turns: int = 0
    is_short: bool = False

    @property
    def state(self) -> UrbionState:
        """Return the state that the run leads to."""
        return self.states[-1]


def most_turns(state: UrbionState, sight: SeenTable) -> tuple[int, int]:
    """Return how many turns may have been played at most, by the hands: in a strict run, in a loose one.

    With an unknown deck more than two turns at once have too many explanations.
    """
    if None in state.dreams:
        return LOOSE_TURNS, LOOSE_TURNS
    told = turns_played(state, sight, STRICT_TURNS)
    if told:
        return max(told), LOOSE_TURNS if LOOSE_TURNS in told else 0
    gone = sum(
        (Counter(hand) - Counter(sight.known(("hand", seat)))).total()
        for seat, hand in enumerate(state.hands)
    )
    hands: list[Group] = [("hand", seat) for seat in range(len(state.hands))]
    if gone > 1 or not all(map(sight.is_whole, hands)):
        return STRICT_TURNS, LOOSE_TURNS
    return LOOSE_TURNS, LOOSE_TURNS


def runs_from(
    state: UrbionState, sight: SeenTable, *, turns: int, is_loose: bool, patience: int = 1
) -> Iterator[list[Run]]:
    """Yield, action by action, the runs that lead towards the seen table, the empty run first.

    A strict run leaves every side that it touches as it is seen. In a loose one the first turn may touch
    sides that the second turn touches again. With more `patience` as many times more runs are looked at.
    """
    level = [Run(actions=(), states=(state,), wrong=differences(state, sight))]
    is_closed = None in state.dreams
    nodes, most = 0, patience * (MOST_NODES_CLOSED // (1 + is_loose) if is_closed else MOST_NODES)
    for _ in range(DEEPEST + 1):
        if not level:
            return
        yield level
        following: list[Run] = []
        for run in sorted(level, key=lambda run: len(run.wrong))[:WIDEST]:
            if run.is_short:
                continue
            for longer in _longer(run, sight, turns=turns, is_loose=is_loose):
                nodes += 1
                if nodes > most:
                    return
                following.append(longer)
        level = following


def _longer(run: Run, sight: SeenTable, *, turns: int, is_loose: bool) -> Iterator[Run]:
    """Yield the run with each next action, and with what the table reveals before it."""
    player = turn_of(run.state)
    if player is None:
        return
    for action in _candidates(run, player, sight, turns=turns, is_loose=is_loose):
        found = False
        for reveal in revealed(run.state, action, sight):
            longer = _extended(run, (*reveal, action), sight)
            if longer is not None:
                found = True
                yield longer
        before_drawing = None if found else undrawn(run.state, action, sight)
        if before_drawing is not None:
            yield _run(run, (action,), (before_drawing,), sight, is_short=True)


def _extended(run: Run, actions: tuple[Action, ...], sight: SeenTable) -> Run | None:
    states = [run.state]
    try:
        for action in actions:
            states.append(apply(states[-1], action)[0])
    except RuleViolation:
        return None  # it would draw a card that nobody can see
    if _known(states[-1]) > _known(run.state):
        return None  # what became known was not drawn: it would be a guess
    return _run(run, actions, tuple(states[1:]), sight)


def _known(state: UrbionState) -> int:
    """Return how many cards of the decks are known."""
    return sum(card is not None for card in (*state.dreams, *state.cities))


def _run(
    run: Run,
    actions: tuple[Action, ...],
    states: tuple[UrbionState, ...],
    sight: SeenTable,
    *,
    is_short: bool = False,
) -> Run:
    turns = run.turns + sum(not isinstance(action, Chaos | ChooseSide | Reveal) for action in actions)
    return Run(
        actions=(*run.actions, *actions),
        states=(*run.states, *states),
        wrong=differences(states[-1], sight),
        turns=turns,
        is_short=is_short,
    )


def _candidates(
    run: Run, player: str, sight: SeenTable, *, turns: int, is_loose: bool
) -> Iterator[ChooseSide | Chaos | Turn]:
    state = run.state
    left = turns - run.turns - 1
    if state.pending == "side":
        yield from (ChooseSide(player=player, side=side) for side in SIDES)
    elif state.pending == "chaos":
        yield from chaos_actions(state, player)
    elif left >= 0:
        aim = Aim(run, sight, turns_left=left, is_loose=is_loose and run.turns == 0)
        for card in spent_cards(state, sight, turns_left=left):
            yield from turns_towards(state, player, card, aim)


def spent_cards(state: UrbionState, sight: SeenTable, *, turns_left: int) -> list[str]:
    """Return the hand cards that may have been spent, with so many turns to follow."""
    told = turns_played(state, sight, turns_left + 1)
    if told:
        return sorted(set.union(*told.values()))
    gone = gone_cards(state, sight)
    if gone:
        return gone
    # A card that was spent and is still there was drawn again.
    coming = state.dreams[:DEEPEST]
    return sorted(card for card in set(state.hands[state.active]) if card in coming or None in coming)


class Aim:
    """Says, without playing it, whether a turn may lead to the seen table."""

    def __init__(self, run: Run, sight: SeenTable, *, turns_left: int, is_loose: bool) -> None:
        self.sight = sight
        self._state = run.state
        self._wrong = run.wrong
        self._wrong_rows = {group[1] for group in run.wrong if group[0] in ("dream", "city")}
        self._is_loose = is_loose
        self._spare = turns_left * _MOST_TOUCHED
        self._open = {group for group in run.wrong if self._is_burden(group)}

    def allows(self, touched: dict[Group, Cards]) -> bool:
        """Say whether the turn may be meant that leaves these sides so."""
        missed = {g for g, cards in touched.items() if not self._fits(g, cards)}
        if self._is_loose and touched:
            if self._wrong_rows.isdisjoint(group[1] for group in touched):
                return False
        elif missed:
            return False
        burden = {g for g in missed if not self._is_by_the_way(g, touched[g])}
        return len((self._open - touched.keys()) | burden) <= self._spare

    def allows_row(self, row: int, sides: dict[str, Cards]) -> bool:
        """Say whether a removal may be meant that leaves the sides of a row so."""
        if self._is_loose:
            return row in self._wrong_rows
        return all(self._fits(("dream", row, side), cards) for side, cards in sides.items())

    def _fits(self, group: Group, cards: Cards) -> bool:
        """Whether a side may look so, or so with a Chaos card that was placed there afterwards."""
        row, side = int(group[1]), str(group[2])
        return self.sight.side_fits(row, side, cards) or self.sight.side_fits(row, side, (*cards, CHAOS))

    def _is_burden(self, group: Group) -> bool:
        """Whether only a turn that touches this side can explain it: no balance, dealing or Chaos card."""
        if group[0] != "dream" or ("city", group[1]) in self._wrong:
            return False
        row = self._state.rows[int(group[1])]
        if row is None or row.is_empty or row.is_balanced:
            return False
        return not self._is_by_the_way(group, cards_of(self._state, group))

    def _is_by_the_way(self, group: Group, cards: Cards) -> bool:
        return not Counter(self.sight.known(group)) - Counter((*cards, CHAOS))
