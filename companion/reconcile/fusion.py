"""Fusion of several sources: what to believe about a place when more than one source claims something."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from companion.table import Value

# To be overruled, the less certain of two contradicting sources must be this many times likelier to be wrong.
DECISIVE = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What one source has settled on for one place.

    Attributes:
        source: its name.
        value: what it claims to be there.
        confidence: probability that it is right, 0 to 1.
        seen_at_s: time of its newest reading of the place.
        fresh: whether it sees the place now.
    """

    source: str
    value: Value
    confidence: float
    seen_at_s: float
    fresh: bool


class Agreement(enum.Enum):
    """How far the claims about one place agree."""

    AGREED = "agreed"
    OVERRULED = "overruled"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """The combined claim of all sources about one place.

    Attributes:
        value: the value to believe; of contradicting claims the likelier one.
        agreement: whether all agree, one was overruled, or none is clearly more certain.
        values: every claimed value that counts, by name of source.
        claims: the same as pairs of source and value.
        fresh: whether any source sees the place now.
    """

    value: Value
    agreement: Agreement
    values: tuple[Value, ...]
    claims: tuple[tuple[str, Value], ...]
    fresh: bool


def fusion_of(claims: Sequence[Claim]) -> Fusion:
    """Combine the claims about one place, at least one.

    A source that sees the place now outranks any that only remembers it; of memories the newest counts.
    """
    if len(claims) == 1:  # the common case, for every place of every frame
        (only,) = claims
        return Fusion(
            value=only.value,
            agreement=Agreement.AGREED,
            values=(only.value,),
            claims=((only.source, only.value),),
            fresh=only.fresh,
        )
    fresh = [claim for claim in claims if claim.fresh]
    counted = fresh or [max(claims, key=lambda claim: (claim.seen_at_s, claim.confidence))]
    best = max(counted, key=lambda claim: claim.confidence)
    doubts = [1.0 - claim.confidence for claim in counted if claim.value != best.value]
    if not doubts:
        agreement = Agreement.AGREED
    elif min(doubts) > DECISIVE * (1.0 - best.confidence):
        agreement = Agreement.OVERRULED
    else:
        agreement = Agreement.CONTRADICTED
    ordered = sorted(counted, key=lambda claim: claim.source)
    values = tuple(dict.fromkeys(claim.value for claim in ordered))
    told = tuple((claim.source, claim.value) for claim in ordered)
    return Fusion(value=best.value, agreement=agreement, values=values, claims=told, fresh=bool(fresh))
