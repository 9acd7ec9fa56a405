"""Profiles of drawn copies whose pieces lie anywhere, made from the truth instead of photographs."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.profile import FaceRecord, PieceRecord, Profile
from companion.game import Json
from tests.helpers.drawn_game import DrawnGame
from vision.capture.pictures import packed_face
from vision.free.learnt_faces import LEARNT_PX_PER_MM
from vision.photometry.palette import shades_of
from vision.simulation.arrangement import Arranger
from vision.simulation.printed_faces import paint_of


def true_profile(drawn: DrawnGame) -> Profile:
    """Return what perfect photographs of a drawn copy would teach."""
    return perfect_profile(drawn.copy.arranger, drawn.header)


def perfect_profile(arranger: Arranger, header: Json) -> Profile:
    """Return what perfect photographs of the copy that is laid by this arranger would teach for a game."""
    pictures, faces = {}, []
    for number, (name, what) in enumerate(arranger.pieces.faces.items()):
        width, height = arranger.face_size_mm(name, arranger.content)
        size = (round(width * LEARNT_PX_PER_MM), round(height * LEARNT_PX_PER_MM))
        shown = cv2.resize(arranger.artwork.face(what, (width, height)), size, interpolation=cv2.INTER_AREA)
        valid = np.ones(shown.shape[:2], np.bool_)
        pictures[f"face-{number}.png"] = packed_face(name, np.asarray(shown, np.uint8), valid)
        record = FaceRecord(
            name=name,
            picture=f"face-{number}.png",
            width_mm=width,
            height_mm=height,
            is_back=what.is_back,
            is_round=what.board == "wheel",
        )
        faces.append(record)
    return Profile(
        edition="drawn",
        players=tuple(header["players"]),
        layout=arranger.layout,
        faces=tuple(faces),
        pieces=tuple(
            PieceRecord(kind=shape, name=name, palette=shades_of(paint_of(name)))
            for name, shape in arranger.pieces.paints(header).items()
        ),
        pictures=pictures,
    )
