"""A game with its owner's corrections of printed values, and with the set-up that a file describes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, TypeAlias

from calibration.corrections import read_corrections
from companion.errors import CompanionError, MalformedError
from companion.game import Game, Json
from companion.games import registry
from companion.record.game_record import parse_object
from companion.set_up_form import SetUpForm
from companion.storage.strict import named, read_bytes
from companion.table import Place, Value, kind_of
from companion.view_model import Option
from ui.wizard.guide import Dealt, GameChoice

AnyGame: TypeAlias = Game[Any, Any]


def game_for(name: str, profile: Path) -> AnyGame:
    """Return the game, with the printed values that the profile's owner has corrected."""
    return registry.lookup(name).corrected(read_corrections(profile))


def read_header(file: Path) -> Json:
    """Return the header that a file holds; raises MalformedError, with the file's name, or OSError."""
    with named(str(file)):
        return parse_object(read_bytes(file))


def read_setup(file: Path, game: AnyGame) -> Json:
    """Return the set-up that a file describes, with the cards unknown as at a real table.

    Raises MalformedError, with the file's name, if it describes none, or OSError.
    """
    try:
        header = parse_object(file.read_bytes())
        game.start(header)
    except MalformedError as error:
        raise MalformedError(f"{file}: {error}") from error
    return game.public_header(header)


def model_header(game: AnyGame, chosen: GameChoice) -> Json:
    """Return the set-up that players lay out for learning: legal, and always the same."""
    header = game.deal(random.Random(0), {"players": len(chosen.players), "edition": chosen.edition})
    return game.public_header({**header, "players": list(chosen.players)})


# -- a table without a source ------------------------------------------------------------------------------


def deal_table(game: AnyGame, chosen: GameChoice, rng: random.Random) -> Dealt:
    """Return a table laid out at random by the edition's rules."""
    options = {"players": chosen.players, "edition": chosen.edition}
    return dealt(game, game.public_header(game.deal(rng, options)))


def swap_tiles(game: AnyGame, laid: Dealt, one: Place, other: Place) -> Dealt:
    """Return the table with two tiles swapped; raises MalformedError if the rules forbid that table."""
    header: Any = laid.start
    picture = dict(game.predict(game.start(header)))
    picture[one], picture[other] = picture[other], picture[one]
    options = {"edition": header["edition"], "players": header["players"]}
    return dealt(game, game.header_from_table(picture, options))


def choices_at(game: AnyGame, laid: Dealt, where: Place) -> tuple[Option, ...]:
    """Return what may lie at a place of a laid-out table, what lies there first; empty without a choice."""
    display = registry.display(game.name)
    if kind_of(where) not in display.form.laid_kinds:
        return ()
    header: Any = laid.start
    own = display.form.choices(header, where)
    options = tuple(Option(value=str(choice.word), text=choice.text) for choice in own)
    options = options or display.presenter.options(game.start(header), where)
    possible = tuple(option for option in options if _can_lie(display.form, header, where, option.value))
    return possible if len(possible) > 1 else ()


def _can_lie(form: SetUpForm, header: Json, where: Place, value: Value) -> bool:
    try:
        form.relaid(random.Random(0), header, where, value)
    except CompanionError:
        return False
    return True


def relay(game: AnyGame, laid: Dealt, where: Place, value: Value, rng: random.Random) -> Dealt:
    """Return the table with something else at a place; raises CompanionError if it cannot lie there."""
    header: Any = laid.start
    return dealt(game, registry.display(game.name).form.relaid(rng, header, where, value))


def dealt(game: AnyGame, header: Json) -> Dealt:
    """Return the table of a game's set-up."""
    presenter = registry.display(game.name).presenter
    return Dealt(table=presenter.present(game.start(header)), start=header)
