"""Reconciling Blue Moon Legends over simulated games: an onlooker follows games from noisy pictures.

Run: ``python -m tests.benchmarks.legends_reconcile [--games N] [--seed S] [--hide P] [--skip P] [--foul P]``

The onlooker knows no hand and no deck. After each action the table is shown, now and then not at all (skip),
each place missing now and then (hide), now and then with a foul first (a card or dragon moved against the
rules). What leaves no trace in a picture is entered by hand, as players would.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field

from companion.decision import Accepted, Ask, Decision, InStep, OutOfStep, Waiting
from companion.games.blue_moon_legends import GAME
from companion.games.blue_moon_legends.actions import Action, Announce, Call, End, Reveal, Trust
from companion.games.blue_moon_legends.reconcile.seen_table import SeenTable
from companion.games.blue_moon_legends.state import Demand, State
from companion.games.blue_moon_legends.table import COUNTS, row
from companion.observation import Query
from companion.table import Place, Value, kind_of
from tests.helpers.legends import pairing, playout, veiled


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How bad the pictures are: chances that a place is hidden, an action not looked at, a foul tried."""

    hide: float = 0.05
    skip: float = 0.1
    foul: float = 0.1
    counts: bool = True


# What goes wrong, and the rules that may be named for it; a card laid out of turn may as well mean that the
# active player's part of the fight was not finished by the rules.
FOULS: dict[str, set[str]] = {
    "foreign card": {"card.foreign"},
    "dragon": {"dragon.unearned"},
    "card gone": {"card.gone"},
    "second leadership": {"lead.once", "card.moved"},
    # An announcement after which no card is drawn leaves no trace: what follows may seem to come before it.
    # Nor does ending a turn: then nothing lets the card lie there either.
    "out of turn": {
        "turn.not_yours",
        "card.moved",
        "power.too_low",
        "character.limit",
        "gang.other_cards",
        "hand.lacks",
        "play.condition",
    },
}


@dataclass(slots=True)
class Tally:
    """What came of the pictures."""

    counts: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    times_ms: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def mark(state: State, counts: bool) -> tuple[object, ...]:
    """Return what must be right about a state: all that can be seen, and whose turn it is."""
    return (
        tuple(sorted(visible(state, counts).items(), key=str)),
        state.active,
        state.turn.phase if state.outcome is None else None,
        state.fight,
        state.pending,
        state.outcome,
    )


def visible(state: State, counts: bool) -> dict[Place, Value]:
    """Return the picture of a state, with or without the numbers of cards in hands and piles."""
    picture = GAME.predict(state)
    return {where: value for where, value in picture.items() if counts or kind_of(where) not in COUNTS}


class Onlooker:
    """Follows one game by pictures.

    `state` is what it believes, `true` what it would know if it had seen everything, `path` the actions
    since the two last agreed.
    """

    def __init__(self, state: State, tally: Tally, rng: random.Random, *, counts: bool) -> None:
        self.counts = counts
        self.state = state
        self.true = state
        self.path: list[tuple[Action, State]] = []
        self.tally = tally
        self.rng = rng

    def happened(self, action: Action, after: State) -> None:
        """Note an action that truly happened; a hand laid open is an action of its own to an onlooker."""
        if isinstance(action, Call):
            self._show_turned_up(action)
        here = self._true_step(action)
        if here.pending and here.pending[0].demand is Demand.REVEAL:
            side = here.pending[0].side
            reveal = Reveal(player=here.setup.players[side], cards=after.sides[side].hand)
            self._true_step(reveal)

    def _true_step(self, action: Action) -> State:
        self.true, _ = GAME.apply(self.true, action)
        self.path.append((action, self.true))
        return self.true

    def _show_turned_up(self, call: Call) -> None:
        """Let the pictures catch up and then show the bluff cards face up, as they lie before the discard."""
        if self.path:
            self.enter()
        state = self.true
        picture = visible(state, self.counts)
        supports = [laid.card for laid in state.mine.support if not laid.is_bluff and laid.card is not None]
        player = state.setup.players[state.active]
        shown = row(("support", player), [*supports, *call.cards])
        decision = self._explain({**picture, **dict(shown)})
        self.tally.counts[f"calls {type(decision).__name__}"] += 1
        if not isinstance(decision, Accepted) or decision.actions != (call,):
            self.tally.notes.append(f"call {call}: {decision}")

    def look(self, hide: float) -> None:
        """See the table and settle what it means."""
        if any(isinstance(action, Call) for action, _ in self.path):
            self.enter()
        shown = visible(self.true, self.counts)
        picture = {where: value for where, value in shown.items() if self.rng.random() >= hide}
        decision = self._explain(picture)
        self.tally.counts[type(decision).__name__] += 1
        match decision:
            case Accepted():
                self._commit(decision.actions)
            case Ask():
                self._answer(decision)
            case InStep() | Waiting():
                pass
            case OutOfStep():
                self.tally.counts["false alarms"] += 1
                left = SeenTable(self.state.setup, picture).differences(self.state)
                why = [(each.area, each.side, each.way.value, each.card, each.seen) for each in left]
                self.tally.notes.append(f"false alarm {decision.rule}: {[a for a, _ in self.path]} {why}")

    def _explain(self, picture: dict[Place, Value]) -> Decision[Action]:
        started = time.process_time()
        decision = GAME.explain(self.state, Query(picture=picture))
        self.tally.times_ms.append((time.process_time() - started) * 1000)
        return decision

    def _commit(self, actions: tuple[Action, ...]) -> bool:
        state = self.state
        for action in actions:
            state, _ = GAME.apply(state, action)
        marks = [mark(after, self.counts) for _, after in self.path]
        if mark(state, self.counts) not in marks:
            self.tally.counts["wrong commits"] += 1
            self.tally.notes.append(f"wrong {actions} for {[a for a, _ in self.path]}")
            self.enter()
            return False
        del self.path[: marks.index(mark(state, self.counts)) + 1]
        self.state = state
        return True

    def _answer(self, ask: Ask[Action]) -> None:
        """Answer like a player who knows what happened."""
        self.tally.counts["questions"] += 1
        marks = [mark(after, self.counts) for _, after in self.path]
        for choice in ask.choices:
            state = self.state
            for action in choice.actions:
                state, _ = GAME.apply(state, action)
            if mark(state, self.counts) in marks:
                self._commit(choice.actions)
                return
        self.tally.counts["questions without the right answer"] += 1
        self.enter()

    def is_traceless(self, action: Action) -> bool:
        """Whether the last action shows in no picture and is not implied, so that players enter it."""
        before = self.path[-2][1] if len(self.path) > 1 else self.state
        same = visible(before, self.counts) == visible(self.true, self.counts)
        return same and not isinstance(action, Announce | Trust | End)

    def enter(self) -> None:
        """Enter by hand what the pictures did not tell."""
        self.tally.counts["entered"] += len(self.path)
        self.state = self.true
        self.path.clear()

    def foul(self) -> None:
        """Break a rule on the table and see whether it is named."""
        made = make_foul(self.state, self.rng, self.counts)
        if made is None or self.path:
            return
        kind, picture = made
        decision = self._explain(picture)
        self.tally.counts["fouls"] += 1
        if isinstance(decision, OutOfStep) and decision.rule in FOULS[kind]:
            self.tally.rules[f"{kind}: {decision.rule}"] += 1
        else:
            self.tally.counts["fouls missed"] += 1
            self.tally.notes.append(f"missed {kind}: {decision}")


def make_foul(state: State, rng: random.Random, counts: bool) -> tuple[str, dict[Place, Value]] | None:
    """Return a name and a picture of the table after something illegal, None where it cannot be done."""
    picture = visible(state, counts)
    kind = rng.choice(sorted(FOULS))
    me = state.setup.players[state.active]
    other = state.setup.players[1 - state.active]
    mine = [laid.card for laid in state.mine.active_combat if laid.card is not None]
    if kind == "foreign card":
        strange = rng.choice(sorted(state.setup.owned[1 - state.active]))
        picture.update(row(("combat", me), [*mine, strange]))
    elif kind == "dragon":
        # To the active side's at the start of its turn: nothing can have brought it there yet.
        board = [where for where in picture if where.startswith("dragon:") and picture[where] == "board"]
        if not board or state.turn.played or state.dragons_of(1 - state.active):
            return None
        picture[board[0]] = me
    elif kind == "card gone":
        theirs = [laid.card for laid in state.theirs.active_combat if laid.card is not None]
        if state.is_first_turn or not theirs or state.turn.played or len(mine) + len(theirs) < 3:
            return None
        if {"khind-06", "khind-07"} & set(mine):
            return None
        picture.update(row(("combat", other), theirs[1:]))
        return kind, picture
    elif kind == "second leadership":
        if not any(card.kind in ("leadership", "ship") for card in state.turn.played):
            return None
        unknown = [card for card in state.setup.owned[state.active] if state.card(card).type == "leadership"]
        left = sorted(card for card in unknown if card not in state.mine.leadership)
        if not left:
            return None
        picture[Place(f"leader:{me}")] = rng.choice(left)
    else:
        if state.fight is None or state.turn.played or state.is_first_turn:
            return None
        theirs = [laid.card for laid in state.theirs.active_combat if laid.card is not None]
        known = {
            *theirs,
            *(laid.card for laid in state.theirs.support),
            *(c.card for c in state.theirs.combat),
        }
        left = [c for c in state.setup.owned[1 - state.active] if state.card(c).type == "character"]
        free = sorted(c for c in left if c not in known and c not in state.theirs.discard)
        if not free:
            return None
        picture.update(row(("combat", other), [*theirs, rng.choice(free)]))
    return kind, picture


def follow(number: int, tally: Tally, rng: random.Random, noise: Noise) -> None:
    """Follow one game to its end."""
    header = GAME.deal(rng, {"decks": pairing(number)})
    onlooker = Onlooker(GAME.start(GAME.public_header(header)), tally, rng, counts=noise.counts)
    is_seen = True
    for before, action, after, _ in playout(rng, header):
        if rng.random() < noise.foul:
            onlooker.foul()
        onlooker.happened(veiled(before, action), after)
        tally.counts["actions"] += 1
        if before.number != after.number:
            tally.counts["turns"] += 1
        is_seen = not is_seen or rng.random() >= noise.skip
        if is_seen:
            onlooker.look(noise.hide)
        if len(onlooker.path) > 2 or (onlooker.path and onlooker.is_traceless(action)):
            onlooker.enter()


def main() -> int:
    """Follow the games and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=36)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hide", type=float, default=0.05)
    parser.add_argument("--skip", type=float, default=0.1)
    parser.add_argument("--foul", type=float, default=0.1)
    parser.add_argument("--no-counts", action="store_true", help="nobody reads hands and piles")
    parser.add_argument("--notes", type=int, default=0)
    options = parser.parse_args()
    tally, rng = Tally(), random.Random(options.seed)
    noise = Noise(hide=options.hide, skip=options.skip, foul=options.foul, counts=not options.no_counts)
    for number in range(options.games):
        follow(number, tally, rng, noise)
    times = sorted(tally.times_ms)
    print(f"{options.games} games, {tally.counts['turns']} turns, {tally.counts['actions']} actions")
    for name, many in tally.counts.most_common():
        print(f"  {name}: {many}")
    print(f"  explain: median {statistics.median(times):.1f} ms, 99% {times[int(len(times) * 0.99)]:.1f} ms")
    for name, many in sorted(tally.rules.items()):
        print(f"  foul {name}: {many}")
    for note in tally.notes[: options.notes]:
        print("  ", note)
    return 1 if tally.counts["wrong commits"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
