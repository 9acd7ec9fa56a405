"""Cards found on a photograph of a drawn room."""

from __future__ import annotations

import random

import numpy as np

from companion.games import registry
from tests.helpers.drawn_rooms import copy_in_room
from vision.enrolment.laid_outlines import FITTING_PX_PER_MM
from vision.enrolment.laid_shot import LaidShot, View, face_size_mm
from vision.simulation.free_photographs import take_photographs

# A room with a checked cloth on which pale cards lie.
SEED = 8631


def test_the_checks_of_a_cloth_are_no_edges_of_cards() -> None:
    """An edge of its checks is as far from a printed bar as a card is high, but ends where the card lies."""
    header = registry.lookup("urbion").deal(random.Random(SEED), {})
    pieces = registry.pieces("urbion")
    copy = copy_in_room("urbion", SEED, header["players"])
    taken = take_photographs(copy.camera, copy.arranger, list(pieces.in_play(header)), {})
    photographs, layout = taken.photographs(), copy.arranger.layout
    name = photographs.rows[0].picture
    view = View(name, photographs.images[name], layout)
    shot = LaidShot(name, photographs.images[name], view, pieces, empty=photographs.images[photographs.empty])
    size = face_size_mm(layout, pieces, photographs.rows[0].rows[0][0])

    found = shot.outlines(size, shot.beside_codes(size), 35)

    flat, lying = shot.flat(FITTING_PX_PER_MM), taken.pictures[0].table.flat
    middles = flat.to_mm(np.array([one.corners_px().mean(axis=0) for one in found]))
    off = [np.hypot(*(middles - (one.x_mm, one.y_mm)).T).min() for one in lying]
    assert len(off) == len(found)
    assert max(off) < 3.0
