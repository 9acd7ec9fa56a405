"""Tiles or cards that were dealt one after another: what they look like, what they are taken to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from vision.enrolment.common_size import common_size_mm, of_size
from vision.enrolment.dealt_names import DealtName, DealtOrder
from vision.enrolment.face_likeness import FaceLook, are_alike, look_of
from vision.enrolment.laid_shot import LearntFace

# The median of so many cards tells the size of all.
_TELL_SIZE: Final = 5


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card as it was dealt.

    Attributes:
        face: what was cut out.
        look: the same, as it is compared.
        like: the number of the first card that looks exactly alike, from 0; None = no card before it does.
    """

    face: LearntFace
    look: FaceLook
    like: int | None


@dataclass(slots=True)
class Deal:
    """The cards dealt so far, and what was said of them, in order.

    Attributes:
        order: in which they are expected.
        listed_mm: width and height of the cards according to the list.
        backs: names of the list that are backs: where one shows, a card lies face down.
        cards: what was dealt.
        said: names that somebody gave, by number from 0.
    """

    order: DealtOrder
    listed_mm: tuple[float, float]
    backs: frozenset[str] = frozenset()
    cards: list[DealtCard] = field(default_factory=list)
    said: dict[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def likes(self) -> list[int | None]:
        """For each card the first one that looks alike."""
        return [one.like for one in self.cards]

    def names(self) -> tuple[DealtName, ...]:
        """Return what each card is taken to be; a washed-out one is doubtful until it is named."""
        return tuple(
            replace(name, is_doubtful=name.is_doubtful or (card.face.is_lost and not name.is_said))
            for card, name in zip(self.cards, self.order.named(self.likes, self.said), strict=True)
        )

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the cards of this copy, as most of those dealt show it."""
        return common_size_mm([one.face for one in self.cards], self.listed_mm)

    @property
    def is_size_known(self) -> bool:
        """Whether enough cards have been dealt to tell their size."""
        return len(self.cards) >= _TELL_SIZE

    def look(self, face: LearntFace) -> FaceLook:
        """Return a face as it is compared."""
        return look_of(face.image, face.valid, self.listed_mm)

    def like(self, look: FaceLook) -> int | None:
        """Return the first card that looks exactly like this; None: there is none."""
        firsts = (number for number, one in enumerate(self.cards) if one.like is None)
        return next((number for number in firsts if are_alike(self.cards[number].look, look)), None)

    def add(self, face: LearntFace) -> DealtName:
        """Take a card and return what it is taken to be."""
        look = self.look(face)
        self.cards.append(DealtCard(face, look, self.like(look)))
        return self.names()[-1]

    def say(self, number: int, name: str | None) -> None:
        """Name a card; None: go by the order again. Those after it follow."""
        if name is None:
            self.said.pop(number, None)
        else:
            self.said[number] = name

    def undo(self) -> None:
        """Forget the last card, if any."""
        if self.cards:
            self.cards.pop()
            self.said.pop(len(self.cards), None)

    def is_back(self, number: int) -> bool:
        """Whether a card is taken to be a back."""
        return self.names()[number].name in self.backs

    def copy_is_due(self, number: int) -> bool:
        """Whether the list has another card that looks like this one."""
        return self.order.copy_is_due(self.likes, self.said, number)

    def missing(self) -> tuple[str, ...]:
        """Return the faces that have not come yet, in their order."""
        return self.order.missing(self.names())

    def following(self) -> str | None:
        """Return the name that is expected next, None at the end; copies of a face lie beside each other."""
        if self.cards:
            last = len(self.cards) - 1
            like = self.cards[last].like
            known = self.order.named([*self.likes, last if like is None else like], self.said)
            if known[-1].name == known[last].name and not known[-1].is_extra:
                return known[-1].name
        return self.order.following(self.likes, self.said)

    def faces(self) -> Mapping[str, LearntFace]:
        """Return what was learnt, by name: of several cards of one face the one that shows most of it."""
        found: dict[str, tuple[tuple[bool, float], LearntFace]] = {}
        for card, one in zip(self.cards, self.names(), strict=True):
            if one.name is None:
                continue
            # One that somebody named, or of which nothing is doubtful, comes first.
            rank = (not one.is_doubtful, float(card.face.valid.mean()))
            if one.name not in found or rank > found[one.name][0]:
                found[one.name] = rank, card.face
        size = self.size_mm
        return {name: of_size(face, size) for name, (_, face) in found.items()}
