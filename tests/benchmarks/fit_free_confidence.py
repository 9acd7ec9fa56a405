"""Fits how sure a find of a free face is, on drawn tables; prints the factors of `vision.free.confidence`.

    python -m tests.benchmarks.fit_free_confidence [--seeds N] [--tables N]

Games are drawn from seed 2000 on, which no other benchmark uses, each copy in its own art. Every face that is
found counts as right or wrong by the exact truth. Every third seed is held back: of it only the reliability
is told.
"""

from __future__ import annotations

import argparse
import itertools
import os
from collections.abc import Iterator

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np

from tests.helpers.drawn_game import FREE_GAMES, DrawnGame
from tests.helpers.drawn_profile import true_profile
from vision.arrays import Bools, Floats
from vision.free.comparison import Evidence, tell_alike
from vision.free.confidence import confidence_of, features_of
from vision.free.known_faces import Deck, decks_of
from vision.free.learnt_faces import known_faces_of
from vision.free.outlines import OutlineFinder
from vision.free.peeling import Find, Peeling
from vision.free_reader import known_paints_of, tokens_of
from vision.geometry.rectify import Flat, flat_maps, flatten
from vision.simulation.free_camera import LaidTable

FIRST_SEED = 2000
HELD_BACK = 3
SCALE = 1.4
PLANE_MM = 0.4
LEAST = 0.02
OFF_MM = 6.0
# Pulls the factors towards 0: so many finds would tell less than this.
RIDGE = 0.3
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


def finds_of(name: str, seed: int, tables: int) -> Iterator[tuple[Floats, bool]]:
    """Yield what is found on the tables of one game, likely or not: its features, and whether it is there."""
    drawn = DrawnGame(name, seed, size_wh=(1920, 1080))
    camera, layout = drawn.copy.camera, drawn.copy.arranger.layout
    points = np.array([point for area in layout.areas.values() for point in area.outline_mm])
    low, high = points.min(axis=0), points.max(axis=0)
    flat = Flat.around(low[0], high[0], low[1], high[1], SCALE, PLANE_MM)
    maps = flat_maps(camera.studio.pose, flat)
    wanted, profile = set(drawn.pieces.in_play(drawn.header)), true_profile(drawn)
    faces = [one for one in known_faces_of(profile) if one.name in wanted]
    decks = decks_of(faces, SCALE, tokens_of(known_paints_of(profile)))
    for deck in decks:
        tell_alike(deck)
    outlines = OutlineFinder([deck.size_mm for deck in decks], SCALE)
    moments = itertools.islice(drawn.moments(at_rest=True), 4, 4 + 7 * tables, 7)
    for number, moment in enumerate(moments):
        picture = flatten(camera.frame(moment.table, t=float(number)), maps)
        peeling = Peeling(picture, SCALE, decks, confidence_of)
        peeling.peel(outlines.find(picture, np.ones(picture.shape[:2], np.bool_)), LEAST)
        for find in peeling.finds:
            yield features_of(find.evidence, find.support), is_right(find, flat, moment.table)


def is_right(find: Find, flat: Flat, table: LaidTable) -> bool:
    """Whether a face lies where it was found."""
    names, found = _names(find.deck, find.evidence), flat.to_mm(find.corners())
    for one in table.flat:
        if one.face.name not in names:
            continue
        there = np.array(one.pose.corners_mm())[:, :2]
        turns = range(4) if one.face.is_back else range(1)
        off = min(float(np.hypot(*(np.roll(there, turn, axis=0) - found).T).max()) for turn in turns)
        # What lies higher seems to lie further out.
        if off < OFF_MM + 0.3 * one.top_mm:
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
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tables", type=int, default=4)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    learnt: list[tuple[Floats, bool]] = []
    kept: list[tuple[Floats, bool]] = []
    for seed, name in itertools.product(range(wanted.seeds), FREE_GAMES):
        some = list(finds_of(name, FIRST_SEED + seed, wanted.tables))
        (kept if seed % HELD_BACK == HELD_BACK - 1 else learnt).extend(some)
        print(f"{name} {FIRST_SEED + seed}: {len(some)}, wrong {sum(not one for _, one in some)}", flush=True)
    features, right = (np.array(one) for one in zip(*learnt, strict=True))
    factors = fitted(features, right)
    for what, some in (("learnt from", learnt), ("held back", kept)):
        if some:
            print(what, *reliability(factors, *(np.array(one) for one in zip(*some, strict=True))), sep="\n")
    print("factors", np.round(factors, 3).tolist())


if __name__ == "__main__":
    main()
