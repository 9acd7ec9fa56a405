"""The list of a journal's seals."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.session.seals import Seal, add_seal, are_of_same_game, read_seals, seals_file, write_seals

seals = st.lists(
    st.builds(Seal, st.text("0123456789abcdef", min_size=64, max_size=64), st.integers(0, 9999)), max_size=8
)


@given(first=seals, more=seals)
def test_what_was_written_is_read(first: list[Seal], more: list[Seal]) -> None:
    """Written at once or one after the other, the list comes back."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game"
        write_seals(path, first)
        for number, seal in enumerate(more, len(first)):
            add_seal(path, number, seal)

        assert [*first, *more] == list(read_seals(path))


@given(noise=st.binary(max_size=400), some=seals)
def test_any_bytes_are_a_list_of_something(noise: bytes, some: list[Seal]) -> None:
    """Whatever lies there is read without an error, and its size is its length."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game"
        seals_file(path).write_bytes(noise)
        found = read_seals(path)
        are_of_same_game(found, some)

        assert len(found) == -(-len(noise) // 78)


def test_no_list_is_an_empty_one(tmp_path: Path) -> None:
    """A folder of that name, or nothing, holds no seals."""
    assert read_seals(tmp_path / "game") == ()
    seals_file(tmp_path / "game").mkdir()
    assert read_seals(tmp_path / "game") == ()


def test_games_set_up_alike_are_told_apart_by_their_entries() -> None:
    """The header's seal alone decides only while there is hardly anything else."""
    mine, other = ([Seal("h" * 64), *(Seal(letter * 64) for letter in text)] for text in ("abc", "xyz"))

    assert are_of_same_game(mine, mine[:1])
    assert are_of_same_game(mine, mine)
    assert not are_of_same_game(mine, other)
    assert are_of_same_game([*mine[:2], Seal("?" * 64), mine[3]], mine)
    assert not are_of_same_game((), mine)
