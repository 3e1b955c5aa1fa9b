"""Objects of which a part may be on a device when a region starts that maps them implicitly (OpenMP 5.2, 5.8.3).

In: classes, and uses of objects in a region. Out: whether the unit maps parts of a class, and the members that the uses
name. The specification wants all of an object to be there where a part of it is; the runtime asks for what is used.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor, Type

from rexcc.analysis.device_constructs import all_constructs
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.program.components import Part
from rexcc.program.unit import ParsedUnit

_BRANCHES = frozenset({"IF_STMT", "SWITCH_STMT", "CONDITIONAL_OPERATOR"})
_PARTS = ("FIELD_DECL", "CXX_BASE_SPECIFIER")
_DEPTH = 8


def may_be_there_in_part(unit: ParsedUnit, kind: Type) -> bool:
    """Whether list items of the unit are parts of objects of a class, or of objects that these have inside."""
    mapped = unit.kept(_mapped_in_part)
    return bool(mapped) and _holds(types.canonical(types.without_reference(kind)), mapped, _DEPTH)


def _mapped_in_part(unit: ParsedUnit) -> frozenset[str]:
    """Return clang's names of the classes whose members list items name; a template stands for its instances."""
    items = (item for c in all_constructs(unit) for item in c.items("map"))
    members = (c.declaration for item in items for c in item.components if c.part is Part.MEMBER)
    return frozenset(_name(member.semantic_parent) for member in members if member is not None)


def _name(record: Cursor) -> str:
    return str((library.template_of(record) or record).get_usr())


def _holds(kind: Type, mapped: frozenset[str], depth: int) -> bool:
    while (element := types.element_of(kind)) is not None:
        kind = types.canonical(element)
    if not types.is_record(kind) or depth == 0:
        return False
    record = kind.get_declaration()
    if _name(record) in mapped:
        return True
    members = library.children(record)
    return any(_holds(types.canonical(m.type), mapped, depth - 1) for m in members if kind_of(m) in _PARTS)


def members_used(uses: Iterable[Node], region: Node) -> tuple[str, ...]:
    """Return the paths of the members that uses of an object name in a region's statement, as ``a.b``, each once.

    Left out is what does not say which bytes it needs: methods, arrays, whole objects, bit-fields and references; and
    what is used under a condition, which may never hold where the member is not there.
    """
    found = (_path(use) for use in uses if not _is_conditional(use, region))
    return tuple(dict.fromkeys(path for path in found if path))


def _is_conditional(use: Node, region: Node) -> bool:
    below = use
    for above in use.ancestors():
        if (below.start, below.end) == (region.start, region.end):
            return False
        is_branch = above.kind in _BRANCHES or above.operator in ("&&", "||")
        if above.is_called_code or (is_branch and above.children[0] is not below):
            return True
        below = above
    return False


def _path(use: Node) -> str:
    node = use if use.kind == "MEMBER_REF_EXPR" else _member_of(use)
    names: list[str] = []
    field: Cursor | None = None
    while node is not None:
        field = node.referenced
        if field is None or kind_of(field) != "FIELD_DECL":
            return ""
        names += [name] if (name := library.member_name(field)) else []
        node = _member_of(node) if types.is_record(types.canonical(field.type)) else None
    if field is None or field.is_bitfield() or types.is_reference(field.type):
        return ""
    kind = types.canonical(field.type)
    return ".".join(names) if types.is_scalar(kind) or types.is_pointer(kind) else ""


def _member_of(node: Node) -> Node | None:
    """Return the member that is named of an object, None where the object itself is used."""
    above = node.parent
    while above is not None and above.kind != "MEMBER_REF_EXPR" and above.bare() is node:
        above = above.parent
    return above if above is not None and above.kind == "MEMBER_REF_EXPR" else None
