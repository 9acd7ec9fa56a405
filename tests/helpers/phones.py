"""A shared game and its visitors: a live connection, and a headless browser that is told what to look at."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from companion.games import registry
from companion.games.blue_moon_city import GAME
from companion.phones.admission import Role
from companion.phones.page import Shared
from companion.prompts import Prompt, PromptKind
from companion.session.journal import Journal
from companion.session.referee import Referee
from tests.helpers.city_session import played_table
from tests.helpers.patience import WAIT_S
from tests.helpers.random_play import played
from ui.controller.session import Session
from ui.phones.hub import Hub
from ui.phones.server import PhoneServer

LOCAL = "127.0.0.1"
PLAYERS = ("purple", "white")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DEVICE = "0" * 32
# A browser that works answers sooner.
ANSWER_S = 20.0
# Whether a page shows all of the city.
CITY_SHOWN = "[...document.querySelectorAll('#drawing img')].filter(one => one.naturalWidth > 0).length > 21"


def moment(turn: int = 1) -> Shared:
    """Return a game's start with a prompt for the first player; `turn` tells one moment from another."""
    state = GAME.start(played_table(1, players=2).header)
    view = registry.components(GAME.name).presenter.present(state)
    text = f"Take {turn} crystals"
    own = Prompt(id=f"reward/{turn}/1", kind=PromptKind.REWARD, text=text, concerns=PLAYERS[:1])
    return Shared(table=view, prompts=(own,), history=((turn, f"action {turn}"),))


@contextmanager
def served(hub: Hub, *, answer: bool = False) -> Iterator[PhoneServer]:
    """Serve on this machine alone; `answer` is what the players say to a second device."""
    server = PhoneServer(hub, lambda _role: answer, LOCAL)
    try:
        yield server
    finally:
        server.stop()


def token_of(hub: Hub, kind: str, player: str = "") -> str:
    """Return a role's token."""
    return dict(hub.links)[Role(kind=kind, player=player)]


def public_session(folder: Path, name: str, *, seed: int, most: int) -> Session:
    """Return a session of a random game of at most so many actions, as everybody at the table knows it."""
    game = played(name, seed, most)
    journal = Journal.create(folder / "game.moontable", game.game.public_header(game.header))
    referee = Referee(game.game, journal)
    for step in game.steps:
        referee.enter(*step.told)
    return Session(referee=referee, presenter=registry.display(name).presenter, sources=[])


@contextmanager
def visit(server: PhoneServer, token: str, device: str = DEVICE) -> Iterator[ClientConnection]:
    """Open a live connection as the page does."""
    with visit_port(server.port, token, device) as connection:
        yield connection


@contextmanager
def visit_port(port: int, token: str, device: str) -> Iterator[ClientConnection]:
    """Open a live connection to whatever serves on a port."""
    place = f"{LOCAL}:{port}"
    with connect(
        f"ws://{place}/live", origin=Origin(f"http://{place}"), proxy=None, compression=None, max_size=None
    ) as connection:
        connection.send(json.dumps({"token": token, "device": device}))
        yield connection


def heard(connection: ClientConnection) -> dict[str, Any]:
    """Return the next page; what it shows is sent before it, and is passed over."""
    page: dict[str, Any] = {"pictures": {}}
    while "pictures" in page:
        page = json.loads(connection.recv(WAIT_S))
    return page


class Browser:
    """One page of a headless browser, spoken to in its own protocol."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._count = 0

    def command(self, method: str, **params: object) -> dict[str, Any]:
        """Return the answer to a command."""
        self._count += 1
        self._connection.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            told = json.loads(self._connection.recv(ANSWER_S))
            if told.get("id") == self._count:
                answer: dict[str, Any] = told.get("result", {})
                return answer

    def value(self, script: str) -> Any:
        """Return the value of an expression in the page; a promise is waited for."""
        answer = self.command("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return answer.get("result", {}).get("value")

    def wait(self, script: str) -> None:
        """Wait until an expression in the page holds."""
        end = time.monotonic() + WAIT_S
        while not self._holds(script):
            if time.monotonic() > end:
                raise TimeoutError(script)

    def _holds(self, script: str) -> bool:
        """Whether an expression holds a moment from now; a page that is left meanwhile gives no answer."""
        try:
            answer = self.value(f"new Promise(done => setTimeout(() => done(Boolean({script})), 10))")
        except TimeoutError:
            return False
        return bool(answer)

    def open(self, link: str) -> None:
        """Go to a page; a link that differs only behind the sign is loaded anew as well."""
        self.command("Page.navigate", url="about:blank")
        self.command("Page.navigate", url=link)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Start a headless browser with an empty profile in a folder."""
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"]
    with subprocess.Popen(
        [str(BROWSER), *flags, f"--user-data-dir={folder}", "--window-size=412,915", "about:blank"],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        try:
            line = next(line for line in process.stderr if "DevTools listening on " in line)
            with connect(line.split()[-1], proxy=None, max_size=None, compression=None) as whole:
                target = Browser(whole).command("Target.getTargets")["targetInfos"]
                page = next(one["targetId"] for one in target if one["type"] == "page")
            root = line.split()[-1].rsplit("/devtools", 1)[0]
            with connect(f"{root}/devtools/page/{page}", proxy=None, max_size=None, compression=None) as one:
                yield Browser(one)
        finally:
            process.kill()
