"""Profiles: as data, in a folder, as one zip."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.profile import (
    PIECE_KINDS,
    PROFILE_VERSION,
    FaceRecord,
    LensRecord,
    PieceRecord,
    Profile,
    format_profile,
    parse_profile,
)
from calibration.sensors import SensorProfile, Tag
from calibration.store import export_profile, load_profile, save_profile
from companion.errors import ProfileError
from companion.games.blue_moon_city.layout import table_layout

shades = st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
lengths = st.floats(min_value=-30, max_value=30, allow_nan=False)


def profile() -> Profile:
    """A small profile."""
    return Profile(
        edition="kosmos-2006",
        players=("purple", "white"),
        layout=table_layout(),
        faces=(
            FaceRecord(
                name="mill/sketch", picture="mill-sketch.png", width_mm=60, height_mm=60,
                boxes_mm=((-13.3, -20.5), (0.0, -20.5)), box_edge_mm=11.5,
            ),
            FaceRecord(name="mill/built", picture="mill-built.png", width_mm=60, height_mm=60),
        ),
        board=FaceRecord(name="board", picture="board.png", width_mm=66, height_mm=166),
        pieces=(PieceRecord(kind="marker", name="purple", palette=((150, 40, 90),), seen=1.0),),
        lens=LensRecord(size_wh=(1280, 720), focal_px=1000.0, centre_px=(640.0, 360.0), k1=-0.1, k2=0.01),
        pictures={"mill-sketch.png": b"a", "mill-built.png": b"b", "board.png": b"c"},
    )  # fmt: skip


@given(st.lists(shades, max_size=4), st.lists(st.tuples(lengths, lengths), max_size=4))
def test_a_profile_prints_and_parses_to_itself(
    palette: list[tuple[int, int, int]], boxes: list[tuple[float, float]]
) -> None:
    """Whatever is written is read back equal."""
    one = profile()
    pieces = (replace(one.pieces[0], palette=tuple(palette)),)
    changed = replace(
        one, pieces=pieces, faces=(replace(one.faces[0], boxes_mm=tuple(boxes)), *one.faces[1:])
    )

    assert changed == parse_profile(json.loads(json.dumps(format_profile(changed))), changed.pictures)


@given(st.booleans(), st.booleans(), st.sampled_from(PIECE_KINDS))
def test_backs_round_boards_and_all_pieces_are_kept(is_back: bool, is_round: bool, kind: str) -> None:
    """What lies anywhere on a table says its side and outline, and what it is."""
    one = profile()
    face = replace(one.faces[0], is_back=is_back, is_round=is_round)
    pieces = (replace(one.pieces[0], kind=kind),)
    changed = replace(one, faces=(face, *one.faces[1:]), pieces=pieces)

    assert changed == parse_profile(json.loads(json.dumps(format_profile(changed))), changed.pictures)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=8))
def test_a_learnt_shape_is_kept(levels: list[tuple[float, float]]) -> None:
    """From the foot up; a profile without one reads as before."""
    one = profile()
    changed = replace(one, pieces=(replace(one.pieces[0], shape=tuple(sorted(levels))),))

    assert changed == parse_profile(json.loads(json.dumps(format_profile(changed))), changed.pictures)


@pytest.mark.parametrize("shape", [[[0.5, 0.2], [0.1, 0.2]], [[0.0, 2.0]], [[0.0]], "slim"])
def test_a_shape_that_no_body_has_is_refused(shape: object) -> None:
    """Levels rise, and none is wider than the base by far."""
    found = format_profile(profile())
    found["pieces"][0]["shape"] = shape

    with pytest.raises(ProfileError):
        parse_profile(found, profile().pictures)


def test_an_unknown_side_is_refused() -> None:
    """A face is a face or a back."""
    found = format_profile(profile())
    found["faces"][0]["side"] = "edge"

    with pytest.raises(ProfileError, match="side"):
        parse_profile(found, profile().pictures)


def test_folder_and_zip_hold_the_same(tmp_path: Path) -> None:
    """A profile survives its folder, a second writing and the export."""
    save_profile(profile(), tmp_path / "mine")
    smaller = replace(profile(), board=None, pictures={"mill-sketch.png": b"new", "mill-built.png": b"b"})
    save_profile(smaller, tmp_path / "mine")
    export_profile(smaller, tmp_path / "mine.zip")

    assert smaller == load_profile(tmp_path / "mine")
    assert smaller == load_profile(tmp_path / "mine.zip")
    assert not (tmp_path / "mine" / "board.png").exists()


@pytest.mark.parametrize(
    "key", ["edition", "players", "layout", "faces", "pieces", "lens", "board", "sensors"]
)
@pytest.mark.parametrize("wrong", [3, "x", [1], {"y": 2}])
def test_a_damaged_index_is_refused_in_words(key: str, wrong: object) -> None:
    """Nothing but a ProfileError comes of it, or the value was a possible one."""
    found = format_profile(profile())
    if key == "edition" and wrong == "x":
        wrong = None
    found[key] = wrong

    with pytest.raises(ProfileError):
        parse_profile(found, profile().pictures)


def test_what_sensors_have_learnt_is_kept_with_the_rest(tmp_path: Path) -> None:
    """In folder and zip; a profile may know nothing but sensors, and one from before knows none."""
    learnt = SensorProfile(players={1: "purple"}, tags={0x80000001: Tag("tile", "mill")}, spots=((500, 64),))
    alone = replace(profile(), faces=(), board=None, pieces=(), pictures={}, sensors=learnt)
    save_profile(alone, tmp_path / "mine")
    export_profile(alone, tmp_path / "mine.zip")
    older = format_profile(profile())
    del older["sensors"]

    assert alone == load_profile(tmp_path / "mine") == load_profile(tmp_path / "mine.zip")
    assert parse_profile(older, profile().pictures).sensors is None


def test_a_newer_version_asks_for_an_update(tmp_path: Path) -> None:
    """A profile of a later program is refused with what to do."""
    save_profile(profile(), tmp_path)
    index = tmp_path / "profile.json"
    index.write_text(index.read_text().replace(f'"profile": {PROFILE_VERSION}', '"profile": 99'))

    with pytest.raises(ProfileError, match="update Moontable"):
        load_profile(tmp_path)


def test_changed_pictures_are_noticed(tmp_path: Path) -> None:
    """A picture that was changed, cut or lost is named."""
    save_profile(profile(), tmp_path)
    (tmp_path / "board.png").write_bytes(b"other")
    with pytest.raises(ProfileError, match=r"board\.png"):
        load_profile(tmp_path)
    (tmp_path / "board.png").unlink()
    with pytest.raises(ProfileError, match=r"board\.png"):
        load_profile(tmp_path)


def test_what_is_no_profile_is_refused(tmp_path: Path) -> None:
    """Missing, foreign and torn files give a clear word."""
    with pytest.raises(ProfileError, match="no profile at"):
        load_profile(tmp_path / "nothing")
    with pytest.raises(ProfileError, match="there is no"):
        load_profile(tmp_path)
    torn = tmp_path / "torn.zip"
    torn.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(ProfileError, match="damaged"):
        load_profile(torn)
    (tmp_path / "profile.json").write_text('{"profile": ')
    with pytest.raises(ProfileError, match="damaged"):
        load_profile(tmp_path)


def test_pictures_outside_the_folder_are_refused(tmp_path: Path) -> None:
    """A zip from elsewhere cannot name other files of this machine."""
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("profile.json", json.dumps({"profile": 1, "pictures": {"../x.png": "0"}}))

    with pytest.raises(ProfileError, match="outside"):
        load_profile(bad)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    """A profile is not written among somebody's own files."""
    (tmp_path / "letter.txt").write_text("dear")

    with pytest.raises(ProfileError, match="other files"):
        save_profile(profile(), tmp_path)
    assert ["letter.txt"] == [one.name for one in tmp_path.iterdir()]
