"""Where a snapshot differs from what the state predicts, sorted by what such a difference can mean."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from companion.decision import Fix
from companion.games.blue_moon_city.catalogue import CELLS, DRAGONS, INDEX, MOST_DRAWN, MOST_REWARD_CARDS
from companion.games.blue_moon_city.rules.spending import FLITS
from companion.games.blue_moon_city.state import CityState, Hidden
from companion.games.blue_moon_city.table import PILE, equal_boxes, predict
from companion.games.blue_moon_city.texts import fix_text
from companion.games.kit.evidence import believed, removals_first
from companion.observation import Query
from companion.table import Picture, Place, Value, kind_of


@dataclass(slots=True)
class Differences:
    """All differences between the seen and the predicted table.

    Attributes:
        placed: new markers on boxes, (cell, box) by seat.
        gone: markers missing from boxes: (cell, box, owner).
        changed: boxes whose marker has another owner: (cell, box, owner now).
        strange: markers where no player of this game could have put one.
        flipped: cells whose tile was turned to its built side.
        unflipped: built cells of the state that still show the sketch side.
        tiles: cells that show another tile.
        lifted: places whose piece is in someone's hand (tile, figure, dragon).
        figures: new cell by seat.
        unseen_figures: seats whose figure was not seen.
        dragons: new cell by number.
        offered: new markers on the obelisk, boxes by seat.
        offering_faults: obelisk boxes with a missing, changed or out-of-order marker.
        top_before, top_now: top of the discard pile, "" = not known, None = no card.
        tops: what lay on the pile, one after the other, top_before last: first what may lie there by what the
            active player did, then what came on it since and that he spent for nothing that was seen.
        payable: the cards that may have paid for what the active player has done so far.
        may_reshuffle: the deck is so small that it may have run out again since the pile was seen empty.
    """

    placed: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    gone: list[tuple[int, int, int]] = field(default_factory=list)
    changed: list[tuple[int, int, int]] = field(default_factory=list)
    strange: list[Place] = field(default_factory=list)
    flipped: list[int] = field(default_factory=list)
    unflipped: list[int] = field(default_factory=list)
    tiles: list[int] = field(default_factory=list)
    lifted: list[Place] = field(default_factory=list)
    figures: dict[int, int] = field(default_factory=dict)
    unseen_figures: set[int] = field(default_factory=set)
    dragons: dict[int, int] = field(default_factory=dict)
    offered: dict[int, list[int]] = field(default_factory=dict)
    offering_faults: list[Place] = field(default_factory=list)
    top_before: Value = ""
    top_now: Value = ""
    tops: tuple[Value, ...] = ()
    payable: frozenset[str] = frozenset()
    may_reshuffle: bool = False

    def __len__(self) -> int:
        """Return how many things differ, the discard pile and late housekeeping apart."""
        by_seat = [spots for each in (self.placed, self.offered) for spots in each.values()]
        pieces = (self.figures, self.dragons, self.lifted, self.tiles, self.flipped)
        faults = (self.gone, self.changed, self.strange, self.offering_faults)
        return sum(map(len, (*by_seat, *pieces, *faults)))

    @property
    def top_changed(self) -> bool:
        """Whether the top of the discard pile was seen to change."""
        return "" not in (self.top_before, self.top_now) and self.top_before != self.top_now

    @property
    def earlier_discards(self) -> int:
        """Return how often the top of the pile was seen to change before anything else moved."""
        return max(0, len(self.tops) - 1)

    @property
    def top_unchanged(self) -> bool:
        """Whether the discard pile was seen to be the same as before, so that no card was spent."""
        if self.top_now is None and self.may_reshuffle:
            return False
        return self.top_before != "" and self.top_before == self.top_now


def compare(state: CityState, seen: Query) -> Differences:
    """Return the differences; unseen and contested places differ from nothing."""
    wanted = predict(state)
    found = Differences()
    picture = believed(seen)
    for where, value in picture.items():
        kind = kind_of(where)
        if kind == "box":
            _compare_box(found, state, where, value, wanted, picture)
        elif kind in ("cell", "figure", "dragon") and (where not in wanted or value != wanted[where]):
            _compare_piece(found, state, where, value, wanted.get(where))
    names = state.setup.players
    found.unseen_figures = {i for i, name in enumerate(names) if Place(f"figure:{name}") not in picture}
    _compare_obelisk(found, state, picture, wanted)
    _compare_pile(found, state, seen, picture.get(PILE, ""), wanted.get(PILE, ""))
    return found


def _compare_piece(found: Differences, state: CityState, where: Place, value: Value, wanted: Value) -> None:
    """Sort in a tile, a figure or a dragon that does not stand where it should."""
    kind, _, name = where.partition(":")
    if kind == "figure" and name not in state.setup.players:
        found.strange.extend([where] if value is not None else [])
    elif value is None:
        found.lifted.append(where)
    elif kind == "cell":
        _compare_tile(found, INDEX[name], value, wanted or "")
    elif kind == "figure":
        found.figures[state.setup.players.index(name)] = INDEX[value]
    else:
        found.dragons[DRAGONS.index(name)] = INDEX[value]


def _compare_pile(found: Differences, state: CityState, seen: Query, top: Value, wanted: Value) -> None:
    """Note what is known of the discard pile, now and since the last action."""
    found.top_now = top
    # What the table showed since is newer than what the game knows of the pile: resets are not seen at once.
    found.top_before = seen.before.get(PILE, wanted)
    found.payable = state.hidden.paid if state.hidden is not None else frozenset()
    trail = seen.trail.get(PILE, ())
    # Where he spent nothing for sure, the end of the turn before his may have left any card that came along,
    # unless the cards of that end had been seen before.
    is_end_seen = _is_end_seen(state, seen, seen.earlier.get(PILE, ()))
    may_be_older = state.acts < seen.moved and found.payable <= FLITS and not is_end_seen
    is_his = state.acts > 0 and not may_be_older
    # The pile may have been shuffled for the reward cards of a building that he completed.
    has_drawn = state.hidden is not None and any(state.hidden.aside_high)
    payable = found.payable | {None} if has_drawn else found.payable
    found.tops = _tops_until(trail, found.top_before, payable, is_his=is_his)
    completing = bool(found.flipped or found.placed)
    most = MOST_REWARD_CARDS if completing else MOST_DRAWN
    found.may_reshuffle = state.hidden is not None and _may_run_out(
        state.hidden, most, is_empty=found.top_before is None and trail[:1] == (None,)
    )


def _is_end_seen(state: CityState, seen: Query, earlier: tuple[Value, ...]) -> bool:
    """Whether the end of the turn before was seen on the pile, before the active player did anything.

    Its cards came after the last thing that was done in that turn, or with it where they cannot have paid it.
    """
    if seen.moved != state.acts + 1 or state.hidden is None:
        return False
    before, after, *later = earlier or (None, None)
    return bool(later) or (before != after and after not in state.hidden.paid_before)


def _may_run_out(hidden: Hidden, most: int, *, is_empty: bool) -> bool:
    """Whether the deck may have run out again: surely small, or the pile was empty time and again."""
    return hidden.deck_high <= most or (is_empty and hidden.deck_low <= most)


def _tops_until(
    trail: tuple[Value, ...], last: Value, paid: frozenset[Value], *, is_his: bool
) -> tuple[Value, ...]:
    """Return `Differences.tops`; a card that came with the last action but cannot have paid it is later."""
    if not trail:
        return () if last == "" else (last,)
    before, after, *later = trail
    came_along = before != after and is_his and after not in paid
    tops = [before] if came_along else []
    for top in (after, *later, last):
        if top != "" and (not tops or tops[-1] != top):
            tops.append(top)
    return tuple(tops)


def _compare_tile(found: Differences, cell: int, value: str, wanted: str) -> None:
    tile, _, side = value.partition("/")
    if tile != wanted.partition("/")[0]:
        found.tiles.append(cell)
    elif side == "built":
        found.flipped.append(cell)
    else:
        found.unflipped.append(cell)


def _compare_box(
    found: Differences,
    state: CityState,
    where: Place,
    value: Value,
    wanted: dict[Place, Value],
    picture: dict[Place, Value],
) -> None:
    if where not in wanted:
        if value is not None and not _still_on_sketch(where, picture, wanted):
            found.strange.append(where)
        return
    owner = wanted[where]
    if value == owner:
        return
    _, cell_text, box_text = where.split(":")
    cell, box = INDEX[cell_text], int(box_text)
    names = state.setup.players
    if value is not None and value not in names:
        found.strange.append(where)
    elif owner is None and value is not None:
        found.placed.setdefault(names.index(value), []).append((cell, box))
    elif value is None and owner is not None:
        found.gone.append((cell, box, names.index(owner)))
    elif value is not None:
        found.changed.append((cell, box, names.index(value)))


def _still_on_sketch(where: Place, picture: dict[Place, Value], wanted: dict[Place, Value]) -> bool:
    """Whether a marker stands on a tile that is built but not yet cleared and flipped by hand."""
    cell = Place(f"cell:{where.split(':')[1]}")
    shown = picture.get(cell)
    expected = wanted.get(cell) or ""
    return expected.endswith("/built") and (shown is None or shown.endswith("/sketch"))


def _compare_obelisk(
    found: Differences, state: CityState, picture: dict[Place, Value], wanted: dict[Place, Value]
) -> None:
    """Compare by boxes of equal value, which are interchangeable (ruling 23)."""
    for spots in equal_boxes(state.setup.catalogue.obelisk, state.setup.first_obelisk_box):
        have = {where: picture[where] for where in spots if where in picture}
        _compare_equal_boxes(found, state, have, {where: wanted[where] for where in spots})


def _compare_equal_boxes(found: Differences, state: CityState, have: Picture, want: Picture) -> None:
    seen, due = _markers(have), _markers(want)
    if len(have) == len(want) and due - seen:
        found.offering_faults += [p for p, owner in want.items() if owner not in (None, have[p])]
    for name, number in (seen - due).items():
        new = [where for where, owner in have.items() if owner == name and want[where] != name]
        _add_offerings(found, state, name, new[:number])


def _markers(boxes: Picture) -> Counter[str]:
    return Counter(owner for owner in boxes.values() if owner is not None)


def _add_offerings(found: Differences, state: CityState, name: str, new: list[Place]) -> None:
    if name not in state.setup.players:
        found.strange.extend(new)
        return
    boxes = found.offered.setdefault(state.setup.players.index(name), [])
    boxes.extend(int(where.partition(":")[2]) for where in new)


def fixes_for(state: CityState, seen: Query, places: list[Place]) -> tuple[Fix, ...]:
    """Return how to put these places back to what the state predicts, removals first."""
    wanted = predict(state)
    fixes = []
    for where in dict.fromkeys(places):
        have, want = seen.picture.get(where), wanted.get(where)
        if have != want:
            text = fix_text(state, where, have, want)
            fixes.append(Fix(place=where, seen=have, wanted=want, text=text))
    return removals_first(fixes)


def pending_flips(state: CityState, seen: Query) -> tuple[Fix, ...]:
    """Return the housekeeping that the table still lacks: markers to take off, tiles to flip."""
    wanted = predict(state)
    fixes = []
    for i in sorted(state.built):
        cell = CELLS[i]
        where = Place(f"cell:{cell}")
        have = seen.picture.get(where)
        if have is None or have == wanted[where] or not have.endswith("/sketch"):
            continue
        for box in range(4):
            spot = Place(f"box:{cell}:{box}")
            owner = seen.picture.get(spot)
            if owner is not None:
                text = fix_text(state, spot, owner, None)
                fixes.append(Fix(place=spot, seen=owner, wanted=None, text=text))
        text = fix_text(state, where, have, wanted[where])
        fixes.append(Fix(place=where, seen=have, wanted=wanted[where], text=text))
    return tuple(fixes)
