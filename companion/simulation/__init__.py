"""The simulated table: players, an eye, and where pieces are."""
