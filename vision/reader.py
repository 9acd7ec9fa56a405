"""From a frame to an observation: what lies where, how surely, and what cannot be seen.

A place that is covered, burnt out or not understood is left out: nothing is ever claimed empty unless it was
seen to be empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import View
from calibration.profile import Profile
from companion.reconcile.observation import Observation, Sighting
from companion.table import Picture, Place, Value, place
from vision.board import BoardReading, read_board
from vision.book import Book, owner_label
from vision.citymap import CityMap, city_map
from vision.explain import Examined
from vision.figures import Standing, find_all
from vision.hands import Cover, find_cover
from vision.judge import judge_box, judge_cell, judge_standing
from vision.locate import Locator
from vision.markers import BoxLook, label_face, look_at_boxes, place_of_box
from vision.scene import Plane, Surveyor
from vision.tiles import Match

Picture8: TypeAlias = NDArray[np.uint8]
Claims: TypeAlias = dict[Place, Sighting]


@dataclass(slots=True, kw_only=True)
class Findings:
    """All steps of one reading, for the diagnostic view.

    Attributes:
        view: the camera, None when the table was not found.
        plane: the city from above.
        matches: candidates of every cell, best first.
        examined: the cells whose tile is sure enough to look closer.
        city: the cells put together.
        standing: figures and dragons by kind and name.
        cover: what hides the city.
        boxes: looks of all boxes.
        board: the board with boxes.
    """

    view: View | None = None
    plane: Plane | None = None
    matches: dict[str, list[Match]] = field(default_factory=dict)
    examined: dict[str, tuple[int, Examined]] = field(default_factory=dict)
    city: CityMap | None = None
    standing: dict[str, Standing] = field(default_factory=dict)
    cover: Cover | None = None
    boxes: dict[Place, BoxLook] = field(default_factory=dict)
    board: BoardReading | None = None


class Reader:
    """Reads frames of one table with one profile. Not for use by two threads at once."""

    def __init__(self, profile: Profile) -> None:
        self.book = Book(profile)
        self._locator = Locator(profile)
        self._surveyor: Surveyor | None = None
        self.findings = Findings()

    def forget(self) -> None:
        """Forget what earlier frames told; the next frame is read by itself."""
        self._locator.forget()
        self._surveyor = None

    def read(
        self, frame: Picture8, *, seq: int, seen_at_s: float, source: str, expected: Picture | None = None
    ) -> Observation:
        """Return what a frame (height, width, 3) uint8 BGR shows.

        `expected` is the picture that the game predicts: those faces are tried first. It decides nothing.
        """
        claims: Claims = {}
        findings = self.findings = Findings(view=self._locator.locate(frame))
        if findings.view is None:
            return Observation(source=source, seq=seq, seen_at_s=seen_at_s, busy=False)
        if self._surveyor is None or self._surveyor.view is not findings.view:
            self._surveyor = Surveyor(self.book.layout, findings.view)
        findings.plane = self._surveyor.city(frame)
        self._read_cells(findings, claims)
        self._read_figures(findings, claims)
        self._read_boxes(findings, claims)
        findings.board = read_board(self.book, self._surveyor.board(frame), findings.view)
        if findings.board is not None:
            claims.update({one.place: one for one in findings.board.sightings})
        busy = (findings.cover is not None and findings.cover.hand) or (
            findings.board is not None and findings.board.covered
        )
        return Observation(
            source=source,
            seq=seq,
            seen_at_s=seen_at_s,
            sightings=claims,
            busy=busy,
            hidden=self._hidden(findings, claims),
        )

    def _read_cells(self, findings: Findings, claims: Claims) -> None:
        plane, book = findings.plane, self.book
        assert plane is not None
        coarse = plane.coarse()
        for cell, at in book.layout.cells.items():
            middle = plane.flat.to_px(np.array([at]))[0]
            found = book.tiles.recognise(plane.soft, coarse, (float(middle[0]), float(middle[1])))
            findings.matches[cell] = found
        taken = _best_holders(findings.matches, book)
        for cell, found in findings.matches.items():
            if not found:
                continue
            best = found[0]
            name = book.tiles.faces[best.face].name
            sure = judge_cell(found, [face.name for face in book.tiles.faces])
            if sure <= 0 or taken.get(name.partition("/")[0]) != cell:
                continue
            findings.examined[cell] = best.face, book.patterns[best.face].examine(plane.picture, best)
            _claim(claims, place("cell", cell), name, sure)

    def _read_figures(self, findings: Findings, claims: Claims) -> None:
        plane, view, book = findings.plane, findings.view, self.book
        assert plane is not None
        assert view is not None
        examined = {cell: one for cell, (_, one) in findings.examined.items()}
        findings.city = city_map(plane, book.layout, examined, book.paints)
        wanted = {
            f"{one.kind}:{one.name}": (book.paints.names.index(owner_label(one)), one.kind)
            for one in book.profile.pieces
            if one.kind != "marker"
        }
        findings.standing = find_all(findings.city, view, book.layout, wanted)
        learnt = {f"{one.kind}:{one.name}": one.seen for one in book.profile.pieces}
        outlines = []
        for name, standing in findings.standing.items():
            if judge_standing(standing, learnt[name]) > 0:
                outlines.append(standing.outline)
        findings.cover = find_cover(findings.city, book.layout, outlines, findings.examined)
        for name in wanted:
            kind, _, owner = name.partition(":")
            standing_here = findings.standing.get(name)
            share = 0.0 if standing_here is None else standing_here.share / learnt[name]
            sure = 0.0 if standing_here is None else judge_standing(standing_here, learnt[name])
            if standing_here is not None and sure > 0:
                _claim(claims, place(kind, owner), standing_here.cell, sure)
            elif share < 0.45 and findings.cover.whole and not findings.cover.hand:
                _claim(claims, place(kind, owner), None, 0.98)

    def _read_boxes(self, findings: Findings, claims: Claims) -> None:
        plane, view, book, cover = findings.plane, findings.view, self.book, findings.cover
        assert plane is not None
        assert view is not None
        assert cover is not None
        marker_mm = book.layout.pieces.marker_edge_mm
        names = book.owners()
        for cell, (face, found) in findings.examined.items():
            labels = label_face(found, book.paints)
            edge_mm = book.records[face].box_edge_mm
            spots = [
                place_of_box(found, plane.flat, view, (float(x), float(y)), edge_mm, marker_mm)
                for x, y in book.boxes[face]
            ]
            looks = look_at_boxes(found, spots, labels, len(names))
            for number, (spot, look) in enumerate(zip(spots, looks, strict=True)):
                where = place("box", cell, number)
                findings.boxes[where] = look
                verdict = judge_box(look, names, cover.share_at(found, spot.middle, spot.edge))
                if verdict is not None:
                    _claim(claims, where, *verdict)

    def _hidden(self, findings: Findings, claims: Mapping[Place, Sighting]) -> frozenset[Place]:
        """Return the places known to be covered: boxes and cells on which something else is seen."""
        hidden = {where for where in findings.boxes if where not in claims}
        hidden |= {
            place("cell", cell) for cell in self.book.layout.cells if place("cell", cell) not in claims
        }
        return frozenset(hidden)


def _claim(claims: Claims, where: Place, value: Value, confidence: float) -> None:
    claims[where] = Sighting(place=where, value=value, confidence=confidence)


def _best_holders(matches: Mapping[str, list[Match]], book: Book) -> dict[str, str]:
    """Return for every tile the cell that shows it best: there is one of each."""
    best: dict[str, tuple[float, str]] = {}
    for cell, found in matches.items():
        if found:
            tile = book.tiles.faces[found[0].face].name.partition("/")[0]
            best[tile] = max(best.get(tile, (-2.0, "")), (found[0].score, cell))
    return {tile: cell for tile, (_, cell) in best.items()}


def gray_of_frame(frame: Picture8) -> NDArray[np.uint8]:
    """Return a frame's brightness, (height, width) uint8."""
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
