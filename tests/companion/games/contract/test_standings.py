"""Every game's standings: nobody has a place before the end, and those on the first place are the winners."""

from __future__ import annotations

import pytest

from companion.games import registry
from tests.helpers.random_play import played

# Its players win or lose together.
TOGETHER = "urbion"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", registry.NAMES)
def test_places_agree_with_the_result(name: str, seed: int) -> None:
    """At the start there are none; at the end the first are those whom the result names, in its order."""
    game = played(name, seed, most=3000)
    presenter = registry.display(name).presenter
    result = game.game.result(game.states[-1])
    assert result is not None
    ranks = {player.player: player.rank for player in presenter.present(game.states[-1]).players}
    winners = result["winners"] if name != TOGETHER else []

    assert {None} == {player.rank for player in presenter.present(game.states[0]).players}
    assert sorted(winners) == sorted(player for player, rank in ranks.items() if rank == 1)
    assert bool(winners) == all(ranks.values())
    if winners and "ranking" in result:
        assert result["ranking"] == sorted(ranks, key=lambda player: ranks[player] or 0)
