"""Questions about types.

In: clang types. Out: facts: scalar, pointer, array shape, how it is copied.
"""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Cursor, Type, TypeKind

from rexcc.clang.dependent_bases import dependent_bases
from rexcc.clang.library import argument_types, canonical_type, pattern_of
from rexcc.clang.memberwise import copies_members
from rexcc.source.records import dataclass

_ARRAYS = frozenset({"CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY"})
_SCALARS = frozenset(
    {
        "BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG", "UINT128",
        "CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG", "INT128", "FLOAT", "DOUBLE",
        "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128", "ENUM", "COMPLEX", "NULLPTR",
    }
)  # fmt: skip

_KIND_NAMES: dict[int, str] = {kind.value: kind.name for kind in TypeKind._kinds if kind is not None} | {32: "FLOAT16"}

_IN_CONSTANTS = frozenset(
    {
        "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "STRING_LITERAL", "GNU_NULL_EXPR", "UNEXPOSED_EXPR",
        "PAREN_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "INIT_LIST_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
        "TYPE_REF", "NAMESPACE_REF",
    }
)  # fmt: skip
"""What constants of literals are made of."""


def kind_name(kind: Type) -> str:
    """Return a type's kind, also for kinds the binding does not know."""
    return _KIND_NAMES.get(kind._kind_id, "UNKNOWN")


def canonical(kind: Type) -> Type:
    """Return a type without typedefs and references."""
    found = canonical_type(kind)
    while kind_name(found) in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
        found = canonical_type(found.get_pointee())
    return found


def without_reference(kind: Type) -> Type:
    """Return the referred-to type of a reference, with its typedefs kept; any other type as it is."""
    if kind_name(canonical_type(kind)) not in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
        return kind
    pointee = kind.get_pointee()
    return pointee if kind_name(pointee) != "INVALID" else canonical_type(kind).get_pointee()


def is_reference(kind: Type) -> bool:
    """Whether a type is a C++ reference."""
    return kind_name(canonical_type(kind)) in ("LVALUEREFERENCE", "RVALUEREFERENCE")


def is_pointer(kind: Type) -> bool:
    """Whether a type (references aside) is an object pointer."""
    return kind_name(canonical(kind)) == "POINTER"


def is_function_pointer(kind: Type) -> bool:
    """Whether a type is a pointer to a function."""
    found = canonical(kind)
    return kind_name(found) == "POINTER" and kind_name(canonical_type(found.get_pointee())).startswith("FUNCTION")


def is_function(kind: Type) -> bool:
    """Whether a type (references aside) is a function's."""
    return kind_name(canonical(kind)).startswith("FUNCTION")


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


def members_of(kind: Type) -> list[Cursor]:
    """Return what is declared in a class (references aside); of one made from a template that, and its own members.

    Clang gives such a class no members but its data members, and one that is made explicitly the names in its
    arguments; the template's have types that depend on it.
    """
    record = canonical(kind).get_declaration()
    found = [child for child in record.get_children() if not child.kind.name.endswith("_REF")]
    pattern = pattern_of(record) if not found and not record.kind.is_invalid() else None
    return found if pattern is None else [*pattern.get_children(), *canonical(kind).get_fields()]


def is_copied_as_bytes(kind: Type) -> bool:
    """Whether a class (references aside) has no copy operation and no destructor of its own, nor have its parts."""
    return _is_copied_as_bytes(kind, Cursor.is_default_method)


def is_made_of_bytes(kind: Type) -> bool:
    """Whether a new object that is a copy of one of a class (references aside) has its bytes, and ends without a word:
    the constructor that copies and the destructor are the compiler's own, in all parts. An operator ``=`` of the
    class's own makes no objects: what is assigned to is there."""
    return _is_copied_as_bytes(kind, lambda method: method.is_default_method() or method.spelling == "operator=")


def is_copied_by_members(kind: Type, copies: Callable[[Cursor], bool] = copies_members) -> bool:
    """Whether a copy of a class (references aside) is one of its bytes, and so are those of its parts, whoever wrote
    the constructor that makes it; compilers take such a class for one with a copy operation of its own. An operator
    ``=`` makes no copies: what is assigned to is there. ``copies``: whether such a constructor copies members alone."""
    return _is_copied_as_bytes(kind, lambda method: _does_nothing_else(method) or copies(method))


def is_copied_by_members_and_ends(kind: Type, copies: Callable[[Cursor], bool] = copies_members) -> bool:
    """The same of a class whose destructors may do anything: who copies its objects has to end the copies."""
    return _is_copied_as_bytes(kind, lambda method: _may_end(method) or copies(method))


def _does_nothing_else(method: Cursor) -> bool:
    return bool(method.is_default_method() or method.spelling == "operator=")


def _may_end(method: Cursor) -> bool:
    return method.kind.name == "DESTRUCTOR" or _does_nothing_else(method)


def _is_copied_as_bytes(kind: Type, is_harmless: Callable[[Cursor], bool]) -> bool:
    members = members_of(kind)
    bases = dependent_bases(canonical(kind), members)
    return (
        bases.is_known
        and all(_are_copied_as_bytes(each, is_harmless) for each in (members, *bases.members))
        and all(_is_copied_as_bytes(argument, is_harmless) for argument in bases.arguments)
    )


def _are_copied_as_bytes(members: list[Cursor], is_harmless: Callable[[Cursor], bool]) -> bool:
    for member in members:
        if member.is_copy_constructor() or member.kind.name == "DESTRUCTOR" or member.spelling == "operator=":
            if not is_harmless(member):
                return False
        elif member.kind.name in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            part = member.type
            while (below := element_of(part)) is not None:
                part = below
            if is_record(part) and not _is_copied_as_bytes(part, is_harmless):
                return False
    return True


def is_only_moved(kind: Type) -> bool:
    """Whether a class (references aside), or a part of it, says how it is moved and not how it is copied: it is not."""
    members = members_of(kind)
    bases = dependent_bases(canonical(kind), members)
    return any(map(_are_only_moved, (members, *bases.members))) or any(map(is_only_moved, bases.arguments))


def _are_only_moved(members: list[Cursor]) -> bool:
    copies = any(member.is_copy_constructor() for member in members)
    for member in members:
        moves = member.is_move_constructor() or (member.spelling == "operator=" and _takes_temporary(member))
        if moves and not copies:
            return True
        if member.kind.name in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            part = member.type
            while (below := element_of(part)) is not None:
                part = below
            if is_record(part) and is_only_moved(part):
                return True
    return False


def _takes_temporary(method: Cursor) -> bool:
    return any(kind_name(p.type) == "RVALUEREFERENCE" for p in method.get_arguments() if p is not None)


def has_mutable_part(kind: Type) -> bool:
    """Whether a constant object of a class (references aside) may still change."""
    members = members_of(kind)
    bases = dependent_bases(canonical(kind), members)
    return any(map(_have_mutable_part, (members, *bases.members))) or any(map(has_mutable_part, bases.arguments))


def _have_mutable_part(members: list[Cursor]) -> bool:
    for member in members:
        if member.kind.name not in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            continue
        part = member.type
        while (below := element_of(part)) is not None:
            part = below
        if member.is_mutable_field() or (is_record(part) and has_mutable_part(part)):
            return True
    return False


def is_filled_without_code(kind: Type) -> bool:
    """Whether an object of a class (references aside) that is made with a list has values and nothing else happens:
    no part has a constructor that a value may call, and members that the list leaves out begin with constants."""
    members = members_of(kind)
    bases = dependent_bases(canonical(kind), members)
    return (
        bases.is_known
        and all(map(_are_filled_without_code, (members, *bases.members)))
        and all(map(is_filled_without_code, bases.arguments))
    )


def _are_filled_without_code(members: list[Cursor]) -> bool:
    for member in members:
        name = member.kind.name
        if name == "USING_DECLARATION" or (name == "CONSTRUCTOR" and not member.is_default_method()):
            return False
        if name == "FUNCTION_TEMPLATE" and _is_special(member):
            return False
        own = _initialisers(member) if name == "FIELD_DECL" else []
        if not all(_is_constant_value(node) for value in own for node in value.walk_preorder()):
            return False
        part = innermost(member.type) if name in ("FIELD_DECL", "CXX_BASE_SPECIFIER") else None
        if part is not None and is_record(part) and not is_reference(part) and not is_filled_without_code(part):
            return False
    return True


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
    members = members_of(kind)
    bases = dependent_bases(canonical(kind), members)
    return (
        bases.is_known and all(map(_are_trivial, (members, *bases.members))) and all(map(is_trivial, bases.arguments))
    )


def _are_trivial(members: list[Cursor]) -> bool:
    for member in members:
        name = member.kind.name
        if name in ("CONSTRUCTOR", "DESTRUCTOR") and not member.is_default_method():
            return False
        if name == "FIELD_DECL" and _has_initialiser(member):
            return False
        if name in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            inner = shape_of(member.type).element if is_array(member.type) else member.type
            if is_record(inner) and not is_trivial(inner):
                return False
    return True


def may_have_destructor(kind: Type) -> bool:
    """Whether something may happen when an object of a type ends, or one that a reference has kept: a class, or a part
    of it, says what, keeps an object that was made for it (a constant reference, an initializer list), or is not known
    well enough, as base classes of templates and what lambdas capture are."""
    if is_reference(kind):
        return kind_name(kind) == "RVALUEREFERENCE" or is_constant(without_reference(kind))
    found = canonical(kind)
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
    members = members_of(kind)
    bases = dependent_bases(canonical(kind), members)
    return any(map(_have_fixed_member, (members, *bases.members))) or any(map(has_fixed_member, bases.arguments))


def _have_fixed_member(members: list[Cursor]) -> bool:
    for member in members:
        if member.kind.name not in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            continue
        inner = shape_of(member.type).element if is_array(member.type) else member.type
        is_fixed = member.kind.name == "FIELD_DECL" and (is_reference(member.type) or is_constant(member.type))
        if is_fixed or (not is_reference(member.type) and is_record(inner) and has_fixed_member(inner)):
            return True
    return False


def begins_with_constants(member: Cursor) -> bool:
    """Whether a data member has no initial value of its own, or one that nothing is executed for."""
    return all(_is_constant_value(node) for value in _initialisers(member) for node in value.walk_preorder())


def _has_initialiser(member: Cursor) -> bool:
    return bool(_initialisers(member))


def _initialisers(member: Cursor) -> list[Cursor]:
    """Return the initial value of a member, if any; other expressions are array bounds and the width of a bit-field."""
    values = [child for child in member.get_children() if child.kind.is_expression()]
    if is_array(member.type):
        return [value for value in values if value.kind.name in ("INIT_LIST_EXPR", "STRING_LITERAL")]
    return values[int(member.is_bitfield()) :]


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
    found = canonical(kind)
    if found.is_const_qualified():
        return True
    return is_array(found) and bool(canonical(shape_of(found).element).is_const_qualified())


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
    found = canonical(kind)
    if found.is_volatile_qualified():
        return True
    return is_array(found) and bool(canonical(shape_of(found).element).is_volatile_qualified())
