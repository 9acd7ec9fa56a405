"""Nova Luna as a window draws it: the state in words and numbers, nothing decided here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from companion.games.kit.choices import now_first, others
from companion.games.kit.guide import read_reminders
from companion.games.kit.notation import as_cell, format_cell, unescape
from companion.games.kit.open_hands import OpenHands
from companion.games.nova_luna.actions import Action, NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.catalogue import SLOTS, TILES, Task, catalogue, twin
from companion.games.nova_luna.descriptions import describe_action
from companion.games.nova_luna.rules import (
    legal_actions,
    may_end_phase,
    may_refill,
    solo_score,
    sum_of,
    tiles_in_game,
)
from companion.games.nova_luna.state import (
    Laid,
    NovaState,
    Seat,
    free_cells,
    ranking,
    reach,
    slots_to_fill,
    tiles_on_wheel,
    track,
    turn_of,
)
from companion.games.nova_luna.table import (
    MEEPLE,
    TOKEN,
    area_place,
    cover_place,
    predict,
    stack_value,
    track_place,
    wheel_place,
)
from companion.games.nova_luna.tasks import touching
from companion.games.nova_luna.texts import colour_name, place_name, task_name, tile_name, tile_text
from companion.i18n import Message, join, msg, nmsg
from companion.names import player_name
from companion.table import Picture, Place, Value, kind_of, parts_of
from companion.view_model import (
    CardView,
    CounterView,
    HandEntry,
    HandMove,
    Option,
    PlayerView,
    Reminder,
    TableView,
    ZoneView,
)

STOCK: Final = Place("stock")


class NovaPresenter(OpenHands):
    """Nova Luna's `companion.view_model.Presenter`."""

    def present(self, state: NovaState) -> TableView:
        """Return the table as the state has it."""
        return TableView(
            title=msg("Nova Luna, alone") if state.is_solo else msg("Nova Luna"),
            turn=state.actions + 1,
            phase=_phase(state),
            outcome=_outcome(state),
            players=tuple(_player(state, seat) for seat in state.seats),
            stock=_stock(state),
            painter="nova_luna",
            zones=tuple(_zones(state)),
        )

    def predict(self, state: NovaState) -> Picture:
        """Return the picture of the table that the state casts."""
        return predict(state)

    def options(self, state: NovaState, place: Place) -> tuple[Option, ...]:
        """Return what can lie on a place at all, what is there now first."""
        now = predict(state).get(place)
        return now_first(_values(state, place, now), now)

    def entries(self, state: NovaState) -> tuple[HandEntry[Action], ...]:
        """Return what is done to the table as a whole: filling the wheel, beginning the second phase."""
        return tuple(
            HandEntry(action=action, text=describe_action(state, action))
            for action in legal_actions(state)
            if not isinstance(action, Take)
        )

    def moves(self, state: NovaState) -> tuple[HandMove[Action], ...]:
        """Return the takes, from the wheel to a cell; filling the wheel and naming tiles, at the stock."""
        moves = [_move(state, action) for action in legal_actions(state)]
        if (may_refill(state) or may_end_phase(state)) and None in _next_tiles(state):
            moves += _reveals(state)
        return tuple(moves)

    def attempt(self, state: NovaState, path: tuple[Place, ...]) -> Action | None:
        """Return the take from a slot to a cell, legal or not; the stock stands for filling the wheel."""
        player = turn_of(state) or state.seats[0].player
        if path == (STOCK,):
            return NextPhase(player=player) if state.is_solo else Refill(player=player)
        if len(path) != 2 or kind_of(path[0]) != "wheel" or kind_of(path[1]) != "area":
            return None
        tile = state.wheel[int(parts_of(path[0])[0])]
        owner, cell = parts_of(path[1])
        return None if tile is None else Take(player=unescape(owner), tile=tile, at=as_cell(cell, "a cell"))

    def alternatives(self, state: NovaState, action: Action) -> tuple[HandEntry[Action], ...]:
        """Return the other actions that were possible, those of the same kind first."""
        return others(legal_actions(state), action, partial(describe_action, state), unlikeness=_unlikeness)

    def name_place(self, state: NovaState, place: Place) -> str:
        """Return the words for a place."""
        del state
        return place_name(place)

    def reminders(self) -> tuple[Reminder, ...]:
        """Return all reminders of the rules, in the order to list them."""
        return read_reminders(__package__)

    def hint(self, state: NovaState) -> str:
        """Return the word of this moment that reminders are found by."""
        if state.reason is not None:
            return "end"
        return "refill" if may_refill(state) else "take"


def edition_name(edition: str) -> str:
    """Return the game's name; it has one edition."""
    del edition
    return msg("Nova Luna")


# -- words --------------------------------------------------------------------------------------------


def _phase(state: NovaState) -> Message:
    if state.reason is not None:
        return msg("The game is over.")
    if not tiles_on_wheel(state):
        return msg("Begin the second phase.") if state.is_solo else msg("Fill the wheel first.")
    take = msg("Take one of the next three tiles after the moon and lay it next to your own.")
    if may_refill(state):
        return join(" ", (take, msg("You may fill the wheel first.")))
    return join(" ", (take, msg("You may end the first phase."))) if may_end_phase(state) else take


def _outcome(state: NovaState) -> Message | None:
    if state.reason is None:
        return None
    if state.is_solo:
        return nmsg("The game ends with {n} point.", "The game ends with {n} points.", solo_score(state))
    winner = player_name(ranking(state)[0])
    if state.reason == "tokens":
        return msg("{player} has laid every token and wins.", player=winner)
    return msg("No tiles are left: {player} has the fewest tokens left and wins.", player=winner)


# -- what lies on the table ---------------------------------------------------------------------------


def _player(state: NovaState, seat: Seat) -> PlayerView:
    most = catalogue().solo_piles[state.phase - 1] if state.phase else state.tokens - 1
    rows = [
        CounterView(
            name="discs", label=msg("Tokens still to lay"), low=seat.supply, high=seat.supply, most=most
        ),
        CounterView(name="tiles", label=msg("Tiles laid"), low=len(seat.area), high=len(seat.area)),
    ]
    done, tasks = (
        sum(len(laid.covered) for laid in seat.area),
        sum(len(TILES[laid.tile].tasks) for laid in seat.area),
    )
    rows.append(CounterView(name="tasks", label=msg("Tasks fulfilled"), low=done, high=done))
    rows.append(
        CounterView(name="open_tasks", label=msg("Tasks still open"), low=tasks - done, high=tasks - done)
    )
    if state.is_solo:
        total = sum_of(seat, 0)
        rows.append(CounterView(name="steps", label=msg("Sum of the numbers"), low=total, high=total))
    else:
        rows.append(
            CounterView(
                name="steps", label=msg("Steps on the track"), low=seat.travelled, high=seat.travelled
            )
        )
    is_ranked = state.reason is not None and not state.is_solo
    rank = ranking(state).index(seat.player) + 1 if is_ranked else None
    return PlayerView(
        player=seat.player,
        is_active=seat.player == turn_of(state),
        is_winner=rank == 1,
        rank=rank,
        counters=tuple(rows),
    )


def _stock(state: NovaState) -> tuple[CounterView, ...]:
    count = len(state.stock)
    return (CounterView(name="deck", label=msg("Tiles in the stock"), low=count, high=count),)


def _zones(state: NovaState) -> Iterator[ZoneView]:
    yield ZoneView(name="wheel", label=msg("The wheel"), cards=tuple(_wheel(state)))
    if not state.is_solo:
        yield ZoneView(name="track", label=msg("Moon track"), cards=tuple(_track(state)))
    for seat in state.seats:
        yield ZoneView(
            name="area", label=player_name(seat.player), owner=seat.player, cards=tuple(_area(state, seat))
        )


def _wheel(state: NovaState) -> Iterator[CardView]:
    near = reach(state) if state.reason is None else ()
    for slot, tile in enumerate(state.wheel):
        if slot == state.figure:
            continue
        where, at = wheel_place(slot), (0, slot)
        if tile is None:
            yield CardView(place=where, at=at, face="free", name=msg("an empty slot"))
            continue
        notes = (_tasks_note(tile), msg("It may be taken now.") if slot in near else msg("Out of reach."))
        yield _tile_card(where, at, tile, is_lit=slot in near, notes=notes, can_move=True)
    yield CardView(place=MEEPLE, at=(0, state.figure), face="moon", name=msg("the moon"))
    count = len(state.stock)
    yield CardView(
        place=STOCK,
        at=(1, 0),
        face="back",
        name=msg("the stock"),
        values=(("tiles", str(count)),),
        is_lit=bool(count) and (may_refill(state) or may_end_phase(state)),
        notes=(nmsg("{n} tile, face down.", "{n} tiles, face down.", count),),
        can_move=True,
    )


def _tasks_note(tile: int) -> Message:
    tasks = TILES[tile].tasks
    return msg("Tasks: {tasks}.", tasks=join("; ", map(task_name, tasks))) if tasks else msg("No tasks.")


def _tile_card(
    where: Place,
    at: tuple[int, int],
    tile: int,
    *,
    is_lit: bool = False,
    can_move: bool = False,
    notes: tuple[str, ...] = (),
) -> CardView:
    known = TILES[tile]
    return CardView(
        place=where,
        at=at,
        face="tile",
        name=tile_name(tile),
        kind=known.colour,
        values=(("steps", str(known.cost)), *(("task", _dots_text(task)) for task in known.tasks)),
        is_lit=is_lit,
        can_move=can_move,
        notes=notes,
    )


def _dots(task: Task) -> tuple[str, ...]:
    return tuple(colour for colour, count in task for _ in range(count))


def _dots_text(task: Task) -> str:
    """Return a task's colours as one word, for the painter of tiles whose tasks cannot be pointed at."""
    return " ".join(_dots(task))


def _track(state: NovaState) -> Iterator[CardView]:
    stacks = track(state)
    for space in range(state.options.spaces):
        stack = stacks.get(space, ())
        named = join(", ", [player_name(player) for player in stack])
        yield CardView(
            place=track_place(space),
            at=(0, space),
            face="space",
            name=msg("space {number} of the moon track", number=space + 1),
            dots=stack,
            notes=(msg("From the bottom: {players}.", players=named),) if stack else (),
        )


def _area(state: NovaState, seat: Seat) -> Iterator[CardView]:
    for laid in seat.area:
        yield from _laid(seat, laid)
    if state.reason is None and seat.player == turn_of(state):
        for cell in free_cells(seat.area):
            yield CardView(
                place=area_place(seat.player, format_cell(cell)),
                at=cell,
                face="free",
                name=msg("a free place"),
                owner=seat.player,
            )


def _laid(seat: Seat, laid: Laid) -> Iterator[CardView]:
    cell, tasks = format_cell(laid.at), TILES[laid.tile].tasks
    counts = touching(seat.area, laid.at)
    notes = [_task_note(task, counts, is_done=n in laid.covered) for n, task in enumerate(tasks)]
    yield _tile_card(area_place(seat.player, cell), laid.at, laid.tile, notes=tuple(notes))
    for number, task in enumerate(tasks):
        yield CardView(
            place=cover_place(seat.player, cell, number),
            at=laid.at,
            part=number,
            face="task",
            name=task_name(task),
            dots=_dots(task),
            owner=seat.player,
            is_done=number in laid.covered,
            notes=(notes[number],),
        )


def _task_note(task: Task, counts: dict[str, int], *, is_done: bool) -> Message:
    if is_done:
        return msg("{task}: fulfilled.", task=task_name(task))
    missing = [(colour, count - counts.get(colour, 0)) for colour, count in task]
    left = tuple((colour, count) for colour, count in missing if count > 0)
    return msg("{task}: still needs {missing}.", task=task_name(task), missing=task_name(left))


# -- what can be there, and what can be done ----------------------------------------------------------


def _values(state: NovaState, where: Place, now: Value) -> Iterator[Option]:
    match kind_of(where):
        case "wheel":
            yield Option(value=None, text=msg("no tile"))
            yield from _tile_options(now)
        case "area" if len(parts_of(where)) > 1:
            yield Option(value=None, text=msg("no tile"))
            yield from _tile_options(now)
        case "cover":
            yield Option(value=None, text=msg("no token"))
            yield Option(value=TOKEN, text=msg("a token"))
        case "meeple":
            for slot in range(SLOTS):
                yield Option(value=str(slot), text=msg("on slot {number}", number=slot + 1))
        case "track":
            yield from _stacks(state, now)


def _tile_options(now: Value) -> Iterator[Option]:
    """Yield every tile that looks different, by colour."""
    looks = sorted({tile.twin for tile in TILES.values()}, key=lambda tile: (TILES[tile].cost, tile))
    for tile in looks:
        is_now = str(tile) == now
        group = "" if is_now else colour_name(TILES[tile].colour)
        yield Option(value=str(tile), text=tile_text(tile), group=group)


def _stacks(state: NovaState, now: Value) -> Iterator[Option]:
    """Yield the stack that is there, one with each other token on top, and none."""
    players = [seat.player for seat in state.seats]
    stack = [] if now is None else [unescape(name) for name in now.split(">")]
    offered = [stack, []]
    offered += [[*_without(stack, player), player] for player in players]
    offered += [_without(stack, player) for player in stack]
    for value, names in {stack_value(each): each for each in offered}.items():
        named = join(", ", [player_name(player) for player in names])
        words = msg("from the bottom: {players}", players=named) if names else msg("no token")
        yield Option(value=value, text=words)


def _without(stack: list[str], player: str) -> list[str]:
    return [each for each in stack if each != player]


def _next_tiles(state: NovaState) -> tuple[int | None, ...]:
    return state.stock[: len(slots_to_fill(state))]


def _move(state: NovaState, action: Action) -> HandMove[Action]:
    text = describe_action(state, action)
    if not isinstance(action, Take):
        return HandMove(path=(STOCK,), action=action, text=text)
    slot, cell = state.wheel.index(action.tile), format_cell(action.at)
    path = (wheel_place(slot), area_place(action.player, cell))
    return HandMove(path=path, action=action, text=text)


def _reveals(state: NovaState) -> Iterator[HandMove[Action]]:
    """Yield which tile comes next, one of each that look alike."""
    in_game, offered = tiles_in_game(state), set[int]()
    number = _next_tiles(state).index(None)
    slot = slots_to_fill(state)[number]
    for tile in sorted(TILES.values(), key=lambda tile: (tile.cost, tile.id)):
        if tile.id in in_game or twin(tile.id) in offered:
            continue
        offered.add(twin(tile.id))
        yield HandMove(
            path=(STOCK,),
            action=Reveal(stock=(tile.id,)),
            text=msg("slot {number}: {tile}", number=slot + 1, tile=tile_text(tile.id)),
            groups=(colour_name(tile.colour),),
        )


def _unlikeness(other: Action, action: Action) -> tuple[bool, bool]:
    """Return how far another action is from this one: another kind, another tile."""
    is_other_tile = isinstance(other, Take) and isinstance(action, Take) and other.tile != action.tile
    return type(other) is not type(action), is_other_tile
