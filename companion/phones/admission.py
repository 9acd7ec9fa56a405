"""Who may see what: roles, their tokens, and the limits that a visitor has to keep.

Pure: random tokens and the time arrive as arguments. A token is 256 random bits; it stands in the
fragment of a link, which browsers never send, and is compared in constant time.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from companion.errors import MalformedError
from companion.storage.strict import as_integer, as_list, as_object, as_string, parse_json_object

MOST_CLIENTS: Final = 16
# Bytes in one message of a visitor; a token, a device and a prompt's id have some 200 together.
MOST_BYTES: Final = 1024
MOST_CARDS: Final = 12
MOST_ACTIONS: Final = 100_000
MOST_QUESTIONS: Final = 1_000_000
MOST_CHOICES: Final = 100
# Messages that a visitor may send at once, and how many more each second.
BURST: Final = 10
PER_SECOND: Final = 2.0

EVERYBODY: Final = "everybody"
OVERLAY: Final = "overlay"
SEAT: Final = "seat"
_DEVICE: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a visitor is.

    Attributes:
        kind: `EVERYBODY`, `OVERLAY` or `SEAT`.
        player: whose seat it is; empty for the others.
    """

    kind: str
    player: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """A visitor's first message.

    Attributes:
        device: drawn by the page for itself, so that one that comes back is known.
    """

    token: str
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A seat's wish: a prompt of its own is done."""

    prompt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A seat's wish: these cards were spent on an own action, 1 = the game's first."""

    action: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A seat's wish: this is the answer to a question that concerns it.

    Attributes:
        question: its number.
        choice: 0 = the first.
    """

    question: int
    choice: int


Wish: TypeAlias = Done | Named | Answered


def roles_of(players: Sequence[str]) -> tuple[Role, ...]:
    """Return all roles of a game: everybody, the seats, the overlay."""
    seats = (Role(kind=SEAT, player=player) for player in players)
    return (Role(kind=EVERYBODY), *seats, Role(kind=OVERLAY))


def role_of(token: str, tokens: Iterable[tuple[str, Role]]) -> Role | None:
    """Return the role of a token, None if it opens nothing; takes as long for the first as for the last."""
    found = None
    for known, role in tokens:
        if hmac.compare_digest(known.encode(), token.encode(errors="replace")):
            found = role
    return found


def is_own_host(host: str | None, address: str, port: int) -> bool:
    """Whether a request's Host is ours: another name may be a site that points itself at this machine."""
    return host == f"{address}:{port}"


def is_own_origin(origin: str | None, address: str, port: int) -> bool:
    """Whether a live connection was opened by our own page."""
    return origin == f"http://{address}:{port}"


def parse_hello(message: str | bytes) -> Greeting:
    """Return a visitor's first message; raises MalformedError."""
    found = as_object(_object(message), "the greeting", ("token", "device"))
    device = as_string(found["device"], "device")
    if not _DEVICE.fullmatch(device):
        raise MalformedError("a device is 32 digits")
    return Greeting(token=as_string(found["token"], "token"), device=device)


def parse_wish(message: str | bytes) -> Wish:
    """Return what a seat wishes: a prompt is done, cards were spent, an answer; raises MalformedError."""
    keys = ("done", "action", "cards", "question", "choice")
    found = as_object(_object(message), "the wish", (), keys)
    if set(found) == {"done"}:
        return Done(prompt=as_string(found["done"], "done"))
    if set(found) == {"question", "choice"}:
        return Answered(
            question=as_integer(found["question"], "question", 1, MOST_QUESTIONS),
            choice=as_integer(found["choice"], "choice", 0, MOST_CHOICES),
        )
    if set(found) != {"action", "cards"}:
        raise MalformedError("a wish is a prompt that is done, an action with its cards, or an answer")
    cards = as_list(found["cards"], "cards", most=MOST_CARDS)
    return Named(
        action=as_integer(found["action"], "action", 1, MOST_ACTIONS),
        cards=tuple(as_string(card, "a card") for card in cards),
    )


def _object(message: str | bytes) -> dict[str, object]:
    if isinstance(message, bytes):
        raise MalformedError("messages are text")
    if len(message.encode(errors="replace")) > MOST_BYTES:
        raise MalformedError("the message is too long")
    return parse_json_object(message)


@dataclass(slots=True)
class Allowance:
    """How many messages a visitor may still send: `BURST` at once, `PER_SECOND` in the long run."""

    since_s: float
    left: float = field(default=float(BURST))

    def spend(self, now_s: float) -> bool:
        """Count one message; False if it was one too many."""
        self.left = min(float(BURST), self.left + (now_s - self.since_s) * PER_SECOND)
        self.since_s = now_s
        if self.left < 1:
            return False
        self.left -= 1
        return True
