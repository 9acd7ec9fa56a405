"""What of a box's surroundings is its marker."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.registration import Face, Match, Pose2D
from vision.faces.residuals import Pattern, Residual
from vision.photometry.light import linear
from vision.photometry.palette import Palette, shades_of
from vision.pieces.markers import BoxPlace, box_features

EDGE = 96
ORANGE = (30, 110, 235)
BOX = BoxPlace(middle=(48.0, 60.0), edge=18.0, lean=(0.0, 0.0), px_per_mm=1.6, marker_mm=8.0)
PALETTE = Palette([("orange", shades_of(ORANGE))])


def printed() -> NDArray[np.uint8]:
    """A face of sepia lines with one numbered box."""
    rough = np.random.default_rng(5).uniform(0.75, 1.1, (12, 12, 1))
    ground = cv2.resize(rough, (EDGE, EDGE), interpolation=cv2.INTER_CUBIC)[..., None]
    picture = np.clip(ground * np.array([70, 140, 200]), 0, 255).astype(np.uint8)
    cv2.rectangle(picture, (39, 51), (57, 69), (40, 210, 230), -1)
    cv2.putText(picture, "4", (44, 65), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 30, 40), 2)
    return picture


def residuals(
    face: NDArray[np.uint8], seen: NDArray[np.uint8], blind: NDArray[np.bool_] | None = None
) -> Residual:
    """A face as it is seen."""
    learnt = Face(name="mill/sketch", picture=linear(face), valid=np.ones((EDGE, EDGE), np.bool_))
    pose = Pose2D(x_px=(EDGE - 1) / 2, y_px=(EDGE - 1) / 2, turn=0.0)
    match = Match(face=0, pose=pose, score=0.9, blocks=np.full((6, 6), 0.9, np.float32))
    return Pattern(learnt).residual(seen, np.zeros((EDGE, EDGE), np.bool_) if blind is None else blind, match)


def test_a_shadow_is_no_part_of_a_marker() -> None:
    """A marker half off its box is told from its shadow on the tile's own orange, in size and in place."""
    seen = printed()
    seen[58:71, 26:38] = (seen[58:71, 26:38] * 0.62).astype(np.uint8)
    seen[58:71, 38:51] = ORANGE
    marker = box_features(residuals(printed(), seen), [BOX], PALETTE, 1)[0].marker

    assert marker is not None
    assert 0.8 < marker.size < 1.3
    assert np.hypot(marker.middle[0] - 44, marker.middle[1] - 64) < 1.5


def test_the_shaded_side_of_a_white_marker_on_pale_stone_is_a_part_of_it() -> None:
    """A low camera sees as much of it as of the top; it looks just like a shadow on the stone."""
    stone = printed()
    stone[..., :] = np.clip(stone.max(axis=2, keepdims=True) * np.array([0.86, 0.9, 0.88]), 0, 255)
    seen = stone.copy()
    # The top leans up and away by as much as the marker is wide; below it is the side that the lamp leaves.
    seen[42:54, 42:55] = (252, 252, 252)
    seen[54:66, 42:55] = (stone[54:66, 42:55] * 0.72).astype(np.uint8)
    seen[54:66, 42:55] = cv2.blur(seen[54:66, 42:55], (13, 13))
    low = replace(BOX, lean=(0.0, -12.0))
    box = box_features(residuals(stone, seen), [low], Palette([("white", shades_of((245, 245, 245)))]), 1)[0]

    assert box.marker is not None
    assert box.marker.size > 0.75
    assert box.print < 0.4


def test_a_marker_beside_its_box_is_believed_rather_than_a_stain_on_it() -> None:
    """The print is seen through the stain, however pale and strange that is."""
    palette = Palette([("orange", shades_of(ORANGE)), ("white", shades_of((245, 245, 245)))])
    seen = printed()
    seen[52:68, 28:41] = (255 - (255 - seen[52:68, 28:41]) * 0.35).astype(np.uint8)
    seen[48:61, 58:71] = ORANGE
    box = box_features(residuals(printed(), seen), [BOX], palette, 2)[0]

    assert box.marker is not None
    assert box.marker.label == 0


def test_a_marker_ends_where_glare_has_washed_the_face_out() -> None:
    """What is seen of the face around it is only brighter: in a strong colour nothing goes on there."""
    palette = Palette([("orange", shades_of(ORANGE)), ("white", shades_of((245, 245, 245)))])
    seen = printed()
    seen[40:82, 26:72] = (255 - (255 - seen[40:82, 26:72]) * 0.12).astype(np.uint8)
    seen[54:67, 42:55] = ORANGE
    blind = np.zeros((EDGE, EDGE), np.bool_)
    blind[:, 58:66] = True
    glare = box_features(residuals(printed(), seen, blind), [BOX], palette, 2)[0].marker

    assert glare is not None
    assert glare.label == 0
    assert glare.in_glare
    assert glare.around > 0.85


def test_only_what_may_be_a_marker_makes_a_box_doubtful() -> None:
    """A marker astray from both boxes may be either's; what the print is seen through is nobody's."""
    boxes = [replace(BOX, middle=(35.0, 60.0)), replace(BOX, middle=(62.0, 60.0))]
    spot = (slice(54, 67), slice(42, 55))  # about as far from both
    seen = printed()
    seen[spot] = ORANGE
    stained = printed()
    stained[spot] = np.clip(0.16 * stained[spot] + 0.84 * np.array(ORANGE), 0, 255).astype(np.uint8)

    doubted = box_features(residuals(printed(), seen), boxes, PALETTE, 1)
    plain = box_features(residuals(printed(), stained), boxes, PALETTE, 1)

    assert any(box.contested for box in doubted)
    assert not any(box.contested for box in plain)


def test_of_a_white_marker_only_the_top_may_be_seen() -> None:
    """Seen from the side that leans twice as far as the whole; a coloured one's sides keep their colour."""
    place = BoxPlace(middle=(40.0, 40.0), edge=18.0, lean=(0.0, -20.0), px_per_mm=2.0, marker_mm=10.0)
    whole, top, beyond = ((40.0, y) for y in (30.0, 20.0, 14.0))

    assert [place.off_mm(at, is_light=True) for at in (whole, top, beyond)] == [0.0, 0.0, 3.0]
    assert [place.off_mm(at, is_light=False) for at in (whole, top, beyond)] == [0.0, 5.0, 8.0]
    assert replace(place, lean=(0.0, 0.0)).off_mm(whole, is_light=True) == 5.0
