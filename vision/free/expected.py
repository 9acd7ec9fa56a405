"""What a rectified picture would show if nothing stood on what lies flat there, and where it does not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image, Numbers, Picture8, Singles
from vision.free.ground import off_ground
from vision.free.peeling import Find
from vision.geometry.regions import Region
from vision.photometry.light import greatest, least, linear, total, unvalued, valued

# A colour that differs from all that is printed around there by more than this, coded, is not the face.
_ODD: Final = 0.14
# One that differs by more than this may be something else if what it is a part of surely is.
_FAINTLY: Final = 0.07
# In a shadow all colours of print are darker by the same factor, coded, but for such a difference and noise;
# no shadow is darker than this.
_SHADE_ODD, _NOISE, _DARKEST = 0.06, 0.04, 0.3
# Print keeps its hue in any light of lamps and under white haze but for such an angle, as a cosine.
_SAME_HUE: Final = math.cos(math.radians(12.0))
# Light on one place of a face is not so many times as strong as around it but where a lamp is mirrored; there
# the weakest colour is a larger share of the strongest, by so much.
_FAR_LIGHTER, _PALER = 2.0, 0.05
# The haze of a lamp adds about as much of each colour: of what is added most to one, so much to every other.
_HAZE_EVEN: Final = 0.6
# Light and haze are measured so far around, mm: lamps are mirrored in a part of a board, say.
_LIT_MM: Final = 15.0
# How little the print around varies where light and haze cannot be told apart.
_FLAT_PRINT: Final = 0.003
# Light is measured where at least so many pixels show learnt print; no more of them than this are needed.
_LEAST_LIT, _MOST_LIT = 100, 20000
# Print darker than this says nothing about the light.
_LEAST_LIGHT: Final = 0.02
# No face is darker than with this share of the light on the table.
_LEAST_LEVEL: Final = 0.05
_LEVELS: Final = np.arange(256, dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a picture shows in the light that faces were learnt in, and where it is not what is printed.

    Attributes:
        relit: (height, width, 3) coded colours, 0 to 1.5, without the haze of mirrored lamps.
        standing: the same with it: what stands on a face hides the reflection.
        known: (height, width, 3) what is printed there, 0 on bare ground.
        covered: (height, width) where something known lies.
        strange: (height, width) where neither known print nor ground like that around is seen.
        faint: (height, width) the same, and where print looks a little different.
        shaded: (height, width) where what is strange may be known print in a shadow.
        bare: (height, width) where nothing known lies.
    """

    relit: Singles
    standing: Singles
    known: Singles
    covered: Bools
    strange: Bools
    faint: Bools
    shaded: Bools
    bare: Bools

    @classmethod
    def of(cls, picture: Image, finds: Sequence[Find], there: Bools) -> Expected | None:
        """Compare a rectified picture with what explains it, the lowest first; None without any light.

        `there` is what of the picture the frame shows.
        """
        shape = picture.shape[:2]
        light, printed = np.zeros(picture.shape, np.float32), np.zeros(picture.shape, np.float32)
        owner, lit = np.full(shape, -1, np.int16), np.zeros(shape, np.bool_)
        windows = []
        for number, find in enumerate(finds):
            window, cover, shown, face = _drawn(find, shape)
            np.copyto(light[window], face, where=cover[..., None])
            np.copyto(printed[window], valued(face), where=cover[..., None])
            owner[window][cover] = number
            lit[window] = (lit[window] & ~cover) | shown
            windows.append(window)
        lit &= least(light) > _LEAST_LIGHT
        if int(np.count_nonzero(lit)) < _LEAST_LIT:
            return None
        some = _some_of(lit)
        gain = np.median(linear(picture.reshape(-1, 3)[some]) / light.reshape(-1, 3)[some], axis=0)
        gain = np.maximum(gain, 0.01).astype(np.float32)
        relit, covered = _coded_in(picture, gain), owner >= 0
        standing = relit.copy()
        # Of what is covered, but shows nothing that was learnt, nobody knows what it is.
        strange, faint, shaded = covered.copy(), covered.copy(), np.zeros(shape, np.bool_)
        for number, (find, window) in enumerate(zip(finds, windows, strict=True)):
            mine = owner[window] == number
            shows = mine & lit[window]
            if shows.any():
                reach = _LIT_MM * find.deck.shape[1] / find.deck.size_mm[0]
                view = _Face(picture[window], light[window], printed[window], shows, gain)
                even, off = view.likest(mine, reach)
                np.copyto(relit[window], even, where=mine[..., None])
                np.copyto(standing[window], view.plain, where=mine[..., None])
                np.copyto(strange[window], off > _ODD, where=mine)
                np.copyto(faint[window], off > _FAINTLY, where=mine)
                shaded[window] |= view.shaded(even, (off > _FAINTLY) & mine)
        # Of bare ground nothing is known but what most of it looks like, in sun and shadow.
        bare = ~covered & there
        of_ground = off_ground(relit, bare)
        strange |= of_ground
        faint |= of_ground
        return cls(
            relit=relit,
            standing=standing,
            known=printed,
            covered=covered,
            strange=strange,
            faint=faint,
            shaded=shaded,
            bare=bare,
        )

    def have_printed_hue(self, some: Bools) -> Bools:
        """Return which of some pixels may be what is printed there in another light, (height, width).

        Neither more or less light nor white haze changes their hue. In far more light than there is around
        they are only where a lamp is mirrored, and its haze makes them paler.
        """
        found = np.zeros(some.shape, np.bool_)
        seen, known = (unvalued(one[some]) for one in (self.relit, self.known))
        most, printed = seen.max(axis=1), known.max(axis=1)
        is_lit = most > _FAR_LIGHTER * np.maximum(printed, _LEAST_LIGHT)
        is_paler = seen.min(axis=1) * printed > known.min(axis=1) * most + _PALER * printed * most
        is_alike = (_hues(seen) * _hues(known)).sum(axis=1) >= _SAME_HUE
        found[some] = is_alike & (is_paler | ~is_lit)
        return found

    def in_haze(self) -> Bools:
        """Return where what differs from a face may be its print below a mirrored lamp, (height, width).

        Whether more haze was taken away there than there is, or none of it.
        """
        found = self.faint & self.covered
        known = unvalued(self.known[found])
        is_hazed = np.zeros(len(known), np.bool_)
        for seen in (self.relit, self.standing):
            more = unvalued(seen[found]) - known
            is_hazed |= more.min(axis=1) > _HAZE_EVEN * more.max(axis=1)
        found[found] = is_hazed
        return found


class _Face:
    """The window of one face in a picture: what is seen there, and what is printed.

    Attributes:
        plain: (height, width, 3) what is seen in the light on the face as a whole, coded.
    """

    def __init__(self, seen: Picture8, light: Singles, printed: Singles, shows: Bools, gain: Singles) -> None:
        """Prepare.

        Args:
            seen: (height, width, 3) the picture.
            light: (height, width, 3) what is printed, linear; `printed` the same, coded.
            shows: (height, width) where the face is seen.
            gain: (3,) how much more of each colour falls on the table than where the faces were learnt.
        """
        self._seen, self._light, self._shows = seen, light, shows
        some = _some_of(shows)
        lit = linear(seen.reshape(-1, 3)[some]) / gain
        # The lamp is nearer to some faces than to others.
        level = float(np.median(lit.sum(axis=1) / light.reshape(-1, 3)[some].sum(axis=1)))
        self._gain = np.asarray(gain * max(level, _LEAST_LEVEL), np.float32)
        self.plain = _coded_in(seen, self._gain)
        # Print is as learnt within a pixel.
        around = np.ones((3, 3), np.uint8)
        self._low, self._high = cv2.erode(printed, around), cv2.dilate(printed, around)

    def likest(self, mine: Bools, reach_px: float) -> tuple[Singles, Singles]:
        """Return the window in even light, coded, and how far from what is printed.

        Of the light on the face as a whole, and of that measured so far about each pixel, that in which more
        of it (`mine`) is as printed.
        """
        ways = self.plain, self._evened(reach_px)
        off = [self._off(one) for one in ways]
        fewer = min((0, 1), key=lambda way: np.count_nonzero((off[way] > _ODD) & mine))
        return ways[fewer], off[fewer]

    def shaded(self, coded: Singles, some: Bools) -> Bools:
        """Return which of some pixels of the evened window show print in a shadow, (height, width).

        That has less light in all colours, by the same factor.
        """
        found = np.zeros(some.shape, np.bool_)
        seen, low, high = coded[some], self._low[some], self._high[some]
        fewest = ((seen - _NOISE) / (high + _SHADE_ODD)).max(axis=1)
        most = ((seen + _NOISE) / np.maximum(low - _SHADE_ODD, _NOISE)).min(axis=1)
        found[some] = (fewest <= most) & (fewest < 1) & (most > _DARKEST)
        return found

    def _off(self, coded: Singles) -> Singles:
        """Return how far coded colours are from what is printed within a pixel, (height, width)."""
        return greatest(np.asarray(cv2.max(coded - self._high, self._low - coded), np.float32))

    def _evened(self, reach_px: float) -> Singles:
        """Return what is seen in even light, coded: about each pixel lamp and haze are measured."""
        seen = linear(self._seen) / self._gain
        size = (2 * math.ceil(reach_px) + 1,) * 2
        sums = [total(np.asarray(one / 3, np.float32)) for one in (seen, self._light)]
        sums += [total(np.asarray(one * self._light / 3, np.float32)) for one in (seen, self._light)]

        def lit(some: Bools) -> Singles:
            weight = some.astype(np.float32)
            whole = np.maximum(cv2.blur(weight, size), 1e-3)
            seen_mean, known_mean, both, square = (cv2.blur(weight * one, size) / whole for one in sums)
            varies = square - known_mean**2
            light = np.maximum((both - seen_mean * known_mean + _FLAT_PRINT) / (varies + _FLAT_PRINT), 0.2)
            haze = seen_mean - light * known_mean
            return np.asarray((seen - haze[..., None]) / light[..., None], np.float32)

        # Once more without what lies upon it.
        plain = self._shows & (self._off(valued(lit(self._shows))) < _ODD)
        return valued(lit(plain if plain.any() else self._shows))


def _hues(light: Singles) -> Singles:
    """Return the directions of linear colours (N, 3) away from gray; 0 for gray itself."""
    off = light - light.mean(axis=1, keepdims=True)
    return np.asarray(off / np.maximum(np.linalg.norm(off, axis=1, keepdims=True), 1e-6), np.float32)


def _some_of(where: Bools) -> Numbers:
    """Return the indices of pixels that are marked, no more of them than are needed to measure the light."""
    every = np.flatnonzero(where)
    return np.asarray(every[:: max(len(every) // _MOST_LIT, 1)], np.intp)


def _coded_in(picture: Picture8, gain: Singles) -> Singles:
    """Return a picture, coded, as it would be with so many times less of each colour's light."""
    levels = valued(np.asarray(linear(_LEVELS)[None, :, None] / gain, np.float32))
    return np.asarray(cv2.LUT(picture, levels), np.float32)


def _drawn(find: Find, shape: tuple[int, int]) -> tuple[Region, Bools, Bools, Singles]:
    """Return the window of a find in a picture; in it what it covers, where it is seen, its linear print."""
    deck, pose = find.deck, find.evidence.pose
    height, width = deck.shape
    cos, sin = pose.size * np.cos(pose.turn), pose.size * np.sin(pose.turn)
    corners = find.corners()
    left, top = (max(int(one) - 1, 0) for one in corners.min(axis=0))
    right, bottom = (int(one) + 2 for one in corners.max(axis=0))
    window = slice(min(top, shape[0]), max(bottom, 0)), slice(min(left, shape[1]), max(right, 0))
    size = len(range(shape[1])[window[1]]), len(range(shape[0])[window[0]])

    def matrix(scale_x: float, scale_y: float) -> Floats:
        """Return how pixels of a picture of the face, reduced by this much, lie in the window."""
        turn = np.array([[cos * scale_x, -sin * scale_y], [sin * scale_x, cos * scale_y]])
        half = np.array([(width / scale_x - 1) / 2, (height / scale_y - 1) / 2])
        return np.column_stack([turn, (pose.x - left, pose.y - top) - turn @ half])

    if not size[0] or not size[1]:
        none = np.zeros(size[::-1], np.bool_)
        return window, none, none, np.zeros((*size[::-1], 3), np.float32)
    light = deck.light[find.evidence.face]
    to_light = matrix(width / light.shape[1], height / light.shape[0])
    face = cv2.warpAffine(light, to_light, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    to_cover = matrix(1.0, 1.0)
    cover = cv2.warpAffine(deck.cover, to_cover, size, flags=cv2.INTER_NEAREST)
    mask = find.evidence.mask.astype(np.uint8)
    to_mask = matrix(width / mask.shape[1], height / mask.shape[0])
    shown = cv2.warpAffine(mask, to_mask, size, flags=cv2.INTER_NEAREST)
    return (
        window,
        np.asarray(cover > 0, np.bool_),
        np.asarray(shown > 0, np.bool_),
        np.asarray(face, np.float32),
    )
