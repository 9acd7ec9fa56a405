"""Faces that differ in little: which of them lies there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from companion.free_faces import Side
from vision.arrays import Image
from vision.free.alignment import Like, finely_like
from vision.free.comparison import (
    Evidence,
    Misfit,
    Pose,
    Scene,
    beside_kin,
    compare,
    likest_by_colour,
    print_difference,
    register,
    tell_alike,
    told_by,
)
from vision.free.confidence import confidence_of
from vision.free.known_faces import Deck, KnownFace
from vision.free.outlines import Poses
from vision.free.peeling import Peeling
from vision.photometry.light import coded, linear

EDGE_MM, FINE, SCALE = 45.0, 4, 1.5
BLUE, TEAL, YELLOW, RED = (200, 90, 40), (170, 180, 30), (40, 200, 240), (40, 40, 200)
# The second face was cut so far off, mm: as far as happens where a tile's rim is as dark as the table.
OFF_MM = (1.0, -1.6)


def tile(
    dots: tuple[tuple[int, int, int], ...], ground: tuple[int, int, int] = BLUE, number: str = "3"
) -> Image:
    """Return a tile with a number and three dots on a white square."""
    edge = round(EDGE_MM * FINE)
    picture = np.full((edge, edge, 3), ground, np.uint8)
    cv2.rectangle(picture, (3, 3), (edge - 4, edge - 4), (90, 140, 120), 5)
    cv2.rectangle(picture, (14, 14), (80, 80), (245, 245, 245), -1)
    for at, colour in zip(((46, 30), (30, 62), (64, 62)), dots, strict=True):
        cv2.circle(picture, at, 11, colour, -1, cv2.LINE_AA)
    cv2.circle(picture, (132, 46), 26, (20, 20, 20), -1, cv2.LINE_AA)
    cv2.putText(picture, number, (118, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (245, 245, 245), 5, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)


def shifted(picture: Image) -> Image:
    """Return a face that was cut a little beside where it lay."""
    move = np.array([[1, 0, OFF_MM[0] * FINE], [0, 1, OFF_MM[1] * FINE]])
    return np.asarray(cv2.warpAffine(picture, move, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE))


ONE, OTHER = tile((YELLOW, BLUE, BLUE)), tile((YELLOW, BLUE, TEAL))
LEARNT = {
    "one": ONE,
    "other": shifted(OTHER),
    "red": tile((RED, RED, YELLOW), ground=RED),
    "teal": tile((BLUE, RED, YELLOW), ground=TEAL),
}


@pytest.fixture(scope="module", name="deck")
def deck_of_tiles() -> Deck:
    """Tiles of which two differ in the colour of one dot."""
    return deck_of(LEARNT)


def deck_of(pictures: Mapping[str, Image]) -> Deck:
    """Return tiles by their names, those that look alike told."""
    faces = [
        KnownFace(name=name, side=Side.FACE, picture=picture, width_mm=EDGE_MM, height_mm=EDGE_MM)
        for name, picture in pictures.items()
    ]
    deck = Deck(faces, SCALE)
    tell_alike(deck)
    return deck


def scene_of(picture: Image) -> Scene:
    """Return a table on which a tile lies."""
    rng = np.random.default_rng(4)
    table = np.asarray(rng.normal((70, 110, 150), 4, (240, 240, 3)).clip(0, 255), np.uint8)
    edge = round(EDGE_MM * SCALE)
    small = cv2.resize(picture, (edge, edge), interpolation=cv2.INTER_AREA)
    table[80 : 80 + edge, 90 : 90 + edge] = small
    return Scene(table, SCALE)


MIDDLE = Pose(x=90 + EDGE_MM * SCALE / 2, y=80 + EDGE_MM * SCALE / 2, turn=0.0)


def misfit(scene: Scene, deck: Deck, face: int) -> Misfit:
    """Return how far a place is from a face where it would lie itself."""
    return Misfit.of(scene, deck, face, register(scene, deck, face, MIDDLE))


def test_those_that_differ_in_one_dot_are_kin(deck: Deck) -> None:
    assert deck.kin[0] == (1,)
    assert deck.kin[1] == (0,)
    assert not any(deck.alike)


def test_all_of_a_handful_that_differ_in_dots_are_kin_of_each_other() -> None:
    """One that is not compared with another is taken for it where that one was cut a little off."""
    dots = (
        (YELLOW, BLUE, BLUE),
        (YELLOW, BLUE, TEAL),
        (TEAL, BLUE, TEAL),
        (TEAL, RED, TEAL),
        (RED, RED, TEAL),
    )
    handful = deck_of({str(number): tile(one) for number, one in enumerate(dots)})

    assert [set(kin) for kin in handful.kin] == [set(range(5)) - {one} for one in range(5)]


@pytest.mark.parametrize(("lying", "face"), [(ONE, 0), (OTHER, 1)])
def test_of_kin_the_one_that_lies_there_is_ahead(deck: Deck, lying: Image, face: int) -> None:
    scene = scene_of(lying)
    right, wrong = misfit(scene, deck, face), misfit(scene, deck, 1 - face)
    difference = print_difference(deck, 0, 1)
    by = right.ahead_of(wrong, difference)
    assert 3 < by <= told_by(difference, right.open & wrong.open)
    assert wrong.ahead_of(right, difference) == pytest.approx(-by)


@pytest.mark.parametrize(("lying", "face"), [("2", 0), ("3", 1)])
def test_faces_that_differ_in_their_number_alone_are_told_apart(lying: str, face: int) -> None:
    """Its lines are as thin as what two photographs of one print differ along its edges."""
    dots = (YELLOW, BLUE, BLUE)
    both = deck_of({"2": tile(dots, number="2"), "3": shifted(tile(dots, number="3"))})
    scene = scene_of(tile(dots, number=lying))
    right, wrong = misfit(scene, both, face), misfit(scene, both, 1 - face)

    difference = print_difference(both, 0, 1)

    most = told_by(difference, right.open & wrong.open)
    assert most > 10
    assert right.ahead_of(wrong, difference) > 3


def test_stains_on_a_learnt_face_tell_nothing(deck: Deck) -> None:
    """What was mirrored in the plain ground while a face was learnt is no print."""
    stained = ONE.copy()
    for at in ((50, 130), (90, 150), (140, 120)):
        cv2.circle(stained, at, 18, tuple(round(one * 0.9) for one in BLUE), -1, cv2.LINE_AA)
    other = KnownFace(name="one", side=Side.FACE, picture=stained, width_mm=EDGE_MM, height_mm=EDGE_MM)
    dirty = Deck([other, *deck.faces[1:]], SCALE)

    difference = print_difference(dirty, 0, 1)

    half = difference.shape[0] // 2
    assert not difference[half:-8, 8:-8].any()
    assert difference.any()
    scene = scene_of(ONE)
    assert misfit(scene, dirty, 0).ahead_of(misfit(scene, dirty, 1), difference) > 3


def test_the_noise_of_a_photograph_is_no_print_of_a_back() -> None:
    """Of a face it may be: one that lacks a faint print may be another."""
    rng = np.random.default_rng(5)
    plain = np.full((180, 180, 3), BLUE, np.uint8)
    cv2.circle(plain, (90, 90), 40, (200, 220, 230), 8, cv2.LINE_AA)
    noise = cv2.GaussianBlur(rng.normal(0, 60, plain.shape).astype(np.float32), (0, 0), 2)
    noisy = np.asarray((plain + noise).clip(0, 255), np.uint8)

    def shown(picture: Image, side: Side) -> float:
        known = KnownFace(name="it", side=side, picture=picture, width_mm=EDGE_MM, height_mm=EDGE_MM)
        evidence = compare(scene_of(plain), Deck([known], SCALE), 0, MIDDLE, lambda _: True)
        return 0.0 if evidence is None else evidence.shown

    assert shown(noisy, Side.FACE) < 0.8 * shown(plain, Side.FACE)
    assert shown(noisy, Side.BACK) > 0.9 * shown(plain, Side.BACK)


def test_noise_of_plain_parts_does_not_look_otherwise() -> None:
    """Half of a tile has no print; a camera in a dark room is noisy, today and when the tile was learnt."""

    def noisy(picture: Image, seed: int) -> Image:
        coarse = np.random.default_rng(seed).normal(0, 5, (60, 60, 3)).astype(np.float32)
        grain = cv2.resize(coarse, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        return np.asarray((picture + grain).clip(0, 255), np.uint8)

    learnt = {name: noisy(picture, number) for number, (name, picture) in enumerate(LEARNT.items())}
    deck = deck_of(learnt)
    told = {}
    for what, lying in (("plain", ONE), ("printed", tile((YELLOW, BLUE, BLUE)))):
        if what == "printed":
            cv2.putText(
                lying, "5", (60, 160), cv2.FONT_HERSHEY_SIMPLEX, 3.0, (245, 245, 245), 12, cv2.LINE_AA
            )
        scene = scene_of(noisy(lying, 9))
        evidence = compare(scene, deck, 0, register(scene, deck, 0, MIDDLE), lambda _: True)
        assert evidence is not None
        told[what] = evidence.strange

    assert told["plain"] < 0.07
    assert told["printed"] > 0.12


def test_how_far_rivals_are_behind_as_they_would_lie_themselves_counts() -> None:
    """A rival that hardly differs in the light of a face may be far behind in its own."""
    evidence = Evidence(
        face=0,
        pose=MIDDLE,
        open_share=1.0,
        shown=0.8,
        likeness=0.9,
        ahead=2.0,
        rival=1,
        clear=0.05,
        hole=0.0,
        strange=0.0,
        mask=np.zeros((9, 9), np.bool_),
        closest=((1, 2.0), (2, 30.0), (3, 90.0)),
    )

    told = beside_kin(evidence, {1: (50.0, 80.0), 2: (40.0, 60.0)})

    assert (told.rival, told.ahead) == (2, 40.0)
    assert told.clear == pytest.approx(40 / 60)
    assert told.closest == ((2, 40.0), (1, 50.0), (3, 90.0))
    # It may only become clearer by that.
    assert beside_kin(told, {2: (12.0, 60.0)}).clear == told.clear
    assert beside_kin(told, {2: (12.0, 60.0)}).ahead == 12.0
    # What can be seen of both is printed alike: then it is not clear, however far ahead it seemed.
    assert beside_kin(told, {2: (5.0, 6.0)}).clear == 0.0


@pytest.mark.parametrize(("lying", "name"), [(ONE, "one"), (OTHER, "other")])
def test_the_one_that_lies_there_is_named(deck: Deck, lying: Image, name: str) -> None:
    scene = scene_of(lying)
    peeling = Peeling(scene.picture, SCALE, [deck], confidence_of)
    at = np.array([[MIDDLE.x, MIDDLE.y]])
    peeling.peel(Poses(at, np.zeros(1), np.zeros(1, np.intp), np.ones((1, 4))), 0.5)
    assert [deck.faces[one.evidence.face].name for one in peeling.finds] == [name]


def test_where_a_tile_looks_odd_others_are_looked_for_by_their_colours() -> None:
    """One that was cut some millimetres off is not among the likest at first sight."""
    grouped = tile((BLUE, BLUE, BLUE), ground=RED, number="5")
    cv2.rectangle(grouped, (14, 104), (70, 160), (245, 245, 245), -1)
    plain = tile((TEAL, BLUE, RED), ground=RED)
    tiles = deck_of({"plain": plain, "grouped": shifted(grouped), **LEARNT})
    peeling = Peeling(scene_of(grouped).picture, SCALE, [tiles], confidence_of, lambda _: True)
    at = np.array([[MIDDLE.x, MIDDLE.y]])

    def missed(scene: Scene, deck: Deck, likes: Sequence[Like]) -> list[Like]:
        return [one for one in finely_like(scene, deck, likes) if deck.faces[one.face].name != "grouped"]

    with patch("vision.free.peeling.finely_like", missed):
        peeling.peel(Poses(at, np.zeros(1), np.zeros(1, np.intp), np.ones((1, 4))), 0.5)

    assert [tiles.faces[one.evidence.face].name for one in peeling.finds] == ["grouped"]


def test_those_that_are_as_far_off_as_each_other_say_nothing_against_the_one_that_lies_there() -> None:
    """What lay there and its like differ in one dot alone, which is of a third colour now."""
    before, lying = tile((YELLOW, BLUE, TEAL)), tile((TEAL, BLUE, RED))
    tiles = deck_of({"before": before, "like": ONE, "lying": lying})
    tiles.kin = ((1, 2), (0, 2), (0, 1))
    at = np.array([[MIDDLE.x, MIDDLE.y]])

    def hardly_doubted(evidence: Evidence, support: float) -> float:
        return max(confidence_of(evidence, support), 0.85 if evidence.face == 0 else 0.0)

    first, later = (
        Peeling(scene_of(one).picture, SCALE, [tiles], hardly_doubted, lambda _: True)
        for one in (before, lying)
    )
    first.peel(Poses(at, np.zeros(1), np.zeros(1, np.intp), np.ones((1, 4))), 0.5)

    later.look_again(first.finds, 0.5)

    assert [tiles.faces[one.evidence.face].name for one in later.finds] == ["lying"]
    assert min(far for _, far in later.finds[0].evidence.closest) > 100


def test_a_face_that_a_mirrored_lamp_whitens_is_the_likest_by_its_colours() -> None:
    """In the light that falls on the rest of the table another one would be as pale."""
    deck = deck_of({**LEARNT, "pale": tile((TEAL, RED, YELLOW), ground=(225, 225, 205))})
    light = np.ones(3)
    picture = scene_of(tile((BLUE, RED, YELLOW), ground=TEAL)).picture
    hazy = coded(np.asarray(linear(np.asarray(picture, np.uint8)) * 0.3 + 0.55, np.float32))
    likest = likest_by_colour(Scene(hazy, SCALE), deck, MIDDLE, light, 1)

    assert [deck.faces[face].name for face, _ in likest] == ["teal"]
