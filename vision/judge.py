"""From measurements to claims: when something is claimed at all, and how surely.

The limits were set on photograph-like tables; `tests/benchmarks/read_accuracy.py` shows how they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.table import Value
from vision.figures import Standing
from vision.laying import Match
from vision.markers import BoxLook, Marker

# Players lay markers within a few millimetres of the box; farther off one has been knocked.
_ASTRAY_MM = 5.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What lies over a box, in shares of it: foreign things, also close around, and figures."""

    foreign: float = 0.0
    foreign_near: float = 0.0
    pieces: float = 0.0

    @property
    def nobody(self) -> bool:
        """Whether neither a figure nor a hand could be taken for a marker there."""
        return self.pieces < 0.3 and self.foreign_near < 0.1


def judge_cell(found: Sequence[Match], names: Sequence[str]) -> float:
    """Return how surely the best match is right, 0 when it is not to be claimed."""
    best = found[0]
    rival = next((one.score for one in found[1:] if names[one.face] != names[best.face]), -1.0)
    margin = best.score - rival
    if best.score > 0.55 and margin > 0.12:
        return 0.999
    if best.score > 0.45 and margin > 0.07:
        return 0.97
    return 0.0


def judge_standing(found: Standing, learnt: float, kind: str, *, hand: bool = False) -> float:
    """Return how surely a figure stands where it was found, 0 when it is not to be claimed.

    `learnt` is the share of its outline that was seen when it was learnt. With a hand about, only what is
    plain counts: skin and sleeves are of all colours.
    """
    share = found.share / max(learnt, 0.6)
    lead = found.share - found.rival
    if found.spill > (0.1 if hand else 0.2) or (hand and share < 0.85):
        return 0.0
    if share > 0.85 and lead > 0.5:
        return 0.98 if hand else 0.995
    if share > 0.8 and lead > 0.35:
        return 0.97
    least = ((0.65, 0.15),) if kind == "dragon" else ((0.8, 0.22), (0.65, 0.32))
    return 0.95 if any(share > enough and lead > far for enough, far in least) else 0.0


def judge_box(look: BoxLook, names: Sequence[str], covered: Covered) -> tuple[Value, float] | None:
    """Return what a box holds and how surely, None when that cannot be told."""
    marker = look.marker
    if look.blind > 0.4 or covered.foreign > 0.3 or look.contested:
        return None
    if marker is not None and look.off_mm < 9.0 and is_solid(marker):
        return _judge_marker(look, marker, names, covered)
    if marker is not None and look.off_mm < 4.0 and covered.nobody and _hides_print(look, marker):
        return names[marker.label], 0.97
    if look.print > 0.55 and look.bare > 0.6:
        alone = marker is None or not is_solid(marker)
        return None, 0.999 if look.bare > 0.75 and look.print > 0.65 and alone else 0.97
    if look.print > 0.7 and look.bare > 0.15 and covered.nobody:
        return None, 0.97
    return None


def _judge_marker(
    look: BoxLook, marker: Marker, names: Sequence[str], covered: Covered
) -> tuple[Value, float] | None:
    """Judge a box with a marker on it or beside it."""
    if look.off_mm > _ASTRAY_MM:
        return _judge_astray(look, marker, names, covered)
    hides = marker.strange > 0.9 and look.bare < 0.4
    if look.print > 0.6 and look.off_mm < 4.5 and not hides:
        # A marker would hide the print.
        return (None, 0.97) if look.bare > 0.3 and marker.strange < 0.9 else None
    alone = marker.around > 0.85
    if marker.around < 0.5 or marker.fill - marker.second < 0.25 or marker.size > (2.0 if alone else 1.7):
        return None
    if not covered.nobody and not (alone and marker.size < 1.6 and covered.foreign_near < 0.1):
        return None
    sure = marker.fill > 0.85 and marker.around > 0.7 and marker.strange > 0.8 and marker.size < 1.6
    sure = sure and look.print < 0.4 and look.bare < 0.5
    return names[marker.label], 0.998 if sure and covered.nobody else 0.97


def _judge_astray(
    look: BoxLook, marker: Marker, names: Sequence[str], covered: Covered
) -> tuple[Value, float] | None:
    """Judge a box with a marker half off it, or with a stain that looks like one."""
    likely = marker.fill > 0.88 and marker.around > 0.8 and 0.7 < marker.size < 1.75
    if not likely:
        return (None, 0.97) if look.bare > 0.8 and look.print > 0.65 else None
    is_far = look.off_mm > 7.0 or look.next_mm - look.off_mm < 4.0
    if marker.strange < 0.9 or look.print > 0.7 or look.bare > 0.8 or is_far or not covered.nobody:
        return None
    return names[marker.label], 0.95


def _hides_print(look: BoxLook, marker: Marker) -> bool:
    """Whether a marker of the box's own colour lies there: hardly strange, but the print is gone."""
    return (
        look.print < 0.48 and marker.fill > 0.6 and 0.8 < marker.size < 1.8 and marker.around > 0.7
        and marker.fill - marker.second > 0.25
    )  # fmt: skip


def is_plain(look: BoxLook, names: Sequence[str]) -> bool:
    """Whether a marker lies there by itself, so plainly that it is no part of a figure."""
    verdict = judge_box(look, names, Covered())
    if verdict is None or verdict[0] is None or look.marker is None:
        return False
    alone = look.marker.around > 0.85
    return look.marker.around > 0.6 and look.marker.size < (2.05 if alone else 1.75)


def is_solid(marker: Marker) -> bool:
    """Whether something in a marker's colour is a marker rather than a stain, a shadow or a blurred print."""
    return marker.fill > 0.72 and marker.size > 0.55 and marker.strange > 0.45
