"""Global variables that device code reaches through a pointer of the unit's image.

In: the ``declare target`` variables of a unit. Out: :class:`Linked` for those whose storage is not in the image:
``link`` variables, which are on the device while they are mapped; variables that another unit defines; static members
of classes, variables of which several units may have a definition, and those whose first value only the host can
compute; under ``requires unified_shared_memory`` all of them, for there is one storage then. The image's pointer has a
shadow on the host, an entry of the unit, to which the runtime attaches the storage.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from enum import Enum

from clang.cindex import Cursor, LinkageKind, Type

from rexcc.analysis.constant_values import has_constant_value, is_repeatable
from rexcc.clang import classes, library, types
from rexcc.clang.scopes import classes_around, namespaces_around
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, replace
from rexcc.source.text import ascii_name


class Way(Enum):
    """When the runtime attaches the storage."""

    MAPPED = "by each mapping of the variable"
    FOUND = "once, where another unit's image or the host has it"
    COPIED = "once, to storage with the value that the host has when the program begins"


@dataclass(frozen=True, eq=False)
class Linked:
    """A variable, the name of its pointers on host and device, and when they are attached; ``is_looked_for``: other
    units may find the storage that this one gives it."""

    cursor: Cursor
    name: str
    way: Way
    is_looked_for: bool = False


def linked_variables(
    variables: Mapping[Variable, Cursor],
    links: Container[Variable],
    defined: Container[Variable],
    merged: Container[Variable],
    unified: bool,
    alone: bool,
) -> dict[Variable, Linked]:
    """Return the linked ones.

    ``links`` are those of ``link`` clauses, ``defined`` those with storage here, ``merged`` those of which other files
    may have definitions too: they are one variable on the host, and have one storage on the device; ``alone``: there is
    no other unit that could look for one.
    """
    found: dict[Variable, Linked] = {}
    for variable, cursor in variables.items():
        if variable in links and not unified:
            add_link(found, cursor, Way.MAPPED)
        elif is_repeatable(cursor):  # device code has its definition
            continue
        elif variable not in defined or unified:
            add_link(found, cursor, Way.COPIED if not unified and _is_plain_constant(cursor) else Way.FOUND)
        elif variable in merged or is_static_member(cursor) or _has_no_symbol(cursor) or not has_constant_value(cursor):
            is_only_one = variable not in merged and not is_of_unit_alone(cursor)
            add_link(found, cursor, Way.COPIED, is_looked_for=is_only_one and not alone)
    together = {_place(linked.cursor) for linked in found.values() if linked.way is not Way.FOUND}
    for variable, cursor in variables.items():
        if variable not in found and _place(cursor) in together:  # int a = 1, b = f(): one text
            add_link(found, cursor, Way.COPIED, is_looked_for=not alone and not is_of_unit_alone(cursor))
    return found


def _is_plain_constant(cursor: Cursor) -> bool:
    """Whether a copy of the host's bytes is as good as a variable: a constant that points to nothing. The unit that
    defines it may have it as a constant of its device code, which others do not find."""
    kind = cursor.type
    is_fixed = types.is_constant(kind) and kind.get_size() > 0 and not types.holds_pointers(kind)
    element = types.innermost(kind)
    return is_fixed and is_copied(kind) and not (types.is_record(element) and classes.has_mutable_part(element))


def _place(cursor: Cursor) -> tuple[str, int]:
    start = cursor.extent.start
    return str(start.file), int(start.offset)


def add_link(
    found: dict[Variable, Linked], cursor: Cursor, way: Way, mark: str = "", is_looked_for: bool = False
) -> None:
    """Give a variable its pointer; ``mark`` is the unit's where devices' linkers join its image with others'."""
    name = _shared_name(cursor, mark) if mark else _name(found, cursor)
    found[Variable(cursor)] = Linked(cursor, name, way, is_looked_for)


def marked(found: Mapping[Variable, Linked], mark: str) -> dict[Variable, Linked]:
    """Return linked variables with the names that their pointers have in an image of several units."""
    return {key: replace(linked, name=_shared_name(linked.cursor, mark)) for key, linked in found.items()}


def _shared_name(cursor: Cursor, mark: str) -> str:
    """Return the name of a pointer that all units have in common, for functions of headers are merged; a variable
    that is this unit's alone has a pointer of its own."""
    name = f"rex_link_{cursor.mangled_name}"
    return ascii_name(f"{name}_{mark}" if is_of_unit_alone(cursor) else name)


def is_of_unit_alone(cursor: Cursor) -> bool:
    """Whether other units may have another variable of that name."""
    return cursor.linkage in (LinkageKind.INTERNAL, LinkageKind.UNIQUE_EXTERNAL)


def _name(found: Mapping[Variable, Linked], cursor: Cursor) -> str:
    base = ascii_name("rex_link_" + "_".join(_names(cursor)))
    known = {linked.name for linked in found.values()}
    name, count = base, 1
    while name in known:
        count += 1
        name = f"{base}_{count}"
    return name


def _has_no_symbol(cursor: Cursor) -> bool:
    """Whether a variable or its type is of an unnamed namespace, so that its image's storage could not be found by
    name: such a type is the file's alone, and so are variables of it (C++20, [basic.link]/9)."""
    is_inside = any(not space.spelling for space in namespaces_around(cursor))
    return is_inside or "(anonymous namespace)" in str(library.canonical_type(cursor.type).spelling)


def is_static_member(cursor: Cursor) -> bool:
    """Whether a variable is a class's."""
    return cursor.semantic_parent is not None and kind_of(cursor.semantic_parent) in RECORD_KINDS


def is_polymorphic(kind: Type) -> bool:
    """Whether objects of a class have pointers to virtual functions, which differ between host and device."""
    record = types.canonical(kind).get_declaration()
    for member in record.get_children():
        if member.kind.name in ("CXX_METHOD", "DESTRUCTOR") and member.is_virtual_method():
            return True
        part = member.type if member.kind.name in ("FIELD_DECL", "CXX_BASE_SPECIFIER") else None
        while part is not None and (below := types.element_of(part)) is not None:
            part = below
        if part is not None and types.is_record(part) and is_polymorphic(part):
            return True
    return False


def is_copied(kind: Type) -> bool:
    """Whether the bytes of an object that the host has made are one on the device: nothing in it is the host's."""
    element = types.shape_of(kind).element if types.is_array(kind) else kind
    return not types.is_record(element) or (classes.is_copied_as_bytes(element) and not is_polymorphic(element))


def is_lone(cursor: Cursor) -> bool:
    """Whether there is one such variable, not one for each instantiation of a class template."""
    return not any(
        kind_of(record).startswith("CLASS_TEMPLATE") or library.template_of(record) is not None
        for record in classes_around(cursor)
    )


def is_definition(cursor: Cursor) -> bool:
    """Whether a declaration gives a variable its storage, tentatively perhaps."""
    if is_static_member(cursor):
        return bool(cursor.is_definition())
    return cursor.storage_class.name != "EXTERN" or library.initialiser(cursor) is not None


def _names(cursor: Cursor) -> list[str]:
    names: list[str] = []
    current: Cursor | None = cursor
    while current is not None and kind_of(current) != "TRANSLATION_UNIT":
        if current.spelling and kind_of(current) != "LINKAGE_SPEC":
            names.insert(0, str(current.spelling))
        current = current.semantic_parent
    return names
