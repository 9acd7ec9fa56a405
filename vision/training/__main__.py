"""Train the recognisers: `python -m vision.training --tables N --cache DIR [--out DIR]`.

Tables are drawn one after another and kept in the cache folder, so that a run that was cut off goes on where
it was. Every fifth table is held back: of it temperature and figures are told, never weights.

What a network says that looks at places is weighed against what is measured; that is learnt from tables that
the network never saw. They are read with it, so they are drawn once it is trained.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import cv2
import numpy as np
from torch import nn

from vision.arrays import Bools, Floats, Patches, Singles
from vision.free.solid_patches import CHANNELS as SOLID_CHANNELS
from vision.free.solid_patches import COLOURED as SOLID_COLOURED
from vision.free.solid_recogniser import NAME as SOLID
from vision.free.solid_recogniser import SEES as SOLID_SEES
from vision.geometry.upright import SIZE_PX as LOOK_PX
from vision.models.network import FOLDER, ModelCard, softmax
from vision.pieces.box_patches import COLOUR_CHANNELS, FILL_CHANNELS, SIZE_PX
from vision.pieces.hand_recogniser import KINDS
from vision.pieces.hand_recogniser import NAME as HAND
from vision.pieces.marker_recogniser import odds_of
from vision.pieces.standing_patches import CHANNELS as LOOK_CHANNELS
from vision.pieces.standing_patches import COLOURED as LOOK_COLOURED
from vision.pieces.standing_recogniser import (
    LOOK,
    NOWHERE,
    SEES,
    STANDS,
    best_odds,
    leads,
    rows_of_pieces,
    rows_of_places,
)
from vision.pieces.standing_recogniser import NAMES as STANDING
from vision.pieces.tile_recogniser import KINDS as TILE_KINDS
from vision.pieces.tile_recogniser import NAME as TILE
from vision.training.box_samples import FILLS, GROUPS, BoxSamples
from vision.training.calibration import fit_temperature
from vision.training.classifiers import Choices, Classifier, choice_scores, fit_choices, fit_classifier
from vision.training.fit import Haze, NetworkShape, Samples, Schedule, fit, scores, to_onnx
from vision.training.look_samples import LookSamples
from vision.training.loose_samples import LooseSamples, loose_samples_of
from vision.training.loose_tables import LooseTable
from vision.training.piece_samples import PieceSamples
from vision.training.report import TrainingReport, report
from vision.training.samples import AnySamples, samples_of
from vision.training.tables import RandomTable
from vision.training.tile_samples import TileSamples, with_twins

GROUPS_OF_MODELS = ("look", "boxes", "hands", "tiles", "standing", "solids")
HELD_BACK = 5
"""Every so manieth table is none to learn from."""
OWNERS = ("another", "own")
CLASSIFIER_EPOCHS = 40
TILE_EPOCHS = 30
STANDING_EPOCHS, STANDING_TIMES = 25, 5
# Of so many blocks of as many tables as `HELD_BACK` these are what classifiers learn from that weigh the
# networks' words with what is measured; networks learn from the others. Each block has a table held back.
_BLOCKS, _TO_WEIGH = 5, (1, 3)
_OF_WEIGHED = {"tiles", "standing"}
# Tables on which pieces lie anywhere are kept apart; each is seen on so many times fewer evenings.
_LOOSE, _FEWER = "loose", 4
# A suspect is a hand if an arm covers so much of it, and none if it covers less than the second share.
_ARM, _NO_ARM = 0.5, 0.05
# A table of which more of the boxes than this are surely seen to hold something else was learnt wrongly.
_SURELY, _CONTRADICTED = 0.97, 0.05
# Whether something is on a box is learnt from so many hazy patches: drawn lamps burn prints out more often.
_HAZE = Haze(share=0.5, lost=FILLS.index("cannot tell"))
_WIDTHS, _HIDDEN = (32, 64, 96, 128), 128
FILL = NetworkShape(
    channels=FILL_CHANNELS, size_px=SIZE_PX, coloured=(0, 3), widths=_WIDTHS, hidden=_HIDDEN, classes=3
)
COLOUR = NetworkShape(
    channels=COLOUR_CHANNELS,
    size_px=SIZE_PX,
    coloured=(0, 3, 7, 10),
    widths=_WIDTHS,
    hidden=_HIDDEN,
    classes=2,
)
LOOKS = NetworkShape(
    channels=LOOK_CHANNELS, size_px=LOOK_PX, coloured=LOOK_COLOURED, widths=_WIDTHS, hidden=_HIDDEN, classes=2
)
SOLIDS = NetworkShape(
    channels=SOLID_CHANNELS,
    size_px=LOOK_PX,
    coloured=SOLID_COLOURED,
    widths=(16, 24, 32, 40),
    hidden=24,
    classes=2,
)


def main(arguments: list[str] | None = None) -> int:
    """Draw tables, train, write the models and print the report."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--tables", type=int, default=400, help="how many tables are drawn")
    parser.add_argument("--first", type=int, default=0, help="number of the first table")
    parser.add_argument("--frames", type=int, default=24, help="pictures of each table in play")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--seed", type=int, default=0, help="of the weights and the order of learning")
    parser.add_argument("--jobs", type=int, default=1, help="tables drawn at a time")
    parser.add_argument("--cache", type=Path, required=True, help="folder that keeps what was drawn")
    parser.add_argument("--kept", action="store_true", help="learn from what the cache holds, draw nothing")
    parser.add_argument(
        "--only", choices=GROUPS_OF_MODELS, nargs="+", default=GROUPS_OF_MODELS, help="train these alone"
    )
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the models")
    told = parser.parse_args(arguments)
    told.cache.mkdir(parents=True, exist_ok=True)
    numbers, wanted = np.arange(told.first, told.first + told.tables), told.only
    is_weighed = _is_to_weigh(numbers)
    draw = partial(_drawn, frames=told.frames, cache=told.cache, jobs=0 if told.kept else told.jobs)
    schedule, reports = Schedule(epochs=told.epochs, seed=told.seed), list[TrainingReport]()
    if not {*wanted} <= {*_OF_WEIGHED, "solids"}:
        draw(numbers[~is_weighed].tolist(), look=None)
    if "look" in wanted:
        reports += _train_look(_kept(LookSamples, told.cache, None), schedule, told.out)
    if "solids" in wanted:
        loose = _loose_files(numbers.tolist(), told)
        if not loose:
            parser.error("the cache keeps no table on which pieces lie anywhere: draw some, without --kept")
        reports += _train_solids(_of_files(LooseSamples, loose), schedule, told.out)
    if {*wanted} <= {"look", "solids"}:
        print("\n\n".join(one.text for one in reports))
        return 0
    look = told.out if (told.out / f"{LOOK}.onnx").exists() else FOLDER
    draw(numbers[is_weighed].tolist(), look=look)
    if not any(_is_to_weigh(np.array(_number_of(file))) for file in _files_in(told.cache, look)):
        parser.error("no table in the cache was read with this network that looks: draw more, without --kept")
    if "boxes" in wanted:
        reports += _train_boxes(_kept(BoxSamples, told.cache, look), schedule, told.out)
    if "hands" in wanted:
        reports += _train_hands(_kept(PieceSamples, told.cache, look), told.out)
    if "tiles" in wanted:
        reports += _train_tiles(_kept(TileSamples, told.cache, look), told.out)
    if "standing" in wanted:
        reports += _train_standing(_kept(PieceSamples, told.cache, look), told.out)
    print("\n\n".join(one.text for one in reports))
    return 0


def _drawn(numbers: Sequence[int], *, look: Path | None, frames: int, cache: Path, jobs: int) -> None:
    """Draw tables that are not in the cache yet, so many at a time; none with no jobs."""
    _at_a_time(partial(_draw_once, frames=frames, cache=cache, look=look), numbers, jobs)


def _loose_files(numbers: Sequence[int], told: argparse.Namespace) -> list[Path]:
    """Return the files that keep tables on which pieces lie anywhere; draw those that are missing."""
    folder = told.cache / _LOOSE
    folder.mkdir(exist_ok=True)
    draw = partial(_draw_loose, evenings=max(told.frames // _FEWER, 1), folder=folder)
    _at_a_time(draw, numbers, 0 if told.kept else told.jobs)
    return sorted(folder.glob("*.npz"))


def _at_a_time(draw: Callable[[int], None], numbers: Sequence[int], jobs: int) -> None:
    """Draw tables by their numbers, so many at a time; none with no jobs."""
    if jobs <= 1:
        for number in numbers[: None if jobs else 0]:
            draw(number)
        return
    with ProcessPoolExecutor(jobs) as pool:
        list(pool.map(draw, numbers))


def _kept(kind: type[AnySamples], cache: Path, look: Path | None) -> AnySamples:
    """Return the samples of one kind of the tables in the cache; see `_files_in`."""
    return _of_files(kind, list(_files_in(cache, look)))


def _of_files(kind: type[AnySamples], files: Sequence[Path]) -> AnySamples:
    """Return the samples of one kind that files keep."""
    known = {one.name: f"{kind.__name__}.{one.name}" for one in fields(kind)}
    # A table that was drawn by an earlier program may lack a kind.
    whole = [file for file in files if set(known.values()) <= set(_names_in(file))]
    # One array after another: all tables' samples together fill most of the memory.
    return kind(**{name: _joined(whole, key) for name, key in known.items()})


def _names_in(file: Path) -> list[str]:
    with np.load(file) as kept:
        return list(kept.files)


def _joined(files: Sequence[Path], key: str) -> Any:
    """Return one array of all tables; no table is held in memory twice but for a moment."""
    heads = [_head_in(file, key) for file in files]
    ends = np.cumsum([shape[0] for shape, _ in heads])
    joined = np.empty((int(ends[-1]), *heads[0][0][1:]), heads[0][1])
    for file, part in zip(files, np.split(joined, ends[:-1]), strict=True):
        with np.load(file) as kept:
            part[:] = kept[key]
    return joined


def _head_in(file: Path, key: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type of a kept array, which are told before its values."""
    with ZipFile(file) as kept, kept.open(f"{key}.npy") as stream:
        np.lib.format.read_magic(stream)
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    return shape, dtype


def _files_in(cache: Path, look: Path | None) -> Iterator[Path]:
    """Yield the files that keep what tables show.

    Those that are for weighing count if they were read with the network that looks in the folder `look`, the
    others if they were read without any.
    """
    mark = None if look is None else _mark_of(look)
    for file in sorted(cache.glob("*.npz")):
        _, _, *marks = file.stem.split("-")
        is_weighed = bool(_is_to_weigh(np.array(_number_of(file))))
        # An empty file says that the table could not be learnt.
        if marks == ([mark] if is_weighed else []) and file.stat().st_size:
            yield file


def _number_of(file: Path) -> int:
    """Return the number of the table that a file keeps."""
    return int(file.stem.partition("-")[0])


def kept_file(number: int, frames: int, cache: Path, look: Path | None) -> Path:
    """Return the file for what a table shows; it is read with the network in the folder `look`, or none."""
    names = number, frames, *(() if look is None else (_mark_of(look),))
    return cache / f"{'-'.join(map(str, names))}.npz"


def _mark_of(look: Path) -> str:
    """Return what tells the network that looks in a folder from any other."""
    return hashlib.sha256((look / f"{LOOK}.onnx").read_bytes()).hexdigest()[:8]


def _draw_once(number: int, *, frames: int, cache: Path, look: Path | None) -> None:
    """Draw a table and keep its samples, unless that was done before."""
    _keep(
        kept_file(number, frames, cache, look),
        number,
        lambda: samples_of(RandomTable.of(number), frames, look) or (),
    )


def _draw_loose(number: int, *, evenings: int, folder: Path) -> None:
    """Draw a table on which pieces lie anywhere and keep its samples, unless that was done before."""
    _keep(
        folder / f"{number}-{evenings}.npz",
        number,
        lambda: (loose_samples_of(LooseTable.of(number), evenings),),
    )


def _keep(file: Path, number: int, draw: Callable[[], tuple[Any, ...]]) -> None:
    """Keep the samples of a table in a file, unless that was done before."""
    if file.exists():
        return
    cv2.setNumThreads(1)
    began = time.monotonic()
    found = draw()
    draft = file.with_suffix(".part")
    with draft.open("wb") as stream:
        if found:
            arrays = {
                f"{type(part).__name__}.{one.name}": getattr(part, one.name)
                for part in found
                for one in fields(part)
            }
            np.savez_compressed(stream, **arrays)
    draft.replace(file)
    counts = ", ".join(f"{len(getattr(part, fields(part)[0].name))} {type(part).__name__}" for part in found)
    print(f"table {number}: {counts or 'refused'}, {time.monotonic() - began:.0f} s", flush=True)


def _train_boxes(samples: BoxSamples, schedule: Schedule, folder: Path) -> list[TrainingReport]:
    """Train the networks of boxes, then the classifiers; write them down and return what they are worth."""
    rows = samples.groups // GROUPS
    is_weighed, weighed_rows = _is_to_weigh(samples.tables), _is_to_weigh(rows)
    is_back, back_rows = samples.tables % HELD_BACK == 0, rows % HELD_BACK == 0
    told = _told(samples.tables[~is_weighed])
    first, first_rows = ~is_weighed, ~weighed_rows
    fills = _trained(
        "box_fill", FILL, samples.fills[first], samples.holds[first], is_back[first], schedule, haze=_HAZE
    )
    colours = _trained(
        "box_colour",
        COLOUR,
        samples.colours[first_rows],
        samples.is_own[first_rows],
        back_rows[first_rows],
        schedule,
    )
    back = first_rows & back_rows
    chances, truth = _by_marker(odds_of(colours.scores), samples.is_own[back], samples.groups[back])
    reports = [
        fills.write(
            folder, FILLS, told, softmax(fills.scores / fills.temperature), samples.holds[first & is_back]
        ),
        colours.write(folder, OWNERS, told, chances, truth),
    ]
    return [*reports, *_train_classifiers(samples, is_weighed, weighed_rows, (fills, colours), folder)]


def _train_classifiers(
    samples: BoxSamples,
    is_weighed: Bools,
    weighed_rows: Bools,
    networks: tuple[_Trained, _Trained],
    folder: Path,
) -> list[TrainingReport]:
    """Train what weighs the networks' words with what is measured, on tables that these have never seen."""
    fills, colours = networks
    scores = fills.scores_of(samples.fills[is_weighed])
    tables, holds, where = (one[is_weighed] for one in (samples.tables, samples.holds, samples.where))
    is_good = ~np.isin(tables, contradicted(softmax(scores), holds, tables))
    values = np.column_stack([scores, samples.measures[is_weighed]])[is_good]
    tables, holds, where = tables[is_good], holds[is_good], where[is_good]
    back, told = tables % HELD_BACK == 0, f"{_told(tables)}; none of them was the networks'"
    fill = fit_classifier(values[~back], holds[~back], len(FILLS), epochs=CLASSIFIER_EPOCHS)
    classified = fill.scores(values[back])
    warmth = fit_temperature(classified, holds[back])
    chances = softmax(classified / np.float32(warmth))
    reports = [
        _write_classifier("box_fill_classifier", fill, FILLS, warmth, told, (chances, holds[back]), folder)
    ]
    for kind, label in ((0, "on tiles"), (1, "on the board")):
        part = where[back] == kind
        if part.any():
            reports.append(report(f"box_fill_classifier {label}", FILLS, chances[part], holds[back][part]))

    of_rows = samples.groups // GROUPS
    rows = weighed_rows & np.isin(of_rows, tables)
    odds = odds_of(colours.scores_of(samples.colours[rows]))
    values = np.column_stack([odds, samples.owner_measures[rows]])
    is_own, groups, back = samples.is_own[rows], samples.groups[rows], of_rows[rows] % HELD_BACK == 0
    owner = fit_classifier(values[~back], is_own[~back], len(OWNERS), epochs=CLASSIFIER_EPOCHS)
    classified = owner.scores(values[back])
    warmth = fit_temperature(classified, is_own[back])
    found = _by_marker(odds_of(classified) / np.float32(warmth), is_own[back], groups[back])
    return [*reports, _write_classifier("box_owner_classifier", owner, OWNERS, warmth, told, found, folder)]


def contradicted(chances: Singles, holds: Floats, tables: Floats) -> list[float]:
    """Return the tables of which what is seen says again and again what cannot be true.

    There enrolment has learnt the boxes in the wrong place. `chances` (N, classes) are the networks'.
    """
    sure_of_wrong = (chances.argmax(axis=1) != holds) & (chances.max(axis=1) > _SURELY)
    return [
        float(table) for table in np.unique(tables) if sure_of_wrong[tables == table].mean() > _CONTRADICTED
    ]


def _calibrated(
    name: str,
    classifier: Classifier,
    classes: tuple[str, ...],
    data: str,
    held: tuple[Singles, Floats],
    folder: Path,
) -> TrainingReport:
    """Calibrate a classifier on rows of values and the truth held back, and write it and its card."""
    values, truth = held
    classified = classifier.scores(values)
    warmth = fit_temperature(classified, truth)
    found = softmax(classified / np.float32(warmth)), truth
    return _write_classifier(name, classifier, classes, warmth, data, found, folder)


def _write_classifier(
    name: str,
    classifier: Classifier,
    classes: tuple[str, ...],
    temperature: float,
    data: str,
    found: tuple[Singles, Floats],
    folder: Path,
) -> TrainingReport:
    """Write a classifier and its card; `found` are chances (N, classes) held back, and the truth."""
    told = report(name, classes, *found)
    _write_model(name, classifier, classes, temperature, data, told, folder)
    return told


def _write_model(
    name: str,
    classifier: Classifier,
    classes: tuple[str, ...],
    temperature: float,
    data: str,
    told: TrainingReport,
    folder: Path,
) -> None:
    """Write a classifier and its card."""
    card = ModelCard(
        name=name,
        channels=classifier.inputs,
        size_px=1,
        coloured=(),
        classes=classes,
        temperature=temperature,
        data=data,
        figures=told.figures,
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.onnx").write_bytes(classifier.onnx())
    (folder / f"{name}.json").write_text(card.text(), encoding="utf-8")


def _train_hands(samples: PieceSamples, folder: Path) -> list[TrainingReport]:
    """Train the recogniser of hands and write it down; return what it is worth."""
    is_plain = (samples.arms >= _ARM) | (samples.arms < _NO_ARM)
    values, tables = samples.suspects[is_plain], samples.tables[is_plain]
    is_hand, back = (samples.arms[is_plain] >= _ARM).astype(np.float64), tables % HELD_BACK == 0
    fitted = fit_classifier(values[~back], is_hand[~back], len(KINDS), epochs=CLASSIFIER_EPOCHS)
    return [_calibrated(HAND, fitted, KINDS, _told(tables), (values[back], is_hand[back]), folder)]


def _train_tiles(samples: TileSamples, folder: Path) -> list[TrainingReport]:
    """Train what tells how surely a tile is right and write it down; return what it is worth."""
    back = samples.tile_tables % HELD_BACK == 0
    learnt, held = with_twins(samples.picked(~back)), samples.picked(back)
    fitted = fit_classifier(learnt.tiles, learnt.is_right, len(TILE_KINDS), epochs=TILE_EPOCHS)
    told = _told(samples.tile_tables)
    return [_calibrated(TILE, fitted, TILE_KINDS, told, (held.tiles, held.is_right), folder)]


def _train_look(samples: LookSamples, schedule: Schedule, folder: Path) -> list[TrainingReport]:
    """Train the network that looks at places and write it down; return what it is worth."""
    tables = samples.place_tables
    return _train_sight(LOOK, LOOKS, SEES, samples.places, samples.is_there, tables, schedule, folder)


def _train_solids(samples: LooseSamples, schedule: Schedule, folder: Path) -> list[TrainingReport]:
    """Train the network that tells discs that lie anywhere and write it down; return what it is worth."""
    tables = samples.solid_tables
    return _train_sight(SOLID, SOLIDS, SOLID_SEES, samples.solids, samples.is_piece, tables, schedule, folder)


def _train_sight(
    name: str,
    shape: NetworkShape,
    classes: tuple[str, ...],
    patches: Patches,
    truth: Floats,
    tables: Floats,
    schedule: Schedule,
    folder: Path,
) -> list[TrainingReport]:
    """Train a network on patches, `tables` (N,) are the numbers of theirs, and write it down."""
    back = tables % HELD_BACK == 0
    trained = _trained(name, shape, patches, truth, back, schedule)
    chances = softmax(trained.scores / trained.temperature)
    return [trained.write(folder, classes, _told(tables), chances, truth[back])]


def _train_standing(samples: PieceSamples, folder: Path) -> list[TrainingReport]:
    """Train what weighs the places of figures and dragons and write it down; return what it is worth."""
    counts, most = samples.counts.astype(np.intp), samples.places.shape[1]
    is_row = np.arange(most)[None] < counts[:, None]
    odds = samples.odds[is_row]
    lists = zip(samples.odds, samples.cells, counts.tolist(), strict=True)
    ahead = np.concatenate([leads(seen[:count], cells[:count].tolist()) for seen, cells, count in lists])
    rows = rows_of_places(samples.places[is_row], odds, ahead)
    values = np.zeros((len(is_row), most, rows.shape[1]), np.float32)
    values[is_row] = rows
    choices = Choices(
        values=values,
        counts=samples.counts,
        groups=samples.cells,
        common=rows_of_pieces(samples.common, best_odds(odds, counts)),
        truth=samples.stands,
    )
    return _train_choices(choices, samples.piece_tables, folder)


def _train_choices(choices: Choices, tables: Floats, folder: Path) -> list[TrainingReport]:
    """Train what weighs the places of pieces; `tables` (N,) are the numbers of their tables."""
    back = tables % HELD_BACK == 0
    rows, none = fit_choices(
        choices.picked(~back), len(NOWHERE), epochs=STANDING_EPOCHS, times=STANDING_TIMES
    )
    held = choices.picked(back)
    classified = choice_scores(rows, none, held)
    warmth = fit_temperature(classified, held.truth)
    chances = softmax(classified / np.float32(warmth))
    classes = (*(f"place {number + 1}" for number in range(choices.values.shape[1])), *NOWHERE)
    data = f"{_told(tables)}; none of them was the network's"
    told = report("figures and dragons", classes, chances, held.truth)
    for name, fitted, kinds in zip(STANDING, (rows, none), (STANDS, NOWHERE), strict=True):
        _write_model(name, fitted, kinds, warmth, data, told, folder)
    return [told]


def _is_to_weigh(tables: Floats) -> Bools:
    """Return of which tables, by their numbers, classifiers learn; the networks must never see them."""
    return np.isin(tables // HELD_BACK % _BLOCKS, _TO_WEIGH)


def _told(tables: Floats) -> str:
    """Return what was learnt from, in words."""
    return f"{len(np.unique(tables))} drawn tables, every {HELD_BACK}th held back"


class _Trained:
    """A fitted network with its temperature and its scores on what was held back."""

    def __init__(
        self, name: str, shape: NetworkShape, network: nn.Sequential, held_back: Singles, temperature: float
    ):
        self.name, self.shape, self._network = name, shape, network
        self.scores, self.temperature = held_back, np.float32(temperature)

    def scores_of(self, patches: Patches) -> Singles:
        """Return the scores of other patches."""
        return scores(self._network, patches, self.shape.coloured)

    def write(
        self, folder: Path, classes: tuple[str, ...], data: str, chances: Singles, truth: Floats
    ) -> TrainingReport:
        """Write the model and its card; return the figures of its chances (N, classes)."""
        told = report(self.name, classes, chances, truth)
        card = ModelCard(
            name=self.name,
            channels=self.shape.channels,
            size_px=self.shape.size_px,
            coloured=self.shape.coloured,
            classes=classes,
            temperature=float(self.temperature),
            data=data,
            figures=told.figures,
        )
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.onnx").write_bytes(
            to_onnx(self._network, self.shape.ways, self.shape.classes)
        )
        (folder / f"{self.name}.json").write_text(card.text(), encoding="utf-8")
        return told


def _trained(
    name: str,
    shape: NetworkShape,
    patches: Patches,
    truth: Floats,
    is_back: Bools,
    schedule: Schedule,
    *,
    haze: Haze | None = None,
) -> _Trained:
    learnt = Samples(patches=patches, truth=truth, is_used=~is_back, haze=haze)
    network = fit(
        shape,
        learnt,
        schedule,
        lambda epoch, loss: print(f"{name}: epoch {epoch + 1}, loss {loss:.4f}", flush=True),
    )
    held_back = scores(network, patches[is_back], shape.coloured)
    return _Trained(name, shape, network, held_back, fit_temperature(held_back, truth[is_back]))


def _by_marker(odds: Singles, is_own: Floats, groups: Floats) -> tuple[Singles, Floats]:
    """Return for every marker the chances that its likeliest owner is not its owner, and is; and the truth.

    Candidates are weighed against each other: each by the odds that the marker is its own, (N,).
    """
    chances, truth = [], []
    # The candidates of one marker stand side by side.
    starts = np.flatnonzero(np.diff(groups)) + 1
    for own, is_theirs in zip(np.split(odds, starts), np.split(is_own, starts), strict=True):
        weighed = softmax(own[None])[0]
        best = int(weighed.argmax())
        chances.append((1 - weighed[best], weighed[best]))
        truth.append(is_theirs[best])
    return np.array(chances, np.float32), np.array(truth)


if __name__ == "__main__":
    raise SystemExit(main())
