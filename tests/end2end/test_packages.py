"""What is built is whole and starts: the wheel in `make test`, both packages in `make package`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PyQt6.QtGui import QImage

from tests.helpers.icons import drawn, file_of
from tests.helpers.imports import ROOT
from tests.helpers.installed import play_until_accepted
from tests.helpers.patience import WAIT_S
from ui.icon import SIZES_PX, program_icon

ROOMS = ("companion", "vision", "firmware_bridge", "calibration", "ui")
# Where `make package` has put what it built.
BUILT = os.environ.get("MOONTABLE_DIST")
IS_LINUX = sys.platform.startswith("linux")

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="packages are built on Linux")
needs_packages = pytest.mark.skipif(BUILT is None, reason="`make package` builds and tries it")


def built(pattern: str) -> Path:
    """Return the one package of this kind."""
    (file,) = (ROOT / str(BUILT)).glob(pattern)
    return file


def bare_variables(**more: str) -> dict[str, str]:
    """Return the environment of somebody who knows nothing of this checkout."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QT_", "XDG_"))
    }
    return {**kept, **more}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources, which building would litter."""
    copy, target = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("dist")
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    build = ["wheel", "-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", *build, "-w", str(target), str(copy)], check=True, timeout=240
    )
    (file,) = target.glob("*.whl")
    return file


@contextmanager
def screen() -> Iterator[str]:
    """Run an X server without a monitor; yield its name."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24"], pass_fds=(writing,)
    )
    os.close(writing)
    try:
        with open(reading, encoding="ascii") as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait(WAIT_S)


def installed(wheel: Path, folder: Path, *more: str) -> Path:
    """Install a wheel into an environment of its own; return the environment's folder for commands."""
    venv.create(folder, with_pip=False)
    scripts = folder / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "-q", "--no-input"]
    subprocess.run([*pip, "--disable-pip-version-check", *more, str(wheel)], check=True, timeout=540)
    return scripts


def test_the_wheel_holds_every_file_of_the_rooms(wheel: Path) -> None:
    """Catalogues, weights, firmware, icons, pages: what lies in a room is in the wheel."""
    packed = set(zipfile.ZipFile(wheel).namelist())
    known = {
        ".py",
        ".json",
        ".mo",
        ".po",
        ".onnx",
        ".c",
        ".h",
        ".png",
        ".svg",
        ".html",
        ".css",
        ".js",
        ".desktop",
    }
    there = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix in known and "__pycache__" not in path.parts
    }

    assert {"companion/locale/uk/LC_MESSAGES/moontable.mo", "ui/icons/moontable-48.png"} <= packed
    assert {"firmware_bridge/firmware/Makefile"} <= packed
    assert set() == there - packed


@pytest.mark.slow
def test_the_wheel_starts_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """The demo's window opens from the wheel alone; only the dependencies are borrowed."""
    scripts = installed(wheel, tmp_path / "environment", "--no-deps")
    (site,) = (tmp_path / "environment").glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("platlib"), "utf-8")
    (folder := tmp_path / "home").mkdir()
    status, errors = play_until_accepted(
        [str(scripts / "moontable"), "demo", "--sensors"], folder, bare_variables(QT_QPA_PLATFORM="offscreen")
    )

    assert 0 == status, errors
    assert "Traceback" not in errors


@needs_packages
def test_the_wheel_starts_in_a_bare_environment(tmp_path: Path) -> None:
    """``pip install`` of the wheel fetches what is needed, and the window opens."""
    scripts = installed(
        built("*.whl"), tmp_path / "environment", "--constraint", str(ROOT / "requirements.lock")
    )
    (folder := tmp_path / "home").mkdir()
    status, errors = play_until_accepted(
        [str(scripts / "moontable"), "demo", "--sensors"], folder, bare_variables(QT_QPA_PLATFORM="offscreen")
    )

    assert 0 == status, errors
    assert "Traceback" not in errors


@needs_packages
def test_the_debian_package_starts_on_a_screen(tmp_path: Path) -> None:
    """Unpacked, with nothing of the checkout, the window opens on an X server."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    subprocess.run(["dpkg-deb", "-x", str(built("*.deb")), str(tmp_path / "root")], check=True, timeout=240)
    program = tmp_path / "root" / "usr" / "bin" / "moontable"
    interpreter = Path(program.read_text("utf-8").splitlines()[0].removeprefix("#!").split()[0])
    start = [str(program)] if interpreter.exists() else [sys.executable, "-sP", str(program)]
    (folder := tmp_path / "home").mkdir()
    with screen() as display:
        status, errors = play_until_accepted(
            [*start, "demo"], folder, bare_variables(DISPLAY=display, QT_QPA_PLATFORM="xcb")
        )

    assert 0 == status, errors
    assert "Traceback" not in errors


@needs_packages
def test_the_debian_package_is_on_the_desktop(tmp_path: Path) -> None:
    """Its entry starts a command that is there and shows an icon that is there."""
    subprocess.run(["dpkg-deb", "-x", str(built("*.deb")), str(tmp_path)], check=True, timeout=240)
    share = tmp_path / "usr" / "share"
    entry = (share / "applications" / "moontable.desktop").read_text("utf-8")

    assert "Exec=moontable setup" in entry
    assert os.access(tmp_path / "usr" / "bin" / "moontable", os.X_OK)
    assert len(SIZES_PX) == len(list((share / "icons" / "hicolor").glob("*x*/apps/moontable.png")))


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("size", SIZES_PX)
def test_icons_are_those_of_the_drawing(size: int) -> None:
    """Each picture is what ``python -m tests.helpers.icons`` draws."""
    kept = QImage(str(file_of(size))).convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)

    assert drawn(size) == kept
    assert size in {each.width() for each in program_icon().availableSizes()}
