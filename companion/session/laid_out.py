"""Reading a game's set-up from the table before the game starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.errors import MalformedError
from companion.game import Game, Json
from companion.ports import ObservationSource
from companion.reconcile.debounce import Debouncer, DebounceRules

# So many observations are waited for between two words about what is missing.
TOLD_EVERY: Final = 30


def read_setup(
    source: ObservationSource,
    game: Game[Any, Any],
    options: Json,
    rules: DebounceRules,
    tell: Callable[[str], None],
) -> Json:
    """Return the header of the game whose set-up the source shows, as soon as it shows it whole.

    `options` are those of `Game.header_from_table`; `tell` hears now and then why it is waited. Raises
    MalformedError where the source ends before, DeviceError like the source.
    """
    debouncer = Debouncer(rules)
    why = "nothing was seen"
    for number, observation in enumerate(source.observations(), 1):
        snapshot = debouncer.feed(observation)
        if snapshot is not None:
            try:
                return game.header_from_table(snapshot.picture, options)
            except MalformedError as error:
                why = str(error)
        if number % TOLD_EVERY == 0:
            tell(why)
    raise MalformedError(f"the set-up could not be read from the table: {why}; give it with --setup")
