"""What a range-based loop does with the object that it goes through.

In: the loop's node. Out: whether its variable may change a part of the object, or the object cannot be a constant for
it: a method ``begin`` that is not constant gets it. libclang shows of the loop's own variables only where its variable
begins: at what ``__begin`` points to.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.source.patterns import regex

_BEGIN = regex(r"__begin\d*")


def begin_of(loop: Node) -> Cursor | None:
    """Return the hidden variable with which a loop begins; none where the range's type is not known yet."""
    named = (n.referenced for n in loop.children[0].walk())
    return next((c for c in named if c is not None and _BEGIN.fullmatch(str(c.spelling))), None)


def may_change_range(loop: Node) -> bool:
    """Whether a loop may change a part of the object that it goes through, or needs one that is no constant."""
    variable, gone_through = loop.children[0], loop.children[1]
    refers = types.is_reference(variable.type) and not types.is_constant(types.without_reference(variable.type))
    if types.is_array(gone_through.type):
        return refers
    begin = begin_of(loop)
    calls = [n.referenced for n in loop.tree.node(begin).walk() if n.kind == "CALL_EXPR"] if begin is not None else []
    callee = next((c for c in calls if c is not None and c.spelling == "begin"), None)
    if callee is None:
        return True
    if _leaves_constant(callee):
        return False
    others = types.members_of(callee.semantic_parent.type) if callee.semantic_parent is not None else ()
    return refers or not any(c.spelling == "begin" and c.is_const_method() for c in others)


def _leaves_constant(begin: Cursor) -> bool:
    """Whether a function that begins a loop takes its object as a constant."""
    if begin.is_const_method():
        return True
    given = [p.type for p in begin.get_arguments() if p is not None]
    return bool(given) and types.is_constant(types.without_reference(given[0]))
