"""Fits how sure a find of a free face is, on drawn tables; prints the factors of `vision.free.confidence`.

    python -m tests.benchmarks.fit_free_confidence [--games NAME...] [--seeds N] [--tables N]

Games are drawn from seed 2000 on, which no other benchmark uses, each copy in its own art and in a room drawn
at random, where it is learnt on one evening and seen on another; over every third table reaches a hand. Every
face that is compared with a place and has rivals counts as right or wrong by the exact truth. Every third
seed is held back: of it only the reliability is told. The finds of several games are fitted together.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
from collections.abc import Iterator
from unittest.mock import patch

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np

from companion.games import registry
from companion.simulation.table import SimulatedTable
from tests.helpers.drawn_game import FREE_GAMES
from tests.helpers.drawn_rooms import copy_in_room
from ui.assembly.free_demo import FreeDemo
from ui.assembly.free_table import free_reader
from vision.arrays import Bools, Floats
from vision.free.comparison import Evidence, Pose
from vision.free.confidence import features_of
from vision.free.known_faces import Deck
from vision.free.peeling import Find, Peeling
from vision.free.places import Spot
from vision.geometry.rectify import Flat
from vision.simulation.free_camera import LaidTable
from vision.simulation.free_frames import FilmedTable, hand_over

FIRST_SEED = 2000
HELD_BACK = 3
# So many actions lie between two tables; over every third of them reaches a hand.
APART, WITH_HAND = 6, 3
OFF_MM = 6.0
# Backs on a pile are nearer to the camera and seem to lie further out, mm at most.
PILED_MM = 15.0
# Pulls the factors towards 0: so many finds would tell less than this.
RIDGE = 0.3
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


def finds_of(name: str, seed: int, tables: int) -> Iterator[tuple[Floats, bool]]:
    """Yield what is compared on the tables of one game, likely or not: features, and whether it is there."""
    game, rng = registry.lookup(name), random.Random(seed)
    header = game.deal(rng, {})
    table = SimulatedTable(game, header, rng, stages=game.stages)
    first, later = (copy_in_room(name, seed, header["players"], evening=evening) for evening in (0, 1))
    profile = FreeDemo(game, header, seed, first).learn(lambda *_: None)
    scenes = FreeDemo(game, header, seed, later).scenes(table, table.moments())
    compared = Peeling._compared
    finds: list[Find] = []

    def noted(peeling: Peeling, place: Spot, face: int, start: Pose) -> Find | None:
        find = compared(peeling, place, face, start)
        finds.extend([] if find is None else [find])
        return find

    for number, scene in enumerate(_some(table, scenes, tables)):
        reader = free_reader(name, profile, header["players"], header=header)
        finds.clear()
        frame = later.camera.frame(scene.table, hand_pose=hand_over(scene), t=float(number))
        with patch.object(Peeling, "_compared", noted):
            reader.read(frame, seq=number, seen_at_s=float(number), source="drawn")
        if not reader.is_found:
            continue
        seen = set[tuple[int, int, int]]()
        for find in finds:
            pose = find.evidence.pose
            key = find.evidence.face, round(pose.x), round(pose.y)
            if key not in seen and find.evidence.closest:
                seen.add(key)
                yield features_of(find.evidence, find.support), is_right(find, reader.flat, scene.table)


def _some(
    table: SimulatedTable[object, object], scenes: Iterator[FilmedTable], many: int
) -> Iterator[FilmedTable]:
    """Yield so many scenes of a game, some actions apart."""
    number = 0
    for scene in scenes:
        if number == many:
            break
        has_hand = number % WITH_HAND == WITH_HAND - 1
        if len(table.actions) >= APART * number + APART // 2 and (scene.hand_over is not None) == has_hand:
            number += 1
            yield scene


def is_right(find: Find, flat: Flat, table: LaidTable) -> bool:
    """Whether a face lies where it was found."""
    names, found = _names(find.deck, find.evidence), flat.to_mm(find.corners())
    for one in table.flat:
        if one.face.name not in names:
            continue
        there = np.array(one.pose.corners_mm())[:, :2]
        turns = range(4) if one.face.is_back else range(1)
        off = min(float(np.hypot(*(np.roll(there, turn, axis=0) - found).T).max()) for turn in turns)
        if off < (PILED_MM if one.face.is_back else OFF_MM + 0.3 * one.top_mm):
            return True
    return False


def _names(deck: Deck, evidence: Evidence) -> set[str]:
    return {deck.faces[number].name for number in (evidence.face, *deck.alike[evidence.face])}


def fitted(features: Floats, right: Bools, rounds: int = 60) -> Floats:
    """Return the factors of a logistic model (iteratively reweighted least squares with a ridge)."""
    factors = np.zeros(features.shape[1])
    ridge = np.eye(len(factors)) * RIDGE
    ridge[0, 0] = 1e-3
    for _ in range(rounds):
        likely = 1 / (1 + np.exp(-np.clip(features @ factors, -30, 30)))
        weight = likely * (1 - likely) + 1e-9
        pull = features.T @ (right - likely) - ridge @ factors
        step = np.linalg.solve((features.T * weight) @ features + ridge, pull)
        # Full steps overshoot where the classes are nearly apart.
        factors = factors + step / max(1.0, float(np.abs(step).max()) / 2.0)
    return np.asarray(factors, np.float64)


def reliability(factors: Floats, features: Floats, right: Bools) -> Iterator[str]:
    """Yield how often finds of each confidence were right."""
    likely = 1 / (1 + np.exp(-np.clip(features @ factors, -30, 30)))
    for low, high in itertools.pairwise(BINS):
        there = (likely >= low) & (likely < high)
        if there.any():
            share, many = float(right[there].mean()), int(there.sum())
            yield f"  claimed {float(likely[there].mean()):.3f}: {share:.3f} of {many} right"


def main() -> None:
    """Draw, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--games", choices=FREE_GAMES, nargs="+", default=["urbion", "blue_moon_legends"])
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    learnt: list[tuple[Floats, bool]] = []
    kept: list[tuple[Floats, bool]] = []
    for name, seed in itertools.product(wanted.games, range(wanted.seeds)):
        some = list(finds_of(name, FIRST_SEED + seed, wanted.tables))
        (kept if seed % HELD_BACK == HELD_BACK - 1 else learnt).extend(some)
        print(f"{name} {FIRST_SEED + seed}: {len(some)}, wrong {sum(not one for _, one in some)}", flush=True)
    features, right = (np.array(one) for one in zip(*learnt, strict=True))
    factors = fitted(features, right)
    for what, some in (("learnt from", learnt), ("held back", kept)):
        if some:
            told = (np.array(one) for one in zip(*some, strict=True))
            print(what, *reliability(factors, *told), sep="\n")
    print("factors", np.round(factors, 3).tolist())


if __name__ == "__main__":
    main()
