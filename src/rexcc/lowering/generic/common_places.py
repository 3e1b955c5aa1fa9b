"""Places that one thread of a team can find for all: what a call returns a reference to.

In: the first value of a reference in the team's code. Out: whether its address is the same object for every thread. It
is not where the call names what each thread has a copy of.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.generic.initialisers import has_one_value
from rexcc.lowering.generic.scope import TeamScope, initial_value
from rexcc.program.variables import Variable, named_variable

_MAKING = frozenset({"INIT_LIST_EXPR", "COMPOUND_LITERAL_EXPR", "CXX_FUNCTIONAL_CAST_EXPR"})
_OBJECTS = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"})


def in_braces(value: Node) -> Node:
    """Return what a reference refers to, of ``r{value}`` too."""
    is_list = value.kind == "INIT_LIST_EXPR" and len(value.children) == 1
    return value.children[0] if is_list else value


def is_place_of_all(scope: TeamScope, value: Node) -> bool:
    """Whether an expression is a call that returns an object, none of which each thread has its own."""
    call = value.bare()
    return call.kind == "CALL_EXPR" and _returns_object(call) and not _names_own(scope, call)


def _returns_object(call: Node) -> bool:
    """Whether a call returns a reference to an object, other than by a conversion, which is not written."""
    callee = call.referenced
    if callee is None or kind_of(callee) == "CONVERSION_FUNCTION":
        return False
    return types.kind_name(library.canonical_type(callee.result_type)) == "LVALUEREFERENCE"


def _names_own(scope: TeamScope, code: Node) -> bool:
    """Whether code names an object of which each thread has its own, other than for a number's or pointer's value."""
    names = [n for n in code.walk() if n.kind == "DECL_REF_EXPR"]
    named = ((n, variable) for n in names if (variable := named_variable(n)) is not None)
    return any(_is_own(scope, n, v) for n, v in named if v in scope.team and v not in scope.shared)


def _is_own(scope: TeamScope, name: Node, variable: Variable) -> bool:
    if _is_given_as_value(name):
        return variable in scope.declared and types.is_pointer(name.type) and _has_own_places(scope)
    return not _refers_to_others(scope, variable)


def _has_own_places(scope: TeamScope) -> bool:
    """Whether pointers may lead to what each thread has its own of: to a constant whose address is taken."""
    return any(v not in scope.shared and not types.is_reference(v.type) for v in scope.exposed)


def _refers_to_others(scope: TeamScope, variable: Variable) -> bool:
    """Whether a variable is a reference to what is no thread's own, and no temporary object."""
    declaration = scope.declared.get(variable)
    value = initial_value(declaration) if declaration is not None and types.is_reference(variable.type) else None
    return value is not None and _is_object(value, variable) and not _names_own(scope, value)


def _is_object(value: Node, variable: Variable) -> bool:
    """Whether an expression names an object that a reference can refer to as it is."""
    bare = in_braces(value).bare()
    if not (_returns_object(bare) if bare.kind == "CALL_EXPR" else bare.kind in _OBJECTS or bare.is_dereference):
        return False
    if any(map(_makes_object, bare.walk())):  # of which it is a part
        return False
    found, wanted = types.without_reference(bare.type), types.without_reference(variable.type)
    return types.is_record(wanted) or _unqualified(found) == _unqualified(wanted)


def _makes_object(node: Node) -> bool:
    is_call = node.kind == "CALL_EXPR" and types.is_record(node.type)
    return node.kind in _MAKING or (is_call and not _returns_object(node))


def _unqualified(kind: Type) -> str:
    return spelling.spell_value(types.canonical(kind))


def _is_given_as_value(name: Node) -> bool:
    """Whether only the value of a number or pointer is taken where it is named."""
    above = name.parent
    is_cast = above is not None and above.kind == "UNEXPOSED_EXPR" and not types.is_constant(above.type)
    return is_cast and has_one_value(name.type)
