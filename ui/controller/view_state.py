"""What the window shows at one moment: plain frozen values, made outside the window's thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.decision import Fix
from companion.prompts import Prompt
from companion.table import Place
from companion.view_model import Mark, SeatQuestion, SeatView, TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One accepted action.

    Attributes:
        number: its place in the journal, as `correct` wants it.
        turn: the turn it belongs to, counted from 1.
    """

    number: int
    turn: int
    player: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """The table and the game disagree: what is wrong, by which rule, and what to put right.

    Attributes:
        offers: actions that left no trace and that players may say were played; numbered like answers.
    """

    text: str
    rule: str
    rule_text: str
    fixes: tuple[Fix, ...]
    offers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The table has more than one explanation."""

    text: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinking:
    """How long players have thought; pauses do not count.

    Attributes:
        spent: seconds by player, up to the last action or to the pause.
        player: who is thinking now; None if nobody's clock runs.
        since_s: wall time since which that player has been thinking, seconds since 1970.
    """

    spent: Mapping[str, float] = field(default_factory=dict)
    player: str | None = None
    since_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """Everything the window shows.

    Attributes:
        prompts: most important first.
        asked: the answers to the question or the trouble, for the phones of those who may give them.
        waiting: text on the unfinished move that the table shows; empty if there is none.
        pending: what is still to be done by hand.
        entries: texts of the actions offered as buttons.
        hint: keyword of this moment, for finding rule reminders.
        hand_edits: texts of the corrections by hand that no action explains yet.
        seats: what is for one player's eyes; no window at the table shows it.
        thinking: how long players have thought.
        is_watched: whether anything watches the table; else all is entered by hand.
    """

    table: TableView
    prompts: tuple[Prompt, ...] = ()
    question: Question | None = None
    trouble: Trouble | None = None
    asked: SeatQuestion | None = None
    waiting: str = ""
    pending: tuple[Fix, ...] = ()
    history: tuple[HistoryLine, ...] = ()
    entries: tuple[str, ...] = ()
    hint: str = ""
    can_undo: bool = False
    can_redo: bool = False
    marks: Mapping[Place, Mark] = field(default_factory=dict)
    hand_edits: tuple[str, ...] = ()
    seats: tuple[SeatView, ...] = ()
    thinking: Thinking = field(default_factory=Thinking)
    is_watched: bool = True
