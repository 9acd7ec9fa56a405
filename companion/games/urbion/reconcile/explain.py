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
from companion.games.kit.search import Search, different, too_little
from companion.games.urbion.actions import Action, Chaos
from companion.games.urbion.catalogue import CHAOS_LOOKS
from companion.games.urbion.descriptions import describe_action
from companion.games.urbion.reconcile.evidence import (
    changed_sides,
    is_all_glimpsed,
    is_credible,
    is_evident,
    leaves_no_trace,
    may_be_two_turns,
    may_have_cleared,
    only_losses,
    shows_more_turns,
)
from companion.games.urbion.reconcile.faults import diagnose
from companion.games.urbion.reconcile.hypotheses import (
    LIMITS,
    UrbionRun,
    is_guessed,
    limits,
    most_turns,
    next_actions,
)
from companion.games.urbion.reconcile.progress import begun, claimed_rows, is_on_its_way, unseen, wait
from companion.games.urbion.reconcile.seen_table import (
    Group,
    SeenTable,
    card_groups,
    differences,
)
from companion.games.urbion.reconcile.unknown import revealed, undrawn
from companion.games.urbion.rules import apply
from companion.games.urbion.state import Row, UrbionState, essence, turn_of
from companion.games.urbion.table import DISCARD, PUSHED, STRAY, WAITING, dream_places
from companion.i18n import mark, msg
from companion.observation import Query
from companion.table import Picture

# So much longer is searched where more than one turn must have been played.
_PATIENCE = 3
_PUSH_UP = mark("A card lies between two cities: push it up to its own.")


def explain(state: UrbionState, seen: Query) -> Decision[Action]:
    """Say what the snapshot means; pure and deterministic."""
    if state.reason is not None:
        return InStep(text=msg("The game is over."))
    picture = believed(seen)
    if picture.get(STRAY) is not None:
        return _with_stray(state, seen, picture)
    pushed = _newly_pushed(seen, picture)
    return _with_pushed(state, seen, picture, pushed) if pushed else _explained(state, seen, picture)


def _explained(state: UrbionState, seen: Query, picture: Picture) -> Decision[Action]:
    """Say what the believed picture means, in which every card has its place."""
    return UrbionSearch(state, seen, picture).decision()


class UrbionSearch(Search[UrbionState, Action, set[Group]]):
    """A picture that is explained.

    First runs are looked at that leave every side that they touch as it is seen; then loose ones, in which
    the first turn may touch sides that the second turn touches again.
    """

    limits = LIMITS

    def __init__(self, state: UrbionState, seen: Query, picture: Picture) -> None:
        super().__init__(state, seen, apply, describe_action)
        self.sight = SeenTable(picture, state.players)
        self._doubted: list[UrbionRun] = []
        self._turns, self._is_loose = 0, False

    def differences(self, state: UrbionState) -> set[Group]:
        """Return the sides, hands and so on that do not look as the state predicts."""
        return differences(state, self.sight)

    def levels(self) -> Iterator[list[UrbionRun]]:
        """Yield the strict runs, action by action, then the loose ones."""
        state = self.state
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
        self.partial += [run for run in level if run.actions and is_on_its_way(run, before, self.sight)]

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
        return self._decided([run for run in self.whole if not _is_dealt_the_same(run)] or self.whole)

    def unexplained(self) -> Decision[Action]:
        """Say what is in doubt, still to be done, begun or hidden, or which rule was broken."""
        state, sight = self.state, self.sight
        if self._doubted:
            return _doubt(self._decided(self._doubted))
        if self.partial:
            return wait(self.partial, sight)
        return begun(state, self.start.wrong, sight) or unseen(state, sight) or diagnose(state, sight)

    def _decided(self, whole: Iterable[UrbionRun]) -> Decision[Action]:
        # Of runs that end alike the one is told that leaves the very card on the pile that is seen there.
        top = self.sight.picture.get(DISCARD)
        runs = different(sorted(whole, key=lambda run: run.state.discards[-1:] != (top,)), essence)
        hidden = [group for group in card_groups(len(self.sight.players)) if self.sight.is_partial(group)]
        run = runs[0]
        if len(runs) == 1 and is_evident(run, hidden, self.sight):
            if may_be_two_turns(run):
                return self.ask(
                    msg("Was all this done in one turn?"), runs, msg("It was more than one turn.")
                )
            if _may_be_more(run):
                return _doubt(self.accepted(run))
            if run.state.reason == "dreams" and only_losses(run, changed_sides(run)):
                return self.ask(msg("Is the game over?"), runs, msg("It goes on."))
            return self.accepted(run)
        if len(runs) == 1 and not hidden and run.state.reason is not None:
            return self.ask(msg("Is the game over?"), runs, msg("It goes on."))
        if hidden or len(runs) == 1 or len(runs) > self.limits.choices:
            return too_little()
        return self.ask(msg("What happened?"), runs)

    def _lost_unseen(self) -> Ask[Action] | None:
        """Ask where a Chaos card that was seen to wait is gone, and too few dreams are left to answer it.

        Nothing else on the table shows that the game was lost by drawing.
        """
        state, picture = self.state, self.sight.picture
        player = turn_of(state)
        is_gone = all(where in picture and picture[where] is None for where in WAITING)
        if player is None or state.pending != "chaos" or len(state.dreams) >= CHAOS_LOOKS or state.is_setup:
            return None
        if not is_gone or not any(self.seen.before.get(where) for where in WAITING):
            return None
        lost = self.played(self.start, [Chaos(player=player, way="draw")])
        return self.ask(msg("Is the game over?"), lost, msg("It goes on."))


def _with_stray(state: UrbionState, seen: Query, picture: Picture) -> Decision[Action]:
    """Try a card of which nobody could tell where it lies at each place, and ask what came of it."""
    rest = {where: value for where, value in picture.items() if where != STRAY}
    choices = _tried_at(state, seen, rest, *_card_and_groups(picture[STRAY] or ""))
    if not choices or len(choices) > LIMITS.choices:
        return Waiting(text=msg(_PUSH_UP))
    text = msg("At which city does the new card lie?")
    return Ask(text=text, choices=(*choices, Choice(actions=(), text=msg("It is not laid yet."))))


def _with_pushed(state: UrbionState, seen: Query, picture: Picture, pushed: set[str]) -> Decision[Action]:
    """Try a known card that lies between two cities at the other one, where nothing else shows what was done.

    It may have been pushed, or moved there by the turn that else would have left no trace.
    """
    rest = {where: value for where, value in picture.items() if where != PUSHED}
    decision = _explained(state, seen, rest)
    is_told = isinstance(decision, Accepted) and not any(map(leaves_no_trace, decision.actions))
    if is_told or not isinstance(decision, Accepted | OutOfStep):
        return decision
    found = [choice for card in sorted(pushed) for choice in _tried_elsewhere(state, seen, rest, card)]
    if isinstance(decision, Accepted):
        found.insert(0, Choice(actions=decision.actions, text=decision.text))
    choices = list({choice.actions: choice for choice in found}.values())
    if not choices or len(choices) > LIMITS.choices:
        return decision if isinstance(decision, OutOfStep) else Waiting(text=msg(_PUSH_UP))
    text = msg("A card is between two cities now. What happened?")
    return Ask(text=text, choices=(*choices, Choice(actions=(), text=msg("Something else."))))


def _tried_elsewhere(state: UrbionState, seen: Query, picture: Picture, value: str) -> list[Choice[Action]]:
    """Return what the table would mean if a card between two cities lay at the other one."""
    card, (known, *others) = _card_and_groups(value)
    own = dream_places(int(known[1]), str(known[2]))
    lies = next((where for where in own if picture.get(where) == card), None)
    return [] if lies is None else _tried_at(state, seen, {**picture, lies: None}, card, others)


def _newly_pushed(seen: Query, picture: Picture) -> set[str]:
    """Return the known cards that came to lie between two cities since the table agreed with the game."""
    there = set((picture.get(PUSHED) or "").split(";"))
    return there - set((seen.before.get(PUSHED) or "").split(";")) - {""}


def _card_and_groups(value: str) -> tuple[str, list[Group]]:
    face, *groups = value.split(" ")
    pairs = (group.split(":") for group in groups)
    return face, [("dream", int(row), side) for row, side in pairs]


def _tried_at(
    state: UrbionState, seen: Query, picture: Picture, card: str, groups: Iterable[Group]
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


def _doubt(decision: Decision[Action]) -> Decision[Action]:
    """Ask about a run beside which there may have been more: what it was, the table shows no more."""
    if not isinstance(decision, Accepted):
        return decision
    run = Choice(actions=decision.actions, text=decision.text)
    return Ask(
        text=msg("Was this all that was done?"),
        choices=(run, Choice(actions=(), text=msg("There was more."))),
    )


def _is_dealt_alike(run: UrbionRun) -> bool:
    """Whether a city is laid out for a claimed one that is like it, with a dream that lay there before.

    That is so odd that more actions, after which the city would never have been claimed, may be as likely.
    """
    return any(old.city == new.city and _dreams(old) & _dreams(new) for old, new in _dealt_anew(run))


def _may_be_more(run: UrbionRun) -> bool:
    """Whether a city that was cleared or claimed leaves it open whether this was all, or that at all."""
    return may_have_cleared(run) or _is_dealt_again(run)


def _is_dealt_again(run: UrbionRun) -> bool:
    """Whether all that lies where a city was claimed lay there before, so that it may be the old one.

    Some of its cards may have been taken away since, or be missing because a turn is only half done.
    """
    return any(_cards_of([new]) <= _cards_of([old]) for old, new in _dealt_anew(run))


def _dealt_anew(run: UrbionRun) -> Iterator[tuple[Row, Row]]:
    """Yield the claimed rows where a city was and is again, as they were and as they are."""
    pairs = ((run.start.rows[number], run.state.rows[number]) for number in claimed_rows(run))
    return ((old, new) for old, new in pairs if old is not None and new is not None)


def _is_dealt_the_same(run: UrbionRun) -> bool:
    """Whether all that is laid out for the claimed cities is what lay there before, though at other places.

    Only the very cards that were claimed would have to be dealt again. Where anything else explains the
    table, that was it.
    """
    before, after = ([state.rows[number] for number in claimed_rows(run)] for state in (run.start, run.state))
    return bool(before) and _cards_of(before) == _cards_of(after)


def _cards_of(rows: Iterable[Row | None]) -> Counter[str]:
    """Return the cities of some rows and the dreams beside them."""
    there = [row for row in rows if row is not None]
    return sum(map(_dreams, there), start=Counter(row.city for row in there))


def _dreams(row: Row) -> Counter[str]:
    return Counter((*row.left, *row.right))
