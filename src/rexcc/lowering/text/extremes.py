"""``std::min`` and ``std::max`` of numbers as values.

In: a range of device code. Out: edits. Both functions take and return references, so that what is compared has to be in
memory; where one operand is in a thread's own memory and one elsewhere, a GPU has to find out at run time where the
result is. ``lo[k] = std::min(lo[k], p[k])`` becomes ``lo[k] = rex_least(lo[k], p[k])``, which takes and returns values.

It is the same where the result is read at once, which clang's conversion around the call says, and where the operands
have no effects: then they are what they were when they are read before the call. The comparison is the library's.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.clang import library, types
from rexcc.clang.standard_library import is_of_std
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

_VALUES = {"min": "rex_least", "max": "rex_greatest"}
_WRITTEN = regex(r"(?P<name>(?:(?:::\s*)?std\s*::\s*)?(?:min|max))\s*(?:<[\w\s]*>\s*)?\(")
_MENTIONED = regex(r"\b(?:min|max)\s*[<(]")
_NUMBERS = frozenset({"CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG",
                      "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})  # fmt: skip
_EFFECTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "p++", "p--"})
_PLAIN = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "DECL_REF_EXPR",
                    "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "CXX_THIS_EXPR",
                    "CONDITIONAL_OPERATOR", "INTEGER_LITERAL", "FLOATING_LITERAL", "TYPE_REF", "NAMESPACE_REF",
                    "CXX_FUNCTIONAL_CAST_EXPR", "OVERLOADED_DECL_REF", "TEMPLATE_REF"})  # fmt: skip
_ACCESSES = frozenset({"operator[]", "data", "size"})


def lower_extremes(body: DeviceBody, start: int, end: int) -> None:
    """Let the calls in a range of the user's text have values."""
    if not body.unit.is_cplusplus:
        return
    for place, name, made in body.unit.kept(_calls).get(body.file.scan.source.path, ()):
        if start <= place and name <= end and body.edits.is_free(place, name):
            body.edits.replace(place, name, made)


def _calls(unit: ParsedUnit) -> dict[str, list[tuple[int, int, str]]]:
    """Return, for each file, where the names of the functions stand in calls that may have values, and what is written
    there."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for path, file in unit.files.items():
        if _MENTIONED.search(file.scan.source.text) is None:
            continue
        for top in (node for node in unit.declarations if node.file == path):
            for call in (n for n in top.walk() if n.kind == "CALL_EXPR" and n.spelling in _VALUES):
                start = file.original(call.start)
                written = _WRITTEN.match(file.scan.source.text, start)
                if written is not None and _is_of_values(call):
                    found.setdefault(file.scan.source.path, []).append(
                        (start, written.end("name"), _VALUES[call.spelling])
                    )
    return found


def _is_of_values(call: Node) -> bool:
    callee, above = call.referenced, call.parent
    if callee is None or above is None or not _is_of_library(callee) or len(list(callee.get_arguments())) != 2:
        return False
    is_read = above.kind == "UNEXPOSED_EXPR" and not types.is_constant(above.type) and not types.is_volatile(above.type)
    kinds = [types.without_reference(callee.result_type)]
    kinds += [types.without_reference(argument.type) for argument in callee.get_arguments() if argument is not None]
    are_numbers = all(types.kind_name(types.canonical(kind)) in _NUMBERS for kind in (*kinds, above.type))
    same = types.kind_name(types.canonical(above.type)) == types.kind_name(types.canonical(kinds[0]))
    return is_read and are_numbers and same and all(_is_plain(node) for node in call.walk() if node is not call)


def _is_of_library(callee: Cursor) -> bool:
    return kind_of(callee) == "FUNCTION_DECL" and is_of_std(callee)


def _is_plain(node: Node) -> bool:
    """Whether an expression has no effects: it may take elements of a ``std::array``, and the least of others."""
    if types.is_volatile(node.type):
        return False
    if node.kind != "CALL_EXPR":
        return node.kind in _PLAIN and node.operator not in _EFFECTS
    callee = node.referenced
    if callee is None or not library.in_system_header(callee):
        return False
    record = callee.semantic_parent
    is_of_array = record is not None and record.spelling == "array" and callee.spelling in _ACCESSES
    return is_of_array or (callee.spelling in _VALUES and _is_of_library(callee))
