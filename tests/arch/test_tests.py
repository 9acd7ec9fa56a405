"""What holds for the tests themselves."""

from __future__ import annotations

import re
from pathlib import Path

from tests.helpers.imports import ROOT

HERE = ROOT / "tests"
# How a test could look for what is not in the repository; benchmarks may.
BESIDE = re.compile(r"MOONTABLE_SAMPLE[S]|ROOT\.paren[t]\b|\bimport [^\n]*\bsamples\b")

ROOMS = ("companion", "vision", "firmware_bridge", "calibration", "ui")
# Test files that try out several modules together; all others are named after the one module they test.
OF_SEVERAL_MODULES = {
    "companion/games/blue_moon_city/test_closed.py",
    "companion/games/blue_moon_city/test_hidden_crystals.py",
    "companion/games/blue_moon_city/test_out_of_turn.py",
    "companion/games/blue_moon_city/test_records.py",
    "companion/games/blue_moon_city/test_retrodiction.py",
    "companion/games/blue_moon_legends/test_fights.py",
    "companion/games/blue_moon_legends/test_naive.py",
    "companion/games/blue_moon_legends/test_phases.py",
    "companion/games/blue_moon_legends/test_powers.py",
    "companion/games/blue_moon_legends/test_random.py",
    "companion/games/blue_moon_legends/test_records.py",
    "companion/games/blue_moon_legends/test_ships.py",
    "companion/games/blue_moon_legends/test_watched.py",
    "companion/games/contract/test_explain.py",
    "companion/games/contract/test_fifth_game.py",
    "companion/games/contract/test_homes.py",
    "companion/games/contract/test_layout.py",
    "companion/games/contract/test_record.py",
    "companion/games/contract/test_rules.py",
    "companion/games/contract/test_standings.py",
    "companion/games/contract/test_table.py",
    "companion/games/contract/test_watched.py",
    "companion/games/contract/test_words.py",
    "companion/games/nova_luna/test_play.py",
    "companion/games/nova_luna/test_records.py",
    "companion/games/test_perft.py",
    "companion/games/test_same_everywhere.py",
    "companion/games/urbion/reconcile/test_last_turns.py",
    "companion/games/urbion/test_records.py",
    "companion/record/test_playthroughs.py",
    "companion/session/test_journal_damage.py",
    "companion/session/test_kill_watch.py",
    "companion/session/test_old_journals.py",
    "companion/test_catalogues.py",
    "firmware_bridge/test_firmware.py",
    "firmware_bridge/test_fuzz.py",
    "firmware_bridge/test_model.py",
    "firmware_bridge/wire/test_golden_wire.py",
    "ui/test_access.py",
    "ui/test_keyboard.py",
    "ui/test_languages.py",
    "ui/test_lives.py",
    "ui/test_nothing_is_clipped.py",
    "ui/test_text_size.py",
    "vision/test_golden_frames.py",
}


def _has_its_module(test: Path) -> bool:
    """Tell whether a test file is named after a module of the product, or after one beside it."""
    name = test.name.removeprefix("test_")
    names = (name, "__main__.py") if name == "main.py" else (name,)
    product = ROOT / test.parent.relative_to(HERE)
    return any((folder / name).is_file() for folder in (product, test.parent) for name in names)


def test_tests_mirror_the_tree() -> None:
    """The tests of a module are found without searching."""
    files = [path for room in (*ROOMS, "helpers") for path in (HERE / room).rglob("test_*.py")]
    strangers = {path.relative_to(HERE).as_posix() for path in files if not _has_its_module(path)}

    assert len(files) > 100
    assert set() == strangers - OF_SEVERAL_MODULES, "no such module: move the tests, or name them above"
    assert set() == OF_SEVERAL_MODULES - strangers, "these no longer need to be named"


def test_no_test_needs_a_folder_beside_the_repository() -> None:
    """A clone by itself runs as many tests as any other; none is skipped for want of a sample."""
    files = [
        path for path in HERE.rglob("*.py") if "benchmarks" not in path.parts and path != HERE / __file__
    ]
    found = [path.name for path in files if BESIDE.search(path.read_text("utf-8"))]

    assert len(files) > 100
    assert [] == found


def test_every_golden_folder_says_what_it_holds() -> None:
    """A few words on each case, and a line on each folder in the list of all."""
    folders = sorted(path for path in (HERE / "golden").iterdir() if path.is_dir())
    listed = (HERE / "golden" / "README.md").read_text("utf-8")

    assert [] == [path.name for path in folders if not (path / "README.md").is_file()]
    assert [] == [path.name for path in folders if f"`{path.name}/`" not in listed]
