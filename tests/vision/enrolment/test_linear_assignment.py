"""The best way to give every row a column of its own."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.enrolment.linear_assignment import linear_assignment


@st.composite
def scores(draw: st.DrawFn) -> NDArray[np.float64]:
    """A few rows and no fewer columns of small whole numbers: there are many ties."""
    rows = draw(st.integers(1, 5))
    columns = draw(st.integers(rows, 6))
    numbers = st.integers(-4, 4)
    return np.array([[draw(numbers) for _ in range(columns)] for _ in range(rows)], np.float64)


@given(scores())
def test_no_other_way_is_better(score: NDArray[np.float64]) -> None:
    """Every row has a column of its own, and the sum is the greatest of all ways."""
    rows, columns = score.shape
    found = linear_assignment(score)
    best = max(score[np.arange(rows), list(way)].sum() for way in permutations(range(columns), rows))

    assert len(set(found.tolist())) == rows
    assert score[np.arange(rows), found].sum() == pytest.approx(best)


def test_more_rows_than_columns_are_refused() -> None:
    """Somebody would go without."""
    with pytest.raises(ValueError, match="3 rows"):
        linear_assignment(np.zeros((3, 2)))
