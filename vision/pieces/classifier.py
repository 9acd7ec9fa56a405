"""From measurements to claims of tiles, and what is plain to see of markers and figures.

The limits were set on photograph-like tables; `tests/benchmarks/read_accuracy.py` shows how they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.faces.registration import Match
from vision.pieces.figures import Border, StandingFigure
from vision.pieces.markers import BoxFeatures, Marker, is_in_place

# Markers on two of its boxes tell a face that agrees so well at least. Where another side agrees as well they
# lie no farther off than the last of these.
_MARKED, _MARKED_MM, _MARKED_EXACTLY_MM = 0.25, 4.2, 2.5
# Players lay markers within a few millimetres of the box; farther off one has been knocked.
_ASTRAY_MM = 5.5
# A marker that is plain to see is of one colour, which no other player's is much of, and under it less than
# this of the print is seen.
_PLAIN_FILL, _PLAIN_LEAD, _PRINT_GONE = 0.9, 0.25, 0.57
# Softer than this, in mm, the digits of a box are gone.
TOO_SOFT_MM = 1.5
# So well a piece and its outline cover each other where nothing is in the way.
_PLAIN_FIT = 0.7
# Patches of its colour that are so much larger than its outline are not a figure alone.
_OVERSIZE = 1.4
# Where another place shows as much of a piece, it must be so much stronger than there.
_RIVALLED = 0.1
# Where no other place shows more of it than this, nothing else is of a piece's colour.
_NOWHERE_ELSE = 0.05
# Nothing else shows so much of a piece that is told for sure.
_NO_RIVAL = 0.5
# Of a figure behind another piece so much is seen, and of so much of its size, if no marker is near; all that
# ever looked like one where none stood showed far less.
_HALF_SHOWN, _HALF_SIZE = 0.38, 0.42
# On the next cell, close by, the same thing shows so much less of itself.
_ON_ITS_CELL = 0.1
# What has less of it than this, as a share of a figure's outline, is a part of one at most.
_UNDERSIZE = 0.55
# A piece told by its border shows so much of it, as far as that can be seen, and so much of itself lit, where
# nothing else is nearly so much like it.
_BORDER_SHOWN, _BORDER_SEEN, _BORDER_LIT = 0.33, 0.6, 0.1
_BORDER_WHOLE, _BORDER_FAR_AHEAD, _BORDER_SPILL = 0.85, 0.15, 0.3
# Of a block that agrees less the print is not seen.
_DISAGREES = 0.3
# Of a white marker no more than this is white, in areas of its outline, unless it touches another just there.
_WHITE_TOP, _JUST_THERE_MM = 1.25, 2.0


def markers_in_place(match: Match, features: Sequence[BoxFeatures], rival: float) -> list[int]:
    """Return which of a face's boxes have markers so plainly in their places that the face must be there.

    It takes two; none are returned where that is not proven. `rival` is how well any other face agrees: where
    that is far less, the markers need not lie so exactly. Nor need the second where it lies by itself.
    """
    is_ahead = match.score > 0.45 and match.score - rival > 0.15
    off_mm = _MARKED_MM if is_ahead else _MARKED_EXACTLY_MM
    seen = [(number, box, box.marker) for number, box in enumerate(features) if box.marker is not None]
    exact = [number for number, box, marker in seen if _is_just_there(box, marker, off_mm)]
    near = [number for number, box, marker in seen if _is_by_itself(box, marker)]
    marked = sorted({*exact, *near})
    return marked if match.score > _MARKED and exact and len(marked) > 1 else []


def _is_just_there(box: BoxFeatures, marker: Marker, off_mm: float) -> bool:
    """Whether a marker lies where one on this box must, whatever it touches."""
    is_whole = marker.fill > 0.7 and marker.strange > 0.9 and marker.fill - marker.second > 0.25
    is_own = 0.6 < marker.size < 1.9 and marker.other < 0.3 and not marker.is_light
    return is_whole and is_own and box.off_mm < off_mm and box.blind < 0.4 and box.print < 0.6


def _is_by_itself(box: BoxFeatures, marker: Marker) -> bool:
    """Whether a marker of any colour lies on a box or half off it, and nothing touches it."""
    is_whole = min(marker.fill, marker.strange) > 0.95 and 0.8 < marker.size < 1.4 and marker.around > 0.85
    is_whole = is_whole and marker.fill - marker.second > 0.25
    return is_whole and box.off_mm < _MARKED_MM and box.blind < 0.4 and box.print < 0.6


def is_half_lost(match: Match) -> bool:
    """Whether what is printed is not seen on half of the face."""
    return float((match.blocks < _DISAGREES).mean()) > 0.5


def classify_standing(found: StandingFigure, learnt: float, kind: str, *, alone: bool = False) -> float:
    """Return how plain it is that a figure stands where it was found, 0 when it is not.

    `learnt` is the share of its outline that was seen when it was learnt. `alone` tells that there are no
    markers of its colour anywhere near.
    """
    if found.border is None:
        sure = _classify_colour(found, learnt, kind)
        return 0.9 if sure == 0 and alone and _is_half_hidden(found, kind) else sure
    # What goes on beyond its outline is the tip of something larger, a finger of a hand not told to be one.
    return 0.0 if found.spill > _BORDER_SPILL else _classify_border(found.border)


def _classify_colour(found: StandingFigure, learnt: float, kind: str) -> float:
    """Return how plain it is that a figure stands where its colour was found, 0 for too little."""
    # The ground in the piece's shadow may look like more of the piece.
    found = replace(found, spill=found.lit_spill)
    share = found.share / max(learnt, 0.6)
    lead = found.share - found.rival
    # What spills over its outline must be the clearer in its place; a fingertip may look much like a figure.
    least_lead = 0.22 + max(found.spill - 0.15, 0.0)
    if found.rival >= found.share:
        # Another place shows as much of it, and only its outline fits less well there.
        least_lead += _RIVALLED
    if found.fit > 0.6 and share > 0.7 and found.lead > least_lead and found.spill < 0.32:
        if kind == "figure" and found.mass < _UNDERSIZE:
            # About a marker's size, or a figure of which a half is in the shade.
            return 0.95 if _is_far_ahead(found) else 0.0
        if kind == "figure" and found.mass > _OVERSIZE:
            if found.fit < _PLAIN_FIT and share < 0.85:
                # A larger thing, on which a figure's outline happens to find room.
                return 0.0
            if found.spill > 0.15:
                # What spills over and is much larger than a figure may be glare, or two things.
                return 0.9
        is_plain_to_see = found.fit > _PLAIN_FIT and share > 0.85 and found.lead > 0.35 and found.spill < 0.1
        # A white marker seen from low down is much like a figure, and the figure is elsewhere.
        is_plain_to_see = is_plain_to_see and found.rival < _NO_RIVAL
        return 0.995 if is_plain_to_see else 0.97
    if (sure := _told_apart(found, share, kind)) > 0:
        return sure
    if found.spill > 0.2:
        return 0.0
    if share > 0.8 and lead > 0.35:
        return 0.97
    if kind == "dragon" and share > 0.4 and min(lead, found.lead) > 0.2 and _is_plainly_something(found):
        # Wings and tails make a dragon of many shapes. So much of its colour in one place is nothing else.
        return 0.95
    enough, far = (0.65, 0.15) if kind == "dragon" else (0.8, 0.3)
    return 0.95 if share > enough and lead > far else 0.0


def _classify_border(border: Border) -> float:
    """Return how surely a piece stands where it was found by its border, 0 for too little."""
    if border.shown < _BORDER_SHOWN or border.seen < _BORDER_SEEN or border.lit < _BORDER_LIT:
        return 0.0
    # Of what is half hidden the rest must be the clearer.
    own, lead = (0.45, 0.05) if border.seen > _BORDER_WHOLE else (0.6, 0.1)
    if border.own < own or border.lead < lead:
        return 0.0
    return 0.95 if border.lead > _BORDER_FAR_AHEAD else 0.9


def is_plainly_bordered(border: Border) -> bool:
    """Whether it is so much the border of a figure that markers beside it cannot be all there is."""
    return border.shown > 0.45 and border.own > 0.6 and border.lead > 0.25


def _told_apart(found: StandingFigure, share: float, kind: str) -> float:
    """Return how surely a figure stands there by what is its own or nowhere else, 0 for too little."""
    is_itself = share > 0.7 and (_fits_exactly(found) or _is_alone(found))
    if is_itself or (share > 0.6 and _is_far_ahead(found)) or _is_the_only_one(found, kind):
        return 0.95
    return 0.9 if kind == "figure" and _is_ahead(found) else 0.0


def _fits_exactly(found: StandingFigure) -> bool:
    """Whether a thing of the figure's own shape and size lies there, though another place is much like it."""
    return found.fit > 0.77 and found.spill < 0.1 and 0.6 < found.mass < _OVERSIZE and found.lead > 0.12


def _is_alone(found: StandingFigure) -> bool:
    """Whether as much of the figure's colour as it has lies there and ends there, far from anything like it.

    A side in the shade, or something before it, makes its outline another one.
    """
    return found.fit > 0.5 and found.spill < 0.1 and 0.6 < found.mass < _OVERSIZE and found.lead > 0.3


def _is_far_ahead(found: StandingFigure) -> bool:
    """Whether nothing else is nearly so much like the figure, though one side of it is in the shade."""
    is_some = found.fit > 0.55 and found.spill < 0.1 and 0.4 < found.mass < _OVERSIZE
    return is_some and found.lead > 0.37 and found.rival < 0.4


def _is_ahead(found: StandingFigure) -> bool:
    """Whether the lit half of a figure is seen, and nothing else in its colour is so much like it."""
    is_half = found.share > 0.42 and found.fit > 0.4 and 0.35 < found.mass < _OVERSIZE
    return is_half and found.spill < 0.1 and found.lead > 0.2 and found.rival < 0.35


def _is_the_only_one(found: StandingFigure, kind: str) -> bool:
    """Whether nothing anywhere else is of its colour, and enough is there to be no marker and no stain.

    Of a piece that turns its narrow side to the camera, or stands half off a tile, little fits its outline.
    """
    if found.rival > _NOWHERE_ELSE:
        return False
    if kind == "figure":
        # Where most of it is off the tiles its base may be on either of two.
        share, mass = (0.45, 0.6) if found.fit > 0.5 else (0.49, 0.7)
        fits = found.fit > 0.5 or found.fit == 0.0
        return fits and found.share > share and mass < found.mass < _OVERSIZE and found.spill < 0.1
    if found.share > 0.55 and found.mass < _OVERSIZE and found.spill < 0.32:
        return True
    fits = found.fit > 0.3 or found.fit == 0.0
    return fits and found.share > 0.25 and 0.4 < found.mass < 1.6 and found.spill < 0.1


def _is_half_hidden(found: StandingFigure, kind: str) -> bool:
    """Whether what is seen of a figure beside other pieces is one, and hardly anything else has its colour.

    Of its outline so much is behind them that how well it fits cannot be told.
    """
    if kind != "figure" or found.fit > 0:
        return False
    if found.rival > _NOWHERE_ELSE and (found.share - found.rival < 0.23 or found.mass < 0.6):
        return False  # of what is elsewhere, too, more must be here
    if found.share - found.beside < _ON_ITS_CELL:
        return False  # its base may be on either of two
    return found.share > _HALF_SHOWN and _HALF_SIZE < found.mass < _OVERSIZE and found.lit_spill < 0.12


def _is_plainly_something(found: StandingFigure) -> bool:
    """Whether a thing of a dragon's size and colour lies there alone, with hardly any like it elsewhere."""
    # Where much of it is beyond the tiles how well it fits cannot be told.
    fits = found.fit > 0.4 or found.fit == 0.0
    return 0.38 < found.mass < 1.6 and fits and found.spill < 0.1 and found.rival < 0.15


def is_exactly_there(box: BoxFeatures) -> bool:
    """Whether a thing in a marker's colour, through and through, is just where a marker is to be."""
    marker = box.marker
    return marker is not None and is_in_place(marker, box.off_mm)


def _is_in_place(box: BoxFeatures, marker: Marker) -> bool:
    """Whether it lies just in its place and hides the print: then it may touch its neighbours."""
    is_whole = box.off_mm < 3.0 and marker.fill > 0.95 and marker.strange > 0.95
    return is_whole and box.print < 0.45 and marker.under < 0.35


def _is_more_than_a_top(marker: Marker) -> bool:
    """Whether a white thing is larger than what is white of a marker."""
    return marker.is_light and marker.size > _WHITE_TOP


def is_plain(box: BoxFeatures) -> bool:
    """Whether a marker lies on a box or near it, by itself, so plainly that it is no part of a figure."""
    marker = box.marker
    if marker is None or not _is_a_marker(box, marker):
        return False
    if _is_more_than_a_top(marker) and box.off_mm > _JUST_THERE_MM:
        return marker.around > 0.85
    in_place = _is_in_place(box, marker)
    most = 2.05 if marker.around > 0.85 or in_place else 1.75
    return marker.around > (0.4 if in_place else 0.6) and marker.size < most


def _is_a_marker(box: BoxFeatures, marker: Marker) -> bool:
    """Whether it is somebody's marker: of one colour all over, or on its box, whose print it hides."""
    if min(marker.fill, marker.strange) > _PLAIN_FILL and box.off_mm < 6.0:
        return True  # whose box it belongs to need not be known
    is_one = is_solid(marker) and marker.strange > 0.75 and marker.fill - marker.second > _PLAIN_LEAD
    hides_print = max(box.print, marker.under) < _PRINT_GONE
    return is_one and hides_print and marker.other < 0.3 and box.off_mm < _ASTRAY_MM


def is_solid(marker: Marker) -> bool:
    """Whether something in a marker's colour is a marker rather than a stain, a shadow or a blurred print."""
    return marker.fill > 0.72 and marker.size > 0.55 and marker.strange > 0.45
