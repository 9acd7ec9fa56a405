"""From measurements to claims: when something is claimed at all, and how surely.

The limits were set on photograph-like tables; `tests/benchmarks/read_accuracy.py` shows how they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.table import Value
from vision.faces.registration import Match
from vision.pieces.figures import Border, StandingFigure
from vision.pieces.glare import Glare
from vision.pieces.markers import BoxFeatures, Marker, is_in_place

# How sure a marker is that stands against a figure or dragon.
_BESIDE_PIECE = 0.95
# Markers on two of its boxes tell a face that agrees so well at least. Where another side agrees as well they
# lie no farther off than the last of these.
_MARKED, _MARKED_MM, _MARKED_EXACTLY_MM = 0.25, 4.2, 2.5
# Players lay markers within a few millimetres of the box; farther off one has been knocked.
_ASTRAY_MM = 5.5
# Farther off it does not reach over the box.
_BESIDE_MM = 7.5
# Of a print over whose rim a marker lies so much seems to be seen under it.
_PARTLY_OVER = 0.6
# So much around a thing that ends is as learnt.
_SEEN_AROUND = 0.8
# Where so much of a box is as learnt and its print is plain, no marker hides the rest; of the print less is
# seen where a part of a marker is, and under a whole one it is not even half seen.
_HALF_BARE, _PRINT_DIM, _PRINT_HALF_SEEN = 0.5, 0.75, 0.45
# So much of a box is as learnt where a marker lies half off it.
_HALF_SEEN = 0.4
# Of a box that is as learnt so far nothing is hidden, and so much of the print is the least that is seen.
_WHOLLY_BARE, _PRINT_SEEN = 0.75, 0.65
# So much of a box, and of its print, is seen where next to nothing is hidden.
_MOSTLY_SEEN = 0.6
# So much more of the print, as a share of what makes it up, is seen in a shadow than is as learnt.
_MORE_PRINT = 0.15
# All but some of a box is as learnt, and of a print that is faint in this light so much is seen.
_MOSTLY_BARE, _PRINT_FAINT = 0.8, 0.5
# Of a box that something lies on, pieces hide no more than this.
_TAKEN_BESIDE = 0.3
# A patch of colour is markers on boxes if these cover it so well, as common by joint area, and better where
# the owner's figure may be what is seen. It fills its place so much, hardly the figure, and hides the print.
_PATCH_FIT, _PATCH_FIT_ALONE = 0.55, 0.68
_PATCH_FILLS, _PATCH_OVERLAP, _PATCH_PRINT = 0.75, 0.1, 0.7
# Farther than this from a box nothing can be on it.
_NOWHERE_NEAR_MM = 20.0
# Of what is on the face no more than this is strange; of a marker that lies half off its box more is.
_HARDLY_STRANGE = 0.2
# Where a marker lies on a box's print it agrees less than this.
_PRINT_GONE = 0.48
# Of what is only partly strange, as glare is, the border says nothing; white may be near to a pale face, but
# so much around it is as learnt.
_PARTLY_STRANGE, _WHITE_ON_PALE, _WHITE_ENDS = 0.6, 0.08, 0.55
# Of a white box's print no more is seen under a white marker.
_DIM_ON_WHITE = 0.57
# So far off, a marker leaves so much of a box to be seen.
_FAR_MM, _LEFT_BARE = 6.0, 0.2
# A knocked marker may have been this box's: the box is not told to be bare.
_KNOCKED_MM = 10.0
# Farther off no marker is any box's; in between it is if the next box is so much farther.
_FARTHEST_MM, _LONELY_MM = 9.5, 8.0
# A marker between two boxes is the nearer one's: where it is seen is known to half of this.
_NEARER_MM, _PLAINLY_NEARER_MM = 1.5, 2.5
# Softer than this the digits of a box are gone.
TOO_SOFT_MM = 1.5
# Agreement of the print under a marker's outline from which on it is no marker.
_SEEN_THROUGH = 0.65
# Where less of it is seen just under a coloured marker, that hides it.
_HIDDEN_UNDER = 0.35
# A print that is seen so well is not under a marker, if what has that one's colour is no thing by itself.
_PRINT_PLAIN = 0.84
# From this on there is nothing on the print, whatever its colour.
_SEEN_PLAINLY = 0.9
# So well a piece and its outline cover each other where nothing is in the way.
_PLAIN_FIT = 0.7
# About what is seen of a marker, and what a larger piece shows at most beside its own place.
_MARKER_MM2, _LEANING_MM2 = 40.0, 100.0
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
# Of a marker as pale as its box only the half beside it may be seen: so near the print must be plain.
_ASIDE_MM = 7.0
_PLAIN_PRINT = 0.8
# Where a marker lies so much of its box's lines is not seen.
_PLAIN_LINES = 0.8
# Of a marker more than such a share of its size is in its colour, and through a stain as much is seen.
_LESS_THAN_A_TOP, _THROUGH_STAIN = 0.45, 0.6
# A piece that hides so much of a box leaves half a marker to be seen, which is as large as this at least.
_HIDES_HALF, _HALF_A_MARKER = 0.3, 0.35
# Of a marker whose side is as good as black so much is in its colour.
_TOP_SEEN = 0.38
# Of a box in the shade so much is as learnt or evenly darker; what is left to be seen beside other things
# tells that it is bare unless more than such a share is hidden.
_EVEN, _MOSTLY_HIDDEN = 0.9, 0.65
# Markers of colours nearer than this to the face's are not told from it, white ones not from pale things.
_APART, _LIGHT_APART = 0.1, 0.22
# One that ends all around and hides what is below is told a little nearer.
_HARDLY_APART = 0.07
# So far a white marker's colour is from the face's where it is plain to see.
_WHITE_APART = 0.4
# No haze and no light makes a colour so far from the face's.
_FAR_APART = 0.3
# Of a block that agrees less the print is not seen.
_DISAGREES = 0.3
# With a hand about, what differs less from the face must end all around.
_SKIN_APART, _PLAINLY_ENDS = 0.2, 0.9
# A lamp that a face mirrors makes so much of a marker's place only brighter, and goes on around it; the gap
# beside the tile is no brighter than this. Of a marker's side so much is seen that it would be noticed.
_PALE, _GOES_ON, _DARK_GAP, _SIDE_SEEN = 0.91, 0.45, 0.4, 0.25
# Pieces hide no more of a box than this where nothing is said to stand there.
_TOUCHED_AT_ALL = 0.05
# A marker that hangs together with more than this of something unknown is perhaps part of it.
_LOOSE_MM2 = 150.0
# So much of other markers and of what is beside them hangs together with one in a row.
_AMONG_MM2 = 700.0
# No more of a white marker's colour than this is about one that hardly differs from its box.
_PALE_SIZE = 1.45
# Of a white marker no more than this is white, in areas of its outline, unless it touches another just there.
_WHITE_TOP, _JUST_THERE_MM = 1.25, 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxCover:
    """What lies over a box, in shares of it: foreign things, also close around, and figures.

    `loose_mm2` is how much of the largest thing there is known to be neither a marker nor a figure; `hand`
    tells whether there is a hand anywhere.
    """

    foreign: float = 0.0
    foreign_near: float = 0.0
    pieces: float = 0.0
    loose_mm2: float = 0.0
    hand: bool = False

    @property
    def nobody(self) -> bool:
        """Whether neither a figure nor a hand could be taken for a marker there."""
        return self.pieces < 0.3 and self.foreign_near < 0.1


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


def classify_cell(found: Sequence[Match], names: Sequence[str]) -> float:
    """Return how surely the best match is right, 0 when it is not to be claimed."""
    best = found[0]
    rival = next((one.score for one in found[1:] if names[one.face] != names[best.face]), -1.0)
    margin = best.score - rival
    if best.score > 0.55 and margin > 0.12:
        return 0.999
    if best.score > 0.45 and margin > 0.07:
        return 0.97
    return 0.0


def is_far_ahead(found: Sequence[Match], names: Sequence[str]) -> bool:
    """Whether the best match agrees so well, and all other faces so much less, that it is plain to see."""
    best = found[0]
    rival = next((one.score for one in found[1:] if names[one.face] != names[best.face]), -1.0)
    return best.score > 0.7 and best.score - rival > 0.15


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


def classify_box(box: BoxFeatures, names: Sequence[str], covered: BoxCover) -> tuple[Value, float] | None:
    """Return what a box holds and how surely, None when that cannot be told."""
    marker = box.marker
    if marker is not None and covered.hand:
        if marker.in_glare:
            # Its borders are not seen: it may be a part of the hand.
            return None
        is_skin = is_solid(marker) and marker.apart < _SKIN_APART and marker.around < _PLAINLY_ENDS
        if is_skin and box.print < _PLAIN_PRINT:
            # Skin is of a warm tile's colour, or nearly so, and goes on beside what looks like a marker.
            return None
        # What is only darker around a thing may be its shadow, or with a hand about more of the hand.
        marker = replace(marker, size=marker.spread)
        box = replace(box, marker=marker)
    if box.blur > TOO_SOFT_MM or covered.foreign > 0.3 or box.contested:
        return None
    if box.blind > 0.4:
        return (None, 0.97) if _is_bare_as_far_as_known(box, covered) else None
    if marker is None:
        return _classify_bare(box, covered)
    if marker.under > _SEEN_THROUGH and box.print > _SEEN_THROUGH:
        # What the print is seen through is a stain, haze or a tint of the light.
        return _classify_bare(box, covered) if box.off_mm > 6.0 or _is_a_tint(box, marker) else None
    is_told = _is_apart(marker) or (not covered.hand and (_covers_print(box, marker) or _stands_out(marker)))
    if not is_told and box.off_mm < _KNOCKED_MM and is_solid(marker):
        # Of something in the face's own colour, skin on pale tiles say, only what hides a box stands out.
        return None
    if is_solid(marker) and box.off_mm < _KNOCKED_MM:
        return _classify_marker(box, marker, names, covered)
    if _hides_print(box, marker) and covered.nobody:
        # More that is pale than of a white marker may be a box in the shade, if its print is not quite gone.
        is_shade = marker.is_light and marker.size > _PALE_SIZE and box.print > 0.3 and not is_solid(marker)
        return None if is_shade else (names[marker.label], 0.97)
    return _classify_bare(box, covered)


def _is_bare_as_far_as_known(box: BoxFeatures, covered: BoxCover) -> bool:
    """Whether a box of which a part was never learnt, or is burnt out, is bare: all the rest is as learnt."""
    is_alone = box.near_mm > _KNOCKED_MM and covered.loose_mm2 < _MARKER_MM2 and covered.nobody
    return is_alone and box.blind < 0.7 and box.bare > 0.95 and box.print > _PRINT_PLAIN


def classify_beside_piece(box: BoxFeatures, covered: BoxCover) -> tuple[Value, float] | None:
    """Classify a box by what of it a figure or dragon leaves to be seen: bare, or not to be told.

    What shows a marker's colour there may be a part of the piece.
    """
    if box.blind > 0.4 or box.blur > TOO_SOFT_MM or covered.foreign_near > 0.1:
        return None
    marker = box.marker
    # So much white beside the box is glare.
    is_glare = marker is not None and marker.is_light and marker.size > 1.6 and box.off_mm > 5.0
    if marker is not None and not is_glare and box.off_mm < _KNOCKED_MM and marker.size > 0.3:
        return None
    is_lit = box.bare > 0.6 or box.even > _EVEN
    return (None, 0.97) if box.print > _PLAIN_PRINT and is_lit else None


def classify_past_neighbours(box: BoxFeatures, lines: float, covered: BoxCover) -> tuple[Value, float] | None:
    """Classify a box by what of it pieces and the markers of other boxes leave to be seen: bare, or unknown.

    A marker of its own would lie over what is seen as well. `lines` is how far those of the print are seen:
    they remain in any shade and in the colours of another lamp.
    """
    if box.blind > _MOSTLY_HIDDEN or box.blur > TOO_SOFT_MM or covered.foreign_near > 0.1:
        return None
    marker = box.marker
    if marker is not None and box.off_mm < _KNOCKED_MM and marker.size > 0.3:
        # A stain smaller than a marker's top, through which the print is seen.
        is_stain = marker.size < _LESS_THAN_A_TOP and min(box.print, lines, marker.under) > _THROUGH_STAIN
        return (None, _BESIDE_PIECE) if is_stain else None
    is_seen = box.print > _PLAIN_PRINT and (box.bare > _WHOLLY_BARE or box.even > _EVEN)
    return (None, _BESIDE_PIECE) if is_seen or lines > _PLAIN_LINES else None


def classify_marker_beside_piece(
    box: BoxFeatures, names: Sequence[str], covered: BoxCover
) -> tuple[Value, float] | None:
    """Classify a marker by what a figure or dragon leaves to be seen of it and around it.

    Only a whole one just in its place is told; that it is no part of its owner's figure must be known.
    """
    marker = box.marker
    if marker is None or not _is_in_place(box, marker) or not 0.8 < marker.size < 1.3:
        return None
    verdict = classify_box(box, names, replace(covered, pieces=0.0))
    return None if verdict is None or verdict[0] is None else (verdict[0], _BESIDE_PIECE)


def classify_marker_among_pieces(
    box: BoxFeatures, names: Sequence[str], covered: BoxCover
) -> tuple[Value, float] | None:
    """Classify a marker in its place that touches other pieces, or of which these leave less to be seen.

    That it is no part of its owner's figure must be known. Then nothing else is of its colour and of its
    size, there, and hides the print.
    """
    marker = box.marker
    if marker is None or covered.hand or box.contested or box.blind > 0.4 or box.blur > TOO_SOFT_MM:
        return None
    is_whole = min(marker.fill, marker.strange) > 0.93 and 0.55 < marker.size < 1.9 and box.off_mm < 4.6
    is_apart = marker.fill - marker.second > 0.25 and marker.apart > _LIGHT_APART and not marker.in_glare
    hides_print = max(marker.under, box.print) < 0.6 and covered.loose_mm2 < _AMONG_MM2
    if box.off_mm > _JUST_THERE_MM and _is_more_than_a_top(marker):
        # So much white that is not just in its place may be glare.
        return None
    return (names[marker.label], _BESIDE_PIECE) if is_whole and is_apart and hides_print else None


def classify_half_a_marker(
    box: BoxFeatures, names: Sequence[str], covered: BoxCover
) -> tuple[Value, float] | None:
    """Classify a marker half hidden by a piece: the rest is of its colour, ends, and hides the print.

    That it is no part of its owner's figure must be known.
    """
    marker = box.marker
    if marker is None or marker.is_light or covered.hand or covered.pieces < _HIDES_HALF or box.contested:
        return None
    if box.blind > 0.4 or box.blur > TOO_SOFT_MM or covered.loose_mm2 > _AMONG_MM2:
        return None
    is_solid = min(marker.fill, marker.strange) > 0.9 and marker.around > 0.85 and marker.other < 0.1
    is_half = _HALF_A_MARKER < marker.size < 1.2 and box.off_mm < 4.6 and marker.apart > _FAR_APART
    hides_print = max(marker.under, box.print) < 0.3
    return (names[marker.label], _BESIDE_PIECE) if is_solid and is_half and hides_print else None


def classify_patch(
    fit: float, fill: float, overlap: float, box: BoxFeatures, covered: BoxCover, *, is_made_out: bool
) -> float:
    """Return how surely there is a marker on a box, by the patch of colour there; 0 when it may be none.

    `fit` and `fill` are how well markers on boxes cover the patch and how much of this box's marker it fills,
    `overlap` is how much of its owner's figure it fills. Where that is not made out, the patch may be it.
    """
    if covered.hand or covered.foreign > 0.3 or box.blur > TOO_SOFT_MM or box.blind > 0.4:
        return 0.0
    if box.print > _PATCH_PRINT or overlap > _PATCH_OVERLAP or fill < _PATCH_FILLS:
        return 0.0
    return _BESIDE_PIECE if fit > (_PATCH_FIT if is_made_out else _PATCH_FIT_ALONE) else 0.0


def may_be_in_glare(box: BoxFeatures, covered: BoxCover) -> bool:
    """Whether glare may be all that is seen on a box: white at most, or nothing at all."""
    marker = box.marker
    is_pale = marker is None or marker.is_light or not is_solid(marker) or box.off_mm > _KNOCKED_MM
    is_free = covered.nobody and not covered.hand and covered.pieces < _TOUCHED_AT_ALL
    return is_pale and is_free and box.blur < TOO_SOFT_MM and covered.loose_mm2 < _LOOSE_MM2


def classify_in_glare(glare: Glare, box: BoxFeatures, covered: BoxCover) -> tuple[Value, float] | None:
    """Classify a box in glare: bare where all is as bright as only a mirrored lamp makes it, and goes on so.

    Either the print is seen through that, or more of it is burnt out than the top of a marker is. In a
    washed-out picture, not in the face's own glare, markers are not seen either.
    """
    is_glare = glare.gap < _DARK_GAP and glare.around > _GOES_ON and glare.lean > _SIDE_SEEN
    if not (is_glare and may_be_in_glare(box, covered)) or glare.pale < _PALE:
        return None
    is_burnt = glare.pale > 0.97 and glare.burnt > max(0.8, 1 / (1 + glare.lean) + 0.12)
    return (None, _BESIDE_PIECE) if is_burnt or box.print > 0.5 else None


def may_be_bordered(box: BoxFeatures, covered: BoxCover) -> bool:
    """Whether what is seen about a box is a marker if only it ends as one: measuring that takes longer."""
    marker = box.marker
    if marker is None or covered.hand or box.contested or box.blur > TOO_SOFT_MM or box.blind > 0.4:
        return False
    if _may_be_white_on_white(box, marker):
        return covered.pieces < 0.3
    is_there = box.off_mm < _ASTRAY_MM and marker.strange > _PARTLY_STRANGE and covered.pieces < 0.5
    # A fingertip in the tile's own colour ends much as a marker does; haze paints one in another's colour.
    is_itself = marker.apart > (_WHITE_ON_PALE if marker.is_light else _APART) and marker.other < 0.3
    # Beside a marker the print of a box of many colours may be seen well enough.
    is_hidden = box.print < _SEEN_THROUGH or (_is_solid_colour(marker) and marker.under < _HIDDEN_UNDER)
    hides_it = is_hidden and box.bare < _MOSTLY_SEEN and marker.size < 2.2
    # Glare does not end all around.
    return is_there and is_itself and hides_it and (marker.around > _WHITE_ENDS or not marker.is_light)


def _is_solid_colour(marker: Marker) -> bool:
    """Whether all of a coloured marker is in its colour, and strange on the tile."""
    return not marker.is_light and min(marker.fill, marker.strange) > 0.95


def may_end_on_board(box: BoxFeatures) -> bool:
    """Whether what is seen about a box of the board may be a marker: fingers are larger, and go on."""
    marker = box.marker
    is_small = marker is not None and marker.around > 0.42 and marker.size < 1.9
    return is_small and may_be_bordered(box, BoxCover())


def classify_board_border(border: Border, box: BoxFeatures) -> float:
    """Return how surely a marker lies on a box of the board, by its border; 0 when it may be none."""
    marker = box.marker
    if marker is None or not may_end_on_board(box):
        return 0.0
    is_ended = border.shown > 0.42 and border.seen > 0.9 and border.own > 0.6
    # Just in its place, or with next to nothing around it, less of the border is enough.
    is_in_place = marker.around > 0.55 and marker.size < 1.8 and (box.off_mm < 1.8 or marker.around > 0.75)
    is_ended |= is_in_place and border.shown > 0.3 and border.seen > 0.7 and border.own > 0.85
    return _BESIDE_PIECE if is_ended else 0.0


def is_another_paled(marker: Marker) -> bool:
    """Whether what looks like a white marker may be a coloured one that haze pales."""
    return marker.is_light and marker.other > 0.15


def may_be_glare(marker: Marker) -> bool:
    """Whether what looks like a white marker may be glare: that goes on around it."""
    return marker.is_light and marker.around < 0.8


def is_glare(glare: Glare) -> bool:
    """Whether what looks like a white marker is glare: nothing of it is in the shade, and it goes on."""
    return glare.pale > 0.97 and glare.around > 0.42


def _may_be_white_on_white(box: BoxFeatures, marker: Marker) -> bool:
    """Whether it may be a white marker on a white box: hardly strange, by itself, and the print is dim."""
    is_whole = marker.is_light and 0.8 < marker.size < 1.35 and marker.around > 0.85
    return is_whole and box.off_mm < _ASTRAY_MM and box.print < _DIM_ON_WHITE


def _is_half_in_shade(box: BoxFeatures, marker: Marker) -> bool:
    """Whether it may be a coloured marker of which only the top is lit: its side is as good as black."""
    is_whole = marker.fill > 0.9 and marker.strange > 0.7 and 0.4 < marker.size < 0.7 and marker.other < 0.1
    return is_whole and not marker.is_light and box.print < _PRINT_HALF_SEEN and box.bare < _HALF_SEEN


def classify_marker_border(
    border: Border, box: BoxFeatures, covered: BoxCover, *, is_made_out: bool
) -> float:
    """Return how surely the marker seen about a box is one, by its border; 0 when it may be none.

    A figure's head, a stain or a shadow of its colour and size does not end as a marker does; but where its
    owner's figure is not made out, that must be plain.
    """
    marker = box.marker
    if marker is None or not may_be_bordered(box, covered):
        return 0.0
    # Glare has edges of its own, though not many.
    least = (0.42 if is_made_out else 0.55) if marker.is_light else (0.38 if is_made_out else 0.6)
    is_ended = border.shown > least and border.seen > (0.7 if marker.is_light else 0.6) and border.own > 0.75
    if not is_ended and _is_half_in_shade(box, marker):
        is_ended = is_made_out and border.shown > 0.5 and border.seen > 0.9 and border.own > _TOP_SEEN
    if not is_ended and _may_be_white_on_white(box, marker):
        # All of it must be seen, and then half a border tells it from a bare box.
        is_ended = border.shown > (0.33 if is_made_out else 0.38) and min(border.seen, border.own) > 0.9
    return _BESIDE_PIECE if is_ended else 0.0


def _is_a_tint(box: BoxFeatures, marker: Marker) -> bool:
    """Whether what the print is seen through is nothing: a stain, haze, a tint of the light."""
    if min(marker.under, box.print) > _PRINT_PLAIN:
        # A marker would be of one colour through and through.
        return marker.strange < (0.8 if is_solid(marker) else 0.95)
    most = 0.6 if marker.is_light and marker.fill > 0.85 else 0.9
    return marker.strange < most and marker.other < 0.3


def _classify_bare(box: BoxFeatures, covered: BoxCover) -> tuple[Value, float] | None:
    """Classify a box on which no marker is seen: only a print that is seen tells that it is bare."""
    marker = box.marker
    is_near = box.off_mm < _ASIDE_MM and box.print < _PLAIN_PRINT
    if marker is not None and marker.size > 0.6 and is_near and not _is_nothing(box, marker):
        # It may be of the box's own colour, and then only what of it lies beside the box is seen.
        return None
    is_hidden = min(box.bare, box.print) < _SEEN_PLAINLY
    if marker is not None and box.off_mm < _BESIDE_MM and is_hidden and _is_something(marker):
        # Half off the box it leaves the print to be seen; only its colour is not told.
        return None
    if _is_partly_hidden(box, covered):
        return None
    is_alone = marker is not None and marker.size > 0.6 and marker.around > _PLAINLY_ENDS
    if is_alone and box.off_mm < _KNOCKED_MM and box.print < _PRINT_SEEN and box.bare < _WHOLLY_BARE:
        # A thing of a marker's size beside it, and little to be seen of the print.
        return None
    if marker is not None and box.print < _PRINT_DIM and _is_in_part(box, marker):
        return None
    if box.print > 0.55 and box.bare > 0.6:
        # One counted for another box may have been knocked off this one.
        alone = (marker is None or not is_solid(marker)) and box.near_mm > _KNOCKED_MM
        return None, 0.999 if box.bare > _WHOLLY_BARE and box.print > _PRINT_SEEN and alone else 0.97
    if box.print > 0.7 and box.bare > 0.15 and covered.nobody:
        return None, 0.97
    # Shade lies evenly on a box, and leaves all of its print to be seen.
    if box.print > _PLAIN_PRINT and box.even > _EVEN and covered.nobody:
        return None, 0.97
    # In another light a faint print is seen still fainter; but nobody's colour is anywhere near.
    if box.near_mm > _NOWHERE_NEAR_MM and box.bare > _SEEN_PLAINLY and box.print > 0.4:
        return None, 0.97
    return None


def _is_partly_hidden(box: BoxFeatures, covered: BoxCover) -> bool:
    """Whether something of a marker's size lies on a part of a box, of whatever colour."""
    is_far = box.near_mm > _KNOCKED_MM
    if covered.loose_mm2 < _MARKER_MM2:
        return False
    if is_far and covered.loose_mm2 < _LEANING_MM2 and min(box.print, box.bare) > _MOSTLY_SEEN:
        # What is left of a piece beside it, leaning in.
        return False
    # What hides so much of a box hides as much of its print; a shadow leaves that to be seen.
    return box.print < _PLAIN_PRINT or (is_far and box.bare < _WHOLLY_BARE and not _is_shaded(box))


def _is_shaded(box: BoxFeatures) -> bool:
    """Whether a box lies in another light with nothing on it: far more of its print is seen than of it."""
    return box.print > _PLAIN_PRINT and box.print**2 > box.bare + _MORE_PRINT


def is_astray(box: BoxFeatures) -> bool:
    """Whether what is taken for a box's marker lies beside the box."""
    return box.off_mm > _ASTRAY_MM


def _classify_marker(
    box: BoxFeatures, marker: Marker, names: Sequence[str], covered: BoxCover
) -> tuple[Value, float] | None:
    """Classify a box with a marker on it or beside it."""
    if is_astray(box):
        return _classify_astray(box, marker, names, covered)
    if _shows_print(box, marker) or _is_a_patch(box, marker) or marker.other > 0.3:
        # One that only haze paints in its colour has another below.
        return None
    alone, in_place = marker.around > 0.85, _is_in_place(box, marker)
    if marker.strange < 0.75 and marker.fill < 0.85:
        # What a hand darkens on a pale face looks much the same.
        is_on_its_own = covered.nobody and not covered.hand
        return (names[marker.label], 0.97) if is_on_its_own and _hides_print(box, marker) else None
    # One just in its place may touch those on both sides of it.
    if marker.around < (0.4 if in_place else 0.5) or marker.fill - marker.second < 0.25:
        return None
    if marker.is_light and marker.fill < 0.85 and box.print > _PRINT_GONE:
        # A shadow takes the colour out of a print and leaves the print.
        return None
    if marker.fill < 0.8 and box.off_mm > 4.0 and marker.under > 0.3:
        # The shaded side of a neighbour perhaps, and its shadow.
        return None
    if marker.size > (2.1 if in_place else 2.0 if alone else 1.7):
        return None
    # A figure perhaps, whose head reaches over the tile's rim.
    is_larger = _is_more_than_a_top(marker) and marker.around < 0.85
    # One in its place may belong to a row of markers of which not all are plain to see.
    may_hang = 2.3 if in_place and not covered.hand else 2 if marker.around > 0.9 else 1
    if covered.loose_mm2 > may_hang * _LOOSE_MM2:
        return None
    if not covered.nobody and not (alone and marker.size < 1.6 and covered.foreign_near < 0.1):
        return None
    sure = marker.fill > 0.85 and marker.around > 0.7 and marker.strange > 0.8 and marker.size < 1.6
    sure = sure and box.print < 0.4 and box.bare < 0.5 and not (marker.in_glare or is_larger)
    return names[marker.label], 0.998 if sure and covered.nobody else 0.97


def is_exactly_there(box: BoxFeatures) -> bool:
    """Whether a thing in a marker's colour, through and through, is just where a marker is to be."""
    marker = box.marker
    return marker is not None and is_in_place(marker, box.off_mm)


def _is_in_place(box: BoxFeatures, marker: Marker) -> bool:
    """Whether it lies just in its place and hides the print: then it may touch its neighbours."""
    is_whole = box.off_mm < 3.0 and marker.fill > 0.95 and marker.strange > 0.95
    return is_whole and box.print < 0.45 and marker.under < 0.35


def _classify_astray(
    box: BoxFeatures, marker: Marker, names: Sequence[str], covered: BoxCover
) -> tuple[Value, float] | None:
    """Classify a box with a marker half off it, or with a stain that looks like one."""
    if marker.fill < 0.7 or marker.strange < 0.6 or marker.around < 0.5:
        return _classify_bare(box, covered)
    if marker.fill < 0.8 or (marker.strange < 0.8 and not marker.is_light):
        # Neither a stain nor a marker for sure; beside a box that is wholly seen it makes no difference.
        is_wholly_seen = box.off_mm > _BESIDE_MM and box.bare > 0.9 and box.print > _PLAIN_PRINT
        if not _is_no_stain(marker) or is_wholly_seen:
            return _classify_bare(box, covered) if is_wholly_seen else None
    # White ones that are as plain as can be, and by themselves, are no glare.
    least = 0.95 if marker.is_light else 0.87
    core = min(marker.fill, marker.strange)
    # Its own shadow falls beside it: what is a marker through and through may touch more. But so far off it
    # leaves half of its box to be seen, or another thing lies there.
    is_half_seen = box.bare > _HALF_SEEN
    may_touch = core > 0.95 and is_half_seen and not marker.is_light
    is_alone = marker.around > (0.75 if may_touch else 0.85)
    is_plain_to_see = (core > least or (_is_no_stain(marker) and is_half_seen)) and is_alone
    is_plain_to_see = is_plain_to_see and marker.other < 0.3
    is_plain_to_see = is_plain_to_see and marker.under < (_PARTLY_OVER if _is_firm(marker) else 0.4)
    is_plain_to_see = is_plain_to_see and 0.6 < marker.size < (1.75 if marker.around > 0.85 else 2.0)
    if box.bare < _LEFT_BARE and box.off_mm > _FAR_MM:
        return None  # something else lies on the box
    if box.print > _SEEN_PLAINLY and box.bare > _MOSTLY_BARE:
        return None  # it lies beside the box and hides nothing of it
    nearer_mm = box.next_mm - box.off_mm
    is_near = box.off_mm < _BESIDE_MM and nearer_mm > (_NEARER_MM if is_half_seen else _PLAINLY_NEARER_MM)
    # Knocked farther it is still this box's if there is none but it anywhere near.
    is_near |= _is_no_stain(marker) and box.off_mm < _FARTHEST_MM and nearer_mm > _LONELY_MM
    if is_plain_to_see and is_near and covered.nobody and covered.loose_mm2 < _LOOSE_MM2:
        return names[marker.label], 0.95 if nearer_mm > _PLAINLY_NEARER_MM else 0.9
    return None


def _shows_print(box: BoxFeatures, marker: Marker) -> bool:
    """Whether the print is seen where the marker would hide it."""
    if _is_unmistakable(box, marker) or _is_clearly_white(box, marker):
        return False
    if box.print > 0.6:
        most = _PARTLY_OVER if _is_firm(marker) and box.bare > _HALF_SEEN else 0.3
        hides_a_part = box.off_mm > 4.0 and marker.strange > 0.8 and marker.under < most
        # Glare makes light ones of anything, but none so firm and with such clear borders.
        if marker.is_light:
            is_clear = min(marker.fill, marker.strange) > 0.97 and marker.around > 0.9
            hides_a_part = hides_a_part and is_clear and marker.under < 0.25 and 0.8 < marker.size < 1.6
        hides_all = box.bare < 0.4 and marker.strange > 0.9 and marker.under < 0.45 and marker.fill > 0.95
        # Seen from low down a marker is seen behind its box, most of which it leaves to be seen.
        is_whole = min(marker.fill, marker.strange) > 0.97 and marker.around > 0.9 and 0.8 < marker.size < 1.6
        is_beside = is_whole and marker.under < 0.15 and box.bare < _WHOLLY_BARE and _is_apart(marker)
        return not (hides_a_part or hides_all or is_beside)
    # Glare makes light ones of anything, and so does a shadow.
    print_seen, a_part, print_under = (0.45, 0.4, 0.75) if marker.is_light else (0.57, 0.5, 0.85)
    return (marker.under > a_part and box.print > print_seen) or marker.under > print_under


def _is_a_patch(box: BoxFeatures, marker: Marker) -> bool:
    """Whether a part of the box only has a marker's colour, from the light, and the rest is seen."""
    if box.print > _PRINT_PLAIN and box.bare > _HALF_BARE and marker.fill < 0.93:
        return True
    is_faint = marker.fill < 0.85 and box.print > _PRINT_HALF_SEEN
    return is_faint and (marker.under > 0.5 or (marker.size < 0.75 and box.bare > _HALF_SEEN))


def _is_unmistakable(box: BoxFeatures, marker: Marker) -> bool:
    """Whether it is a marker in its place whatever is seen of the print: its lit edges may look like a rim.

    Of a colour so far from the face's, through and through and with clear borders, is no haze and no light.
    """
    is_whole = min(marker.fill, marker.strange) > 0.95 and marker.around > 0.9 and 0.8 < marker.size < 1.5
    is_coloured = marker.apart > _FAR_APART and not (marker.is_light or marker.in_glare)
    return is_whole and is_coloured and box.off_mm < 4.0 and box.bare < 0.3 and marker.under < _SEEN_THROUGH


def _is_clearly_white(box: BoxFeatures, marker: Marker) -> bool:
    """Whether it is a white marker in its place and nothing else: haze and glare do not end all around."""
    is_whole = min(marker.fill, marker.strange) > 0.97 and marker.around > 0.95 and 0.8 < marker.size < 1.5
    is_plain = is_whole and marker.is_light and marker.apart > _WHITE_APART
    return is_plain and box.off_mm < 2.5 and marker.under < 0.6 and box.print < 0.55


def _is_more_than_a_top(marker: Marker) -> bool:
    """Whether a white thing is larger than what is white of a marker."""
    return marker.is_light and marker.size > _WHITE_TOP


def _hides_print(box: BoxFeatures, marker: Marker) -> bool:
    """Whether a marker of the box's own colour lies there: hardly strange, but the print is gone."""
    gone = box.print < 0.25 or (box.print < _PRINT_GONE and marker.under < 0.4)
    covers = _covers_print(box, marker)
    # White on a white box is strange only where it hides the print.
    is_white_on_white = marker.is_light and box.off_mm < _JUST_THERE_MM and max(box.print, marker.under) < 0
    is_told = marker.fill > (0.5 if covers or is_white_on_white else 0.6)
    is_told = is_told and marker.fill - marker.second > 0.25
    # A box in the shade may have a bit of everybody's colours.
    is_alone = 0.8 < marker.size < 1.8 and marker.around > 0.7
    is_alone = is_alone and marker.other < (0.3 if marker.fill > 0.75 else 0.12)
    return gone and box.off_mm < 4.0 and is_told and is_alone and (_is_apart(marker) or covers)


def _is_nothing(box: BoxFeatures, marker: Marker) -> bool:
    """Whether what has a marker's colour is the face itself: it is as learnt, or its print goes on there."""
    is_as_learnt = marker.strange < _HARDLY_STRANGE and box.bare > _SEEN_PLAINLY
    # A trace of a colour, most of it on what is as learnt.
    is_trace = marker.fill < 0.68 and marker.strange < 0.3
    is_as_learnt |= is_trace and box.bare > _MOSTLY_BARE and box.print > _PRINT_FAINT
    return is_as_learnt or (marker.under > _SEEN_THROUGH and box.bare > _WHOLLY_BARE)


def _is_in_part(box: BoxFeatures, marker: Marker) -> bool:
    """Whether it may be a part of a marker: seen from low down a white one's sides are as dark as print."""
    is_patch = marker.size > 0.25 and marker.around > 0.85 and marker.fill > 0.6 and marker.strange > 0.4
    return is_patch and box.off_mm < 5.0


def _is_something(marker: Marker) -> bool:
    """Whether a thing of a marker's size lies there alone and hides what is below, whatever its colour."""
    is_whole = marker.strange > 0.9 and marker.size > 0.6 and marker.around > _SEEN_AROUND
    return is_whole and marker.under < 0.3 and marker.fill > 0.5


def _is_firm(marker: Marker) -> bool:
    """Whether it is of one colour and hides what is below, so that it may lie over a box's rim.

    There something of the print seems to go on under it.
    """
    return marker.fill > 0.93 and marker.strange > 0.8 and not marker.is_light


def _is_no_stain(marker: Marker) -> bool:
    """Whether it is a marker for sure though its colour is partly the face's: all around is as learnt."""
    is_whole = marker.fill > 0.95 and marker.strange > 0.75 and 0.8 < marker.size < 1.75
    return is_whole and marker.around > 0.95 and marker.under < 0.2 and not marker.is_light


def _is_apart(marker: Marker) -> bool:
    """Whether a marker has another colour than the face around it."""
    return marker.apart >= (_LIGHT_APART if marker.is_light else _APART)


def _covers_print(box: BoxFeatures, marker: Marker) -> bool:
    """Whether nothing of the print is seen under a thing that ends all around as a marker does.

    Of a pale marker on a pale face that is all there is to see: no haze, stain or shadow hides a print.
    """
    is_in_place = box.off_mm < 4.5 and 0.8 < marker.size < 1.7 and marker.around > 0.95
    return is_in_place and marker.apart >= _APART and max(box.print, marker.under) < 0.15


def _stands_out(marker: Marker) -> bool:
    """Whether a thing of nearly the face's colour is a marker all the same: it ends, and hides all."""
    is_whole = marker.fill > 0.95 and marker.strange > 0.8 and 0.8 < marker.size < 1.4
    return is_whole and marker.around > 0.95 and marker.under < 0.2 and marker.apart > _HARDLY_APART


def is_taken(box: BoxFeatures, covered: BoxCover) -> bool:
    """Whether something of a marker's size hides a box, whosever it is."""
    marker = box.marker
    if marker is None or covered.hand or covered.pieces > _TAKEN_BESIDE or box.blur > TOO_SOFT_MM:
        return False
    hides_it = box.bare < _HALF_SEEN and box.print < _PRINT_HALF_SEEN and box.blind < _HALF_SEEN
    return hides_it and box.off_mm < _ASTRAY_MM and marker.strange > 0.6 and 0.6 < marker.size < 2.5


def is_plain(box: BoxFeatures, names: Sequence[str]) -> bool:
    """Whether a marker lies there by itself, so plainly that it is no part of a figure."""
    marker = box.marker
    if marker is None:
        return False
    verdict = classify_box(box, names, BoxCover())
    # Whose box it belongs to need not be known.
    is_somebody_s = marker.fill > 0.9 and marker.strange > 0.9 and box.off_mm < 6.0
    if (verdict is None or verdict[0] is None) and not is_somebody_s:
        return False
    if _is_more_than_a_top(marker) and box.off_mm > _JUST_THERE_MM:
        return marker.around > 0.85
    in_place = _is_in_place(box, marker)
    most = 2.05 if marker.around > 0.85 or in_place else 1.75
    return marker.around > (0.4 if in_place else 0.6) and marker.size < most


def is_solid(marker: Marker) -> bool:
    """Whether something in a marker's colour is a marker rather than a stain, a shadow or a blurred print."""
    return marker.fill > 0.72 and marker.size > 0.55 and marker.strange > 0.45
