"""What a presenter says of hidden cards in a game that has none."""

from __future__ import annotations

from typing import Any

from companion.view_model import CardView, UnnamedCards


class OpenHands:
    """Base of the presenters of games in which no player holds what the others do not see."""

    def hand(self, state: Any, player: str) -> tuple[CardView, ...]:
        """Return nothing: whatever a player has lies on the table."""
        del state, player
        return ()

    def unnamed(self, state: Any, action: Any) -> UnnamedCards | None:
        """Return nothing: everybody sees what an action is."""
        del state, action
        return None

    def named(self, state: Any, action: Any, cards: tuple[str, ...]) -> None:
        """Return nothing, as for `unnamed`."""
        del state, action, cards
