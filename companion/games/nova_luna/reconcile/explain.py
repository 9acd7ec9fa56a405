"""Reconciling: what a snapshot of the table means in a state of Nova Luna.

The legal runs that the seen areas allow are played (`search`) and compared with the picture. The shortest run
that the picture shows whole is accepted; one that it shows in part, the rest still being as before, is waited
for, and what is missing is pointed out: a tile in the hand, a figure or a track token not yet moved, a
fulfilled task without a token. What no run explains names its rule (`faults`).
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.decision import Accepted, Ask, Choice, Decision, Fix, InStep, Waiting
from companion.games.kit.evidence import believed, removals_first
from companion.games.nova_luna.actions import Action
from companion.games.nova_luna.catalogue import TILES, describe_tile
from companion.games.nova_luna.prompts import describe_action
from companion.games.nova_luna.reconcile.faults import diagnose, fix_text, place_name
from companion.games.nova_luna.reconcile.hypotheses import Run, awaits_stock, runs_from, values_along
from companion.games.nova_luna.reconcile.seen_table import SeenTable, differences, read_cell, read_player
from companion.games.nova_luna.state import NovaState, essence, reach, seat_of, turn_of
from companion.games.nova_luna.table import MEEPLE, TOKEN, stack_value, track_place, wheel_place
from companion.observation import Snapshot
from companion.table import Place, Value, kind_of

MOST_CHOICES = 6


def explain(state: NovaState, seen: Snapshot) -> Decision[Action]:
    """Say what the snapshot means; pure and deterministic."""
    if state.reason is not None:
        return InStep(text="The game is over.")
    sight = SeenTable(believed(seen), state.options.spaces)
    if not differences(state, sight):
        return InStep()
    if seen.busy:
        return Waiting(text="A hand is over the table.")
    return _search(state, sight)


def _search(state: NovaState, sight: SeenTable) -> Decision[Action]:
    """Look for the shortest run, and for another reading of what nobody could see."""
    whole: list[Run] = []
    partial: list[Run] = []
    is_filling = False
    levels = 0
    for level in runs_from(state, sight):
        whole += [run for run in level if run.actions and not run.wrong]
        partial += [run for run in level if run.wrong and _is_on_its_way(run, sight)]
        is_filling = is_filling or any(awaits_stock(run, sight) for run in level)
        levels += bool(whole)
        if whole and (sight.sees_whole_wheel or levels > 2):
            break
    if whole:
        return _decide(state, whole + [run for run in partial if _may_be_last(run, whole[0])], sight)
    if partial:
        return _wait(min(partial, key=lambda run: (len(run.wrong), len(run.actions))), sight)
    begun = _begun(state, sight)
    if begun is not None:
        return begun
    if is_filling:
        return Waiting(text="The wheel is being filled: every new tile must be seen.")
    return diagnose(Run(actions=(), states=(state,), wrong=differences(state, sight)), sight)


# -- whole runs -------------------------------------------------------------------------------------


def _decide(state: NovaState, whole: list[Run], sight: SeenTable) -> Decision[Action]:
    """Accept the shortest run; ask or wait where the picture allows another beginning."""
    shortest = whole[0]
    size = len(shortest.actions)
    others = [run for run in whole[1:] if run.actions[:size] != shortest.actions]
    rivals = [
        run for run in others if len(run.actions) > size or essence(run.state) != essence(shortest.state)
    ]
    if any(run.is_open for run in (shortest, *rivals)):
        player = turn_of(state) or ""
        return Waiting(text=f"A tile was taken: the area of {player} must be seen.")
    between = [where for where in differences(state, sight) if kind_of(where) == "loose"]
    if not rivals and not between:
        return Accepted(actions=shortest.actions, text=_told(shortest))
    if len(rivals) >= MOST_CHOICES:
        return Waiting(text="Not enough of the table can be seen to tell what happened.")
    choices = tuple(Choice(actions=run.actions, text=_told(run)) for run in (shortest, *rivals))
    if between:
        text = f"Which cell of {read_player(between[0])}'s area does the new tile lie on?"
        return Ask(text=text, choices=(*choices, Choice(actions=(), text="It is not laid yet.")))
    return Ask(text="What happened?", choices=choices)


def _may_be_last(run: Run, shown: Run) -> bool:
    """Whether a run is the one that is shown in another order, with the figure still to be moved.

    With several players their tokens tell the order; alone, only the figure does.
    """
    return (
        run.state.is_solo
        and run.wrong.keys() == {MEEPLE}
        and run.actions != shown.actions
        and sorted(map(repr, run.actions)) == sorted(map(repr, shown.actions))
    )


def _told(run: Run) -> str:
    """Return a run in words."""
    pairs = zip(run.states, run.actions, strict=False)
    return "; ".join(describe_action(before, action) for before, action in pairs) + "."


# -- runs on their way --------------------------------------------------------------------------------


def _is_on_its_way(run: Run, sight: SeenTable) -> bool:
    """Whether every place shows the run's end or what it showed before: only work by hand is left."""
    left = [where for where in run.wrong if not _is_forgotten(where, run.wrong)]
    if not run.actions or any(kind_of(where) == "area" for where in left):
        return not left
    if not differences(run.states[0], sight).keys() - run.wrong.keys():
        return False  # nothing that is seen speaks for the run
    pictures = values_along(run)
    return all(_is_late(where, sight, pictures) for where in left)


def _is_forgotten(where: Place, wrong: Mapping[Place, Value]) -> bool:
    """Whether a fulfilled task lacks its token."""
    return kind_of(where) == "cover" and wrong[where] == TOKEN


def _is_late(where: Place, sight: SeenTable, pictures: list[dict[Place, Value]]) -> bool:
    value = sight.picture[where]
    kind = kind_of(where)
    if kind == "meeple" and value is None:
        return True
    if kind == "track":
        return any(_stripped(picture.get(where), sight) == value for picture in pictures)
    return any(picture.get(where) == value for picture in pictures)


def _stripped(value: Value, sight: SeenTable) -> Value:
    """Return a stack without the tokens that are seen nowhere: somebody holds them."""
    if value is None or not sight.sees_whole_track:
        return value
    return ">".join(name for name in value.split(">") if name in sight.on_track) or None


def _wait(run: Run, sight: SeenTable) -> Waiting:
    """Say what is left to be done by hand, the forgotten tokens first."""
    pending = pending_fixes(run, sight)
    tokens = [fix for fix in pending if kind_of(fix.place) == "cover" and fix.wanted == TOKEN]
    if tokens:
        tasks = ", ".join(place_name(fix.place) for fix in tokens)
        more = [fix.text for fix in pending if fix not in tokens]
        return Waiting(text=" ".join([f"Fulfilled but not covered: {tasks}.", *more]), pending=pending)
    return Waiting(text=" ".join(fix.text for fix in pending), pending=pending)


def pending_fixes(run: Run, sight: SeenTable) -> tuple[Fix, ...]:
    """Return the work left to reach the run's end, removals first."""
    return removals_first(
        Fix(
            place=where,
            seen=sight.picture[where],
            wanted=wanted,
            text=fix_text(where, sight.picture[where], wanted),
        )
        for where, wanted in run.wrong.items()
    )


# -- a turn that has only begun -----------------------------------------------------------------------


def _begun(state: NovaState, sight: SeenTable) -> Waiting | None:
    """Return what is awaited when a tile within reach is in the hand, or figure and token moved first."""
    late = Run(actions=(), states=(state,), wrong=differences(state, sight))
    player = turn_of(state) or ""
    wrong = {
        where: wanted
        for where, wanted in late.wrong.items()
        if not _is_forgotten(where, late.wrong) and not _is_of_hidden_area(where, player, sight)
    }
    if all(_is_lifted(where, wanted, sight) for where, wanted in wrong.items()):
        return Waiting(text="A piece is lifted.", pending=pending_fixes(late, sight))
    found = [slot for slot in reach(state) if _has_begun(state, slot, wrong, sight)]
    if not found:
        return None
    if len(found) > 1:
        return Waiting(text=f"{player} takes a tile.")
    tile = state.wheel[found[0]]
    words = "" if tile is None else describe_tile(tile)
    return Waiting(text=f"{player} takes {words}: it must be laid in {player}'s area.")


def _is_of_hidden_area(where: Place, player: str, sight: SeenTable) -> bool:
    """Whether a task may be covered because of a tile that nobody could see."""
    return kind_of(where) == "cover" and sight.cells(player) is None and read_cell(where)[0] == player


def _is_lifted(where: Place, wanted: Value, sight: SeenTable) -> bool:
    """Whether the only thing wrong with a place is that somebody holds its piece."""
    if kind_of(where) == "track":
        return _stripped(wanted, sight) == sight.picture[where]
    return where == MEEPLE and sight.picture[where] is None


def _has_begun(state: NovaState, slot: int, wrong: Mapping[Place, Value], sight: SeenTable) -> bool:
    """Whether all that changed is what taking the tile of this slot changes, before it is laid."""
    targets = _targets(state, slot)
    for where in wrong:
        value = sight.picture[where]
        if where == MEEPLE and value is None:
            continue
        if kind_of(where) == "track" and _stripped(targets.get(where), sight) == value:
            continue
        if where not in targets or targets[where] != value:
            return False
    return True


def _targets(state: NovaState, slot: int) -> dict[Place, Value]:
    """Return what wheel, figure and track show after the tile of this slot was taken."""
    targets: dict[Place, Value] = {wheel_place(slot): None, MEEPLE: str(slot)}
    tile, seat = state.wheel[slot], seat_of(state, turn_of(state) or "")
    if state.is_solo or tile is None or seat is None:
        return targets
    old, spaces = seat.travelled, state.options.spaces
    new = old + TILES[tile].cost
    order = sorted(state.seats, key=lambda other: other.arrival)
    stay = [other.player for other in order if other is not seat]

    def stack(space: int, *more: str) -> Value:
        here = {other.player for other in state.seats if other.travelled % spaces == space}
        return stack_value([*(player for player in stay if player in here), *more])

    targets[track_place(old % spaces)] = stack(old % spaces)
    targets[track_place(new % spaces)] = stack(new % spaces, seat.player)
    return targets
