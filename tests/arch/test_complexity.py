"""No function is longer than a page, and none is harder to follow than a reader can keep in mind."""

from __future__ import annotations

import ast

from tests.helpers.complexity import ROOMS, exceptions, too_complex
from tests.helpers.imports import ROOT, python_files, syntax_of

LONGEST = 60
# The list of exceptions may become shorter, never longer: lower this with it.
MOST_EXCEPTIONS = 16
FILES = [path for room in ROOMS for path in python_files(room)]


def test_no_function_is_longer_than_a_page() -> None:
    """Counted from ``def`` to the last line, docstring and blank lines too."""
    functions = [
        (path.relative_to(ROOT).as_posix(), node)
        for path in FILES
        for node in ast.walk(syntax_of(path))
        if isinstance(node, ast.FunctionDef)
    ]
    long = [(file, one.name) for file, one in functions if (one.end_lineno or 0) - one.lineno >= LONGEST]

    assert len(functions) > 1000
    assert [] == long


def test_no_function_is_too_complex() -> None:
    """What has been over the limit for long is listed; what is no longer has to go from the list."""
    listed = exceptions()

    assert set() == too_complex().keys() - listed
    assert set() == listed - too_complex().keys()
    assert MOST_EXCEPTIONS >= len(listed)
