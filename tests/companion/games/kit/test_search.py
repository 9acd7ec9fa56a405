"""The one search, on a small game made up for it: two players lay letters on a row of cells, turn by turn."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from companion.decision import Accepted, Ask, Choice, Decision, Fix, InStep, OutOfStep, Waiting
from companion.errors import RuleViolation
from companion.games.kit.search import Limits, Run, Search, to_do
from companion.observation import Query
from companion.table import Place, Value, place

CELLS = 5
HAND = "A hand is over the table."

RowRun: TypeAlias = "Run[Row, int, dict[Place, Value]]"


@dataclass(frozen=True, slots=True)
class Row:
    """The letters that lie there, ``x`` and ``o`` in turn; a counter goes under the last one, by hand."""

    cells: tuple[str | None, ...] = (None,) * CELLS
    last: int | None = None

    @property
    def turn(self) -> str:
        """Return whose turn it is."""
        return "xo"[sum(cell is not None for cell in self.cells) % 2]


def apply(state: Row, cell: int) -> tuple[Row, None]:
    """Lay the next letter on a free cell; next to the cell of the other one it may not lie."""
    if state.last is not None and abs(state.last - cell) == 1:
        raise RuleViolation("row.beside", cell=cell)
    cells = (*state.cells[:cell], state.turn, *state.cells[cell + 1 :])
    return Row(cells=cells, last=cell), None


def predict(state: Row) -> dict[Place, Value]:
    """Return the picture of a row."""
    cells = {place("cell", number): letter for number, letter in enumerate(state.cells)}
    return {**cells, Place("counter"): None if state.last is None else str(state.last)}


class RowSearch(Search[Row, int, dict[Place, Value]]):
    """Letters are tried where they are seen, or where nobody could see."""

    limits = Limits(levels=3, runs=50, choices=2)

    def __init__(self, state: Row, seen: Query, *, is_order_meant: bool = False) -> None:
        self.is_order_meant = is_order_meant
        super().__init__(state, seen, apply, lambda state, cell: f"{state.turn} on {cell}")

    def differences(self, state: Row) -> dict[Place, Value]:
        """Return the seen places that show something else, with what they should show."""
        picture = self.seen.picture
        return {at: value for at, value in predict(state).items() if picture.get(at, value) != value}

    def longer(self, run: RowRun) -> Iterator[RowRun]:
        """Yield the next letter on each cell where it may lie."""
        for cell, letter in enumerate(run.state.cells):
            seen = self.seen.picture.get(place("cell", cell), run.state.turn)
            if letter is None and seen == run.state.turn:
                yield from self.played(run, [cell], is_open=place("cell", cell) not in self.seen.picture)

    def is_partial(self, run: RowRun) -> bool:
        """Say whether only the counter is late."""
        return bool(run.actions) and run.wrong.keys() == {Place("counter")}

    def essence(self, state: Row) -> Hashable:
        """Return what matters: where the letters lie; and which was the last, if that is meant to matter."""
        return state if self.is_order_meant else state.cells

    def unexplained(self) -> Decision[int]:
        """Wait for the counter; else name what was refused."""
        if self.partial:
            run = self.partial[0]
            return to_do(map(self.fix, run.wrong, run.wrong.values()), self.told(run))
        rule = self.refusals[0].error.rule if self.refusals else "row.unexplained"
        return OutOfStep(rule=rule, text="")

    def fix(self, at: Place, wanted: Value) -> Fix:
        """Return what to do at a place."""
        return Fix(place=at, seen=self.seen.picture[at], wanted=wanted, text=f"{at}: {wanted}.")


def seen(cells: str, counter: str | None = "", **more: bool) -> Query:
    """Return a look at a row: a letter, ``.`` for an empty cell, ``?`` for one that is not seen."""
    picture: dict[Place, Value] = {
        place("cell", number): None if letter == "." else letter
        for number, letter in enumerate(cells)
        if letter != "?"
    }
    return Query(picture=picture if counter == "" else {**picture, Place("counter"): counter}, **more)


def explained(cells: str, counter: str | None = "", **more: bool) -> Decision[int]:
    """Say what a look means at the beginning."""
    return RowSearch(Row(), seen(cells, counter, **more)).decision()


# -- verdicts -------------------------------------------------------------------------------------------


def test_the_table_as_it_was_is_in_step() -> None:
    """Where nothing differs nothing is searched."""
    assert InStep() == explained(".....")


def test_a_hand_is_waited_for() -> None:
    """Under a hand nothing is decided; without a difference it does not matter."""
    assert Waiting(text=HAND) == explained("x....", busy=True)
    assert InStep() == explained(".....", busy=True)


def test_one_run_is_accepted_in_words() -> None:
    """Each action is told from the state before it."""
    assert Accepted(actions=(0, 3), text="x on 0; o on 3.") == explained("x..o.")


def test_the_shortest_runs_decide() -> None:
    """Once the table is explained, longer runs are not looked at: unseen cells may hold anything later."""
    assert Accepted(actions=(0,), text="x on 0.") == explained("x????")


def test_runs_that_differ_only_in_what_does_not_matter_need_no_question() -> None:
    """Both orders of x lead to the same letters: the first is told."""
    assert Accepted(actions=(0, 3, 1), text="x on 0; o on 3; x on 1.") == explained("xx.o.")


def test_runs_that_differ_in_what_matters_are_asked_about() -> None:
    """The counter tells the last letter; where it is not seen, the runs are the answers, likeliest first."""
    decision = RowSearch(Row(), seen("xx.o."), is_order_meant=True).decision()

    first = Choice(actions=(0, 3, 1), text="x on 0; o on 3; x on 1.")
    second = Choice(actions=(1, 3, 0), text="x on 1; o on 3; x on 0.")
    assert Ask(text="What happened?", choices=(first, second)) == decision


def test_what_the_table_tells_is_not_asked() -> None:
    """With the counter in sight the same letters need no question."""
    decision = RowSearch(Row(), seen("xx.o.", "0"), is_order_meant=True).decision()

    assert Accepted(actions=(1, 3, 0), text="x on 1; o on 3; x on 0.") == decision


def test_too_many_answers_are_no_question() -> None:
    """Where more runs explain the table than can be asked about, a better look is waited for."""
    assert isinstance(explained("o???."), Ask)
    assert Waiting(text="Not enough of the table can be seen to tell what happened.") == explained("o????")


def test_another_answer_says_that_nothing_was_played() -> None:
    """A question may leave open that none of the runs was played."""
    search = RowSearch(Row(), seen("x...."))
    search.run()

    asked = search.ask("Was it?", search.whole, "Not yet.")

    assert (Choice(actions=(0,), text="x on 0."), Choice(actions=(), text="Not yet.")) == asked.choices


def test_what_is_late_is_told() -> None:
    """A run that leaves only work by hand is waited for, with that work."""
    fix = Fix(place=Place("counter"), seen=None, wanted="0", text="counter: 0.")

    assert Waiting(text="x on 0. counter: 0.", pending=(fix,)) == explained("x....", None)


def test_removals_come_first() -> None:
    """What is only to be taken away is said before what is to be laid."""
    lay = Fix(place=Place("cell:0"), seen=None, wanted="x", text="Lay x.")
    take = Fix(place=Place("cell:1"), seen="o", wanted=None, text="Take o.")

    assert Waiting(text="Take o. Lay x.", pending=(take, lay)) == to_do([lay, take])


def test_what_a_rule_refuses_is_named() -> None:
    """The refusals of the search tell which rule was broken, and how far the run was legal."""
    search = RowSearch(Row(), seen("xo..."))

    assert OutOfStep(rule="row.beside", text="") == search.decision()
    assert [1] == [refusal.depth for refusal in search.refusals]
    assert [(1,)] == [refusal.actions for refusal in search.refusals]


def test_what_no_action_could_mean_is_out_of_step() -> None:
    """Nothing is tried where nothing could have been done."""
    search = RowSearch(Row(), seen("o...."))

    assert OutOfStep(rule="row.unexplained", text="") == search.decision()
    assert [] == search.refusals


# -- how it searches ------------------------------------------------------------------------------------


def lengths(search: RowSearch) -> list[list[int]]:
    """Return how long the runs of each level are."""
    return [[len(run.actions) for run in level] for level in search.levels()]


def limited(cells: str, **limits: int | bool) -> RowSearch:
    """Return a search with other limits."""
    search = RowSearch(Row(), seen(cells))
    search.limits = replace(RowSearch.limits, **limits)
    return search


def test_levels_grow_by_one_step_up_to_the_limit() -> None:
    """The first level holds the run without an action; none is longer than the limit allows."""
    assert [[0], [1] * 5, [2] * 12, [3] * 18] == lengths(limited("?????"))
    assert [[0], [1] * 5] == lengths(limited("?????", levels=1))
    assert [[0]] == lengths(limited("....."))


def test_a_level_that_would_be_too_many_is_left_out_whole() -> None:
    """A run whose rival was not tried any more is not believed, unless the game says that it may be."""
    assert [[0], [1] * 5] == lengths(limited("?????", runs=6))
    assert [[0], [1] * 5, [2]] == lengths(limited("?????", runs=6, keeps_last=True))
    assert [[0], [1] * 5, [2] * 12] == lengths(limited("?????", levels=2, runs=17))


def test_the_runs_nearest_to_the_table_are_followed() -> None:
    """Of a level that is too wide only those go on that leave the fewest differences."""
    search = limited("x??o?", levels=2, widest=1)

    assert (0,) == list(search.levels())[-1][0].actions[:1]
    assert {(0,)} == {run.actions[:1] for run in list(search.levels())[-1]}


def test_of_runs_with_one_key_the_first_is_kept() -> None:
    """A game may say which states are one to it."""
    search = limited("xx?o?")
    search.key = lambda state: state.cells

    cells = [run.state.cells for level in search.levels() for run in level]
    assert len(set(cells)) == len(cells)


def test_an_open_run_stays_open() -> None:
    """What rests on something unseen says so, and so does all that goes on from it."""
    runs = [run for level in RowSearch(Row(), seen("?..o.")).levels() for run in level]

    assert {(): False, (0,): True, (0, 3): True} == {run.actions: run.is_open for run in runs}


@given(st.lists(st.integers(0, CELLS - 1), max_size=3))
def test_what_was_played_is_found(cells: list[int]) -> None:
    """Any legal run within the limits explains its own table."""
    state = Row()
    for cell in cells:
        try:
            after, _ = apply(state, cell)
        except RuleViolation:
            return
        state = after if state.cells[cell] is None else state
    picture: Mapping[Place, Value] = predict(state)
    decision = RowSearch(Row(), Query(picture=picture), is_order_meant=True).decision()

    assert isinstance(decision, Accepted | Ask) == (state != Row())
    for choice in decision.choices if isinstance(decision, Ask) else [decision]:
        found = Row()
        for cell in getattr(choice, "actions", ()):
            found, _ = apply(found, cell)
        assert found == state
