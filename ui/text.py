"""Words of the window in the players' language; English where no catalogue is installed."""

from __future__ import annotations

import gettext
from pathlib import Path

LOCALE_DIR = Path(__file__).resolve().parent / "locale"

_installed: list[gettext.NullTranslations] = [gettext.NullTranslations()]


def install(language: str) -> None:
    """Choose the language for everything said from now on; an unknown one falls back to English."""
    _installed[0] = gettext.translation("ui", LOCALE_DIR, languages=[language], fallback=True)


def tr(message: str, **values: object) -> str:
    """Return the message in the players' language, with its ``{names}`` filled in."""
    return _installed[0].gettext(message).format(**values)
