"""How types are written: by name, and in declarations of generated code.

In: clang types. Out: names that mean the type outside of the scope it was written in, and declarators.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from clang.cindex import Cursor, TranslationUnit, Type

from rexcc.clang.hidden_types import has_hidden_name, with_scope
from rexcc.clang.library import canonical_type, children, declaration_of, in_system_header, is_inline_namespace, of_user
from rexcc.clang.template_arguments import with_large_numbers
from rexcc.clang.types import (
    element_of,
    has_hidden_qualifiers,
    is_constant,
    is_member_pointer,
    is_pointer,
    is_volatile,
    kind_name,
    without_reference,
    written_element_of,
)
from rexcc.source.patterns import regex

_GIVEN = "rex_unnamed_"
_UNNAMED = regex(r"\((?:unnamed|anonymous|lambda)\b(?! namespace)[^)]*\)")
_UNNAMED_RECORD = regex(
    r"(?:(?:struct|union|enum|class)\s+)?"
    r"\((?:unnamed|anonymous)(?: (?:struct|union|enum|class))? at ([^():]*):(\d+):(\d+)\)"
)
_MAIN_FILE = regex(r"\.(?:c|cc|cp|cpp|cxx|c\+\+|i|ii)$", re.IGNORECASE)

_ASKING = regex(r"\b(?:decltype|(?:__)?typeof(?:_unqual)?(?:__)?) ?\(|\btypename ")
_UNKNOWN = regex(rf"{_ASKING.pattern}|\b(?:type|template)-parameter-")


def spell_value(kind: Type) -> str:
    """Return the spelling of a type without a ``const`` of its own; what a pointer points to keeps its."""
    text = spell(_without_qualifying_alias(kind))
    return text.removesuffix("const").rstrip() if qualifies_behind(kind) else text.removeprefix("const ")


def qualifies_behind(kind: Type) -> bool:
    """Whether a type's own qualifiers stand behind it, as those of pointers do."""
    return is_pointer(kind) or is_member_pointer(kind)


def _without_qualifying_alias(kind: Type) -> Type:
    """Return a type, in full where it is named by an alias that says ``const`` or ``volatile``."""
    declaration = kind.get_declaration()
    if declaration.kind.name in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL"):
        named = declaration.underlying_typedef_type
        return canonical_type(kind) if is_constant(named) or is_volatile(named) else kind
    return canonical_type(kind) if has_hidden_qualifiers(kind) else kind


def spell_bare(kind: Type) -> str:
    """Return the spelling of a type without qualifiers of its own; what a pointer points to keeps its."""
    if qualifies_behind(kind):
        return spell_value(kind)
    return re.sub(r"^(?:const |volatile )+", "", spell(_without_qualifying_alias(kind)))


def is_unnamed(kind: Type) -> bool:
    """Whether a type's spelling has a part that cannot be written (a lambda's)."""
    return _UNNAMED.search(spell(kind)) is not None


def given_name(path: str, line: int, column: int) -> str:
    """Return the name that generated code gives to a struct, union or enumeration that the user left unnamed. That of a
    header has the header's name, by whatever way files include it: another header may have one at the same place."""
    header = "" if _MAIN_FILE.search(path) else re.sub(r"\W", "_", posixpath.basename(path), flags=re.ASCII)
    return f"{_GIVEN}{line}_{column}" + (f"_{header}" if header else "")


def has_given_name(kind: Type) -> bool:
    """Whether a type is spelled with a name that generated code gives, which types of device code's own text lack."""
    return _UNNAMED_RECORD.search(_in_full(kind)) is not None


def unnamed_place(spelling: str) -> tuple[str, int, int] | None:
    """Return the file, line and column in the spelling of an unnamed struct, union or enumeration."""
    match = _UNNAMED_RECORD.search(spelling)
    return (match[1], int(match[2]), int(match[3])) if match else None


def spell(kind: Type) -> str:
    """Return a type's spelling for generated code: as written, in full where that names a member of another scope or
    what a variable hides."""
    text = _spelled(kind)
    return with_scope(_spelled(canonical_type(kind))) if has_hidden_name(text) else text


def _spelled(kind: Type) -> str:
    text = with_large_numbers(kind, _in_full(kind)).replace("(anonymous namespace)::", "").replace("_Bool", "bool")
    text = _UNNAMED_RECORD.sub(lambda m: given_name(m[1], int(m[2]), int(m[3])), text)
    text = _OF_PARAMETERS.sub("[", text)
    text = re.sub(r"\(([*&][*& \w]*)\)$", r"\1", text)  # `int (*p)` is written with parentheses that it does not need
    return re.sub(r"\brestrict\b", "__restrict__", text)


def _in_full(kind: Type) -> str:
    """Return clang's spelling of a type: as written, in full where that names a member of another scope, a constant as
    a template argument, which may be a function's, or asks an expression or an instantiation for the type."""
    written = str(kind.spelling)
    if _ASKING.search(written):
        known = str(canonical_type(kind).spelling)
        return written if _UNKNOWN.search(known) or _UNNAMED.search(known) else known
    if _names_values(written, known := str(canonical_type(kind).spelling)):
        return known
    named = list(named_types(kind))
    if any(kind_name(t) in _DEDUCED for t in named) and (hiding := _hiding_names(kind)):
        return _FIRST.sub(lambda name: f"::{name[0]}" if name[0] in hiding else name[0], known)
    if _deduces_array(kind):
        return known
    shown = canonical_type(kind) if any(_is_short(t, written) for t in named) else kind
    if shown is kind and any(_is_in_part(alias, written) for alias in _aliases(kind)):
        shown = canonical_type(kind)
    return str(shown.spelling)


def _deduces_array(kind: Type) -> bool:
    """Whether a type leads to an ``auto`` that stands for an array: clang leaves out the parentheses of the declarator,
    and ``auto *p = &array`` would be an array of pointers."""
    current: Type = without_reference(kind)
    while kind_name(current) == "POINTER":
        current = current.get_pointee()
    return kind_name(current) == "AUTO" and element_of(current) is not None


_OF_PARAMETERS = regex(r"\[(?:(?:static|const|volatile|restrict)\b\s*)+")
"""What C has in the brackets of a parameter: ``int a[static 4]``."""
_NUMBER = regex(r"(?<=[<{, ])-?\d+[UL]*(?=[,>}])")
_EXPRESSION = regex(r"[<,]\s*[A-Za-z_]\w*\s*(?=[-+*/%,>])")


def _names_values(written: str, known: str) -> bool:
    """Whether a type's spelling has names where the type has numbers as template arguments."""
    if _EXPRESSION.search(written) is None or _UNKNOWN.search(known) or _UNNAMED.search(known):
        return False
    return len(_NUMBER.findall(known)) > len(_NUMBER.findall(written))


_DEDUCED = frozenset({"RECORD", "ENUM", "AUTO", "UNEXPOSED"})
"""Kinds of types that clang names from the file's scope on, and not as the program does."""
_FIRST = regex(r"(?<![\w:.])[^\W\d]\w*")
_hiding: dict[int, tuple[TranslationUnit, frozenset[str]]] = {}
"""The names that may hide others, of the last unit that was asked for."""


def _hiding_names(kind: Type) -> frozenset[str]:
    """Return the names of classes, enumerations and namespaces that a user's file declares at its own scope and in a
    namespace as well: there the one of the file is hidden."""
    unit = kind.translation_unit
    known = _hiding.get(id(unit))
    if known is not None and known[0] is unit:
        return known[1]
    outer: set[str] = set()
    inner: set[str] = set()
    waiting = [(c, outer) for c in of_user(unit)]
    for cursor, names in waiting:
        if cursor.kind.name in _NAMED_SCOPES:
            names.add(str(cursor.spelling))
        if cursor.kind.name in ("NAMESPACE", "LINKAGE_SPEC"):
            below = inner if cursor.kind.name == "NAMESPACE" else names
            waiting += [(c, below) for c in children(cursor)]
    _hiding.clear()
    _hiding[id(unit)] = unit, frozenset((outer & inner) - {""})
    return _hiding[id(unit)][1]


_NAMED_SCOPES = ("NAMESPACE", "STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "ENUM_DECL", "CLASS_TEMPLATE", "TYPEDEF_DECL",
                 "TYPE_ALIAS_DECL")  # fmt: skip


LOCAL_SPACE = "rex_local_"
"""What the names of namespaces begin with that have what functions declare."""


def named_types(kind: Type) -> Iterator[Type]:
    """Yield the types that a spelling names: what a pointer or array is made of, and template arguments."""
    current = without_reference(kind)
    for _ in range(20):
        below = written_element_of(current)
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


def _aliases(kind: Type) -> Iterator[Type]:
    """Yield the aliases of arrays and pointers that a spelling names."""
    current: Type | None = without_reference(kind)
    while current is not None:
        below = element_of(current)
        if below is None and kind_name(current) == "POINTER":
            below = current.get_pointee()
        if below is not None and not current.get_declaration().kind.is_invalid():
            yield current
        current = below


def _is_in_part(alias: Type, text: str) -> bool:
    """Whether an alias is written in a text without all of its namespaces and classes that are no templates."""
    if _is_short(alias, text):
        return True
    declaration = alias.get_declaration()
    names, scope = [str(declaration.spelling)], named_scope(declaration)
    while scope is not None and (scope.kind.name == "NAMESPACE" or scope.kind.name in ("STRUCT_DECL", "CLASS_DECL")):
        if scope.kind.name != "NAMESPACE" and scope.type.get_num_template_arguments() > 0:
            return False
        if scope.kind.name != "NAMESPACE" or not is_inline_namespace(scope):
            names.append(str(scope.spelling))
        scope = named_scope(scope)
    return scope is None and len(names) > 2 and "" not in names and "::".join(reversed(names)) not in text


def _is_short(kind: Type, text: str) -> bool:
    """Whether a member of a class or namespace is written in a text without its class or namespace."""
    declaration = declaration_of(kind)
    if declaration.kind.is_invalid() or not declaration.spelling:
        return is_used(kind) and "::" not in str(kind.spelling)
    if declaration.kind.name == "TYPE_ALIAS_DECL" and LOCAL_SPACE in str(canonical_type(kind).spelling):
        return True  # the alias of a function for a class that has moved out of it
    scope = named_scope(declaration)
    if scope is None or (scope.kind.name == "NAMESPACE" and _is_number_of_library(declaration)):
        return False
    full = _full_name(declaration)
    if full:
        return full not in text and str(declaration.spelling) in text
    return re.search(rf"(?<![\w:]){re.escape(str(declaration.spelling))}\b", text) is not None


def _full_name(declaration: Cursor) -> str:
    """Return a declaration's name with all its namespaces (inline ones aside), empty for a class member."""
    names = [str(declaration.spelling)]
    scope = named_scope(declaration)
    while scope is not None:
        if scope.kind.name != "NAMESPACE":
            return ""
        if not is_inline_namespace(scope):
            names.append(str(scope.spelling))
        scope = named_scope(scope)
    return "::".join(reversed(names))


def is_used(kind: Type) -> bool:
    """Whether a type is named through a using declaration, whose target clang does not tell."""
    declaration = kind.get_declaration()
    may_be = kind_name(kind) in ("ELABORATED", "AUTO")
    return may_be and (declaration is None or bool(declaration.kind.is_invalid()))


def _is_number_of_library(declaration: Cursor) -> bool:
    """Whether an alias is one of those that the libraries have at file scope too, as ``std::size_t``."""
    if declaration.kind.name not in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL") or not in_system_header(declaration):
        return False
    return kind_name(canonical_type(declaration.type)) != "RECORD"


def named_scope(declaration: Cursor) -> Cursor | None:
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
    return declared if qualifies_behind(kind) else declared.removeprefix("const ")


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


_GROUP = regex(r"\((?:\w+(?:<[^()]*>)?::)*[*&]+(?: ?(?:const|volatile|__restrict__|__restrict)\b)*")
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
        while inner := _GROUP.match(text, group.end() + text.startswith(" ", group.end())):
            group = inner
        return group.end()
    bracket = _extents_at(text)
    return bracket if bracket >= 0 else len(text)


_ARGUMENTS = regex(r"<.*>", re.DOTALL)
_IN_TYPES = frozenset("[]<>")


def _extents_at(text: str) -> int:
    """Return where an array type's extents begin, -1 where there are none, as in template arguments."""
    start = len(text)
    while text.endswith("]", 0, start):
        opened = text.rfind("[", 0, start)
        if opened < 0 or not _IN_TYPES.isdisjoint(text[opened + 1 : start - 1]):
            break
        start = opened
    before = _ARGUMENTS.sub("", text[:start], count=1)  # from the first bracket to the last one
    return start if start < len(text) and _IN_TYPES.isdisjoint(before) else -1


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
