"""The paints of players' markers, from one photograph of markers on known boxes.

Markers that stand close together hide each other from a camera that looks from the side: some samples of a
player's paint show another's. Those of all players are weighed together, since players' paints differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from vision.arrays import Floats, Singles
from vision.enrolment.linear_assignment import linear_assignment
from vision.faces.residuals import Residual
from vision.photometry.palette import Shade, paint_of
from vision.pieces.markers import BoxPlace

# How far around its middle a marker is seen at most, mm.
_AROUND_MM = 6.5
# So far around the middle of its top is nothing but its top, in edges.
_TOP = 0.33
# Fewer pixels are a speck.
_LEAST_PX = 20
# Hues, shares of blue, green and red light, differ by less than this within one paint; so much less likely is
# it that two players share one.
_ONE_HUE, _SHARED = 0.15, 0.2
# Light of 1 = white that is added before hues are compared: the hue of what is darker is noise.
_DARK, _BLACK = 0.01, 1e-3
# The lit side of a paint is at most so many times as bright as its shaded sides.
_SHADED = 6.0


def marker_colours(found: Residual, places: Sequence[BoxPlace]) -> list[Singles]:
    """Return the colours (N, 3) of the markers on some boxes of a face.

    They are those of its top, since its sides are in the shade. No marker as high as it can hide that.
    """
    y, x = np.mgrid[: found.odd.shape[0], : found.odd.shape[1]]
    far = np.stack([np.hypot(x - one.centre[0], y - one.centre[1]) for one in places])
    nearest = far.argmin(axis=0)
    seen = []
    for number, place in enumerate(places):
        scale = place.px_per_mm
        near = found.strange & (far[number] < _AROUND_MM * scale) & (nearest == number)
        middle = np.array([x[near].mean(), y[near].mean()]) if near.sum() >= _LEAST_PX else place.centre
        # What is seen of it reaches from its foot to its top.
        top = np.asarray(middle) + np.array(place.lean) / 2
        on_top = np.hypot(x - top[0], y - top[1]) < _TOP * place.marker_mm * scale
        seen.append(np.asarray(found.paint[on_top & ~found.blind], np.float32))
    return seen


def marker_paints(samples: Mapping[str, Sequence[Singles]]) -> dict[str, Shade]:
    """Return each player's paint from the colours (N, 3) of several markers; a player may have none."""
    shades = {
        name: [paint for one in some if (paint := paint_of(one, plain=200.0)) is not None]
        for name, some in samples.items()
    }
    seen = {name: some for name, some in shades.items() if some}
    return told_apart(seen) if seen else {}


def told_apart(shades: Mapping[str, Sequence[Shade]]) -> dict[str, Shade]:
    """Return the paint of each name: in the hue of most of its shades, but rather not in another's.

    Of the shades of a paint the brighter half counts; the darker shows sides and shadows.
    """
    names = list(shades)
    hues = _hues([one for name in names for one in shades[name]])
    share = np.array([[np.mean([one in hue for one in shades[name]]) for hue in hues] for name in names])
    # Two may have the same hue, as light and dark green have, but that is less likely.
    several = np.hstack([share, *(share - _SHARED for _ in names[1:])])
    found = {}
    for name, column in zip(names, linear_assignment(several).tolist(), strict=True):
        own = [one for one in shades[name] if one in hues[column % len(hues)]]
        found[name] = _brighter_half(own or shades[name])
    return found


def _light(shades: Sequence[Shade]) -> Floats:
    """Return the blue, green and red light of shades, (N, 3)."""
    return np.asarray((np.array(shades, np.float64) / 255) ** 2.2, np.float64)


def _shares(shades: Sequence[Shade]) -> Floats:
    """Return the shares of blue, green and red light, (N, 3); what is nearly black has no hue."""
    light = _light(shades) + _DARK
    return np.asarray(light / light.sum(axis=1, keepdims=True), np.float64)


def _hues(shades: Sequence[Shade]) -> list[set[Shade]]:
    """Return the shades by their hues, black apart from white, the most common first."""
    left, groups = list(shades), []
    while left:
        hue, bright = _shares(left), np.log(_light(left).sum(axis=1) + _BLACK)
        close = np.sqrt(((hue[:, None] - hue[None]) ** 2).sum(axis=2)) < _ONE_HUE
        close &= np.abs(bright[:, None] - bright[None]) < math.log(_SHADED)
        group = {left[i] for i in np.flatnonzero(close[int(close.sum(axis=1).argmax())])}
        groups.append(group)
        left = [one for one in left if one not in group]
    return groups


def _brighter_half(shades: Sequence[Shade]) -> Shade:
    """Return the one in the middle of the brighter half; brighter ones than that may be another's."""
    half = (len(shades) + 1) // 2
    return sorted(shades, key=sum, reverse=True)[half // 2]
