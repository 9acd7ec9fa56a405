"""The open prompts: issued by an action and not yet confirmed, done on the table or overtaken by play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, TypeAlias

from companion.decision import Ask, Choice, Decision, OutOfStep
from companion.game import Game
from companion.i18n import Message, join
from companion.observation import Snapshot
from companion.prompts import Prompt, PromptKind
from companion.session.ledger import GameLine

# A prompt is identified by its id and the journal entry of its action: an action that is undone and played
# differently issues its prompts again.
PromptKey: TypeAlias = tuple[int, str]

# News of the current turn: closed when the turn ends or newer news of that kind arrives.
_OF_THE_TURN = frozenset({PromptKind.TURN, PromptKind.OBELISK})
# Other prompts that nobody confirms are closed after this many changes of turn.
_TURNS = 2
# The entry number of violations and questions, which have no journal entry.
_OWN = 0


class PromptBoard:
    """The open prompts: the game's, and the current violation or question.

    Attributes:
        is_watched: whether something watches the table, even if nothing has been seen of it yet.
    """

    def __init__(self, closed: Iterable[PromptKey]) -> None:
        self.is_watched = True
        self._closed = set(closed)
        self._standing: Prompt | None = None
        self._open: dict[PromptKey, Prompt] = {}
        self._told = 0
        self._asked: set[tuple[int, str]] = set()

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """Return the open prompts, the most important kind first, older before newer."""
        order = list(PromptKind)
        return tuple(sorted(self._open.values(), key=lambda prompt: order.index(prompt.kind)))

    @property
    def questions(self) -> int:
        """Return how many distinct questions were asked."""
        return len(self._asked)

    def find(self, prompt_id: str) -> PromptKey | None:
        """Return the key of the open prompt with this id."""
        return next((key for key, prompt in self._open.items() if prompt.id == prompt_id), None)

    def close(self, key: PromptKey) -> None:
        """Close a prompt for good; a violation or question only until the next one."""
        if key[0] == _OWN:
            self._standing = None
        else:
            self._closed.add(key)

    def dismiss(self) -> None:
        """Close the current violation or question until the next one."""
        self._standing = None

    def tell(self, game: Game[Any, Any], decision: Decision[Any], number: int) -> None:
        """Replace the current violation or question by that of the decision, if it has one."""
        self._standing = None
        if isinstance(decision, OutOfStep | Ask):
            self._told += 1
            name = f"{number}/{self._told}"
            self._standing = (
                _violation(game, decision, name)
                if isinstance(decision, OutOfStep)
                else _question(decision, name)
            )
        if isinstance(decision, Ask):
            self._asked.add((number, decision.text))

    def refresh(self, line: GameLine[Any, Any], seen: Snapshot | None) -> tuple[list[Prompt], list[Prompt]]:
        """Open and close prompts by the game and the table (None = not seen); return both lists, in order."""
        found = open_prompts(line, self._closed, is_watched=self.is_watched or seen is not None)
        if seen is not None and not seen.busy:
            done = shown_done(found, seen)
            self._closed |= done
            found = {key: prompt for key, prompt in found.items() if key not in done}
        if self._standing is not None:
            found = {(_OWN, self._standing.id): self._standing, **found}
        before, self._open = self._open, found
        opened = [prompt for key, prompt in found.items() if key not in before]
        return opened, [prompt for key, prompt in before.items() if key not in found]


def open_prompts(
    line: GameLine[Any, Any], closed: Set[PromptKey], *, is_watched: bool = True
) -> dict[PromptKey, Prompt]:
    """Return the open prompts of the game in the order in which they were issued.

    What the table would show as done is kept open only where something watches it; else it is closed by play.
    """
    found: list[tuple[PromptKey, Prompt]] = []
    newest: set[PromptKind] = set()
    turns = 0
    for index in range(len(line) - 1, -1, -1):
        played = line.played[index]
        for prompt in reversed(played.prompts):
            key = (played.entry, prompt.id)
            superseded = prompt.kind in _OF_THE_TURN and prompt.kind in newest
            newest.add(prompt.kind)
            if key not in closed and not superseded and _lasts(prompt, turns, is_watched=is_watched):
                found.append((key, prompt))
        if index and line.played[index - 1].turn != played.turn:
            turns += 1
    return dict(reversed(found))


def _lasts(prompt: Prompt, turns: int, *, is_watched: bool) -> bool:
    if prompt.kind in _OF_THE_TURN:
        return turns == 0
    is_awaited = is_watched and bool(prompt.done_when)
    return prompt.kind is PromptKind.END or is_awaited or turns < _TURNS


def shown_done(prompts: Mapping[PromptKey, Prompt], seen: Snapshot) -> set[PromptKey]:
    """Return the prompts whose work the table shows as done, remembered places not counted."""

    def shows(prompt: Prompt) -> bool:
        return all(
            where in seen.picture and where not in seen.unseen and seen.picture[where] == value
            for where, value in prompt.done_when.items()
        )

    return {key for key, prompt in prompts.items() if prompt.done_when and shows(prompt)}


def is_own(key: PromptKey) -> bool:
    """Return whether the key is that of a violation or question, which has no journal entry."""
    return key[0] == _OWN


def _violation(game: Game[Any, Any], decision: OutOfStep[Any], name: str) -> Prompt:
    """Return what is wrong, the rule, what to put back and the possible answers, a line each."""
    try:
        rule = game.rule_text(decision.rule, decision.params)
    except KeyError:
        rule = ""
    lines = [decision.text, rule, *(fix.text for fix in decision.fixes), *_numbered(decision.offers)]
    text = join("\n", dict.fromkeys(line for line in lines if line))
    return Prompt(id=f"violation/{name}", kind=PromptKind.VIOLATION, text=text, rule=decision.rule)


def _question(decision: Ask[Any], name: str) -> Prompt:
    """Return the question with its answers, numbered from 1."""
    text = join("\n", [decision.text, *_numbered(decision.choices)])
    return Prompt(id=f"question/{name}", kind=PromptKind.QUESTION, text=text)


def _numbered(choices: Iterable[Choice[Any]]) -> list[Message]:
    """Return the words of choices, numbered from 1."""
    return [join(". ", (str(index), each.text)) for index, each in enumerate(choices, 1)]
