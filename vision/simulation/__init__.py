"""The simulated camera, its rooms and its art."""
