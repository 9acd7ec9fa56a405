"""The training command: from what was drawn to models that OpenCV runs."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from vision.free.solid_patches import CHANNELS as SOLID_CHANNELS
from vision.geometry.upright import SIZE_PX as LOOK_PX
from vision.models.network import FOLDER, Network
from vision.pieces.box_measures import MEASURES, OWNER_MEASURES
from vision.pieces.box_patches import COLOUR_CHANNELS, FILL_CHANNELS, SIZE_PX
from vision.pieces.standing_measures import COMMON, LOOKS, MOST_PLACES
from vision.pieces.standing_measures import MEASURES as OF_PLACE
from vision.pieces.standing_patches import CHANNELS
from vision.pieces.suspects import MEASURES as OF_SUSPECT
from vision.pieces.tile_recogniser import MEASURES as OF_TILE
from vision.training.box_samples import BARE, GROUPS, HIDDEN, MARKER, BoxSamples
from vision.training.look_samples import LookSamples
from vision.training.loose_samples import LooseSamples
from vision.training.piece_samples import AWAY, PieceSamples
from vision.training.tile_samples import TileSamples

pytest.importorskip("torch", reason="what training needs is not installed: .ci/setup train")
from vision.training.__main__ import contradicted, kept_file, main

COUNT, CANDIDATES = 90, 3
WEIGHED = (*range(5, 10), *range(15, 20))
"""Of the numbers up to 20: tables of which the classifiers learn that weigh what the networks say."""


def _made_up(table: int) -> BoxSamples:
    """Return boxes that anybody could tell: bare ones as learnt, markers of one colour, hidden ones black."""
    dice = np.random.default_rng(table)
    holds = dice.integers(0, 3, COUNT)
    fills = np.zeros((COUNT, FILL_CHANNELS, SIZE_PX, SIZE_PX), np.uint8)
    fills[:, :6] = dice.integers(90, 110, (COUNT, 6, SIZE_PX, SIZE_PX))
    fills[holds == MARKER, :3, 6:18, 6:18] = 220
    fills[holds == HIDDEN, :3] = 0
    own = dice.integers(0, CANDIDATES, int((holds == MARKER).sum()))
    is_own = np.concatenate([np.arange(CANDIDATES) == one for one in own]).astype(np.float64)
    colours = np.full((len(is_own), COLOUR_CHANNELS, SIZE_PX, SIZE_PX), 80, np.uint8)
    colours[is_own == 1, 7:13] = 200
    measured = np.zeros((COUNT, MEASURES), np.float32)
    measured[:, 0] = dice.normal(holds == BARE, 0.3)
    known = np.zeros((len(is_own), OWNER_MEASURES), np.float32)
    known[:, 1] = dice.normal(is_own, 0.3)
    return BoxSamples(
        fills=fills,
        holds=holds.astype(np.float64),
        measures=measured,
        where=np.zeros(COUNT),
        tables=np.full(COUNT, float(table)),
        colours=colours,
        is_own=is_own,
        groups=np.repeat(np.arange(len(own)), CANDIDATES) + float(table * GROUPS),
        owner_measures=known,
    )


def _pieces(table: int) -> PieceSamples:
    """Return suspects and places that anybody could tell: hands are large, pieces stand where they fit.

    Of tables that are not for weighing there are no places.
    """
    dice = np.random.default_rng(table)
    arms = dice.choice((0.0, 0.3, 1.0), COUNT)
    suspects = (arms[:, None] + dice.normal(0, 0.1, (COUNT, OF_SUSPECT))).astype(np.float32)
    stands = dice.integers(0, AWAY + 1, COUNT)
    places = dice.normal(0, 0.05, (COUNT, MOST_PLACES, OF_PLACE)).astype(np.float32)
    is_there = stands < AWAY
    places[np.flatnonzero(is_there), stands[is_there]] += 1
    common = dice.normal(0, 0.05, (COUNT, COMMON)).astype(np.float32)
    odds = dice.normal(-3, 1, (COUNT, MOST_PLACES, LOOKS)).astype(np.float32)
    odds[np.flatnonzero(is_there), stands[is_there]] += 5
    some = slice(None if table in WEIGHED else 0)
    return PieceSamples(
        suspects=suspects,
        arms=arms,
        tables=np.full(COUNT, float(table)),
        places=places[some],
        counts=np.full(COUNT, float(MOST_PLACES))[some],
        odds=odds[some],
        common=common[some],
        cells=np.tile(np.arange(float(MOST_PLACES)), (COUNT, 1))[some],
        stands=stands.astype(np.float64)[some],
        piece_tables=np.full(COUNT, float(table))[some],
    )


def _looks(table: int) -> LookSamples:
    """Return places that anybody could tell: where a piece stands it is bright."""
    dice = np.random.default_rng(table)
    is_there = dice.integers(0, 2, COUNT)
    places = np.full((COUNT, CHANNELS, LOOK_PX, LOOK_PX), 80, np.uint8)
    places[is_there == 1, :3, 8:26, 8:24] = 200
    return LookSamples(
        places=places, is_there=is_there.astype(np.float64), place_tables=np.full(COUNT, float(table))
    )


def _tiles(table: int) -> TileSamples:
    """Return matches that anybody could tell: what is right agrees well, and its rivals do not."""
    dice = np.random.default_rng(table)
    is_right = dice.integers(0, 2, COUNT)
    tiles = (is_right[:, None] + dice.normal(0, 0.1, (COUNT, OF_TILE))).astype(np.float32)
    return TileSamples(
        tiles=tiles, is_right=is_right.astype(np.float64), tile_tables=np.full(COUNT, float(table))
    )


def _keep_loose(table: int, folder: Path) -> None:
    """Keep places of a table on which pieces lie anywhere, that anybody could tell, as if drawn."""
    dice = np.random.default_rng(table)
    is_piece = dice.integers(0, 2, COUNT)
    solids = np.full((COUNT, SOLID_CHANNELS, LOOK_PX, LOOK_PX), 80, np.uint8)
    solids[is_piece == 1, :3, 8:26, 8:24] = 200
    kept = LooseSamples(
        solids=solids, is_piece=is_piece.astype(np.float64), solid_tables=np.full(COUNT, float(table))
    )
    (folder / "loose").mkdir(exist_ok=True)
    arrays = {f"LooseSamples.{at.name}": getattr(kept, at.name) for at in fields(kept)}
    np.savez_compressed(folder / "loose" / f"{table}-1.npz", **arrays)


def _keep(table: int, folder: Path, look: Path = FOLDER) -> None:
    """Keep made-up samples as if they had been drawn, those for weighing with the network in a folder."""
    drawn = (_made_up(table), _pieces(table), _looks(table), _tiles(table))
    arrays = {f"{type(one).__name__}.{at.name}": getattr(one, at.name) for one in drawn for at in fields(one)}
    np.savez_compressed(kept_file(table, 2, folder, look if table in WEIGHED else None), **arrays)


def test_models_are_trained_from_what_was_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Kept tables are not drawn again; models and cards are written, and tell what held-back tables show."""
    cache, out = tmp_path / "cache", tmp_path / "out"
    cache.mkdir()
    for table in range(10, 15):
        _keep(table, cache)
    (cache / "20-2.npz").touch()
    told = ["--cache", str(cache), "--out", str(out), "--frames", "2", "--epochs", "30"]

    for table in range(10, 15):
        _keep_loose(table, cache)

    assert main([*told, "--only", "look", "solids", "--first", "10", "--tables", "5"]) == 0
    # What was weighed against another network's words does not count.
    _keep(5, cache, FOLDER)
    for table in WEIGHED:
        _keep(table, cache, out)
    others = ["--only", "boxes", "hands", "tiles", "standing", "--first", "5", "--tables", "16"]
    assert main([*told, *others]) == 0
    printed = capsys.readouterr().out
    fill, colour = Network.load("box_fill", out), Network.load("box_colour", out)

    assert "table 5" not in printed
    assert "box_fill_classifier on tiles" in printed
    assert fill.card.figures["samples"] == COUNT
    assert fill.card.figures["right"] > 0.95
    assert colour.card.figures["right"] > 0.95
    for name in ("box_fill_classifier", "box_owner_classifier", "hand_classifier", "tile_classifier"):
        assert Network.load(name, out).card.figures["right"] > 0.95
    for name in ("standing_look", "solid_look"):
        assert Network.load(name, out).card.figures["right"] > 0.95
    for name in ("standing_classifier", "nowhere_classifier"):
        assert Network.load(name, out).card.figures["right"] > 0.8
    unseen = _made_up(99)
    claimed = fill.probabilities(unseen.fills).argmax(axis=1)
    assert (claimed == unseen.holds).mean() > 0.95
    assert {BARE, MARKER, HIDDEN} == set(claimed.tolist())


def test_tables_whose_boxes_were_learnt_in_the_wrong_place_are_told() -> None:
    """What is seen there contradicts the truth again and again; a single error is none."""
    tables = np.repeat([1.0, 2.0], 50)
    holds = np.zeros(100)
    chances = np.tile(np.array([0.99, 0.005, 0.005], np.float32), (100, 1))
    chances[[3, 60, 61, 62, 63]] = (0.01, 0.98, 0.01)

    assert contradicted(chances, holds, tables) == [2.0]


def test_what_is_kept_suffices(tmp_path: Path) -> None:
    """With --kept nothing is drawn, however many tables there should be."""
    for table in (5, 6, 9, 10):
        _keep(table, tmp_path)
    out = tmp_path / "out"

    told = ["--cache", str(tmp_path), "--out", str(out), "--epochs", "1", "--kept"]
    assert main([*told, "--only", "boxes"]) == 0
    assert Network.load("box_fill", out).card.figures["samples"] == COUNT


def test_what_was_weighed_against_another_network_does_not_suffice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must be drawn again; who forbids that is told so."""
    for table in (5, 6, 10):
        _keep(table, tmp_path)
        _keep_loose(table, tmp_path)

    with pytest.raises(SystemExit):
        main(["--cache", str(tmp_path), "--out", str(tmp_path / "out"), "--epochs", "1", "--kept"])
    assert "without --kept" in capsys.readouterr().err


def test_without_tables_on_which_pieces_lie_anywhere_these_are_not_learnt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who forbids to draw any is told so."""
    with pytest.raises(SystemExit):
        main(["--cache", str(tmp_path), "--out", str(tmp_path / "out"), "--only", "solids", "--kept"])
    assert "without --kept" in capsys.readouterr().err
