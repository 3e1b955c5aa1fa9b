"""Whether two programs computed the same: their outputs, normalised as the manifest says.

In: texts and a :class:`Comparison`. Out: None when they agree, else one line that says where and how they differ.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from rexcc.bench.plan import Comparison

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?:nan|inf)\b)")
_BINARY = (".bin", ".raw")
_SHOWN = 60


def is_binary(name: str) -> bool:
    """Whether a file is compared byte by byte."""
    return name.endswith(_BINARY)


def normalised(text: str, rules: Comparison) -> list[str]:
    """Return the lines that count, without what is to be removed and without blanks at their ends."""
    lines = (line for line in text.splitlines() if not _matches(rules.drop, line))
    return [_without(rules.remove, line).rstrip() for line in lines]


def _matches(patterns: Iterable[str], line: str) -> bool:
    return any(re.search(pattern, line) for pattern in patterns)


def _without(patterns: Iterable[str], line: str) -> str:
    for pattern in patterns:
        line = re.sub(pattern, "", line)
    return line


def own_fault(stdout: str, stderr: str, status: int | None, rules: Comparison) -> str | None:
    """Return what is wrong with an output by itself."""
    if status is None:
        return "was stopped by the time limit"
    if status != rules.status:
        return f"{_ended(status)}{_last_words(stderr or stdout)}"
    for pattern in rules.expect:
        if not any(re.search(pattern, line) for line in stdout.splitlines()):
            return f"prints no line that matches '{pattern}'"
    for pattern in rules.reject:
        for line in (stdout + "\n" + stderr).splitlines():
            if re.search(pattern, line):
                return f"prints '{_short(line)}', which '{pattern}' rejects"
    return None


def _ended(status: int) -> str:
    return f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"


def _last_words(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return f": {_short(lines[-1], 160)}" if lines else ""


def _short(line: str, most: int = _SHOWN) -> str:
    line = line.strip()
    return line if len(line) <= most else line[: most - 1] + "…"


def difference(mine: str, other: str, rules: Comparison) -> str | None:
    """Return the first difference of two texts, None when they agree."""
    first, second = normalised(mine, rules), normalised(other, rules)
    for number, (a, b) in enumerate(zip(first, second, strict=False), 1):
        if not lines_agree(a, b, rules):
            return f"line {number} is '{_short(a)}', not '{_short(b)}'"
    if len(first) != len(second):
        return f"{len(first)} lines, not {len(second)}"
    return None


def lines_agree(mine: str, other: str, rules: Comparison) -> bool:
    """Whether two lines are equal but for numbers within the tolerance."""
    if mine == other:
        return True
    if not rules.relative and not rules.absolute:
        return False
    if _NUMBER.sub("#", mine).split() != _NUMBER.sub("#", other).split():
        return False
    return numbers_agree(_NUMBER.findall(mine), _NUMBER.findall(other), rules)


def numbers_agree(mine: Sequence[str], other: Sequence[str], rules: Comparison) -> bool:
    """Whether numbers in turn are equal within the tolerance; one that is not finite equals itself only."""
    pairs = zip(mine, other, strict=True)
    return all(a == b or _near(float(a), float(b), rules) for a, b in pairs)


def _near(a: float, b: float, rules: Comparison) -> bool:
    if math.isnan(a) and math.isnan(b):
        return True
    if not math.isfinite(a) or not math.isfinite(b):
        return a == b
    return abs(a - b) <= max(rules.absolute, rules.relative * max(abs(a), abs(b)))


def files_differ(mine: dict[str, bytes], other: dict[str, bytes], rules: Comparison) -> str | None:
    """Return the first difference of output files by name."""
    for name in sorted(set(mine) | set(other)):
        if name not in mine or name not in other:
            return f"file {name} is {'missing' if name not in mine else 'only here'}"
        problem = _file_difference(name, mine[name], other[name], rules)
        if problem:
            return f"{name}: {problem}"
    return None


def _file_difference(name: str, mine: bytes, other: bytes, rules: Comparison) -> str | None:
    if mine == other:
        return None
    if is_binary(name):
        return "other bytes"
    return difference(mine.decode(errors="replace"), other.decode(errors="replace"), rules)
