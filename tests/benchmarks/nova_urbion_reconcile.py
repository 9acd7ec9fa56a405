"""Reconciling Nova Luna and Urbion over simulated games: an onlooker follows games from noisy pictures.

Run: ``python -m tests.benchmarks.nova_urbion_reconcile [--game G] [--games N] [--seed S] [--hide P] ...``

After each action the table is shown at rest, now and then not at all, so that two turns are seen at once
(skip); places are missing now and then (hide); before it, now and then, the table in the middle of the action
(half), or with something wrong on it that is put right afterwards (foul). False sightings do not outlive
settling, so none is in a settled picture. Stocks and decks are face down: what comes out of them is read.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from companion.decision import Accepted, Ask, InStep, OutOfStep
from companion.games import registry
from companion.games.nova_luna.state import essence as nova_essence
from companion.games.urbion.state import essence as urbion_essence
from companion.observation import Query
from companion.table import Picture, Place, Value
from tests.benchmarks.nova_urbion_mischief import MISCHIEF

ESSENCE = {"nova_luna": nova_essence, "urbion": urbion_essence}
DECKS = {"nova_luna": ("stock",), "urbion": ("cities", "dreams")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How bad the pictures are, each a probability.

    Attributes:
        hide: that a place is not seen in a picture.
        skip: that the table is not seen at rest after an action.
        half: that it is seen in the middle of an action.
        foul: that something goes wrong before an action.
    """

    hide: float = 0.03
    skip: float = 0.05
    half: float = 0.3
    foul: float = 0.15


@dataclass(slots=True)
class Tally:
    """What came of it."""

    counts: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)


class Onlooker:
    """Follows one game of which it sees pictures only."""

    def __init__(self, name: str, rng: random.Random, noise: Noise, tally: Tally) -> None:
        self.name = name
        self.game: Any = registry.lookup(name)
        self.rng = rng
        self.noise = noise
        self.tally = tally
        options = _options(name, rng)
        header = self.game.deal(rng, options)
        self.truth = [self.game.start(header)]
        self.state = self.game.start(self.game.public_header(header))
        self.remembered: dict[Place, Value] = {}
        self.seen: set[Place] = set()
        self.reached = 0
        self.actions: list[Any] = []
        # A card spent unseen and drawn again leaves no trace where nobody else plays in between.
        self._is_alone = name == "urbion" and len(header["players"]) == 1

    # -- looking ----------------------------------------------------------------------------------

    def look(self, picture: Picture, *, hide: float | None = None, is_same: bool = False) -> Any:
        """Show a picture, follow what is accepted, and return the last decision.

        Looking again at the same picture adds to what was seen of it.
        """
        self.seen = self.seen if is_same else set()
        seen = self._snapshot(picture, self.noise.hide if hide is None else hide)
        for _ in range(8):
            decision = self._explain(seen)
            if isinstance(decision, Accepted):
                wrong = self.tally.counts["wrong commits"]
                self._commit(decision.actions, decision)
                if self.tally.counts["wrong commits"] > wrong:
                    return decision
            elif isinstance(decision, Ask):
                decision = self._answer(decision, picture)
                if decision is not None:
                    return decision
            else:
                return decision
        return None

    def _snapshot(self, picture: Picture, hide: float) -> Query:
        seen = {where: value for where, value in picture.items() if self.rng.random() >= hide}
        # What is there no more (a tile taken back from a cell) is no place any more.
        self.remembered = {where: value for where, value in self.remembered.items() if where in picture}
        self.remembered.update(seen)
        self.seen |= seen.keys()
        unseen = frozenset(self.remembered.keys() - self.seen)
        return Query(picture=dict(self.remembered), unseen=unseen)

    def _explain(self, seen: Query) -> Any:
        begun = time.process_time()
        decision = self.game.explain(self.state, seen)
        self.tally.times_ms.append(1000 * (time.process_time() - begun))
        return decision

    def _commit(self, actions: Any, decision: object) -> None:
        before = self.state
        for action in actions:
            self.state = self.game.apply(self.state, action)[0]
        self.tally.counts["commits"] += 1
        found = next(
            (at for at in range(self.reached, len(self.truth)) if self._agrees(self.truth[at])), None
        )
        if found is not None:
            self.reached = found
            return
        self.tally.counts["wrong commits"] += 1
        true = [self.game.format_action(a) for a in self.actions[self.reached :]]
        self.tally.notes.append(f"wrong: {decision}\n  truth: {true}\n  before: {self.game.describe(before)}")
        self.state, self.reached = self._veiled(self.truth[-1]), len(self.truth) - 1

    def _agrees(self, true: Any) -> bool:
        essence = ESSENCE[self.name]
        return bool(essence(self._veiled(true)) == essence(self._veiled(self.state)))

    def _veiled(self, state: Any) -> Any:
        """Return a state with its decks face down."""
        decks = {deck: (None,) * len(getattr(state, deck)) for deck in DECKS[self.name]}
        return replace(state, **decks)

    def _answer(self, asked: Ask[Any], picture: Picture) -> Any:
        """Answer as the players would; None where the answer was one of the choices."""
        self.tally.counts["questions"] += 1
        self.tally.counts[f"question about {type(asked.choices[0].actions[-1]).__name__}"] += 1
        whole = self.game.explain(self.state, Query(picture=picture))
        if not isinstance(whole, Ask):
            self.tally.counts["questions that the whole picture decides"] += 1
            self.tally.notes.append(f"needless question: {asked}")
        for choice in asked.choices:
            after = self.state
            for action in choice.actions:
                after = self.game.apply(after, action)[0]
            held, self.state = self.state, after
            if any(self._agrees(true) for true in self.truth[self.reached + 1 :]):
                self.state = held
                self._commit(choice.actions, choice)
                return None
            self.state = held
        self.tally.counts["questions without the true answer"] += 1
        return asked

    # -- the game ---------------------------------------------------------------------------------

    def play(self) -> None:
        """Play a whole game and show its pictures."""
        player = self.game.random_player(self.rng)
        self.look(self.game.predict(self.truth[0]))
        is_seen = True
        while self.game.result(self.truth[-1]) is None:
            before = self.truth[-1]
            if self.rng.random() < self.noise.foul:
                self._foul()
            action = player(before)
            self.actions.append(action)
            self.truth.append(self.game.apply(before, action)[0])
            self.tally.counts["actions"] += 1
            if self.rng.random() < self.noise.half:
                self._half(self.game.predict(before), self.game.predict(self.truth[-1]))
            is_seen = self._is_alone or not is_seen or self.rng.random() >= self.noise.skip
            if is_seen:
                self._rest()
        self._end()

    def _rest(self) -> None:
        for again in range(5 if self._is_alone else self.rng.randint(2, 4)):
            decision = self.look(self.game.predict(self.truth[-1]), is_same=again > 0)
            if isinstance(decision, InStep):
                break
        kind = type(decision).__name__
        self.tally.counts[f"at rest: {kind}"] += 1
        if isinstance(decision, OutOfStep):
            behind = self.actions[self.reached :]
            self.tally.counts["false alarms"] += 1
            self.tally.counts[f"false alarms over {len(behind)} actions"] += 1
            self.tally.notes.append(f"false alarm: {decision.rule} {decision.text} {behind}")
            # The players, being asked, enter what they have played.
            self.state, self.reached = self._veiled(self.truth[-1]), len(self.truth) - 1

    def _half(self, before: Picture, after: Picture) -> None:
        """Show the table with only some of the pieces moved: nothing may be committed but the truth."""
        changed = sorted(
            w for w in {*before, *after} if before.get(w) != after.get(w) or (w in before) != (w in after)
        )
        moved = {where for bunch in _bunches(changed) if self.rng.random() < 0.5 for where in bunch}
        picture = dict(before)
        for where in moved:
            picture[where] = after.get(where)
            if where not in after:
                del picture[where]
        _lift(picture, before, after, moved)
        decision = self.look(picture)
        self.tally.counts[f"half: {type(decision).__name__}"] += 1
        if isinstance(decision, OutOfStep):
            self.tally.counts[f"half: {decision.rule}"] += 1
            if self.reached == len(self.truth) - 2:
                hidden = sorted(set(picture) - self.seen)
                self.tally.notes.append(
                    f"half: {decision.rule} {self.actions[self.reached :]} {decision.fixes} {hidden}"
                )

    def _foul(self) -> None:
        """Let something go wrong where the onlooker is up to date, and put it right again."""
        if self.reached != len(self.truth) - 1:
            return
        fouls: dict[str, list[Any]] = {}
        for name, wrong in MISCHIEF[self.name](self.rng, self.truth[-1]):
            fouls.setdefault(name, []).append(wrong)
        if not fouls:
            return
        name = self.rng.choice(sorted(fouls))
        picture, rules = self.rng.choice(fouls[name])
        right = self.game.predict(self.truth[-1])
        if picture == right:
            return
        self.tally.counts["fouls"] += 1
        wrong_before = self.tally.counts["wrong commits"]
        decision = self.look(picture, hide=0.0)
        if isinstance(decision, OutOfStep) and decision.rule in rules:
            self.tally.rules[f"{name}: {decision.rule}"] += 1
        elif self.tally.counts["wrong commits"] == wrong_before:
            got = decision.rule if isinstance(decision, OutOfStep) else type(decision).__name__
            self.tally.missed[f"{name}: {got}"] += 1
            if len(self.tally.notes) < 40:
                self.tally.notes.append(
                    f"missed {name}: {decision}\n  state: {self.game.describe(self.state)}"
                )
        self.remembered = {}
        self.look(right, hide=0.0)

    def _end(self) -> None:
        for _ in range(3):
            self.look(self.game.predict(self.truth[-1]), hide=0.0)
        self.tally.counts["games"] += 1
        if self.reached != len(self.truth) - 1:
            if isinstance(self._explain(Query(picture=self.game.predict(self.truth[-1]))), InStep):
                self.tally.counts["ends that no picture shows"] += 1
                return
            self.tally.counts["games lost"] += 1
            decision = self._explain(Query(picture=self.game.predict(self.truth[-1])))
            self.tally.notes.append(f"lost: {decision}\n  truth: {self.actions[self.reached :][:4]}")


def _lift(picture: dict[Place, Value], before: Picture, after: Picture, moved: set[Place]) -> None:
    """Take up what does not stay: a spent card is gone, none is drawn yet, no card lies in two places."""
    staying: dict[str, Counter[Value]] = {}
    for where, value in after.items():
        staying.setdefault(where.rpartition(":")[0], Counter())[value] += 1
    for where, value in before.items():
        kind = where.partition(":")[0]
        if kind == "waiting":
            picture[where] = None  # it is what was placed, or thrown away; the next one is not drawn yet
        elif value is not None and (kind == "hand" or (kind == "dream" and where not in moved)):
            left = staying.setdefault(where.rpartition(":")[0], Counter())
            picture[where] = value if left[value] else None
            left[value] -= 1


def _bunches(changed: list[Place]) -> list[list[Place]]:
    """Return the places that change in one movement: a tile from slot to cell, the cards of a row."""
    bunches: dict[str, list[Place]] = {}
    for where in changed:
        kind, _, rest = where.partition(":")
        if kind in ("area", "cover", "wheel"):
            kind = "tile"
        elif kind in ("dream", "city"):
            kind = f"row {rest.partition(':')[0]}"
        elif kind in ("hand", "waiting"):
            continue  # drawing comes last
        bunches.setdefault(kind, []).append(where)
    return list(bunches.values())


def _options(name: str, rng: random.Random) -> dict[str, Any]:
    if name == "nova_luna":
        return {"players": rng.randint(1, 4)}
    books = rng.choice(
        ([], ["flying_incubi", "agoraphilia"], ["invisible_sanae", "amazing_balance"], ["prophecy"])
    )
    return {"players": rng.randint(1, 2), "books": books, "archiplaces": rng.random() < 0.3}


def run(name: str, games: int, seed: int, noise: Noise) -> Tally:
    """Follow games and return the tally."""
    tally = Tally()
    for number in range(games):
        Onlooker(name, random.Random(f"{name}/{seed}/{number}"), noise, tally).play()
    return tally


def report(name: str, tally: Tally, seconds: float, notes: int) -> None:
    """Print the figures."""
    counts = tally.counts
    times = sorted(tally.times_ms)
    print(f"{name}: {counts['games']} games, {counts['actions']} actions, {seconds:.0f} s of processor time")
    print(
        f"  wrong commits {counts['wrong commits']} of {counts['commits']}, games lost {counts['games lost']}"
    )
    share = 100 * counts["questions"] / max(1, counts["actions"])
    print(f"  questions {counts['questions']} ({share:.2f} % of actions)", end=", ")
    print(f"decided by the whole picture {counts['questions that the whole picture decides']}")
    print(f"  false alarms {counts['false alarms']}")
    named = sum(tally.rules.values())
    print(f"  fouls {counts['fouls']}, named with their rule {named}, not {sum(tally.missed.values())}")
    print(f"  named: {dict(sorted(tally.rules.items()))}")
    print(f"  not named: {dict(tally.missed)}")
    others = {
        key: count
        for key, count in sorted(counts.items())
        if key.startswith(("at rest", "half", "ends", "false", "question "))
    }
    print(f"  others: {others}")
    last = len(times) - 1
    median, most = times[last // 2], times[last]
    print(f"  explain ms: median {median:.2f}, 99 % {times[int(last * 0.99)]:.2f}, most {most:.1f}")
    for note in tally.notes[:notes]:
        print("  -", note)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(ESSENCE), action="append")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hide", type=float, default=Noise().hide)
    parser.add_argument("--skip", type=float, default=Noise().skip)
    parser.add_argument("--half", type=float, default=Noise().half)
    parser.add_argument("--foul", type=float, default=Noise().foul)
    parser.add_argument("--notes", type=int, default=10, help="how many oddities to print")
    given = parser.parse_args()
    noise = Noise(hide=given.hide, skip=given.skip, half=given.half, foul=given.foul)
    for name in given.game or sorted(ESSENCE):
        begun = time.process_time()
        tally = run(name, given.games, given.seed, noise)
        report(name, tally, time.process_time() - begun, given.notes)


if __name__ == "__main__":
    main()
