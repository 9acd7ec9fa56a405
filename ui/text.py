"""The window's texts in the players' language, or in English if there is no translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from PyQt6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from companion import i18n
from companion import names as words
from companion.i18n import LANGUAGES, Translation, Voice, msg, nmsg
from companion.people.seating import NOBODY

T = TypeVar("T")

# Stands for the system's language in the settings.
SYSTEM = ""


class _Chosen:
    """The current language, Qt's own translation for it, and who plays the game in the window."""

    language = "en"
    catalogue = Translation()
    voice: Translation = catalogue
    names: Mapping[str, str] = NOBODY
    of_qt: QTranslator | None = None


def system_language() -> str:
    """Return the first of the system's languages that has a translation."""
    wanted = (each.split("-")[0].lower() for each in QLocale.system().uiLanguages())
    return next((each for each in wanted if each in LANGUAGES), "en")


def install(language: str) -> str:
    """Set the current language and return it; an unknown one means English."""
    chosen = language or system_language()
    before, _Chosen.language = _Chosen.language, chosen if chosen in LANGUAGES else "en"
    _Chosen.catalogue = i18n.catalogue(_Chosen.language)
    call(_Chosen.names)
    if _Chosen.language != before or _Chosen.of_qt is None:
        _install_words_of_qt()
    return _Chosen.language


def call(names: Mapping[str, str]) -> None:
    """Call the players of the game in the window by these names from now on; others go by their colours."""
    _Chosen.names = names
    _Chosen.voice = voice(names)


def voice(names: Mapping[str, str]) -> Translation:
    """Return the players' language, with the names of the players of any game."""
    return Voice(_Chosen.catalogue, names) if names else _Chosen.catalogue


def language() -> str:
    """Return the current language."""
    return _Chosen.language


def tr(message: str, **values: object) -> str:
    """Return the message in the players' language, with its ``{names}`` filled in."""
    return said(msg(message, **values))


def ntr(singular: str, plural: str, number: int, **values: object) -> str:
    """Return the message for a number of things; ``{n}`` is replaced by the number."""
    return said(nmsg(singular, plural, number, **values))


def said(value: T, names: Mapping[str, str] | None = None) -> T:
    """Return a value with every message in it translated; `names` are those of another game's players."""
    return i18n.said(value, _Chosen.voice if names is None else voice(names))


def player_name(player: str, names: Mapping[str, str] | None = None) -> str:
    """Return what a player is called, with a capital; `names` are those of another game's players."""
    return opening(said(words.player_name(player), names))


def colour_name(player: str) -> str:
    """Return the name of a player's colour, with a capital, whoever has it."""
    return opening(said(words.colour_name(player)))


def opening(line: str) -> str:
    """Return the words with a capital, to begin a line."""
    return line[:1].upper() + line[1:]


def on_control(line: str) -> str:
    """Return words as a button or a menu shows them: an ``&`` in a name is no key to press."""
    return line.replace("&", "&&")


def amount(thing: str, number: int) -> str:
    """Return a number of things as text."""
    return said(words.amount(thing, number))


def _install_words_of_qt() -> None:
    """Translate Qt's own buttons and dialogs, too."""
    app = QCoreApplication.instance()
    if app is None:
        return
    if _Chosen.of_qt is not None:
        app.removeTranslator(_Chosen.of_qt)
        _Chosen.of_qt = None
    if _Chosen.language == "en":
        return
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"qtbase_{_Chosen.language}", folder):
        app.installTranslator(translator)
        _Chosen.of_qt = translator
