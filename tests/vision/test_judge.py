"""From measurements to claims."""

from hypothesis import given
from hypothesis import strategies as st

from vision.judge import Covered, judge_box
from vision.markers import BoxLook, Marker

NAMES = ("purple", "white")
shares = st.floats(0, 1)
markers = st.builds(
    Marker, label=st.integers(0, 1), middle=st.just((0.0, 0.0)), fill=shares, second=shares, strange=shares,
    size=st.floats(0, 3), around=shares,
)  # fmt: skip
looks = st.builds(
    BoxLook, bare=shares, print=st.floats(-1, 1), blind=shares, marker=st.none() | markers,
    off_mm=st.floats(0, 20), next_mm=st.floats(0, 30), near_mm=st.floats(0, 20), contested=st.booleans(),
)  # fmt: skip
covers = st.builds(Covered, foreign=shares, foreign_near=shares, pieces=shares)


def look(**changes: object) -> BoxLook:
    """A bare box, but for the changes."""
    values: dict[str, object] = {
        "bare": 1.0, "print": 0.95, "blind": 0.0, "marker": None, "off_mm": 99.0, "next_mm": 99.0,
        "near_mm": 99.0, "contested": False,
    }  # fmt: skip
    return BoxLook(**{**values, **changes})  # type: ignore[arg-type]


def marker(**changes: object) -> Marker:
    """A plain purple marker, but for the changes."""
    values: dict[str, object] = {
        "label": 0, "middle": (0.0, 0.0), "fill": 1.0, "second": 0.0, "strange": 1.0,
        "size": 1.1, "around": 0.95,
    }  # fmt: skip
    return Marker(**{**values, **changes})  # type: ignore[arg-type]


@given(looks, covers)
def test_a_claim_is_sure_enough_and_names_an_owner(seen: BoxLook, over: Covered) -> None:
    """Whatever is measured, a verdict is None or a claim with a confidence of 0.9 to 1."""
    verdict = judge_box(seen, NAMES, over)

    assert verdict is None or (verdict[0] in (None, *NAMES) and 0.9 <= verdict[1] < 1.0)


@given(looks, covers.filter(lambda over: over.foreign > 0.3))
def test_what_a_hand_covers_is_never_claimed(seen: BoxLook, over: Covered) -> None:
    """Under a hand nothing is said, neither bare nor owned."""
    assert judge_box(seen, NAMES, over) is None


def test_bare_is_a_positive_finding() -> None:
    """A box whose print is seen is bare; one without print or marker is unknown."""
    assert judge_box(look(), NAMES, Covered()) == (None, 0.999)
    assert judge_box(look(bare=0.3, print=0.2), NAMES, Covered()) is None


def test_a_plain_marker_is_claimed_and_half_a_figure_is_not() -> None:
    """A marker has an end on all sides."""
    on_box = {"bare": 0.0, "print": 0.1, "off_mm": 1.0, "next_mm": 14.0}

    assert judge_box(look(marker=marker(), **on_box), NAMES, Covered()) == ("purple", 0.998)
    assert judge_box(look(marker=marker(around=0.2), **on_box), NAMES, Covered()) is None
    assert judge_box(look(marker=marker(size=2.6), **on_box), NAMES, Covered()) is None


def test_between_two_boxes_nobody_knows() -> None:
    """A marker about as near to the next box is contested: both boxes stay unknown."""
    assert judge_box(look(contested=True), NAMES, Covered()) is None
