"""What the set-up of a sensor table learns: tags, magnets and every spot's values. Standard library only."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from companion.errors import MalformedError, ProfileError
from companion.i18n import msg
from companion.storage.strict import (
    as_choice,
    as_each,
    as_integer,
    as_list,
    as_mapping,
    as_number,
    as_object,
    as_string,
    as_text,
    shown,
)

SCHEMA: Final = 1
PIECES: Final = ("tile", "figure", "dragon")
CLASSES: Final = 8
SCALE_ONE: Final = 64
MOST_SPOTS: Final = 4096
MOST_LSB: Final = 32_767
MOST_DIGITS: Final = 16

Colour: TypeAlias = tuple[int, int, int]
Window: TypeAlias = tuple[int, int]

# Deviations (LSB of 1023) of the usual magnets: nothing, weak north, weak south, strong north, strong south.
MAGNET_WINDOWS: Final[tuple[Window, ...]] = (
    (-24, 24), (40, 110), (-110, -40), (140, 450), (-450, -140), (1, 0), (1, 0), (1, 0),
)  # fmt: skip
# A weak magnet should lie in the middle of its window.
WEAK_DEVIATION: Final = 75


@dataclass(frozen=True, slots=True)
class Tag:
    """What a tag is stuck to.

    Attributes:
        piece: ``tile``, ``figure`` or ``dragon``.
        name: which one, for example ``mill`` or ``purple``.
        side: the side of the tile that is up when this tag is read; None if the tag does not tell.
    """

    piece: str
    name: str
    side: str | None = None

    def __post_init__(self) -> None:
        if self.piece not in PIECES or not self.name:
            raise ProfileError(
                f"A tag can be on a tile, a figure or a dragon, not on {self.piece} {self.name}."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorProfile:
    """Everything that belongs to one table and one set of pieces.

    Attributes:
        tags: by the value that the board reports.
        players: owner of a marker, by the class of its magnet (1 to 7).
        sides: side of a tile, by the class of its magnet.
        boxes: for a tile, which contribution spots of its cell are its boxes, left to right;
            a tile that is not named here uses all spots in order.
        layout: tile on a cell ("row,col") that has no reader, as the players laid it out; ``tile/side`` where
            the cell has no sensor for the side.
        windows: eight class windows (low, high) of normalised deviations.
        spots: (rest, scale) of every spot; empty = the board's own start values.
        colours: light of each player, red, green, blue.
        brightness: 0 (dark) to 1.
    """

    tags: Mapping[int, Tag] = field(default_factory=dict)
    players: Mapping[int, str] = field(default_factory=dict)
    sides: Mapping[int, str] = field(
        default_factory=lambda: {1: "sketch", 2: "built", 3: "sketch", 4: "built"}
    )
    boxes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    layout: Mapping[str, str] = field(default_factory=dict)
    windows: tuple[Window, ...] = MAGNET_WINDOWS
    spots: tuple[tuple[int, int], ...] = ()
    colours: Mapping[str, Colour] = field(default_factory=dict)
    brightness: float = 0.5

    def __post_init__(self) -> None:
        if len(self.windows) != CLASSES:
            raise ProfileError(f"A sensor profile has {CLASSES} class windows, not {len(self.windows)}.")
        if not 0 <= self.brightness <= 1:
            raise ProfileError(f"Brightness goes from 0 to 1, not {self.brightness}.")
        for rest, scale in self.spots:
            if not (0 <= rest <= 1023 and 1 <= scale <= 255):
                raise ProfileError(f"A spot with rest {rest} and scale {scale} is impossible.")

    def with_tag(self, value: int, tag: Tag) -> SensorProfile:
        """Return the profile with one more tag learned.

        Raises ProfileError if this tag already stands for something else.
        """
        known = self.tags.get(value)
        if known is not None and known != tag:
            raise ProfileError(
                msg(
                    "This tag already belongs to the {piece} {name}: stick a different one on the {other} "
                    "{new}.",
                    piece=known.piece,
                    name=known.name,
                    other=tag.piece,
                    new=tag.name,
                )
            )
        return replace(self, tags={**self.tags, value: tag})


def format_profile(profile: SensorProfile) -> dict[str, Any]:
    """Return the JSON object of a profile; the inverse of `parse_profile`."""
    return {
        "schema": SCHEMA,
        "tags": {f"{v:08x}": [t.piece, t.name, t.side] for v, t in sorted(profile.tags.items())},
        "players": {str(c): p for c, p in sorted(profile.players.items())},
        "sides": {str(c): s for c, s in sorted(profile.sides.items())},
        "boxes": {tile: list(spots) for tile, spots in sorted(profile.boxes.items())},
        "layout": dict(sorted(profile.layout.items())),
        "windows": [list(w) for w in profile.windows],
        "spots": [list(s) for s in profile.spots],
        "colours": {player: list(c) for player, c in sorted(profile.colours.items())},
        "brightness": profile.brightness,
    }


def parse_profile(data: object) -> SensorProfile:
    """Return the profile of a JSON object; raises ProfileError saying what is wrong."""
    if not isinstance(data, dict):
        raise ProfileError("The sensor profile is damaged: set up the sensor table again.")
    schema = data.get("schema")
    if schema != SCHEMA:
        raise ProfileError(
            f"The sensor profile is of version {shown(schema)}, this program reads {SCHEMA}: "
            "update the program, or set up the sensor table again."
        )
    try:
        return _parse_profile(data)
    except MalformedError as error:
        raise ProfileError(
            f"The sensor profile is damaged ({error}): set up the sensor table again."
        ) from error


def _parse_profile(data: dict[str, Any]) -> SensorProfile:
    keys = ("tags", "players", "sides", "boxes", "layout", "windows", "spots", "colours", "brightness")
    as_object(data, "it", keys, data)
    windows = as_list(data["windows"], "windows", most=MOST_SPOTS)
    spots = as_list(data["spots"], "spots", most=MOST_SPOTS)
    return SensorProfile(
        tags={_whole(v, 16): _parse_tag(tag) for v, tag in as_mapping(data["tags"], "tags").items()},
        players={_whole(c): name for c, name in as_each(data["players"], "players", as_text).items()},
        sides={_whole(c): side for c, side in as_each(data["sides"], "sides", as_text).items()},
        boxes={
            tile: _integers(some, MOST_SPOTS)
            for tile, some in as_each(data["boxes"], "boxes", as_list).items()
        },
        layout=as_each(data["layout"], "layout", as_text),
        windows=tuple(_pair(one, "a window") for one in windows),
        spots=tuple(_pair(one, "a spot") for one in spots),
        colours=as_each(data["colours"], "colours", _parse_colour),
        brightness=as_number(data["brightness"], "brightness", 0, 1),
    )


def _parse_tag(found: object) -> Tag:
    piece, name, side = as_list(found, "a tag", 3)
    return Tag(
        as_choice(piece, "a tag's piece", PIECES),
        as_string(name, "a tag's name"),
        None if side is None else as_text(side, "a tag's side"),
    )


def _parse_colour(found: object, what: str) -> Colour:
    red, green, blue = (as_integer(one, what, 0, 255) for one in as_list(found, what, 3))
    return red, green, blue


def _pair(found: object, what: str) -> tuple[int, int]:
    low, high = (as_integer(one, what, -MOST_LSB, MOST_LSB) for one in as_list(found, what, 2))
    return low, high


def _integers(found: list[Any], most: int) -> tuple[int, ...]:
    return tuple(as_integer(one, "a spot of a box", 0, most) for one in found)


def _whole(text: str, base: int = 10) -> int:
    """Return the number in a key."""
    digits = "0123456789abcdef"[:base]
    if not 1 <= len(text) <= MOST_DIGITS or not set(text) <= set(digits):
        raise MalformedError(f"{shown(text)} is not a number")
    return int(text, base)


# -- learning -----------------------------------------------------------------------------------------


def learn_rest(scans: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the rest of every spot from some scans of the empty table.

    Raises ProfileError naming a spot that is unsteady: a magnet is near, or the wire is loose.
    """
    rests = []
    for spot, values in enumerate(zip(*scans, strict=True)):
        if max(values) - min(values) > 2 * noise_limit():
            low, high = min(values), max(values)
            raise ProfileError(
                msg(
                    "Spot {spot} is unsteady, between {low} and {high}: check its wires.",
                    spot=spot,
                    low=low,
                    high=high,
                )
            )
        rests.append(round(statistics.median(values)))
    return tuple(rests)


def noise_limit() -> int:
    """Return how far, in LSB, a healthy spot may be from its value at rest."""
    return 8


def learn_scale(rest: int, readings: Sequence[int], wanted: int = WEAK_DEVIATION) -> int:
    """Return the scale that puts a weak magnet's reading on `wanted`, from readings with it lying there.

    Raises ProfileError if no magnet is detected.
    """
    deviation = abs(statistics.median(readings) - rest)
    if deviation < 2 * noise_limit():
        raise ProfileError(
            msg("No magnet detected: {lsb:.0f} LSB from rest. Is the marker on the spot?", lsb=deviation)
        )
    return max(1, min(255, round(wanted * SCALE_ONE / deviation)))


def normalised(reading: int, rest: int, scale: int) -> int:
    """Return the deviation in the units of the class windows, rounded towards zero like the board does."""
    return int((reading - rest) * scale / SCALE_ONE)


def learn_windows(samples: Mapping[int, Sequence[int]]) -> tuple[Window, ...]:
    """Return class windows from normalised deviations by class (0 = nothing there).

    The border between two neighbours is a gap of unclear readings, a fifth of their distance wide.
    Raises ProfileError if two classes overlap.
    """
    order = sorted(samples, key=lambda c: statistics.median(samples[c]))
    edges: dict[int, list[int]] = {c: [-1023, 1023] for c in order}
    for below, above in itertools.pairwise(order):
        top, bottom = max(samples[below]), min(samples[above])
        if bottom - top < 10:
            raise ProfileError(
                msg(
                    "Magnets {below} and {above} read almost the same ({top} and {bottom}): use a "
                    "different kind.",
                    below=below,
                    above=above,
                    top=top,
                    bottom=bottom,
                )
            )
        edges[below][1] = top + (bottom - top) * 2 // 5
        edges[above][0] = bottom - (bottom - top) * 2 // 5
    return tuple((edges[c][0], edges[c][1]) if c in edges else (1, 0) for c in range(CLASSES))


@dataclass(slots=True)
class DriftWatch:
    """Watches how far the values of empty spots drift (temperature, a shifted table) and how noisy they are.

    Attributes:
        rests: as tuned.
        share: weight of a new reading in the running mean.
    """

    rests: Sequence[int]
    share: float = 0.05
    _means: dict[int, float] = field(default_factory=dict)
    _noise: dict[int, float] = field(default_factory=dict)

    def see(self, spot: int, reading: int) -> None:
        """Take one reading of a spot that holds nothing."""
        mean = self._means.get(spot, float(reading))
        self._noise[spot] = max(self._noise.get(spot, 0.0) * (1 - self.share), abs(reading - mean))
        self._means[spot] = mean + self.share * (reading - mean)

    def is_watched(self, spot: int) -> bool:
        """Whether the spot was ever seen empty."""
        return spot in self._means

    def drift(self, spot: int) -> float:
        """Return how far the spot has drifted from its value at rest, LSB (0 if it was never seen empty)."""
        return self._means.get(spot, float(self.rests[spot])) - self.rests[spot]

    def noise(self, spot: int) -> float:
        """Return the largest recent departure from the mean, LSB."""
        return self._noise.get(spot, 0.0)

    def wandering(self, limit: float = 12.0) -> tuple[int, ...]:
        """Return the spots whose rest must be learnt again: half way to the border of "nothing there"."""
        return tuple(spot for spot in self._means if abs(self.drift(spot)) > limit)

    def corrected(self, limit: float = 4.0) -> tuple[int, ...]:
        """Return the rests, corrected where they drifted by more than `limit`."""
        return tuple(
            round(rest + self.drift(spot)) if abs(self.drift(spot)) > limit else rest
            for spot, rest in enumerate(self.rests)
        )
