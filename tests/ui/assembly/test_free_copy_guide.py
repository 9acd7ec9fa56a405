"""Learning a copy whose pieces lie anywhere, from dealing and pointing to a profile that is kept."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from calibration.store import load_profile, save_profile
from companion.games import registry
from tests.helpers.drawn_deal import Film, copy_of
from tests.helpers.drawn_profile import perfect_profile
from ui.assembly.free_copy_guide import FreeCopyGuide
from ui.assembly.table_camera import profiles_in
from vision.enrolment.laid_shot import LearntFace
from vision.simulation.dealt_film import dealt
from vision.simulation.free_photographs import take_photographs

GAME = "nova_luna"
ALL = registry.display(GAME).form.colours


def deal_some(guide: FreeCopyGuide, faces: tuple[str, ...]) -> None:
    """Have some tiles come, above an empty table."""
    copy, pieces, _ = copy_of(GAME)
    lesson = guide.deal("film")
    for name in faces:
        image = copy.arranger.artwork.face(pieces.faces[name], lesson.table.deal.listed_mm)
        valid = np.ones(image.shape[:2], np.bool_)
        lesson.table.deal.add(LearntFace("film", np.zeros((4, 2)), lesson.table.deal.listed_mm, image, valid))
    views = lesson.views()
    next(views)
    lesson._draft.save(lesson.table.deal)
    lesson.close()
    list(views)


@pytest.fixture
def guide(tmp_path: Path) -> FreeCopyGuide:
    """The guide of a house whose camera sees an empty table."""
    copy, _, _ = copy_of(GAME)
    empty = next(dealt(copy.camera, copy.arranger, ())).image
    return FreeCopyGuide(tmp_path, GAME, opener=lambda _: Film([empty]))


def test_board_and_pieces_are_asked_for(guide: FreeCopyGuide) -> None:
    """The wheel, the tokens of all colours, the figure: in words, each once."""
    things = guide.things()

    assert len(things) == len(set(things)) == 1 + len(ALL) + 1
    assert "the wheel" in things
    assert "the moon" in things


def test_what_was_dealt_and_pointed_at_is_kept_in_one_profile(guide: FreeCopyGuide, tmp_path: Path) -> None:
    """Faces, the wheel and paints; what has not come is told."""
    copy, pieces, _ = copy_of(GAME)
    paints = pieces.paints({"players": list(ALL)})
    taken = take_photographs(copy.camera, copy.arranger, [], paints)
    shot = taken.pictures[-1].image
    at = {one.name: one.at_px for one in taken.things}
    deal_some(guide, ("back", "1", "2"))

    unclear = guide.point(shot, [at[name] for name in ("board", *paints)])
    saved = guide.save()
    kept = load_profile(tmp_path / saved.name)

    assert unclear == ()
    assert {"back", "1", "2", "board"} == {one.name for one in kept.faces}
    assert set(paints) == {one.name for one in kept.pieces}
    assert saved.known == 4 + len(paints)
    assert saved.total == saved.known + len(saved.missing)
    assert len(saved.missing) == 66


def test_a_deal_goes_on_where_it_was_left(guide: FreeCopyGuide, tmp_path: Path) -> None:
    """A new guide finds what had come; once it is saved nothing is left over."""
    deal_some(guide, ("back", "1", "2"))
    later = FreeCopyGuide(tmp_path, GAME, opener=guide._open)
    lesson = later.deal("film")
    came = [one.name for one in lesson.table.deal.names()]
    views = lesson.views()
    next(views)
    lesson.close()
    list(views)
    later.save()

    assert came == ["back", "1", "2"]
    assert len(FreeCopyGuide(tmp_path, GAME).deal("film").table.deal) == 0
    assert [folder.name for folder, _ in profiles_in(tmp_path)] == [GAME]


def test_pointing_beside_a_thing_says_so(guide: FreeCopyGuide) -> None:
    """Where nothing stands nothing can be learnt: the reason names the thing."""
    copy, _, _ = copy_of(GAME)
    empty = next(dealt(copy.camera, copy.arranger, ())).image
    height, width = empty.shape[:2]

    unclear = guide.point(empty, [(width / 2, height / 2)] * len(guide.things()))

    assert unclear
    assert all(isinstance(one, str) and one for one in unclear)


def test_copies_that_know_the_players_pieces_are_offered_during_a_game(tmp_path: Path) -> None:
    """Others, and profiles of other games, are not."""
    copy, _, _ = copy_of(GAME)
    header = registry.lookup(GAME).deal(random.Random(1), {"players": list(ALL[:2])})
    known = perfect_profile(copy.arranger, header)
    save_profile(known, tmp_path / "mine")
    guide = FreeCopyGuide(tmp_path, GAME)

    offered = guide.copies(ALL[:2])

    assert [(one.name, one.players) for one in offered] == [("mine", tuple(ALL[:2]))]
    assert guide.copies(ALL) == ()
    assert FreeCopyGuide(tmp_path, "urbion").copies(()) == ()
