"""Bad readings kept with one command, and replayed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from calibration.store import save_profile
from companion.errors import MalformedError
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Place, Value, place
from ui.commands import cases as command
from vision.diagnostics import cases
from vision.simulation.camera import SimulatedCamera

CLAIMS: dict[Place, Value] = {
    place("cell", "2,2"): "courtyard/built",
    place("box", "1,3", 0): "white",
    place("figure", "white"): "2,2",
}


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    """A photograph of a table."""
    file = tmp_path / "evening.png"
    cv2.imwrite(str(file), SimulatedCamera(table_layout(), [], {}, size_wh=(640, 360)).frame({}))
    return file


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """A profile that knows no pieces yet."""
    folder = tmp_path / "profile"
    save_profile(Profile(edition="kosmos-2006", players=("white",), layout=table_layout(), faces=()), folder)
    return folder


def run(*words: str | Path) -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser()
    command.add_commands(parser.add_subparsers())
    arguments = parser.parse_args([str(word) for word in words])
    status: int = arguments.func(arguments)
    return status


def claim(monkeypatch: pytest.MonkeyPatch, claims: dict[Place, Value]) -> None:
    """Let the reader claim this of every picture."""
    for module in (cases, command):
        monkeypatch.setattr(module, "reading_of", lambda *_: dict(claims))


def test_one_command_keeps_a_bad_reading(
    photograph: Path,
    profile: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The picture is kept byte for byte, with what was read and what is corrected; replaying tells of it."""
    claim(monkeypatch, CLAIMS)
    folder = tmp_path / "cases"
    status = run("keep-case", photograph, "--profile", profile, "--cases", folder, "--is", "box:1,3:0=none")

    assert status == 0
    assert "box:1,3:0: none, read as 'white'" in capsys.readouterr().out
    assert (folder / "evening" / "picture.png").read_bytes() == photograph.read_bytes()
    (case,) = cases.load_cases(folder)
    assert case.truth == {**CLAIMS, place("box", "1,3", 0): None}
    assert case.corrected == {"box:1,3:0"}
    assert run("replay-cases", folder) == 1
    assert "box:1,3:0 is none, read as white" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("claims", "mended"),
    [
        ({place("box", "1,3", 0): None, place("cell", "2,2"): "courtyard/built"}, True),
        ({place("cell", "2,2"): "courtyard/built"}, False),
        ({place("box", "1,3", 0): None, place("cell", "2,2"): "mill/built"}, False),
    ],
    ids=["right", "not told", "wrong elsewhere"],
)
def test_a_case_is_mended_when_the_corrected_place_is_right_and_nothing_is_wrong(
    photograph: Path,
    profile: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    claims: dict[Place, Value],
    mended: bool,
) -> None:
    """Places that nobody corrected may be left out, but not misread."""
    claim(monkeypatch, CLAIMS)
    folder = tmp_path / "cases"
    run("keep-case", photograph, "--profile", profile, "--cases", folder, "--is", "box:1,3:0=none")
    claim(monkeypatch, claims)
    capsys.readouterr()
    status = run("replay-cases", folder, "--json")
    (told,) = json.loads(capsys.readouterr().out)["cases"]

    assert told["mended"] is mended
    assert status == (0 if mended else 1)


def test_a_true_table_state_tells_what_was_read_wrongly(
    photograph: Path, profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the table state of what truly lies there nothing need be listed by hand."""
    claim(monkeypatch, CLAIMS)
    truth = tmp_path / "truth.json"
    truth.write_text(
        json.dumps({"cells": {"2,2": {"tile": "courtyard", "side": "built"}}, "pawns": {"white": "0,1"}})
    )
    folder = tmp_path / "cases"
    run("keep-case", photograph, "--profile", profile, "--cases", folder, "--truth", truth)

    assert cases.load_cases(folder)[0].corrected == {"figure:white"}


def test_profiles_are_kept_once(
    photograph: Path, profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cases of one profile share its copy; a second case of the same name is refused."""
    claim(monkeypatch, CLAIMS)
    words = ("keep-case", photograph, "--profile", profile, "--cases", tmp_path / "cases")
    run(*words)
    run(*words, "--name", "again")

    assert len(list((tmp_path / "cases" / "profiles").iterdir())) == 1
    with pytest.raises(MalformedError, match="already a case 'again'"):
        run(*words, "--name", "again")


def test_the_real_reader_replays(photograph: Path, profile: Path, tmp_path: Path) -> None:
    """From the kept files alone a case is read again: here nothing can be told of the place."""
    run(
        "keep-case",
        photograph,
        "--profile",
        profile,
        "--cases",
        tmp_path / "cases",
        "--is",
        "cell:2,2=mill/built",
    )
    (outcome,) = cases.replay(cases.load_cases(tmp_path / "cases"))

    assert outcome.missed == ("cell:2,2",)
    assert not outcome.mended
    assert np.isclose(outcome.right, 0)


@pytest.mark.parametrize("text", ["box:1,3:0", "=white", "box=white", "box:1,3:0="])
def test_odd_corrections_are_refused(text: str) -> None:
    """What is not PLACE=VALUE is named."""
    with pytest.raises(MalformedError, match="PLACE=VALUE"):
        command.parse_corrections([text])


def test_an_empty_or_damaged_folder_is_told_of(tmp_path: Path) -> None:
    """No cases, or a case that is none: a word about it."""
    with pytest.raises(MalformedError, match="has no cases"):
        cases.load_cases(tmp_path)
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "case.json").write_text("[]")
    with pytest.raises(MalformedError, match="damaged"):
        cases.load_cases(tmp_path)


@pytest.mark.parametrize("name", ["../../x", "/x", "a/b", "..", "a\\b"])
def test_a_case_stays_in_its_folder(
    tmp_path: Path, photograph: Path, profile: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A name that leads elsewhere is refused, and nothing is written."""
    claim(monkeypatch, CLAIMS)
    with pytest.raises(MalformedError, match="the name of a case"):
        run("keep-case", photograph, "--profile", profile, "--cases", tmp_path / "cases", "--name", name)

    assert not (tmp_path / "cases").exists()
    assert not (tmp_path.parent / "x").exists()


@pytest.mark.parametrize(
    ("key", "value"), [("picture", "/etc/hosts"), ("profile", "../../box"), ("picture", "a/b")]
)
def test_a_case_names_what_lies_in_its_folder(
    tmp_path: Path, photograph: Path, profile: Path, monkeypatch: pytest.MonkeyPatch, key: str, value: str
) -> None:
    """A case that names a picture or a profile elsewhere is refused."""
    claim(monkeypatch, CLAIMS)
    run("keep-case", photograph, "--profile", profile, "--cases", tmp_path / "cases", "--name", "one")
    index = tmp_path / "cases" / "one" / "case.json"
    index.write_text(json.dumps({**json.loads(index.read_text()), key: value}))

    with pytest.raises(MalformedError, match=f"the {key} cannot be"):
        run("replay-cases", tmp_path / "cases")
