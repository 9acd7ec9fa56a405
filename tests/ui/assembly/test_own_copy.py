"""A table that is laid out already is entered by hand: place by place, or by swaps."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from companion.errors import CompanionError
from companion.game import Json
from companion.games import registry
from companion.games.urbion.catalogue import CHAOS, KIND
from companion.table import Picture, Place, Value, kind_of, parts_of
from ui.assembly.own_copy import choices_at, dealt, relay, swap_tiles
from ui.wizard.guide import Dealt

# Games with what players may have answered in their forms.
TABLES: Mapping[str, tuple[str, int, dict[str, Any]]] = {
    "city": ("blue_moon_city", 3, {}),
    "nova alone": ("nova_luna", 1, {}),
    "nova of four": ("nova_luna", 4, {}),
    "urbion": ("urbion", 2, {}),
    "urbion alone": ("urbion", 1, {"archiplaces": True}),
    "urbion with Books": ("urbion", 2, {"books": 3, "book_price": 3}),
    "legends": ("blue_moon_legends", 2, {}),
}
SEEDS = range(8)


def header_of(table: str, seed: int) -> Json:
    """Return a set-up as everyone at the table knows it."""
    name, players, answers = TABLES[table]
    form, game = registry.display(name).form, registry.lookup(name)
    usual = {one.name: one.choices[0].word for one in form.questions(players)}
    options = form.options(form.seats(players, usual), {**usual, **answers})
    return game.public_header(game.deal(random.Random(seed), options))


def picture_of(laid: Dealt) -> Picture:
    """Return what lies on the table."""
    header: Any = laid.start
    game = registry.lookup(header["game"])
    return game.predict(game.start(header))


def groups_of(picture: Picture) -> dict[str, list[Place]]:
    """Return the places that hold a card each, by what they are a part of: a row of cards, a hand, a slot."""
    groups: dict[str, list[Place]] = {}
    for where in picture:
        kind, parts = kind_of(where), parts_of(where)
        group = f"{kind}:{parts[0]}" if kind in ("dream", "hand") else kind if kind == "waiting" else where
        groups.setdefault(group, []).append(where)
    return groups


def matched(laid: Dealt, wanted: Picture, rng: random.Random) -> Dealt:
    """Return the table after each card too many was exchanged for one that is missing there."""
    header: Any = laid.start
    game = registry.lookup(header["game"])
    kinds = registry.display(game.name).form.laid_kinds
    for _, places in sorted(groups_of(wanted).items(), key=lambda one: (not one[0].startswith("city"), one)):
        if kind_of(places[0]) not in kinds:
            continue
        shown = picture_of(laid)
        here = groups_of(shown).get(next(iter(groups_of({places[0]: None}))), [])
        missing = Counter(wanted[where] for where in places) - Counter(shown[where] for where in here)
        surplus = Counter(shown[where] for where in here) - Counter(wanted[where] for where in places)
        values = [value for value in missing.elements() if value is not None]
        if (
            kind_of(places[0]) == "waiting"
        ):  # it waits at another table only: any card that is missing will do
            everywhere = Counter(wanted.values()) - Counter(shown.values())
            values += [one for one in everywhere.elements() if str(one) in KIND and one != CHAOS]
        if kind_of(places[0]) == "track" and values:
            values = stacks_to(str(shown[places[0]]), values[0])
            surplus = Counter(shown[places[0]] for _ in values)
        for old, new in zip([one for one in surplus.elements() if one is not None], values, strict=False):
            shown = picture_of(laid)
            at = next((where for where in here if shown.get(where) == old), here[0])
            if new in [option.value for option in choices_at(game, laid, at)]:
                laid = relay(game, laid, at, new, rng)
    return laid


def stacks_to(stack: str, wanted: str) -> list[str]:
    """Return the stacks on the way to the wanted one: each token in its turn is put on top."""
    names, steps = stack.split(">"), []
    for name in wanted.split(">"):
        names = [*(one for one in names if one != name), name]
        steps.append(">".join(names))
    return steps


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_any_laid_out_table_can_be_entered(table: str, seed: int) -> None:
    """From one dealt table to another one, with nothing but what the window offers; the game can begin."""
    game = registry.lookup(TABLES[table][0])
    tables = (dealt(game, header_of(table, other)) for other in itertools.count(100 + 10 * seed))
    # Urbion's Chaos cards wait for the players, who begin with placing them.
    target = next(one for one in tables if picture_of(one).get(Place("waiting:0")) is None)
    wanted = picture_of(target)
    laid = dealt(game, header_of(table, seed))
    rng = random.Random(seed)
    for _ in range(6):  # what comes to light by a change is put right in the next round
        laid = matched(laid, wanted, rng)
    if game.name == "blue_moon_city":
        for where, value in wanted.items():
            shown = picture_of(laid)
            if kind_of(where) == "cell" and shown[where] != value:
                other = next(one for one, lies in shown.items() if lies == value)
                laid = swap_tiles(game, laid, where, other)

    for number, book in enumerate(books := target.start.get("books", ())):  # type: ignore[attr-defined]
        laid = relay(game, laid, Place(f"book:{number}"), book, rng)

    shown = picture_of(laid)
    assert {group: Counter(map(wanted.get, places)) for group, places in groups_of(wanted).items()} == {
        group: Counter(map(shown.get, places)) for group, places in groups_of(shown).items()
    }
    assert list(books) == list(laid.start.get("books", ()))  # type: ignore[attr-defined]
    assert not game.defects(game.start(laid.start))  # type: ignore[arg-type]


@pytest.mark.parametrize("table", ["nova of four", "urbion"])
def test_what_lies_there_is_offered_first_and_changes_nothing(table: str) -> None:
    """Chosen, it leaves the table as it is; nothing is offered twice, and nothing that cannot be."""
    game = registry.lookup(TABLES[table][0])
    laid = dealt(game, header_of(table, 3))
    for where, value in picture_of(laid).items():
        offered = [option.value for option in choices_at(game, laid, where)]
        if offered:
            assert value == offered[0]
            assert len(offered) == len(set(offered))
            assert picture_of(laid) == picture_of(relay(game, laid, where, value, random.Random(1)))
            shown = {one: picture_of(relay(game, laid, where, one, random.Random(1))) for one in offered}
            assert all(picture.get(where) == one for one, picture in shown.items() if table != "urbion")


@pytest.mark.parametrize(
    ("table", "place", "value"),
    [
        ("nova of four", "wheel:0", "1"),
        ("nova of four", "wheel:3", None),
        ("nova of four", "wheel:3", "999"),
        ("nova of four", "track:0", "red"),
        ("nova of four", "area:red", "0,0"),
        ("urbion", "city:0", None),
        ("urbion", "city:0", "archiplace"),
        ("urbion", "dream:0:left:2", "chaos"),
        ("city", "cell:0,1", "mill/sketch"),
        ("legends", "dragon:0", "vulca"),
    ],
)
def test_what_cannot_lie_there_is_refused(table: str, place: str, value: Value) -> None:
    """A table that no set-up can lead to is not begun with."""
    game = registry.lookup(TABLES[table][0])
    laid = dealt(game, header_of(table, 3))

    with pytest.raises(CompanionError):
        relay(game, laid, Place(place), value, random.Random(1))
