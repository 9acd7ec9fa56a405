"""Everything that can watch a table, opened by its address: a camera, a sensor table, or both.

camera:0                        a camera (or a folder, a video, a network address)
sensors  sensors:/dev/ttyACM0   a sensor table, searched for or at this port
camera:0+sensors                both
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from calibration.profile import Profile
from calibration.sensors import SensorProfile
from companion.errors import ProfileError
from companion.i18n import msg
from companion.observation import Expectation
from companion.ports import ObservationSource
from companion.session.merged import MergedSource
from companion.session.referee import Referee
from firmware_bridge.session import SensorTable
from ui.assembly.pictured_camera import Label, PicturedCamera
from ui.assembly.sensor_face import PicturedTable, TableFace
from ui.assembly.sensor_table import WORD, is_sensors, open_table, port_of
from ui.controller.session import PicturedSource
from vision.camera_source import CameraSource, FrameReader
from vision.capture.sources import open_source
from vision.reader import Reader

BOTH: Final = f"+{WORD}"


@dataclass(frozen=True, slots=True)
class Sources:
    """What watches a table.

    Attributes:
        camera, table: at least one of them.
        lamps: the lights of the table.
        label: returns the text for what is seen at a place.
    """

    camera: CameraSource | None
    table: SensorTable | None
    lamps: TableFace | None
    label: Label

    @property
    def source(self) -> ObservationSource:
        """All of them as one source."""
        sources = [each for each in (self.camera, self.table) if each is not None]
        return sources[0] if len(sources) == 1 else MergedSource(sources)

    def pictured(self) -> list[PicturedSource]:
        """Return each of them in the form that the window watches."""
        found: list[PicturedSource] = []
        if self.camera is not None:
            found.append(PicturedCamera(self.camera, self.label))
        if self.table is not None and self.lamps is not None:
            found.append(PicturedTable(self.table, self.lamps))
        return found

    def follow(self, referee: Referee[Any, Any]) -> None:
        """Let the lights follow a game."""
        if self.lamps is not None:
            self.lamps.follow(referee)


def split_address(address: str) -> tuple[str | None, str | None]:
    """Return the camera's address and the sensor table's port ("" = search for one); None = not wanted."""
    if is_sensors(address):
        return None, port_of(address) or ""
    camera, plus, rest = address.rpartition(BOTH)
    if plus and (not rest or rest.startswith(":")):
        return camera, rest[1:]
    return address, None


def open_sources(
    address: str,
    profile: Profile,
    *,
    label: Label,
    expected: Callable[[], Expectation | None] = lambda: None,
    stills: bool = False,
    log: Path | None = None,
    reader: Callable[[], FrameReader] | None = None,
) -> Sources:
    """Open the sources that an address names, with a profile.

    `label` returns the text for what is seen at a place; `log` keeps every byte of the sensor table's line;
    `reader` makes what reads the frames of a camera, if they are not of a table with printed places.

    Raises DeviceError, and ProfileError if the profile does not know the sensor table.
    """
    where, port = split_address(address)
    if where is None and profile.sensors is not None and not _feels_figures(profile.sensors):
        raise ProfileError(
            msg("this sensor table cannot sense figures: use a camera as well (camera:0+sensors)")
        )
    if port is not None and not profile.layout.cells:
        raise ProfileError(
            msg("{game} has no sensor table: its pieces lie anywhere", game=profile.layout.name)
        )
    table = None if port is None else open_table(profile.sensors, port or None, log=log)
    camera = None
    if where is not None:
        camera = CameraSource(
            open_source(where),
            Reader(profile) if reader is None else reader(),
            expected=expected,
            stills=stills,
            is_relighting=(lambda: False) if table is None else lambda: table.is_relighting,
        )
    lamps = None if table is None or profile.sensors is None else TableFace(table, profile.sensors, label)
    return Sources(camera=camera, table=table, lamps=lamps, label=label)


def _feels_figures(learnt: SensorProfile) -> bool:
    """Whether the sensors suffice without a camera: every player's figure has a tag of its own."""
    known = {tag.name for tag in learnt.tags.values() if tag.piece == "figure"}
    return known >= set(learnt.players.values())
