"""Pieces are found one by one, each once."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from companion.free_faces import NAMED, Side
from vision.arrays import Image, Picture8
from vision.free.bare_table import OffTable
from vision.free.confidence import confidence_of
from vision.free.known_faces import Deck, KnownFace
from vision.free.outlines import Poses
from vision.free.peeling import Find, Peeling

EDGE_MM, FINE, SCALE = 45.0, 4, 1.5
SIZE, CORNER = 300, (100, 110)
EDGE = round(EDGE_MM * SCALE)
MIDDLE = np.array([CORNER[0] + EDGE / 2, CORNER[1] + EDGE / 2])


def tile(seed: int) -> Image:
    """Return a tile with coloured spots."""
    rng, edge = np.random.default_rng(seed), round(EDGE_MM * FINE)
    picture = np.full((edge, edge, 3), rng.integers(60, 220, 3), np.uint8)
    for _ in range(14):
        at, colour = rng.integers(15, edge - 15, 2).tolist(), rng.integers(0, 256, 3).tolist()
        cv2.circle(picture, at, int(rng.integers(8, 22)), colour, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)


@pytest.fixture(scope="module", name="deck")
def deck_of_tiles() -> Deck:
    """Six tiles."""
    return Deck(
        [
            KnownFace(name=str(seed), side=Side.FACE, picture=tile(seed), width_mm=EDGE_MM, height_mm=EDGE_MM)
            for seed in range(6)
        ],
        SCALE,
    )


def table_with(picture: Image) -> Picture8:
    """Return a table on which a tile lies."""
    rng = np.random.default_rng(4)
    table = np.asarray(rng.normal((70, 110, 150), 4, (SIZE, SIZE, 3)).clip(0, 255), np.uint8)
    small = cv2.resize(picture, (EDGE, EDGE), interpolation=cv2.INTER_AREA)
    table[CORNER[1] : CORNER[1] + EDGE, CORNER[0] : CORNER[0] + EDGE] = small
    return table


def outlined(*off: tuple[float, float]) -> Poses:
    """Return the pose of the tile, and others so far off, as their outlines propose them."""
    at = np.array([MIDDLE, *(MIDDLE + each for each in off)])
    return Poses(at, np.zeros(len(at)), np.zeros(len(at), np.intp), np.ones((len(at), 4)))


def peeled(deck: Deck, picture: Picture8, poses: Poses, *kept: Find) -> Peeling:
    """Return what is found in a picture in which some pieces are known."""
    peeling = Peeling(picture, SCALE, [deck], confidence_of)
    for one in kept:
        peeling.keep(one)
    peeling.peel(poses, 0.5)
    return peeling


def test_what_nobody_can_name_is_not_found_again_where_it_is_known(deck: Deck) -> None:
    """Something else has changed beside it, say."""
    picture = table_with(tile(77))
    before = peeled(deck, picture, outlined())
    (unnamed,) = before.unnamed()

    after = peeled(deck, picture, outlined(), unnamed)

    assert not before.finds
    assert not after.unnamed()


def test_what_is_left_beside_a_piece_does_not_take_its_place(deck: Deck) -> None:
    """It may look like the edge of another face, of which nothing else is seen."""
    picture, rim = table_with(tile(3)), 9
    other = cv2.resize(tile(1), (EDGE, EDGE), interpolation=cv2.INTER_AREA)
    picture[CORNER[1] + EDGE : CORNER[1] + EDGE + rim, CORNER[0] : CORNER[0] + EDGE] = other[-rim:]

    found = peeled(deck, picture, outlined((0.0, 8.0))).finds

    assert [deck.faces[one.evidence.face].name for one in found] == ["3"]


def test_a_piece_that_another_lies_upon_exactly_is_gone(deck: Deck) -> None:
    """However sure it was, and though something that looks like its rim is still seen."""
    (before,) = peeled(deck, table_with(tile(1)), outlined()).finds
    picture, rim = table_with(tile(3)), 14
    other = cv2.resize(tile(1), (EDGE, EDGE), interpolation=cv2.INTER_AREA)
    picture[CORNER[1] + EDGE - rim : CORNER[1] + EDGE, CORNER[0] : CORNER[0] + EDGE] = other[-rim:]
    after = peeled(deck, picture, outlined())

    after.look_again([before], 0.5)

    assert [deck.faces[one.evidence.face].name for one in after.finds] == ["3"]


@pytest.mark.parametrize(("is_edge_to_edge", "is_out"), [(True, True), (False, False)])
def test_a_rim_does_not_take_the_place_of_a_tile_that_is_less_sure(
    deck: Deck, *, is_edge_to_edge: bool, is_out: bool
) -> None:
    """By itself a strip may look surer than a whole tile; but no other one lies below it."""
    (tile_there,) = peeled(deck, table_with(tile(3)), outlined()).finds
    shown = replace(tile_there.evidence, face=1, shown=0.2)
    peeling = Peeling(table_with(tile(3)), SCALE, [deck], confidence_of, lambda _: is_edge_to_edge)
    peeling.keep(replace(tile_there, confidence=0.85))

    assert peeling._is_out_of_place(replace(tile_there, confidence=0.99, evidence=shown)) is is_out


def test_a_guess_is_not_made_again_from_nearby(deck: Deck) -> None:
    """All that is proposed around a tile that nobody can name would show the same."""
    around = [(float(x), float(y)) for x in (-6, 0, 6) for y in (-6, 0, 6) if x or y]
    many: list[int] = []
    for off in ((), around):
        peeling = Peeling(
            table_with(tile(3)), SCALE, [deck], lambda *one: min(confidence_of(*one), 0.6), lambda _: True
        )
        with patch.object(peeling, "_compared", wraps=peeling._compared) as compared:
            peeling.peel(outlined(*off), 0.8)
        assert not peeling.finds
        many.append(compared.call_count)

    assert many[1] == many[0]


def test_what_nobody_could_name_is_not_named_for_the_rival_of_a_face_that_was_never_told() -> None:
    """It is searched anew, with all that speaks against a name."""
    marked = tile(3).copy()
    cv2.circle(marked, (90, 90), 20, (255, 255, 255), -1, cv2.LINE_AA)
    pictures = [marked, tile(3), tile(1)]
    deck = Deck(
        [
            KnownFace(name=name, side=Side.FACE, picture=one, width_mm=EDGE_MM, height_mm=EDGE_MM)
            for name, one in zip(("marked", "plain", "other"), pictures, strict=True)
        ],
        SCALE,
    )
    picture = table_with(tile(3))
    before = Peeling(picture, SCALE, [deck], confidence_of)
    before.peel(outlined(), 2.0)
    after = Peeling(picture, SCALE, [deck], confidence_of)

    after.look_again(before.unnamed(), 0.5)

    assert len(before.unnamed()) == 1
    assert not after.finds


def test_of_what_nobody_can_name_the_likest_face_is_told(deck: Deck) -> None:
    peeling = Peeling(table_with(tile(3)), SCALE, [deck], confidence_of)

    peeling.peel(outlined(), 2.0)

    (unnamed,) = peeling.unnamed()
    assert unnamed.guess is not None
    face, likely = unnamed.guess
    assert deck.faces[face].name == "3"
    assert 0.2 <= likely <= 1.0
    assert unnamed.confidence == 0


@pytest.mark.parametrize("covered", [0.5, 0.7])
def test_what_another_half_covers_and_nobody_can_name_lies_there(deck: Deck, covered: float) -> None:
    """If what is seen of it may be print of a face; of less than two fifths nothing is told."""
    picture, off = table_with(tile(3)), round((1 - covered) * EDGE)
    there = slice(CORNER[1], CORNER[1] + EDGE), slice(CORNER[0] + off, CORNER[0] + off + EDGE)
    picture[there] = cv2.resize(tile(1), (EDGE, EDGE), interpolation=cv2.INTER_AREA)
    upper = outlined((float(off), 0.0)).some(np.array([False, True]))
    known = next(one for one in peeled(deck, picture, upper).finds if one.evidence.face == 1)
    peeling = Peeling(picture, SCALE, [deck], confidence_of)
    peeling.keep(known)
    peeling.peel(outlined(), 2.0)

    likest = [deck.faces[one.guess[0]].name for one in peeling.unnamed() if one.guess is not None]
    assert likest == (["3"] if covered == 0.5 else [])


@pytest.mark.parametrize(("was_burnt", "names"), [(True, ["1", "3"]), (False, ["3"])])
def test_where_the_table_was_burnt_out_it_is_not_taken_for_bare(
    deck: Deck, *, was_burnt: bool, names: list[str]
) -> None:
    """There something may lie of which only stripes are told from it; elsewhere those are shadows."""
    picture, off = table_with(tile(3)), 90
    there = slice(CORNER[1], CORNER[1] + EDGE), slice(CORNER[0] + off, CORNER[0] + off + EDGE)
    picture[there] = cv2.resize(tile(1), (EDGE, EDGE), interpolation=cv2.INTER_AREA)
    other, untold = np.zeros((2, SIZE, SIZE), np.uint8)
    other[CORNER[1] : CORNER[1] + EDGE, CORNER[0] : CORNER[0] + EDGE] = 1
    other[there][::12] = other[there][1::12] = other[there][2::12] = other[there][3::12] = 1
    untold[there] = np.uint8(was_burnt) * (1 - other[there])
    peeling = Peeling(picture, SCALE, [deck], confidence_of, off_table=OffTable(other, untold))

    peeling.peel(outlined((float(off), 0.0)), 0.5)

    assert sorted(deck.faces[one.evidence.face].name for one in peeling.finds) == names


def test_what_shows_no_corner_is_sought_all_over_what_is_not_the_table(deck: Deck) -> None:
    """Its shadow is no table either, and a part of it cannot be told from the table."""
    other = np.zeros((SIZE, SIZE), np.uint8)
    other[CORNER[1] + 6 : CORNER[1] + EDGE + 14, CORNER[0] : CORNER[0] + EDGE + 8] = 1
    peeling = Peeling(
        table_with(tile(3)),
        SCALE,
        [deck],
        confidence_of,
        off_table=OffTable(other, np.zeros_like(other)),
    )

    peeling.peel(outlined().some(np.zeros(1, np.bool_)), NAMED)

    (found,) = peeling.finds
    assert deck.faces[found.evidence.face].name == "3"
    assert np.hypot(found.evidence.pose.x - MIDDLE[0], found.evidence.pose.y - MIDDLE[1]) < 1.5


def test_strips_of_a_fan_are_told_by_less_than_other_faces() -> None:
    """That they are backs is plain from the first one, though hardly anything of each is seen."""
    rng = np.random.default_rng(3)
    back = np.full((480, 280, 3), (160, 110, 90), np.float32) + 4 * cv2.GaussianBlur(
        rng.normal(0, 40, (480, 280, 3)).astype(np.float32), (0, 0), 8
    )
    cv2.circle(back, (140, 240), 66, (215, 200, 190), -1)
    cv2.circle(back, (160, 230), 58, (90, 60, 60), -1)
    backs = [("back", Side.BACK, np.asarray(back.clip(0, 255), np.uint8))]
    faces = [(str(seed), Side.FACE, cv2.resize(tile(seed), (280, 480))) for seed in range(5)]
    deck = Deck(
        [
            KnownFace(
                name=name,
                side=side,
                picture=np.asarray(picture, np.uint8),
                width_mm=70.0,
                height_mm=120.0,
            )
            for name, side, picture in (*backs, *faces)
        ],
        SCALE,
    )
    table = rng.normal((70, 110, 150), 4, (300, 420, 3))
    small = cv2.resize(backs[0][2], (105, 180), interpolation=cv2.INTER_AREA)
    other, lefts = np.zeros((300, 420), np.uint8), [60, 96, 131, 167, 203]
    for left in reversed(lefts):
        table[60:240, left : left + 105] = small
        table[60:240, [left, left + 104]] /= 2
        other[60:240, left : left + 105] = 1
    blurred = cv2.GaussianBlur(table.astype(np.float32), (0, 0), 1.2) + rng.normal(0, 4, table.shape)
    off_table = OffTable(other, np.zeros_like(other))
    peeling = Peeling(
        np.asarray(blurred.clip(0, 255), np.uint8), SCALE, [deck], confidence_of, off_table=off_table
    )

    peeling.peel(Poses(np.array([[112.0, 150.0]]), np.zeros(1), np.zeros(1, np.intp), np.ones((1, 4))), NAMED)

    found = sorted(one.evidence.pose.x - 52 for one in peeling.finds)
    assert {deck.faces[one.evidence.face].side for one in peeling.finds} == {Side.BACK}
    assert found == pytest.approx(lefts, abs=2.0)
    assert all(one.confidence >= NAMED for one in peeling.finds)


def test_a_face_is_told_below_another_one_of_which_a_lamp_whitens_a_part(deck: Deck) -> None:
    """What is white belongs to the upper one, and says nothing against the lower one."""
    below, off = tile(1), round(EDGE * 0.45)
    picture = table_with(below)
    upper = cv2.resize(tile(3), (EDGE, EDGE), interpolation=cv2.INTER_AREA)
    there = picture[CORNER[1] : CORNER[1] + EDGE, CORNER[0] + off : CORNER[0] + off + EDGE]
    there[:] = upper
    known = peeled(deck, picture, outlined((float(off), 0.0))).finds[0]
    assert deck.faces[known.evidence.face].name == "3"
    white = there[:, : EDGE - off]
    white[:] = white * 0.15 + 200
    mask = known.evidence.mask.copy()
    mask[:, : mask.shape[1] // 2 + 1] = False
    known = replace(known, evidence=replace(known.evidence, mask=mask))

    (found,) = peeled(deck, picture, outlined(), known).finds

    assert deck.faces[found.evidence.face].name == "1"
    assert found.confidence >= NAMED
