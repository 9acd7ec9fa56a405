"""The steps of a sensor table's set-up: what to ask for, and what to learn from the readings that follow.

Pure: readings go in, steps and finally a profile come out. No window, no clock, no port.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from calibration.sensors import (
    SCALE_ONE,
    SensorProfile,
    Tag,
    learn_rest,
    learn_scale,
    learn_windows,
    noise_limit,
    normalised,
)
from companion.errors import ProfileError
from companion.i18n import msg

SCANS: Final = 8  # readings taken of everything that is learned from spots
AGREEING: Final = 3  # scans that must show the same new tag
FELT: Final = 25  # LSB from rest that a magnet on a spot must make


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShape:
    """What a table has, by spot numbers: the relevant part of the board's geometry.

    Attributes:
        spots: how many there are.
        sides: by cell, the spot that senses its tile's side.
        has_readers: whether tags can be read.
    """

    spots: int
    sides: Mapping[str, int]
    has_readers: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorScan:
    """What the table reports at one instant.

    Attributes:
        tags: by cell, the tags that are read there.
        readings: of every spot, unprocessed, by number.
    """

    tags: Mapping[str, frozenset[int]]
    readings: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpStep:
    """One thing to do.

    Attributes:
        kind: ``clear``, ``marker``, ``boxes``, ``turn``, ``tile`` or ``figure``/``dragon``.
        name: of the player, tile, figure or dragon.
        text: what to do, in words.
    """

    kind: str
    name: str = ""
    text: str = ""


@dataclass(slots=True)
class _Heap:
    """The readings collected for the current step."""

    scans: list[Sequence[int]] = field(default_factory=list)
    seen: frozenset[int] = frozenset()
    agreeing: int = 0


class SensorSetup:
    """Walks through the steps; `see` learns, `skip` and `back` move.

    Attributes:
        profile: what has been learned so far.
        words: what is wrong with the last scan, "" if nothing is.
    """

    def __init__(
        self,
        shape: TableShape,
        *,
        players: Sequence[str],
        tiles: Mapping[str, int],
        dragons: Iterable[str] = (),
        built_only: Iterable[str] = (),
        profile: SensorProfile | None = None,
        every_box: bool = False,
        name_of: Callable[[str, str], str] = lambda _, name: name,
    ) -> None:
        """Prepare the steps.

        `tiles` gives each tile's number of boxes, `built_only` those without a sketch; `every_box` asks for
        a marker on each box, so that boxes of different sensitivity get their own scale;
        `name_of` names a ``player``, ``tile`` or ``dragon`` for people. Raises ProfileError for more
        players than magnets can tell apart.
        """
        if not 1 <= len(players) <= 4:
            raise ProfileError(f"Magnets tell one to four players apart, not {len(players)}.")
        self.words = ""
        boxes = {tile: tuple(range(count)) for tile, count in tiles.items()}
        self.profile = replace(profile or SensorProfile(), boxes=boxes, players=dict(enumerate(players, 1)))
        self._shape = shape
        self._fixed = frozenset(built_only)
        self._name_of = name_of
        self._every_box = every_box
        self._scaled: set[int] = set()
        self._steps = list(self._make_steps(players, tiles, dragons))
        self._at = 0
        self._rest: tuple[int, ...] = tuple(r for r, _ in self.profile.spots) or (512,) * shape.spots
        self._samples: dict[int, list[int]] = {0: [-noise_limit(), noise_limit()]}
        self._heap = _Heap()

    def _make_steps(
        self, players: Sequence[str], tiles: Mapping[str, int], dragons: Iterable[str]
    ) -> Iterable[SetUpStep]:
        name = self._name_of
        yield SetUpStep(kind="clear", text=msg("Take everything off the table."))
        for player in players:
            text = msg(
                "Put one marker of {player} on any box, and nothing else on the table.",
                player=name("player", player),
            )
            yield SetUpStep(kind="marker", name=player, text=text)
        if self._every_box:
            text = msg(
                "Put one marker of {player} on each box, one box after another.",
                player=name("player", players[0]),
            )
            yield SetUpStep(kind="boxes", name=players[0], text=text)
        if self._shape.sides and any(tile not in self._fixed for tile in tiles):
            tile = next(tile for tile in tiles if tile not in self._fixed)
            text = msg(
                "Take the marker off. Put {tile} on any cell, sketch side up.", tile=name("tile", tile)
            )
            yield SetUpStep(kind="turn", name=tile, text=text)
        if not self._shape.has_readers:
            return
        for tile in tiles:
            text = msg(
                "Put {tile} on any cell, either side up; leave everything else where it is.",
                tile=name("tile", tile),
            )
            yield SetUpStep(kind="tile", name=tile, text=text)
        for player in players:
            text = msg("Put the figure of {player} on any cell.", player=name("player", player))
            yield SetUpStep(kind="figure", name=player, text=text)
        for dragon in dragons:
            text = msg("Put {dragon} on any cell.", dragon=name("dragon", dragon))
            yield SetUpStep(kind="dragon", name=dragon, text=text)

    @property
    def step(self) -> SetUpStep | None:
        """What to do now, None if everything is learnt."""
        return self._steps[self._at] if self._at < len(self._steps) else None

    @property
    def progress(self) -> tuple[int, int]:
        """How many steps are done, and of how many."""
        return self._at, len(self._steps)

    def skip(self) -> None:
        """Skip this step."""
        self._go(min(self._at + 1, len(self._steps)))

    def back(self) -> None:
        """Go back to the previous step."""
        self._go(max(self._at - 1, 0))

    def _go(self, to: int) -> None:
        self._at = to
        self._heap = _Heap()

    def see(self, look: SensorScan) -> bool:
        """Process a scan and return whether the step is done; `words` says what is missing.

        Raises ProfileError if the scan is not of this table.
        """
        step = self.step
        if step is None:
            return False
        if len(look.readings) != self._shape.spots:
            raise ProfileError(f"{len(look.readings)} readings of {self._shape.spots} spots.")
        steps = {"clear": self._clear, "marker": self._marker, "boxes": self._boxes, "turn": self._turn}
        learn = steps.get(step.kind, self._tag)
        try:
            is_done = learn(step, look)
        except ProfileError as error:
            self.words = str(error)
            self._heap = _Heap()
            return False
        if is_done:
            self.words = ""
            self.skip()
        return is_done

    # -- what each step learns --------------------------------------------------------------------

    def _gathered(self, look: SensorScan, spot: int | None = None) -> bool:
        """Keep the scan and return whether there are enough; if a magnet is still moving, start again."""
        scans = self._heap.scans
        if spot is not None and scans and abs(scans[-1][spot] - look.readings[spot]) > 2 * noise_limit():
            scans.clear()
        scans.append(tuple(look.readings))
        return len(scans) >= SCANS

    def _clear(self, _: SetUpStep, look: SensorScan) -> bool:
        if not self._gathered(look):
            return False
        self._rest = learn_rest(self._heap.scans)
        self.profile = replace(self.profile, spots=tuple((rest, SCALE_ONE) for rest in self._rest))
        return True

    def _felt(self, look: SensorScan, spots: Iterable[int]) -> tuple[int, int] | None:
        """Return the spot with the strongest magnet and its deviation, None if there is none."""
        deviations = {s: normalised(look.readings[s], self._rest[s], SCALE_ONE) for s in spots}
        spot = max(deviations, key=lambda s: abs(deviations[s]), default=None)
        if spot is None or abs(deviations[spot]) < FELT:
            return None
        return spot, deviations[spot]

    def _marker(self, step: SetUpStep, look: SensorScan) -> bool:
        felt = self._felt(look, self._box_spots)
        if felt is None:
            self.words = msg("No marker detected yet.")
            self._heap.scans.clear()
            return False
        if not self._gathered(look, felt[0]):
            return False
        class_ = next(c for c, player in self.profile.players.items() if player == step.name)
        spot = felt[0]
        deviations = [normalised(scan[spot], self._rest[spot], SCALE_ONE) for scan in self._heap.scans]
        samples = {**self._samples, class_: deviations}
        windows = learn_windows(samples)
        self._samples = samples
        self.profile = replace(self.profile, windows=windows)
        return True

    @property
    def _box_spots(self) -> Sequence[int]:
        sides = set(self._shape.sides.values())
        return [spot for spot in range(self._shape.spots) if spot not in sides]

    def _boxes(self, step: SetUpStep, look: SensorScan) -> bool:
        """Give each box the scale that makes it read the marker like the box where it was learnt."""
        class_ = next(c for c, player in self.profile.players.items() if player == step.name)
        if class_ not in self._samples:
            raise ProfileError(msg("This marker was skipped: go back and learn it first."))
        boxes = self._box_spots
        self.words = msg("{done} of {count} boxes learnt.", done=len(self._scaled), count=len(boxes))
        felt = self._felt(look, boxes)
        if felt is None or felt[0] in self._scaled:
            self._heap.scans.clear()
            return False
        spot = felt[0]
        if not self._gathered(look, spot):
            return False
        wanted = abs(round(statistics.median(self._samples[class_])))
        scale = learn_scale(self._rest[spot], [scan[spot] for scan in self._heap.scans], wanted)
        spots = list(self.profile.spots) or [(rest, SCALE_ONE) for rest in self._rest]
        spots[spot] = (self._rest[spot], scale)
        self.profile = replace(self.profile, spots=tuple(spots))
        self._scaled.add(spot)
        self._heap = _Heap()
        return len(self._scaled) == len(boxes)

    def _turn(self, step: SetUpStep, look: SensorScan) -> bool:
        felt = self._felt(look, self._shape.sides.values())
        if felt is None:
            self.words = msg("The tile's magnet has not been detected yet.")
            self._heap.scans.clear()
            return False
        if not self._gathered(look, felt[0]):
            return False
        spot = felt[0]
        deviations = [normalised(scan[spot], self._rest[spot], SCALE_ONE) for scan in self._heap.scans]
        self._learn_sides(deviations)
        self._learn_tag_of_turned(step, look)
        return True

    def _learn_tag_of_turned(self, step: SetUpStep, look: SensorScan) -> None:
        """The tile used to learn the sides is there with its tag, so it need not be put down again."""
        new = self._new_tags(look)
        if 1 <= len(new) <= 2:
            for value in new:
                self.profile = self.profile.with_tag(value, Tag("tile", step.name))
            self._steps = [each for each in self._steps if (each.kind, each.name) != ("tile", step.name)]

    def _new_tags(self, look: SensorScan) -> frozenset[int]:
        here = frozenset().union(*look.tags.values()) if look.tags else frozenset()
        return here - frozenset(self.profile.tags)

    def _learn_sides(self, deviations: Sequence[int]) -> None:
        """The sides are the two poles of one magnet: one side reads the negative of the other."""
        windows = self.profile.windows
        if not any(c and low <= d <= high for c, (low, high) in enumerate(windows) for d in deviations[:1]):
            # A different strength from any marker: two separate classes.
            samples = {**self._samples, 6: list(deviations), 7: [-d for d in deviations]}
            windows = learn_windows(samples)
            self._samples = samples
        is_north = deviations[0] > 0
        sides = {
            class_: "sketch" if (low + high > 0) == is_north else "built"
            for class_, (low, high) in enumerate(windows)
            if class_ and low <= high
        }
        if len(set(sides.values())) < 2:
            raise ProfileError(
                msg("Built sides cannot be told from sketch sides: turn one player's magnets round.")
            )
        self.profile = replace(self.profile, windows=windows, sides=sides)

    def _tag(self, step: SetUpStep, look: SensorScan) -> bool:
        heap = self._heap
        new = self._new_tags(look)
        heap.agreeing = heap.agreeing + 1 if new and new == heap.seen else int(bool(new))
        heap.seen = new
        if not new:
            self.words = msg("No new tag has been read yet.")
        if heap.agreeing < AGREEING:
            return False
        if len(new) > 2 or (len(new) == 2 and step.kind != "tile"):
            raise ProfileError(msg("{count} new tags at once: put down one piece at a time.", count=len(new)))
        side = "built" if step.name in self._fixed else None
        for value in sorted(new):
            self.profile = self.profile.with_tag(value, Tag(step.kind, step.name, side))
        return True
