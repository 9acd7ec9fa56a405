"""Texts for players: written in English, translated where they are shown.

A `Message` *is* its English text, an ordinary string, and remembers how it was made, so that it can be
translated later, into one language after another. So journals, records, logs, `--json` and tests do not
depend on a language, no function needs to know the players' language, and changing it changes the screen.

    told = msg("{player} walks to {tile}", player=player_name("purple"), tile=tile_name("mill"))
    told == "purple walks to the Mill"
    said(told, catalogue("ru")) == "Фиолетовый идёт сюда: «Мельница»"

The texts given to `msg`, `msg_of`, `nmsg`, `mark` and `mark_of` are literals: a test finds them by reading
the source and compares them with the catalogues in `locale/`.
"""

from __future__ import annotations

import functools
import gettext
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")
Translation = gettext.NullTranslations

# Each language by its own name, English first: what the texts in the source are written in.
LANGUAGES: Final = {"en": "English", "ru": "Русский", "es": "Español", "uk": "Українська"}
DOMAIN: Final = "moontable"
LOCALE_DIR: Final = Path(__file__).resolve().parent / "locale"


# Names that are read from the right are set apart, so that they do not turn round what stands beside them.
_FROM_THE_RIGHT: Final = frozenset({"R", "AL", "AN"})
_APART: Final = ("\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}")


class Voice(Translation):
    """A language in which the players of one game are called by their names."""

    def __init__(self, words: Translation, called: Mapping[str, str]) -> None:
        """Speak as `words` does; `called` gives names by player, others are called by their colour."""
        super().__init__()
        self.words = words
        self._called = {player: _set_apart(name) for player, name in called.items()}

    def called(self, player: str) -> str | None:
        """Return a player's name; None if it is not known."""
        return self._called.get(player)

    def gettext(self, message: str) -> str:
        return self.words.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.words.ngettext(msgid1, msgid2, n)

    def pgettext(self, context: str, message: str) -> str:
        return self.words.pgettext(context, message)


def _set_apart(name: str) -> str:
    if any(unicodedata.bidirectional(one) in _FROM_THE_RIGHT for one in name):
        return name.join(_APART)
    return name


class Message(str):
    """An English text that can be said in other languages; made by the functions below."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the message itself, so that the words of an exception can still be translated."""
        return self

    def said(self, translation: Translation) -> str:
        """Return the text in the translation's language, English where it has none."""
        raise NotImplementedError


class _Sentence(Message):
    """A text with gaps and what fills them, perhaps in two numbers."""

    __slots__ = ("context", "number", "plural", "source", "values")

    source: str
    values: Mapping[str, object]
    plural: str
    number: int
    context: str

    def __new__(
        cls,
        source: str,
        values: Mapping[str, object] | None = None,
        plural: str = "",
        number: int = 1,
        context: str = "",
    ) -> _Sentence:
        english = plural if plural and number != 1 else source
        new = super().__new__(cls, english.format_map(values) if values else english)
        new.source, new.values = source, values or {}
        new.plural, new.number, new.context = plural, number, context
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy by making again."""
        return _Sentence, (self.source, dict(self.values), self.plural, self.number, self.context)

    def said(self, translation: Translation) -> str:
        """See `Message.said`."""
        if self.plural:
            words = translation.ngettext(self.source, self.plural, self.number)
        elif self.context:
            words = translation.pgettext(self.context, self.source)
        else:
            words = translation.gettext(self.source)
        if not self.values:
            return words
        return words.format_map({name: _said(value, translation) for name, value in self.values.items()})


class _Row(Message):
    """Several texts with a sign between them."""

    __slots__ = ("parts", "sign")

    sign: str
    parts: tuple[str, ...]

    def __new__(cls, sign: str, parts: Iterable[str] = ()) -> _Row:
        parts = tuple(parts)
        new = super().__new__(cls, sign.join(parts))
        new.sign, new.parts = sign, parts
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy by making again."""
        return _Row, (self.sign, self.parts)

    def said(self, translation: Translation) -> str:
        """See `Message.said`."""
        return self.sign.join(_said(part, translation) for part in self.parts)


class _Player(Message):
    """A player: by name where it is known, else in the words for the colour."""

    __slots__ = ("player", "words")

    player: str
    words: str

    def __new__(cls, player: str, words: str) -> _Player:
        new = super().__new__(cls, words)
        new.player, new.words = player, words
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy by making again."""
        return _Player, (self.player, self.words)

    def said(self, translation: Translation) -> str:
        """See `Message.said`."""
        name = translation.called(self.player) if isinstance(translation, Voice) else None
        return str(_said(self.words, translation)) if name is None else name


# -- making messages ---------------------------------------------------------------------------------------


def mark(source: str) -> str:
    """Return a text unchanged; it will be given to `msg` from the table that it stands in."""
    return source


def mark_of(context: str, source: str) -> str:
    """Return a text unchanged; it will be given to `msg_of` with that context."""
    del context
    return source


def msg(source: str, **values: object) -> Message:
    """Return a message; ``{name}`` in it is filled with the value of that name."""
    return _Sentence(source, values)


def msg_of(context: str, source: str, **values: object) -> Message:
    """Return a message whose English word means several things; the context tells translators which."""
    return _Sentence(source, values, context=context)


def nmsg(singular: str, plural: str, number: int, **values: object) -> Message:
    """Return the message for a number of things; ``{n}`` is filled with the number."""
    return _Sentence(singular, {"n": number, **values}, plural, number)


def join(sign: str, parts: Iterable[str]) -> Message:
    """Return the parts with a sign between them, each of them said in its turn."""
    return _Row(sign, parts)


def called(player: str, words: str) -> Message:
    """Return what to call a player: by name where it is said by a `Voice` that knows it, else these words."""
    return _Player(player, words)


# -- saying them -------------------------------------------------------------------------------------------


@functools.cache
def catalogue(language: str) -> Translation:
    """Return the catalogue of a language, an empty one (English) where there is none."""
    if language not in LANGUAGES:
        return Translation()
    return gettext.translation(DOMAIN, LOCALE_DIR, languages=[language], fallback=True)


def said(value: T, translation: Translation) -> T:
    """Return a value with every message in it said: tuples, mappings and dataclasses are traversed.

    What holds no message comes back as the same object; a translation without a catalogue changes nothing.
    """
    if type(translation) is Translation:
        return value
    told: T = _said(value, translation)
    return told


def _said(value: Any, translation: Translation) -> Any:
    match value:
        case Message():
            return value.said(translation)
        case tuple():
            items = tuple(_said(item, translation) for item in value)
            return value if all(map(_is_same, value, items)) else items
        case dict():
            told = {key: _said(item, translation) for key, item in value.items()}
            return value if all(map(_is_same, value.values(), told.values())) else told
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _said_fields(value, translation)
        case _:
            return value


def _said_fields(value: Any, translation: Translation) -> Any:
    changed = {}
    for field in fields(value):
        old = getattr(value, field.name)
        new = _said(old, translation)
        if new is not old:
            changed[field.name] = new
    return replace(value, **changed) if changed else value


def _is_same(one: object, other: object) -> bool:
    return one is other
