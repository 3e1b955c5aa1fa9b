"""Operands that are not evaluated (C11 6.5.3.4, C++ [expr.context]): only the compiler looks at them.

In: a node. Out: whether it is part of such an operand: of ``sizeof``, ``alignof``, ``noexcept``, ``typeid``,
``requires``, the controlling one of ``_Generic``, or an expression that a type is written with. What it calls needs a
declaration and no code; what it names is neither read nor written. The size of an array of run-time extent is computed:
its extents are evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise

from rexcc.clang import library, locations, types
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node

SIZE_OPERATOR = "CXX_UNARY_EXPR"
"""The kind of ``sizeof``, ``alignof`` and ``noexcept``."""

_TYPES = frozenset({"TYPEDEF_DECL", "TYPE_ALIAS_DECL", "CONCEPT_DECL", "REQUIRES_EXPR"})
_DECLARATORS = VARIABLE_KINDS | (FUNCTION_KINDS - {"CONSTRUCTOR"}) | {"FIELD_DECL"}
_OPERATORS = frozenset({SIZE_OPERATOR, "CXX_TYPEID_EXPR", "GENERIC_SELECTION_EXPR"})
_MAY_HOLD = _TYPES | _DECLARATORS | _OPERATORS
_CONSTANTS = frozenset({"DECL_REF_EXPR", "ENUM_DECL", "STATIC_ASSERT"})
"""What has constants of the compiler's below it: a name its template arguments, an enumeration its values."""


def is_unevaluated(node: Node) -> bool:
    """Whether a node is part of an unevaluated operand."""
    return any(a.kind in _MAY_HOLD and leaves_unevaluated(a, below) for below, a in _upwards(node))


def is_measured(node: Node) -> bool:
    """Whether a node is part of an operand of which only the size, or the like, is asked for."""
    return any(a.kind == SIZE_OPERATOR and leaves_unevaluated(a, below) for below, a in _upwards(node))


def _upwards(node: Node) -> Iterator[tuple[Node, Node]]:
    """Yield a node with its parent, that with its parent, and so on."""
    return pairwise(chain((node,), node.ancestors()))


def leaves_unevaluated(above: Node, below: Node) -> bool:
    """Whether a node does not evaluate one of its children."""
    match above.kind:
        case kind if kind in _DECLARATORS:
            return _is_in_type(above, below)
        case kind if kind == SIZE_OPERATOR:
            return not _is_extent(above, below)
        case "CXX_TYPEID_EXPR":  # of a class with virtual functions the object is looked at
            return not types.is_record(below.type)
        case "GENERIC_SELECTION_EXPR":
            return below is above.children[0]
        case "TYPEDEF_DECL":
            return not types.has_runtime_extent(above.cursor.underlying_typedef_type)
        case kind:
            return kind in _TYPES


def is_only_compiled(above: Node, below: Node) -> bool:
    """Whether a child of a node is not evaluated, or a constant whose value the compiler needs."""
    if above.kind == "CASE_STMT":
        return below is above.children[0]
    return above.kind in _CONSTANTS or (above.kind in _MAY_HOLD and leaves_unevaluated(above, below))


def _is_in_type(declaration: Node, below: Node) -> bool:
    """Whether an expression stands in what a declaration's type is written with, ``decltype`` for one."""
    if not below.kind.endswith(("_EXPR", "_OPERATOR")):
        return False
    if declaration.kind in FUNCTION_KINDS:
        return True
    if below.start >= locations.file_location(declaration.cursor.location, declaration.tree.names)[1]:
        return False
    # a macro may have its arguments in another order
    kind = declaration.type
    is_computed = types.is_variable_length(kind) or types.has_runtime_extent(kind)
    value = library.initialiser(declaration.cursor)
    return not is_computed and (value is None or value != below.cursor)


def _is_extent(operator: Node, below: Node) -> bool:
    """Whether an expression is in a type of which the size is asked for, which is then no constant."""
    return below.end < operator.end and library.evaluate_integer(operator.cursor) is None
