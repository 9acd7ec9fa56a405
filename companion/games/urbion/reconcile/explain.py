"""Reconciling: what a snapshot of the table means in a state of Urbion.

The legal runs that lead towards the seen table (`hypotheses`) are played and compared with it, sides and
hands as multisets. The shortest run that the table shows whole is accepted. One that it shows in part, with
cards still to be taken off, laid or drawn, is waited for. What no run explains names its rule (`faults`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from companion.decision import Accepted, Ask, Choice, Decision, InStep, OutOfStep, Waiting
from companion.games.kit.evidence import believed
from companion.games.kit.search import Search, different, to_do, too_little
from companion.games.urbion.actions import Action, Agoraphilia, Balance, Chaos, Discard, Prophecy
from companion.games.urbion.catalogue import CHAOS_LOOKS, HAND_SIZE
from companion.games.urbion.descriptions import describe_action
from companion.games.urbion.reconcile.evidence import (
    is_all_glimpsed,
    is_credible,
    is_witnessed,
    may_be_two_turns,
    shows_more_turns,
)
from companion.games.urbion.reconcile.faults import diagnose, fixes_for, spent_by_others
from companion.games.urbion.reconcile.hands import turns_played
from companion.games.urbion.reconcile.hypotheses import (
    LIMITS,
    UrbionRun,
    is_guessed,
    limits,
    most_turns,
    next_actions,
    turns_of,
)
from companion.games.urbion.reconcile.seen_table import (
    DISCARD_GROUP,
    MISSING,
    SIDE_GROUPS,
    Group,
    SeenTable,
    card_groups,
    cards_of,
    differences,
)
from companion.games.urbion.reconcile.unknown import revealed, undrawn
from companion.games.urbion.rules import apply
from companion.games.urbion.state import Row, UrbionState, turn_of
from companion.games.urbion.table import DISCARD, PUSHED, STRAY, WAITING, dream_places
from companion.observation import Snapshot
from companion.table import Picture

# So much longer is searched where more than one turn must have been played.
_PATIENCE = 3
_PUSH_UP = "A card lies between two cities: push it up to its own."


def explain(state: UrbionState, seen: Snapshot) -> Decision[Action]:
    """Say what the snapshot means; pure and deterministic."""
    if state.reason is not None:
        return InStep(text="The game is over.")
    picture = believed(seen)
    if picture.get(STRAY) is not None:
        return _with_stray(state, seen, picture)
    pushed = _newly_pushed(seen, picture)
    return _with_pushed(state, seen, picture, pushed) if pushed else _explained(state, seen, picture)


def _explained(state: UrbionState, seen: Snapshot, picture: Picture) -> Decision[Action]:
    """Say what the believed picture means, in which every card has its place."""
    return UrbionSearch(state, seen, picture).decision()


class UrbionSearch(Search[UrbionState, Action, set[Group]]):
    """A picture that is explained.

    First runs are looked at that leave every side that they touch as it is seen; then loose ones, in which
    the first turn may touch sides that the second turn touches again.
    """

    limits = LIMITS

    def __init__(self, state: UrbionState, seen: Snapshot, picture: Picture) -> None:
        self.sight = SeenTable(picture, state.players)
        self._doubted: list[UrbionRun] = []
        self._turns, self._is_loose = 0, False
        super().__init__(state, seen, apply, describe_action)

    def differences(self, state: UrbionState) -> set[Group]:
        """Return the sides, hands and so on that do not look as the state predicts."""
        return differences(state, self.sight)

    def levels(self) -> Iterator[list[UrbionRun]]:
        """Yield the strict runs, action by action, then the loose ones."""
        state = self.start.state
        patience = _PATIENCE if shows_more_turns(state, self.sight) else 1
        for is_loose, turns in zip((False, True), most_turns(state, self.sight), strict=True):
            self._turns, self._is_loose = turns, is_loose
            self.limits = limits(state, is_loose=is_loose, patience=patience)
            yield from super().levels()

    def longer(self, run: UrbionRun) -> Iterator[UrbionRun]:
        """Yield the run with each next action, and with what the table reveals before it."""
        for action in next_actions(run, self.sight, turns=self._turns, is_loose=self._is_loose):
            is_drawn = False
            for reveal in revealed(run.state, action, self.sight):
                for longer in self.played(run, (*reveal, action)):
                    is_drawn = True
                    yield longer
            before_drawing = None if is_drawn else undrawn(run.state, action, self.sight)
            if before_drawing is not None:
                yield self.led(run, (action,), (*run.states, before_drawing), is_open=True)

    def is_possible(self, before: UrbionRun, run: UrbionRun) -> bool:
        """Say whether all that became known was drawn; else it would be a guess."""
        return not is_guessed(before.state, run.state)

    def leads_on(self, run: UrbionRun) -> bool:
        """Say whether it can be told what the run has drawn."""
        return not run.is_open

    def sort(self, level: Sequence[UrbionRun]) -> None:
        """Keep the runs that the table shows whole, believed or not, and those on their way."""
        whole = [run for run in level if _is_whole(run) and is_credible(run, self.sight)]
        self.whole += [run for run in whole if is_all_glimpsed(run, self.seen)]
        self._doubted = self._doubted or whole
        before = self.start.wrong
        self.partial += [run for run in level if run.actions and _is_on_its_way(run, before, self.sight)]

    def is_enough(self) -> bool:
        """Say whether longer runs are less likely."""
        return not all(map(_is_dealt_alike, self.whole))

    def essence(self, state: UrbionState) -> tuple[object, ...]:
        """Return what matters of a state."""
        return essence(state)

    def agreed(self) -> Decision[Action]:
        """Return that all is well, or the question whether the game was lost unseen."""
        return self._lost_unseen() or InStep()

    def chosen(self) -> Decision[Action]:
        """Accept the run, wait for a better look, or ask where several differ in what matters."""
        return self._decided(self.whole)

    def unexplained(self) -> Decision[Action]:
        """Say what is in doubt, still to be done, begun or hidden, or which rule was broken."""
        state, sight = self.start.state, self.sight
        if self._doubted:
            return _doubt(self._decided(self._doubted))
        if self.partial:
            return _wait(self.partial, sight)
        return _begun(state, self.start.wrong, sight) or _unseen(state, sight) or diagnose(state, sight)

    def _decided(self, whole: Iterable[UrbionRun]) -> Decision[Action]:
        # Of runs that end alike the one is told that leaves the very card on the pile that is seen there.
        top = self.sight.picture.get(DISCARD)
        runs = different(sorted(whole, key=lambda run: run.state.discards[-1:] != (top,)), essence)
        hidden = [group for group in card_groups(len(self.sight.players)) if self.sight.is_partial(group)]
        run = runs[0]
        if len(runs) == 1 and _is_evident(run, hidden, self.sight):
            if may_be_two_turns(run):
                return self.ask("Was all this done in one turn?", runs, "It was more than one turn.")
            if _may_have_cleared(run):
                return _doubt(self.accepted(run))
            if run.state.reason == "dreams" and _only_losses(run, _changed_sides(run)):
                return self.ask("Is the game over?", runs, "It goes on.")
            return self.accepted(run)
        if len(runs) == 1 and not hidden and run.state.reason is not None:
            return self.ask("Is the game over?", runs, "It goes on.")
        if hidden or len(runs) == 1 or len(runs) > self.limits.choices:
            return too_little()
        return self.ask("What happened?", runs)

    def _lost_unseen(self) -> Ask[Action] | None:
        """Ask where a Chaos card that was seen to wait is gone, and too few dreams are left to answer it.

        Nothing else on the table shows that the game was lost by drawing.
        """
        state, picture = self.start.state, self.sight.picture
        player = turn_of(state)
        is_gone = all(where in picture and picture[where] is None for where in WAITING)
        if player is None or state.pending != "chaos" or len(state.dreams) >= CHAOS_LOOKS or state.is_setup:
            return None
        if not is_gone or not any(self.seen.before.get(where) for where in WAITING):
            return None
        lost = self.played(self.start, [Chaos(player=player, way="draw")])
        return self.ask("Is the game over?", lost, "It goes on.")


def _with_stray(state: UrbionState, seen: Snapshot, picture: Picture) -> Decision[Action]:
    """Try a card of which nobody could tell where it lies at each place, and ask what came of it."""
    rest = {where: value for where, value in picture.items() if where != STRAY}
    choices = _tried_at(state, seen, rest, *_card_and_groups(picture[STRAY] or ""))
    if not choices or len(choices) > LIMITS.choices:
        return Waiting(text=_PUSH_UP)
    text = "At which city does the new card lie?"
    return Ask(text=text, choices=(*choices, Choice(actions=(), text="It is not laid yet.")))


def _with_pushed(state: UrbionState, seen: Snapshot, picture: Picture, pushed: set[str]) -> Decision[Action]:
    """Try a known card that lies between two cities at the other one, where nothing else shows what was done.

    It may have been pushed, or moved there by the turn that else would have left no trace.
    """
    rest = {where: value for where, value in picture.items() if where != PUSHED}
    decision = _explained(state, seen, rest)
    is_told = isinstance(decision, Accepted) and not any(map(_leaves_no_trace, decision.actions))
    if is_told or not isinstance(decision, Accepted | OutOfStep):
        return decision
    choices: list[Choice[Action]] = []
    for card, (known, *others) in map(_card_and_groups, sorted(pushed)):
        own = dream_places(int(known[1]), str(known[2]))
        lies = next((where for where in own if rest.get(where) == card), None)
        if lies is not None:
            choices += _tried_at(state, seen, {**rest, lies: None}, card, others)
    if isinstance(decision, Accepted):
        choices.insert(0, Choice(actions=decision.actions, text=decision.text))
    choices = list({choice.actions: choice for choice in choices}.values())
    if not choices or len(choices) > LIMITS.choices:
        return decision if isinstance(decision, OutOfStep) else Waiting(text=_PUSH_UP)
    text = "A card is between two cities now. What happened?"
    return Ask(text=text, choices=(*choices, Choice(actions=(), text="Something else.")))


def _newly_pushed(seen: Snapshot, picture: Picture) -> set[str]:
    """Return the known cards that came to lie between two cities since the table agreed with the game."""
    there = set((picture.get(PUSHED) or "").split(";"))
    return there - set((seen.before.get(PUSHED) or "").split(";")) - {""}


def _card_and_groups(value: str) -> tuple[str, list[Group]]:
    face, *groups = value.split(" ")
    pairs = (group.split(":") for group in groups)
    return face, [("dream", int(row), side) for row, side in pairs]


def _tried_at(
    state: UrbionState, seen: Snapshot, picture: Picture, card: str, groups: Iterable[Group]
) -> list[Choice[Action]]:
    """Return what the table would mean if the card lay at each of these sides."""
    choices: list[Choice[Action]] = []
    for group in groups:
        places = dream_places(int(group[1]), str(group[2]))
        free = [where for where in places if picture.get(where, card) is None]
        if not free:
            continue  # a fourth card lies nowhere
        decision = _explained(state, seen, {**picture, free[0]: card})
        if isinstance(decision, Accepted):
            choices.append(Choice(actions=decision.actions, text=decision.text))
        elif isinstance(decision, Ask):
            choices += [choice for choice in decision.choices if choice.actions]
    return choices


def _is_whole(run: UrbionRun) -> bool:
    return bool(run.actions) and not run.wrong and not run.is_open


# -- whole runs -------------------------------------------------------------------------------------


def _doubt(decision: Decision[Action]) -> Decision[Action]:
    """Ask about a run beside which there may have been more: what it was, the table shows no more."""
    if not isinstance(decision, Accepted):
        return decision
    run = Choice(actions=decision.actions, text=decision.text)
    return Ask(text="Was this all that was done?", choices=(run, Choice(actions=(), text="There was more.")))


def _may_have_cleared(run: UrbionRun) -> bool:
    """Whether a turn came to nothing beside a balance.

    A Chaos card drawn between them may have cleared the city, whatever had been moved there.
    """
    came_to_nothing = any(isinstance(each, Discard | Prophecy) for each in run.actions)
    return came_to_nothing and any(isinstance(each, Balance) for each in run.actions)


def _is_evident(run: UrbionRun, hidden: list[Group], sight: SeenTable) -> bool:
    """Whether a run shows more than cards missing where a place was not seen just now.

    Every card that it lays at a city must be seen there; a turn that leaves no trace needs the whole table.
    Sides and hands of which nothing at all is seen are out of view: there the rules decide alone.
    """
    if not is_witnessed(run, sight):
        return False
    is_all_seen = not hidden and all(map(sight.is_whole, SIDE_GROUPS))
    if any(map(_leaves_no_trace, run.actions)) and not (is_all_seen and _shows_the_draw(run, sight)):
        return False
    turns = len(turns_of(run))
    if turns > 1 and min(turns_played(run.start, sight, turns), default=turns) < turns:
        return False  # by the hands fewer turns would do: one of them may have broken a rule
    is_full = run.state.reason is None and _shows_next(run.state, sight)
    if not is_full and (turns > 1 or not _shows_all_draws(run, sight)):
        return False  # until the hand is full again, several turns may be one that is being played
    for group in hidden:
        end, seen = Counter(cards_of(run.state, group)), Counter(sight.known(group))
        gained = end - Counter(cards_of(run.start, group))
        if group[0] == "dream" and any(seen[card] < end[card] for card in gained):
            return False
    changed = _changed_sides(run)
    # What is gone from a city may lie at another one where nobody could see.
    return not changed or is_all_seen or not _only_losses(run, changed)


def _changed_sides(run: UrbionRun) -> list[Group]:
    """Return the sides that hold other cards after a run than before."""
    return [g for g in SIDE_GROUPS if sorted(cards_of(run.state, g)) != sorted(cards_of(run.start, g))]


def _leaves_no_trace(action: Action) -> bool:
    return isinstance(action, Discard | Prophecy) or (isinstance(action, Chaos) and action.way == "draw")


def _shows_the_draw(run: UrbionRun, sight: SeenTable) -> bool:
    """Whether more than a missing hand card speaks for a run with actions that leave no trace at the cities.

    That is the card drawn at the end: a missing one may still be on its way to an effect. Chaos answered by
    drawing, once or to lose the game, shows on the discard pile. Without dreams to draw every turn loses,
    whatever else it might have become.
    """
    before, after = run.start, run.state
    if after.reason is None and _shows_next(after, sight):
        return True
    if isinstance(run.actions[-1], Chaos) and (len(run.actions) == 1 or after.reason is not None):
        top = sight.picture.get(DISCARD)
        return top in after.last_discards and all(top not in s.last_discards for s in run.states[:-1])
    return (
        len(run.actions) == 1
        and not before.dreams
        and not any(row and row.is_balanced for row in before.rows)
    )


def _shows_next(after: UrbionState, sight: SeenTable) -> bool:
    """Whether the hand is full again, or what waits for a decision is seen to wait."""
    return after.pending is None or Counter(sight.waiting) == Counter(after.waiting)


def _shows_all_draws(run: UrbionRun, sight: SeenTable) -> bool:
    """Whether no other Chaos card can have been answered by drawing four dreams, beside what the run says.

    A full hand proves it, for the deck is known. Before that only the discard pile can, and not where a later
    card has covered it.
    """
    ways = [action.way for action in run.actions if isinstance(action, Chaos)]
    return not ways or (DISCARD in sight.picture and "clear" not in ways)


def _only_losses(run: UrbionRun, changed: list[Group]) -> bool:
    return not any(Counter(cards_of(run.state, g)) - Counter(cards_of(run.start, g)) for g in changed)


def essence(state: UrbionState) -> tuple[object, ...]:
    """Return what matters of a state for the rest of the game: cards lie in no order."""
    rows = tuple((row.city, _bag(row.left), _bag(row.right)) if row else None for row in state.rows)
    decks = (
        state.cities,
        state.dreams,
        _bag(state.discards),
        state.subdued,
        state.pair,
        state.chaos,
        state.jobs,
    )
    return (rows, tuple(map(_bag, state.hands)), decks, turn_of(state), state.sanae, state.reason)


def _bag(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(cards))


# -- runs on their way --------------------------------------------------------------------------------


def _is_on_its_way(run: UrbionRun, before: set[Group], sight: SeenTable) -> bool:
    """Whether the rest of the run is only cards still to be taken off, laid or drawn."""
    if run.is_open and not run.wrong:
        return True
    done = {group for group in before - run.wrong if group[0] != "hand" and group != DISCARD_GROUP}
    claimed = _claimed_rows(run)
    is_taken = any(sight.city(row) is None for row in claimed)
    if not (done or is_taken) or not _is_paid(run, before, sight):
        return False
    if not claimed and _have_drawn(run, before, sight) and any(group[0] == "dream" for group in run.wrong):
        return False  # drawing comes last
    return all(_is_late(group, run, claimed, sight) for group in run.wrong)


def _have_drawn(run: UrbionRun, before: set[Group], sight: SeenTable) -> bool:
    """Whether all hands are seen to be full again after having changed."""
    hands: list[Group] = [("hand", seat) for seat in range(len(run.state.hands))]
    if not any(hand in before for hand in hands) or not all(map(sight.is_whole, hands)):
        return False
    is_full = all(len(hand) == HAND_SIZE for hand in run.state.hands)
    return is_full and run.state.pending is None and not any(hand in run.wrong for hand in hands)


def _is_paid(run: UrbionRun, before: set[Group], sight: SeenTable) -> bool:
    """Whether hands or discard pile show that as many cards were spent as the run has turns."""
    spent = 0
    for seat, held in enumerate(run.start.hands):
        hand: Group = ("hand", seat)
        if not sight.is_whole(hand):
            return True
        spent += (Counter(held) - Counter(sight.known(hand))).total()
    is_shown = DISCARD_GROUP in before and DISCARD_GROUP not in run.wrong
    return len(turns_of(run)) <= max(spent, is_shown)


def _claimed_rows(run: UrbionRun) -> set[int]:
    """Return the rows whose city the run claims."""
    claimed: set[int] = set()
    for before, action, after in zip(run.states, run.actions, run.states[1:], strict=False):
        if isinstance(action, Agoraphilia):
            claimed.add(action.row)
        elif after.subdued > before.subdued:
            claimed |= {number for number, row in enumerate(before.rows) if row and row.is_balanced}
    return claimed


def _is_late(group: Group, run: UrbionRun, claimed: set[int], sight: SeenTable) -> bool:
    """Whether a group that the run changes shows its end in part, or still an earlier moment."""
    if group[0] in ("discard", "polarity", "drawn", "waiting"):
        return any(group not in differences(state, sight) for state in run.states)
    if group[0] == "city":
        row = run.start.rows[int(group[1])]
        return group[1] in claimed and sight.city(int(group[1])) in (None, MISSING, row.city if row else None)
    start, end = cards_of(run.start, group), cards_of(run.state, group)
    if sorted(start) == sorted(end) and group[1] not in claimed:
        return False
    return sight.is_part(group, end) or any(_shows(group, state, sight) for state in run.states)


def _shows(group: Group, state: UrbionState, sight: SeenTable) -> bool:
    cards = cards_of(state, group)
    if group[0] == "hand":
        return sight.hand_fits(int(group[1]), cards)
    return sight.side_fits(int(group[1]), str(group[2]), cards)


def _is_dealt_alike(run: UrbionRun) -> bool:
    """Whether a city is laid out for a claimed one that is like it, with a dream that lay there before.

    That is so odd that more actions, after which the city would never have been claimed, may be as likely.
    """
    pairs = ((run.start.rows[number], run.state.rows[number]) for number in _claimed_rows(run))
    return any(old and new and old.city == new.city and _dreams(old) & _dreams(new) for old, new in pairs)


def _dreams(row: Row) -> Counter[str]:
    return Counter((*row.left, *row.right))


def _wait(partial: list[UrbionRun], sight: SeenTable) -> Waiting:
    """Say what is left to be done, if it is the same in every run that fits best."""
    fewest = min(len(run.wrong) for run in partial)
    best = [run for run in partial if len(run.wrong) == fewest]
    if not fewest:
        return Waiting(text=f"{best[0].states[-2].players[best[0].states[-2].actor]} draws from the deck.")
    pending = [fixes_for(run.state, sight) for run in best]
    if any(fixes != pending[0] for fixes in pending):
        return Waiting(text="A turn is being played.")
    return to_do(pending[0])


# -- a turn that has only begun -----------------------------------------------------------------------


def _begun(state: UrbionState, wrong: set[Group], sight: SeenTable) -> Waiting | None:
    """Return what is awaited when a hand card is in the air, or spent without an effect so far."""
    hand: Group = ("hand", state.active)
    if hand not in wrong and not sight.is_partial(hand):
        return _discard_late(state, wrong, sight)
    cards = state.hands[state.active]
    gone = Counter(cards) - Counter(sight.known(hand))
    is_one_gone = gone.total() == 1 or sight.is_partial(hand)
    if not sight.is_part(hand, cards) or not is_one_gone or state.pending is not None:
        return None
    rest = [group for group in wrong if group not in (hand, DISCARD_GROUP)]
    are_lifted = all(g[0] == "dream" and sight.is_part(g, cards_of(state, g)) for g in rest)
    if not are_lifted or (len(rest) > 2 and not _are_claims(state, rest)):
        return None
    # Cards lifted from their cities belong to a swap, a flight or a balance that is being played.
    player = state.players[state.active]
    card = next(iter(gone)) if gone.total() == 1 else "a card"
    return Waiting(text=f"{player} spends {card}: what for is to be seen.")


def _are_claims(state: UrbionState, groups: list[Group]) -> bool:
    """Whether cards are only missing at balanced cities, which are being claimed."""
    rows = [state.rows[int(group[1])] for group in groups]
    return all(row is not None and row.is_balanced for row in rows)


def _unseen(state: UrbionState, sight: SeenTable) -> Waiting | None:
    """Wait for what is hidden where it may show which cards were drawn from a deck that nobody knows."""
    is_seen = DISCARD in sight.picture and not any(map(sight.is_partial, card_groups(len(state.hands))))
    if is_seen or None not in state.dreams:
        return None
    return Waiting(text="What was drawn cannot be told before all hands and cities are seen.")


def _discard_late(state: UrbionState, wrong: set[Group], sight: SeenTable) -> Waiting | None:
    spent = spent_by_others(state, sight)
    if wrong == {DISCARD_GROUP} and not spent:
        return Waiting(text="The discard pile does not show the card that was discarded last.")
    return None
