"""Reconciling: what a snapshot of the table means in a state.

The shortest runs of likely actions (`hypotheses`) are played by the rules until one casts the table that was
seen. Runs of the same length that end alike are one explanation; others are a question. Where no run gets
there, a run that only leaves work by hand to do is waited for, and else the rule that its most likely reading
breaks is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from companion.decision import Decision, Fix, InStep, OutOfStep, Waiting
from companion.games.blue_moon_legends.actions import (
    Action,
    Announce,
    Call,
    Count,
    Decline,
    Discard,
    Launch,
    Lead,
    Play,
    Retreat,
    Retrieve,
    Use,
)
from companion.games.blue_moon_legends.catalogue import CHARACTER
from companion.games.blue_moon_legends.descriptions import describe_action
from companion.games.blue_moon_legends.reconcile.disguise import in_disguise, with_unseen_actions
from companion.games.blue_moon_legends.reconcile.faults import broken_rule, foreign_card, unearned_dragon
from companion.games.blue_moon_legends.reconcile.hypotheses import (
    LegendsPlay,
    LegendsRun,
    candidates,
    is_step,
)
from companion.games.blue_moon_legends.reconcile.seen_table import Difference, SeenTable, Way, fixes_for
from companion.games.blue_moon_legends.rules.apply import apply
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.state import Hidden, Phase, Side, State, changed
from companion.games.blue_moon_legends.table import COUNTS, TOP
from companion.games.blue_moon_legends.texts import text
from companion.games.kit.notation import escape
from companion.games.kit.search import Limits, to_do
from companion.i18n import Message, join, msg
from companion.observation import Query
from companion.table import place

LIMITS: Final = Limits(levels=7, runs=80, widest=80, keeps_last=True)
_LAID_ONE_BY_ONE: Final = ("combat", "support", "ship")
MOST_STEPS: Final = 5  # actions of a run that leave no card on the table
_MOST_TURNS: Final = 4  # turns that one picture may bring the game on
_MOST_ENDED: Final = 2  # fights declined, and retreats, that are told apart in one run
_MOST_BEFORE_DRAGON: Final = 3  # announcement, answer, retreat


class LegendsSearch(LegendsPlay):
    """A snapshot that is explained; stops at the first length of runs that explains everything."""

    limits = LIMITS

    def __init__(self, state: State, seen: Query) -> None:
        super().__init__(state, seen, apply, describe_action)
        self.sight = SeenTable(state.setup, self.picture, state, _covered(state, seen))
        self._astray: list[tuple[LegendsRun, Difference]] = []  # whole but for a dragon that went too far
        self._sides = _Sides()
        self._foreign = foreign_card(state, self.start.wrong)

    def differences(self, state: State) -> list[Difference]:
        """Return everything in which the table differs from the state."""
        return self.sight.differences(state)

    def longer(self, run: LegendsRun) -> Iterator[LegendsRun]:
        """Yield the run with each likely action; no run lays a card that the side does not own.

        What is discarded because a power demands it is a part of its use.
        """
        if self._foreign is not None:
            return
        for action in candidates(run.state, self.sight, run.wrong):
            if not (self._is_unwitnessed(run, action) or _is_late_count(run, action)):
                for longer in self.played(run, [action]):
                    yield longer
                    for answer in self._demanded(longer):
                        yield from self.played(run, [action, answer])

    def _demanded(self, run: LegendsRun) -> Iterator[Action]:
        """Yield what may have been discarded because the last action of a run demands it."""
        if run.state.pending and isinstance(run.actions[-1], Use):
            answers = candidates(run.state, self.sight, run.wrong)
            yield from (each for each in answers if isinstance(each, Discard))

    def is_possible(self, before: LegendsRun, run: LegendsRun) -> bool:
        """Say whether no more cards have come and gone than can lead to what is seen."""
        del before
        return not self.sight.is_beyond(run.state, run.wrong)

    def leads_on(self, run: LegendsRun) -> bool:
        """Say whether longer runs may explain the table better."""
        if not run.actions:
            return True
        is_done = self._is_whole(run) or run.state.outcome is not None
        return not is_done and sum(map(is_step, run.actions)) <= MOST_STEPS and not self._is_past(run)

    def key(self, state: State) -> tuple[object, ...]:
        """Return the state without what two orders of the same actions may leave behind differently."""
        return _key(state, self._sides)

    def essence(self, state: State) -> tuple[object, ...]:
        """Return what matters of a state."""
        return self.key(state)

    def late(self, run: LegendsRun) -> tuple[Fix, ...]:
        """Return the work by hand that a run leaves."""
        return fixes_for(run.wrong) if run.actions else ()

    def sort(self, level: Sequence[LegendsRun]) -> None:
        """Keep the runs that explain the table, nearly explain it, or would but for a dragon."""
        for run in level:
            if run.actions:
                self._keep(run)

    def is_enough(self) -> bool:
        """Say whether what is found explains the table and nothing longer is as likely."""
        return bool(self.whole) and not self._is_one_sided()

    def chosen(self) -> Decision[Action]:
        """Accept a run, ask which it was, or wait where the table shows too little of it."""
        runs = [run for run in self.whole if not _names_unseen(run)] or self.whole
        runs = [run for run in runs if not _is_needless(run, runs)]
        runs = [run for run in runs if not any(self._includes(other, run) for other in runs)]
        untold = self._untold(runs)
        if untold is not None:
            return Waiting(text=untold)
        disguised = [other for run in runs if (other := self._disguise_of(run)) is not None]
        answers = list({run.actions: run for run in (*runs, *disguised)}.values())
        if len(disguised) == len(runs) and not self.seen.doubting:
            # Whose turn it is will show; courses of the game over several looks need both.
            return Waiting(
                text=join(" ", (self.told(runs[0]), msg("What is played next will tell."))),
                pending=self.late(runs[0]),
            )
        if len(answers) == 1:
            answers += with_unseen_actions(self, answers[0])
        if len(answers) == 1:
            return self.accepted(answers[0])
        return self.ask(msg("Which of these happened?"), answers[: self.limits.choices])

    def _untold(self, runs: Sequence[LegendsRun]) -> Message | None:
        """Return why none of some runs can be told yet, None if one can."""
        start, sight = self.start, self.sight
        numbers_only = len(runs) > 1 and all(each.area in COUNTS for each in start.wrong)
        if numbers_only or all(
            _rests_on_numbers(start.state, sight, run) or self._may_hide_a_turn(run) for run in runs
        ):
            return msg("More happened than the table shows: enter it, or play on.")
        if all(map(self._may_lack_a_card, runs)):
            return msg("Some cards cannot be seen or read just now.")
        return None

    def unexplained(self) -> Decision[Action]:
        """Say what cannot be seen or is still to be done, or which rule was broken."""
        state, left = self.state, self.start.wrong
        if self._foreign is None and self.sight.is_partial(left):
            return Waiting(text=msg("Some cards cannot be seen or read just now."))
        under_way = next((run for run in self.partial if _is_under_way(run, left)), None)
        if under_way is not None:
            return to_do(self.late(under_way), self.told(under_way), msg("Still to do:"))
        far = [unearned_dragon(run.state, odd) for run, odd in self._astray if _is_under_way(run, left)]
        is_counted = self.sight.count("hand", state.active) is not None
        broken = far[0] if far else broken_rule(state, left, self.refusals, is_hand_counted=is_counted)
        rule, params = self._foreign or broken
        return OutOfStep(rule=rule, text=text(rule, params), params=params, fixes=fixes_for(left))

    def _disguise_of(self, run: LegendsRun) -> LegendsRun | None:
        """Return another run that the table shows as well, after which it is another's turn, if any."""
        if run.state.outcome is not None or not self.sight.sees_piles():
            return None  # where the piles are not seen, nearly every run has one
        return in_disguise(self, run)

    def _may_hide_a_turn(self, run: LegendsRun) -> bool:
        """Whether a player laid cards only to retreat, or announced, and the other side's answer is gone.

        What lies on top of that side's pile would tell, where such cards are read.
        """
        last, before = run.actions[-1], run.states[-2]
        if not isinstance(last, Retreat) or not before.turn.count(CHARACTER):
            return False
        tops = [place(TOP, escape(player)) for player in self.state.setup.players]
        are_read = any(top in {**self.seen.before, **self.picture} for top in tops)
        return are_read and tops[1 - before.active] not in self.picture

    def _may_lack_a_card(self, run: LegendsRun) -> bool:
        """Whether a player announced while something hides a part of their row: the total may be another."""
        players = self.state.setup.players
        callers = {players.index(each.player) for each in run.actions if isinstance(each, Announce)}
        return any(self.sight.is_cut("combat", side) and run.state.sides[side].combat for side in callers)

    def _includes(self, run: LegendsRun, other: LegendsRun) -> bool:
        """Whether a run leads to all that another one leads to, and leaves more uncounted."""
        mine, theirs = ([side.uncounted for side in each.state.sides] for each in (run, other))
        if mine == theirs or any(one < more for one, more in zip(mine, theirs, strict=True)):
            return False
        return self.key(_as_counted(run.state)) == self.key(_as_counted(other.state))

    def _is_whole(self, run: LegendsRun) -> bool:
        return not run.wrong or _is_call(self.sight, run)

    def _is_one_sided(self) -> bool:
        """Whether all that explains the table so far is a retreat, or rests on cards laid unseen before one.

        What else may be as likely is longer by an announcement (after which the other side retreats, say) and
        by what must be said before a turn ends, so such runs must be looked at as well.
        """
        shortest = min(run.steps for run in self.whole)
        return self.looked_at[-1].steps < shortest + _longest_announcement(self.state) and all(
            run.steps == shortest and (isinstance(run.actions[-1], Retreat) or _unseen(run))
            for run in self.whole
        )

    def _keep(self, run: LegendsRun) -> None:
        if self._is_whole(run):
            if not self.whole or self._is_as_short(run) or self._is_rival(run):
                self.whole.append(run)
            return
        odd = [each for each in run.wrong if not _is_by_hand(run, each)]
        if not odd:
            self.partial.append(run)
        elif all(_is_too_far(run, each) for each in odd):
            self._astray.append((run, odd[0]))

    def _is_past(self, run: LegendsRun) -> bool:
        """Whether nothing that follows can explain the table, or make it likelier to be on its way.

        More happened than one picture tells; more cards lie there than can still be laid one by one; or what
        the last fight left behind was not seen to before more was played: cards to clear, dragons to move.
        """
        new = (each for each in run.wrong if each.way is Way.EXTRA and each.area in _LAID_ONE_BY_ONE)
        owed = sum(not _is_by_hand(run, each) for each in new)
        if len(run.actions) + owed > LIMITS.levels:
            return True
        ends = Counter(type(each) for each in run.actions if isinstance(each, Decline | Retreat))
        if run.state.number - self.state.number > _MOST_TURNS or max(ends.values(), default=0) > _MOST_ENDED:
            return True
        last = run.actions[-1]
        if isinstance(last, Retreat):
            return False
        if any(each.area == "dragon" for each in run.wrong) and Retreat in ends:
            return True
        return not isinstance(last, Decline) and self.sight.shows_cleared(run.state, run.wrong)

    def _is_rival(self, run: LegendsRun) -> bool:
        """Whether a longer run leaves the same table as a retreat that was found.

        That is the other side's retreat; a declined fight after it where the retreat needs cards that nobody
        saw, or moves two dragons at once; a power used after it instead of a card laid unseen before it; or
        what ends the game without such cards.
        """
        last = run.actions[-1]
        ends = [run.actions[-1] for run in self.whole]
        needs_unseen = any(map(_unseen, self.whole))
        if isinstance(last, Retreat) and not (last.cards or last.more):
            is_over = run.state.outcome is not None
            return all(last.player != each.player for each in ends) or (is_over and needs_unseen)
        if isinstance(last, Use):
            return any(len(_unseen(found)) > len(_unseen(run)) for found in self.whole)
        return isinstance(last, Decline) and (needs_unseen or any(map(self._may_be_two_fights, self.whole)))

    def _may_be_two_fights(self, run: LegendsRun) -> bool:
        """Whether a declined fight may have followed a retreat: it moves two dragons, or comes late."""
        last = run.actions[-1]
        if not isinstance(last, Retreat):
            return False
        return abs(run.state.dragons - self.state.dragons) > 1 or _has_begun(run.actions, last.player)

    def _is_unwitnessed(self, run: LegendsRun, action: Action) -> bool:
        """Whether a second declined fight would be assumed in one run with nothing to show for it."""
        declined = any(isinstance(each, Decline) for each in run.actions)
        is_shown = self.sight.sees_piles() or self.sight.shows_news(run.state)
        return declined and isinstance(action, Decline) and not is_shown

    def _is_as_short(self, run: LegendsRun) -> bool:
        return run.steps == min(run.steps for run in self.whole)


def _is_late_count(run: LegendsRun, action: Action) -> bool:
    """Whether a deck is counted later in a run than it might be: the order makes no difference."""
    if not isinstance(action, Count) or not run.actions:
        return False
    last = run.actions[-1]
    return not (isinstance(last, Count) or (isinstance(last, Decline | Retreat) and last.more))


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


def _as_counted(state: State) -> State:
    first, second = (changed(side, uncounted=0) for side in state.sides)
    return changed(state, sides=(first, second))


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


def _covered(state: State, seen: Query) -> frozenset[int]:
    """Return the sides on whose discard piles another card lay when the table last agreed than now."""
    tops = {side: place(TOP, escape(player)) for side, player in enumerate(state.setup.players)}
    return frozenset(
        side for side, top in tops.items() if seen.before.get(top) not in (None, seen.picture.get(top))
    )


# -- nearly explained -------------------------------------------------------------------------------


def _is_call(sight: SeenTable, run: LegendsRun) -> bool:
    """Whether bluff cards were just turned up: they lie there face up, and all else is work by hand.

    What they were is known now only, so the call is taken as soon as it is seen.
    """
    call = run.actions[-1]
    if not isinstance(call, Call) or not set(call.cards) <= set(
        sight.cards("support", run.states[-2].active)
    ):
        return False
    return all(
        (each.way is Way.EXTRA and each.card in call.cards) or _is_by_hand(run, each) for each in run.wrong
    )


def _is_by_hand(run: LegendsRun, left: Difference) -> bool:
    """Whether a difference is work that the players still have to do after the run."""
    if left.area == "dragon":
        has_retreated = any(isinstance(each, Retreat) for each in run.actions)
        return not _is_too_far(run, left) and (run.state.dragons != run.start.dragons or has_retreated)
    if left.area in COUNTS or left.area == "element":
        return True
    if left.area == "winner":
        return run.state.outcome is not None and left.seen is None
    return left.way is Way.EXTRA and left.side is not None and left.card in _lay(run.start.sides[left.side])


def _lay(side: Side) -> list[str]:
    """Return the cards that lay on a side's table; ``back`` for a face-down one."""
    laid = ["back" if each.is_bluff else each.card for each in (*side.combat, *side.support)]
    ships = [card for ship in (*side.ships, *side.landed) for card in (ship.card, *ship.cargo)]
    return [*(card for card in laid if card is not None), *ships, *side.revealed]


def _is_too_far(run: LegendsRun, left: Difference) -> bool:
    """Whether a dragon stands further from where it was than the run takes it."""
    if left.area != "dragon" or left.side is None:
        return False
    return run.start.dragons_of(left.side) <= run.state.dragons_of(left.side)


def _is_under_way(run: LegendsRun, left: list[Difference]) -> bool:
    """Whether the table may well be on its way to the end of the run.

    A retreat that shows in nothing but a single missing card is none; its dragon or most of its cards must
    have moved.
    """
    missing = {each.card for each in left if each.way is Way.MISSING}
    if any(isinstance(action, Retrieve) and action.card not in missing for action in run.actions):
        return False
    if any(isinstance(action, Decline) for action in run.actions[:-1]):
        return False
    if not any(isinstance(action, Retreat | Call) for action in run.actions):
        return any(not is_step(action) for action in run.actions)
    cleared = sum(each.way is Way.MISSING for each in left)
    waiting = sum(each.way is Way.EXTRA for each in run.wrong)
    moved = any(each.area == "dragon" for each in left) and not any(
        each.area == "dragon" for each in run.wrong
    )
    return cleared > waiting or (moved and len(run.actions) <= _MOST_BEFORE_DRAGON)


# -- the verdict ------------------------------------------------------------------------------------


def explain(state: State, seen: Query) -> Decision[Action]:
    """Say what the snapshot means; pure and deterministic."""
    if state.outcome is not None:
        return InStep(text=msg("The game is over."))
    return LegendsSearch(state, seen).decision()


def _names_unseen(run: LegendsRun) -> bool:
    """Whether the run names a card that nobody saw; one that does not need to is likelier."""
    return any(card is not None for card in _unseen(run))


def _unseen(run: LegendsRun) -> list[Hidden]:
    """Return the cards that were laid and cleared away unseen in the run."""
    retreats = [each for each in run.actions if isinstance(each, Retreat)]
    return [card for each in retreats for card in (*each.cards, *[None] * (each.more or 0))]


def _is_needless(run: LegendsRun, runs: Sequence[LegendsRun]) -> bool:
    """Whether the run ends the game as another does that needs no card laid that nobody saw."""
    outcome = run.state.outcome
    if outcome is None or not _unseen(run):
        return False
    return any(other.state.outcome == outcome and not _unseen(other) for other in runs)


def _rests_on_numbers(start: State, sight: SeenTable, run: LegendsRun) -> bool:
    """Whether a run ends a fight or a turn with too little to show for it; whoever plays next will tell.

    A card laid just before a retreat leaves the same numbers behind as a declined fight after it, and a whole
    fight may hide behind numbers of cards that cannot be read.
    """
    if run.state.number - start.number > _MOST_TURNS or _hides_beginning(sight, run):
        return True
    if _may_be_empty(sight, run):
        return True
    if run.state.outcome is not None:
        return False
    if _may_be_more_declined(sight, run):
        return True
    last = run.actions[-1]
    if isinstance(last, Use) and run.state.fight is None and last.cards.count(None) > 1:
        return True  # some of them may have gone for a fight that was declined
    if isinstance(last, Decline):
        is_shown = sight.sees_piles() or sight.shows_news(run.states[-2])
        return not is_shown or _declines_own_retreat(run)
    if isinstance(last, Retreat) and (last.cards or last.more or _has_begun(run.actions, last.player)):
        return True  # perhaps the other way round: he who retreats begins the next fight
    retreats = any(isinstance(each, Retreat) for each in run.actions)
    return retreats and not sight.sees_piles() and sight.counts_piles()


def _may_be_more_declined(sight: SeenTable, run: LegendsRun) -> bool:
    """Whether one of several declined fights may have been two, one after the other's.

    Where each side declines once and both piles show it, that is not likely.
    """
    declined = [(state, each.player) for state, each in run.pairs if isinstance(each, Decline)]
    if len({player for _, player in declined}) < len(declined):
        return True
    return len(declined) > 1 and not all(sight.shows_news(state) for state, _ in declined)


def _declines_own_retreat(run: LegendsRun) -> bool:
    """Whether the run ends with a retreat and a fight declined by the same player."""
    *_, before, last = (None, *run.actions)
    return isinstance(before, Retreat) and before.player == last.player


def _has_begun(actions: Sequence[Action], player: str) -> bool:
    """Whether a player did what opens a turn, and nothing that only a fight lets him do, before the last."""
    mine = list(takewhile(lambda each: isinstance(each, Lead | Launch | Use), reversed(actions[:-1])))
    return any(isinstance(each, Lead | Launch) and each.player == player for each in mine)


def _may_be_empty(sight: SeenTable, run: LegendsRun) -> bool:
    """Whether a deck out of view may be used up: it is drawn from, and nobody knows how many cards it had."""
    for number in (0, 1):
        sides = [state.sides[number] for state in run.states]
        drawn = any(len(after.deck) < len(before.deck) for before, after in pairwise(sides))
        last = sides[-1]
        if (
            drawn
            and last.uncounted
            and last.fewest_in_deck > len(last.deck) - last.uncounted
            and not sight.sees_left(number)
        ):
            return True
    return False


def _hides_beginning(sight: SeenTable, run: LegendsRun) -> bool:
    """Whether a leadership card may have been laid first in a turn, on a leader out of view."""
    return any(
        isinstance(action, Play | Decline | Retreat)
        and state.turn.phase <= Phase.LEADERSHIP
        and not sight.sees_leader(state.active)
        for state, action in run.pairs
    )
