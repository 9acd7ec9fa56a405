"""`python -m companion`: the command line without devices or windows."""

import sys

from companion.cli import main

sys.exit(main())
