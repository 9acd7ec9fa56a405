"""A deal as it goes on: what is taken, shown, named and undone, and kept at once."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.errors import ProfileError
from tests.helpers.drawn_deal import Film, copy_of, drawn_deal
from ui.assembly.deal_draft import DealDraft
from ui.assembly.deal_lesson import DealLesson
from ui.text import said
from ui.wizard.deal_view import DealView
from vision.enrolment.deal import Deal
from vision.enrolment.dealt_copy import new_deal
from vision.enrolment.dealt_table import DealtTable
from vision.simulation.dealt_film import dealt

GAME = "nova_luna"


@pytest.fixture
def lesson(tmp_path: Path) -> DealLesson:
    """The back and two tiles have come."""
    return drawn_deal(GAME, ["back", "1", "2"], tmp_path)


def kept(folder: Path, lesson: DealLesson) -> Deal:
    """Return what a new deal finds in the draft."""
    deal = Deal(order=lesson.table.deal.order, listed_mm=lesson.table.deal.listed_mm)
    DealDraft(folder / "draft", GAME).load(deal)
    return deal


def test_what_people_say_is_done_and_kept(lesson: DealLesson, tmp_path: Path) -> None:
    """Those after a card that is named follow it; the last one is forgotten; then the window is closed."""
    views = lesson.views()
    first, over = next(views), next(views)
    lesson.say(1, "30")
    named = next(views)
    lesson.undo()
    undone = next(views)
    lesson.close()

    assert not first.is_over
    assert over.is_over
    assert ["back", "1", "2"] == [one.face for one in over.cards]
    assert ["back", "30", "31"] == [one.face for one in named.cards]
    assert [False, True, False] == [one.is_said for one in named.cards]
    assert ["back", "30"] == [one.face for one in undone.cards]
    assert named.following != undone.following
    assert len(undone.missing) == len(named.missing) + 1
    assert ["back", "30"] == [one.name for one in kept(tmp_path, lesson).names()]
    assert [] == list(views)


def test_all_names_are_offered(lesson: DealLesson) -> None:
    """Each face once, with the words for it."""
    names = dict(lesson.names())

    assert 69 == len(names)
    assert "the back of a tile" == names["back"]
    assert "blue tile with a 2, tasks: 4 blue" == said(names["19"])


def test_a_card_that_is_undone_is_taken_again_when_it_is_laid_again(tmp_path: Path) -> None:
    """It is outlined where it lies; where it was taken away nothing is taken."""
    copy, pieces, header = copy_of(GAME, size_wh=(1600, 900))
    film = [one.image for one in dealt(copy.camera, copy.arranger, ["1"], seed=4)]
    deal = new_deal(pieces, header, copy.arranger.layout, with_backs=False)
    table, draft = DealtTable(copy.arranger.layout, pieces, deal), DealDraft(tmp_path / "draft", GAME)
    lesson = DealLesson(table, draft, pieces, lambda: Film(film))
    shown, again = until_over(lesson), []
    lesson.undo()
    again = until_over(lesson)

    assert ["1"] == [one.face for one in shown[-1].cards]
    assert {1} == {len(one.camera.outlines) for one in shown if one.cards}
    assert [] == list(again[0].cards)
    assert ["1"] == [one.face for one in again[-1].cards]


def test_on_a_full_disk_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is told; as soon as there is room the card that came is kept, too."""
    copy, pieces, header = copy_of(GAME, size_wh=(1600, 900))
    film = [one.image for one in dealt(copy.camera, copy.arranger, ["1"], seed=4)]
    deal = new_deal(pieces, header, copy.arranger.layout, with_backs=False)
    table, draft = DealtTable(copy.arranger.layout, pieces, deal), DealDraft(tmp_path / "draft", GAME)
    lesson = DealLesson(table, draft, pieces, lambda: Film(film))

    def full(self: Path, data: bytes) -> int:
        del data
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))

    with monkeypatch.context() as broken:
        broken.setattr(Path, "write_bytes", full)
        with pytest.raises(ProfileError, match="No space left"):
            until_over(lesson)
    lesson.say(0, "2")
    until_over(lesson)

    assert "2" == kept(tmp_path, lesson).names()[0].name


def until_over(lesson: DealLesson) -> list[DealView]:
    """Return what is seen until the pictures end."""
    seen = []
    for view in lesson.views():
        seen.append(view)
        if view.is_over:
            lesson.close()
    return seen
