"""The serial port, a thin layer: found by USB ids, opened exclusively, with errors players can act on."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import serial
from serial.tools import list_ports

from companion.errors import DeviceError, DeviceFault
from companion.i18n import msg

BAUD: Final = 115_200
READ_S: Final = 0.005
WRITE_S: Final = 0.5

# USB vendor and product numbers that a table's board may have; the Hello decides.
USB_IDS: Final = frozenset(
    {
        (0x2341, 0x0010), (0x2341, 0x0042), (0x2341, 0x0242),  # Arduino Mega 2560
        (0x2341, 0x0043), (0x2341, 0x0001), (0x2341, 0x0243),  # Arduino Uno
        (0x2A03, 0x0042), (0x2A03, 0x0043),  # the same by arduino.org
        (0x1A86, 0x7523), (0x1A86, 0x5523),  # CH340
        (0x0403, 0x6001), (0x0403, 0x6015),  # FTDI
        (0x10C4, 0xEA60),  # CP210x
        (0x067B, 0x2303),  # PL2303
    }
)  # fmt: skip

UDEV_RULE: Final = (
    'SUBSYSTEM=="tty", ATTRS{idVendor}=="%04x", ATTRS{idProduct}=="%04x", '
    'MODE="0660", TAG+="uaccess", ENV{ID_MM_DEVICE_IGNORE}="1"'
)


class Port(Protocol):
    """An open line to a board."""

    @property
    def name(self) -> str:
        """The port's name, as the system calls it."""

    def read(self) -> bytes:
        """Return what has arrived, waiting a few milliseconds; raises DeviceError if the line is gone."""

    def write(self, data: bytes) -> None:
        """Write all bytes; raises DeviceError if the line is gone or does not take them."""

    def close(self) -> None:
        """Close the line; safe to call twice."""


Opener = Callable[[str], Port]
Finder = Callable[[], Sequence[str]]


class SerialPort:
    """A pyserial port, opened exclusively."""

    def __init__(self, name: str) -> None:
        self._name = name
        try:
            self._serial = serial.Serial(
                name, BAUD, timeout=READ_S, write_timeout=WRITE_S, exclusive=None if _is_windows() else True
            )
        except (OSError, serial.SerialException) as error:
            raise opening_error(name, error) from error

    @property
    def name(self) -> str:
        """The port's name."""
        return self._name

    def read(self) -> bytes:
        """Return what has arrived, waiting up to 5 ms."""
        try:
            return bytes(self._serial.read(max(1, self._serial.in_waiting)))
        except (OSError, serial.SerialException, TypeError) as error:
            # TypeError: pyserial's way of noticing that another thread has closed the port.
            raise DeviceError(
                msg("The sensor table was unplugged from {name}: plug it in again.", name=self._name),
                DeviceFault.UNPLUGGED,
            ) from error

    def write(self, data: bytes) -> None:
        """Write all bytes."""
        try:
            self._serial.write(data)
        except serial.SerialTimeoutException as error:
            raise DeviceError(
                msg(
                    "The sensor table on {name} accepts no data: unplug it and plug it in again.",
                    name=self._name,
                ),
                DeviceFault.STALLED,
            ) from error
        except (OSError, serial.SerialException) as error:
            raise DeviceError(
                msg("The sensor table was unplugged from {name}: plug it in again.", name=self._name),
                DeviceFault.UNPLUGGED,
            ) from error

    def close(self) -> None:
        """Close the port."""
        self._serial.close()


def _is_windows() -> bool:
    return sys.platform == "win32"


def find_ports() -> list[str]:
    """Return the names of the ports that may be a board's."""
    return sorted(p.device for p in list_ports.comports() if (p.vid, p.pid) in USB_IDS)


def opening_error(name: str, error: Exception) -> DeviceError:
    """Return the error of a port that does not open, in words."""
    number = error.errno if isinstance(error, OSError) else None
    text = str(error).lower()
    if number in (errno.EACCES, errno.EPERM) or "permission denied" in text or "access is denied" in text:
        return DeviceError(_permission_words(name), DeviceFault.NO_PERMISSION)
    if number in (errno.EBUSY, errno.EAGAIN) or "busy" in text or "exclusively lock" in text:
        return DeviceError(
            msg(
                "Another program is using {name}: close it (a serial monitor, ModemManager, a second "
                "Moontable).",
                name=name,
            ),
            DeviceFault.BUSY,
        )
    return DeviceError(
        msg("There is no sensor table on {name}: plug it in.", name=name), DeviceFault.UNPLUGGED
    )


def _permission_words(name: str) -> str:
    vid, pid = next(
        ((p.vid, p.pid) for p in list_ports.comports() if p.device == name and p.vid), (0x2341, 0x0042)
    )
    rule = UDEV_RULE % (vid, pid)
    return msg(
        "You do not have permission to open {name}. Put this line into "
        "/etc/udev/rules.d/70-moontable.rules, then unplug the table and plug it in again: {rule}",
        name=name,
        rule=rule,
    )
