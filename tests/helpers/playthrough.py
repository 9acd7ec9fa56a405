"""A game as text that people can read: every action and all that it changed.

    python -m tests.helpers.playthrough

writes `tests/golden/playthroughs` anew; look at the difference before keeping it. The words are those of the
record, so that a change of the window's wording changes nothing here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.games import registry
from tests.helpers.golden import GOLDEN

FOLDER = GOLDEN / "playthroughs"
# The records that are told, by the name of the game.
TOLD = {
    "blue_moon_city": "bmc-1-2p-kosmos-2006",
    "blue_moon_legends": "legends-1-vulca-hoax",
    "nova_luna": "nova-2-2p",
    "urbion": "urbion-2-2p",
}


def playthrough(record: Path) -> Iterator[str]:
    """Yield the lines of a record's story: the set-up, then each action with the facts that it changed."""
    header, *lines = [json.loads(text) for text in record.read_text("utf-8").splitlines()]
    game = registry.lookup(header["game"])
    state = game.start(header)
    facts = _facts(game.checkpoint(state))
    yield f"{header['game']}: {', '.join(header['players'])}"
    yield from (f"    {name}: {value}" for name, value in facts.items())
    for number, line in enumerate((line for line in lines if not {"check", "result"} & line.keys()), 1):
        state, _ = game.apply(state, game.parse_action(line))
        yield f"{number} {_told(line)}"
        before, facts = facts, _facts(game.checkpoint(state))
        yield from _changes(before, facts)
    yield f"the end: {_told(game.result(state) or {})}"


def _told(line: Mapping[str, Any]) -> str:
    """Return a record's line in words: who, what, and every other key with its value."""
    rest = [f"{key} {_plain(value)}" for key, value in line.items() if key not in ("player", "do")]
    who = f"{line['player']}: {line['do']}" if "do" in line else ""
    return ", ".join([who, *rest] if who else rest)


def _plain(value: object) -> str:
    """Return a value without the marks of JSON."""
    if isinstance(value, list):
        return "(" + " ".join(map(_plain, value)) + ")"
    if isinstance(value, dict):
        return "{" + " ".join(f"{key}={_plain(one)}" for key, one in value.items()) + "}"
    return "-" if value is None else str(value)


def _facts(found: object, name: str = "") -> dict[str, str]:
    """Return the leaves of a checkpoint by the way to them; lists of plain values are leaves."""
    parts: dict[str, Any] = {}
    if isinstance(found, dict):
        parts = found
    elif isinstance(found, list) and any(isinstance(one, dict) for one in found):
        parts = {str(number): one for number, one in enumerate(found)}
    if not parts:
        return {name: _plain(found)}
    facts: dict[str, str] = {}
    for key, value in sorted(parts.items()):
        facts |= _facts(value, f"{name}.{key}" if name else key)
    return facts


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield f"    {name}: {before.get(name, 'not there')} -> {after.get(name, 'not there')}"


def main() -> None:
    """Write every playthrough."""
    for game, record in TOLD.items():
        text = "\n".join(playthrough(GOLDEN / "records" / f"{record}.jsonl")) + "\n"
        (FOLDER / f"{game}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
