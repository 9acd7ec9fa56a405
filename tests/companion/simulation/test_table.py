"""The simulated table: what its players do, and what its eye sees."""

import random
from collections.abc import Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.decision import Ask, Choice, OutOfStep
from companion.games.blue_moon_city.actions import Action, Move
from companion.reconcile.debounce import Debouncer, DebounceRules
from companion.simulation.eye import Noise, NoisyEye, SimulatedSource
from companion.simulation.table import Habits, Mischief, Moment, SimulatedTable, knocked
from companion.table import Place, Value, place
from tests.helpers import city_scene
from tests.helpers.toy_game import GAME, Act, Lamps
from tests.helpers.toy_play import HEADER

seeds = st.integers(0, 10_000)
habits = st.builds(
    Habits,
    late=st.sampled_from([0.0, 0.5, 1.0]),
    pause=st.sampled_from([0.0, 0.5]),
    hurry=st.sampled_from([0.0, 0.5]),
)


def begun() -> tuple[SimulatedTable[Lamps, Act], Lamps, Act]:
    """Return a table at which one action was played, where it began, and the action."""
    table = table_of(7)
    moments = table.moments()
    while not table.actions:
        next(moments)
    return table, table.states[0], table.actions[0]


def table_of(seed: int, given_habits: Habits | None = None) -> SimulatedTable[Lamps, Act]:
    return SimulatedTable(GAME, HEADER, random.Random(seed), given_habits)


@given(seeds, habits)
def test_a_game_is_played_to_its_end_by_the_rules(seed: int, given_habits: Habits) -> None:
    """Every action is legal, and in the end the table shows what the last state predicts."""
    table = table_of(seed, given_habits)
    moments = list(table.moments())
    state = GAME.start(HEADER)
    for action in table.actions:
        assert action in GAME.legal_actions(state)
        state = GAME.apply(state, action)[0]

    assert table.states[-1] == state
    assert table.result == GAME.result(state)
    assert moments[-1].picture == GAME.predict(state)
    assert not moments[-1].busy


@given(seeds, habits)
def test_one_piece_moves_at_a_time(seed: int, given_habits: Habits) -> None:
    """Between two moments one place changes at most, and only under a hand that covers it."""
    moments = list(table_of(seed, given_habits).moments())
    for before, after in pairwise(moments):
        changed = {where for where in after.picture if after.picture[where] != before.picture.get(where, "")}

        assert len(changed) <= 1
        assert changed <= after.hidden
        assert after.busy == bool(after.hidden)


@given(seeds)
def test_a_tidy_table_rests_as_predicted(seed: int) -> None:
    """Players who leave nothing for later show every state of the game."""
    table = table_of(seed, Habits(late=0.0, pause=1.0))
    rests = [moment.picture for moment in table.moments() if not moment.busy]

    assert rests[:-1] == [GAME.predict(state) for state in table.states]


def test_late_hands_leave_flips_for_later() -> None:
    """Players who are late leave lamps dark that should be lit, but never for two actions."""
    table = table_of(4, Habits(late=1.0))
    late = 0
    for moment in table.moments():
        if not moment.busy:
            expected = GAME.predict(table.states[-1])
            late += any(moment.picture[where] != value for where, value in expected.items())

    assert late > 0


def test_the_same_seed_plays_the_same_game() -> None:
    """Nothing but the seed decides."""
    careless = Habits(careless=0.5)

    assert list(table_of(3, careless).moments()) == list(table_of(3, careless).moments())


def test_careless_players_put_right_what_they_are_asked_to() -> None:
    """Mischief lies on the table until it was at rest, then everything is as before."""
    table = table_of(5, Habits(careless=1.0, late=0.0))
    seen: list[Moment] = []
    for moment in table.moments():
        seen.append(moment)
        if moment.mischief and not moment.busy:
            table.hear(OutOfStep(rule="r", text="t"))
    resting = [moment for moment in seen if not moment.busy]

    assert table.mischiefs
    assert table.unnoticed == 0
    assert [moment.picture for moment in resting if moment.mischief] == [
        wrong.picture for wrong in table.mischiefs
    ]
    assert resting[-1].picture == GAME.predict(table.states[-1])


def test_mischief_that_nobody_names_is_counted() -> None:
    """What is put right without anybody having asked is unnoticed."""
    table = table_of(5, Habits(careless=1.0))
    list(table.moments())

    assert table.unnoticed == len(table.mischiefs) > 0


def test_a_game_brings_its_own_mischief_and_stages() -> None:
    """A game may say what else can go wrong, and through which pictures an action passes."""
    figure = place("figure", "ann")

    def far(rng: random.Random, state: Lamps, picture: Mapping[Place, Value]) -> Mischief:
        del rng, state
        return Mischief(name="far", picture={**picture, figure: "9"}, rule="step.far")

    def stages(before: Lamps, action: Act, after: Lamps) -> list[Mapping[Place, Value]]:
        del action, after
        return [{**GAME.predict(before), place("box", 9): "cube"}]

    rng = random.Random(1)
    table = SimulatedTable(GAME, HEADER, rng, Habits(careless=1.0), stages=stages, mischief=[far])
    moments = list(table.moments())

    assert {wrong.rule for wrong in table.mischiefs} == {"step.far"}
    assert any(place("box", 9) in moment.picture for moment in moments)
    assert moments[-1].picture == GAME.predict(table.states[-1])


def test_a_knocked_piece_lies_on_an_empty_place_of_its_kind() -> None:
    """Knocking moves one piece, and nothing where there is no room."""
    picture: dict[Place, Value] = {place("box", 0): "ann", place("box", 1): None, place("figure", "ann"): "0"}
    wrong = knocked(random.Random(1), None, picture)

    assert wrong is not None
    assert wrong.picture == {**picture, place("box", 0): None, place("box", 1): "ann"}
    assert knocked(random.Random(1), None, {place("box", 0): "ann"}) is None


@given(seeds, st.integers(1, 4))
def test_the_eye_never_misreads_a_place_often_enough_to_settle(seed: int, agree: int) -> None:
    """However noisy, every settled picture of a game is one that lay on the table."""
    rng = random.Random(seed)
    table = table_of(seed)
    eye = NoisyEye(rng, Noise(dropped=0.2, false=0.05, agree=agree, sure=(0.96, 1.0)))
    debouncer = Debouncer(DebounceRules(agree=agree))
    lain: dict[Place, set[Value]] = {}
    for moment in table.moments():
        for where, value in moment.picture.items():
            lain.setdefault(where, set()).add(value)
        for observation in eye.look(moment):
            snapshot = debouncer.feed(observation)
            if snapshot is not None:
                assert all(value in lain[where] for where, value in snapshot.picture.items())


def test_the_eye_sees_what_the_noise_allows() -> None:
    """Places drop out, hidden ones are never seen, readings carry their confidence and time."""
    eye = NoisyEye(random.Random(1), Noise(dropped=0.5, rest_frames=(100, 100), fps=10.0))
    picture: dict[Place, Value] = {place("box", n): "ann" for n in range(10)}
    frames = list(eye.look(Moment(picture=picture, busy=False, hidden=frozenset({place("box", 3)}))))
    seen = [where for frame in frames for where in frame.sightings]

    assert 350 < len(seen) < 550
    assert place("box", 3) not in seen
    assert [round(frame.seen_at_s * 10) for frame in frames] == list(range(1, 101))
    assert all(0.95 <= each.confidence <= 0.999 for frame in frames for each in frame.sightings.values())
    assert eye.settled(Moment(picture=picture, busy=True)).busy


def test_a_source_can_be_left_and_closed() -> None:
    """A source goes on where it was left; closed, it yields nothing more."""
    source = SimulatedSource(table_of(1).moments(), NoisyEye(random.Random(1), name="eye"))
    first = next(source.observations())
    second = next(source.observations())
    source.close()

    assert (source.name, first.source) == ("eye", "eye")
    assert second.seq > first.seq
    assert list(source.observations()) == []


class LateLamps(type(GAME)):
    """Lamps whose figures may be moved late, and lie in no order."""

    late_kinds = frozenset({"figure"})

    def group_of(self, where: Place) -> str | None:
        """Return the one group of all markers."""
        return "markers" if where.startswith("box") else None


def test_what_the_game_says_is_seen_to_late() -> None:
    """Pieces of a late kind move after the next action, and lie as predicted in the end."""
    table = SimulatedTable(LateLamps(), HEADER, random.Random(2), Habits(late=1.0))
    rests = [moment for moment in table.moments() if not moment.busy]

    assert table.habitual["late housekeeping"] > 0
    assert rests[-1].picture == GAME.predict(table.states[-1])


def test_free_pieces_are_seen_in_the_order_they_came_to_lie() -> None:
    """The eye sees a group's pieces at each other's places, the same way until the group changes."""
    eye = NoisyEye(random.Random(4), Noise(dropped=0.0, false=0.0), group_of=LateLamps().group_of)
    picture: dict[Place, Value] = {place("box", n): f"marker {n}" for n in range(6)}
    frames = [
        {where: each.value for where, each in frame.sightings.items()}
        for frame in eye.look(Moment(picture=picture, busy=False))
    ]

    assert frames[0] != picture
    assert sorted(frames[0].values(), key=str) == sorted(picture.values(), key=str)
    assert all(frame == frames[0] for frame in frames)
    assert eye.counts["groups laid in another order"] == 1


def test_what_went_wrong_is_taken_away_with_its_places() -> None:
    """A place that only the mischief brought along is gone when all is put right."""

    def extra(rng: random.Random, state: Lamps, picture: Mapping[Place, Value]) -> Mischief:
        del rng, state
        return Mischief(name="extra", picture={**picture, place("box", 9): "ann", place("box", 10): None})

    careless = Habits(careless=0.3, clumsy=0.0)
    table = SimulatedTable(GAME, HEADER, random.Random(3), careless, mischief=(extra,))
    wrong = [moment for moment in table.moments() if not moment.busy and moment.mischief]

    assert wrong
    assert all(place("box", 10) in moment.picture for moment in wrong)
    assert place("box", 9) not in table.picture


def test_players_choose_what_they_have_played() -> None:
    """Of two answers that lead to like tables they give the one that names what they did."""
    table, start, played = begun()
    other = next(action for action in GAME.legal_actions(start) if action != played)
    asked = Ask(
        text="?", choices=(Choice(actions=(other,), text="other"), Choice(actions=(played,), text="true"))
    )

    assert table.answer(asked, start, lambda _state, _true: True) == 1
    assert table.answer(Ask(text="?", choices=asked.choices[:1]), start, lambda _state, _true: True) == 0
    assert table.answer(asked, start, lambda _state, _true: False) is None


def test_players_are_not_asked_about_what_was_settled_before() -> None:
    """An answer that names what they did long ago is no better than another one."""
    table, start, played = begun()
    other = next(action for action in GAME.legal_actions(start) if action != played)
    asked = Ask(text="?", choices=tuple(Choice(actions=(act,), text="") for act in (other, played)))

    assert table.answer(asked, start, lambda _state, _true: True, since=0) == 1
    assert table.answer(asked, start, lambda _state, _true: True, since=len(table.actions)) == 0


def test_players_know_their_own_play_by_what_is_most_like_it() -> None:
    table, start, played = begun()
    other, another = GAME.legal_actions(start)
    table.actions[0] = Act(another.player, another.do, another.to + 5)
    asked = Ask(text="?", choices=tuple(Choice(actions=(act,), text="") for act in (other, another)))

    assert played.player == other.player
    assert table.answer(asked, start, lambda _state, _true: True) == 1


def test_players_know_their_own_play_by_what_could_be_seen_of_it() -> None:
    """The way and the cards of a walk are hidden from the referee; the order of what was done is not."""
    state = city_scene.scene(at={"purple": "thermae"}, hands={"purple": "flit-2 flit-2"})
    table = SimulatedTable(city_scene.GAME, city_scene.header(2), random.Random(1))
    walked = [city_scene.walk("earth_temple"), city_scene.walk("flight_tower")]
    table.states, table.actions = [state], [*walked]
    seen: list[Action] = [Move(player="purple", to=walk.to, path=None, cards=None) for walk in walked]
    answers = [tuple(seen[::-1]), tuple(seen)]
    asked = Ask(text="?", choices=tuple(Choice(actions=run, text="") for run in answers))

    assert table.answer(asked, city_scene.closed(state), lambda _state, _true: True) == 1
