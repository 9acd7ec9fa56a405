"""Tiles and cards of one kind have one size: what most photographs show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.enrolment.laid_shot import LearntFace
from vision.free.learnt_faces import LEARNT_PX_PER_MM


def common_size_mm(faces: Sequence[LearntFace], listed_mm: tuple[float, float]) -> tuple[float, float]:
    """Return the width and height of what the list says is of one size, as most of the faces show it."""
    if not faces:
        return listed_mm
    width, height = np.median([one.size_mm for one in faces], axis=0)
    if listed_mm[0] == listed_mm[1]:
        # Which side of a square is up nobody knows before it is recognised.
        width = height = (width + height) / 2
    return float(width), float(height)


def of_size(face: LearntFace, size_mm: tuple[float, float]) -> LearntFace:
    """Return a face of the size, mm, that all of its kind have."""
    wide, high = (round(edge * LEARNT_PX_PER_MM) for edge in size_mm)
    if face.size_mm == size_mm and face.image.shape[:2] == (high, wide):
        return face
    image = cv2.resize(face.image, (wide, high), interpolation=cv2.INTER_LINEAR)
    valid = cv2.resize(face.valid.astype(np.uint8), (wide, high), interpolation=cv2.INTER_NEAREST)
    return replace(face, size_mm=size_mm, image=np.asarray(image, np.uint8), valid=valid > 0)
