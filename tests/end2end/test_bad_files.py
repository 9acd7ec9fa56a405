"""Bad files, end to end: every reader on a few spoiled ones, and what is made to fill the memory."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.layout import layout_text
from companion.games.blue_moon_city.layout import table_layout
from tests.helpers.bad_files import MOST_TOLD, Tally, try_reader
from tests.helpers.imports import ROOT
from tests.helpers.logfail import WarningCollector
from tests.helpers.readers import READERS, Reader

TRIES = 12
MOST_MB = 300
MOST_S = 1.0


def by_name(reader: Reader) -> str:
    """Name a reader in a test's id."""
    return reader.name


@pytest.mark.parametrize("reader", READERS, ids=by_name)
def test_every_reader_bears_spoiled_files(reader: Reader, logged_warnings: WarningCollector) -> None:
    """No traceback; what is refused is refused in one line, aloud, and stays as it was."""
    tally = try_reader(reader, TRIES, seed=20)
    logged_warnings.take()  # counted already

    assert tally.is_clean, tally
    assert tally.tried == tally.accepted + tally.refused + len(tally.tracebacks)


def test_a_bad_reader_would_be_noticed() -> None:
    """The bench itself: one that lets errors through, is silent, wordy or writes is not clean."""
    sound = next(one for one in READERS if one.name == "layout")

    def careless(file: Path) -> object:
        return json.loads(file.read_text())["layout"]

    def writing(file: Path) -> object:
        text = file.read_text(errors="replace")
        if text == layout_text(table_layout()):
            return text
        file.write_text(text + " ")
        raise OSError("odd\n" * 400 if len(text) % 3 else "")

    letting, bad = tried(sound, careless), tried(sound, writing)

    assert "JSONDecodeError" in " ".join(letting.tracebacks)
    assert letting.tried == letting.accepted + len(letting.tracebacks)
    assert bad.altered == bad.refused > 0
    assert bad.silent > 0
    assert bad.many_lines > 0
    assert bad.longest > MOST_TOLD
    assert not letting.is_clean
    assert not bad.is_clean


def tried(sound: Reader, read: Callable[[Path], object]) -> Tally:
    """Return how another way to read a reader's files fares."""
    return try_reader(Reader(name="other", make=sound.make, read=read), 60, seed=1)


# -- what swells ------------------------------------------------------------------------------------


def measured(code: str, *words: str) -> tuple[str, float, float]:
    """Run code that binds ``run``; return what running that says, the seconds of work and the MB it takes."""
    script = textwrap.dedent(code) + textwrap.dedent(
        """
        import json, resource, time
        from companion.errors import CompanionError
        held, begun, told = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time(), ""
        try:
            run()
        except CompanionError as error:
            told = str(error)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held
        print(json.dumps([told, time.process_time() - begun, grown / 1024]))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    told, took_s, grown_mb = json.loads(done.stdout)
    return str(told), float(took_s), float(grown_mb)


def test_a_profile_that_swells_is_refused(tmp_path: Path) -> None:
    """Small pictures of faces that say to be 80 cm long."""
    profile = next(one for one in READERS if one.name == "profile zip").make(tmp_path)
    with zipfile.ZipFile(profile) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    index = json.loads(members["profile.json"])
    index["faces"] = [
        {**index["faces"][0], "name": f"tile{number}/sketch", "size_mm": [800, 800]} for number in range(43)
    ]
    members["profile.json"] = json.dumps(index).encode()
    with zipfile.ZipFile(profile, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    code = """
        import sys
        from pathlib import Path
        from calibration.store import load_profile
        from vision.reader import Reader
        run = lambda: Reader(load_profile(Path(sys.argv[1])))
    """
    told, took_s, grown_mb = measured(code, str(profile))

    assert "square metres" in told
    assert took_s < MOST_S
    assert grown_mb < MOST_MB


def test_a_picture_of_a_face_that_swells_is_refused(tmp_path: Path) -> None:
    """A few bytes of PNG that say to be larger than the face."""
    profile = next(one for one in READERS if one.name == "profile folder").make(tmp_path)
    done, packed = cv2.imencode(".png", np.zeros((7000, 7000, 4), np.uint8))
    assert done
    index = json.loads((profile / "profile.json").read_text())
    name = index["faces"][0]["picture"]
    (profile / name).write_bytes(packed.tobytes())
    index["pictures"][name] = hashlib.sha256(packed.tobytes()).hexdigest()
    (profile / "profile.json").write_text(json.dumps(index))
    code = """
        import sys
        from pathlib import Path
        from calibration.store import load_profile
        from vision.reader import Reader
        run = lambda: Reader(load_profile(Path(sys.argv[1])))
    """
    told, took_s, grown_mb = measured(code, str(profile))

    assert f"{name} is damaged" in told
    assert took_s < MOST_S
    assert grown_mb < MOST_MB / 3


@pytest.mark.parametrize("member", ["actions.jsonl", "observations.jsonl", "header.json", "pictures/0.jpg"])
def test_a_report_that_swells_is_refused(tmp_path: Path, member: str) -> None:
    """60 MB of small lines packed into some kilobytes."""
    report = next(one for one in READERS if one.name == "report blue_moon_city").make(tmp_path)
    with zipfile.ZipFile(report) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members[member] = b'{"a":0}\n' * 7_500_000
    with zipfile.ZipFile(report, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    code = """
        import sys
        from pathlib import Path
        from companion.session.bug_report import read_report
        run = lambda: read_report(Path(sys.argv[1]))
    """
    told, took_s, grown_mb = measured(code, str(report))

    assert f"'{member}' is too large" in told
    assert took_s < MOST_S
    assert grown_mb < MOST_MB / 3


def blank(suffix: str, width: int, height: int) -> bytes:
    """Return a picture of one colour."""
    done, packed = cv2.imencode(suffix, np.zeros((height, width, 3), np.uint8))
    assert done
    return packed.tobytes()


@pytest.mark.parametrize("suffix", [".tif", ".webp", ".png", ".bmp", ".ppm", ".jpg"])
def test_a_picture_that_swells_is_refused(tmp_path: Path, suffix: str) -> None:
    """More than 60 megapixels are refused in every format, before they are unpacked."""
    file = tmp_path / f"a{suffix}"
    file.write_bytes(blank(suffix, 10_000, 6_100))
    code = """
        import sys
        from pathlib import Path
        from vision.capture.sources import open_picture_file
        run = lambda: open_picture_file(Path(sys.argv[1]))
    """
    told, took_s, grown_mb = measured(code, str(file))

    assert "10000 x 6100 pixels are too many" in told
    assert took_s < MOST_S
    assert grown_mb < file.stat().st_size / 2**20 + MOST_MB / 3


def test_opencv_knows_the_limit_before_it_is_loaded() -> None:
    """Whatever is imported first: OpenCV itself refuses what is larger, however it was opened."""
    first = ("calibration.charuco", "vision.simulation.drawing", "ui.commands.sight")
    code = textwrap.dedent(
        """
        import os, sys, importlib, importlib.abc
        class Watch(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path=None, target=None):
                if name == "cv2":
                    print(os.environ.get("OPENCV_IO_MAX_IMAGE_PIXELS"))
                    sys.meta_path.remove(self)
        sys.meta_path.insert(0, Watch())
        importlib.import_module(sys.argv[1])
        """
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV")}
    told = [
        subprocess.run(
            [sys.executable, "-c", code, module],
            capture_output=True, text=True, check=True, cwd=ROOT, env=environment,
        ).stdout
        for module in first
    ]  # fmt: skip

    assert ["60000000\n"] * len(first) == told


# -- terminals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "cp1251"])
def test_a_terminal_that_knows_few_letters_is_no_reason_to_stop(tmp_path: Path, encoding: str) -> None:
    """Names outside its alphabet are shown with escapes; JSON stays JSON."""
    record = next(one for one in READERS if one.name == "record nova_luna").make(tmp_path)
    lines = record.read_text("utf-8").replace('"red"', '"Zoë"').replace('"blue"', '"Оля"')
    strange = tmp_path / "ä\udcff.jsonl"
    os.fsencode(strange)
    strange.write_bytes(lines.encode())
    for words in (["verify", strange], ["replay", strange], ["replay", strange, "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words],
            capture_output=True, check=False, cwd=ROOT, env={**os.environ, "PYTHONIOENCODING": encoding},
        )  # fmt: skip

        assert b"Traceback" not in done.stderr
        assert done.stdout or done.stderr
        if "--json" in words:
            assert json.loads(done.stdout.decode(encoding))


def test_a_long_refusal_is_one_short_line(tmp_path: Path) -> None:
    """Of a line of a megabyte little is quoted."""
    file = tmp_path / "a.jsonl"
    file.write_text('{"record": "moontable/1", "game": "' + "x\\n" * 300_000 + '"}\n')
    done = subprocess.run(
        [sys.executable, "-m", "companion", "verify", str(file)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert done.returncode == 1
    assert 1 == len(done.stderr.splitlines())
    assert len(done.stderr) < 400 + len(str(file))
