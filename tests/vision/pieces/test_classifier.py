"""From measurements to claims of tiles, and what is plain to see of markers and figures."""

from dataclasses import replace

import numpy as np
import pytest

from vision.faces.registration import Match, Pose2D
from vision.pieces.classifier import (
    classify_standing,
    is_exactly_there,
    is_half_lost,
    is_plain,
    markers_in_place,
)
from vision.pieces.figures import Border, StandingFigure
from vision.pieces.markers import BoxFeatures, Marker


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


def test_a_plain_marker_lies_on_a_box_or_beside_it_and_ends() -> None:
    """What goes on around it may be a figure; what lets print be seen, or has two colours, is no marker."""
    on_box = {"bare": 0.0, "print": 0.1, "off_mm": 1.0, "next_mm": 14.0}

    assert is_plain(box(marker=marker(), **on_box))
    assert is_plain(box(marker=marker(), **on_box | {"off_mm": 5.8}))
    assert not is_plain(box(marker=marker(), **on_box | {"off_mm": 6.2}))
    assert not is_plain(box(**on_box))
    assert not is_plain(box(marker=marker(around=0.2), **on_box))
    assert not is_plain(box(marker=marker(size=2.6), **on_box))
    assert not is_plain(box(marker=marker(fill=0.85, second=0.7), **on_box))


def test_what_is_partly_in_a_marker_s_colour_is_plain_where_it_hides_the_print() -> None:
    """A shadow or a stain lets the print be seen, and off the box nothing tells it from one."""
    on_box = {"bare": 0.0, "print": 0.1, "off_mm": 3.0, "next_mm": 14.0}
    pale = marker(fill=0.8, strange=0.8)

    assert is_plain(box(marker=pale, **on_box))
    assert not is_plain(box(marker=pale, **on_box | {"print": 0.7}))
    assert not is_plain(box(marker=replace(pale, under=0.7), **on_box))
    assert not is_plain(box(marker=replace(pale, other=0.4), **on_box))
    assert not is_plain(box(marker=pale, **on_box | {"off_mm": 5.6}))


def test_a_white_thing_larger_than_a_marker_s_top_may_be_a_figure() -> None:
    """Off its place and not ending all around it hides no figure, and a marker it is not for sure."""
    thing = marker(is_light=True, label=1, size=1.49, around=0.73)
    off = box(marker=thing, off_mm=3.1, print=0.0, bare=0.28, near_mm=3.1)

    assert not is_plain(off)
    assert is_plain(replace(off, off_mm=0.7))
    assert is_plain(replace(off, marker=replace(thing, around=0.95)))
    assert is_plain(replace(off, marker=replace(thing, is_light=False, label=0)))


def test_a_marker_just_in_its_place_may_touch_those_on_both_sides() -> None:
    """Three in a row hang together; a thing that is not just in its place must end somewhere."""
    between = {"bare": 0.05, "print": 0.2, "off_mm": 0.5, "next_mm": 13.0, "near_mm": 0.5}
    touching = marker(around=0.45)

    assert is_plain(box(marker=touching, **between))
    assert not is_plain(box(marker=touching, **between | {"off_mm": 3.5}))


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


def test_a_marker_is_exactly_there_if_all_of_it_is_and_is_of_its_colour() -> None:
    """A figure that covers a box covers it anyhow."""
    seen = box(marker=marker(), off_mm=1.5)

    assert is_exactly_there(seen)
    assert not is_exactly_there(box())
    assert not is_exactly_there(replace(seen, off_mm=3.0))
    assert not is_exactly_there(replace(seen, marker=marker(fill=0.9)))


def test_what_has_half_a_figure_s_size_is_none() -> None:
    """A marker in its colour fits its outline well."""
    small = standing(share=0.6, rival=0.26, lead=0.3, mass=0.5, fit=0.66, spill=0.04, lit_spill=0.04)

    assert classify_standing(small, 0.6, "figure") == 0.0
    assert classify_standing(replace(small, mass=0.9), 0.6, "figure") > 0.9


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


def ends(**changes: float) -> Border:
    """A marker's border, plain to see but for the changes."""
    return Border(**{"shown": 0.7, "seen": 1.0, "own": 0.95, "lit": 0.95, **changes})


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
