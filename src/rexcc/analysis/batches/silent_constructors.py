"""Constructors that are called without a word in the text: those that begin the members and bases of an object.

In: a class whose copies call nothing (`copied_bytes.py`). Out: the program's constructors that an object may call for
the parts that no initialiser is written for, and those that a class may have of its bases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clang.cindex import Cursor, Type

from rexcc.analysis.class_parts import (
    TEMPLATES,
    bases_of,
    classes_among,
    family_of,
    is_known,
    is_parameter,
    names_parameter,
)
from rexcc.clang import classes, library, types
from rexcc.clang.dependent_bases import chosen_classes
from rexcc.clang.given_types import classes_given
from rexcc.clang.tree import kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass

_PARTS = ("FIELD_DECL", "CXX_BASE_SPECIFIER")


@dataclass(eq=False)
class SilentConstructors:
    """The constructors of a unit's classes."""

    unit: ParsedUnit

    def called_by(self, kind: Type, written: frozenset[str] = frozenset()) -> list[Cursor] | None:
        """Return the constructors that may be called for the parts of a class for which none is written, but for the
        members whose names are ``written``; None where a part begins with a value that is not a constant."""
        if not types.is_record(kind):
            return []
        found = types.canonical(kind)
        called: list[Cursor] = []
        for member in types.members_of(found):
            if (
                kind_of(member) == "FIELD_DECL"
                and member.spelling not in written
                and not classes.begins_with_constants(member)
            ):
                return None
        parts = [m.type for m in found.get_fields() if m.spelling not in written]
        parts += [base.type for base in bases_of(found) if types.is_record(base.type)]
        of_templates = _parts_of_templates(found)
        if of_templates is None:
            return None
        templates, given = of_templates
        for part in (*parts, *given):
            is_object = types.is_record(part) and not types.is_reference(part)
            if is_object and not self._add_constructors(types.innermost(part), called):
                return None
        for template in templates:
            if not all(classes.begins_with_constants(m) for m in template.get_children() if kind_of(m) == "FIELD_DECL"):
                return None
            called += self._instances(self._beginning(list(template.get_children()), template))
        return called

    def inherited_by(self, kind: Type) -> list[Cursor] | None:
        """Return the constructors of a class's bases that it may have by ``using``, None if they are not known."""
        found: list[Cursor] = []
        for base in bases_of(types.canonical(kind)):
            is_known = types.is_record(base.type)
            family = [types.canonical(base.type).get_declaration()] if is_known else family_of(base)
            if not family:
                return None
            for record in family:
                members = types.members_of(base.type) if is_known else list(record.get_children())
                found += self._instances([m for m in members if makes_objects(m)])
        return found

    def _add_constructors(self, part: Type, called: list[Cursor]) -> bool:
        """Add what an object may call that begins without a value; False if that is not known."""
        members = types.members_of(part)
        beginning = self._beginning(members, part.get_declaration())
        if beginning and library.in_system_header(beginning[0]):
            return False
        if beginning:
            called += self._instances(beginning)
            return True
        below = self.called_by(part)
        called += below or []
        return below is not None

    @staticmethod
    def _beginning(members: Sequence[Cursor], record: Cursor) -> list[Cursor]:
        """Return the constructors that take nothing and are the program's; templates where there are no others."""
        name = str(record.spelling).partition("<")[0]
        plain = [m for m in members if kind_of(m) == "CONSTRUCTOR" and m.is_default_constructor()]
        if plain:
            return [m for m in plain if not m.is_default_method()]
        return [m for m in members if kind_of(m) == "FUNCTION_TEMPLATE" and str(m.spelling).partition("<")[0] == name]

    def _instances(self, constructors: list[Cursor]) -> Iterator[Cursor]:
        """Yield what is made of constructors of templates; what is not made is not called."""
        for constructor in constructors:
            made = [node.cursor for node in self.unit.instances.of(constructor)]
            is_pattern = (
                kind_of(constructor) == "FUNCTION_TEMPLATE" or kind_of(constructor.semantic_parent) in TEMPLATES
            )
            yield from made if made or is_pattern else [constructor]


def makes_objects(member: Cursor) -> bool:
    """Whether a member of a class is a constructor of the program's, a template of them, or may be one of a base."""
    if kind_of(member) == "CONSTRUCTOR":
        return not is_silent(member)
    if kind_of(member) != "FUNCTION_TEMPLATE":
        return kind_of(member) == "USING_DECLARATION"
    return str(member.spelling).partition("<")[0] == str(member.semantic_parent.spelling).partition("<")[0]


def is_silent(method: Cursor) -> bool:
    """Whether a method is the compiler's own, or is there to be called by nobody."""
    return bool(method.is_default_method() or method.is_deleted_method())


def _parts_of_templates(kind: Type) -> tuple[list[Cursor], list[Type]] | None:
    """Return the templates that bases of a class may be made from where they depend on its parameters, with those of
    their parts, and the classes of which they may have objects; None if they may be made of anything."""
    waiting = [base for base in bases_of(kind) if not types.is_record(base.type)]
    templates: list[Cursor] = []
    given: list[Type] = []
    while waiting:
        part = waiting.pop()
        if is_parameter(part) or names_parameter(part):
            given += classes_among(kind)
            continue
        family, chosen = family_of(part), chosen_classes(part)
        if not (family or chosen) or not is_known(part):
            return None
        given += (each.type for each in chosen)
        given += classes_given(part)
        for template in (each for each in family if each not in templates):
            templates.append(template)
            for member in (m for m in template.get_children() if kind_of(m) in _PARTS):
                if types.is_reference(member.type) or types.is_pointer(types.innermost(member.type)):
                    continue  # no object
                if types.is_dependent(types.innermost(member.type)):
                    waiting.append(member)
                else:
                    given.append(member.type)
    return templates, given
