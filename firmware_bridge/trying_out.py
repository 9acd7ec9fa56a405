"""Checking a sensor table without a game: its health, and its lights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.errors import ProfileError
from companion.sensor_health import HealthReport
from companion.table import Place, kind_of
from firmware_bridge.health_report import Label, report_on
from firmware_bridge.lights import map_lights
from firmware_bridge.session import SensorTable

# The board's counters and all spots are asked for every other second or less often: so long a look takes.
LOOKS: Final = 12
SHOW_LOOKS: Final = 3
TEST_LIGHT: Final = (255, 255, 255)


def look_over(table: SensorTable, label: Label) -> HealthReport:
    """Return the health after a look at everything, and release the table.

    Raises DeviceError where there is no table.
    """
    table.raw_every_s = 0.5
    try:
        for number, _ in enumerate(table.observations()):
            if number >= LOOKS and table.health.board is not None:
                break
        return report_on(table, label)
    finally:
        table.close()


def light_all(table: SensorTable, tell: Callable[[Place], None], *, is_fast: bool) -> None:
    """Beep and light what can be lit, one place after the other, cells first; then release the table.

    A light stays for a few looks at the table unless it `is_fast`. Raises ProfileError for a table without
    lights, DeviceError where there is no table.
    """
    try:
        seen = table.observations()
        next(seen)
        places = sorted(map_lights(table.entries), key=lambda where: (kind_of(where) != "cell", where))
        if not places:
            raise ProfileError("this table has no lights")
        table.beep(880, 200)
        for where in places:
            tell(where)
            table.show({where: TEST_LIGHT})
            for _ in range(0 if is_fast else SHOW_LOOKS):
                next(seen)
        table.show({})
        next(seen)
    finally:
        table.close()
