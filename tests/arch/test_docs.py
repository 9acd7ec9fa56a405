"""What the documents name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.helpers.imports import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ROOMS = ("companion", "vision", "firmware_bridge", "calibration", "ui", "tests", "docs")
# A path in a room, without placeholders such as NAME.
NAMED = re.compile(rf"(?<![\w/.])((?:{'|'.join(ROOMS)})/[\w./-]*[\w/])")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_names_exists(document: Path) -> None:
    """Files and folders of the house; a word in capitals stands for any."""
    named = set(NAMED.findall(document.read_text(encoding="utf-8")))
    lost = [one for one in named if not re.search(r"[A-Z]{3}", one) and not (ROOT / one).exists()]

    assert [] == sorted(lost)
