"""A deal that is not over is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import MalformedError
from tests.vision.enrolment.test_deal import card, fresh
from ui.assembly.deal_draft import FILE, DealDraft


def test_a_deal_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    """Cards, names that were said, and an undone card."""
    deal, draft = fresh(), DealDraft(tmp_path / "deal", "it")
    assert not draft.is_there
    for seed in (1, 2):
        deal.add(card(seed))
        draft.save(deal)
    deal.undo()
    draft.undone(deal)
    deal.add(card(3))
    deal.say(1, "c")
    draft.save(deal)
    again = fresh()
    DealDraft(tmp_path / "deal", "it").load(again)

    assert ["a", "c"] == [one.name for one in again.names()]
    assert all(
        (one.face.image == other.face.image).all() for one, other in zip(deal.cards, again.cards, strict=True)
    )
    draft.discard()
    assert not (tmp_path / "deal").exists()


def test_what_is_damaged_or_of_another_copy_is_refused(tmp_path: Path) -> None:
    """In words, and nothing is added."""
    deal, draft = fresh(), DealDraft(tmp_path, "it")
    deal.add(card(1))
    draft.save(deal)
    again = fresh()
    with pytest.raises(MalformedError, match="another copy"):
        DealDraft(tmp_path, "that").load(again)
    (tmp_path / "0.png").write_bytes(b"torn")
    with pytest.raises(MalformedError):
        draft.load(again)
    (tmp_path / FILE).write_text("{}")
    with pytest.raises(MalformedError, match=FILE):
        draft.load(again)

    assert 0 == len(again)
