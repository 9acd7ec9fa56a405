"""Figures, dragons and markers as they are learnt from one photograph and found again on any table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from companion.games.blue_moon_city.catalogue import printed
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from tests.helpers.simulated_look import learnt
from vision.enrolment.pieces import learn_pieces
from vision.pieces import finder
from vision.pieces.figures import Candidate, Ground, Paint
from vision.pieces.standing_measures import Measured
from vision.pieces.standing_recogniser import StandingChances
from vision.reader import Reader
from vision.reading.overlooked import Overlooked
from vision.reading.pieces import bodies_of, claim_pieces
from vision.simulation.art import TileArt
from vision.simulation.camera import DRAGON_COLOURS, SimulatedCamera
from vision.simulation.scenery import HandPose

PLAYERS = ("purple", "orange")


@pytest.fixture(scope="module")
def room() -> tuple[SimulatedCamera, Profile]:
    """A room in which dragons throw shadows larger than themselves when they are learnt."""
    return learnt(PLAYERS, 2)


def table(camera: SimulatedCamera) -> dict[Place, Value]:
    """The city as it was learnt, tiles with three boxes built, no piece on it."""
    shown = camera.enrolment().layout
    values = {tile: building.values for tile, building in printed().buildings.items()}
    picture: dict[Place, Value] = {}
    for cell, tile in shown.items():
        is_built = len(values.get(tile, ())) in (0, 3)
        picture[place("cell", cell)] = f"{tile}/{'built' if is_built else 'sketch'}"
        if not is_built:
            picture |= {place("box", cell, number): None for number in range(len(values[tile]))}
    picture |= {place("figure", name): cell for name, cell in zip(PLAYERS, ("2,2", "4,3"), strict=True)}
    picture |= {place("dragon", name): None for name in DRAGON_COLOURS}
    return picture


def hue(colour: tuple[int, int, int]) -> float:
    """The angle of a colour's hue in Lab, degrees."""
    _, a, b = cv2.cvtColor(np.array([[colour]], np.float32) / 255, cv2.COLOR_BGR2Lab)[0, 0]
    return float(np.degrees(np.arctan2(b, a)))


def test_a_piece_s_shadow_is_not_taken_for_its_paint(room: tuple[SimulatedCamera, Profile]) -> None:
    """What is learnt of each dragon has its own hue, though it stands in its shadow."""
    paints = {one.name: one.palette[5] for one in room[1].pieces if one.kind == "dragon"}

    for name, colour in DRAGON_COLOURS.items():
        assert abs((hue(paints[name]) - hue(colour) + 180) % 360 - 180) < 12, (name, paints[name])


def pieces_again(
    room: tuple[SimulatedCamera, Profile], shown: Picture, hidden: frozenset[str] = frozenset()
) -> Profile:
    """What is learnt when the photograph of the pieces is said to show this."""
    camera, profile = room
    photographs = camera.enrolment().photographs()
    assert photographs.pieces is not None
    return learn_pieces(replace(profile, pieces=()), photographs.pieces, shown, hidden)


def test_two_dragons_of_one_colour_are_not_learnt(room: tuple[SimulatedCamera, Profile]) -> None:
    """One that is not where it was said to be would be learnt as the one that stands there; the rest is."""
    shown = room[0].enrolment().photographs().shown
    assert shown is not None
    first, second = (place("dragon", name) for name in list(DRAGON_COLOURS)[:2])
    found = pieces_again(room, {**shown, second: shown[first]})

    assert {str(first), str(second)} == {one.what for one in found.not_learnt}
    assert all("the photograph of the pieces does not show" in one.why for one in found.not_learnt)
    learnt_now = {(one.kind, one.name) for one in found.pieces}
    assert learnt_now == {(one.kind, one.name) for one in room[1].pieces} - {
        ("dragon", parts_of(one)[0]) for one in (first, second)
    }


def test_hidden_markers_are_known_by_the_player_s_figure(room: tuple[SimulatedCamera, Profile]) -> None:
    """A player's pieces have one paint; where neither is seen the message names the places."""
    shown = room[0].enrolment().photographs().shown
    assert shown is not None
    name = PLAYERS[0]
    boxes = frozenset(
        parts_of(where)[0] for where in shown if shown[where] == name and kind_of(where) == "box"
    )
    without_board = {where: value for where, value in shown.items() if kind_of(where) != "obelisk"}
    found = pieces_again(room, without_board, boxes - {shown[place("figure", name)]})
    assert {("marker", name), ("figure", name)} <= {(one.kind, one.name) for one in found.pieces}
    assert name not in {one.what.partition(":")[2] for one in found.not_learnt}

    none = pieces_again(room, without_board, boxes | {str(shown[place("figure", name)])})
    missing = {one.what: one.why for one in none.not_learnt}

    assert {f"marker:{name}", f"figure:{name}"} <= missing.keys()
    assert "row " in missing[f"marker:{name}"]
    assert name not in {one.name for one in none.pieces}


def test_dragons_are_read_however_they_are_turned(room: tuple[SimulatedCamera, Profile]) -> None:
    """From the front, from the side, wings spread: on any cell a dragon is read, and is no hand."""
    camera, profile = room
    reader, empty = Reader(profile), table(camera)
    read, claims = 0, 0
    for number, cells in enumerate((("0,1", "1,3", "4,2"), ("0,2", "3,1", "2,4"), ("1,0", "3,3", "2,1"))):
        standing = {place("dragon", name): cell for name, cell in zip(DRAGON_COLOURS, cells, strict=True)}
        frame = camera.frame(empty | standing, t=number)
        seen = reader.read(frame, seq=number, seen_at_s=float(number), source="test")
        found = {where: seen.sightings[where].value for where in standing if where in seen.sightings}
        assert not seen.busy
        assert found.items() <= standing.items()
        read, claims = read + len(found), claims + len(standing)

    assert read >= claims - 1


def test_the_camera_hides_no_figure_behind_a_dragon(room: tuple[SimulatedCamera, Profile]) -> None:
    """In company each piece on a tile stands where the others leave it in sight."""
    camera, _ = room
    cell, names = "2,2", ("purple", "orange", "teal", "black")
    crowd: dict[Place, Value] = {place("cell", cell): "courtyard/built"}
    crowd |= {place("dragon", name): cell for name in DRAGON_COLOURS}
    full = SimulatedCamera(
        camera.layout, [TileArt(tile="courtyard")], dict.fromkeys(names, (150, 44, 118)), seed=5
    )
    for name in names:
        bare = crowd | {place("figure", other): cell for other in names if other != name}
        shows = np.abs(full.frame(bare | {place("figure", name): cell}).astype(int) - full.frame(bare))
        assert np.count_nonzero(shows.max(axis=2) > 25) > 150, name


def test_markers_on_burnt_out_digits_are_read(room: tuple[SimulatedCamera, Profile]) -> None:
    """What could not be learnt of a face speaks neither for a marker nor against it."""
    camera, profile = room
    picture = table(camera)
    boxes = [where for where in picture if kind_of(where) == "box"]
    picture |= {where: PLAYERS[number % 2] for number, where in enumerate(boxes)}
    seen = Reader(profile).read(camera.frame(picture, t=3), seq=0, seen_at_s=0.0, source="test")
    found = {where: seen.sightings[where].value for where in boxes if where in seen.sightings}

    assert found.items() <= picture.items()
    assert len(found) >= 0.9 * len(boxes)


@pytest.mark.parametrize("owner", PLAYERS)
def test_markers_that_touch_are_read_each_for_itself(
    room: tuple[SimulatedCamera, Profile], owner: str
) -> None:
    """One player's markers side by side, some leaning on the next: none is taken for a part of another."""
    camera, profile = room
    picture = table(camera)
    boxes = [where for where in picture if kind_of(where) == "box"]
    picture |= dict.fromkeys(boxes, owner)
    seen = Reader(profile).read(camera.frame(picture, t=3), seq=0, seen_at_s=0.0, source="test")

    assert {where: seen.sightings[where].value for where in boxes if where in seen.sightings} == {
        where: picture[where] for where in boxes
    }


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_tile_below_dragons_is_looked_for_where_it_lay(*, is_turned: bool) -> None:
    """All but one of them are told then, and none that was turned over meanwhile is told as it was."""
    camera, profile = learnt(PLAYERS, 4)
    reader = Reader(profile)
    bare = table(camera)
    told: Counter[bool] = Counter()
    cells = sorted(parts_of(where)[0] for where in bare if kind_of(where) == "cell")[1::4]
    for cell in cells:
        tile, side = str(bare[place("cell", cell)]).split("/")
        covered = {**bare, **{place("dragon", name): cell for name in DRAGON_COLOURS}}
        covered |= {place("figure", name): cell for name in PLAYERS}
        covered |= {at: PLAYERS[0] for at in bare if kind_of(at) == "box" and parts_of(at)[0] == cell}
        if is_turned:
            covered = {
                at: one for at, one in covered.items() if (kind_of(at), parts_of(at)[0]) != ("box", cell)
            }
            covered[place("cell", cell)] = f"{tile}/{'built' if side == 'sketch' else 'sketch'}"
        for remembers in (True, False):
            reader.forget()
            if remembers:
                reader.read(camera.frame(bare), seq=0, seen_at_s=0.0, source="test")
            reader.forget(but_tiles=True)
            seen = reader.read(camera.frame(covered), seq=1, seen_at_s=1.0, source="test").sightings
            if (claim := seen.get(place("cell", cell))) is not None:
                assert claim.value == covered[place("cell", cell)]
                told[remembers] += 1

    assert told[True] >= told[False]
    assert is_turned or told[True] >= len(cells) - 1


def scaled(told: StandingChances, share: float) -> StandingChances:
    """Chances of all places made smaller; the rest is elsewhere."""
    places = tuple((at, chance * share) for at, chance in told.places)
    return replace(told, places=places, elsewhere=told.elsewhere + 1 - share)


@pytest.mark.parametrize(
    ("kind", "share", "is_claimed", "is_likely"),
    [
        ("figure", 0.97, True, False),
        ("figure", 0.7, False, True),
        ("dragon", 0.97, True, False),
        ("dragon", 0.92, False, True),
    ],
)
def test_a_piece_in_doubt_is_likely_and_looked_at_again(
    room: tuple[SimulatedCamera, Profile],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    share: float,
    *,
    is_claimed: bool,
    is_likely: bool,
) -> None:
    """If the recogniser is not sure of a piece, it is likely where it is seen; then all is read anew."""
    camera, profile = room
    reader, picture = Reader(profile), table(camera)
    piece = place(kind, PLAYERS[0] if kind == "figure" else next(iter(DRAGON_COLOURS)))
    picture |= {piece: "1,1"} if kind == "dragon" else {}
    chances = reader.library.standing.chances

    def hesitant(
        measured: Mapping[Place, Measured], known: Mapping[Place, StandingChances] | None = None
    ) -> dict[Place, StandingChances]:
        found = chances(measured, known)
        return {at: scaled(one, share) if at == piece else one for at, one in found.items()}

    monkeypatch.setattr(reader.library.standing, "chances", hesitant)
    seen = reader.read(camera.frame(picture), seq=0, seen_at_s=0.0, source="test")

    assert (piece in seen.sightings, piece in seen.likely) == (is_claimed, is_likely)
    told = seen.sightings.get(piece, seen.likely.get(piece))
    assert told is not None
    assert (told.value, told.confidence) == (picture[piece], pytest.approx(share, abs=0.03))
    assert piece in reader.left_open
    assert place("figure", PLAYERS[1]) not in reader.left_open
    frame = camera.frame(picture, t=0.1)
    again = reader.read(frame, seq=1, seen_at_s=0.1, source="test", again=reader.left_open)
    assert reader.reading is not None
    assert reader.reading.rectified.changed == frozenset(reader.library.layout.cells)
    assert again.sightings.keys() == seen.sightings.keys()


@pytest.mark.parametrize(("chance", "is_told"), [(0.2, True), (0.97, False)])
def test_what_may_as_well_be_an_overlooked_figure_is_no_dragon(
    room: tuple[SimulatedCamera, Profile], chance: float, *, is_told: bool
) -> None:
    """The two are told from each other by how likely each is by itself."""
    camera, profile = room
    reader, dragon = Reader(profile), place("dragon", next(iter(DRAGON_COLOURS)))
    picture = {**table(camera), dragon: "1,1", place("figure", PLAYERS[0]): None}
    seen = reader.read(camera.frame(picture), seq=0, seen_at_s=0.0, source="test")
    reading = reader.reading
    assert reading is not None
    assert seen.sightings[dragon].value == "1,1"
    rig, pieces = reading.located.rig, reading.pieces
    (at, _), *_ = pieces.chances[dragon].places
    same = Overlooked(places=((at, chance),), standing=pieces.standing[dragon])
    doubted = replace(
        pieces, sure={**pieces.sure, dragon: 0.97}, overlooked={place("figure", PLAYERS[0]): same}
    )
    claims = claim_pieces(rig, reading.faces, doubted)

    assert (dragon in claims) is is_told
    if dragon in claims:
        assert claims[dragon].confidence < 0.97


def test_print_is_seen_between_what_reaches_out_of_a_piece(room: tuple[SimulatedCamera, Profile]) -> None:
    """Bodies are a part of what pieces cover; a piece that was not made out has none."""
    camera, profile = room
    reader, dragon = Reader(profile), place("dragon", next(iter(DRAGON_COLOURS)))
    reader.read(camera.frame({**table(camera), dragon: "1,1"}), seq=0, seen_at_s=0.0, source="test")
    assert reader.reading is not None
    rig, pieces = reader.reading.located.rig, reader.reading.pieces
    bodies = bodies_of(rig, pieces)
    without = bodies_of(rig, replace(pieces, sure={**pieces.sure, dragon: 0.0}))

    assert bodies.sum() > without.sum() > 0
    assert not (bodies & ~pieces.cover.pieces).any()


def test_a_figure_of_which_colour_tells_nothing_is_found_by_its_looks(
    room: tuple[SimulatedCamera, Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the search by colour proposes no place at all, all that may hold a figure are looked at."""
    camera, profile = room
    reader, picture = Reader(profile), table(camera)

    def nothing(ground: Ground, **_paint: Paint) -> dict[str, Candidate | None]:
        return dict.fromkeys(ground.cells)

    monkeypatch.setattr(finder, "candidates", nothing)
    seen = reader.read(camera.frame(picture), seq=0, seen_at_s=0.0, source="test")

    assert reader.reading is not None
    pieces = reader.reading.pieces
    for player in PLAYERS:
        figure = place("figure", player)
        assert not pieces.unproposed[figure].places
        # What is in doubt is looked at from around as well, where it may be.
        there, around = pieces.measured[figure].odds.T
        assert (there[there > -3] != around[there > -3]).all()
        assert (there > -3).any()
        best = pieces.chances[figure].best
        assert best is not None
        assert best[0].cell == picture[figure]
        told = seen.sightings.get(figure, seen.likely.get(figure))
        assert told is not None
        assert told.value == picture[figure]


def test_under_a_hand_nothing_is_proposed_and_afterwards_all_is_looked_at_again(
    room: tuple[SimulatedCamera, Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand may look like anything, and nobody knows what it changed."""
    camera, profile = room
    reader, picture = Reader(profile), table(camera)
    monkeypatch.setattr(finder, "candidates", lambda ground, **_: dict.fromkeys(ground.cells))
    arm = HandPose(tip_mm=(0.0, 0.0), elbow_mm=(0.0, -500.0))
    frames = [
        camera.frame(picture, hand_pose=hand, t=t) for t, hand in ((0.0, None), (1.0, arm), (2.0, None))
    ]
    found = []
    for number, frame in enumerate(frames):
        reader.read(frame, seq=number, seen_at_s=float(number), source="test")
        assert reader.reading is not None
        found.append(reader.reading.pieces)

    assert [one.cover.hand for one in found] == [False, True, False]
    assert [bool(one.proposed.known) for one in found] == [True, False, True]
    figure = place("figure", PLAYERS[0])
    assert found[2].proposed.known[figure].keys() == found[0].proposed.known[figure].keys()
    before, after = (found[number].chances[figure].best for number in (0, 2))
    assert before is not None
    assert after is not None
    assert before[0].cell == after[0].cell == picture[figure]
    assert after[1] == pytest.approx(before[1], abs=0.1)
