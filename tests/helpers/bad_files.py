"""Trying a reader on spoiled files, and counting how it bears them."""

from __future__ import annotations

import random
import resource
import shutil
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import MOST_SHOWN, CompanionError
from tests.helpers.logfail import collected_warnings
from tests.helpers.readers import NEVER, Reader
from tests.helpers.spoiling import spoil_journal, spoil_named

# A refusal may name the file before it says what is wrong with it.
MOST_TOLD = MOST_SHOWN + 200


@dataclass(slots=True)
class Tally:
    """How a reader bore what it was given.

    Attributes:
        tried, accepted, refused: files.
        tracebacks: the last lines of each error that is none of ours.
        longest: length of the longest message.
        many_lines, silent, altered: refusals of several lines, without a word, or that changed a file.
        slowest_s: the longest that one file took.
        grown_mb: how much more memory the process held at most than after the sound sample.
    """

    tried: int = 0
    accepted: int = 0
    refused: int = 0
    tracebacks: list[str] = field(default_factory=list)
    longest: int = 0
    many_lines: int = 0
    silent: int = 0
    altered: int = 0
    slowest_s: float = 0.0
    grown_mb: float = 0.0

    @property
    def is_clean(self) -> bool:
        """Whether every refusal was one short line that changed nothing."""
        bad = (self.tracebacks, self.many_lines, self.silent, self.altered, self.longest > MOST_TOLD)
        return not any(bad)


def try_reader(reader: Reader, tries: int, seed: int) -> Tally:
    """Read a sound sample, which must be accepted, and then so many spoiled ones."""
    tally = Tally()
    rng = random.Random(f"{reader.name} {seed}")
    with tempfile.TemporaryDirectory(prefix="moontable-bad-") as name:
        sound, trial = Path(name) / "sound", Path(name) / "trial"
        sound.mkdir()
        what = reader.make(sound).relative_to(sound)
        shutil.copytree(sound, trial)
        reader.read(trial / what)
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(max(1, round(tries * reader.share))):
            shutil.rmtree(trial)
            shutil.copytree(sound, trial)
            files = sorted(one for one in trial.glob(reader.spoils) if one.is_file())
            file = rng.choice(files)
            content = file.read_bytes()
            if file.suffix == ".moontable":
                file.write_bytes(spoil_journal(content, rng, trial / "crafted"))
                for left in trial.glob("crafted*"):
                    left.unlink()
            else:
                file.write_bytes(spoil_named(_kind_of(file), content, rng))
            _read(reader, trial, what, tally)
        tally.grown_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) / 1024
    return tally


def _kind_of(file: Path) -> str:
    return "summaries.json" if file.name.startswith(".") else file.name


def _read(reader: Reader, trial: Path, what: Path, tally: Tally) -> None:
    before = _contents(trial, reader)
    tally.tried += 1
    begun = time.perf_counter()
    told: str | None = None
    failed = len(tally.tracebacks)
    with collected_warnings() as warnings:
        try:
            found = reader.read(trial / what)
            if reader.falls_back is not NEVER and found == reader.falls_back and not _says_nothing(trial):
                told = ""
        except (CompanionError, OSError) as error:
            told = str(error)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            at = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
            tally.tracebacks.append(f"{type(error).__name__} at {at}: {str(error)[:120]}")
        said = warnings.take()
    if said and not told:
        told = said[0]
    tally.slowest_s = max(tally.slowest_s, time.perf_counter() - begun)
    tally.longest = max([tally.longest, len(told or ""), *map(len, said)])
    if told is None:
        tally.accepted += failed == len(tally.tracebacks)
        return
    tally.refused += 1
    tally.silent += not told.strip()
    tally.many_lines += len(told.splitlines()) > 1
    tally.altered += before != _contents(trial, reader)


def _says_nothing(folder: Path) -> bool:
    """Whether the one file is a sound one that leaves everything as it is at first."""
    return [one.read_bytes().strip() for one in folder.iterdir()] == [b"{}"]


def _contents(folder: Path, reader: Reader) -> dict[str, bytes]:
    files = (one for one in folder.rglob("*") if one.is_file() and one.name not in reader.writes)
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}
