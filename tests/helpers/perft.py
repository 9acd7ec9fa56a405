"""How many legal sequences of actions there are from a position, to a depth: by the engine, and naively.

    python -m tests.helpers.perft

writes `tests/golden/perft` anew by the naive generators. The engine has no part in those numbers but for
carrying out actions where a generator only lists them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from companion.games import registry
from tests.helpers import city_naive, nova_luna_naive, urbion_naive
from tests.helpers.golden import GOLDEN

FOLDER = GOLDEN / "perft"
Json = dict[str, Any]

# Which record, after how many of its actions, to which depth.
POSITIONS: dict[str, tuple[tuple[str, int, int], ...]] = {
    "nova_luna": (
        ("nova-1-1p", 0, 3), ("nova-1-1p", 20, 3), ("nova-2-2p", 0, 4), ("nova-2-2p", 9, 3),
        ("nova-3-3p", 0, 5), ("nova-3-3p", 40, 2), ("nova-4-4p", 21, 3), ("nova-4-4p", 55, 2),
    ),
    "urbion": (
        ("urbion-1-1p", 4, 2), ("urbion-1-1p", 30, 2), ("urbion-2-2p", 12, 2), ("urbion-2-2p", 40, 4),
        ("urbion-3-1p", 6, 2), ("urbion-3-1p", 30, 2), ("urbion-4-2p", 10, 2), ("urbion-4-2p", 35, 2),
    ),
    "blue_moon_city": (
        ("bmc-1-2p-kosmos-2006", 0, 3), ("bmc-1-2p-kosmos-2006", 60, 2), ("bmc-2-3p-kosmos-2006", 121, 2),
        ("bmc-4-2p-cmon-2019", 90, 2), ("bmc-6-4p-cmon-2019", 0, 2), ("bmc-6-4p-cmon-2019", 150, 2),
        ("bmc-9-4p-kosmos-2006-variant", 45, 2),
    ),
}  # fmt: skip


def lines_of(record: str) -> tuple[Json, list[Json]]:
    """Return the header and the actions of a golden record."""
    text = (GOLDEN / "records" / f"{record}.jsonl").read_text("utf-8")
    header, *rest = [json.loads(line) for line in text.splitlines()]
    return header, [line for line in rest if not {"check", "result"} & line.keys()]


def position(record: str, after: int) -> tuple[Any, Any]:
    """Return a game and its state after so many actions of a record."""
    header, lines = lines_of(record)
    game = registry.lookup(header["game"])
    state = game.start(header)
    for line in lines[:after]:
        state, _ = game.apply(state, game.parse_action(line))
    return game, state


def count(game: Any, state: Any, depth: int) -> int:
    """Return how many sequences of so many actions the engine knows, each a distinct record line."""
    actions = list(game.legal_actions(state))
    assert len(set(map(repr, actions))) == len(actions)
    if depth == 1:
        return len(actions)
    return sum(count(game, game.apply(state, action)[0], depth - 1) for action in actions)


def naive_count(
    state: Any, depth: int, moves: Callable[[Any], list[Any]], play: Callable[[Any, Any], Any]
) -> int:
    """Return how many sequences of so many actions a naive generator knows."""
    found = moves(state)
    if depth == 1:
        return len(found)
    return sum(naive_count(play(state, move), depth - 1, moves, play) for move in found)


def naive_counts(name: str, record: str, after: int, depth: int) -> list[int]:
    """Return the naive counts to depth 1, 2, ..."""
    if name == "nova_luna":
        header, lines = lines_of(record)
        table = nova_luna_naive.start(header)
        for line in lines[:after]:
            table = nova_luna_naive.play(table, line)
        return [
            naive_count(table, each, nova_luna_naive.moves, nova_luna_naive.play)
            for each in range(1, depth + 1)
        ]
    generator = {"urbion": urbion_naive.moves, "blue_moon_city": city_naive.moves}[name]
    game, state = position(record, after)

    def carried_out(before: Any, line: Json) -> Any:
        return game.apply(before, game.parse_action(line))[0]

    return [naive_count(state, each, generator, carried_out) for each in range(1, depth + 1)]


def main() -> None:
    """Write the counts of every game that has a generator."""
    for name, positions in POSITIONS.items():
        rows = [
            {"record": record, "after": after, "counts": naive_counts(name, record, after, depth)}
            for record, after, depth in positions
        ]
        text = "[\n" + ",\n".join(f" {json.dumps(row)}" for row in rows) + "\n]\n"
        (FOLDER / f"{name}.json").write_text(text, "utf-8")
        print(text)


if __name__ == "__main__":
    main()
