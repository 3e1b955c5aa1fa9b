"""Uses of constant static members in device code that need the member's storage.

In: a piece of device code. Out: edits: ``A::table[i]`` becomes ``A::rex_constant_table()[i]``, a function of the class
that ``codegen/member_objects`` writes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from rexcc.analysis.member_constants import member_function, object_uses
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.text import Span


def lower_member_constants(body: DeviceBody, tops: Iterable[Node], elsewhere: Collection[Variable] = ()) -> None:
    """Call the functions of members below nodes; ``elsewhere`` are those that code reaches in another way."""
    for node, target in (use for top in tops for use in object_uses(body.unit, top)):
        if Variable(target) not in elsewhere:
            name_function(body, body.start(node), body.end(node), node.spelling)


def name_function(body: DeviceBody, start: int, end: int, name: str) -> None:
    """Put the call of a member's function in the place of its name, which ends an expression.

    Raises CompileError where a macro hides the name.
    """
    if not re.search(rf"(?<!\w){re.escape(name)}$", body.text[start:end]):
        message = f"'{name}' cannot be used from within a macro in device code yet"
        raise error("unsupported-capture", message, Span(body.file.scan.source, start, end))
    body.edits.replace(end - len(name), end, f"{member_function(name)}()")
