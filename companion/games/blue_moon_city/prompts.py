"""What the players are told after an accepted action: rewards, housekeeping, exchange, obelisk, turn, end."""

from __future__ import annotations

from companion.games.blue_moon_city.catalogue import CELLS, CENTRE, DRAGONS
from companion.games.blue_moon_city.events import Completed, Exchanged, GameEnded, Rewarded, TurnPassed
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.texts import DRAGON_NAMES, tile_name
from companion.games.game import Event
from companion.prompts import Prompt, PromptKind, PromptRow
from companion.table import Place, Value


def prompts(before: CityState, after: CityState, events: tuple[Event, ...]) -> tuple[Prompt, ...]:
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
            case TurnPassed() if after.outcome is None:
                found.append(_turn_prompt(after, event, mark))
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
    what = f"{tile_name(done[0].tile)} is complete" if done else "a dragon thanks the contributor"
    totals = "; ".join(f"{p}: {_sum_text(rows, p)}" for p in concerned)
    text = f"{what[0].upper()}{what[1:]}. {totals}."
    return Prompt(id=f"reward/{mark}", kind=PromptKind.REWARD, text=text, concerns=concerned, rows=rows)


def _sum_text(rows: tuple[PromptRow, ...], player: str) -> str:
    parts = []
    for thing in ("crystals", "scales", "cards"):
        total = sum(r.amounts.get(thing, 0) for r in rows if r.player == player)
        if total:
            parts.append(f"{total} {thing if total > 1 else thing[:-1]}")
    return ", ".join(parts)


def _housekeeping_prompt(after: CityState, event: Completed, mark: str) -> Prompt:
    cell = CELLS[event.cell]
    name = tile_name(event.tile)
    standing = [p for i, p in enumerate(after.setup.players) if after.figures[i] == event.cell]
    standing += [DRAGON_NAMES[d] for i, d in enumerate(DRAGONS) if after.dragons[i] == event.cell]
    back = f" Put back on it: {', '.join(standing)}." if standing else ""
    text = f"Take the markers off {name}, give them back and turn it to its built side.{back}"
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
    gains = ", ".join(
        f"{p} ({event.counts[i]} scales) gets {event.crystals[i]} crystals, returns {event.returned[i]}"
        if event.crystals[i]
        else f"{p} ({event.counts[i]} scales) keeps them"
        for i, p in enumerate(event.players)
    )
    text = f"The golden scales have run out and are exchanged: {gains}."
    return Prompt(
        id=f"exchange/{mark}.{number}", kind=PromptKind.EXCHANGE, text=text, concerns=event.players, rows=rows
    )


def _turn_prompt(after: CityState, event: TurnPassed, mark: str) -> Prompt:
    text = f"{event.player}'s turn: move up to {after.steps} steps, then contribute or offer."
    return Prompt(id=f"turn/{mark}", kind=PromptKind.TURN, text=text, concerns=(event.player,))


def _obelisk_prompt(before: CityState, after: CityState, mark: str) -> Prompt | None:
    """Say at each visit to the courtyard what the next box costs and who could pay it."""
    seat = before.active
    arrived = after.figures[seat] == CENTRE and (before.figures[seat] != CENTRE)
    box = after.next_box
    prices = after.setup.catalogue.obelisk
    if not arrived or after.outcome is not None or box == len(prices):
        return None
    name = after.setup.players[seat]
    price = prices[box]
    able = after.crystals_low[seat] >= price and after.markers[seat] > 0
    maybe = after.crystals[seat] >= price and after.markers[seat] > 0
    word = "can pay it" if able else "may be able to pay it" if maybe else "cannot pay it"
    text = f"The next offering costs {price} crystals; {name} {word}."
    return Prompt(
        id=f"obelisk/{mark}",
        kind=PromptKind.OBELISK,
        text=text,
        concerns=(name,),
        about=(Place(f"obelisk:{box}"),) if maybe else (),
    )


def _end_prompt(event: GameEnded, mark: str) -> Prompt:
    reasons = {
        "offerings": "by offerings",
        "stalemate": "no further offering can be paid",
        "no_markers": "nobody has a marker left: a draw",
    }
    winners = " and ".join(event.winners)
    if winners:
        text = f"The game is over: {winners} won, {reasons[event.reason]}."
    elif event.reason == "stalemate":
        text = "The game is over: of those with most offerings, who has most crystals left wins."
    else:
        text = "The game is a draw: nobody has a marker left."
    return Prompt(id=f"end/{mark}", kind=PromptKind.END, text=text, concerns=event.winners)
