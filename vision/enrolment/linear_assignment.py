"""Linear assignment: the best way to give every row its own column (the Hungarian algorithm; Kuhn, 1955)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def linear_assignment(score: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the column of each row, all different, so that the sum of scores (rows, columns) is greatest.

    There must be at least as many columns as rows. Rows are added one by one, each by the cheapest chain of
    exchanges (Jonker and Volgenant's form of the Hungarian method); one takes rows x columns steps.
    """
    rows, columns = score.shape
    if rows > columns:
        raise ValueError(f"{rows} rows cannot have a column each of {columns}")
    cost = -score
    price = np.zeros(columns)
    holder = np.full(columns, -1, np.intp)
    worth = np.zeros(rows)
    for start in range(rows):
        least = np.full(columns, np.inf)
        came = np.full(columns, -1, np.intp)
        done = np.zeros(columns, np.bool_)
        row, last = start, -1
        while True:
            offer = np.where(done, np.inf, cost[row] - worth[row] - price + _reached(least, last))
            better = offer < least
            least[better & ~done] = offer[better & ~done]
            came[better & ~done] = last
            last = int(np.where(done, np.inf, least).argmin())
            done[last] = True
            if holder[last] < 0:
                break
            row = int(holder[last])
        _pay(price, worth, holder, least, done, start, float(least[last]))
        while last >= 0:
            before = int(came[last])
            holder[last] = start if before < 0 else holder[before]
            last = before
    found = np.empty(rows, np.intp)
    found[holder[holder >= 0]] = np.flatnonzero(holder >= 0)
    return found


def _reached(least: NDArray[np.float64], last: int) -> float:
    """Return what it cost to come as far as the column reached last."""
    return 0.0 if last < 0 else float(least[last])


def _pay(
    price: NDArray[np.float64],
    worth: NDArray[np.float64],
    holder: NDArray[np.intp],
    least: NDArray[np.float64],
    done: NDArray[np.bool_],
    start: int,
    whole: float,
) -> None:
    """Change prices and worths so that no exchange is cheaper than nothing."""
    worth[start] += whole
    for column in np.flatnonzero(done):
        if holder[column] >= 0:
            worth[holder[column]] += whole - least[column]
        price[column] -= whole - least[column]
