"""Random legal games of Blue Moon Legends over all pairings of decks.

Run: ``python -m tests.benchmarks.legends_random [--games N] [--seed S] [--records N]``

Prints games and actions a second, endings, invariants checked, and which of the powers worked at least once.
Every so many games (``--records``) the game is written as a record, verified, and a broken copy refused.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.errors import RecordError
from companion.game import Event, Json
from companion.games.blue_moon_legends import GAME
from companion.games.blue_moon_legends.actions import Action
from companion.games.blue_moon_legends.catalogue import CardId, catalogue
from companion.games.blue_moon_legends.events import PowerWorked
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.state import State
from companion.record.game_record import read_record, write_record
from tests.helpers.legends import PAIRINGS, pairing, playout

# Powers that work by being in force, not by an event of their own: seen when active with its text.
_STANDING = frozenset(
    {
        "extra_plays",
        "free_if",
        "ignore_cards",
        "ignore_icons",
        "ignore_power_text",
        "multiply_values",
        "opp_active_character_limit",
        "opp_card_limit",
        "opp_draw_limit",
        "opp_hand_intake_limit",
        "opp_may_not_play",
        "opp_must_play_or_retreat",
        "raise_total_to",
        "raise_values_to",
        "zero_printed_values",
        "double_caterpillar",
    }
)


@dataclass(slots=True)
class Tally:
    """What was seen over all games."""

    actions: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    pairings: set[frozenset[str]] = field(default_factory=set)
    worked: Counter[CardId] = field(default_factory=Counter)
    defects: list[str] = field(default_factory=list)
    records: Counter[str] = field(default_factory=Counter)
    longest: int = 0

    def note(self, action: Action, after: State, events: Iterable[Event]) -> None:
        """Note one action."""
        self.actions[type(action).__name__] += 1
        self.defects += GAME.defects(after)
        for event in events:
            if isinstance(event, PowerWorked):
                self.worked[event.card] += 1
        for side in Force(after).sides:
            for entry in side:
                power = entry.card.power
                if power is not None and power.effect in _STANDING and entry.has_text:
                    self.worked[entry.card.id] += 1


def one_game(number: int, rng: random.Random, tally: Tally, *, check: bool) -> tuple[Json, list[Action]]:
    """Play one game to its end."""
    header = GAME.deal(rng, {"decks": pairing(number)})
    played = []
    for _, action, after, events in playout(rng, header):
        played.append(action)
        if check:
            tally.note(action, after, events)
        last = after
    result = GAME.result(last) or {}
    majority = "" if result["reason"] == "fourth_dragon" else " dragons" if result["dragons"] else " cards"
    tally.endings[result["reason"] + majority] += 1
    tally.pairings.add(frozenset(pairing(number)))
    tally.longest = max(tally.longest, len(played))
    return header, played


def check_record(header: Json, played: list[Action], rng: random.Random, tally: Tally) -> None:
    """Verify the game's record, and that a broken copy is refused at its line."""
    stream = io.StringIO()
    write_record(stream, GAME, header, played, checkpoints=True)
    lines = stream.getvalue().splitlines()
    assert read_record(lines).result is not None
    tally.records["verified"] += 1
    at = rng.choice([number for number, line in enumerate(lines) if '"power"' in line])
    line = json.loads(lines[at])
    lines[at] = json.dumps({**line, "total": line["total"] + 1})
    try:
        read_record(lines)
    except RecordError as error:
        tally.records["broken ones refused at their line"] += error.line == at + 1


def speed(games: int, seed: int) -> tuple[float, float]:
    """Return games and actions a second, legal actions enumerated, nothing else done."""
    rng, actions, started = random.Random(seed), 0, time.process_time()
    for number in range(games):
        actions += len(one_game(number, rng, Tally(), check=False)[1])
    spent = time.process_time() - started
    return games / spent, actions / spent


def main() -> int:
    """Play the games and print what was seen."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--records", type=int, default=20, help="check the record of every so-manieth game")
    options = parser.parse_args()
    rng, tally = random.Random(options.seed), Tally()
    for number in range(options.games):
        header, played = one_game(number, rng, tally, check=True)
        if number % options.records == 0:
            check_record(header, played, rng, tally)
    games, actions = speed(min(options.games, 200), options.seed)
    powers = [card.id for card in catalogue().cards.values() if card.power is not None]
    silent = [card for card in powers if not tally.worked[card]]
    print(f"{options.games} games over {len(tally.pairings)} of {len(PAIRINGS)} pairings, to an end each")
    print(f"speed: {games:.0f} games/s, {actions:.0f} actions/s on one core")
    print(f"actions: {sum(tally.actions.values())}, longest game {tally.longest}")
    print(f"  by kind: {dict(tally.actions.most_common())}")
    print(f"endings: {dict(tally.endings.most_common())}")
    print(f"broken invariants: {len(tally.defects)} {tally.defects[:3]}")
    print(f"records: {dict(tally.records)}")
    print(f"powers at work: {len(powers) - len(silent)} of {len(powers)}, silent: {silent}")
    return 1 if tally.defects else 0


if __name__ == "__main__":
    raise SystemExit(main())
