"""Faces of pieces that lie anywhere, as profiles keep them: cut along their edges, no rim around."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.profile import FaceRecord, Profile
from companion.errors import MalformedError, ProfileError
from companion.free_faces import Side
from companion.i18n import msg
from vision.arrays import Bools, Image
from vision.capture.pictures import size_of, unpack
from vision.free.known_faces import KnownFace

LEARNT_PX_PER_MM: Final = 3.0
"""The scale at which enrolment keeps faces: about twice what a camera over a whole table sees."""
# Scales that are read, px a millimetre: a later version may keep more.
_SCALES: Final = (1.5, 12.0)


def known_faces_of(profile: Profile) -> list[KnownFace]:
    """Return all faces, backs and boards of a profile of a game whose pieces lie anywhere, as it names them.

    Raises ProfileError for a picture that is damaged or not of its face's proportions.
    """
    return [_known(one, profile) for one in profile.faces]


def _known(record: FaceRecord, profile: Profile) -> KnownFace:
    packed = profile.pictures[record.picture]
    try:
        # Checked first: a small file may claim to be huge.
        found = unpack(packed, cv2.IMREAD_UNCHANGED) if _is_of_size(size_of(packed), record) else None
    except MalformedError:
        found = None
    if found is None or found.ndim != 3 or found.shape[2] != 4 or found.dtype != np.uint8:
        raise ProfileError(
            msg("the profile's picture {picture} is damaged; enrol the game again", picture=record.picture)
        )
    return KnownFace(
        name=record.name,
        side=Side.BACK if record.is_back else Side.FACE,
        picture=_filled(np.asarray(found[..., :3], np.uint8), found[..., 3] > 127),
        width_mm=record.width_mm,
        height_mm=record.height_mm,
        is_round=record.is_round,
    )


def _is_of_size(size_wh: tuple[int, int] | None, record: FaceRecord) -> bool:
    if size_wh is None:
        return False
    across, along = size_wh[0] / record.width_mm, size_wh[1] / record.height_mm
    # Each edge is rounded to whole pixels.
    slack = 1 / min(record.width_mm, record.height_mm)
    return _SCALES[0] <= across <= _SCALES[1] and abs(across - along) <= slack


def _filled(picture: Image, valid: Bools) -> Image:
    """Return the picture with what was not seen in the colour of the rest, which is nearest to no print."""
    if valid.all() or not valid.any():
        return np.ascontiguousarray(picture)
    filled = picture.copy()
    filled[~valid] = np.median(picture[valid], axis=0)
    return filled
