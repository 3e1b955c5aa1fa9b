"""How many processes may run at a time. In: nothing. Out: a number."""

from __future__ import annotations

import os


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
