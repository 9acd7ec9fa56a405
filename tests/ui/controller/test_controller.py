"""The desk: what players put right by hand, and what is shown because of it."""

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
from companion.session.bug_report import read_bundle, replay
from companion.table import Place, Value
from companion.view import Mark
from tests.helpers.city_session import city_session, played_table, sights_of
from tests.helpers.toy_game import GAME, Act
from tests.helpers.toy_session import picture, sight_of, toy_session
from ui.controller.controller import Desk
from ui.controller.session import Session

ANN, BEN = "ann", "ben"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A fresh toy game; ann begins at lamp 0, ben at lamp 4."""
    made = toy_session(tmp_path)
    yield made
    made.referee.journal.close()


def see(desk: Desk, session: Session, changes: Mapping[str, Value] | None = None, first: int = 0) -> None:
    """Let the table be seen long enough to settle."""
    state = session.referee.state
    for seq in range(first, first + 4):
        desk.feed(sight_of(state, seq, changes).observation, picture(seq))


def test_a_step_seen_is_shown_as_news(session: Session) -> None:
    """An accepted step is in the history, its figure is marked, and its picture is kept."""
    desk = Desk(session)
    see(desk, session)
    see(desk, session, {"figure:ann": "1"}, first=10)
    shown = desk.shown()

    assert ["ann at 0: step 1"] == [line.text for line in shown.history]
    assert Mark.NEWS is shown.marks[Place("figure:ann")]
    assert shown.can_undo
    assert (desk.evidence(1) or b"").startswith(b"\xff\xd8")
    assert desk.evidence(2) is None


def test_who_has_passed_is_said_to_the_table_and_to_an_edit(tmp_path: Path) -> None:
    """Seen by the camera or put right by hand: white moves, purple has passed, and the game goes on."""
    header = played_table(0, players=3).header
    for by_hand in (False, True):
        (folder := tmp_path / str(by_hand)).mkdir()
        session = city_session(folder, header)
        desk = Desk(session)
        first, second, _ = header["players"]
        table = session.referee.game.predict(session.referee.state)
        walked = {f"figure:{second}": "2,1"}
        for number, changes in enumerate(({}, {} if by_hand else walked)):
            for sight in sights_of(table, 10 * number, changes):
                desk.feed(sight.observation)
        if by_hand:
            desk.report(Place(f"figure:{second}"), "2,1")
        trouble = desk.shown().trouble

        assert trouble is not None
        assert (f"{first} has passed",) == trouble.offers
        assert [first] == [player.player for player in desk.shown().table.players if player.is_active]

        desk.choose(0)

        assert desk.shown().trouble is None
        assert [first, second] == [line.player for line in desk.shown().history]
        session.referee.journal.close()


def test_what_no_rule_allows_is_trouble(session: Session) -> None:
    """A figure two lamps away is out of step, with its rule and its place marked wrong."""
    desk = Desk(session)
    see(desk, session)
    see(desk, session, {"figure:ann": "2"}, first=10)
    shown = desk.shown()

    assert shown.trouble is not None
    assert "step.far" == shown.trouble.rule
    assert "A step goes to a neighbouring lamp." == shown.trouble.rule_text
    assert Mark.WRONG is shown.marks[Place("figure:ann")]
    assert not [prompt for prompt in shown.prompts if prompt.kind is PromptKind.VIOLATION]

    desk.dismiss()

    assert desk.shown().trouble is None


def test_a_misreading_can_be_told(session: Session) -> None:
    """Told that the game is right, the referee lets the table lie until it is read otherwise."""
    desk = Desk(session)
    see(desk, session)
    see(desk, session, {"figure:ann": "2"}, first=10)
    desk.accept_as_is()

    assert desk.shown().trouble is None
    assert () == desk.shown().history


def test_pointing_at_what_is_right_tells_of_a_misreading(session: Session) -> None:
    """Saying that a place is as the game has it clears the trouble as well."""
    desk = Desk(session)
    see(desk, session)
    see(desk, session, {"figure:ann": "2"}, first=10)
    desk.report(Place("figure:ann"), "0")

    assert desk.shown().trouble is None


def test_an_edit_that_is_a_legal_action_is_entered(session: Session) -> None:
    """With no camera at all, saying where a figure stands plays the step."""
    desk = Desk(session)
    desk.report(Place("figure:ann"), "1")
    shown = desk.shown()

    assert ["ann at 0: step 1"] == [line.text for line in shown.history]
    assert () == shown.hand_edits


def test_edits_wait_until_they_are_understood(session: Session) -> None:
    """A marker of the wrong player is trouble until the right one is put there."""
    desk = Desk(session)
    desk.report(Place("box:0"), "ben")
    shown = desk.shown()

    assert shown.trouble is not None
    assert ("box 0: ben",) == shown.hand_edits
    assert shown.marks[Place("box:0")] in (Mark.WRONG, Mark.NEWS)

    see(desk, session, {"figure:ann": "1"})  # not listened to while an edit is pending

    assert () == desk.shown().history

    desk.report(Place("box:0"), ANN)

    assert ["ann at 0: plain 0"] == [line.text for line in desk.shown().history]
    assert () == desk.shown().hand_edits


def test_turning_a_lamp_is_enough(session: Session) -> None:
    """What lay on a turned tile need not be put right as well."""
    desk = Desk(session)
    desk.report(Place("cell:0"), "lit")

    assert ["ann at 0: plain 0"] == [line.text for line in desk.shown().history]


def test_an_edit_back_to_an_earlier_table_offers_to_take_back(session: Session) -> None:
    """Taking the marker off and turning the lamp back asks whether the lighting is to be taken back."""
    desk = Desk(session)
    desk.report(Place("box:0"), ANN)
    desk.report(Place("box:0"), None)
    desk.report(Place("cell:0"), "dark")
    shown = desk.shown()

    assert shown.question is not None
    assert "ann at 0: plain 0" in shown.question.text

    desk.choose(0)

    assert () == desk.shown().history


def test_a_question_about_an_edit_is_answered_by_number(session: Session) -> None:
    """The middle lamp may be lit in two ways: the desk asks, the answer is entered."""
    session.referee.enter(Act(ANN, "step", 1), Act(BEN, "step", 3), Act(ANN, "step", 2), Act(BEN, "step", 4))
    desk = Desk(session)
    desk.report(Place("box:2"), ANN)
    shown = desk.shown()

    assert shown.question is not None
    assert ("plain", "bright") == shown.question.choices

    desk.choose(1)

    assert "ann at 2: bright 2" == desk.shown().history[-1].text


def test_entries_are_done_by_number(session: Session) -> None:
    """The first entry is the action offered as a button; a number too high does nothing."""
    desk = Desk(session)
    desk.enter(7)
    assert ("ann lights it",) == desk.shown().entries

    desk.enter(0)

    assert "ann at 0: plain 0" == desk.shown().history[-1].text


def test_prompts_close_by_hand(session: Session) -> None:
    """A confirmed prompt is gone; confirming it twice is no error."""
    desk = Desk(session)
    desk.enter(0)
    reward = next(prompt for prompt in desk.shown().prompts if prompt.kind is PromptKind.REWARD)
    desk.confirm(reward.id)
    desk.confirm(reward.id)

    assert reward not in desk.shown().prompts


def test_undo_drops_edits_first(session: Session) -> None:
    """With an edit pending, undo forgets the edit and leaves the game alone."""
    desk = Desk(session)
    desk.report(Place("figure:ann"), "1")
    desk.report(Place("figure:ann"), "4")
    assert desk.shown().hand_edits
    desk.undo()
    assert () == desk.shown().hand_edits
    assert 1 == len(desk.shown().history)

    desk.undo()
    assert 0 == len(desk.shown().history)

    desk.redo()
    assert 1 == len(desk.shown().history)


def test_mending_refolds_and_tells_what_changed(session: Session) -> None:
    """Another action in the place of an old one keeps the later ones and names the differences."""
    desk = Desk(session)
    for place, value in (("figure:ann", "1"), ("figure:ben", "3"), ("figure:ann", "2")):
        desk.report(Place(place), value)
    desk.shown()
    entry = next(entry for entry in desk.alternatives(2) if entry.action == Act(BEN, "plain", 4))
    changes = desk.mend(2, entry)

    assert "ben at 4: plain 4" == desk.shown().history[1].text
    assert 3 == len(desk.shown().history)
    assert any("Lamps lit 0 → 1" in change for change in changes)


def test_mending_that_breaks_later_moves_changes_nothing(session: Session) -> None:
    """Where a later action no longer fits, mending is refused."""
    desk = Desk(session)
    for place, value in (("figure:ann", "1"), ("figure:ben", "3"), ("figure:ann", "2")):
        desk.report(Place(place), value)
    desk.shown()
    stay = next(entry for entry in desk.alternatives(1) if entry.action == Act(ANN, "plain", 0))
    before = desk.shown()
    with pytest.raises(RuleViolation):
        desk.mend(1, stay)

    assert before == desk.shown()


def test_what_cannot_be_seen_is_marked_uncertain(session: Session) -> None:
    """A place that no source reported is hatched on the twin."""
    desk = Desk(session)
    state = session.referee.state
    for seq in range(4):
        sight = sight_of(state, seq)
        del sight.observation.sightings[Place("cell:3")]  # type: ignore[attr-defined]
        desk.feed(sight.observation)

    assert Mark.UNCERTAIN is desk.shown().marks[Place("cell:3")]
    assert Place("cell:2") not in desk.shown().marks


def test_questions_can_be_answered_by_who_knows(session: Session) -> None:
    """At a simulated table its players answer: the second choice, without anybody at the window."""
    session.referee.enter(Act(ANN, "step", 1), Act(BEN, "step", 3), Act(ANN, "step", 2), Act(BEN, "step", 4))
    desk = Desk(dataclasses.replace(session, answer=lambda asked: len(asked.choices) - 1))
    see(desk, session)
    see(desk, session, {"box:2": ANN, "cell:2": "lit"}, first=10)

    assert "ann at 2: bright 2" == desk.shown().history[-1].text
    assert desk.shown().question is None


def test_who_knows_may_not_know(session: Session) -> None:
    """Without an answer the question stands."""
    session.referee.enter(Act(ANN, "step", 1), Act(BEN, "step", 3), Act(ANN, "step", 2), Act(BEN, "step", 4))
    desk = Desk(dataclasses.replace(session, answer=lambda _asked: None))
    see(desk, session)
    see(desk, session, {"box:2": ANN, "cell:2": "lit"}, first=10)

    assert desk.shown().question is not None


def test_a_misread_is_reported_in_one_file(session: Session, tmp_path: Path) -> None:
    """The zip holds what was seen lately and plays again to the same trouble."""
    desk = Desk(session)
    desk.report(Place("figure:ann"), "1")
    see(desk, session)
    see(desk, session, {"figure:ann": "4"}, first=10)
    desk.report_misread(tmp_path / "misread.zip")
    bundle = read_bundle(tmp_path / "misread.zip")

    assert bundle.decision == session.referee.decision.text
    assert bundle.pictures[-1].startswith(b"\xff\xd8")
    assert "OutOfStep" == replay(bundle, GAME)[-1].kind
    with pytest.raises(JournalError):
        desk.report_misread(tmp_path / "no" / "misread.zip")


def test_a_building_is_completed_by_turning_its_tile(tmp_path: Path) -> None:
    """Without camera and sensors every action is entered by what it changes; markers come off with the tile.

    The pile, which nobody enters, says nothing against it.
    """
    game = played_table(28, seed=1)
    session = city_session(tmp_path, game.header)
    desk = Desk(session)
    for action, (before, after) in zip(game.actions, pairwise(game.tables), strict=True):
        if isinstance(action, End):
            desk.enter(0)
        changed = [where for where, value in after.items() if before.get(where) != value]
        for where in changed:
            if where != "discard":
                desk.report(where, after[where])
    told = [past.action.__class__ for past in session.referee.history]
    session.referee.journal.close()

    assert [action.__class__ for action in game.actions] == told


def test_a_lost_referee_says_how_to_find_back(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the game went on unseen no rule was broken: the words say what to do about it."""
    lost = OutOfStep(rule="referee.lost", text="The game went on.", fixes=())
    monkeypatch.setattr(type(session.referee), "decision", lost)
    monkeypatch.setattr("ui.controller.controller._stands", lambda _decision, _prompts: True)
    trouble = Desk(session).shown().trouble

    assert trouble is not None
    assert "click what lies otherwise" in trouble.rule_text
