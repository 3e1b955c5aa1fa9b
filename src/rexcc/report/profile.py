"""Times and bytes of a run: the file by which a profile comes into a report.

In: a JSON document. Out: :class:`Profile`. The document is ::

    {"version": 1, "device": "NVIDIA H100", "constructs": [
      {"file": "nn.c", "line": 13, "calls": 10, "seconds": 0.0021, "kernel_seconds": 0.0017,
       "bytes_to": 684240, "bytes_from": 342120}]}

with one object for each target construct that was executed. ``file`` and ``line`` are the place of its directive, as
compilers have it in messages; ``seconds`` is the time of all calls and ``kernel_seconds`` that of their kernels on the
device, where it is known; ``bytes_to`` and ``bytes_from`` are what was copied for them to the device and back. Whoever
measures may add further fields, which are not read. ``REX_PROFILE=FILE.json`` has a program write the document
(``runtime/src/rex_profile_rows.h``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rexcc.source.records import dataclass

VERSION = 1
_NUMBERS = ("calls", "seconds", "bytes_to", "bytes_from", "kernel_seconds")


class ProfileError(ValueError):
    """The document is no profile; the text says why."""


@dataclass(frozen=True)
class Timed:
    """What was measured of a construct, in all calls together."""

    file: str
    line: int
    calls: int
    seconds: float
    bytes_to: int = 0
    bytes_from: int = 0
    kernel_seconds: float = 0.0


@dataclass(frozen=True)
class Profile:
    """The constructs that a run has executed, and the device on which it did."""

    device: str = ""
    constructs: tuple[Timed, ...] = ()

    @property
    def seconds(self) -> float:
        """The time of all constructs."""
        return sum(timed.seconds for timed in self.constructs)

    def of(self, path: str, line: int) -> Timed | None:
        """Return what was measured of the constructs at a place: of one, or of several in one line."""
        found = [timed for timed in self.constructs if (timed.file, timed.line) == (path, line)]
        if not found:
            return None
        sums = {name: sum(getattr(timed, name) for timed in found) for name in _NUMBERS}
        return Timed(path, line, **sums)


NO_PROFILE = Profile()


def profile_of(document: Any) -> Profile:
    """Return the profile in a document. Raises ProfileError."""
    if not isinstance(document, Mapping) or document.get("version") != VERSION:
        raise ProfileError(f"a profile is an object with the version {VERSION}")
    rows = document.get("constructs")
    if not isinstance(rows, list):
        raise ProfileError("a profile has a list 'constructs'")
    return Profile(str(document.get("device", "")), tuple(map(_timed, rows)))


def _timed(row: Any) -> Timed:
    if not isinstance(row, Mapping) or not isinstance(row.get("file"), str) or not isinstance(row.get("line"), int):
        raise ProfileError("each of 'constructs' is an object with a 'file' and a 'line'")
    numbers = [row.get(name, 0) for name in _NUMBERS]
    for name, number in zip(_NUMBERS, numbers, strict=True):
        if not isinstance(number, (int, float)) or isinstance(number, bool) or number < 0:
            raise ProfileError(f"{row['file']}:{row['line']}: '{name}' is no number of at least 0")
    calls, seconds, to, back, kernels = numbers
    return Timed(row["file"], row["line"], int(calls), float(seconds), int(to), int(back), float(kernels))
