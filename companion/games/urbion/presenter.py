"""Urbion as a window draws it: the state in words and numbers, nothing decided here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Final, TypeAlias, assert_never

from companion.game import Verdict
from companion.games.kit.choices import now_first, others
from companion.games.kit.guide import read_reminders
from companion.games.kit.notation import unescape
from companion.games.kit.open_hands import OpenHands
from companion.games.urbion.actions import (
    Action,
    Agoraphilia,
    Balance,
    Chaos,
    ChooseSide,
    Discard,
    Fly,
    Play,
    Prophecy,
    Reveal,
    Swap,
    SwapPolarity,
    Turn,
    Vanish,
)
from companion.games.urbion.catalogue import (
    ARCHIPLACE,
    BOOK_SIDE,
    CHAOS,
    CITY_PAIRS,
    ELEMENT,
    ELEMENTS,
    INCUBUS,
    KIND,
    LEFT,
    META,
    MOST_FANS,
    SANAE,
    SIDE_LIMIT,
    SIDES,
    SYMBOLS,
    VALUE,
)
from companion.games.urbion.descriptions import describe_action
from companion.games.urbion.legal import legal_actions, open_rows
from companion.games.urbion.rules import judge
from companion.games.urbion.state import Cards, Row, UrbionState, polarities, turn_of
from companion.games.urbion.table import (
    DISCARD,
    WAITING,
    city_place,
    dream_places,
    hand_places,
    polarity_place,
    predict,
)
from companion.games.urbion.texts import BOOK_NAMES, city_name, dream_name, place_name
from companion.i18n import Message, join, mark, msg
from companion.names import player_name
from companion.table import Picture, Place, Value, kind_of, parts_of, place
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

DREAMS: Final = Place("deck:dreams")
CITIES: Final = Place("deck:cities")
CLAIMED: Final = Place("claimed")
Path: TypeAlias = tuple[Place, ...]

BOOK_NOTES: Final = {
    "flying_incubi": mark("Discard a card: an Incubus moves to another city."),
    "flying_sanae": mark("Discard a card: a Sanae moves to another city."),
    "invisible_incubi": mark("Discard a card: an Incubus is discarded too."),
    "invisible_sanae": mark("Discard a card: a Sanae is discarded too."),
    "agoraphilia": mark("Discard a card: claim a city without dreams."),
    "amazing_balance": mark("Discard a card: claim balanced cities, or discard dreams that cancel out."),
    "prophecy": mark("Discard a card: look at the next dreams and put them back in any order."),
}


class UrbionPresenter(OpenHands):
    """Urbion's `companion.view_model.Presenter`."""

    def present(self, state: UrbionState) -> TableView:
        """Return the table as the state has it."""
        return TableView(
            title=msg("Urbion, alone") if len(state.players) == 1 else msg("Urbion"),
            turn=state.turns + 1,
            phase=_phase(state),
            outcome=_outcome(state),
            players=tuple(_player(state, seat) for seat in range(len(state.players))),
            stock=_stock(state),
            painter="urbion",
            zones=tuple(_zones(state)),
        )

    def predict(self, state: UrbionState) -> Picture:
        """Return the picture of the table that the state casts."""
        return predict(state)

    def options(self, state: UrbionState, place: Place) -> tuple[Option, ...]:
        """Return what can lie on a place at all, what is there now first."""
        now = predict(state).get(place)
        return now_first(_values(place, now), now)

    def entries(self, state: UrbionState) -> tuple[HandEntry[Action], ...]:
        """Return the choices about a card that waits: they are few, and everything waits for them."""
        if state.pending is None:
            return ()
        return tuple(
            HandEntry(action=action, text=describe_action(state, action)) for action in legal_actions(state)
        )

    def moves(self, state: UrbionState) -> tuple[HandMove[Action], ...]:
        """Return each action by the card that is spent and what for; the decks name what comes next."""
        moves = [
            HandMove(path=path, action=action, text=describe_action(state, action))
            for action in legal_actions(state)
            for path in _paths(state, action)
        ]
        return (*moves, *_reveals(state))

    def attempt(self, state: UrbionState, path: Path) -> Action | None:
        """Return the play or the discard that is meant, legal or not."""
        player = turn_of(state) or state.players[0]
        card = predict(state).get(path[0])
        if len(path) != 2 or kind_of(path[0]) != "hand" or card is None:
            return None
        owner = unescape(parts_of(path[0])[0])
        if path[1] == DISCARD:
            return Discard(player=owner, card=card)
        if kind_of(path[1]) == "polarity":
            return SwapPolarity(player=owner, card=card)
        if kind_of(path[1]) == "dream":
            row, side, _ = parts_of(path[1])
            return Play(player=owner, card=card, row=int(row), side=side)
        return Balance(player=player, card=card) if kind_of(path[1]) == "city" else None

    def alternatives(self, state: UrbionState, action: Action) -> tuple[HandEntry[Action], ...]:
        """Return the other actions that were possible, those of the same kind first."""
        return others(legal_actions(state), action, partial(describe_action, state))

    def name_place(self, state: UrbionState, place: Place) -> str:
        """Return the words for a place."""
        del state
        return place_name(place)

    def reminders(self) -> tuple[Reminder, ...]:
        """Return all reminders of the rules, in the order to list them."""
        return read_reminders(__package__)

    def hint(self, state: UrbionState) -> str:
        """Return the word of this moment that reminders are found by."""
        return state.pending or "play"


def edition_name(edition: str) -> str:
    """Return the game's name; it has one edition."""
    del edition
    return msg("Urbion")


# -- words --------------------------------------------------------------------------------------------


def _phase(state: UrbionState) -> Message:
    if state.reason is not None:
        return msg("The game is over.")
    if state.pending == "side":
        return msg("Choose the side for the pair that was dealt.")
    if state.pending == "chaos":
        return msg("Decide what becomes of the Chaos card.")
    return msg("Lay a card at a city, or discard one to use it otherwise.")


def _outcome(state: UrbionState) -> Message | None:
    if state.reason is None:
        return None
    if state.reason == "cities":
        return msg("Every city is claimed: the game is won.")
    return msg("The dreams are used up: the game is lost.")


# -- what lies on the table ---------------------------------------------------------------------------


def _player(state: UrbionState, seat: int) -> PlayerView:
    count, player = len(state.hands[seat]), state.players[seat]
    claimed = CounterView(
        name="built",
        label=msg("Cities claimed together"),
        low=state.subdued,
        high=state.subdued,
        goal=state.all_cities,
    )
    return PlayerView(
        player=player,
        is_active=player == turn_of(state),
        is_winner=state.reason == "cities",
        counters=(CounterView(name="cards", label=msg("Cards in hand"), low=count, high=count), claimed),
    )


def _stock(state: UrbionState) -> tuple[CounterView, ...]:
    low = len(state.dreams) if state.is_counted else 0
    return (
        CounterView(
            name="built",
            label=msg("Cities claimed together"),
            low=state.subdued,
            high=state.subdued,
            goal=state.all_cities,
        ),
        CounterView(
            name="deck",
            label=msg("Dreams in the deck"),
            low=low,
            high=len(state.dreams),
            most=len(state.dreams),
            is_charted=True,
        ),
        CounterView(
            name="discards",
            label=msg("Cards discarded"),
            low=len(state.discards),
            high=len(state.discards),
            is_charted=True,
        ),
    )


def _zones(state: UrbionState) -> Iterator[ZoneView]:
    for number, row in enumerate(state.rows):
        yield _row(state, number, row)
    for seat, player in enumerate(state.players):
        cards = (*_hand(state, seat), *_polarity(state, player))
        yield ZoneView(name="hand", label=player_name(player), owner=player, cards=cards)
    yield ZoneView(name="books", label=msg("Books"), cards=tuple(_books(state)))
    yield ZoneView(name="piles", label=msg("Decks"), cards=tuple(_piles(state)))
    yield ZoneView(name="waiting", label=msg("Waiting"), cards=tuple(_waiting(state)))


def _row(state: UrbionState, number: int, row: Row | None) -> ZoneView:
    label = msg("Row {row}", row=number + 1)
    if row is None:
        empty = CardView(place=city_place(number), at=(number, 0), face="free", name=msg("no city"))
        return ZoneView(name="row", label=label, cards=(empty,))
    left, right = row.sums
    return ZoneView(
        name="row",
        label=label,
        cards=tuple(_row_cards(state, number, row)),
        lines=(str(left), str(right), msg("balanced") if row.is_balanced else ""),
    )


def _row_cards(state: UrbionState, number: int, row: Row) -> Iterator[CardView]:
    yield _city_card(city_place(number), (number, 0), row.city, notes=(_balance_note(row),))
    for side in SIDES:
        places, cards = dream_places(number, side), row.side(side)
        direction = -1 if side == LEFT else 1
        for part, card in enumerate(cards[:SIDE_LIMIT]):
            yield dream_card(places[part], (number, direction), part, card)
        if len(cards) < SIDE_LIMIT and state.reason is None:
            yield CardView(
                place=places[len(cards)],
                at=(number, direction),
                part=len(cards),
                face="free",
                name=msg("a free place"),
            )


def _balance_note(row: Row) -> Message:
    left, right = row.sums
    if row.is_balanced:
        return msg("Balanced: {left} on each side.", left=left)
    return msg("Left {left}, right {right}.", left=left, right=right)


def _city_card(
    where: Place, at: tuple[int, int], city: str, *, notes: tuple[str, ...] = (), part: int = 0
) -> CardView:
    dots = tuple(element for element in ELEMENTS if element in SYMBOLS[city])
    return CardView(place=where, at=at, part=part, face="city", name=city_name(city), dots=dots, notes=notes)


def dream_card(
    where: Place, at: tuple[int, int], part: int, card: str, *, can_move: bool = False, is_lit: bool = False
) -> CardView:
    """Return a dream that lies face up."""
    return CardView(
        place=where,
        at=at,
        part=part,
        face=KIND[card],
        name=dream_name(card),
        kind=ELEMENT.get(card),
        values=(("value", str(VALUE[card])),),
        can_move=can_move,
        is_lit=is_lit,
    )


def _hand(state: UrbionState, seat: int) -> Iterator[CardView]:
    player = state.players[seat]
    is_lit = player == turn_of(state) and state.pending is None
    for part, (where, card) in enumerate(zip(hand_places(player), state.hands[seat], strict=False)):
        yield dream_card(where, (seat, 0), part, card, can_move=True, is_lit=is_lit)


def _polarity(state: UrbionState, player: str) -> tuple[CardView, ...]:
    polarity = polarities(state).get(player)
    if polarity is None:
        return ()
    name = msg("Polarity: Sanae, right") if polarity == "sanae" else msg("Polarity: Incubi, left")
    card = CardView(
        place=polarity_place(player),
        at=(state.players.index(player), 1),
        face="polarity",
        name=name,
        kind=polarity,
    )
    return (card,)


def _books(state: UrbionState) -> Iterator[CardView]:
    for number, book in enumerate(state.books):
        yield CardView(
            place=place("book", number),
            at=(0, number),
            face="book",
            name=msg(BOOK_NAMES[book]),
            notes=(msg(BOOK_NOTES[book]),),
        )


def _piles(state: UrbionState) -> Iterator[CardView]:
    dreams = str(len(state.dreams)) if state.is_counted else f"≤{len(state.dreams)}"
    yield CardView(
        place=DREAMS,
        at=(0, 0),
        face="back",
        name=msg("the dreams' deck"),
        values=(("cards", dreams),),
        can_move=None in state.dreams,
    )
    yield CardView(
        place=CITIES,
        at=(0, 1),
        face="back",
        name=msg("the cities' deck"),
        kind="city",
        values=(("cards", str(len(state.cities))),),
        can_move=None in state.cities,
    )
    if state.discards:
        yield dream_card(DISCARD, (1, 0), 0, state.discards[-1])
    else:
        yield CardView(place=DISCARD, at=(1, 0), face="free", name=msg("the discard pile"))
    yield CardView(
        place=CLAIMED,
        at=(1, 1),
        face="claimed",
        name=msg("claimed cities"),
        values=(("cards", f"{state.subdued}/{state.all_cities}"),),
        notes=tuple(join("", (city_name(city), ".")) for city in state.claimed),
    )


def _waiting(state: UrbionState) -> Iterator[CardView]:
    for part, (where, card) in enumerate(zip(WAITING, state.waiting, strict=False)):
        yield dream_card(where, (0, 0), part, card, can_move=True, is_lit=True)
    for number in range(MOST_FANS):
        for part, card in enumerate(state.fan(number)):
            yield dream_card(place("drawn", number, part), (1, number), part, card)


# -- what can be there, and what can be done ----------------------------------------------------------


def _values(where: Place, now: Value) -> Iterator[Option]:
    match kind_of(where):
        case "city":
            yield Option(value=None, text=msg("no city"))
            for city in (*CITY_PAIRS, ARCHIPLACE):
                yield Option(value=city, text=city_name(city))
        case "dream" | "hand" | "waiting" | "drawn" | "discard":
            yield Option(value=None, text=msg("no card"))
            for card in KIND:
                group = "" if card in (now, CHAOS) else msg(_KIND_NAMES[KIND[card]])
                yield Option(value=card, text=dream_name(card), group=group)
        case "polarity":
            yield Option(value="sanae", text=msg("Polarity: Sanae, right"))
            yield Option(value="incubi", text=msg("Polarity: Incubi, left"))


_KIND_NAMES: Final = {INCUBUS: mark("Incubi"), SANAE: mark("Sanae"), META: mark("Metas")}


def _free_place(state: UrbionState, row: int, side: str) -> Place:
    city = state.rows[row]
    return dream_places(row, side)[min(len(city.side(side)) if city else 0, SIDE_LIMIT - 1)]


def _lying(state: UrbionState, row: int, side: str, card: str) -> list[Place]:
    """Return where copies of a card lie at one side of a city."""
    city = state.rows[row]
    cards: Cards = city.side(side) if city else ()
    return [where for where, lies in zip(dream_places(row, side), cards, strict=False) if lies == card]


def _paths(state: UrbionState, action: Action) -> Iterator[Path]:
    """Yield the places that stand for an action, one path for each copy of a card."""
    if isinstance(action, ChooseSide):
        row = next((job.row for job in state.jobs if job.row is not None), None)
        if row is not None:
            yield (WAITING[0], _free_place(state, row, action.side))
    elif isinstance(action, Chaos):
        yield (WAITING[0], _chaos_end(state, action))
    elif not isinstance(action, Reveal):
        hand = zip(hand_places(action.player), state.hands[state.active], strict=False)
        starts = [where for where, card in hand if card == action.card]
        for start, rest in product(starts, _ends(state, action)):
            yield (start, *rest)


def _chaos_end(state: UrbionState, action: Chaos) -> Place:
    if action.row is None:
        return DREAMS
    city = state.rows[action.row]
    if action.way == "clear" or city is None or city.chaos_side is None:
        return city_place(action.row)
    return _free_place(state, action.row, city.chaos_side)


def _ends(state: UrbionState, action: Turn) -> Iterator[Path]:
    """Yield what a hand card is spent on."""
    match action:
        case Play():
            yield (_free_place(state, action.row, action.side),)
        case Discard():
            yield (DISCARD,)
        case Swap():
            (row, card), (other_row, other) = action.cards
            lying = _lying(state, row, action.side, card), _lying(state, other_row, action.side, other)
            yield from product(*lying)
        case Balance():
            yield (city_place(_first_balanced(state, action)),)
        case SwapPolarity():
            yield from ((polarity_place(player),) for player in state.players)
        case Fly():
            end = _free_place(state, action.end, BOOK_SIDE[action.book])
            yield from ((at, end) for at in _lying(state, action.start, BOOK_SIDE[action.book], action.dream))
        case Vanish():
            side = BOOK_SIDE[action.book]
            yield from ((at, DISCARD) for at in _lying(state, action.row, side, action.dream))
        case Agoraphilia():
            yield (city_place(action.row),)
        case Prophecy():
            yield (DREAMS,)
        case _:
            assert_never(action)


def _first_balanced(state: UrbionState, action: Balance) -> int:
    """Return the first row that a balance changes."""
    rows = [row for row, city in open_rows(state) if city.is_balanced]
    return min([*rows, *(removal.row for removal in action.remove)])


def _reveals(state: UrbionState) -> Iterator[HandMove[Action]]:
    """Yield which card comes next in a deck of which it is not known."""
    if None in state.dreams:
        for card in KIND:
            shown = Reveal(dreams=(card,))
            group = msg("Chaos") if card == CHAOS else msg(_KIND_NAMES[KIND[card]])
            if judge(state, shown) is Verdict.LEGAL:
                yield HandMove(path=(DREAMS,), action=shown, text=dream_name(card), groups=(group,))
    if None in state.cities:
        for city in (*CITY_PAIRS, ARCHIPLACE):
            shown = Reveal(cities=(city,))
            if judge(state, shown) is Verdict.LEGAL:
                yield HandMove(path=(CITIES,), action=shown, text=city_name(city))
