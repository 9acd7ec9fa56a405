"""The referee: watches the settled table, keeps the game's journal and tells the players what is due.

Observations or snapshots go in, updates come out. What is accepted is in the journal before anybody hears of
it. All state is folded from the journal, so a referee made anew from the same file goes on where the last one
stopped. Use it from one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, Generic, TypeAlias, TypeVar

from companion import log
from companion.decision import Accepted, Ask, Choice, Decision, InStep, OutOfStep, Waiting, told
from companion.errors import RuleViolation
from companion.game import Game, Json
from companion.i18n import msg
from companion.observation import Expectation, Observation, Snapshot
from companion.prompts import Prompt
from companion.reconcile.beam_search import Course, courses, denied_by, likeliest
from companion.reconcile.conflict import contradiction, open_contradictions
from companion.reconcile.debounce import Debouncer, DebounceRules, added_up
from companion.reconcile.retrodiction import (
    Rewrite,
    Story,
    awaits_entry,
    changed_places,
    has_idle_turn,
    is_explained,
    retrodict,
    retrodict_missed,
    retrodict_undo,
    retrodict_unlikely,
)
from companion.reconcile.table_history import TableHistory, laid_like, moved_to, trail_before, trail_since
from companion.record.game_record import same, write_record
from companion.session.journal import Journal, JournalEntry
from companion.session.ledger import BY_ANSWER, BY_PLAYER, BY_TABLE, Edit, Ledger, Line
from companion.session.prompt_board import PromptBoard, is_own
from companion.session.update import Past, Update, history_of, update_between
from companion.table import Picture, Place, Value

S = TypeVar("S")
A = TypeVar("A")
_Retrodiction: TypeAlias = Callable[[Game[S, A], Story[S, A], Snapshot], list[Rewrite[A]]]

# One snapshot is explained again after each run that it made the referee accept, at most this often.
_ROUNDS = 6
# An observation is passed over when the game has changed more often than this since it was begun.
_BEHIND = 1
# So many different tables may be waited at before the referee says that it is lost.
_PATIENCE = 5
_LOST = "referee.lost"
# A run of so many actions is asked about where so many looks before it do not lie on its way.
_LONG = 5
_DENIALS = 2


@dataclass(frozen=True, slots=True)
class _Mark(Generic[S, A]):
    """The game and the verdict as they stood when a call began."""

    line: Line[S, A]
    decision: Decision[A]


class Referee(Generic[S, A]):
    """One game being watched.

    Everything that changes the game raises JournalError where the journal cannot be written; nothing has
    changed then.
    """

    def __init__(
        self, game: Game[S, A], journal: Journal, debounce_rules: DebounceRules | None = None
    ) -> None:
        self.game = game
        self.journal = journal
        self._ledger: Ledger[S, A] = Ledger.read(game, journal)
        self._debouncer = Debouncer(debounce_rules)
        self._listeners: list[Callable[[Update[A]], None]] = []
        self._decision: Decision[A] = Waiting(text=msg("Nothing has been seen yet."))
        self._seen: Snapshot | None = None
        self._unheard = False
        self._shown = _shown_of(self._ledger.line)
        self._memory = TableHistory(len(self._ledger.line))
        self._held: Picture | None = None
        self._waited: list[Picture] = []
        self._glimpsed: Mapping[Place, Mapping[Value, int]] = {}
        self._overruled: dict[Place, Value] = {}
        self._goes_on: Ask[A] | None = None
        self._ruled: dict[Place, tuple[tuple[Value, ...], Value]] = {}
        self._board = PromptBoard(self._ledger.confirmed)
        self._board.refresh(self.line, None)

    # -- what stands ------------------------------------------------------------------------------

    @property
    def line(self) -> Line[S, A]:
        """Return the game as it stands: its actions and states."""
        return self._ledger.line

    @property
    def state(self) -> S:
        """Return the state that the accepted actions lead to."""
        return self.line.state

    @property
    def expectation(self) -> Expectation:
        """Return what the game expects of the table just now; may be asked from any thread."""
        line = self.line
        return Expectation(picture=self.game.predict(line.state), revision=line.revision)

    @property
    def number(self) -> int:
        """Return the number of accepted actions."""
        return len(self.line)

    @property
    def actions(self) -> tuple[A, ...]:
        """Return the accepted actions."""
        return self.line.actions

    @property
    def result(self) -> Json | None:
        """Return the record's result, None while the game runs."""
        return self.game.result(self.state)

    @property
    def turn_of(self) -> str | None:
        """Return the player who acts next, None after the end."""
        return self.game.turn_of(self.state)

    @property
    def decision(self) -> Decision[A]:
        """Return the verdict on the table as it was seen last."""
        return self._decision

    @property
    def snapshot(self) -> Snapshot | None:
        """Return the settled table as it was seen last."""
        return self._seen

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """Return the open prompts, the most important kind first, older before newer."""
        return self._board.prompts

    @property
    def questions(self) -> int:
        """Return how many questions were asked since the referee was made."""
        return self._board.questions

    @property
    def can_undo(self) -> bool:
        """Return whether there is anything to take back."""
        return bool(self._ledger.done)

    @property
    def can_redo(self) -> bool:
        """Return whether anything that was taken back can be brought back."""
        return bool(self._ledger.undone)

    @property
    def history(self) -> tuple[Past[A], ...]:
        """Return everything that was played, in order."""
        return history_of(self.game, self.line)

    def subscribe(self, listener: Callable[[Update[A]], None]) -> Callable[[], None]:
        """Call the listener with every update that brings news; returns the function that ends this."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    # -- the table --------------------------------------------------------------------------------

    def feed(self, observation: Observation) -> Update[A] | None:
        """Take one observation; return an update where it settled anything new."""
        if self._is_left_behind(observation):
            log.reconcile.debug("left behind source=%s seq=%d", observation.source, observation.seq)
        else:
            snapshot = self._debouncer.feed(self.game.located(self.state, observation))
            if snapshot is not None:
                return self.consider(snapshot)
        if self._unheard and self._seen is not None:
            return self.consider(self._seen)
        return None

    def _is_left_behind(self, observation: Observation) -> bool:
        """Whether the game has changed too often since an observation was begun for it to say anything.

        What a slow source sees while another moves the game on is still heard. Of photographs none is passed
        over: there is no next one that shows the same.
        """
        if observation.read_for is None or self._debouncer.rules.stills:
            return False
        return self.line.revision - observation.read_for > _BEHIND

    def consider(self, snapshot: Snapshot) -> Update[A]:
        """Compare a settled table with the game and commit what it surely shows."""
        self._seen = snapshot
        self._memory.tables += not snapshot.busy
        self._glimpsed = added_up((self._glimpsed, snapshot.glimpsed))
        self._unheard = True  # until the journal took all that the snapshot brings
        update = self._conclude(_Mark(self.line, self._decision))
        self._unheard = False
        self._remember_look(snapshot)
        return update

    def presume(self) -> Update[A] | None:
        """Commit the likeliest course that the looks since the game last moved on leave open, if any.

        For those who have nobody to ask. What was not seen counts as unchanged; who has won is not presumed.
        """
        if self._decision == self._open_ending():
            return None
        began = _Mark(self.line, self._decision)
        found = self._courses(trusting=True)
        if not found or not self._follow(found[0].actions, BY_TABLE):
            return None
        return self._conclude(began)

    # -- the players ------------------------------------------------------------------------------

    def choose(self, index: int) -> Update[A]:
        """Answer the standing question, or say what an out-of-step verdict offers to be said.

        Raises RuleViolation where there is neither, or no such answer.
        """
        asked = self._decision
        if isinstance(asked, OutOfStep) and 0 <= index < len(asked.offers):
            return self.enter(*asked.offers[index].actions)
        if not isinstance(asked, Ask) or not 0 <= index < len(asked.choices):
            raise RuleViolation(
                "ask.nothing",
                msg("there is no question with an answer {number}", number=index + 1),
                index=index,
            )
        began = _Mark(self.line, self._decision)
        chosen = asked.choices[index]
        if chosen.actions:
            self._commit(self._plan(chosen.actions, BY_ANSWER))
            self._mark_shown()
        elif chosen.result is not None:
            self._commit(self._ledger.plan_settlement(dict(chosen.result)))
        elif asked == self.game.open_ending(self.state):
            self._goes_on = asked
        elif self._seen is not None and self._seen.contested:
            where, values = next(iter(open_contradictions(self._seen, self._ruled).items()))
            self._ruled[where] = (values, values[index])
        else:
            self._overrule()
        return self._conclude(began)

    def settle(self, result: Json) -> Update[A]:
        """End the game as the players say; raises RuleViolation where it cannot have ended so."""
        began = _Mark(self.line, self._decision)
        self._commit(self._ledger.plan_settlement(result))
        return self._conclude(began)

    def enter(self, *actions: A) -> Update[A]:
        """Commit actions that a player enters by hand; raises RuleViolation and changes nothing."""
        began = _Mark(self.line, self._decision)
        self._commit(self._plan(actions, BY_PLAYER))
        self._hold_unless_amiss()
        return self._conclude(began)

    def correct(self, number: int, actions: Iterable[A], *, count: int = 1) -> Update[A]:
        """Replace `count` accepted actions from `number` on by others and refold all that follows.

        Raises RuleViolation with the parameter ``number`` where a later action no longer fits; nothing has
        changed then. What the table shows to the contrary just now counts as misread from here on.
        """
        began = _Mark(self.line, self._decision)
        before, was_shown = self.game.predict(self.state), self._shown >= self.number
        entry = len(self.journal) + 1
        edit = self._ledger.plan_correction(number, count, actions, by=BY_PLAYER, entry=entry)
        self._commit(edit)
        if was_shown:
            self._mark_shown()
        after = self.game.predict(self.state)
        seen = self._seen.picture if self._seen is not None else {}
        for where in changed_places(before, after):
            if where in seen and where in before and seen[where] == before[where]:
                self._overruled[where] = seen[where]
        self._hold_unless_amiss()
        return self._conclude(began)

    def undo(self) -> Update[A]:
        """Take the last decision back; what the table shows now is not accepted again until it changes."""
        began = _Mark(self.line, self._decision)
        if not self.can_undo:
            raise RuleViolation("undo.nothing", msg("there is nothing to undo"))
        self.journal.append("undo", {})
        self._ledger.undo()
        self._forget_after(self.line.same_until(began.line))
        self._hold()
        return self._conclude(began)

    def redo(self) -> Update[A]:
        """Bring back what was taken back last."""
        began = _Mark(self.line, self._decision)
        if not self.can_redo:
            raise RuleViolation("redo.nothing", msg("there is nothing to redo"))
        self.journal.append("redo", {})
        self._ledger.redo()
        self._forget_after(self.line.same_until(began.line))
        self._hold_unless_amiss()
        return self._conclude(began)

    def confirm(self, prompt_id: str) -> Update[A]:
        """Close an open prompt; raises RuleViolation where none has this id."""
        began = _Mark(self.line, self._decision)
        key = self._board.find(prompt_id)
        if key is None:
            raise RuleViolation("prompt.unknown", msg("this prompt is already closed"), prompt=prompt_id)
        if not is_own(key):
            self.journal.append("confirm", {"entry": key[0], "prompt": prompt_id})
        self._board.close(key)
        return self._announced(began, self._decision)

    def dismiss(self) -> Update[A]:
        """Close the standing violation or question; it comes back only when the table changes."""
        began = _Mark(self.line, self._decision)
        self._board.dismiss()
        return self._announced(began, self._decision)

    def accept_as_is(self) -> Update[A]:
        """Let the table lie as it lies: places that differ are not compared until they are read otherwise."""
        began = _Mark(self.line, self._decision)
        self._overrule()
        return self._conclude(began)

    # -- evidence and records ---------------------------------------------------------------------

    def attach(self, data: bytes, facts: Json) -> JournalEntry:
        """Keep evidence (a picture) with the decision accepted last."""
        entry = self.line.played[-1].entry if self.number else 0
        return self.journal.append("evidence", {**facts, "entry": entry}, data)

    def evidence(self, number: int) -> list[JournalEntry]:
        """Return the evidence kept with accepted action `number`, 1 for the first."""
        entry = self.line.played[number - 1].entry
        return [
            kept
            for kept in self.journal.entries(entry)
            if kept.kind == "evidence" and kept.body["entry"] == entry
        ]

    def export(self, stream: IO[str], *, checkpoints: bool = False) -> None:
        """Write the game as a record."""
        write_record(
            stream,
            self.game,
            self.journal.header,
            self.actions,
            checkpoints=checkpoints,
            result=self.result,
        )

    # -- deciding ---------------------------------------------------------------------------------

    def _conclude(self, began: _Mark[S, A]) -> Update[A]:
        """Decide on the table as seen last, commit what is sure, tell everybody."""
        if self._seen is not None and self._seen.busy:
            waiting = Waiting(text=msg("A hand is over the table."))
            if self.line is not began.line:
                self._decision = waiting
            return self._announced(began, waiting)
        accepted: list[Accepted[A]] = []
        decision = self._decided()
        may_retrodict = True
        for _ in range(_ROUNDS):
            if may_retrodict and not isinstance(decision, InStep | Ask) and self._retrodict(decision):
                may_retrodict = False
            elif isinstance(decision, Accepted) and self._follow(decision.actions, BY_TABLE):
                accepted.append(decision)
            else:
                break
            decision = self._decided()
        if isinstance(decision, Accepted):
            decision = Waiting(text=msg("This table cannot be explained."))
        self._decision = decision
        if accepted and isinstance(decision, InStep | Waiting):
            actions = tuple(action for each in accepted for action in each.actions)
            return self._announced(began, replace(accepted[-1], actions=actions))
        return self._announced(began, decision)

    def _decided(self) -> Decision[A]:
        """Return what the table means in the light of all that was seen before."""
        decision = self._weighed(self._verdict())
        return self._still_amiss() or decision if isinstance(decision, Accepted) else decision

    def _still_amiss(self) -> OutOfStep[A] | None:
        """Return the fault that was named last, unless something seen now has lifted it."""
        seen = self._filled()
        if seen is None:
            return None
        again = self.game.explain(self.state, seen)
        return again if isinstance(again, OutOfStep) and _is_same(again, self._decision) else None

    def _filled(self) -> Snapshot | None:
        """Return the table, what is hidden of it as it was when a fault was named; None where it has changed.

        A fault is not lifted by a hand over what proved it, but the game may go on with that out of sight.
        """
        if self._seen is None or not self._memory.looks or not isinstance(self._decision, OutOfStep):
            return None
        seen, before = self._cleaned(self._seen), self._memory.looks[-1].picture
        if any(before.get(where, value) != value for where, value in seen.picture.items()):
            return None
        return replace(seen, picture={**before, **seen.picture})

    def _verdict(self) -> Decision[A]:
        """Return what the table as seen last means for the game as it stands."""
        seen, ending = self._seen, self._open_ending()
        if self.result is not None:
            return ending or InStep(text=msg("The game is over."))
        if seen is None:
            return self._decision
        contested = open_contradictions(seen, self._ruled)
        if contested:
            return contradiction(
                contested,
                seen.claims,
                name_place=lambda where: self.game.name_place(self.state, where),
                name_value=lambda where, value: self.game.name_value(self.state, where, value),
            )
        cleaned = self._cleaned(seen)
        if awaits_entry(self.game, self._story(), cleaned):
            return Waiting(text=msg("The table does not show what was entered yet."))
        decision = self.game.explain(self.state, cleaned)
        if isinstance(decision, InStep):
            self._mark_shown()
            self._held = None
            self._waited = []
            return ending or decision
        if self._is_held(seen):
            return Waiting(text=msg("The table is still as it was before the game was edited."))
        if isinstance(decision, Waiting):
            return self._lost_after(decision, seen)
        return decision

    def _open_ending(self) -> Ask[A] | None:
        """Return the question whether and how the game has ended, where it is open and not answered yet."""
        asked = self.game.open_ending(self.state)
        return None if asked == self._goes_on else asked

    def _lost_after(self, waiting: Waiting, seen: Snapshot) -> Decision[A]:
        """Wait, but not for ever: when the table goes on without us, the players must hear of it."""
        if seen.picture not in self._waited:
            self._waited.append(seen.picture)
        if len(self._waited) <= _PATIENCE:
            return waiting
        text = msg(
            "The game has moved on, and Moontable cannot tell what was played. {waiting}",
            waiting=waiting.text,
        )
        return OutOfStep(rule=_LOST, text=text, fixes=waiting.pending)

    def _follow(self, actions: tuple[A, ...], by: str) -> bool:
        """Commit a run that explains the table; say whether the rules let it."""
        try:
            edit = self._plan(actions, by)
        except RuleViolation as error:
            log.reconcile.error("explained by an illegal run rule=%s text=%s", error.rule, error)
            return False
        self._commit(edit)
        self._mark_shown()
        return True

    def _retrodict(self, decision: Waiting | OutOfStep[A] | Accepted[A]) -> bool:
        """Rewrite the game where an earlier moment explains the table (better); say whether it did."""
        if self._seen is None:
            return False
        seen = self._cleaned(self._seen)
        if isinstance(decision, OutOfStep) and _is_same(decision, self._decision):
            seen = self._filled() or seen
        edits: list[Edit[S, A]] = []
        for further in self._retrodictions(decision):
            edits = [
                edit
                for rewrite in further(self.game, self._story(), seen)
                if further is retrodict or self._keeps_what_was_told(rewrite)
                if (edit := self._rewritten(rewrite, seen))
            ]
            if edits:
                break
        if not edits or any(not self._are_alike(edits[-1], edit) for edit in edits):
            return False
        log.reconcile.info("looked back first=%d new=%d", edits[-1].first + 1, edits[-1].new)
        self._commit(edits[-1])
        self._mark_shown()
        return True

    def _retrodictions(
        self, decision: Waiting | OutOfStep[A] | Accepted[A]
    ) -> tuple[_Retrodiction[S, A], ...]:
        """Return how an earlier moment may explain a table, after what it means as the game stands."""
        if isinstance(decision, Waiting):
            # What is waited for may be back where it was before it was moved, beside the table.
            return () if self._held is not None else (retrodict_undo,)
        if isinstance(decision, OutOfStep):
            # Who has not seen enough has no reason to think that he saw wrongly.
            return (
                (retrodict, retrodict_missed)
                if decision.rule == _LOST
                else (retrodict, retrodict_missed, retrodict_unlikely)
            )
        if has_idle_turn(self.game, self.state, decision.actions):
            return (partial(retrodict_unlikely, run=decision.actions),)
        return ()

    def _keeps_what_was_told(self, rewrite: Rewrite[A]) -> bool:
        """Whether a new reading of the table has all that players said was played: they know better."""
        replaced = self.line.played[rewrite.kept : rewrite.kept + rewrite.count]
        return all(each.action in rewrite.actions for each in replaced if each.by != BY_TABLE)

    def _rewritten(self, rewrite: Rewrite[A], seen: Snapshot) -> Edit[S, A] | None:
        """Return the edit that a rewrite asks for; None where what was played later rules it out."""
        entry = len(self.journal) + 1
        try:
            edit = self._ledger.plan_correction(
                rewrite.kept + 1, rewrite.count, rewrite.actions, by=BY_TABLE, entry=entry
            )
        except RuleViolation:
            return None
        return edit if rewrite.count or is_explained(self.game, edit.line.state, seen) else None

    def _weighed(self, decision: Decision[A]) -> Decision[A]:
        """Return the verdict in the light of the looks before this one that could not be explained.

        Where what must be seen was waited for in vain, it counts as unchanged, also before anybody is blamed:
        what comes to light later is put in where it was played.
        """
        if not self._memory.looks or not isinstance(decision, Accepted | Ask | OutOfStep):
            return decision
        in_vain = isinstance(decision, OutOfStep) and (decision.rule == _LOST or bool(self._waited))
        found = self._courses(trusting=in_vain)
        best = likeliest(self.game, found)
        if isinstance(decision, Ask) and _leaves_open(decision, found):
            return decision
        played = [one.actions for one in best]
        words = [told(self.state, run, self.game.describe_action, self.game.apply) for run in played]
        runs = [Choice(actions=run, text=text) for run, text in zip(played, words, strict=True)]
        if len(runs) == 1 and self._is_strange(runs[0].actions):
            text = msg("It does not match what was seen earlier: was this what was played?")
            other: Choice[A] = Choice(actions=(), text=msg("No, something else happened."))
            return Ask(text=text, choices=(runs[0], other))
        if len(runs) == 1:
            return Accepted(actions=runs[0].actions, text=runs[0].text)
        if runs and isinstance(decision, Accepted):
            text = msg("The table can be read in more than one way: which of these happened?")
            return Ask(text=text, choices=tuple(runs))
        return decision

    def _is_strange(self, actions: Sequence[A]) -> bool:
        """Whether so much is said to have been played at once that looks on the way should have shown it."""
        is_long = len(actions) >= _LONG
        return is_long and denied_by(self.game, self.state, actions, self._memory.looks) >= _DENIALS

    def _courses(self, *, trusting: bool) -> list[Course[S, A]]:
        if self._seen is None or self._seen.busy or self._seen.contested or self.result is not None:
            return []
        newest = self._cleaned(self._seen)
        trusting = trusting and not self._is_astray(self._seen)
        looks = [replace(look, doubting=True) for look in self._memory.looks]
        earlier = [look for look in looks if look.picture != newest.picture]
        return courses(self.game, self.state, [*earlier, newest], trusting=trusting)

    def _is_astray(self, seen: Snapshot) -> bool:
        """Whether something that nobody sees is surely not as the game has it.

        A piece was seen to be taken up, so that it does not lie where it lay; or something is on a free box.
        """
        expected = self.game.predict(self.state)
        is_taken_up = any(seen.picture.get(p, p) is None and expected.get(p) is not None for p in seen.unseen)
        return is_taken_up or any(expected.get(p, p) is None for p in seen.doubted)

    def _remember_look(self, snapshot: Snapshot) -> None:
        """Keep a look that could not be explained; what is explained needs no beam search."""
        if snapshot.busy or snapshot.contested:
            return
        if isinstance(self._decision, InStep) or self._decision == self._open_ending():
            self._memory.looks = []
        else:
            self._memory.keep_look(self._cleaned(snapshot))

    def _are_alike(self, one: Edit[S, A], other: Edit[S, A]) -> bool:
        """Whether two edits lead to the same game as far as anybody can tell."""
        first, second = (self.game.checkpoint(edit.line.state) for edit in (one, other))
        return same(first, second)

    def _story(self) -> Story[S, A]:
        line = self.line
        states = [line.state_after(count) for count in range(len(line) + 1)]
        return Story(
            states=states,
            actions=line.actions,
            shown=self._shown,
            looks=self._memory.agreed,
            first_looks=self._memory.first_agreed,
            trails=self._memory.trails,
            last_seen=self._memory.last_seen,
            tables=self._memory.tables,
            watched_from=self._memory.watched_from,
        )

    def _cleaned(self, seen: Snapshot) -> Snapshot:
        """Return the snapshot as the game may judge it: without what is misread or merely remembered."""
        expected = self.game.predict(self.state)
        picture = dict(seen.picture)
        for where, (values, value) in self._ruled.items():
            if seen.contested.get(where) == values:
                picture[where] = value
        for where, value in list(self._overruled.items()):
            if picture.get(where, value) != value or expected.get(where, object()) == value:
                del self._overruled[where]
            else:
                picture.pop(where, None)
        for where in seen.unseen:
            picture.pop(where, None)
        return replace(
            seen,
            picture=picture,
            unseen=frozenset(),
            contested={},
            before=self._memory.latest,
            trail=trail_since(self._memory.trails, self.number),
            moved=moved_to(self._memory.agreed, self.number),
            earlier=trail_before(self._memory.trails, self.number),
            glimpsed=self._glimpsed,
        )

    def _hold(self) -> None:
        """Accept nothing from the table as it lies until it changes."""
        self._held = {} if self._seen is None else dict(self._seen.picture)

    def _hold_unless_amiss(self) -> None:
        """Hold a table that was understood before a player's edit; what was amiss the edit may explain."""
        if not isinstance(self._decision, OutOfStep | Ask):
            self._hold()

    def _is_held(self, seen: Snapshot) -> bool:
        """Whether the table is still as it was when the game was edited by hand."""
        if self._held is None:
            return False
        if not self._held:  # edited before anything was seen
            self._held = dict(seen.picture)
        if all(seen.picture.get(where, value) == value for where, value in self._held.items()):
            return True
        self._held = None
        return False

    def _overrule(self) -> None:
        """Take every place that differs from what is expected for misread until it is read otherwise."""
        if self._seen is None:
            return
        expected = self.game.predict(self.state)
        for where, value in self._seen.picture.items():
            if where in expected and expected[where] != value:
                self._overruled[where] = value

    # -- committing -------------------------------------------------------------------------------

    def _plan(self, actions: Iterable[A], by: str) -> Edit[S, A]:
        return self._ledger.plan(actions, by=by, entry=len(self.journal) + 1)

    def _commit(self, edit: Edit[S, A]) -> None:
        """Write a planned edit and make it: the journal first."""
        self.journal.append(edit.kind, edit.body)
        self._ledger.push(edit)
        self._waited = []
        self._memory.looks = []
        self._forget_after(edit.first)
        log.reconcile.info("accepted kind=%s first=%d new=%d", edit.kind, edit.first + 1, edit.new)

    def _forget_after(self, first: int) -> None:
        """Forget what the table showed after action number `first`: it belonged to another game."""
        self._memory.forget_after(first)
        self._shown = min(self._shown, first)

    def _mark_shown(self) -> None:
        """Note that the table shows the game as it stands."""
        self._shown = self.number
        self._glimpsed = {}
        if self._seen is not None:
            predicted = laid_like(self.game.predict(self.state), self._seen.picture, self.game.group_of)
            self._memory.mark_agreed(self.number, self._seen, predicted)

    # -- telling ----------------------------------------------------------------------------------

    def _announced(self, began: _Mark[S, A], decision: Decision[A]) -> Update[A]:
        """Open and close prompts, tell the listeners where there is news, and return the update."""
        has_changed = began.decision != self._decision
        if has_changed:
            self._board.tell(self.game, self._decision, self.number)
        opened, closed = self._board.refresh(self.line, self._seen)
        update = update_between(self.game, began.line, self.line, decision, opened, closed)
        if has_changed or update.opened or update.closed or update.new_actions or update.taken_back:
            for listener in list(self._listeners):
                listener(update)
        return update


def _leaves_open(asked: Ask[A], found: Sequence[Course[S, A]]) -> bool:
    """Whether the looks before the present one speak no more for one of its choices than for another.

    They never speak against a choice without actions: that it was something else.
    """
    choices = [choice.actions for choice in asked.choices if choice.actions]
    if not found or found[0].actions not in choices:
        return False
    aside = [course.aside for course in found if course.actions in choices]
    return len(choices) < len(asked.choices) or aside.count(min(aside)) > 1


def _is_same(fault: OutOfStep[A], named: Decision[A]) -> bool:
    """Whether a fault is the one that was named before."""
    return isinstance(named, OutOfStep) and named.rule == fault.rule != _LOST


def _shown_of(line: Line[S, A]) -> int:
    """Return how many actions the table has shown, as far as the journal tells."""
    return max((number for number, played in enumerate(line.played, 1) if played.is_shown), default=0)
