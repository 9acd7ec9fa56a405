"""How a game is followed: what is possible, why not, and what followed the game before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from ui.home.following import Following, Way
from ui.home.plan import GamePlan, KnownProfile, Watchers

PLAN = GamePlan(game="g", seats=("red", "blue"), answers={"edition": "old"})
CAMERAS = (("camera:0", "Front"), ("camera:1", "Above"))
TABLES = (("sensors:/dev/a", "First"), ("sensors:/dev/b", "Second"))
HOME = KnownProfile(
    address="/p/home",
    name="home",
    answers={"edition": "old"},
    colours=("red", "blue", "white"),
    has_faces=True,
    has_sensors=True,
)
CLUB = replace(HOME, address="/p/club", name="club")
ALL = Watchers(can_follow=True, cameras=CAMERAS, tables=TABLES, profiles=(HOME, CLUB))


@pytest.fixture
def following(qtbot: QtBot) -> Following:
    """The choice for a game of two."""
    made = Following()
    qtbot.addWidget(made)
    made.show_plan(PLAN)
    made.show()
    return made


def possible(following: Following) -> set[Way]:
    """Return the ways that can be chosen."""
    return {way for way, radio in following.ways.items() if radio.isEnabled()}


@pytest.mark.parametrize(
    ("watchers", "ways", "told"),
    [
        (ALL, set(Way), {}),
        (replace(ALL, cameras=()), {Way.BY_HAND, Way.SENSORS}, {Way.CAMERA: "plug one in"}),
        (replace(ALL, tables=()), {Way.BY_HAND, Way.CAMERA}, {Way.SENSORS: "plug in its cable"}),
        (replace(ALL, profiles=()), {Way.BY_HAND}, {Way.CAMERA: "set up a table first"}),
        (
            replace(ALL, profiles=(replace(HOME, has_sensors=False),)),
            {Way.BY_HAND, Way.CAMERA},
            {Way.SENSORS: "set up a table first"},
        ),
        (
            replace(ALL, profiles=(replace(HOME, colours=("red",)),)),
            {Way.BY_HAND},
            {Way.CAMERA: "set up a table first"},
        ),
        (
            replace(ALL, profiles=(replace(HOME, colours=None),), has_board=False),
            {Way.BY_HAND, Way.CAMERA},
            {Way.SENSORS: "pieces lie anywhere"},
        ),
        (
            replace(ALL, profiles=(), has_board=False),
            {Way.BY_HAND},
            {Way.CAMERA: "learn it first"},
        ),
        (Watchers(can_follow=False), {Way.BY_HAND}, {Way.CAMERA: "by hand so far"}),
    ],
)
def test_what_is_not_set_up_says_what_to_do(
    following: Following, watchers: Watchers, ways: set[Way], told: dict[Way, str]
) -> None:
    """What is there can be chosen; else the reason stands below, with what would help."""
    following.show_watchers(watchers)

    assert ways == possible(following)
    for way, words in told.items():
        assert words in following.reasons[way].text()
        assert following.reasons[way].isVisible()


@pytest.mark.parametrize(
    ("address", "way"),
    [
        ("camera:1", Way.CAMERA),
        ("sensors:/dev/b", Way.SENSORS),
        ("camera:1+sensors:/dev/b", Way.BOTH),
    ],
)
def test_a_rematch_is_followed_as_the_game_before(following: Following, address: str, way: Way) -> None:
    """Way, camera, sensor table and profile are those of the game before as soon as they are found."""
    following.prefer(address, CLUB.address)
    following.show_looking()
    assert Way.BY_HAND is following.way

    following.show_watchers(ALL)
    assert way is following.way
    assert (address, CLUB.address) == following.source()[:2]
    assert following.source()[2] == ("camera:1" if way is Way.BOTH else address)


def test_what_followed_the_game_before_may_be_plugged_in_later(following: Following) -> None:
    """While it is missing that is said; looking again finds it. Another choice is not taken back."""
    following.prefer("camera:1+sensors:/dev/b", HOME.address)
    following.show_watchers(replace(ALL, tables=TABLES[:1]))
    assert Way.BY_HAND is following.way
    assert "plug it in" in following.reasons[Way.BY_HAND].text()

    following.show_watchers(ALL)
    assert Way.BOTH is following.way
    assert not following.reasons[Way.BY_HAND].isVisible()

    following.ways[Way.CAMERA].click()
    following.show_watchers(ALL)
    assert Way.CAMERA is following.way
