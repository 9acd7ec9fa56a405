"""Telling tiles apart: which learnt face lies in a cell, how it is turned, and how surely.

In two steps. A coarse one compares edge fields at 0.53 px/mm in every quarter turn, some tilts and
shifts: it is quick and names a few candidates. A fine one lays each candidate exactly (Gauss-Newton on
edge fields) and asks block by block whether the picture is there: figures, hands and glare cover blocks,
and the rest must still agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import coded, edges, gray_of

Singles: TypeAlias = NDArray[np.float32]
Floats: TypeAlias = NDArray[np.float64]
Picture8: TypeAlias = NDArray[np.uint8]

COARSE = 3  # city pixels per coarse pixel
_TILTS_DEG = (-4.0, 0.0, 4.0)
_TRIM = 2
BLOCK = 16  # city pixels of a block's edge: 10 mm


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One learnt face of a tile.

    Attributes:
        name: for example ``mill/sketch``.
        picture: (height, width, 3) float32, linear light relative to white paper, at the city's scale; both
            are multiples of `BLOCK`, so a rim of the face may be left out.
        valid: (height, width) bool; False where it could not be learnt.
    """

    name: str
    picture: Singles
    valid: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lie:
    """How a face lies in the city picture: its middle, px, its turn, radians, its size against nominal."""

    x_px: float
    y_px: float
    turn: float
    size: float = 1.0

    def matrix(self, shape: tuple[int, ...]) -> Floats:
        """Return the map (2, 3) from pixels of a face (height, width, ...) to pixels of the city picture."""
        c, s = np.cos(self.turn) * self.size, np.sin(self.turn) * self.size
        x, y = (shape[1] - 1) / 2, (shape[0] - 1) / 2
        return np.array([[c, -s, self.x_px - c * x + s * y], [s, c, self.y_px - s * x - c * y]], np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One face laid in one place.

    Attributes:
        face: index into the book.
        lie: where exactly.
        score: agreement over the better part of the face, -1 to 1.
        blocks: agreement of each block of the face, -1 to 1.
    """

    face: int
    lie: Lie
    score: float
    blocks: Singles


class TileBook:
    """All learnt faces of tiles, made ready for comparing; all have the same size."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self.faces = tuple(faces)
        self.edge_px = faces[0].picture.shape[0] if faces else 96
        self._small = self.edge_px // COARSE - 2 * _TRIM
        self._coarse, self._variants = self._coarse_bank()
        self._coarse_energy = self._coarse**2
        self._fine = [FineFace(face) for face in self.faces]

    # -- coarse -----------------------------------------------------------------------------------

    def _coarse_bank(self) -> tuple[Singles, list[tuple[int, float]]]:
        rows: list[Singles] = []
        variants: list[tuple[int, float]] = []
        for index, face in enumerate(self.faces):
            gray = gray_of(coded(face.picture))
            valid = face.valid.astype(np.float32)
            for quarter in range(4):
                for tilt in _TILTS_DEG:
                    turn = np.deg2rad(90.0 * quarter + tilt)
                    rows.append(self._coarse_row(gray, valid, float(turn)))
                    variants.append((index, float(turn)))
        if not rows:
            return np.zeros((0, 2 * self._small**2), np.float32), []
        return np.stack(rows), variants

    def _coarse_row(self, gray: Singles, valid: Singles, turn: float) -> Singles:
        edge = self.edge_px
        matrix = Lie(x_px=(edge - 1) / 2, y_px=(edge - 1) / 2, turn=turn).matrix((edge, edge))
        turned = cv2.warpAffine(
            gray, matrix, (edge, edge), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        known = cv2.warpAffine(valid, matrix, (edge, edge), flags=cv2.INTER_LINEAR)
        field = coarse_field(np.asarray(turned, np.float32))
        mask = cv2.erode(_shrink(np.asarray(known, np.float32)), np.ones((3, 3), np.uint8)) > 0.9
        row = (field * mask)[:, _TRIM:-_TRIM, _TRIM:-_TRIM].ravel()
        return np.asarray(row / (np.linalg.norm(row) + 1e-6), np.float32)

    def shortlist(
        self,
        field: Singles,
        middle: tuple[float, float],
        reach_px: int = 4,
        count: int = 12,
        only: frozenset[int] | None = None,
        free: Singles | None = None,
    ) -> list[tuple[int, Lie, float]]:
        """Return the best faces around a place, best first: (face, rough lie in city px, agreement).

        `field` is the `coarse_field` of the whole city; `middle` the cell's middle in city px; `free`, of the
        field's size, is 0 where something known covers the city.
        """
        size = self._small
        left = round((middle[0] + 0.5) / COARSE - size / 2)
        top = round((middle[1] + 0.5) / COARSE - size / 2)
        steps = [(i, j) for j in range(-reach_px, reach_px + 1) for i in range(-reach_px, reach_px + 1)]
        height, width = field.shape[1:]
        spots = [(left + i, top + j) for i, j in steps]
        spots = [(x, y) for x, y in spots if 0 <= x <= width - size and 0 <= y <= height - size]
        if not spots or not len(self._coarse):
            return []
        windows = np.stack([field[:, y : y + size, x : x + size].ravel() for x, y in spots])
        rows = [row for row, (face, _) in enumerate(self._variants) if only is None or face in only]
        if not rows:
            return []
        coarse = self._coarse if only is None else self._coarse[rows]
        if free is None:
            windows /= np.linalg.norm(windows, axis=1, keepdims=True) + 1e-6
            agree = windows @ coarse.T
        else:
            seen = np.stack([np.tile(free[y : y + size, x : x + size].ravel(), 2) for x, y in spots])
            windows *= seen
            windows /= np.linalg.norm(windows, axis=1, keepdims=True) + 1e-6
            energy = self._coarse_energy if only is None else self._coarse_energy[rows]
            agree = windows @ coarse.T / np.sqrt(seen @ energy.T + 0.05)
        best_spot = agree.argmax(axis=0)
        best = agree[best_spot, np.arange(agree.shape[1])]
        found: list[tuple[int, Lie, float]] = []
        taken: set[tuple[int, int]] = set()
        for at in np.argsort(-best):
            face, turn = self._variants[rows[at]]
            quarter = round(turn / (np.pi / 2)) % 4
            if (face, quarter) in taken:
                continue
            taken.add((face, quarter))
            x, y = spots[best_spot[at]]
            lie = Lie(x_px=(x + size / 2) * COARSE - 0.5, y_px=(y + size / 2) * COARSE - 0.5, turn=turn)
            found.append((face, lie, float(best[at])))
            if len(found) == count:
                break
        return found

    def recognise(
        self,
        gray: Singles,
        field: Singles,
        middle: tuple[float, float],
        only: frozenset[int] | None = None,
        free: Singles | None = None,
    ) -> list[Match]:
        """Return the matches of a cell, best first; `gray` softened, `field` the `coarse_field`.

        More candidates are laid when the first do not convince. `only` limits the faces; `free`, of the size
        of `gray`, is 0 where something known covers the city: then many faces are given a chance.
        """
        if free is None:
            rough = self.shortlist(field, middle, only=only)
        else:
            rough = self.shortlist(field, middle, count=30, only=only, free=_shrink(free))
        laid: list[Match] = []
        for start in range(0, len(rough), 3):
            laid += [self.lay(gray, face, lie, free) for face, lie, _ in rough[start : start + 3]]
            laid.sort(key=lambda match: -match.score)
            if laid[0].score > 0.68 and (len(laid) < 2 or laid[0].score - laid[1].score > 0.15):
                break
        return laid

    # -- fine -------------------------------------------------------------------------------------

    def lay(self, gray: Singles, face: int, start: Lie, free: Singles | None = None) -> Match:
        """Lay a face exactly, from a rough start, on the city's brightness picture."""
        return self._fine[face].lay(gray, face, start, free=free)


def coarse_field(gray: Singles) -> Singles:
    """Return the edge field of a picture of the city, shrunk for the coarse step."""
    return edges(_shrink(gray), 9)


def _shrink(gray: Singles) -> Singles:
    height, width = gray.shape
    size = (width // COARSE, height // COARSE)
    cut = np.ascontiguousarray(gray[: size[1] * COARSE, : size[0] * COARSE])
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.float32)


class FineFace:
    """One face at half the city's scale: its edge field and what moves do to it."""

    def __init__(self, face: Face) -> None:
        self._shape = face.picture.shape[:2]
        height, width = self._shape[0] // 2, self._shape[1] // 2
        gray = gray_of(coded(face.picture))
        small = cv2.resize(gray, (width, height), interpolation=cv2.INTER_AREA)
        self._field = edges(np.asarray(small, np.float32), 9)
        known = cv2.resize(face.valid.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
        mask = cv2.erode(np.asarray(known, np.float32), np.ones((3, 3), np.uint8)) > 0.9
        mask[:2], mask[-2:], mask[:, :2], mask[:, -2:] = False, False, False, False
        self._mask = mask
        self._size = (height, width)
        self._slopes = self._moves()
        energy = _by_block((self._field**2).sum(axis=0) * mask)
        self._floor = float(energy.mean())
        share = _by_block(mask.astype(np.float32)) / (BLOCK / 2) ** 2
        self._all_weight = float(np.sqrt(energy + 0.15 * self._floor * share + 1e-6).sum())

    def _moves(self) -> Singles:
        """Return what a step in x, y, turn (radians) and size does to the field, (4, 2, height, width)."""
        height, width = self._size
        y, x = np.mgrid[:height, :width].astype(np.float32)
        x, y = x - (width - 1) / 2, y - (height - 1) / 2
        dx = np.stack([cv2.Sobel(one, cv2.CV_32F, 1, 0, ksize=3, scale=0.125) for one in self._field])
        dy = np.stack([cv2.Sobel(one, cv2.CV_32F, 0, 1, ksize=3, scale=0.125) for one in self._field])
        return np.stack([dx, dy, dy * x - dx * y, dx * x + dy * y]).astype(np.float32)

    def _seen(self, gray: Singles, lie: Lie) -> Singles:
        """Return the field under the face, (2, height, width), in the face's own direction."""
        return edges(self._patch(gray, lie), 9)

    def _patch(self, picture: Singles, lie: Lie) -> Singles:
        """Return what lies under the face in a picture of the city, (height, width), at half scale."""
        half_scale = np.array([[2.0, 0, 0.5], [0, 2.0, 0.5], [0, 0, 1]])
        height, width = self._size
        patch = cv2.warpAffine(
            picture,
            lie.matrix(self._shape) @ half_scale,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(patch, np.float32)

    def lay(
        self, gray: Singles, face: int, start: Lie, rounds: int = 8, free: Singles | None = None
    ) -> Match:
        """Gauss-Newton on a picture softened by `soften`; blocks that disagree lose their say."""
        lie = start
        mask = self._mask.astype(np.float32) if free is None else self._mask * self._patch(free, lie)
        seen = self._seen(gray, lie)
        match = best = self._judge(face, lie, seen, mask)
        for _ in range(rounds):
            step = self._step(seen, match.blocks, mask)
            lie = _moved(lie, step, start)
            seen = self._seen(gray, lie)
            match = self._judge(face, lie, seen, mask)
            if match.score > best.score:
                best = match
            if np.abs(step[:2]).max() < 0.02 and abs(step[2]) < 0.0005:
                break
        return best

    def _step(self, seen: Singles, blocks: Singles, mask: Singles) -> Floats:
        height, width = self._size
        clipped = np.clip(blocks, 0.05, 1).astype(np.float32)
        trust = cv2.resize(clipped, (width, height), interpolation=cv2.INTER_NEAREST)
        weight = (trust * mask)[None]
        slopes = self._slopes.reshape(4, -1)
        weighted = (self._slopes * weight).reshape(4, -1)
        off = (seen - self._field).ravel()
        # Sizes hardly vary: a learnt face is seen at its own size up to what the lens is not known.
        habit = np.diag([0.0, 0.0, 0.0, 400.0])
        square = weighted @ slopes.T + habit + np.eye(4) * 1e-4
        return np.asarray(np.linalg.solve(square, -(weighted @ off)), np.float64)

    def _judge(self, face: int, lie: Lie, seen: Singles, mask: Singles) -> Match:
        both = _by_block((seen * self._field).sum(axis=0) * mask)
        theirs = _by_block((seen**2).sum(axis=0) * mask)
        ours = _by_block((self._field**2).sum(axis=0) * mask)
        # A block that is flat on the face must be flat on the table as well.
        floor = 0.15 * self._floor + 1e-6
        blocks = both / np.sqrt((ours + floor) * (theirs + floor))
        weight = np.sqrt(ours + 0.15 * self._floor * _by_block(mask) / (BLOCK / 2) ** 2 + 1e-6)
        order = np.argsort(-blocks.ravel())
        share = np.cumsum(weight.ravel()[order]) / weight.sum()
        kept = order[: max(int(np.searchsorted(share, 0.7)), 1)]
        score = float((blocks.ravel()[kept] * weight.ravel()[kept]).sum() / weight.ravel()[kept].sum())
        # Little left to see is little proof.
        score *= min(1.0, float(weight.sum()) / (0.45 * self._all_weight))
        return Match(face=face, lie=lie, score=score, blocks=np.asarray(blocks, np.float32))


def soften(gray: Singles) -> Singles:
    """Return the picture as the fine step wants it: nothing finer than its half scale."""
    return np.asarray(cv2.blur(gray, (2, 2)), np.float32)


def _by_block(values: Singles) -> Singles:
    edge = BLOCK // 2
    height, width = values.shape[0] // edge, values.shape[1] // edge
    return np.asarray(values.reshape(height, edge, width, edge).sum(axis=(1, 3)), np.float32)


def _moved(lie: Lie, step: Floats, start: Lie) -> Lie:
    """Return the lie after a step given in half-scale pixels of the face, kept near the start."""
    dx, dy, turn, grow = step
    dx, dy = float(np.clip(dx, -1.5, 1.5)) * 2, float(np.clip(dy, -1.5, 1.5)) * 2
    c, s = np.cos(lie.turn), np.sin(lie.turn)
    return Lie(
        x_px=float(np.clip(lie.x_px + c * dx - s * dy, start.x_px - 8, start.x_px + 8)),
        y_px=float(np.clip(lie.y_px + s * dx + c * dy, start.y_px - 8, start.y_px + 8)),
        turn=float(np.clip(lie.turn + np.clip(turn, -0.05, 0.05), start.turn - 0.14, start.turn + 0.14)),
        size=float(np.clip(lie.size + np.clip(grow, -0.02, 0.02), 0.95, 1.05)),
    )
