"""The referee: watches the settled table, keeps the game's journal and tells the players what to do.

Observations or snapshots go in, updates come out. An accepted action is in the journal before anyone learns
of it. All state is computed from the journal, so a new referee for the same file continues where the old one
stopped. Use it from one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import IO, Generic, TypeVar

from companion import log
from companion.decision import Accepted, Ask, Decision, InStep, OutOfStep, Waiting
from companion.errors import RuleViolation
from companion.game import Game, Json
from companion.i18n import msg
from companion.observation import Expectation, Observation, Snapshot
from companion.prompts import Prompt
from companion.reconcile.debounce import Debouncer, DebounceRules
from companion.reconcile.retrodiction import changed_places
from companion.reconcile.table_history import TableHistory
from companion.record.game_record import write_record
from companion.session.journal import Journal, JournalEntry
from companion.session.ledger import (
    BY_ANSWER,
    BY_PLAYER,
    BY_TABLE,
    Edit,
    GameLine,
    Ledger,
    ruled,
    ruling_body,
)
from companion.session.prompt_board import PromptBoard, is_own
from companion.session.rewriting import Rewriting
from companion.session.rulings import Belief, Rulings, ending_key
from companion.session.thinking import BREAK
from companion.session.update import Past, Update, history_of, update_between
from companion.session.verdict import GameSoFar, open_ending
from companion.table import Picture, Place

S = TypeVar("S")
A = TypeVar("A")

# A snapshot is compared again after each run of actions accepted from it, at most this often.
_ROUNDS = 6
# An observation is skipped if the game has changed more often than this since the observation was begun.
_BEHIND = 1


@dataclass(frozen=True, slots=True)
class _Mark(Generic[S, A]):
    """The game and the verdict at the beginning of a call."""

    line: GameLine[S, A]
    decision: Decision[A]


class Referee(Generic[S, A]):
    """One game being watched.

    Every method that changes the game raises JournalError if the journal cannot be written; the game is then
    unchanged.
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
        self._history = TableHistory(len(self.line), _shown_of(self.line))
        self._unheard = False
        self._holds_next = False  # edited before any table was seen: the first one is held
        self._board = PromptBoard(self._ledger.confirmed)
        self._board.refresh(self.line, None)

    # -- what stands ------------------------------------------------------------------------------

    @property
    def line(self) -> GameLine[S, A]:
        """Return the current game: its actions and states."""
        return self._ledger.line

    @property
    def state(self) -> S:
        """Return the state after the accepted actions."""
        return self.line.state

    @property
    def expectation(self) -> Expectation:
        """Return what the game expects on the table now; safe to call from any thread."""
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
        """Return the verdict on the table seen last."""
        return self._decision

    @property
    def snapshot(self) -> Snapshot | None:
        """Return the settled table seen last."""
        return self._history.seen

    def go_unwatched(self) -> None:
        """Wait for no table: what it would show as done is closed by play."""
        self._board.is_watched = False
        self._board.refresh(self.line, self.snapshot)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """Return the open prompts, the most important kind first, older before newer."""
        return self._board.prompts

    @property
    def questions(self) -> int:
        """Return how many questions were asked since the referee was created."""
        return self._board.questions

    @property
    def can_undo(self) -> bool:
        """Return whether there is anything to undo."""
        return bool(self._ledger.done)

    @property
    def can_redo(self) -> bool:
        """Return whether there is anything to redo."""
        return bool(self._ledger.undone)

    @property
    def history(self) -> tuple[Past[A], ...]:
        """Return everything that was played, in order."""
        return history_of(self.game, self.line)

    def subscribe(self, listener: Callable[[Update[A]], None]) -> Callable[[], None]:
        """Call the listener with every update that has news; returns a function that stops this."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    # -- the table --------------------------------------------------------------------------------

    def feed(self, observation: Observation) -> Update[A] | None:
        """Take one observation; return an update if it settled anything new."""
        if self._is_left_behind(observation):
            log.reconcile.debug("left behind source=%s seq=%d", observation.source, observation.seq)
        else:
            snapshot = self._debouncer.feed(self.game.located(self.state, observation))
            if snapshot is not None:
                return self.consider(snapshot)
        if self._unheard and self._history.seen is not None:
            return self.consider(self._history.seen)
        return None

    def _is_left_behind(self, observation: Observation) -> bool:
        """Whether the game has changed too often since an observation was begun for it to be of use.

        A slow source still counts while another one moves the game on. Photographs are never skipped: no
        later one shows the same table.
        """
        if observation.read_for is None or self._debouncer.rules.stills:
            return False
        return self.line.revision - observation.read_for > _BEHIND

    def consider(self, snapshot: Snapshot) -> Update[A]:
        """Compare a settled table with the game and commit what it certainly shows."""
        self._history.look_at(snapshot)
        self._unheard = True  # until everything that the snapshot brings is in the journal
        update = self._conclude(_Mark(self.line, self._decision))
        self._unheard = False
        self._remember_look(self._history.seen or snapshot)
        return update

    def presume(self) -> Update[A] | None:
        """Commit the likeliest course left open by the looks since the game last moved on, if any.

        For use when nobody is there to ask. What was not seen counts as unchanged; a winner is never
        presumed.
        """
        if self._decision == open_ending(self.game, self.line):
            return None
        began = _Mark(self.line, self._decision)
        found = self._scene().courses(trusting=True)
        if not found or not self._follow(found[0].actions, BY_TABLE):
            return None
        return self._conclude(began)

    # -- the players ------------------------------------------------------------------------------

    def choose(self, index: int) -> Update[A]:
        """Answer the current question, or choose one of the answers that an out-of-step verdict offers.

        Raises RuleViolation if there is neither, or no such answer.
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
            disproved = self._scene().disproved(chosen, asked.choices)
            self._commit(self._plan(chosen.actions, BY_ANSWER))
            self._agree()
            self._rule(self.line.rulings.with_misread(disproved, self.game.predict(self.state)), BY_ANSWER)
        elif chosen.result is not None:
            self._commit(self._ledger.plan_settlement(dict(chosen.result)))
        else:
            self._rule(self._answered(asked, index), BY_ANSWER)
        return self._conclude(began)

    def _answered(self, asked: Ask[A], index: int) -> Rulings:
        """Return the rulings after an answer that brings no action."""
        rulings, seen = self.line.rulings, self._history.seen
        if asked == self.game.open_ending(self.state):
            return replace(rulings, goes_on=ending_key(asked))
        if seen is not None and seen.contested:
            where, claims = next(iter(rulings.open_conflicts(seen).items()))
            belief = Belief(claims=claims, right=claims[index])
            return replace(rulings, believed={**rulings.believed, where: belief})
        return self._overruled()

    def settle(self, result: Json) -> Update[A]:
        """End the game as the players say; raises RuleViolation if it cannot have ended that way."""
        began = _Mark(self.line, self._decision)
        self._commit(self._ledger.plan_settlement(result))
        return self._conclude(began)

    def enter(self, *actions: A) -> Update[A]:
        """Commit actions entered by hand; raises RuleViolation and changes nothing if one is illegal."""
        began = _Mark(self.line, self._decision)
        held = self._held_unless_amiss()
        self._commit(ruled(self._plan(actions, BY_PLAYER), held=held))
        self._note_held(held)
        return self._conclude(began)

    def correct(self, number: int, actions: Iterable[A], *, count: int = 1) -> Update[A]:
        """Replace `count` accepted actions from `number` on by others and replay all that follow.

        Raises RuleViolation with the parameter ``number`` if a later action is no longer legal; nothing has
        changed then. Places of the current table that contradict the correction count as misread from now on.
        """
        began = _Mark(self.line, self._decision)
        was_shown = self._history.shown >= self.number
        entry, held = len(self.journal) + 1, self._held_unless_amiss()
        edit = self._ledger.plan_correction(number, count, actions, by=BY_PLAYER, entry=entry)
        self._commit(ruled(edit, held=held, misread=self._misread_by(edit.line.state)))
        self._note_held(held)
        if was_shown:
            self._agree()
        return self._conclude(began)

    def _misread_by(self, corrected: S) -> Picture:
        """Return the places that the table shows as before a correction that expects something else there."""
        seen = self._history.seen.picture if self._history.seen is not None else {}
        before, after = self.game.predict(self.state), self.game.predict(corrected)
        return {
            where: seen[where]
            for where in changed_places(before, after)
            if where in seen and where in before and seen[where] == before[where]
        }

    def undo(self) -> Update[A]:
        """Undo the last edit; nothing is accepted from the table as it is now until it changes."""
        began = _Mark(self.line, self._decision)
        if not self.can_undo:
            raise RuleViolation("undo.nothing", msg("there is nothing to undo"))
        held = None if self._ledger.done[-1][0].kind == "ruling" else self._held()
        self.journal.append("undo", _told(held))
        self._ledger.undo(held)
        self._history.forget_after(self.line.same_until(began.line))
        self._note_held(held)
        return self._conclude(began)

    def redo(self) -> Update[A]:
        """Redo what was undone last."""
        began = _Mark(self.line, self._decision)
        if not self.can_redo:
            raise RuleViolation("redo.nothing", msg("there is nothing to redo"))
        held = None if self._ledger.undone[-1].kind == "ruling" else self._held_unless_amiss()
        self.journal.append("redo", _told(held))
        self._ledger.redo(held)
        self._history.forget_after(self.line.same_until(began.line))
        self._note_held(held)
        return self._conclude(began)

    def confirm(self, prompt_id: str) -> Update[A]:
        """Close an open prompt; raises RuleViolation if none has this id."""
        began = _Mark(self.line, self._decision)
        key = self._board.find(prompt_id)
        if key is None:
            raise RuleViolation("prompt.unknown", msg("this prompt is already closed"), prompt=prompt_id)
        if not is_own(key):
            self.journal.append("confirm", {"entry": key[0], "prompt": prompt_id})
        self._board.close(key)
        return self._announced(began, self._decision)

    def dismiss(self) -> Update[A]:
        """Close the current violation or question; it comes back only when the table changes."""
        began = _Mark(self.line, self._decision)
        self._board.dismiss()
        return self._announced(began, self._decision)

    def accept_as_is(self, *places: Place) -> Update[A]:
        """Take places as misread: they count no more until they are read otherwise; the rest is judged again.

        Without `places` these are what the current violation wants put right, or all that differs if it
        names nothing.
        """
        began = _Mark(self.line, self._decision)
        overruled = self._overruled(places or self._blamed())
        if not places and overruled == self.line.rulings:
            overruled = self._overruled()
        self._rule(overruled, BY_PLAYER)
        return self._conclude(began)

    # -- evidence and records ---------------------------------------------------------------------

    def attach(self, data: bytes, facts: Json) -> JournalEntry:
        """Keep evidence (a picture) with the decision accepted last."""
        entry = self.line.played[-1].entry if self.number else 0
        return self.journal.append("evidence", {**facts, "entry": entry}, data)

    def note_break(self, seconds: float) -> None:
        """Keep that some seconds before the journal's latest entry were a break."""
        self.journal.append("evidence", {"kind": BREAK, "seconds": seconds, "entry": len(self.journal)})

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
        """Decide on the table seen last, commit what is certain, tell the listeners."""
        seen = self._history.seen
        if seen is not None and seen.busy:
            waiting = Waiting(text=msg("A hand is over the table."))
            if self.line.played is not began.line.played:
                self._decision = waiting
            return self._announced(began, waiting)
        decision, accepted = self._settled()
        if isinstance(decision, Accepted):
            decision = Waiting(text=msg("This table cannot be explained."))
        self._decision = decision
        if accepted and isinstance(decision, InStep | Waiting):
            actions = tuple(action for each in accepted for action in each.actions)
            return self._announced(began, replace(accepted[-1], actions=actions))
        return self._announced(began, decision)

    def _settled(self) -> tuple[Decision[A], list[Accepted[A]]]:
        """Commit what the table certainly shows; return the verdict after that, and what was accepted."""
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
        return decision, accepted

    def _scene(self) -> GameSoFar[S, A]:
        return GameSoFar(game=self.game, line=self.line, history=self._history, named=self._decision)

    def _decided(self) -> Decision[A]:
        """Return the verdict on the table given all that was seen before, and record what the table shows."""
        seen = self._history.seen
        if seen is not None:
            self._let_lapse(seen)
            seen = self._history.seen = self._scene().supposed(seen)
        verdict = self._scene().verdict()
        if seen is not None and not seen.busy:
            self._history.suspect(seen)
        if verdict.agrees:
            self._agree()
            self._history.waited = []
            self._stand(replace(self.line.rulings, held={}))
        elif verdict.waits and seen is not None:
            self._history.wait_at(seen)
        return self._scene().weighed(verdict.decision)

    def _follow(self, actions: tuple[A, ...], by: str) -> bool:
        """Commit a run of actions that explains the table; return whether it was legal."""
        try:
            edit = self._plan(actions, by)
        except RuleViolation as error:
            log.reconcile.error("explained by an illegal run rule=%s text=%s", error.rule, error)
            return False
        self._commit(edit)
        self._agree()
        return True

    def _retrodict(self, decision: Waiting | OutOfStep[A] | Accepted[A]) -> bool:
        """Rewrite the game if an earlier moment explains the table (better); return whether it did."""
        edit = Rewriting(self._scene(), self._ledger, len(self.journal) + 1).edit_for(decision)
        if edit is None:
            return False
        log.reconcile.info("looked back first=%d new=%d", edit.first + 1, edit.new)
        self._commit(edit)
        self._agree()
        return True

    def _agree(self) -> None:
        """Record that the table shows the game as it is."""
        self._history.agree(self.number, self.game.predict(self.state), self.game.group_of)

    def _remember_look(self, snapshot: Snapshot) -> None:
        """Keep a look that could not be explained, for the beam search; an explained one is not needed."""
        if snapshot.busy or snapshot.contested:
            return
        if isinstance(self._decision, InStep) or self._decision == open_ending(self.game, self.line):
            self._history.looks = []
        else:
            self._history.keep_look(self._scene().cleaned(snapshot))

    # -- rulings ----------------------------------------------------------------------------------

    def _rule(self, rulings: Rulings, by: str) -> None:
        """Put rulings of the players in force, unless they already are."""
        if rulings != self.line.rulings:
            edit = self._ledger.plan_ruling(rulings, by)
            self.journal.append(edit.kind, edit.body)
            self._ledger.push(edit)

    def _stand(self, rulings: Rulings) -> None:
        """Update the rulings after the table has been seen."""
        if rulings != self.line.rulings:
            self.journal.append("ruling", ruling_body(rulings, BY_TABLE))
            self._ledger.lapse(rulings)

    def _let_lapse(self, seen: Snapshot) -> None:
        """End the rulings that the changed table has made obsolete."""
        rulings = self.line.rulings
        if self._holds_next and seen.picture:
            self._holds_next = False
            rulings = replace(rulings, held=seen.picture)
        self._stand(rulings.lapsed(seen, self.game.predict(self.state)))

    def _blamed(self) -> tuple[Place, ...]:
        """Return the places that the current violation wants put right."""
        decision = self._decision
        return tuple(fix.place for fix in decision.fixes) if isinstance(decision, OutOfStep) else ()

    def _overruled(self, places: Collection[Place] = ()) -> Rulings:
        """Return the rulings with what differs from the game marked as misread: on `places`, or all."""
        seen = self._history.seen
        if seen is None:
            return self.line.rulings
        picture = {at: value for at, value in seen.picture.items() if not places or at in places}
        return self.line.rulings.with_misread(picture, self.game.predict(self.state))

    def _held(self) -> Picture:
        """Return the table from which nothing is to be accepted until it changes."""
        seen = self._history.seen
        return {} if seen is None else seen.picture

    def _held_unless_amiss(self) -> Picture | None:
        """Return the table before a player's edit, None if it was not understood: the edit may explain it."""
        return None if isinstance(self._decision, OutOfStep | Ask) else self._held()

    def _note_held(self, held: Picture | None) -> None:
        """Hold the first table seen if the game was edited before any was seen."""
        if held is not None:
            self._holds_next = not held

    # -- committing -------------------------------------------------------------------------------

    def _plan(self, actions: Iterable[A], by: str) -> Edit[S, A]:
        return self._ledger.plan(actions, by=by, entry=len(self.journal) + 1)

    def _commit(self, edit: Edit[S, A]) -> None:
        """Write a planned edit and make it: the journal first."""
        self.journal.append(edit.kind, edit.body)
        self._ledger.push(edit)
        self._history.move_on(edit.first)
        log.reconcile.info("accepted kind=%s first=%d new=%d", edit.kind, edit.first + 1, edit.new)

    # -- telling ----------------------------------------------------------------------------------

    def _announced(self, began: _Mark[S, A], decision: Decision[A]) -> Update[A]:
        """Open and close prompts, tell the listeners if there is news, and return the update."""
        has_changed = began.decision != self._decision
        if has_changed:
            self._board.tell(self.game, self._decision, self.number)
        opened, closed = self._board.refresh(self.line, self._history.seen)
        update = update_between(self.game, began.line, self.line, decision, opened, closed)
        if has_changed or update.opened or update.closed or update.new_actions or update.taken_back:
            for listener in list(self._listeners):
                listener(update)
        return update


def _told(held: Picture | None) -> Json:
    """Return the part of an entry about the held table."""
    return {} if held is None else {"held": dict(held)}


def _shown_of(line: GameLine[S, A]) -> int:
    """Return how many actions the table has shown, according to the journal."""
    return max((number for number, played in enumerate(line.played, 1) if played.is_shown), default=0)
