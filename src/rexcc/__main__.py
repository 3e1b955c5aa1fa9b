"""The command ``rexcc`` as a process of its own, also ``python -m rexcc``.

In: the arguments of the shell. Out: an exit status. Nothing looks for cyclic garbage while modules load, for all that
they make stays (docs/decisions/037-short-commands.md). Other programs call :func:`rexcc.driver.main.main`, which leaves
their collector as it is.
"""

from __future__ import annotations

import gc
import importlib
import sys


def main() -> int:
    """Run the command; in general the process ends in it."""
    gc.disable()
    return int(importlib.import_module("rexcc.driver.main").main())


if __name__ == "__main__":
    sys.exit(main())
