"""When a dealt card is looked at: still, sharp, and something new."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vision.enrolment.dealt_watch import DealWatch, Glance, Now

GLANCES = st.builds(
    Glance,
    has_moved=st.booleans(),
    has_changed=st.booleans(),
    sharpness=st.one_of(st.none(), st.floats(0.01, 1.0)),
)


def still(*, changed: bool = True, sharpness: float | None = 0.5) -> Glance:
    """A frame in which nothing moves."""
    return Glance(has_moved=False, has_changed=changed, sharpness=sharpness)


MOVING = Glance(has_moved=True, has_changed=True, sharpness=0.5)


@given(st.lists(GLANCES, max_size=60))
def test_it_looks_only_at_what_is_still_and_new(glances: list[Glance]) -> None:
    """Whatever comes: never in the first two still frames, never where nothing has changed."""
    watch, run = DealWatch(), 0
    for glance in glances:
        now = watch.feed(glance)
        run = 0 if glance.has_moved else run + 1
        if now is Now.LOOK:
            assert run >= 3
            assert glance.has_changed
        assert (now is Now.MOVING) is glance.has_moved


def test_a_card_that_stays_is_looked_at_ever_more_seldom() -> None:
    """Once it is not made out at first; a movement begins anew."""
    watch = DealWatch()
    seen = [watch.feed(still()) for _ in range(40)]
    looks = [number for number, one in enumerate(seen) if one is Now.LOOK]

    assert [2, 4, 8, 16, 32] == looks
    assert Now.MOVING is watch.feed(MOVING)
    assert [Now.SETTLING, Now.SETTLING, Now.LOOK] == [watch.feed(still()) for _ in range(3)]


def test_a_blurred_picture_waits_until_it_is_as_sharp_as_others_were() -> None:
    """The camera finds its focus; if it stays so, that is how sharp it is."""
    watch = DealWatch()
    for _ in range(30):
        assert Now.LOOK is not watch.feed(still(changed=False))
    assert Now.BLURRED is watch.feed(still(sharpness=0.3))
    assert Now.LOOK is watch.feed(still(sharpness=0.49))
    watch.feed(MOVING)
    later = [watch.feed(still(sharpness=0.3)) for _ in range(100)]

    assert Now.BLURRED in later
    assert Now.LOOK in later
