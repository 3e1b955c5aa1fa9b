"""Objects of which a part may be on a device when a region starts that maps them implicitly (OpenMP 5.2, 5.8.3).

In: classes, and uses of objects in a region. Out: whether the unit maps parts of a class, and the members that the uses
name. The specification wants all of an object to be there where a part of it is; the runtime asks for what is used.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor, Type

from rexcc.analysis.addresses import may_be_changed
from rexcc.analysis.device_constructs import all_constructs
from rexcc.clang import library, types
from rexcc.clang.scopes import enclosing_scopes
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.program.components import Part
from rexcc.program.unit import ParsedUnit

_BRANCHES = frozenset({"IF_STMT", "SWITCH_STMT", "CONDITIONAL_OPERATOR"})
_PARTS = ("FIELD_DECL", "CXX_BASE_SPECIFIER")
_CLASSES = RECORD_KINDS | {"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
_DEPTH = 8


def may_be_there_in_part(unit: ParsedUnit, kind: Type) -> bool:
    """Whether list items of the unit are parts of objects of a class, or of objects that these have inside, or may be
    those of another unit that defines the class's destructor."""
    return _holds(types.canonical(types.without_reference(kind)), unit.kept(_mapped_in_part), _DEPTH)


def this_may_be_there_in_part(unit: ParsedUnit, function: Cursor) -> bool:
    """The same of the class that ``this`` points to in a function, a template or one around a lambda too."""
    record = next((c for c in enclosing_scopes(function) if str(c.spelling) and kind_of(c) in _CLASSES), None)
    return record is not None and _record_holds(record, unit.kept(_mapped_in_part), _DEPTH)


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
    return _record_holds(kind.get_declaration(), mapped, depth)


def _record_holds(record: Cursor, mapped: frozenset[str], depth: int) -> bool:
    if _name(record) in mapped:
        return True
    members = library.children(record) or types.members_of(record.type)  # those of an instance its template has
    if any(kind_of(m) == "DESTRUCTOR" and m.get_definition() is None for m in members):
        return not library.in_system_header(record)
    return any(_holds(types.canonical(m.type), mapped, depth - 1) for m in members if kind_of(m) in _PARTS)


def members_used(uses: Iterable[Node], region: Node) -> tuple[str, ...]:
    """Return the paths of the members that uses of an object name in a region's statement, as ``a.b``, each once.

    Left out is what does not say which bytes it needs: methods, arrays, whole objects, bit-fields and references; and
    what is used under a condition, which may never hold where the member is not there.
    """
    found = (_path(use) for use in uses if not _is_conditional(use, region))
    return tuple(dict.fromkeys(path for path in found if path))


def numbers_read(uses: Iterable[Node]) -> tuple[str, ...]:
    """Return the paths of the members that uses of an object name, where all do no more than to read numbers in it.

    These have the same values in a copy of the object. Empty where a use may change a member, or goes on to others by a
    pointer, a reference or a method.
    """
    found: dict[str, None] = {}
    for use in uses:
        path, member = _named(use)
        if member is None or not types.is_scalar(_number(member)) or not path or _may_change(member):
            return ()
        found[path] = None
    return tuple(found)


def number_read(use: Node) -> Node | None:
    """Return the member that a use of an object names, where it does no more than to read the number that this is."""
    path, member = _named(use)
    if member is None or not path or "." in path or _may_change(member):
        return None
    return member if types.is_scalar(types.canonical(member.cursor.type)) else None


def _number(member: Node) -> Type:
    """Return the type of a member, or of the elements of an array that it is."""
    return types.innermost(types.canonical(member.cursor.type))


def _may_change(member: Node) -> bool:
    return types.is_volatile(_number(member)) or may_be_changed(member)


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
    path, member = _named(use)
    kind = types.canonical(member.cursor.type) if member is not None else None
    return path if kind is not None and (types.is_scalar(kind) or types.is_pointer(kind)) else ""


def _named(use: Node) -> tuple[str, Node | None]:
    """Return the path of the innermost member that a use of an object names, and its node; none where the use does not
    say which bytes it needs."""
    node = use if use.kind == "MEMBER_REF_EXPR" else _member_of(use)
    names: list[str] = []
    member: Node | None = None
    while node is not None:
        member, field = node, node.referenced
        if field is None or kind_of(field) != "FIELD_DECL" or field.is_bitfield() or types.is_reference(field.type):
            return "", None
        names += [name] if (name := library.member_name(field)) else []
        node = _member_of(node) if types.is_record(types.canonical(field.type)) else None
    return ".".join(names), member


def _member_of(node: Node) -> Node | None:
    """Return the member that is named of an object, None where the object itself is used."""
    above = node.parent
    while above is not None and above.kind != "MEMBER_REF_EXPR" and above.bare() is node:
        above = above.parent
    return above if above is not None and above.kind == "MEMBER_REF_EXPR" else None
