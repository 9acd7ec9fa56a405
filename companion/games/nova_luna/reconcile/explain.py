"""Reconciling: what a snapshot of the table means in a state of Nova Luna.

The legal runs that the seen areas allow (`hypotheses`) are compared with the picture. The shortest run that
the picture shows whole is accepted; one that it shows in part, the rest still being as before, is waited for,
and what is missing is pointed out: a tile in the hand, a figure or a track token not yet moved, a fulfilled
task without a token. What no run explains names its rule (`faults`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.decision import Decision, InStep, Waiting
from companion.games.kit.evidence import MISSING
from companion.games.kit.notation import UNSEEN
from companion.games.kit.search import Limits, to_do, too_little
from companion.games.nova_luna.actions import Action
from companion.games.nova_luna.catalogue import TILES
from companion.games.nova_luna.descriptions import describe_action
from companion.games.nova_luna.reconcile.faults import diagnose, fixes
from companion.games.nova_luna.reconcile.hypotheses import NovaPlay, NovaRun, awaits_stock, steps
from companion.games.nova_luna.reconcile.seen_table import SeenTable, differences, read_cell, read_player
from companion.games.nova_luna.rules import apply
from companion.games.nova_luna.state import NovaState, essence, reach, seat_of, slots_to_fill, turn_of
from companion.games.nova_luna.table import MEEPLE, TOKEN, predict, stack_value, track_place, wheel_place
from companion.games.nova_luna.texts import place_name, tile_name
from companion.i18n import join, msg
from companion.names import player_name
from companion.observation import Query
from companion.table import Place, Value, kind_of

# Where the wheel is not wholly seen, runs longer by so many steps are looked at as well.
_LONGER = 2
# So many tiles that cannot be read are named one by one.
_FEW = 3


def explain(state: NovaState, seen: Query) -> Decision[Action]:
    """Say what the snapshot means; pure and deterministic."""
    if state.reason is not None:
        return InStep(text=msg("The game is over."))
    return NovaSearch(state, seen).decision()


class NovaSearch(NovaPlay):
    """A snapshot that is explained; a table that nobody looked at for longer is put right by hand."""

    limits = Limits(levels=8, runs=120)

    def __init__(self, state: NovaState, seen: Query) -> None:
        super().__init__(state, seen, apply, describe_action)
        self.sight = SeenTable(self.picture, state.options.spaces)

    def differences(self, state: NovaState) -> dict[Place, Value]:
        """Return the places that do not show what the state predicts, with what they should show."""
        return differences(state, self.sight)

    def longer(self, run: NovaRun) -> Iterator[NovaRun]:
        """Yield the run with each next action that the areas allow."""
        for actions, is_open in steps(run.state, self.sight):
            yield from self.played(run, actions, is_open=is_open)

    def is_partial(self, run: NovaRun) -> bool:
        """Say whether only work by hand is left: every place shows the run's end or what it showed before."""
        left = [where for where in run.wrong if not _is_forgotten(where, run.wrong)]
        if not run.actions or any(kind_of(where) == "area" for where in left):
            return not left
        if not self.start.wrong.keys() - run.wrong.keys():
            return False  # nothing that is seen speaks for the run
        pictures = [predict(state) for state in run.states]
        return all(_is_late(where, self.sight, pictures) for where in left)

    def is_enough(self) -> bool:
        """Say whether the whole wheel shows what was taken, or longer runs were looked at as well."""
        if not self.whole or self.sight.sees_whole_wheel:
            return bool(self.whole)
        return self.looked_at[-1].steps >= self.whole[0].steps + _LONGER

    def essence(self, state: NovaState) -> tuple[object, ...]:
        """Return what matters of a state."""
        return essence(state)

    def chosen(self) -> Decision[Action]:
        """Accept the shortest run; ask or wait where the picture allows another beginning."""
        shortest = self.whole[0]
        size = len(shortest.actions)
        others = [*self.whole[1:], *(run for run in self.partial if _may_be_last(run, shortest))]
        rivals = [
            run
            for run in others
            if run.actions[:size] != shortest.actions
            and (len(run.actions) > size or essence(run.state) != essence(shortest.state))
        ]
        if any(run.is_open for run in (shortest, *rivals)):
            player = player_name(turn_of(shortest.start) or "")
            return Waiting(text=msg("A tile was taken: {player}'s area must be seen.", player=player))
        between = [where for where in self.start.wrong if kind_of(where) == "loose"]
        if not rivals and not between:
            return self.accepted(shortest)
        if len(rivals) >= self.limits.choices:
            return too_little()
        if between:
            player = player_name(read_player(between[0]))
            text = msg("Which cell of {player}'s area does the new tile lie on?", player=player)
            return self.ask(text, (shortest, *rivals), msg("It is not laid yet."))
        return self.ask(msg("What happened?"), (shortest, *rivals))

    def unexplained(self) -> Decision[Action]:
        """Say what is still to be done by hand, what has begun, or which rule was broken."""
        if self.partial:
            return _wait(min(self.partial, key=lambda run: (len(run.wrong), len(run.actions))), self.sight)
        begun = _begun(self.start, self.sight)
        if begun is not None:
            return begun
        filling = next((run for run in self.looked_at if awaits_stock(run, self.sight)), None)
        if filling is not None:
            return _filling(filling, self.sight)
        return diagnose(self, self.sight)


def _may_be_last(run: NovaRun, shown: NovaRun) -> bool:
    """Whether a run is the one that is shown in another order, with the figure still to be moved.

    With several players their tokens tell the order; alone, only the figure does.
    """
    return (
        run.state.is_solo
        and run.wrong.keys() == {MEEPLE}
        and run.actions != shown.actions
        and sorted(map(repr, run.actions)) == sorted(map(repr, shown.actions))
    )


# -- runs on their way --------------------------------------------------------------------------------


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
    """Return a stack without the tokens that are seen nowhere: someone holds them."""
    if value is None or not sight.sees_whole_track:
        return value
    return ">".join(name for name in value.split(">") if name in sight.on_track) or None


def _wait(run: NovaRun, sight: SeenTable) -> Waiting:
    """Say what is left to be done by hand, the forgotten tokens first."""
    pending = fixes(run.wrong, sight)
    tokens = [fix for fix in pending if kind_of(fix.place) == "cover" and fix.wanted == TOKEN]
    if tokens:
        tasks = join("; ", [place_name(fix.place) for fix in tokens])
        more = [fix.text for fix in pending if fix not in tokens]
        told = msg("Fulfilled but not covered: {tasks}.", tasks=tasks)
        return Waiting(text=join(" ", [told, *more]), pending=pending)
    return to_do(pending)


def _filling(run: NovaRun, sight: SeenTable) -> Waiting:
    """Say of which new tiles on the wheel nobody knows which they are."""
    unread = [wheel_place(slot) for slot in slots_to_fill(run.state) if sight.slot(slot) in (MISSING, UNSEEN)]
    if not 0 < len(unread) <= _FEW:  # nothing is unread, or a hand hides the wheel
        return Waiting(text=msg("The wheel is being filled: every new tile must be seen."))
    slots = join(", ", [place_name(where) for where in unread])
    return Waiting(
        text=msg(
            "The wheel is being filled. Not read yet: {slots}. Move the tile a little, or say which it is.",
            slots=slots,
        )
    )


# -- a turn that has only begun -----------------------------------------------------------------------


def _begun(late: NovaRun, sight: SeenTable) -> Waiting | None:
    """Return what is awaited when a tile within reach is in the hand, or figure and token moved first."""
    state = late.state
    player = turn_of(state) or ""
    wrong = {
        where: wanted
        for where, wanted in late.wrong.items()
        if not _is_forgotten(where, late.wrong) and not _is_of_hidden_area(where, player, sight)
    }
    if all(_is_lifted(where, wanted, sight) for where, wanted in wrong.items()):
        return Waiting(text=msg("A piece is lifted."), pending=fixes(late.wrong, sight))
    found = [slot for slot in reach(state) if _has_begun(state, slot, wrong, sight)]
    if not found:
        return None
    name, tile = player_name(player), state.wheel[found[0]]
    if len(found) > 1 or tile is None:
        return Waiting(text=msg("{player} takes a tile.", player=name))
    text = msg("{player} takes the {tile} and has still to lay it.", player=name, tile=tile_name(tile))
    return Waiting(text=text)


def _is_of_hidden_area(where: Place, player: str, sight: SeenTable) -> bool:
    """Whether a task may be covered because of a tile that nobody could see."""
    return kind_of(where) == "cover" and sight.cells(player) is None and read_cell(where)[0] == player


def _is_lifted(where: Place, wanted: Value, sight: SeenTable) -> bool:
    """Whether the only thing wrong with a place is that someone holds its piece."""
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
