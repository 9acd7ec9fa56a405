"""Vector painting: the table twin and everything on it, and the camera's picture."""
