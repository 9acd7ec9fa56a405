"""Whole games of Blue Moon Legends on the simulated table, watched by the referee from noisy frames.

Run: ``python -m tests.benchmarks.legends_watched [--games N] [--first N] [--held]``

Everything but the table is real: settling, explaining, the referee, the journal. Prints how many games were
followed to their end, wrong commits, questions, and verdicts of "out of step" although nobody did wrong. With
`--held` players hold their cards in their hands and nobody counts a pile: of those only the top card of the
discard pile shows, and whether any are left.
"""

from __future__ import annotations

import argparse
import logging
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from companion.games.blue_moon_legends import GAME
from companion.games.blue_moon_legends.actions import Action
from companion.games.blue_moon_legends.state import State
from companion.games.blue_moon_legends.table import BACK, COUNTS, LEFT, TOP
from companion.games.kit.notation import escape
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.watch import watch
from companion.simulation.eye import NoisyEye, SimulatedSource
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Moment, SimulatedTable
from companion.table import kind_of, place
from tests.helpers.legends import pairing


def as_held(table: SimulatedTable[State, Action], moments: Iterable[Moment]) -> Iterator[Moment]:
    """Yield moments of a table as a camera sees it if hands are held and no card of a pile is counted."""
    for moment in moments:
        picture = {where: one for where, one in moment.picture.items() if kind_of(where) not in COUNTS}
        for player, side in zip(table.states[-1].setup.players, table.states[-1].sides, strict=True):
            name = escape(player)
            for pile, kind, top in (
                ("deck", LEFT, BACK if side.deck else None),
                ("discard", TOP, side.discard[-1] if side.discard else None),
            ):
                picture[place(pile if top is None else kind, name)] = top
        yield replace(moment, picture=picture)


def watched(number: int, folder: Path, *, is_held: bool) -> Counter[str]:
    """Watch one game and return what came of it."""
    rng = random.Random(number)
    header = GAME.deal(rng, {"decks": pairing(number)})
    table = SimulatedTable(GAME, header, rng, stages=GAME.stages)
    with Journal.create(folder / f"{number}.moontable", GAME.public_header(header)) as journal:
        referee = Referee(GAME, journal)
        keeper = Scorekeeper(table, referee)
        moments = as_held(table, table.moments()) if is_held else table.moments()
        source = SimulatedSource(moments, NoisyEye(rng))
        summary = watch(source, referee, answer=keeper.answer, protest=keeper.protest)
    return Counter(
        games=1,
        ended=summary.result is not None and summary.result == table.result,
        turns=summary.turns,
        actions=summary.actions,
        wrong=keeper.wrong,
        questions=summary.questions,
        alarms=summary.violations,
    )


def main() -> int:
    """Watch the games and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=36)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--held", action="store_true", help="hands are held, and piles are not counted")
    options = parser.parse_args()
    logging.disable(logging.ERROR)
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.first, options.first + options.games):
            tally += watched(number, Path(folder), is_held=options.held)
    print(f"{tally['games']} games, {tally['turns']} turns, {tally['actions']} accepted actions")
    print(f"followed to the true result: {tally['ended']}")
    print(f"wrong commits: {tally['wrong']}")
    print(f"questions: {tally['questions']} ({100 * tally['questions'] / tally['turns']:.2f} % of turns)")
    print(f"false alarms: {tally['alarms']}")
    return 1 if tally["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
