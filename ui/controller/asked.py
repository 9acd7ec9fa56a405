"""What the players are asked now: who may answer on a phone, and which question an answer is for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.decision import Ask, Choice, Decision, OutOfStep
from companion.errors import CompanionError
from companion.session.ledger import GameLine
from companion.session.referee import Referee
from companion.view_model import SeatQuestion


class AskedPlayers:
    """Numbers the questions of a game, so that an answer that comes late is not taken for the next one's."""

    def __init__(self, referee: Referee[Any, Any]) -> None:
        self._referee = referee
        self._number = 0
        self._last: tuple[GameLine[Any, Any], Decision[Any], SeatQuestion] | None = None

    def question(self, decision: Decision[Any] | None) -> SeatQuestion | None:
        """Return what a decision asks, None if nothing; as long as nothing changes, the number stays."""
        choices = _choices(decision)
        if decision is None or not choices:
            return None
        line = self._referee.line
        if self._last is None or self._last[0] is not line or self._last[1] != decision:
            self._number += 1
            question = SeatQuestion(
                number=self._number,
                concerns=self._who_act(choices),
                choices=tuple(choice.text for choice in choices),
            )
            self._last = line, decision, question
        return self._last[2]

    def _who_act(self, choices: Iterable[Choice[Any]]) -> tuple[str, ...]:
        """Return the players whose actions are in question."""
        game, players = self._referee.game, dict[str, None]()
        for choice in choices:
            state = self._referee.state
            try:
                for action in choice.actions:
                    player = game.turn_of(state)
                    state, _ = game.apply(state, action)
                    if player is not None:
                        players[player] = None
            except CompanionError:  # it needs what nobody has seen: then the window asks everybody
                return ()
        return tuple(players)


def _choices(decision: Decision[Any] | None) -> tuple[Choice[Any], ...]:
    if isinstance(decision, Ask):
        return decision.choices
    return decision.offers if isinstance(decision, OutOfStep) else ()
