"""The values of a sensor table's spots at rest, learnt from the empty table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from calibration.sensor_steps import SCANS
from calibration.sensors import SensorProfile, learn_rest
from companion.errors import ProfileError
from companion.i18n import msg
from firmware_bridge.session import SensorTable

LOOK_EVERY_S: Final = 0.25
"""While something is learnt all spots are asked for this often."""


def learn_rests(table: SensorTable, known: SensorProfile) -> SensorProfile:
    """Return the profile with the rests of all spots learnt anew from the empty table.

    Raises ProfileError where a spot wavers or far too much has changed, DeviceError where there is no table.
    """
    table.raw_every_s = LOOK_EVERY_S
    scans: list[Sequence[int]] = []
    for _ in table.observations():
        look = table.look()
        if look is not None and -1 not in look.readings:
            scans.append(tuple(look.readings))
        if len(scans) >= SCANS:
            break
    if not scans:
        raise ProfileError(msg("The table could not be read."))
    rests = learn_rest(scans)
    scales = [scale for _, scale in known.spots] or [64] * len(rests)
    return replace(known, spots=tuple(zip(rests, scales, strict=True)))
