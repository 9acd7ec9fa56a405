"""Every game's words: prompts, states, actions, places, rules to look up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest

from companion.games import registry
from companion.games.blue_moon_city.catalogue import PEOPLES
from companion.games.blue_moon_legends.catalogue import catalogue as legends
from companion.i18n import Translation, said
from companion.prompts import PromptKind
from tests.helpers.random_play import GAMES, played

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_no_two_prompts_of_a_game_have_one_id(name: str, seed: int) -> None:
    """In the open game, and as everybody follows it."""
    played_game = played(name, seed)
    game, seen = played_game.game, set[str]()

    for step in played_game.steps:
        prompts = game.prompts(step.before, step.action, step.after, step.events)
        ids = {prompt.id for prompt in prompts}
        assert len(ids) == len(prompts)
        assert not ids & seen
        assert all(prompt.text for prompt in prompts)
        seen |= ids


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_somebody_is_told_what_is_next(name: str, seed: int) -> None:
    """When the turn passes it is said whose it is, and so is the end; what is to be done can be seen."""
    played_game = played(name, seed)
    game = played_game.game

    for step in played_game.steps:
        prompts = game.prompts(step.before, step.action, step.after, step.events)
        kinds = {prompt.kind for prompt in prompts}
        assert (PromptKind.END in kinds) == (game.result(step.after) is not None)
        if game.turn_of(step.before) != game.turn_of(step.after) is not None:
            assert kinds & {PromptKind.TURN, PromptKind.QUESTION}
        places = game.predict(step.after)
        for prompt in prompts:
            assert prompt.done_when.keys() <= places.keys()


@pytest.mark.parametrize("name", GAMES)
def test_everything_can_be_said(name: str) -> None:
    """States, actions, places and what lies there have words."""
    game = played(name, 0)

    for step in game.steps[::5]:
        assert game.game.describe(step.before)
        assert game.game.describe_action(step.before, step.action)
        for where, value in game.game.predict(step.after).items():
            assert game.game.name_place(step.after, where)
            assert game.game.name_value(step.after, where, value)


@pytest.mark.parametrize("name", GAMES)
def test_rules_to_look_up_have_an_id_each(name: str) -> None:
    """And say something under their title."""
    reminders = GAMES[name].reminders()

    assert len({each.id for each in reminders}) == len(reminders)
    assert all(each.title and each.text for each in reminders)


class Silent(Translation):
    """A language without words: of every message only what fills its gaps is left."""

    def gettext(self, message: str) -> str:
        """Return the gaps of a text."""
        return " ".join(f"{{{name}}}" for _, name, _, _ in Formatter().parse(message) if name)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the gaps of a text."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        """Return the gaps of a text."""
        del context
        return self.gettext(message)


# Names that are the same in every language, by game.
NAMES: dict[str, frozenset[str]] = {
    "blue_moon_city": frozenset(people.capitalize() for people in PEOPLES),
    "blue_moon_legends": frozenset(
        word
        for name in (
            *(card.name for card in legends().cards.values()),
            *(deck.leader_name for deck in legends().decks.values()),
        )
        for word in re.findall(r"[A-Za-z]{2,}", name)
    ),
}


def shown_texts(game: Any, presenter: Any, step: Any) -> Iterator[str]:
    """Yield what players read of one moment: the table, prompts, the log, and what may be chosen."""
    view = presenter.present(step.before)
    yield from (view.title, view.phase, view.outcome or "")
    for counter in (*view.stock, *(one for player in view.players for one in player.counters)):
        yield counter.label
    for tile in view.tiles:
        yield from (tile.name, *tile.notes, *(gain.label for gain in tile.gains))
    yield from (one.name for one in view.pieces)
    yield from (one.label for one in (*view.tracks, *view.zones))
    for zone in view.zones:
        yield from zone.lines
        for card in zone.cards:
            yield from (card.name, *card.notes)
    for player in view.players:
        yield from (card.name for card in presenter.hand(step.before, player.player))
    yield game.describe_action(step.before, step.action)
    for prompt in game.prompts(step.before, step.action, step.after, step.events):
        yield prompt.text
    for place, value in game.predict(step.before).items():
        yield presenter.name_place(step.before, place)
        yield game.name_value(step.before, place, value)
    yield from (entry.text for entry in presenter.entries(step.before))
    for move in presenter.moves(step.before):
        yield from (move.text, *move.groups)


@pytest.mark.parametrize("name", registry.NAMES)
def test_no_word_goes_past_translation(name: str) -> None:
    """In a language without words nothing but names and numbers is left of what players read."""
    game, presenter = played(name, 0, 40), registry.display(name).presenter
    allowed = {*game.header["players"], *NAMES.get(name, ())}
    texts = {text for step in game.steps[::6] for text in shown_texts(game.game, presenter, step)}
    texts |= {text for one in presenter.reminders() for text in (one.topic, one.title, one.text)}
    left = {
        text: words
        for text in texts
        if (words := {*re.findall(r"[A-Za-z]{2,}", str(said(text, Silent())))} - allowed)
    }

    assert not left


# At 45 px a line, as with the largest text, what the smallest screen that is meant to do has room for.
MOST_LINES = 16


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", registry.NAMES)
def test_no_menu_of_moves_is_higher_than_a_screen(name: str, seed: int) -> None:
    """Of all that the same places mean, each menu lists what can be seen at once."""
    game, presenter = played(name, seed), registry.display(name).presenter

    for step in game.steps[::3]:
        menus: dict[tuple[object, ...], set[str]] = {}
        for move in presenter.moves(step.before):
            words = (*move.groups, move.text)
            for depth, line in enumerate(words):
                menus.setdefault((move.path, words[:depth]), set()).add(str(line))
        assert all(len(lines) <= MOST_LINES for lines in menus.values())
