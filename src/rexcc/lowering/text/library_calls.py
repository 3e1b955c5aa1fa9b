"""Functions of the C++ library that CUDA's does not have, and the device headers do.

In: a range of device code. Out: edits. ``std::hypot(x, y, z)`` becomes ``rex_hypot(x, y, z)``, which takes numbers of
any types and returns the type that the library's overloads do; so instantiations of a template keep one text.
"""

from __future__ import annotations

from rexcc.clang.standard_library import is_of_std
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

_WRITTEN = regex(r"(?P<name>(?P<scope>(?:::\s*)?std\s*::\s*)?hypot)\s*\(")
_MENTIONED = regex(r"\bhypot\b")


def lower_library_calls(body: DeviceBody, start: int, end: int) -> None:
    """Let calls in a range of the user's text reach what the device headers define."""
    if not body.unit.is_cplusplus:
        return
    for place, name in body.unit.kept(_calls).get(body.file.scan.source.path, ()):
        if start <= place and name <= end and body.edits.is_free(place, name):
            body.edits.replace(place, name, "rex_hypot")


def _calls(unit: ParsedUnit) -> dict[str, set[tuple[int, int]]]:
    """Return, for each file, where the names of the functions stand in calls."""
    found: dict[str, set[tuple[int, int]]] = {}
    for path, file in unit.files.items():
        text = file.scan.source.text
        if _MENTIONED.search(text) is None:
            continue
        for top in (node for node in unit.declarations if node.file == path):
            for call in (n for n in top.walk() if n.kind == "CALL_EXPR" and len(n.children) == 4):
                start = file.original(call.start)
                written = _WRITTEN.match(text, start)
                if written is not None and _is_of_library(call, bool(written["scope"])):
                    found.setdefault(file.scan.source.path, set()).add((start, written.end("name")))
    return found


def _is_of_library(call: Node, is_qualified: bool) -> bool:
    """Whether a call is of a library's function: in a template, where that is open, by its name in full."""
    callee = call.referenced
    if callee is None:
        return is_qualified
    return is_of_std(callee)
