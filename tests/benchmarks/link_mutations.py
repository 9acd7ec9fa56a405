"""Seeded bugs in firmware and bridge, each of which the test bench must catch.

python -m tests.benchmarks.link_mutations [NAME ...]
"""

from __future__ import annotations

import sys

from tests.firmware_bridge.mutations import main

if __name__ == "__main__":
    sys.exit(main())
