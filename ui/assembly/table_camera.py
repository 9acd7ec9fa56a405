"""What every wizard does with a camera: it lists cameras, shows what one sees, and prints the codes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol, TypeVar

import cv2
import numpy as np

from calibration.profile import Profile
from calibration.store import load_profile
from companion.errors import BugError, ProfileError
from companion.games import registry
from companion.i18n import msg
from companion.table import Place
from companion.table_layout import CODE_MM, LEAST_CODE_MM, MOST_CODE_MM, TableLayout
from companion.view_model import CameraView, Outline
from ui.assembly.layouts import game_of
from ui.wizard.guide import CameraChoice, Look, Note
from vision.arrays import Image
from vision.capture.sources import list_cameras, open_source
from vision.capture.sources.frame import FrameSource
from vision.enrolment.quality import check_quality
from vision.geometry.fiducials import find_fiducials

CODE_SIZES_MM: Final = (LEAST_CODE_MM, CODE_MM, MOST_CODE_MM)
_MOST_PROFILES: Final = 1000


def plugged_in() -> tuple[CameraChoice, ...]:
    """Return the cameras that are plugged in."""
    return tuple(CameraChoice(address=f"camera:{one.index}", name=one.name) for one in list_cameras())


def profiles_in(folder: Path) -> Iterator[tuple[Path, Profile]]:
    """Yield the profiles in a folder and where each is, newest first; anything else in it is skipped."""
    folders = [each for each in folder.glob("*") if (each / "profile.json").is_file()]
    for each in sorted(folders, key=lambda one: -(one / "profile.json").stat().st_mtime):
        try:
            yield each, load_profile(each)
        except ProfileError:
            continue


def copies_in(folder: Path, game: str) -> Iterator[tuple[Path, tuple[str, ...] | None]]:
    """Yield the learnt copies of a game whose pieces lie anywhere, and whose pieces they know, newest first.

    That is None where nobody has pieces or cards of their own.
    """
    has_colours = bool(registry.display(game).form.colours)
    for each, profile in profiles_in(folder):
        if profile.faces and game_of(profile) == game:
            cards = registry.pieces(game).seats_among({face.name for face in profile.faces})
            yield each, tuple(piece.name for piece in profile.pieces) if has_colours else cards


def free_folder(folder: Path, name: str) -> Path:
    """Return where in a folder a profile of this name, or of a similar one, can be kept."""
    names = [name, *(f"{name}-{number}" for number in range(2, _MOST_PROFILES))]
    free = next((folder / each for each in names if not (folder / each).exists()), None)
    if free is None:
        raise BugError(f"there are too many profiles called {name}")
    return free


def pictured(image: Image, outlines: tuple[Outline, ...] = ()) -> CameraView:
    """Return a picture in the window's format, with what is outlined on it."""
    return CameraView(width=image.shape[1], height=image.shape[0], bgr=image.tobytes(), outlines=outlines)


class Closable(Protocol):
    """What holds a camera."""

    def close(self) -> None:
        """Release; safe to call twice and from another thread."""


_C = TypeVar("_C", bound=Closable)


class TableCamera:
    """The part of a guide that is about cameras (`ui.wizard.guide.CameraChooser`).

    `layout` is the usual one of the game; `opener` opens the frame source of an address; a caller who gives
    another opener also gives the cameras it knows.
    """

    def __init__(
        self,
        layout: TableLayout,
        *,
        opener: Callable[[str], FrameSource] = open_source,
        known: tuple[CameraChoice, ...] = (),
    ) -> None:
        self._layout = layout
        self._open = opener
        self._known = known
        self._lock = threading.Lock()
        self._running: Closable | None = None
        self.code_sizes_mm = CODE_SIZES_MM

    def cameras(self) -> tuple[CameraChoice, ...]:
        """Return the cameras that are plugged in."""
        return (*self._known, *plugged_in())

    def use_codes(self, edge_mm: float) -> None:
        """Set the printed size of the fiducials."""
        self._layout = self._layout.with_codes_of(edge_mm)

    def write_sheets(self, folder: str) -> tuple[str, ...]:
        """Write the sheets to print."""
        # Qt's drawing is loaded only for printing: it needs the libraries of a display.
        from calibration.sheets import write_sheets

        return tuple(str(file) for file in write_sheets(Path(folder), self._layout))

    def looks(self, camera: str) -> Iterator[Look]:
        """Yield live pictures with notes on their quality."""
        source = self._take(self._open(camera))
        for frame in source.frames():
            yield self._judged(frame.image)

    def close(self) -> None:
        """Close the running source, if any."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.close()

    def _take(self, source: _C) -> _C:
        """Keep a source so that `close` finds it; the previous one is released."""
        self.close()
        with self._lock:
            self._running = source
        return source

    def _judged(self, image: Image) -> Look:
        quality = check_quality(image, self._layout)
        gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        found = find_fiducials(gray, frozenset(one.id for one in self._layout.fiducials))
        outlines = tuple(
            Outline(
                place=Place(f"fiducial:{number}"),
                corners=tuple((float(x), float(y)) for x, y in np.asarray(corners).reshape(-1, 2)),
                label=msg("code {number}", number=number),
                confidence=1.0,
            )
            for number, corners in found.items()
        )
        return Look(
            camera=pictured(image, outlines),
            is_table_found=quality.tile_px is not None,
            notes=tuple(Note(text=one.text, is_bad=one.is_bad) for one in quality.findings),
            token=image,
        )
