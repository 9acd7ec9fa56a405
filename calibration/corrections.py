"""Where an owner's copy of the game differs from the catalogue: stored with the profile.

The file maps a piece to what is printed on it; the game interprets the words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.errors import MalformedError, ProfileError
from companion.storage.files import written_whole
from companion.storage.strict import as_each, as_mapping, read_json_object

FILE_NAME = "corrections.json"


def read_corrections(folder: Path) -> dict[str, Any]:
    """Return the corrections kept in a profile's folder, {} if there are none; raises ProfileError."""
    file = folder / FILE_NAME
    if not folder.is_dir() or not file.exists():
        return {}
    try:
        return as_each(read_json_object(file), "what is printed on", as_mapping)
    except (OSError, MalformedError) as error:
        raise ProfileError(f"{file} cannot be read ({error}); repair or remove it") from error


def write_corrections(folder: Path, corrections: Mapping[str, Any]) -> None:
    """Keep the corrections, whole or not at all; raises ProfileError if the folder cannot be written."""
    file = folder / FILE_NAME
    try:
        with written_whole(file) as part:
            part.write_text(json.dumps(dict(corrections), indent=1, sort_keys=True) + "\n", "utf-8")
    except OSError as error:
        raise ProfileError(f"{file} cannot be written: {error.strerror or error}") from error
