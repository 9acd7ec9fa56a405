"""Blue Moon Legends as a window draws it: the state in words and numbers, nothing decided here.

Hands stay face down, also in a game that the program has dealt itself: a card is named when it is laid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final, TypeAlias

from companion.game import Verdict
from companion.games.blue_moon_legends.actions import (
    Action,
    Adjust,
    Announce,
    Bluff,
    Call,
    Decline,
    Discard,
    Double,
    Drop,
    End,
    Launch,
    Lead,
    Load,
    Pay,
    Play,
    Retreat,
    Retrieve,
    Reveal,
    Trust,
    Unload,
    Use,
)
from companion.games.blue_moon_legends.catalogue import (
    BOOSTER,
    CHARACTER,
    DRAGONS,
    EARTH,
    ELEMENTS,
    FIGHTERS,
    FIRE,
    LEADERSHIP,
    SHIP,
    SUPPORT,
    CardId,
)
from companion.games.blue_moon_legends.descriptions import describe_action, describe_reason
from companion.games.blue_moon_legends.rules.apply import judge
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.rules.legal import legal_actions
from companion.games.blue_moon_legends.rules.totals import total
from companion.games.blue_moon_legends.state import Demand, Phase, Side, State, known_places, turn_of
from companion.games.blue_moon_legends.table import BACK, BOARD, ELEMENT, predict, visible_rows
from companion.games.blue_moon_legends.texts import ELEMENT_NAMES, card_name, names, place_name, power_text
from companion.games.kit.choices import now_first, others
from companion.games.kit.guide import read_reminders
from companion.games.kit.notation import escape, unescape
from companion.i18n import Message, join, mark, msg, nmsg
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
    UnnamedCards,
    ZoneView,
)

Path: TypeAlias = tuple[Place, ...]
# Actions by which nothing moves from one place to another; they are offered as buttons.
_BUTTONS: Final = (Retreat, Announce, Call, Trust, End, Reveal)
_MOST_DECLINED: Final = 3

TYPE_NAMES: Final = {
    CHARACTER: mark("Characters"),
    BOOSTER: mark("Boosters"),
    SUPPORT: mark("Support cards"),
    LEADERSHIP: mark("Leadership cards"),
    SHIP: mark("Ships"),
}
PHASES: Final = {
    Phase.START: mark("Retreat, take cards back, unload a ship, or go on."),
    Phase.LEADERSHIP: mark("Play a character, or retreat."),
    Phase.CHARACTER: mark("Play boosters or support cards, or announce your power."),
    Phase.BACKING: mark("Play boosters or support cards, or announce your power."),
    Phase.POWER: mark("Announce your power."),
    Phase.CALL: mark("Announce your power."),
    Phase.END: mark("Use the powers that are left, or end the turn."),
}
DEMANDS: Final = {
    Demand.DISCARD: mark("Discard what the other side's card demands."),
    Demand.REVEAL: mark("Lay your hand open."),
    Demand.CALL: mark("Call the bluff, or trust it."),
}


class LegendsPresenter:
    """Blue Moon Legends' `companion.view_model.Presenter`."""

    def present(self, state: State) -> TableView:
        """Return the table as the state has it."""
        return TableView(
            title=msg("Blue Moon Legends"),
            turn=state.number,
            phase=_phase(state),
            outcome=_outcome(state),
            players=tuple(_player(state, side) for side in range(2)),
            painter="blue_moon_legends",
            zones=tuple(_zones(state)),
        )

    def predict(self, state: State) -> Picture:
        """Return the picture of the table that the state casts."""
        return predict(state)

    def options(self, state: State, place: Place) -> tuple[Option, ...]:
        """Return what can lie on a place at all, what is there now first."""
        now = predict(state).get(place)
        return now_first(_values(state, place, now), now)

    def entries(self, state: State) -> tuple[HandEntry[Action], ...]:
        """Return what is only said: announcing, retreating, calling a bluff, ending the turn."""
        said: list[Action] = [action for action in legal_actions(state) if isinstance(action, _BUTTONS)]
        if state.pending and None in _bluffs(state):
            said += _unseen_calls(state)
        said.sort(key=lambda action: isinstance(action, Retreat | Reveal))
        return tuple(HandEntry(action=action, text=describe_action(state, action)) for action in said)

    def moves(self, state: State) -> tuple[HandMove[Action], ...]:
        """Return everything that is done with a card, from where it lies to where it goes."""
        actions: list[Action] = [*legal_actions(state), *_unseen(state)]
        moves: list[HandMove[Action]] = [
            HandMove(path=path, action=action, text=_text(state, action), groups=_groups(action))
            for action in dict.fromkeys(actions)
            if not isinstance(action, _BUTTONS)
            for path in _paths(state, action)
        ]
        return tuple(_told_apart(moves))

    def attempt(self, state: State, path: Path) -> Action | None:
        """Return nothing but the laying of a card that the moves do not have: a ship's, out of its turn."""
        if len(path) != 2 or kind_of(path[0]) != "cargo":
            return None
        card = predict(state).get(path[0])
        player = unescape(parts_of(path[0])[0])
        return None if card is None else Play(player=player, card=CardId(card), from_ship=True)

    def alternatives(self, state: State, action: Action) -> tuple[HandEntry[Action], ...]:
        """Return the other actions that were possible, those of the same kind first."""
        return others(legal_actions(state), action, partial(_text, state))

    def hand(self, state: State, player: str) -> tuple[CardView, ...]:
        """Return the cards in a hand; one that nobody has noted lies face down."""
        number = state.setup.players.index(player)
        held = state.sides[number].hand
        return tuple(
            _card(state, number, place("held", escape(player), part), card or BACK, part, "open")
            for part, card in enumerate(sorted(held, key=lambda card: (card is None, card or "")))
        )

    def unnamed(self, state: State, action: Action) -> UnnamedCards | None:
        """Return nothing: cards that leave a hand unseen stay hidden from the other side."""
        del state, action
        return None

    def named(self, state: State, action: Action, cards: tuple[str, ...]) -> Action | None:
        """Return nothing, as for `unnamed`."""
        del state, action, cards
        return None

    def name_place(self, state: State, place: Place) -> str:
        """Return the words for a place."""
        del state
        return place_name(place)

    def reminders(self) -> tuple[Reminder, ...]:
        """Return all reminders of the rules, in the order to list them."""
        return read_reminders(__package__)

    def hint(self, state: State) -> str:
        """Return the word of this moment that reminders are found by."""
        return state.turn.phase.name.lower()


def edition_name(edition: str) -> str:
    """Return the game's name; it has one edition."""
    del edition
    return msg("Blue Moon Legends")


# -- words --------------------------------------------------------------------------------------------


def _phase(state: State) -> Message:
    if state.outcome is not None:
        return msg("The game is over.")
    if state.pending:
        return msg(DEMANDS[state.pending[0].demand])
    if state.fight is None and state.turn.phase <= Phase.LEADERSHIP:
        return msg("Begin a fight with a character, or discard cards and draw.")
    return msg(PHASES[state.turn.phase])


def _outcome(state: State) -> Message | None:
    if state.outcome is None:
        return None
    winner = player_name(state.setup.players[state.outcome.winner])
    return nmsg(
        "{player} wins with {n} dragon.",
        "{player} wins with {n} dragons.",
        state.outcome.dragons,
        player=winner,
    )


def _text(state: State, action: Action) -> str:
    """Return an action in words; of cards that leave a hand face down, which they are."""
    if isinstance(action, Bluff) and action.card is not None:
        return msg("lay {card} face down", card=card_name(action.card))
    if isinstance(action, Decline | Discard) and None not in action.cards:
        return msg("discard {cards}", cards=names(action.cards))
    return describe_action(state, action)


def _groups(action: Action) -> tuple[str, ...]:
    """Return what many actions of one kind are listed under: of several cards, all but the last one by one.

    Three of nine cards can be chosen in 84 ways: no screen is as high as a list of them.
    """
    match action:
        case Decline(cards=cards) | Pay(cards=cards) | Discard(cards=cards) if cards:
            number = nmsg("discard {n} card", "discard {n} cards", len(cards))
            return number, *(card_name(card) for card in cards[:-1] if card is not None)
        case Bluff():
            return (msg("as a bluff"),)
        case _:
            return ()


def _told_apart(moves: list[HandMove[Action]]) -> Iterator[HandMove[Action]]:
    """Number the moves that would read the same, as of cards of one name."""
    seen: Counter[tuple[object, ...]] = Counter()
    for move in moves:
        key = move.path, move.groups, str(move.text)
        seen[key] += 1
        yield move if seen[key] == 1 else replace(move, text=join(" ", (move.text, f"({seen[key]})")))


# -- what lies on the table ---------------------------------------------------------------------------


def _player(state: State, number: int) -> PlayerView:
    side, force, player = state.sides[number], Force(state), state.setup.players[number]
    values = {element: total(state, force, number, element).value for element in ELEMENTS}
    rows = (
        ("dragons", msg("Dragons"), state.dragons_of(number)),
        (FIRE, msg("Power in fire"), values[FIRE]),
        (EARTH, msg("Power in earth"), values[EARTH]),
        ("cards", msg("Cards in hand"), len(side.hand)),
    )
    deck = CounterView(
        name="deck", label=msg("Cards in the deck"), low=side.fewest_in_deck, high=len(side.deck)
    )
    is_winner = state.outcome is not None and state.outcome.winner == number
    return PlayerView(
        player=player,
        is_active=player == turn_of(state),
        is_winner=is_winner,
        rank=None if state.outcome is None else 1 if is_winner else 2,
        counters=(*(CounterView(name=name, label=label, low=n, high=n) for name, label, n in rows), deck),
    )


def _zones(state: State) -> Iterator[ZoneView]:
    force = Force(state)
    for number, player in enumerate(state.setup.players):
        cards = (*_side(state, number), *_totals(state, force, number))
        yield ZoneView(name="side", label=player_name(player), owner=player, cards=cards)
    yield ZoneView(name="dragons", label=msg("Dragons"), cards=tuple(_dragons(state)))


def _dragons(state: State) -> Iterator[CardView]:
    """Yield the dragons: on the board, or on the side that has attracted them."""
    picture = predict(state)
    for number in range(DRAGONS):
        where = place("dragon", number)
        value = picture[where] or BOARD
        owner = None if value == BOARD else unescape(value)
        name = msg("dragon {number}", number=number + 1)
        yield CardView(place=where, at=(0, number), face="dragon", name=name, owner=owner)
    contested = None if state.fight is None else state.fight.element
    name = msg("no element yet") if contested is None else msg(ELEMENT_NAMES[contested])
    yield CardView(place=ELEMENT, at=(1, 0), face="element", name=name, kind=contested)


def _totals(state: State, force: Force, number: int) -> Iterator[CardView]:
    player = state.setup.players[number]
    contested = None if state.fight is None else state.fight.element
    for column, element in enumerate(ELEMENTS):
        made = total(state, force, number, element)
        name = msg("{element}: {value}", element=msg(ELEMENT_NAMES[element]), value=made.value)
        yield CardView(
            place=place("total", escape(player), element),
            at=(number, column),
            face="total",
            name=name,
            kind=element,
            values=((element, str(made.value)),),
            owner=player,
            is_lit=element == contested,
            notes=tuple(join("", (describe_reason(reason), ".")) for reason in made.reasons),
        )


def _side(state: State, number: int) -> Iterator[CardView]:
    side, player = state.sides[number], state.setup.players[number]
    is_mine = number == state.actor and state.outcome is None
    for kind, cards in visible_rows(side).items():
        ordered = sorted(cards)
        for part, card in enumerate(ordered):
            yield _card(state, number, place(kind, escape(player), part), card, part, kind, can_move=is_mine)
        if is_mine and kind in ("combat", "support", "ship"):
            free = place(kind, escape(player), len(ordered))
            yield CardView(
                place=free,
                at=(number, _ZONE_ROWS[kind]),
                part=len(ordered),
                face="free",
                name=place_name(free),
                owner=player,
            )
    yield from _cargo(state, number)
    yield from _piles(state, number, is_mine=is_mine)


_ZONE_ROWS: Final = {"combat": 0, "support": 1, "ship": 2, "landed": 3, "open": 4, "cargo": 5, "pile": 6}


def _card(
    state: State, number: int, where: Place, card: str, part: int, kind: str, *, can_move: bool = False
) -> CardView:
    at, player = (number, _ZONE_ROWS[kind]), state.setup.players[number]
    facts = state.setup.cards.get(CardId(card))
    if card == BACK or facts is None:
        name = msg("a card face down")
        return CardView(
            place=where, at=at, part=part, face="back", name=name, owner=player, can_move=can_move
        )
    values = [(element, str(n)) for element in ELEMENTS if (n := facts.printed(element)) is not None]
    loads = (("ship", card),) if facts.type == SHIP else ()
    return CardView(
        place=where,
        at=at,
        part=part,
        face=facts.type,
        name=facts.name,
        kind=facts.people,
        values=(*values, *(("icon", icon) for icon in sorted(facts.icons)), *loads),
        owner=player,
        can_move=can_move,
        notes=() if facts.power is None else (join("", (power_text(facts), ".")),),
    )


def _cargo(state: State, number: int) -> Iterator[CardView]:
    side, player = state.sides[number], escape(state.setup.players[number])
    for ship in (*side.ships, *side.landed):
        for part, card in enumerate(sorted(ship.cargo)):
            where = place("cargo", player, ship.card, part)
            yield _card(state, number, where, card, part, "cargo", can_move=ship in side.landed)


def _piles(state: State, number: int, *, is_mine: bool) -> Iterator[CardView]:
    side, player = state.sides[number], state.setup.players[number]
    name = escape(player)
    top = side.leadership[-1] if side.leadership else state.setup.leaders[number]
    yield CardView(
        place=place("leader", name),
        at=(number, _ZONE_ROWS["pile"]),
        part=0,
        face="leader",
        name=card_name(top),
        kind=state.setup.decks[number],
        owner=player,
        can_move=is_mine,
    )
    open_to = len(side.deck) - side.fewest_in_deck
    bounds = (
        ("deck", side.fewest_in_deck, len(side.deck)),
        ("discard", len(side.discard), len(side.discard) + open_to),
        ("hand", len(side.hand), len(side.hand)),
    )
    for part, (kind, low, high) in enumerate(bounds, 1):
        where = place(kind, name)
        known = nmsg("{n} card.", "{n} cards.", high)
        yield CardView(
            place=where,
            at=(number, _ZONE_ROWS["pile"]),
            part=part,
            face=kind,
            name=place_name(where),
            kind=state.setup.decks[number],
            values=(("cards", str(high) if low == high else f"{low}–{high}"),),
            owner=player,
            is_lit=is_mine and kind == "hand",
            can_move=is_mine and kind == "hand",
            notes=(known,) if low == high else (),
        )


# -- what can be there --------------------------------------------------------------------------------


def _values(state: State, where: Place, now: Value) -> Iterator[Option]:
    kind = kind_of(where)
    if kind in ("combat", "support", "ship", "landed", "open", "cargo", "leader"):
        number = state.setup.players.index(unescape(parts_of(where)[0]))
        yield from _cards(state, number, kind, now)
    elif kind == "dragon":
        yield Option(value=BOARD, text=msg("on the board"))
        for player in state.setup.players:
            yield Option(value=escape(player), text=msg("with {player}", player=player_name(player)))
    elif where == ELEMENT:
        yield Option(value=None, text=msg("no element yet"))
        for element in ELEMENTS:
            yield Option(value=element, text=msg(ELEMENT_NAMES[element]))
    elif kind in ("hand", "deck", "discard"):
        count = 0 if now is None else int(now)
        for number in range(max(0, count - 3), count + 4):
            yield Option(value=str(number) if number else None, text=nmsg("{n} card", "{n} cards", number))


def _cards(state: State, number: int, kind: str, now: Value) -> Iterator[Option]:
    if kind == "leader":
        leader = state.setup.leaders[number]
        yield Option(value=leader, text=card_name(leader))
    else:
        yield Option(value=None, text=msg("no card"))
    if kind == "support":
        yield Option(value=BACK, text=msg("a card face down"))
    for card in sorted(state.setup.owned[number]):
        group = "" if card == now else msg(TYPE_NAMES[state.card(card).type])
        yield Option(value=card, text=card_name(card), group=group)


# -- what can be done ---------------------------------------------------------------------------------


def _bluffs(state: State) -> tuple[CardId | None, ...]:
    return tuple(laid.card for laid in state.mine.support if laid.is_bluff)


def _unseen_calls(state: State) -> list[Action]:
    """Return the calls of bluffs whose cards nobody has noted."""
    if state.pending[0].demand is not Demand.CALL:
        return []
    player, bluffs = state.setup.players[state.pending[0].side], _bluffs(state)
    calls = [Call(player=player, cards=bluffs, is_true=is_true) for is_true in (True, False)]
    return [call for call in calls if judge(state, call) is not Verdict.REFUSED]


def _unseen(state: State) -> Iterator[Action]:
    """Yield what the acting side may do with cards of its hand that nobody else has seen."""
    side, player = state.sides[state.actor], state.setup.players[state.actor]
    if state.outcome is not None or None not in side.hand:
        return
    for action in (*_unseen_answers(state, player), *_unseen_plays(state, player, side)):
        if judge(state, action) is not Verdict.REFUSED:
            yield action


def _unseen_answers(state: State, player: str) -> Iterator[Action]:
    if state.pending:
        yield Discard(player=player, cards=(None,) * state.pending[0].number)
    elif state.fight is None:
        for count in range(1, _MOST_DECLINED + 1):
            yield Decline(player=player, cards=(None,) * count)


def _unseen_plays(state: State, player: str, side: Side) -> Iterator[Action]:
    if state.pending:
        return
    yield Bluff(player=player, card=None)
    seen = set(known_places(side))
    for card in sorted(state.setup.owned[state.actor] - seen):
        kind = state.card(card).type
        if kind == LEADERSHIP:
            yield Lead(player=player, card=card)
        elif kind == SHIP:
            yield Launch(player=player, card=card)
        elif kind in FIGHTERS:
            yield Play(player=player, card=card)
            yield from (Load(player=player, card=card, ship=ship.card) for ship in side.ships)


def _paths(state: State, action: Action) -> Iterator[Path]:
    """Yield the places that stand for an action: where the card lies, and where it goes."""
    name = escape(action.player)
    hand, discard = place("hand", name), place("discard", name)
    match action:
        case Play() | Bluff():
            yield from product(_sources(state, action, hand), (_end_of(state, action, name),))
        case Lead():
            yield hand, place("leader", name)
        case Launch():
            yield hand, _free(state, name, "ship")
        case Load(ship=ship):
            yield from ((hand, where) for where in _lying(state, name, ship))
        case Decline() | Discard() | Pay():
            yield hand, discard
        case Retrieve(card=card):
            yield from ((where, hand) for where in _lying(state, name, card))
        case Drop():
            yield from ((where, discard) for where in _lying(state, name, BACK)[:1])
        case Unload(ship=ship):
            yield from ((where, _free(state, name, "combat")) for where in _lying(state, name, ship))
        case Use(card=card) | Double(card=card) | Adjust(card=card):
            yield from ((where,) for where in _lying(state, name, card))


def _sources(state: State, action: Play | Bluff, hand: Place) -> list[Place]:
    if not action.from_ship:
        return [hand]
    cargo = [where for where, value in predict(state).items() if value == action.card]
    return [where for where in cargo if kind_of(where) == "cargo"]


def _end_of(state: State, action: Play | Bluff, name: str) -> Place:
    is_support = isinstance(action, Bluff) or state.card(action.card).type == SUPPORT
    return _free(state, name, "support" if is_support else "combat")


def _free(state: State, name: str, kind: str) -> Place:
    """Return the place behind a row of a side."""
    side = state.sides[[escape(player) for player in state.setup.players].index(name)]
    return place(kind, name, len(visible_rows(side)[kind]))


def _lying(state: State, name: str, card: str) -> list[Place]:
    """Return where a card of a side is to be seen."""
    return [
        where
        for where, value in predict(state).items()
        if value == card
        and kind_of(where) in ("combat", "support", "ship", "leader")
        and parts_of(where)[0] == name
    ]
