"""The simulated table: players, an eye, where pieces lie."""
