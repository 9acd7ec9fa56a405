"""Which of the cards that lie over each other is the upper one."""

from __future__ import annotations

import numpy as np

from companion.free_faces import Side
from vision.arrays import Bools
from vision.free.comparison import Evidence, Pose
from vision.free.known_faces import Deck, KnownFace
from vision.free.layers import in_order
from vision.free.peeling import Find

RNG = np.random.default_rng(3)
PICTURE = np.asarray(RNG.integers(0, 255, (90, 60, 3)), np.uint8)
DECK = Deck([KnownFace(name="a", side=Side.FACE, picture=PICTURE, width_mm=60, height_mm=90)], 1.0)


def find(x: float, shown: Bools) -> Find:
    """Return a card that lies there, of which these blocks are seen."""
    evidence = Evidence(
        face=0,
        pose=Pose(x=x, y=100.0, turn=0.0),
        open_share=1.0,
        shown=float(shown.mean()),
        likeness=1.0,
        ahead=9.0,
        rival=-1,
        clear=1.0,
        hole=0.0,
        strange=0.0,
        mask=shown,
        closest=(),
    )
    return Find(deck=DECK, evidence=evidence, support=1.0, confidence=1.0)


def half(*, left: bool) -> Bools:
    """Return the blocks of one half of a card."""
    shown = np.zeros(DECK.blocks, np.bool_)
    middle = shown.shape[1] // 2
    shown[:, :middle] = left
    shown[:, middle:] = not left
    return shown


def test_what_is_seen_of_both_tells_which_is_over_the_other() -> None:
    lower, upper = find(100.0, half(left=True)), find(130.0, np.ones(DECK.blocks, np.bool_))
    for some in ([lower, upper], [upper, lower]):
        ordered, over = in_order(some)
        assert ordered == [lower, upper]
        assert over == [set(), {0}]


def test_cards_that_only_touch_lie_side_by_side() -> None:
    whole = np.ones(DECK.blocks, np.bool_)
    ordered, over = in_order([find(100.0, whole), find(160.5, whole)])
    assert len(ordered) == 2
    assert over == [set(), set()]


def test_of_a_fan_each_is_over_the_one_before() -> None:
    whole = np.ones(DECK.blocks, np.bool_)
    fan = [find(100.0, half(left=True)), find(130.0, half(left=True)), find(160.0, whole)]
    ordered, over = in_order(fan[::-1])
    assert ordered == fan
    assert over == [set(), {0}, {1}]


def test_what_lies_upon_a_face_hides_its_blocks() -> None:
    """Those that it touches, and no others."""
    whole = find(0.0, np.ones(DECK.blocks, np.bool_))
    corners = whole.corners()
    left = np.array([corners[0], (corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2, corners[3]])
    rest = whole.hidden_by([left.astype(np.float32)])
    half = DECK.blocks[1] // 2

    assert not rest.evidence.mask[:, :half].any()
    assert rest.evidence.mask[:, half + 1 :].all()
    assert whole.hidden_by([]).evidence.mask.all()
    assert rest.shown_in(left.astype(np.float32)) < 0.1
    assert rest.corners().tolist() == corners.tolist()
