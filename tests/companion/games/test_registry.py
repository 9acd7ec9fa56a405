"""The registry: every game by its name, and no other."""

import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import MalformedError
from companion.games import registry

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_game_is_found_by_its_own_name(name: str) -> None:
    """The game that a name leads to has that name."""
    assert registry.lookup(name).name == name


@pytest.mark.parametrize("name", ["", "chess", "companion", "..nova_luna", "Nova_Luna"])
def test_other_names_are_refused(name: str) -> None:
    """An unknown name is refused in words that list the known ones."""
    with pytest.raises(MalformedError, match="blue_moon_city, nova_luna"):
        registry.lookup(name)


def test_games_are_imported_only_when_asked_for() -> None:
    """Reading records of one game does not load the others."""
    code = (
        "import sys; from companion.games import registry; registry.lookup('nova_luna')\n"
        "print([name for name in registry.NAMES if f'companion.games.{name}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "['nova_luna']"
