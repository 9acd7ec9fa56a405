"""Random open games of Blue Moon City: speed, and proof that every one of them is sound.

Run: ``python -m tests.benchmarks.city_random [--games N] [--seed S] [--no-verify]``

Games go round over players, editions and set-ups. First they are only played, which gives the speed (the
random players find all legal actions at every step, to choose among them); then played again with each line
read back by the record's reader, a checkpoint after every turn, every conserved quantity checked after every
action, and crystals counted in a ledger of their own. Seconds are those of the processor: of one core,
whatever else the machine does.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from itertools import product

from companion.errors import BugError
from companion.game import Event, Json
from companion.games.blue_moon_city.actions import End
from companion.games.blue_moon_city.events import Exchanged, Offered, Rewarded
from companion.games.blue_moon_city.game import BlueMoonCity
from companion.games.blue_moon_city.state import CityState
from companion.record.game_record import RecordReader, format_object

GAME = BlueMoonCity()
KINDS = tuple(product((2, 3, 4), ("kosmos-2006", "cmon-2019"), ("standard", "variant")))


def header_of(number: int, seed: int) -> tuple[Json, random.Random]:
    """Return the header of game `number` and what it is played with."""
    players, edition, setup = KINDS[number % len(KINDS)]
    rng = random.Random(seed * 1_000_003 + number)
    return GAME.deal(rng, {"players": players, "edition": edition, "setup": setup}), rng


def play(number: int, seed: int) -> tuple[CityState, int]:
    """Play one game to its end; return the end and the number of actions."""
    header, rng = header_of(number, seed)
    state = GAME.start(header)
    choose = GAME.random_player(rng)
    count = 0
    while state.outcome is None:
        state, _ = GAME.apply(state, GAME.with_chance(state, choose(state), rng))
        count += 1
    return state, count


class Ledger:
    """Crystals earned and spent, counted from what was announced."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self.crystals = dict.fromkeys(players, 0)

    def book(self, events: tuple[Event, ...]) -> None:
        """Add what the events say."""
        for event in events:
            match event:
                case Rewarded():
                    self.crystals[event.player] += event.crystals
                case Offered():
                    self.crystals[event.player] -= event.price
                case Exchanged():
                    for player, gain in zip(event.players, event.crystals, strict=True):
                        self.crystals[player] += gain


def verify(number: int, seed: int) -> tuple[CityState, int]:
    """Play the same game with every line read back and every quantity checked; raises BugError."""
    header, rng = header_of(number, seed)
    reader = RecordReader()
    reader.feed(format_object(header))
    state = GAME.start(header)
    choose = GAME.random_player(rng)
    ledger = Ledger(state.setup.players)
    count = 0
    while state.outcome is None:
        action = GAME.with_chance(state, choose(state), rng)
        state, events = GAME.apply(state, action)
        ledger.book(events)
        count += 1
        step = reader.feed(format_object(GAME.format_action(action)))
        faults = GAME.defects(state)
        if step.state != state or faults or tuple(ledger.crystals.values()) != state.crystals:
            raise BugError(f"game {number}, action {count}: {faults or 'another state'}")
        if isinstance(action, End) or state.outcome is not None:
            reader.feed(format_object({"check": GAME.checkpoint(state)}))
    result = GAME.result(state)
    assert result is not None
    reader.feed(format_object({"result": result}))
    return state, count


def main() -> None:
    """Play, verify, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=240, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--no-verify", action="store_true", help="only play")
    arguments = parser.parse_args()
    runs = [("played", play)] if arguments.no_verify else [("played", play), ("verified", verify)]
    endings: Counter[str] = Counter()
    for word, run in runs:
        began = time.process_time()
        endings.clear()
        actions = 0
        for number in range(arguments.games):
            state, count = run(number, arguments.seed)
            actions += count
            assert state.outcome is not None
            endings[state.outcome.reason] += 1
        spent = time.process_time() - began
        print(
            f"{word}: {arguments.games} games, {actions} actions in {spent:.1f} s: "
            f"{arguments.games / spent:.1f} games/s, {actions / spent:.0f} actions/s"
        )
    print("endings: " + ", ".join(f"{reason} {count}" for reason, count in endings.most_common()))
    missing = {"offerings", "stalemate", "no_markers"} - set(endings)
    print("all three endings seen" if not missing else f"endings not seen: {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main()
