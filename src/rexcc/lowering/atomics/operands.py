"""The operands of an atomic operation: what may be one, and how they are written in the call.

In: a form and where its operands stand. Out: errors for what no atomic operation can change, and the operation.
"""

from __future__ import annotations

import re

from rexcc.clang import spelling, types
from rexcc.clang.members import is_bit_field, is_packed
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Atomic
from rexcc.lowering.atomics.forms import Form, atomic_kind
from rexcc.lowering.atomics.operand_ranges import Written
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error

_SIZES = (1, 2, 4, 8, 16)
_NOT_ON_DEVICES = {
    "LONGDOUBLE": "a device has no 'long double'",
    "IBM128": "a device has no such type",
    "FLOAT128": "a device has no such type",
    "COMPLEX": "there are no atomic operations on C's complex numbers; name one of real and imaginary part",
    "BFLOAT16": "C++ compilers for devices do not know the type",
}
_SIMPLE = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "PAREN_EXPR"})


def check_operands(body: DeviceBody, construct: Construct, form: Form) -> None:
    """Refuse variables that no atomic operation can change: bit-fields, classes, what has no fitting size or place."""
    bare = form.target.bare()
    spelled, kind = body.original(form.target), types.canonical(form.target.type)
    name = f"'atomic {atomic_kind(construct.directive)}' of '{spelled}'"
    place = body.span(form.target)
    if is_bit_field(bare):
        raise error("omp-atomic-operand", f"{name}: a bit-field has no address of its own", place)
    receiver = form.operands.get("v")
    if receiver is not None and form.result != "v" and is_bit_field(receiver.bare()):
        message = f"'{body.original(receiver)}' is a bit-field, into which this form of 'atomic' cannot capture yet"
        raise error("unsupported-clause", message, body.span(receiver))
    if not types.is_scalar(kind) and types.kind_name(kind) not in ("POINTER", "MEMBERPOINTER"):
        raise error("omp-atomic-operand", f"{name}: its type '{spelling.spell(kind)}' is not a scalar one", place)
    reason = _NOT_ON_DEVICES.get(types.kind_name(kind))
    if reason is None and kind.get_size() not in _SIZES:
        reason = f"there are no atomic operations on {kind.get_size()} bytes"
    if reason is not None:
        raise error("unsupported-type", f"{name}, which is of type '{spelling.spell(kind)}': {reason}", place)
    if is_packed(bare):
        message = f"{name}: a member of a packed structure may lie where no atomic operation can change it"
        raise error("unsupported-type", message, place)


def operation(body: DeviceBody, form: Form, written: Written) -> Atomic:
    """Return the operation with the operands' own texts."""
    arguments = tuple(_argument(body, form, written, name) for name in form.arguments)
    receiver = form.operands.get(form.result)
    if receiver is None:
        return Atomic(form.function, arguments)
    cast = _conversion(body, receiver, form.target) if form.converted else ""
    return Atomic(form.function, arguments, body.edited_expression(*written.range(receiver)), cast)


def _argument(body: DeviceBody, form: Form, written: Written, name: str) -> str:
    """Return an argument's text, that of ``x`` the address."""
    if name == "x":
        return _address(body, form, written)
    return body.edited_expression(*written.range(form.operands[name])) if name in form.operands else name


def _address(body: DeviceBody, form: Form, written: Written) -> str:
    """Return the address of ``x``: ``&x``, and ``p`` for ``*p``."""
    bare, (start, end) = form.target.bare(), written.range(form.target)
    inner, last = body.start(bare), body.end(bare)
    if start < inner and last < end and not re.sub(r"[\s()]", "", body.text[start:inner] + body.text[last:end]):
        start, end = inner, last
    if bare.is_dereference and body.text[start] == "*":
        inner = body.start(bare.children[0])
        if start < inner and body.end(bare.children[0]) == end:
            return body.edited_expression(inner, end)
    text = body.edited_expression(start, end)
    return f"&{text}" if bare.kind in _SIMPLE and "::" not in body.text[start:end] else f"&({text})"


def _conversion(body: DeviceBody, receiver: Node, target: Node) -> str:
    """Return the cast that C++ wants where C converts by itself."""
    to, given = types.canonical(receiver.type), types.canonical(target.type)
    if body.unit.is_cplusplus or to == given or types.kind_name(to) not in ("ENUM", "POINTER"):
        return ""
    return f"({spelling.spell(receiver.type)})"
