"""Five in a row: two players lay stones on a 9x9 grid. The fifth game, made after docs/adding_a_game.md."""

from tests.helpers.five_in_a_row.game import FiveInARow

GAME = FiveInARow()
