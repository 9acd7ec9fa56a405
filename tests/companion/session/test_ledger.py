"""The ledger: edits planned and made, taken back and brought back, and read from a journal."""

from pathlib import Path

import pytest

from companion.errors import JournalError, RuleViolation
from companion.session.journal import Journal
from companion.session.ledger import BY_ANSWER, BY_PLAYER, BY_TABLE, GameLine, Ledger
from tests.helpers.toy_game import GAME, Act, Lamps
from tests.helpers.toy_play import HEADER, played

STEPS = (Act("ann", "step", 1), Act("ben", "step", 3), Act("ann", "step", 2))


def ledger_of(*actions: Act) -> Ledger[Lamps, Act]:
    """Return a ledger in which each action is an edit of its own."""
    ledger = Ledger(GAME, GameLine(start=GAME.start(HEADER)))
    for entry, action in enumerate(actions, 1):
        ledger.push(ledger.plan([action], by=BY_TABLE, entry=entry))
    return ledger


def test_planning_changes_nothing() -> None:
    """A plan is only a plan until it is pushed."""
    ledger = ledger_of(*STEPS[:2])
    edit = ledger.plan(STEPS[2:], by=BY_TABLE, entry=3)
    assert [*ledger.line.actions] == [*STEPS[:2]]
    ledger.push(edit)

    assert ledger.line.actions == STEPS
    assert (edit.first, edit.new, edit.body["by"]) == (2, 1, "table")


def test_a_refused_plan_names_the_action() -> None:
    """The first action that does not fit is named by its number in the game."""
    with pytest.raises(RuleViolation, match="action 4") as refused:
        ledger_of(*STEPS[:2]).plan([STEPS[2], STEPS[0]], by=BY_TABLE, entry=3)

    assert (refused.value.rule, refused.value.params["number"]) == ("turn.other", 4)


@pytest.mark.parametrize(
    ("number", "count", "actions", "expected"),
    [
        (2, 1, [Act("ben", "plain", 4)], (STEPS[0], Act("ben", "plain", 4), STEPS[2])),
        (3, 1, [], STEPS[:2]),
        (1, 3, [Act("ann", "plain", 0)], (Act("ann", "plain", 0),)),
        (4, 0, [Act("ben", "step", 4)], (*STEPS, Act("ben", "step", 4))),
        (2, 0, [Act("ben", "step", 3), Act("ann", "step", 0)], None),
    ],
)
def test_actions_are_replaced_removed_and_put_in(
    number: int, count: int, actions: list[Act], expected: tuple[Act, ...] | None
) -> None:
    """A correction replaces any stretch by any other, as long as the rest still fits."""
    ledger = ledger_of(*STEPS)
    if expected is None:
        with pytest.raises(RuleViolation):
            ledger.plan_correction(number, count, actions, by=BY_PLAYER, entry=9)
        return
    ledger.push(ledger.plan_correction(number, count, actions, by=BY_PLAYER, entry=9))
    assert ledger.line.actions == expected
    ledger.undo()

    assert ledger.line.actions == STEPS


@pytest.mark.parametrize(("number", "count"), [(0, 1), (4, 1), (3, 2), (1, -1)])
def test_corrections_outside_the_game_are_refused(number: int, count: int) -> None:
    """There must be such actions."""
    with pytest.raises(RuleViolation, match="no action"):
        ledger_of(*STEPS).plan_correction(number, count, [], by=BY_PLAYER, entry=9)


def test_lines_know_what_they_share() -> None:
    """What is new between two games is what neither the beginning nor the end have in common."""
    ledger = ledger_of(*STEPS)
    before = ledger.line
    ledger.push(ledger.plan_correction(2, 1, [Act("ben", "plain", 4)], by=BY_PLAYER, entry=9))

    assert ledger.line.same_until(before) == 1
    assert [each.action for each in ledger.line.new_since(before)] == [Act("ben", "plain", 4)]
    assert [each.action for each in before.new_since(ledger.line)] == [STEPS[1]]
    assert before.new_since(before) == ()


def test_only_what_was_entered_by_hand_need_not_be_on_the_table() -> None:
    """Answers are about a table that was seen."""
    ledger = ledger_of()
    shown = {}
    for entry, (by, action) in enumerate(zip((BY_TABLE, BY_ANSWER, BY_PLAYER), STEPS, strict=True), 1):
        ledger.push(ledger.plan([action], by=by, entry=entry))
        shown[by] = ledger.line.played[-1].is_shown

    assert shown == {BY_TABLE: True, BY_ANSWER: True, BY_PLAYER: False}


def test_nothing_is_played_after_the_end() -> None:
    """A finished game takes no more actions."""
    actions, _ = played(1)
    with pytest.raises(RuleViolation, match="over") as refused:
        ledger_of(*actions).plan([STEPS[0]], by=BY_PLAYER, entry=99)

    assert refused.value.rule == "game.over"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("action", {"actions": [{"player": "ben", "do": "step", "to": 3}], "by": "table"}),
        ("action", {"actions": [{"player": "ann"}], "by": "table"}),
        ("action", {"by": "table"}),
        ("correct", {"number": 1, "count": 1, "actions": [], "by": "table"}),
        ("undo", {}),
        ("redo", {}),
        ("confirm", {"entry": 1}),
    ],
)
def test_entries_that_do_not_fit_are_refused(tmp_path: Path, kind: str, body: dict[str, object]) -> None:
    """A journal that another version of the rules wrote is refused at the entry."""
    with Journal.create(tmp_path / "game", HEADER) as journal:
        journal.append("evidence", {})
        journal.append(kind, body)
        with pytest.raises(JournalError, match="entry 2"):
            Ledger.read(GAME, journal)
