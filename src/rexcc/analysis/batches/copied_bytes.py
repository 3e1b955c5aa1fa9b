"""Classes whose objects are copied, moved and destroyed without any code of the program's that does more.

In: a type. Out: whether a copy, a move or the end of an object copies its parts and does nothing else
(``is_copied_silently``), whether its object may refer to another one (``may_refer``), and which constructors an object
may call for what no initialiser is written for (``constructors``). Where clang does not tell the bases of a class, all
that the named template and its specialisations declare counts (`class_parts.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor, Type

from rexcc.analysis.batches.silent_constructors import SilentConstructors, is_silent, makes_objects
from rexcc.analysis.class_parts import (
    bases_of,
    classes_among,
    declares_reference,
    family_of,
    has_reference_argument,
    is_known,
    is_parameter,
    names_parameter,
)
from rexcc.analysis.copies_made import copies_members_alone
from rexcc.clang import classes, library, types
from rexcc.clang.given_types import classes_given
from rexcc.clang.tree import Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, field


@dataclass(eq=False)
class CopiedBytes:
    """What is known of a unit's classes."""

    unit: ParsedUnit
    _copied: dict[tuple[int, str], bool] = field(default_factory=dict)
    _referring: dict[tuple[int, str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.constructors = SilentConstructors(self.unit)

    def is_copied_silently(self, kind: Type) -> bool:
        """Whether objects of a type (references aside) are copied and end without code of the program's, and nobody
        else changes them: numbers, pointers, references, arrays and classes of them."""
        if types.is_reference(kind):
            return self.is_copied_silently(types.without_reference(kind))
        if types.is_volatile(kind):
            return False
        if types.is_array(kind):
            element = types.element_of(kind)
            return element is not None and self.is_copied_silently(element)
        if types.is_scalar(kind) or types.is_pointer(kind):
            return True
        return types.is_record(kind) and self._of_class(types.canonical(kind))

    def _of_class(self, kind: Type) -> bool:
        key = _key_of(kind)
        if key not in self._copied:
            self._copied[key] = False  # a class holds no object of its own
            self._copied[key] = self._has_silent_parts(kind)
        return self._copied[key]

    def _has_silent_parts(self, kind: Type) -> bool:
        record = kind.get_declaration()
        if kind_of(record) in ("NO_DECL_FOUND", "UNION_DECL") or record.get_definition() is None:
            return False
        if not self._declares_no_copies(types.members_of(kind)):
            return False
        kinds = (member.type for member in kind.get_fields() if not types.is_reference(member.type))
        if not all(map(self.is_copied_silently, kinds)):
            return False
        return all(self._has_silent_base(kind, base) for base in bases_of(kind))

    def _has_silent_base(self, kind: Type, base: Cursor) -> bool:
        if library.is_virtual_base(base):
            return False
        if types.is_record(base.type):
            return self._of_class(types.canonical(base.type))
        return self._are_silent_arguments(kind) and self._is_silent_part(base, set())

    def _is_silent_part(self, part: Cursor, seen: set[int]) -> bool:
        """Whether a base or member of a template is copied silently if the classes of its parameters are. What it is
        made of is known then: parameters, classes that are named, and templates of which that is so."""
        if types.is_reference(part.type) or types.is_pointer(types.innermost(part.type)):
            return True
        if is_parameter(part) or names_parameter(part):
            return True
        if not types.is_dependent(types.innermost(part.type)):
            return self.is_copied_silently(part.type)
        family = family_of(part)
        if not family or not is_known(part) or not all(map(self.is_copied_silently, classes_given(part))):
            return False
        new = [template for template in family if int(template.hash) not in seen]
        seen.update(int(template.hash) for template in new)
        return all(self._is_silent_template(template, seen) for template in new)

    def _is_silent_template(self, template: Cursor, seen: set[int]) -> bool:
        """Whether what is made from a template is copied silently if the classes of its parameters are."""
        members = list(template.get_children())
        if any(library.is_virtual_base(m) for m in members if kind_of(m) == "CXX_BASE_SPECIFIER"):
            return False
        parts = (member for member in members if kind_of(member) in ("FIELD_DECL", "CXX_BASE_SPECIFIER"))
        return self._declares_no_copies(members) and all(self._is_silent_part(part, seen) for part in parts)

    def _are_silent_arguments(self, kind: Type) -> bool:
        return all(self.is_copied_silently(each) for each in classes_among(kind))

    def _declares_no_copies(self, members: Iterable[Cursor]) -> bool:
        for member in members:
            copies = kind_of(member) == "CONSTRUCTOR" and (member.is_copy_constructor() or member.is_move_constructor())
            assigns = kind_of(member) == "CXX_METHOD" and member.spelling == "operator=" and not _takes_number(member)
            if copies and self.copies_members(member):
                continue
            if (copies or assigns or kind_of(member) == "DESTRUCTOR") and not is_silent(member):
                return False
        return True

    def copies_members(self, constructor: Cursor) -> bool:
        """Whether a constructor copies the members of an object and does nothing else, whoever wrote it."""
        if constructor.is_default_method():
            return bool(constructor.is_copy_constructor() or constructor.is_move_constructor())
        return bool(constructor.is_copy_constructor()) and copies_members_alone(self.unit, constructor)

    def is_filled_with_copies(self, values: Node) -> bool:
        """Whether a list has a value for each member of a class that has nothing else, and objects are copied from
        ones of the same class: the tree does not show what makes a member of an object of another."""
        kind = types.canonical(values.type)
        if not types.is_record(kind) or not self.is_copied_silently(kind):
            return False
        if bases_of(kind) or any(map(makes_objects, types.members_of(kind))):
            return False
        given = [child for child in values.children if not child.kind.endswith("_REF")]
        members = list(kind.get_fields())
        return len(given) == len(members) and all(map(self._is_copy_or_number, members, given))

    def _is_copy_or_number(self, member: Cursor, value: Node) -> bool:
        if types.is_reference(member.type):
            return _class_of(member.type) == _class_of(value.type)
        if not types.is_record(value.type):
            return types.is_scalar(member.type) or types.is_pointer(member.type)
        if _class_of(member.type) != _class_of(value.type):
            return False
        return self.is_only_copied(member.type)

    def is_only_copied(self, kind: Type) -> bool:
        """Whether no template of constructors makes an object of a class, which is copied silently, of another one."""
        members = types.members_of(kind)
        makers = [m for m in members if kind_of(m) == "FUNCTION_TEMPLATE" and makes_objects(m)]
        made = (node.cursor for maker in makers for node in self.unit.instances.of(maker))
        taken = (next(iter(constructor.get_arguments()), None) for constructor in made)
        return not any(first is not None and _class_of(first.type) == _class_of(kind) for first in taken)

    def is_named_object(self, kind: Type) -> bool:
        """Whether a variable of a type is an object that functions may be given."""
        return self.is_copied_silently(kind) and not self.may_refer(kind)

    def is_nameable(self, kind: Type) -> bool:
        """Whether a type, or what it refers to, is a class whose objects refer to no others, so that what names one
        names but its parts. They may be copied and end in any way."""
        named = types.without_reference(kind)
        return types.is_record(named) and not types.is_volatile(named) and not self.may_refer(named)

    def may_be_made(self, kind: Type) -> bool:
        """Whether objects of a type end silently, so that one may be made where its constructor is read."""
        return self.is_copied_silently(kind) or (self.is_nameable(kind) and not classes.may_have_destructor(kind))

    def may_refer(self, kind: Type) -> bool:
        """Whether a type is a reference, or a class with one somewhere in it: what it refers to need have no name."""
        if types.is_reference(kind):
            return True
        if types.is_array(kind):
            element = types.element_of(kind)
            return element is None or self.may_refer(element)
        if not types.is_record(kind):
            return False
        found = types.canonical(kind)
        key = _key_of(found)
        if key not in self._referring:
            self._referring[key] = True
            self._referring[key] = self._has_referring_part(found)
        return self._referring[key]

    def _has_referring_part(self, kind: Type) -> bool:
        if any(self.may_refer(member.type) for member in kind.get_fields()):
            return True
        for base in bases_of(kind):
            if types.is_record(base.type):
                if self.may_refer(base.type):
                    return True
            elif (
                has_reference_argument(kind)
                or any(map(declares_reference, family_of(base)))
                or any(self.may_refer(each) for each in classes_among(kind))
            ):
                return True
        return False


def _takes_number(assignment: Cursor) -> bool:
    """Whether an operator ``=`` takes a number: it assigns no object of its class, not even where the tree shows no
    call, for the compiler's own, or another one of the class, takes that as it is."""
    taken = next(iter(assignment.get_arguments()), None)
    return taken is not None and types.is_scalar(taken.type) and not types.is_reference(taken.type)


def _key_of(kind: Type) -> tuple[int, str]:
    """Return what tells classes apart. Names do not: local classes of several functions may have the same, and so do
    those of one lambda in all instantiations of a template."""
    return int(kind.get_declaration().canonical.hash), str(kind.spelling)


def _class_of(kind: Type) -> str:
    return str(types.canonical(types.without_reference(kind)).get_declaration().get_usr())
