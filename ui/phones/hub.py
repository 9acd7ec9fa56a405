"""What the connections share: the newest moment, who is connected, and what seats wish.

Every method may be called from any thread. Pages are made in the connections' threads, one at a time and once
for each role and moment, so that sixteen of them hardly cost the window anything.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.phones.admission import (
    MOST_CLIENTS,
    OVERLAY,
    SEAT,
    Answered,
    Named,
    Role,
    Wish,
    role_of,
    roles_of,
)
from companion.phones.page import Shared, hand_of, may_answer, may_close, may_name, page_of
from ui.phones.drawing import Artist
from ui.text import language, said
from ui.theme import THEMES, Theme

TOKEN_BYTES: Final = 32


@dataclass(eq=False, slots=True)
class Client:
    """One connected device."""

    role: Role
    device: str
    is_replaced: bool = field(default=False)


@dataclass(frozen=True, slots=True)
class News:
    """What a role is sent of one moment.

    Attributes:
        page: JSON.
        pictures: those that the page names, by name; each is sent to a device once.
    """

    number: int
    page: str
    pictures: Mapping[str, str]


class Hub:
    """Tokens, clients and the newest moment of one game.

    `wished` is called with a seat and what it wishes.
    """

    def __init__(self, players: tuple[str, ...], wished: Callable[[Role, Wish], None]) -> None:
        self._tokens = tuple((secrets.token_urlsafe(TOKEN_BYTES), role) for role in roles_of(players))
        self._wished = wished
        self._news = threading.Condition()
        self._clients: list[Client] = []
        self._shared: Shared | None = None
        self._theme = "light"
        self._number = 0
        self._pages: dict[Role, News] = {}
        self._making = threading.Lock()
        self._artist = Artist()
        self._is_closed = False

    @property
    def links(self) -> tuple[tuple[Role, str], ...]:
        """Each role and its token."""
        return tuple((role, token) for token, role in self._tokens)

    @property
    def count(self) -> int:
        """Number of connected devices."""
        with self._news:
            return len(self._clients)

    @property
    def number(self) -> int:
        """Number of the newest moment."""
        return self._number

    def publish(self, shared: Shared, theme: str) -> None:
        """Show a new moment to everyone."""
        with self._news:
            self._shared, self._theme = shared, theme
            self._number += 1
            self._pages.clear()
            self._news.notify_all()

    def close(self) -> None:
        """End all connections."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()

    def role_of(self, token: str) -> Role | None:
        """Return the role that a token opens."""
        return role_of(token, self._tokens)

    def is_taken(self, role: Role, device: str) -> bool:
        """Whether another device has this seat."""
        with self._news:
            return role.kind == SEAT and any(
                one.role == role and one.device != device for one in self._clients
            )

    def join(self, role: Role, device: str) -> Client | None:
        """Let a device in, in place of the seat's earlier one; None if there are too many."""
        with self._news:
            for one in self._clients:
                if one.role == role and (role.kind == SEAT or one.device == device):
                    one.is_replaced = True
            self._clients = [one for one in self._clients if not one.is_replaced]
            self._news.notify_all()
            if len(self._clients) >= MOST_CLIENTS:
                return None
            client = Client(role, device)
            self._clients.append(client)
            return client

    def leave(self, client: Client) -> None:
        """Forget a device; safe to call twice."""
        with self._news:
            self._clients = [one for one in self._clients if one is not client]
            client.is_replaced = True
            self._news.notify_all()

    def next_page(self, client: Client, seen: int) -> News | None:
        """Wait for a moment after number `seen` and return what it is sent; None if the client must go."""
        with self._news:
            self._news.wait_for(lambda: self._is_over(client) or self._number > seen)
            if self._is_over(client) or self._shared is None:
                return None
        with self._making:  # another device of the role may have had it made by now
            with self._news:
                number, shared, theme = self._number, self._shared, self._theme
                known = self._pages.get(client.role)
            if known is None:
                known = self._made(number, shared, client.role, THEMES[theme])
                with self._news:
                    if number == self._number:
                        self._pages[client.role] = known
        return known

    def _made(self, number: int, shared: Shared, role: Role, theme: Theme) -> News:
        """Return what a role is sent of a moment."""
        page = said(page_of(shared, role)) | {"number": number, "theme": theme.name, "language": language()}
        pictures: dict[str, str] = {}
        if role.kind != OVERLAY:
            hand = hand_of(shared, role)
            for key, drawn in (
                ("drawn", self._artist.draw_table(shared.table, theme)),
                ("held", self._artist.draw_hand(hand, shared.table, theme)),
            ):
                if drawn is not None:
                    page[key] = said(drawn.page)
                    pictures |= drawn.pictures
        return News(number, json.dumps(page, ensure_ascii=False), pictures)

    def _is_over(self, client: Client) -> bool:
        return self._is_closed or client.is_replaced

    def wish(self, client: Client, wish: Wish) -> bool:
        """Pass a seat's wish on; False if what it is about is not its own or is gone."""
        with self._news:
            shared = self._shared
        is_own = not client.is_replaced and shared is not None and _is_own(shared, client.role, wish)
        if is_own:
            self._wished(client.role, wish)
        return is_own


def _is_own(shared: Shared, role: Role, wish: Wish) -> bool:
    if isinstance(wish, Named):
        return may_name(shared, role, wish)
    if isinstance(wish, Answered):
        return may_answer(shared, role, wish)
    return any(one.id == wish.prompt and may_close(one, role) for one in shared.prompts)
