"""What kernels take, as a table that a person reads: one row for each region and architecture.

In: usages, as the device's assembler has told them (``-Xptxas -v``). Out: lines; kernels have the names by which the
user knows them, which are the function and the line of their regions.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.source.patterns import regex
from rexcc.target.messages import KERNEL_NAME
from rexcc.target.occupancy import Usage

_KERNEL = regex(KERNEL_NAME + r"(?:(?P<instance>\w+?)__)?(?:kernel|body)__")
_HEAD = ("architecture", "registers", "shared", "stack", "spill stores", "spill loads")
_WORDS = 2
_UNITS = ("", "", "a thread", "bytes a block", "bytes a thread", "bytes", "bytes")


def usage_table(source: str, usages: Sequence[Usage]) -> list[str]:
    """Return a heading, and a row for each kernel of a file; nothing where no kernel is known."""
    if not usages:
        return []
    rows = [(source, *_HEAD), _UNITS, *(_row(usage) for usage in usages)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_UNITS))]
    return [_line(row, widths) for row in rows]


def region_of(kernel: str) -> str:
    """Return how the user knows a kernel: the function and the line of its region, and the template's arguments."""
    match = _KERNEL.match(kernel)
    if match is None:
        return kernel
    instance = f" ({match['instance']})" if match["instance"] else ""
    return f"{match['function']}, line {match['line']}{instance}"


def _row(usage: Usage) -> tuple[str, ...]:
    numbers = (usage.registers, usage.shared, usage.stack, usage.spill_stores, usage.spill_loads)
    return (region_of(usage.kernel), usage.architecture, *map(str, numbers))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row: words to the left, numbers to the right."""
    words = [cell.ljust(width) for cell, width in zip(row[:_WORDS], widths, strict=False)]
    numbers = [cell.rjust(width) for cell, width in zip(row[_WORDS:], widths[_WORDS:], strict=True)]
    return "  ".join([*words, *numbers]).rstrip()
