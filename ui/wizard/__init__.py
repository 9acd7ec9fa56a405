"""The set-up for newcomers: camera, table, game, tiles, a check of the laid-out city."""
