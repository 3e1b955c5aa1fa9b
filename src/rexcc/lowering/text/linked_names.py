"""Variables that device code reaches through pointers of its image.

In: a piece of device code outside of regions, whose own variables are arguments. Out: edits: ``total`` becomes
``(*rex_link_total)``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rexcc.analysis.linked_variables import Linked
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.variables import Variable, variable_of
from rexcc.source.diagnostics import error


def reach_linked(body: DeviceBody, top: Node, linked: Mapping[Variable, Linked]) -> frozenset[Variable]:
    """Make code reach such variables through their pointers; return them.

    Raises CompileError where a macro hides the name.
    """
    found: set[Variable] = set()
    for use in top.walk() if linked else ():
        variable = variable_of(use.referenced) if use.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
        known = linked.get(variable) if variable is not None else None
        if variable is None or known is None:
            continue
        if not re.search(rf"(?<!\w){re.escape(use.spelling)}$", body.original(use)):
            message = f"'{use.spelling}' cannot be used from within a macro in a function of the device yet"
            raise error("unsupported-capture", message, body.span(use))
        found.add(variable)
        body.edits.replace(body.start(use), body.end(use), f"(*{known.name})")
    return frozenset(found)
