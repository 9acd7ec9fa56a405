"""Setting up as a newcomer does it: camera, table, game, tiles, a look at the laid-out city."""
