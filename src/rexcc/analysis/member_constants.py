"""Constant static members of classes that device code uses as objects.

In: device code. Out: the uses that need storage, each with the member. nvcc knows the value of such a member and gives
it no storage, nor does it let a class say that it wants any: what is indexed at run time, bound to a reference or has
its address taken is reached through a function of the class, which ``codegen/slice/member_objects`` writes. Values stay
as they are, so that they are constants of the compiler's there too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.constant_values import is_repeatable
from rexcc.clang import library, locations, types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.clang.unevaluated import is_only_compiled
from rexcc.program.unit import ParsedUnit

MemberKey = tuple[str, int]
"""File and offset of a member's name in its class; of an instantiation those of its template's."""

_NAMES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR"})
_PARTS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "MEMBER_REF_EXPR", "PAREN_EXPR", "UNEXPOSED_EXPR"})
_CLASSES = frozenset({"STRUCT_DECL", "CLASS_DECL", "UNION_DECL"})
_DECLARED = frozenset({"VAR_DECL", "PARM_DECL", "FIELD_DECL"})


def is_member_constant(cursor: Cursor) -> bool:
    """Whether a declaration is of a constant static member of a user's class that device code can define again."""
    parent = cursor.semantic_parent
    if kind_of(cursor) != "VAR_DECL" or parent is None or kind_of(parent) not in RECORD_KINDS:
        return False
    if library.in_system_header(cursor) or types.is_reference(cursor.type):
        return False
    return is_repeatable(cursor) or _has_value_in_template(cursor)


def _has_value_in_template(member: Cursor) -> bool:
    """Whether a member of a template or an instantiation has its first value in the class, and storage by a definition
    outside."""
    is_of_template = kind_of(member.semantic_parent) not in _CLASSES or library.template_of(member) is not None
    if not is_of_template or not types.is_constant(member.type):
        return False
    first = library.initialiser(member.canonical)
    return first is not None and library.evaluate_integer(first) is not None


def member_key(cursor: Cursor, top: Node) -> MemberKey:
    """Return what is the same for all declarations and instantiations of a member."""
    pattern = library.template_of(cursor) or cursor
    return locations.file_location(pattern.canonical.location, top.tree.names)


def member_function(name: str) -> str:
    """Return the name of the function that gives a member's storage on the device."""
    return f"rex_constant_{name}"


def is_initialised_outside(unit: ParsedUnit, definition: Node) -> bool:
    """Whether a member gets its first value outside of its class, where this definition stands."""
    if kind_of(definition.cursor.lexical_parent) in RECORD_KINDS:
        return False
    name = re.escape(definition.spelling)
    return re.search(rf"\b{name}\s*(?:\[[^\]]*\]\s*)*[=({{]", unit.user_text(definition)) is not None


def object_uses(unit: ParsedUnit, top: Node) -> Iterator[tuple[Node, Cursor]]:
    """Yield the uses of such members below a node that need storage on the device, lambdas' included."""
    for node in top.walk() if unit.is_cplusplus else ():
        target = node.referenced if node.kind in _NAMES else None
        if target is None or not is_member_constant(target):
            continue
        if not _is_value(unit, node, target) and _is_evaluated(unit, node, top):
            yield node, target


def _is_value(unit: ParsedUnit, node: Node, target: Cursor) -> bool:
    """Whether a use is of the value alone, which the device's compiler knows."""
    if types.is_scalar(target.type):
        above = node.in_parentheses().parent
        if above is not None and above.kind == "UNEXPOSED_EXPR" and not types.is_constant(above.type):
            return _is_value_known(unit, node, target)
    if types.is_array(target.type) and library.template_of(target) is not None:
        return False  # nvcc knows the elements of an instantiation's array only where something else has asked for them
    if types.is_array(target.type) and _is_in_friend(node):
        return False  # there, too, nvcc has elements of arrays whose names are not qualified as they are in memory
    return library.is_constexpr(target) and _is_known_part(node) and _is_value_known(unit, node, target)


def _is_in_friend(node: Node) -> bool:
    """Whether code stands in a function that a class defines as its friend, and that is computed when it runs."""
    above = node.parent
    while above is not None and above.kind not in RECORD_KINDS:
        if above.kind in ("FUNCTION_DECL", "FUNCTION_TEMPLATE"):
            places = (above.cursor.lexical_parent, above.cursor.semantic_parent)
            is_friend = [kind_of(place) in RECORD_KINDS for place in places if place is not None] == [True, False]
            return is_friend and not library.is_constexpr(above.cursor)
        above = above.parent
    return False


def _is_value_known(unit: ParsedUnit, node: Node, target: Cursor) -> bool:
    """Whether a member's value stands in front of a use: in its class, or in a definition that comes first."""
    definition = (library.template_of(target) or target).get_definition()
    if definition is None or not is_initialised_outside(unit, top := node.tree.node(definition)):
        return True
    return top.start < node.start if top.file == node.file else node.file == unit.main


def _is_known_part(node: Node) -> bool:
    """Whether clang knows the value of a part of the object, or what a method makes of it."""
    part = node
    while part.parent is not None and part.parent.kind in _PARTS and part.parent.children[0] is part:
        part = part.parent
        if part.kind not in ("UNEXPOSED_EXPR", "CALL_EXPR") or types.is_constant(part.type):
            continue
        if types.is_scalar(part.type) and not types.is_pointer(part.type):
            return library.evaluate_integer(part.cursor) is not None
    return False


def _is_evaluated(unit: ParsedUnit, node: Node, top: Node) -> bool:
    """Whether a device may evaluate a use, rather than its compiler alone."""
    below = node
    while below is not top and below.parent is not None:
        above = below.parent
        if above is not top and is_only_compiled(above, below):
            return False
        if above.kind in _DECLARED and not _is_evaluated_value(unit, above, below):
            return False
        below = above
    return True


def _is_evaluated_value(unit: ParsedUnit, declared: Node, part: Node) -> bool:
    """Whether a part of a declaration is a first value that the run computes: no part of its type, no constant's."""
    name = locations.file_location(declared.cursor.location, declared.tree.names)[1]
    file = unit.files.get(declared.file)
    if part.start < name or file is None:
        return False
    text = file.scan.source.text
    before = text[file.original(name) : file.original(part.start)]
    if before.count("[") > before.count("]"):
        return False  # an extent
    specifiers = text[file.original(declared.start) : file.original(name)]
    return not re.match(r"(?:static\s+|inline\s+)*const(?:expr|init)\b", specifiers)
