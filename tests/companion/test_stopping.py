"""SIGTERM and SIGHUP: watching ends well, the record is written, temporary folders are removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from companion import cli
from companion.record.game_record import read_record
from companion.stopping import STOPS, Stopped, stoppable
from tests.helpers.toy_play import lookup

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are a matter of POSIX")

WATCHING = """
import itertools, sys, tempfile
from pathlib import Path
from companion import cli
from companion.session.watch import watch
from tests.companion.session.test_watch import Watched

class Endless:
    name = "endless"
    def __init__(self, source): self.source = source
    def observations(self):
        for number, each in enumerate(self.source.observations()):
            if number == 200:
                print("ready", flush=True)
                while True: signal.pause()
            yield each
    def close(self): print("closed", flush=True)

import signal
def run(_):
    with tempfile.TemporaryDirectory(prefix="moontable-demo-") as folder:
        watched = Watched(Path(folder), 6)
        source, answer = Endless(watched.source), watched.score.answer
        summary = watch(source, watched.referee, answer=answer, record=Path("record"))
        watched.journal.close()
        print("interrupted", summary.interrupted, summary.actions, flush=True)
    return 0

class Parser:
    def parse_args(self, argv):
        import argparse
        return argparse.Namespace(func=run)
cli.build_parser = lambda extra: Parser()
sys.exit(cli.main([]))
"""


@pytest.mark.parametrize("number", [*STOPS, signal.SIGINT])
def test_watching_ends_well(tmp_path: Path, number: int) -> None:
    """The source is closed, the record holds what was accepted, and no temporary folder stays behind."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", WATCHING], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert len(list(temporary.iterdir())) == 1
        process.send_signal(number)
        rest = process.stdout.read().splitlines()

    assert process.returncode == 0
    assert rest[0] == "closed"
    actions = read_record(tmp_path / "record", lookup).actions
    assert rest[1] == f"interrupted True {len(actions)}"
    assert actions
    assert [] == list(temporary.iterdir())


@pytest.mark.parametrize("number", [*STOPS, signal.SIGINT])
def test_a_command_that_is_stopped_says_so(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 128 and the signal's number, as shells expect; what it opened is closed first."""
    closed: list[str] = []

    def play(_: object) -> int:
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.kill(os.getpid(), number)
                signal.pause()
            finally:
                closed.append(folder)
        return 0

    monkeypatch.setattr(cli, "_replay", play)

    assert cli.main(["replay", "x"]) == 128 + number
    assert capsys.readouterr().err == "moontable: stopped\n"
    assert not Path(closed[0]).exists()


def test_the_end_is_not_disturbed_and_all_is_as_before() -> None:
    """Who is closing is not stopped a second time; afterwards signals mean what they meant."""
    before = [signal.getsignal(number) for number in STOPS]

    def stopped_thrice() -> None:
        with stoppable():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                signal.pause()
            finally:
                os.kill(os.getpid(), signal.SIGTERM)
                os.kill(os.getpid(), signal.SIGHUP)

    with pytest.raises(Stopped):
        stopped_thrice()

    assert before == [signal.getsignal(number) for number in STOPS]


def test_another_thread_changes_nothing() -> None:
    """Signals belong to the main thread."""
    before = [signal.getsignal(number) for number in STOPS]
    seen: list[object] = []

    def work() -> None:
        with stoppable():
            seen.extend(signal.getsignal(number) for number in STOPS)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert before == seen
