"""What is wrong with a table of Blue Moon City that no legal run explains: the rule, and what to put back."""

from __future__ import annotations

from collections.abc import Iterable

from companion.decision import Choice, OutOfStep
from companion.errors import RuleViolation
from companion.games.blue_moon_city.actions import Action
from companion.games.blue_moon_city.catalogue import CELLS, CENTRE, DRAGONS
from companion.games.blue_moon_city.reconcile.differences import (
    Differences,
    fixes_for,
)
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.texts import text as rule_text
from companion.observation import Query
from companion.table import Place


def misplaced(view: CityState, seen: Query, found: Differences) -> OutOfStep[Action] | None:
    """Return the verdict on pieces that no legal play moves: markers, tiles, offerings already made."""
    fault = _marker_gone(view, found) or _moved_for_ever(found)
    if fault is not None:
        return out_of_step(view, seen, *fault)
    return wrong_flip(view, seen, found) or _wrong_offering(view, seen, found)


def _marker_gone(view: CityState, found: Differences) -> tuple[RuleViolation, list[Place]] | None:
    if not found.gone:
        return None
    cell, box, owner = found.gone[0]
    moved = boxes_of(found.placed.get(owner, []))
    rule = "table.marker_moved" if moved else "table.marker_missing"
    return RuleViolation(rule, player=view.setup.players[owner]), [*boxes_of([(cell, box)]), *moved]


def _moved_for_ever(found: Differences) -> tuple[RuleViolation, list[Place]] | None:
    """Return the first fault of pieces that stay where they are, in the order of what explains most."""
    figures = all(where.startswith("figure:") for where in found.strange)
    faults: list[tuple[str, list[Place]]] = [
        ("table.marker_changed", boxes_of((cell, box) for cell, box, _ in found.changed)),
        ("table.tile_moved", cells_of(found.tiles)),
        ("table.offering_missing", found.offering_faults and [*found.offering_faults, *offers_of(found)]),
        ("table.stray_figure" if figures else "table.stray_marker", found.strange),
        ("table.flipped_back", cells_of(cell for cell in found.unflipped if cell == CENTRE)),
    ]
    return next(((RuleViolation(rule), places) for rule, places in faults if places), None)


def boxes_of(boxes: Iterable[tuple[int, int]]) -> list[Place]:
    """Return the places of contribution boxes, given as (cell, box)."""
    return [Place(f"box:{CELLS[cell]}:{box}") for cell, box in boxes]


def cells_of(cells: Iterable[int]) -> list[Place]:
    """Return the places of cells."""
    return [Place(f"cell:{CELLS[cell]}") for cell in cells]


def offers_of(found: Differences) -> list[Place]:
    """Return the obelisk boxes with a new marker."""
    return [Place(f"obelisk:{box}") for boxes in found.offered.values() for box in boxes]


def wrong_flip(
    view: CityState, seen: Query, found: Differences, *, trust_unseen: bool = True
) -> OutOfStep[Action] | None:
    """Return the verdict on a tile that was flipped although nobody on it could have completed it."""
    for cell in found.flipped:
        ends = {found.figures.get(s, f) for s, f in enumerate(view.figures)}
        ends |= {-1} if found.unseen_figures and trust_unseen else set()
        placers = {c for spots in found.placed.values() for c, _ in spots}
        if cell not in ends and -1 not in ends and cell not in placers:
            return flipped_early(view, seen, cell)
    return None


def flipped_early(view: CityState, seen: Query, cell: int) -> OutOfStep[Action]:
    """Return the verdict on a tile that was flipped before all its boxes were paid."""
    paid = boxes_of((cell, box) for box, owner in enumerate(view.boxes[cell]) if owner >= 0)
    violation = RuleViolation("table.flipped_early", tile=view.setup.layout[cell])
    return out_of_step(view, seen, violation, [*cells_of([cell]), *paid])


def _wrong_offering(view: CityState, seen: Query, found: Differences) -> OutOfStep[Action] | None:
    """Return the verdict on offerings that leave out a lower box (ruling 23: equal values are as good)."""
    new = [box for boxes in found.offered.values() for box in boxes]
    values = view.setup.catalogue.obelisk
    first = view.setup.first_obelisk_box
    free = [i for i in range(first, len(values)) if view.obelisk[i] < 0]
    spots = [Place(f"obelisk:{b}") for b in new]
    if any(b < first for b in new):
        return out_of_step(view, seen, RuleViolation("offer.shaded_box"), spots)
    if sorted(values[b] for b in new) == [values[b] for b in free[: len(new)]]:
        return None
    for seat in found.offered:
        if found.figures.get(seat, view.figures[seat]) != CENTRE:
            cell = CELLS[found.figures.get(seat, view.figures[seat])]
            return out_of_step(view, seen, RuleViolation("offer.not_in_courtyard", cell=cell), spots)
    price = values[free[0]] if free else 0
    return out_of_step(view, seen, RuleViolation("offer.wrong_box", price=price), spots)


def all_places(view: CityState, found: Differences) -> list[Place]:
    """Return the places at which the table differs."""
    names = view.setup.players
    return [
        *boxes_of(spot for spots in found.placed.values() for spot in spots),
        *boxes_of((cell, box) for cell, box, _ in (*found.gone, *found.changed)),
        *offers_of(found),
        *cells_of((*found.flipped, *found.tiles)),
        *(Place(f"figure:{names[seat]}") for seat in found.figures),
        *(Place(f"dragon:{DRAGONS[number]}") for number in found.dragons),
        *found.strange,
        *found.offering_faults,
    ]


def out_of_step(
    view: CityState,
    seen: Query,
    violation: RuleViolation,
    places: list[Place],
    offers: tuple[Choice[Action], ...] = (),
) -> OutOfStep[Action]:
    """Return the verdict that a rule is broken, with how to put these places back."""
    fixes = fixes_for(view, seen, places)
    text = rule_text(violation.rule, violation.params)
    return OutOfStep(rule=violation.rule, params=violation.params, text=text, fixes=fixes, offers=offers)
