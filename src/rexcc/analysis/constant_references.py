"""Whether an object may be changed through a reference to a constant, by a cast that takes the ``const`` away.

In: where an object, which is none that the program has declared constant, becomes a constant: bound to a reference, or
the object of a constant method. Out: whether a cast may make a variable of it again. C++ lets programs do that (C++20,
9.2.9.2, paragraph 4)::

    void put(const float &place, float value) { const_cast<float &>(place) = value; }

It may be where the code that binds the reference has such a cast to the object's type, or a function that this code
calls has one; and a function of which another file has the definition may do it.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.analysis.reachable_functions import called_bodies, lacks_definition
from rexcc.clang import library, types
from rexcc.clang.tree import CASTS, FUNCTION_KINDS, Node, Tree

_BYTES = frozenset({"VOID", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR"})


def may_lose_const(node: Node, call: Node | None, kind: Type) -> bool:
    """Whether an object of a type that an expression names may be changed as a constant; ``call`` is what takes it as
    an argument. Other code than that may get the reference: it may be a part of the object that a constructor makes."""
    callee = call.referenced if call is not None else None
    if callee is not None and may_change_constants(node.tree, callee, kind):
        return True
    is_of_library = callee is not None and library.in_system_header(callee)
    casts, around = node.tree.once(_Casts), _function_around(node)
    return casts.inside(around, kind) if is_of_library else casts.reached(around, kind)


def may_change_constants(tree: Tree, function: Cursor, kind: Type) -> bool:
    """Whether a function may change an object of a type that it knows as a constant."""
    if function.is_default_method() or library.in_system_header(function):
        return False
    definition = function.get_definition()
    if definition is None:
        return lacks_definition(function)
    return tree.once(_Casts).reached(tree.node(definition), kind)


def _function_around(node: Node) -> Node:
    found = node
    for above in node.ancestors():
        found = above if above.kind in FUNCTION_KINDS or found.kind not in FUNCTION_KINDS else found
    return found


class _Casts:
    """The casts of a tree that take a ``const`` away, by the code that has them."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._inside: dict[Node, tuple[Type, ...]] = {}
        self._reached: dict[Node, tuple[Type, ...]] = {}

    def inside(self, code: Node, kind: Type) -> bool:
        """Whether a piece of code has a cast by which an object of a type may change."""
        return any(_may_be(made, kind) for made in self._in(code))

    def reached(self, code: Node, kind: Type) -> bool:
        """The same of a piece of code and the functions that it calls."""
        if code not in self._reached:
            self._reached[code] = ()
            bodies = (code, *called_bodies(self.tree, [code]))
            self._reached[code] = tuple(made for body in bodies for made in self._in(body))
        return any(_may_be(made, kind) for made in self._reached[code])

    def _in(self, code: Node) -> tuple[Type, ...]:
        if code not in self._inside:
            casts = (n for n in code.walk() if n.kind in CASTS and n.children)
            self._inside[code] = tuple(made for n in casts if (made := _changeable(n)) is not None)
        return self._inside[code]


def _changeable(cast: Node) -> Type | None:
    """Return the type of the object that a cast makes changeable, None for other casts."""
    given, made = cast.children[-1].type, cast.type
    if types.is_pointer(given) and types.is_pointer(made):
        target = types.pointee_of(made)
        if types.is_constant(types.pointee_of(given)) and not types.is_constant(target):
            return target
    is_name = types.is_constant(given) and not types.is_constant(made)
    return made if is_name and (types.is_scalar(made) or types.is_record(made) or types.is_pointer(made)) else None


def _may_be(made: Type, kind: Type) -> bool:
    """Whether an object of a type, or a part of it, may be changed as one of another type."""
    if types.is_dependent(made) or types.is_dependent(kind) or types.is_record(kind):
        return True
    name = types.kind_name(types.canonical(made))
    return name in _BYTES or types.is_record(made) or name == types.kind_name(types.canonical(kind))
