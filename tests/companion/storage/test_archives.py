"""Zips that hold what they should, and those that do not."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MOST_SHOWN, MalformedError
from companion.storage.archives import ArchiveMember, read_zip

MEMBERS = (
    ArchiveMember(pattern=r"index\.json", most_bytes=100, is_needed=True),
    ArchiveMember(pattern=r"[a-z]+\.png", most_bytes=1000),
)


def zipped(*members: tuple[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of these members."""
    written = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with zipfile.ZipFile(written, "w", kind) as archive:
            for name, content in members:
                archive.writestr(name, content)
    return written.getvalue()


SOUND = zipped(("index.json", b"{}"), ("a.png", b"picture" * 50))


def refusal(folder: Path, packed: bytes) -> str:
    """Return the words in which a zip is refused."""
    file = folder / "a.zip"
    file.write_bytes(packed)
    with pytest.raises(MalformedError) as caught:
        read_zip(file, MEMBERS, 1500)
    return str(caught.value)


def test_a_sound_zip_is_unpacked(tmp_path: Path) -> None:
    """All members by name."""
    (tmp_path / "a.zip").write_bytes(SOUND)

    assert {"index.json": b"{}", "a.png": b"picture" * 50} == read_zip(tmp_path / "a.zip", MEMBERS, 1500)


@pytest.mark.parametrize(
    ("packed", "words"),
    [
        (b"", "it is not a zip"),
        (b"hello", "it is not a zip"),
        (SOUND[:-5], "it is not a zip"),
        (SOUND[:-5] + b"PK\x05\x06", "it is not a zip"),
        (zipped(("a.png", b"x")), "it has no index.json"),
        (zipped(("index.json", b"{}"), ("index.json", b"{}")), "occurs twice"),
        (zipped(("index.json", b"{}"), ("../a.png", b"")), "'../a.png' does not belong in it"),
        (zipped(("index.json", b"{}"), ("a.png\n", b"")), "does not belong in it"),
        (zipped(("index.json", bytes(101))), "'index.json' is too large, 101 bytes"),
        (zipped(("index.json", b"{}"), ("a.png", bytes(10**8))), "'a.png' is too large"),
        (
            zipped(("index.json", b"{}"), ("a.png", bytes(999)), ("b.png", bytes(999))),
            "too large, more than 1500",
        ),
        (zipped(("index.json", b"{}"), kind=zipfile.ZIP_LZMA), "packed in an unusual way"),
        (zipped(("index.json", b"{}"), kind=zipfile.ZIP_BZIP2), "packed in an unusual way"),
        (zipped(("index.json", b"{}"), *((f"{'a' * 9}{n}.png", b"") for n in range(2001))), "2002 members"),
        (zipped(("index.json", b"{}"), *(("a" * 60_000 + str(n), b"") for n in range(20))), "lists too many"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_other_zips_are_refused(tmp_path: Path, packed: bytes, words: str) -> None:
    """The words name the file and what is wrong, shortly."""
    told = refusal(tmp_path, packed)

    assert words in told
    assert "a.zip" in told
    assert len(told) <= MOST_SHOWN


@pytest.mark.parametrize("told", [0, 2, 349, 351, 900])
def test_a_member_is_as_large_as_its_zip_says(tmp_path: Path, told: int) -> None:
    """What unpacks to more or less than the directory tells is refused; no more than that is unpacked."""
    packed = bytearray(SOUND)
    entry = packed.rindex(b"PK\x01\x02")
    struct.pack_into("<I", packed, entry + 24, told)

    assert "a.zip" in refusal(tmp_path, bytes(packed))


def test_a_zip_for_more_than_4_gb_is_refused(tmp_path: Path) -> None:
    """Its directory would be somewhere else."""
    end = SOUND.rindex(b"PK\x05\x06")
    packed = SOUND[:end] + b"PK\x06\x07" + bytes(16) + SOUND[end:]

    assert "more than 4 GB" in refusal(tmp_path, packed)


@given(at=st.integers(0, len(SOUND) - 1), mask=st.integers(1, 255), cut=st.booleans())
def test_damage_is_a_refusal_or_nothing(
    tmp_path_factory: pytest.TempPathFactory, at: int, mask: int, cut: bool
) -> None:
    """A byte changed or all after it missing: the members come out right, or the zip is refused."""
    file = tmp_path_factory.mktemp("zip") / "a.zip"
    file.write_bytes(SOUND[:at] if cut else SOUND[:at] + bytes([SOUND[at] ^ mask]) + SOUND[at + 1 :])
    told, found = "", {}
    try:
        found = read_zip(file, MEMBERS, 1500)
    except MalformedError as error:
        told = str(error)

    assert "a.zip" in told or found["index.json"] == b"{}"
