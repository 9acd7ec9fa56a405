"""From the pixels of drawn tables without printed places to observations for the referee."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from companion.free_pieces import FreeTable, Placed
from companion.loose_pieces import turned
from companion.observation import Observation
from companion.table import kind_of
from companion.table_layout import TableLayout
from tests.helpers.drawn_game import DrawnGame, Laid
from tests.helpers.drawn_profile import true_profile
from tests.helpers.free_tables import differences
from vision.camera_source import CameraSource, Seen
from vision.free_reader import FreeReader, known_paints_of
from vision.simulation.free_camera import LaidTable
from vision.simulation.free_frames import FilmedTable, FreeFrames

# The first tile has been taken and laid, and a token moved on the track.
MOMENT = 12


@dataclass(frozen=True)
class Watched:
    """One moment of a drawn game and all that a camera source told of it."""

    drawn: DrawnGame
    laid: Laid
    reader: FreeReader
    seen: tuple[Seen, ...]

    @property
    def located(self) -> Observation:
        """The last observation with the places of what lies in free areas."""
        return self.drawn.game.located(self.laid.state, self.seen[-1].observation)


@pytest.fixture(scope="module")
def watched() -> Watched:
    """Film a moment at rest, after a frame with a hand and before another one."""
    drawn = DrawnGame("nova_luna", 3)
    laid = [one for one, _ in zip(drawn.moments(at_rest=True), range(MOMENT), strict=False)][-1]

    def placing(layout: TableLayout, table: FreeTable) -> Placed:
        return drawn.game.placed(layout, drawn.header["players"], table)

    profile = true_profile(drawn)
    artwork = drawn.copy.arranger.artwork
    boards = {face for face, what in drawn.pieces.faces.items() if what.board}
    reader = FreeReader(
        profile,
        placing,
        in_play={*drawn.pieces.in_play(drawn.header), *boards},
        boards=boards,
        spots=[artwork.group_middle(number) for number in range(3)],
    )
    scenes = [FilmedTable(table=laid.table), FilmedTable(table=laid.table, hand_over="")]
    source = CameraSource(FreeFrames(drawn.copy.camera, scenes, rest_frames=2), reader)
    return Watched(drawn, laid, reader, tuple(source.seen()))


def test_nothing_is_claimed_that_is_not_so(watched: Watched) -> None:
    """What was not made out is left out."""
    still = replace(watched, seen=watched.seen[:2]).located
    picture = {where: one.value for where, one in still.sightings.items()}

    assert differences(watched.drawn.game, picture, watched.laid.picture) == {}


def test_most_of_the_table_is_told(watched: Watched) -> None:
    """The wheel's tiles, the figure, the tokens on the track."""
    still = replace(watched, seen=watched.seen[:2]).located
    there = {where for where, value in watched.laid.picture.items() if value is not None}
    told = there & {where for where, one in still.sightings.items() if one.value is not None}
    wheel = {where for where in there if kind_of(where) == "wheel"}

    assert len(told & wheel) >= 0.7 * len(wheel)
    assert "meeple" in {kind_of(where) for where in told}
    assert "track" in {kind_of(where) for where in told}


def test_a_hand_makes_it_busy_and_claims_nothing(watched: Watched) -> None:
    """While something moves nothing is read."""
    last = watched.seen[-1].observation

    assert last.busy
    assert not last.sightings


def test_faces_are_outlined_where_they_lie(watched: Watched) -> None:
    """Within the picture, one for each face that was read."""
    outlined = watched.seen[1].outlines
    corners = np.array([one.corners_px for one in outlined])

    assert watched.reader.table is not None
    assert len(outlined) == len(watched.reader.table.reading.faces)
    assert (corners > -20).all()
    assert (corners[..., 0] < 1300).all()


def test_on_a_tile_that_nobody_can_name_no_spot_is_told(watched: Watched) -> None:
    """It is not known how it is turned; on a tile that is named the spot is told."""
    drawn, flat = watched.drawn, watched.laid.table.flat
    artwork, board = drawn.copy.arranger.artwork, next(one for one in flat if one.face.board)
    named, unknown = [one for one in flat if len(one.face.groups) > 1][:2]
    discs = []
    for tile in (named, unknown):
        u, v = artwork.group_middle(1)
        x, y = turned((u - 0.5) * tile.width_mm, (0.5 - v) * tile.height_mm, tile.turn_deg)
        at = tile.x_mm + x, tile.y_mm + y
        disc = drawn.copy.arranger.solid(tile.key, drawn.header["players"][0], "disc", at)
        discs.append(replace(disc, lowest_mm=tile.top_mm))
    reader = FreeReader(
        true_profile(drawn),
        lambda _layout, _table: Placed(),
        in_play={*drawn.pieces.in_play(drawn.header), board.face.name} - {unknown.face.name},
        boards={board.face.name},
        spots=[artwork.group_middle(number) for number in range(3)],
    )
    frame = drawn.copy.camera.frame(LaidTable(flat=flat, solid=tuple(discs)))
    reader.read(np.asarray(frame, np.uint8), seq=1, seen_at_s=0.0, source="camera")

    assert reader.table is not None
    told = {
        disc.key: piece.spot
        for disc, piece in itertools.product(discs, reader.table.pieces or ())
        if piece.name == disc.name and math.dist((piece.x_mm, piece.y_mm), (disc.x_mm, disc.y_mm)) < 4
    }
    assert told == {named.key: 1, unknown.key: None}


def test_a_frame_without_the_table_tells_nothing(watched: Watched) -> None:
    """No codes, no table."""
    blank = np.full((720, 1280, 3), 90, np.uint8)
    reader = FreeReader(true_profile(watched.drawn), lambda _layout, _table: Placed())
    told = reader.read(blank, seq=1, seen_at_s=0.0, source="camera")

    assert not reader.is_found
    assert not told.sightings
    assert not told.areas


def test_only_pieces_that_may_be_anywhere_are_looked_for(watched: Watched) -> None:
    """Markers and figures are on printed places."""
    profile = true_profile(watched.drawn)
    marker = replace(profile.pieces[0], kind="marker")

    paints = known_paints_of(replace(profile, pieces=(marker, *profile.pieces[1:])))

    assert [one.name for one in paints] == [one.name for one in profile.pieces[1:]]
