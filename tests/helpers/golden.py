"""The golden cases: files that were made elsewhere or long ago, and what is true of them."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.imports import ROOT

GOLDEN = ROOT / "tests" / "golden"


def golden_records(pattern: str) -> list[Path]:
    """Return the whole games of this pattern: ``bmc-*.jsonl``, ``nova-*.jsonl``, ``urbion-*.jsonl``.

    Raises FileNotFoundError where none is there: a test that reads nothing proves nothing.
    """
    found = sorted((GOLDEN / "records").glob(pattern))
    if not found:
        raise FileNotFoundError(f"no record {pattern} in {GOLDEN / 'records'}")
    return found
