"""Learning the shape of the players' figures: turned pawns, slim or stout, from how they are seen."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from companion.table import Place
from companion.table_layout import TableLayout
from vision.arrays import Bools
from vision.geometry.rectify import Flat
from vision.geometry.regions import region_of, widened
from vision.geometry.silhouettes import Shape, Silhouettes

# Half widths, as shares of the base, at some heights, as shares of the height: all shapes that are tried.
_FOOT = ((0.0, 0.5), (0.1, 0.5))
_LEGS, _WAISTS, _HEADS = (0.18, 0.26, 0.34, 0.42), (0.12, 0.2, 0.28, 0.36), (0.1, 0.18, 0.26, 0.36)
_LEG_AT, _WAIST_AT, _HEAD_AT, _TOP_AT, _TOP = 0.3, 0.55, 0.8, 0.97, 0.7
# Another shape than the usual one must fit better by this, common by joint area.
_BETTER = 0.02
# Of a figure so much of its usual outline must be seen to tell its shape.
_SEEN = 0.15


def figure_shape(
    seen: Mapping[Place, Bools], camera: CameraPose, layout: TableLayout, flat: Flat
) -> tuple[tuple[float, float], ...]:
    """Return the shape that covers all figures best; empty where the usual one does.

    `seen` (height, width) is what is seen of each in its own colours on the map whose `flat` it is. Wherever
    it stands on the table its outline is looked for near what is seen.
    """
    usual = Silhouettes(camera, layout, flat)
    middle = min(layout.cells, key=lambda cell: float(np.hypot(*layout.cells[cell])))
    least = _SEEN * usual.kernel("figure", middle).area
    shown = [one for one in seen.values() if np.count_nonzero(one) >= least]
    if not shown:
        return ()
    best: tuple[tuple[float, float], ...] = ()
    fit = _fit(shown, usual, layout) + _BETTER
    for shape in _shapes():
        bodies = Silhouettes(camera, layout, flat, {"figure": shape})
        if (one := _fit(shown, bodies, layout)) > fit:
            best, fit = tuple(shape), one
    return best


def _shapes() -> Iterator[Shape]:
    for legs, waist, head in itertools.product(_LEGS, _WAISTS, _HEADS):
        yield (
            *_FOOT,
            (_LEG_AT, legs),
            (_WAIST_AT, waist),
            (_HEAD_AT, head),
            (_TOP_AT, _TOP * head),
        )


def _fit(shown: list[Bools], bodies: Silhouettes, layout: TableLayout) -> float:
    """Return how well bodies of one shape cover what is seen of figures: the mean over them."""
    return float(np.mean([_best_cover(one, bodies, layout) for one in shown]))


def _best_cover(seen: Bools, bodies: Silhouettes, layout: TableLayout) -> float:
    """Return how well a body covers what is seen where it does so best, as common by joint area."""
    held = region_of(seen)
    assert held is not None
    rows, columns = held
    at = bodies.flat.to_mm(np.array([[(columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2]]))[0]
    cell = min(layout.cells, key=lambda one: float(np.hypot(*(np.array(layout.cells[one]) - at))))
    cover = bodies.kernel("figure", cell).cover
    height, width = cover.shape
    window = widened(held, seen.shape, (height, width))
    own = np.asarray(seen[window], np.float32)
    joint = np.asarray(cv2.matchTemplate(own, cover, cv2.TM_CCORR), np.float32)
    whole = float(cover.sum()) + float(own.sum())
    return float((joint / (whole - joint)).max())
