"""Which atomic operations are on memory that only one thread has.

In: the operand ``x`` and the constructs around. Out: whether ``x`` is (a part of) a variable of the thread's own.
Nothing can come in between there, and a GPU has no atomics on such memory.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import VARIABLE_KINDS, Node, Tree, kind_of
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable

_SHARING = frozenset({"teams", "parallel", "task", "taskloop"})
_NOT_PRIVATE_IN_TARGET = frozenset({"defaultmap", "default"})


def is_private(tree: Tree, construct: Construct, target: Node) -> bool:
    """Whether an atomic construct's variable is known to be the running thread's own."""
    variable = _variable(target)
    if variable is None or variable.decays:
        return False  # a parameter that is a pointer to an array
    is_elsewhere = variable.is_global or types.is_reference(variable.type)  # but for copies of it
    for inner in construct.node.ancestors():
        if inner.kind == "LAMBDA_EXPR" and not _stands_in(tree, inner, variable):
            return False  # whoever calls the lambda decides
    for around in construct.around():
        is_inside = around.body is not None and not is_elsewhere and _stands_in(tree, around.body, variable)
        if is_inside or _has_own_copies(around, variable):
            return True
        leaves = set(around.directive.leaves)
        if leaves & _SHARING:
            return False
        if "target" in leaves:
            return not is_elsewhere and _is_firstprivate(around, variable)
    return not is_elsewhere and _stands_in(tree, construct.function, variable)


def _has_own_copies(construct: Construct, variable: Variable) -> bool:
    """Whether a clause gives each thread that executes the construct's statement a copy, which no leaf inside of the
    copy's shares: the one of ``target parallel in_reduction(+ : x)`` is the whole team's."""
    copies = [entry for entry in construct.environment.copies(variable) if entry.item is not None]
    if not copies:
        return False
    leaves = construct.directive.leaves
    return _SHARING.isdisjoint(leaves[leaves.index(copies[-1].leaf) + 1 :])


def _variable(node: Node) -> Variable | None:
    """Return the variable that an lvalue is, or is a part of; None for what a pointer leads to."""
    current = node.bare()
    while current.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
        inner = [c for c in current.children if c.cursor.kind.is_expression()]
        if not inner:
            return None
        below = inner[0].bare()
        if current.kind == "MEMBER_REF_EXPR" and types.is_pointer(inner[0].type):
            return None
        if current.kind == "ARRAY_SUBSCRIPT_EXPR" and not types.is_array(below.type):
            return None
        current = below
    found = named_variable(current)
    return found if found is not None and kind_of(found.cursor) in VARIABLE_KINDS else None


def _stands_in(tree: Tree, outer: Node, variable: Variable) -> bool:
    declaration = tree.node(variable.cursor)
    return declaration.is_inside(outer)


def _is_listed(construct: Construct, variable: Variable) -> bool:
    """Whether a clause has a list with the variable, or a part of it."""
    parts = (_variable(item.node) for item in construct.items_of(*construct.directive.clauses) if item.node is not None)
    return variable in parts


def _is_firstprivate(construct: Construct, variable: Variable) -> bool:
    """Whether a target construct gives the initial thread its own copy of a variable that no clause names."""
    if any(clause.name in _NOT_PRIVATE_IN_TARGET for clause in construct.directive.clauses):
        return False
    is_value = types.is_scalar(variable.type) or types.is_pointer(variable.type)
    return is_value and not _is_listed(construct, variable)
