"""Urbion near its end, and turns that show in little: what is asked, what is named."""

from __future__ import annotations

from dataclasses import replace

from companion.decision import Accepted, Ask, InStep, OutOfStep, Waiting
from companion.games.urbion import GAME
from companion.games.urbion.actions import Balance, Chaos, Discard, Fly, Play, Removal, Reveal
from companion.games.urbion.reconcile.seen_table import SeenTable
from companion.games.urbion.reconcile.unknown import out_of_the_deck
from companion.games.urbion.state import Row
from companion.observation import Query
from companion.table import Place
from tests.companion.games.urbion.reconcile.test_explain import HAND, ROWS, after, look, table

WAITING = {Place(f"waiting:{index}"): None for index in range(4)}


def chaos_at_the_end(dreams: int):
    """Return a state in which a Chaos card waits and so many dreams are left."""
    before = table(dreams=("chaos", *["sanae-water-1"] * dreams))
    state = after(before, Discard(player="anna", card=HAND[0]))
    assert state.pending == "chaos"
    return state


def test_chaos_that_is_gone_while_no_four_dreams_are_left_is_asked_about() -> None:
    """The card waited and is gone: the game may be lost, and nothing else will show it."""
    state = chaos_at_the_end(2)
    shown = GAME.predict(state)

    decision = GAME.explain(state, Query(picture={**shown, **WAITING}, before=shown))

    assert isinstance(decision, Ask)
    assert decision.choices[0].actions == (Chaos(player="anna", way="draw"),)
    assert decision.choices[-1].actions == ()


def test_chaos_that_is_gone_is_no_question_before_that() -> None:
    """Who keeps no heap of waiting cards, or has dreams enough to draw, is not asked."""
    poor, rich = chaos_at_the_end(2), chaos_at_the_end(6)
    without = {**GAME.predict(poor), **WAITING}

    assert isinstance(GAME.explain(poor, Query(picture=without, before=without)), InStep)
    for state in (rich, poor):
        shown = GAME.predict(state)
        assert isinstance(GAME.explain(state, Query(picture=shown, before=shown)), InStep)
    shown = GAME.predict(rich)
    assert isinstance(GAME.explain(rich, Query(picture={**shown, **WAITING}, before=shown)), InStep)


def test_two_last_turns_that_end_the_game_are_asked_about() -> None:
    """The second hand stays short: no dream is left to fill it."""
    state = table(players=2, dreams=("sanae-water-1",))
    turns = (
        Play(player="anna", card="sanae-air-3", row=2, side="right"),
        Discard(player="ben", card="incubus-fire-3"),
    )
    end = after(state, *turns)
    assert end.reason == "dreams"

    decision = look(state, GAME.predict(end))

    assert isinstance(decision, Ask | Accepted)
    actions = decision.choices[0].actions if isinstance(decision, Ask) else decision.actions
    assert after(state, *actions).reason == "dreams"


def test_a_card_on_the_pile_that_only_the_other_player_has_is_his() -> None:
    """He spent it and drew its equal: his hand looks as before, but it was not his turn."""
    state = table(players=2, dreams=(None,) * 20)
    picture = GAME.predict(state)

    other = look(state, {**picture, Place("discard"): "incubus-fire-3"})
    own = look(state, {**picture, Place("discard"): HAND[0]})
    dug_up = look(
        replace(state, discards=("incubus-fire-3", "chaos")), {**picture, Place("discard"): "chaos"}
    )

    assert isinstance(other, OutOfStep)
    assert other.rule == "turn.other"
    assert not isinstance(own, OutOfStep)
    assert isinstance(dug_up, InStep | Waiting)


def test_the_only_card_of_a_city_that_flies_claims_nothing() -> None:
    """Its city is left empty; the Book that allows it is not open."""
    state = table()
    flown = Fly(player="anna", card=HAND[0], book="flying_incubi", start=2, end=3, dream="incubus-earth-2")
    picture = GAME.predict(after(replace(state, books=("flying_incubi",)), flown))

    decision = look(state, picture)

    assert isinstance(decision, OutOfStep)
    assert decision.rule == "book.closed"


def test_a_balance_that_may_have_been_two_is_asked_about() -> None:
    """Alone, a card that was drawn and spent at once leaves no trace; with others their hands would tell."""
    row = Row(
        city="fire-air",
        left=("incubus-fire-1", "incubus-air-3"),
        right=("sanae-fire-1", "sanae-fire-3", "chaos"),
    )
    one = Removal(row=0, left=("incubus-fire-1", "incubus-air-3"), right=("sanae-fire-1", "sanae-fire-3"))
    smaller = replace(one, left=("incubus-fire-1",), right=("sanae-fire-1",))
    for players, remove, kind in ((1, one, Ask), (1, smaller, Accepted), (2, one, Accepted)):
        known = table(players=players, rows=(row, *ROWS[1:]))
        after_it = after(known, Balance(player="anna", card=HAND[0], remove=(remove,)))
        closed = replace(known, dreams=(None,) * len(known.dreams))

        assert isinstance(look(closed, GAME.predict(after_it)), kind)


def test_chaos_drawn_last_shows_on_the_pile_alone() -> None:
    """It was answered by drawing, and there was nothing left to draw: the game may be lost."""
    state = table(dreams=("chaos",))
    play = Play(player="anna", card="sanae-air-3", row=2, side="right")
    end = after(state, play, Chaos(player="anna", way="draw"))
    assert end.reason == "dreams"

    decision = look(replace(state, dreams=(None,)), GAME.predict(end))

    assert isinstance(decision, Ask | Accepted)
    actions = decision.choices[0].actions if isinstance(decision, Ask) else decision.actions
    assert actions[-1] == Chaos(player="anna", way="draw")


def test_a_card_drawn_and_spent_between_two_looks_was_drawn() -> None:
    """Nobody saw it in the hand; as none like it was on the table it came from the deck."""
    before = table(dreams=(None,) * 20)
    turns = (
        Reveal(dreams=("incubus-water-1",)),
        Play(player="anna", card="sanae-air-3", row=2, side="right"),
        Reveal(dreams=("sanae-earth-4",)),
        Play(player="anna", card="incubus-water-1", row=3, side="left"),
    )
    end = after(before, *turns)

    decision = look(before, GAME.predict(end))

    assert isinstance(decision, Accepted)
    assert decision.actions == turns


def test_two_copies_of_a_card_are_told_apart_by_how_many_are_seen() -> None:
    """One lay on the table before: one more than that was drawn."""
    state = table(dreams=(None,) * 20)
    picture = GAME.predict(state)
    there = SeenTable(picture, state.players)
    another = SeenTable({**picture, Place("discard"): "incubus-air-3"}, state.players)

    assert not out_of_the_deck(state, there)
    assert out_of_the_deck(state, another) == {"incubus-air-3": 1}


def test_nothing_beside_a_balance_may_have_been_more() -> None:
    """A Chaos card drawn between them may have cleared the city: who discarded for nothing is asked."""
    rows = (
        Row(city="fire-air", left=("incubus-air-3",), right=()),
        *ROWS[1:3],
        Row(city="water-fire", left=("incubus-fire-1", "incubus-water-3"), right=("sanae-fire-1",)),
    )
    state = table(players=2, rows=rows, dreams=(None,) * 30)
    turns = (
        Reveal(dreams=("sanae-earth-4",)),
        Balance(
            player="anna",
            card=HAND[3],
            remove=(Removal(row=3, left=("incubus-fire-1",), right=("sanae-fire-1",)),),
        ),
        Reveal(dreams=("sanae-water-3",)),
        Discard(player="ben", card="incubus-air-2"),
    )
    end = after(state, *turns)

    decision = look(state, {**GAME.predict(end), Place("discard"): "incubus-air-2"})

    assert isinstance(decision, Ask)
    assert decision.choices[-1].actions == ()
