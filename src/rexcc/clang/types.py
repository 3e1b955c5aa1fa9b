"""Questions about types.

In: clang types. Out: facts: scalar, pointer, array shape, what they are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TypeVar

from clang.cindex import Cursor, Type, TypeKind

from rexcc.clang.library import argument_types, asked_once, canonical_type, pattern_of
from rexcc.source.records import dataclass

_ARRAYS = frozenset({"CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY"})
_SCALARS = frozenset(
    {
        "BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG", "UINT128",
        "CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG", "INT128", "FLOAT", "DOUBLE",
        "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128", "ENUM", "COMPLEX", "NULLPTR",
    }
)  # fmt: skip

_Fact = TypeVar("_Fact")

_KIND_NAMES: dict[int, str] = {kind.value: kind.name for kind in TypeKind._kinds if kind is not None}


def kind_name(kind: Type) -> str:
    """Return a type's kind, also for kinds the binding does not know."""
    return _KIND_NAMES.get(kind._kind_id, "UNKNOWN")


def canonical(kind: Type) -> Type:
    """Return a type without typedefs and references; most facts begin with that."""
    known: Type | None = kind.__dict__.get("_of_objects")
    if known is not None:
        return known
    found = canonical_type(kind)
    while kind_name(found) in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
        found = canonical_type(found.get_pointee())
    kind._of_objects = found
    return found


def kept(ask: Callable[[Type], _Fact]) -> Callable[[Type], _Fact]:
    """Return a question about types (references aside) that is asked once of each."""
    once = asked_once(ask)

    @wraps(ask)
    def asked(kind: Type) -> _Fact:
        return once(canonical(kind))

    return asked


def without_reference(kind: Type) -> Type:
    """Return the referred-to type of a reference, with its typedefs kept; any other type as it is."""
    if kind_name(canonical_type(kind)) not in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
        return kind
    pointee = kind.get_pointee()
    return pointee if kind_name(pointee) != "INVALID" else canonical_type(kind).get_pointee()


def is_reference(kind: Type) -> bool:
    """Whether a type is a C++ reference."""
    return kind_name(canonical_type(kind)) in ("LVALUEREFERENCE", "RVALUEREFERENCE")


def is_rvalue_reference(kind: Type) -> bool:
    """Whether a type is a C++ reference to what is about to end, ``T &&``."""
    return kind_name(canonical_type(kind)) == "RVALUEREFERENCE"


def is_pointer(kind: Type) -> bool:
    """Whether a type (references aside) is an object pointer."""
    return kind_name(canonical(kind)) == "POINTER"


def is_member_pointer(kind: Type) -> bool:
    """Whether a type (references aside) is a pointer to a member of a class."""
    return kind_name(canonical(kind)) == "MEMBERPOINTER"


def is_function_pointer(kind: Type) -> bool:
    """Whether a type is a pointer to a function."""
    found = canonical(kind)
    return kind_name(found) == "POINTER" and kind_name(canonical_type(found.get_pointee())).startswith("FUNCTION")


def is_function(kind: Type) -> bool:
    """Whether a type (references aside) is a function's."""
    return kind_name(canonical(kind)).startswith("FUNCTION")


def is_variadic(function: Type) -> bool:
    """Whether a function's type takes any number of arguments; C's ``f()``, which names no parameters, does not."""
    found = canonical(function)
    return kind_name(found) == "FUNCTIONPROTO" and bool(found.is_function_variadic())


def is_array(kind: Type) -> bool:
    """Whether a type (references aside) is an array."""
    return kind_name(canonical(kind)) in _ARRAYS


def is_scalar(kind: Type) -> bool:
    """Whether a type (references aside) is arithmetic or an enumeration."""
    return kind_name(canonical(kind)) in _SCALARS


def is_record(kind: Type) -> bool:
    """Whether a type (references aside) is a struct, union or class."""
    return kind_name(canonical(kind)) == "RECORD"


def is_dependent(kind: Type) -> bool:
    """Whether a type (references aside) depends on the parameters of a template."""
    return kind_name(canonical(kind)) in ("DEPENDENT", "UNEXPOSED", "INVALID")


@kept
def members_of(kind: Type) -> Sequence[Cursor]:
    """Return what is declared in a class (references aside); of one made from a template that, and its own members.

    Clang gives such a class no members but its data members, and one that is made explicitly the names in its
    arguments; the template's have types that depend on it.
    """
    record = kind.get_declaration()
    found = tuple(child for child in record.get_children() if not child.kind.name.endswith("_REF"))
    pattern = pattern_of(record) if not found and not record.kind.is_invalid() else None
    return found if pattern is None else (*pattern.get_children(), *kind.get_fields())


def holds_pointers(kind: Type) -> bool:
    """Whether a type is a pointer, or has parts that are, references too, or may be: base classes of templates."""
    found = canonical(kind)
    while (below := element_of(found)) is not None:
        found = canonical(below)
    if kind_name(found) in ("POINTER", "DEPENDENT", "UNEXPOSED"):
        return True
    return is_record(found) and any(is_reference(part) or holds_pointers(part) for part in part_types(found))


def takes_values(kind: Type) -> bool:
    """Whether an object is made of numbers and pointers alone, in arrays and classes without constructors of their own:
    what initialises a part of it is read, and no reference keeps it."""
    found = canonical(kind)
    while (below := element_of(found)) is not None:
        found = canonical(below)
    if not is_record(found):
        return is_scalar(found) or kind_name(found) == "POINTER"
    record = found.get_declaration()
    if record.kind.name == "NO_DECL_FOUND" or any(_may_construct(member, record) for member in members_of(found)):
        return False
    return all(not is_reference(part) and takes_values(part) for part in part_types(found))


def _may_construct(member: Cursor, record: Cursor) -> bool:
    """Whether a member of a class is a constructor, of a base class, too."""
    if member.kind.name == "FUNCTION_TEMPLATE":
        return str(member.spelling).split("<")[0] == str(record.spelling)
    return member.kind.name in ("CONSTRUCTOR", "USING_DECLARATION")


def has_array(kind: Type) -> bool:
    """Whether a type is an array, or has parts that are, or may be: base classes of templates."""
    found = canonical(kind)
    if is_array(found) or kind_name(found) in ("DEPENDENT", "UNEXPOSED"):
        return True
    return is_record(found) and any(not is_reference(part) and has_array(part) for part in part_types(found))


def part_types(kind: Type) -> list[Type]:
    """Return the types of a class's base classes and data members."""
    record = canonical(kind)
    bases = (member for member in members_of(record) if member.kind.name == "CXX_BASE_SPECIFIER")
    return [part.type for part in (*bases, *record.get_fields())]


def has_runtime_extent(kind: Type) -> bool:
    """Whether an array, or an array a pointer points to, has an extent known only at run time below the first."""
    found = canonical(kind)
    inner = found.get_pointee() if kind_name(found) == "POINTER" else element_of(found)
    while inner is not None and kind_name(canonical_type(inner)) in _ARRAYS:
        if kind_name(canonical_type(inner)) in ("VARIABLEARRAY", "DEPENDENTSIZEDARRAY"):
            return True
        inner = element_of(inner)
    return False


def is_variable_length(kind: Type) -> bool:
    """Whether an array has any extent known only at run time."""
    found = canonical(kind)
    return kind_name(found) == "VARIABLEARRAY" or (kind_name(found) in _ARRAYS and has_runtime_extent(found))


def element_of(kind: Type) -> Type | None:
    """Return an array's element type, None for other types."""
    found = canonical_type(kind)
    return found.get_array_element_type() if kind_name(found) in _ARRAYS else None


def written_element_of(kind: Type) -> Type | None:
    """Return the same with the aliases by which an array's own type names it."""
    own = kind.get_array_element_type()
    return own if kind_name(own) != "INVALID" else element_of(kind)


def innermost(kind: Type) -> Type:
    """Return what an array, also one of arrays, is made of; another type itself."""
    found = kind
    while (element := element_of(found)) is not None:
        found = element
    return found


def declared_type(variable: Cursor) -> Type:
    """Return a variable's type; of a parameter that is written as an array that of the pointer that it is.

    libclang gives such parameters the type that is written; the canonical type of their function knows better.
    """
    kind = variable.type
    if variable.kind.name != "PARM_DECL" or not is_array(kind) or is_reference(kind):
        return kind
    function = variable.semantic_parent
    places = [position for position, one in enumerate(function.get_arguments()) if one == variable]
    passed = argument_types(canonical_type(function.type)) if places else []
    return passed[places[0]] if places and places[0] < len(passed) else kind


def constant_extent(kind: Type) -> int | None:
    """Return how many elements an array has, None where only the run knows, and for other types."""
    found = canonical(kind)
    return int(found.get_array_size()) if kind_name(found) == "CONSTANTARRAY" else None


def pointee_of(kind: Type) -> Type:
    """Return what a pointer (or reference to one) points to, with typedefs where they are written."""
    bare = without_reference(kind)
    pointee = bare.get_pointee()
    return pointee if kind_name(pointee) != "INVALID" else canonical(kind).get_pointee()


@dataclass(frozen=True)
class ArrayShape:
    """The innermost element type of an array (or of what a pointer points to) and its number of dimensions."""

    element: Type
    dimensions: int


def shape_of(kind: Type) -> ArrayShape:
    """Return the shape of an array, or of the arrays a pointer points to (its own step counts as a dimension)."""
    found = canonical(kind)
    dimensions = 0
    inner: Type = kind
    if kind_name(found) == "POINTER":
        inner, dimensions = pointee_of(kind), 1
    while (below := element_of(inner)) is not None:
        inner, dimensions = below, dimensions + 1
    return ArrayShape(inner, dimensions)


def is_constant(kind: Type) -> bool:
    """Whether an object of a type (references aside) is const, an array by its elements; typedefs may say so, too,
    which libclang's own answer does not see."""
    known: bool | None = kind.__dict__.get("_is_constant")
    if known is None:
        found = canonical(kind)
        known = bool(found.is_const_qualified())
        if not known and is_array(found):
            known = bool(canonical(shape_of(found).element).is_const_qualified())
        kind._is_constant = known
    return known


def has_hidden_qualifiers(kind: Type) -> bool:
    """Whether a type is const or volatile by more than the words in front of it: an alias template, a member of a class
    or ``decltype`` says so."""
    found = canonical_type(kind)
    is_alias = kind.get_declaration().kind.name == "TYPE_ALIAS_TEMPLATE_DECL"
    hides_const = found.is_const_qualified() and (is_alias or not kind.is_const_qualified())
    hides_volatile = found.is_volatile_qualified() and (is_alias or not kind.is_volatile_qualified())
    return bool(hides_const or hides_volatile)


def is_volatile(kind: Type) -> bool:
    """Whether an object of a type (references aside) is volatile, an array by its elements; typedefs may say so, too,
    which libclang's own answer does not see."""
    known: bool | None = kind.__dict__.get("_is_volatile")
    if known is None:
        found = canonical(kind)
        known = bool(found.is_volatile_qualified())
        if not known and is_array(found):
            known = bool(canonical(shape_of(found).element).is_volatile_qualified())
        kind._is_volatile = known
    return known
