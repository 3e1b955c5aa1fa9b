"""Functions of other files that launch kernels, called between launches.

What such a function does is visible only in its own file, so both files say what they know, and the program decides:
the file that defines it says that nothing in it sees whether its kernels have ended, in a variable that only the link
unit itself can see; the caller's queues its kernels if that variable is there and speaks of the function that the call
reaches. In: a function's cursor. Out: how the linker knows it, and an expression with its address.
"""

from __future__ import annotations

from clang.cindex import Cursor, LinkageKind, Type

from rexcc.analysis.batches.plain_objects import is_plain
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.analysis.separate import symbol
from rexcc.clang import library, types
from rexcc.clang.scopes import namespaces_around
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_SYMBOL = regex(r"[A-Za-z_]\w*\Z")
_UNSAID = "(unnamed", "(anonymous", "(lambda", "(*)", "(&)"
"""What is in the names of types that have none, and of those around which a function's would have to be written."""
_AROUND = frozenset({"TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})


@dataclass(frozen=True)
class CommonFunction:
    """A function that several files know: its ``symbol``, and the user's words for its ``address`` and for its
    ``type`` wherever it has been declared. ``is_member`` tells that it is a static
    function of a class; a ``merged`` one may have several definitions of one text, of which the
    linker takes one."""

    symbol: str
    address: str
    type: str
    is_member: bool = False
    merged: bool = False


def common_function(unit: ParsedUnit, function: Cursor) -> CommonFunction | None:
    """Return what a function's file and its callers say of it; None if it may be one file's own, or a template's."""
    if kind_of(function) == "CXX_METHOD":
        return _common_member(unit, function)
    if kind_of(function) != "FUNCTION_DECL" or function.linkage != LinkageKind.EXTERNAL:
        return None
    if library.is_inline_function(function) or library.template_of(function) is not None:
        return None
    if kind_of(function.lexical_parent) not in _AROUND or not _has_prototype(function):
        return None
    name = symbol(unit, function)
    if not unit.is_cplusplus:
        return CommonFunction(name, f"&{name}", f"__typeof__({name})") if _SYMBOL.match(name) else None
    given = function.type.get_canonical()
    result, parameters = str(given.get_result().spelling), [str(p.spelling) for p in library.argument_types(given)]
    if not _SYMBOL.match(name) or any(word in spelled for spelled in (result, *parameters) for word in _UNSAID):
        return None
    scopes = [str(scope.spelling) for scope in namespaces_around(function)]
    qualified, listed = "::".join(["", *reversed(scopes), str(function.spelling)]), ", ".join(parameters)
    address = f"(static_cast<{result} (*)({listed})>({qualified}))"  # as a macro's argument, too
    return CommonFunction(name, address, f"__typeof__({result} ({listed}))")


def _common_member(unit: ParsedUnit, function: Cursor) -> CommonFunction | None:
    """Return what is said of a public static function of a class, the only one of its name there. One of a template is
    made by the file that says how (C++ [temp.explicit]); others may make it too, all of the same text, so it is named
    by what the linker takes (``merged``)."""
    record = function.semantic_parent
    if not function.is_static_method() or function.linkage != LinkageKind.EXTERNAL or not _has_prototype(function):
        return None
    is_merged, pattern = library.template_of(record) is not None, library.template_of(function)
    if pattern is not None and kind_of(pattern) == "FUNCTION_TEMPLATE":
        return None  # its name alone does not say which instance is meant
    if library.is_inline_function(function) or (pattern is not None and not is_merged):
        return None
    named = {str(m.get_usr()) for m in types.members_of(record.type) if m.spelling == function.spelling}
    if len(named) != 1 or not _is_public(function):
        return None
    name, scope = symbol(unit, function), str(record.type.get_canonical().spelling)
    if not _SYMBOL.match(name) or any(mark in scope for mark in "(&") or not _has_named_arguments(record.type):
        return None
    address = f"(&::{scope}::{function.spelling})"  # a macro's argument, in which template arguments have commas
    return CommonFunction(name, address, f"__typeof__(::{scope}::{function.spelling})", True, is_merged)


def _has_named_arguments(kind: Type) -> bool:
    """Whether all template arguments of a class can be named anywhere: none is a member, which may be private."""
    for index in range(max(0, kind.get_num_template_arguments())):
        argument = _bare(kind.get_template_argument_type(index))
        while types.is_pointer(argument):
            argument = _bare(argument.get_pointee())
        declared = argument.get_declaration()
        is_scalar = declared.kind.is_invalid()
        if not is_scalar and kind_of(declared.semantic_parent) not in _AROUND:
            return False
        if not is_scalar and not _has_named_arguments(argument):
            return False
    return True


def _bare(kind: Type) -> Type:
    """Return a type, or that of an array's elements, without a reference."""
    return types.canonical(types.innermost(types.canonical(types.without_reference(kind))))


def _is_public(member: Cursor) -> bool:
    """Whether a member, and each class around it, can be named anywhere; none is a function's own."""
    scope = member
    while kind_of(scope.semantic_parent) in RECORD_KINDS:
        if scope.access_specifier.name not in ("PUBLIC", "INVALID"):
            return False
        scope = scope.semantic_parent
    return kind_of(scope.semantic_parent) in _AROUND


def called_elsewhere(unit: ParsedUnit, callee: Cursor) -> CommonFunction | None:
    """Return what is said of a function that another file defines, if all that it is given are plain values."""
    if library.in_system_header(callee) or not lacks_definition(callee) or not _has_prototype(callee):
        return None
    if types.is_variadic(callee.type):
        return None
    parameters = [types.without_reference(given) for given in library.argument_types(callee.type)]
    attributes = any(kind_of(child).endswith("_ATTR") for child in callee.get_children())
    if attributes or not all(map(is_plain, parameters)):
        return None
    return common_function(unit, callee)


def _has_prototype(function: Cursor) -> bool:
    return bool(function.type.get_canonical().kind.name == "FUNCTIONPROTO")
