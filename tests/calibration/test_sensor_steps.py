"""The set-up of a sensor table, walked through on simulated pieces."""

from __future__ import annotations

import random

import pytest

from calibration.sensor_steps import SensorScan, SensorSetup, TableShape
from calibration.sensors import Tag, normalised
from companion.errors import ProfileError

SIDES = {"0,1": 8, "0,2": 9}
SHAPE = TableShape(spots=10, sides=SIDES, has_readers=True)
TILES = {"courtyard": 0, "mill": 2, "aqueduct": 1}
RESTS = [500 + 3 * spot for spot in range(10)]


class Pieces:
    """Magnets and tags on a table that wavers a little."""

    def __init__(self) -> None:
        self.rng = random.Random(1)
        self.magnets: dict[int, int] = {}
        self.tags: dict[str, set[int]] = {"0,1": set(), "0,2": set()}

    def look(self) -> SensorScan:
        """Return what is seen."""
        readings = [rest + self.magnets.get(s, 0) + self.rng.randrange(-2, 3) for s, rest in enumerate(RESTS)]
        return SensorScan(tags={cell: frozenset(tags) for cell, tags in self.tags.items()}, readings=readings)


def settle(setup: SensorSetup, pieces: Pieces, most: int = 20) -> bool:
    """Look until the step is done; False when it will not be."""
    return any(setup.see(pieces.look()) for _ in range(most))


def new_setup(shape: TableShape = SHAPE) -> SensorSetup:
    """Return a set-up for two players."""
    return SensorSetup(
        shape, players=["purple", "white"], tiles=TILES, dragons=["fire"], built_only=["courtyard"]
    )


def test_a_whole_setup_learns_everything() -> None:
    """Rests, magnets, sides, tags: the profile reads the pieces afterwards."""
    setup, pieces = new_setup(), Pieces()
    asked = []
    answers = {
        "purple": lambda: pieces.magnets.update({3: 80}),
        "white": lambda: pieces.magnets.update({3: -85}),
        "turn": lambda: (pieces.magnets.clear(), pieces.magnets.update({8: 78}), pieces.tags["0,1"].add(11)),
        "courtyard": lambda: pieces.tags["0,2"].add(10),
        "aqueduct": lambda: pieces.tags["0,2"].add(12),
        "figure purple": lambda: pieces.tags["0,2"].add(13),
        "figure white": lambda: pieces.tags["0,2"].add(14),
        "fire": lambda: pieces.tags["0,2"].add(15),
    }
    order = [
        "clear",
        "purple",
        "white",
        "turn",
        "courtyard",
        "aqueduct",
        "figure purple",
        "figure white",
        "fire",
    ]
    for name in order:
        assert setup.step is not None
        asked.append(setup.step.text)
        answers.get(name, lambda: None)()
        assert settle(setup, pieces), (name, setup.words)

    profile = setup.profile
    assert setup.step is None
    assert setup.progress == (9, 9)  # the mill told the sides and its own tag at once
    assert all(asked)
    assert all(abs(rest - wanted) <= 2 for (rest, _), wanted in zip(profile.spots, RESTS, strict=True))
    assert profile.tags == {
        10: Tag("tile", "courtyard", "built"), 11: Tag("tile", "mill"), 12: Tag("tile", "aqueduct"),
        13: Tag("figure", "purple"), 14: Tag("figure", "white"), 15: Tag("dragon", "fire"),
    }  # fmt: skip
    assert profile.sides == {1: "sketch", 2: "built"}
    assert profile.boxes == {"courtyard": (), "mill": (0, 1), "aqueduct": (0,)}
    for class_, felt in ((0, 0), (1, 80), (2, -85)):
        low, high = profile.windows[class_]
        assert low <= normalised(RESTS[3] + felt, profile.spots[3][0], 64) <= high


def at_step(kind: str, pieces: Pieces) -> SensorSetup:
    """Return a set-up that has learned the empty table and waits at the first step of a kind."""
    setup = new_setup()
    assert settle(setup, pieces)
    while setup.step is not None and setup.step.kind != kind:
        setup.skip()
    return setup


def test_a_magnet_on_its_way_is_not_learned() -> None:
    """While one marker is changed for another nothing is concluded, nor is anything wrong."""
    pieces = Pieces()
    setup = at_step("marker", pieces)
    pieces.magnets[3] = 80
    for _ in range(5):
        setup.see(pieces.look())
    pieces.magnets[3] = -85
    while not setup.see(pieces.look()):
        assert setup.words in ("", "No marker detected yet.")

    low, high = setup.profile.windows[1]
    assert low <= -85 <= high < 0


def test_a_box_that_feels_less_gets_a_scale_of_its_own() -> None:
    """With a marker on one box after the other; a marker that was left out cannot tell."""
    pieces = Pieces()
    setup = SensorSetup(SHAPE, players=["purple"], tiles=TILES, every_box=True)
    assert settle(setup, pieces)
    setup.skip()
    assert not setup.see(pieces.look())
    assert "go back" in setup.words
    setup.back()
    pieces.magnets[3] = 80
    assert settle(setup, pieces)
    boxes = [spot for spot in range(SHAPE.spots) if spot not in SIDES.values()]
    for number, spot in enumerate(boxes):
        pieces.magnets.clear()
        setup.see(pieces.look())
        assert setup.words == f"{number} of {len(boxes)} boxes learnt."
        pieces.magnets[spot] = 40 if spot == boxes[-1] else 80
        settle(setup, pieces)

    scales = [setup.profile.spots[spot][1] for spot in boxes]
    assert setup.step is not None
    assert setup.step.kind == "turn"
    assert all(abs(scale - 64) <= 3 for scale in scales[:-1])
    assert abs(scales[-1] - 128) <= 8


def test_a_wavering_spot_is_named() -> None:
    """The empty table is not learned while a wire is loose."""
    setup, pieces = new_setup(), Pieces()
    for turn in range(20):
        pieces.magnets[4] = 200 * (turn % 2)
        assert not setup.see(pieces.look())
    assert "Spot 4 is unsteady" in setup.words
    pieces.magnets.clear()

    assert settle(setup, pieces)


def test_a_marker_that_is_not_there_is_waited_for() -> None:
    """And the words say so."""
    pieces = Pieces()
    setup = at_step("marker", pieces)

    assert not settle(setup, pieces)
    assert "No marker detected" in setup.words


def test_two_players_with_the_same_magnets_are_refused() -> None:
    """Their markers read alike."""
    pieces = Pieces()
    setup = at_step("marker", pieces)
    pieces.magnets[3] = 80
    assert settle(setup, pieces)
    assert not settle(setup, pieces)

    assert "read almost the same" in setup.words


def test_a_side_magnet_of_its_own_strength_gets_classes_of_its_own() -> None:
    """Weaker than the markers."""
    pieces = Pieces()
    setup = at_step("marker", pieces)
    for felt in (160, -160):
        pieces.magnets[3] = felt
        assert settle(setup, pieces)
    pieces.magnets = {8: 60}
    assert settle(setup, pieces), setup.words

    assert setup.profile.sides == {1: "sketch", 2: "built", 6: "sketch", 7: "built"}


def test_a_tag_of_another_piece_is_refused() -> None:
    """Two unknown figures at once are not told apart."""
    pieces = Pieces()
    setup = at_step("figure", pieces)
    pieces.tags["0,1"] = {21, 22}

    assert not settle(setup, pieces)
    assert "one piece at a time" in setup.words
    pieces.tags["0,1"] = {21}
    assert settle(setup, pieces)
    assert setup.profile.tags == {21: Tag("figure", "purple")}


def test_a_step_back_does_it_again() -> None:
    """Nothing that was learned is lost."""
    pieces = Pieces()
    setup = at_step("figure", pieces)
    pieces.tags["0,1"] = {21}
    assert settle(setup, pieces)
    setup.back()

    assert setup.step is not None
    assert (setup.step.kind, setup.step.name) == ("figure", "purple")
    assert 21 in setup.profile.tags


def test_a_table_without_readers_asks_for_no_tags() -> None:
    """The cheap variant."""
    setup = new_setup(TableShape(spots=10, sides=SIDES, has_readers=False))

    assert setup.progress[1] == 4


def test_too_many_players_and_foreign_looks_are_refused() -> None:
    """In words."""
    with pytest.raises(ProfileError, match="not 5"):
        SensorSetup(SHAPE, players=list("abcde"), tiles=TILES)
    with pytest.raises(ProfileError, match="3 readings of 10 spots"):
        new_setup().see(SensorScan(tags={}, readings=[1, 2, 3]))
