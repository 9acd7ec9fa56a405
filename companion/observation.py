"""What one source saw at one instant, and the settled picture made from many observations.

Camera and sensors both produce an `Observation`; nothing after them knows which one it was. A source that
uses what the game expects asks for an `Expectation` before it looks, and stamps its observation with it:

    expected = expectation()  # `Referee.expectation`, safe to call from any thread
    Observation(..., read_for=expected.revision)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from companion.loose_pieces import LoosePiece, Point
from companion.table import Picture, Place, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One claim of one source about one place.

    Attributes:
        place: what was looked at.
        value: what is there; None means "seen to be empty".
        confidence: calibrated probability that the claim is right, 0 to 1.
    """

    place: Place
    value: Value
    confidence: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence {self.confidence} of {self.place} is outside 0..1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What the game expects of the table at one moment: where to look first, never what to see.

    Attributes:
        picture: every place that the state predicts.
        revision: number of the state it belongs to; it grows with every change of the game, also with those
            that take something back.
    """

    picture: Picture
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """All that one source saw at one instant.

    Attributes:
        source: name of the camera or sensor table.
        seq: number of the frame or scan, growing.
        seen_at_s: monotonic time of the exposure or scan, seconds.
        sightings: by place; a place the source could not see is absent.
        busy: a hand, an arm or motion is over the table (anywhere).
        hidden: places known to be covered just now (the rest of the absent ones are merely not seen).
        denied: values that places hardly have, though nobody can say which they have: of a piece that is
            nowhere made out the cell that it has left, of a box "empty" where a marker is likelier than not.
        likely: what places that are not claimed likelier show than not: no evidence of anything, but it may
            be asked about.
        areas: free areas that were seen, with all pieces that are seen in them; which places these lie on is
            for the game to say (`Game.located`).
        covered: points x, y at which something hides these areas, mm, as their pieces' middles are: other
            pieces may lie there.
        read_for: revision of the `Expectation` that the source was given before it looked; None if it
            asked for none, as sensors do. A frame in which nothing is new, told of with what was read
            before, is stamped with the expectation of now, for that it shows the same was found out now.
            The referee skips what was read for a state that the game has left behind.
    """

    source: str
    seq: int
    seen_at_s: float
    sightings: Mapping[Place, Sighting] = field(default_factory=dict)
    busy: bool = False
    hidden: frozenset[Place] = frozenset()
    denied: Mapping[Place, frozenset[Value]] = field(default_factory=dict)
    likely: Mapping[Place, Sighting] = field(default_factory=dict)
    areas: Mapping[str, tuple[LoosePiece, ...]] = field(default_factory=dict)
    covered: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    read_for: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The settled picture of the table.

    Attributes:
        picture: what is believed to be there; unseen places are absent, never "empty".
        seen_at_s: time of the newest reading in it, seconds.
        busy: a hand was over the table when it was taken.
        glimpsed: how often places were read differently from they had settled, on the way to this picture:
            under hands, or too briefly to settle.
        contested: places on which two sources contradict each other, with both claims.
        claims: for these places, which source claims what.
        unseen: places of the picture that cannot be seen just now; their values are the last ones known,
            which is no evidence that nothing changed there since.
        doubted: of these, places that surely show something else now.
        likely: what places that cannot be told just now likelier show than not, and how likely, 0 to 1.
    """

    picture: Picture
    seen_at_s: float = 0.0
    busy: bool = False
    glimpsed: Mapping[Place, Mapping[Value, int]] = field(default_factory=dict)
    contested: Mapping[Place, tuple[Value, ...]] = field(default_factory=dict)
    claims: Mapping[Place, tuple[tuple[str, Value], ...]] = field(default_factory=dict)
    unseen: frozenset[Place] = frozenset()
    doubted: frozenset[Place] = frozenset()
    likely: Mapping[Place, Sighting] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query(Snapshot):
    """A snapshot as a game is asked about it: after what had been shown before, and how readily to believe.

    Attributes:
        before: what the table showed when it last agreed with the game, for places that the game
            itself cannot predict (the top of the discard pile in closed play); may be empty.
        trail: for such places all that they showed at rest, one after the other: before the game last moved
            on, just after it, and since; may be empty.
        moved: number of actions by which the game moved on then, 0 = not known.
        earlier: their trail of the time before, which ended when the game moved on last; may be empty.
        trusting: what was not seen is to be taken as unchanged, for want of anything better.
        doubting: what is a little less likely than the best explanation is wanted beside it.
    """

    before: Picture = field(default_factory=dict)
    trail: Mapping[Place, tuple[Value, ...]] = field(default_factory=dict)
    moved: int = 0
    earlier: Mapping[Place, tuple[Value, ...]] = field(default_factory=dict)
    trusting: bool = False
    doubting: bool = False

    @classmethod
    def about(cls, seen: Snapshot) -> Query:
        """Return the plain question what a snapshot means, as if nothing had been shown before."""
        return cls(**{each.name: getattr(seen, each.name) for each in fields(Snapshot)})
