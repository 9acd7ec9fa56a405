"""Messages: English where they are made, another language where they are said."""

from __future__ import annotations

import copy
import gettext
import io
import json
import pickle
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import RuleViolation
from companion.i18n import (
    LANGUAGES,
    Message,
    Translation,
    Voice,
    catalogue,
    join,
    msg,
    msg_of,
    nmsg,
    said,
)
from companion.names import amount, list_text, player_name


class Backwards(gettext.NullTranslations):
    """A language in which every word is spelt backwards, gaps apart."""

    def gettext(self, message: str) -> str:
        """Return the text backwards."""
        return " ".join(word if "{" in word else word[::-1] for word in message.split(" "))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the text for a number backwards."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        """Return the text backwards, its context before it."""
        return f"{context}|{self.gettext(message)}"


@dataclass(frozen=True)
class Shown:
    """Something with words in it."""

    title: str
    lines: tuple[str, ...]
    by_name: dict[str, str]
    number: int = 1


def test_a_message_is_its_english_text() -> None:
    """Whoever knows nothing of languages sees an ordinary string."""
    told = msg("{who} walks {far}", who="ann", far=nmsg("{n} step", "{n} steps", 2))

    assert "ann walks 2 steps" == told
    assert '"ann walks 2 steps"' == json.dumps(told)
    assert {told: 1} == {"ann walks 2 steps": 1}
    assert "1 step" == nmsg("{n} step", "{n} steps", 1)


def test_a_message_is_said_with_all_that_it_holds() -> None:
    """Gaps, numbers, contexts and rows are said too, names of people are not."""
    told = join("; ", [msg("{who} walks {far}", who="ann", far=nmsg("{n} step", "{n} steps", 2)), "as is"])
    backwards = Backwards()

    assert "ann sklaw 2 spets; as is" == said(told, backwards)
    assert "dragon|erif" == said(msg_of("dragon", "fire"), backwards)


def test_an_error_keeps_its_words() -> None:
    """What an exception says can still be said in another language."""
    error = RuleViolation("toy.rule", msg("too far"))

    assert "oot raf" == said(str(error), Backwards())


def test_what_is_shown_is_said_whole() -> None:
    """Dataclasses, tuples and mappings are gone through; what holds no message stays the same object."""
    shown = Shown(title=msg("the mill"), lines=(msg("one"), "two"), by_name={"a": msg("three")})
    plain = Shown(title="the mill", lines=("one",), by_name={})
    backwards = Backwards()

    assert Shown(title="eht llim", lines=("eno", "two"), by_name={"a": "eerht"}) == said(shown, backwards)
    assert said(plain, backwards) is plain
    assert said(shown, Translation()) is shown


@given(st.text(), st.integers(), st.text())
def test_messages_survive_copying(name: str, number: int, sign: str) -> None:
    """A copied or pickled message is said as the first one is."""
    told = join(sign, [msg("{name} has {things}", name=name, things=nmsg("{n} box", "{n} boxes", number))])
    backwards = Backwards()
    for other in (copy.deepcopy(told), pickle.loads(pickle.dumps(told))):
        assert told == other
        assert isinstance(other, Message)
        assert said(told, backwards) == said(other, backwards)


def test_unknown_languages_are_english() -> None:
    """Where there is no catalogue nothing is changed."""
    assert said(msg("The table"), catalogue("tlh")) == "The table"


def test_names_of_players_and_things() -> None:
    """Colours are words, other players keep what they are written as; numbers of things have a singular."""
    assert said(player_name("purple"), catalogue("ru")) == "Фиолетовый"
    assert said(player_name("Anna"), catalogue("ru")) == "Anna"
    assert ["1 crystal", "2 scales", "3 marbles"] == [
        amount("crystals", 1),
        amount("scales", 2),
        amount("marbles", 3),
    ]
    assert ["", "a", "a and b", "a, b and c"] == [list_text("abc"[:count]) for count in range(4)]


def test_messages_are_written_like_strings() -> None:
    """Streams and formats take the English text."""
    stream = io.StringIO()
    stream.write(msg("a {thing}", thing="mill"))

    assert "a mill" == stream.getvalue()
    assert "<a mill>" == f"<{msg('a mill')}>"


def test_players_are_called_by_their_names() -> None:
    """In every language; whose name is not known goes by colour, and the English text never changes."""
    told = msg("{player} walks to {tile}", player=player_name("purple"), tile=player_name("white"))

    assert "purple walks to white" == told
    for language in LANGUAGES:
        words = catalogue(language)
        line = said(told, Voice(words, {"purple": "Ada"}))
        assert line.startswith("Ada ")
        assert line.endswith(said(player_name("white"), words))
        assert said(told, Voice(words, {})) == said(told, words)


def test_a_copied_player_is_called_by_name() -> None:
    """Messages are copied between threads and processes."""
    copied = pickle.loads(pickle.dumps((player_name("purple"), player_name("anna"))))

    assert ("Ada", "anna") == said(copied, Voice(catalogue("es"), {"purple": "Ada"}))


@pytest.mark.parametrize("name", ["דנה", "ليلى", "Dana דנה"])
def test_names_from_right_to_left_stand_apart(name: str) -> None:
    """What is beside them keeps its order."""
    line = said(msg("{a}: {n}", a=player_name("red"), n=3), Voice(catalogue("en"), {"red": name}))

    assert f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}: 3" == line


@given(st.text(max_size=30))
def test_any_name_stands_in_a_text_as_it_is(name: str) -> None:
    """Braces and signs in it mean nothing."""
    line = said(msg("{player}: {n}", player=player_name("red"), n=1), Voice(catalogue("ru"), {"red": name}))

    assert name in line
