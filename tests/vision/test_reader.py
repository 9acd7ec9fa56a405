"""Learning a simulated box and reading its table: the whole way from photographs to an observation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from calibration.store import load_profile, save_profile
from companion.errors import ProfileError
from companion.games.blue_moon_city.layout import table_layout
from companion.observation import Expectation, Observation
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from vision.capture.image_pyramid import ImagePyramid
from vision.enrolment.enrol import enrol
from vision.reader import Reader, read_stages
from vision.reading.faces import Proof
from vision.reading.observed import Reading
from vision.simulation.art import TileArt
from vision.simulation.camera import SimulatedCamera
from vision.simulation.motifs import MOTIFS
from vision.simulation.photographs import Enrolment
from vision.simulation.scenery import HandPose, Scenery, Viewpoint

LAYOUT = table_layout()
PLAYERS = {"purple": (130, 40, 90), "white": (235, 235, 238), "orange": (30, 120, 240)}
PEOPLES = ("aqua", "hoax", "vulca", "terrah", "khind", "pillar", "flit")
ARTS = [
    TileArt(
        tile=tile,
        boxes=()
        if tile == "courtyard"
        else tuple((PEOPLES[index % 7], 5 - number) for number in range(1 + index % 3)),
    )
    for index, tile in enumerate(MOTIFS)
]
BOXES = {art.tile: len(art.boxes) for art in ARTS}
TILES = dict(zip(LAYOUT.cells, MOTIFS, strict=True))


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    """A camera over a table by lamplight."""
    return SimulatedCamera(LAYOUT, ARTS, PLAYERS, seed=2)


@pytest.fixture(scope="module")
def shots(camera: SimulatedCamera) -> Enrolment:
    """The four photographs of an enrolment."""
    return camera.enrolment()


def learn(shots: Enrolment) -> Profile:
    """Learn the box."""
    return enrol(
        shots.photographs(),
        LAYOUT,
        edition="kosmos-2006",
        players=tuple(PLAYERS),
        boxes_of_tile=BOXES,
    )


@pytest.fixture(scope="module")
def profile(shots: Enrolment) -> Profile:
    """The box, learnt once."""
    return learn(shots)


def table() -> dict[Place, Value]:
    """A table in mid-game."""
    picture: dict[Place, Value] = {}
    for number, (cell, tile) in enumerate(TILES.items()):
        side = "built" if tile == "courtyard" or number % 4 == 1 else "sketch"
        picture[place("cell", cell)] = f"{tile}/{side}"
        if side == "sketch":
            picture |= {place("box", cell, index): None for index in range(BOXES[tile])}
    owned = [where for where in picture if kind_of(where) == "box"]
    for number, where in enumerate(owned[::3]):
        picture[where] = tuple(PLAYERS)[number % 3]
    picture |= {place("obelisk", number): None for number in range(13)}
    picture |= {place("obelisk", 2): "white", place("obelisk", 3): "purple", place("obelisk", 4): "orange"}
    standing = ("1,1", "2,2", "3,4")
    picture |= {place("figure", name): cell for name, cell in zip(PLAYERS, standing, strict=True)}
    picture |= {
        place("dragon", "fire"): "3,0",
        place("dragon", "earth"): "0,2",
        place("dragon", "water"): None,
    }
    return picture


def read(reader: Reader, frame: np.ndarray, seq: int = 0) -> Observation:  # type: ignore[type-arg]
    """Read one frame by itself."""
    reader.forget()
    return reader.read(np.asarray(frame, np.uint8), seq=seq, seen_at_s=float(seq), source="test")


def faults(truth: dict[Place, Value], seen: Observation) -> list[str]:
    """Every claim that is wrong."""
    return [
        f"{where}: {one.value}, in truth {truth.get(where)}"
        for where, one in seen.sightings.items()
        if truth.get(where) != one.value
    ]


def reading_of(reader: Reader) -> Reading:
    """The stages of the frame read last."""
    assert reader.reading is not None
    return reader.reading


def test_nothing_wrong_is_claimed_and_most_is_seen(camera: SimulatedCamera, profile: Profile) -> None:
    """A settled table is read: no wrong claim, all tiles, nearly all boxes."""
    truth = table()
    seen = read(Reader(profile), camera.frame(truth, t=7))
    claimed = {
        kind: sum(kind_of(where) == kind for where in seen.sightings) for kind in ("cell", "box", "obelisk")
    }
    wanted = {kind: sum(kind_of(where) == kind for where in truth) for kind in ("cell", "box", "obelisk")}

    assert faults(truth, seen) == []
    assert not seen.busy
    assert claimed["cell"] == wanted["cell"]
    assert claimed["box"] >= 0.85 * wanted["box"]
    assert claimed["obelisk"] >= 12
    assert seen.sightings[place("dragon", "fire")].value == "3,0"


def test_no_marker_is_told_wrongly_while_its_owner_s_figure_is_not_made_out(
    camera: SimulatedCamera, profile: Profile
) -> None:
    """It may be that figure's head. A hand is over each figure in turn, and hides the white one wholly."""
    truth = table()
    for player in PLAYERS:
        arm = HandPose.over(LAYOUT, str(truth[place("figure", player)]))
        seen = read(Reader(profile), camera.frame(truth, hand_pose=arm, t=11))

        assert faults(truth, seen) == []
        assert player != "white" or place("figure", player) not in seen.sightings


def test_markers_that_lie_astray_are_told_and_so_they_are_beside_a_hand(profile: Profile) -> None:
    """Four in five and more without a hand; with one none wrongly, and some on the tiles beside it."""
    careless = SimulatedCamera(
        LAYOUT, ARTS, PLAYERS, viewpoint=Viewpoint(tilt_deg=30, azimuth_deg=90), scenery=Scenery(stray_mm=5),
        seed=3,
    )  # fmt: skip
    truth = table()
    boxes = [where for where in truth if kind_of(where) == "box"]
    truth |= {where: None if number % 2 else tuple(PLAYERS)[number % 3] for number, where in enumerate(boxes)}
    seen, beside = (
        read(Reader(profile), careless.frame(truth, t=7, hand_pose=hand))
        for hand in (None, HandPose.over(LAYOUT, "2,2"))
    )
    near = {f"{row},{col}" for row in (1, 2, 3) for col in (1, 2, 3)}
    told = [where for where in beside.sightings if kind_of(where) == "box" and parts_of(where)[0] in near]

    assert faults(truth, seen) == faults(truth, beside) == []
    assert sum(where in seen.sightings for where in boxes) > 0.8 * len(boxes)
    assert told


def test_without_models_no_box_is_told(profile: Profile) -> None:
    """Nothing else tells what they hold."""
    camera = SimulatedCamera(LAYOUT, ARTS, PLAYERS, seed=3)
    seen = read(Reader(profile, models=None), camera.frame(table(), t=7)).sightings

    assert "cell" in map(kind_of, seen)
    assert {"box", "obelisk"}.isdisjoint(map(kind_of, seen))


def test_another_camera_in_another_light_reads_with_the_same_profile(profile: Profile) -> None:
    """The profile serves under another lamp, table and angle."""
    elsewhere = SimulatedCamera(
        LAYOUT, ARTS, PLAYERS, seed=9, viewpoint=Viewpoint(tilt_deg=33, azimuth_deg=12),
        scenery=Scenery(table="linen", cast=(0.86, 1.0, 1.1), exposure=0.85),
    )  # fmt: skip
    truth = table()
    seen = read(Reader(profile), elsewhere.frame(truth, t=3))

    assert faults(truth, seen) == []
    assert sum(kind_of(where) == "cell" for where in seen.sightings) >= 20


def test_a_hand_is_noticed_and_hides(camera: SimulatedCamera, profile: Profile) -> None:
    """Under a hand nothing is claimed, and the reading says that a hand is there."""
    truth = table()
    seen = read(Reader(profile), camera.frame(truth, hand_pose=HandPose.over(LAYOUT, "2,2"), t=5))

    assert seen.busy
    assert place("cell", "3,2") not in seen.sightings
    assert place("cell", "3,2") in seen.hidden
    assert faults(truth, seen) == []


def test_the_next_frame_may_show_two_fiducials(camera: SimulatedCamera, profile: Profile) -> None:
    """Once the table is found, fiducials may vanish under mugs; alone such a frame finds nothing."""
    frame = camera.frame(table(), t=1)
    covered = frame.copy()
    covered[:, : frame.shape[1] // 6] = 70
    reader = Reader(profile)
    reader.read(frame, seq=0, seen_at_s=0.0, source="test")
    after = reader.read(covered, seq=1, seen_at_s=0.1, source="test")

    assert place("cell", "2,2") in after.sightings


@pytest.mark.parametrize("value", [0, 255, 128])
def test_a_blank_frame_claims_nothing(profile: Profile, value: int) -> None:
    """Black, white and grey pictures are no table, and no crash."""
    seen = read(Reader(profile), np.full((720, 1280, 3), value, np.uint8))

    assert not seen.sightings


@pytest.mark.parametrize("shape", [(1, 1, 3), (40, 30, 3), (3, 2000, 3)])
def test_a_frame_of_any_size_is_survived(profile: Profile, shape: tuple[int, int, int]) -> None:
    """Tiny and odd pictures claim nothing."""
    noise = np.random.default_rng(1).integers(0, 255, shape).astype(np.uint8)

    assert not read(Reader(profile), noise).sightings


def test_a_profile_survives_its_folder(camera: SimulatedCamera, profile: Profile, tmp_path: Path) -> None:
    """What was learnt reads the same after being kept."""
    save_profile(profile, tmp_path / "box")
    frame = camera.frame(table(), t=2)
    kept, fresh = read(Reader(load_profile(tmp_path / "box")), frame), read(Reader(profile), frame)

    assert kept.sightings == fresh.sightings


def test_a_photograph_without_fiducials_is_refused(shots: Enrolment) -> None:
    """The message says which photograph and what is missing."""
    blank = np.full_like(shots.sketch, 120)

    with pytest.raises(ProfileError, match=r"sketch.*only 0 of"):
        learn(replace(shots, sketch=blank))


def test_a_picture_that_is_damaged_is_refused(profile: Profile) -> None:
    """A profile whose pictures are no pictures is refused in words."""
    pictures = dict.fromkeys(profile.pictures, b"no picture")

    with pytest.raises(ProfileError, match="damaged"):
        Reader(replace(profile, pictures=pictures))


def test_only_what_has_changed_is_read_again(camera: SimulatedCamera, profile: Profile) -> None:
    """After a marker, a walk and a flip the next frame is read in part, with the same claims as by itself."""
    before = table()
    after = before | {place("box", "1,3", 0): "white", place("figure", "white"): "4,3"}
    cell = next(
        where for where, value in after.items() if kind_of(where) == "cell" and str(value).endswith("/sketch")
    )
    after[cell] = f"{str(after[cell]).partition('/')[0]}/built"
    for where in [one for one in after if kind_of(one) == "box" and one.startswith(f"box:{cell[5:]}:")]:
        del after[where]
    reader = Reader(profile)
    read(reader, camera.frame(before, t=7))
    frame = camera.frame(after, t=8)
    again = reader.read(frame, seq=1, seen_at_s=1.0, source="test")
    changed = reading_of(reader).rectified.changed
    alone = read(reader, frame, seq=1)

    assert 0 < len(changed) < len(LAYOUT.cells)
    assert faults(after, again) == []
    assert {where: one.value for where, one in alone.sightings.items()} == {
        where: one.value for where, one in again.sightings.items()
    }


def test_a_tile_whose_sides_look_much_alike_is_seen_to_be_turned_over(
    camera: SimulatedCamera, profile: Profile
) -> None:
    """What lay there agrees as well as before, but the other side agrees better."""
    before = table()
    cell, old = next(one for one in before.items() if kind_of(one[0]) == "cell" and "sketch" in str(one[1]))
    sketch, built = str(old), str(old).replace("sketch", "built")
    after = {
        where: value
        for where, value in before.items()
        if not (kind_of(where) == "box" and parts_of(where)[0] == parts_of(cell)[0])
    }
    after[cell] = built
    files = {one.name: one.picture for one in profile.faces}
    sides = [
        cv2.imdecode(np.frombuffer(profile.pictures[files[side]], np.uint8), cv2.IMREAD_UNCHANGED)
        for side in (sketch, built)
    ]
    alike = cv2.imencode(".png", cv2.addWeighted(sides[0], 0.45, sides[1], 0.55, 0))[1].tobytes()
    reader = Reader(replace(profile, pictures={**profile.pictures, files[sketch]: alike}))
    first = read(reader, camera.frame(before, t=7))
    second = reader.read(camera.frame(after, t=8), seq=1, seen_at_s=1.0, source="test")

    assert first.sightings[cell].value == sketch
    assert second.sightings[cell].value == built


def test_what_changes_while_the_light_fades_is_read(camera: SimulatedCamera, profile: Profile) -> None:
    """Cells drawn anew lie beside others that were drawn in brighter light."""
    reader, truth = Reader(profile), table()
    boxes = [where for where in truth if kind_of(where) == "box"]
    for number, where in enumerate(boxes[1::4]):
        truth[where] = None if truth[where] else "purple"
        frame = camera.frame(truth, t=number) * (1 - 0.04 * number)
        seen = reader.read(frame.astype(np.uint8), seq=number, seen_at_s=float(number), source="test")

        assert faults(truth, seen) == []
        assert seen.sightings[where].value == truth[where]


def test_where_boxes_were_left_open_a_frame_like_the_last_is_read_again_if_asked(
    camera: SimulatedCamera, profile: Profile
) -> None:
    """Elsewhere all stays as it was read; and what was told once is told again."""
    reader = Reader(profile)
    first = read(reader, camera.frame(table(), t=7))
    frame = camera.frame(table(), t=8)
    told = reader.read(frame, seq=1, seen_at_s=1.0, source="test")
    assert reading_of(reader).rectified.changed == frozenset()
    assert reading_of(reader).left_open == {
        at for at in table() if kind_of(at) in ("box", "obelisk") and at not in told.sightings
    }

    board = reading_of(reader).board
    open_ = {place("box", "1,3", 0), place("obelisk", 3)}
    again = reader.read(frame, seq=2, seen_at_s=2.0, source="test", again=open_)

    assert reading_of(reader).rectified.changed == {"1,3"}
    assert reading_of(reader).board is not board
    assert {at: one.value for at, one in again.sightings.items()} == {
        at: one.value for at, one in first.sightings.items()
    }


def test_a_figure_that_was_taken_away_is_no_longer_where_it_stood(
    camera: SimulatedCamera, profile: Profile
) -> None:
    """With a hand about it may be anywhere, but in its place bare ground is seen, and not while it stands."""
    before = table()
    where, stood = place("figure", "orange"), str(before[place("figure", "orange")])
    arm = HandPose.over(LAYOUT, "1,0", seat=3)
    reader = Reader(profile)
    read(reader, camera.frame(before, t=7))
    there = reader.read(camera.frame(before, hand_pose=arm, t=8), seq=1, seen_at_s=1.0, source="test")
    gone = reader.read(
        camera.frame({**before, where: None}, hand_pose=arm, t=9), seq=2, seen_at_s=2.0, source="test"
    )

    assert where not in there.denied
    assert where not in gone.sightings
    assert gone.denied[where] == {stood}


def test_a_reading_is_the_same_however_often_it_is_made(camera: SimulatedCamera, profile: Profile) -> None:
    """Each stage is made of those before it and of the last reading, and leaves them as they are."""
    before, after = table(), table() | {place("box", "1,3", 0): "white", place("figure", "white"): "4,3"}
    reader = Reader(profile)
    read(reader, camera.frame(before, t=7))
    last = reading_of(reader)
    labels, picture = last.pieces.layers.labels.copy(), last.rectified.city.plane.picture.copy()
    frame = ImagePyramid(camera.frame(after, t=8))
    first, second = (read_stages(last.located, frame, last) for _ in range(2))

    assert 0 < len(first.rectified.changed) < len(LAYOUT.cells)
    assert first.claims == second.claims
    assert (first.hidden, first.denied, first.left_open) == (second.hidden, second.denied, second.left_open)
    assert (last.pieces.layers.labels == labels).all()
    assert (last.rectified.city.plane.picture == picture).all()


def expectations(truth: Picture) -> dict[str, Expectation | None]:
    """What a game may expect of a table: nothing, the truth, tiles elsewhere or turned, no pieces."""
    cells = [where for where in truth if kind_of(where) == "cell"]
    tiles = [str(truth[where]) for where in cells]
    sides = {"sketch": "built", "built": "sketch"}
    turned = [f"{tile}/{sides[side]}" for tile, _, side in (one.partition("/") for one in tiles)]
    pictures = {
        "right": truth,
        "tiles elsewhere": {**truth, **dict(zip(cells, [*tiles[1:], tiles[0]], strict=True))},
        "tiles turned over": {**truth, **dict(zip(cells, turned, strict=True))},
        "no pieces": {where: truth[where] for where in cells},
    }
    told = {name: Expectation(picture=one, revision=3) for name, one in pictures.items()}
    return {"nothing": None, **told}


def test_what_is_expected_decides_nothing(camera: SimulatedCamera, profile: Profile) -> None:
    """Plain or with tiles that pieces and a hand mostly cover, a frame is read alike whatever is expected."""
    covered = with_dragons("2,0", "fire", "earth")
    frames = [
        camera.frame(table(), t=7),
        camera.seen_from(Viewpoint(tilt_deg=38, azimuth_deg=20)).frame(covered, t=8),
        camera.frame(covered, hand_pose=HandPose.over(LAYOUT, "2,1"), t=9),
    ]
    for frame in frames:
        reader, told = Reader(profile), {}
        for name, expected in expectations(covered).items():
            reader.forget()
            seen = reader.read(frame, seq=0, seen_at_s=0.0, source="test", expected=expected)
            assert seen.read_for == (None if expected is None else 3)
            told[name] = replace(seen, read_for=None)

        assert [name for name, one in told.items() if one != told["nothing"]] == []
        assert told["nothing"].sightings


def test_what_was_expected_before_decides_nothing_either(camera: SimulatedCamera, profile: Profile) -> None:
    """The same frames one after the other, read as the expectation changes."""
    frames = [camera.frame(table() | {place("box", "1,3", 0): owner}, t=7) for owner in ("white", None)]
    told = []
    for wanted in expectations(table()).values():
        reader = Reader(profile)
        first, second = (
            reader.read(frame, seq=number, seen_at_s=0.0, source="test", expected=one)
            for number, (frame, one) in enumerate(zip(frames, (wanted, None), strict=True))
        )
        told.append((first.sightings, second.sightings))

    assert all(one == told[0] for one in told)


def with_dragons(cell: str, *dragons: str) -> dict[Place, Value]:
    """The table with markers on two boxes of a tile, and figures and dragons that cover most of it."""
    truth = table() | {place("cell", cell): f"{TILES[cell]}/sketch", place("figure", "orange"): cell}
    truth |= {place("box", cell, number): owner for number, owner in enumerate((None, "purple", "orange"))}
    return truth | {place("dragon", name): cell for name in dragons}


def test_markers_on_its_boxes_tell_which_side_of_a_hidden_tile_is_up(
    camera: SimulatedCamera, profile: Profile
) -> None:
    """Hardly anything of its print is seen beside three dragons; its markers lie where only its boxes are."""
    cell, proofs = "2,0", []
    truth = with_dragons(cell, "fire", "earth", "water")
    for tilt_deg in (38, 39, 40, 41):
        frame = camera.seen_from(Viewpoint(tilt_deg=tilt_deg)).frame(truth, t=7)
        # Where dragons stand the models leave open more often than limits do; neither may be wrong.
        alone = Reader(profile, models=None)
        seen = read(alone, frame)
        proofs.append(reading_of(alone).faces.proofs.get(cell))

        assert faults(truth, seen) == []
        assert faults(truth, read(Reader(profile), frame)) == []
        assert seen.sightings[place("cell", cell)].value == truth[place("cell", cell)]
    assert Proof.MARKERS in proofs


def test_a_dragon_behind_two_others_is_not_said_to_have_left(
    camera: SimulatedCamera, profile: Profile
) -> None:
    """Seen from low down nothing of it may be left; behind one alone something is."""
    low = camera.seen_from(Viewpoint(tilt_deg=44, azimuth_deg=30))
    hidden = with_dragons("3,4", "fire", "earth", "water")
    gone = with_dragons("3,4", "earth") | {place("dragon", name): None for name in ("fire", "water")}
    seen = read(Reader(profile), low.frame(hidden, t=7))

    claim = seen.sightings.get(place("dragon", "fire"))
    assert claim is None or claim.value == "3,4"
    assert faults(hidden, seen) == []
    assert read(Reader(profile), low.frame(gone, t=7)).sightings[place("dragon", "fire")].value is None


def test_a_box_is_bare_though_another_s_marker_lies_over_a_part_of_it(profile: Profile) -> None:
    """Markers are laid askew, and seen from behind they lean over the boxes beside theirs."""
    viewpoint = Viewpoint(tilt_deg=40, azimuth_deg=180)
    careless = SimulatedCamera(
        LAYOUT, ARTS, PLAYERS, viewpoint=viewpoint, scenery=Scenery(stray_mm=4), seed=2
    )
    truth = table() | {place("dragon", name): None for name in ("fire", "earth", "water")}
    boxes = [where for where in truth if kind_of(where) == "box"]
    truth |= {where: None if number % 2 else tuple(PLAYERS)[number % 3] for number, where in enumerate(boxes)}
    seen = read(Reader(profile), careless.frame(truth, t=7))

    assert faults(truth, seen) == []
    assert [where for where in boxes if truth[where] is None and where not in seen.sightings] == []


def painted_over(frame: np.ndarray, camera: SimulatedCamera) -> np.ndarray:  # type: ignore[type-arg]
    """The frame with a patch of plain table over each fiducial."""
    found = np.array(frame)
    for one in LAYOUT.fiducials:
        half = one.edge_mm * 0.9
        corners = [
            (one.x_mm + half * i, one.y_mm + half * j, 0.0) for i, j in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
        cv2.fillConvexPoly(found, camera.pose.project(np.array(corners)).astype(np.int32), (70, 110, 150))
    return found


def test_without_fiducials_the_tiles_tell_where_the_table_is(
    camera: SimulatedCamera, profile: Profile
) -> None:
    """With all fiducials covered the city is read all the same; an empty table without them is refused."""
    truth = table()
    reader = Reader(profile)
    seen = read(reader, painted_over(camera.frame(truth, t=7), camera))
    cells = [where for where in seen.sightings if kind_of(where) == "cell"]
    view = reading_of(reader).camera
    read(reader, painted_over(camera.frame({}, t=8), camera))

    assert faults(truth, seen) == []
    assert len(cells) >= 18
    assert view.fiducials == frozenset()
    assert reader.reading is None
