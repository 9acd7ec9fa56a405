"""Whole games of Blue Moon City before the simulated camera, in rooms drawn at random; a line a game.

    python -m tests.benchmarks.filmed_games [--games 8] [--first 0] [--elsewhere | --copies] [--turned]
        [--careless P] [--verbose]

Nothing is as usual but the edition's tiles: camera up to 50 degrees from overhead and on any side, lens,
light, table, neatness and the players' colours, white among them, are drawn for each game; with --elsewhere
the profile was learnt in another drawn room, with --turned tiles lie in any of four rotations. With --copies
the copy of the game is drawn as well (print, boxes, obelisk, sizes, shape and colours of the pieces), learnt
and played on two evenings; a copy that is refused is skipped. Everything after the frames is what players
run. Printed are turns and actions played, frames, wrong commits, actions
missed, questions, what the players had to tell because nobody could see it, what was taken back, rules that
were named, also without a cause, and the time. With --careless the players break rules.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from calibration.profile import Profile
from companion.decision import Ask
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.layout import table_layout
from companion.log import reconcile as log
from companion.prompts import PromptKind
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.watch import watch
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Habits, SimulatedTable
from tests.benchmarks.simulated_reading import PLAYERS, drawn_room
from tests.benchmarks.watched_games import Judge, how_answered, mischief_of
from ui.assembly.demo import scenes
from vision.camera_source import CameraSource
from vision.enrolment.enrol import enrol
from vision.reader import Reader
from vision.simulation.camera import SimulatedCamera
from vision.simulation.frames import SimulatedFrames
from vision.simulation.printed_tiles import tile_arts
from vision.training.drawn_frames import learnt
from vision.training.tables import RandomTable

LAYOUT = table_layout()
LIKE_OURS = {"open": "discard", "closed": "deck"}
"""The game's names of the piles that drawn tables have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filmed:
    """What a game is filmed with: the players, the camera over their table, and what was learnt of it."""

    players: tuple[str, ...]
    camera: SimulatedCamera
    profile: Profile


def film(number: int, filmed: Filmed, arguments: argparse.Namespace, folder: Path) -> Counter[str]:
    """Play one game and watch it; return its figures."""
    rng = random.Random(number)
    header = GAME.deal(rng, {"players": filmed.players})
    mischief = mischief_of(GAME.name, is_loose=True)
    table = SimulatedTable(
        GAME, header, rng, Habits(careless=arguments.careless), mischief=mischief, stages=GAME.stages
    )
    figures: Counter[str] = Counter(games=1)
    with Journal.create(folder / f"game-{number}", GAME.public_header(header)) as journal:
        referee = Referee(GAME, journal)
        keeper, judge = Scorekeeper(table, referee), Judge(table, referee)
        referee.subscribe(lambda update: figures.update({"taken back": len(update.taken_back)}))
        referee.subscribe(
            lambda update: figures.update(
                violations=sum(prompt.kind is PromptKind.VIOLATION for prompt in update.opened)
            )
        )
        if arguments.verbose:
            referee.subscribe(lambda update: print("   ", update.new_actions, type(update.decision).__name__))

        def answer(asked: Ask[Any]) -> int | None:
            return how_answered(table, referee, keeper, asked, figures)

        frames = SimulatedFrames(filmed.camera, scenes(judge.beside(table.moments()), tuple(LAYOUT.cells)))
        source = CameraSource(frames, Reader(filmed.profile), expected=lambda: referee.expectation)
        summary = watch(source, referee, answer=answer, protest=keeper.protest)
        figures.update(judge.figures())
        figures.update(
            {
                "turns": summary.turns,
                "actions": len(table.actions),
                "frames": summary.observations,
                "wrong": keeper.wrong,
                "missed": keeper.missed,
                "asked": referee.questions,
                "told by hand": keeper.entered,
                "took what was offered": keeper.agreed_to,
                "told it was misread": keeper.overruled,
                "other result": referee.result != table.result,
            }
        )
    return figures


def usual_copy(number: int, arguments: argparse.Namespace) -> Filmed:
    """Return a drawn room with the program's own print in it."""
    players = tuple(random.Random(number).sample(list(PLAYERS), 2 + number % 3))
    camera = _camera(number, players, arguments)
    learning = _camera(1000 + number, players, arguments) if arguments.elsewhere else camera
    profile = enrol(
        learning.enrolment().photographs(),
        LAYOUT,
        edition="bench",
        players=players,
        boxes_of_tile=GAME.boxes_of_tile,
    )
    return Filmed(players=players, camera=camera, profile=profile)


def any_copy(number: int) -> Filmed | None:
    """Return a drawn copy of the game, learnt on one evening and played on another; None if it is refused."""
    drawn = RandomTable.of(number)
    piles = {LIKE_OURS[name]: area for name, area in drawn.layout.areas.items()}
    layout = replace(drawn.layout, areas=piles, places=LAYOUT.places)
    table = replace(drawn, layout=layout, arts=tuple(tile_arts(COMPONENTS.tiles)))
    profile = learnt(table)
    if profile is None:
        return None
    return Filmed(players=tuple(table.players), camera=table.evening(1).camera(seed=3), profile=profile)


def _camera(number: int, players: tuple[str, ...], arguments: argparse.Namespace) -> SimulatedCamera:
    viewpoint, look = drawn_room(number)
    return SimulatedCamera(
        LAYOUT,
        tile_arts(COMPONENTS.tiles),
        {name: PLAYERS[name] for name in players},
        viewpoint=viewpoint,
        scenery=replace(look, quarter_turns=arguments.turned),
        seed=number,
    )


def main() -> int:
    """Run from the command line; return 1 when anything was accepted that was not played."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=8, help="how many, each in its own room")
    parser.add_argument("--first", type=int, default=0, help="number of the first game and room")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--elsewhere", action="store_true", help="learn in another room")
    where.add_argument("--copies", action="store_true", help="draw the copy of the game, too")
    parser.add_argument("--turned", action="store_true", help="tiles in any of four rotations")
    parser.add_argument("--careless", type=float, default=0.0, help="how often players break a rule")
    parser.add_argument("--verbose", action="store_true", help="every update of the referee")
    arguments = parser.parse_args()
    log.disabled = True
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.first, arguments.first + arguments.games):
            began = time.perf_counter()
            filmed = any_copy(number) if arguments.copies else usual_copy(number, arguments)
            if filmed is None:
                print(f"room {number:3}: refused", flush=True)
                total.update({"refused": 1})
                continue
            figures = film(number, filmed, arguments, Path(folder))
            seconds = time.perf_counter() - began
            told = ", ".join(f"{name} {many}" for name, many in figures.items() if many and name != "games")
            print(f"room {number:3} ({seconds:.0f} s): {told}", flush=True)
            total.update(figures)
    print("all: " + ", ".join(f"{name} {many}" for name, many in total.items()))
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
