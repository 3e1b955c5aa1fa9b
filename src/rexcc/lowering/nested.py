"""Constructs inside device code: ``simd`` becomes a comment, ``atomic`` a call.

In: the constructs nested in a region or standing in a function that a region calls. Out: edits. Everything else in
device code is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang import types
from rexcc.frontend.unit import Construct
from rexcc.lowering.atomics import lower_atomic
from rexcc.lowering.body import DeviceBody, statement_end
from rexcc.openmp.model import ListClause
from rexcc.source.diagnostics import error


def commented(original: str) -> str:
    """Return a directive as a comment, its lines kept."""
    return "/* " + original.replace("/*", "/ *").replace("*/", "* /").rstrip() + " */"


def lower_nested(body: DeviceBody, constructs: Iterable[Construct]) -> None:
    """Rewrite the constructs, inner ones first so that outer rewrites see their text."""
    for construct in reversed(list(constructs)):
        site = construct.probe.site
        body.edits.replace(site.start, site.end, commented(site.original))
        if construct.directive.leaves == ("atomic",):
            lower_atomic(body, construct)
        elif construct.directive.leaves == ("simd",):
            _lower_simd(body, construct)
        else:
            raise error(
                "unsupported-construct",
                f"'{construct.directive.name}' in device code cannot be lowered yet",
                construct.span,
            )


def _lower_simd(body: DeviceBody, construct: Construct) -> None:
    """One thread runs the loop, so only ``private`` changes anything: the loop gets variables of its own."""
    assert construct.body is not None
    lines: list[str] = []
    for clause in construct.directive.of_type(ListClause):
        if clause.name != "private":
            continue
        for item in clause.items:
            node = construct.expressions.get(item.base)
            if node is not None:
                lines.append(f"{types.declare(types.without_reference(node.type), item.base.text.strip())};")
    if lines:
        body.edits.insert(body.start(construct.body), f"{{ {' '.join(lines)} ", rank=-2)
        body.edits.insert(statement_end(body.file, construct.body), " }", rank=-2)
