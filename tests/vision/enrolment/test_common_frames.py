"""Faces whose outlines were taken from an inner edge are moved to where the others have theirs."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.arrays import Picture8
from vision.enrolment.common_frames import aligned
from vision.enrolment.laid_outlines import FITTING_PX_PER_MM, LaidOutline
from vision.faces.registration import Pose2D

EDGE_PX = 43.0 * FITTING_PX_PER_MM
RIM_PX = 2.5 * FITTING_PX_PER_MM
TURNS = (0.0, 0.05, -0.04, 0.02, 0.0, -0.06, 0.03, 0.01)


def table(turns: tuple[float, ...] = TURNS) -> tuple[Picture8, list[LaidOutline]]:
    """Return a picture of framed tiles, each with something of its own on it, and where they lie."""
    rng = np.random.default_rng(5)
    picture = rng.normal(120, 6, (420, 220 * len(turns), 3))
    outlines = []
    for number, turn in enumerate(turns):
        pose = Pose2D(x_px=110.0 + 220 * number, y_px=210.0 + 5 * (number % 3), turn=turn)
        whole = LaidOutline(pose=pose, size_px=(EDGE_PX, EDGE_PX), clear=1.0)
        inner = replace(whole, size_px=(EDGE_PX - 2 * RIM_PX, EDGE_PX - 2 * RIM_PX))
        own = replace(whole, size_px=(EDGE_PX / 3, EDGE_PX / (2 + number % 3)))
        for one, colour in ((whole, (120, 160, 110)), (inner, (200, 90, 40)), (own, rng.uniform(0, 255, 3))):
            cv2.fillConvexPoly(
                picture, np.round(one.corners_px()).astype(np.int32), tuple(map(float, colour))
            )
        outlines.append(whole)
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0), 0, 255), np.uint8), outlines


def moved(one: LaidOutline, right: float, down: float) -> LaidOutline:
    """Return an outline that is so far off, px."""
    return replace(one, pose=replace(one.pose, x_px=one.pose.x_px + right, y_px=one.pose.y_px + down))


def test_a_face_that_was_cut_at_its_inner_edge_is_cut_as_the_others() -> None:
    picture, true = table()
    given = [*true[:2], moved(true[2], RIM_PX, 0.0), *true[3:5], moved(true[5], 0.0, -RIM_PX), *true[6:]]

    found = aligned(picture, given)

    for one, wanted in zip(found, true, strict=True):
        assert one.pose.x_px == pytest.approx(wanted.pose.x_px, abs=1.5)
        assert one.pose.y_px == pytest.approx(wanted.pose.y_px, abs=1.5)
        assert one.pose.turn == wanted.pose.turn


def test_what_lies_right_stays_exactly_where_it_is() -> None:
    picture, true = table()

    assert aligned(picture, true) == true


def test_of_a_few_faces_nobody_knows_what_they_have_in_common() -> None:
    picture, true = table(TURNS[:4])
    given = [moved(true[0], RIM_PX, 0.0), *true[1:]]

    assert aligned(picture, given) == given


def test_faces_whose_rims_nobody_sees_lie_where_their_numbers_do() -> None:
    """Half of them are off, in all directions, and only a circle in one corner is common to all."""
    rng = np.random.default_rng(8)
    picture = np.asarray(np.clip(rng.normal(120, 4, (420, 220 * len(TURNS), 3)), 0, 255), np.uint8)
    true, given = [], []
    for number in range(len(TURNS)):
        x, y = 110.0 + 220 * number, 210.0
        whole = LaidOutline(pose=Pose2D(x_px=x, y_px=y, turn=0.0), size_px=(EDGE_PX, EDGE_PX), clear=1.0)
        cv2.circle(picture, (round(x - 30), round(y - 30)), 20, (235, 235, 235), -1)
        at = (round(x + rng.uniform(0, 30)), round(y + rng.uniform(0, 30)))
        cv2.circle(picture, at, 12, tuple(map(float, rng.uniform(0, 255, 3))), -1)
        true.append(whole)
        off = rng.uniform(-9, 9, 2) if number % 2 else np.zeros(2)
        given.append(moved(whole, float(off[0]), float(off[1])))

    found = aligned(picture, given)

    def apart(some: list[LaidOutline]) -> float:
        """Return how far one is off beside the others: where all of them should lie nobody knows."""
        there, wanted = (np.array([(one.pose.x_px, one.pose.y_px) for one in each]) for each in (some, true))
        off = there - wanted
        return float(np.abs(off - np.median(off, axis=0)).max())

    assert apart(found) < 2.0
    assert apart(given) > 5.0


def test_faces_that_were_found_awry_are_turned_as_the_others_lie() -> None:
    """Half of them were found a few degrees off."""
    picture, true = table(TURNS)
    off = [math.radians((3.0, -4.0, 2.5)[number % 3]) if number % 2 else 0.0 for number in range(len(true))]
    given = [
        replace(one, pose=replace(one.pose, turn=one.pose.turn + by))
        for one, by in zip(true, off, strict=True)
    ]

    found = aligned(picture, given)

    left = [math.degrees(abs(to.pose.turn - one.pose.turn)) for to, one in zip(found, true, strict=True)]
    assert max(left) < 1.0


def test_faces_none_of_which_lies_right_are_gathered() -> None:
    """Each is off another way."""
    rng = np.random.default_rng(3)
    many = 12
    picture = np.full((420, 220 * many, 3), 120, np.uint8)
    true, given = [], []
    for number in range(many):
        x, y = 110.0 + 220 * number, 210.0
        whole = LaidOutline(pose=Pose2D(x_px=x, y_px=y, turn=0.0), size_px=(EDGE_PX, EDGE_PX), clear=1.0)
        for across, down in ((-34, -34), (30, -34), (-34, 30)):
            cv2.circle(picture, (round(x + across), round(y + down)), 9, (235, 235, 235), -1)
        true.append(whole)
        given.append(moved(whole, *map(float, rng.uniform(-8, 8, 2))))

    found = aligned(picture, given)

    def apart(some: list[LaidOutline]) -> float:
        off = np.array(
            [
                (to.pose.x_px - one.pose.x_px, to.pose.y_px - one.pose.y_px)
                for to, one in zip(some, true, strict=True)
            ]
        )
        return float(np.abs(off - np.median(off, axis=0)).max())

    assert apart(given) > 6.0
    assert apart(found) < 2.0
