"""How the games whose tables have no cells are drawn: one painter a game, found by its module's name."""
