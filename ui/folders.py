"""The folders of games and profiles on this computer."""

from __future__ import annotations

import time
from pathlib import Path

import platformdirs


def games_folder() -> Path:
    """Return the folder in which games are kept, and create it if it is missing."""
    folder = _own_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def new_journal_path(game: str) -> Path:
    """Return the path of a new file in the folder of games, named after the local time and the game."""
    folder = games_folder()
    stem = f"{time.strftime('%Y-%m-%d_%H-%M-%S')}_{game}"
    numbers = ["", *(f"_{n}" for n in range(2, 1000))]
    return next(path for n in numbers if not (path := folder / f"{stem}{n}.moontable").exists())


def profiles_folder() -> Path:
    """Return the folder in which profiles are kept."""
    return _own_folder() / "profiles"


def people_file() -> Path:
    """Return the file in which the people who play are remembered."""
    return _own_folder() / "people.json"


def _own_folder() -> Path:
    return Path(platformdirs.user_data_dir("moontable", appauthor=False))
