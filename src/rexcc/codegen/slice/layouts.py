"""Layouts of types that host and device both see, compared when device text is compiled.

In: kernels, with the types of what they map and are passed. Out: for each definition a line of device text that fails
to compile where the device's compiler lays the type out in another way than the host's does, as clang says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.clang import spelling, types
from rexcc.clang.library import canonical_type
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.source.line_directives import c_string

MESSAGE = "rexcc: the host lays out"
"""How the text begins with which such a line fails; the type's name follows, in quotes."""
_RECORDS = ("STRUCT_DECL", "UNION_DECL", "CLASS_DECL")
_HIDDEN = ("PRIVATE", "PROTECTED")
_MOST = 500


def shared_types(kernels: Iterable[Kernel]) -> frozenset[int]:
    """Return the classes that what kernels use or map consists of, or points to, by the hash of their declarations."""
    found: set[int] = set()
    waiting = [kind for kernel in kernels for kind in _types_of(kernel)]
    while waiting and len(found) < _MOST:
        kind = _without_pointers(waiting.pop())
        if not types.is_record(kind):
            continue
        declared = kind.get_declaration()
        key = int(declared.canonical.hash)
        if key not in found:
            found.add(key)
            waiting += [field.type for field in kind.get_fields()]
    return frozenset(found)


def _types_of(kernel: Kernel) -> Iterable[Type]:
    """Return the types of the variables that clauses name, and of those that a kernel uses."""
    found: dict[str, Type] = {}
    expressions = (node for construct in kernel.region.constructs for node in construct.nodes)
    for node in (inner for expression in expressions for inner in expression.walk()):
        if node.kind == "DECL_REF_EXPR" and node.referenced is not None:
            found.setdefault(node.spelling, types.declared_type(node.referenced))
    found |= {a.variable.name: types.declared_type(a.variable.cursor) for a in kernel.data.attributes}
    return found.values()


def _without_pointers(kind: Type) -> Type:
    found = types.canonical(kind)
    while True:
        if types.is_array(found):
            found = types.canonical(found.get_array_element_type())
        elif types.kind_name(found) == "POINTER":
            found = types.canonical(found.get_pointee())
        else:
            return found


def layout_lines(unit: ParsedUnit, top: Node, shared: frozenset[int]) -> str:
    """Return the lines for the definitions in a declaration that host and device share, to stand behind it."""
    found = (n for n in top.walk() if n.kind in _RECORDS and n.cursor.is_definition())
    return "".join(_layout_line(unit, n) for n in found if int(n.cursor.canonical.hash) in shared)


def object_layouts(objects: Iterable[tuple[str, Type]]) -> tuple[str, ...]:
    """Return lines for the objects of a kernel, by name and type, whose classes have no line where they are defined.

    These are instances of class templates and what no text behind the definition can name: classes without a name, in
    functions, or private to others. The kernel's own name for the object stands for them.
    """
    found: dict[str, str] = {}
    for name, kind in objects:
        element = types.shape_of(kind).element if types.is_array(kind) else kind
        size = types.canonical(kind).get_size()
        declared = types.canonical(element).get_declaration()
        if not types.is_record(element) or size <= 0 or types.has_runtime_extent(kind):
            continue
        if _is_nameable(declared):
            continue
        shown = name if declared.is_anonymous() else spelling.spell(element)
        checks = [f"sizeof {name} == {size}", *_places(f"rex_element_type<__typeof__({name})>", element)]
        message = c_string(f"{MESSAGE} '{shown}' differently")
        found[name] = f"static_assert({' && '.join(checks)}, {message});"
    return tuple(found.values())


def _layout_line(unit: ParsedUnit, node: Node) -> str:
    """Return the line for a definition; empty for one whose name nobody can say, or whose size depends on more."""
    name, size = spelling.spell(node.type), node.type.get_size()
    if size <= 0 or not _is_nameable(node.cursor):
        return ""
    checks = [f"sizeof({name}) == {size}"]
    checks += _places(name, node.type) if unit.is_cplusplus else _all_places(name, node.type)
    message = c_string(f"{MESSAGE} '{name}' differently")
    return f" static_assert({' && '.join(checks)}, {message});"


def _places(name: str, kind: Type) -> list[str]:
    """Return conditions on the places of the members that every compiler knows: those of plain classes."""
    return _all_places(name, kind) if types.canonical(kind).is_pod() else []


def _all_places(name: str, kind: Type) -> list[str]:
    return [f"__builtin_offsetof({name}, {field}) == {offset}" for field, offset in _offsets(canonical_type(kind))]


def _is_nameable(cursor: Cursor) -> bool:
    """Whether text behind a class's definition can name it: no instance of a template, unnamed, private, or local."""
    at = cursor
    while at is not None and kind_of(at) in (*RECORD_KINDS, "NAMESPACE", "LINKAGE_SPEC"):
        if at.access_specifier.name in _HIDDEN or (kind_of(at) in RECORD_KINDS and not _has_plain_name(at)):
            return False
        at = at.semantic_parent
    return at is not None and kind_of(at) == "TRANSLATION_UNIT"


def _has_plain_name(record: Cursor) -> bool:
    return kind_of(record) in _RECORDS and not record.is_anonymous() and record.get_num_template_arguments() < 0


def _offsets(kind: Type) -> Iterator[tuple[str, int]]:
    """Yield the members with their offsets, but for those that follow another one of their type without a gap."""
    last: tuple[str, int] = ("", -1)
    for field in kind.get_fields():
        offset = kind.get_offset(field.spelling) if field.spelling else -1
        if offset < 0 or _has_no_place(field):
            last = ("", -1)
            continue
        known = canonical_type(field.type).spelling
        if (known, offset // 8) != last and offset:
            yield field.spelling, offset // 8
        last = (known, offset // 8 + field.type.get_size())


def _has_no_place(field: Cursor) -> bool:
    return bool(field.is_bitfield()) or field.access_specifier.name in _HIDDEN
