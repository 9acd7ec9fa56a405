"""Figures that look like markers of their colour are sought once more as if these were none."""

from __future__ import annotations

import pytest

from calibration.profile import Profile
from companion.games.blue_moon_city.catalogue import printed
from companion.table import Place, Value, place
from tests.helpers.simulated_look import learnt
from vision.reader import Reader
from vision.reading.observed import Reading
from vision.reading.overlooked import Overlooked, overlooked_figures
from vision.simulation.camera import SimulatedCamera

PLAYERS = ("purple", "orange")
FIGURES = [place("figure", name) for name in PLAYERS]


@pytest.fixture(scope="module")
def room() -> tuple[SimulatedCamera, Profile]:
    return learnt(PLAYERS, 2)


def crowded(camera: SimulatedCamera) -> tuple[dict[Place, Value], str]:
    """A city with sketch sides everywhere, and the cell of a tile on which all boxes are purple's."""
    shown = camera.enrolment().layout
    values = {tile: building.values for tile, building in printed().buildings.items()}
    picture: dict[Place, Value] = {}
    full = ""
    for cell, tile in shown.items():
        count = len(values.get(tile, ()))
        picture[place("cell", cell)] = f"{tile}/{'sketch' if count else 'built'}"
        full = full or (cell if count == 3 else "")
        owner = "purple" if cell == full else None
        picture |= {place("box", cell, number): owner for number in range(count)}
    return picture, full


def read(room: tuple[SimulatedCamera, Profile], picture: dict[Place, Value]) -> Reading:
    camera, profile = room
    reader = Reader(profile)
    reader.read(camera.frame(picture, t=0.0), seq=0, seen_at_s=0.0, source="test")
    assert reader.reading is not None
    return reader.reading


def overlooked(reading: Reading, found: tuple[Place, ...] = ()) -> dict[Place, Overlooked]:
    """What may have been overlooked if no more than these figures had been found."""
    pieces = reading.pieces
    sure = {at: one if at in found else 0.0 for at, one in pieces.sure.items()}
    return overlooked_figures(reading.located.rig, reading.faces, pieces.city, pieces.standing, sure)


def test_a_figure_among_its_markers_is_seen_where_it_stands(room: tuple[SimulatedCamera, Profile]) -> None:
    picture, cell = crowded(room[0])
    reading = read(room, {**picture, FIGURES[0]: cell, FIGURES[1]: "2,2"})
    (place_, chance), *_ = overlooked(reading)[FIGURES[0]].places

    assert place_.cell == cell
    assert chance > 0.5


def test_markers_alone_are_hardly_taken_for_a_figure(room: tuple[SimulatedCamera, Profile]) -> None:
    picture, _ = crowded(room[0])
    reading = read(room, {**picture, FIGURES[0]: None, FIGURES[1]: "2,2"})
    found = overlooked(reading).get(FIGURES[0])

    assert found is None or found.chance < 0.2


def test_what_was_found_is_not_sought_again(room: tuple[SimulatedCamera, Profile]) -> None:
    picture, cell = crowded(room[0])
    reading = read(room, {**picture, FIGURES[0]: cell, FIGURES[1]: "2,2"})

    assert overlooked(reading, tuple(at for at, one in reading.pieces.sure.items() if one > 0)) == {}


def test_chances_of_all_places_together_are_no_more_than_one(room: tuple[SimulatedCamera, Profile]) -> None:
    picture, cell = crowded(room[0])
    for one in overlooked(read(room, {**picture, FIGURES[0]: cell, FIGURES[1]: cell})).values():
        assert 0 <= one.chance <= 1
        assert one.chance_of(lambda _: True) == pytest.approx(one.chance)
        assert one.chance_of(lambda at: at.cell == "nowhere") == 0
        assert [chance for _, chance in one.places] == sorted((c for _, c in one.places), reverse=True)
