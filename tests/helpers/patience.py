"""How long a test waits for what must come."""

from __future__ import annotations

from typing import Final

# No measure of speed: what comes ends the wait at once, and a busy machine must not fail a test.
WAIT_MS: Final = 240_000
WAIT_S: Final = WAIT_MS / 1000
