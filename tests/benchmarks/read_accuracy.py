"""How well photographs are read: enrols from SET/enrol, reads SET/frames, compares with SET/truth.jsonl.

    python tests/benchmarks/read_accuracy.py [SET...] [--cross] [--every N] [--verbose]

Prints for every kind of place: right, abstained, wrong, wrong though sure (0.99 or more), claimed though
hidden, and claimed wrongly of these. Boxes of which less than 0.3 can be seen count as hidden; those of which
at least half can be seen are also counted by themselves.
The sample sets are looked for in MOONTABLE_SAMPLES or in ../shared/tablecam beside the repository.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from calibration.pointed_board import PointedBoard, read_pointed_board  # noqa: E402
from calibration.profile import Profile  # noqa: E402
from companion.games.blue_moon_city.layout import table_layout  # noqa: E402
from companion.observation import Observation  # noqa: E402
from companion.table import Picture, Place, Value, kind_of, parts_of, place  # noqa: E402
from vision.enrolment.enrol import Photographs, enrol  # noqa: E402
from vision.reader import Reader  # noqa: E402

SURE = 0.99
KINDS = ("cell", "box", "figure", "dragon", "obelisk")
HALF_SEEN = "box half"


def samples() -> Path:
    """Return the folder of the sample sets."""
    return Path(os.environ.get("MOONTABLE_SAMPLES", ROOT.parent / "shared" / "tablecam"))


def picture_of(table: Mapping[str, Any]) -> dict[Place, Value]:
    """Return the picture of a Blue Moon City table state."""
    picture: dict[Place, Value] = {}
    for cell, found in table["cells"].items():
        picture[place("cell", cell)] = f"{found['tile']}/{found['side']}"
    for cell, owners in table["boxes"].items():
        for number, owner in enumerate(owners):
            picture[place("box", cell, number)] = owner
    picture |= {place("figure", name): cell for name, cell in table["pawns"].items()}
    picture |= {place("dragon", name): cell for name, cell in table["dragons"].items()}
    picture |= {place("obelisk", number): owner for number, owner in enumerate(table["obelisk"])}
    return picture


def half_seen_of(truth: Mapping[str, Any]) -> set[Place]:
    """Return the boxes of which, or of the marker on which, at least half can be seen."""
    return {
        place("box", cell, number)
        for cell, boxes in truth["boxes"].items()
        for number, one in enumerate(boxes)
        if (one.get("cube") or one).get("visible", 1.0) >= 0.5
    }


def hidden_of(truth: Mapping[str, Any]) -> set[Place]:
    """Return the places that truly cannot be seen: more than half covered by a hand, or not visible."""
    hidden = {place("cell", cell) for cell, one in truth["cells"].items() if one["hand_occlusion"] > 0.5}
    for cell, boxes in truth["boxes"].items():
        for number, one in enumerate(boxes):
            # Of a box with a marker on it that is what must be seen.
            if one["hand_occlusion"] > 0.5 or (one.get("cube") or one).get("visible", 1.0) < 0.3:
                hidden.add(place("box", cell, number))
    for one in truth["figures"]:
        if one["hand_occlusion"] > 0.6:
            hidden.add(place("dragon" if one["kind"] == "dragon" else "figure", one["name"]))
    return hidden


def boxes_of_tile(folder: Path) -> dict[str, int]:
    """Return how many boxes every tile has, from the pieces' table state and the catalogue of the truth."""
    counts: dict[str, int] = {}
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        truth = json.loads(line)
        for cell, boxes in truth["boxes"].items():
            counts[truth["cells"][cell]["tile"]] = len(boxes)
    state = json.loads((folder / "enrol" / "pieces.json").read_text())
    for cell, owners in state["boxes"].items():
        counts[state["cells"][cell]["tile"]] = len(owners)
    return counts


def pointed_board(folder: Path) -> PointedBoard | None:
    """Return where the board's boxes are in a set's photographs, if it says so."""
    file = folder / "enrol" / "board.json"
    boxes = sum(table_layout().board_rows)
    return read_pointed_board(file, boxes) if file.exists() else None


def learn(folder: Path, *, is_pointed: bool = True) -> Profile:
    """Enrol a set; with `is_pointed` the board's boxes are pointed at where the set does so."""
    state = json.loads((folder / "enrol" / "pieces.json").read_text())
    header = json.loads((folder / "setup.json").read_text())
    photographs = Photographs(
        **{
            name: np.asarray(cv2.imread(str(folder / "enrol" / f"{name}.jpg")), np.uint8)
            for name in ("empty", "sketch", "built", "pieces")
        },
        tiles=json.loads((folder / "enrol" / "layout.json").read_text()),
        shown=picture_of(state),
        board=pointed_board(folder) if is_pointed else None,
    )
    return enrol(
        photographs,
        table_layout(),
        edition=header["edition"],
        players=tuple(header["players"]),
        boxes_of_tile=boxes_of_tile(folder),
    )


def frames(folder: Path, every: int) -> Iterator[tuple[dict[str, Any], np.ndarray[Any, Any]]]:
    """Yield truth and picture of every N-th frame, all those without it."""
    for line in (folder / "truth.jsonl").read_text().splitlines()[::every]:
        truth = json.loads(line)
        yield truth, np.asarray(cv2.imread(str(folder / "frames" / truth["frame"])), np.uint8)


class Score:
    """Counts of what became of every place."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {kind: Counter() for kind in (*KINDS, HALF_SEEN, "board")}
        self.faults: list[str] = []
        self.times_ms: list[float] = []

    def add(self, truth: Mapping[str, Any], seen: Observation) -> None:
        """Compare one observation."""
        wanted, hidden, exact = picture_of(truth["state"]), hidden_of(truth), True
        half_seen = half_seen_of(truth) - hidden
        for where, value in wanted.items():
            kind = kind_of(where)
            claim = seen.sightings.get(where)
            count = self.counts[kind]
            if where in hidden:
                count["hidden"] += 1
                count["hidden claimed"] += claim is not None
                count["hidden wrong"] += claim is not None and claim.value != value
                if claim is not None:
                    self.faults.append(
                        f"{truth['frame']} HIDDEN {where} claimed {claim.value} {claim.confidence:.3f}"
                    )
                continue
            if where in half_seen:
                fate = "abstained" if claim is None else "right" if claim.value == value else "wrong"
                self.counts[HALF_SEEN][fate] += 1
            if claim is None:
                count["abstained"] += 1
                self.faults.append(f"{truth['frame']} abstained {where} = {value}")
                continue
            right = claim.value == value
            count["right" if right else "wrong"] += 1
            if not right:
                exact = False
                count["wrong and sure"] += claim.confidence >= SURE
                self.faults.append(
                    f"{truth['frame']} WRONG {where} = {value}: {claim.value} {claim.confidence:.3f}"
                )
        extra = set(seen.sightings) - set(wanted)
        for where in extra:
            if kind_of(where) in KINDS and not (
                kind_of(where) == "box" and parts_of(where)[0] in truth["boxes"]
            ):
                self.faults.append(f"{truth['frame']} EXTRA {where} {seen.sightings[where].value}")
        self.counts["board"]["right" if exact else "wrong"] += 1
        hand = bool(truth["hands"])
        self.counts["board"]["hand right" if hand == seen.busy else "hand wrong"] += 1
        if hand != seen.busy:
            self.faults.append(f"{truth['frame']} HAND {hand} read {seen.busy}")

    def show(self, title: str) -> None:
        """Print the counts."""
        if not self.times_ms:
            return
        print(f"== {title}: median {np.median(self.times_ms):.0f} ms of processor time a read")
        for kind, count in self.counts.items():
            total = count["right"] + count["abstained"] + count["wrong"]
            if total:
                print(
                    f"  {kind:8} n {total:5}  right {100 * count['right'] / total:6.2f} %  abstained "
                    f"{100 * count['abstained'] / total:5.2f} %  wrong {count['wrong']:3}  wrong and sure "
                    f"{count['wrong and sure']:3}  hidden {count['hidden']:4} claimed "
                    f"{count['hidden claimed']:3} wrongly {count['hidden wrong']:3}"
                    + (f"  hand told {count['hand right']}/{total}" if kind == "board" else "")
                )


def run(reader_profile: Profile, folder: Path, every: int, title: str) -> Score:
    """Read a set with a profile, each picture by itself."""
    settled, handled = Score(), Score()
    reader = Reader(reader_profile)
    for truth, frame in frames(folder, every):
        reader.forget()
        started = time.process_time()
        seen = reader.read(frame, seq=truth["index"], seen_at_s=truth["t"], source="bench")
        score = handled if truth["hands"] else settled
        score.times_ms.append(1000 * (time.process_time() - started))
        score.add(truth, seen)
    settled.show(f"{title}, settled")
    handled.show(f"{title}, with hands")
    settled.faults += handled.faults
    return settled


def shown_picture(picture: Picture) -> str:
    """Return a picture as one line a place, for looking at faults."""
    return "\n".join(f"{where} {value}" for where, value in sorted(picture.items()))


def main() -> int:
    """Run from the command line."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=["s1", "s2", "s3", "s4", "game-1"])
    parser.add_argument("--cross", action="store_true", help="also read every set with every other's profile")
    parser.add_argument("--every", type=int, default=1, help="only every N-th frame of a set")
    parser.add_argument(
        "--unpointed", action="store_true", help="find the boards without SET/enrol/board.json"
    )
    parser.add_argument("--verbose", action="store_true", help="list what was not right")
    options = parser.parse_args()
    profiles = {name: learn(samples() / name, is_pointed=not options.unpointed) for name in options.sets}
    for name, profile in profiles.items():
        for one in profile.not_learnt:
            print(f"{name}: {one.what} not learnt: {one.why}")
    for learnt, profile in profiles.items():
        for name in options.sets if options.cross else [learnt]:
            score = run(profile, samples() / name, options.every, f"{name} read with {learnt}")
            if options.verbose:
                print("\n".join("    " + fault for fault in score.faults))
    return 0


if __name__ == "__main__":
    sys.exit(main())
