"""Which tile is which: tiles laid in any order and turned any way, identified by their printed boxes.

The number, colour and digits of a tile's boxes identify most tiles. That every tile exists once identifies
the others, or leaves a few that cannot be told apart. Digits are first compared with drawn ones, then with
the tiles' own, since all digits of one game have the same style.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table_layout import TableLayout
from vision.arrays import Floats, Picture8, Singles
from vision.enrolment.box_rows import BoxRow, TurnedRows, find_turned_rows, straightened
from vision.enrolment.common_turns import CommonTurn, common_turns
from vision.enrolment.digits import INSIDE_PX, cut_digit, drawn_digits, even, likeness
from vision.enrolment.linear_assignment import linear_assignment
from vision.enrolment.photograph_names import BUILT, SKETCH, photograph_name
from vision.faces.cutting import camera_pose_of, cut_face, register_outlines, white_light
from vision.faces.registration import Face
from vision.faces.scene import MARGIN_MM, PX_PER_MM, Surveyor, plane_of
from vision.geometry.rectify import Flat
from vision.photometry.light import coded
from vision.pieces.face_library import face_shape

FINE = 2
"""Faces for naming are so many times larger than the city's pictures."""
NO_COLOUR = ""
ANY_COLOUR = "any"
MOST_BOXES = 4

# A picture of boxes for people reaches so many edges of a box beyond their middles.
_STRIP_EDGES = 0.8
# What is in a box is looked at with some pixels around.
_AROUND_PX = 3
# So much of a box's edge is inside of its frame.
_WITHIN = 0.8
# How much rows, colours and digits have to say, and how much one wrong digit or colour may cost.
_ROW_SAYS, _DIGIT_SAYS, _WRONG_DIGIT, _WRONG_COLOUR = 4.0, 12.0, 2.0, 4.0
# What is in the boxes of a wrong row looks less like digits; without boxes nothing needs to.
_DIGITS_SAY, _NOTHING = 10.0, 0.62
# A row that goes on at both ends in the same ink has more boxes.
_MORE_BOXES, _SAME_INK = 2.0, 25.0
# Coded levels of 255 by which one people's boxes differ from tile to tile.
_COLOUR_SPREAD = 26.0
# Boxes of all colours vary within by more than this; others by less.
_MANY_COLOURS, _COLOURS_SPREAD = 34.0, 8.0
# How much it says that digits are seen upright.
_UPRIGHT_SAYS = 5.0
# Rows are believed if so many of all tiles lie alike after the turns that rows tell.
_MOST_ALIKE = 0.8
# A way up is sure if so much more speaks for it than for any other, at the mean of all boxes.
_WAY_UP_LEAD = 0.1
# Rounds in which the tiles' own digits and colours are learnt.
_ROUNDS = 3
# So many boxes show how a game prints a digit, and so much more than a drawn one that counts.
_ENOUGH, _OWN_DIGIT = 3, 2.0
# Where fewer readings are as listed, digits of this print are not read well enough to contradict the list.
_MOST_AS_LISTED = 0.75
# Another number is claimed if it is read more plainly than this share of the digits that are as listed.
_AS_PLAIN = 0.5
# A number that looks so much less like the one expected is another.
_PLAINLY_OTHER = 0.025
# A name is sure when the next best way to name all tiles is so much worse.
_SURE = 3.0
_NEVER = -1e3


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a catalogue says is printed on the sketch side of a tile.

    Attributes:
        colour: the people of its boxes, ``any`` for boxes of all colours, empty without boxes.
        values: the numbers in its boxes, left to right.
    """

    colour: str = NO_COLOUR
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamingResult:
    """What a tile on a cell is taken for.

    Attributes:
        tile: its name.
        turn: quarter turns anticlockwise (as `numpy.rot90` does) that set its picture upright.
        is_sure: no other name would do nearly as well.
        others: names that would do nearly as well, best first; empty when it is sure.
        values: the numbers seen in its boxes, left to right.
        printed: what the catalogue says of it.
        boxes: its boxes upright, cut out of its picture, (height, width, 3) BGR; None if it has none.
        is_unclear: a number looks unlike the one listed, but not so plainly that another is claimed.
    """

    tile: str
    turn: int
    is_sure: bool
    others: tuple[str, ...]
    values: tuple[int, ...]
    printed: Printed
    boxes: Picture8 | None = field(default=None, compare=False, repr=False)
    is_unclear: bool = False

    @property
    def differs(self) -> bool:
        """Whether it shows other numbers than the catalogue says."""
        return self.values != self.printed.values


class TileNamer:
    """Names the tiles of one photograph, as often as someone says something about one of them."""

    def __init__(self, faces: Mapping[str, Face]) -> None:
        """Look at the sketch sides of all cells, square, as they lie; `FINE` times the city's scale."""
        self.faces = faces
        pictures = {cell: coded(face.picture) for cell, face in faces.items()}
        small = {cell: _reduced(picture) for cell, picture in pictures.items()}
        self._ways_up = _seen(pictures, small)
        self._common = common_turns(small)

    def name(
        self,
        catalogue: Mapping[str, Printed],
        colours: Mapping[str, tuple[int, int, int]],
        known: Mapping[str, str] | None = None,
    ) -> dict[str, NamingResult]:
        """Return what the tile on each cell is taken for.

        `catalogue` tells what is printed on each tile, `colours` about the ink of each people's boxes, BGR,
        `known` cells of which someone said what is there. Raises ValueError if there are more cells than
        tiles.
        """
        inks = {name: np.array(ink, np.float32) for name, ink in colours.items()}
        # Rows do not tell which way is up; digits, and what the catalogue says of them, do.
        told = [self._named(seen, catalogue, inks, known or {}) for seen in self._ways_up]
        scores = [score for score, _ in told]
        best = int(np.argmax(scores))
        lead = (scores[best] - sorted(scores)[-2]) / max(
            sum(len(one.values) for one in catalogue.values()), 1
        )
        return self._believed(told[best][1], is_way_up_sure=lead >= _WAY_UP_LEAD)

    def _believed(self, named: dict[str, NamingResult], *, is_way_up_sure: bool) -> dict[str, NamingResult]:
        """Return the tiles with what can be relied on of how they lie and which numbers they show.

        Upright tiles have more in common than turned ones. Where that contradicts the rows on many
        tiles, what looked like rows were no boxes. Then, or if digits do not tell which way is up, tiles are
        taken to lie upright, as most people lay them, and nothing is claimed of their numbers.
        """
        alike = _turned_alike(named, self._common)
        boxed = [cell for cell, one in named.items() if one.printed.values]
        if not is_way_up_sure or len(alike) < _MOST_ALIKE * len(boxed):
            return {cell: _without_claims(one, 0) for cell, one in named.items()}
        return named

    def _named(
        self,
        seen: _Seen,
        catalogue: Mapping[str, Printed],
        inks: Mapping[str, Singles],
        known: Mapping[str, str],
    ) -> tuple[float, dict[str, NamingResult]]:
        """Return what each tile is taken for if they lie so, and how much speaks for all of that."""
        cells, tiles = list(self.faces), list(catalogue)
        said = {cells.index(cell): tiles.index(tile) for cell, tile in known.items()}
        printed = [catalogue[tile] for tile in tiles]
        common = sorted({value for one in printed for value in one.values})
        digits = seen.likeliest_digits(common)
        score, poses, found = _assignment(seen, printed, inks, digits, common, said)
        for _ in range(_ROUNDS - 1):
            names, ways = [printed[one] for one in found], poses[np.arange(len(found)), found].tolist()
            inks, digits = seen.own_inks(names, ways, inks), seen.own_digits(names, ways, digits)
            score, poses, found = _assignment(seen, printed, inks, digits, common, said)
        shown = [
            seen.read(number, int(poses[number, tile]), printed[tile], digits, common)
            for number, tile in enumerate(found.tolist())
        ]
        least = plain_enough([digit for some in shown for digit in some])
        named = {}
        for number, (cell, tile) in enumerate(zip(cells, found.tolist(), strict=True)):
            others = () if number in said else _rivals(score, found, number)
            way = int(poses[number, tile])
            named[cell] = NamingResult(
                tile=tiles[tile],
                # Without boxes nothing tells, and nothing asks.
                turn=seen.turn(number, way) if printed[tile].values else 0,
                is_sure=not others,
                others=tuple(tiles[one] for one in others),
                values=tuple(one.seen if one.over_listed > least else one.listed for one in shown[number]),
                printed=printed[tile],
                boxes=seen.strip(number, way, printed[tile]),
                is_unclear=any(_PLAINLY_OTHER < one.over_listed <= least for one in shown[number]),
            )
        # What someone said counts for nothing here: it would be as good in any way.
        fits, _ = seen.compare(printed, inks, digits, common)
        total = float(fits[np.arange(len(found)), found].sum()) + _UPRIGHT_SAYS * seen.upright
        return total, named


def _assignment(
    seen: _Seen,
    printed: Sequence[Printed],
    inks: Mapping[str, Singles],
    digits: Sequence[Singles],
    common: Sequence[int],
    said: Mapping[int, int],
) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """Return how well each tile may be each of the catalogue's, how it lies then, and which is which."""
    score, poses = seen.compare(printed, inks, digits, common)
    for cell, tile in said.items():
        score[:, tile], score[cell] = _NEVER, _NEVER
        score[cell, tile] = 0.0
    return score, poses, linear_assignment(score)


def _rivals(score: Floats, found: NDArray[np.intp], number: int) -> tuple[int, ...]:
    """Return the tiles that one may be instead, if all the others are named as well as can be."""
    best = float(score[np.arange(len(found)), found].sum())
    barred = score.copy()
    barred[number, found[number]] = _NEVER
    rivals: list[int] = []
    while len(rivals) + 1 < score.shape[1]:
        other = linear_assignment(barred)
        if best - float(barred[np.arange(len(other)), other].sum()) > _SURE:
            break
        rivals.append(int(other[number]))
        barred[number, other[number]] = _NEVER
    return tuple(rivals)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Box:
    """One box: its ink, BGR, how much that varies within, and its inside, gray."""

    ink: Singles
    varied: float
    inside: Singles


@dataclass(frozen=True, slots=True, kw_only=True)
class Digit:
    """What a box looks most like, and how much more so than what is listed and than the next best."""

    listed: int
    seen: int
    over_listed: float
    lead: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """What is seen of a tile's boxes if so many quarter turns set it upright.

    Attributes:
        turn: those turns, anticlockwise.
        boxes: of 0, 1, 2, ... boxes those that may be there.
        strips: the same as one picture each, for people to look at.
        gains: how much their rows speak for so many.
    """

    turn: int
    boxes: list[list[_Box]]
    strips: list[Picture8 | None]
    gains: Floats


class _Seen:
    """What is seen of the boxes on all tiles, for every number of boxes that they may have."""

    def __init__(self, ways: Sequence[Sequence[_Way]]) -> None:
        """Begin with the ways in which each tile may lie, the likeliest first."""
        self._ways = ways
        likely = [some[0] for some in ways]
        insides = [box.inside for one in likely for box in one.boxes[int(one.gains[1:].argmax()) + 1]]
        # How plainly digits are seen, upright; 6 and 9 say nothing of what is up.
        self.upright = max(
            sum(float(likeness(one, font)[:5].max()) for one in insides) for font in drawn_digits()
        )

    def likeliest_digits(self, common: Sequence[int]) -> list[Singles]:
        """Return the drawn digits that are most like those that are seen, of one font and size."""
        likely = [ways[0] for ways in self._ways]
        insides = [box.inside for way in likely for box in way.boxes[int(way.gains.argmax())]]
        return max(drawn_digits(), key=lambda font: sum(likeness(one, font, common).max() for one in insides))

    def turn(self, number: int, way: int) -> int:
        """Return the quarter turns that set a tile upright, if it lies in one of its ways."""
        return self._ways[number][way].turn

    def strip(self, number: int, way: int, printed: Printed) -> Picture8 | None:
        """Return the boxes of a tile as one picture, None if it has none."""
        return self._ways[number][way].strips[len(printed.values)]

    def compare(
        self,
        printed: Sequence[Printed],
        inks: Mapping[str, Singles],
        digits: Sequence[Singles],
        common: Sequence[int],
    ) -> tuple[Floats, NDArray[np.intp]]:
        """Return how well each tile (row) may be what each entry of a catalogue (column) describes.

        With it comes the way in which it lies then.
        """
        shape = len(self._ways), len(printed)
        score, poses = np.full(shape, -np.inf), np.zeros(shape, np.intp)
        for row, ways in enumerate(self._ways):
            fits = np.stack([_fits(way, printed, inks, digits, common) for way in ways])
            # Of rows that lie otherwise less speaks for them.
            fits += _ROW_SAYS * np.array([[way.gains.max()] for way in ways])
            fits -= _ROW_SAYS * max(float(way.gains.max()) for way in ways)
            poses[row] = fits.argmax(axis=0)
            score[row] = fits.max(axis=0)
        return score, poses

    def own_inks(
        self, names: Sequence[Printed], ways: Sequence[int], inks: Mapping[str, Singles]
    ) -> dict[str, Singles]:
        """Return the inks that the tiles have if these are their names and so they lie."""
        mine: dict[str, list[Singles]] = {}
        for tile, way, one in zip(self._ways, ways, names, strict=True):
            mine.setdefault(one.colour, []).extend(box.ink for box in tile[way].boxes[len(one.values)])
        return {
            name: np.asarray((ink + np.median(mine.get(name) or [ink], axis=0)) / 2, np.float32)
            for name, ink in inks.items()
        }

    def own_digits(
        self, names: Sequence[Printed], ways: Sequence[int], digits: Sequence[Singles]
    ) -> list[Singles]:
        """Return the digits that the tiles have if these are their names, mixed with those known so far."""
        shown: list[list[Singles]] = [[] for _ in digits]
        for tile, way, one in zip(self._ways, ways, names, strict=True):
            for box, value in zip(tile[way].boxes[len(one.values)], one.values, strict=True):
                shown[value - 1].append(even(cut_digit(box.inside, digits[value - 1])))
        # The catalogue may be wrong about some of them, but not about most.
        return [
            even(even(known) + _OWN_DIGIT * np.median(some, axis=0)) if len(some) >= _ENOUGH else even(known)
            for known, some in zip(digits, shown, strict=True)
        ]

    def read(
        self, number: int, way: int, printed: Printed, digits: Sequence[Singles], common: Sequence[int]
    ) -> list[Digit]:
        """Return what the boxes of a tile look most like, beside what the catalogue says."""
        found = []
        boxes = self._ways[number][way].boxes[len(printed.values)]
        for box, value in zip(boxes, printed.values, strict=True):
            like = likeness(box.inside, digits, common)
            second, best = np.sort(like)[-2:].tolist()
            found.append(
                Digit(
                    listed=value,
                    seen=int(like.argmax()) + 1,
                    over_listed=best - float(like[value - 1]),
                    lead=best - second,
                )
            )
        return found


def _turned_alike(named: Mapping[str, NamingResult], common: Mapping[str, CommonTurn]) -> set[str]:
    """Return most of the tiles with boxes: those whose turns, as named, are the common ones and one more."""
    by_way: dict[int, set[str]] = {}
    for cell, one in named.items():
        if one.printed.values:
            by_way.setdefault((one.turn - common[cell].turns[0]) % 4, set()).add(cell)
    return max(by_way.values(), key=len, default=set())


def plain_enough(digits: Sequence[Digit]) -> float:
    """Return how much more like another digit a box must look for that to be claimed.

    It must be as plain to read as most digits of this copy that are as listed. Infinite where too many boxes
    look unlike the list: then it is the reading that is wrong.
    """
    leads = [one.lead for one in digits if one.seen == one.listed]
    if not leads or len(leads) < _MOST_AS_LISTED * len(digits):
        return math.inf
    return max(_PLAINLY_OTHER, float(np.quantile(leads, _AS_PLAIN)))


def _without_claims(one: NamingResult, turn: int) -> NamingResult:
    """Return a tile that lies so and of which nothing is claimed but what the catalogue says."""
    boxes = one.boxes if turn == one.turn else None
    return replace(one, turn=turn, values=one.printed.values, boxes=boxes, is_unclear=False)


def _seen(pictures: Mapping[str, Picture8], small: Mapping[str, Picture8]) -> list[_Seen]:
    """Return what is seen of the boxes if they lie at the lower, left, upper or right rims of tiles."""
    rows = find_turned_rows(small, PX_PER_MM, most=MOST_BOXES)
    return [
        _Seen(
            [
                [_way_of(pictures[cell], seen, turn, more) for turn in seen.likely]
                for cell, seen in rows.items()
            ]
        )
        for more in range(4)
    ]


def _fits(
    way: _Way,
    printed: Sequence[Printed],
    inks: Mapping[str, Singles],
    digits: Sequence[Singles],
    common: Sequence[int],
) -> Floats:
    """Return how well a tile that lies in one way may be what each entry of a catalogue describes."""
    like = [[likeness(box.inside, digits, common) for box in boxes] for boxes in way.boxes]
    plain = np.array([_NOTHING, *(np.mean([one.max() for one in some]) for some in like[1:])])
    fits = _ROW_SAYS * (way.gains - way.gains.max()) + _DIGITS_SAY * (plain - plain.max())
    fits -= _MORE_BOXES * np.array([_goes_on(way.boxes, count) for count in range(len(way.boxes))])
    score = np.zeros(len(printed))
    for column, one in enumerate(printed):
        count = len(one.values)
        score[column] = fits[count]
        for box, each, value in zip(way.boxes[count], like[count], one.values, strict=True):
            score[column] += max(_DIGIT_SAYS * (each[value - 1] - each.max()), -_WRONG_DIGIT)
            score[column] += _ink_says(box, one.colour, inks) / count
    return score


def _way_of(picture: Picture8, seen: TurnedRows, turn: int, more: int) -> _Way:
    """Return what is seen of the boxes of a tile after a turn and some more quarter turns."""
    straight = np.ascontiguousarray(np.rot90(straightened(picture, seen.tilt_deg), turn + more))
    rows = seen.ways[turn].rows
    some = [_turned_row(row, straight.shape[0] // FINE, more) for row in rows]
    return _Way(
        turn=(turn + more) % 4,
        boxes=[[], *([_box(straight, at, row.edge_px) for at in row.middles_px] for row in some)],
        strips=[None, *(_strip(straight, row) for row in some)],
        gains=np.array((0.0, *seen.ways[turn].gains)),
    )


def _strip(picture: Picture8, row: BoxRow) -> Picture8:
    """Return a row of boxes and a little around it; `row` in px of the picture `FINE` times smaller."""
    middles = (np.array(row.middles_px) + 0.5) * FINE
    around = _STRIP_EDGES * row.edge_px * FINE
    left, top = np.maximum(middles.min(axis=0) - around, 0).astype(int)
    right, bottom = np.ceil(middles.max(axis=0) + around).astype(int)
    return np.ascontiguousarray(picture[top:bottom, left:right])


def cut_sketch_sides(frame: Picture8, layout: TableLayout) -> dict[str, Face]:
    """Return the tile on every cell of a photograph (height, width, 3) uint8, as it lies, for naming.

    Raises ProfileError if the fiducials do not suffice.
    """
    return _cut_sides(frame, layout, photograph_name(SKETCH))


def cut_built_sides(frame: Picture8, layout: TableLayout) -> dict[str, Face]:
    """Return the same of a photograph of the built sides."""
    return _cut_sides(frame, layout, photograph_name(BUILT))


def _cut_sides(frame: Picture8, layout: TableLayout, what: str) -> dict[str, Face]:
    camera = camera_pose_of(frame, layout, what)
    coarse = Surveyor(layout, camera).draw_city(frame).plane
    poses = register_outlines(coarse, layout)
    flat = Flat.around(*layout.extent_mm(MARGIN_MM), FINE * PX_PER_MM, layout.pieces.tile_thickness_mm)
    fine = plane_of(frame, camera, flat)
    white = white_light(frame, layout, camera)(flat)
    edge = FINE * face_shape(layout.tile_edge_mm, layout.tile_edge_mm)[0]
    found = {}
    for cell, pose in poses.items():
        x, y = ((at + 0.5) * FINE - 0.5 for at in (pose.x_px, pose.y_px))
        found[cell] = cut_face(fine, white, replace(pose, x_px=x, y_px=y), (edge, edge), cell)
    return found


def _reduced(picture: Picture8) -> Picture8:
    size = picture.shape[1] // FINE, picture.shape[0] // FINE
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _turned_row(row: BoxRow, edge: int, quarters: int) -> BoxRow:
    """Return a row as it is on a picture of this edge turned by quarters anticlockwise, in reading order."""
    middles = row.middles_px
    for _ in range(quarters):
        middles = tuple((y, edge - 1 - x) for x, y in middles)
    # Rows are read from the left, columns downwards.
    if quarters in (1, 2):
        middles = middles[::-1]
    return BoxRow(middles_px=middles, edge_px=row.edge_px, strength=row.strength)


def _box(picture: Picture8, middle: tuple[float, float], edge: float) -> _Box:
    """Return a box of a picture; `middle` and `edge` in px of the picture `FINE` times smaller."""
    edge_px = INSIDE_PX + 2 * _AROUND_PX
    scale = edge * FINE * _WITHIN / INSIDE_PX
    shift = [(at + 0.5) * FINE - 0.5 - (edge_px - 1) / 2 * scale for at in middle]
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    size = (edge_px, edge_px)
    inside = np.asarray(
        cv2.warpAffine(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    rim = _AROUND_PX + 1
    whole = inside[rim:-rim, rim:-rim].astype(np.float32)
    beside = np.ones(whole.shape[:2], np.bool_)
    beside[4:-4, 4:-4] = False
    ring = whole[beside]
    ink = np.asarray(np.median(ring, axis=0), np.float32)
    return _Box(
        ink=ink,
        varied=float(np.abs(ring - ink).mean(axis=0).max()),
        inside=cv2.cvtColor(inside, cv2.COLOR_BGR2GRAY).astype(np.float32),
    )


def _ink_says(box: _Box, colour: str, inks: Mapping[str, Singles]) -> float:
    """Return how well a box may be of a people's colour, at most 0."""
    off = (box.varied - _MANY_COLOURS) / _COLOURS_SPREAD
    if colour == ANY_COLOUR:
        return -min(max(-off, 0.0) ** 2, _WRONG_COLOUR)
    apart = box.ink - inks[colour]
    # The light may be stronger here and weaker there: hue says more.
    level = apart.mean()
    far = np.hypot(np.linalg.norm(apart - level), 0.6 * level) / _COLOUR_SPREAD
    return -min(float(far) ** 2 / 2 + max(off, 0.0) ** 2, _WRONG_COLOUR)


def _goes_on(tile: Sequence[Sequence[_Box]], count: int) -> bool:
    """Whether beside a row of so many boxes there are more in the same ink."""
    if not 0 < count < len(tile) - 2:
        return False
    ink = np.mean([box.ink for box in tile[count]], axis=0)
    return all(float(np.linalg.norm(tile[count + 2][end].ink - ink)) < _SAME_INK for end in (0, -1))
