"""Learns what the demo's camera must know before anybody plays it: ``python -m ui.assembly.bring_demo``.

Run when the program is set up or packed. What is learnt comes with it, so that the demo soon moves where it
has never run before. Nothing is done if it is there already.
"""

from __future__ import annotations

import sys

from ui.assembly.demo import Demo, prepare_demo
from ui.assembly.demo_profile import BROUGHT


def main() -> int:
    """Learn and keep."""
    prepare_demo(Demo(), lambda *_: None, BROUGHT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
