"""What the GPU did during a run, as CUPTI's records have it.

In: the file that ``gpu_activity.cpp`` writes. Out: :class:`Activity`: one entry for each kernel and each kind of copy,
and their sums. Times are of the GPU's own clock; what overlaps counts twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FIELDS = 11


@dataclass(frozen=True)
class Entry:
    """All launches of a kernel, or all copies of a kind; times in nanoseconds."""

    kind: str
    calls: int
    total: int
    shortest: int
    longest: int
    bytes: int
    blocks: int
    threads: int
    registers: int
    shared: int
    name: str


@dataclass(frozen=True)
class Activity:
    """One run: seconds of kernels (without those to ignore) and of copies, and all entries, longest first.

    ``kernel`` has the time of setting memory in it, as some programs do that with a kernel; ``launches`` has not.
    """

    kernel: float
    transfer: float
    launches: int
    entries: tuple[Entry, ...]

    @property
    def gpu(self) -> float:
        """Seconds of kernels and copies together."""
        return self.kernel + self.transfer


def read_activity(text: str, ignored: Sequence[str]) -> Activity:
    """Return what the file says."""
    entries = [entry for entry in map(_entry, text.splitlines()) if entry]
    counted = [entry for entry in entries if not _is_ignored(entry, ignored)]
    kernels = [entry for entry in counted if entry.kind in ("kernel", "set")]
    transfers = [entry for entry in counted if entry.kind == "copy"]
    return Activity(
        kernel=sum(entry.total for entry in kernels) * 1e-9,
        transfer=sum(entry.total for entry in transfers) * 1e-9,
        launches=sum(entry.calls for entry in kernels if entry.kind == "kernel"),
        entries=tuple(sorted(entries, key=lambda entry: -entry.total)),
    )


def _entry(line: str) -> Entry | None:
    kind, *rest = line.split("\t", _FIELDS - 1)
    if len(rest) != _FIELDS - 1 or not all(word.lstrip("-").isdigit() for word in rest[:-1]):
        return None
    calls, total, shortest, longest, size, blocks, threads, registers, shared = map(int, rest[:-1])
    return Entry(kind, calls, total, shortest, longest, size, blocks, threads, registers, shared, rest[-1])


def _is_ignored(entry: Entry, patterns: Sequence[str]) -> bool:
    return entry.kind == "kernel" and any(re.search(pattern, entry.name) for pattern in patterns)
