"""What stands between ``begin declare variant`` and its end for devices alone: no compiler of the host sees it.

In: a unit. Out: errors where the host would need it, for the value of a variable or in its version of a region.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.device_constructs import all_constructs, is_region
from rexcc.clang import types
from rexcc.clang.tree import Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.resolution.begun_variants import has_hidden, is_hidden
from rexcc.source.diagnostics import DiagnosticSink

_CODE = "unsupported-variant"
_AROUND = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})


def check_hidden_variables(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Variables that devices alone know have no value of the host's, and its version of a region cannot name them."""
    if not any(has_hidden(file.scan.source.text) for file in unit.files.values()):
        return
    for node in _variables(unit.declarations):
        if _is_hidden(unit, node) and not types.is_constant(node.type):
            message = f"'{node.spelling}' is hidden from the host here; define it in front of 'begin declare variant'"
            sink.error(_CODE, message, unit.span(node))
    for construct in filter(is_region, all_constructs(unit)):
        for use in construct.body.walk() if construct.body is not None else ():
            made = use.referenced if use.kind == "DECL_REF_EXPR" else None
            if made is None or kind_of(made) != "VAR_DECL" or _is_hidden(unit, use):
                continue
            if _is_hidden(unit, unit.tree.node(made)):
                message = f"'{use.spelling}' is hidden from the host, which compiles this region too; define it in "
                sink.error(_CODE, f"{message}front of 'begin declare variant'", unit.span(use))


def _variables(declarations: Iterator[Node] | tuple[Node, ...]) -> Iterator[Node]:
    for node in declarations:
        if node.kind == "VAR_DECL":
            yield node
        elif node.kind in _AROUND:
            yield from _variables(node.children)


def _is_hidden(unit: ParsedUnit, node: Node) -> bool:
    file = unit.files.get(node.file)
    return file is not None and is_hidden(file.scan.source.text, file.original(node.start))
