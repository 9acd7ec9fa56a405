"""Commands for cameras: `moontable cameras`, `check` and `capture`."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from calibration.layout import read_layout
from companion.commands import Commands
from companion.errors import DeviceError, DeviceFault
from companion.games import registry
from companion.table_layout import TableLayout
from ui.assembly.layouts import layout_of
from vision.capture.recorder import Recorder
from vision.capture.sources import Frame, FrameSource, LiveSource, list_cameras, open_source
from vision.enrolment.quality import Quality, check_quality

EXIT_BAD = 1
_SOURCE_HELP = (
    "folder of images, image, video file, URL of a phone or IP camera, camera:N or camera:NAME; a camera's "
    "settings behind a question mark: camera:0?size=1280x720&fps=30&exposure=-6&focus=30&white=4500"
)


def add_commands(commands: Commands) -> None:
    """Add the commands to the program's parser."""
    cameras = commands.add_parser("cameras", help="list the cameras that are plugged in")
    cameras.add_argument("--json", action="store_true", help="print one JSON document")
    cameras.set_defaults(func=_cameras)
    check = commands.add_parser(
        "check", help="check whether a camera sees the table well: focus, light, size"
    )
    check.add_argument("source", metavar="SOURCE", help=_SOURCE_HELP)
    check.add_argument("--layout", type=Path, metavar="FILE", help="a table layout of your own (JSON)")
    check.add_argument("--json", action="store_true", help="print one JSON document")
    check.set_defaults(func=_check)
    capture = commands.add_parser("capture", help="record frames with their times, for playing back later")
    capture.add_argument("source", metavar="SOURCE", help=_SOURCE_HELP)
    capture.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="a new folder for the recording"
    )
    capture.add_argument("--frames", type=int, metavar="N", help="stop after this many frames")
    capture.add_argument("--seconds", type=float, metavar="S", help="stop after this many seconds")
    capture.set_defaults(func=_capture)


def _cameras(arguments: argparse.Namespace) -> int:
    found = list_cameras()
    if arguments.json:
        print(json.dumps({"cameras": [{"index": one.index, "name": one.name} for one in found]}))
        return 0
    for one in found:
        print(f"camera:{one.index}  {one.name}")
    if not found:
        print(
            "No camera is plugged in. You can use a phone: enter the http address that its camera app shows."
        )
    return 0


def _check(arguments: argparse.Namespace) -> int:
    layout = _layout_of(arguments)
    source = open_source(arguments.source)
    try:
        quality = check_quality(_first(source).image, layout)
        told = dict(source.properties) if isinstance(source, LiveSource) else {}
    finally:
        source.close()
    if arguments.json:
        print(json.dumps({**_as_json(quality), "camera": told}))
    else:
        for one in quality.findings:
            print(("bad:  " if one.is_bad else "hint: ") + one.text)
        if quality.tile_px is not None:
            print(f"Tiles are {quality.tile_px:.0f} pixels wide.")
        if told:
            print("The camera is set to " + ", ".join(f"{name} {value:g}" for name, value in told.items()))
        print("The table can be read." if quality.is_good else "The table cannot be read well as it is.")
    return 0 if quality.is_good else EXIT_BAD


def _as_json(quality: Quality) -> dict[str, object]:
    return {
        "good": quality.is_good,
        "tile_px": quality.tile_px,
        "edge_px": quality.edge_px,
        "findings": [
            {"check": one.check.value, "bad": one.is_bad, "text": one.text} for one in quality.findings
        ],
    }


def _capture(arguments: argparse.Namespace) -> int:
    source = open_source(arguments.source)
    recorder = Recorder(arguments.out)
    begun, count = time.monotonic(), 0
    try:
        for frame in source.frames():
            recorder.write(frame)
            count += 1
            if arguments.frames is not None and count >= arguments.frames:
                break
            if arguments.seconds is not None and time.monotonic() - begun >= arguments.seconds:
                break
    finally:
        source.close()
        recorder.close()
        print(f"{count} frames in {arguments.out}")
    return 0


def _first(source: FrameSource) -> Frame:
    for frame in source.frames():
        return frame
    raise DeviceError(f"{source.name} delivers no frames", DeviceFault.UNREADABLE)


def _layout_of(arguments: argparse.Namespace) -> TableLayout:
    if arguments.layout is None:
        return layout_of(registry.DEFAULT)
    return read_layout(arguments.layout)
