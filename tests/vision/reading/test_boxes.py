"""What a box holds, where a piece may be what is seen there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from calibration.profile import Profile
from companion.table import Picture, Place, kind_of, parts_of, place
from tests.helpers.simulated_look import learnt
from tests.vision.reading.test_pieces import PLAYERS, table
from vision.pieces.box_measures import SeenBox
from vision.pieces.marker_recogniser import BoxChances
from vision.pieces.standing_measures import Measured
from vision.pieces.standing_recogniser import StandingChances
from vision.reader import Reader
from vision.simulation.camera import SimulatedCamera


@pytest.fixture(scope="module")
def room() -> tuple[SimulatedCamera, Profile]:
    """Seen nearly from above, a figure on a box looks as round and as large as a marker."""
    return learnt(PLAYERS, 2)


def of_the_first(reader: Reader, chance: float) -> BoxChances:
    """A box that holds a marker of the first player, or what it holds is hidden."""
    owner = reader.library.owners().index(PLAYERS[0])
    owners = tuple(chance if number == owner else 0.0 for number in range(len(PLAYERS)))
    return BoxChances(owners=owners, bare=0.0, hidden=1 - chance)


def test_a_figure_that_stands_on_a_box_is_no_marker(
    room: tuple[SimulatedCamera, Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is claimed of the box below it, wherever it stands."""
    camera, profile = room
    usual = camera.base_mm

    def on_box(where: Place, value: str, picture: Picture) -> tuple[float, float, float] | None:
        below = place("box", picture[where], 0) if kind_of(where) == "figure" else where
        return usual(below, value, picture)

    monkeypatch.setattr(camera, "base_mm", on_box)
    reader = Reader(profile)
    bare = table(camera)
    cells = sorted({parts_of(where)[0] for where in bare if kind_of(where) == "box"})
    stood = 0
    for first, second in zip(cells[::2], cells[1::2], strict=False):
        shown = {**bare, place("figure", PLAYERS[0]): first, place("figure", PLAYERS[1]): second}
        reader.forget()
        seen = reader.read(camera.frame(shown), seq=0, seen_at_s=0.0, source="test").sightings
        for cell in (first, second):
            assert place("box", cell, 0) not in seen, (cell, seen[place("box", cell, 0)])
        stood += sum(
            seen[where].value == shown[where]
            for where in (place("figure", one) for one in PLAYERS)
            if where in seen
        )

    assert stood > 0


def test_boxes_that_look_as_before_are_not_told_anew(
    room: tuple[SimulatedCamera, Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recogniser is asked about the tile that has changed alone, and what it said of others stays."""
    camera, profile = room
    reader = Reader(profile)
    asked: list[int] = []
    chances = reader.library.markers.chances

    def counted(boxes: Sequence[SeenBox]) -> list[BoxChances]:
        asked.append(len(boxes))
        return chances(boxes)

    monkeypatch.setattr(reader.library.markers, "chances", counted)
    bare = table(camera)
    where = next(at for at in bare if kind_of(at) == "box")
    marked = {**bare, where: PLAYERS[0]}
    reader.read(camera.frame(bare), seq=0, seen_at_s=0.0, source="test")
    first = sum(asked)
    seen = reader.read(camera.frame(marked), seq=1, seen_at_s=0.1, source="test").sightings
    fresh = Reader(profile).read(camera.frame(marked), seq=1, seen_at_s=0.1, source="test").sightings

    assert seen[where].value == PLAYERS[0]
    assert 0 < sum(asked) - first < first / 2
    assert {at: one.value for at, one in seen.items()} == {at: one.value for at, one in fresh.items()}


@pytest.mark.parametrize(("chance", "is_likely"), [(0.7, True), (0.4, False)])
def test_what_is_likely_on_a_box_is_told_beside_the_claims(
    room: tuple[SimulatedCamera, Profile],
    monkeypatch: pytest.MonkeyPatch,
    chance: float,
    *,
    is_likely: bool,
) -> None:
    """But not on the tile on which the owner's figure likely stands unseen: it may be what is seen there."""
    camera, profile = room
    reader, bare = Reader(profile), table(camera)
    first, second = [at for at in bare if kind_of(at) == "box" and parts_of(at)[1] == "0"][:2]
    figure = place("figure", PLAYERS[0])
    monkeypatch.setattr(
        reader.library.markers, "chances", lambda boxes: [of_the_first(reader, chance)] * len(boxes)
    )
    chances = reader.library.standing.chances

    def half_as_likely(
        measured: Mapping[Place, Measured], known: Mapping[Place, StandingChances] | None = None
    ) -> dict[Place, StandingChances]:
        found = chances(measured, known)
        halved = tuple((at, one / 2) for at, one in found[figure].places) if figure in found else ()
        return {at: replace(one, places=halved) if at == figure else one for at, one in found.items()}

    monkeypatch.setattr(reader.library.standing, "chances", half_as_likely)
    shown = {**bare, figure: parts_of(first)[0]}
    seen = reader.read(camera.frame(shown), seq=0, seen_at_s=0.0, source="test")

    assert figure not in seen.sightings
    assert first not in seen.likely
    assert (second in seen.likely) is is_likely
    if is_likely:
        assert (seen.likely[second].value, seen.likely[second].confidence) == (PLAYERS[0], pytest.approx(0.7))


@pytest.mark.parametrize(("share", "is_likely"), [(0.0, True), (0.5, False)])
def test_what_lies_between_two_boxes_is_likely_on_neither(
    room: tuple[SimulatedCamera, Profile],
    monkeypatch: pytest.MonkeyPatch,
    share: float,
    *,
    is_likely: bool,
) -> None:
    """One marker that was pushed towards the next box is no evidence of two, nor of where it was paid."""
    camera, profile = room
    reader, bare, usual = Reader(profile), table(camera), camera.base_mm
    where = next(at for at in bare if kind_of(at) == "box" and parts_of(at)[1] == "1")
    before = place("box", parts_of(where)[0], 0)

    def pushed(at: Place, value: str, picture: Picture) -> tuple[float, float, float] | None:
        base = usual(at, value, picture)
        other = usual(before, value, picture) if at == where else None
        if base is None or other is None:
            return base
        x, y = (one + share * (to - one) for one, to in zip(base[:2], other[:2], strict=True))
        return x, y, base[2]

    monkeypatch.setattr(
        reader.library.markers, "chances", lambda boxes: [of_the_first(reader, 0.7)] * len(boxes)
    )
    monkeypatch.setattr(camera, "base_mm", pushed)

    shown = camera.frame({**bare, where: PLAYERS[0]})
    likely = reader.read(shown, seq=0, seen_at_s=0.0, source="test").likely

    assert (where in likely) is is_likely
    assert (before in likely) is is_likely


def test_of_a_box_that_was_burnt_out_when_it_was_learnt_nothing_is_told(
    room: tuple[SimulatedCamera, Profile],
) -> None:
    """Nobody knows how it looks bare; the tile's other boxes are told."""
    camera, profile = room
    reader, bare = Reader(profile), table(camera)
    where = next(at for at in bare if kind_of(at) == "box" and parts_of(at)[1] == "1")
    beside = place("box", parts_of(where)[0], 0)
    reader.read(camera.frame(bare), seq=0, seen_at_s=0.0, source="test")
    assert reader.reading is not None
    faces = reader.reading.faces
    number, spot = faces.residuals[parts_of(where)[0]][0], faces.spots[where]
    columns, rows = (slice(round(at - spot.edge / 2), round(at + spot.edge / 2)) for at in spot.middle)
    reader.library.patterns[number].face.valid[rows, columns] = False
    reader.forget()
    seen = reader.read(camera.frame({**bare, where: PLAYERS[0]}), seq=1, seen_at_s=0.1, source="test")

    assert where not in seen.sightings
    assert where not in seen.likely
    assert seen.sightings[beside].value is None
