"""Reading the board with boxes: the obelisk."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.fit import View
from companion.reconcile.observation import Sighting
from companion.table import Value, place
from vision.book import Book
from vision.explain import Examined
from vision.judge import Covered, judge_box
from vision.laying import Lie, Match
from vision.markers import BoxLook, label_face, look_at_boxes, place_of_box
from vision.scene import Plane

_LEAST_SCORE = 0.5
_PLAIN_SCORE = 0.85
# Two markers side by side are smaller.
_HAND_MM2 = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReading:
    """What the board shows.

    Attributes:
        match: how it lies.
        found: the board examined; None when it was not found.
        looks: what each box looks like.
        sightings: the claims.
        covered: something large lies over it.
    """

    match: Match
    found: Examined | None
    looks: tuple[BoxLook, ...]
    sightings: tuple[Sighting, ...]
    covered: bool


def read_board(book: Book, plane: Plane | None, view: View) -> BoardReading | None:
    """Read the board's boxes; None when the profile has no board."""
    layout = book.layout.board
    if plane is None or book.board is None or layout is None:
        return None
    match = _lay(book, plane)
    if match.score < _LEAST_SCORE:
        return BoardReading(match=match, found=None, looks=(), sightings=(), covered=False)
    _, pattern, boxes = book.board
    found = pattern.examine(plane.picture, plane.blind, match)
    labels = label_face(found, book.paints)
    marker_mm = book.layout.pieces.marker_edge_mm
    spots = [
        place_of_box(found, plane.flat, view, (float(x), float(y)), layout.box_edge_mm, marker_mm)
        for x, y in boxes
    ]
    looks = look_at_boxes(found, spots, labels, len(book.owners()))
    sightings = []
    for number, look in enumerate(looks):
        verdict = judge_box(look, book.owners(), Covered())
        if verdict is not None and _stands_alone(look, verdict[0]):
            where = place("obelisk", number)
            sightings.append(Sighting(place=where, value=verdict[0], confidence=verdict[1]))
    covered = _is_covered(found, plane.flat.px_per_mm)
    return BoardReading(
        match=match, found=found, looks=tuple(looks), sightings=tuple(sightings), covered=covered
    )


def _stands_alone(look: BoxLook, owner: Value) -> bool:
    """Whether a claimed marker ends on all sides: fingers reach over the board and do not."""
    return owner is None or look.marker is None or look.marker.around > 0.75


def _is_covered(found: Examined, px_per_mm: float) -> bool:
    """Whether something larger than any marker lies over the board."""
    strange = (found.strange & ~found.shadow).astype(np.uint8)
    opened = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(opened)
    return bool((stats[1:, cv2.CC_STAT_AREA] > _HAND_MM2 * px_per_mm**2).any())


def _lay(book: Book, plane: Plane) -> Match:
    """Lay the board from several starts: it may be off its place and askew."""
    assert book.board is not None
    assert book.layout.board is not None
    fine, area = book.board[0], book.layout.board.area
    middle = plane.flat.to_px(np.array([[area.x_mm, area.y_mm]]))[0]
    starts = [
        (0, Lie(x_px=float(middle[0]) + dx, y_px=float(middle[1]) + dy, turn=turn))
        for turn in (0.0, -0.06, 0.06)
        for dx, dy in ((0, 0), (-9, 0), (9, 0), (0, -9), (0, 9))
    ]
    first = fine.lay_all(plane.soft, starts[:1], rounds=12)
    if first[0].score > _PLAIN_SCORE:
        return first[0]
    others = fine.lay_all(plane.soft, starts[1:], rounds=12, groups=[0] * (len(starts) - 1))
    return max(first + others, key=lambda match: match.score)
