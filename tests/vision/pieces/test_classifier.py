"""From measurements to claims."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.faces.registration import Match, Pose2D
from vision.pieces.classifier import (
    BoxCover,
    classify_beside_piece,
    classify_board_border,
    classify_box,
    classify_half_a_marker,
    classify_in_glare,
    classify_marker_among_pieces,
    classify_marker_beside_piece,
    classify_marker_border,
    classify_past_neighbours,
    classify_patch,
    classify_standing,
    is_another_paled,
    is_exactly_there,
    is_far_ahead,
    is_glare,
    is_half_lost,
    is_plain,
    is_taken,
    markers_in_place,
    may_be_bordered,
    may_be_glare,
    may_end_on_board,
)
from vision.pieces.figures import Border, StandingFigure
from vision.pieces.glare import Glare
from vision.pieces.markers import BoxFeatures, Marker

NAMES = ("purple", "white")
shares = st.floats(0, 1)
markers = st.builds(
    Marker, label=st.integers(0, 1), is_light=st.booleans(), middle=st.just((0.0, 0.0)),
    fill=shares, second=shares, strange=shares, size=st.floats(0, 3), spread=st.floats(0, 3), around=shares,
    in_glare=st.booleans(), under=st.floats(-1, 1), other=shares, apart=shares,
)  # fmt: skip
features = st.builds(
    BoxFeatures, bare=shares, even=shares, print=st.floats(-1, 1), blind=shares, blur=st.floats(0, 3),
    marker=st.none() | markers,
    off_mm=st.floats(0, 20), next_mm=st.floats(0, 30), near_mm=st.floats(0, 20), contested=st.booleans(),
)  # fmt: skip
covers = st.builds(BoxCover, foreign=shares, foreign_near=shares, pieces=shares, loose_mm2=st.floats(0, 500))


def box(**changes: object) -> BoxFeatures:
    """A bare box, but for the changes."""
    values: dict[str, object] = {
        "bare": 1.0, "even": changes.get("bare", 1.0), "print": 0.95, "blind": 0.0, "blur": 0.0,
        "marker": None, "off_mm": 99.0, "next_mm": 99.0, "near_mm": 99.0, "contested": False,
    }  # fmt: skip
    return BoxFeatures(**{**values, **changes})  # type: ignore[arg-type]


def marker(**changes: object) -> Marker:
    """A plain purple marker, but for the changes."""
    values: dict[str, object] = {
        "label": 0, "is_light": False, "middle": (0.0, 0.0), "fill": 1.0, "second": 0.0, "strange": 1.0,
        "size": 1.1, "spread": 1.1, "around": 0.95, "in_glare": False, "under": 0.1, "other": 0.0,
        "apart": 0.4,
    }  # fmt: skip
    return Marker(**{**values, **changes})  # type: ignore[arg-type]


@given(features, covers)
def test_a_claim_is_sure_enough_and_names_an_owner(seen: BoxFeatures, over: BoxCover) -> None:
    """Whatever is measured, a verdict is None or a claim with a confidence of 0.9 to 1."""
    verdict = classify_box(seen, NAMES, over)

    assert verdict is None or (verdict[0] in (None, *NAMES) and 0.9 <= verdict[1] < 1.0)


@given(features, covers.filter(lambda over: over.foreign > 0.3))
def test_what_a_hand_covers_is_never_claimed(seen: BoxFeatures, over: BoxCover) -> None:
    """Under a hand nothing is said, neither bare nor owned."""
    assert classify_box(seen, NAMES, over) is None


def test_bare_is_a_positive_finding() -> None:
    """A box whose print is seen is bare; one without print or marker is unknown."""
    assert classify_box(box(), NAMES, BoxCover()) == (None, 0.999)
    assert classify_box(box(bare=0.3, print=0.2), NAMES, BoxCover()) is None


def test_a_plain_marker_is_claimed_and_half_a_figure_is_not() -> None:
    """A marker has an end on all sides."""
    on_box = {"bare": 0.0, "print": 0.1, "off_mm": 1.0, "next_mm": 14.0}

    assert classify_box(box(marker=marker(), **on_box), NAMES, BoxCover()) == ("purple", 0.998)
    assert classify_box(box(marker=marker(around=0.2), **on_box), NAMES, BoxCover()) is None
    assert classify_box(box(marker=marker(size=2.6), **on_box), NAMES, BoxCover()) is None


def test_between_two_boxes_nobody_knows() -> None:
    """A marker about as near to the next box is contested: both boxes stay unknown."""
    assert classify_box(box(contested=True), NAMES, BoxCover()) is None


def test_a_stain_under_which_the_print_is_seen_is_no_marker() -> None:
    """What is printed on a box is hidden by a marker, not by haze or a tint of the light."""
    stain = {"marker": marker(strange=0.7, under=0.9), "bare": 0.4, "print": 0.9, "off_mm": 1.0}

    assert classify_box(box(**stain), NAMES, BoxCover()) == (None, 0.97)


def test_haze_paints_no_marker_white() -> None:
    """A marker that has another one's colour once the haze is gone is not claimed."""
    on_box = {"bare": 0.0, "print": 0.1, "off_mm": 1.0, "next_mm": 14.0}

    assert classify_box(box(marker=marker(other=0.8), **on_box), NAMES, BoxCover()) is None


def test_skin_on_a_pale_tile_is_no_white_marker() -> None:
    """What has the colour of the face around it stands out on the box alone, whatever its size."""
    on_box = {"bare": 0.0, "print": 0.1, "off_mm": 1.0, "next_mm": 14.0}

    assert classify_box(box(marker=marker(apart=0.05), **on_box), NAMES, BoxCover()) is None
    pale = marker(apart=0.15, is_light=True)
    assert classify_box(box(marker=pale, **on_box), NAMES, BoxCover()) is None
    faint = marker(apart=0.15, is_light=True, strange=0.43, fill=0.8)
    assert classify_box(box(marker=faint, **on_box), NAMES, BoxCover()) is None


def test_a_marker_knocked_off_its_box_leaves_it_unknown() -> None:
    """The box is seen to be bare, but the marker beside it was perhaps its own."""
    beside = {"marker": marker(), "off_mm": 9.0, "next_mm": 14.0}

    assert classify_box(box(**beside), NAMES, BoxCover()) is None


def test_a_shadow_beside_a_marker_may_be_skin_when_a_hand_is_about() -> None:
    """A marker that is large with its shadow alone is claimed, but not beside a hand."""
    on_box = {"marker": marker(size=1.2, spread=2.2, around=0.8), "bare": 0.1, "print": 0.1, "off_mm": 2.0}

    assert classify_box(box(next_mm=14.0, **on_box), NAMES, BoxCover()) == ("purple", 0.998)
    assert classify_box(box(next_mm=14.0, **on_box), NAMES, BoxCover(hand=True)) is None


def test_a_marker_between_two_boxes_is_the_nearer_one_s() -> None:
    """Clearly nearer to one it is claimed for it, less surely than one in its place; else it is nobody's."""
    between = {"bare": 0.7, "print": 0.88, "marker": marker(around=0.8, size=1.8, under=-0.1)}

    assert classify_box(box(off_mm=6.0, next_mm=7.9, **between), NAMES, BoxCover()) == ("purple", 0.9)
    assert classify_box(box(off_mm=6.5, next_mm=7.6, **between), NAMES, BoxCover()) is None
    hidden = {**between, "bare": 0.06, "print": 0.37}
    assert classify_box(box(off_mm=6.0, next_mm=16.0, **hidden), NAMES, BoxCover()) is None


def test_a_marker_far_off_a_box_that_is_wholly_hidden_is_not_what_hides_it() -> None:
    """It may be a figure's head; what lies on the box is another marker."""
    far = {"marker": marker(around=0.9), "print": 0.3, "off_mm": 6.7, "next_mm": 17.0}

    assert classify_box(box(**far, bare=0.07), NAMES, BoxCover()) is None
    assert classify_box(box(**far, bare=0.23), NAMES, BoxCover()) == ("purple", 0.95)


def test_a_marker_whose_colour_is_not_told_leaves_no_box_bare() -> None:
    """Half off a box it leaves most of the print to be seen, and hides all that is below it."""
    thing = marker(fill=0.6, strange=1.0, size=0.85, around=0.92, under=0.0)
    beside = {"bare": 0.63, "print": 0.82, "next_mm": 7.3}

    assert classify_box(box(marker=thing, off_mm=6.2, **beside), NAMES, BoxCover()) is None
    assert classify_box(box(marker=thing, off_mm=9.0, **beside), NAMES, BoxCover()) == (None, 0.97)


def test_a_marker_over_a_box_s_rim_hides_it_though_the_rest_is_seen() -> None:
    """Something of the print seems to go on under a firm marker; under a pale patch it is glare's edge."""
    half_off = {"bare": 0.75, "print": 0.8, "off_mm": 4.9, "next_mm": 11.0}
    firm = marker(fill=0.95, strange=0.85, under=0.5)

    assert classify_box(box(marker=firm, **half_off), NAMES, BoxCover()) == ("purple", 0.97)
    pale = marker(label=1, is_light=True, fill=0.95, strange=0.85, under=0.5)
    assert classify_box(box(marker=pale, **half_off), NAMES, BoxCover()) is None


def test_a_patch_beside_a_box_that_is_wholly_seen_makes_no_difference() -> None:
    """Neither stain nor marker for sure, too far off to reach over the box: the box is bare."""
    patch = marker(fill=0.73, strange=0.75)

    assert classify_box(box(marker=patch, off_mm=9.7, next_mm=11.6), NAMES, BoxCover()) == (None, 0.97)
    assert classify_box(box(marker=patch, off_mm=6.8, next_mm=11.6), NAMES, BoxCover()) is None


def test_where_all_the_print_is_seen_no_tint_is_a_marker() -> None:
    """A print that is seen in every line has nothing on it, whatever colours the light makes."""
    tint = {"marker": marker(fill=0.9, strange=0.64, under=0.93, other=0.4), "print": 0.95, "bare": 0.62}

    assert classify_box(box(off_mm=3.0, **tint), NAMES, BoxCover()) == (None, 0.97)


def test_too_blurred_a_box_is_not_read() -> None:
    """Where digits cannot be seen nothing is bare and nothing is a marker."""
    assert classify_box(box(blur=2.5), NAMES, BoxCover()) is None


def test_a_fingertip_in_a_marker_s_colour_is_no_marker() -> None:
    """What hangs together with much that nobody knows is perhaps part of it."""
    on_box = {"bare": 0.0, "print": 0.1, "off_mm": 1.0, "next_mm": 14.0}

    assert classify_box(box(marker=marker(), **on_box), NAMES, BoxCover(loose_mm2=400.0)) is None


def standing(**changes: object) -> StandingFigure:
    """A figure that fits its outline though much of the city has its colour, but for the changes."""
    values: dict[str, object] = {
        "cell": "1,1", "base_mm": (0.0, 0.0), "share": 0.8, "rival": 0.7, "beside": 0.0, "lead": 0.4,
        "spill": 0.05, "mass": 0.8, "fit": 0.7, "outline": np.zeros((1, 1), np.bool_),
        "around": (slice(0, 1), slice(0, 1)),
    }  # fmt: skip
    values |= {"lit_spill": changes.get("spill", values["spill"])}
    return StandingFigure(**{**values, **changes})  # type: ignore[arg-type]


def test_a_figure_is_told_by_its_shape_where_its_colour_is_common() -> None:
    """A strange thing of a figure's size and colour is one; the same colour without its shape is not."""
    assert classify_standing(standing(), 0.85, "figure") >= 0.95
    assert classify_standing(standing(fit=0.3), 0.85, "figure") == 0.0
    assert classify_standing(standing(lead=0.1), 0.85, "figure") == 0.0
    assert classify_standing(standing(lead=0.28, spill=0.28), 0.85, "figure") == 0.0


def test_a_figure_that_fits_exactly_is_told_though_another_place_is_much_like_it() -> None:
    """Its shape and its size are its own."""
    exact = {"fit": 0.8, "lead": 0.14, "mass": 1.1, "rival": 0.75}

    assert classify_standing(standing(**exact), 0.85, "figure") == 0.95
    for fault in ({"fit": 0.7}, {"lead": 0.05}, {"mass": 2.0}, {"spill": 0.2}):
        assert classify_standing(standing(**{**exact, **fault}), 0.85, "figure") == 0.0


def test_a_figure_half_in_the_shade_is_told_by_how_much_of_it_there_is() -> None:
    """Its outline is another one, but as much as a figure has lies there, ends there, and is nowhere else."""
    half = {"fit": 0.53, "lead": 0.33}

    assert classify_standing(standing(**half), 0.85, "figure") == 0.95
    for fault in ({"fit": 0.45}, {"lead": 0.2}, {"mass": 0.4}, {"mass": 1.6}, {"spill": 0.15}):
        assert classify_standing(standing(**{**half, **fault}), 0.85, "figure") == 0.0


def test_pale_ground_in_a_shadow_is_no_part_of_a_white_figure() -> None:
    """It has its colour but is only darker than the tile."""
    shaded = standing(share=0.9, spill=0.28, lit_spill=0.05)

    assert classify_standing(shaded, 0.85, "figure") > 0
    assert classify_standing(standing(share=0.9, spill=0.33), 0.85, "figure") == 0.0


def test_what_spills_over_a_figure_s_outline_and_is_larger_is_less_sure() -> None:
    """A white patch half as large again may be glare, or two things; wings may be so."""
    patch = standing(spill=0.22, mass=1.45)

    assert classify_standing(patch, 0.85, "figure") == 0.9
    assert classify_standing(standing(spill=0.22, mass=1.1), 0.85, "figure") > 0.9
    assert classify_standing(patch, 0.85, "dragon") > 0.9


def test_a_dragon_is_told_by_its_mass_where_its_outline_does_not_fit() -> None:
    """Seen from the side it is slender: a thing of its size and colour, by itself and without its like."""
    slender = {"share": 0.36, "rival": 0.0, "lead": 0.3, "mass": 0.5, "fit": 0.45, "spill": 0.0}

    assert classify_standing(standing(**slender), 0.75, "dragon") == 0.95
    assert classify_standing(standing(**slender), 0.75, "figure") == 0.0
    for fault in ({"mass": 0.2}, {"mass": 2.0}, {"spill": 0.2}, {"rival": 0.3}, {"fit": 0.2}):
        assert classify_standing(standing(**{**slender, **fault}), 0.75, "dragon") == 0.0


def test_of_a_tile_half_under_skin_of_its_colour_half_of_the_print_is_seen() -> None:
    """Nothing strange is seen there, but its lines are gone."""
    blocks = np.full((6, 6), 0.8, np.float32)
    match = Match(face=0, pose=Pose2D(x_px=0.0, y_px=0.0, turn=0.0), score=0.7, blocks=blocks)

    assert not is_half_lost(match)
    blocks[:2] = 0.1
    assert not is_half_lost(match)
    blocks[:4] = 0.1
    assert is_half_lost(match)


def test_which_side_is_up_must_be_plain_where_the_tile_is_told_by_the_others() -> None:
    """One side of the tile that lies nowhere else must agree well, and the other much less."""
    names, pose = ("mill/sketch", "mill/built"), Pose2D(x_px=0.0, y_px=0.0, turn=0.0)

    def ahead(*scores: float) -> bool:
        blocks = np.ones((1, 1), np.float32)
        found = [Match(face=n, pose=pose, score=one, blocks=blocks) for n, one in enumerate(scores)]
        return is_far_ahead(found, names)

    assert ahead(0.8, 0.5)
    assert ahead(0.8)
    assert not ahead(0.8, 0.7)
    assert not ahead(0.6, 0.2)


def test_half_a_pale_marker_beside_a_pale_box_leaves_it_unknown() -> None:
    """White on white only the half beside the box is seen: so near to one the box's print must be plain."""
    half = {
        "marker": marker(is_light=True, fill=0.67, strange=0.44, under=0.5),
        "off_mm": 6.0,
        "next_mm": 18.0,
    }

    assert classify_box(box(**half, bare=0.75, print=0.6), NAMES, BoxCover()) is None
    assert classify_box(box(**half), NAMES, BoxCover()) == (None, 0.999)


def test_something_of_an_unknown_colour_on_a_part_of_a_box_leaves_it_unknown() -> None:
    """A marker in a light in which its colour is not known again is no bare box."""
    half = {"bare": 0.7, "print": 0.6}

    assert classify_box(box(**half), NAMES, BoxCover()) == (None, 0.97)
    assert classify_box(box(**half), NAMES, BoxCover(loose_mm2=110.0)) is None


def test_a_white_marker_beside_its_box_is_claimed_when_nothing_could_be_plainer() -> None:
    """Glare is not all white, not all strange, and does not end where a marker ends."""
    beside = {"off_mm": 6.0, "next_mm": 14.0, "bare": 0.7, "print": 0.55}

    assert classify_box(box(marker=marker(is_light=True), **beside), NAMES, BoxCover()) == ("purple", 0.95)
    for fault in ({"strange": 0.9}, {"fill": 0.9}, {"around": 0.8}):
        seen = box(marker=marker(is_light=True, **fault), **beside)
        assert classify_box(seen, NAMES, BoxCover()) is None


def test_a_pale_marker_on_a_pale_face_is_told_by_the_print_that_it_hides() -> None:
    """Nothing but a thing hides a print; what the print shows through is haze, and a finger has no end."""
    on_box = {"off_mm": 2.5, "next_mm": 18.0, "bare": 0.45, "print": -0.2}
    pale = {"is_light": True, "strange": 0.6, "fill": 0.88, "under": -0.1, "apart": 0.15, "around": 0.97}

    assert classify_box(box(marker=marker(**pale), **on_box), NAMES, BoxCover()) == ("purple", 0.97)
    assert classify_box(box(marker=marker(**pale), **on_box), NAMES, BoxCover(hand=True)) is None
    assert classify_box(box(**{**on_box, "print": 0.4}, marker=marker(**pale)), NAMES, BoxCover()) is None
    for fault in ({"under": 0.4}, {"around": 0.85}, {"apart": 0.05}, {"size": 1.9}):
        assert classify_box(box(marker=marker(**{**pale, **fault}), **on_box), NAMES, BoxCover()) is None


def test_a_marker_in_glare_is_told_unless_a_hand_is_about() -> None:
    """Where glare washes the face out a strong colour ends; a hand's borders are not seen there either."""
    on_box = {"bare": 0.0, "print": 0.0, "off_mm": 2.0, "next_mm": 14.0}
    seen = box(marker=marker(in_glare=True), **on_box)

    assert classify_box(seen, NAMES, BoxCover()) == ("purple", 0.97)
    assert classify_box(seen, NAMES, BoxCover(hand=True)) is None


def test_a_tint_under_which_all_of_the_print_is_seen_is_nothing() -> None:
    """Coloured light makes it look otherwise; no marker is so uneven and lets the print be seen."""
    on_box = {"bare": 0.55, "print": 0.92, "off_mm": 3.0, "next_mm": 16.0}

    seen = box(marker=marker(fill=0.63, strange=0.89, under=0.92), **on_box)
    assert classify_box(seen, NAMES, BoxCover()) == (None, 0.97)
    assert classify_box(box(marker=marker(strange=0.89, under=0.92), **on_box), NAMES, BoxCover()) is None


def test_a_box_beside_a_piece_is_bare_where_its_print_is_plain() -> None:
    """What the piece leaves to be seen tells that it is bare; a marker may be a part of the piece."""
    seen = {"blind": 0.3, "bare": 0.85, "print": 0.85}

    assert classify_beside_piece(box(**seen), BoxCover(pieces=0.3)) == (None, 0.97)
    assert classify_beside_piece(box(**seen), BoxCover(pieces=0.3, foreign_near=0.2)) is None
    assert classify_beside_piece(box(**seen, marker=marker(), off_mm=3.0), BoxCover(pieces=0.3)) is None
    for fault in ({"blind": 0.5}, {"print": 0.6}, {"bare": 0.4}):
        assert classify_beside_piece(box(**{**seen, **fault}), BoxCover(pieces=0.3)) is None


def test_a_box_in_a_piece_s_shade_is_bare_where_its_print_is_plain() -> None:
    """Shade lies evenly on it: hardly anything of it is as learnt, but all of its print is seen."""
    shaded = box(bare=0.0, even=0.95, print=0.88)

    assert classify_beside_piece(shaded, BoxCover(pieces=0.3)) == (None, 0.97)
    assert classify_box(shaded, NAMES, BoxCover()) == (None, 0.97)
    for fault in ({"even": 0.6}, {"print": 0.68}):
        assert classify_beside_piece(replace(shaded, **fault), BoxCover(pieces=0.3)) is None
        assert classify_box(replace(shaded, **fault), NAMES, BoxCover()) is None


def test_what_neighbours_leave_to_be_seen_of_a_box_tells_that_it_is_bare() -> None:
    """Another box's marker leans over it; the rest is as learnt, or shaded, or its lines are all seen."""
    rest = box(blind=0.5, bare=0.9, print=0.85)
    own = replace(rest, marker=marker(), off_mm=3.0)

    assert classify_past_neighbours(rest, 0.0, BoxCover(pieces=0.4)) == (None, 0.95)
    assert classify_past_neighbours(replace(rest, bare=0.0, even=0.95), 0.0, BoxCover()) == (None, 0.95)
    assert classify_past_neighbours(replace(rest, bare=0.2, even=0.2, print=0.5), 0.85, BoxCover()) == (
        None,
        0.95,
    )
    for fault in ({"blind": 0.7}, {"print": 0.7}, {"bare": 0.6, "even": 0.6}, {"blur": 2.0}):
        assert classify_past_neighbours(replace(rest, **fault), 0.7, BoxCover()) is None
    assert classify_past_neighbours(rest, 0.9, BoxCover(foreign_near=0.2)) is None
    assert classify_past_neighbours(own, 0.9, BoxCover()) is None


def test_a_stain_smaller_than_a_marker_s_top_is_seen_through() -> None:
    """So little of a colour is no marker where both the print and its lines are seen, also just there."""
    stained = box(bare=0.05, print=0.62, marker=marker(size=0.39, under=0.65), off_mm=1.4)

    assert classify_past_neighbours(stained, 0.63, BoxCover()) == (None, 0.95)
    assert classify_past_neighbours(stained, 0.5, BoxCover()) is None
    for fault in ({"size": 0.55}, {"under": 0.4}):
        region = replace(stained, marker=marker(**{"size": 0.39, "under": 0.65, **fault}))
        assert classify_past_neighbours(region, 0.63, BoxCover()) is None


def test_a_box_wholly_seen_is_bare_whatever_lies_beside_it() -> None:
    """A marker that lies on a part of it would hide that part."""
    beside = marker(fill=0.6, size=0.8, strange=0.95, around=0.93, under=0.2)
    seen = box(bare=0.93, print=0.91, marker=beside, off_mm=6.0, near_mm=6.0)

    assert classify_box(seen, NAMES, BoxCover()) == (None, 0.97)
    assert classify_box(replace(seen, bare=0.85), NAMES, BoxCover()) is None


def test_white_on_a_white_box_is_told_by_the_print_that_it_hides() -> None:
    """Hardly any of it is strange; but it is just in its place, and nothing of the print is seen."""
    white = marker(
        label=1, is_light=True, fill=0.57, strange=0.2, size=1.1, around=0.82, under=-0.1, apart=0.4
    )
    seen = box(bare=0.8, print=-0.25, marker=white, off_mm=0.5)

    assert classify_box(seen, NAMES, BoxCover(pieces=0.25)) == ("white", 0.97)
    for fault in ({"print": 0.1}, {"off_mm": 3.0}):
        assert classify_box(replace(seen, **fault), NAMES, BoxCover(pieces=0.25)) is None


def test_a_marker_is_exactly_there_if_all_of_it_is_and_is_of_its_colour() -> None:
    """A figure that covers a box covers it anyhow."""
    seen = box(marker=marker(), off_mm=1.5)

    assert is_exactly_there(seen)
    assert not is_exactly_there(box())
    assert not is_exactly_there(replace(seen, off_mm=3.0))
    assert not is_exactly_there(replace(seen, marker=marker(fill=0.9)))


def test_half_a_marker_behind_a_piece_is_told_where_it_hides_the_print() -> None:
    """A dragon's wing over one half: the other is of its colour through and through, and ends."""
    half = marker(size=0.47, fill=0.95, around=0.96, under=-0.1, apart=0.6)
    seen, covered = box(bare=0.03, print=-0.3, marker=half, off_mm=3.9), BoxCover(pieces=0.54)

    assert classify_half_a_marker(seen, NAMES, covered) == ("purple", 0.95)
    assert classify_half_a_marker(seen, NAMES, replace(covered, pieces=0.1)) is None
    assert classify_half_a_marker(seen, NAMES, replace(covered, hand=True)) is None
    assert classify_half_a_marker(replace(seen, print=0.5), NAMES, covered) is None
    for fault in ({"size": 0.2}, {"fill": 0.8}, {"around": 0.5}, {"apart": 0.2}, {"is_light": True}):
        region = replace(half, **fault)  # type: ignore[arg-type]
        assert classify_half_a_marker(replace(seen, marker=region), NAMES, covered) is None


def test_a_whole_marker_against_a_piece_is_told_by_what_is_seen_of_it() -> None:
    """It must lie just in its place and be of a marker's size: what spills over may be the piece's."""
    seen = {"blind": 0.1, "bare": 0.0, "print": 0.2, "off_mm": 1.6, "next_mm": 12.5}
    whole = marker(size=1.0, around=0.55)
    touched = BoxCover(pieces=0.3)

    assert classify_marker_beside_piece(box(**seen, marker=whole), NAMES, touched) == ("purple", 0.95)
    for fault in ({"size": 1.5}, {"fill": 0.9}, {"strange": 0.8}, {"around": 0.3}):
        region = replace(whole, **fault)  # type: ignore[arg-type]
        assert classify_marker_beside_piece(box(**seen, marker=region), NAMES, touched) is None
    assert classify_marker_beside_piece(box(**{**seen, "off_mm": 5.0}, marker=whole), NAMES, touched) is None
    assert classify_marker_beside_piece(box(**seen), NAMES, touched) is None


def test_a_bare_box_with_another_s_marker_near_is_less_sure() -> None:
    """The marker may have been knocked off it."""
    assert classify_box(box(near_mm=8.0), NAMES, BoxCover()) == (None, 0.97)


def test_a_box_partly_hidden_by_something_unknown_stays_unknown() -> None:
    """A marker whose colour was not made out may lie half off it; one that was made out explains the rest."""
    seen = {"bare": 0.62, "print": 0.82}

    assert classify_box(box(**seen), NAMES, BoxCover(loose_mm2=105)) is None
    assert classify_box(box(**{**seen, "bare": 0.8}), NAMES, BoxCover(loose_mm2=105)) == (None, 0.999)
    assert classify_box(box(**seen, near_mm=8.0), NAMES, BoxCover(loose_mm2=105)) == (None, 0.97)


def test_a_lone_thing_beside_a_box_of_which_little_is_seen_leaves_it_unknown() -> None:
    """In glare a marker knocked aside is hardly one."""
    thing = marker(fill=0.53, strange=0.57, size=1.3, around=0.99, under=0.6, is_light=True)
    beside = {"marker": thing, "off_mm": 8.9, "next_mm": 21.0, "near_mm": 8.9, "bare": 0.7}

    assert classify_box(box(**beside, print=0.56), NAMES, BoxCover()) is None
    assert classify_box(box(**beside, print=0.7), NAMES, BoxCover()) == (None, 0.97)


def test_what_has_half_a_figure_s_size_is_none() -> None:
    """A marker in its colour fits its outline well."""
    small = standing(share=0.6, rival=0.26, lead=0.3, mass=0.5, fit=0.66, spill=0.04, lit_spill=0.04)

    assert classify_standing(small, 0.6, "figure") == 0.0
    assert classify_standing(replace(small, mass=0.9), 0.6, "figure") > 0.9


def test_skin_on_a_tile_of_nearly_its_colour_is_no_marker() -> None:
    """With a hand about, what is hardly another colour and does not end is more of the hand."""
    on_box = {"bare": 0.36, "print": 0.19, "off_mm": 3.6, "next_mm": 15.8}
    tip = {"strange": 0.82, "around": 0.78, "apart": 0.14}

    assert classify_box(box(marker=marker(**tip), **on_box), NAMES, BoxCover(hand=True)) is None
    assert classify_box(box(marker=marker(**tip), **on_box), NAMES, BoxCover()) is not None
    for plain in ({"apart": 0.3}, {"around": 0.95}):
        assert (
            classify_box(box(marker=marker(**{**tip, **plain}), **on_box), NAMES, BoxCover(hand=True))
            is not None
        )
    faint = box(marker=marker(**tip, fill=0.5, size=0.4), off_mm=8.0)
    assert classify_box(faint, NAMES, BoxCover(hand=True)) == (None, 0.999)


def test_a_white_thing_larger_than_a_marker_s_top_may_be_a_figure() -> None:
    """Off its place and not ending all around it hides no figure, and a marker it is not for sure."""
    thing = marker(is_light=True, label=1, size=1.49, around=0.73)
    off = box(marker=thing, off_mm=3.1, print=0.0, bare=0.28, near_mm=3.1)
    verdict = classify_box(off, NAMES, BoxCover())

    assert not is_plain(off, NAMES)
    assert verdict is not None
    assert verdict[1] < 0.99
    assert is_plain(replace(off, off_mm=0.7), NAMES)
    assert is_plain(replace(off, marker=replace(thing, around=0.95)), NAMES)
    assert is_plain(replace(off, marker=replace(thing, is_light=False, label=0)), NAMES)


def test_a_white_marker_on_a_white_box_is_told_by_the_print_that_it_hides() -> None:
    """Half of it is hardly strange there, but the print is gone; knocked off the box it is not told."""
    pale = marker(label=1, is_light=True, fill=0.78, strange=0.64, size=1.2, around=0.9)
    gone = {"bare": 0.55, "print": -0.2, "off_mm": 2.6, "next_mm": 12.0, "near_mm": 2.6}

    assert classify_box(box(marker=pale, **gone), NAMES, BoxCover()) == ("white", 0.97)
    assert classify_box(box(marker=pale, **gone | {"off_mm": 4.6}), NAMES, BoxCover()) is None
    assert classify_box(box(marker=pale, **gone), NAMES, BoxCover(pieces=0.5)) is None


def test_what_is_as_learnt_is_no_marker_whatever_its_colour() -> None:
    """A grey box, seen paler than learnt, has a white marker's colour and is bare all the same."""
    near = {"off_mm": 5.0, "next_mm": 15.0, "near_mm": 5.0, "print": 0.76}
    pale = marker(label=1, is_light=True, fill=0.61, strange=0.05, size=0.8, under=0.1)

    assert classify_box(box(marker=pale, **near, bare=0.95), NAMES, BoxCover()) == (None, 0.97)
    assert classify_box(box(marker=replace(pale, strange=0.4), **near, bare=0.95), NAMES, BoxCover()) is None
    print_visibility = replace(pale, strange=0.4, under=0.8)
    assert classify_box(box(marker=print_visibility, **near, bare=0.8), NAMES, BoxCover()) == (None, 0.97)


def test_a_marker_just_in_its_place_may_touch_those_on_both_sides() -> None:
    """Three in a row hang together; a thing that is not just in its place must end somewhere."""
    between = {"bare": 0.05, "print": 0.2, "off_mm": 0.5, "next_mm": 13.0, "near_mm": 0.5}
    touching = marker(around=0.45)

    assert classify_box(box(marker=touching, **between), NAMES, BoxCover()) == ("purple", 0.97)
    assert is_plain(box(marker=touching, **between), NAMES)
    assert classify_box(box(marker=touching, **between | {"off_mm": 3.5}), NAMES, BoxCover()) is None
    assert not is_plain(box(marker=touching, **between | {"off_mm": 3.5}), NAMES)


def test_a_box_in_a_shadow_is_bare_where_its_print_is_plain() -> None:
    """What hides half of a box hides half of its print; a shadow leaves it. The rest stays unknown."""
    shaded = box(bare=0.5, print=0.84)

    assert classify_box(shaded, NAMES, BoxCover(loose_mm2=150.0)) == (None, 0.97)
    assert classify_box(replace(shaded, print=0.7), NAMES, BoxCover(loose_mm2=150.0)) is None
    assert classify_box(replace(shaded, bare=0.7, print=0.81), NAMES, BoxCover(loose_mm2=150.0)) is None


def test_what_leans_in_from_a_neighbour_hides_no_box() -> None:
    """A little that is unexplained beside a box that is mostly seen, with no marker near."""
    beside = box(bare=0.65, print=0.7)

    assert classify_box(beside, NAMES, BoxCover(loose_mm2=70.0)) == (None, 0.97)
    assert classify_box(beside, NAMES, BoxCover(loose_mm2=130.0)) is None
    assert classify_box(replace(beside, near_mm=6.0), NAMES, BoxCover(loose_mm2=70.0)) is None


def test_a_lonely_marker_knocked_far_off_is_its_box_s() -> None:
    """Nine millimetres off, and no other box anywhere near: whose else could it be?"""
    knocked = box(
        bare=0.89,
        print=0.8,
        off_mm=8.5,
        near_mm=8.5,
        next_mm=20.0,
        marker=marker(around=0.99, under=-0.5, strange=0.85),
    )

    assert classify_box(knocked, NAMES, BoxCover()) == ("purple", 0.95)
    assert classify_box(replace(knocked, next_mm=13.0), NAMES, BoxCover()) is None
    assert classify_box(replace(knocked, off_mm=9.8, near_mm=9.8), NAMES, BoxCover()) is None


def test_half_a_white_marker_seen_from_low_down_leaves_its_box_unknown() -> None:
    """Its sides are as dark as print: a third of a marker is white, and the print seems to be there."""
    low = box(
        bare=0.8,
        print=0.6,
        off_mm=2.0,
        near_mm=2.0,
        marker=marker(label=1, is_light=True, fill=0.67, strange=0.48, size=0.4, around=0.95, under=0.7),
    )

    assert classify_box(low, NAMES, BoxCover()) is None
    assert classify_box(replace(low, print=0.85), NAMES, BoxCover()) == (None, 0.97)


def test_a_patch_of_a_marker_s_colour_on_a_box_that_is_half_seen_is_the_light_s() -> None:
    """A marker in its place would hide more of the box and of its print, and be of one colour."""
    patch = box(
        bare=0.45,
        print=0.55,
        off_mm=2.0,
        near_mm=2.0,
        marker=marker(fill=0.8, size=0.65, under=0.3, around=1.0),
    )

    assert classify_box(patch, NAMES, BoxCover()) is None
    assert classify_box(replace(patch, marker=marker(fill=1.0, size=0.65, under=0.3)), NAMES, BoxCover())
    plain = replace(patch, bare=0.6, print=0.9)
    assert classify_box(replace(plain, marker=marker(fill=0.87, under=0.28)), NAMES, BoxCover()) is None


def test_a_white_marker_that_ends_all_around_is_no_haze() -> None:
    """Though something of the print seems to be under it: its edges are where the print's are."""
    white = marker(label=1, is_light=True, around=1.0, under=0.5, apart=0.5)
    seen = box(bare=0.2, print=0.5, off_mm=0.5, near_mm=0.5, marker=white)

    assert classify_box(seen, NAMES, BoxCover()) == ("white", 0.97)
    assert classify_box(replace(seen, marker=replace(white, around=0.9)), NAMES, BoxCover()) is None


def test_among_other_pieces_a_marker_just_in_its_place_is_told() -> None:
    """However little around it is seen; not so one that is off its place, or with a hand about."""
    close = box(bare=0.0, print=0.1, off_mm=1.0, near_mm=1.0, marker=marker(around=0.2))
    among = BoxCover(loose_mm2=350.0)

    assert classify_box(close, NAMES, among) is None
    assert classify_marker_among_pieces(close, NAMES, among) == ("purple", 0.95)
    assert classify_marker_among_pieces(replace(close, off_mm=4.8), NAMES, among) is None
    assert classify_marker_among_pieces(replace(close, print=0.7), NAMES, among) is None
    assert classify_marker_among_pieces(close, NAMES, replace(among, hand=True)) is None
    assert classify_marker_among_pieces(close, NAMES, BoxCover(loose_mm2=800.0)) is None


def test_a_trace_of_white_on_a_box_that_is_as_learnt_is_nothing() -> None:
    """In another light a pale box is a little whiter than learnt; a marker would hide its print."""
    pale = marker(label=1, is_light=True, fill=0.6, strange=0.25, size=0.9, under=0.0)
    seen = box(bare=0.85, print=0.6, off_mm=3.0, near_mm=3.0, marker=pale)

    assert classify_box(seen, NAMES, BoxCover()) == (None, 0.97)
    assert classify_box(replace(seen, print=0.3), NAMES, BoxCover()) is None
    assert classify_box(replace(seen, marker=replace(pale, strange=0.4)), NAMES, BoxCover()) is None


def test_a_faint_print_is_enough_where_no_marker_s_colour_is_near() -> None:
    """The box is as learnt all over, and its number is just made out."""
    faint = box(bare=0.96, print=0.45)

    assert classify_box(faint, NAMES, BoxCover()) == (None, 0.97)
    assert classify_box(replace(faint, print=0.2), NAMES, BoxCover()) is None
    assert classify_box(replace(faint, near_mm=12.0), NAMES, BoxCover()) is None


def test_a_box_that_was_learnt_in_part_is_bare_where_that_part_is_as_learnt() -> None:
    """More than half of it burnt out tells nothing; nor does a part that is seen beside a marker."""
    half = box(blind=0.55, bare=1.0, print=0.95)

    assert classify_box(half, NAMES, BoxCover()) == (None, 0.97)
    assert classify_box(replace(half, blind=0.8), NAMES, BoxCover()) is None
    assert classify_box(replace(half, bare=0.8), NAMES, BoxCover()) is None
    assert classify_box(replace(half, near_mm=5.0), NAMES, BoxCover()) is None


def test_a_marker_that_leans_off_its_box_is_one_though_the_print_is_seen() -> None:
    """From low down a marker half off its box hides what is behind that, and none of the number."""
    leaning = box(bare=0.57, print=0.87, off_mm=2.0, near_mm=2.0, next_mm=10.0, marker=marker(under=0.07))

    assert classify_box(leaning, NAMES, BoxCover()) == ("purple", 0.97)
    assert classify_box(replace(leaning, marker=marker(fill=0.88, under=0.28)), NAMES, BoxCover()) is None


def test_a_figure_is_not_sure_while_another_place_shows_much_of_it() -> None:
    """A white marker seen from low down is much like a white figure."""
    plain = standing(share=0.9, fit=0.8, lead=0.5, rival=0.1, spill=0.02)

    assert classify_standing(plain, 0.95, "figure") == 0.995
    assert classify_standing(replace(plain, rival=0.6), 0.95, "figure") == 0.97


def test_what_is_nowhere_else_is_told_by_being_there() -> None:
    """A dragon that turns its narrow side, a figure between tiles; stains and markers are smaller."""
    narrow = {"share": 0.3, "rival": 0.0, "lead": 0.24, "mass": 0.58, "fit": 0.45, "spill": 0.0}
    in_a_gap = {"share": 0.5, "rival": 0.0, "lead": 0.28, "mass": 0.8, "fit": 0.0, "spill": 0.0}

    assert classify_standing(standing(**narrow), 0.85, "dragon") == 0.95
    assert classify_standing(standing(**in_a_gap), 0.85, "figure") == 0.95
    for fault in ({"rival": 0.2}, {"mass": 0.3}, {"fit": 0.2}, {"share": 0.2}, {"spill": 0.15}):
        assert classify_standing(standing(**{**narrow, **fault}), 0.85, "dragon") == 0.0
    for fault in ({"rival": 0.3}, {"mass": 0.5}, {"share": 0.4}, {"spill": 0.15}):
        assert classify_standing(standing(**{**in_a_gap, **fault}), 0.85, "figure") == 0.0


def test_a_figure_far_ahead_of_all_else_may_be_half_in_the_shade() -> None:
    """Of a white one little more than a marker's size is white."""
    shaded = {"share": 0.6, "rival": 0.3, "lead": 0.45, "mass": 0.5, "fit": 0.77}

    assert classify_standing(standing(**shaded), 0.85, "figure") == 0.95
    for fault in ({"rival": 0.5}, {"lead": 0.3}, {"mass": 0.3}, {"spill": 0.12}):
        assert classify_standing(standing(**{**shaded, **fault}), 0.85, "figure") == 0.0


def test_of_a_figure_the_lit_half_may_be_enough() -> None:
    """Where nothing is nearly so much like it; that much of a dragon, or with a hand about, is not."""
    lit = {"share": 0.46, "rival": 0.3, "lead": 0.21, "mass": 0.38, "fit": 0.44}

    assert classify_standing(standing(**lit), 0.85, "figure") == 0.9
    for fault in ({"rival": 0.45}, {"lead": 0.15}, {"mass": 0.3}, {"fit": 0.35}, {"spill": 0.12}):
        assert classify_standing(standing(**{**lit, **fault}), 0.85, "figure") == 0.0
    assert classify_standing(standing(**lit), 0.85, "dragon") == 0.0


def test_a_patch_that_markers_explain_is_markers() -> None:
    """Where its owner's figure is not made out, the patch must fit the better; on a figure it is that."""
    seen = box(print=0.3, bare=0.1)
    sure = partial(classify_patch, box=seen, covered=BoxCover(), is_made_out=True)

    assert sure(0.6, 0.9, 0.0) == 0.95
    assert sure(0.5, 0.9, 0.0) == 0.0
    assert sure(0.6, 0.6, 0.0) == 0.0
    assert sure(0.6, 0.9, 0.3) == 0.0
    assert classify_patch(0.6, 0.9, 0.0, seen, BoxCover(), is_made_out=False) == 0.0
    assert classify_patch(0.7, 0.9, 0.0, seen, BoxCover(), is_made_out=False) == 0.95
    assert classify_patch(0.7, 0.9, 0.0, seen, BoxCover(hand=True), is_made_out=True) == 0.0
    assert classify_patch(0.7, 0.9, 0.0, box(print=0.8), BoxCover(), is_made_out=True) == 0.0


def test_a_box_is_taken_when_something_of_a_marker_s_size_hides_it() -> None:
    """Whosever it is; a bare box, a hidden one and one under a hand are not known to be taken."""
    on_it = {"marker": marker(fill=0.5), "bare": 0.1, "print": 0.1, "off_mm": 1.0}

    assert is_taken(box(**on_it), BoxCover())
    assert not is_taken(box(**{**on_it, "print": 0.8}), BoxCover())
    assert not is_taken(box(**{**on_it, "marker": None}), BoxCover())
    assert not is_taken(box(**on_it), BoxCover(pieces=0.5))
    assert not is_taken(box(**on_it), BoxCover(hand=True))


def test_a_box_of_which_all_is_seen_is_not_the_one_a_marker_was_knocked_off() -> None:
    """A marker covers something of a box, however far it was knocked."""
    knocked = {"marker": marker(around=0.96, under=0.1, size=1.0), "off_mm": 6.9, "next_mm": 16.0}

    beside = classify_box(box(print=0.8, bare=0.7, **knocked), NAMES, BoxCover())
    assert beside is not None
    assert beside[0] is not None
    assert classify_box(box(print=0.96, bare=0.86, **knocked), NAMES, BoxCover()) is None


def test_the_shaded_side_of_a_neighbour_is_no_marker() -> None:
    """It has a marker's colour in part, lies off the box, and leaves much of the print to be seen."""
    shade = {"off_mm": 4.8, "next_mm": 10.8, "print": 0.38, "bare": 0.5}

    assert classify_box(box(marker=marker(fill=0.75, under=0.43), **shade), NAMES, BoxCover()) is None
    assert classify_box(box(marker=marker(fill=0.75, under=0.1), **shade), NAMES, BoxCover()) is not None


def ends(**changes: float) -> Border:
    """A marker's border, plain to see but for the changes."""
    return Border(**{"shown": 0.7, "seen": 1.0, "own": 0.95, "lit": 0.95, **changes})


@pytest.mark.parametrize("owner_is_seen", [True, False])
def test_what_ends_as_a_marker_is_one_whatever_it_touches(owner_is_seen: bool) -> None:
    """It may be one of a row, of which the next begins where it ends."""
    seen = box(bare=0.2, print=0.4, marker=marker(around=0.4, size=1.9), off_mm=2.0)

    assert classify_marker_border(ends(), seen, BoxCover(), is_made_out=owner_is_seen) == 0.95


def test_of_a_marker_whose_side_is_black_the_top_is_in_its_colour() -> None:
    """Seen from low down the side that is turned away from the lamp is as large as the top."""
    top = {"bare": 0.1, "print": 0.2, "off_mm": 2.6}
    seen, half = box(marker=marker(fill=0.95, size=0.5), **top), ends(own=0.45)

    assert classify_marker_border(half, seen, BoxCover(), is_made_out=True) == 0.95
    assert classify_marker_border(half, seen, BoxCover(), is_made_out=False) == 0.0
    assert classify_marker_border(ends(own=0.45, shown=0.45), seen, BoxCover(), is_made_out=True) == 0.0
    assert classify_marker_border(ends(own=0.3), seen, BoxCover(), is_made_out=True) == 0.0
    whole = box(marker=marker(fill=0.95, size=0.9), **top)
    assert classify_marker_border(half, whole, BoxCover(), is_made_out=True) == 0.0


@pytest.mark.parametrize(
    ("border", "changes"),
    [
        ({"shown": 0.3}, {}),
        ({"seen": 0.4}, {}),
        ({"own": 0.6}, {}),
        ({}, {"strange": 0.4}),
        ({}, {"other": 0.8}),
        ({}, {"apart": 0.02}),
        ({}, {"size": 2.6}),
        ({}, {"is_light": True, "around": 0.4}),
    ],
)
def test_what_ends_otherwise_or_is_otherwise_is_no_marker(
    border: dict[str, float], changes: dict[str, object]
) -> None:
    """Heads, stains, haze, glare and fingertips."""
    seen = box(bare=0.2, print=0.4, marker=marker(**changes), off_mm=2.0)

    assert classify_marker_border(ends(**border), seen, BoxCover(), is_made_out=True) == 0.0


def test_a_marker_that_may_be_a_part_of_a_figure_must_end_plainly() -> None:
    """As long as nobody knows where that stands."""
    seen = box(bare=0.2, print=0.4, marker=marker(), off_mm=2.0)

    assert classify_marker_border(ends(shown=0.5), seen, BoxCover(), is_made_out=True) == 0.95
    assert classify_marker_border(ends(shown=0.5), seen, BoxCover(), is_made_out=False) == 0.0


@pytest.mark.parametrize("covered", [BoxCover(hand=True), BoxCover(pieces=0.7)])
def test_under_hands_and_pieces_no_border_is_believed(covered: BoxCover) -> None:
    """Fingers end as well."""
    seen = box(bare=0.2, print=0.4, marker=marker(), off_mm=2.0)

    assert classify_marker_border(ends(), seen, covered, is_made_out=True) == 0.0


def test_a_bare_box_is_not_taken_by_what_ends_beside_it() -> None:
    """Its print is seen."""
    seen = box(bare=0.9, print=0.9, marker=marker(), off_mm=5.0)

    assert classify_marker_border(ends(), seen, BoxCover(), is_made_out=True) == 0.0


def test_much_white_that_is_not_just_in_its_place_is_no_marker_beside_pieces() -> None:
    """Glare on a tile is white, large and hides the print."""
    small, large = (marker(is_light=True, size=size, around=0.5) for size in (1.1, 1.8))
    seen = box(bare=0.1, print=0.4, marker=small, off_mm=3.5)

    assert classify_marker_among_pieces(seen, NAMES, BoxCover()) is not None
    assert classify_marker_among_pieces(replace(seen, marker=large), NAMES, BoxCover()) is None


def test_a_figure_half_behind_a_dragon_is_told_where_nothing_else_has_its_colour() -> None:
    """How well it fits cannot be told there; markers of its colour would look the same."""
    half = {"share": 0.45, "fit": 0.0, "rival": 0.0, "lead": 0.25, "mass": 0.55, "spill": 0.05}

    assert classify_standing(standing(**half), 0.85, "figure", alone=True) == 0.9
    assert classify_standing(standing(**half), 0.85, "figure") == 0.0
    faults = (
        {"share": 0.3}, {"mass": 0.3}, {"mass": 1.6}, {"rival": 0.2}, {"spill": 0.2}, {"beside": 0.44},
        {"rival": 0.25, "mass": 0.7},
    )  # fmt: skip
    assert (
        classify_standing(standing(**{**half, "rival": 0.2, "mass": 0.7}), 0.85, "figure", alone=True) == 0.9
    )
    for fault in faults:
        assert classify_standing(standing(**{**half, **fault}), 0.85, "figure", alone=True) == 0.0, fault


def match_of(score: float) -> Match:
    """A face that agrees so well."""
    return Match(
        face=0, pose=Pose2D(x_px=0.0, y_px=0.0, turn=0.0), score=score, blocks=np.zeros((1, 1), np.float32)
    )


def test_two_markers_in_their_places_prove_the_face_that_has_boxes_there() -> None:
    """One may be chance; and where another side agrees better they must lie exactly."""
    on = box(bare=0.0, print=0.1, marker=marker(around=0.1), off_mm=1.0, next_mm=14.0, near_mm=1.0)
    off = replace(on, off_mm=3.5)

    assert markers_in_place(match_of(0.3), [box(), on, on], 0.5) == [1, 2]
    assert markers_in_place(match_of(0.3), [box(), on, box()], 0.5) == []
    assert markers_in_place(match_of(0.2), [on, on], 0.5) == []
    assert markers_in_place(match_of(0.5), [on, off], 0.3) == [0, 1]
    assert markers_in_place(match_of(0.5), [on, off], 0.45) == []
    by_itself = replace(off, marker=marker(is_light=True))
    assert markers_in_place(match_of(0.5), [on, by_itself], 0.45) == [0, 1]
    assert markers_in_place(match_of(0.5), [by_itself, by_itself], 0.45) == []


@pytest.mark.parametrize(
    "fault",
    [{"print": 0.8}, {"blind": 0.6}, {"marker": None}, {"marker": marker(fill=0.6)},
     {"marker": marker(is_light=True, around=0.1)}, {"marker": marker(size=2.4)},
     {"marker": marker(second=0.8)}],
)  # fmt: skip
def test_what_may_be_no_marker_proves_no_face(fault: dict[str, object]) -> None:
    """Glare, stains and parts of figures are not counted."""
    on = box(bare=0.0, print=0.1, marker=marker(around=0.1), off_mm=1.0, next_mm=14.0, near_mm=1.0)

    assert markers_in_place(match_of(0.5), [on, replace(on, **fault)], 0.0) == []  # type: ignore[arg-type]


GLARE = Glare(pale=1.0, burnt=0.9, around=0.9, gap=0.15, lean=0.6)


def test_a_box_that_glare_burns_out_is_bare_if_a_marker_s_side_would_be_seen() -> None:
    """And if it is glare: the gap beside the tile is dark, and it goes on around the box."""
    gone = box(bare=0.0, print=0.0, blind=0.9)

    assert classify_in_glare(GLARE, gone, BoxCover()) == (None, 0.95)
    assert classify_in_glare(replace(GLARE, burnt=0.3), replace(gone, print=0.7), BoxCover()) == (None, 0.95)
    for fault in ({"pale": 0.8}, {"burnt": 0.5}, {"around": 0.2}, {"gap": 0.7}, {"lean": 0.1}):
        assert classify_in_glare(replace(GLARE, **fault), gone, BoxCover()) is None, fault


@given(covered=covers, seen=features)
def test_nothing_is_said_of_a_box_in_glare_with_anything_else_about(
    covered: BoxCover, seen: BoxFeatures
) -> None:
    """Not under a hand or a figure, beside something unknown, or out of focus."""
    verdict = classify_in_glare(GLARE, seen, covered)
    is_free = covered.nobody and covered.loose_mm2 < 150 and covered.pieces < 0.05

    assert verdict is None or (is_free and verdict[0] is None)
    assert classify_in_glare(GLARE, seen, replace(covered, hand=True)) is None


def test_a_white_marker_on_a_white_box_is_told_by_its_border_where_all_of_it_is_seen() -> None:
    """It is hardly strange there; half a border and a dim print tell it from the bare box."""
    there = box(
        bare=0.7, print=0.5, off_mm=2.0, next_mm=11.0, near_mm=2.0,
        marker=marker(is_light=True, fill=0.75, strange=0.35, size=1.0, around=0.98, under=0.6),
    )  # fmt: skip
    half = Border(shown=0.36, seen=1.0, own=1.0, lit=1.0)

    assert classify_box(there, NAMES, BoxCover()) is None
    assert classify_marker_border(half, there, BoxCover(), is_made_out=True) == 0.95
    assert classify_marker_border(half, there, BoxCover(), is_made_out=False) == 0.0
    assert classify_marker_border(replace(half, shown=0.45), there, BoxCover(), is_made_out=False) == 0.95
    for less in ({"shown": 0.3}, {"seen": 0.8}, {"own": 0.8}):
        assert classify_marker_border(replace(half, **less), there, BoxCover(), is_made_out=True) == 0.0, less
    for other in ({"print": 0.7}, {"off_mm": 6.0}, {"blind": 0.6}):
        assert classify_marker_border(half, replace(there, **other), BoxCover(), is_made_out=True) == 0.0, (
            other
        )
    assert classify_marker_border(half, there, BoxCover(hand=True), is_made_out=True) == 0.0
    assert classify_marker_border(half, there, BoxCover(pieces=0.4), is_made_out=True) == 0.0


def test_what_glare_or_haze_makes_white_is_no_white_marker() -> None:
    """Glare goes on around it, and below haze another colour comes to light."""
    plain = Glare(pale=0.7, burnt=0.0, around=0.1, gap=0.2, lean=0.6)
    white = marker(is_light=True)

    assert not is_another_paled(white)
    assert is_another_paled(replace(white, other=0.3))
    assert not is_another_paled(marker(other=0.3))
    assert may_be_glare(replace(white, around=0.6))
    assert not may_be_glare(white)
    assert not may_be_glare(marker(around=0.6))
    assert is_glare(GLARE)
    assert not is_glare(plain)


def test_a_marker_on_a_board_of_its_own_colour_is_told_by_its_border() -> None:
    """The board around it has much its colour; fingers are larger and go on around it."""
    on = box(bare=0.05, print=0.1, off_mm=1.0, next_mm=16.0, near_mm=1.0, marker=marker(around=0.6, size=1.5))
    whole, half = (
        Border(shown=0.5, seen=1.0, own=0.7, lit=1.0),
        Border(shown=0.35, seen=0.75, own=0.95, lit=1.0),
    )

    assert classify_board_border(whole, on) == 0.95
    assert classify_board_border(half, on) == 0.95
    assert classify_board_border(half, replace(on, off_mm=3.0)) == 0.0
    assert classify_board_border(replace(half, shown=0.2), on) == 0.0
    assert classify_board_border(whole, replace(on, off_mm=3.0)) == 0.95
    for finger in ({"around": 0.3}, {"size": 2.3}):
        held = replace(on, marker=marker(**{"around": 0.6, "size": 1.5, **finger}))
        assert not may_end_on_board(held)
        assert classify_board_border(whole, held) == 0.0
    assert not may_end_on_board(box())


def test_a_marker_of_nearly_the_face_s_colour_is_told_where_it_ends_all_around() -> None:
    """Half off its box it leaves the print to be seen; with a hand about it may be skin."""
    seen = marker(strange=0.82, size=1.13, around=0.99, under=-0.5, apart=0.09)
    beside = box(bare=0.89, print=0.8, marker=seen, off_mm=8.2, next_mm=20.0, near_mm=8.2)

    assert classify_box(beside, NAMES, BoxCover()) == ("purple", 0.95)
    assert classify_box(beside, NAMES, BoxCover(hand=True)) is None
    for less in ({"around": 0.9}, {"apart": 0.05}, {"size": 1.6}, {"strange": 0.7}, {"under": 0.5}):
        assert classify_box(replace(beside, marker=replace(seen, **less)), NAMES, BoxCover()) is None, less


def test_glare_beside_a_box_that_a_piece_touches_is_no_marker() -> None:
    """White as large as that is none; a marker there may have been this box's."""
    beside = box(bare=0.9, print=0.9, off_mm=6.7, next_mm=10.0, near_mm=6.7)
    glare = replace(beside, marker=marker(is_light=True, size=1.9, around=0.65))

    assert classify_beside_piece(glare, BoxCover(pieces=0.15)) == (None, 0.97)
    for fault in ({"off_mm": 3.0}, {"marker": marker(is_light=True)}, {"marker": marker(size=1.9)}):
        assert classify_beside_piece(replace(glare, **fault), BoxCover(pieces=0.15)) is None, fault  # type: ignore[arg-type]


def test_a_pale_box_in_a_dragon_s_shade_is_no_white_marker() -> None:
    """Its print is gone and it is hardly strange; but it is larger than a marker."""
    shaded = box(
        bare=0.12, print=0.43, off_mm=2.8, next_mm=15.0, near_mm=2.8,
        marker=marker(label=1, is_light=True, fill=0.64, strange=0.21, size=1.64, under=0.0, apart=0.28),
    )  # fmt: skip
    pale = marker(label=1, is_light=True, fill=0.64, strange=0.21, size=1.1, under=0.0)

    assert classify_box(shaded, NAMES, BoxCover()) is None
    assert classify_box(replace(shaded, print=0.2), NAMES, BoxCover()) == ("white", 0.97)
    assert classify_box(replace(shaded, marker=pale), NAMES, BoxCover()) == ("white", 0.97)


def test_what_has_a_bit_of_everybody_s_colours_is_a_box_in_the_shade() -> None:
    """Half of it in one player's colour is a marker only if none of it is in another's."""
    half = marker(fill=0.67, strange=0.4, size=1.2, under=0.0)
    seen = box(bare=0.4, print=0.2, marker=half, off_mm=2.0, next_mm=11.0, near_mm=2.0)

    assert classify_box(seen, NAMES, BoxCover()) == ("purple", 0.97)
    assert classify_box(replace(seen, marker=replace(half, other=0.18)), NAMES, BoxCover()) is None


@pytest.mark.parametrize(
    ("changes", "may"),
    [
        ({}, True),
        ({"under": 0.5}, False),
        ({"fill": 0.9}, False),
        ({"is_light": True, "around": 0.99}, False),
    ],
)
def test_a_marker_may_hide_little_of_the_print_of_a_box_of_many_colours(
    changes: dict[str, object], may: bool
) -> None:
    """Its corners are seen beside the marker; just under it nothing is. White is not told so."""
    beside = {"print": 0.72, "bare": 0.12, "off_mm": 2.0, "near_mm": 2.0, "next_mm": 11.0}
    seen = box(**beside, marker=marker(**{"size": 1.5, "around": 0.6, **changes}))

    assert may_be_bordered(seen, BoxCover(loose_mm2=240.0)) is may
