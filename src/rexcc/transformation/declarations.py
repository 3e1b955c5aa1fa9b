"""The declarations at namespace scope that text is put in front of.

In: nodes of a unit. Out: such declarations and where they start.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang.tree import Node

_HEADERS = frozenset({"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER"})


def below_namespaces(declaration: Node) -> Iterator[Node]:
    """Yield a declaration, or those in it if it is a namespace."""
    if declaration.kind in ("NAMESPACE", "LINKAGE_SPEC"):
        for child in declaration.children:
            yield from below_namespaces(child)
    else:
        yield declaration


def declaration_start(declaration: Node) -> int:
    """Return where a declaration starts, with its template headers."""
    return min([declaration.start, *(c.start for c in declaration.children if c.kind in _HEADERS)])
