"""What the table means for the game: the verdict on the current picture, given everything seen before.

Pure: reads a `GameSoFar` and writes nothing. The referee acts on the verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Generic, TypeVar

from companion.decision import Accepted, Ask, Choice, Decision, InStep, OutOfStep, Waiting, told
from companion.game import Game
from companion.i18n import Message, msg
from companion.observation import Query, Snapshot
from companion.reconcile.beam_search import Course, courses, denied_by, likeliest, tables_by_turn
from companion.reconcile.conflict import contradiction
from companion.reconcile.retrodiction import Story, awaits_entry
from companion.reconcile.table_history import TableHistory, laid_like, moved_to, trail_before, trail_since
from companion.session.ledger import GameLine
from companion.session.rulings import ending_key
from companion.table import Picture, Place, kind_of

S = TypeVar("S")
A = TypeVar("A")

LOST = "referee.lost"
_NOTHING = object()
_WHICH = msg("The table can be read in more than one way: which of these happened?")
_UNSEEN = msg("Not all of it can be seen: was this what was played?")
_STRANGE = msg("It does not match what was seen earlier: was this what was played?")
# After this many different tables without an explanation the referee says that it is lost.
_PATIENCE = 5
# A run of this many actions is asked about if this many earlier looks are not on its way.
_LONG = 5
_DENIALS = 2
# What is as likely as this counts as seen where only that explains the table; less is asked about.
_SUPPOSED = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class TableVerdict(Generic[A]):
    """The meaning of a table by itself.

    Attributes:
        decision: for the players.
        agrees: the table shows the current state of the game, even if something else is still to be decided.
        waits: the table has no explanation yet.
    """

    decision: Decision[A]
    agrees: bool = False
    waits: bool = False


@dataclass(frozen=True, kw_only=True)
class GameSoFar(Generic[S, A]):
    """The current game, and all that was seen of the table until now.

    Attributes:
        line: the game, with what the players ruled.
        history: what the table has shown; not changed here.
        named: the previous verdict.
    """

    game: Game[S, A]
    line: GameLine[S, A]
    history: TableHistory
    named: Decision[A]

    @cached_property
    def expected(self) -> Picture:
        """Return the picture that the game predicts."""
        return self.game.predict(self.line.state)

    @cached_property
    def story(self) -> Story[S, A]:
        """Return what retrodiction needs of the game so far."""
        line, history = self.line, self.history
        return Story(
            states=[line.state_after(count) for count in range(len(line) + 1)],
            actions=line.actions,
            shown=history.shown,
            looks=history.agreed,
            first_looks=history.first_agreed,
            trails=history.trails,
            last_seen=history.last_seen,
            tables=history.tables,
            watched_from=history.watched_from,
        )

    @cached_property
    def looks(self) -> list[Query]:
        """Return the earlier looks that could not be explained, without what players call misread since."""
        misread = self.line.rulings.misread.items()
        return [
            replace(
                look, picture={at: seen for at, seen in look.picture.items() if (at, seen) not in misread}
            )
            for look in self.history.looks
        ]

    def verdict(self) -> TableVerdict[A]:
        """Return what the table seen last means for the current game."""
        seen, ending = self.history.seen, open_ending(self.game, self.line)
        if self.game.result(self.line.state) is not None:
            return TableVerdict(decision=ending or InStep(text=msg("The game is over.")))
        if seen is None:
            return TableVerdict(decision=self.named)
        if conflicts := self.line.rulings.open_conflicts(seen):
            asked: Ask[A] = contradiction(
                conflicts,
                seen.claims,
                name_place=lambda where: self.game.name_place(self.line.state, where),
                name_value=lambda where, value: self.game.name_value(self.line.state, where, value),
            )
            return TableVerdict(decision=asked)
        cleaned = self.cleaned(seen)
        if awaits_entry(self.game, self.story, cleaned):
            return TableVerdict(decision=Waiting(text=msg("The table does not show what was entered yet.")))
        decision = self.game.explain(self.line.state, cleaned)
        if isinstance(decision, InStep):
            return TableVerdict(decision=ending or decision, agrees=True)
        if self.line.rulings.held:
            text = msg("The table is still as it was before the game was edited.")
            return TableVerdict(decision=Waiting(text=text))
        if isinstance(decision, Waiting):
            return TableVerdict(decision=self._lost_after(decision, seen), waits=True)
        return TableVerdict(decision=decision)

    def supposed(self, seen: Snapshot) -> Snapshot:
        """Return a snapshot with what is likely enough as if it were seen, where that is needed.

        It is where it explains a table that has no explanation otherwise. That a piece has come to the table
        explains too much to be supposed.
        """
        filled = self._with_likely(seen, _SUPPOSED, absent=self.game.arriving_kinds)
        if filled is None or self.game.result(self.line.state) is not None:
            return seen
        plain = self._explained(seen)
        if isinstance(plain, Accepted):
            return seen
        if isinstance(plain, InStep):
            # A piece that stands where nobody expects it may be another one, so it moves nothing. But if it
            # is not, what is taken for played must be possible as well.
            some = self._with_likely(seen, _SUPPOSED, without=self.game.roaming_kinds)
            return some if some is not None and self._is_borne_out(some, filled) else seen
        return filled if isinstance(self._explained(filled), InStep | Accepted) else seen

    def _is_borne_out(self, some: Snapshot, more: Snapshot) -> bool:
        """Whether a table shows that something was played, and does so with more filled in, too."""
        found, other = self._explained(some), self._explained(more)
        if not isinstance(found, Accepted) or not isinstance(other, Accepted):
            return False
        return other.actions[: len(found.actions)] == found.actions

    def disproved(self, chosen: Choice[A], others: Iterable[Choice[A]]) -> Picture:
        """Return what seemed likely, and would be so by another answer, but is not by the chosen one."""
        likely = {} if self.history.seen is None else self.history.seen.likely
        rejected = [self._tables_of(each.actions)[-1] for each in others if each.actions]
        right = self._tables_of(chosen.actions)[-1]
        return {
            at: one.value
            for at, one in likely.items()
            if right.get(at, _NOTHING) != one.value
            and any(each.get(at, _NOTHING) == one.value for each in rejected)
        }

    def _tables_of(self, actions: Iterable[A]) -> list[Picture]:
        """Return what lies on the table now, during and after some actions."""
        return [table for turn in tables_by_turn(self.game, self.line.state, actions) for table in turn]

    def _with_likely(
        self,
        seen: Snapshot,
        least: float = 0.0,
        *,
        without: Collection[str] = (),
        absent: Collection[str] = (),
    ) -> Snapshot | None:
        """Return a snapshot with what is as likely as `least` as if it were seen, None if there is nothing.

        Places of the kinds in `without` are left as they are; so are those in `absent` of pieces that the
        game expects nowhere.
        """
        misread, expected = self.line.rulings.misread, self.expected
        likely = {
            at: one.value
            for at, one in seen.likely.items()
            if one.confidence >= least
            and kind_of(at) not in without
            and (kind_of(at) not in absent or expected.get(at) is not None)
            and misread.get(at, _NOTHING) != one.value
        }
        if not likely or seen.busy or seen.contested:
            return None
        unseen, doubted = seen.unseen - likely.keys(), seen.doubted - likely.keys()
        return replace(seen, picture={**seen.picture, **likely}, unseen=unseen, doubted=doubted)

    def _explained(self, seen: Snapshot) -> Decision[A]:
        return self.game.explain(self.line.state, self.cleaned(seen))

    def weighed(self, decision: Decision[A]) -> Decision[A]:
        """Return a verdict revised by the looks before this one and by the previous verdict."""
        found = self._in_context(decision)
        if not isinstance(found, Accepted):
            return found
        if self._is_suspicious(found.actions):
            return _was_this(_STRANGE, found)
        if len(self.history.waited) >= _PATIENCE and self._holds_a_turn(found.actions):
            return _was_this(_UNSEEN, found)
        return self._still_amiss() or self._doubted(found) or found

    def cleaned(self, seen: Snapshot) -> Query:
        """Return a snapshot to compare with the game: without misread or merely remembered places.

        A piece that was seen to leave where the game has it is nowhere till it is seen or the game moves it.
        """
        history, number = self.history, len(self.line)
        left = {at for at in self._contradicted(seen) if seen.picture[at] is not None}
        return replace(
            Query.about(seen),
            picture={
                **self.line.rulings.compared(seen),
                **dict.fromkeys(left - self.line.rulings.misread.keys()),
            },
            unseen=frozenset(),
            contested={},
            before=history.latest,
            trail=trail_since(history.trails, number),
            moved=moved_to(history.agreed, number),
            earlier=trail_before(history.trails, number),
            glimpsed=history.glimpsed,
        )

    def filled(self) -> Query | None:
        """Return the table with hidden places as they were when a fault was named; None if it has changed.

        A hand over the evidence does not end a fault, but the game may go on while the evidence is hidden.
        """
        history = self.history
        if history.seen is None or not self.looks or not isinstance(self.named, OutOfStep):
            return None
        seen, before = self.cleaned(history.seen), self.looks[-1].picture
        if any(before.get(where, value) != value for where, value in seen.picture.items()):
            return None
        return replace(seen, picture={**before, **seen.picture})

    def courses(self, *, trusting: bool) -> list[Course[S, A]]:
        """Return the courses left open by the looks since the game last moved on, the likeliest first."""
        seen = self.history.seen
        if seen is None or seen.busy or seen.contested or self.game.result(self.line.state) is not None:
            return []
        newest = self.cleaned(seen)
        looks = [replace(look, doubting=True) for look in self.looks]
        earlier = [look for look in looks if look.picture != newest.picture]
        trusting = trusting and not self._is_astray(seen)
        return courses(self.game, self.line.state, [*earlier, newest], trusting=trusting)

    def is_named(self, fault: OutOfStep[A]) -> bool:
        """Whether a fault is the one named before."""
        return isinstance(self.named, OutOfStep) and self.named.rule == fault.rule != LOST

    def _lost_after(self, waiting: Waiting, seen: Snapshot) -> Decision[A]:
        """Wait, but not forever: if play goes on while nothing is understood, the players must be told."""
        waited = self.history.waited
        if len(waited) + (seen.picture not in waited) <= _PATIENCE:
            return waiting
        filled = self._with_likely(seen)
        if filled is not None and isinstance(found := self._explained(filled), Accepted):
            return _was_this(_UNSEEN, found)
        text = msg(
            "The game has moved on, and Moontable cannot tell what was played. {waiting}",
            waiting=waiting.text,
        )
        return OutOfStep(rule=LOST, text=text, fixes=waiting.pending)

    def _doubted(self, found: Accepted[A]) -> Ask[A] | None:
        """Return the question what was played if what is likely speaks for something else."""
        filled = None if self.history.seen is None else self._with_likely(self.history.seen, _SUPPOSED)
        other = None if filled is None else self._explained(filled)
        if not isinstance(other, Accepted) or other.actions[: len(found.actions)] == found.actions:
            return None
        runs = [Choice(actions=each.actions, text=each.text) for each in (other, found)]
        return Ask(text=_WHICH, choices=tuple(runs))

    def _is_suspicious(self, actions: Sequence[A]) -> bool:
        """Whether a place likely showed what it never does in a run, and does not show any more."""
        seen, misread = self.history.seen, self.line.rulings.misread
        if seen is None or not self.history.suspected:
            return False
        tables = self._tables_of(actions)
        return any(
            any(at in table for table in tables)  # else it belongs to what has been cleared away
            and all(table.get(at, _NOTHING) != value for table in tables)
            for at, values in self.history.suspected.items()
            for value in values
            if kind_of(at) not in self.game.roaming_kinds
            and misread.get(at, _NOTHING) != value
            and (at not in tables[-1] or (at in seen.picture and at not in seen.unseen))
            and not (at in seen.likely and seen.likely[at].value == value)
        )

    def _holds_a_turn(self, actions: Sequence[A]) -> bool:
        """Whether a run holds a whole turn in which something was played, between two others."""
        ends = [number for number, action in enumerate(actions) if self.game.ends_turn(action)]
        return any(later - end > 1 for end, later in pairwise(ends))

    def _still_amiss(self) -> OutOfStep[A] | None:
        """Return the fault named last, unless something seen now has ended it."""
        seen = self.filled()
        if seen is None:
            return None
        again = self.game.explain(self.line.state, seen)
        return again if isinstance(again, OutOfStep) and self.is_named(again) else None

    def _in_context(self, decision: Decision[A]) -> Decision[A]:
        """Return the verdict revised by the earlier looks that could not be explained.

        A place that must be seen but stayed hidden counts as unchanged, also before a violation is named: if
        it turns out otherwise later, the action is inserted where it was played.
        """
        if not self.looks or not isinstance(decision, Accepted | Ask | OutOfStep):
            return decision
        in_vain = isinstance(decision, OutOfStep) and (decision.rule == LOST or bool(self.history.waited))
        found = self.courses(trusting=in_vain)
        if isinstance(decision, Ask) and _leaves_open(decision, found):
            return decision
        runs = [self._choice(course) for course in likeliest(self.game, found)]
        if len(runs) == 1 and self._is_strange(runs[0].actions):
            return _was_this(_STRANGE, runs[0])
        if len(runs) == 1:
            return Accepted(actions=runs[0].actions, text=runs[0].text)
        if runs and (in_vain or isinstance(decision, Accepted)):
            return Ask(text=_WHICH, choices=tuple(runs))
        return decision

    def _choice(self, course: Course[S, A]) -> Choice[A]:
        text = told(self.line.state, course.actions, self.game.describe_action, self.game.apply)
        return Choice(actions=course.actions, text=text)

    def _is_strange(self, actions: Sequence[A]) -> bool:
        """Whether earlier looks should have shown a part of a run: it is long, or the last was waited at.

        A table on which a fault was named may have been put right since; one that was waited at was reached.
        """
        if isinstance(self.named, Waiting):
            return len(actions) > 1 and self._denials(actions, self._waited_at()) > 0
        return len(actions) >= _LONG and self._denials(actions, self.looks) >= _DENIALS

    def _denials(self, actions: Sequence[A], looks: Sequence[Query]) -> int:
        """Return how many looks speak against a run that explains the table as it is now.

        What the table still shows as it did then speaks against nothing, though the run leads to something
        else there: a tile that nobody has turned over yet. Nor does a place that was still free on which the
        run has something laid that players may lay late.
        """
        seen, game = self.history.seen, self.game
        picture: Picture = {} if seen is None else self.cleaned(seen).picture
        end = laid_like(self._tables_of(actions)[-1], picture, game.group_of)
        late = {at: value for at, value in picture.items() if end.get(at, value) != value}
        laid = {at for at, value in end.items() if value is not None and kind_of(at) in game.late_kinds}
        late |= dict.fromkeys(laid)
        looks = [
            replace(
                look, picture={at: one for at, one in look.picture.items() if late.get(at, _NOTHING) != one}
            )
            for look in looks
        ]
        return denied_by(game, self.line.state, actions, looks)

    def _waited_at(self) -> list[Query]:
        """Return the earlier looks at tables without an explanation."""
        waited = [picture.items() for picture in self.history.waited]
        return [look for look in self.looks if any(look.picture.items() <= each for each in waited)]

    def _is_astray(self, seen: Snapshot) -> bool:
        """Whether a hidden place certainly differs from the game.

        A piece was seen being taken up, or stands elsewhere by now; or something lies on a free box.
        """
        expected = self.expected
        is_taken_up = any(seen.picture.get(p, p) is None and expected.get(p) is not None for p in seen.unseen)
        return is_taken_up or any(self._contradicted(seen))

    def _contradicted(self, seen: Snapshot) -> Iterator[Place]:
        """Yield the places that cannot be told, but surely do not show what the game expects."""
        expected = self.expected
        return (p for p in seen.doubted if p in expected and expected[p] == seen.picture[p])


def _was_this(text: Message, run: Choice[A] | Accepted[A]) -> Ask[A]:
    """Return the question whether a run was played."""
    other: Choice[A] = Choice(actions=(), text=msg("No, something else happened."))
    return Ask(text=text, choices=(Choice(actions=run.actions, text=run.text), other))


def open_ending(game: Game[S, A], line: GameLine[S, A]) -> Ask[A] | None:
    """Return the question whether and how the game has ended, if it is open and not answered yet."""
    asked = game.open_ending(line.state)
    return None if asked is None or ending_key(asked) == line.rulings.goes_on else asked


def _leaves_open(asked: Ask[A], found: Sequence[Course[S, A]]) -> bool:
    """Whether the earlier looks favour none of a question's choices.

    They never count against a choice without actions, "something else".
    """
    choices = [choice.actions for choice in asked.choices if choice.actions]
    if not found or found[0].actions not in choices:
        return False
    aside = [course.aside for course in found if course.actions in choices]
    return len(choices) < len(asked.choices) or aside.count(min(aside)) > 1
