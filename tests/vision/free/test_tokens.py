"""Discs upon a face, and what they mean for telling it from its rivals."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from companion.free_faces import Side
from vision.arrays import Picture8, Singles
from vision.free.comparison import Evidence, Misfit, Pose, Scene, compare, tell_alike
from vision.free.known_faces import Deck, KnownFace, decks_of
from vision.free.tokens import TokenFinder
from vision.photometry.palette import shades_of
from vision.simulation.printed_faces import paint_of

EDGE_MM, SCALE, DISC_MM = 43.0, 1.5, 13.0
BLUE: Final = paint_of("blue")
SPOT: Final = (44, 44)
FINDER = TokenFinder([("blue", shades_of(BLUE))], DISC_MM)


def tile(*, has_box: bool) -> Picture8:
    """Return a blue tile with a number, with or without a white box in one corner."""
    picture = np.full((64, 64, 3), BLUE, np.uint8)
    cv2.putText(picture, "3", (6, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (240, 240, 240), 3)
    cv2.rectangle(picture, (8, 40), (22, 54), (30, 200, 240), -1)
    if has_box:
        cv2.rectangle(picture, (32, 32), (56, 56), (240, 240, 240), -1)
        cv2.circle(picture, SPOT, 4, (40, 40, 220), -1)
    return picture


def deck(tokens: TokenFinder | None) -> Deck:
    """Return both tiles, the plain one first."""
    faces = [
        KnownFace(
            name=str(has_box),
            side=Side.FACE,
            picture=tile(has_box=has_box),
            width_mm=EDGE_MM,
            height_mm=EDGE_MM,
        )
        for has_box in (False, True)
    ]
    (one,) = decks_of(faces, SCALE, tokens)
    tell_alike(one)
    return one


def told(tokens: TokenFinder | None, seen: Picture8, face: int) -> Evidence:
    """Return what speaks for a face of the tile seen on a grey table."""
    table = np.full((120, 120, 3), 128, np.uint8)
    table[28:92, 28:92] = seen
    evidence = compare(
        Scene(table, SCALE), deck(tokens), face, Pose(x=59.5, y=59.5, turn=0.0), lambda _: True
    )
    assert evidence is not None
    return evidence


def covered() -> Picture8:
    """Return the tile with the box, a disc in the paint of the tile on it."""
    picture = tile(has_box=True)
    cv2.circle(picture, SPOT, round(DISC_MM / 2 * SCALE), BLUE, -1)
    return picture


def coded(picture: Picture8) -> Singles:
    """Return colours from 0 to 1, (3, height, width)."""
    return np.asarray(np.moveaxis(picture, -1, 0) / np.float32(255), np.float32)


def test_a_disc_is_found_where_it_lies() -> None:
    """Its middle lies in one of those that may be there."""
    picture = np.full((64, 64, 3), 240, np.uint8)
    cv2.circle(picture, SPOT, round(DISC_MM / 2 * SCALE), BLUE, -1)
    found = FINDER.find(coded(picture), coded(picture), SCALE)

    assert len(found) == 1
    assert found[0][SPOT[1], SPOT[0]]
    assert found[0].sum() < 2 * np.pi * (DISC_MM / 2 * SCALE) ** 2


def test_small_print_is_no_disc() -> None:
    """Dots in its paint are too small."""
    picture = np.full((64, 64, 3), 240, np.uint8)
    cv2.circle(picture, SPOT, 4, BLUE, -1)

    assert len(FINDER.find(coded(picture), coded(picture), SCALE)) == 0


def test_a_disc_that_hides_a_mirrored_lamp_is_found_as_well() -> None:
    """With the haze of the face taken off its colour would be no paint at all."""
    picture = np.full((64, 64, 3), 240, np.uint8)
    cv2.circle(picture, SPOT, round(DISC_MM / 2 * SCALE), BLUE, -1)
    purer = picture.copy()
    cv2.circle(purer, SPOT, round(DISC_MM / 2 * SCALE), (255, 0, 0), -1)

    assert not len(FINDER.find(coded(purer), coded(purer), SCALE))
    assert len(FINDER.find(coded(purer), coded(picture), SCALE)) == 1


def test_discs_lie_on_printed_spots() -> None:
    """What has the paint of a disc elsewhere is none."""
    picture = np.full((64, 64, 3), 240, np.uint8)
    cv2.circle(picture, SPOT, round(DISC_MM / 2 * SCALE), BLUE, -1)
    on_it, elsewhere = (
        TokenFinder([("blue", shades_of(BLUE))], DISC_MM, [spot]) for spot in ((0.7, 0.7), (0.3, 0.3))
    )

    assert len(on_it.find(coded(picture), coded(picture), SCALE)) == 1
    assert len(elsewhere.find(coded(picture), coded(picture), SCALE)) == 0


def test_a_disc_that_looks_like_a_rival_does_not_speak_for_it() -> None:
    """What is left of the box does: the tile with the box is told, though most of its box looks plain."""
    assert told(None, covered(), 1).ahead < 0
    assert told(FINDER, covered(), 1).ahead > 0
    assert told(FINDER, covered(), 0).ahead < 0


def test_plain_print_in_the_paint_of_a_disc_still_speaks_for_a_face() -> None:
    """Nothing lies there, and the face explains it."""
    plain = told(FINDER, tile(has_box=False), 0)

    assert plain.ahead > 0
    assert plain.shown == told(None, tile(has_box=False), 0).shown


def test_the_shadow_of_a_disc_asks_for_no_other_disc_beside_it() -> None:
    """Shaded paper among print in the paint of a disc looks like one half of which is hidden."""
    printed = np.full((64, 64, 3), BLUE, np.uint8)
    cv2.rectangle(printed, (8, 8), (30, 32), (240, 240, 240), -1)
    cv2.rectangle(printed, (11, 24), (27, 29), BLUE, -1)
    red = paint_of("red")
    paints = [("red", shades_of(red)), ("blue", shades_of(BLUE))]
    faces = [
        KnownFace(name=name, side=Side.FACE, picture=one, width_mm=EDGE_MM, height_mm=EDGE_MM)
        for name, one in (("printed", printed), ("plain", tile(has_box=False)))
    ]
    (both,) = decks_of(faces, SCALE, TokenFinder(paints, DISC_MM, [(0.3, 0.31)]))
    seen = printed.copy()
    seen[18:36, 6:34] = seen[18:36, 6:34] // 2
    cv2.circle(seen, (19, 16), round(DISC_MM / 2 * SCALE), red, -1)
    table = np.full((120, 120, 3), 128, np.uint8)
    table[28:92, 28:92] = seen

    assert Misfit.of(Scene(table, SCALE), both, 0, Pose(x=59.5, y=59.5, turn=0.0)).tokens == 1
