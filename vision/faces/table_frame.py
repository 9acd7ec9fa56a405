"""Where the fiducials are on the table, and where the city's grid of tiles is among them.

The fiducials may be anywhere: `calibration.survey` reconstructs their plane to scale. The grid of tiles
defines the table's frame, origin and x axis; how large tiles are, and how far apart, is measured with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.survey import Shot, Survey, survey, usual_frame
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table_layout import TableLayout
from vision.arrays import Picture8
from vision.faces.city_grid import Shown, find_city, measured_sizes, settled_frame
from vision.faces.cutting import fiducials_of
from vision.geometry.fiducials import without_bloom


@dataclass(frozen=True, slots=True, kw_only=True)
class Photograph:
    """A photograph to be surveyed.

    Attributes:
        frame: the picture, (height, width, 3).
        what: its name in messages.
        shows_city: every cell of the layout holds a tile; otherwise there is none in any.
    """

    frame: Picture8
    what: str
    shows_city: bool = True


def measured(
    photographs: Sequence[Photograph], layout: TableLayout, *, any_size: bool = False
) -> TableLayout:
    """Return the layout with the measured fiducials, in the frame of the city if a photograph shows it.

    Otherwise the middle of the fiducials is the origin, and their orientation fits the layout's best.

    Args:
        photographs: of one table with one camera; if a fiducial was moved in between, photographs that
            disagree with most of the others do not count for it.
        layout: what should lie there and the size of the fiducials; their places in it only give the
        orientation.
        any_size: how large tiles are, and how far apart, is measured too; else the layout must say so.

    Raises:
        ProfileError: too few fiducials are seen in a photograph, they are not in one plane, or no city is
        found.
    """
    edge_mm = layout.fiducials[0].edge_mm
    found = survey([_shot(one, layout) for one in photographs], edge_mm)
    if found is None:
        raise ProfileError(
            msg(
                "the codes do not lie flat on one table: press them flat, then take all the photographs again"
            )
        )
    found = found.reframed(usual_frame(found.codes, layout))
    if any(one.shows_city for one in photographs):
        found, layout = _in_city_frame(found, layout, photographs, any_size=any_size)
    return replace(layout, fiducials=found.codes)


def _shot(photograph: Photograph, layout: TableLayout) -> Shot:
    frame = photograph.frame
    gray, seen = fiducials_of(frame, layout, photograph.what)
    return Shot(size_wh=(frame.shape[1], frame.shape[0]), corners=without_bloom(gray, seen))


def _in_city_frame(
    found: Survey, layout: TableLayout, photographs: Sequence[Photograph], *, any_size: bool
) -> tuple[Survey, TableLayout]:
    """Return the survey in the frame of the city that the first photograph with tiles shows, with sizes."""
    shown, bare = (_shown(found, photographs, city=city) for city in (True, False))
    rough = find_city(shown, found.codes, layout, bare=bare, any_size=any_size)
    if rough is None:
        raise ProfileError(
            msg(
                "{what}: the tiles could not be found in their {cells} places between the codes; lay them "
                "all out where the camera can see every one",
                what=next(one.what for one in photographs if one.shows_city),
                cells=len(layout.cells),
            )
        )
    found = found.reframed(rough.frame)
    shown = _shown(found, photographs, city=True)
    if any_size:
        layout = measured_sizes(shown, layout.with_city(rough.edge_mm, rough.pitch_mm), layout)
    return found.reframed(settled_frame(shown[0], layout)), layout


def _shown(found: Survey, photographs: Sequence[Photograph], *, city: bool) -> list[Shown]:
    """Return the photographs that show a city, or those that show none, with their cameras."""
    return [
        Shown(frame=one.frame, camera=camera)
        for one, camera in zip(photographs, found.cameras, strict=True)
        if one.shows_city == city
    ]
