"""The players' settings for the window, kept in the platform's own folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import platformdirs

from companion import log
from companion.errors import MalformedError
from companion.storage.files import written_whole
from companion.storage.strict import read_json_object, shown

FILE_NAME = "window.json"
THEME_NAMES = ("light", "dark")
SCALES = (0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75)
_RANGES = {"scale": (SCALES[0], SCALES[-1]), "volume": (0.0, 1.0), "table_light": (-1.0, 1.0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Choices for the window.

    Attributes:
        scale: size of all text, 1 = as designed.
        language: one of `companion.i18n.LANGUAGES`; empty = the system's.
        is_still: whether everything is shown at once, without moving there.
        has_sounds: whether what calls for attention makes a sound; `volume` says how loud, 0 to 1.
        is_spoken: whether prompts are spoken.
        is_timed: whether each player's thinking time is shown beside the name.
        is_plain: whether the camera's picture is shown without what was recognised.
        is_guided: whether the hints for a first game have been seen or skipped.
        table_light: how bright the lights of a sensor table are, 0 to 1; less than 0 = as set up.
        is_table_quiet: whether the buzzer of a sensor table is off.
    """

    theme: str = "light"
    scale: float = 1.0
    language: str = ""
    is_still: bool = False
    has_sounds: bool = True
    volume: float = 0.5
    is_spoken: bool = False
    is_timed: bool = False
    is_plain: bool = False
    is_guided: bool = False
    table_light: float = -1.0
    is_table_quiet: bool = False

    @property
    def theme_name(self) -> str:
        """The theme's name; the light one if the kept name is unknown."""
        return self.theme if self.theme in THEME_NAMES else THEME_NAMES[0]

    def larger(self, steps: int) -> Settings:
        """Return the settings with text some sizes larger (or smaller)."""
        nearest = min(range(len(SCALES)), key=lambda i: abs(SCALES[i] - self.scale))
        return replace(self, scale=SCALES[max(0, min(len(SCALES) - 1, nearest + steps))])


def shows_elsewhere(before: Settings, after: Settings) -> bool:
    """Whether settings differ in what the whole window must be rebuilt for."""
    return any(
        getattr(before, name) != getattr(after, name) for name in ("theme", "scale", "language", "is_still")
    )


def default_folder() -> Path:
    """Return the folder for settings on this platform."""
    return Path(platformdirs.user_config_dir("moontable", appauthor=False))


def read_settings(folder: Path) -> Settings:
    """Return the kept settings, with defaults for what is missing or unreadable."""
    try:
        kept = read_json_object(folder / FILE_NAME)
    except FileNotFoundError:
        return Settings()
    except (OSError, MalformedError) as error:
        log.ui.warning("settings read=no reason=%s", error)
        return Settings()
    known = {field.name: type(field.default) for field in fields(Settings)}
    sound: dict[str, Any] = {
        name: value
        for name, value in kept.items()
        if type(value) is known.get(name) and _is_in_range(name, value)
    }
    odd = kept.keys() - sound.keys()
    if odd:
        log.ui.warning("settings left out=%s", shown(sorted(odd)))
    return Settings(**sound)


def _is_in_range(name: str, value: Any) -> bool:
    low, high = _RANGES.get(name, (value, value))
    return bool(low <= value <= high)


def write_settings(folder: Path, settings: Settings) -> None:
    """Keep the settings, whole or not at all; a folder that cannot be written is only logged."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with written_whole(folder / FILE_NAME) as part:
            part.write_text(json.dumps(asdict(settings), indent=1), "utf-8")
    except OSError as error:
        log.ui.warning("settings kept=no reason=%s", error)
