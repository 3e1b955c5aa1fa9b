"""Complex numbers of C where C++ has other rules, for compilers that know the type as for those that get a class.

In: conversions and operators that have a complex operand. Out: casts where C converts to a real number by itself, and
in ``c ? z : 1.0`` to the type of the result; functions of the device headers for assignments like ``x += z``, which
assign the real part, for ``__real__`` and ``__imag__``, and for literals like ``2.0i``.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import Node
from rexcc.lowering.c.editing import CEdits
from rexcc.source.diagnostics import error
from rexcc.source.patterns import regex

_COMPOUND = {"+=": "rex_real_add", "-=": "rex_real_subtract", "*=": "rex_real_multiply", "/=": "rex_real_divide"}
_PARTS = {"real": "rex_real_part", "imag": "rex_imaginary_part"}
_OF_SHORT_FORM = 4
"""Children of ``a ?: b``: what is evaluated, its truth, both branches."""
_IMAGINARY = regex(r"[ijIJ]")


def is_complex(node: Node) -> bool:
    """Whether an expression's value is a complex number."""
    return types.kind_name(types.canonical(node.type)) == "COMPLEX"


def is_chosen(node: Node) -> bool:
    """Whether an implicit conversion is that of a branch of ``c ? a : b`` or ``a ?: b``, whose branches C++ converts
    otherwise."""
    above = node.in_parentheses().parent
    if above is None or not is_complex(node):
        return False
    is_short = above.kind == "UNEXPOSED_EXPR" and len(above.children) == _OF_SHORT_FORM
    return above.kind == "CONDITIONAL_OPERATOR" or is_short


def becomes_complex(node: Node) -> bool:
    """Whether a real value is converted to a complex one next, as for an operator with a complex operand."""
    above = node.in_parentheses().parent
    return above is not None and above.kind == "UNEXPOSED_EXPR" and is_complex(above)


def lower_operator(edits: CEdits, node: Node) -> None:
    """Write ``__real__ z``, ``__imag__ z`` and ``x += z`` as functions; raises CompileError where that is not the
    same."""
    function = _PARTS.get(node.operator) if node.kind == "UNARY_OPERATOR" else None
    if function is not None:
        if edits.is_reachable(node, inside=True):
            edits.replace(node, (f"{function}(", edits.body.quoted(node.children[0]), ")"))
        return
    if node.kind != "COMPOUND_ASSIGNMENT_OPERATOR":
        return
    assigned, value = node.children
    if is_complex(assigned) or not is_complex(value) or not edits.is_reachable(node, inside=True):
        return
    body = edits.body
    if is_bit_field(assigned.bare()) or types.is_volatile(assigned.type) or node.operator not in _COMPOUND:
        message = f"'{node.operator}' assigns a part of a complex number to '{body.original(assigned)}', which device "
        raise error("unsupported-type", f"{message}code cannot do yet; write creal(…) of the value", body.span(node))
    arguments = (body.quoted(assigned), ", ", body.quoted(value))
    edits.replace(node, (f"{_COMPOUND[node.operator]}(", *arguments, ")"))


def lower_imaginary(edits: CEdits, node: Node) -> None:
    """Write a literal of GNU C, ``2.0i``, as a complex number without real part."""
    if edits.is_reachable(node, inside=True):
        number = _IMAGINARY.sub("", edits.body.original(node))
        kind = "float" if "float" in str(types.canonical(node.type).spelling) else "double"
        edits.replace(node, f"(rex_complex<{kind}>(0, {number}))")
