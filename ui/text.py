"""The window's texts in the players' language, or in English if there is no translation."""

from __future__ import annotations

from typing import TypeVar

from PyQt6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from companion import i18n, names
from companion.i18n import LANGUAGES, Translation, msg, nmsg

T = TypeVar("T")

# Stands for the system's language in the settings.
SYSTEM = ""


class _Chosen:
    """The current language and Qt's own translation for it."""

    language = "en"
    catalogue = Translation()
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
    if _Chosen.language != before or _Chosen.of_qt is None:
        _install_words_of_qt()
    return _Chosen.language


def language() -> str:
    """Return the current language."""
    return _Chosen.language


def tr(message: str, **values: object) -> str:
    """Return the message in the players' language, with its ``{names}`` filled in."""
    return said(msg(message, **values))


def ntr(singular: str, plural: str, number: int, **values: object) -> str:
    """Return the message for a number of things; ``{n}`` is replaced by the number."""
    return said(nmsg(singular, plural, number, **values))


def said(value: T) -> T:
    """Return a value with every message in it translated."""
    return i18n.said(value, _Chosen.catalogue)


def player_name(player: str) -> str:
    """Return a player's name, with a capital."""
    return opening(said(names.player_name(player)))


def opening(words: str) -> str:
    """Return the words with a capital, to begin a line."""
    return words[:1].upper() + words[1:]


def amount(thing: str, number: int) -> str:
    """Return a number of things as text."""
    return said(names.amount(thing, number))


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
