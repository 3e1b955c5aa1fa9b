"""Base classes whose types depend on the parameters of a template.

In: a class that is made from a template. Out: what such bases may be made of. clang does not tell which base an
instance has: the members of the named template and of its specialisations, any of which may be meant, stand for those
of the base, with what they have of such parts themselves, and the classes among the instance's arguments for the
parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clang.cindex import Cursor, TranslationUnit, Type, TypeKind

from rexcc.clang.given_types import classes_given, gives_unknown, holds_unknown
from rexcc.clang.library import canonical_type, children, in_system_header, key_of, of_user, template_of
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_SPECIALISED = ("CLASS_TEMPLATE_PARTIAL_SPECIALIZATION", "CLASS_DECL", "STRUCT_DECL")
_HOLDERS = ("NAMESPACE", "LINKAGE_SPEC", "CLASS_DECL", "STRUCT_DECL")
_PARTS = ("FIELD_DECL", "CXX_BASE_SPECIFIER")
_UNKNOWN = {TypeKind.DEPENDENT.value, TypeKind.UNEXPOSED.value, TypeKind.INVALID.value}
_ARRAYS = {kind.value for kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.DEPENDENTSIZEDARRAY)}
_CHOICE = regex(r"(?:typename )?(?:std::)?conditional(?:_t)?<.*, (?P<one>[\w:]+), (?P<other>[\w:]+)>(?:::type)?")
"""Only names of classes: what depends on parameters is written with more than a name."""
_CLASSES = ("CLASS_DECL", "STRUCT_DECL")
_PARAMETER = regex(r"(?:const |volatile )*type-parameter-\d+-\d+")
"""A parameter of a template, by whatever name a type alias gives it."""
_KEPT = "_rexcc_specialisations"


@dataclass(eq=False)
class DependentBases:
    """What the dependent bases of a class may be made of; ``is_known``: of nothing else."""

    members: list[list[Cursor]] = field(default_factory=list)
    arguments: list[Type] = field(default_factory=list)
    is_known: bool = True


def dependent_bases(kind: Type, members: Sequence[Cursor]) -> DependentBases:
    """Return what the dependent bases among the members of a class may be made of."""
    found = DependentBases()
    waiting = [member for member in members if member.kind.name == "CXX_BASE_SPECIFIER" and _is_dependent(member)]
    if not waiting:
        return found
    found.arguments = list(_class_arguments(kind))
    seen = set[int]()
    while waiting:
        part = waiting.pop()
        templates, chosen = _templates_of(part), chosen_classes(part)
        found.is_known = found.is_known and (templates is not None or bool(chosen))
        found.members += map(children, chosen)
        found.arguments += classes_given(part)
        for template in templates or ():
            if key_of(template) not in seen:
                seen.add(key_of(template))
                below = children(template)
                found.members.append(below)
                waiting += (member for member in below if member.kind.name in _PARTS and _is_dependent(member))
    return found


def chosen_classes(part: Cursor) -> list[Cursor]:
    """Return the classes of which ``std::conditional`` chooses a part of a template, by an alias template; none where
    the part is something else, or may be anything but one of two classes that the alias names."""
    named = (child.referenced for child in part.get_children() if child.kind.name == "TEMPLATE_REF")
    alias = next((c for t in named for c in t.get_children() if c.kind.name == "TYPE_ALIAS_DECL"), None)
    choice = None if alias is None else _CHOICE.fullmatch(str(alias.underlying_typedef_type.spelling))
    if alias is None or choice is None:
        return []
    below = [child.referenced for child in alias.get_children() if child.referenced is not None]
    classes = [each for each in below if each.kind.name in _CLASSES][-2:]  # the condition may name some before
    names = [choice[branch].rpartition("::")[2] for branch in ("one", "other")]
    return classes if [each.spelling for each in classes] == names else []


def _type_of(part: Cursor) -> Type:
    kind = canonical_type(part.type)
    while kind._kind_id in _ARRAYS:
        kind = canonical_type(kind.get_array_element_type())
    return kind


def _is_dependent(part: Cursor) -> bool:
    return _type_of(part)._kind_id in _UNKNOWN


def _templates_of(part: Cursor) -> list[Cursor] | None:
    """Return the templates of the user's that a part may be made from: none of a parameter; None if not known."""
    kind = _type_of(part)
    if is_parameter_type(kind):
        return []
    template = kind.get_declaration()
    if template.kind.name != "CLASS_TEMPLATE":  # bases that are a pack are known by their name
        named = (child.referenced for child in part.get_children() if child.kind.name == "TEMPLATE_REF")
        template = None if ">::" in kind.spelling else next(named, None)
    if template is None or template.kind.name != "CLASS_TEMPLATE":
        return None
    if in_system_header(template):
        return None if gives_unknown(part) else []
    found = with_specialisations(template)
    return None if holds_unknown(part, found) else found or None


def with_classes_around(kind: Type) -> list[Type]:
    """Return a class, and those in which it stands, whose arguments it may use as its own."""
    found = [canonical_type(kind)]
    scope = found[0].get_declaration().semantic_parent
    while scope is not None and scope.kind.name in _CLASSES:
        found.append(canonical_type(scope.type))
        scope = scope.semantic_parent
    return found


def is_parameter_type(kind: Type) -> bool:
    """Whether a type is a parameter of a template, qualified or not."""
    return _PARAMETER.fullmatch(str(canonical_type(kind).spelling)) is not None


def with_specialisations(template: Cursor) -> list[Cursor]:
    """Return the definition of a class template, if there is one, and the specialisations that the user has written."""
    definition = template.get_definition()
    written = _specialisations(template.translation_unit).get(key_of(template.canonical), ())
    return [*written] if definition is None else [definition, *written]


def _specialisations(unit: TranslationUnit) -> dict[int, list[Cursor]]:
    """Return the specialisations that the user has written, by the key of their template; kept with the unit."""
    known: dict[int, list[Cursor]] | None = vars(unit).get(_KEPT)
    if known is None:
        known = {}
        for specialisation in _written(of_user(unit)):
            template = template_of(specialisation)
            if template is not None:
                known.setdefault(key_of(template.canonical), []).append(
                    specialisation.get_definition() or specialisation
                )
        setattr(unit, _KEPT, known)
    return known


def _written(cursors: list[Cursor]) -> Iterator[Cursor]:
    for cursor in cursors:
        if in_system_header(cursor):
            continue
        if cursor.kind.name in _SPECIALISED:
            yield cursor
        if cursor.kind.name in _HOLDERS:
            yield from _written(children(cursor))


def _class_arguments(kind: Type) -> Iterator[Type]:
    """Yield the classes that a class is instantiated with, at any depth, which objects can have."""
    waiting, seen = with_classes_around(kind), set[str]()
    while waiting:
        current = waiting.pop()
        for index in range(max(0, current.get_num_template_arguments())):
            argument = canonical_type(current.get_template_argument_type(index))
            if argument._kind_id != TypeKind.RECORD.value or str(argument.spelling) in seen:
                continue
            seen.add(str(argument.spelling))
            waiting.append(argument)
            if argument.get_declaration().get_definition() is not None:
                yield argument
