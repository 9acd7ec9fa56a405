"""Print the lines of each game by what they are for, tests aside.

python tests/benchmarks/game_sizes.py
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = ("blue_moon_city", "nova_luna", "urbion", "blue_moon_legends")
# Which module is for what; every other one is rules.
GROUPS = {
    "record, table": {"record", "table"},
    "explain": {"reconcile", "loose_pieces"},
    "words": {"prompts", "texts", "descriptions"},
    "window": {"presenter"},
    "the door": {"game", "__init__", "__main__"},
}


def sizes(folder: Path) -> dict[str, int]:
    """Return the lines of a game's room by group."""
    found = dict.fromkeys(["rules", *GROUPS], 0)
    for path in sorted(folder.glob("**/*.py")):
        group = next(
            (name for name, modules in GROUPS.items() if modules & {path.stem, path.parent.name}), "rules"
        )
        found[group] += len(path.read_text(encoding="utf-8").splitlines())
    return found


def main() -> None:
    """Print the table."""
    groups = ["rules", *GROUPS, "whole"]
    print(f"| game | {' | '.join(groups)} |")
    print(f"|---|{'---|' * len(groups)}")
    for name in NAMES:
        found = sizes(ROOT / "companion" / "games" / name)
        cells = [*found.values(), sum(found.values())]
        print(f"| {name} | {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
