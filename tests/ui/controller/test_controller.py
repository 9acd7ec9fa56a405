"""The controller: what players put right by hand, and what is shown because of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from companion.decision import OutOfStep
from companion.errors import JournalError, RuleViolation
from companion.games.blue_moon_city.actions import End
from companion.prompts import PromptKind
from companion.session.bug_report import read_report, replay
from companion.table import Place, Value
from companion.view_model import Mark
from tests.helpers.city_session import city_session, played_table, sights_of
from tests.helpers.toy_game import GAME, Act
from tests.helpers.toy_session import picture, sight_of, toy_session
from ui.controller.controller import Controller
from ui.controller.session import Session

ANN, BEN = "ann", "ben"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A fresh toy game; ann begins at lamp 0, ben at lamp 4."""
    made = toy_session(tmp_path)
    yield made
    made.referee.journal.close()


def see(
    controller: Controller, session: Session, changes: Mapping[str, Value] | None = None, first: int = 0
) -> None:
    """Let the table be seen long enough to settle."""
    state = session.referee.state
    for seq in range(first, first + 4):
        controller.feed(sight_of(state, seq, changes).observation, picture(seq))


def test_a_step_seen_is_shown_as_news(session: Session) -> None:
    """An accepted step is in the history, its figure is marked, and its picture is kept."""
    controller = Controller(session)
    see(controller, session)
    see(controller, session, {"figure:ann": "1"}, first=10)
    shown = controller.view_state()

    assert ["ann at 0: step 1"] == [line.text for line in shown.history]
    assert Mark.NEWS is shown.marks[Place("figure:ann")]
    assert shown.can_undo
    assert (controller.evidence(1) or b"").startswith(b"\xff\xd8")
    assert controller.evidence(2) is None


def test_who_has_passed_is_said_to_the_table_and_to_an_edit(tmp_path: Path) -> None:
    """Seen by the camera or put right by hand: white moves, purple passed, and the game goes on."""
    header = played_table(0, players=3).header
    for by_hand in (False, True):
        (folder := tmp_path / str(by_hand)).mkdir()
        session = city_session(folder, header)
        controller = Controller(session)
        first, second, _ = header["players"]
        table = session.referee.game.predict(session.referee.state)
        walked = {f"figure:{second}": "2,1"}
        for number, changes in enumerate(({}, {} if by_hand else walked)):
            for sight in sights_of(table, 10 * number, changes):
                controller.feed(sight.observation)
        if by_hand:
            controller.report(Place(f"figure:{second}"), "2,1")
        trouble = controller.view_state().trouble

        assert trouble is not None
        assert (f"{first} passed",) == trouble.offers
        assert [first] == [
            player.player for player in controller.view_state().table.players if player.is_active
        ]

        controller.choose(0)

        assert controller.view_state().trouble is None
        assert [first, second] == [line.player for line in controller.view_state().history]
        session.referee.journal.close()


def test_what_no_rule_allows_is_trouble(session: Session) -> None:
    """A figure two lamps away is out of step, with its rule and its place marked wrong."""
    controller = Controller(session)
    see(controller, session)
    see(controller, session, {"figure:ann": "2"}, first=10)
    shown = controller.view_state()

    assert shown.trouble is not None
    assert "step.far" == shown.trouble.rule
    assert "A step goes to a neighbouring lamp." == shown.trouble.rule_text
    assert Mark.WRONG is shown.marks[Place("figure:ann")]
    assert not [prompt for prompt in shown.prompts if prompt.kind is PromptKind.VIOLATION]

    controller.dismiss()

    assert controller.view_state().trouble is None


def test_a_misreading_can_be_told(session: Session) -> None:
    """Told that the game is right, the referee lets the table lie until it is read otherwise."""
    controller = Controller(session)
    see(controller, session)
    see(controller, session, {"figure:ann": "2"}, first=10)
    controller.accept_as_is()

    assert controller.view_state().trouble is None
    assert () == controller.view_state().history


def test_pointing_at_what_is_right_takes_nothing_else_for_misread(session: Session) -> None:
    """The step that was taken meanwhile counts."""
    controller = Controller(session)
    see(controller, session)
    see(controller, session, {"figure:ann": "1", "box:3": "ann"}, first=10)
    assert controller.view_state().trouble is not None
    controller.report(Place("box:3"), None)

    assert controller.view_state().trouble is None
    assert ["ann at 0: step 1"] == [line.text for line in controller.view_state().history]


def test_pointing_at_what_is_right_tells_of_a_misreading(session: Session) -> None:
    """Saying that a place is as the game has it clears the trouble as well."""
    controller = Controller(session)
    see(controller, session)
    see(controller, session, {"figure:ann": "2"}, first=10)
    controller.report(Place("figure:ann"), "0")

    assert controller.view_state().trouble is None


def test_an_edit_that_is_a_legal_action_is_entered(session: Session) -> None:
    """With no camera at all, saying where a figure stands plays the step."""
    controller = Controller(session)
    controller.report(Place("figure:ann"), "1")
    shown = controller.view_state()

    assert ["ann at 0: step 1"] == [line.text for line in shown.history]
    assert () == shown.hand_edits


def test_edits_wait_until_they_are_understood(session: Session) -> None:
    """A marker of the wrong player is trouble until the right one is put there."""
    controller = Controller(session)
    controller.report(Place("box:0"), "ben")
    shown = controller.view_state()

    assert shown.trouble is not None
    assert ("box 0: ben",) == shown.hand_edits
    assert shown.marks[Place("box:0")] in (Mark.WRONG, Mark.NEWS)

    see(controller, session, {"figure:ann": "1"})  # not listened to while an edit is pending

    assert () == controller.view_state().history

    controller.report(Place("box:0"), ANN)

    assert ["ann at 0: plain 0"] == [line.text for line in controller.view_state().history]
    assert () == controller.view_state().hand_edits


def test_turning_a_lamp_is_enough(session: Session) -> None:
    """What lay on a turned tile need not be put right as well."""
    controller = Controller(session)
    controller.report(Place("cell:0"), "lit")

    assert ["ann at 0: plain 0"] == [line.text for line in controller.view_state().history]


def test_an_edit_back_to_an_earlier_table_offers_to_take_back(session: Session) -> None:
    """Taking the marker off and turning the lamp back asks whether the lighting is to be taken back."""
    controller = Controller(session)
    controller.report(Place("box:0"), ANN)
    controller.report(Place("box:0"), None)
    controller.report(Place("cell:0"), "dark")
    shown = controller.view_state()

    assert shown.question is not None
    assert "ann at 0: plain 0" in shown.question.text

    controller.choose(0)

    assert () == controller.view_state().history


def test_a_question_about_an_edit_is_answered_by_number(session: Session) -> None:
    """The middle lamp may be lit in two ways: the controller asks, the answer is entered."""
    session.referee.enter(Act(ANN, "step", 1), Act(BEN, "step", 3), Act(ANN, "step", 2), Act(BEN, "step", 4))
    controller = Controller(session)
    controller.report(Place("box:2"), ANN)
    shown = controller.view_state()

    assert shown.question is not None
    assert ("plain", "bright") == shown.question.choices

    controller.choose(1)

    assert "ann at 2: bright 2" == controller.view_state().history[-1].text


def test_a_question_is_answered_from_the_seat_that_it_is_about(session: Session) -> None:
    """Whoever lit the lamp says how; another player, an old question and a choice too many change nothing."""
    session.referee.enter(Act(ANN, "step", 1), Act(BEN, "step", 3), Act(ANN, "step", 2), Act(BEN, "step", 4))
    controller = Controller(session)
    controller.report(Place("box:2"), ANN)
    before = controller.view_state()
    asked = before.asked
    assert asked is not None
    assert ((ANN,), ("plain", "bright")) == (asked.concerns, asked.choices)
    for player, number, index in ((BEN, asked.number, 1), (ANN, asked.number + 1, 1), (ANN, asked.number, 2)):
        controller.answer(player, number, index)

    assert before == controller.view_state()

    controller.answer(ANN, asked.number, 1)

    assert "ann at 2: bright 2" == controller.view_state().history[-1].text
    assert controller.view_state().asked is None


def test_an_answer_that_comes_late_is_for_no_other_question(session: Session) -> None:
    """The same words at another moment of the game are another question; dismissed, there is none."""
    session.referee.enter(Act(ANN, "step", 1), Act(BEN, "step", 3), Act(ANN, "step", 2), Act(BEN, "step", 4))
    controller = Controller(session)
    controller.report(Place("box:2"), ANN)
    first = controller.view_state().asked
    controller.dismiss()
    assert controller.view_state().asked is None
    session.referee.undo()
    session.referee.redo()
    controller.report(Place("box:2"), ANN)
    second = controller.view_state().asked
    assert first is not None
    assert second is not None
    controller.answer(ANN, first.number, 1)

    assert first.choices == second.choices
    assert second == controller.view_state().asked


def test_entries_are_done_by_number(session: Session) -> None:
    """The first entry is the action offered as a button; a number too high does nothing."""
    controller = Controller(session)
    controller.enter(7)
    assert ("ann lights it",) == controller.view_state().entries

    controller.enter(0)

    assert "ann at 0: plain 0" == controller.view_state().history[-1].text


def test_prompts_close_by_hand(session: Session) -> None:
    """A confirmed prompt is gone; confirming it twice is no error."""
    controller = Controller(session)
    controller.enter(0)
    reward = next(prompt for prompt in controller.view_state().prompts if prompt.kind is PromptKind.REWARD)
    controller.confirm(reward.id)
    controller.confirm(reward.id)

    assert reward not in controller.view_state().prompts


def test_undo_drops_edits_first(session: Session) -> None:
    """With an edit pending, undo forgets the edit and leaves the game alone."""
    controller = Controller(session)
    controller.report(Place("figure:ann"), "1")
    controller.report(Place("figure:ann"), "4")
    assert controller.view_state().hand_edits
    controller.undo()
    assert () == controller.view_state().hand_edits
    assert 1 == len(controller.view_state().history)

    controller.undo()
    assert 0 == len(controller.view_state().history)

    controller.redo()
    assert 1 == len(controller.view_state().history)


def test_mending_refolds_and_tells_what_changed(session: Session) -> None:
    """Another action in the place of an old one keeps the later ones and names the differences."""
    controller = Controller(session)
    for place, value in (("figure:ann", "1"), ("figure:ben", "3"), ("figure:ann", "2")):
        controller.report(Place(place), value)
    controller.view_state()
    entry = next(entry for entry in controller.alternatives(2) if entry.action == Act(BEN, "plain", 4))
    changes = controller.mend(2, entry)

    assert "ben at 4: plain 4" == controller.view_state().history[1].text
    assert 3 == len(controller.view_state().history)
    assert any("Lamps lit 0 → 1" in change for change in changes)


def test_mending_that_breaks_later_moves_changes_nothing(session: Session) -> None:
    """Where a later action no longer fits, mending is refused."""
    controller = Controller(session)
    for place, value in (("figure:ann", "1"), ("figure:ben", "3"), ("figure:ann", "2")):
        controller.report(Place(place), value)
    controller.view_state()
    stay = next(entry for entry in controller.alternatives(1) if entry.action == Act(ANN, "plain", 0))
    before = controller.view_state()
    with pytest.raises(RuleViolation):
        controller.mend(1, stay)

    assert before == controller.view_state()


def test_what_cannot_be_seen_is_marked_uncertain(session: Session) -> None:
    """A place that no source reported is hatched on the twin."""
    controller = Controller(session)
    state = session.referee.state
    for seq in range(4):
        sight = sight_of(state, seq)
        del sight.observation.sightings[Place("cell:3")]  # type: ignore[attr-defined]
        controller.feed(sight.observation)

    assert Mark.UNCERTAIN is controller.view_state().marks[Place("cell:3")]
    assert Place("cell:2") not in controller.view_state().marks


def test_questions_can_be_answered_by_who_knows(session: Session) -> None:
    """At a simulated table its players answer: the second choice, without anybody at the window."""
    session.referee.enter(Act(ANN, "step", 1), Act(BEN, "step", 3), Act(ANN, "step", 2), Act(BEN, "step", 4))
    controller = Controller(dataclasses.replace(session, answer=lambda asked: len(asked.choices) - 1))
    see(controller, session)
    see(controller, session, {"box:2": ANN, "cell:2": "lit"}, first=10)

    assert "ann at 2: bright 2" == controller.view_state().history[-1].text
    assert controller.view_state().question is None


def test_who_knows_may_not_know(session: Session) -> None:
    """Without an answer the question stands."""
    session.referee.enter(Act(ANN, "step", 1), Act(BEN, "step", 3), Act(ANN, "step", 2), Act(BEN, "step", 4))
    controller = Controller(dataclasses.replace(session, answer=lambda _asked: None))
    see(controller, session)
    see(controller, session, {"box:2": ANN, "cell:2": "lit"}, first=10)

    assert controller.view_state().question is not None


def test_a_misread_is_reported_in_one_file(session: Session, tmp_path: Path) -> None:
    """The zip holds what was seen lately and plays again to the same trouble."""
    controller = Controller(session)
    controller.report(Place("figure:ann"), "1")
    see(controller, session)
    see(controller, session, {"figure:ann": "4"}, first=10)
    controller.write_bug_report(tmp_path / "misread.zip")
    bundle = read_report(tmp_path / "misread.zip")

    assert bundle.decision == session.referee.decision.text
    assert bundle.pictures[-1].startswith(b"\xff\xd8")
    assert "OutOfStep" == replay(bundle, GAME)[-1].kind
    with pytest.raises(JournalError):
        controller.write_bug_report(tmp_path / "no" / "misread.zip")


def test_a_building_is_completed_by_turning_its_tile(tmp_path: Path) -> None:
    """Without camera and sensors every action is entered by what it changes; markers come off with the tile.

    The pile, which nobody enters, says nothing against it.
    """
    game = played_table(28, seed=1)
    session = city_session(tmp_path, game.header)
    controller = Controller(session)
    for action, (before, after) in zip(game.actions, pairwise(game.tables), strict=True):
        if isinstance(action, End):
            controller.enter(0)
        changed = [where for where, value in after.items() if before.get(where) != value]
        for where in changed:
            if where != "discard":
                controller.report(where, after[where])
    told = [past.action.__class__ for past in session.referee.history]
    session.referee.journal.close()

    assert [action.__class__ for action in game.actions] == told


def test_a_lost_referee_says_how_to_find_back(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the game went on unseen no rule was broken: the words say what to do about it."""
    lost = OutOfStep(rule="referee.lost", text="The game went on.", fixes=())
    monkeypatch.setattr(type(session.referee), "decision", lost)
    monkeypatch.setattr("ui.controller.controller._stands", lambda _decision, _prompts: True)
    trouble = Controller(session).view_state().trouble

    assert trouble is not None
    assert "click what differs" in trouble.rule_text
