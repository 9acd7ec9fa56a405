"""Urbion's cards in photo-like pictures that the project did not draw: what is read and played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from companion.errors import MalformedError
from companion.games import registry
from companion.observation import Observation
from companion.session.journal import Journal
from companion.session.laid_out import read_setup
from companion.session.referee import Referee
from companion.table import Picture, Value, place
from tests.helpers.free_areas import groups_of
from tests.helpers.golden import GOLDEN
from ui.assembly.free_table import free_reader
from ui.assembly.layouts import layout_of
from ui.assembly.sensor_table import debounce_rules
from vision.enrolment.copy_photographs import read_copy_photographs
from vision.enrolment.free_copy import learn_copy

FOLDER = GOLDEN / "urbion"
NAME, PLAYERS = "urbion", ("anna",)
OPTIONS: dict[str, Any] = {"players": list(PLAYERS)}
GAME = registry.lookup(NAME)
TRUTH = [json.loads(line) for line in (FOLDER / "truth.jsonl").read_text("utf-8").splitlines()]
# The picture with a hand on the table.
HANDS_AT = 3
# How the game went on from the first picture.
FIRST = {"player": "anna", "do": "chaos", "way": "place", "row": 1}
SWAP = {
    "player": "anna",
    "do": "swap",
    "card": "sanae-fire-2",
    "side": "right",
    "cards": [{"row": 0, "card": "sanae-earth-2"}, {"row": 2, "card": "sanae-earth-1"}],
}


@pytest.fixture(scope="module", name="profile")
def learnt() -> Profile:
    """What is learnt of the cards from their photographs."""
    pieces = registry.pieces(NAME)
    photographs, refused = read_copy_photographs(FOLDER / "enrol", pieces)
    assert () == refused
    return learn_copy(NAME, pieces, layout_of(NAME, PLAYERS), PLAYERS, photographs).profile


@pytest.fixture(scope="module", name="seen")
def read(profile: Profile) -> list[Observation]:
    """What each frame shows, one after the other."""
    reader = free_reader(NAME, profile, PLAYERS)
    pictures = [cv2.imread(str(FOLDER / "frames" / one["frame"])) for one in TRUTH]
    return [
        reader.read(np.asarray(picture, np.uint8), seq=number, seen_at_s=float(number), source="photographs")
        for number, picture in enumerate(pictures)
    ]


class Photographs:
    """What was seen, as a source."""

    name = "photographs"

    def __init__(self, seen: list[Observation]) -> None:
        self._seen = seen

    def observations(self) -> Iterator[Observation]:
        """Yield all of it."""
        yield from self._seen

    def close(self) -> None:
        """Nothing is open."""


def cards_of(picture: Picture) -> dict[str, Counter[Value]]:
    """Return the cards of each side, hand or pile, in no order."""
    groups = groups_of(GAME, picture).items()
    return {name: Counter({card: n for card, n in there.items() if card}) for name, there in groups}


def test_what_is_said_is_true_and_all_is_said_where_no_hand_is(seen: list[Observation]) -> None:
    """Rows and hand are told beside a high deck and a phone, with pale cards whose edges are blurred."""
    for number, (observation, truth) in enumerate(zip(seen, TRUTH, strict=True)):
        found = GAME.laid_out(OPTIONS, observation)
        told = cards_of({where: sighting.value for where, sighting in found.sightings.items()})
        true = cards_of(GAME.parse_table(truth["state"]))
        needed = ("city", "dream") if number == HANDS_AT else ("city", "dream", "hand")

        assert {name for name in true if name.startswith(needed)} <= told.keys(), number
        told = {name: cards for name, cards in told.items() if name in true}
        assert {name: true[name] for name in told} == told


def test_a_pile_under_a_hand_is_not_empty(seen: list[Observation]) -> None:
    """In the last picture a hand lies on the discard pile: nothing is said of it."""
    assert place("discard") not in seen[HANDS_AT].sightings
    assert "sanae-fire-2" == seen[2].sightings[place("discard")].value


def test_a_game_begins_as_its_cards_lie(seen: list[Observation], tmp_path: Path) -> None:
    """The set-up is read from the first picture, with the Chaos card that waits; then two turns are told."""
    header = read_setup(Photographs(seen[:1]), GAME, OPTIONS, debounce_rules(stills=True), pytest.fail)
    state = TRUTH[0]["state"]
    assert [row["city"] for row in state["rows"]] == header["cities"][:4]
    assert [None] * 8 == header["cities"][4:]
    dealt = [card for row in state["rows"] for card in (*row["left"], *row["right"])]
    known = [card for card in header["dreams"] if card is not None]
    assert Counter([*dealt, *state["hands"]["anna"], "chaos"]) == Counter(known)
    assert "chaos" == known[-1]

    with Journal.create(tmp_path / "game.moontable", header) as journal:
        referee = Referee(GAME, journal, debounce_rules(stills=True))
        for observation in seen[:3]:
            referee.feed(observation)
        played = [GAME.format_action(action) for action in referee.actions if GAME.is_played(action)]
    assert [FIRST, SWAP] == played


def test_a_game_under_way_is_not_taken_for_a_dealt_one(seen: list[Observation]) -> None:
    """The reason is told."""
    with pytest.raises(MalformedError, match="discard pile must be empty"):
        read_setup(Photographs(seen[2:3]), GAME, OPTIONS, debounce_rules(stills=True), lambda _why: None)
