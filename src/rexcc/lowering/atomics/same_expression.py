"""Whether two expressions are the same one, written twice.

In: clang's trees of two expressions. Out: the answer; parentheses, conversions and the way they are spelled (macros,
``this->``) do not count.
"""

from __future__ import annotations

from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node

_NAMES_OF_SCOPES = frozenset({"TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF", "OVERLOADED_DECL_REF", "CXX_THIS_EXPR"})


def alike(first: Node, second: Node) -> bool:
    """Whether two expressions name the same thing."""
    left, right = first.bare(), second.bare()
    if left.kind != right.kind or left.operator != right.operator or left.spelling != right.spelling:
        return False
    if _declaration(left) != _declaration(right):
        return False
    inner, others = _operands(left), _operands(right)
    if len(inner) != len(others):
        return False
    if not inner and left.kind.endswith("LITERAL"):
        return _value(left) == _value(right)
    return all(alike(a, b) for a, b in zip(inner, others, strict=True))


def mentions(expression: Node, part: Node) -> bool:
    """Whether an expression contains another one."""
    return any(alike(node, part) for node in expression.walk())


def _operands(node: Node) -> list[Node]:
    """Return the operands of an expression; an object that is ``*this`` is none."""
    return [child for child in node.children if child.bare().kind not in _NAMES_OF_SCOPES]


def _declaration(node: Node) -> int:
    target = node.referenced
    return int(target.canonical.hash) if target is not None else 0


def _value(node: Node) -> object:
    number = evaluate_integer(node.cursor)
    return number if number is not None else [str(t.spelling) for t in node.cursor.get_tokens()]
