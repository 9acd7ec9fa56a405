"""What a table looks like with nothing on it, learnt from a photograph: cloth has flowers, things lie about.

Kept as seen from straight above, a little larger than the areas on which pieces lie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.profile import GroundRecord, Profile
from companion.errors import MalformedError, ProfileError
from companion.i18n import msg
from companion.table_layout import Area
from vision.arrays import Bools, Floats, Image, Labels, Picture8, Singles
from vision.capture.pictures import pack, unpack
from vision.geometry.rectify import Flat, flat_maps, flatten
from vision.geometry.regions import Region
from vision.photometry.light import LIGHTEST, greatest, least, linear, step_at

FILE: Final = "ground.png"
# Coarser than what is compared with it hardly ever is.
_PX_PER_MM: Final = 0.5
_BEYOND_MM: Final = 60.0
# Photographed finer and reduced, so that patterns do not alias.
_FINER: Final = 3
# What is bare is as light as it was but for such a share, and one colour beside the other but for a smaller
# one: for as much more than the first as most of the table is off, times so many, but no more than the last.
# Where that is not enough pixels are allowed to be off by more steps of their levels, of 255.
_SHARE: Final = 0.18
_STEPS: Final = (1.0, 2.0, 4.0)
_EXACTLY, _TIMES, _COLOUR = 0.02, 2.0, 0.08
_MOST_BARE: Final = 0.7
# No place of the table is darker than so many times as light as it was.
_LEAST_TIMES: Final = 0.001
BURNT_LEVEL: Final = 243
"""From this level of a camera on, of 255, a colour may be any lighter: it is burnt out."""
# The same in linear light, today or when the table was learnt.
_BURNT: Final = float(linear(np.array([BURNT_LEVEL], np.uint8))[0])
# No shadow takes more of the light than all but this share.
_SHADED: Final = 0.15
# By no more linear light are they ever off; darker colours tell nothing.
_NOISE: Final = 0.012
_LEAST_KNOWN: Final = 500
# Light is fitted to so many pixels in so many rounds; darker ones tell little. Being off by a smaller share
# makes no pixel worse. That the light has changed by as much everywhere is likeliest.
_SAMPLES: Final = 4000
_FITS: Final = 8
_DARK: Final = 0.004
_LEAST_OFF: Final = 0.05
_EVEN: Final = 0.001
# What is burnt out now is left out of the fit if so large a share of a colour is not.
_MOSTLY: Final = 0.5
# A colour of the light is measured if so large a share of the places tells it.
_LEAST_TOLD: Final = 0.1
# Light is measured where a pattern changes least from pixel to pixel, on such a share of the bare table.
_PLAIN: Final = 0.5
_OPAQUE, _CHANNELS = 255, 4


def learnt_ground(frame: Image, camera: CameraPose, areas: Mapping[str, Area]) -> tuple[GroundRecord, bytes]:
    """Return the record of an empty table that a camera shows, and its picture as PNG with alpha."""
    points = np.array([point for area in areas.values() for point in area.outline_mm], np.float64)
    (x0, y0), (x1, y1) = points.min(axis=0) - _BEYOND_MM, points.max(axis=0) + _BEYOND_MM
    flat = Flat.around(x0, x1, y0, y1, _PX_PER_MM * _FINER, 0.0)
    maps, size = flat_maps(camera, flat), (flat.width_px // _FINER, flat.height_px // _FINER)
    white = np.full(frame.shape, _OPAQUE, np.uint8)
    known = cv2.resize(flatten(white, maps), size, interpolation=cv2.INTER_AREA)
    seen = cv2.resize(flatten(frame, maps), size, interpolation=cv2.INTER_AREA)
    alpha = np.where(known.min(axis=2) == _OPAQUE, _OPAQUE, 0).astype(np.uint8)
    record = GroundRecord(picture=FILE, left_mm=float(x0), far_mm=float(y1), px_per_mm=_PX_PER_MM)
    return record, pack(np.dstack([seen, alpha]))


@dataclass(frozen=True, slots=True)
class OffTable:
    """What a picture shows that is not the bare table, as labels of 0 or 1.

    Attributes:
        other: (height, width) where anything but the table is seen.
        untold: (height, width) where that is not, but a lamp burnt the table out when it was learnt: what is
            lighter than most of it may be the table as well.
    """

    other: Labels
    untold: Labels

    def within(self, window: Region) -> OffTable:
        """Return the same of a part of the picture."""
        return OffTable(*(np.ascontiguousarray(one[window]) for one in (self.other, self.untold)))


@dataclass(frozen=True, slots=True)
class _Seen:
    """A picture of a window.

    Attributes:
        light: (height, width, 3) linear colours.
        is_told: (height, width, 3) which of them are not burnt out.
    """

    light: Singles
    is_told: Bools


@dataclass(frozen=True, slots=True)
class BareTable:
    """How light the empty table is at least and at most about each pixel of a window, linear.

    Attributes:
        lowest, highest: (height, width, 3); the highest is infinite where the table was burnt out.
        known: (height, width) where it was photographed.
        changes: (height, width) by which factor it changes there from pixel to pixel.
        was_burnt: (height, width) where nobody knows how light some colour of it is.
    """

    lowest: Singles
    highest: Singles
    known: Bools
    changes: Singles
    was_burnt: Bools

    @classmethod
    def of(cls, profile: Profile, flat: Flat) -> BareTable | None:
        """Return it for a window; None for a profile that does not know it. Raises ProfileError."""
        record = profile.ground
        if record is None:
            return None
        picture = _opened(profile.pictures[record.picture], record.picture)
        kept = Flat(
            left_mm=record.left_mm,
            far_mm=record.far_mm,
            width_px=picture.shape[1],
            height_px=picture.shape[0],
            px_per_mm=record.px_per_mm,
            height_mm=0.0,
        )
        rows, columns = np.mgrid[: flat.height_px, : flat.width_px].astype(np.float64)
        places = kept.to_px(flat.to_mm(np.column_stack([columns.ravel(), rows.ravel()])))
        x, y = places.astype(np.float32).reshape(flat.height_px, flat.width_px, 2).transpose(2, 0, 1)
        seen = cv2.remap(picture, np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.INTER_LINEAR)
        light = linear(np.asarray(seen[..., :3], np.uint8))
        around, floor = np.ones((3, 3), np.uint8), np.float32(_NOISE)
        lowest = np.asarray(cv2.erode(light, around), np.float32)
        highest = np.asarray(cv2.dilate(light, around), np.float32)
        return cls(
            lowest,
            np.where(highest < _BURNT, highest, np.float32(np.inf)),
            np.asarray(cv2.erode(seen[..., 3], around) == _OPAQUE, np.bool_),
            greatest(np.asarray(np.maximum(highest, floor) / np.maximum(lowest, floor), np.float32)),
            np.asarray(greatest(highest) >= _BURNT, np.bool_),
        )

    def compared(self, light: Singles, free: Bools, burnt: Singles | None = None) -> tuple[Bools, Bools]:
        """Return where a picture of the window, linear, shows the bare table, and where surely other things.

        That is lighter, or of another colour; what is only darker may be in a shadow. Both (height, width).
        `free` says where nothing known lies: there the light of today is measured. From `burnt` on (3,), a
        place may have any more light of that colour; it is told if white was balanced in the picture.
        """
        measured = self.known & free & (greatest(self.highest) > _NOISE)
        if int(measured.sum()) < _LEAST_KNOWN:
            nowhere = np.zeros(self.known.shape, np.bool_)
            return nowhere, nowhere
        plain = self._plainest(measured)
        before = np.asarray((self.lowest + np.minimum(self.highest, LIGHTEST)) / 2, np.float32)
        seen = _Seen(light, np.asarray(light < (_BURNT if burnt is None else burnt), np.bool_))
        gain = _gain(seen, before, plain)
        noise, colour = self._tolerance(seen, gain, measured)
        is_bare = self._shows(seen, gain, noise, 1 - _SHARE, colour)
        is_shaded = self._shows(seen, gain, noise, _SHADED, max(2 * colour, _COLOUR))
        return is_bare & self.known, ~is_shaded & self.known

    def _plainest(self, measured: Bools) -> Bools:
        """Return that part of what is measured in which the table changes least from pixel to pixel.

        At the edges of stripes a shift by half a pixel changes more than most lamps do. Nor does what was
        burnt out tell how much lighter it is now, unless hardly anything was not.
        """
        known = measured & ~self.was_burnt
        measured = known if int(known.sum()) >= _LEAST_KNOWN else measured
        most = np.quantile(self.changes[measured], _PLAIN)
        return np.asarray(measured & (self.changes <= most), np.bool_)

    def _tolerance(self, seen: _Seen, gain: Singles, measured: Bools) -> tuple[Singles, float]:
        """Return by how much light each pixel, and by which share its colours may be off.

        As little as will do: on a plain table in even light pale cards of nearly its colour can be told.
        """
        step = step_at(np.maximum(seen.light, _DARK))
        for steps in _STEPS:
            noise = np.clip(step * steps, _DARK, _NOISE)
            fewest, most = self._times(seen, gain, noise)
            ratio = (fewest / np.maximum(most, _LEAST_TIMES))[measured]
            off = np.quantile((ratio - 1) / (ratio + 1), _MOST_BARE)
            colour = _EXACTLY + _TIMES * max(float(off), 0.0)
            if colour <= _COLOUR:
                return noise, colour
        return np.full_like(seen.light, _NOISE), _COLOUR

    def _times(
        self, seen: _Seen, gain: Singles, noise: Singles, colour: float = 0.0
    ) -> tuple[Singles, Singles]:
        """Return by how much lighter than the table each pixel is, at least and at most, by its colours.

        Each may be off by so much light (`noise`), and by the share `colour` beside the others. What is burnt
        out may be any lighter.
        """
        low, high = self.lowest * gain * (1 - colour), self.highest * gain * (1 + colour)
        fewest = (seen.light - noise) / np.maximum(high, 1e-6)
        most = np.where(seen.is_told, (seen.light + noise) / np.maximum(low, 1e-6), np.float32(np.inf))
        return greatest(np.asarray(fewest, np.float32)), least(np.asarray(most, np.float32))

    def _shows(self, seen: _Seen, gain: Singles, noise: Singles, darkest: float, colour: float) -> Bools:
        """Return where the table may be seen in the light that falls on it, or in so much less at `darkest`.

        A shadow or a lamp changes all colours of a place by much the same factor, but for the share `colour`.
        """
        fewest, most = self._times(seen, gain, noise, colour)
        return np.asarray(np.maximum(fewest, darkest) <= np.minimum(most, 1 + _SHARE), np.bool_)


def _gain(now: _Seen, before: Singles, measured: Bools) -> Singles:
    """Return how much more of blue, green and red light falls on each place than before, (height, width, 3).

    A lamp that hangs elsewhere changes it evenly over the table; what lies or reaches over it does not.
    """
    height, width = measured.shape
    x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    x, y = np.broadcast_to(x[None], measured.shape), np.broadcast_to(y[:, None], measured.shape)
    even = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    step = max(int(measured.sum()) // _SAMPLES, 1)
    seen, then = now.light[measured][::step], before[measured][::step]
    # What is burnt out tells nothing of the light, unless most of the table is.
    is_told, is_lit = now.is_told[measured][::step], then > _DARK
    is_told = np.where((is_told & is_lit).sum(axis=0) >= _MOSTLY * is_lit.sum(axis=0), is_told, True)
    factors = _fitted(even[measured][::step].astype(np.float64), seen, then, is_told & is_lit)
    return np.asarray(np.exp(even @ factors.astype(np.float32)), np.float32)


def _fitted(design: Floats, light: Singles, before: Singles, is_told: Bools) -> Floats:
    """Return the factors (terms, 3) by which a design (N, terms) tells each colour's gain, as a logarithm.

    `light` and `before` (N, 3) are what N places show now and showed then, `is_told` which of their colours
    tell anything: one that the table hardly has tells nothing of the light of that colour, nor does one that
    is burnt out.
    """
    ratio = np.log(np.maximum(light, _DARK) / np.maximum(before, _DARK))
    known = np.flatnonzero(is_told.mean(axis=0) >= _LEAST_TOLD)
    factors = np.zeros((design.shape[1], ratio.shape[1]))
    factors[0, known] = [np.median(ratio[is_told[:, colour], colour]) for colour in known]
    for _ in range(_FITS):
        left = np.where(is_told, ratio - design @ factors, 0.0)[:, known]
        off = np.abs(left).max(axis=1)
        trust = 1 / (1 + (off / max(float(np.median(off)), _LEAST_OFF)) ** 2) ** 2
        prior = np.diag([0.0, *[_EVEN * float(trust.sum())] * (design.shape[1] - 1)])
        for number, colour in enumerate(known):
            pulled = design * (trust * is_told[:, colour])[:, None]
            rest = pulled.T @ left[:, number] - prior @ factors[:, colour]
            factors[:, colour] += np.linalg.solve(pulled.T @ design + prior, rest)
    unknown = np.setdiff1d(np.arange(ratio.shape[1]), known)
    factors[:, unknown] = factors[:, known].mean(axis=1, keepdims=True)
    return np.asarray(factors, np.float64)


def _opened(packed: bytes, name: str) -> Picture8:
    try:
        picture = unpack(packed, cv2.IMREAD_UNCHANGED)
    except MalformedError:
        picture = np.zeros(0, np.uint8)
    if picture.dtype != np.uint8 or picture.shape[2:] != (_CHANNELS,):
        raise ProfileError(
            msg("the profile's picture {picture} is damaged; enrol the game again", picture=name)
        )
    return np.asarray(picture, np.uint8)
