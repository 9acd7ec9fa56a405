"""The players' rulings about the table: kept in the journal, so that a resumed game knows them too.

A ruling is in force until it is undone, or lapses because the table has changed. The journal records both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.decision import Ask
from companion.game import Json
from companion.observation import Snapshot
from companion.record.game_record import format_object
from companion.storage.strict import as_each, as_list, as_mapping, as_object, as_text
from companion.table import Picture, Place, Value

_KEYS = ("misread", "believed", "held", "goes_on")
_NOT_SEEN = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """Which of the contradicting claims about a place is right; valid for these claims only."""

    claims: tuple[Value, ...]
    right: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings:
    """The rulings in force.

    Attributes:
        misread: places that are not compared with the game while they show this value.
        believed: which source is right, by place.
        held: the table at the time of an edit by hand: nothing is accepted from it until it changes; empty if
            there is none.
        goes_on: the open ending after which, the players said, the game goes on (`ending_key`).
    """

    misread: Picture = field(default_factory=dict)
    believed: Mapping[Place, Belief] = field(default_factory=dict)
    held: Picture = field(default_factory=dict)
    goes_on: str | None = None

    def lapsed(self, seen: Snapshot, expected: Picture) -> Rulings:
        """Return the rulings still in force, given what is seen and what is expected on the table."""
        picture = self.corrected(seen)
        return replace(
            self,
            misread={
                where: value
                for where, value in self.misread.items()
                if (picture.get(where, value) == value or where in seen.unseen)
                and expected.get(where, _NOT_SEEN) != value
            },
            held=self.held if _is_like(seen.picture, self.held) else {},
        )

    def corrected(self, seen: Snapshot) -> dict[Place, Value]:
        """Return the picture with the players' choices at contradicted places."""
        believed = {
            where: belief.right
            for where, belief in self.believed.items()
            if seen.contested.get(where) == belief.claims
        }
        return {**seen.picture, **believed}

    def open_conflicts(self, seen: Snapshot) -> dict[Place, tuple[Value, ...]]:
        """Return the contradictions between sources that no player has decided yet."""
        return {
            where: claims
            for where, claims in seen.contested.items()
            if where not in self.believed or self.believed[where].claims != claims
        }

    def compared(self, seen: Snapshot) -> dict[Place, Value]:
        """Return the picture to compare with the game: without misread or merely remembered places."""
        return {
            where: value
            for where, value in self.corrected(seen).items()
            if where not in self.misread and where not in seen.unseen
        }

    def with_misread(self, seen: Picture, expected: Picture) -> Rulings:
        """Return the rulings with every place that differs from what is expected marked as misread."""
        odd = {
            where: value for where, value in seen.items() if where in expected and expected[where] != value
        }
        return replace(self, misread={**self.misread, **odd})


def ending_key(asked: Ask[Any]) -> str:
    """Return a key for the question about an open ending: its words and the endings it names."""
    endings = [None if choice.result is None else dict(choice.result) for choice in asked.choices]
    return format_object({"question": str(asked.text), "endings": endings})


def format_rulings(rulings: Rulings) -> Json:
    """Return the rulings as a JSON object without empty entries."""
    believed = {
        where: {"claims": list(belief.claims), "right": belief.right}
        for where, belief in rulings.believed.items()
    }
    told: Json = {
        "misread": dict(rulings.misread),
        "believed": believed,
        "held": dict(rulings.held),
        "goes_on": rulings.goes_on,
    }
    return {key: value for key, value in told.items() if value}


def parse_rulings(told: Json) -> Rulings:
    """Return the rulings of an object; the inverse of `format_rulings`; raises MalformedError."""
    found = as_object(told, "the rulings", (), _KEYS)
    believed = as_each(found.get("believed", {}), "believed", _belief)
    return Rulings(
        misread=parse_picture(found.get("misread", {}), "misread"),
        believed={Place(where): belief for where, belief in believed.items()},
        held=parse_picture(found.get("held", {}), "held"),
        goes_on=as_text(found["goes_on"], "goes_on") if "goes_on" in found else None,
    )


def parse_picture(told: object, what: str) -> dict[Place, Value]:
    """Return the picture of an object of places and values; raises MalformedError."""
    return {Place(where): _value(value, where) for where, value in as_mapping(told, what).items()}


def _belief(told: object, where: str) -> Belief:
    found = as_object(told, where, ("claims", "right"))
    claims = as_list(found["claims"], f"the claims of {where}")
    return Belief(
        claims=tuple(_value(each, where) for each in claims),
        right=_value(found["right"], where),
    )


def _value(told: object, where: str) -> Value:
    return None if told is None else as_text(told, where)


def _is_like(picture: Picture, held: Picture) -> bool:
    return all(picture.get(where, value) == value for where, value in held.items())
