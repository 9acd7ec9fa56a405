"""The catalogues of translations: ``python -m tests.helpers.catalogues`` finds all texts and compiles.

New texts are added to every ``.po`` file untranslated, texts that are no longer used are removed, and the
``.mo`` files are written anew. What is left to translate is printed; the status is 1 where anything is.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.games import registry
from companion.i18n import DOMAIN, LANGUAGES, LOCALE_DIR

ROOT: Final = Path(__file__).resolve().parents[2]
ROOMS: Final = ("companion", "vision", "firmware_bridge", "calibration", "ui")
# The functions that make messages, and what their first arguments are.
TEXT, PLURAL, CONTEXT = ("text",), ("text", "plural"), ("context", "text")
KEYWORDS: Final = {
    "tr": TEXT,
    "msg": TEXT,
    "mark": TEXT,
    "ntr": PLURAL,
    "nmsg": PLURAL,
    "msg_of": CONTEXT,
    "mark_of": CONTEXT,
}
# Texts in data files: file, key of the list or mapping, keys of the texts in each entry.
DATA: Final = (
    *(
        (f"companion/games/{name}/reminders.json", "reminders", ("topic", "title", "text"))
        for name in registry.NAMES
    ),
    ("companion/games/blue_moon_city/catalogue.json", "buildings", ("name",)),
)
# Texts at any depth of a data file, by their key.
DEEP: Final = (("companion/games/blue_moon_legends/catalogue.json", "note"),)
# Headers that change with every run, or name people.
UNSTEADY: Final = (
    "Project-Id-Version",
    "Report-Msgid-Bugs-To",
    "POT-Creation-Date",
    "PO-Revision-Date",
    "Last-Translator",
    "Language-Team",
    "Generated-By",
)
LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
TARGETS: Final = tuple(language for language in LANGUAGES if language != "en")


def po_file(language: str) -> Path:
    """Return where a language's translations are written."""
    return LOCALE_DIR / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def texts_of(source: str) -> Iterator[dict[str, str]]:
    """Yield the texts of a source file by what they are; raises ValueError for one that is put together.

    A text that is looked up in a table (``msg(RULES[rule])``) is marked there.
    """
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS):
            continue
        given = list(zip(KEYWORDS[node.func.id], node.args, strict=False))
        if any(isinstance(argument, ast.JoinedStr | ast.BinOp) for _, argument in given):
            raise ValueError(f"line {node.lineno}: {ast.unparse(node)}")
        literals = [(name, argument.value) for name, argument in given if isinstance(argument, ast.Constant)]
        texts = {name: value for name, value in literals if isinstance(value, str)}
        if texts.get("text"):
            yield texts


def found_texts() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield every text in the source: the file, and the text with its plural or context."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for texts in texts_of(path.read_text("utf-8")):
                yield path.relative_to(ROOT).as_posix(), texts
    for name, key, wanted in DATA:
        entries = json.loads((ROOT / name).read_text("utf-8"))[key]
        for entry in entries.values() if isinstance(entries, dict) else entries:
            for each in wanted:
                yield name, {"text": entry[each]}
    for name, key in DEEP:
        yield from (
            (name, {"text": each}) for each in _values_of(json.loads((ROOT / name).read_text("utf-8")), key)
        )


def _values_of(data: object, key: str) -> Iterator[str]:
    """Yield the texts under a key, at any depth."""
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    if isinstance(data, dict) and isinstance(data.get(key), str):
        yield data[key]
    for each in inside:
        yield from _values_of(each, key)


def template() -> Catalog:
    """Return a catalogue of all texts in the source, untranslated."""
    found = Catalog(project="Moontable", fuzzy=False, charset="utf-8")
    for name, texts in found_texts():
        text, plural = texts["text"], texts.get("plural")
        found.add((text, plural) if plural else text, locations=[(name, 0)], context=texts.get("context"))
    return found


def read_catalogue(language: str) -> Catalog:
    """Return a language's translations; empty where there are none yet."""
    file = po_file(language)
    if not file.exists():
        return Catalog(locale=language, project="Moontable", fuzzy=False, charset="utf-8")
    with file.open("rb") as stream:
        return read_po(stream, locale=language)


def po_text(translations: Catalog) -> bytes:
    """Return a catalogue as the text of its file, the same whenever it is written."""
    stream = io.BytesIO()
    write_po(stream, translations, width=100, sort_output=True, include_lineno=False, ignore_obsolete=True)
    lines = stream.getvalue().decode("utf-8").splitlines(keepends=True)
    start = next(number for number, line in enumerate(lines) if line.startswith("msgid"))
    kept = [line for line in lines[start:] if not line.startswith(tuple(f'"{name}' for name in UNSTEADY))]
    return "".join(kept).encode("utf-8")


def mo_bytes(language: str) -> bytes:
    """Return a language's compiled catalogue, made of its ``.po`` file; the same whenever it is made."""
    stream = io.BytesIO()
    translations = read_catalogue(language)
    translations.creation_date = translations.revision_date = LONG_AGO
    write_mo(stream, translations)
    return stream.getvalue()


def is_translated(message: Message) -> bool:
    """Whether every form of a text has a translation."""
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(forms)


def update(language: str) -> list[Message]:
    """Bring a language's files up to the source; return what is still to be translated."""
    translations = read_catalogue(language)
    translations.update(template(), no_fuzzy_matching=True)
    file = po_file(language)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(po_text(translations))
    file.with_suffix(".mo").write_bytes(mo_bytes(language))
    return [message for message in translations if message.id and not is_translated(message)]


def main() -> int:
    """Update all catalogues."""
    missing = {language: update(language) for language in TARGETS}
    for language, messages in missing.items():
        print(f"{language}: {len(messages)} to translate")
        for message in messages:
            print(f"    {message.id!r}")
    return 1 if any(missing.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
