"""Profiles that earlier programs wrote, made before their formats changed, load as what they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.sensors import Tag
from calibration.store import load_profile, save_profile
from companion.games.blue_moon_city.layout import table_layout
from tests.helpers.golden import GOLDEN
from vision.reader import Reader

FOLDER = GOLDEN / "profiles"
NAMES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


@pytest.mark.parametrize("name", NAMES)
def test_an_old_profile_holds_what_was_learnt(name: str) -> None:
    """Faces, board, pieces, lens and players, whatever else its program knew."""
    profile = load_profile(FOLDER / name)

    assert ("kosmos-2006", ("purple", "white")) == (profile.edition, profile.players)
    assert [face.name for face in profile.faces] == ["mill/sketch", "mill/built"]
    assert profile.faces[0].boxes_mm == ((-13.0, -20.0), (0.0, -20.0))
    assert profile.board is not None
    assert len(profile.board.boxes_mm) == 13
    assert [(one.kind, one.name) for one in profile.pieces] == [
        ("marker", "purple"),
        ("figure", "white"),
        ("dragon", "fire"),
    ]
    assert profile.lens is not None
    assert (profile.lens.size_wh, profile.lens.focal_px) == ((1280, 720), 980.0)
    assert profile.layout.cells == table_layout().cells


def test_what_was_added_is_there_from_then_on() -> None:
    """Sensors first, then cards, then codes that lie anyhow; without them, what a straight sheet gives."""
    first, sensors, cards, turned = (load_profile(FOLDER / name) for name in NAMES)

    assert first.sensors is None
    assert sensors.sensors is not None
    assert sensors.sensors.tags == {7: Tag("tile", "mill", "sketch")}
    assert ([], ["aqua-2"]) == ([one.name for one in sensors.cards], [one.name for one in cards.cards])
    assert {code.turn_deg for code in cards.layout.fiducials} == {0.0}
    assert [code.turn_deg for code in turned.layout.fiducials] == [-15.0, -5.0, 5.0, 15.0]


@pytest.mark.parametrize("name", NAMES)
def test_an_old_profile_reads_and_is_saved_anew(name: str, tmp_path: Path) -> None:
    """A frame without a table is read with it, and what is saved today loads as the same profile."""
    profile = load_profile(FOLDER / name)
    seen = Reader(profile).read(np.full((720, 1280, 3), 90, np.uint8), seq=1, seen_at_s=0.0, source="camera")
    save_profile(profile, tmp_path / "again")

    assert seen.sightings == {}
    assert load_profile(tmp_path / "again") == profile
