"""Reading a game's set-up from the table before the game starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.errors import MalformedError
from companion.game import Game, Json
from companion.ports import ObservationSource
from companion.reconcile.debounce import Debouncer, DebounceRules

# Number of observations between two messages about what is missing.
TOLD_EVERY: Final = 30


def read_setup(
    source: ObservationSource,
    game: Game[Any, Any],
    options: Json,
    rules: DebounceRules,
    tell: Callable[[str], None],
) -> Json:
    """Return the header of the game whose set-up the source shows, as soon as the set-up is complete.

    `options` are those of `Game.header_from_table`; `tell` is called now and then with what is missing.
    Raises MalformedError if the source ends before that, DeviceError like the source.
    """
    debouncer = Debouncer(rules)
    why = "nothing was seen"
    for number, observation in enumerate(source.observations(), 1):
        snapshot = debouncer.feed(game.laid_out(options, observation))
        if snapshot is not None:
            try:
                return game.header_from_table(snapshot.picture, options)
            except MalformedError as error:
                why = str(error)
        if number % TOLD_EVERY == 0:
            tell(why)
    raise MalformedError(f"the set-up could not be read from the table: {why}; give it with --setup")
