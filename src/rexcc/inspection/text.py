"""The text form of what was inspected: one line per directive, construct, leaf and variable.

In: values of :mod:`rexcc.inspection.model`. Out: lines. Directives start with their place, as messages do, so that
editors find them; what stands inside is indented.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.inspection.model import (
    Applied,
    ConstructNode,
    DirectiveNode,
    FunctionNode,
    LeafNode,
    OpenMPTree,
    PragmaList,
    VariableNode,
)
from rexcc.source.sections import with_version

_STEP = "  "
_WORDS = {
    "loop": "loop at {place}",
    "block": "block at {place}",
    "statement": "statement at {place}",
    "directive": "'{name}' at {place}",
    "declaration": "function '{name}' at {place}",
    "end": "everything up to '{name}' at {place}",
    "begin": "closes '{name}' at {place}",
}


def pragmas_text(found: PragmaList) -> str:
    """Return the directives of a unit."""
    return "".join(f"{line}\n" for node in found.directives for line in _directive(node, ""))


def tree_text(found: OpenMPTree) -> str:
    """Return the OpenMP tree of a unit."""
    lines = [found.file]
    lines += [line for node in found.declarative for line in _directive(node, _STEP)]
    lines += [line for function in found.functions for line in _function(function)]
    return "".join(f"{line}\n" for line in lines)


def _directive(node: DirectiveNode, indent: str) -> Iterator[str]:
    argument = f"({node.argument})" if node.argument else ""
    words = [f"{node.name}{argument}", *(clause.text for clause in node.clauses)]
    written = "" if node.written == "#pragma" else f" [{node.written}]"
    inactive = "" if node.active else " [inactive]"
    yield f"{node.place.place}: {indent}{' '.join(words)}{written}{inactive}{_arrow(node.applies_to)}"
    for child in node.children:
        yield from _directive(child, indent + _STEP)


def _arrow(applied: Applied | None) -> str:
    if applied is None:
        return ""
    line = f"{applied.place.line}:{applied.place.column}" if applied.place is not None else "an unknown place"
    return " -> " + _WORDS[applied.kind].format(name=applied.name, place=line)


def _function(function: FunctionNode) -> Iterator[str]:
    what = "instantiation" if function.is_instantiation else "function"
    place = f" at {function.place.place}" if function.place is not None else ""
    yield f"{_STEP}{what} {function.name}{place}"
    for construct in function.constructs:
        yield from _construct(construct, _STEP * 2)


def _construct(node: ConstructNode, indent: str) -> Iterator[str]:
    clauses = "".join(f" {clause.text}" for clause in node.clauses)
    chosen = f" [by a metadirective; on the host: {node.host}]" if node.host else ""
    yield f"{indent}{node.name}{clauses} at {node.place.place}{chosen}{_arrow(node.applies_to)}"
    inner = indent + _STEP
    if node.problem:
        yield f"{inner}no attributes: {node.problem}"
    for leaf in node.leaves:
        yield from _leaf(leaf, inner)
    if node.others:
        yield f"{inner}as in the construct around: {', '.join(node.others)}"
    for what in dict.fromkeys(variable.attribute for variable in node.inside):
        names = ", ".join(variable.name for variable in node.inside if variable.attribute == what)
        yield f"{inner}{what}, declared inside (5.2, 5.1.1): {names}"
    for child in node.children:
        yield from _construct(child, inner)


def _leaf(leaf: LeafNode, indent: str) -> Iterator[str]:
    clauses = f": {' '.join(leaf.clauses)}" if leaf.clauses else ""
    yield f"{indent}leaf {leaf.name}{clauses}"
    for variable in leaf.variables:
        yield f"{indent}{_STEP}{_variable(variable)}"


def _variable(node: VariableNode) -> str:
    clause = f", {node.clause.line}:{node.clause.column}" if node.clause is not None else ""
    return f"{node.name}: {node.detail} -- {node.origin}: {node.rule} ({with_version(node.section)}{clause})"
