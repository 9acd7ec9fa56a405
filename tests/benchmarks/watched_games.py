"""Watch simulated games through noise with the shared machinery, and count what went wrong.

    python -m tests.benchmarks.watched_games [--game blue_moon_city] [--games 100] [--seed 0]
        [--late P] [--pause P] [--hurry P] [--careless P] [--dropped P] [--false P] [--slip MM] [--turn DEG]
        [--astray P] [--settled] [--tally FILE]

Players play an open game on a simulated table; the referee knows the public header only. With --settled it
gets one settled snapshot a rest, with places missing; otherwise every frame goes through settling. Pieces
that lie freely are seen in another order whenever a hand was among them. Those in free areas are seen in
millimetres: laid off their neighbours by --slip and --turn (standard deviations), nudged now and then, and
some (--astray) so far off that nobody could tell where they belong; with --settled no positions are seen.
With --careless the players break rules: what they can get wrong is listed for each game, and counted is what
the referee named by its rule.

Printed are wrong commits, actions missed, questions and how many of them the table decides, violations,
take-backs, how often each kind of noise came into play, and the time of `explain`. With --tally the figures
of many short runs add up in a file. The toy game is ``lamps``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.decision import Ask, Decision, OutOfStep
from companion.game import Game
from companion.games import registry
from companion.log import reconcile as log
from companion.observation import Query
from companion.prompts import PromptKind
from companion.reconcile.table_history import laid_like
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.update import Update
from companion.session.watch import watch
from companion.simulation.eye import Noise, NoisyEye, SimulatedSource
from companion.simulation.loose_pieces import Hands, LooseTable
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Habits, MakeMischief, Mischief, Moment, SimulatedTable
from companion.table import Picture
from tests.benchmarks import legends_reconcile, nova_urbion_mischief
from tests.helpers import city_mischief, toy_game
from tests.helpers.legends import pairing

# Figures of their own tables.
_TOLD_APART = ("noise ", "foul ", "causeless ")
PLAYERS = {"blue_moon_city": (2, 3, 4), "nova_luna": (1, 2, 3, 4), "urbion": (1, 2)}


class Timed:
    """Notes how long `explain` takes, milliseconds."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.times_ms: list[float] = []
        self._explain = game.explain
        game.explain = self  # type: ignore[method-assign]

    def __call__(self, state: Any, seen: Query) -> Decision[Any]:
        began = time.process_time()
        decision = self._explain(state, seen)
        self.times_ms.append((time.process_time() - began) * 1000)
        return decision


# -- what goes wrong ----------------------------------------------------------------------------------


def mischief_of(name: str, *, is_loose: bool) -> tuple[MakeMischief[Any], ...]:
    """Return what players of a game get wrong; the rules that may be named stand in it, parted by ``|``.

    Where positions are seen, a first tile lies wherever it lies.
    """
    if name == "blue_moon_city":
        return tuple(city_mischief.MISCHIEF)
    if name == "blue_moon_legends":
        return (_legends_foul,)
    if name not in nova_urbion_mischief.MISCHIEF:
        return ()

    def make(rng: random.Random, state: Any, picture: Any) -> Mischief | None:
        del picture
        fouls: dict[str, list[nova_urbion_mischief.Wrong]] = {}
        for kind, wrong in nova_urbion_mischief.MISCHIEF[name](rng, state):
            if not (is_loose and kind == "first tile elsewhere"):
                fouls.setdefault(kind, []).append(wrong)
        if not fouls:
            return None
        kind = rng.choice(sorted(fouls))
        wrong_picture, rules = rng.choice(fouls[kind])
        return Mischief(name=kind, picture=wrong_picture, rule="|".join(sorted(rules)))

    return (make,)


def _legends_foul(rng: random.Random, state: Any, picture: Any) -> Mischief | None:
    del picture
    made = legends_reconcile.make_foul(state, rng, counts=True)
    if made is None:
        return None
    kind, wrong = made
    return Mischief(name=kind, picture=wrong, rule="|".join(sorted(legends_reconcile.FOULS[kind])))


class Judge:
    """Notes which rules the referee names while something is wrong on the table."""

    def __init__(self, table: SimulatedTable[Any, Any], referee: Referee[Any, Any]) -> None:
        self._table, self._referee = table, referee
        self._named: dict[int, set[str]] = {}
        self._causeless: Counter[str] = Counter()
        referee.subscribe(self._hear)

    def _hear(self, update: Update[Any]) -> None:
        decision = update.decision
        if not isinstance(decision, OutOfStep):
            return
        if self._table.is_wrong:
            self._note(decision)
        elif any(prompt.kind is PromptKind.VIOLATION for prompt in update.opened):
            self._causeless[f"causeless {decision.rule}"] += 1

    def _note(self, decision: OutOfStep) -> None:
        self._named.setdefault(len(self._table.mischiefs), set()).add(decision.rule)

    def beside(self, moments: Iterable[Moment]) -> Iterator[Moment]:
        """Yield the moments; what still stands after each counts, though it was told before.

        The same thing may go wrong twice running.
        """
        for moment in moments:
            yield moment
            if moment.mischief is not None and isinstance(self._referee.decision, OutOfStep):
                self._note(self._referee.decision)

    def figures(self) -> Counter[str]:
        """Return how often each kind of mischief was named by its rule, or how it was met instead.

        A rule that was named while all was well is causeless.
        """
        found = Counter(self._causeless)
        for number, mischief in enumerate(self._table.mischiefs, start=1):
            named = self._named.get(number, set())
            right = named if mischief.rule is None else named & set(mischief.rule.split("|"))
            word = "named" if right else ", ".join(sorted(named)) or "unnoticed"
            found[f"foul {mischief.name}: {word}"] += 1
        return found


# -- watching -----------------------------------------------------------------------------------------


def follow(game: Game[Any, Any], seed: int, arguments: argparse.Namespace, folder: Path) -> Counter[str]:
    """Play and watch one game; return its figures."""
    rng = random.Random(seed)
    players = PLAYERS.get(game.name)
    options: dict[str, Any] = {"players": players[seed % len(players)]} if players else {}
    if game.name == "blue_moon_legends":
        options = {"decks": pairing(seed)}
    if game.name == "urbion":
        options |= {"books": seed % 7, "archiplaces": seed % 3 == 0}
    header = game.deal(rng, options)
    habits = Habits(
        late=arguments.late, pause=arguments.pause, hurry=arguments.hurry, careless=arguments.careless
    )
    table = SimulatedTable(
        game, header, rng, habits, mischief=mischief_of(game.name, is_loose=not arguments.settled)
    )
    noise = Noise(dropped=arguments.dropped, false=arguments.false)
    hands = Hands(slip_mm=arguments.slip, turn_deg=arguments.turn, astray=arguments.astray)
    loose = None if arguments.settled else LooseTable(game, random.Random(f"{seed}/hands"), hands)
    eye = NoisyEye(rng, noise, group_of=game.group_of, loose=loose)
    figures: Counter[str] = Counter()
    with Journal.create(folder / f"game-{seed}", game.public_header(header)) as journal:
        referee = Referee(game, journal)
        keeper, judge = Scorekeeper(table, referee), Judge(table, referee)
        referee.subscribe(lambda update: figures.update({"taken back": len(update.taken_back)}))
        referee.subscribe(lambda update: figures.update(prompt.kind.value for prompt in update.opened))
        referee.subscribe(lambda update: figures.update(_question(update.decision)))
        if arguments.settled:
            _by_snapshots(table, eye, referee, keeper, figures)
        else:
            source = SimulatedSource(judge.beside(table.moments()), eye)

            def answer(asked: Ask[Any]) -> int | None:
                return how_answered(table, referee, keeper, asked, figures)

            watch(source, referee, answer=answer, protest=keeper.protest)
        figures.update(judge.figures())
        noise_made = eye.counts + table.habitual + (loose.counts if loose is not None else Counter[str]())
        figures.update({f"noise {kind}": many for kind, many in noise_made.items()})
        figures.update(
            {
                "games": 1,
                "turns": _turns(game, table),
                "actions": len(table.actions),
                "wrong": keeper.wrong,
                "games with wrong commits": keeper.wrong > 0,
                "missed": keeper.missed,
                "misreckoned": keeper.misreckoned,
                "asked": referee.questions,
                "entered by hand": keeper.entered,
                "took what was offered": keeper.agreed_to,
                "other result": referee.result != table.result,
                "mischief": len(table.mischiefs),
            }
        )
    return figures


def _question(decision: Decision[Any]) -> list[str]:
    """Return the name under which a question is counted: its text, whoever it is about."""
    if not isinstance(decision, Ask):
        return []
    return ["question " + re.sub(r"[^ ]+'s", "the", decision.text)]


def how_answered(
    table: SimulatedTable[Any, Any],
    referee: Referee[Any, Any],
    keeper: Scorekeeper[Any, Any],
    asked: Ask[Any],
    figures: Counter[str],
) -> int | None:
    """Answer as the players would, and count whether a picture could have answered."""
    state = referee.state
    right = keeper.answer(asked)
    figures[f"asked: {_kind_of_question(table, state, asked, right)}"] += 1
    return right


def _kind_of_question(table: SimulatedTable[Any, Any], state: Any, asked: Ask[Any], right: int | None) -> str:
    """Return whether a question was open, decided by the table, or also whether there was anything to ask.

    It is open where what was played casts the very table of another choice. A choice without actions stands
    for all that is not listed, whose tables nobody can compare.
    """
    game, tables = table.game, []
    for choice in asked.choices:
        after = state
        for action in choice.actions:
            after = game.apply(after, action)[0]
        tables.append(game.predict(after) if choice.actions else None)
    true = game.predict(table.states[-1]) if right is None else tables[right]
    others = [other for index, other in enumerate(tables) if index != right and other is not None]
    if true is not None and any(_looks_alike(game, other, true) for other in others):
        return "open"
    return "open, or none of it" if None in tables else "decided by the table"


def _looks_alike(game: Game[Any, Any], one: Picture, other: Picture) -> bool:
    """Whether two tables look alike; pieces of one group lie in no order."""
    laid = laid_like(one, other, game.group_of)
    return all(laid[where] == other[where] for where in laid.keys() & other.keys())


def _turns(game: Game[Any, Any], table: SimulatedTable[Any, Any]) -> int:
    """Return how many turns were truly played; alone, every action is one."""
    acting = [game.turn_of(state) for state in table.states]
    if len(set(acting) - {None}) < 2:
        return len(table.actions)
    return 1 + sum(now not in (then, None) for then, now in pairwise(acting))


def _by_snapshots(
    table: SimulatedTable[Any, Any],
    eye: NoisyEye,
    referee: Referee[Any, Any],
    keeper: Scorekeeper[Any, Any],
    figures: Counter[str],
) -> None:
    for moment in table.moments():
        if moment.busy or referee.result is not None:
            continue
        referee.consider(eye.settled(moment))
        if isinstance(referee.decision, Ask):
            choice = how_answered(table, referee, keeper, referee.decision, figures)
            if choice is not None:
                referee.choose(choice)
        if isinstance(referee.decision, OutOfStep):
            keeper.protest(referee.decision)


def main() -> int:
    """Parse the command line, watch the games and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=(*registry.NAMES, "lamps"), default="blue_moon_city")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    for name, usual in (("late", 0.3), ("pause", 0.7), ("hurry", 0.05), ("careless", 0.0)):
        parser.add_argument(f"--{name}", type=float, default=usual)
    parser.add_argument("--dropped", type=float, default=0.05)
    parser.add_argument("--false", type=float, default=0.0005)
    for name, usual in (("slip", 3.0), ("turn", 3.0), ("astray", 0.005)):
        parser.add_argument(f"--{name}", type=float, default=usual)
    parser.add_argument("--settled", action="store_true")
    parser.add_argument("--tally", type=Path, help="file in which the figures of several runs add up")
    arguments = parser.parse_args()
    game: Game[Any, Any] = toy_game.GAME if arguments.game == "lamps" else registry.lookup(arguments.game)
    timed = Timed(game)
    log.disabled = True
    total: Counter[str] = Counter()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.games):
            figures = follow(game, seed, arguments, Path(folder))
            total.update(figures)
            if figures["wrong"] or figures["other result"]:
                told = {key: many for key, many in figures.items() if not key.startswith(_TOLD_APART)}
                print(f"seed {seed}: {told}", file=sys.stderr)
    if arguments.tally is not None:
        total = _added_up(arguments.tally, total)
    _print(game.name, total, sorted(timed.times_ms), time.process_time() - began)
    return 0 if total["wrong"] == 0 else 1


def _added_up(file: Path, total: Counter[str]) -> Counter[str]:
    """Add the figures to those in the file, and return all of them."""
    known = Counter(json.loads(file.read_text("utf-8"))) if file.exists() else Counter[str]()
    known.update(total)
    file.write_text(json.dumps(dict(sorted(known.items())), indent=1), "utf-8")
    return known


def _print(name: str, total: Counter[str], times_ms: list[float], took_s: float) -> None:
    turns = max(1, total["turns"])
    print(f"{name}: {total['games']} games, {total['turns']} turns, {total['actions']} actions")
    print(
        f"  wrong commits {total['wrong']} (in {total['games with wrong commits']} games), "
        f"wrong only in what is reckoned {total['misreckoned']}, "
        f"actions missed {total['missed']}, other results {total['other result']}"
    )
    print(
        f"  questions {total['asked']} ({total['asked'] / turns:.2%} of turns), "
        f"entered by hand {total['entered by hand']} ({total['entered by hand'] / turns:.2%}), "
        f"took what was offered {total['took what was offered']}, "
        f"violations named {total['violation']}, taken back {total['taken back']}"
    )
    for key, many in sorted(total.items()):
        if key.startswith("asked: "):
            print(f"    {many:5} ({many / turns:.2%} of turns) {key.removeprefix('asked: ')}")
    for key, many in sorted(total.items()):
        if key.startswith("question "):
            print(f"    {many:5} {key}")
    for key, many in sorted(total.items()):
        if key.startswith("causeless "):
            print(f"    {many:5} ({many / turns:.2%} of turns) violation without cause: {key.split()[1]}")
    fouls = {key: many for key, many in sorted(total.items()) if key.startswith("foul ")}
    named, unnoticed = (
        sum(many for key, many in fouls.items() if key.endswith(f": {how}")) for how in ("named", "unnoticed")
    )
    print(f"  fouls {sum(fouls.values())}, named with their rule {named}, unnoticed {unnoticed}")
    for key, many in fouls.items():
        print(f"    {many:5} {key.removeprefix('foul ')}")
    noise = {key.removeprefix("noise "): many for key, many in sorted(total.items()) if "noise " in key}
    print(f"  noise: {noise}")
    middle, late = times_ms[len(times_ms) // 2], times_ms[int(len(times_ms) * 0.99)]
    print(f"  explain {len(times_ms)} times: median {middle:.2f} ms, 99th percentile {late:.2f} ms")
    print(f"  this run: {took_s:.0f} s of processor time")


if __name__ == "__main__":
    sys.exit(main())
