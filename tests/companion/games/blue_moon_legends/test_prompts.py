"""What the players are told, and the words for rules, states and actions."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from companion.games import blue_moon_legends
from companion.games.blue_moon_legends.actions import Announce, Lead, Retreat
from companion.games.blue_moon_legends.texts import TEXTS
from companion.prompts import PromptKind
from tests.helpers.legends import GAME, announce, pairing, play, playout, position, run_through


def told(state, action):
    """Return the prompts of an action."""
    after, events = GAME.apply(state, action)
    return GAME.prompts(state, action, after, events)


def test_every_rule_that_is_broken_anywhere_has_its_sentence():
    """All ids in the room's code are explained, and nothing explained is without use."""
    room = Path(blue_moon_legends.__file__).parent
    code = "\n".join(path.read_text("utf-8") for path in room.rglob("*.py") if path.name != "texts.py")
    named = set(re.findall(r'"([a-z]+\.[a-z_]+)"', code)) - {"catalogue.json"}

    assert set(TEXTS) == named


@pytest.mark.parametrize("rule", sorted(TEXTS))
def test_a_rule_text_is_one_sentence(rule):
    """It reads as a sentence also where a value is missing, and names cards by name."""
    text = GAME.rule_text(rule, {"card": "vulca-13", "by": "hoax-10", "player": "anna"})

    assert text.endswith(".")
    assert "vulca-13" not in text


def test_the_announcement_lists_each_point_with_its_reason():
    """And says what was to be reached; the turn prompt says what is to be reached next."""
    state = run_through(
        position(
            "hoax,vulca",
            fight="earth",
            a={"hand": ["hoax-12", "hoax-20"], "support": ["hoax-21"]},
            b={"combat": ["vulca-12"]},
        ),
        *play("a", "hoax-12"),
    )
    prompts = told(state, Announce(player="a", element="earth", total=4))
    announced = next(p for p in prompts if p.kind is PromptKind.ANNOUNCEMENT)
    turn = next(p for p in prompts if p.kind is PromptKind.TURN)

    assert "4 in earth (2 needed)" in announced.text
    assert 4 == sum(row.amounts["earth"] for row in announced.rows)
    assert any("multiplied by Demegodas" in row.source for row in announced.rows)
    assert "Reach 4 in earth" in turn.text
    assert {"a", "b"} == {row.player for row in turn.rows}


def test_a_retreat_tells_the_dragons_and_what_to_clear():
    """Two dragons for six cards; the prompt closes when they stand there."""
    six = {
        "covered": ["hoax-01", "hoax-02", "hoax-03"],
        "combat": ["hoax-04"],
        "support": ["hoax-20", "hoax-21"],
    }
    state = position(fight="fire", b=six)
    prompts = told(state, Retreat(player="a"))
    reward = next(p for p in prompts if p.kind is PromptKind.REWARD)

    assert ["retreat", "six_cards"] == [row.reason for row in reward.rows]
    assert ["b", "b", "board"] == [reward.done_when[f"dragon:{at}"] for at in range(3)]
    assert any("retreats" in p.text for p in prompts if p.kind is PromptKind.HOUSEKEEPING)


def test_dragons_that_stay_away_are_explained():
    """Bethenitana keeps all of them."""
    prompts = told(
        position("hoax,vulca", fight="fire", a={"combat": ["hoax-11"]}, b={"combat": ["vulca-01"]}),
        Retreat(player="a"),
    )

    assert any("Bethenitana" in p.text for p in prompts if p.kind is PromptKind.REWARD)


def test_demands_questions_offers_and_the_end_are_told():
    """Caterpillars, bluffs to be called, powers that may be used, the winner."""
    pillar = position(
        "pillar,vulca", fight="fire", a={"hand": ["pillar-01", "pillar-16"]}, b={"combat": ["vulca-12"]}
    )
    fed = run_through(pillar, *play("a", "pillar-01", "pillar-16"))
    demand = told(fed, Announce(player="a", element="fire", total=6))
    cinder = told(
        position(fight="fire", a={"hand": ["vulca-14"]}, b={"support": ["hoax-20"]}), play("a", "vulca-14")[0]
    )
    over = told(position(fight="fire", dragons=-3, b={"combat": ["hoax-04"]}), Retreat(player="a"))
    forced = told(
        position(
            "aqua,vulca", a={"hand": ["aqua-29"]}, b={"hand": [f"vulca-{n:02}" for n in (1, 3, 4, 5, 6, 7)]}
        ),
        Lead(player="a", card="aqua-29"),
    )

    assert any("Caterpillar Fireeater demands of b" in p.text for p in demand)
    assert any("may use Cinder" in p.text for p in cinder)
    assert any(p.kind is PromptKind.END and "b wins with 3 dragons" in p.text for p in over)
    assert any(p.kind is PromptKind.QUESTION and "chooses 1 card and discards it" in p.text for p in forced)


def test_prompts_of_whole_games_have_ids_and_words_of_their_own():
    """No id twice, no empty text, at most one turn prompt an action; states and actions have words."""
    ids = []
    for number in range(6):
        rng = random.Random(number)
        for before, action, after, events in playout(rng, GAME.deal(rng, {"decks": pairing(number * 7)})):
            prompts = GAME.prompts(before, action, after, events)
            ids += [(number, prompt.id) for prompt in prompts]
            assert all(prompt.text for prompt in prompts)
            assert sum(prompt.kind is PromptKind.TURN for prompt in prompts) <= 1
            assert GAME.describe(after)
            assert GAME.describe_action(before, action).startswith(action.player)

    assert len(ids) == len(set(ids))


def test_the_state_in_words():
    """Dragons, fight, totals, hands, who is to act."""
    state = announce(run_through(position(a={"hand": ["vulca-13"]}), *play("a", "vulca-13")), "earth")

    assert GAME.describe(state).startswith("dragons: a 0, b 0; fight in earth (earth a 3 : b 0)")
    assert "b to act" in GAME.describe(state)
