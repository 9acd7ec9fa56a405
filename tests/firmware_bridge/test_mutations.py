"""The mutation list fits the code, so that it can be run."""

from __future__ import annotations

import pytest

from tests.firmware_bridge.mutations import MUTATIONS, ROOT, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_each_mutation_has_its_place(mutation: Mutation) -> None:
    """What it replaces occurs exactly once."""
    assert (ROOT / mutation.file).read_text().count(mutation.old) == 1


def test_there_are_enough_of_them() -> None:
    """At least ten, no two alike."""
    assert len({m.name for m in MUTATIONS}) == len(MUTATIONS) >= 10
