"""Calls through pointers to functions in device code: the pointers' values are host addresses (OpenMP 5.2, 7.8.3).

In: a piece of device code of a unit with ``indirect`` functions. Out: edits: what is called becomes
``rex_indirect(what)``, which finds the device's function (``rex_device_indirect.h``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.analysis.indirect import indirect_functions, pointer_calls
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.diagnostics import error
from rexcc.source.text import Span

LOOK_UP = "rex_indirect"
_ARGUMENTS = re.compile(r"(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/|\\\r?\n)*\(")


def lower_pointer_calls(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Look up what is called through pointers below nodes; behind casts of the calls, before changes of names."""
    if indirect_functions(body.unit):
        look_up(body, ((body.start(callee), body.end(callee)) for top in tops for callee in pointer_calls(top)))


def look_up(body: DeviceBody, places: Iterable[tuple[int, int]]) -> None:
    """Look up what the expressions at some places of the user's text give.

    Raises CompileError where such a call is a macro's.
    """
    for start, end in sorted(set(places), key=lambda place: (place[0], -place[1])):
        if _ARGUMENTS.match(body.text, end) is None:
            message = "a function cannot be called through a pointer from within a macro in device code yet"
            raise error("unsupported-capture", message, Span(body.file.scan.source, start, end))
        body.edits.wrap(start, end, f"{LOOK_UP}(", ")")
