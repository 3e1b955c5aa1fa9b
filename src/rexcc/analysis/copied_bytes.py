"""Classes whose objects are copied, moved and destroyed without any code of the program's.

In: a type. Out: whether a copy, a move or the end of an object calls nothing (``is_copied_silently``), whether its
object may refer to another one (``may_refer``), and which constructors an object that no initialiser is written for may
call (``silent_constructors``). Clang does not tell the bases of a class that is made from a template where they depend
on its parameters; then all that the named template and its specialisations declare counts, with the classes among the
arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, field

_TEMPLATES = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_SPECIALISED = frozenset({"CLASS_TEMPLATE_PARTIAL_SPECIALIZATION", "CLASS_DECL", "STRUCT_DECL"})
_ALIASES = frozenset({"TYPE_ALIAS_DECL", "TYPEDEF_DECL"})
_HOLDERS = RECORD_KINDS | {"NAMESPACE", "LINKAGE_SPEC"}
_UNKNOWN = frozenset({"DEPENDENT", "UNEXPOSED", "INVALID"})


@dataclass(eq=False)
class CopiedBytes:
    """What is known of a unit's classes."""

    unit: ParsedUnit
    _copied: dict[str, bool] = field(default_factory=dict)
    _referring: dict[str, bool] = field(default_factory=dict)

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
        key = str(kind.spelling)
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
        return all(self._has_silent_base(kind, base) for base in _bases(kind))

    def _has_silent_base(self, kind: Type, base: Cursor) -> bool:
        if library.is_virtual_base(base):
            return False
        if types.is_record(base.type):
            return self._of_class(types.canonical(base.type))
        family = self._family_of(base)
        if any(map(_has_parameters, family)) and not self._are_named_silent(base):
            return False
        if not self._are_silent_arguments(kind):
            return False
        return all(self._is_silent_template(template) for template in family) and bool(family or _names_parameter(base))

    def _is_silent_template(self, template: Cursor) -> bool:
        """Whether what is made from a template is copied silently if the classes of its parameters are."""
        members = list(template.get_children())
        bases = [member for member in members if kind_of(member) == "CXX_BASE_SPECIFIER"]
        fields = [member for member in members if kind_of(member) == "FIELD_DECL"]
        known = [base for base in bases if not _names_parameter(base)]
        if not self._declares_no_copies(members) or not all(types.is_record(base.type) for base in known):
            return False
        if not all(self._of_class(types.canonical(base.type)) for base in known):
            return False
        kinds = (m.type for m in fields if not _is_parameter(m) and not types.is_reference(m.type))
        return all(map(self.is_copied_silently, kinds))

    def _family_of(self, base: Cursor) -> list[Cursor]:
        """Return the template of the user's that a base class is made from, and its specialisations; nothing for
        anything else."""
        template = _named_template(base, str(base.type.spelling))
        while template is not None and kind_of(template) == "TYPE_ALIAS_TEMPLATE_DECL":
            alias = next((c for c in template.get_children() if kind_of(c) == "TYPE_ALIAS_DECL"), None)
            template = None if alias is None else _named_template(alias, str(alias.underlying_typedef_type.spelling))
        definition = template.get_definition() if template is not None else None
        if template is None or definition is None or kind_of(definition) != "CLASS_TEMPLATE":
            return []
        if library.in_system_header(definition):
            return []
        return [definition, *self._specialisations.get(library.key_of(template.canonical), ())]

    def _are_named_silent(self, base: Cursor) -> bool:
        """Whether the classes that a base class is given besides parameters of the template are copied silently; what
        is made from another template is not known."""
        named = [child.referenced for child in base.get_children() if child.referenced is not None]
        classes = [each for each in named if kind_of(each) in RECORD_KINDS | _ALIASES]
        templates = [each for each in named if kind_of(each) in _TEMPLATES | {"TYPE_ALIAS_TEMPLATE_DECL"}]
        return len(templates) == 1 and all(
            self.is_copied_silently(each.type) for each in classes if each != templates[0]
        )

    @cached_property
    def _specialisations(self) -> dict[int, list[Cursor]]:
        """The specialisations that the user has written, by the key of their template."""
        found: dict[int, list[Cursor]] = {}
        waiting = [node.cursor for node in self.unit.declarations]
        while waiting:
            cursor = waiting.pop()
            if kind_of(cursor) in _HOLDERS:
                waiting += library.children(cursor)
            template = library.template_of(cursor) if kind_of(cursor) in _SPECIALISED else None
            if template is not None:
                found.setdefault(library.key_of(template.canonical), []).append(cursor.get_definition() or cursor)
        return found

    def _are_silent_arguments(self, kind: Type) -> bool:
        return all(self.is_copied_silently(each) for each in _classes_among(kind))

    @staticmethod
    def _declares_no_copies(members: Iterable[Cursor]) -> bool:
        for member in members:
            copies = kind_of(member) == "CONSTRUCTOR" and (member.is_copy_constructor() or member.is_move_constructor())
            assigns = kind_of(member) == "CXX_METHOD" and member.spelling == "operator="
            if (copies or assigns or kind_of(member) == "DESTRUCTOR") and not _is_silent(member):
                return False
        return True

    def is_filled_with_copies(self, values: Node) -> bool:
        """Whether a list has a value for each member of a class that has nothing else, and objects are copied from
        ones of the same class: the tree does not show what makes a member of an object of another."""
        kind = types.canonical(values.type)
        if not types.is_record(kind) or not self.is_copied_silently(kind):
            return False
        if _bases(kind) or any(map(_makes_objects, types.members_of(kind))):
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
        makers = [m for m in members if kind_of(m) == "FUNCTION_TEMPLATE" and _makes_objects(m)]
        made = (node.cursor for maker in makers for node in self.unit.instances.of(maker))
        taken = (next(iter(constructor.get_arguments()), None) for constructor in made)
        return not any(first is not None and _class_of(first.type) == _class_of(kind) for first in taken)

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
        key = str(found.spelling)
        if key not in self._referring:
            self._referring[key] = True
            self._referring[key] = self._has_referring_part(found)
        return self._referring[key]

    def _has_referring_part(self, kind: Type) -> bool:
        if any(self.may_refer(member.type) for member in kind.get_fields()):
            return True
        for base in _bases(kind):
            if types.is_record(base.type):
                if self.may_refer(base.type):
                    return True
            elif (
                _has_reference_argument(kind)
                or any(map(_declares_reference, self._family_of(base)))
                or any(self.may_refer(each) for each in _classes_among(kind))
            ):
                return True
        return False

    def silent_constructors(self, kind: Type, written: frozenset[str] = frozenset()) -> list[Cursor] | None:
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
                and not types.begins_with_constants(member)
            ):
                return None
        parts = [m.type for m in found.get_fields() if m.spelling not in written]
        parts += [base.type for base in _bases(found) if types.is_record(base.type)]
        dependent = [base for base in _bases(found) if not types.is_record(base.type)]
        if any(_has_parameters(template) for base in dependent for template in self._family_of(base)):
            parts += _classes_among(found)
        for part in parts:
            is_object = types.is_record(part) and not types.is_reference(part)
            if is_object and not self._add_constructors(types.innermost(part), called):
                return None
        for template in (t for base in dependent for t in self._family_of(base)):
            if not all(types.begins_with_constants(m) for m in template.get_children() if kind_of(m) == "FIELD_DECL"):
                return None
            called += self._instances(self._beginning(list(template.get_children()), template))
        return called

    def inherited_constructors(self, kind: Type) -> list[Cursor] | None:
        """Return the constructors of a class's bases that it may have by ``using``, None if they are not known."""
        found: list[Cursor] = []
        for base in _bases(types.canonical(kind)):
            is_known = types.is_record(base.type)
            family = [types.canonical(base.type).get_declaration()] if is_known else self._family_of(base)
            if not family:
                return None
            for record in family:
                members = types.members_of(base.type) if is_known else list(record.get_children())
                found += self._instances([m for m in members if _makes_objects(m)])
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
        below = self.silent_constructors(part)
        called += below or []
        return below is not None

    @staticmethod
    def _beginning(members: list[Cursor], record: Cursor) -> list[Cursor]:
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
                kind_of(constructor) == "FUNCTION_TEMPLATE" or kind_of(constructor.semantic_parent) in _TEMPLATES
            )
            yield from made if made or is_pattern else [constructor]


def _makes_objects(member: Cursor) -> bool:
    """Whether a member of a class is a constructor of the program's, a template of them, or may be one of a base."""
    if kind_of(member) == "CONSTRUCTOR":
        return not _is_silent(member)
    if kind_of(member) != "FUNCTION_TEMPLATE":
        return kind_of(member) == "USING_DECLARATION"
    return str(member.spelling).partition("<")[0] == str(member.semantic_parent.spelling).partition("<")[0]


def _class_of(kind: Type) -> str:
    return str(types.canonical(types.without_reference(kind)).get_declaration().get_usr())


def _is_silent(method: Cursor) -> bool:
    """Whether a method is the compiler's own, or is there to be called by nobody."""
    return bool(method.is_default_method() or method.is_deleted_method())


def _bases(kind: Type) -> list[Cursor]:
    return [member for member in types.members_of(kind) if kind_of(member) == "CXX_BASE_SPECIFIER"]


def _named_template(place: Cursor, spelled: str) -> Cursor | None:
    """Return the template that a type is made from by its name, not as a member of what depends on parameters."""
    if spelled.startswith("typename ") or ">::" in spelled:
        return None
    named = (child.referenced for child in place.get_children() if kind_of(child) == "TEMPLATE_REF")
    return next(named, None)


def _names_parameter(base: Cursor) -> bool:
    kinds = [kind_of(child.referenced) for child in base.get_children() if child.referenced is not None]
    return str(base.type.spelling).isidentifier() and kinds == ["TEMPLATE_TYPE_PARAMETER"]


def _has_parameters(template: Cursor) -> bool:
    """Whether objects of the parameters' types are parts of what is made from a template."""
    parts = (c for c in template.get_children() if kind_of(c) in ("FIELD_DECL", "CXX_BASE_SPECIFIER"))
    return any(_is_parameter(part) or _names_parameter(part) for part in parts)


def _is_parameter(member: Cursor) -> bool:
    """Whether a member's type is a parameter of its template."""
    referenced = [kind_of(child.referenced) for child in member.get_children() if child.referenced is not None]
    return referenced == ["TEMPLATE_TYPE_PARAMETER"] and str(member.type.spelling).isidentifier()


def _declares_reference(template: Cursor) -> bool:
    fields = [member for member in template.get_children() if kind_of(member) == "FIELD_DECL"]
    bases = [member for member in template.get_children() if kind_of(member) == "CXX_BASE_SPECIFIER"]
    return not all(map(_names_parameter, bases)) or any(types.is_reference(member.type) for member in fields)


def _arguments(kind: Type) -> Iterator[Type]:
    """Yield the types that a class is instantiated with, and those that these are."""
    waiting, seen = [types.canonical(kind)], set[str]()
    while waiting:
        current = waiting.pop()
        for index in range(max(0, current.get_num_template_arguments())):
            argument = current.get_template_argument_type(index)
            if types.kind_name(argument) == "INVALID" or str(argument.spelling) in seen:
                continue
            seen.add(str(argument.spelling))
            yield argument
            waiting.append(types.canonical(types.without_reference(argument)))


def _classes_among(kind: Type) -> list[Type]:
    return [argument for argument in _arguments(kind) if types.is_record(argument) and not _is_list_alone(argument)]


def _is_list_alone(argument: Type) -> bool:
    """Whether a class is only declared: it has no objects, but arguments of its own."""
    return bool(types.canonical(types.without_reference(argument)).get_declaration().get_definition() is None)


def _has_reference_argument(kind: Type) -> bool:
    return any(types.is_reference(argument) or types.kind_name(argument) in _UNKNOWN for argument in _arguments(kind))
