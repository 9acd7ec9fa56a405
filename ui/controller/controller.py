"""Calls the referee on behalf of the window and assembles what is shown. Runs in one thread.

Corrections by hand are collected as *edits* of the predicted picture. As soon as legal actions explain
the edited picture, those actions are entered. While edits are pending, observations are ignored.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.decision import Accepted, Ask, Choice, Decision, InStep, OutOfStep, Waiting
from companion.errors import JournalError
from companion.i18n import join, msg
from companion.observation import Observation, Query
from companion.prompts import Prompt, PromptKind
from companion.session.bug_report import BugReport, counted_from, write_report
from companion.session.exporting import export_game
from companion.session.ledger import GameLine
from companion.session.update import Past, Update
from companion.table import Picture, Place, Value, kind_of
from companion.view_model import (
    CameraView,
    HandEntry,
    HandMove,
    Mark,
    Option,
    Reminder,
    SeatView,
    TableView,
    differences,
)
from ui.controller.asked import AskedPlayers
from ui.controller.chronicle import Chronicle, chronicle
from ui.controller.evidence import EVIDENCE_KIND, encoded_picture
from ui.controller.seats import refused, seats_of
from ui.controller.session import Session
from ui.controller.thinking_clock import ThinkingClock
from ui.controller.view_state import HistoryLine, Question, Trouble, ViewState
from ui.text import said

# How many actions back an edited picture is compared, to see whether it is an earlier moment of the game.
MOST_STEPS_BACK: Final = 12
# How many observations are kept for a bug report.
RECENT: Final = 90


class Controller:
    """Holds what the window needs besides the referee's own state: edits, news, the newest picture.

    Attributes:
        is_watched: whether anything watches the table; else nobody waits for it to be seen.
    """

    def __init__(self, session: Session) -> None:
        self._referee = session.referee
        self._presenter = session.presenter
        self.is_watched = bool(session.sources)
        if not self.is_watched:
            session.referee.go_unwatched()
        self._ask = session.answer
        self._protest = session.protest
        self._edits: dict[Place, Value] = {}
        self._edited: Decision[Any] | None = None
        self._take_back = 0
        self._news: frozenset[Place] = frozenset()
        self._picture: CameraView | None = None
        self._recent: deque[tuple[GameLine[Any, Any], Observation]] = deque(maxlen=RECENT)
        self._line: GameLine[Any, Any] = self._referee.line
        self._moves: tuple[GameLine[Any, Any], tuple[HandMove[Any], ...]] | None = None
        self._table: tuple[GameLine[Any, Any], TableView, tuple[HistoryLine, ...]] | None = None
        self._seats: tuple[GameLine[Any, Any], tuple[SeatView, ...]] | None = None
        self._asked = AskedPlayers(self._referee)
        self._clock = ThinkingClock(session.referee)
        self._called = session.called

    # -- the table ---------------------------------------------------------------------------------

    def feed(self, observation: Observation, picture: CameraView | None = None) -> None:
        """Take one observation, unless corrections by hand are pending."""
        if picture is not None:
            self._picture = picture
        if self._edits:
            return
        self._recent.append((self._referee.line, observation))
        update = self._referee.feed(observation)
        self._note(update)
        self._answer()
        if update is not None and self._protest is not None:
            blamed = self._referee.decision
            if isinstance(blamed, OutOfStep):
                self._protest(blamed)

    def _answer(self) -> None:
        """Answer the open question, and those that follow from the answer, for players who are simulated."""
        while self._ask is not None and isinstance(asked := self._referee.decision, Ask):
            choice = self._ask(asked)
            if choice is None:
                return
            self._note(self._referee.choose(choice))
            if self._referee.decision == asked:
                return

    def _note(self, update: Update[Any] | None) -> None:
        """Keep the news, and the picture that showed it."""
        if update is None or not (update.new_actions or update.taken_back):
            return
        self._news = frozenset(update.changed)
        if update.new_actions:
            self._clock.note_action()
        if self._picture is not None and update.new_actions:
            self._referee.attach(encoded_picture(self._picture), {"kind": EVIDENCE_KIND})

    # -- the players -------------------------------------------------------------------------------

    def pause(self, is_paused: bool) -> None:
        """Let the clock of thinking time stand still, or run again."""
        if is_paused:
            self._clock.pause()
        else:
            self._clock.go_on()

    def confirm(self, prompt_id: str) -> None:
        """Close a prompt; do nothing if the table has closed it meanwhile."""
        if any(prompt.id == prompt_id for prompt in self._referee.prompts):
            self._note(self._referee.confirm(prompt_id))

    def choose(self, index: int) -> None:
        """Answer the question about the edits if there is one, else the referee's question or offer."""
        if isinstance(self._edited, OutOfStep) and index < len(self._edited.offers):
            self._note(self._referee.enter(*self._edited.offers[index].actions))
            self._explain_edits()
        elif isinstance(self._edited, Ask):
            actions = self._edited.choices[index].actions
            if self._take_back:
                number = self._referee.number - self._take_back + 1
                self._note(self._referee.correct(number, (), count=self._take_back))
            else:
                self._note(self._referee.enter(*actions))
            self.drop_edits()
        else:
            self._note(self._referee.choose(index))

    def answer(self, player: str, number: int, index: int) -> None:
        """Take a player's answer to a question by its number; do nothing if another is asked by now."""
        asked = self._asked.question(self._standing())
        if asked is not None and asked.takes(player, number, index):
            self.choose(index)

    def enter(self, index: int) -> None:
        """Carry out one of the actions offered as buttons."""
        entries = self._presenter.entries(self._referee.state)
        if index < len(entries):
            self.drop_edits()
            self._note(self._referee.enter(entries[index].action))

    def carry_out(self, action: Any) -> None:
        """Enter an action that players pointed out; raises RuleViolation if it breaks a rule."""
        self._note(self._referee.enter(action))
        self.drop_edits()

    def undo(self) -> None:
        """Discard the edits if there are any, else take back the last decision."""
        if self._edits:
            self.drop_edits()
        else:
            self._note(self._referee.undo())

    def redo(self) -> None:
        """Redo what was taken back."""
        self._note(self._referee.redo())

    def dismiss(self) -> None:
        """Close the standing violation or question until the table changes."""
        self.drop_edits()
        self._referee.dismiss()

    def accept_as_is(self) -> None:
        """Take what the referee complains of as misread, as the players say; the rest is judged again."""
        self._note(self._referee.accept_as_is())

    def drop_edits(self) -> None:
        """Discard the edits that no action explains yet."""
        self._edits.clear()
        self._edited = None
        self._take_back = 0

    def report(self, place: Place, value: Value) -> None:
        """Take what players say is on a place: enter the actions that explain it, or ask."""
        expected = self._presenter.predict(self._referee.state)
        if expected.get(place) == value:
            self._edits.pop(place, None)
            if not self._edits:
                self._confirm_expected(place, value)
                return
        else:
            self._edits[place] = value
        self._explain_edits()

    def _edited_picture(self) -> Picture:
        """Return the predicted picture with the edits applied."""
        expected = self._presenter.predict(self._referee.state)
        heard = {where: lies for where, lies in expected.items() if not self._is_moot(where)}
        return {**heard, **self._edits}

    def _is_moot(self, where: Place) -> bool:
        """Whether an expected place does not count against the edits.

        Nobody enters the cards that are paid with, and turning a tile over takes everything off it.
        """
        return self._is_unentered(where) or self._referee.game.tile_under(where) in self._edits

    def _is_unentered(self, where: Place) -> bool:
        return kind_of(where) in self._referee.game.unentered_kinds

    def mend(self, number: int, entry: HandEntry[Any] | None) -> tuple[str, ...]:
        """Replace an accepted action by another one, or remove it; return what has changed."""
        before = self._presenter.present(self._referee.state)
        actions = () if entry is None else (entry.action,)
        self._note(self._referee.correct(number, actions))
        return differences(before, self._presenter.present(self._referee.state))

    def name_cards(self, player: str, number: int, cards: tuple[str, ...]) -> None:
        """Take a player's word for the unseen cards of an own action, unless they do not fit."""
        line = self._referee.line
        if not any(one.number == number for seat in self._own(player) for one in seat.unnamed):
            return
        before, action = line.state_after(number - 1), line.actions[number - 1]
        named = self._presenter.named(before, action, cards)
        if named is not None:
            self._note(self._referee.correct(number, (named,)))
        elif self._seats is not None:
            self._seats = line, tuple(refused(seat, player, number) for seat in self._seats[1])

    def _own(self, player: str) -> tuple[SeatView, ...]:
        return tuple(seat for seat in self._private() if seat.player == player)

    def _private(self) -> tuple[SeatView, ...]:
        """Return what is for one player's eyes, gathered anew only when an action was added or removed."""
        line = self._referee.line
        if self._seats is None or self._seats[0] is not line:
            table, history = self._drawn()
            players = tuple(one.player for one in table.players)
            self._seats = line, seats_of(line, self._presenter, players, history)
        return self._seats[1]

    def _confirm_expected(self, place: Place, value: Value) -> None:
        """Confirm that one place is as the game predicts: anything else seen there was misread."""
        self.drop_edits()
        seen = self._referee.snapshot
        if seen is not None and seen.picture.get(place, value) != value:
            self._note(self._referee.accept_as_is(place))

    def _explain_edits(self) -> None:
        """Enter the actions that explain the edits, or ask; keep the edits if nothing explains them."""
        picture = self._edited_picture()
        self._take_back = 0
        self._edited = self._referee.game.explain(self._referee.state, Query(picture=picture))
        if isinstance(self._edited, Accepted):
            self._note(self._referee.enter(*self._edited.actions))
            self.drop_edits()
        elif isinstance(self._edited, InStep):
            self.drop_edits()
        elif isinstance(self._edited, OutOfStep) and (count := self._steps_back_to(picture)):
            self._take_back = count
            told = join("; ", [past.text for past in self._referee.history[-count:]])
            text = msg("The table looks as it did earlier. Take back: {actions}?", actions=told)
            self._edited = Ask(text=text, choices=(Choice(actions=(), text=msg("Yes, take it back")),))

    def _steps_back_to(self, picture: Picture) -> int:
        """Return how many actions ago the table looked like the picture; 0 if it did not recently."""
        line = self._referee.line
        entered = [(place, value) for place, value in picture.items() if not self._is_unentered(place)]
        for count in range(1, min(MOST_STEPS_BACK, len(line)) + 1):
            earlier = self._presenter.predict(line.state_after(len(line) - count))
            if all(earlier.get(place) == value for place, value in entered):
                return count
        return 0

    # -- what the window's thread may call at any time ------------------------------------------------

    def options(self, place: Place) -> tuple[Option, ...]:
        """Return what can be on a place; what is there now comes first."""
        return self._presenter.options(self._line.state, place)

    def moves(self) -> tuple[HandMove[Any], ...]:
        """Return the actions that can be entered by pointing now."""
        line = self._line
        if self._moves is None or self._moves[0] is not line:
            self._moves = (line, self._presenter.moves(line.state))
        return self._moves[1]

    def attempt(self, path: tuple[Place, ...]) -> Any | None:
        """Return the action that is meant by pointing at places which no move has; None for nothing."""
        return self._presenter.attempt(self._line.state, path)

    def table_after(self, number: int) -> TableView:
        """Return the table after accepted action `number`, 0 for the start."""
        line = self._line
        return self._presenter.present(line.state_after(max(0, min(number, len(line)))))

    def reminders(self) -> tuple[Reminder, ...]:
        """Return the rules to look up."""
        return self._presenter.reminders()

    def alternatives(self, number: int) -> tuple[HandEntry[Any], ...]:
        """Return the actions that could replace accepted action `number`, 1 for the first."""
        line = self._line
        if not 1 <= number <= len(line):
            return ()
        return self._presenter.alternatives(line.state_after(number - 1), line.actions[number - 1])

    # -- assembling what is shown ---------------------------------------------------------------------

    def evidence(self, number: int) -> bytes | None:
        """Return the picture kept with an accepted action, as JPEG; None if there is none."""
        if not 1 <= number <= self._referee.number:
            return None
        kept = [
            entry.data for entry in self._referee.evidence(number) if entry.body.get("kind") == EVIDENCE_KIND
        ]
        return kept[-1] if kept else None

    def chronicle(self) -> Chronicle:
        """Return the game in numbers."""
        return chronicle(self._referee.line, self._presenter, self._clock.spent())

    def export(self, file: Path) -> None:
        """Write the game's record or the table of its actions, as the file's ending says.

        It is written whole or not at all; raises JournalError if that is impossible.
        """
        referee = self._referee
        export_game(file, referee.game, referee.journal, referee.line, said, self._called())

    def write_bug_report(self, file: Path, errors: str = "") -> None:
        """Write the latest observations and the decisions on them into one zip; raises JournalError.

        `errors` are the unexpected ones. If such an error prevents the full report, the report holds only the
        header and the errors.
        """
        try:
            bundle = replace(self._report(), errors=errors)
        except Exception:
            if not errors:
                raise
            errors = f"{errors}\n{traceback.format_exc()}"
            header = self._referee.journal.header
            bundle = BugReport(header=header, actions=(), observations=(), decision="", errors=errors)
        try:
            write_report(file, bundle)
        except OSError as error:
            raise JournalError(
                msg("{file} cannot be written: {why}", file=file, why=error.strerror or error)
            ) from error

    def _report(self) -> BugReport:
        """Return the latest observations and the decisions on them."""
        line = self._recent[0][0] if self._recent else self._referee.line
        game = self._referee.game
        kept = [self.evidence(number) for number in range(max(1, len(line) - 1), len(line) + 1)]
        newest = [] if self._picture is None else [encoded_picture(self._picture)]
        return BugReport(
            header=self._referee.journal.header,
            actions=tuple(map(game.format_action, line.actions)),
            rulings=line.rulings,
            observations=tuple(counted_from(observation, line.revision) for _, observation in self._recent),
            decision=self._referee.decision.text,
            pictures=(*(each for each in kept if each is not None), *newest),
        )

    def view_state(self) -> ViewState:
        """Return everything that the window shows now."""
        referee = self._referee
        self._line = referee.line
        table, history = self._drawn()
        decision = self._edited or referee.decision
        standing = self._standing()
        waiting = decision if isinstance(decision, Waiting) else None
        if not self.is_watched and self._edited is None and referee.snapshot is None:
            waiting = None
        pending = decision.pending if isinstance(decision, Waiting | Accepted) else ()
        return ViewState(
            table=table,
            prompts=tuple(prompt for prompt in referee.prompts if not _is_verdict(prompt)),
            question=self._question(standing),
            trouble=self._trouble(standing),
            asked=self._asked.question(standing),
            waiting=waiting.text if waiting is not None else "",
            pending=pending,
            history=history,
            entries=tuple(entry.text for entry in self._presenter.entries(referee.state)),
            hint=self._presenter.hint(referee.state),
            can_undo=referee.can_undo or bool(self._edits),
            can_redo=referee.can_redo,
            marks=self._marks(decision),
            hand_edits=self._edits_in_words(),
            seats=self._private(),
            thinking=self._clock.view(),
            is_watched=self.is_watched,
        )

    def _drawn(self) -> tuple[TableView, tuple[HistoryLine, ...]]:
        """Return the table and the history, built anew only when an action was added or removed."""
        line = self._referee.line
        if self._table is None or self._table[0] is not line:
            view = self._presenter.present(self._referee.state)
            self._table = (line, view, _history(self._referee.history))
        return self._table[1], self._table[2]

    def _standing(self) -> Decision[Any] | None:
        """Return the decision that players have to deal with; None if they have dismissed it."""
        decision = self._edited or self._referee.decision
        is_standing = self._edited is not None or _stands(decision, self._referee.prompts)
        return decision if is_standing else None

    def _question(self, decision: Decision[Any] | None) -> Question | None:
        if not isinstance(decision, Ask):
            return None
        return Question(text=decision.text, choices=tuple(choice.text for choice in decision.choices))

    def _trouble(self, decision: Decision[Any] | None) -> Trouble | None:
        if not isinstance(decision, OutOfStep):
            return None
        try:
            rule_text = self._referee.game.rule_text(decision.rule, decision.params)
        except KeyError:
            rule_text = _house_rule(decision.rule)
        return Trouble(
            text=decision.text,
            rule=decision.rule,
            rule_text=rule_text,
            fixes=decision.fixes,
            offers=tuple(offer.text for offer in decision.offers),
        )

    def _edits_in_words(self) -> tuple[str, ...]:
        state = self._referee.state
        words = []
        for place, value in self._edits.items():
            text = next(
                (option.text for option in self._presenter.options(state, place) if option.value == value),
                str(value),
            )
            words.append(join(": ", (self._presenter.name_place(state, place), text)))
        return tuple(words)

    def _marks(self, decision: Decision[Any]) -> Mapping[Place, Mark]:
        """Return how each place stands out; a stronger mark hides a weaker one."""
        marks: dict[Place, Mark] = {}
        seen = self._referee.snapshot
        if seen is not None:
            expected = self._presenter.predict(self._referee.state)
            unsure = (expected.keys() - seen.picture.keys()) | seen.unseen | seen.contested.keys()
            marks.update(dict.fromkeys(unsure, Mark.UNCERTAIN))
        marks.update(dict.fromkeys(self._news, Mark.NEWS))
        marks.update(dict.fromkeys(self._edits, Mark.NEWS))
        due = self._referee.prompts if seen is not None else self._referee.prompts[:1]
        for prompt in due:  # without a source, old prompts would mark half of the table
            marks.update(dict.fromkeys(prompt.done_when, Mark.DUE))
        if isinstance(decision, Waiting | Accepted):
            marks.update({fix.place: Mark.DUE for fix in decision.pending})
        if isinstance(decision, OutOfStep):
            marks.update({fix.place: Mark.WRONG for fix in decision.fixes})
        return {place: mark for place, mark in marks.items() if not self._is_unentered(place)}


def _house_rule(rule: str) -> str:
    """Return the text of a house rule; empty for any other rule."""
    if rule != "referee.lost":
        return ""
    return msg(
        "Compare the drawing with the table: click what differs and choose what is right, or correct the "
        "action that was read wrongly."
    )


def _is_verdict(prompt: Prompt) -> bool:
    """Whether a prompt states the referee's decision, which has its own card."""
    return prompt.kind in (PromptKind.VIOLATION, PromptKind.QUESTION)


def _stands(decision: Decision[Any], prompts: tuple[Prompt, ...]) -> bool:
    """Whether the decision still stands: the players have not dismissed it."""
    wanted = PromptKind.VIOLATION if isinstance(decision, OutOfStep) else PromptKind.QUESTION
    return any(prompt.kind is wanted for prompt in prompts)


def _history(past: tuple[Past[Any], ...]) -> tuple[HistoryLine, ...]:
    """Return the lines of the log; a new turn begins when another player acts."""
    lines: list[HistoryLine] = []
    turn, player = 0, None
    for each in past:
        if each.player != player or not lines:
            turn, player = turn + 1, each.player
        lines.append(HistoryLine(number=each.number, turn=turn, player=each.player or "", text=each.text))
    return tuple(lines)
