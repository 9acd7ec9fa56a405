"""The translations: complete, nothing left over, gaps and plurals as they must be."""

from __future__ import annotations

import re
from string import Formatter

import pytest
from babel import Locale
from babel.messages.catalog import Message

from companion.i18n import LANGUAGES, LOCALE_DIR, catalogue, nmsg, said
from tests.helpers.catalogues import (
    ROOT,
    TARGETS,
    is_translated,
    mo_bytes,
    po_file,
    po_text,
    read_catalogue,
    template,
    texts_of,
)

# Games that speak English only so far; everything else in the house is translated.
ENGLISH_GAMES: set[str] = set()
NUMBERS = (0, 1, 2, 3, 4, 5, 11, 12, 14, 20, 21, 22, 25, 100, 101, 102, 111, 112, 1001)


def key(message: Message) -> tuple[str, ...]:
    """Return what a text is known by."""
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    return (message.context or "", *ids)


def forms(message: Message) -> tuple[str, ...]:
    """Return all forms of a translation."""
    told = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return tuple(form or "" for form in told)


def gaps(text: str) -> set[str]:
    """Return the names of a text's gaps."""
    return {f"{name}:{form}" for _, name, form, _ in Formatter().parse(text) if name}


def translations(language: str) -> list[Message]:
    """Return all translated texts of a language."""
    return [message for message in read_catalogue(language) if message.id]


def test_the_languages_are_there() -> None:
    """Every language but English has a catalogue, and none is left of another."""
    assert {each.name for each in LOCALE_DIR.iterdir()} == set(LANGUAGES) - {"en"} == set(TARGETS)


@pytest.mark.parametrize("language", TARGETS)
def test_every_text_is_translated_and_none_is_left_over(language: str) -> None:
    """What the source says is what the catalogue has; nothing is fuzzy or empty."""
    wanted = {key(message) for message in template() if message.id}
    had = {key(message) for message in translations(language)}

    assert sorted(wanted - had) == []
    assert sorted(had - wanted) == []
    assert [message.id for message in translations(language) if message.fuzzy] == []
    assert [message.id for message in translations(language) if not is_translated(message)] == []


@pytest.mark.parametrize("language", TARGETS)
def test_translations_fill_the_same_gaps(language: str) -> None:
    """Every form of a translation has the gaps of its text; a singular may leave the number out."""
    wrong = []
    for message in translations(language):
        wanted = gaps(key(message)[-1])
        wrong += [form for form in forms(message) if gaps(form) != wanted]

    assert [] == wrong


@pytest.mark.parametrize("language", TARGETS)
def test_translations_keep_their_shape(language: str) -> None:
    """A menu's key stays one, an ellipsis too, a sentence stays a sentence; no blank is at an end."""
    wrong = []
    for message in translations(language):
        text = key(message)[-1]
        for form in filter(None, forms(message)):
            is_kept = (
                text.count("&") == form.count("&")
                and text.endswith("…") == form.endswith("…")
                and text.endswith(".") == form.endswith(".")
                and text.endswith("?") == form.endswith("?")
                and form == form.strip()
                and "  " not in form
            )
            wrong += [] if is_kept else [form]

    assert [] == wrong


@pytest.mark.parametrize("language", TARGETS)
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    """`make words` was run after the last change."""
    file = po_file(language)

    assert file.read_bytes() == po_text(read_catalogue(language))
    assert file.with_suffix(".mo").read_bytes() == mo_bytes(language)


@pytest.mark.parametrize("language", TARGETS)
def test_plurals_are_those_of_the_language(language: str) -> None:
    """Numbers of one plural category take one form, others another; the categories are CLDR's."""
    category = Locale(language).plural_form
    told = {n: said(nmsg("{n} step", "{n} steps", n), catalogue(language)) for n in NUMBERS}
    words = {n: text.removeprefix(f"{n} ") for n, text in told.items()}
    by_category: dict[str, set[str]] = {}
    for number, word in words.items():
        by_category.setdefault(category(number), set()).add(word)

    assert all(len(each) == 1 for each in by_category.values())
    assert len(by_category) == len(set(words.values())) == {"ru": 3, "uk": 3, "es": 2}[language]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("ru", ["1 кристалл", "2 кристалла", "5 кристаллов", "11 кристаллов", "21 кристалл", "101 кристалл"]),
        ("uk", ["1 кристал", "2 кристали", "5 кристалів", "11 кристалів", "21 кристал", "101 кристал"]),
        ("es", ["1 cristal", "2 cristales", "5 cristales", "11 cristales", "21 cristales", "101 cristales"]),
    ],
)
def test_crystals_are_counted(language: str, expected: list[str]) -> None:
    """Numbers of crystals as people say them."""
    told = [said(nmsg("{n} crystal", "{n} crystals", n), catalogue(language)) for n in (1, 2, 5, 11, 21, 101)]

    assert expected == told


@pytest.mark.parametrize(
    "source",
    ["msg(f'{n} crystals')", "tr('a' + b)", "nmsg('{n} box', f'{n} boxes', 2)", "mark('%s' % name)"],
)
def test_a_text_that_is_put_together_is_refused(source: str) -> None:
    """Only literals can be translated."""
    with pytest.raises(ValueError, match="line 1"):
        list(texts_of(source))


def test_texts_are_found() -> None:
    """Texts, plurals and contexts are found; what is looked up in a table is not."""
    source = "msg('a', b=1); nmsg('{n} c', '{n} d', 2); msg_of('e', 'f'); tr(TABLE['g']); msg(h)"

    assert [
        {"text": "a"},
        {"text": "{n} c", "plural": "{n} d"},
        {"context": "e", "text": "f"},
    ] == list(texts_of(source))


def test_games_without_translations_are_named() -> None:
    """A game's room either makes messages or is listed as English only."""
    games = ROOT / "companion" / "games"
    rooms = {path.parent for path in games.glob("*/__init__.py")} - {games / "kit"}
    spoken = {
        room.name
        for room in rooms
        if any(re.search(r"\bmsg\(", path.read_text("utf-8")) for path in room.glob("*.py"))
    }

    assert ENGLISH_GAMES == {room.name for room in rooms} - spoken


# Letters that a language does not have.
FOREIGN = {"es": "а-яёіїєґ", "ru": "іїєґ", "uk": "ыэъё"}
# Two related languages may say a few words alike, but no sentence of so many words.
MOST_ALIKE = 3


@pytest.mark.parametrize("language", TARGETS)
def test_every_text_is_in_its_own_language(language: str) -> None:
    """No catalogue holds a text of another one's language."""
    foreign = re.compile(f"[{FOREIGN[language]}]", re.IGNORECASE)
    others = {
        (key(message), forms(message))
        for other in set(TARGETS) - {language}
        for message in translations(other)
        if sum(len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{.*?\}", "", form))) for form in forms(message))
        > MOST_ALIKE
    }

    assert [
        message.id for message in translations(language) if any(map(foreign.search, forms(message)))
    ] == []
    assert [
        message.id for message in translations(language) if (key(message), forms(message)) in others
    ] == []
