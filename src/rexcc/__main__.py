"""``python -m rexcc`` is the command ``rexcc``."""

from __future__ import annotations

import sys

from rexcc.driver.main import main

if __name__ == "__main__":
    sys.exit(main())
