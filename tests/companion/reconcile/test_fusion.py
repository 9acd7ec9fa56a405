"""Fusing: whom to believe when two sources speak of one place."""

from hypothesis import given
from hypothesis import strategies as st

from companion.reconcile.fusion import Agreement, Claim, fusion_of

claims = st.builds(
    Claim,
    source=st.sampled_from(["camera", "sensors", "phone"]),
    value=st.sampled_from(["mill", "library", None]),
    confidence=st.floats(0.5, 1.0),
    seen_at_s=st.floats(0, 10),
    fresh=st.booleans(),
)


def claim(value: str | None, confidence: float, *, fresh: bool = True, at: float = 1.0) -> Claim:
    return Claim(source=f"s{value}", value=value, confidence=confidence, seen_at_s=at, fresh=fresh)


@given(st.lists(claims, min_size=1, max_size=4))
def test_the_value_is_always_somebodys(given_claims: list[Claim]) -> None:
    """Nothing is invented, and where something is seen now, memories do not count."""
    fused = fusion_of(given_claims)
    fresh = [each.value for each in given_claims if each.fresh]

    assert fused.value in (fresh or [each.value for each in given_claims])
    assert fused.fresh == bool(fresh)
    assert (fused.agreement is Agreement.AGREED) == (len(fused.values) == 1)


def test_agreeing_sources_agree() -> None:
    """Two claims of one value are one value."""
    assert fusion_of([claim("mill", 0.9), claim("mill", 0.99)]).agreement is Agreement.AGREED


def test_the_clearly_more_certain_overrules() -> None:
    """A source that is several times likelier to be wrong is overruled; one nearly as sure is not."""
    assert fusion_of([claim("mill", 0.999), claim(None, 0.7)]).agreement is Agreement.OVERRULED
    assert fusion_of([claim("mill", 0.95), claim(None, 0.9)]).agreement is Agreement.CONTRADICTED
    assert fusion_of([claim("mill", 1.0), claim(None, 1.0)]).agreement is Agreement.CONTRADICTED


def test_sight_outdoes_memory_and_the_newest_memory_the_older() -> None:
    """What is seen now counts more than what is remembered, however surely."""
    assert fusion_of([claim("mill", 1.0, fresh=False), claim(None, 0.7)]).value is None
    assert fusion_of([claim("mill", 1.0, fresh=False), claim(None, 0.7, fresh=False, at=2.0)]).value is None
