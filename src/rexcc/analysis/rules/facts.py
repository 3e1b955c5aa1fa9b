"""What several rules ask of a construct: what is around it, what a list item names, what an expression is worth.

In: constructs of the front end. Out: small facts. What a lambda stands in is around its constructs, as for clang.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.openmp.model import Clause, Directive, ListItem
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable

TRANSPARENT = frozenset(
    {"assume", "tile", "unroll", "interchange", "reverse", "split", "stripe", "fuse", "dispatch", "taskgraph"}
)
"""Constructs that are no regions of their own for the rules of nesting."""

_UNKNOWN = frozenset({"DEPENDENT", "UNEXPOSED", "INVALID", "AUTO", "UNKNOWN"})


def leaf(construct: Construct) -> str:
    """Return the innermost leaf of a construct."""
    return construct.directive.leaves[-1]


def critical_name(directive: Directive) -> str:
    """Return the name of a ``critical`` construct, empty for none."""
    return directive.argument.text.strip() if directive.argument is not None else ""


def closest(construct: Construct) -> Construct | None:
    """Return the innermost construct around one whose region it is nested in, None for an orphaned one."""
    return next((c for c in construct.around() if leaf(c) not in TRANSPARENT), None)


def in_target(construct: Construct) -> bool:
    """Whether a construct is, or stands in, a target region."""
    return any(c.directive.leaves[0] == "target" for c in (construct, *construct.around()))


def named(construct: Construct, *clauses: str) -> Iterator[tuple[Clause, ListItem, Variable]]:
    """Yield the variables that clauses of these names list, whole ones only."""
    for found in construct.items(*clauses):
        variable = found.whole_variable if not found.item.sections else None
        if variable is not None:
            yield found.clause, found.item, variable


def is_known(kind: Type) -> bool:
    """Whether a type is known: not that of a template's text."""
    found = types.canonical(kind)
    inner: Type | None = found
    while inner is not None:
        found = inner
        inner = types.element_of(inner)
    return types.kind_name(found) not in _UNKNOWN


def shown(item: ListItem) -> str:
    """Return a list item as a message quotes it."""
    return f"'{' '.join(item.whole.text.split())}'"


def statements(construct: Construct) -> Iterator[Node]:
    """Yield the nodes of a construct's body in source order, without the text of the directives inside it."""
    if construct.body is None:
        return
    inner = {id(c.node): c for c in construct.descendants()}
    stack = [construct.body]
    while stack:
        node = stack.pop()
        below = inner.get(id(node))
        if below is not None:
            if below.body is not None:
                stack.append(below.body)
            continue
        yield node
        stack.extend(reversed(node.children))
