"""``moontable find``: look for flat printed things in photographs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from companion.commands import EXIT_REFUSED, Commands
from companion.errors import MalformedError
from companion.printing import print_json
from vision.capture.sources import open_picture_file
from vision.faces.face_folder import read_face_folder
from vision.faces.photo_search import FoundInPhoto, PhotoSearch


def add_commands(commands: Commands) -> None:
    """Add ``find``."""
    find = commands.add_parser("find", help="find tiles, cards and other flat prints in photographs")
    find.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    find.add_argument(
        "--faces",
        required=True,
        type=Path,
        metavar="DIR",
        help="one picture of each, named by its file; sizes.json there may give width_mm and height_mm",
    )
    find.add_argument("--json", action="store_true")
    find.set_defaults(func=run_find)


def run_find(arguments: argparse.Namespace) -> int:
    """Run ``find``: name what cannot be opened, and use everything else."""
    folder = read_face_folder(arguments.faces)
    for why in folder.refused:
        print(f"moontable: {why}", file=sys.stderr)
    status = EXIT_REFUSED if folder.refused else 0
    _tell(f"learning {len(folder.pictures)} faces ...")
    search = PhotoSearch(folder.pictures, folder.sizes_mm)
    images: list[dict[str, Any]] = []
    for number, file in enumerate(arguments.images):
        _tell(f"{number + 1}/{len(arguments.images)} {file}")
        try:
            photograph = open_picture_file(file)
        except (MalformedError, OSError) as error:
            print(f"moontable: {error}", file=sys.stderr)
            status = EXIT_REFUSED
            continue
        images.append({"file": str(file), "found": [_found(one) for one in search.find(photograph)]})
    if arguments.json:
        print_json({"images": images})
    else:
        for image in images:
            print(f"{image['file']}: {_named(image['found'])}")
    return status


def _tell(what: str) -> None:
    if sys.stderr.isatty():
        print(what, file=sys.stderr)


def _found(one: FoundInPhoto) -> dict[str, Any]:
    return {
        "face": one.face,
        "confidence": round(one.confidence, 4),
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in one.corners_px.tolist()],
    }


def _named(found: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['face']} ({one['confidence']:.0%})" for one in found) or "nothing found"
