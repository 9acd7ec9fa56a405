"""What is as learnt and what is not, however sharp the picture is."""

import cv2
import numpy as np
import pytest

from vision.faces.registration import Face, Match, Pose2D
from vision.faces.residuals import Pattern, Residual
from vision.photometry.light import coded

EDGE = 96


def face() -> Face:
    """A face with print of all sizes."""
    rng = np.random.default_rng(4)
    fine = rng.uniform(0.05, 0.8, (EDGE // 4, EDGE // 4, 3)).astype(np.float32)
    picture = cv2.resize(fine, (EDGE, EDGE), interpolation=cv2.INTER_CUBIC)
    return Face(
        name="mill/sketch",
        picture=np.clip(picture, 0.02, 0.95).astype(np.float32),
        valid=np.ones((EDGE, EDGE), np.bool_),
    )


def seen(shown: Face, blur: float, learnt_blur: float = 0.0) -> Residual:
    """The face examined in a picture out of focus; `learnt_blur` is how much it was when it was learnt."""
    picture = coded(shown.picture)
    learnt = shown
    if learnt_blur:
        soft = cv2.GaussianBlur(shown.picture, (0, 0), learnt_blur)
        learnt = Face(name=shown.name, picture=np.asarray(soft, np.float32), valid=shown.valid)
    if blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
    middle = (EDGE - 1) / 2
    match = Match(face=0, pose=Pose2D(x_px=middle, y_px=middle, turn=0.0), score=1.0, blocks=np.ones((6, 6)))
    return Pattern(learnt).residual(picture, np.zeros((EDGE, EDGE), np.bool_), match)


def test_softness_is_measured() -> None:
    """The more a picture is out of focus the more softness is told, none in a sharp one."""
    blurs = [seen(face(), blur).blur for blur in (0.0, 1.5, 2.5, 4.0)]

    assert blurs[0] == 0.0
    assert blurs == sorted(blurs)
    assert blurs[1] > 0.5
    assert blurs[3] > 2.5


@pytest.mark.parametrize("blur", [1.2, 2.0, 3.0])
def test_a_picture_out_of_focus_is_nothing_strange(blur: float) -> None:
    """Compared with the sharp face a blurred one would differ at every edge of its print."""
    assert seen(face(), blur).strange[8:-8, 8:-8].mean() < 0.12


@pytest.mark.parametrize("learnt_blur", [1.2, 2.0])
def test_a_sharper_picture_than_the_learnt_one_is_nothing_strange(learnt_blur: float) -> None:
    """What was learnt out of focus is known again in a sharp picture."""
    found = seen(face(), 0.0, learnt_blur)

    assert found.blur == 0.0
    assert found.strange[8:-8, 8:-8].mean() < 0.05


def test_a_marker_stays_strange_in_a_soft_picture() -> None:
    """Evening out softness hides nothing that lies on the face."""
    shown = face()
    covered = shown.picture.copy()
    covered[40:56, 40:56] = (0.6, 0.02, 0.3)
    soft = cv2.GaussianBlur(coded(covered), (0, 0), 1.5)
    middle = (EDGE - 1) / 2
    match = Match(face=0, pose=Pose2D(x_px=middle, y_px=middle, turn=0.0), score=1.0, blocks=np.ones((6, 6)))
    found = Pattern(shown).residual(np.asarray(soft, np.uint8), np.zeros((EDGE, EDGE), np.bool_), match)

    assert found.strange[44:52, 44:52].mean() > 0.9
