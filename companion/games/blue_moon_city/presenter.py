"""Blue Moon City as a window draws it: the state in words and numbers, nothing decided here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from companion.errors import RuleViolation
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import (
    ANY,
    CARD_COUNT,
    CARDS,
    CELLS,
    CENTRE,
    COURTYARD,
    DRAGON_PEOPLE,
    DRAGONS,
    NEIGHBOURS,
    PEOPLES,
    STEPS,
    Building,
    Reward,
)
from companion.games.blue_moon_city.descriptions import describe_action
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.rules.legal import legal_actions
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.table import predict
from companion.games.blue_moon_city.texts import (
    card_name,
    cell_name,
    dragon_name,
    place_name,
    steps_text,
)
from companion.games.blue_moon_city.unseen import named_action, unseen_cards
from companion.games.kit.choices import now_first, others
from companion.games.kit.guide import read_reminders
from companion.i18n import Message, join, mark, msg, nmsg
from companion.names import amount, list_text, player_name
from companion.table import Picture, Place, kind_of, parts_of, place
from companion.view_model import (
    CardView,
    CounterView,
    GainView,
    HandEntry,
    HandMove,
    Option,
    PieceView,
    PlayerView,
    Reminder,
    SpotView,
    TableView,
    TileView,
    TrackView,
    UnnamedCards,
)

# More crystals than any offering costs.
_AMPLE = 99
OBELISK_ROWS = (4, 2, 2, 2, 2, 1)
EDITION_NAMES = {"kosmos-2006": mark("2006 edition"), "cmon-2019": mark("2019 edition")}
PARTS = (
    ("majority", mark("Most markers")),
    ("contributor", mark("Each contributor")),
    ("neighbour", mark("For neighbours")),
)


class CityPresenter:
    """Blue Moon City's `companion.view_model.Presenter`."""

    def present(self, state: CityState) -> TableView:
        """Return the table as the state has it."""
        return TableView(
            title=_title(state),
            turn=state.turn,
            phase=_phase(state),
            outcome=_outcome(state),
            extent=(5, 5),
            tiles=tuple(_tile(state, cell) for cell in range(len(CELLS))),
            pieces=_pieces(state),
            tracks=(_obelisk(state),),
            players=tuple(_player(state, seat) for seat in range(len(state.setup.players))),
            stock=_stock(state),
        )

    def predict(self, state: CityState) -> Picture:
        """Return the picture of the table that the state casts."""
        return predict(state)

    def options(self, state: CityState, place: Place) -> tuple[Option, ...]:
        """Return what can lie on a place at all, what is there now first."""
        now = predict(state).get(place)
        return now_first(_values(state, place), now)

    def entries(self, state: CityState) -> tuple[HandEntry[Action], ...]:
        """Return the one action that leaves no trace on the table: ending the turn."""
        if state.outcome is not None:
            return ()
        discard = () if state.setup.is_open else None
        end = End(player=state.player, discard=discard)
        return (HandEntry(action=end, text=describe_action(state, end)),)

    def moves(self, state: CityState) -> tuple[HandMove[Action], ...]:
        """Return no moves: where the pieces are put says what was done."""
        del state
        return ()

    def attempt(self, state: CityState, path: tuple[Place, ...]) -> Action | None:
        """Return nothing, as for `moves`."""
        del state, path
        return None

    def alternatives(self, state: CityState, action: Action) -> tuple[HandEntry[Action], ...]:
        """Return the other actions that were possible, those of the same kind first."""
        rich = _with_ample_crystals(state)  # what is left out here would tell who has how many
        possible = legal_actions(rich) if state.setup.is_open else _conceivable(state)
        instead = (other for other in possible if other != action and _is_possible(rich, other))
        return others(instead, action, partial(describe_action, state))

    def hand(self, state: CityState, player: str) -> tuple[CardView, ...]:
        """Return the cards in a hand and those set aside; none of a closed game."""
        if not state.setup.is_open:
            return ()
        seat = state.setup.players.index(player)
        held = sorted(state.hands[seat]), sorted(state.aside[seat])
        rows = (enumerate(cards) for cards in held)
        return tuple(
            _hand_card(player, row, part, card) for row, cards in enumerate(rows) for part, card in cards
        )

    def unnamed(self, state: CityState, action: Action) -> UnnamedCards | None:
        """Return the cards that can have paid for an action and were not seen."""
        found = unseen_cards(state, action)
        if found is None:
            return None
        cards, least, most = found
        options = tuple(Option(value=card, text=card_name(card)) for card in cards)
        return UnnamedCards(cards=options, least=least, most=most)

    def named(self, state: CityState, action: Action, cards: tuple[str, ...]) -> Action | None:
        """Return the action with the cards that were spent; None if these cannot have paid for it."""
        return named_action(state, action, cards)

    def name_place(self, state: CityState, place: Place) -> str:
        """Return the words for a place."""
        return place_name(state, place)

    def reminders(self) -> tuple[Reminder, ...]:
        """Return all reminders of the rules, in the order to list them."""
        return read_reminders(__package__)

    def hint(self, state: CityState) -> str:
        """Return the word of this moment that reminders are found by."""
        if state.figures[state.active] == CENTRE:
            return "courtyard"
        if state.moving:
            return "moving" if state.steps < STEPS else "start"
        return "contributing"


def _hand_card(player: str, row: int, part: int, card: str) -> CardView:
    people, value = card.split("-")
    return CardView(
        place=place("held", player, row, part),
        at=(row, 0),
        part=part,
        face="card",
        name=card_name(card),
        kind=people,
        values=(("value", value),),
        owner=player,
    )


def _conceivable(state: CityState) -> Iterator[Action]:
    """Yield what the active player of a closed game could do, legal or not; the cards stay unseen."""
    me, cells = state.player, range(len(CELLS))
    here = state.figures[state.active]
    building = state.setup.buildings[here]
    if building is not None:
        colour = PEOPLES[0] if building.colour == ANY else building.colour
        for box in range(len(state.boxes[here])):
            yield Contribute(player=me, box=box, colour=colour, cards=None, pairs=None, recolour=None)
    for cell in cells:
        yield Move(player=me, to=cell, cards=None)
        yield Fly(player=me, to=cell)
    yield Offer(player=me)
    yield End(player=me, discard=None)
    for dragon in DRAGONS:
        for cell in cells:
            yield MoveDragon(player=me, dragon=dragon, to=cell)


def _with_ample_crystals(state: CityState) -> CityState:
    """Return the state as if everyone could pay any offering."""
    return replace(state, crystals=(_AMPLE,) * len(state.crystals))


def _is_possible(state: CityState, action: Action) -> bool:
    try:
        apply(state, action)
    except RuleViolation:
        return False
    return True


def _coordinates(cell: int) -> tuple[int, int] | None:
    if cell < 0:
        return None
    row, column = CELLS[cell].split(",")
    return int(row), int(column)


def edition_name(edition: str) -> str:
    """Return an edition in words; the game's own name for no edition."""
    if not edition:
        return "Blue Moon City"
    return msg(EDITION_NAMES[edition]) if edition in EDITION_NAMES else edition


def _title(state: CityState) -> Message:
    edition = edition_name(state.setup.edition)
    if state.setup.variant:
        return msg("Blue Moon City, {edition}, random city", edition=edition)
    return msg("Blue Moon City, {edition}", edition=edition)


def _tile_name(state: CityState, cell: int) -> Message:
    building = state.setup.buildings[cell]
    return msg("Courtyard") if building is None else msg(building.name)


def _owner(state: CityState, seat: int) -> str | None:
    return None if seat < 0 else state.setup.players[seat]


def _phase(state: CityState) -> Message:
    if state.outcome is not None:
        return msg("The game is over.")
    if state.moving:
        left = state.steps if state.hidden is None else state.hidden.steps_low
        if not left:
            return msg("No steps left without a Flit. Contribute, make an offering, or end the turn.")
        return msg("Move up to {steps}, then contribute or make an offering.", steps=steps_text(left))
    return msg("Contribute, make an offering, or end the turn.")


def _outcome(state: CityState) -> Message | None:
    if state.outcome is None:
        return None
    if not state.outcome.winners and not state.outcome.draw:
        return msg("Nobody can pay any more: most offerings win, then most crystals.")
    if not state.outcome.winners:
        return msg("A draw: nobody has a marker left.")
    winners = list_text([player_name(winner) for winner in state.outcome.winners])
    if state.outcome.reason == "offerings":
        return msg("{player} made the last offering and wins.", player=winners)
    return nmsg(
        "{players} wins: the city is built and nobody can make another offering.",
        "{players} win: the city is built and nobody can make another offering.",
        len(state.outcome.winners),
        players=winners,
    )


def _tile(state: CityState, cell: int) -> TileView:
    building = state.setup.buildings[cell]
    tile = state.setup.layout[cell]
    is_built = building is None or cell in state.built
    row, column = map(int, CELLS[cell].split(","))
    return TileView(
        place=place("cell", CELLS[cell]),
        cell=(row, column),
        tile=tile,
        name=_tile_name(state, cell),
        side="built" if is_built else "sketch",
        kind=None if building is None else building.colour,
        spots=() if building is None or is_built else _boxes(state, cell, building),
        gains=() if building is None else _gains(building, is_built),
        notes=_notes(state, cell),
    )


def _boxes(state: CityState, cell: int, building: Building) -> tuple[SpotView, ...]:
    return tuple(
        SpotView(
            place=place("box", CELLS[cell], index),
            label=str(building.values[index]),
            colour=building.colour,
            owner=_owner(state, seat),
        )
        for index, seat in enumerate(state.boxes[cell])
    )


def _amounts(reward: Reward) -> tuple[tuple[str, int], ...]:
    amounts = (("crystals", reward.crystals), ("scales", reward.scales), ("cards", reward.cards))
    return tuple((name, number) for name, number in amounts if number)


def _gains(building: Building, is_built: bool) -> tuple[GainView, ...]:
    parts = [part for part in PARTS if (part[0] == "neighbour") == is_built]
    return tuple(
        GainView(part=part, label=msg(label), amounts=_amounts(getattr(building, part)))
        for part, label in parts
    )


def _in_words(amounts: tuple[tuple[str, int], ...]) -> Message:
    return join(" + ", [amount(name, number) for name, number in amounts]) if amounts else msg("nothing")


def _notes(state: CityState, cell: int) -> tuple[str, ...]:
    """Return who stands to win the tile and what each built neighbour adds (rulings 2 and 3)."""
    building = state.setup.buildings[cell]
    if building is None:
        return (msg("Offerings are made from here."),)
    if cell in state.built:
        return (msg("Pays its neighbours {gain}.", gain=_in_words(_amounts(building.neighbour))),)
    notes = [_majority_note(state, cell, _in_words(_amounts(building.majority)))]
    notes.append(msg("Each contributor: {gain}.", gain=_in_words(_amounts(building.contributor))))
    for near in NEIGHBOURS[cell]:
        neighbour = state.setup.buildings[near]
        if neighbour is not None and near in state.built:
            gain = _in_words(_amounts(neighbour.neighbour))
            notes.append(
                msg("{building} next to it adds {gain} each.", building=msg(neighbour.name), gain=gain)
            )
    return tuple(notes)


def _majority_note(state: CityState, cell: int, gain: Message) -> Message:
    """Say who has most markers so far; a tie goes to the leftmost of them (ruling 2)."""
    owners = [seat for seat in state.boxes[cell] if seat >= 0]
    if not owners:
        return msg("Most markers: {gain}.", gain=gain)
    counts = Counter(owners)
    leader = max(counts, key=lambda seat: (counts[seat], -owners.index(seat)))
    player = player_name(state.setup.players[leader])
    return msg("Most markers: {gain}, {player} so far.", gain=gain, player=player)


def _pieces(state: CityState) -> tuple[PieceView, ...]:
    figures = [
        PieceView(
            place=place("figure", player),
            shape="figure",
            name=player_name(player),
            colour=player,
            cell=_coordinates(cell),
        )
        for player, cell in zip(state.setup.players, state.figures, strict=True)
    ]
    dragons = [
        PieceView(
            place=place("dragon", name),
            shape="dragon",
            name=dragon_name(name),
            colour=name,
            cell=_coordinates(cell),
        )
        for name, cell in zip(DRAGONS, state.dragons, strict=True)
    ]
    return (*figures, *dragons)


def _obelisk(state: CityState) -> TrackView:
    return TrackView(
        name="obelisk",
        label=msg("Obelisk"),
        rows=OBELISK_ROWS,
        spots=tuple(
            SpotView(
                place=place("obelisk", index),
                label=str(price),
                owner=_owner(state, state.obelisk[index]),
                is_used=index >= state.setup.first_obelisk_box,
            )
            for index, price in enumerate(state.setup.catalogue.obelisk)
        ),
    )


def _player(state: CityState, seat: int) -> PlayerView:
    hidden = state.hidden
    hand = (
        (len(state.hands[seat]),) * 2 if hidden is None else (hidden.hand_low[seat], hidden.hand_high[seat])
    )
    aside = (
        (len(state.aside[seat]),) * 2 if hidden is None else (hidden.aside_low[seat], hidden.aside_high[seat])
    )
    offerings, goal = state.offerings(seat), state.setup.offerings_to_win
    rows = (
        ("offerings", msg("Offerings"), offerings, offerings, goal, False),
        ("crystals", msg("Crystals"), state.crystals_low[seat], state.crystals[seat], None, True),
        ("scales", msg("Golden scales"), state.scales[seat], state.scales[seat], None, False),
        ("markers", msg("Markers left"), state.markers[seat], state.markers[seat], None, False),
        ("cards", msg("Cards in hand"), *hand, None, False),
        ("aside", msg("Cards set aside"), *aside, None, False),
    )
    return PlayerView(
        player=state.setup.players[seat],
        is_active=seat == state.active and state.outcome is None,
        is_winner=state.outcome is not None and state.setup.players[seat] in state.outcome.winners,
        rank=_rank(state, seat),
        counters=tuple(
            CounterView(
                name=name,
                label=label,
                low=low,
                high=high,
                goal=goal,
                most=CARD_COUNT if name in ("cards", "aside") else None,
                secret=secret,
            )
            for name, label, low, high, goal, secret in rows
            if name != "aside" or high
        ),
    )


def _rank(state: CityState, seat: int) -> int | None:
    """Return a player's place after the end: winners first, then by offerings, then by crystals.

    Crystals count only where everybody's are known: a place must not hang on what nobody saw.
    """
    outcome = state.outcome
    if outcome is None or not outcome.winners:
        return None
    are_known = state.crystals_low == state.crystals

    def key(other: int) -> tuple[bool, int, int]:
        has_won = state.setup.players[other] in outcome.winners
        crystals = state.crystals[other] if are_known and not has_won else 0
        return has_won, 0 if has_won else state.offerings(other), crystals

    return 1 + sum(key(other) > key(seat) for other in range(len(state.setup.players)))


def _stock(state: CityState) -> tuple[CounterView, ...]:
    hidden = state.hidden
    deck = (len(state.deck),) * 2 if hidden is None else (hidden.deck_low, hidden.deck_high)
    built = sum(1 for cell in state.built if state.setup.layout[cell] != COURTYARD)
    return (
        CounterView(
            name="scales", label=msg("Golden scales in the supply"), low=state.supply, high=state.supply
        ),
        CounterView(name="deck", label=msg("Cards in the deck"), low=deck[0], high=deck[1], most=CARD_COUNT),
        CounterView(name="built", label=msg("Buildings built"), low=built, high=built, goal=len(CELLS) - 1),
    )


def _values(state: CityState, where: Place) -> tuple[Option, ...]:
    parts = parts_of(where)
    match kind_of(where):
        case "cell":
            cell = CELLS.index(parts[0])
            tile, name = state.setup.layout[cell], _tile_name(state, cell)
            sides = ("built",) if tile == COURTYARD else ("sketch", "built")
            return tuple(Option(value=f"{tile}/{side}", text=_side_text(name, side)) for side in sides)
        case "box" | "obelisk":
            markers = [
                Option(value=player, text=msg("a marker of {player}", player=player_name(player)))
                for player in state.setup.players
            ]
            return (Option(value=None, text=msg("no marker")), *markers)
        case "figure" | "dragon":
            cells = [
                Option(value=CELLS[i], text=msg("on {tile}", tile=cell_name(state, CELLS[i])))
                for i in range(len(CELLS))
            ]
            return (Option(value=None, text=msg("next to the city")), *cells)
        case _:
            cards = [Option(value=card, text=_card_text(card)) for card in CARDS]
            return (Option(value=None, text=msg("no card")), *cards)


def _side_text(name: Message, side: str) -> Message:
    if side == "built":
        return msg("{tile}, built side up", tile=name)
    return msg("{tile}, sketch side up", tile=name)


def _card_text(card: str) -> str:
    """Return a card's name, with the dragon that it moves."""
    people, value = card.split("-")
    dragon = next((name for name, of in DRAGON_PEOPLE.items() if of == people), None)
    if dragon is None or value == "3":
        return card_name(card)
    return msg("{card} ({dragon})", card=card_name(card), dragon=dragon_name(dragon))
