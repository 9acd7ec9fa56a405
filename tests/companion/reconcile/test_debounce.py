"""Settling: what was seen often enough is believed, and nothing else."""

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.observation import Observation, Sighting, Snapshot
from companion.reconcile.debounce import Debouncer, DebounceRules
from companion.table import Place, Value

A, B, C = (Place(f"cell:{name}") for name in "abc")
RULES = DebounceRules(agree=3)
Readings = Mapping[Place, Value]
values = st.sampled_from(["x", "y", None])
readings = st.dictionaries(st.sampled_from([A, B, C]), values)


# As many frames as a hand must rest for, and as many as it takes to believe what lies beside it.
RESTING = 10 + 4


class Table:
    """Feeds a debouncer frame by frame, one tenth of a second apart."""

    def __init__(self, rules: DebounceRules = RULES) -> None:
        self.debouncer = Debouncer(rules)
        self.frame = 0

    def see(
        self,
        values: Readings,
        *,
        times: int = 1,
        sure: float = 0.99,
        source: str = "camera",
        busy: bool = False,
        hidden: Iterable[Place] = (),
        denied: Mapping[Place, frozenset[Value]] | None = None,
        likely: Readings | None = None,
    ) -> Snapshot | None:
        """Feed the same frame several times; return the last snapshot that was given."""
        found = None
        for _ in range(times):
            self.frame += 1
            sightings = {at: Sighting(place=at, value=value, confidence=sure) for at, value in values.items()}
            observation = Observation(
                source=source,
                seq=self.frame,
                seen_at_s=self.frame / 10,
                sightings=sightings,
                busy=busy,
                hidden=frozenset(hidden),
                denied=denied or {},
                likely={
                    at: Sighting(place=at, value=one, confidence=0.7) for at, one in (likely or {}).items()
                },
            )
            found = self.debouncer.feed(observation) or found
        return found

    def picture(self) -> Readings:
        """Return the picture given last."""
        return {} if self.debouncer.snapshot is None else self.debouncer.snapshot.picture


def likely_of(snapshot: Snapshot | None) -> Readings:
    """Return what a snapshot tells as likely."""
    return {} if snapshot is None else {at: one.value for at, one in snapshot.likely.items()}


def test_what_is_likely_settles_like_what_is_seen() -> None:
    """It is told once it has been so for long enough, while it is so, and is no part of the picture."""
    table = Table()
    table.see({A: "x"}, times=3)
    assert table.see({A: "x"}, times=2, likely={B: "y"}) is None
    found = table.see({A: "x"}, likely={B: "y"})
    assert likely_of(found) == {B: "y"}
    assert table.picture() == {A: "x"}
    assert table.see({A: "x"}, times=5, likely={B: "y"}) is None
    assert likely_of(table.see({A: "x"}, likely={B: "x"})) == {}
    assert likely_of(table.see({A: "x"}, times=2, likely={B: "x"})) == {B: "x"}


def test_nothing_is_likely_where_something_is_seen_or_a_hand_is_near() -> None:
    """What was read of a place counts more; and under a hand everything is counted anew."""
    table = Table()
    table.see({A: "x", B: "z"}, times=4, source="sensors")
    assert likely_of(table.see({A: "x"}, times=4, likely={A: "y", B: "y"})) == {}

    table = Table()
    table.see({A: "x"}, times=4, likely={B: "y"})
    table.see({A: "x"}, busy=True, likely={B: "y"})
    assert likely_of(table.see({A: "x"}, times=2, likely={B: "y"})) == {}
    assert likely_of(table.see({A: "x"}, likely={B: "y"})) == {B: "y"}


@given(st.lists(st.tuples(readings, st.booleans()), max_size=60), st.integers(1, 4))
def test_nothing_is_believed_before_it_was_seen_often_enough(
    frames: list[tuple[dict[Place, Value], bool]], agree: int
) -> None:
    """A value in the picture was read `agree` times running at its place, without a hand over the table."""
    table = Table(DebounceRules(agree=agree))
    running: dict[Place, tuple[Value, int]] = {}
    proved: dict[Place, set[Value]] = {A: set(), B: set(), C: set()}
    for values, busy in frames:
        for at, value in values.items():
            if not busy:
                before = running.get(at, (value, 0))
                running[at] = (value, before[1] + 1 if before[0] == value else 1)
            if running.get(at, (None, 0))[1] >= agree:
                proved[at].add(running[at][0])
        found = table.see(values, busy=busy)
        if found is not None:
            assert all(value in proved[at] for at, value in found.picture.items())


@given(st.lists(st.tuples(readings, st.booleans()), max_size=40), st.tuples(values, values, values))
def test_a_calm_table_is_seen_as_it_is(
    frames: list[tuple[dict[Place, Value], bool]], lying: tuple[Value, Value, Value]
) -> None:
    """Whatever happened before, `agree` clear frames of the whole table settle it."""
    table = Table()
    truth = dict(zip((A, B, C), lying, strict=True))
    for seen, busy in frames:
        table.see(seen, busy=busy)
    table.see(truth, times=RULES.agree)

    assert truth == table.picture()


@given(st.lists(st.sets(st.sampled_from([A, B, C])), max_size=60))
def test_missing_readings_never_erase(seen: list[set[Place]]) -> None:
    """What settled stays in the picture, whatever is dropped or covered afterwards."""
    truth: Readings = {A: "x", B: None, C: "y"}
    table = Table()
    table.see(truth, times=3)
    for places in seen:
        table.see({at: truth[at] for at in places}, hidden=truth.keys() - places)

        assert truth == table.picture()


def test_the_same_picture_is_given_once() -> None:
    """A table on which nothing happens is silent."""
    table = Table()

    assert table.see({A: "x"}, times=2) is None
    assert table.see({A: "x"}) is not None
    assert table.see({A: "x"}, times=100) is None


def test_an_odd_reading_starts_the_count_again() -> None:
    """Three readings settle a change only when no other comes between them."""
    table = Table()
    table.see({A: "x"}, times=3)
    table.see({A: "y"}, times=2)
    table.see({A: None})
    table.see({A: "y"}, times=2)

    assert table.picture() == {A: "x"}
    assert table.see({A: "y"}) is not None
    assert table.picture() == {A: "y"}


def test_what_was_settled_before_a_hand_must_be_seen_as_often_again_once_it_was_read_otherwise() -> None:
    """Two wrong readings that happen to be what lay there before must not hide what lies there now."""
    table = Table()
    table.see({A: "x", B: "x"}, times=3)
    table.see({}, busy=True, hidden=[A])
    table.see({A: "y", B: "x"})

    assert table.see({A: "x", B: "x"}, times=2) is None
    table.see({A: "y", B: "x"}, times=3)
    assert table.picture() == {A: "y", B: "x"}


def test_an_odd_reading_of_a_table_at_rest_is_no_more_than_that() -> None:
    table = Table()
    table.see({A: "x", B: "x"}, times=9)
    table.see({A: "y", B: "x"})

    assert table.see({A: "x", B: "y"}, times=3) is not None
    assert table.picture() == {A: "x", B: "y"}


def test_a_missing_reading_does_not_start_it_again() -> None:
    """The count goes on after a frame that did not show the place."""
    table = Table()
    table.see({A: "x"}, times=3)
    for values in ({A: "y"}, {}, {A: "y"}, {}, {}, {A: "y"}):
        table.see(values)

    assert table.picture() == {A: "y"}


def test_half_a_turn_is_not_shown() -> None:
    """A change is held back while another one beside it is still settling."""
    table = Table()
    table.see({A: "x", B: None}, times=3)
    table.see({A: None, B: "y"}, times=2)
    table.see({A: None})
    table.see({B: "x"})

    assert table.see({A: None, B: "y"}, times=2) is None
    found = table.see({A: None, B: "y"})
    assert found is not None
    assert found.picture == {A: None, B: "y"}


def test_a_place_that_never_calms_down_becomes_unknown() -> None:
    """A flickering place holds the others up for a while, then it leaves the picture."""
    table = Table()
    table.see({A: "x", B: "x"}, times=3)
    for frame in range(30):
        table.see({A: "y", B: ("x", "y")[frame % 2]})

    assert table.picture() == {A: "y"}


def test_hands_settle_nothing() -> None:
    """While a hand is over the table the picture stays; that there is one is said once."""
    table = Table()
    table.see({A: "x"}, times=3)
    found = table.see({A: "y"}, busy=True)

    assert found is not None
    assert (found.busy, found.picture) == (True, {A: "x"})
    assert table.see({A: "y"}, times=8, busy=True) is None
    assert table.see({A: "y"}, times=2) is None
    after = table.see({A: "y"})
    assert after is not None
    assert (after.busy, after.picture) == (False, {A: "y"})


def test_a_hand_that_rests_holds_nothing_up_but_what_it_hides() -> None:
    """What can be seen beside a hand, or what is taken for one, is believed when nothing moves."""
    table = Table()
    table.see({A: "x", B: "x"}, times=3)
    for number in range(20):
        table.see({A: str(number)}, busy=True, hidden=[B])
        assert table.picture() == {A: "x", B: "x"}

    found = table.see({A: "y"}, times=RESTING, busy=True, hidden=[B])

    assert found is not None
    assert (found.busy, found.picture, found.unseen) == (False, {A: "y", B: "x"}, {B})


def test_unsure_readings_need_more_of_themselves() -> None:
    """Clear readings settle quickly, doubtful ones slowly, hopeless ones never."""

    def frames(sure: float) -> int | None:
        table = Table()
        return next((n for n in range(1, 50) if table.see({A: "x"}, sure=sure) is not None), None)

    assert frames(0.99) == 3
    assert frames(0.95) == 3
    assert frames(0.9) == 4
    assert frames(0.61) in range(10, 13)
    assert frames(0.5) is None


def test_covered_places_are_marked_as_remembered() -> None:
    """A place that is covered keeps its value and is named as unseen; seen again, it no longer is."""
    table = Table()
    table.see({A: "x", B: "y"}, times=3)
    covered = table.see({A: "x"}, hidden=[B])
    clear = table.see({A: "x", B: "y"})
    missing = table.see({A: "x"}, times=RULES.agree)

    assert covered is not None
    assert covered.picture == {A: "x", B: "y"}
    assert covered.unseen == {B}
    assert clear is not None
    assert clear.unseen == frozenset()
    assert missing is not None
    assert missing.unseen == {B}


def test_one_clear_photograph_is_enough() -> None:
    """Stills settle at once; what is not shown is remembered, what is unclear not believed."""
    table = Table(DebounceRules.for_stills())
    first = table.see({A: "x", B: "y"})
    second = table.see({A: None})
    unclear = table.see({A: "y"}, sure=0.7)
    hand = table.see({A: "y", B: "y"}, busy=True)

    assert first is not None
    assert first.picture == {A: "x", B: "y"}
    assert second is not None
    assert second.picture == {A: None, B: "y"}
    assert second.unseen == {B}
    assert unclear is not None
    assert unclear.picture == {A: None, B: "y"}
    assert unclear.unseen == {A, B}
    assert hand is not None
    assert hand.busy
    assert table.picture() == {A: None, B: "y"}


def test_the_faster_source_waits_for_the_other() -> None:
    """Equally sure sources that contradict each other for a moment say nothing new until they agree."""
    table = Table(DebounceRules(debounced=frozenset({"sensors"})))
    table.see({A: "x"}, times=3)
    table.see({A: "x"}, source="sensors")
    assert table.see({A: "y"}, source="sensors") is None
    assert table.see({A: "y"}, times=2) is None
    found = table.see({A: "y"})

    assert found is not None
    assert (found.picture, found.contested) == ({A: "y"}, {})


def test_lasting_contradiction_is_contested() -> None:
    """Two sources that contradict each other for longer than the settle time are both quoted."""
    table = Table()
    table.see({A: "x", B: "x"}, times=3)
    table.see({A: "y", B: "x"}, times=3, source="sensors")
    for _ in range(10):
        table.see({A: "x", B: "x"})
        table.see({A: "y", B: "x"}, source="sensors")
    contested = table.debouncer.snapshot
    table.see({A: "y"}, times=3)

    assert contested is not None
    assert contested.contested == {A: ("x", "y")}
    assert contested.picture == {B: "x"}
    assert table.picture() == {A: "y", B: "x"}
    assert table.debouncer.snapshot is not None
    assert table.debouncer.snapshot.contested == {}


def test_a_slow_source_contradicts_nobody_before_it_has_looked() -> None:
    """A camera of two pictures a second is not held against sensors that felt the change at once."""
    table = Table(DebounceRules(debounced=frozenset({"sensors"})))
    table.see({A: "x"}, times=3)
    table.see({A: "x"}, source="sensors")
    for _ in range(2):
        table.see({A: "y"}, times=30, source="sensors")
        table.see({A: "x"})
    early = table.debouncer.snapshot
    table.see({A: "y"}, times=3)

    assert early is not None
    assert early.contested == {}
    assert table.picture() == {A: "y"}


def test_the_more_certain_source_wins_meanwhile() -> None:
    """A source that is far surer than the other is believed until the contradiction lasts too long."""
    table = Table()
    table.see({A: "x"}, times=3, sure=0.97)
    found = table.see({A: "y"}, times=3, sure=0.999, source="sensors")

    assert found is not None
    assert found.picture == {A: "y"}


def test_one_source_goes_on_when_the_other_is_lost() -> None:
    """A source that falls silent holds nobody up, and what only it saw is remembered."""
    table = Table()
    table.see({A: "x", B: "x"}, times=3)
    table.see({A: "x"}, times=3, source="sensors")
    table.see({A: None}, source="camera")
    table.see({A: "x"}, times=2, source="camera", busy=True)
    table.see({A: "y"}, times=60, source="sensors")
    found = table.debouncer.snapshot

    assert found is not None
    assert found.picture == {A: "y", B: "x"}
    assert found.unseen == {B}
    assert not found.busy


def test_old_observations_are_ignored() -> None:
    """An observation that comes out of order changes nothing."""
    debouncer = Debouncer(DebounceRules(agree=1))

    def at(seen_at_s: float, value: str) -> Snapshot | None:
        sighting = Sighting(place=A, value=value, confidence=1.0)
        return debouncer.feed(Observation(source="c", seq=1, seen_at_s=seen_at_s, sightings={A: sighting}))

    assert at(2.0, "x") is not None
    assert at(1.0, "y") is None
    assert at(3.0, "y") is not None


@pytest.mark.parametrize("odd", [{"agree": 0}, {"patience": 0}, {"min_confidence": 0.99}, {"sure": 1.1}])
def test_senseless_rules_are_refused(odd: dict[str, float]) -> None:
    """Rules that can never settle anything are refused."""
    with pytest.raises(ValueError, match=r"count from 1|probabilities"):
        DebounceRules(**odd)  # type: ignore[arg-type]


def test_what_showed_under_a_hand_is_told_with_the_next_picture_and_once_only() -> None:
    """It never settled; how often it was read says how sure it is."""
    table = Table()
    table.see({A: "x", B: "x"}, times=3)
    table.see({A: "y", B: "x"}, times=4, busy=True)
    table.see({A: None, B: "x"}, times=2, busy=True)

    first = table.see({A: "z", B: "x"}, times=3)
    busy = table.see({A: "z", B: "x"}, busy=True)
    second = table.see({A: "x", B: "x"}, times=4)

    assert first is not None
    assert busy is not None
    assert busy.glimpsed == {}
    assert first.glimpsed == {A: {"y": 4, None: 2, "z": 3}}
    assert second is not None
    assert second.glimpsed == {A: {"x": 3}}


FIGURE, BOX = Place("figure:ann"), Place("box:a:0")


def test_a_piece_that_has_left_its_place_is_out_of_the_city_till_it_is_seen() -> None:
    """Where it stood there is bare ground; that counts like a reading, and under a hand for nothing."""
    table = Table()
    table.see({A: "x", FIGURE: "a"}, times=3)
    left = {FIGURE: frozenset[Value]({"a"})}
    table.see({A: "x"}, times=3, busy=True, denied=left)
    assert table.picture()[FIGURE] == "a"
    table.see({A: "x"}, times=2, denied=left)
    assert table.picture()[FIGURE] == "a"
    gone = table.see({A: "x"}, times=2, denied=left)

    assert gone is not None
    assert (gone.picture[FIGURE], gone.unseen) == (None, frozenset())
    seen = table.see({A: "x", FIGURE: "b"}, times=3)
    assert seen is not None
    assert seen.picture[FIGURE] == "b"


def test_a_piece_that_is_nowhere_for_long_stands_where_nobody_sees_it() -> None:
    """Nobody holds it any more. It is not where it was, and hands that come and go say nothing of it."""
    table = Table()
    table.see({A: "x", FIGURE: "a"}, times=3)
    left = {FIGURE: frozenset[Value]({"a"})}
    held = table.see({A: "x"}, times=5, denied=left)
    table.see({A: "x"}, times=3, busy=True)
    for _ in range(4):
        table.see({A: "x"}, denied=left)

    assert held is not None
    assert (held.picture[FIGURE], held.unseen) == (None, frozenset())
    assert table.picture()[FIGURE] == "a"
    table.see({A: "y"}, times=3, denied=left)
    unseen = table.debouncer.snapshot
    assert unseen is not None
    assert unseen.unseen == unseen.doubted == {FIGURE}
    covered = table.see({A: "x"}, times=3)
    assert covered is not None
    assert covered.doubted == {FIGURE}
    seen = table.see({A: "x", FIGURE: "b"}, times=3)
    assert seen is not None
    assert (seen.picture[FIGURE], seen.unseen, seen.doubted) == ("b", frozenset(), frozenset())


def test_a_denial_of_what_is_not_believed_means_nothing() -> None:
    """That a piece is not where nobody thought it was is no news."""
    table = Table()
    table.see({A: "x", FIGURE: "a"}, times=3)
    missed = table.see({A: "x"}, times=4, denied={FIGURE: frozenset({"b"}), B: frozenset({None})})

    assert missed is not None
    assert missed.picture[FIGURE] == "a"
    assert missed.unseen == {FIGURE}
    assert not missed.doubted


def test_something_on_a_free_box_makes_it_doubted_till_it_is_read() -> None:
    """What it is nobody knows; but the box is not as it was seen last."""
    table = Table()
    table.see({A: "x", BOX: None}, times=3)
    taken = {BOX: frozenset[Value]({None})}
    once = table.see({A: "x"}, times=2, denied=taken)
    doubted = table.see({A: "x"}, times=2, denied=taken)
    read = table.see({A: "x", BOX: "ann"}, times=3)

    assert once is None
    assert doubted is not None
    assert doubted.picture[BOX] is None
    assert doubted.unseen == doubted.doubted == {BOX}
    assert read is not None
    assert (read.picture[BOX], read.doubted) == ("ann", frozenset())
