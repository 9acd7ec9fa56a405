"""The C parser under ASan and UBSan, five million inputs by default.

python -m tests.benchmarks.link_fuzz [INPUTS] [SEED]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.firmware_bridge.avr import run_make


def main() -> int:
    """Build the harness, run it, and print how long it took."""
    inputs = sys.argv[1] if len(sys.argv) > 1 else "5000000"
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    with tempfile.TemporaryDirectory() as folder:
        run_make(Path(folder), "fuzz")
        start = time.monotonic()
        done = subprocess.run([f"{folder}/fuzz", inputs, seed], check=False)
        print(f"{time.monotonic() - start:.1f} s")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
