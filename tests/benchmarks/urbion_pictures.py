"""Photo-like pictures of Urbion, read each by itself and judged by their exact truth; a line a set.

``python -m tests.benchmarks.urbion_pictures [SET ...] [--verbose]``: each set is a folder with `enrol/`
(photographs and `photos.json`), `frames/` and `truth.jsonl`; without one, the golden pictures are read. The
cards are learnt from the set's own photographs. Printed are the places told rightly, left open and told
wrongly; cards of one hand or of one side of a row lie in no order. `--verbose` lists what is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games import registry
from companion.table import Place, Value
from tests.helpers.free_areas import groups_of
from tests.helpers.golden import GOLDEN
from ui.assembly.free_table import free_reader
from ui.assembly.layouts import layout_of
from vision.enrolment.copy_photographs import read_copy_photographs
from vision.enrolment.free_copy import learn_copy

NAME = "urbion"
GAME = registry.lookup(NAME)


def judged(told: Mapping[Place, Value], true: Mapping[Place, Value]) -> Iterator[tuple[str, str]]:
    """Yield for each place of the truth how it was told, and where that is."""
    found = groups_of(GAME, {where: value for where, value in told.items() if where in true})
    for group, values in groups_of(GAME, true).items():
        claimed = found.get(group, Counter())
        right = (claimed & values).total()
        yield from (("right", group) for _ in range(right))
        yield from (("wrong", group) for _ in range(claimed.total() - right))
        yield from (("open", group) for _ in range(values.total() - claimed.total()))


def read_set(folder: Path, *, is_verbose: bool) -> Counter[str]:
    """Read all frames of a set; return how many places were told how."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    players = tuple(truth[0]["state"]["hands"])
    pieces, options = registry.pieces(NAME), {"players": list(players)}
    photographs, _ = read_copy_photographs(folder / "enrol", pieces)
    profile = learn_copy(NAME, pieces, layout_of(NAME, players), players, photographs).profile
    counts: Counter[str] = Counter()
    for number, one in enumerate(truth):
        picture: Any = cv2.imread(str(folder / "frames" / one["frame"]))
        reader = free_reader(NAME, profile, players)
        seen = reader.read(np.asarray(picture, np.uint8), seq=number, seen_at_s=float(number), source="set")
        located = GAME.laid_out(options, seen)
        told = {where: sighting.value for where, sighting in located.sightings.items()}
        for how, group in judged(told, GAME.parse_table(one["state"])):
            counts[how] += 1
            if is_verbose and how == "wrong":
                print(f"  {one['frame']}: {group}")
    return counts


def main() -> int:
    """Read and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", type=Path, metavar="SET", default=[GOLDEN / NAME])
    parser.add_argument("--verbose", action="store_true")
    chosen = parser.parse_args()
    for folder in chosen.sets:
        counts = read_set(folder, is_verbose=chosen.verbose)
        print(f"{folder.name}: right {counts['right']}, open {counts['open']}, wrong {counts['wrong']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
