"""How prompts come about: a game drafts them in the order of telling, and here they get their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.prompts import Prompt, PromptKind, PromptRow
from companion.table import Place, Value


@dataclass(frozen=True, slots=True)
class PromptDraft:
    """What a prompt says, before it has an id; the fields are those of `Prompt`."""

    kind: PromptKind
    text: str
    concerns: tuple[str, ...] = ()
    rows: tuple[PromptRow, ...] = ()
    done_when: Mapping[Place, Value] = field(default_factory=dict)
    rule: str | None = None


def numbered(drafts: Iterable[PromptDraft], number: int) -> tuple[Prompt, ...]:
    """Return the prompts that follow the numbered action, with their ids."""
    return tuple(
        Prompt(
            id=f"{draft.kind.value}/{number}/{ordinal}",
            kind=draft.kind,
            text=draft.text,
            concerns=draft.concerns,
            rows=draft.rows,
            done_when=draft.done_when,
            rule=draft.rule,
        )
        for ordinal, draft in enumerate(drafts)
    )
