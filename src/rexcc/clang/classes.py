"""What classes say of how their objects begin, are copied, moved and end, and may change.

In: a class (references aside). Out: what it says itself, and what the classes say that its objects are made of: its
base classes, its members and, where a base depends on the parameters of a template, all that the base may be made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from clang.cindex import Cursor, TranslationUnit, Type

from rexcc.clang import library
from rexcc.clang.dependent_bases import dependent_bases
from rexcc.clang.library import key_of
from rexcc.clang.types import (
    canonical,
    element_of,
    innermost,
    is_array,
    is_constant,
    is_dependent,
    is_record,
    is_reference,
    is_volatile,
    kept,
    kind_name,
    members_of,
    shape_of,
    without_reference,
)
from rexcc.source.records import dataclass

_HIDDEN = ("PRIVATE", "PROTECTED")
_PARTS = ("FIELD_DECL", "CXX_BASE_SPECIFIER")
_IN_CONSTANTS = frozenset(
    {
        "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "STRING_LITERAL", "GNU_NULL_EXPR", "UNEXPOSED_EXPR",
        "PAREN_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "INIT_LIST_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
        "TYPE_REF", "NAMESPACE_REF",
    }
)  # fmt: skip
"""What constants of literals are made of."""


@dataclass(frozen=True, eq=False)
class Declared:
    """What is declared in each of the ``classes`` that an object is made of; ``is_known``: it is made of no others."""

    classes: tuple[tuple[Cursor, ...], ...]
    is_known: bool

    @property
    def members(self) -> Iterator[Cursor]:
        """All that is declared."""
        return chain.from_iterable(self.classes)


@kept
def declared_in_parts(kind: Type) -> Declared:
    """Return what is declared in a class and in all classes that its objects are made of, each once: a class may be an
    argument of its own base, and a member may refer to another object of its class. What members refer to counts as a
    part."""
    return _declared_in_parts(kind, behind_references=True)


@kept
def _declared_in_own_parts(kind: Type) -> Declared:
    """Return the same without what members refer to."""
    return _declared_in_parts(kind, behind_references=False)


def _declared_in_parts(kind: Type, behind_references: bool) -> Declared:
    classes: list[tuple[Cursor, ...]] = []
    waiting, seen, is_known = [kind], set[int](), True
    while waiting:
        current = waiting.pop()
        key = key_of(current.get_declaration())
        if key in seen:
            continue
        seen.add(key)
        own = members_of(current)
        bases = dependent_bases(current, own)
        is_known = is_known and bases.is_known
        for declared in (own, *bases.members):
            classes.append(tuple(declared))
            waiting += map(canonical, _classes_of(declared, behind_references))
        waiting += map(canonical, bases.arguments)
    return Declared(tuple(classes), is_known)


def _classes_of(members: Sequence[Cursor], behind_references: bool) -> Iterator[Type]:
    """Yield the classes of members and bases, and of the elements of arrays."""
    for member in members:
        if member.kind.name not in _PARTS or (is_reference(member.type) and not behind_references):
            continue
        part = innermost(member.type)
        if is_record(part):
            yield part


@kept
def is_copied_as_bytes(kind: Type) -> bool:
    """Whether a class (references aside) has no copy operation and no destructor of its own, nor have its parts."""
    return _is_copied_as_bytes(kind, Cursor.is_default_method)


def is_made_of_bytes(kind: Type) -> bool:
    """Whether a new object that is a copy of one of a class (references aside) has its bytes, and ends without a word:
    the constructor that copies and the destructor are the compiler's own, in all parts. An operator ``=`` of the
    class's own makes no objects: what is assigned to is there."""
    return _is_copied_as_bytes(kind, lambda method: method.is_default_method() or method.spelling == "operator=")


def is_copied_by_members(kind: Type, copies: Callable[[Cursor], bool]) -> bool:
    """Whether a copy of a class (references aside) is one of its bytes, and so are those of its parts, whoever wrote
    the constructor that makes it; compilers take such a class for one with a copy operation of its own. An operator
    ``=`` makes no copies: what is assigned to is there. ``copies``: whether such a constructor copies members alone."""
    return _is_copied_as_bytes(kind, lambda method: _does_nothing_else(method) or copies(method))


def is_copied_by_members_and_ends(kind: Type, copies: Callable[[Cursor], bool]) -> bool:
    """The same of a class whose destructors may do anything: who copies its objects has to end the copies."""
    return _is_copied_as_bytes(kind, lambda method: _may_end(method) or copies(method))


def _does_nothing_else(method: Cursor) -> bool:
    return bool(method.is_default_method() or method.spelling == "operator=")


def _may_end(method: Cursor) -> bool:
    return method.kind.name == "DESTRUCTOR" or _does_nothing_else(method)


def _is_copied_as_bytes(kind: Type, is_harmless: Callable[[Cursor], bool]) -> bool:
    declared = _declared_in_own_parts(kind)
    return declared.is_known and all(is_harmless(m) for m in declared.members if _copies_or_ends(m))


def _copies_or_ends(member: Cursor) -> bool:
    return bool(member.is_copy_constructor() or member.kind.name == "DESTRUCTOR" or member.spelling == "operator=")


_FREE = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE"})
_CLASS_KINDS = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)
_AROUND = _CLASS_KINDS | {"NAMESPACE", "LINKAGE_SPEC", "FRIEND_DECL"}


@kept
def has_own_address(kind: Type) -> bool:
    """Whether an operator of its own stands for the address of a class (references aside), or may: of what depends on
    the parameters of a template that is not known."""
    if not is_record(kind):
        return is_dependent(kind) or (
            kind_name(canonical(kind)) == "ENUM" and _has_free_operator(kind.translation_unit)
        )
    if _has_free_operator(kind.translation_unit):
        return True
    return any(m.spelling == "operator&" and not _has_parameters(m) for m in declared_in_parts(kind).members)


@library.asked_once
def _has_free_operator(unit: TranslationUnit) -> bool:
    """Whether the user's files declare an operator outside of classes that may stand for the address of an object."""
    waiting = list(library.of_user(unit))
    while waiting:
        cursor = waiting.pop()
        name = cursor.kind.name
        if name in _FREE and cursor.spelling == "operator&":
            taken = [child for child in library.children(cursor) if child.kind.name == "PARM_DECL"]
            if len(taken) == 1 and cursor.semantic_parent.kind.name not in _CLASS_KINDS:
                return True
        elif name in _AROUND:
            waiting += library.children(cursor)
    return False


def _has_parameters(function: Cursor) -> bool:
    return any(child.kind.name == "PARM_DECL" for child in function.get_children())


def is_only_moved(kind: Type) -> bool:
    """Whether a class (references aside), or a part of it, says how it is moved and not how it is copied: it is not."""
    return any(map(_says_only_how_to_move, _declared_in_own_parts(kind).classes))


def _says_only_how_to_move(members: Sequence[Cursor]) -> bool:
    if any(member.is_copy_constructor() for member in members):
        return False
    return any(
        member.is_move_constructor() or (member.spelling == "operator=" and _takes_temporary(member))
        for member in members
    )


def _takes_temporary(method: Cursor) -> bool:
    return any(kind_name(p.type) == "RVALUEREFERENCE" for p in method.get_arguments() if p is not None)


def is_copied_by_anyone(kind: Type) -> bool:
    """Whether code that may name a class (references aside) may have a value of it: its copies are not hidden, nor
    those that have to be asked for, and nor are their ends."""
    ways = (m for m in members_of(kind) if m.is_copy_constructor() or m.kind.name == "DESTRUCTOR")
    return not any(m.access_specifier.name in _HIDDEN or m.is_explicit_method() for m in ways)


def is_fixed_array(kind: Type) -> bool:
    """Whether a type is that of an array whose elements nothing may change."""
    if not is_array(kind) or not is_constant(kind):
        return False
    element = shape_of(kind).element
    return not (is_record(element) and has_mutable_part(element))


def has_mutable_part(kind: Type) -> bool:
    """Whether a constant object of a class (references aside) may still change."""
    return any(m.is_mutable_field() for m in declared_in_parts(kind).members if m.kind.name == "FIELD_DECL")


def has_watched_part(kind: Type) -> bool:
    """Whether an object of a class has a volatile or atomic member, which others may watch."""
    members = (m for m in _declared_in_own_parts(canonical(kind)).members if m.kind.name == "FIELD_DECL")
    return any(is_volatile(m.type) or kind_name(canonical(innermost(m.type))) == "ATOMIC" for m in members)


def is_filled_without_code(kind: Type) -> bool:
    """Whether an object of a class (references aside) that is made with a list has values and nothing else happens:
    no part has a constructor that a value may call, and members that the list leaves out begin with constants."""
    declared = _declared_in_own_parts(kind)
    return declared.is_known and all(map(_is_filled_without_code, declared.members))


def _is_filled_without_code(member: Cursor) -> bool:
    name = member.kind.name
    if name == "USING_DECLARATION" or (name == "CONSTRUCTOR" and not member.is_default_method()):
        return False
    if name == "FUNCTION_TEMPLATE" and _is_special(member):
        return False
    return name != "FIELD_DECL" or begins_with_constants(member)


def may_convert(kind: Type) -> bool:
    """Whether a class (references aside), or a base class, may say how its objects become others."""
    for member in members_of(kind):
        name = member.kind.name
        if name == "CONVERSION_FUNCTION" or (name == "FUNCTION_TEMPLATE" and _is_special(member)):
            return True
        if name == "CXX_BASE_SPECIFIER" and (not is_record(member.type) or may_convert(member.type)):
            return True
    return False


def _is_special(template: Cursor) -> bool:
    """Whether a template in a class is one of constructors or conversions."""
    holder = template.semantic_parent
    name = str(template.spelling)
    return name.startswith("operator ") or holder is None or name.partition("<")[0] == holder.spelling


def _is_constant_value(node: Cursor) -> bool:
    if node.kind.name == "DECL_REF_EXPR":
        return bool(node.referenced is not None and node.referenced.kind.name == "ENUM_CONSTANT_DECL")
    return node.kind.name.endswith("LITERAL_EXPR") or node.kind.name in _IN_CONSTANTS


def is_trivial(kind: Type) -> bool:
    """Whether an object of a class (references aside) needs no constructor to begin and no destructor to end."""
    declared = declared_in_parts(kind)
    return declared.is_known and all(map(_is_trivial, declared.members))


def _is_trivial(member: Cursor) -> bool:
    if member.kind.name in ("CONSTRUCTOR", "DESTRUCTOR"):
        return bool(member.is_default_method())
    return member.kind.name != "FIELD_DECL" or not _initialisers(member)


def may_have_destructor(kind: Type) -> bool:
    """Whether something may happen when an object of a type ends, or one that a reference has kept: a class, or a part
    of it, says what, keeps an object that was made for it (a constant reference, an initializer list), or is not known
    well enough, as base classes of templates and what lambdas capture are."""
    if is_reference(kind):
        return kind_name(kind) == "RVALUEREFERENCE" or is_constant(without_reference(kind))
    return _may_object_have_destructor(kind)


@kept
def _may_object_have_destructor(kind: Type) -> bool:
    found = kind
    while (below := element_of(found)) is not None:
        found = canonical(below)
    if not is_record(found):
        return kind_name(found) in ("DEPENDENT", "UNEXPOSED", "INVALID")
    record = found.get_declaration()
    members = members_of(found)
    if any(word in found.spelling for word in ("(lambda", "initializer_list<")) or any(
        member.kind.name == "DESTRUCTOR" for member in members
    ):
        return True
    bases = (member.type for member in members if member.kind.name == "CXX_BASE_SPECIFIER")
    fields = (field.type for field in found.get_fields())
    is_known = record.kind.name != "NO_DECL_FOUND"
    return not is_known or any(map(may_have_destructor, (*bases, *fields)))


def has_fixed_member(kind: Type) -> bool:
    """Whether a class (references aside) has a reference or a constant among its members or their parts."""
    members = _declared_in_own_parts(kind).members
    return any(is_reference(m.type) or is_constant(m.type) for m in members if m.kind.name == "FIELD_DECL")


def begins_with_constants(member: Cursor) -> bool:
    """Whether a data member has no initial value of its own, or one that nothing is executed for."""
    return all(_is_constant_value(node) for value in _initialisers(member) for node in value.walk_preorder())


def _initialisers(member: Cursor) -> list[Cursor]:
    """Return the initial value of a member, if any; other expressions are array bounds and the width of a bit-field."""
    values = [child for child in member.get_children() if child.kind.is_expression()]
    if is_array(member.type):
        return [value for value in values if value.kind.name in ("INIT_LIST_EXPR", "STRING_LITERAL")]
    return values[int(member.is_bitfield()) :]
