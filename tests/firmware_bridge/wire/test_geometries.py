"""Geometries put together: only what is what the board announced."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from firmware_bridge.virtual.double_sensors import standard_entries
from firmware_bridge.wire.framing import crc16
from firmware_bridge.wire.geometries import Atlas
from firmware_bridge.wire.messages import (
    LIGHT_KINDS,
    SLOT_KINDS,
    GeometryEntry,
    GeometryPart,
    Hello,
    Kind,
    geometry_bytes,
)

ENTRIES = standard_entries()


def announced(entries: tuple[GeometryEntry, ...]) -> Hello:
    """Return the Hello of a board with this geometry."""
    slots = sum(e.count for e in entries if e.kind in SLOT_KINDS)
    lights = sum(e.count for e in entries if e.kind in LIGHT_KINDS)
    check = crc16(geometry_bytes(entries))
    return Hello(1, 0, (0, 1, 0), 1, 5, 0, 63, slots, lights, len(entries), check, 0, 0, 1)


@given(st.data())
def test_parts_in_any_order_make_the_whole(data: st.DataObject) -> None:
    """Cut anyhow, doubled, and known the next time."""
    hello, atlas = announced(ENTRIES), Atlas()
    assert atlas.begin(hello) == ()
    cuts = sorted(data.draw(st.sets(st.integers(1, len(ENTRIES) - 1), max_size=6)))
    edges = [0, *cuts, len(ENTRIES)]
    spans = [(edges[i], edges[i + 1]) for i in range(len(edges) - 1)]
    found: tuple[GeometryEntry, ...] = ()
    for first, last in data.draw(st.permutations(spans)):
        assert found == ()
        found = atlas.take(GeometryPart(first, len(ENTRIES), ENTRIES[first:last]), hello)

    assert found == ENTRIES
    assert atlas.begin(hello) == ENTRIES


@pytest.mark.parametrize(
    "changes",
    [{"slots": 12}, {"slots": 261}, {"lights": 0}, {"geometry": 7}],
    ids=["fewer slots", "more slots", "no lights", "another check"],
)
def test_a_geometry_that_is_not_the_announced_one_is_refused(changes: dict[str, int]) -> None:
    """Whoever counted on what was announced would read beyond the end."""
    hello = replace(announced(ENTRIES), **changes)  # type: ignore[arg-type]
    atlas = Atlas()
    atlas.begin(hello)
    with pytest.raises(MalformedError):
        atlas.take(GeometryPart(0, len(ENTRIES), ENTRIES), hello)

    assert atlas.first_missing == 0


def test_a_known_geometry_fits_its_announcement_too() -> None:
    """The same check, another number of slots."""
    atlas = Atlas()
    atlas.begin(announced(ENTRIES))
    atlas.take(GeometryPart(0, len(ENTRIES), ENTRIES), announced(ENTRIES))
    with pytest.raises(MalformedError):
        atlas.begin(replace(announced(ENTRIES), slots=5))


def test_what_is_of_nothing_is_refused() -> None:
    """An entry without slots, and a board without entries."""
    entries = (GeometryEntry(Kind.PRESENCE, 0, 1, 0, 1), GeometryEntry(Kind.SIDE, 0, 1, 0, 0))
    atlas = Atlas()
    atlas.begin(announced(entries))
    with pytest.raises(MalformedError):
        atlas.take(GeometryPart(0, 2, entries), announced(entries))
    with pytest.raises(MalformedError):
        atlas.begin(announced(()))


def test_fewer_entries_than_were_told_before() -> None:
    """A board that changes its mind about how many there are."""
    atlas = Atlas()
    atlas.begin(announced(ENTRIES))
    atlas.take(GeometryPart(2, len(ENTRIES), ENTRIES[2:12]), announced(ENTRIES))

    assert atlas.take(GeometryPart(1, 3, ENTRIES[1:2]), announced(ENTRIES[:3])) == ()
    assert atlas.take(GeometryPart(0, 3, ENTRIES[:1]), announced(ENTRIES[:3])) == ENTRIES[:3]
