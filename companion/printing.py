"""Printing text on any terminal."""

from __future__ import annotations

import io
import json
import sys


def show_with_escapes() -> None:
    """Let the terminal show escapes for what it cannot: Cyrillic in ASCII, a file's name that is no text."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_json(document: object) -> None:
    """Print one JSON document on standard output, with JSON's own escapes where that cannot show the text."""
    text = json.dumps(document, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document)
    print(text)
