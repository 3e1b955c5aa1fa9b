"""Calls of functions without device code, as nvcc tells of them; and types whose layout differs on a device.

In: what nvcc printed, and the functions that kernels reach. Out: errors in the user's words. Where a method that host
and device share makes such a call nvcc only warns, and leaves the call out: what device code never executes may do
that, but a kernel that reaches it would compute something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rexcc.source.records import dataclass

Reached = tuple[tuple[str, int, int], ...]
"""Functions that kernels reach: file, first and last line."""

_CALL = re.compile(
    r"^(?P<file>\S.*?)(?:\((?P<line>\d+)\)|:(?P<number>\d+)): (?:warning|error)(?: #\d+-D)?: "
    r'calling a (?:constexpr )?__host__ function(?:\("(?P<callee>.*?)"\))? '
    r'from a (?P<caller>(?:__\w+__ )+)function(?:\("(?P<name>.*?)"\))? is not allowed',
    re.MULTILINE,
)


@dataclass(frozen=True)
class HostCall:
    """A call: its place, the function of the host, and the function that calls it, empty for a region itself."""

    file: str
    line: int
    callee: str
    caller: str

    def text(self) -> str:
        """Return the error for the user."""
        what = f"'{self.callee}'" if self.callee else "a function"
        who = f"'{self.caller}', which device code reaches" if self.caller else "a target region"
        return f"{self.file}:{self.line}: error: {what} has no device code, but is called by {who}"


def host_calls(printed: str, reached: Reached) -> list[HostCall]:
    """Return the calls of host functions that device code would execute, each place once."""
    found: dict[tuple[str, int], HostCall] = {}
    for call in _calls(printed, reached):
        known = found.get((call.file, call.line))
        if known is None or not known.callee:
            found[call.file, call.line] = call
    return list(found.values())


def _calls(printed: str, reached: Reached) -> Iterator[HostCall]:
    for match in _CALL.finditer(printed):
        file, line = match["file"], int(match["line"] or match["number"])
        if "__host__" in match["caller"] and not _is_inside(file, line, reached):
            continue
        caller = "" if "__global__" in match["caller"] else _readable(match["name"] or "")
        yield HostCall(file, line, _readable(match["callee"] or ""), caller)


def _is_inside(file: str, line: int, reached: Iterable[tuple[str, int, int]]) -> bool:
    return any(file == path and first <= line <= last for path, first, last in reached)


def _readable(name: str) -> str:
    """Return a function's name as the user would write it."""
    joined = name.replace("> >", ">>").replace("> ::", ">::").replace("operator [", "operator[")
    return re.sub(r"(?<![\w>])::", "", joined).removesuffix(" const")


_LAYOUT = re.compile(
    r"^(?P<file>\S.*?)(?:\((?P<line>\d+)\)|:(?P<number>\d+)(?::\d+)?): error: .*"
    r"rexcc: the host lays out '(?P<type>[^'\n]+)' differently",
    re.MULTILINE,
)


def layout_errors(printed: str) -> list[str]:
    """Return, as errors for the user, the types that a device's compiler lays out in another way than the host's."""
    found = {}
    for match in _LAYOUT.finditer(printed):
        place = f"{match['file']}:{match['line'] or match['number']}"
        what = f"'{match['type']}' is not the same on the device: its size is another, or a member's place"
        found[match["type"]] = f"{place}: error: {what}; take empty and unusual members out of it"
    return list(found.values())
