"""One look of the simulated camera at a table, read by the real reader."""

from __future__ import annotations

import functools

from calibration.profile import Profile
from companion.games.blue_moon_city import COMPONENTS
from companion.games.blue_moon_city.catalogue import printed
from companion.games.blue_moon_city.layout import table_layout
from companion.observation import Expectation
from companion.table import Picture
from ui.assembly.pictured_camera import PicturedCamera
from vision.camera_source import CameraSource
from vision.enrolment.enrol import enrol
from vision.reader import Reader
from vision.simulation.camera import SimulatedCamera
from vision.simulation.frames import FilmedMoment, SimulatedFrames
from vision.simulation.printed_tiles import PIECE_COLOURS, tile_arts


def one_look(picture: Picture, players: list[str], *, seed: int = 1) -> PicturedCamera:
    """Return a source that shows this table for one frame; the tiles are learnt from photographs first."""
    camera, profile = learnt(tuple(players), seed)
    frames = SimulatedFrames(camera, [FilmedMoment(picture=picture)], pace_s=0.0)
    source = CameraSource(frames, Reader(profile), expected=lambda: Expectation(picture=picture, revision=0))
    return PicturedCamera(source, COMPONENTS.reading_text)


@functools.cache
def learnt(players: tuple[str, ...], seed: int) -> tuple[SimulatedCamera, Profile]:
    """Return a camera and what was learnt with it; learning takes a while."""
    colours = {name: PIECE_COLOURS[name] for name in players}
    camera = SimulatedCamera(table_layout(), tile_arts(COMPONENTS.tiles), colours, seed=seed)
    profile = enrol(
        camera.enrolment().photographs(),
        camera.layout,
        edition="kosmos-2006",
        players=players,
        boxes_of_tile={tile: len(building.values) for tile, building in printed().buildings.items()},
    )
    return camera, profile
