"""Reads tiles and cards that lie free: anywhere, turned, touching, partly covered."""
