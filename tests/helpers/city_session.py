"""A closed game of Blue Moon City beside the window, shown by the tables of an open game played elsewhere."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from companion.game import Json
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import printed
from companion.games.blue_moon_city.players import PlayStyle, choose, with_chance
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.setup import deal, start
from companion.games.blue_moon_city.state import CityState, Options
from companion.games.blue_moon_city.table import predict
from companion.observation import Observation, Sighting
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Picture, Place, Value
from companion.view_model import CameraView
from ui.controller.session import PicturedObservation, PicturedSource, Session

READINGS = 4
SOME_GAMES = 6


@dataclass(frozen=True)
class PlayedTable:
    """An open game: the header of its closed twin, the table after each action, and the actions."""

    header: Json
    tables: tuple[Picture, ...]
    states: tuple[CityState, ...]
    actions: tuple[Action, ...]


def played_table(steps: int, *, players: int = 2, seed: int = 1, edition: str = "kosmos-2006") -> PlayedTable:
    """Return a random game of at most so many actions."""
    rng = random.Random(seed)
    habits = PlayStyle.draw(rng)
    return _played(deal(rng, {"players": players, "edition": edition}, printed()), rng, habits, steps)


def won_at(laid: Json, rng: random.Random) -> PlayedTable:
    """Return a game at a closed game's table, with its city and people: of some, the shortest that was won.

    A game that ends because nobody can pay asks the people who has won, for nobody knows their cards.
    """
    won: list[PlayedTable] = []
    while len(won) < SOME_GAMES:
        dealt = deal(rng, {"players": len(laid["players"]), "edition": laid["edition"]}, printed())
        known = {name: value for name, value in laid.items() if value is not None}
        played = _played({**dealt, **known}, rng, PlayStyle.draw(rng), steps=2000)
        outcome = played.states[-1].outcome
        if outcome is not None and outcome.reason == "offerings":
            won.append(played)
    return min(won, key=lambda played: len(played.actions))


def _played(header: Json, rng: random.Random, habits: PlayStyle, steps: int) -> PlayedTable:
    states = [start(header, printed(), Options())]
    actions: list[Action] = []
    while states[-1].outcome is None and len(actions) < steps:
        action = with_chance(states[-1], choose(states[-1], rng, habits), rng)
        actions.append(action)
        states.append(apply(states[-1], action)[0])
    return PlayedTable(
        header={**header, "hands": None, "deck": None},
        tables=tuple(predict(state) for state in states),
        states=tuple(states),
        actions=tuple(actions),
    )


def sights_of(
    table: Picture, first: int, changes: Mapping[str, Value] | None = None, camera: CameraView | None = None
) -> list[PicturedObservation]:
    """Return as many sights of one table as settle it, numbered from `first`."""
    seen = {**table, **{Place(where): value for where, value in (changes or {}).items()}}
    sightings = {where: Sighting(place=where, value=value, confidence=0.99) for where, value in seen.items()}
    return [
        PicturedObservation(
            observation=Observation(source="cam", seq=seq, seen_at_s=seq / 10, sightings=sightings),
            camera=camera,
        )
        for seq in range(first, first + READINGS)
    ]


def unseen_cards(action: Action) -> Action:
    """Return the action as nobody saw the cards of it."""
    match action:
        case Move():
            return replace(action, path=None, cards=None)
        case Fly():
            return replace(action, card=None)
        case MoveDragon():
            return replace(action, path=None, card=None)
        case Contribute():
            return replace(action, cards=None, pairs=None, recolour=None, reshuffle=None)
        case Offer():
            return replace(action, pillar=None)
        case End():
            return replace(action, discard=None, reshuffle=None)


def entered_session(folder: Path, game: PlayedTable, *sources: PicturedSource) -> Session:
    """Return a session in which the actions of a game have been entered, cards unseen."""
    session = city_session(folder, game.header, *sources)
    for action in game.actions:
        session.referee.enter(unseen_cards(action))
    return session


def city_session(folder: Path, header: Json, *sources: PicturedSource) -> Session:
    """Return a session with a fresh journal in the folder."""
    journal = Journal.create(folder / "game.journal", header)
    return Session(
        referee=Referee(GAME, journal), presenter=CityPresenter(), sources=sources, title="Moontable"
    )
