"""The shelf: past games for the window, put together by `ui.assembly`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.errors import CompanionError
from companion.people.person import People
from companion.people.store import PeopleStore
from companion.session.ledger import GameLine
from companion.session.library import Library, PastGame
from companion.session.update import history_of
from companion.view_model import Presenter, TableView
from ui.text import said


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The folder of games and what is needed to show them.

    Attributes:
        presenters: by the game's name; a game without one can be listed, not replayed.
        title: returns a game's name with its edition as players read it.
        playing: file name of the game on the table now; "" if there is none.
        store: who is remembered; None if nobody can be.
    """

    library: Library
    presenters: Mapping[str, Presenter[Any, Any]]
    title: Callable[[str, str], str]
    playing: str = ""
    store: PeopleStore | None = None

    def people(self) -> People:
        """Return who is remembered now."""
        return People() if self.store is None else self.store.known()

    def names_in(self, game: PastGame, people: People) -> Mapping[str, str]:
        """Return what the players of a game are called, by player; whose name is not known is missing."""
        return people.names(dict(zip(game.players, game.people, strict=False)))

    def can_show(self, game: PastGame) -> bool:
        """Whether a game can be replayed."""
        return not game.trouble and game.game in self.presenters and game.name != self.playing

    def can_go_on(self, game: PastGame) -> bool:
        """Whether a game can be continued; a damaged one is continued from what is left of it."""
        if game.left:
            return game.name != self.playing
        return self.can_show(game) and not game.is_over

    def film(self, name: str) -> Film:
        """Return a past game for replay; raises CompanionError with the reason."""
        game, line = self.library.read(name)
        if game.name not in self.presenters:
            raise CompanionError(game.name)
        names = self.people().names(self.library.seats(name))
        texts = tuple(said(past.text, names) for past in history_of(game, line))
        return Film(line=line, presenter=self.presenters[game.name], texts=texts, names=names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """A whole game, action by action.

    Attributes:
        texts: what was done, one entry for each action.
        names: what the players are called, by player.
    """

    line: GameLine[Any, Any]
    presenter: Presenter[Any, Any]
    texts: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of actions."""
        return len(self.line)

    def moment(self, number: int) -> TableView:
        """Return the table after action `number`, 0 for the start."""
        return said(self.presenter.present(self.line.state_after(number)), self.names)
