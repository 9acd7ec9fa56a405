"""What is wrong with a table that no legal run explains: the rule, and what to put back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations

from companion.decision import Fix, OutOfStep
from companion.errors import Param, RuleViolation
from companion.games.kit.evidence import MISSING, removals_first
from companion.games.kit.notation import Cell, format_cell, unescape
from companion.games.nova_luna.actions import Action, NextPhase, Refill, Take
from companion.games.nova_luna.catalogue import twin
from companion.games.nova_luna.reconcile.hypotheses import NovaPlay, NovaRun, revealed
from companion.games.nova_luna.reconcile.seen_table import SeenTable, differences, read_cell
from companion.games.nova_luna.state import NovaState, reach, seat_of, track, turn_of
from companion.games.nova_luna.table import MEEPLE, TOKEN, area_place, is_cell, stack_value
from companion.games.nova_luna.texts import place_name, text, tile_text
from companion.i18n import Message, join, msg
from companion.names import player_name
from companion.table import Place, Value, kind_of, parts_of

# More new tiles than this at once are not told apart any more.
_MOST_NEW = 4


def diagnose(search: NovaPlay, sight: SeenTable) -> OutOfStep[Action]:
    """Name the rule that the most likely reading of the table breaks, where the search has found none."""
    state = search.start.state
    new = _new_cells(state, sight)
    if new:
        return _laid_wrongly(search, sight, new)
    emptied = [slot for slot, tile in enumerate(state.wheel) if tile is not None and sight.slot(slot) is None]
    filled = [
        slot for slot, tile in enumerate(state.wheel) if tile is None and isinstance(sight.slot(slot), str)
    ]
    if filled and not emptied:
        return _filled_wrongly(search, sight)
    fault = _taken_wrongly(state, emptied) if emptied and not filled else None
    return _misplaced(search.start, sight) if fault is None else out_of_step(*fault, state, sight)


# -- tiles that were laid ---------------------------------------------------------------------------


def _new_cells(state: NovaState, sight: SeenTable) -> list[tuple[str, Cell]]:
    """Return the cells with a tile that the state does not have there."""
    found = []
    for seat in state.seats:
        laid = {tile.at for tile in seat.area}
        found += [(seat.player, cell) for cell in sorted(_occupied(sight, seat.player) - laid)]
    return found


def _occupied(sight: SeenTable, player: str) -> set[Cell]:
    """Return the cells of an area on which a tile was seen; of those between cells one."""
    read = (read_cell(where) for where, value in sight.picture.items() if is_cell(where) and value)
    _, between = sight.loose(player) or ("", frozenset())
    return {
        *(sight.cells(player) or ()),
        *(cell for whose, cell in read if whose == player),
        *sorted(between)[:1],
    }


def _laid_wrongly(search: NovaPlay, sight: SeenTable, new: list[tuple[str, Cell]]) -> OutOfStep[Action]:
    """Try the new tiles in every order: the first one that a rule refuses after the longest legal run."""
    attempts = [_attempt(search, sight, order) for order in permutations(new[:_MOST_NEW])]
    run, violation = max(attempts, key=lambda each: len(each[0].actions) + (each[1] is None))
    if violation is not None:
        return out_of_step(violation.rule, violation.params, run.state, sight)
    return _misplaced(run, sight)


def _attempt(
    search: NovaPlay, sight: SeenTable, order: Iterable[tuple[str, Cell]]
) -> tuple[NovaRun, RuleViolation | None]:
    """Lay the new tiles in this order; return how far that is legal, and what refused it."""
    run = search.start
    for player, cell in order:
        try:
            run = search.play(run, [_take_of(run.state, sight, player, cell)])
        except RuleViolation as violation:
            return run, violation
    return run, None


def _take_of(state: NovaState, sight: SeenTable, player: str, cell: Cell) -> Take:
    """Return the take that a new tile in an area shows; raises RuleViolation if there is none."""
    tile = state.wheel[_slot_left(state, sight, player, cell)]
    if tile is None:
        raise _violation("table.unexplained")
    return Take(player=player, tile=tile, at=cell)


def _slot_left(state: NovaState, sight: SeenTable, player: str, cell: Cell) -> int:
    """Return the slot from which a new tile in an area came; raises RuleViolation if there is none."""
    value = sight.tile(player, cell)
    gone = [slot for slot, tile in enumerate(state.wheel) if tile is not None and sight.slot(slot) is None]
    if value is MISSING and len(gone) == 1:
        return gone[0]
    matching = [slot for slot, tile in enumerate(state.wheel) if tile and str(twin(tile)) == value]
    if not matching:
        is_other = value is not MISSING and len(gone) == 1
        rule = "place.other_tile" if is_other else "place.unknown_tile"
        raise _violation(rule, player=player, cell=format_cell(cell))
    # Of twins the one that is gone, and of these the one within reach, was taken.
    return min(matching, key=lambda slot: (slot not in gone, slot not in reach(state)))


def _violation(rule: str, **params: Param) -> RuleViolation:
    return RuleViolation(rule, text(rule, params), **params)


# -- the wheel --------------------------------------------------------------------------------------


def _filled_wrongly(search: NovaPlay, sight: SeenTable) -> OutOfStep[Action]:
    state = search.start.state
    player = turn_of(state) or ""
    action: Action = NextPhase(player=player) if state.phase == 1 else Refill(player=player)
    try:
        return _misplaced(search.play(search.start, (*(*revealed(state, sight), ())[0], action)), sight)
    except RuleViolation as violation:
        return out_of_step(violation.rule, violation.params, state, sight)


def _taken_wrongly(state: NovaState, emptied: list[int]) -> tuple[str, dict[str, Param]] | None:
    """A tile left the wheel and lies nowhere: it was out of reach, or one of several."""
    within = reach(state)
    for slot in emptied:
        tile = state.wheel[slot]
        if slot not in within and tile is not None:
            return "take.out_of_reach", {"tile": tile, "slot": slot}
    return ("take.two", {}) if len(emptied) > 1 else None


# -- everything else lies wrongly ---------------------------------------------------------------------


def _misplaced(run: NovaRun, sight: SeenTable) -> OutOfStep[Action]:
    """Name the first misplaced thing of a table that is otherwise as the run leaves it."""
    for judge in (_tile_fault, _cover_fault, _wheel_fault, _figure_fault, _token_fault, _stack_fault):
        fault = judge(run, sight)
        if fault is not None:
            rule, params = fault
            return out_of_step(rule, params, run.state, sight)
    return out_of_step("table.unexplained", {}, run.state, sight)


def _tile_fault(run: NovaRun, sight: SeenTable) -> tuple[str, dict[str, Param]] | None:
    for where in run.wrong:
        if is_cell(where):
            player, cell = read_cell(where)
            return "place.moved", {"player": player, "cell": format_cell(cell)}
    for seat in run.state.seats:
        cells = sight.cells(seat.player)
        gone = [] if cells is None else [laid.at for laid in seat.area if laid.at not in cells]
        if gone:
            return "place.moved", {"player": seat.player, "cell": format_cell(gone[0])}
    return None


def _cover_fault(run: NovaRun, sight: SeenTable) -> tuple[str, dict[str, Param]] | None:
    for where, wanted in run.wrong.items():
        if kind_of(where) == "cover" and wanted is None and sight.picture[where] == TOKEN:
            player, cell = read_cell(where)
            task = int(parts_of(where)[2])
            seat = seat_of(run.state, player)
            spent = seat is not None and seat.supply == 0
            rule = "cover.no_tokens" if spent else "cover.not_fulfilled"
            return rule, {"player": player, "cell": format_cell(cell), "task": task}
    return None


def _wheel_fault(run: NovaRun, sight: SeenTable) -> tuple[str, dict[str, Param]] | None:
    for where in run.wrong:
        if kind_of(where) == "wheel":
            slot = int(parts_of(where)[0])
            if not run.actions and sight.slot(slot) is None and slot in reach(run.state):
                continue  # this tile may be taken
            filling = run.actions and not isinstance(run.actions[-1], Take)
            if run.start.wheel[slot] is None and sight.slot(slot) is not None and run.actions and not filling:
                return "refill.not_at_start", {}
            return ("refill.order" if filling else "wheel.changed"), {"slot": slot}
    return None


def _figure_fault(run: NovaRun, sight: SeenTable) -> tuple[str, dict[str, Param]] | None:
    if MEEPLE not in run.wrong or sight.picture[MEEPLE] is None:
        return None
    took = any(isinstance(action, Take) for action in run.actions)
    return ("figure.wrong_slot" if took else "figure.moved"), {"slot": run.state.figure}


def _token_fault(run: NovaRun, sight: SeenTable) -> tuple[str, dict[str, Param]] | None:
    if not _wrong_spaces(run):
        return None
    seen = _seen_spaces(sight)
    spaces = {player: space for space, stack in track(run.state).items() for player in stack}
    movers = {action.player for action in run.actions if isinstance(action, Take)}
    for player, space in sorted(spaces.items(), key=lambda item: item[0] not in movers):
        if seen.get(player, space) != space:
            rule = "track.wrong_space" if player in movers else "track.moved"
            return rule, {"player": player, "space": space}
    return None


def _stack_fault(run: NovaRun, sight: SeenTable) -> tuple[str, dict[str, Param]] | None:
    del sight
    stacks = track(run.state)
    for space in _wrong_spaces(run):
        if space in stacks:
            return "track.wrong_order", {"stack": stack_value(stacks[space]) or "", "space": space}
    return None


def _wrong_spaces(run: NovaRun) -> list[int]:
    return [int(parts_of(where)[0]) for where in run.wrong if kind_of(where) == "track"]


def _seen_spaces(sight: SeenTable) -> dict[str, int]:
    """Return the space on which each player's token was seen."""
    spaces = {}
    for where, value in sight.picture.items():
        if kind_of(where) == "track" and value is not None:
            for name in value.split(">"):
                spaces[unescape(name)] = int(parts_of(where)[0])
    return spaces


# -- words ------------------------------------------------------------------------------------------


def out_of_step(
    rule: str, params: Mapping[str, Param], state: NovaState, sight: SeenTable
) -> OutOfStep[Action]:
    """Return the verdict: the table should show what this state predicts."""
    wrong = differences(state, sight)
    return OutOfStep(rule=rule, text=text(rule, params), params=params, fixes=fixes(wrong, sight))


def fixes(wrong: dict[Place, Value], sight: SeenTable) -> tuple[Fix, ...]:
    """Return what to do at each place that lies wrongly, removals first."""
    found = []
    for where, wanted in wrong.items():
        if kind_of(where) == "area" and len(parts_of(where)) == 1:
            found += _unread_tiles(where, wanted, sight)
            continue
        seen = sight.picture.get(where)
        if kind_of(where) == "cover" and _tile_goes(where, wrong):
            continue
        found.append(Fix(place=where, seen=seen, wanted=wanted, text=fix_text(where, seen, wanted)))
    return removals_first(found)


def _tile_goes(cover: Place, wrong: dict[Place, Value]) -> bool:
    """Whether the tile under a task is itself to be taken away, tokens and all."""
    player, cell, _ = parts_of(cover)
    tile = Place(f"area:{player}:{cell}")
    return tile in wrong and wrong[tile] is None


def _unread_tiles(listing: Place, wanted: Value, sight: SeenTable) -> list[Fix]:
    """Return the fixes for cells that only the listing of an area tells apart."""
    player = unescape(parts_of(listing)[0])
    due, there = set((wanted or "").split()), set((sight.picture[listing] or "").split())
    found = []
    for cell in sorted(due ^ there):
        where = area_place(player, cell)
        if where not in sight.picture and cell in there:
            found.append(Fix(place=where, seen="?", wanted=None, text=fix_text(where, "?", None)))
    return found


def fix_text(where: Place, seen: Value, wanted: Value) -> Message:
    """Return the instruction that puts one place right."""
    place, kind = place_name(where), kind_of(where)
    if kind == "track":
        if wanted is None:
            return msg("Take {tokens} off {place}.", tokens=_tokens(seen), place=place)
        return msg("On {place} belongs, bottom to top: {tokens}.", place=place, tokens=_tokens(wanted))
    if kind == "meeple":
        return msg("Put the moon into slot {slot}.", slot=int(wanted or 0) + 1)
    if kind == "loose":
        return msg("{place}: push the loose tile close to its neighbours.", place=place)
    if kind == "cover":
        return (
            msg("Lay a token here: {place}.", place=place)
            if wanted
            else msg("Take the token off here: {place}.", place=place)
        )
    if wanted is None:
        return msg("Take the tile off here: {place}.", place=place)
    return msg("Lay the {tile} here: {place}.", tile=tile_text(int(wanted)), place=place)


def _tokens(value: Value) -> Message:
    names = [player_name(unescape(name)) for name in (value or "").split(">")]
    return join(", ", [msg("{player}'s token", player=name) for name in names])
