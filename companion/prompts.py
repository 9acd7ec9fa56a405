"""Prompts: each is a request or a piece of news for the players, closed by a button or by the table."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.table import Place, Value


class PromptKind(enum.Enum):
    """What a prompt is about; the order is the order of importance, most important first."""

    VIOLATION = "violation"
    QUESTION = "question"
    END = "end"
    EXCHANGE = "exchange"
    ANNOUNCEMENT = "announcement"
    REWARD = "reward"
    PAYMENT = "payment"
    HOUSEKEEPING = "housekeeping"
    OBELISK = "obelisk"
    TURN = "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRow:
    """One line of a prompt's table: who gets what, and why.

    Attributes:
        player: whom the line concerns.
        amounts: by thing, for example ``{"crystals": 3}``.
        reason: majority, contributor, neighbour, dragon, exchange ...
        source: what pays, for example the tile's id; empty if nothing pays.
    """

    player: str
    amounts: Mapping[str, int]
    reason: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request or piece of news.

    Attributes:
        id: stable within a game: ``kind/number of the action/ordinal``.
        kind: what it is about.
        concerns: the players it concerns, in seat order; empty = everyone.
        text: the whole prompt in words.
        rows: the table under it, if any.
        done_when: the prompt closes by itself as soon as the table shows all of this.
        rule: id of the rule it explains or names, if any.
        about: the places that it speaks of, for whatever can point at them.
    """

    id: str
    kind: PromptKind
    text: str
    concerns: tuple[str, ...] = ()
    rows: tuple[PromptRow, ...] = ()
    done_when: Mapping[Place, Value] = field(default_factory=dict)
    rule: str | None = None
    about: tuple[Place, ...] = ()
