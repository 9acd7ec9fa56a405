"""Recognises tiles: which learnt face is in a cell, its rotation, and the confidence.

This takes three steps. Edge fields are compared in every quarter turn, some tilts and shifts, at 0.27 px/mm.
The best matches are compared again at 0.53 px/mm. That leaves a few candidates, and
`vision.faces.registration` then registers each exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Singles
from vision.faces.registration import Face, FineFaces, Match, Pose2D
from vision.photometry.light import coded, edges, gray_of

Numbers: TypeAlias = NDArray[np.intp]
Point: TypeAlias = tuple[float, float]

_COARSEST, _COARSE = 6, 3  # city pixels per pixel
_TILTS_DEG = (-4.0, 0.0, 4.0)
_QUARTERS = 4
# A tile is searched for this far around its place: 7.5 mm.
_REACH_PX = 12
# Number of faces and rotations kept after the coarsest step, and after the next.
_PASSED = 12
_NAMED, _NAMED_COVERED = 12, 30
# Number of candidates registered first.
_LAID = 3
# A candidate whose coarse agreement is this much below the best is never better after registration.
_HOPELESS = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """A place to be recognised: its middle in city px, and the faces it may hold, None = any."""

    middle: Point
    only: frozenset[int] | None = None


class Fields:
    """A city picture prepared for comparison: softened by `soften`, with its edges at two scales."""

    def __init__(self, soft: Singles) -> None:
        """Begin with a picture (height, width); its edges are made when they are asked for."""
        self.soft = soft

    @cached_property
    def coarse(self) -> Singles:
        """Edges for a closer look."""
        return _field(self.soft, _COARSE)

    @cached_property
    def coarsest(self) -> Singles:
        """Edges for a first glance."""
        return _field(self.soft, _COARSEST)


class TileLibrary:
    """All learnt faces of tiles, prepared for comparison; all have the same size."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self.faces = tuple(faces)
        if not faces:
            return
        edge_px = faces[0].picture.shape[0]
        self._fine = FineFaces(faces)
        self._coarsest = _Bank(self.faces, edge_px, _COARSEST, trim=1)
        self._coarse = _Bank(self.faces, edge_px, _COARSE, trim=2)

    def recognise(
        self, fields: Fields, middle: Point, only: frozenset[int] | None = None, free: Singles | None = None
    ) -> list[Match]:
        """Return the matches of one place, like `recognise_all` for several."""
        return self.recognise_all(fields, [Sought(middle=middle, only=only)], free)[0]

    def recognise_all(
        self, fields: Fields, sought: Sequence[Sought], free: Singles | None = None
    ) -> list[list[Match]]:
        """Return the matches of each place, best first.

        More candidates are registered if the first do not convince. `free`, of the size of the picture, is 0
        where something known covers the city; with it more candidates are tried.
        """
        if not self.faces:
            return [[] for _ in sought]
        # For most places the first few candidates suffice; the others are compared with all faces.
        rough = [self._shortlist(fields, one, free, _PASSED, _LAID) for one in sought]
        registered = self._register(fields.soft, rough, free)
        doubtful = [number for number, found in enumerate(registered) if found and not _is_convincing(found)]
        named = _NAMED if free is None else _NAMED_COVERED
        more = [
            [
                one
                for one in self._shortlist(fields, sought[number], free, None, named)
                if one not in rough[number]
            ]
            for number in doubtful
        ]
        for number, found in zip(doubtful, self._register(fields.soft, more, free), strict=True):
            registered[number] = best_first([*registered[number], *found])
        return registered

    def register_from(
        self, fields: Fields, starts: Sequence[tuple[int, Pose2D]], free: Singles | None = None
    ) -> list[Match]:
        """Return how faces agree, each registered from a pose; `free` as for `recognise_all`."""
        return self._fine.register_all(fields.soft, starts, free=free) if starts else []

    def _register(
        self, soft: Singles, rough: Sequence[Sequence[tuple[int, Pose2D]]], free: Singles | None
    ) -> list[list[Match]]:
        """Register the candidates of each place, all at once; best first."""
        asked = [(number, one) for number, candidates in enumerate(rough) for one in candidates]
        starts, groups = [one for _, one in asked], [number for number, _ in asked]
        found: list[list[Match]] = [[] for _ in rough]
        for number, match in zip(
            groups, self._fine.register_all(soft, starts, groups=groups, free=free), strict=True
        ):
            found[number].append(match)
        return [best_first(matches) for matches in found]

    def _shortlist(
        self, fields: Fields, sought: Sought, free: Singles | None, passed: int | None, named: int
    ) -> list[tuple[int, Pose2D]]:
        """Return the best `named` faces of a place, best first, with their approximate poses.

        The coarsest step keeps `passed` of them, all if that is None.
        """
        only = np.arange(len(self.faces)) if sought.only is None else np.array(sorted(sought.only), np.intp)
        turns = (only[:, None] * _QUARTERS + np.arange(_QUARTERS)).ravel()
        if passed is not None and len(turns) > passed:
            small = None if free is None else _reduced(free, _COARSEST)
            agree, _, _ = self._coarsest.compare(fields.coarsest, sought.middle, turns, small)
            turns = turns[np.argsort(-agree)[:passed]]
        middling = None if free is None else _reduced(free, _COARSE)
        agree, tilts, spots = self._coarse.compare(fields.coarse, sought.middle, turns, middling)
        # A half-covered face may agree little at the coarse scale.
        least = max(float(agree.max(initial=-2.0)) - _HOPELESS if free is None else -1.0, -1.0)
        best = [at for at in np.argsort(-agree)[:named] if agree[at] > least]
        return [
            (int(turns[at]) // _QUARTERS, self._coarse.pose(turns[at], tilts[at], spots[at])) for at in best
        ]


class _Bank:
    """All faces in all turns, small, as rows of numbers: four quarter turns a face, some tilts a quarter."""

    def __init__(self, faces: Sequence[Face], edge_px: int, reduction: int, trim: int) -> None:
        self._reduction = reduction
        self._size = edge_px // reduction - 2 * trim
        rows = np.zeros((len(faces), _QUARTERS, len(_TILTS_DEG), 2 * self._size**2), np.float32)
        for number, face in enumerate(faces):
            gray, valid = gray_of(coded(face.picture)), face.valid.astype(np.float32)
            for quarter in range(_QUARTERS):
                for tilt, degrees in enumerate(_TILTS_DEG):
                    turn = float(np.deg2rad(90.0 * quarter + degrees))
                    rows[number, quarter, tilt] = _row(gray, valid, turn, reduction, trim)
        self._rows = rows.reshape(-1, len(_TILTS_DEG), 2 * self._size**2)
        self._energy = self._rows**2

    def compare(
        self, field: Singles, middle: Point, turns: Numbers, free: Singles | None
    ) -> tuple[Singles, Numbers, Numbers]:
        """Return how well faces and turns (N,) agree at their best near a place.

        With it come their tilts, and the corners x, y of the windows where they agree so, (N, 2).
        `field` (2, height, width) is that of the city; -2 is returned where the place is outside of it.
        """
        windows, spots = self._windows(field, middle)
        if not len(spots):
            nowhere = np.zeros((len(turns), 2), np.intp)
            return np.full(len(turns), -2, np.float32), nowhere[:, 0], nowhere
        # A copy of all rows would cost more than comparing them.
        some = slice(None) if len(turns) == len(self._rows) else turns
        rows = self._rows[some].reshape(-1, windows.shape[1])
        if free is None:
            agree = rows @ windows.T
        else:
            seen = np.tile(self._windows(free[None], middle)[0], 2)
            windows *= seen
            energy = self._energy[some].reshape(-1, windows.shape[1])
            agree = rows @ windows.T
            agree /= np.sqrt(energy @ seen.T + 0.05)
        agree /= np.sqrt(np.einsum("wn,wn->w", windows, windows)) + 1e-6
        each = agree.reshape(len(turns), -1)
        best = each.argmax(axis=1)
        tilts, at = np.divmod(best, len(spots))
        return each[np.arange(len(turns)), best], tilts, spots[at]

    def pose(self, turn: int, tilt: int, spot: Numbers) -> Pose2D:
        """Return the pose of a face from the rotation, tilt and window in which it agreed."""
        x, y = (spot + self._size / 2) * self._reduction - 0.5
        degrees = 90.0 * (turn % _QUARTERS) + _TILTS_DEG[tilt]
        return Pose2D(x_px=float(x), y_px=float(y), turn=float(np.deg2rad(degrees)))

    def _windows(self, field: Singles, middle: Point) -> tuple[Singles, Numbers]:
        """Return what is seen around a place, (windows, numbers), and the windows' corners x, y."""
        size, reach = self._size, _REACH_PX // self._reduction
        left, top = (round((one + 0.5) / self._reduction - size / 2) for one in middle)
        height, width = field.shape[1:]
        x = np.arange(max(left - reach, 0), min(left + reach, width - size) + 1)
        y = np.arange(max(top - reach, 0), min(top + reach, height - size) + 1)
        if not len(x) or not len(y):
            return np.zeros((0, len(field) * size**2), np.float32), np.zeros((0, 2), np.intp)
        part = field[:, y[0] : y[-1] + size, x[0] : x[-1] + size]
        cameras = np.lib.stride_tricks.sliding_window_view(part, (size, size), axis=(1, 2))
        windows = np.ascontiguousarray(cameras.transpose(1, 2, 0, 3, 4)).reshape(len(x) * len(y), -1)
        return windows, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _row(gray: Singles, valid: Singles, turn: float, reduction: int, trim: int) -> Singles:
    """Return a face at a turn as one row of numbers."""
    edge = gray.shape[0]
    matrix = Pose2D(x_px=(edge - 1) / 2, y_px=(edge - 1) / 2, turn=turn).matrix((edge, edge))
    turned = cv2.warpAffine(
        gray, matrix, (edge, edge), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    known = cv2.warpAffine(valid, matrix, (edge, edge), flags=cv2.INTER_LINEAR)
    field = _field(np.asarray(turned, np.float32), reduction)
    mask = cv2.erode(_reduced(np.asarray(known, np.float32), reduction), np.ones((3, 3), np.uint8)) > 0.9
    row = (field * mask)[:, trim:-trim, trim:-trim].ravel()
    return np.asarray(row / (np.linalg.norm(row) + 1e-6), np.float32)


def best_first(matches: Iterable[Match]) -> list[Match]:
    """Return matches in order, those that agree best first."""
    return sorted(matches, key=lambda match: -match.score)


def _is_convincing(registered: Sequence[Match]) -> bool:
    """Whether the first match is so good that no better one is to be expected; best first."""
    return registered[0].score > 0.68 and (
        len(registered) < 2 or registered[0].score - registered[1].score > 0.15
    )


def _field(gray: Singles, reduction: int) -> Singles:
    """Return the edge field of a picture, reduced."""
    return edges(_reduced(gray, reduction), 9 if reduction == _COARSE else 5)


def _reduced(gray: Singles, by: int) -> Singles:
    height, width = gray.shape
    size = (width // by, height // by)
    cut = np.ascontiguousarray(gray[: size[1] * by, : size[0] * by])
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.float32)
