"""Calls of virtual functions in device code, whose objects may be the host's.

In: a piece of device code. Out: edits: ``p->area(1)`` becomes ``p->rex_virtual_area(1)``, which finds the function by
the host's table or the device's, whichever the object has (``codegen/virtual_functions``). The object stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.analysis.virtual_calls import VirtualFunction, is_called_directly, virtual_calls, virtual_function
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody


def lower_virtual_calls(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Rename what is called below nodes of a region."""
    found: set[tuple[int, int, str]] = set()
    for top in tops:
        for call in virtual_calls(top):
            function = virtual_function(body.unit, call)
            if isinstance(function, VirtualFunction) and not is_called_directly(call, top):
                found.add((body.file.original(call.start), call.end - call.start, call.text(function)))
    rename(body, found)


def rename(body: DeviceBody, places: Iterable[tuple[int, int, str]]) -> None:
    """Put names into the user's text: each with where it begins and how long the one is that stands there, if any."""
    for start, length, name in sorted(set(places)):
        if length:
            body.edits.replace(start, start + length, name)
        else:
            body.edits.after(start, start, name)
