"""Cards that were dealt, and what is learnt from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.enrolment.test_face_likeness import SIZE_MM, face
from vision.enrolment.deal import Deal
from vision.enrolment.dealt_names import DealtOrder
from vision.enrolment.laid_shot import LearntFace


def fresh() -> Deal:
    """A deal in which nothing has come."""
    return Deal(order=DealtOrder(names=("a", "b", "c")), listed_mm=SIZE_MM)


def card(seed: int) -> LearntFace:
    """A card that was cut out."""
    image = face(seed)
    return LearntFace("film", np.zeros((4, 2)), SIZE_MM, image, np.ones(image.shape[:2], np.bool_))


def test_cards_get_their_names_in_order_and_copies_are_known() -> None:
    """Another one of a face is told, what is missing too; undoing takes the last one back."""
    deal = fresh()
    for seed in (1, 2, 1):
        deal.add(card(seed))

    assert [None, None, 0] == deal.likes
    assert ["a", "b", "a"] == [one.name for one in deal.names()]
    assert deal.names()[2].is_extra
    assert ("c",) == deal.missing()
    assert "c" == deal.following()
    assert not deal.copy_is_due(0)
    deal.undo()
    assert 2 == len(deal)


def test_copies_are_expected_beside_each_other() -> None:
    """As many as the list has; then what follows."""
    deal = Deal(order=DealtOrder(names=("a", "a", "b")), listed_mm=SIZE_MM)
    expected = [deal.following()]
    for seed in (1, 1, 2):
        deal.add(card(seed))
        expected.append(deal.following())

    assert ["a", "a", "b", None] == expected


def test_what_people_say_can_be_taken_back() -> None:
    """Then the order holds again."""
    deal = fresh()
    deal.add(card(1))
    deal.say(0, "c")
    assert "c" == deal.names()[0].name
    deal.say(0, None)

    assert "a" == deal.names()[0].name


def test_all_faces_have_the_size_of_the_copy() -> None:
    """A cut that is a little larger is scaled; of two of one face the one that shows more is kept."""
    deal = fresh()
    larger = replace(card(2), size_mm=(60.0, 92.0))
    for one in (card(1), larger, card(3)):
        deal.add(one)
    faces = deal.faces()

    assert {(59.0, 91.0)} == {one.size_mm for one in faces.values()}
    assert {(273, 177)} == {one.image.shape[:2] for one in faces.values()}
    deal.add(replace(card(1), valid=np.zeros((273, 177), np.bool_)))
    assert deal.faces()["a"].valid.all()
