"""Frames in, observations out; and a simulated camera that ships with the product."""
