"""Rewards that fly from what pays them to the player who gets them: short, and only to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PyQt6.QtCore import QEasingCurve, QPoint, QPropertyAnimation, QSequentialAnimationGroup, Qt
from PyQt6.QtWidgets import QWidget

from companion.prompts import PromptKind
from ui.controller.view_state import ViewState
from ui.panels.players_panel import Sign

FLIGHT_MS: Final = 650
APART_MS: Final = 90
# How many things fly at a time: more would only be a swarm.
MOST: Final = 6
SIGN_PX: Final = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """One thing that a player gets; the source is empty if nothing on the table pays it."""

    thing: str
    source: str
    player: str


def flights_between(before: ViewState | None, after: ViewState) -> tuple[Flight, ...]:
    """Return what players get by the rewards that have become due since the moment before."""
    if before is None:
        return ()
    known = {prompt.id for prompt in before.prompts}
    found = [
        Flight(thing=thing, source=row.source, player=row.player)
        for prompt in after.prompts
        if prompt.kind is PromptKind.REWARD and prompt.id not in known
        for row in prompt.rows
        for thing, number in row.amounts.items()
        if number
    ]
    return tuple(found[:MOST])


def fly(
    flights: tuple[Flight, ...],
    over: QWidget,
    start_of: Callable[[str], QPoint],
    end_of: Callable[[str], QPoint | None],
    scale: float,
) -> list[Sign]:
    """Let things fly over a widget, one after the other; return them. They vanish where they arrive.

    `start_of` returns the middle of a source, `end_of` that of a player, both in pixels of the widget.
    """
    signs = []
    for number, flight in enumerate(flights):
        end = end_of(flight.player)
        if end is not None:
            signs.append(
                _launched(flight.thing, over, (start_of(flight.source), end), number * APART_MS, scale)
            )
    return signs


def _launched(thing: str, over: QWidget, way: tuple[QPoint, QPoint], pause_ms: int, scale: float) -> Sign:
    size = round(SIGN_PX * scale)
    sign = Sign(thing, size)
    sign.setParent(over)
    sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    half = QPoint(size // 2, size // 2)
    start, end = way
    sign.move(start - half)
    sign.show()
    move = QPropertyAnimation(sign, b"pos")
    move.setDuration(FLIGHT_MS)
    move.setEndValue(end - half)
    move.setEasingCurve(QEasingCurve.Type.InOutCubic)
    whole = QSequentialAnimationGroup(sign)
    whole.addPause(pause_ms)
    whole.addAnimation(move)
    whole.finished.connect(sign.deleteLater)
    whole.start()
    return sign
