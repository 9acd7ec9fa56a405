"""Profiles of drawn copies whose pieces lie anywhere, made from the truth instead of photographs."""

from __future__ import annotations

from calibration.profile import PieceRecord, Profile
from companion.game import Json
from tests.helpers.drawn_game import DrawnGame
from vision.photometry.palette import shades_of
from vision.simulation.arrangement import Arranger
from vision.simulation.printed_faces import paint_of
from vision.training.loose_tables import learnt_faces


def true_profile(drawn: DrawnGame) -> Profile:
    """Return what perfect photographs of a drawn copy would teach."""
    return perfect_profile(drawn.copy.arranger, drawn.header)


def perfect_profile(arranger: Arranger, header: Json) -> Profile:
    """Return what perfect photographs of the copy that is laid by this arranger would teach for a game."""
    faces, pictures = learnt_faces(
        arranger.artwork,
        {
            name: (what, arranger.face_size_mm(name, arranger.content))
            for name, what in arranger.pieces.faces.items()
        },
    )
    return Profile(
        edition="drawn",
        players=tuple(header["players"]),
        layout=arranger.layout,
        faces=faces,
        pieces=tuple(
            PieceRecord(kind=shape, name=name, palette=shades_of(paint_of(name)))
            for name, shape in arranger.pieces.paints(header).items()
        ),
        pictures=pictures,
    )
