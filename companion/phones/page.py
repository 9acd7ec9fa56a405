"""What a page shows, by role: plain JSON of the same view model that the window draws.

Nothing is in it that the role may not know; what the page hides is not a secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.i18n import msg, nmsg
from companion.names import player_name
from companion.phones.admission import OVERLAY, SEAT, Answered, Named, Role
from companion.prompts import Prompt
from companion.view_model import (
    CardView,
    CounterView,
    PlayerView,
    SeatQuestion,
    SeatView,
    TableView,
    UnnamedAction,
)

Json = dict[str, Any]
MOST_LINES = 12
MOST_PROMPTS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What is shared of one moment.

    Attributes:
        prompts: most important first.
        history: number and text of the accepted actions, the last one last.
        notice: a question or a broken rule that the window shows; empty if there is none.
        asked: the answers to what the notice says; None if there are none.
        own: what is for one player's eyes.
    """

    table: TableView
    prompts: tuple[Prompt, ...] = ()
    history: tuple[tuple[int, str], ...] = ()
    notice: str = ""
    asked: SeatQuestion | None = None
    own: tuple[SeatView, ...] = ()


def page_of(shared: Shared, role: Role) -> Json:
    """Return what a role is shown, as messages that are still to be translated."""
    table = shared.table
    told: Json = {
        "title": table.title,
        "turn": next((player_name(one.player) for one in table.players if one.is_active), ""),
        "phase": table.phase,
        "outcome": table.outcome or "",
        "players": tuple(_player(one, role) for one in table.players),
        "notice": "" if role.kind == OVERLAY else shared.notice,
        "words": _words(role),
    }
    if role.kind == OVERLAY:
        return told
    prompts = [one for one in shared.prompts if _concerns(one, role)]
    rest = max(0, len(prompts) - MOST_PROMPTS)
    return told | {
        "prompts": [_prompt(one, role) for one in prompts[:MOST_PROMPTS]],
        "more": nmsg("{n} more to do", "{n} more to do", rest) if rest else "",
        "hand": [{"name": card.name, "kind": card.kind or ""} for card in hand_of(shared, role)],
        "answers": _answers(shared.asked, role),
        "asked": [_asked(one) for own in _own(shared, role) for one in own.unnamed],
        "history": [text for _, text in shared.history[-MOST_LINES:]],
    }


def _own(shared: Shared, role: Role) -> list[SeatView]:
    return [one for one in shared.own if role == Role(kind=SEAT, player=one.player)]


def hand_of(shared: Shared, role: Role) -> tuple[CardView, ...]:
    """Return the hand that a role may see: a seat its own, the others none."""
    return tuple(card for own in _own(shared, role) for card in own.hand)


def may_name(shared: Shared, role: Role, wish: Named) -> bool:
    """Whether a seat may say so: an own action is asked about, and these are cards to choose from."""
    for asked in (one for own in _own(shared, role) for one in own.unnamed if one.number == wish.action):
        known = {option.value for option in asked.cards.cards}
        return asked.cards.least <= len(wish.cards) <= asked.cards.most and known.issuperset(wish.cards)
    return False


def may_answer(shared: Shared, role: Role, wish: Answered) -> bool:
    """Whether a seat may answer so: the question is asked now, and is about an own action."""
    if role.kind != SEAT or shared.asked is None:
        return False
    return shared.asked.takes(role.player, wish.question, wish.choice)


def _answers(asked: SeatQuestion | None, role: Role) -> Json | None:
    if asked is None or role.kind != SEAT or role.player not in asked.concerns:
        return None
    return {"question": asked.number, "choices": list(asked.choices)}


def _asked(asked: UnnamedAction) -> Json:
    return {
        "action": asked.number,
        "text": asked.text,
        "refused": asked.was_refused,
        "least": asked.cards.least,
        "most": asked.cards.most,
        "cards": [[option.value, option.text] for option in asked.cards.cards],
    }


def may_close(prompt: Prompt, role: Role) -> bool:
    """Whether a seat may say that a prompt is done: only its own."""
    return role.kind == SEAT and role.player in prompt.concerns


def _concerns(prompt: Prompt, role: Role) -> bool:
    return role.kind != SEAT or not prompt.concerns or role.player in prompt.concerns


def _prompt(prompt: Prompt, role: Role) -> Json:
    return {"id": prompt.id, "text": prompt.text, "mine": may_close(prompt, role)}


def _open(counters: Iterable[CounterView]) -> list[CounterView]:
    return [one for one in counters if not one.secret]


def _player(view: PlayerView, role: Role) -> Json:
    is_own = role == Role(kind=SEAT, player=view.player)
    shown = list(view.counters) if is_own else _open(view.counters)
    return {
        "player": view.player,
        "name": player_name(view.player),
        "active": view.is_active,
        "winner": view.is_winner,
        "own": is_own,
        "counters": list(map(_counter, shown)),
    }


def _counter(counter: CounterView) -> Json:
    return {"label": counter.label, "text": counter.text, "goal": counter.goal}


def _words(role: Role) -> Json:
    words = {
        "turn": msg("Turn"),
        "done": msg("Done"),
        "hand": msg("Your hand"),
        "which": msg("Which cards did you spend?"),
        "say": msg("Say so"),
        "clear": msg("Start over"),
        "unfit": msg("These cards do not fit."),
        "none": msg("None"),
        "nothing": msg("Nothing to do."),
        "log": msg("Log"),
        "lost": msg("No connection. Trying again…"),
        "refused": msg("This link no longer opens anything. Scan the code again."),
        "asking": msg("Waiting for a yes at the table's window…"),
        "full": msg("Too many devices are connected."),
        "plain": msg("This page comes over your local network without encryption."),
    }
    return words | ({"role": role.kind} if role.kind != SEAT else {"role": SEAT, "player": role.player})
