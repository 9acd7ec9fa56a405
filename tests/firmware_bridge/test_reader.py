"""Slot values to sightings: what cannot be told is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.sensors import SensorProfile, Tag
from companion.table import Place, Value
from firmware_bridge.reader import SlotReader, map_slots
from firmware_bridge.virtual.double_sensors import standard_entries
from firmware_bridge.wire.messages import TAG_BIT, UNCLEAR, GeometryEntry, Kind

MILL, MILL_BACK, COURT, PURPLE, WHITE, FIRE, STRANGE = (TAG_BIT | n for n in range(1, 8))
PROFILE = SensorProfile(
    tags={
        MILL: Tag("tile", "mill"),
        COURT: Tag("tile", "courtyard", "built"),
        PURPLE: Tag("figure", "purple"),
        WHITE: Tag("figure", "white"),
        FIRE: Tag("dragon", "fire"),
    },
    players={1: "purple", 2: "white"},
    boxes={"mill": (0, 2)},
)
ENTRIES = standard_entries()
MAP = map_slots(ENTRIES)
CELL = MAP.cells["1,1"]


def look(changes: dict[int, int], profile: SensorProfile = PROFILE, **more: bool) -> dict[Place, Value]:
    """Return what is seen on a table that is empty but for these slots."""
    reader = SlotReader(ENTRIES, profile)
    values = [0] * 260
    for slot, value in changes.items():
        values[slot] = value
    seen = reader.read(values, source="test", seq=1, seen_at_s=2.0, **more)
    return {where: sighting.value for where, sighting in seen.sightings.items()}


def on(cell: str, *tags: int, side: int = 1, presence: int = 1) -> dict[int, int]:
    """Return the slots of a cell with these tags on it."""
    slots = MAP.cells[cell]
    assert slots.tags is not None
    found = dict(zip(slots.tags, tags, strict=False))
    if slots.side is not None:
        found[slots.side] = side
    if slots.presence is not None:
        found[slots.presence] = presence
    return found


def test_an_empty_table_is_seen_to_be_empty() -> None:
    """Every cell, every obelisk box and every figure, and no contribution box."""
    seen = look({})

    assert {seen[Place(f"cell:{cell}")] for cell in MAP.cells} == {None}
    assert seen[Place("figure:purple")] is None
    assert seen[Place("dragon:fire")] is None
    assert sum(w.startswith("obelisk:") for w in seen) == 13
    assert not [w for w in seen if w.startswith("box:")]


def test_a_tile_shows_its_side_and_its_boxes() -> None:
    """By tag and magnet; its boxes are the spots that the profile names."""
    assert CELL.boxes is not None
    seen = look(on("1,1", MILL) | {CELL.boxes[2]: 2})

    assert seen[Place("cell:1,1")] == "mill/sketch"
    assert [(w, v) for w, v in seen.items() if w.startswith("box:")] == [
        ("box:1,1:0", None),
        ("box:1,1:1", "white"),
    ]


def test_a_built_tile_has_no_boxes() -> None:
    """Turned over."""
    seen = look(on("1,1", MILL, side=2))

    assert seen[Place("cell:1,1")] == "mill/built"
    assert not [w for w in seen if w.startswith("box:")]


def test_a_tag_may_tell_the_side() -> None:
    """Where no magnet does."""
    assert look(on("2,2", COURT))[Place("cell:2,2")] == "courtyard/built"


def test_two_tags_of_both_faces_are_decided_by_the_magnet() -> None:
    """Both are read through a thin tile."""
    profile = replace(
        PROFILE,
        tags={**PROFILE.tags, MILL: Tag("tile", "mill", "sketch"), MILL_BACK: Tag("tile", "mill", "built")},
    )
    assert look(on("1,1", MILL, MILL_BACK, side=2), profile)[Place("cell:1,1")] == "mill/built"
    assert Place("cell:1,1") not in look(on("1,1", MILL, MILL_BACK, side=0), profile)
    assert Place("cell:1,1") not in look(on("1,1", MILL, side=2), profile)  # tag and magnet disagree


@pytest.mark.parametrize(
    "changes",
    [
        on("1,1", UNCLEAR),
        on("1,1", MILL, side=UNCLEAR),
        on("1,1", MILL, side=0),
        on("1,1", MILL, COURT),
        on("1,1", STRANGE),
        on("1,1", side=1),  # the magnet is there, its tag was not read
        on("1,1", side=0, presence=1),
        on("1,1", side=UNCLEAR, presence=0),
    ],
    ids=["reader", "side", "no side", "two tiles", "foreign", "no tag", "presence", "half"],
)
def test_an_unclear_cell_is_left_out(changes: dict[int, int]) -> None:
    """Neither tile nor empty; its boxes are left out too."""
    seen = look(changes)

    assert Place("cell:1,1") not in seen
    assert not [w for w in seen if w.startswith("box:1,1")]


def test_foreign_tags_are_told() -> None:
    """The set-up can ask what they are."""
    reader = SlotReader(ENTRIES, PROFILE)
    values = [0] * 260
    for slot, value in on("1,1", MILL, STRANGE).items():
        values[slot] = value
    seen = reader.read(values, source="test", seq=1, seen_at_s=0.0)

    assert reader.foreign == {"1,1": (STRANGE,)}
    assert seen.sightings[Place("cell:1,1")].value == "mill/sketch"


def test_figures_stand_where_their_tags_are_read() -> None:
    """Several on one cell."""
    seen = look(on("1,1", MILL, PURPLE, FIRE) | on("2,2", COURT, WHITE))

    assert [seen[Place(p)] for p in ("figure:purple", "dragon:fire", "figure:white")] == ["1,1", "1,1", "2,2"]


def test_a_figure_seen_twice_or_perhaps_hidden_is_left_out() -> None:
    """Being slid; or perhaps on the cell whose reader is dead."""
    twice = look(on("1,1", MILL, PURPLE) | on("2,2", COURT, PURPLE))
    hidden = look(on("1,1", UNCLEAR) | on("2,2", COURT, WHITE))

    assert Place("figure:purple") not in twice
    assert Place("figure:purple") not in hidden
    assert hidden[Place("figure:white")] == "2,2"


def test_unclear_and_unknown_markers_are_left_out() -> None:
    """Class 15 and a magnet that belongs to nobody."""
    assert CELL.boxes is not None
    seen = look(
        on("1,1", MILL)
        | {CELL.boxes[0]: UNCLEAR, CELL.boxes[2]: 4, MAP.obelisk[0]: 1, MAP.obelisk[1]: UNCLEAR}
    )

    assert not [w for w in seen if w.startswith("box:")]
    assert seen[Place("obelisk:0")] == "purple"
    assert Place("obelisk:1") not in seen


def test_an_untuned_board_tells_nothing_by_its_spots() -> None:
    """Tags are read all the same."""
    seen = look(on("1,1", MILL, PURPLE), spots_known=False)

    assert seen == {
        Place("figure:purple"): "1,1", Place("figure:white"): None, Place("dragon:fire"): None,
    } | {Place("cell:2,2"): None}  # fmt: skip


def test_a_table_without_readers_goes_by_its_layout() -> None:
    """The cheap variant: which tile is known, the side is felt, figures are not seen."""
    entries = [e for e in ENTRIES if e.kind != Kind.READER]
    slots = map_slots(entries).cells
    reader = SlotReader(entries, replace(PROFILE, layout={"1,1": "mill", "2,2": "courtyard/built"}))
    values = [0] * 134
    for cell, side in (("1,1", 2), ("2,2", None), ("1,2", 1)):
        if side is not None and slots[cell].side is not None:
            values[slots[cell].side or 0] = side
        values[slots[cell].presence or 0] = 1
    seen = {w: s.value for w, s in reader.read(values, source="t", seq=1, seen_at_s=0).sightings.items()}

    assert (seen[Place("cell:1,1")], seen[Place("cell:2,2")]) == ("mill/built", "courtyard/built")
    assert Place("cell:1,2") not in seen
    assert seen[Place("cell:0,1")] is None
    assert not [w for w in seen if w.startswith(("figure", "dragon"))]


def test_kinds_of_a_newer_version_keep_their_slots() -> None:
    """The slots after them are still found."""
    entries = [
        GeometryEntry(0x2A, 0, 0, 0, 5),
        GeometryEntry(Kind.OBELISK, 0, 0, 0, 2),
        GeometryEntry(0x90, 0, 0, 0, 9),
    ]

    assert map_slots(entries).obelisk == {0: 5, 1: 6}


@given(
    st.lists(st.sampled_from([0, 1, 2, 4, UNCLEAR, MILL, COURT, PURPLE, STRANGE]), min_size=260, max_size=260)
)
def test_any_values_can_be_read(values: list[int]) -> None:
    """Whatever a board says; nothing that is unclear becomes a sighting."""
    reader = SlotReader(ENTRIES, PROFILE)
    seen = reader.read(values, source="test", seq=1, seen_at_s=0.0)

    for name, slots in MAP.cells.items():
        if any(values[s] == UNCLEAR for s in slots.tags or ()):
            assert Place(f"cell:{name}") not in seen.sightings
