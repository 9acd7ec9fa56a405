"""What is wrong with a table of Blue Moon City that no legal run explains: the rule, and what to put back."""

from __future__ import annotations

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
    names = view.setup.players
    for cell, box, owner in found.gone:
        spot = Place(f"box:{CELLS[cell]}:{box}")
        moved = [Place(f"box:{CELLS[c]}:{b}") for c, b in found.placed.get(owner, [])]
        rule = "table.marker_moved" if moved else "table.marker_missing"
        return out_of_step(view, seen, RuleViolation(rule, player=names[owner]), [spot, *moved])
    if found.changed:
        spots = [Place(f"box:{CELLS[c]}:{b}") for c, b, _ in found.changed]
        return out_of_step(view, seen, RuleViolation("table.marker_changed"), spots)
    if found.tiles:
        cells = [Place(f"cell:{CELLS[c]}") for c in found.tiles]
        return out_of_step(view, seen, RuleViolation("table.tile_moved"), cells)
    if found.offering_faults:
        moved = [Place(f"obelisk:{b}") for boxes in found.offered.values() for b in boxes]
        return out_of_step(
            view, seen, RuleViolation("table.offering_missing"), [*found.offering_faults, *moved]
        )
    if found.strange:
        figures = all(where.startswith("figure:") for where in found.strange)
        rule = "table.stray_figure" if figures else "table.stray_marker"
        return out_of_step(view, seen, RuleViolation(rule), found.strange)
    back = [c for c in found.unflipped if c == CENTRE]
    if back:
        return out_of_step(view, seen, RuleViolation("table.flipped_back"), [Place(f"cell:{CELLS[CENTRE]}")])
    return wrong_flip(view, seen, found) or _wrong_offering(view, seen, found)


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
    places = [Place(f"cell:{CELLS[cell]}")]
    places += [Place(f"box:{CELLS[cell]}:{b}") for b, owner in enumerate(view.boxes[cell]) if owner >= 0]
    violation = RuleViolation("table.flipped_early", tile=view.setup.layout[cell])
    return out_of_step(view, seen, violation, places)


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
    places = [Place(f"box:{CELLS[c]}:{b}") for spots in found.placed.values() for c, b in spots]
    places += [Place(f"box:{CELLS[c]}:{b}") for c, b, _ in (*found.gone, *found.changed)]
    places += [Place(f"obelisk:{b}") for boxes in found.offered.values() for b in boxes]
    places += [Place(f"cell:{CELLS[c]}") for c in (*found.flipped, *found.tiles)]
    places += [Place(f"figure:{names[s]}") for s in found.figures]
    places += [Place(f"dragon:{DRAGONS[d]}") for d in found.dragons]
    return [*places, *found.strange, *found.offering_faults]


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
