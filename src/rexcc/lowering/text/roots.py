"""Numbers that are divided by square roots.

In: a range of device code. Out: edits. ``a / sqrtf(x)`` becomes ``a / rex_root(x)``: both are ``float``, and
``rex_device_roots.h`` computes the rounded root and the rounded quotient from one approximation and with one test for
unusual numbers, where the device's compiler has two of each. The quotient is the same bit by bit; why, stands there.

It is the same where the root is nothing but what a ``float`` is divided by. Numbers that the compiler knows are left to
it: it computes the quotient. So are initial values of static variables, which have to be constants, what macros with
arguments make, and what ``noexcept`` asks of: the answer is that of the library's functions.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.clang import library, types
from rexcc.clang.standard_library import may_be_library_function
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.optimisations import Optimisation
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

_WRITTEN = regex(r"(?P<name>(?:(?:(?:::\s*)?std\s*)?::\s*)?sqrtf?)\s*\(")
_MENTIONED = regex(r"/[\s(]*(?:::\s*)?(?:std\s*::\s*)?sqrtf?\s*\(")
_ASKED = regex(r"noexcept\b")
_NAMES = frozenset({"sqrt", "sqrtf"})
_AROUND = frozenset({"PAREN_EXPR", "UNEXPOSED_EXPR"})
_ELEMENTS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"})
_STATIC = frozenset({"STATIC", "EXTERN"})


def lower_roots(body: DeviceBody, start: int, end: int) -> None:
    """Name the roots in a range of the user's text by which something is divided."""
    if Optimisation.ROOTS in body.unit.left_out:
        return
    for place, name in roots_in(body, start, end):
        if body.edits.is_free(place, name):
            body.edits.replace(place, name, "rex_root")


def roots_in(body: DeviceBody, start: int, end: int) -> list[tuple[int, int]]:
    """Return where the names of roots stand in a range by which something is divided."""
    found = body.unit.kept(_roots).get(body.file.scan.source.path, ())
    return [(place, name) for place, name in found if start <= place and name <= end]


def _roots(unit: ParsedUnit) -> dict[str, list[tuple[int, int]]]:
    """Return, for each file, where the names of the functions stand."""
    found: dict[str, list[tuple[int, int]]] = {}
    for path, file in unit.files.items():
        text = file.scan.source.text
        if _MENTIONED.search(text) is None:
            continue
        for top in (node for node in unit.declarations if node.file == path):
            for call in (n for n in top.walk() if n.kind == "CALL_EXPR" and n.spelling in _NAMES):
                start, end = file.original(call.start), file.original(call.end)
                written = _WRITTEN.match(text, start)
                if written is None or not _is_divisor(call) or unit.macro_uses.holds(path, start, end):
                    continue
                if any(_ASKED.match(text, file.original(above.start)) for above in call.ancestors()):
                    continue
                found.setdefault(file.scan.source.path, []).append((start, written.end("name")))
    return found


def _is_divisor(call: Node) -> bool:
    """Whether a call is a ``float``'s root, and nothing but what a ``float`` is divided by."""
    callee, below = call.referenced, call
    if callee is None or not _is_of_library(callee) or not _is_float(call) or len(list(callee.get_arguments())) != 1:
        return False
    while below.parent is not None and below.parent.kind in _AROUND and _is_float(below.parent):
        below = below.parent
    division = below.parent
    if division is None or division.kind != "BINARY_OPERATOR" or division.operator != "/":
        return False
    left, right = division.children
    is_of_floats = right is below and _is_float(division) and _is_float(left.bare())
    return is_of_floats and _varies(call.cursor) and _is_executed(call)


def _is_float(node: Node) -> bool:
    return types.kind_name(types.canonical(node.type)) == "FLOAT"


def _varies(expression: Cursor, seen: frozenset[int] = frozenset()) -> bool:
    """Whether an expression may have another value each time: the compiler knows what is made of constants."""
    for node in expression.walk_preorder():
        kind, target = kind_of(node), node.referenced
        if kind in _ELEMENTS:
            return True
        if kind != "DECL_REF_EXPR" or target is None or kind_of(target) not in ("VAR_DECL", "PARM_DECL"):
            continue
        first = library.initialiser(target.get_definition() or target) if types.is_constant(target.type) else None
        if first is None or target.hash in seen or _varies(first, seen | {target.hash}):
            return True
    return False


def _is_executed(call: Node) -> bool:
    """Whether a root stands in a function's code, in no static variable's initial value."""
    above = list(call.ancestors())
    static = any(n.kind == "VAR_DECL" and n.cursor.storage_class.name in _STATIC for n in above)
    return not static and any(n.kind == "COMPOUND_STMT" for n in above)


def _is_of_library(callee: Cursor) -> bool:
    """Whether a function is the library's: another file may define what the user declares."""
    return may_be_library_function(callee) and library.in_system_header(callee.canonical)
