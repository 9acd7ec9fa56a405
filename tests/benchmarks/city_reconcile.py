"""Refereeing simulated closed games of Blue Moon City seen through noise.

Run: ``python -m tests.benchmarks.city_reconcile [--games N] [--seed S] [--careless P] [--hurry P] ...``

Random players play open games; the referee knows no card. Every movement is a few frames under a hand, every
rest a dozen frames; places are dropped, wrong readings stay below the settle threshold, flips and markers off
come late, several actions or whole turns are seen at once. With --careless something goes wrong now and then
and is put right only afterwards. Printed are wrong commits, questions a turn, alarms raised without cause,
and for each fault how often it was named and by which rule.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from companion.decision import Ask, OutOfStep
from companion.errors import RuleViolation
from companion.games.blue_moon_city.actions import Action
from companion.games.blue_moon_city.game import BlueMoonCity
from companion.games.blue_moon_city.state import CityState
from companion.log import reconcile as log
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.update import Update
from companion.simulation.eye import Noise, NoisyEye
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Habits, Moment, SimulatedTable
from tests.benchmarks.city_random import header_of
from tests.helpers.city_mischief import MISCHIEF

GAME = BlueMoonCity()


@dataclass(slots=True)
class Tally:
    """What came of the games."""

    counts: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    expected: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class Onlooker:
    """One game, its players, the eye and the referee."""

    def __init__(self, number: int, arguments: argparse.Namespace, folder: Path, tally: Tally) -> None:
        header, rng = header_of(number, arguments.seed)
        habits = Habits(
            late=arguments.late, pause=arguments.pause, hurry=arguments.hurry, careless=arguments.careless
        )
        self.number = number
        self.tally = tally
        self.table: SimulatedTable[CityState, Action] = SimulatedTable(
            GAME, header, rng, habits, mischief=MISCHIEF
        )
        noise = Noise(dropped=arguments.dropped, false=arguments.false)
        self.eye = NoisyEye(random.Random(number), noise)
        self.settled = arguments.settled
        closed = {**header, "hands": None, "deck": None}
        self.journal = Journal.create(folder / f"{number}.journal", closed)
        self.referee: Referee[CityState, Action] = Referee(GAME, self.journal)
        self.keeper = Scorekeeper(self.table, self.referee)
        self.asked = 0
        self.is_lost = False

    def watch(self) -> None:
        """Watch the whole game and book what happened."""
        for moment in self.table.moments():
            if self.is_lost:
                break
            wrong = self.keeper.wrong
            self._look(moment)
            if self.keeper.wrong > wrong:
                self._mend(wrong)
            if not moment.busy:
                self._judge(moment)
        self.journal.close()
        self._book()

    def _mend(self, wrong: int) -> None:
        """Let the players take a wrong commit back and say what they did."""
        told = [GAME.format_action(action) for action in self.referee.actions[-4:]]
        true = [GAME.format_action(action) for action in self._untold()]
        self._note(f"wrong commit: ... {told} for {true}")
        self.referee.undo()
        self._enter_truth()
        self.keeper.wrong = wrong + 1

    def _look(self, moment: Moment) -> None:
        if self.settled:
            self._answer(self.referee.consider(self.eye.settled(moment)))
            return
        for observation in self.eye.look(moment):
            update = self.referee.feed(observation)
            if update is not None:
                self._answer(update)

    def _answer(self, update: Update[Action]) -> None:
        asked = update.decision
        for _ in range(4):
            if not isinstance(asked, Ask):
                return
            choice = self.keeper.answer(asked)
            is_decided = not self._is_open(asked, choice)
            self.asked += 1
            self.tally.counts["questions that the table decides"] += is_decided
            word = "asked though decided" if is_decided else "asked"
            self._note(f"{word}: {asked.text} {[c.text for c in asked.choices]}")
            asked = self.referee.choose(choice).decision if choice is not None else self.referee.decision

    def _is_open(self, asked: Ask[Action], right: int | None) -> bool:
        """Whether no picture could have answered: another choice leads to the very table of the right one."""
        if right is None:
            return False
        tables = []
        for choice in asked.choices:
            state = self.referee.state
            for action in choice.actions:
                state = GAME.apply(state, action)[0]
            tables.append(dict(GAME.predict(state)))
        true = tables.pop(right)
        return any(all(table[p] == true[p] for p in table.keys() & true.keys()) for table in tables)

    def _judge(self, moment: Moment) -> None:
        """Compare the verdict on a table at rest with what is truly the matter."""
        decision = self.referee.decision
        if moment.mischief is not None:
            made = self.table.mischiefs[-1]
            rule = decision.rule if isinstance(decision, OutOfStep) else type(decision).__name__
            self.tally.faults[(made.name, rule)] += 1
            self.tally.expected[made.name] = made.rule or ""
            if rule != made.rule:
                self._note(f"not named: {made.name}: {rule}: {decision.text}")
        elif isinstance(decision, OutOfStep):
            self.tally.alarms[decision.rule] += 1
            self._note(f"alarm: {decision.rule} {[GAME.format_action(a) for a in self._untold()]}")
            self._enter_truth()

    def _untold(self) -> list[Action]:
        return self.table.actions[self.keeper.reached :]

    def _enter_truth(self) -> None:
        """Let the players say what they did, as they would when the referee is at a loss."""
        untold = self._untold()
        for known in range(len(untold)):  # a turn's end may be known already: it changes no table
            try:
                self.referee.enter(*untold[known:])
            except RuleViolation:
                continue
            self.tally.counts["entered"] += len(untold) - known
            return
        self.keeper.protest(self.referee.decision)  # they go back to where the referee was still right
        if self.keeper.missed:
            self.is_lost = True
            self._note("lost")

    def _note(self, text: str) -> None:
        self.tally.notes.append(f"game {self.number}, action {len(self.table.actions)}: {text}")

    def _book(self) -> None:
        counts = self.tally.counts
        counts["games"] += 1
        counts["games lost"] += self.is_lost
        counts["turns"] += self.table.states[-1].turn
        counts["actions"] += len(self.table.actions)
        counts["wrong commits"] += self.keeper.wrong
        counts["commits that leave the turn with another player"] += self.keeper.misattributed
        counts["commits wrong only in how many cards somebody holds"] += self.keeper.misreckoned
        counts["questions"] += self.asked
        counts["entered by hand after a question"] += self.keeper.entered
        counts["actions never caught up with"] += self.keeper.missed
        is_right = self.referee.result == self.table.result
        counts["right winner"] += is_right
        if not is_right:
            self._note(f"ends with {self.referee.result} for {self.table.result}")


def report(tally: Tally, seconds: float, notes: int) -> None:
    """Print the figures."""
    counts = tally.counts
    for word, count in counts.items():
        print(f"{word}: {count}")
    turns = max(1, counts["turns"])
    needless = counts["questions that the table decides"] / turns
    print(f"questions a turn: {counts['questions'] / turns:.2%}, where the table decides: {needless:.2%}")
    alarms = sum(tally.alarms.values())
    print(f"alarms without cause: {alarms} ({alarms / turns:.2%} of turns)")
    for rule, count in tally.alarms.most_common():
        print(f"    {count:5} {rule}")
    named = sum(n for (name, rule), n in tally.faults.items() if rule == tally.expected[name])
    print(f"faults: {sum(tally.faults.values())}, named by the expected rule: {named}")
    for (name, rule), count in sorted(tally.faults.items()):
        mark = " " if rule == tally.expected[name] else "*"
        print(f"  {mark} {count:5} {name}: {rule}")
    print(f"processor seconds: {seconds:.1f}, {seconds / max(1, counts['games']):.2f} a game")
    for note in tally.notes[:notes]:
        print(note)


def main() -> None:
    """Play, watch, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=12, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first game")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--careless", type=float, default=0.0, metavar="P", help="something goes wrong")
    parser.add_argument("--late", type=float, default=0.2, metavar="P", help="housekeeping comes late")
    parser.add_argument("--pause", type=float, default=0.7, metavar="P", help="a rest between two actions")
    parser.add_argument("--hurry", type=float, default=0.0, metavar="P", help="no rest between two turns")
    parser.add_argument("--dropped", type=float, default=0.05, metavar="P", help="a place is not read")
    parser.add_argument("--false", type=float, default=0.0005, metavar="P", help="a wrong reading begins")
    parser.add_argument("--settled", action="store_true", help="one settled picture a moment, no frames")
    parser.add_argument("--notes", type=int, default=10, metavar="N", help="how many oddities are told")
    arguments = parser.parse_args()
    log.disabled = True
    tally = Tally()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.first, arguments.first + arguments.games):
            Onlooker(number, arguments, Path(folder), tally).watch()
            if sys.stderr.isatty():
                print(f"game {number}", end="\r", file=sys.stderr)
    report(tally, time.process_time() - began, arguments.notes)


if __name__ == "__main__":
    main()
