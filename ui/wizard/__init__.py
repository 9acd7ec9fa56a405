"""The set-up for newcomers: camera, table, game, tiles, and a check of the laid-out city."""
