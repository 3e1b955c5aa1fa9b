"""Functions that no expression names, because the compiler makes the function that calls them.

In: a class of which code makes an object, or a function that code calls. Out: what the object brings with it: its
destructor, its virtual functions, those of its bases and members, and their constructors; and what a copy, an
assignment or a comparison calls which goes member by member (C++20, 11.4.4 and 11.10). libclang has no members of
implicit instantiations: those of the template stand for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.tree import RECORD_KINDS, kind_of

_TEMPLATES = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_ASSIGNING = frozenset({"operator="})
_COMPARING = frozenset({"operator==", "operator<=>", "operator<"})

Role = Callable[[Cursor], bool]


def implied_functions(function: Cursor) -> Iterator[Cursor]:
    """Yield the functions that a function of a class calls without a word for them in the program."""
    record = function.semantic_parent
    if kind_of(function) == "CONSTRUCTOR":
        copies_parts = _copies(function) and function.is_default_method()
        yield from _of_object(record, {(_key(record), True)}, not copies_parts)
        yield from inherited_constructors(function)
    role = _role(function)
    if role is not None and function.is_default_method():
        yield from _memberwise(record, role, {_key(record)})


def inherited_constructors(constructor: Cursor) -> Iterator[Cursor]:
    """Yield the constructors that one may stand for that ``using Base::Base;`` brings: it has the base's name."""
    name, record = str(constructor.spelling).partition("<")[0], constructor.semantic_parent
    if name == record.spelling.partition("<")[0]:
        return
    waiting = list(base_classes(record))
    while waiting:
        base = waiting.pop()
        waiting += base_classes(base)
        if base.spelling.partition("<")[0] == name:
            yield from (m for m in declared_members(base) if kind_of(m) in ("CONSTRUCTOR", "FUNCTION_TEMPLATE"))


def functions_of_object(record: Cursor) -> Iterator[Cursor]:
    """Yield what an object of a class brings with it: its destructor, virtual functions, and those of its bases and
    members, whose constructors nobody names either."""
    yield from _of_object(record, {(_key(record), True)}, makes_parts=True)


def functions_of_end(record: Cursor) -> Iterator[Cursor]:
    """Yield the same of an object whose constructor is named."""
    yield from _of_object(record, {(_key(record), True)}, makes_parts=False)


def functions_of_copy(record: Cursor) -> Iterator[Cursor]:
    """Yield what a copy of an object calls: the constructors that copy it or its parts, and what the copy brings with
    it."""
    yield from _of_whole(record, _copies)
    yield from _of_object(record, {(_key(record), True)}, _writes_copies(record))


def functions_of_assignment(record: Cursor) -> Iterator[Cursor]:
    """Yield the operators that copy the value of an object or, where the program writes none for the whole, of its
    parts; no other operator ``=``."""
    yield from _of_whole(record, lambda member: bool(member.is_copy_assignment_operator_method()))


def _of_whole(record: Cursor, role: Role) -> Iterator[Cursor]:
    found = [member for member in declared_members(record) if role(member)]
    yield from _with_parameters(found)
    if all(member.is_default_method() for member in found):
        yield from _memberwise(record, role, {_key(record)})


def _with_parameters(functions: Iterable[Cursor]) -> Iterator[Cursor]:
    """Yield functions, and what makes and ends the copies that those which assign take: ``operator=(Part from)``."""
    for function in functions:
        yield function
        kinds = [parameter.type for parameter in function.get_arguments()]
        if function.spelling in _ASSIGNING and not any(map(types.is_reference, kinds)):
            yield from functions_of_copy(function.semantic_parent)


def _of_object(record: Cursor, seen: set[tuple[int, bool]], makes_parts: bool) -> Iterator[Cursor]:
    """Yield what an object brings with it. ``makes_parts``: constructors without arguments may make its parts; those of
    a copy that goes member by member they do not, down to parts whose copies are the program's own code."""
    if library.in_system_header(record):
        return
    members, bases = declared_members(record), list(base_classes(record))
    for member in members:
        if kind_of(member) == "DESTRUCTOR" or (kind_of(member) == "CXX_METHOD" and _is_virtual(member, bases)):
            yield member
    for part in (*bases, *member_classes(record)):
        makes_part = makes_parts and may_need_no_arguments(part)
        if (_key(part), makes_part) not in seen:
            seen.add((_key(part), makes_part))
            made = (m for m in declared_members(part) if makes_part and m.is_default_constructor())
            yield from (m for m in made if not library.is_forbidden(m))
            yield from _of_object(part, seen, makes_part or _writes_copies(part))


def _writes_copies(record: Cursor) -> bool:
    """Whether constructors of a class that copy are the program's: what they do not name begins without arguments."""
    return any(_copies(member) and not member.is_default_method() for member in declared_members(record))


def may_need_no_arguments(record: Cursor) -> bool:
    """Whether a class may have a constructor that is called without arguments; the compiler makes it one where it
    declares none."""
    name = record.spelling.partition("<")[0]
    declared = [m for m in declared_members(record) if kind_of(m) == "CONSTRUCTOR"]
    templates = any(kind_of(m) == "FUNCTION_TEMPLATE" and m.spelling.startswith(name) for m in declared_members(record))
    return templates or not declared or any(m.is_default_constructor() for m in declared)


def _memberwise(record: Cursor, role: Role, seen: set[int]) -> Iterator[Cursor]:
    """Yield the functions of a role that the bases and members of a class have, down to those that the program has."""
    if library.in_system_header(record):
        return
    for part in (*base_classes(record), *member_classes(record)):
        if _key(part) in seen:
            continue
        seen.add(_key(part))
        found = [m for m in declared_members(part) if role(m)]
        yield from _with_parameters(found)
        if all(member.is_default_method() for member in found):
            yield from _memberwise(part, role, seen)


def _role(function: Cursor) -> Role | None:
    """Return what tells the functions that do the same for members; None for a function that does it for none."""
    if kind_of(function) == "CONSTRUCTOR":
        return _copies if _copies(function) else None
    names = next((n for n in (_ASSIGNING, _COMPARING) if function.spelling in n), None)
    return (lambda member: member.spelling in names) if names is not None else None


def _copies(member: Cursor) -> bool:
    is_constructor = kind_of(member) == "CONSTRUCTOR"
    return is_constructor and bool(member.is_copy_constructor() or member.is_move_constructor())


def _key(record: Cursor) -> int:
    return int(record.canonical.hash)


def declared_members(record: Cursor) -> list[Cursor]:
    """Return the members of a class; of an implicit instantiation those of its template."""
    members = list((record.get_definition() or record).get_children())
    pattern = library.template_of(record)
    return members if members or pattern is None else list((pattern.get_definition() or pattern).get_children())


def member_classes(record: Cursor) -> Iterator[Cursor]:
    """Yield the classes of a class's members."""
    if kind_of(record) in _TEMPLATES:
        kinds = [m.type for m in declared_members(record) if kind_of(m) == "FIELD_DECL"]
    else:
        kinds = [m.type for m in record.type.get_fields()]
    yield from (found for kind in kinds for found in _class_of(kind))


def base_classes(record: Cursor) -> Iterator[Cursor]:
    """Yield a class's direct bases; those that are parameters of its template are among its arguments."""
    for member in declared_members(record):
        if kind_of(member) == "CXX_BASE_SPECIFIER":
            found = list(_class_of(member.type))
            yield from found or _named_arguments(record, str(member.type.spelling))


def _class_of(kind: Type) -> Iterator[Cursor]:
    """Yield the class of a type, or of the elements of an array type; of a dependent type its template."""
    while (below := types.element_of(kind)) is not None:
        kind = below
    for each in (types.canonical(kind), kind):
        declaration = each.get_declaration()
        if kind_of(declaration) in RECORD_KINDS | _TEMPLATES:
            yield declaration
            return


def _named_arguments(record: Cursor, text: str) -> Iterator[Cursor]:
    """Yield the classes among a class's template arguments whose parameters a text names."""
    pattern = library.template_of(record)
    if pattern is None:
        return
    words = set(re.findall(r"\w+", text))
    parameters = [c for c in pattern.get_children() if kind_of(c).startswith("TEMPLATE_")]
    first = next((n for n, c in enumerate(parameters) if c.spelling in words), None)
    for index in range(max(0, record.type.get_num_template_arguments())) if first is not None else ():
        yield from _class_of(record.type.get_template_argument_type(index))


def _is_virtual(method: Cursor, bases: list[Cursor]) -> bool:
    """Whether a method is virtual; in a template, where clang does not know bases, it is one by its name."""
    if method.is_virtual_method() or any(kind_of(c) == "CXX_OVERRIDE_ATTR" for c in method.get_children()):
        return True
    if method.is_static_method():
        return False
    return any(_declares_virtual(base, str(method.spelling), {_key(base)}) for base in bases)


def _declares_virtual(record: Cursor, name: str, seen: set[int]) -> bool:
    if any(
        kind_of(m) == "CXX_METHOD" and m.spelling == name and m.is_virtual_method() for m in declared_members(record)
    ):
        return True
    above = [base for base in base_classes(record) if _key(base) not in seen]
    seen.update(map(_key, above))
    return any(_declares_virtual(base, name, seen) for base in above)
