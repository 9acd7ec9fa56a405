"""Where the sample data lie: MOONTABLE_SAMPLES, or the folder ``shared`` beside the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def samples_dir() -> Path | None:
    """Return the folder of the sample data, None where it is absent."""
    folder = Path(os.environ.get("MOONTABLE_SAMPLES", ROOT.parent / "shared"))
    return folder if folder.is_dir() else None


def sample_records(pattern: str) -> list[Path]:
    """Return the sample records of this pattern; skips the test where there are none."""
    folder = samples_dir()
    found = sorted((folder / "records").glob(pattern)) if folder else []
    if not found:
        pytest.skip("the sample records are absent: set MOONTABLE_SAMPLES")
    return found
