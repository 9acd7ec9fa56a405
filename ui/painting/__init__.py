"""Painting in vectors: the table twin and what lies on it, the camera's picture."""
