"""Which face each of the tiles or cards is that are dealt one after another: the printed order, and what
speaks against it.

Nothing is kept but what was seen (which cards look alike) and what people said; all names follow from that
each time, so that a name that is put right also moves those after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtName:
    """What a dealt card is taken to be.

    Attributes:
        name: of its face; None: the list has nothing left that it could be.
        is_said: somebody said so.
        is_extra: its face has come as often as the list has it already.
        is_doubtful: somebody should look: it has no name, is one too many, or looks otherwise than another
            one of the same name.
    """

    name: str | None
    is_said: bool = False
    is_extra: bool = False
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtOrder:
    """The order in which a copy is dealt.

    Attributes:
        names: one by one; a face of which there are several is named as often.
        are_alike: whether two faces may look the same.
    """

    names: tuple[str, ...]
    are_alike: Callable[[str, str], bool] = str.__eq__

    def named(self, looks: Sequence[int | None], said: Mapping[int, str]) -> tuple[DealtName, ...]:
        """Return what each dealt card is.

        Args:
            looks: for each card the first one that looks exactly the same, None = like none before it.
            said: names that somebody gave, by card.
        """
        return tuple(self._named(looks, said))

    def copy_is_due(self, looks: Sequence[int | None], said: Mapping[int, str], card: int) -> bool:
        """Whether another piece that looks like this card may follow: the list has one left."""
        known = self.named(looks, said)
        name = known[card].name
        left = self._left(known)
        return name is not None and any(many and self.are_alike(one, name) for one, many in left.items())

    def missing(self, known: Sequence[DealtName]) -> tuple[str, ...]:
        """Return the faces that have not come yet, in order, each once."""
        come = {one.name for one in known}
        return tuple(dict.fromkeys(name for name in self.names if name not in come))

    def following(self, looks: Sequence[int | None], said: Mapping[int, str]) -> str | None:
        """Return the name that is expected next, None at the end."""
        return self.named([*looks, None], said)[-1].name

    def _left(self, known: Sequence[DealtName]) -> Counter[str]:
        left = Counter(self.names)
        left.subtract(one.name for one in known if one.name is not None)
        return +left

    def _named(self, looks: Sequence[int | None], said: Mapping[int, str]) -> Iterator[DealtName]:
        # What is said of any card cannot be another one's name as well.
        left = Counter(self.names)
        left.subtract(said.values())
        names: list[str | None] = []
        at = 0
        for card, like in enumerate(looks):
            if card in said:
                name: str | None = said[card]
                is_extra = names.count(name) >= self.names.count(said[card])
            else:
                name, is_extra = self._expected(at, None if like is None else names[like], left, names)
                left[name or ""] -= 1
            if name in self.names and (card in said or not is_extra):
                at = self._after(name, names, at)
            is_odd = name is not None and self._is_odd(name, like, looks, names)
            names.append(name)
            yield DealtName(
                name=name,
                is_said=card in said,
                is_extra=is_extra,
                is_doubtful=card not in said and (name is None or is_extra or is_odd),
            )

    def _expected(
        self, at: int, twin: str | None, left: Mapping[str, int], names: Sequence[str | None]
    ) -> tuple[str | None, bool]:
        """Return the next name from a place of the list on, and whether the list has it no more.

        `twin` is the name of a card that looks the same. What looks like none before it is no other piece of
        a face that has come.
        """
        if twin is None:
            fits = (self.names[each] for each in self._from(at) if self._is_open(each, left, names))
            return next(fits, None), False
        alike = (self.names[each] for each in self._from(at) if self.are_alike(self.names[each], twin))
        name = next((one for one in alike if left[one] > 0), twin)
        return name, left[name] <= 0

    def _from(self, at: int) -> Iterator[int]:
        """Yield the places of the list from one on, then those before it."""
        yield from range(at, len(self.names))
        yield from range(at)

    def _is_open(self, place: int, left: Mapping[str, int], names: Sequence[str | None]) -> bool:
        name = self.names[place]
        return left[name] > 0 and name not in names

    def _after(self, name: str, names: Sequence[str | None], at: int) -> int:
        """Return the place after the one of this name that has just come."""
        places = [each for each, one in enumerate(self.names) if one == name]
        come = min(names.count(name), len(places) - 1)
        # A piece from before, found late, does not take the order back.
        ahead = [each for each in places[come:] if each >= at]
        return (ahead[0] if ahead else places[come]) + 1

    @staticmethod
    def _is_odd(
        name: str, like: int | None, looks: Sequence[int | None], names: Sequence[str | None]
    ) -> bool:
        """Whether another card of this name looks otherwise."""
        others = [card for card, one in enumerate(names) if one == name]
        mine = like if like is not None else len(names)
        return any((card if looks[card] is None else looks[card]) != mine for card in others)
