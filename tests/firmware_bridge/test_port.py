"""Ports: what their errors mean in words, and pyserial on a pseudo terminal."""

from __future__ import annotations

import errno
import os
import sys
import tty
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import serial
from serial.tools import list_ports

from companion.errors import DeviceError, DeviceFault
from firmware_bridge.port import SerialPort, find_ports, opening_error

WINDOWS = "could not open port 'COM3': PermissionError(13, 'Access is denied.')"
LOCKED = serial.SerialException(errno.EAGAIN, "Could not exclusively lock port")
ERRORS = {
    "access": (OSError(errno.EACCES, "no"), DeviceFault.NO_PERMISSION, "70-moontable.rules"),
    "access by text": (serial.SerialException("Permission denied"), DeviceFault.NO_PERMISSION, "idVendor"),
    "windows": (serial.SerialException(WINDOWS), DeviceFault.NO_PERMISSION, "70-"),
    "busy": (OSError(errno.EBUSY, "busy"), DeviceFault.BUSY, "Another program"),
    "locked": (LOCKED, DeviceFault.BUSY, "ModemManager"),
    "gone": (OSError(errno.ENOENT, "No such file"), DeviceFault.UNPLUGGED, "plug it in"),
}


@pytest.mark.parametrize(("error", "fault", "words"), ERRORS.values(), ids=list(ERRORS))
def test_each_error_is_something_to_act_on(error: Exception, fault: DeviceFault, words: str) -> None:
    """The fault decides what the window shows, the words what the player does."""
    told = opening_error("/dev/ttyACM0", error)

    assert told.fault is fault
    assert "/dev/ttyACM0" in str(told)
    assert words in str(told)


def test_the_udev_rule_names_the_device_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its own USB numbers, and ModemManager kept off."""
    ports = [SimpleNamespace(device="/dev/ttyUSB3", vid=0x1A86, pid=0x7523)]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    told = str(opening_error("/dev/ttyUSB3", OSError(errno.EACCES, "")))

    assert 'ATTRS{idVendor}=="1a86", ATTRS{idProduct}=="7523"' in told
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in told


def test_only_known_usb_numbers_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A printer's port is left alone."""
    ports = [
        SimpleNamespace(device="/dev/ttyUSB0", vid=0x1A86, pid=0x7523),
        SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None),
        SimpleNamespace(device="/dev/ttyACM9", vid=0x2C99, pid=0x0002),
        SimpleNamespace(device="/dev/ttyACM0", vid=0x2341, pid=0x0042),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)

    assert find_ports() == ["/dev/ttyACM0", "/dev/ttyUSB0"]


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """A pseudo terminal: the far end's descriptor and the port's name."""
    if sys.platform == "win32":
        pytest.skip("no pseudo terminals here")
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    os.close(master)


def test_bytes_pass_both_ways(terminal: tuple[int, str]) -> None:
    """Through pyserial."""
    master, name = terminal
    port = SerialPort(name)
    os.write(master, b"hello")
    got = b""
    while len(got) < 5:
        got += port.read()
    port.write(b"\x00\x01\xff\n\r")
    sent = os.read(master, 100)
    port.close()
    port.close()

    assert (got, sent) == (b"hello", b"\x00\x01\xff\n\r")
    assert port.name == name


def test_a_second_program_is_refused(terminal: tuple[int, str]) -> None:
    """The port is ours alone."""
    port = SerialPort(terminal[1])
    with pytest.raises(DeviceError) as caught:
        SerialPort(terminal[1])
    port.close()

    assert caught.value.fault is DeviceFault.BUSY


def test_a_pulled_cable_is_noticed() -> None:
    """Reading from a terminal whose other end is gone."""
    if sys.platform == "win32":
        pytest.skip("no pseudo terminals here")
    master, slave = os.openpty()
    port = SerialPort(os.ttyname(slave))
    os.close(slave)
    os.close(master)
    with pytest.raises(DeviceError) as caught:
        port.read()
    port.close()

    assert caught.value.fault is DeviceFault.UNPLUGGED


def test_a_port_that_is_not_there() -> None:
    """Says so."""
    with pytest.raises(DeviceError, match="plug it in") as caught:
        SerialPort("/dev/does-not-exist")

    assert caught.value.fault is DeviceFault.UNPLUGGED
