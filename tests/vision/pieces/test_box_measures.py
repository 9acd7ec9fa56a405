"""Measures of boxes as numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.pieces.test_markers import BOX, printed, residuals
from vision.pieces.box_measures import MEASURES, OWNER_MEASURES, SeenBox, measures, owner_measures
from vision.pieces.markers import BoxFeatures, Marker

shares = st.floats(0, 1)
markers = st.builds(
    Marker, label=st.integers(0, 3), is_light=st.booleans(), middle=st.just((0.0, 0.0)),
    fill=shares, second=shares, strange=shares, size=st.floats(0, 50), spread=st.floats(0, 50), around=shares,
    in_glare=st.booleans(), under=st.floats(-1, 1), other=shares, apart=shares,
)  # fmt: skip
looks = st.builds(
    BoxFeatures, bare=shares, even=shares, print=st.floats(-1, 1), blind=shares, blur=st.floats(0, 30),
    marker=st.none() | markers, off_mm=st.floats(0, 99), next_mm=st.floats(0, 99), near_mm=st.floats(0, 99),
    contested=st.booleans(),
)  # fmt: skip
FACE = residuals(printed(), printed())
AROUND = np.zeros((96, 96, 3), np.uint8)
OF_BOX = 19
"""So many come first that are the box's own."""


@given(looks, st.integers(0, 3))
def test_all_numbers_are_of_about_one(look: BoxFeatures, owner: int) -> None:
    """However far off or large something is."""
    of_box, of_owner = (
        measures(SeenBox(face=FACE, place=BOX, look=look, picture=AROUND)),
        owner_measures(look, owner),
    )

    assert (len(of_box), len(of_owner)) == (MEASURES, OWNER_MEASURES)
    assert all(-1 <= one <= 3 for one in [*of_box, *of_owner])


@given(looks.filter(lambda look: look.marker is not None))
def test_without_a_marker_nothing_speaks_for_anybody(look: BoxFeatures) -> None:
    """And of the box what is seen of it counts all the same."""
    bare = replace(look, marker=None)

    assert owner_measures(bare, 0) == [0.0] * OWNER_MEASURES
    of_box, of_bare = (
        measures(SeenBox(face=FACE, place=BOX, look=one, picture=AROUND)) for one in (look, bare)
    )
    assert of_box[:10] == of_bare[:10]
    assert not np.any(of_bare[OF_BOX:])
    assert of_box[OF_BOX] == 1.0
