"""What the connections share: the newest moment, who is connected, and what seats wish.

Every method may be called from any thread. Pages are made in the connections' threads, once for each role and
moment, so that sixteen of them cost the window nothing.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from companion.phones.admission import MOST_CLIENTS, SEAT, Role, role_of, roles_of
from companion.phones.page import Shared, may_close, page_of
from ui.text import language, said

TOKEN_BYTES: Final = 32


@dataclass(eq=False, slots=True)
class Client:
    """One connected device."""

    role: Role
    device: str
    is_replaced: bool = field(default=False)


class Hub:
    """Tokens, clients and the newest moment of one game.

    `wished` is called with the id of a prompt that a seat says is done.
    """

    def __init__(self, players: tuple[str, ...], wished: Callable[[str], None]) -> None:
        self._tokens = tuple((secrets.token_urlsafe(TOKEN_BYTES), role) for role in roles_of(players))
        self._wished = wished
        self._news = threading.Condition()
        self._clients: list[Client] = []
        self._shared: Shared | None = None
        self._theme = "light"
        self._number = 0
        self._pages: dict[Role, str] = {}
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

    def next_page(self, client: Client, seen: int) -> tuple[int, str] | None:
        """Wait for a moment after number `seen`; return its number and page, None if the client must go."""
        with self._news:
            self._news.wait_for(lambda: self._is_over(client) or self._number > seen)
            if self._is_over(client) or self._shared is None:
                return None
            number, shared, theme = self._number, self._shared, self._theme
            known = self._pages.get(client.role)
        if known is None:
            page = said(page_of(shared, client.role)) | {
                "number": number,
                "theme": theme,
                "language": language(),
            }
            known = json.dumps(page, ensure_ascii=False)
            with self._news:
                if number == self._number:
                    self._pages[client.role] = known
        return number, known

    def _is_over(self, client: Client) -> bool:
        return self._is_closed or client.is_replaced

    def wish(self, client: Client, prompt_id: str) -> bool:
        """Pass a seat's wish on; False if the prompt is not its own or is gone."""
        with self._news:
            prompts = () if self._shared is None else self._shared.prompts
        mine = any(one.id == prompt_id and may_close(one, client.role) for one in prompts)
        if mine and not client.is_replaced:
            self._wished(prompt_id)
        return mine
