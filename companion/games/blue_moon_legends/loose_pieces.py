"""Cards that lie freely in the rows of both sides: each row has an area of its own, its cards in any order.

Ships and their loads are looked at where they are: which card lies on which ship, no middle of a card tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from companion.games.blue_moon_legends.state import State
from companion.games.kit.areas import card_at, in_row
from companion.loose_pieces import LoosePiece
from companion.observation import Observation
from companion.table import Picture, Place, kind_of, parts_of, place

_ROWS: Final = ("combat", "support", "open")
_BESIDE_MM: Final = 68.0


def located(state: State, observation: Observation) -> Observation:
    """Return the observation with the places of the rows whose areas were seen."""
    del state
    return in_rows(observation)


def in_rows(observation: Observation) -> Observation:
    """Return the observation with the places of the rows: whatever lay there before, they say the same."""
    sightings = dict(observation.sightings)
    for area, pieces in observation.areas.items():
        kind, player = area.split(":")
        ordered = sorted(pieces, key=lambda piece: piece.x_mm)
        places = [place(kind, player, at) for at in range(len(ordered) + 1)]  # the last one: here it ends
        found = in_row(places, ordered, is_whole=not observation.covered.get(area))
        sightings.update((sighting.place, sighting) for sighting in found)
    return replace(observation, sightings=sightings, areas={}, covered={})


def area_of(where: Place) -> str | None:
    """Return the free area from which a place is known, None for a place that is looked at itself."""
    return where.rpartition(":")[0] if kind_of(where) in _ROWS else None


def spots(picture: Picture) -> Mapping[Place, LoosePiece]:
    """Return where the cards of the rows lie when they are laid with care, by place."""
    found = {}
    for where, face in picture.items():
        area = area_of(where)
        if area is not None and face is not None:
            found[where] = card_at(face, area, _BESIDE_MM * int(parts_of(where)[-1]), 0.0)
    return found
