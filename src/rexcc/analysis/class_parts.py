"""What classes are made of, templates among them: bases, and the types that they are instantiated with.

Clang does not tell the bases of a class that is made from a template where they depend on its parameters; then
`family_of` has the named template with its specialisations, any of which may be meant, and `classes_among` the classes
among the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.dependent_bases import (
    chosen_classes,
    is_parameter_type,
    with_classes_around,
    with_specialisations,
)
from rexcc.clang.given_types import gives_unknown, holds_unknown, with_alias
from rexcc.clang.tree import kind_of

TEMPLATES = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
"""The kinds of cursors of class templates."""
_PARTS = ("FIELD_DECL", "CXX_BASE_SPECIFIER")
_UNKNOWN = frozenset({"DEPENDENT", "UNEXPOSED", "INVALID"})


def family_of(base: Cursor) -> list[Cursor]:
    """Return the template of the user's that a base class is made from, and its specialisations; nothing for anything
    else."""
    template = _named_template(*with_alias(base))
    while template is not None and kind_of(template) == "TYPE_ALIAS_TEMPLATE_DECL":
        alias = next((c for c in template.get_children() if kind_of(c) == "TYPE_ALIAS_DECL"), None)
        template = None if alias is None else _named_template(alias, str(alias.underlying_typedef_type.spelling))
    if template is None or kind_of(template) != "CLASS_TEMPLATE" or library.in_system_header(template):
        return []
    return with_specialisations(template)


def is_known(part: Cursor) -> bool:
    """Whether a base or member of a template has a type that is a parameter, or made from a template by its name:
    `family_of` has that, where it is the user's, and `classes_among` what objects it may be given."""
    if is_parameter(part) or names_parameter(part) or chosen_classes(part):
        return True
    family = family_of(part)
    if family:
        return not holds_unknown(part, family)
    template = _named_template(*with_alias(part))
    return template is not None and library.in_system_header(template) and not gives_unknown(part)


def may_hold_arguments(part: Cursor) -> bool:
    """Whether a base or member of a template, or what it is made from, has parts that may be objects of classes that a
    parameter is: not where all that depend on parameters are references, or made from the user's templates without."""
    waiting, seen = [part], set[int]()
    while waiting:
        current = waiting.pop()
        if types.is_reference(current.type) or not types.is_dependent(types.innermost(current.type)):
            continue
        templates = family_of(current)
        if not templates and not chosen_classes(current):
            return True
        for template in (t for t in templates if int(t.hash) not in seen):
            seen.add(int(template.hash))
            waiting += (member for member in library.children(template) if kind_of(member) in _PARTS)
    return False


def bases_of(kind: Type) -> list[Cursor]:
    """Return the bases of a class, as far as clang tells them."""
    return [member for member in types.members_of(kind) if kind_of(member) == "CXX_BASE_SPECIFIER"]


def _named_template(place: Cursor, spelled: str) -> Cursor | None:
    """Return the template that a type is made from by its name, not as a member of what depends on parameters."""
    if spelled.startswith("typename ") or ">::" in spelled:
        return None
    named = (child.referenced for child in place.get_children() if kind_of(child) == "TEMPLATE_REF")
    return next(named, None)


def names_parameter(base: Cursor) -> bool:
    """Whether a base class is a parameter of the template."""
    kinds = [kind_of(child.referenced) for child in base.get_children() if child.referenced is not None]
    return str(base.type.spelling).isidentifier() and kinds == ["TEMPLATE_TYPE_PARAMETER"]


def is_parameter(member: Cursor) -> bool:
    """Whether a member's type is a parameter of its template, also by an alias for it, or an array of such."""
    if is_parameter_type(types.innermost(member.type)):
        return True
    referenced = [kind_of(child.referenced) for child in member.get_children() if child.referenced is not None]
    return referenced == ["TEMPLATE_TYPE_PARAMETER"] and str(member.type.spelling).isidentifier()


def declares_reference(template: Cursor) -> bool:
    """Whether a template has a member that is a reference, or a base of which that is not known."""
    fields = [member for member in template.get_children() if kind_of(member) == "FIELD_DECL"]
    bases = [member for member in template.get_children() if kind_of(member) == "CXX_BASE_SPECIFIER"]
    return not all(map(names_parameter, bases)) or any(types.is_reference(member.type) for member in fields)


def _arguments(kind: Type) -> Iterator[Type]:
    """Yield the types that a class and those around it are instantiated with, and those that these are."""
    waiting, seen = with_classes_around(types.canonical(kind)), set[str]()
    while waiting:
        current = waiting.pop()
        for index in range(max(0, current.get_num_template_arguments())):
            argument = current.get_template_argument_type(index)
            if types.kind_name(argument) == "INVALID" or str(argument.spelling) in seen:
                continue
            seen.add(str(argument.spelling))
            yield argument
            waiting.append(types.canonical(types.without_reference(argument)))


def classes_among(kind: Type) -> list[Type]:
    """Return the classes that a class is instantiated with, at any depth, which objects can have."""
    return [argument for argument in _arguments(kind) if types.is_record(argument) and not _is_list_alone(argument)]


def _is_list_alone(argument: Type) -> bool:
    """Whether a class is only declared: it has no objects, but arguments of its own."""
    return bool(types.canonical(types.without_reference(argument)).get_declaration().get_definition() is None)


def has_reference_argument(kind: Type) -> bool:
    """Whether a class is instantiated with a reference, or with what is not known."""
    return any(types.is_reference(argument) or types.kind_name(argument) in _UNKNOWN for argument in _arguments(kind))
