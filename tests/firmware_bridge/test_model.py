"""A model-based test: anything may happen to table, line, board and host, in any order."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from firmware_bridge.virtual import native
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.wire import messages
from firmware_bridge.wire.news import Finished, Unanswered
from tests.firmware_bridge.bench import Bench, Board, Faults, Mover

_BOARDS: dict[str, Board] = {}


def a_board() -> Board:
    """Return one board for all runs: the firmware where it can be built."""
    if "board" not in _BOARDS:
        _BOARDS["board"] = native.NativeBoard() if native.find_compiler() else DoubleBoard()
    return _BOARDS["board"]


class TableLife(RuleBasedStateMachine):
    """Pieces move, cables come out, boards reset, hosts hang; in the end the table is right."""

    @initialize(seed=st.integers(0, 1000))
    def switch_on(self, seed: int) -> None:
        """A new life of the board."""
        board = a_board()
        board.power(seed)
        self.bench = Bench(board, seed)
        self.mover = Mover(board, random.Random(seed))
        self.tickets: list[int] = []

    @rule(times=st.integers(1, 5), pause_ms=st.integers(0, 120))
    def move(self, times: int, pause_ms: int) -> None:
        """Somebody moves pieces."""
        for _ in range(times):
            self.mover.move()
            self.bench.run(pause_ms)

    @rule(ms=st.integers(1, 400))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.bench.run(ms)

    @rule(loss=st.sampled_from([0.0, 0.003, 0.03]), flip=st.sampled_from([0.0, 0.003, 0.03]))
    def spoil_the_line(self, loss: float, flip: float) -> None:
        """The cable gets worse, or better."""
        dead = self.bench.up.dead
        self.bench.up, self.bench.down = Faults(loss, flip, dead=dead), Faults(loss, flip, dead=dead)

    @rule(rubbish=st.binary(min_size=1, max_size=200), to_board=st.booleans())
    def speak_rubbish(self, rubbish: bytes, to_board: bool) -> None:
        """Another program says something, or a plug scratches."""
        if to_board:
            self.bench.board.feed(rubbish)
        else:
            self.bench.link.feed(rubbish, self.bench.now_s)

    @rule(cause=st.sampled_from([1, 2, 4, 8]))
    def reset(self, cause: int) -> None:
        """The board starts anew."""
        self.bench.reset(cause)

    @rule(ms=st.integers(1, 4000))
    def hang(self, ms: int) -> None:
        """The host's machine is busy with something else."""
        self.bench.host_runs = False
        self.bench.run(ms)
        self.bench.host_runs = True

    @rule(ms=st.integers(1, 1500))
    def unplug(self, ms: int) -> None:
        """The cable comes out, and goes in again."""
        self.bench.unplug()
        self.bench.run(ms)
        self.bench.plug()

    @rule()
    def restart(self) -> None:
        """The program is closed and opened."""
        self.bench.restart_host()
        self.tickets.clear()

    @rule(light=st.integers(0, 100))
    def light(self, light: int) -> None:
        """Something is lit."""
        self.tickets.append(self.bench.link.send(messages.fill(light, 3, (1, 2, 3), show=True)))

    @invariant()
    def nothing_on_the_path_is_wrong(self) -> None:
        """Every event is the one that the board made under its number, in order."""
        if hasattr(self, "bench"):
            assert not self.bench.faults_of_path
            assert self.bench.written_before_spoken == 0

    def teardown(self) -> None:
        """With a good line the table is right within half a second, and every command has its answer."""
        if not hasattr(self, "bench"):
            return
        bench = self.bench
        bench.up, bench.down = Faults(), Faults()
        bench.run(250)
        assert bench.run_until_whole(450) is not None
        bench.run(1200)
        assert self.mover.is_seen(bench.link.slots.values)
        answered = [n.ticket for n in bench.news if isinstance(n, Finished | Unanswered)]
        assert set(self.tickets) <= set(answered)


TableLife.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestTableLife = TableLife.TestCase
