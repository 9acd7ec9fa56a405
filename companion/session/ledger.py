"""The ledger: a journal's entries, folded into actions and states.

An *edit* appends actions or replaces some of them; undo removes the last edit and redo restores it. Every
edit leads to a new `GameLine`, the whole game after it. Nothing here writes to disk: an edit is planned
first, the journal stores its entry, and only then is the edit made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any, Generic, TypeVar

from companion.errors import JournalError, MalformedError, RuleViolation
from companion.game import Event, Game, Json
from companion.games import registry
from companion.i18n import msg
from companion.prompts import Prompt
from companion.record.game_record import GameLookup, game_of, write_record
from companion.session.journal import Journal, JournalEntry, Kept
from companion.session.rulings import Rulings, format_rulings, parse_picture, parse_rulings
from companion.storage.strict import as_integer, as_list, as_mapping, as_object, as_string
from companion.table import Picture

S = TypeVar("S")
A = TypeVar("A")

# Where an action came from: the table alone, the table and a player's answer, or a player's manual entry.
BY_TABLE = "table"
BY_ANSWER = "answer"
BY_PLAYER = "player"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Generic[S, A]):
    """One accepted action and what it led to.

    Attributes:
        action: the action.
        entry: number of the journal's entry that holds it.
        by: ``table``, ``answer`` or ``player``: where it came from.
        after: the state after it.
        turn: who acts next.
        events: what happened.
        prompts: what to tell the players.
    """

    action: A
    entry: int
    by: str
    after: S
    turn: str | None
    events: tuple[Event, ...]
    prompts: tuple[Prompt, ...]

    @property
    def is_shown(self) -> bool:
        """Whether the table has shown it; an action entered by hand may not be on the table yet."""
        return self.by != BY_PLAYER


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine(Generic[S, A]):
    """A whole game: the state after the set-up and every action since.

    Attributes:
        revision: number of changes so far, undone ones and undos included.
        rulings: the players' rulings that are still in force.
    """

    start: S
    played: tuple[Played[S, A], ...] = ()
    revision: int = 0
    rulings: Rulings = field(default_factory=Rulings)

    def __len__(self) -> int:
        """Return the number of actions."""
        return len(self.played)

    @property
    def state(self) -> S:
        """Return the last state."""
        return self.state_after(len(self.played))

    def state_after(self, count: int) -> S:
        """Return the state after the first `count` actions."""
        return self.played[count - 1].after if count else self.start

    def same_until(self, other: GameLine[S, A]) -> int:
        """Return how many leading actions this game shares with the other."""
        pairs = zip(self.played, other.played, strict=False)
        common = min(len(self), len(other))
        return next((count for count, (mine, its) in enumerate(pairs) if mine is not its), common)

    def new_since(self, other: GameLine[S, A]) -> tuple[Played[S, A], ...]:
        """Return this game's actions between the beginning and the end that it shares with the other."""
        first = self.same_until(other)
        last = len(self)
        others = [(each.entry, each.action) for each in other.played[first:]]
        while (
            last > first
            and others
            and (self.played[last - 1].entry, self.played[last - 1].action) == others[-1]
        ):
            last -= 1
            others.pop()
        return self.played[first:last]

    @property
    def actions(self) -> tuple[A, ...]:
        """Return all actions in order."""
        return tuple(each.action for each in self.played)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Generic[S, A]):
    """A planned or made change of the game.

    Attributes:
        kind: the journal's kind of entry: ``action``, ``correct`` or ``ruling``.
        body: the journal's entry.
        line: the game after it.
        first: number of leading actions that it left unchanged.
        new: how many actions it brought.
    """

    kind: str
    body: Json
    line: GameLine[S, A]
    first: int
    new: int


@dataclass(slots=True)
class Ledger(Generic[S, A]):
    """The edits of one game, and those that were undone."""

    game: Game[S, A]
    line: GameLine[S, A]
    done: list[tuple[Edit[S, A], GameLine[S, A]]] = field(default_factory=list)
    undone: list[Edit[S, A]] = field(default_factory=list)
    confirmed: set[tuple[int, str]] = field(default_factory=set)

    @classmethod
    def read(cls, game: Game[S, A], journal: Kept) -> Ledger[S, A]:
        """Fold a journal; raises JournalError if its entries do not fit the game."""
        try:
            ledger = cls(game, GameLine(start=game.start(journal.header)))
        except MalformedError as error:
            raise JournalError(f"the journal's header does not fit: {error}") from error
        for entry in journal.entries():
            ledger._fold(entry)
        return ledger

    def plan(self, actions: Iterable[A], *, by: str, entry: int) -> Edit[S, A]:
        """Plan to append actions; raises RuleViolation for the first illegal one."""
        new = tuple(actions)
        body = {"actions": [self.game.format_action(action) for action in new], "by": by}
        line = self._extended(self.line, [(action, entry, by) for action in new])
        return Edit(kind="action", body=body, line=line, first=len(self.line), new=len(new))

    def plan_correction(
        self, number: int, count: int, actions: Iterable[A], *, by: str, entry: int
    ) -> Edit[S, A]:
        """Plan to replace `count` actions from action `number` (1 = the first) by others, keeping the rest.

        With a count of 0 the others are inserted before action `number`.

        Raises RuleViolation if one of the new or the remaining actions is illegal; its parameter ``number``
        says which action of the current game that is.
        """
        if not (number >= 1 and count >= 0 and number + count - 1 <= len(self.line)):
            raise RuleViolation("correct.number", f"there is no action {number} to correct", number=number)
        new = tuple(actions)
        kept = replace(self.line, played=self.line.played[: number - 1])
        rest = self.line.played[number - 1 + count :]
        changed = self._extended(kept, [(action, entry, by) for action in new], numbered=number)
        line = self._extended(
            changed, [(each.action, each.entry, each.by) for each in rest], numbered=number + count
        )
        lines = [self.game.format_action(action) for action in new]
        body = {"number": number, "count": count, "actions": lines, "by": by}
        return Edit(kind="correct", body=body, line=line, first=number - 1, new=len(new))

    def plan_ruling(self, rulings: Rulings, by: str) -> Edit[S, A]:
        """Plan to put these rulings in force from now on."""
        return Edit(
            kind="ruling",
            body=ruling_body(rulings, by),
            line=replace(self.line, rulings=rulings),
            first=len(self.line),
            new=0,
        )

    def plan_settlement(self, result: Json) -> Edit[S, A]:
        """Plan to end the game as the players say; raises RuleViolation if it cannot have ended that way."""
        if not self.line.played:
            raise RuleViolation("settle.nothing", msg("there is nothing to settle"))
        last = self.line.played[-1]
        after, events = self.game.settle(last.after, result)
        kinds = {type(event) for event in events}
        told = (*(event for event in last.events if type(event) not in kinds), *events)
        before = self.line.state_after(len(self.line) - 1)
        ended = replace(
            last,
            after=after,
            turn=self.game.turn_of(after),
            events=told,
            prompts=self.game.prompts(before, last.action, after, told),
        )
        line = replace(self.line, played=(*self.line.played[:-1], ended))
        # An older program reads this as an answer without an action.
        body = {"actions": [], "by": BY_ANSWER, "result": result}
        return Edit(kind="action", body=body, line=line, first=len(line), new=0)

    def push(self, edit: Edit[S, A]) -> None:
        """Make a planned edit."""
        self.done.append((edit, self.line))
        self.line = replace(edit.line, revision=self.line.revision + 1)
        self.undone.clear()

    def undo(self, held: Picture | None = None) -> Edit[S, A]:
        """Undo the last edit and return it; raises RuleViolation if there is none.

        `held` is the table from which nothing is accepted until it changes, None = as it was at that time.
        """
        if not self.done:
            raise RuleViolation("undo.nothing", "there is nothing to undo")
        edit, before = self.done.pop()
        self._move_to(before, held)
        self.undone.append(edit)
        return edit

    def redo(self, held: Picture | None = None) -> Edit[S, A]:
        """Redo the edit undone last and return it; raises RuleViolation if there is none.

        `held` is the table from which nothing is accepted until it changes, None = as it was at that time.
        """
        if not self.undone:
            raise RuleViolation("redo.nothing", "there is nothing to redo")
        edit = self.undone.pop()
        self.done.append((edit, self.line))
        self._move_to(edit.line, held)
        return edit

    def lapse(self, rulings: Rulings) -> None:
        """Put in force the rulings that follow from the table. This is not an edit and cannot be undone."""
        self.line = replace(self.line, rulings=rulings)

    def _move_to(self, line: GameLine[S, A], held: Picture | None) -> None:
        rulings = line.rulings if held is None else replace(line.rulings, held=held)
        self.line = replace(line, rulings=rulings, revision=self.line.revision + 1)

    def _extended(
        self, line: GameLine[S, A], actions: Sequence[tuple[A, int, str]], numbered: int | None = None
    ) -> GameLine[S, A]:
        """Return the line with actions appended; a violation names the action, counting from `numbered`."""
        number = len(line) + 1 if numbered is None else numbered
        played = list(line.played)
        state = line.state
        for offset, (action, entry, by) in enumerate(actions):
            try:
                played.append(self._played(state, action, entry, by))
            except RuleViolation as error:
                params = {**error.params, "number": number + offset}
                raise RuleViolation(error.rule, f"action {number + offset}: {error}", **params) from error
            state = played[-1].after
        return replace(line, played=tuple(played))

    def _played(self, before: S, action: A, entry: int, by: str) -> Played[S, A]:
        if self.game.result(before) is not None:
            raise RuleViolation("game.over", "the game is over")
        after, events = self.game.apply(before, action)
        return Played(
            action=action,
            entry=entry,
            by=by,
            after=after,
            turn=self.game.turn_of(after),
            events=events,
            prompts=self.game.prompts(before, action, after, events),
        )

    def _fold(self, entry: JournalEntry) -> None:
        try:
            self._take(entry.kind, entry.body, entry.number)
        except (RuleViolation, MalformedError) as error:
            raise JournalError(
                f"the journal's entry {entry.number} does not fit the game: {error}"
            ) from error

    def _take(self, kind: str, body: Json, number: int) -> None:
        match kind:
            case "action" if "result" in body:
                as_object(body, "the entry", ("actions", "by", "result"))
                self.push(self.plan_settlement(as_mapping(body["result"], "result")))
            case "action":
                as_object(body, "the entry", ("actions", "by"), ("held",))
                edit = self.plan(self._parsed(body), by=_by(body), entry=number)
                self.push(ruled(edit, held=_picture(body, "held")))
            case "correct":
                as_object(body, "the entry", ("number", "count", "actions", "by"), ("held", "misread"))
                first, count = as_integer(body["number"], "number"), as_integer(body["count"], "count")
                edit = self.plan_correction(first, count, self._parsed(body), by=_by(body), entry=number)
                self.push(ruled(edit, held=_picture(body, "held"), misread=_picture(body, "misread")))
            case "ruling":
                as_object(body, "the entry", ("rulings", "by"))
                rulings, by = parse_rulings(body["rulings"]), _by(body)
                if by == BY_TABLE:
                    self.lapse(rulings)
                else:
                    self.push(self.plan_ruling(rulings, by))
            case "undo":
                self.undo(_picture(body, "held"))
            case "redo":
                self.redo(_picture(body, "held"))
            case "confirm":
                as_object(body, "the entry", ("entry", "prompt"))
                self.confirmed.add((as_integer(body["entry"], "entry"), as_string(body["prompt"], "prompt")))

    def _parsed(self, body: Json) -> list[A]:
        lines = as_list(body["actions"], "actions")
        return [self.game.parse_action(as_mapping(line, "an action")) for line in lines]


def ruled(edit: Edit[S, A], *, held: Picture | None = None, misread: Picture | None = None) -> Edit[S, A]:
    """Return a planned edit with the rulings that come with it (`Rulings`); the others stay as they are."""
    told: Json = {"held": held, "misread": misread}
    before = edit.line.rulings
    rulings = replace(before, held=held or before.held, misread={**before.misread, **(misread or {})})
    body = {**edit.body, **{key: dict(picture) for key, picture in told.items() if picture}}
    return replace(edit, body=body, line=replace(edit.line, rulings=rulings))


def ruling_body(rulings: Rulings, by: str) -> Json:
    """Return the body of a journal entry for these rulings; ``by`` the table: some lapsed."""
    return {"rulings": format_rulings(rulings), "by": by}


def _by(body: Json) -> str:
    return as_string(body["by"], "by")


def _picture(body: Json, key: str) -> Picture | None:
    return parse_picture(body[key], key) if key in body else None


def read_game(
    kept: Kept, game_lookup: GameLookup = registry.lookup
) -> tuple[Game[Any, Any], Ledger[Any, Any]]:
    """Return a journal's game and the ledger of its entries.

    Raises JournalError, or MalformedError if the header names an unknown game.
    """
    game: Game[Any, Any] = game_of(kept.header, game_lookup)
    return game, Ledger.read(game, kept)


def export_record(
    journal: Journal, stream: IO[str], *, checkpoints: bool = False, game_lookup: GameLookup = registry.lookup
) -> None:
    """Write the game in a journal as a record; raises JournalError if its entries do not fit the game."""
    game, ledger = read_game(journal, game_lookup)
    line = ledger.line
    result = game.result(line.state)
    write_record(stream, game, journal.header, line.actions, checkpoints=checkpoints, result=result)
