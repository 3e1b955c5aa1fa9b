"""Questions about types, and their spelling in declarations.

In: clang types. Out: facts (scalar, pointer, array shape) and declarator text for generated code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import Cursor, Type, TypeKind

from rexcc.clang.library import canonical_type, in_system_header, is_inline_namespace, template_of
from rexcc.source.records import dataclass

_ARRAYS = frozenset({"CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY"})
_SCALARS = frozenset(
    {
        "BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG", "UINT128",
        "CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG", "INT128", "FLOAT", "DOUBLE",
        "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128", "ENUM", "COMPLEX", "NULLPTR",
    }
)  # fmt: skip
_GIVEN = "rex_unnamed_"
_UNNAMED = re.compile(r"\((?:unnamed|anonymous|lambda)\b(?! namespace)[^)]*\)")
_UNNAMED_RECORD = re.compile(
    r"(?:(?:struct|union|enum|class)\s+)?"
    r"\((?:unnamed|anonymous)(?: (?:struct|union|enum|class))? at [^():]*:(\d+):(\d+)\)"
)

_KIND_NAMES: dict[int, str] = {kind.value: kind.name for kind in TypeKind._kinds if kind is not None} | {32: "FLOAT16"}


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


def _members(kind: Type) -> list[Cursor]:
    """Return what is declared in a class (references aside); of one made from a template that, and its own members.

    Clang gives such a class no members but its data members; the template's have types that depend on it.
    """
    record = canonical(kind).get_declaration()
    found = list(record.get_children())
    pattern = template_of(record) if not found and not record.kind.is_invalid() else None
    return found if pattern is None else [*pattern.get_children(), *canonical(kind).get_fields()]


def is_copied_as_bytes(kind: Type) -> bool:
    """Whether a class (references aside) has no copy operation and no destructor of its own, nor have its parts."""
    for member in _members(kind):
        if member.is_copy_constructor() or member.kind.name == "DESTRUCTOR" or member.spelling == "operator=":
            if not member.is_default_method():
                return False
        elif member.kind.name in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            part = member.type
            while (below := element_of(part)) is not None:
                part = below
            if is_record(part) and not is_copied_as_bytes(part):
                return False
    return True


def is_only_moved(kind: Type) -> bool:
    """Whether a class (references aside), or a part of it, says how it is moved and not how it is copied: it is not."""
    members = _members(kind)
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
    for member in _members(kind):
        if member.kind.name not in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            continue
        part = member.type
        while (below := element_of(part)) is not None:
            part = below
        if member.is_mutable_field() or (is_record(part) and has_mutable_part(part)):
            return True
    return False


def is_trivial(kind: Type) -> bool:
    """Whether an object of a class (references aside) needs no constructor to begin and no destructor to end."""
    for member in _members(kind):
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


def has_fixed_member(kind: Type) -> bool:
    """Whether a class (references aside) has a reference or a constant among its members or their parts."""
    for member in _members(kind):
        if member.kind.name not in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            continue
        inner = shape_of(member.type).element if is_array(member.type) else member.type
        is_fixed = member.kind.name == "FIELD_DECL" and (is_reference(member.type) or is_constant(member.type))
        if is_fixed or (not is_reference(member.type) and is_record(inner) and has_fixed_member(inner)):
            return True
    return False


def _has_initialiser(member: Cursor) -> bool:
    """Tell whether a member has an initial value; its expressions may also be array bounds and a bit-field's width."""
    values = [child for child in member.get_children() if child.kind.is_expression()]
    if is_array(member.type):
        return any(value.kind.name in ("INIT_LIST_EXPR", "STRING_LITERAL") for value in values)
    return len(values) > int(member.is_bitfield())


def holds_pointers(kind: Type) -> bool:
    """Whether a type is a pointer, or has parts that are, references too, or may be: base classes of templates."""
    found = canonical(kind)
    while (below := element_of(found)) is not None:
        found = canonical(below)
    if kind_name(found) in ("POINTER", "DEPENDENT", "UNEXPOSED"):
        return True
    if not is_record(found):
        return False
    parts = (m for m in _members(found) if m.kind.name == "CXX_BASE_SPECIFIER")
    return any(is_reference(part.type) or holds_pointers(part.type) for part in (*parts, *found.get_fields()))


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
    passed = list(canonical_type(function.type).argument_types()) if places else []
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
    """Whether an object of a type is const, an array by its elements (clang's canonical form has it on the array)."""
    bare = without_reference(kind)
    if bare.is_const_qualified() or canonical(kind).is_const_qualified():
        return True
    return is_array(kind) and bool(shape_of(kind).element.is_const_qualified())


def is_volatile(kind: Type) -> bool:
    """Whether an object of a type (references aside) is volatile, an array by its elements."""
    bare = without_reference(kind)
    if bare.is_volatile_qualified() or canonical(kind).is_volatile_qualified():
        return True
    return is_array(kind) and bool(shape_of(kind).element.is_volatile_qualified())


def spell_value(kind: Type) -> str:
    """Return the spelling of a type without a ``const`` of its own; what a pointer points to keeps its."""
    text = spell(kind)
    return text.removesuffix("const").rstrip() if is_pointer(kind) else text.removeprefix("const ")


def spell_bare(kind: Type) -> str:
    """Return the spelling of a type without qualifiers of its own; what a pointer points to keeps its."""
    return spell_value(kind) if is_pointer(kind) else re.sub(r"^(?:const |volatile )+", "", spell(kind))


def is_unnamed(kind: Type) -> bool:
    """Whether a type's spelling has a part that cannot be written (a lambda's)."""
    return _UNNAMED.search(spell(kind)) is not None


def given_name(line: int, column: int) -> str:
    """Return the name that generated code gives to a struct, union or enumeration that the user left unnamed."""
    return f"{_GIVEN}{line}_{column}"


def has_given_name(kind: Type) -> bool:
    """Whether a type is spelled with a name that generated code gives, which types of device code's own text lack."""
    return _UNNAMED_RECORD.search(_in_full(kind)) is not None


def unnamed_place(spelling: str) -> tuple[int, int] | None:
    """Return the line and column in the spelling of an unnamed struct, union or enumeration."""
    match = _UNNAMED_RECORD.search(spelling)
    return (int(match[1]), int(match[2])) if match else None


def spell(kind: Type) -> str:
    """Return a type's spelling for generated code: as written, in full where that names a member of another scope."""
    text = _in_full(kind).replace("(anonymous namespace)::", "").replace("_Bool", "bool")
    text = _UNNAMED_RECORD.sub(lambda m: given_name(int(m[1]), int(m[2])), text)
    text = re.sub(r"\(([*&][*& \w]*)\)$", r"\1", text)  # `int (*p)` is written with parentheses that it does not need
    return re.sub(r"\brestrict\b", "__restrict__", text)


def _in_full(kind: Type) -> str:
    """Return clang's spelling of a type: as written, in full where that names a member of another scope."""
    shown = canonical_type(kind) if any(_is_short(t, str(kind.spelling)) for t in named_types(kind)) else kind
    return str(shown.spelling)


def named_types(kind: Type) -> Iterator[Type]:
    """Yield the types that a spelling names: what a pointer or array is made of, and template arguments."""
    current = without_reference(kind)
    for _ in range(20):
        below = element_of(current)
        if below is None and kind_name(current) == "POINTER":
            below = current.get_pointee()
        if below is None:
            break
        current = below
    yield current
    for index in range(max(0, current.get_num_template_arguments())):
        argument = current.get_template_argument_type(index)
        if kind_name(argument) != "INVALID":
            yield from named_types(argument)


def _is_short(kind: Type, text: str) -> bool:
    """Whether a member of a class or namespace is written in a text without its class or namespace."""
    declaration = kind.get_declaration()
    if declaration is None or declaration.kind.is_invalid() or not declaration.spelling:
        return is_used(kind) and "::" not in str(kind.spelling)
    scope = scope_of(declaration)
    if scope is None or (scope.kind.name == "NAMESPACE" and in_system_header(declaration) and _is_typedef(declaration)):
        return False
    full = _full_name(declaration)
    if full:
        return full not in text and str(declaration.spelling) in text
    return re.search(rf"(?<![\w:]){re.escape(str(declaration.spelling))}\b", text) is not None


def _full_name(declaration: Cursor) -> str:
    """Return a declaration's name with all its namespaces (inline ones aside), empty for a class member."""
    names = [str(declaration.spelling)]
    scope = scope_of(declaration)
    while scope is not None:
        if scope.kind.name != "NAMESPACE":
            return ""
        if not is_inline_namespace(scope):
            names.append(str(scope.spelling))
        scope = scope_of(scope)
    return "::".join(reversed(names))


def is_used(kind: Type) -> bool:
    """Whether a type is named through a using declaration, whose target clang does not tell."""
    declaration = kind.get_declaration()
    return kind_name(kind) == "ELABORATED" and (declaration is None or bool(declaration.kind.is_invalid()))


def _is_typedef(declaration: Cursor) -> bool:
    return declaration.kind.name in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL")


def scope_of(declaration: Cursor) -> Cursor | None:
    """Return the class or named namespace that a declaration is a member of, None at file scope and in functions."""
    parent = declaration.semantic_parent
    while parent is not None and parent.kind.name in ("NAMESPACE", "LINKAGE_SPEC") and not parent.spelling:
        parent = parent.semantic_parent
    scopes = ("NAMESPACE", "STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE")
    return parent if parent is not None and parent.kind.name in scopes else None


def declare(kind: Type, name: str) -> str:
    """Return the declaration of ``name`` with a type, references as they are: ``float (*a)[4]``, ``int n``."""
    return with_declarator(spell(kind), name)


def assignable(kind: Type, declared: str) -> str:
    """Return what :func:`declare` has made of a type, without a ``const`` of the type's own."""
    return declared if is_pointer(kind) else declared.removeprefix("const ")


def declare_bare(kind: Type, name: str) -> str:
    """Return the declaration of ``name`` with a type that has no qualifiers of its own."""
    return with_declarator(spell_bare(kind), name)


def with_declarator(text: str, declarator: str) -> str:
    """Return a type's text with a declarator in the place where a declaration has it."""
    place = _declarator_at(text)
    before, behind = text[:place], text[place:]
    if declarator[0] in "*&" and behind.startswith(("[", "(")):
        declarator = f"({declarator})"
    gap = "" if before.endswith(("*", "&", "(")) else " "
    return f"{before.rstrip()}{gap}{declarator}{behind}"


_GROUP = re.compile(r"\((?:\w+(?:<[^()]*>)?::)*[*&]+(?: ?(?:const|volatile|__restrict__|__restrict)\b)*")
"""The parenthesis of a declarator, with what stands in it in front of a name."""


def _declarator_at(text: str) -> int:
    """Return where the name stands in declarations of a type: in the innermost parenthesis that belongs to one.

    ``int (*[2])(int)`` has its name behind the ``*``, ``int (*(*)(int))(void (*)(int))`` behind the second.
    """
    depth = 0
    for at, character in enumerate(text):
        depth += {"<": 1, ">": -1}.get(character, 0)
        group = _GROUP.match(text, at) if character == "(" and depth == 0 else None
        if group is None:
            continue
        while inner := _GROUP.match(text, group.end()):
            group = inner
        return group.end()
    bracket = _extents_at(text)
    return bracket if bracket >= 0 else len(text)


def _extents_at(text: str) -> int:
    """Return where an array type's extents begin, -1 where there are none, as in template arguments."""
    match = re.fullmatch(r"((?:[^\[<>]|<.*>)*)((?:\[[^\]<>]*\])+)", text)
    return match.start(2) if match is not None else -1


def declare_reference(kind: Type, name: str) -> str:
    """Return the declaration of a reference to a type: ``float (&a)[4][8]``, ``S &s``."""
    return _declare_through(kind, f"&{name}")


def declare_pointer_to(kind: Type, name: str) -> str:
    """Return the declaration of a pointer to a type: ``float (*a)[4]``, ``S *s``."""
    return _declare_through(kind, f"*{name}")


def pointer_to(kind: Type) -> str:
    """Return the type of pointers to a type: ``float (*)[4]``, ``S *``."""
    return _declare_through(kind, "*")


def _declare_through(kind: Type, marked: str) -> str:
    """Return the declaration of a name with its ``*`` or ``&`` in front, in parentheses where the type needs them."""
    return with_declarator(spell(without_reference(kind)), marked)
