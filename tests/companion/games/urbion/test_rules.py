"""Urbion's rules: set-up, playing, swaps, balance, Chaos, the Books, two players, winning and losing."""

from __future__ import annotations

import io
import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.errors import MalformedError, RuleViolation
from companion.games.urbion import GAME, Urbion
from companion.games.urbion.actions import (
    Agoraphilia,
    Balance,
    Chaos,
    ChooseSide,
    Discard,
    Fly,
    Play,
    Prophecy,
    Removal,
    Reveal,
    Swap,
    SwapPolarity,
    Vanish,
)
from companion.games.urbion.catalogue import ELEMENTS, catalogue
from companion.games.urbion.legal import removals
from companion.games.urbion.state import Options, Row
from companion.record.game_record import read_record, write_record

I, S = "incubus", "sanae"  # noqa: E741 -- short words for short cards


def card(kind, element="fire", value=1):
    """Return a card's id."""
    return f"{kind}-{element}-{value}"


def header_of(dreams, *, players=("anna",), books=(), archiplaces=False, cities=(), paid=()):
    """Return a header whose dream deck begins with these cards."""
    deal = GAME.deal(random.Random(0), {"players": list(players), "archiplaces": archiplaces})
    rest = Counter(deal["dreams"]) - Counter(c for c in paid if c != "chaos")
    deck = list(dreams)
    left = Counter(rest)
    for wanted in dreams:
        name = wanted if left[wanted] else next(c for c in left if left[c] and c[:-1] == wanted[:-1])
        left[name] -= 1
    deck += sorted(left.elements())
    names = Counter(deal["cities"]) - Counter(cities)
    return {
        **deal,
        "books": list(books),
        "paid": list(paid),
        "cities": [*cities, *sorted(names.elements())],
        "dreams": deck,
    }


def at(rows, *, hands=None, **changes):
    """Return a state in play with these rows (city, left, right) and hands."""
    state = GAME.start(GAME.deal(random.Random(3), {"players": changes.pop("players", 1)}))
    assert state.pending is None
    table = tuple(
        None if row is None else Row(city=row[0], left=tuple(row[1]), right=tuple(row[2])) for row in rows
    )
    hands = tuple(tuple(hand) for hand in hands) if hands else state.hands
    return replace(state, rows=table, hands=hands, **changes)


EMPTY = ("earth-water", (), ())
HAND = [card(S, "fire", 1), card(I, "fire", 2), card(S, "air", 3), card(I, "earth", 1)]


def act(state, action):
    """Return the state after an action."""
    return GAME.apply(state, action)[0]


def refused(state, action):
    """Return the rule that refuses the action."""
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(state, action)
    return refusal.value.rule


# -- the catalogue and the set-up ------------------------------------------------------------------


def test_catalogue_has_the_certain_totals_and_marks_its_estimates():
    """72 dreams (80 with metas), 12 cities (16), 8 Books; the split is configuration, not certainty."""
    cards = catalogue()
    assert len(cards.dream_cards(with_metas=False)) == 72
    assert len(cards.dream_cards(with_metas=True)) == 80
    assert len(cards.city_cards(with_archiplaces=True)) == 16
    assert len(cards.books) == 8
    assert cards.confidence["incubus_values"]["confidence"] == "estimate"


def test_a_player_corrects_the_split_but_not_the_totals():
    """Another split of the same totals is taken over and dealt; a wrong total is refused."""
    dreams = dict(catalogue().dreams)
    dreams["incubus-fire-1"], dreams["incubus-fire-3"] = 2, 3
    mine = catalogue().corrected(dreams=dreams)
    dealt = Urbion(cards=mine).deal(random.Random(0), {})

    assert Counter(dealt["dreams"])["incubus-fire-3"] == 3
    with pytest.raises(MalformedError):
        catalogue().corrected(dreams={**dreams, "incubus-fire-1": 4})
    with pytest.raises(MalformedError):
        catalogue().corrected(cities={"earth-water": 11})


def test_set_up_deals_pairs_by_kind_and_open_hands():
    """Incubi go left, sanae right, Chaos with the other card; then four cards each."""
    pairs = [card(I), card(S), card(I), "chaos", "chaos", card(S, "air"), card(I, "air"), card(I, "air", 2)]
    hand = [card(S, "earth"), card(S, "water"), card(I, "earth"), card(I, "water")]
    state = GAME.start(header_of([*pairs, *hand]))

    assert state.rows[0].left == (card(I),)
    assert state.rows[0].right == (card(S),)
    assert state.rows[1].left == (card(I), "chaos")
    assert state.rows[2].right == ("chaos", card(S, "air"))
    assert state.rows[3].left == (card(I, "air"), card(I, "air", 2))
    assert state.hands == (tuple(hand),)
    assert (state.pending, state.is_setup) == (None, False)


def test_two_chaos_wait_for_a_side_and_a_drawn_chaos_is_placed():
    """The set-up stops at each choice, and Chaos may only be placed then, on the stronger side."""
    deck = ["chaos", "chaos", *[card(I), card(S)] * 3, card(S, "air"), "chaos"]
    state = GAME.start(header_of(deck))
    assert state.pending == "side"
    assert refused(state, Discard(player="anna", card=card(S))) == "turn.pending_side"

    state = act(state, ChooseSide(player="anna", side="right"))
    assert state.rows[0].right == ("chaos", "chaos")
    assert state.pending == "chaos"
    assert refused(state, Chaos(player="anna", way="draw")) == "chaos.setup"
    assert refused(state, Chaos(player="anna", way="place", row=1)) == "chaos.equal"
    state = act(state, Chaos(player="anna", way="place", row=0))
    assert state.rows[0].right == ("chaos",) * 3
    assert len(state.hands[0]) == 4


def test_a_chaos_without_room_in_the_set_up_is_discarded_by_itself():
    """With all cities equal nobody can place it: it goes to the discard pile without an action."""
    deck = [*[card(I), card(S)] * 4, "chaos", *[card(S, "air")] * 4]
    state = GAME.start(header_of(deck))

    assert state.pending is None
    assert state.discards == ("chaos",)
    assert len(state.hands[0]) == 4


def test_books_are_paid_first_and_chaos_goes_back():
    """Paid dreams are discarded, paid Chaos cards are not."""
    paid = [card(S), "chaos"]
    state = GAME.start(header_of([], books=["prophecy"], paid=paid))

    assert state.discards[:1] == (card(S),)
    assert "chaos" not in state.discards[:1]
    assert GAME.defects(state) == ()


# -- playing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (Play(player="anna", card=card(S, "fire", 1), row=0, side="right"), "play.symbol"),
        (Play(player="anna", card=card(S, "fire", 1), row=1, side="left"), "play.side"),
        (Play(player="anna", card=card(I, "fire", 2), row=1, side="left"), "play.full"),
        (Play(player="anna", card=card(I, "fire", 3), row=1, side="left"), "hand.missing"),
        (Play(player="anna", card=card(S, "fire", 1), row=3, side="right"), "row.no_city"),
        (Play(player="ben", card=card(S, "fire", 1), row=1, side="right"), "player.unknown"),
        (SwapPolarity(player="anna", card=card(S, "fire", 1)), "polarity.solo"),
        (ChooseSide(player="anna", side="left"), "side.none"),
        (Chaos(player="anna", way="draw"), "chaos.none"),
        (Balance(player="anna", card=card(S, "fire", 1)), "balance.nothing"),
        (Prophecy(player="anna", card=card(S, "fire", 1), order=()), "book.closed"),
    ],
)
def test_illegal_turns_name_their_rule(action, rule):
    """Every refusal says which rule it is, and its sentence can be written."""
    full = ("fire-air", [card(I)] * 3, [])
    state = at([EMPTY, full, EMPTY, None], hands=[HAND], cities=())

    assert refused(state, action) == rule
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(state, action)
    assert GAME.rule_text(rule, refusal.value.params)


def test_a_card_is_played_where_a_symbol_matches():
    """The card lies at the city, the hand is drawn up to four again."""
    state = at([("fire-air", [card(I)], []), EMPTY, EMPTY, EMPTY], hands=[HAND])
    after = act(state, Play(player="anna", card=card(S, "fire", 1), row=0, side="right"))

    assert after.rows[0].right == (card(S, "fire", 1),)
    assert len(after.hands[0]) == 4 or after.pending == "chaos"
    assert len(after.dreams) < len(state.dreams)


def test_swap_takes_two_different_cards_of_one_side():
    """The cards take each other's places, symbols are ignored; equal cards and one city are refused."""
    rows = [
        ("earth-water", [card(I, "fire", 1), "chaos"], [card(S)]),
        ("fire-air", [card(I, "air", 2)], [card(S)]),
        ("fire-air", [], []),
        ("fire-air", [], []),
    ]
    state = at(rows, hands=[HAND])

    def swap(*ends, side="left"):
        return Swap(player="anna", card=HAND[0], side=side, cards=ends)

    after = act(state, swap((0, card(I, "fire", 1)), (1, card(I, "air", 2))))
    assert after.rows[0].left == (card(I, "air", 2), "chaos")
    assert after.rows[1].left == (card(I, "fire", 1),)
    assert after.discards[-1] == HAND[0]
    assert refused(state, swap((0, card(S)), (1, card(S)), side="right")) == "swap.same"
    assert refused(state, swap((0, "chaos"), (0, card(I, "fire", 1)))) == "swap.rows"
    assert refused(state, swap((0, card(S)), (1, card(I, "air", 2)))) == "swap.missing"

    strict = replace(state, options=Options(swap_chaos=False))
    chaos = swap((0, "chaos"), (1, card(I, "air", 2)))
    assert refused(strict, chaos) == "swap.chaos"
    assert act(state, chaos).rows[1].left == ("chaos",)


# -- balance -------------------------------------------------------------------------------------------

BALANCED = ("fire-air", [card(I, "air", 3)], [card(S, "fire", 3)])


def test_balance_claims_what_is_balanced_and_removes_chosen_zero_sums():
    """The balanced city is claimed with its cards discarded; a subset of another one is removed."""
    uneven = ("earth-water", [card(I, "fire", 2), "chaos"], [card(S, "air", 2)])
    state = at([BALANCED, uneven, ("fire-air", [card(I)], []), ("fire-air", [card(I)], [])], hands=[HAND])
    removal = Removal(row=1, left=(card(I, "fire", 2),), right=(card(S, "air", 2),))
    after = act(state, Balance(player="anna", card=HAND[0], remove=(removal,)))

    assert after.subdued == 1
    assert after.rows[1].left == ("chaos",)
    assert len(after.cities) == len(state.cities) - 1
    assert not after.rows[0].is_empty
    assert after.last_discards[:5] == (
        HAND[0], card(I, "air", 3), card(S, "fire", 3), card(I, "fire", 2), card(S, "air", 2)
    )  # fmt: skip
    for remove, rule in (
        ((Removal(row=1, left=("chaos",), right=(card(S, "air", 2),)),), "balance.sum"),
        ((Removal(row=0, left=(card(I, "air", 3),), right=(card(S, "fire", 3),)),), "balance.balanced"),
        ((Removal(row=1, left=(card(I, "fire", 1),), right=(card(S),)),), "balance.missing"),
        ((removal, removal), "balance.row_twice"),
        ((Removal(row=2, left=(), right=()),), "balance.sum"),
    ):
        assert refused(state, Balance(player="anna", card=HAND[0], remove=remove)) == rule


def test_a_city_without_cards_is_not_balanced_and_removals_deal_nothing():
    """Nothing is claimed at an empty city; after removals alone no city gets new dreams."""
    uneven = ("earth-water", [card(I, "fire", 2), "chaos"], [card(S, "air", 2)])
    state = at([EMPTY, uneven, EMPTY, EMPTY], hands=[HAND])
    (removal,) = removals(1, state.rows[1])
    after = act(state, Balance(player="anna", card=HAND[0], remove=(removal,)))

    assert after.subdued == 0
    assert after.rows[0].is_empty
    assert after.rows[1].right == ()


@pytest.mark.parametrize(("book", "bonus"), [(False, 1), (True, 2)])
def test_perfect_balance_gives_a_city_more(book, bonus):
    """Four cities claimed at once bring one from the deck, two with Amazing Balance."""
    state = at([BALANCED] * 4, hands=[HAND], books=("amazing_balance",))
    after = act(state, Balance(player="anna", card=HAND[0], is_amazing=book))

    assert after.subdued == 4 + bonus
    assert len(after.cities) == len(state.cities) - 4 - bonus


def test_three_open_cities_are_no_perfect_balance():
    """With fewer than four open cities there is no bonus; the last claim wins."""
    state = at(
        [BALANCED, BALANCED, BALANCED, None], hands=[HAND], cities=("fire-air",), claimed=("fire-air",) * 8
    )
    after = act(state, Balance(player="anna", card=HAND[0]))
    assert after.subdued == 11

    last = at([BALANCED, None, None, None], hands=[HAND], cities=(), claimed=("fire-air",) * 11, dreams=())
    won = act(last, Balance(player="anna", card=HAND[0]))
    assert GAME.result(won) == {"winners": ["anna"], "reason": "cities", "draw": False}
    assert (GAME.turn_of(won), won.pending) == (None, None)


def test_two_players_win_a_whole_game():
    """A deck deals balanced pairs alone: two perfect balances and a third turn claim all twelve cities."""
    pairs = [card(kind, element, value) for value in (1, 2) for element in ELEMENTS * 2 for kind in (I, S)]
    held = [card(S, element, value) for value in (3, 4) for element in ELEMENTS]
    drawn = [card(S, "earth", 3), card(S, "water", 3)]
    deck = [*pairs[:8], *held, *pairs[8:16], drawn[0], *pairs[16:20], drawn[1]]
    header = header_of(deck, players=("anna", "ben"))
    state, turns = GAME.start(header), []
    while GAME.result(state) is None:
        player = GAME.turn_of(state)
        turns.append(Balance(player=player, card=state.hands[state.players.index(player)][0]))
        state = act(state, turns[-1])
    lines = io.StringIO()
    write_record(lines, GAME, header, turns)

    assert [turn.player for turn in turns] == ["anna", "ben", "anna"]
    assert GAME.result(state) == {"winners": ["anna", "ben"], "reason": "cities", "draw": False}
    assert read_record(lines.getvalue().splitlines()).actions == tuple(turns)


def test_emptied_cities_are_dealt_only_after_a_claim():
    """A claim deals two dreams to every city without cards, also to one emptied long before."""
    dreams = (card(I), card(S), card(I), card(S), *[card(S, "air")] * 5)
    state = at([BALANCED, EMPTY, ("fire-air", [card(I)], []), None], hands=[HAND], dreams=dreams, cities=())
    after = act(state, Balance(player="anna", card=HAND[0]))

    assert after.rows[0] is None
    assert after.rows[1].left == (card(I),)
    assert after.rows[1].right == (card(S),)
    assert after.rows[2].left == (card(I),)


# -- Chaos ------------------------------------------------------------------------------------------------


def chaos_drawn(rows, *, dreams=("sanae-fire-1",) * 9):
    """Return a state in which a Chaos card has just been drawn."""
    state = at(rows, hands=[HAND], dreams=("chaos", *dreams))
    return act(state, Discard(player="anna", card=HAND[0]))


def test_chaos_in_play_has_three_ways():
    """Placed on the stronger side, or a balanced city is emptied, or four dreams are drawn away."""
    strong = ("earth-water", [card(I, "fire", 2), card(I)], [card(S, "air", 2)])
    full = ("earth-water", [card(I)] * 3, [])
    state = chaos_drawn([BALANCED, strong, full, EMPTY])
    assert state.pending == "chaos"

    assert act(state, Chaos(player="anna", way="place", row=1)).rows[1].left[-1] == "chaos"
    assert refused(state, Chaos(player="anna", way="place", row=0)) == "chaos.equal"
    assert refused(state, Chaos(player="anna", way="place", row=2)) == "chaos.full"
    cleared = act(state, Chaos(player="anna", way="clear", row=0))
    assert cleared.rows[0].is_empty
    assert cleared.rows[0].city == "fire-air"
    assert cleared.last_discards == ("chaos", card(I, "air", 3), card(S, "fire", 3))
    assert refused(state, Chaos(player="anna", way="clear", row=1)) == "chaos.not_balanced"
    assert refused(state, Chaos(player="anna", way="clear", row=3)) == "chaos.not_balanced"
    assert refused(state, Discard(player="anna", card=HAND[1])) == "turn.pending_chaos"
    drawn = act(state, Chaos(player="anna", way="draw"))
    assert len(drawn.dreams) == len(state.dreams) - 5
    assert drawn.last_discards == ("chaos", *[card(S)] * 4)


def test_chaos_among_the_four_waits_and_is_decided_before_the_next_draw():
    """Each waits for its own line, and only then the hand goes on being drawn."""
    state = chaos_drawn(
        [("fire-air", [card(I)], [])] * 4, dreams=("chaos", card(S), "chaos", card(S), card(S))
    )
    state = act(state, Chaos(player="anna", way="draw"))

    assert (state.pending, state.chaos, len(state.hands[0])) == ("chaos", 2, 3)
    state = act(state, Chaos(player="anna", way="place", row=0))
    assert (state.pending, state.chaos, len(state.hands[0])) == ("chaos", 1, 3)
    state = act(state, Chaos(player="anna", way="place", row=1))
    assert (state.pending, len(state.hands[0])) == (None, 4)


def test_too_small_a_deck_loses_and_keeps_its_cards():
    """A hand needs one, a pair two, Chaos four; what cannot be drawn whole stays."""
    chaos = chaos_drawn([("fire-air", [card(I)], [])] * 4, dreams=(card(S),) * 3)
    lost = act(chaos, Chaos(player="anna", way="draw"))
    assert (lost.reason, len(lost.dreams), lost.pending) == ("dreams", 3, None)

    state = at([BALANCED, EMPTY, EMPTY, EMPTY], hands=[HAND], dreams=(card(S),))
    lost = act(state, Balance(player="anna", card=HAND[0]))
    assert (lost.reason, len(lost.dreams)) == ("dreams", 1)

    lost = act(replace(state, dreams=()), Discard(player="anna", card=HAND[0]))
    assert GAME.result(lost) == {"winners": [], "reason": "dreams", "draw": False}
    assert refused(lost, Discard(player="anna", card=HAND[1])) == "game.over"


# -- the Books ------------------------------------------------------------------------------------------


def test_flying_and_invisible_books_take_their_own_kind():
    """An Incubus flies left to left, a Sanae vanishes from the right; Chaos and full sides are refused."""
    books = ("flying_incubi", "invisible_sanae", "agoraphilia")
    rows = [
        ("fire-air", [card(I), "chaos", "meta-air-2"], [card(S)]),
        ("fire-air", [card(I)] * 3, []),
        ("earth-water", [], []),
        ("earth-water", [card(I)], []),
    ]
    state = at(rows, hands=[HAND], books=books)

    def fly(start, end, dream):
        return Fly(player="anna", card=HAND[0], book="flying_incubi", start=start, end=end, dream=dream)

    assert act(state, fly(0, 2, card(I))).rows[2].left == (card(I),)
    assert act(state, fly(0, 2, "meta-air-2")).rows[2].left == ("meta-air-2",)
    assert refused(state, fly(0, 1, card(I))) == "book.full"
    assert refused(state, fly(0, 0, card(I))) == "book.same_row"
    assert refused(state, fly(0, 2, "chaos")) == "book.chaos"
    assert refused(state, fly(0, 2, card(S))) == "book.missing"

    vanish = Vanish(player="anna", card=HAND[0], book="invisible_sanae", row=0, dream=card(S))
    after = act(state, vanish)
    assert after.rows[0].right == ()
    assert after.last_discards == (HAND[0], card(S))
    assert refused(state, replace(vanish, book="invisible_incubi")) == "book.closed"


def test_agoraphilia_claims_an_empty_city_and_deals():
    """Exactly one empty city is claimed; all cities without cards are dealt to then."""
    state = at([EMPTY, EMPTY, BALANCED, BALANCED], hands=[HAND], books=("agoraphilia",))
    after = act(state, Agoraphilia(player="anna", card=HAND[0], row=0))

    assert after.subdued == 1
    assert all(row is None or not row.is_empty for row in after.rows)
    assert refused(state, Agoraphilia(player="anna", card=HAND[0], row=2)) == "book.not_empty"


def test_prophecy_reorders_two_and_two_of_them_four():
    """The looked-at cards go back in any order; the full number is not needed, one card is."""
    dreams = (card(S, "air", 1), card(S, "air", 2), card(S, "air", 3), card(S, "air", 4))
    state = at([EMPTY] * 4, hands=[HAND], books=("prophecy",), dreams=dreams)
    after = act(state, Prophecy(player="anna", card=HAND[0], order=(dreams[1], dreams[0])))

    assert after.hands[0][-1] == dreams[1]
    assert after.dreams == (dreams[0], *dreams[2:])
    assert refused(state, Prophecy(player="anna", card=HAND[0], order=dreams)) == "book.order"
    two = replace(state, books=("prophecy", "prophecy"))
    assert act(two, Prophecy(player="anna", card=HAND[0], order=dreams[::-1])).hands[0][-1] == dreams[3]
    none = replace(state, dreams=())
    assert refused(none, Prophecy(player="anna", card=HAND[0], order=())) == "book.no_dreams"


# -- two players ------------------------------------------------------------------------------------------


def test_polarity_binds_playing_only_and_can_be_swapped():
    """Sanae first on the right; after the swap on the left; metas obey too, discarding does not."""
    hand = [card(S, "fire", 1), card(I, "fire", 2), "meta-fire-1", card(I, "earth", 1)]
    state = at([("fire-air", [card(I)], [])] * 4, hands=[hand, HAND], players=2)

    assert refused(state, Play(player="anna", card=card(I, "fire", 2), row=0, side="left")) == "play.polarity"
    assert refused(state, Play(player="anna", card="meta-fire-1", row=0, side="left")) == "play.polarity"
    assert refused(state, Discard(player="ben", card=HAND[0])) == "turn.other"
    played = act(state, Play(player="anna", card="meta-fire-1", row=0, side="right"))
    assert played.rows[0].right == ("meta-fire-1",)

    swapped = act(replace(state, dreams=(card(S),) * 9), SwapPolarity(player="anna", card=hand[0]))
    assert GAME.turn_of(swapped) == "ben"
    assert act(swapped, Play(player="ben", card=HAND[0], row=0, side="right")).rows[0].right == (HAND[0],)


def test_legal_actions_are_exactly_what_apply_accepts():
    """Random positions: everything listed applies, and a naive enumeration finds no more plays and swaps."""
    for seed in range(30):
        rng = random.Random(seed)
        options = {"players": 1 + seed % 2, "books": seed % 7, "archiplaces": seed % 3 == 0}
        state = GAME.start(GAME.deal(rng, options))
        for _ in range(12):
            legal = list(GAME.legal_actions(state))
            if not legal:
                break
            assert len(set(map(repr, legal))) == len(legal)
            for action in rng.sample(legal, min(12, len(legal))):
                act(state, action)
            _check_naively(state, legal)
            state = act(state, rng.choice(legal))


def _check_naively(state, legal):
    if state.pending is not None:
        return
    player = GAME.turn_of(state)
    naive = 0
    for spent in set(state.hands[state.active]):
        for row in range(4):
            for side in ("left", "right"):
                action = Play(player=player, card=spent, row=row, side=side)
                naive += GAME.judge(state, action).value == "legal"
    assert naive == sum(isinstance(action, Play) for action in legal)


# -- hidden cards -----------------------------------------------------------------------------------------


def test_unknown_cards_refuse_what_must_draw_them_until_revealed():
    """Nothing is guessed: a null on top refuses the draw, revealing fills the first gaps only."""
    state = at([EMPTY] * 4, hands=[HAND], dreams=(None, card(S), None, None))
    discard = Discard(player="anna", card=HAND[0])

    assert refused(state, discard) == "deck.unknown"
    assert GAME.judge(state, discard).value == "cannot_tell"
    assert list(GAME.legal_actions(state)) == []
    known = act(state, Reveal(dreams=(card(I), card(I, "air"))))
    assert known.dreams == (card(I), card(S), card(I, "air"), None)
    assert GAME.judge(known, discard).value == "legal"
    assert refused(state, Reveal(dreams=(card(I),) * 4)) == "reveal.too_many"
    assert refused(state, Reveal(cities=("archiplace",))) == "reveal.too_many"
    assert refused(state, Reveal(dreams=("meta-fire-1",))) == "reveal.no_such_card"
    unknown = replace(state, cities=(None, *state.cities[1:]))
    assert refused(unknown, Reveal(cities=("archiplace",))) == "reveal.no_such_card"


def test_a_header_whose_set_up_would_draw_unknown_cards_is_refused():
    """The set-up needs its cards; later ones may be unknown."""
    header = GAME.deal(random.Random(0), {})
    with pytest.raises(MalformedError):
        GAME.start({**header, "dreams": [None, *header["dreams"][1:]]})
    with pytest.raises(MalformedError):
        GAME.start({**header, "cities": [None, *header["cities"][1:]]})

    assert GAME.start({**header, "dreams": [*header["dreams"][:40], *[None] * 32]}).dreams[-1] is None
