"""Layouts of types that host and device both see, compared when device text is compiled.

In: kernels, with the types of what they map and are passed. Out: for each definition a line of device text that fails
to compile where the device's compiler lays the type out in another way than the host's does, as clang says. nvcc
lays out members without a place of their own (``[[no_unique_address]]``, C++20 [dcl.attr.nouniqueaddr]) and packed
classes with bases in ways of its own, often without a word: its constants are right and its code is not. Objects of
such classes do not compile for GPUs (``REX_HAS_HOSTS_LAYOUTS``).
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
WITHOUT_PLACE = ", by a member without an address"
"""What such a text ends with where the reason is a member that needs no place of its own."""
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
        found |= {f"parts of {shown}": line for shown, line in _refusals(kind)}
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


def _refusals(kind: Type) -> Iterator[tuple[str, str]]:
    """Yield the classes that an object consists of, or leads to, which nvcc lays out wrongly, and a line for each."""
    waiting, seen = [kind], set[int]()
    while waiting and len(seen) < _MOST:
        found = _without_pointers(types.without_reference(waiting.pop()))
        declared = found.get_declaration()
        if not types.is_record(found) or int(declared.hash) in seen:
            continue
        seen.add(int(declared.hash))
        fields, bases = list(found.get_fields()), _bases(declared)
        without_place = _has_wrong_place(found, fields)
        if without_place or _is_packed_with_others(declared, fields, bases):
            shown = spelling.spell(found).removeprefix("const ")
            message = c_string(f"{MESSAGE} '{shown}' differently{WITHOUT_PLACE if without_place else ''}")
            yield shown, f"static_assert(REX_HAS_HOSTS_LAYOUTS, {message});"
        waiting += [*(field.type for field in fields), *bases]


def _bases(declared: Cursor) -> list[Type]:
    return [types.canonical(c.type) for c in declared.get_children() if kind_of(c) == "CXX_BASE_SPECIFIER"]


def _has_wrong_place(kind: Type, fields: list[Cursor]) -> bool:
    """Whether nvcc may not find a member that needs no place of its own, or what stands at or behind it.

    It finds an empty one at the beginning of the object, in front of others, and one whose place nothing else uses.
    """
    places = [kind.get_offset(field.spelling) // 8 if field.spelling else -1 for field in fields]
    has_bases = bool(_bases(kind.get_declaration()))
    for number, field in enumerate(fields):
        if not any(map(_says_no_address, field.get_children())) or not types.is_record(field.type):
            continue
        if any(types.canonical(field.type).get_fields()):
            if any(place < places[number] + field.type.get_size() for place in places[number + 1 :]):
                return True
        elif places[number] != 0 or number == len(fields) - 1 or not (has_bases or 0 in _others(places, fields)):
            return len(fields) > 1 or has_bases
    return False


def _others(places: list[int], fields: list[Cursor]) -> list[int]:
    """Return the places of the members that have one of their own."""
    return [p for p, field in zip(places, fields, strict=True) if not any(map(_says_no_address, field.get_children()))]


def _says_no_address(attribute: Cursor) -> bool:
    words = (token.spelling for token in attribute.get_tokens())
    return kind_of(attribute) == "UNEXPOSED_ATTR" and next(words, "").strip("_") == "no_unique_address"


def _is_packed_with_others(declared: Cursor, fields: list[Cursor], bases: list[Type]) -> bool:
    """Whether a packed class has parts that compilers pack or do not: bases, and objects that are not plain."""
    if not any(kind_of(child) == "PACKED_ATTR" for child in declared.get_children()):
        return False
    parts = [types.canonical(types.shape_of(f.type).element if types.is_array(f.type) else f.type) for f in fields]
    return any(any(base.get_fields()) for base in bases) or any(map(_may_stay_unpacked, parts))


def _may_stay_unpacked(kind: Type) -> bool:
    return types.is_record(kind) and bool(not kind.is_pod() or _bases(kind.get_declaration()))


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
