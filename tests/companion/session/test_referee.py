"""The referee: commits what the table surely shows, and what players do by hand, and forgets neither."""

import io
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.decision import Accepted, Ask, Decision, Fix, InStep, OutOfStep, Waiting
from companion.errors import JournalError, RuleViolation
from companion.game import Event, Json
from companion.observation import Expectation, Observation, Query, Sighting, Snapshot
from companion.prompts import PromptKind
from companion.reconcile.debounce import DebounceRules
from companion.record.game_record import read_record
from companion.session.journal import Journal
from companion.session.ledger import Ledger, export_record
from companion.session.referee import Referee
from companion.session.rulings import Rulings
from companion.session.update import Update
from companion.table import Place, Value, place
from tests.helpers.agreed_game import AgreedGame
from tests.helpers.toy_game import GAME, Act, Lamps, ToyGame
from tests.helpers.toy_play import HEADER, lookup, played

ToyReferee = Referee[Lamps, Act]
PREDICT = ToyGame.predict
STEP_1, STEP_3, LIGHT_1 = Act("ann", "step", 1), Act("ben", "step", 3), Act("ann", "plain", 1)


@pytest.fixture
def referee(tmp_path: Path) -> ToyReferee:
    """A referee over a fresh journal."""
    return Referee(GAME, Journal.create(tmp_path / "game", HEADER))


def after(*actions: Act) -> dict[Place, Value]:
    """Return the picture after these actions."""
    state = GAME.start(HEADER)
    for action in actions:
        state = GAME.apply(state, action)[0]
    return dict(GAME.predict(state))


def show(referee: ToyReferee, picture: Mapping[Place, Value], **more: object) -> Update[Act]:
    """Let the referee see a settled picture."""
    return referee.consider(Snapshot(picture=picture, **more))  # type: ignore[arg-type]


def reopened(referee: ToyReferee) -> ToyReferee:
    """Return a new referee over the same journal."""
    referee.journal.close()
    return Referee(GAME, Journal.open(referee.journal.path))


# -- the table ----------------------------------------------------------------------------------------


def test_a_legal_action_is_accepted_and_told(referee: ToyReferee) -> None:
    """What the table surely shows is committed, and everybody hears of it once."""
    heard: list[Update[Act]] = []
    referee.subscribe(heard.append)
    assert isinstance(show(referee, after()).decision, InStep)
    update = show(referee, after(STEP_1))
    show(referee, after(STEP_1))

    assert update.new_actions == (STEP_1,)
    assert isinstance(update.decision, Accepted)
    assert update.changed == {place("figure", "ann"): ("0", "1")}
    assert [each.new_actions for each in heard] == [(), (STEP_1,)]
    assert (referee.number, referee.turn_of, referee.state) == (
        1,
        "ben",
        GAME.apply(GAME.start(HEADER), STEP_1)[0],
    )


def test_several_actions_seen_at_once_are_one_decision(referee: ToyReferee) -> None:
    """A run is committed as a whole and taken back as a whole."""
    assert show(referee, after(STEP_1, STEP_3)).new_actions == (STEP_1, STEP_3)
    assert referee.undo().taken_back == (STEP_1, STEP_3)


def test_the_journal_has_it_before_anybody_hears(referee: ToyReferee) -> None:
    """When a listener is told, the entry is in the journal."""
    entries: list[int] = []
    referee.subscribe(lambda _: entries.append(len(referee.journal)))
    show(referee, after(STEP_1))

    assert entries == [1]


def test_a_journal_that_cannot_be_written_stops_the_commit(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the disk refuses, nothing is accepted or told; when it takes again, the same table is accepted."""
    heard: list[Update[Act]] = []
    referee.subscribe(heard.append)
    still = Observation(source="c", seq=1, seen_at_s=0.0)
    with monkeypatch.context() as patch:
        patch.setattr(referee.journal, "append", _refuse)
        with pytest.raises(JournalError):
            show(referee, after(STEP_1))
    assert (referee.number, heard) == (0, [])
    update = referee.feed(still)

    assert update is not None
    assert update.new_actions == (STEP_1,)


def _refuse(*_: object) -> None:
    raise JournalError("the disk is full")


def test_a_busy_or_contested_table_commits_nothing(referee: ToyReferee) -> None:
    """While a hand is over the table nothing is decided, and what stood before stands."""
    assert isinstance(show(referee, after(STEP_1), busy=True).decision, Waiting)
    show(referee, {**after(), place("figure", "ann"): "3"})
    prompts = referee.prompts
    show(referee, after(STEP_1), busy=True)

    assert referee.number == 0
    assert prompts == referee.prompts != ()


def test_contradicting_senses_are_a_question(referee: ToyReferee) -> None:
    """Both claims are offered; the players' answer is believed as long as the claims are the same."""
    where = place("figure", "ann")
    seen = {at: value for at, value in after().items() if at != where}
    asked = show(referee, seen, contested={where: ("0", "1")}).decision
    assert isinstance(asked, Ask)
    assert [choice.text for choice in asked.choices] == ["0", "1"]
    assert referee.choose(1).new_actions == (STEP_1,)
    show(referee, seen, contested={where: ("0", "1")})

    assert isinstance(referee.decision, InStep)


def test_observations_settle_before_they_count(referee: ToyReferee) -> None:
    """Single frames lead to nothing; the third agreeing one is an update."""
    sightings = {at: Sighting(place=at, value=value, confidence=0.99) for at, value in after(STEP_1).items()}
    frames = [Observation(source="c", seq=n, seen_at_s=n / 10, sightings=sightings) for n in range(6)]
    updates = [referee.feed(frame) for frame in frames]

    assert [update is not None for update in updates] == [False, False, True, False, False, False]
    assert referee.actions == (STEP_1,)


def _frames(picture: Mapping[Place, Value], first: int, read_for: int | None) -> list[Observation]:
    sightings = {
        where: Sighting(place=where, value=value, confidence=0.99) for where, value in picture.items()
    }
    return [
        Observation(source="c", seq=seq, seen_at_s=seq / 10, sightings=sightings, read_for=read_for)
        for seq in range(first, first + 4)
    ]


def test_what_was_read_for_a_state_left_behind_is_passed_over(referee: ToyReferee) -> None:
    """A change meanwhile is allowed, two are not; whoever expected nothing is always heard."""
    other = Act("ann", "plain", 0)
    begun = referee.expectation
    referee.enter(STEP_1)
    for frame in _frames(after(STEP_1), 0, begun.revision):
        referee.feed(frame)
    heard = referee.snapshot
    referee.undo()
    for frame in _frames(after(other), 10, begun.revision):
        assert referee.feed(frame) is None

    assert heard is not None
    assert (begun.picture, begun.revision) == (after(), 0)
    assert referee.expectation == Expectation(picture=after(), revision=2)
    assert referee.snapshot is heard
    assert any(referee.feed(frame) for frame in _frames(after(other), 20, None))


def test_no_photograph_is_passed_over(tmp_path: Path) -> None:
    """The next one shows another table, so each must be heard however long it took."""
    referee: ToyReferee = Referee(GAME, Journal.create(tmp_path / "g", HEADER), DebounceRules.for_stills())
    begun = referee.expectation.revision
    for _ in range(2):
        referee.enter(STEP_1)
        referee.undo()

    assert referee.feed(_frames(after(), 0, begun)[0]) is not None


def test_the_revision_is_the_same_after_resuming(referee: ToyReferee) -> None:
    """It is folded from the journal like the state."""
    referee.enter(STEP_1)
    referee.attach(b"picture", {"kind": "picture"})
    referee.undo()
    referee.redo()
    then = referee.expectation

    assert then.revision == 3
    assert then == reopened(referee).expectation


def test_glimpses_are_kept_until_the_table_and_the_game_agree(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was glimpsed before a look that could not be explained may explain the next one."""
    heard: list[Mapping[Place, Mapping[Value, int]]] = []
    explain = GAME.explain

    def listening(state: Lamps, seen: Query) -> Decision[Act]:
        heard.append(seen.glimpsed)
        return explain(state, seen)

    monkeypatch.setattr(referee.game, "explain", listening)
    ann, ben = place("figure", "ann"), place("figure", "ben")
    show(referee, {**after(), ann: "9"}, glimpsed={ann: {"2": 3}})
    show(referee, {**after(), ann: "8"}, glimpsed={ann: {"2": 1}, ben: {"4": 5}})
    show(referee, after())
    heard_then = heard[-1]
    show(referee, {**after(), ann: "9"})

    assert heard_then == {ann: {"2": 4}, ben: {"4": 5}}
    assert heard[-1] == {}


def test_nothing_is_watched_after_the_end(referee: ToyReferee) -> None:
    """When the game is over, pieces may be packed away."""
    actions, _ = played(1)
    referee.enter(*actions)
    show(referee, {place("figure", "ann"): None})

    assert isinstance(referee.decision, InStep)
    assert referee.result == GAME.result(referee.state)
    with pytest.raises(RuleViolation, match="over"):
        referee.enter(STEP_1)


# -- prompts ------------------------------------------------------------------------------------------


def kinds(referee: ToyReferee) -> list[PromptKind]:
    """Return the kinds of the open prompts."""
    return [prompt.kind for prompt in referee.prompts]


def late_flip() -> dict[Place, Value]:
    """Return the table after ann lit lamp 1, still lying on its dark side."""
    return {**after(STEP_1, STEP_3, LIGHT_1), place("cell", 1): "dark"}


def test_housekeeping_is_closed_by_the_table(referee: ToyReferee) -> None:
    """What is still to be flipped stays open until the table shows it flipped."""
    show(referee, after(STEP_1, STEP_3))
    update = show(referee, late_flip())
    assert isinstance(update.decision, Accepted)
    assert [fix.wanted for fix in update.decision.pending] == ["lit"]
    assert kinds(referee) == [PromptKind.REWARD, PromptKind.HOUSEKEEPING, PromptKind.TURN]
    closed = show(referee, after(STEP_1, STEP_3, LIGHT_1)).closed

    assert [prompt.kind for prompt in closed] == [PromptKind.HOUSEKEEPING]
    assert kinds(referee) == [PromptKind.REWARD, PromptKind.TURN]


def test_what_is_done_already_is_never_asked_for(referee: ToyReferee) -> None:
    """A lamp that was flipped with the action needs no prompt."""
    show(referee, after(STEP_1, STEP_3))
    update = show(referee, after(STEP_1, STEP_3, LIGHT_1))

    assert PromptKind.HOUSEKEEPING not in [prompt.kind for prompt in update.opened]


def test_a_remembered_place_does_not_close_a_prompt(referee: ToyReferee) -> None:
    """Only what is seen just now shows that work is done."""
    show(referee, after(STEP_1, STEP_3))
    show(referee, late_flip())
    show(referee, after(STEP_1, STEP_3, LIGHT_1), unseen=frozenset({place("cell", 1)}))

    assert PromptKind.HOUSEKEEPING in kinds(referee)


def test_prompts_are_confirmed_for_good(referee: ToyReferee) -> None:
    """A confirmed prompt stays closed, also after a restart; an unknown one cannot be confirmed."""
    show(referee, after(STEP_1, STEP_3))
    show(referee, late_flip())
    (reward,) = (prompt for prompt in referee.prompts if prompt.kind is PromptKind.REWARD)

    assert referee.confirm(reward.id).closed == (reward,)
    assert kinds(reopened(referee)) == [PromptKind.HOUSEKEEPING, PromptKind.TURN]
    with pytest.raises(RuleViolation, match="already closed"):
        referee.confirm(reward.id)


def test_prompts_are_played_over(referee: ToyReferee) -> None:
    """Of the turn's news only the newest stands, and rewards nobody confirms fade after two turns."""
    show(referee, after(STEP_1, STEP_3, LIGHT_1))
    assert kinds(referee) == [PromptKind.REWARD, PromptKind.TURN]
    show(referee, after(STEP_1, STEP_3, LIGHT_1, Act("ben", "step", 2)))
    assert kinds(referee) == [PromptKind.REWARD, PromptKind.TURN]
    show(referee, after(STEP_1, STEP_3, LIGHT_1, Act("ben", "step", 2), Act("ann", "step", 0)))

    assert kinds(referee) == [PromptKind.TURN]


def test_a_violation_names_rule_and_fixes_until_it_is_mended(referee: ToyReferee) -> None:
    """What is out of step is told once, in words, and closed by putting it right."""
    show(referee, after())
    update = show(referee, {**after(), place("figure", "ann"): "3"})
    (violation,) = update.opened
    again = show(referee, {**after(), place("figure", "ann"): "3"})
    closed = show(referee, after()).closed

    assert isinstance(update.decision, OutOfStep)
    assert (violation.kind, violation.rule) == (PromptKind.VIOLATION, "step.far")
    assert violation.text.splitlines() == [
        "That cannot be.",
        "A step goes to a neighbouring lamp.",
        "figure:ann: 0",
    ]
    assert (again.opened, closed) == ((), (violation,))
    assert referee.number == 0


def test_a_violation_is_not_lifted_by_what_is_merely_hidden(referee: ToyReferee) -> None:
    """Ann went too far while ben stood still; that somebody stands before ben now explains nothing."""
    far = {**after(), place("figure", "ann"): "2"}
    ben = place("figure", "ben")
    named = show(referee, far).decision
    hidden = show(referee, far, unseen=frozenset({ben})).decision
    number = referee.number
    moved = show(referee, {**far, ben: "3"}).decision

    assert isinstance(named, OutOfStep)
    assert hidden == named
    assert number == 0
    assert isinstance(moved, Accepted)


def test_the_game_may_go_on_while_what_proved_a_violation_is_hidden(referee: ToyReferee) -> None:
    """Something else has changed since: what is hidden is no longer known to be as it was."""
    ann, ben = place("figure", "ann"), place("figure", "ben")
    show(referee, {**after(), ann: "3"})
    update = show(referee, {**after(), ann: "2"}, unseen=frozenset({ben}))

    assert isinstance(update.decision, Accepted)


def test_what_is_hidden_from_the_start_may_have_moved(referee: ToyReferee) -> None:
    """Where no fault was named before, ben may have moved unseen between ann's two steps."""
    far = {**after(), place("figure", "ann"): "2"}

    assert isinstance(show(referee, far, unseen=frozenset({place("figure", "ben")})).decision, Accepted)


def test_a_dismissed_violation_stays_away_until_the_table_changes(referee: ToyReferee) -> None:
    """Dismissing closes the prompt; the same table does not bring it back, another one does."""
    wrong = {**after(), place("figure", "ann"): "3"}
    show(referee, wrong)
    referee.dismiss()
    show(referee, wrong)
    assert referee.prompts == ()
    show(referee, {**after(), place("figure", "ann"): "4"})

    assert kinds(referee) == [PromptKind.VIOLATION]


def test_a_table_accepted_as_it_lies_is_not_argued_with(referee: ToyReferee) -> None:
    """A misread place is left out until it is read otherwise; the game goes on around it."""
    wrong = {**after(), place("box", 4): "ann"}
    show(referee, wrong)
    referee.accept_as_is()
    assert isinstance(referee.decision, InStep)
    assert show(referee, {**wrong, place("figure", "ann"): "1"}).new_actions == (STEP_1,)
    show(referee, after(STEP_1))

    assert isinstance(show(referee, {**after(STEP_1), place("box", 4): "ann"}).decision, OutOfStep)


def test_one_misread_place_is_let_lie_and_the_rest_is_judged_again(referee: ToyReferee) -> None:
    """The step beside it counts at once; of all that differs only that place is misread."""
    misread = place("box", 3)
    show(referee, {**after(STEP_1), misread: "ann"})
    assert isinstance(referee.decision, OutOfStep)

    assert referee.accept_as_is(misread).new_actions == (STEP_1,)
    assert referee.line.rulings.misread == {misread: "ann"}


def test_a_place_that_is_as_the_game_has_it_overrules_no_other(referee: ToyReferee) -> None:
    """Named by itself it leaves no trace, whatever else differs."""
    show(referee, {**after(), place("box", 3): "ann"})
    referee.accept_as_is(place("box", 0))

    assert isinstance(referee.decision, OutOfStep)
    assert journalled(referee) == []


def test_what_is_complained_of_is_what_was_misread(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the violation names some places and lets others be, these are not misread with them."""
    misread = place("box", 3)
    named = ToyGame._odd

    def boxes_alone(self: ToyGame, turn: str, fixes: tuple[Fix, ...]) -> Decision[Act]:
        return named(self, turn, tuple(fix for fix in fixes if fix.place == misread))

    monkeypatch.setattr(ToyGame, "_odd", boxes_alone)
    show(referee, {**after(STEP_1), misread: "ann"})

    assert referee.accept_as_is().new_actions == (STEP_1,)
    assert referee.line.rulings.misread == {misread: "ann"}


def journalled(referee: ToyReferee) -> list[str]:
    """Return the kinds of the journal's entries."""
    return [entry.kind for entry in referee.journal.entries()]


def test_a_table_accepted_as_it_lies_is_so_after_a_restart(referee: ToyReferee) -> None:
    """And nothing else is forgiven; what is read otherwise meanwhile is compared again."""
    odd = {**after(), place("figure", "ann"): "3"}
    show(referee, odd)
    referee.accept_as_is()
    referee = reopened(referee)
    assert isinstance(show(referee, odd).decision, InStep)
    worse = show(referee, {**odd, place("figure", "ben"): "1"}).decision
    show(referee, after())
    referee = reopened(referee)

    assert isinstance(worse, OutOfStep)
    assert isinstance(show(referee, odd).decision, OutOfStep)
    assert journalled(referee) == ["ruling", "ruling"]


def test_accepting_a_table_as_it_lies_can_be_taken_back(referee: ToyReferee) -> None:
    """The fault is named again at once, now and after a restart; redo forgives it again."""
    odd = {**after(), place("figure", "ann"): "3"}
    show(referee, odd)
    referee.accept_as_is()
    assert referee.can_undo
    assert isinstance(referee.undo().decision, OutOfStep)
    assert isinstance(referee.redo().decision, InStep)
    referee.undo()
    referee = reopened(referee)

    assert isinstance(show(referee, odd).decision, OutOfStep)
    assert isinstance(referee.redo().decision, InStep)


def test_what_needs_no_ruling_is_none(referee: ToyReferee) -> None:
    """Accepting a table that agrees, or one that nobody has seen, leaves no trace."""
    referee.accept_as_is()
    show(referee, after())
    referee.accept_as_is()

    assert journalled(referee) == []
    assert not referee.can_undo


def test_which_sense_is_right_is_known_after_a_restart(referee: ToyReferee) -> None:
    """As long as the claims are the same."""
    seen = {where: value for where, value in after().items() if where != place("figure", "ann")}
    where = place("figure", "ann")
    show(referee, seen, contested={where: ("0", "1")})
    accepted = referee.choose(1).new_actions
    referee = reopened(referee)

    assert accepted == (STEP_1,)
    assert isinstance(show(referee, seen, contested={where: ("0", "1")}).decision, InStep)
    assert isinstance(show(referee, seen, contested={where: ("0", "2")}).decision, Ask)


def test_what_was_taken_back_is_not_accepted_after_a_restart(referee: ToyReferee) -> None:
    """The same table brings nothing; put back and played anew it is accepted, also after another restart."""
    show(referee, after())
    show(referee, after(STEP_1))
    referee.undo()
    referee = reopened(referee)
    held = show(referee, after(STEP_1))
    show(referee, after())
    referee = reopened(referee)
    again = show(referee, after(STEP_1))

    assert (held.new_actions, again.new_actions) == ((), (STEP_1,))
    assert isinstance(held.decision, Waiting)


def test_a_corrected_misreading_is_known_after_a_restart(referee: ToyReferee) -> None:
    """The table that was misread is the game's still."""
    show(referee, after())
    show(referee, after(STEP_1))
    referee.correct(1, [Act("ann", "plain", 0)])
    before = referee.decision
    referee = reopened(referee)

    assert show(referee, after(STEP_1)).new_actions == ()
    assert type(referee.decision) is type(before)


def test_a_ruling_that_cannot_be_written_is_none(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault stands as if nobody had said anything."""
    show(referee, {**after(), place("figure", "ann"): "3"})
    with monkeypatch.context() as patch:
        patch.setattr(referee.journal, "append", _refuse)
        with pytest.raises(JournalError):
            referee.accept_as_is()

    assert isinstance(referee.decision, OutOfStep)
    assert referee.line.rulings == Rulings()


def test_a_referee_that_is_left_behind_says_so(referee: ToyReferee, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting lasts for some tables only; when the game goes on without it the referee is not silent."""
    show(referee, after())
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "explain", lambda *_: Waiting(text="The wheel is hidden."))
        for number in range(5):
            moved = {**after(), place("figure", "ann"): str(number)}
            assert isinstance(show(referee, moved).decision, Waiting)
            assert isinstance(show(referee, moved).decision, Waiting)
        lost = show(referee, {**after(), place("figure", "ann"): "9"}).decision
    assert isinstance(lost, OutOfStep)
    assert lost.rule == "referee.lost"
    assert "The wheel is hidden." in referee.prompts[0].text

    assert isinstance(show(referee, after()).decision, InStep)


@pytest.mark.parametrize("doubted", [frozenset({place("box", 4)}), frozenset[Place]()])
def test_what_surely_changed_out_of_sight_is_not_taken_as_unchanged(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch, doubted: frozenset[Place]
) -> None:
    """Waited for in vain, an unseen box counts as it was seen last, but not with something on it."""
    show(referee, after())

    def explain(_: object, state: Lamps, seen: Query) -> Decision[Act]:
        if state.count:
            return InStep()
        return Accepted(actions=(STEP_1,)) if seen.trusting else Waiting(text="The box is hidden.")

    unseen = frozenset({place("box", 4)})
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "explain", explain)
        for number in range(6):
            moved = {**after(), place("figure", "ann"): str(number)}
            show(referee, moved, unseen=unseen, doubted=doubted)

    assert [*referee.actions] == ([] if doubted else [STEP_1])


@pytest.mark.parametrize(("left", "value"), [("0", None), ("2", "2")])
def test_a_piece_that_has_left_where_the_game_has_it_is_nowhere(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch, left: str, value: str | None
) -> None:
    """Where the game has it elsewhere by now, that it left tells nothing."""
    seen: list[Query] = []

    def explain(_: object, state: Lamps, query: Query) -> Decision[Act]:
        del state
        seen.append(query)
        return InStep()

    monkeypatch.setattr(type(GAME), "explain", explain)
    figure = place("figure", "ann")
    assert referee.expectation.picture[figure] == "0"

    show(referee, {**after(), figure: left}, unseen=frozenset({figure}), doubted=frozenset({figure}))

    assert seen
    assert [query.picture.get(figure, value) for query in seen] == [value] * len(seen)
    assert (figure in seen[-1].picture) is (value is None)


@pytest.mark.parametrize("has_waited", [True, False])
def test_nobody_is_blamed_for_what_was_waited_for_in_vain(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch, *, has_waited: bool
) -> None:
    """Once it was waited for, a table that is legal if nothing changed out of sight is believed."""
    show(referee, after())

    def explain(_: object, state: Lamps, seen: Query) -> Decision[Act]:
        if state.count:
            return InStep()
        if seen.trusting:
            return Accepted(actions=(STEP_1,))
        is_first = seen.picture[place("figure", "ann")] == "3"
        return Waiting(text="The box is hidden.") if is_first else OutOfStep(rule="step.too_far", text="")

    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "explain", explain)
        if has_waited:
            assert isinstance(show(referee, {**after(), place("figure", "ann"): "3"}).decision, Waiting)
        show(referee, {**after(), place("figure", "ann"): "4"})

    assert [*referee.actions] == ([STEP_1] if has_waited else [])


@pytest.mark.parametrize("is_on_the_way", [True, False])
def test_what_was_waited_at_must_lie_on_the_way(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch, *, is_on_the_way: bool
) -> None:
    """A run that never passes through the table that was waited at is asked about, not believed."""
    show(referee, after())
    figure = place("figure", "ben" if is_on_the_way else "ann")
    waited = {**after(STEP_1), figure: "4" if is_on_the_way else "3"}

    def explain(_: object, state: Lamps, seen: Query) -> Decision[Act]:
        if state.count:
            return InStep()
        if seen.picture == waited:
            return Waiting(text="The lamp is hidden.")
        return Accepted(actions=(STEP_1, STEP_3))

    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "explain", explain)
        assert isinstance(show(referee, waited).decision, Waiting)
        decision = show(referee, after(STEP_1, STEP_3)).decision

    assert isinstance(decision, Accepted if is_on_the_way else Ask)
    assert [*referee.actions] == ([STEP_1, STEP_3] if is_on_the_way else [])


def test_a_table_with_a_fault_before_the_one_waited_at_may_lie_beside_the_way(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensors feel some pieces a little before others: what was named then has been put right."""
    show(referee, after())
    faulty = {**after(), place("figure", "ann"): "3"}
    waited = {**after(STEP_1), place("figure", "ben"): "4"}

    def explain(_: object, state: Lamps, seen: Query) -> Decision[Act]:
        if state.count:
            return InStep()
        if seen.picture == faulty:
            return OutOfStep(rule="step.too_far", text="")
        return Waiting(text="") if seen.picture == waited else Accepted(actions=(STEP_1, STEP_3))

    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "explain", explain)
        named = [type(show(referee, table).decision) for table in (faulty, waited)]
        decision = show(referee, after(STEP_1, STEP_3)).decision

    assert [OutOfStep, Waiting] == named
    assert isinstance(decision, Accepted)
    assert [STEP_1, STEP_3] == [*referee.actions]


# -- questions ----------------------------------------------------------------------------------------

TO_THE_MIDDLE = (STEP_1, STEP_3, Act("ann", "step", 2), Act("ben", "step", 4))
BRIGHT = Act("ann", "bright", 2)


def perhaps(chance: float, **values: Value) -> dict[Place, Sighting]:
    """Return what is likely of places, named as in ``figure_ann``."""
    likely = {Place(name.replace("_", ":")): value for name, value in values.items()}
    return {at: Sighting(place=at, value=value, confidence=chance) for at, value in likely.items()}


def without(picture: Mapping[Place, Value], *hidden: str) -> dict[Place, Value]:
    """Return a picture without some places, named as in ``figure:ann``."""
    return {at: value for at, value in picture.items() if at not in hidden}


@pytest.mark.parametrize(("chance", "accepted"), [(0.9, 2), (0.6, 0)])
def test_what_is_likely_counts_where_only_that_explains_the_table(
    referee: ToyReferee, chance: float, accepted: int
) -> None:
    """Ann went one way or the other before ben went on: nobody sees her, but she is likely there."""
    show(referee, after(STEP_1, STEP_3))
    onwards = Act("ann", "step", 2), Act("ben", "plain", 3)
    seen = without(after(STEP_1, STEP_3, *onwards), "figure:ann")
    assert isinstance(show(referee, seen).decision, Waiting)
    show(referee, seen, likely=perhaps(chance, figure_ann="2"))

    assert referee.actions == (STEP_1, STEP_3, *onwards)[: 2 + accepted]
    assert isinstance(referee.decision, InStep if accepted else Waiting)


@pytest.mark.parametrize(
    ("arriving", "was_there", "accepted"), [(False, False, 2), (True, False, 0), (True, True, 2)]
)
def test_that_a_piece_has_come_to_the_table_is_not_supposed(
    referee: ToyReferee,
    monkeypatch: pytest.MonkeyPatch,
    *,
    arriving: bool,
    was_there: bool,
    accepted: int,
) -> None:
    """It would explain almost any table; one that was there before must be somewhere."""
    ann = place("figure", "ann")

    def predict(_: ToyGame, state: Lamps) -> dict[Place, Value]:
        picture = dict(PREDICT(GAME, state))
        return picture if was_there else {**picture, ann: None if state.at["ann"] == 1 else picture[ann]}

    monkeypatch.setattr(ToyGame, "arriving_kinds", frozenset({"figure"} if arriving else ()))
    show(referee, after(STEP_1, STEP_3))
    onwards = Act("ann", "step", 2), Act("ben", "plain", 3)
    seen = without(after(STEP_1, STEP_3, *onwards), "figure:ann")
    monkeypatch.setattr(ToyGame, "predict", predict)
    show(referee, seen, likely=perhaps(0.9, figure_ann="2"))

    assert referee.actions == (STEP_1, STEP_3, *onwards)[: 2 + accepted]


@pytest.mark.parametrize(("waits", "is_asked"), [(4, False), (5, True)])
def test_a_run_of_several_turns_is_asked_about_after_many_tables_without_an_explanation(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch, waits: int, *, is_asked: bool
) -> None:
    """Nobody saw the turn in the middle of it."""
    waited, run = place("card", 0), (STEP_1, STEP_3, Act("ann", "step", 0), Act("ben", "step", 2))

    def explain(_: ToyGame, state: Lamps, seen: Query) -> Decision[Act]:
        if waited in seen.picture:
            return Waiting(text="")
        return InStep() if state.count else Accepted(actions=run)

    monkeypatch.setattr(ToyGame, "ends_turn", lambda _, action: action.player == "ben")
    monkeypatch.setattr(ToyGame, "explain", explain)
    for number in range(waits):
        show(referee, {**after(), waited: str(number)})
    decision = show(referee, after(*run)).decision

    assert isinstance(decision, Ask) is is_asked
    assert referee.actions == (() if is_asked else run)
    if is_asked:
        referee.choose(0)
        assert referee.actions == run


def test_before_the_referee_is_lost_it_asks_about_what_is_likely(referee: ToyReferee) -> None:
    """Table after table is waited at; then the players are asked, with less that speaks for it."""
    show(referee, after(STEP_1, STEP_3))
    onwards = Act("ann", "step", 2), Act("ben", "plain", 3)
    seen = without(after(STEP_1, STEP_3, *onwards), "figure:ann")
    likely = perhaps(0.6, figure_ann="2")
    for number in range(5):
        show(referee, {**seen, place("card", 0): str(number)}, likely=likely)
        assert isinstance(referee.decision, Waiting)
    asked = show(referee, {**seen, place("card", 0): "last"}, likely=likely).decision

    assert isinstance(asked, Ask)
    assert [choice.actions for choice in asked.choices] == [onwards, ()]
    referee.choose(0)
    assert referee.actions == (STEP_1, STEP_3, *onwards)


LIT = Act("ann", "plain", 0)


@pytest.mark.parametrize(
    ("likely", "roaming", "accepted"),
    [
        (perhaps(0.9, box_0="ann"), (), (LIT,)),
        (perhaps(0.7, box_0="ann"), (), ()),
        (perhaps(0.9, figure_ann="1"), (), (STEP_1,)),
        (perhaps(0.9, figure_ann="1"), ("figure",), ()),
        (perhaps(0.9, box_0="ann", figure_ann="0"), ("figure",), (LIT,)),
        (perhaps(0.9, box_0="ann", figure_ann="3"), ("figure",), ()),  # who stands there has not lit it
    ],
)
def test_on_a_table_that_agrees_what_is_likely_may_be_played_already(
    referee: ToyReferee,
    monkeypatch: pytest.MonkeyPatch,
    likely: dict[Place, Sighting],
    roaming: tuple[str, ...],
    accepted: tuple[Act, ...],
) -> None:
    """But what roams may be taken for another that does, and nothing is played from where nobody stands."""
    monkeypatch.setattr(ToyGame, "roaming_kinds", frozenset(roaming))
    show(referee, after())
    show(referee, without(after(), "box:0", "cell:0", "figure:ann"), likely=likely)

    assert referee.actions == accepted
    assert isinstance(referee.decision, InStep)


@pytest.mark.parametrize("right", [0, 1])
def test_where_what_is_likely_speaks_for_something_else_the_players_are_asked(
    referee: ToyReferee, right: int
) -> None:
    """Once: what the answer proves wrong is not held against the table again."""
    lit = LIT, STEP_3, STEP_1
    likely = perhaps(0.9, box_0="ann", figure_ben="3")
    seen = without(after(STEP_1), "box:0", "cell:0", "figure:ben")
    show(referee, after())
    asked = show(referee, seen, likely=likely).decision

    assert isinstance(asked, Ask)
    assert [choice.actions for choice in asked.choices] == [lit, (STEP_1,)]
    assert isinstance(referee.choose(right).decision, InStep)
    shown = show(referee, {**seen, place("card", 0): "new"}, likely=likely)
    assert isinstance(shown.decision, InStep)
    assert referee.actions == (lit, (STEP_1,))[right]


@pytest.mark.parametrize(
    ("before", "now", "is_asked"),
    [
        (perhaps(0.6, box_0="ann"), {}, True),
        (perhaps(0.6, box_0="ann"), perhaps(0.6, box_0="ann"), False),
        ({}, perhaps(0.6, box_0="ann"), False),
        (perhaps(0.6, figure_ben="3"), {}, False),
        (perhaps(0.6, box_99="ann"), {}, False),  # of a building that was turned over earlier
    ],
)
def test_what_was_likely_on_the_way_must_have_its_place(
    referee: ToyReferee,
    monkeypatch: pytest.MonkeyPatch,
    before: dict[Place, Sighting],
    now: dict[Place, Sighting],
    *,
    is_asked: bool,
) -> None:
    """A marker that likely lay there, and now does not, was not played if the run has no place for it."""
    monkeypatch.setattr(ToyGame, "roaming_kinds", frozenset({"figure"}))
    show(referee, without(after(), "box:0", "figure:ben"), likely=before)
    decision = show(referee, after(STEP_1), likely=now).decision

    assert isinstance(decision, Ask) is is_asked
    assert referee.actions == (() if is_asked else (STEP_1,))


def walk(referee: ToyReferee) -> None:
    """Play until ann stands at the middle lamp and it is her turn."""
    show(referee, after(*TO_THE_MIDDLE[:2]))
    show(referee, after(*TO_THE_MIDDLE))


def test_a_question_is_answered(referee: ToyReferee) -> None:
    """Two explanations that differ are asked for, and the answer is committed and journalled."""
    walk(referee)
    asked = show(referee, after(*TO_THE_MIDDLE, BRIGHT))
    assert isinstance(asked.decision, Ask)
    assert kinds(referee) == [PromptKind.QUESTION, PromptKind.TURN]
    answered = referee.choose(1)

    assert answered.new_actions == (BRIGHT,)
    assert PromptKind.QUESTION in [prompt.kind for prompt in answered.closed]
    assert referee.questions == 1
    assert isinstance(referee.decision, InStep)
    assert reopened(referee).actions == (*TO_THE_MIDDLE, BRIGHT)


def told_at_once(run: tuple[Act, ...]) -> Callable[[ToyGame, Lamps, Query], Decision[Act]]:
    """Return an `explain` by which any table means the run at the start, and nothing later."""

    def explain(game: ToyGame, state: Lamps, seen: Query) -> Decision[Act]:
        del game, seen
        return InStep() if state.count else Accepted(actions=run)

    return explain


def test_much_at_once_is_asked_about_where_looks_on_the_way_show_something_else(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long run that explains the table now is no more than likely if it does not explain what was seen."""
    show(referee, after())
    run = (*TO_THE_MIDDLE, BRIGHT)
    figures = (place("figure", "ann"), place("figure", "ben"))
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "explain", lambda *_: Waiting(text="What happened?"))
        show(referee, {**after(), figures[1]: "0"})
        show(referee, {**after(), figures[0]: "4", figures[1]: "0"})
        patch.setattr(type(GAME), "explain", told_at_once(run))
        asked = show(referee, after(*run)).decision
        assert isinstance(asked, Ask)
        assert [choice.actions for choice in asked.choices] == [run, ()]
        assert referee.choose(0).new_actions == run


def test_much_at_once_is_taken_where_looks_lie_on_its_way(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables on the way that could not be explained by themselves speak for the run that passes them."""
    show(referee, after())
    run = (*TO_THE_MIDDLE, BRIGHT)
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "explain", lambda *_: Waiting(text="What happened?"))
        show(referee, after(*run[:1]))
        show(referee, after(*run[:3]))
        patch.setattr(type(GAME), "explain", told_at_once(run))
        assert show(referee, after(*run)).new_actions == run


@pytest.mark.parametrize("is_still_there", [True, False])
def test_what_is_still_there_speaks_against_no_run_that_explains_the_table(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch, *, is_still_there: bool
) -> None:
    """A tile that is to be turned over shows its old side on the way, and does so still."""
    show(referee, after())
    run = (*TO_THE_MIDDLE, BRIGHT)
    late: dict[Place, Value] = {place("figure", "ben"): "0"}
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "explain", lambda *_: Waiting(text="What happened?"))
        show(referee, {**after(*run[:1]), **late})
        show(referee, {**after(*run[:3]), **late})
        patch.setattr(type(GAME), "explain", told_at_once(run))
        shown = show(referee, {**after(*run), **(late if is_still_there else {})})
        assert shown.new_actions == (run if is_still_there else ())
        assert isinstance(shown.decision, Ask) is not is_still_there


def test_a_question_goes_when_the_table_moves_on(referee: ToyReferee) -> None:
    """A question about a table that is no longer there is closed and cannot be answered."""
    walk(referee)
    show(referee, after(*TO_THE_MIDDLE, BRIGHT))
    closed = show(referee, after(*TO_THE_MIDDLE)).closed

    assert [prompt.kind for prompt in closed] == [PromptKind.QUESTION]
    with pytest.raises(RuleViolation, match="no question"):
        referee.choose(0)


def test_a_senseless_answer_is_refused(referee: ToyReferee) -> None:
    """Only the answers that were offered count."""
    walk(referee)
    show(referee, after(*TO_THE_MIDDLE, BRIGHT))
    with pytest.raises(RuleViolation, match="answer 3"):
        referee.choose(2)


# -- taking back --------------------------------------------------------------------------------------


def test_what_was_taken_back_is_not_accepted_from_the_same_table(referee: ToyReferee) -> None:
    """After undo the unchanged table waits; put back it is in step; played again it is accepted again."""
    show(referee, after())
    show(referee, after(STEP_1))
    assert referee.undo().taken_back == (STEP_1,)
    assert isinstance(referee.decision, Waiting)
    show(referee, after(STEP_1), seen_at_s=9.0)
    assert referee.number == 0
    assert isinstance(show(referee, after()).decision, InStep)

    assert show(referee, after(STEP_1)).new_actions == (STEP_1,)


def test_redo_brings_it_back(referee: ToyReferee) -> None:
    """Redo is the inverse of undo, and a new action ends it."""
    show(referee, after(STEP_1))
    referee.undo()
    assert referee.redo().new_actions == (STEP_1,)
    assert isinstance(referee.decision, InStep)
    referee.undo()
    show(referee, after())
    show(referee, after(Act("ann", "plain", 0)))

    assert not referee.can_redo
    for empty in (referee.redo, referee.undo, referee.undo):
        if empty == referee.redo or not referee.can_undo:
            with pytest.raises(RuleViolation, match="nothing"):
                empty()
        else:
            empty()


def test_undo_before_anything_is_seen_waits_for_a_change(referee: ToyReferee) -> None:
    """After a restart, the first table seen counts as the one that was taken back."""
    show(referee, after(STEP_1))
    second = reopened(referee)
    second.undo()
    show(second, after(STEP_1))
    show(second, after(STEP_1))

    assert second.number == 0


def test_pieces_put_back_take_the_action_back(referee: ToyReferee) -> None:
    """A table that shows an earlier moment, and that no legal action explains, is a take-back."""
    show(referee, after(STEP_1, STEP_3))
    show(referee, after(STEP_1, STEP_3, LIGHT_1))
    update = show(referee, after(STEP_1, STEP_3))

    assert update.taken_back == (LIGHT_1,)
    assert isinstance(update.decision, InStep)
    assert referee.undo().new_actions == (LIGHT_1,)


def test_a_move_not_yet_on_the_table_is_no_take_back(referee: ToyReferee) -> None:
    """What was entered by hand is waited for, not taken back because the table is still as it was."""
    show(referee, after())
    referee.enter(STEP_1, STEP_3, LIGHT_1)
    for picture in (after(), after(STEP_1), {**after(), place("box", 1): "ann"}):
        assert isinstance(show(referee, picture).decision, Waiting)
    assert isinstance(show(referee, after(STEP_1, STEP_3, LIGHT_1)).decision, InStep)
    assert referee.number == 3

    assert show(referee, after(STEP_1, STEP_3)).taken_back == (LIGHT_1,)


def test_a_mind_changed_while_walking_is_one_move(
    referee: ToyReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the game says that an action may still be played otherwise, the table rewrites it."""
    monkeypatch.setattr(type(GAME), "is_revisable", lambda *told: told[-1].do == "step")
    show(referee, after())
    show(referee, after(STEP_1))
    update = show(referee, {**after(), place("box", 0): "ann", place("cell", 0): "lit"})

    assert update.taken_back == (STEP_1,)
    assert update.new_actions == (Act("ann", "plain", 0),)


def test_remembered_places_do_not_contradict_what_changed_since(referee: ToyReferee) -> None:
    """A place covered since before the last action is unknown, not wrong."""
    show(referee, after(STEP_1, STEP_3))
    referee.enter(LIGHT_1)
    covered = {place("cell", 1), place("box", 1)}
    update = show(referee, after(STEP_1, STEP_3), unseen=frozenset(covered))

    assert not isinstance(update.decision, OutOfStep)


class PassingGame(ToyGame):
    """Lamps in which lighting leaves the turn, and passing ends it; explained by the first run that fits."""

    def apply(self, state: Lamps, action: Act) -> tuple[Lamps, tuple[Event, ...]]:
        """Apply the action; lighting is free."""
        if action.do != "pass":
            after, events = super().apply(state, action)
            return (after if action.do == "step" else replace(after, count=state.count)), events
        if action.player != self.turn_of(state):
            raise RuleViolation("turn.other")
        return replace(state, count=state.count + 1), ()

    def legal_actions(self, state: Lamps) -> Iterable[Act]:
        """Passing comes first."""
        return [Act(str(self.turn_of(state)), "pass", 0), *super().legal_actions(state)]

    def format_action(self, action: Act) -> Json:
        """A pass has no line of its own: it is written as it is."""
        return {"player": action.player, "do": action.do, "to": action.to}

    def explain(self, state: Lamps, seen: Query) -> Decision[Act]:
        """Accept the first of the shortest runs that fit."""
        runs: list[tuple[tuple[Act, ...], Lamps]] = [((), state)]
        for _ in range(3):
            for run, last in runs:
                if not self._fixes(last, seen):
                    return Accepted(actions=run) if run else InStep()
            runs = [
                ((*run, a), self.apply(last, a)[0]) for run, last in runs for a in self.legal_actions(last)
            ]
        return self._odd(str(self.turn_of(state)), self._fixes(state, seen))


HIDDEN = frozenset({place("cell", 0), place("box", 0)})


@pytest.mark.parametrize("hidden", [HIDDEN, frozenset[Place]()])
def test_what_was_done_out_of_sight_is_put_in_when_it_is_seen(
    tmp_path: Path, hidden: frozenset[Place]
) -> None:
    """What lay hidden is put in where the rules let it; what lay open cannot have been missed."""
    game = PassingGame()
    referee: ToyReferee = Referee(game, Journal.create(tmp_path / "game", HEADER))
    lit = {**after(), place("cell", 0): "lit", place("box", 0): "ann"}
    walked = {place("figure", "ann"): "1", place("figure", "ben"): "3"}
    passed = Act("ann", "pass", 0)
    show(referee, after())
    show(referee, {**after(), place("figure", "ben"): "3"}, unseen=hidden)
    show(referee, {**after(), **walked}, unseen=hidden)
    assert [*referee.actions] == [passed, STEP_3, STEP_1]
    update = show(referee, {**lit, **walked})

    if hidden:
        assert update.new_actions == (Act("ann", "plain", 0),)
        assert update.taken_back == ()
        assert [*referee.actions] == [passed, STEP_3, Act("ann", "plain", 0), STEP_1]
        assert isinstance(referee.decision, InStep)
    else:
        assert isinstance(update.decision, OutOfStep)
        assert [*referee.actions] == [passed, STEP_3, STEP_1]


# -- correcting ---------------------------------------------------------------------------------------


def test_an_earlier_action_is_corrected_and_all_refolded(referee: ToyReferee) -> None:
    """A misread action is replaced; what follows is kept; the table's old claim is not believed again."""
    walk(referee)
    show(referee, after(*TO_THE_MIDDLE, BRIGHT))
    referee.choose(0)
    show(referee, after(*TO_THE_MIDDLE, BRIGHT, STEP_3))
    update = referee.correct(5, [BRIGHT])

    assert referee.actions == (*TO_THE_MIDDLE, BRIGHT, STEP_3)
    assert update.taken_back == (Act("ann", "plain", 2),)
    assert update.new_actions == (BRIGHT,)
    assert referee.state == Ledger.read(GAME, referee.journal).line.state
    assert referee.undo().new_actions == (Act("ann", "plain", 2),)


def test_a_correction_that_does_not_fit_changes_nothing(referee: ToyReferee) -> None:
    """The refusal names the rule and the action that no longer fits."""
    show(referee, after(STEP_1, STEP_3))
    show(referee, after(STEP_1, STEP_3, LIGHT_1))
    entries = len(referee.journal)
    with pytest.raises(RuleViolation, match="action 3") as refused:
        referee.correct(1, [Act("ann", "plain", 0)])
    assert (refused.value.rule, refused.value.params["number"]) == ("light.lit", 3)
    with pytest.raises(RuleViolation, match="action 1") as refused:
        referee.correct(1, [STEP_3])
    with pytest.raises(RuleViolation, match="no action 4"):
        referee.correct(4, [STEP_3])

    assert referee.actions == (STEP_1, STEP_3, LIGHT_1)
    assert len(referee.journal) == entries


def test_a_corrected_misreading_is_not_misread_again(referee: ToyReferee) -> None:
    """What the table wrongly shows is left out until it is read otherwise."""
    misread = after(STEP_1, STEP_3, LIGHT_1)
    show(referee, misread)
    referee.correct(3, [Act("ann", "step", 2)])
    show(referee, misread)
    assert isinstance(referee.decision, InStep)
    truth = after(STEP_1, STEP_3, Act("ann", "step", 2))

    assert isinstance(show(referee, truth).decision, InStep)
    assert show(referee, {**truth, place("figure", "ben"): "2"}).new_actions == (Act("ben", "step", 2),)


# -- keeping ------------------------------------------------------------------------------------------


def test_history_evidence_and_record(referee: ToyReferee) -> None:
    """What was played is listed in words, with its evidence, and exported as a record that verifies."""
    show(referee, after(STEP_1, STEP_3))
    referee.attach(b"picture", {"camera": "lamp"})
    referee.enter(LIGHT_1)

    assert [past.text for past in referee.history] == [
        "ann at 0: step 1",
        "ben at 4: step 3",
        "ann at 1: plain 1",
    ]
    assert [(past.number, past.player, past.by) for past in referee.history] == [
        (1, "ann", "table"),
        (2, "ben", "table"),
        (3, "ann", "player"),
    ]
    assert [entry.data for entry in referee.evidence(2)] == [b"picture"]
    assert referee.evidence(3) == []
    direct, exported = io.StringIO(), io.StringIO()
    referee.export(direct)
    export_record(referee.journal, exported, game_lookup=lookup)
    assert direct.getvalue() == exported.getvalue()
    assert read_record(direct.getvalue().encode().splitlines(), lookup).actions == referee.actions


def test_a_journal_of_another_game_is_refused(tmp_path: Path) -> None:
    """A journal whose entries do not fit is refused with the entry's number."""
    with Journal.create(tmp_path / "game", HEADER) as journal:
        journal.append("action", {"actions": [GAME.format_action(STEP_3)], "by": "table"})
        with pytest.raises(JournalError, match="entry 1"):
            Referee(GAME, journal)
    with (
        Journal.create(tmp_path / "other", {"game": "other"}) as journal,
        pytest.raises(JournalError, match="header"),
    ):
        Referee(GAME, journal)


def test_unsubscribed_listeners_hear_nothing(referee: ToyReferee) -> None:
    """A listener hears until it unsubscribes."""
    heard: list[Update[Act]] = []
    unsubscribe = referee.subscribe(heard.append)
    unsubscribe()
    unsubscribe()
    show(referee, after(STEP_1))

    assert heard == []


class EditedGame(RuleBasedStateMachine):
    """Whatever is done by hand or shown, the referee holds what a fold from scratch gives."""

    @initialize(seed=st.integers(0, 1_000))
    def begin(self, seed: int) -> None:
        """Start a game."""
        self.folder = TemporaryDirectory()  # a state machine takes no fixtures
        self.referee: ToyReferee = Referee(GAME, Journal.create(Path(self.folder.name) / "game", HEADER))
        self.rng = random.Random(seed)
        self.stack: list[tuple[Act, ...]] = [()]
        self.undone: list[tuple[Act, ...]] = []

    def legal(self) -> list[Act]:
        """Return the legal actions."""
        return list(GAME.legal_actions(self.referee.state))

    def is_understood(self) -> bool:
        """Whether an edit is all that happens: what is amiss on the table it might explain."""
        return not isinstance(self.referee.decision, OutOfStep | Ask)

    def pushed(self) -> None:
        """Note an edit in the model."""
        self.stack.append(self.referee.actions)
        self.undone.clear()

    @precondition(lambda self: self.referee.result is None and self.is_understood())
    @rule()
    def enter(self) -> None:
        """Enter a legal action by hand."""
        action = self.rng.choice(self.legal())
        self.referee.enter(action)

        assert self.referee.actions == (*self.stack[-1], action)
        self.pushed()

    @rule()
    def see(self) -> None:
        """Show the table as the game expects it: nothing changes."""
        before = self.referee.actions
        show(self.referee, dict(GAME.predict(self.referee.state)))

        assert before == self.referee.actions

    @precondition(lambda self: self.referee.result is None)
    @rule()
    def play(self) -> None:
        """Show the table after a legal action."""
        show(self.referee, dict(GAME.predict(self.referee.state)))
        state = GAME.apply(self.referee.state, self.rng.choice(self.legal()))[0]
        update = show(self.referee, dict(GAME.predict(state)))
        if isinstance(update.decision, Ask):
            update = self.referee.choose(0)
        if self.referee.actions != self.stack[-1]:
            self.pushed()

        assert GAME.predict(state) == GAME.predict(self.referee.state)

    @rule()
    def undo(self) -> None:
        """Take back, as far as there is anything."""
        assert self.referee.can_undo == (len(self.stack) > 1)
        if len(self.stack) > 1:
            self.referee.undo()
            self.undone.append(self.stack.pop())

    @rule()
    def redo(self) -> None:
        """Bring back, as far as there is anything."""
        assert self.referee.can_redo == bool(self.undone)
        if self.undone:
            self.referee.redo()
            self.stack.append(self.undone.pop())

    @precondition(lambda self: self.referee.number > 0 and self.is_understood())
    @rule()
    def correct(self) -> None:
        """Replace a random action by another; all or nothing."""
        number = self.rng.randint(1, self.referee.number)
        before = self.referee.actions
        state = self.referee.line.state_after(number - 1)
        action = self.rng.choice(list(GAME.legal_actions(state)))
        wanted = (*before[: number - 1], action, *before[number:])
        try:
            self.referee.correct(number, [action])
            self.pushed()
        except RuleViolation as error:
            refused = int(error.params["number"])
            wanted = before if refused > number else ()

        assert wanted == self.referee.actions

    @rule()
    def restart(self) -> None:
        """Close the journal and go on from it."""
        prompts = self.referee.prompts
        self.referee = reopened(self.referee)
        mine = {
            prompt.id for prompt in prompts if prompt.kind not in (PromptKind.VIOLATION, PromptKind.QUESTION)
        }

        assert mine <= {prompt.id for prompt in self.referee.prompts}

    @invariant()
    def equals_a_fold_from_scratch(self) -> None:
        """The state is the fold of the actions, the actions are the fold of the journal."""
        if not hasattr(self, "referee"):
            return
        state = GAME.start(HEADER)
        for action in self.referee.actions:
            state = GAME.apply(state, action)[0]
        ledger = Ledger.read(GAME, self.referee.journal)

        assert self.stack[-1] == self.referee.actions == ledger.line.actions
        assert state == self.referee.state == ledger.line.state

    def teardown(self) -> None:
        """Close the journal."""
        if hasattr(self, "referee"):
            self.referee.journal.close()
            self.folder.cleanup()


TestEditedGame = EditedGame.TestCase
TestEditedGame.settings = settings(
    max_examples=40, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)


# -- an ending that the players settle --------------------------------------------------------------------

ANN_WON = {"winners": ["ann"], "reason": "agreed", "draw": False}


@pytest.fixture
def agreeing(tmp_path: Path) -> ToyReferee:
    """A referee of a game that may be over by the players' word, two actions on."""
    made: ToyReferee = Referee(AgreedGame(), Journal.create(tmp_path / "agreed", HEADER))
    show(made, after())
    show(made, after(STEP_1, STEP_3))
    return made


def test_an_open_ending_is_asked_about_and_the_game_may_go_on(agreeing: ToyReferee) -> None:
    """Once; the table is followed while the question stands, too."""
    assert isinstance(agreeing.decision, Ask)
    assert agreeing.presume() is None
    assert isinstance(agreeing.choose(0).decision, InStep)
    assert isinstance(show(agreeing, after(STEP_1, STEP_3)).decision, InStep)
    lit = show(agreeing, after(STEP_1, STEP_3, LIGHT_1))

    assert lit.new_actions == (LIGHT_1,)
    assert agreeing.questions == 1
    assert agreeing.result is None


def test_that_the_game_goes_on_is_known_after_a_restart(agreeing: ToyReferee) -> None:
    """Until it is taken back."""
    agreeing.choose(0)
    agreeing = Referee(AgreedGame(), reopened(agreeing).journal)
    assert isinstance(show(agreeing, after(STEP_1, STEP_3)).decision, InStep)

    assert isinstance(agreeing.undo().decision, Ask)


def test_a_standing_question_about_the_end_is_overtaken_by_the_table(agreeing: ToyReferee) -> None:
    """Nobody answered, somebody played."""
    lit = show(agreeing, after(STEP_1, STEP_3, LIGHT_1))

    assert lit.new_actions == (LIGHT_1,)
    assert isinstance(lit.decision, Ask)


def test_what_the_players_say_of_the_end_is_kept(agreeing: ToyReferee) -> None:
    """In journal and record, over a restart; it can be taken back, and brought back."""
    ended = agreeing.choose(1)
    assert agreeing.result == ANN_WON
    assert isinstance(ended.decision, InStep)
    assert (ended.new_actions, ended.taken_back) == ((), ())
    record = io.StringIO()
    agreeing.export(record, checkpoints=True)
    game = AgreedGame()
    kept = Referee(game, agreeing.journal)
    from_journal = io.StringIO()
    export_record(agreeing.journal, from_journal, checkpoints=True, game_lookup=lambda _: game)

    assert kept.result == ANN_WON
    assert read_record(record.getvalue().splitlines(), game_lookup=lambda _: game).result == ANN_WON
    assert from_journal.getvalue() == record.getvalue()
    assert isinstance(agreeing.undo().decision, Ask)
    assert agreeing.result is None
    assert isinstance(agreeing.redo().decision, InStep)
    assert agreeing.result == ANN_WON
    with pytest.raises(RuleViolation, match="over"):
        agreeing.enter(LIGHT_1)


def test_an_end_that_cannot_be_is_refused(agreeing: ToyReferee, referee: ToyReferee) -> None:
    """Neither another's win nor an end of a game that knows its own; nothing has changed."""
    entries = len(agreeing.journal)
    with pytest.raises(RuleViolation, match="nothing to settle"):
        agreeing.settle({**ANN_WON, "winners": ["eve"]})
    with pytest.raises(RuleViolation, match="nothing to settle"):
        referee.settle(ANN_WON)

    assert len(agreeing.journal) == entries
    assert agreeing.result is None
    assert agreeing.settle(ANN_WON).decision == InStep(text="The game is over.")
