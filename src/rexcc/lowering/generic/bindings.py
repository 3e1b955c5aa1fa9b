"""Structured bindings in code of the initial thread: ``auto [a, b] = f(&n);``.

In: a declaration of the team's code. Out: an edit of its first value, or an error. What is taken apart has no name that
shared memory could give a place, so each thread makes its own; all of them are equal where one thread alone computes a
first value that has effects, and where nothing changes a name later.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.clang import classes, library, types
from rexcc.clang.tree import Node
from rexcc.lowering.generic.plan import Part
from rexcc.lowering.generic.scope import TeamScope, bindings_of, bound_value
from rexcc.lowering.generic.team_arrays import refused
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.variable_uses import is_address_taken, may_change
from rexcc.program.variables import Variable, named_variable


def values_of_one_thread(body: DeviceBody, scope: TeamScope, statement: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the bindings whose first value one thread has to compute, with that value."""
    for declared in bindings_of(statement):
        value = bound_value(declared)
        _check_names(body, scope, declared, value)
        if scope.is_uniform(value):
            continue
        if not types.is_reference(declared.type) and _is_plain(declared.type):
            yield declared, value
        elif any(map(_is_of_user, value.walk())):
            what = f"the initialiser of '{declared.spelling}' has effects that only one thread may have"
            raise refused(what, body.span(declared))


def _check_names(body: DeviceBody, scope: TeamScope, declared: Node, value: Node) -> None:
    """Raise CompileError where a name is changed later; one of a reference to memory is changed there."""
    if types.is_reference(declared.type) and _root(value) not in scope.team:
        return
    names = {Variable(c.cursor) for c in declared.children if c.kind == "UNEXPOSED_DECL"}
    for use in _uses(scope.top):
        if named_variable(use) in names and (may_change(use) or is_address_taken(use)):
            what = f"'{use.spelling}' of '{declared.spelling}' may be changed in code around parallels"
            raise refused(f"{what} (declare a variable of its own)", body.span(use))


def _root(value: Node) -> Variable | None:
    """Return the variable that an expression names a part of, None for what a pointer points to, or a call returns."""
    node = value.bare()
    while node.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") and node.children:
        node = node.children[0].bare()
        if types.is_pointer(node.type):
            return None
    return named_variable(node) if node.kind == "DECL_REF_EXPR" else None


def _uses(top: Part) -> Iterator[Node]:
    return (n for n in top.node.walk() if n.kind == "DECL_REF_EXPR")


def _is_plain(kind: Type) -> bool:
    """Whether a value can go from one thread to the others as bytes; the library's pairs and tuples cannot."""
    declaration = types.canonical(kind).get_declaration()
    return types.is_record(kind) and classes.is_trivial(kind) and not library.in_system_header(declaration)


def _is_of_user(node: Node) -> bool:
    called = node.referenced if node.kind == "CALL_EXPR" else None
    return called is not None and not library.in_system_header(called)
