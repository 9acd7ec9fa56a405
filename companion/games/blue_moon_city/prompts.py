"""What the players are told after an accepted action: what to pay, take and tidy up, whose turn, the end.

Crystals lie face down and the screen is everyone's: no word here depends on how many someone has.
"""

from __future__ import annotations

from companion.game import Event
from companion.games.blue_moon_city.actions import Action
from companion.games.blue_moon_city.catalogue import CELLS, CENTRE, DRAGONS
from companion.games.blue_moon_city.events import (
    Completed,
    Exchanged,
    GameEnded,
    Offered,
    Reshuffled,
    Rewarded,
    TurnPassed,
)
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.texts import (
    building_name,
    dragon_name,
    figure_name,
    steps_text,
    tile_name,
)
from companion.i18n import Message, join, msg, nmsg
from companion.names import amount, list_text, player_name
from companion.prompts import Prompt, PromptKind, PromptRow
from companion.table import Place, Value


def prompts(
    before: CityState, _action: Action, after: CityState, events: tuple[Event, ...]
) -> tuple[Prompt, ...]:
    """Return the prompts of one accepted action, most important first."""
    mark = f"{after.turn}.{before.acts}"
    found: list[Prompt] = []
    done = [e for e in events if isinstance(e, Completed)]
    rewards = [e for e in events if isinstance(e, Rewarded)]
    for event in events:
        match event:
            case GameEnded():
                found.append(_end_prompt(event, mark))
            case Exchanged():
                found.append(_exchange_prompt(event, mark, len(found)))
            case Completed():
                found.append(_housekeeping_prompt(after, event, mark))
            case Offered():
                found.append(_payment_prompt(event, mark))
            case Reshuffled() if before.hidden is None or before.hidden.deck_low:
                found.append(_reshuffle_prompt(mark))
            case TurnPassed() if after.outcome is None:
                found += [_turn_prompt(after, event, mark), *_taken_up(before, mark)]
    if rewards:
        found.append(_reward_prompt(before, rewards, done, mark))
    visit = _obelisk_prompt(before, after, mark)
    if visit is not None:
        found.append(visit)
    order = list(PromptKind)
    return tuple(sorted(found, key=lambda p: order.index(p.kind)))


def _reward_prompt(before: CityState, rewards: list[Rewarded], done: list[Completed], mark: str) -> Prompt:
    rows = tuple(
        PromptRow(
            player=r.player,
            amounts={k: v for k in ("crystals", "scales", "cards") if (v := getattr(r, k))},
            reason=r.reason,
            source=r.source,
        )
        for r in rewards
        if r.crystals or r.scales or r.cards
    )
    concerned = tuple(p for p in before.setup.players if any(r.player == p for r in rows))
    totals = join("; ", [_total_text(rows, player) for player in concerned])
    if done:
        text = msg("{Tile} is complete: {totals}.", Tile=_at_start(done[0].tile), totals=totals)
    else:
        text = msg("Golden scales from the dragons: {totals}.", totals=totals)
    return Prompt(id=f"reward/{mark}", kind=PromptKind.REWARD, text=text, concerns=concerned, rows=rows)


def _at_start(tile: str) -> Message:
    """Return a tile's name as it begins a sentence."""
    return msg("The {building}", building=building_name(tile))


def _total_text(rows: tuple[PromptRow, ...], player: str) -> Message:
    parts = []
    for thing in ("crystals", "scales", "cards"):
        total = sum(r.amounts.get(thing, 0) for r in rows if r.player == player)
        if total:
            parts.append(amount(thing, total))
    return msg("{player} gets {amounts}", player=player_name(player), amounts=join(", ", parts))


def _housekeeping_prompt(after: CityState, event: Completed, mark: str) -> Prompt:
    cell = CELLS[event.cell]
    name = tile_name(event.tile)
    standing: list[str] = [
        figure_name(p) for i, p in enumerate(after.setup.players) if after.figures[i] == event.cell
    ]
    standing += [dragon_name(d) for i, d in enumerate(DRAGONS) if after.dragons[i] == event.cell]
    text = msg("Take the markers off {tile}, give them back and turn it to its built side.", tile=name)
    if standing:
        text = join(" ", [text, msg("Put back on it: {pieces}.", pieces=join(", ", standing))])
    wanted: dict[Place, Value] = {Place(f"cell:{cell}"): f"{event.tile}/built"}
    return Prompt(
        id=f"housekeeping/{mark}",
        kind=PromptKind.HOUSEKEEPING,
        text=text,
        concerns=event.contributors,
        done_when=wanted,
    )


def _exchange_prompt(event: Exchanged, mark: str, number: int) -> Prompt:
    rows = tuple(
        PromptRow(
            player=p,
            amounts={
                "counted": event.counts[i],
                "crystals": event.crystals[i],
                "returned": event.returned[i],
            },
            reason="exchange",
        )
        for i, p in enumerate(event.players)
    )
    gains = join(", ", [_exchanged(event, seat) for seat in range(len(event.players))])
    text = msg("The golden scales have run out and are exchanged: {gains}.", gains=gains)
    return Prompt(
        id=f"exchange/{mark}.{number}", kind=PromptKind.EXCHANGE, text=text, concerns=event.players, rows=rows
    )


def _exchanged(event: Exchanged, seat: int) -> Message:
    who, counted = player_name(event.players[seat]), amount("scales", event.counts[seat])
    if not event.crystals[seat]:
        return msg("{player} ({scales}) keeps them", player=who, scales=counted)
    return msg(
        "{player} ({scales}) gets {crystals}, returns {returned}",
        player=who,
        scales=counted,
        crystals=amount("crystals", event.crystals[seat]),
        returned=event.returned[seat],
    )


def _turn_prompt(after: CityState, event: TurnPassed, mark: str) -> Prompt:
    text = msg(
        "{player}'s turn: move up to {steps}, then contribute or make an offering.",
        player=player_name(event.player),
        steps=steps_text(after.steps),
    )
    return Prompt(id=f"turn/{mark}", kind=PromptKind.TURN, text=text, concerns=(event.player,))


def _obelisk_prompt(before: CityState, after: CityState, mark: str) -> Prompt | None:
    """Say at each visit to the courtyard what the next box costs."""
    seat = before.active
    arrived = after.figures[seat] == CENTRE and (before.figures[seat] != CENTRE)
    box = after.next_box
    prices = after.setup.catalogue.obelisk
    if not arrived or after.outcome is not None or box == len(prices):
        return None
    return Prompt(
        id=f"obelisk/{mark}",
        kind=PromptKind.OBELISK,
        text=msg("The next offering costs {price}.", price=amount("crystals", prices[box])),
        concerns=(after.setup.players[seat],),
        about=(Place(f"obelisk:{box}"),) if after.markers[seat] else (),
    )


def _payment_prompt(event: Offered, mark: str) -> Prompt:
    """Say what an offering costs, a Pillar's extra crystals included (ruling 19)."""
    who, price = player_name(event.player), amount("crystals", event.price)
    if event.most > event.price:
        text = msg(
            "{player} pays {price} for the offering with a Pillar 1, or {most} with a Pillar 2.",
            player=who,
            price=price,
            most=event.most,
        )
    else:
        text = msg("{player} pays {price} for the offering.", player=who, price=price)
    return Prompt(id=f"payment/{mark}", kind=PromptKind.PAYMENT, text=text, concerns=(event.player,))


def _reshuffle_prompt(mark: str) -> Prompt:
    """Say what comes of an empty deck (ruling 5); in closed play once, when it may be empty soon."""
    text = msg("When the last card of the deck is drawn, shuffle the discards into a new deck.")
    return Prompt(id=f"reshuffle/{mark}", kind=PromptKind.HOUSEKEEPING, text=text)


def _taken_up(before: CityState, mark: str) -> list[Prompt]:
    """Return the request to take up the reward cards of the turn that is over, if any (ruling 4)."""
    aside = [len(cards) for cards in before.aside] if before.hidden is None else before.hidden.aside_high
    players = tuple(player for player, cards in zip(before.setup.players, aside, strict=True) if cards)
    if not players:
        return []
    text = nmsg(
        "The turn is over: {players} picks up the reward cards.",
        "The turn is over: {players} pick up their reward cards.",
        len(players),
        players=list_text([player_name(player) for player in players]),
    )
    return [Prompt(id=f"taken-up/{mark}", kind=PromptKind.HOUSEKEEPING, text=text, concerns=players)]


def _end_prompt(event: GameEnded, mark: str) -> Prompt:
    winners = list_text([player_name(winner) for winner in event.winners])
    if event.winners and event.reason == "offerings":
        text = msg("The game is over: {winners} won, by offerings.", winners=winners)
    elif event.winners:
        text = nmsg(
            "The game is over: {winners} won; nobody can pay for another offering.",
            "The game is over: {winners} won; nobody can pay for another offering.",
            len(event.winners),
            winners=winners,
        )
    elif event.reason == "stalemate":
        text = msg("The game is over: most offerings win, then most crystals.")
    else:
        text = msg("The game is a draw: nobody has a marker left.")
    return Prompt(id=f"end/{mark}", kind=PromptKind.END, text=text, concerns=event.winners)
