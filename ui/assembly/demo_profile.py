"""What the demo's camera films and has learnt of it, kept on disk, so that it is made only once."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import platformdirs

import calibration
import vision
from calibration.profile import Profile
from calibration.store import load_profile, save_profile
from companion import log
from companion.components import Components
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table_layout import TableLayout
from ui.assembly.drawings import Drawings
from vision.enrolment.cards import learn_cards
from vision.enrolment.enrol import enrol
from vision.simulation.camera import SimulatedCamera

Report: TypeAlias = Callable[[str, int, int], None]
"""Takes what is being done, and which step of how many it is."""

# What `enrol` reports, the photographs before it and the cards after it.
STEPS: Final = 5
# Profiles; each takes about a megabyte.
MOST_KEPT: Final = 6
# What is drawn takes about twenty megabytes for each camera.
_MOST_DRAWN: Final = 2
# What is learnt when the program is set up or packed, and comes with it.
BROUGHT: Final = Path(__file__).with_name("learnt")
# Whose code decides what is drawn and what is learnt of it.
_ROOMS: Final = (vision, calibration)


def learnt_profile(
    camera: SimulatedCamera,
    seed: int,
    box: Components,
    players: tuple[str, ...],
    report: Report,
    to: Path | None = None,
) -> Profile:
    """Return what is learnt from the camera's photographs, or what was learnt from the same ones before.

    `seed` is the camera's; `to` as for `kept_profile`.
    """
    key = _key(camera.layout, seed, box, players)
    return kept_profile(key, lambda: _learn(camera, box, players, report), to)


def kept_profile(key: str, learn: Callable[[], Profile], to: Path | None = None) -> Profile:
    """Return the profile that came with the program or is kept under a name, or else learn it and keep it.

    `to` is a folder for it alone; without one it is kept among those that were learnt last.
    """
    for folder in (BROUGHT, cache_folder()) if to is None else (to,):
        try:
            return load_profile(folder / key)
        except ProfileError as error:
            log.ui.info("demo profile kept=no folder=%s reason=%s", folder, error)
    profile = learn()
    folder = cache_folder() if to is None else to
    try:
        save_profile(profile, folder / key)
        _forget_old(folder, MOST_KEPT if to is None else 1)
    except (ProfileError, OSError) as error:
        log.ui.info("demo profile kept=no reason=%s", error)
    return profile


def drawings_of(layout: TableLayout, seed: int, box: Components, players: tuple[str, ...]) -> Drawings:
    """Return where the table and the tiles that a camera films are kept, so that they are drawn only once."""
    folder = cache_folder().with_name("drawn") / _key(layout, seed, box, players)
    try:
        if folder.parent.is_dir() and not folder.is_dir():
            _forget_old(folder.parent, _MOST_DRAWN - 1)
    except OSError as error:
        log.ui.info("old drawings stay reason=%s", error)
    return Drawings(folder)


def cache_folder() -> Path:
    """Return the folder for what can be made again at any time."""
    return Path(platformdirs.user_cache_dir("moontable", appauthor=False)) / "demo"


def _learn(camera: SimulatedCamera, box: Components, players: tuple[str, ...], report: Report) -> Profile:
    told = 1

    def learning(what: str) -> None:
        nonlocal told
        told += 1
        report(msg("Learning {what}…", what=what), told, STEPS)

    report(msg("Taking photographs of the table…"), told, STEPS)
    profile = enrol(
        camera.enrolment().photographs(),
        camera.layout,
        edition="demo",
        players=players,
        boxes_of_tile=box.boxes_of_tile,
        report=learning,
    )
    learning(msg("the cards"))
    return learn_cards(profile, camera.frame({}), camera.card_photographs(box.cards), box.cards)


def _forget_old(folder: Path, most: int) -> None:
    """Remove what was kept longest ago, another version's or another seed's, but for `most` of them."""
    kept = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in kept[most:]:
        shutil.rmtree(old)


def _key(layout: TableLayout, seed: int, box: Components, players: tuple[str, ...]) -> str:
    """Return a name for what all this depends on: what is drawn, and the code that draws and learns."""
    found = hashlib.sha256()
    for part in (layout, seed, dict(box.tiles), box.cards, players):
        found.update(repr(part).encode())
    found.update(code_of_rooms())
    return found.hexdigest()[:32]


def code_of_rooms() -> bytes:
    """Return what stands for all the code that draws and learns."""
    found = hashlib.sha256()
    for room in _ROOMS:
        for folder in room.__path__:
            for file in sorted(Path(folder).rglob("*.py")):
                found.update(file.read_bytes())
    return found.digest()
