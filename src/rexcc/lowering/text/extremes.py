"""``std::min``, ``std::max`` and ``std::clamp`` in device code.

In: a range of device code. Out: edits, and the names that no edit can be made for. The functions take and return
references, so that what is compared has to be in memory; where one operand is in a thread's own memory and one
elsewhere, a GPU has to find out at run time where the result is. ``lo[k] = std::min(lo[k], p[k])`` becomes
``lo[k] = rex_least(lo[k], p[k])``, which takes and returns values.

It is the same where the result is read at once, which clang's conversion around the call says, and where the operands
have no effects: then they are what they were when they are read before the call. The comparison is the library's.

Templates have one text for all their types. There ``m = std::max(m, x[i])`` becomes ``m = rex_greatest_of(m, x[i])``,
which takes references and gives numbers as values, all else as the library does. (Not so with initial values: a type
that a template is given may be a reference.)

CUDA has functions of these names at global scope, which order NaN and zeros of both signs otherwise. A name that a
using directive or declaration finds becomes ``std::max``, in templates where each candidate is the library's and no
argument can bring another one: the user declares no function of that name. Where the name is not written, in macros,
and where the user has candidates, too, the device file declares ``using std::max`` in a namespace around its code.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.standard_library import is_of_std
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, Note, error
from rexcc.source.expansion_notes import in_users_text
from rexcc.source.needed_expansion import ExpansionNeeded
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_VALUES = {"min": "rex_least", "max": "rex_greatest"}
_BY_TYPE = {"min": "rex_least_of", "max": "rex_greatest_of"}
_FOR_EVERY_TYPE = (*_BY_TYPE.values(), "std::min", "std::max")
_CALLED = {**_VALUES, "clamp": "rex_clamped"}
_OPERANDS = {"min": 2, "max": 2, "clamp": 3}
_WRITTEN = regex(r"(?P<name>(?:(?:::\s*)?std\s*::\s*)?(?:min|max|clamp))\s*(?:<[\w\s]*>\s*)?\(")
_MENTIONED = regex(r"\b(?:min|max|clamp)\b")
_STD = "std::"
_REFERENCES = frozenset({"DECL_REF_EXPR", "OVERLOADED_DECL_REF"})
_FUNCTIONS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE"})
_NUMBERS = frozenset({"CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG",
                      "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})  # fmt: skip
_EFFECTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "p++", "p--"})
_PLAIN = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "DECL_REF_EXPR",
                    "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "CXX_THIS_EXPR",
                    "CONDITIONAL_OPERATOR", "INTEGER_LITERAL", "FLOATING_LITERAL", "TYPE_REF", "NAMESPACE_REF",
                    "CXX_FUNCTIONAL_CAST_EXPR", "OVERLOADED_DECL_REF", "TEMPLATE_REF"})  # fmt: skip
_ACCESSES = frozenset({"operator[]", "data", "size"})


@dataclass(frozen=True)
class _Extremes:
    """``edits`` has for each file where a name stands and what is written there; ``unwritten`` are the places of
    references to the library's functions that have none, with the names."""

    edits: dict[str, list[tuple[int, int, str]]] = field(default_factory=dict)
    unwritten: dict[tuple[str, int], str] = field(default_factory=dict)


def lower_extremes(body: DeviceBody, start: int, end: int, has_values: bool = True) -> None:
    """Let the names in a range of the user's text be the library's.

    Calls whose types are known may have values where ``has_values``.
    """
    if not body.unit.is_cplusplus:
        return
    for place, name, made in body.unit.kept(_extremes).edits.get(body.file.scan.source.path, ()):
        is_inside = start <= place and name <= end and body.edits.is_free(place, name)
        if is_inside and (has_values or made in _FOR_EVERY_TYPE):
            body.edits.replace(place, name, made)


def unwritten_extremes(unit: ParsedUnit, code: Iterable[Node], is_shared: bool) -> list[str]:
    """Return which of the functions device code names where it cannot be written that the library's is meant.

    Raises ExpansionNeeded where macros name them in code that other files share (``is_shared``), which would not find
    functions in a namespace.
    """
    unwritten = unit.kept(_extremes).unwritten if unit.is_cplusplus else {}
    if not unwritten:
        return []
    nodes = [node for top in code for node in top.walk() if node.kind in _REFERENCES and node.spelling in _VALUES]
    places = {(node.file, node.start) for node in nodes}
    names = {name for place, name in unwritten.items() if place in places}
    for node in nodes:
        if node.spelling in names and _is_of_user_alone(unit, node):
            raise _told_apart_by_scopes(unit, node)
    if names and is_shared:
        _expand(unit, {place for place in unwritten if place in places})
    return sorted(names)


def _expand(unit: ParsedUnit, places: set[tuple[str, int]]) -> None:
    """Ask for the macros that name the functions to be written out, where there are some."""
    uses = [n for n in unit.declarations if n.kind == "MACRO_INSTANTIATION" and (n.file, n.start) in places]
    spans = (unit.span(use) for use in uses)
    shown = (in_users_text(span) for span in spans if span is not None)
    needed = frozenset((span.source.path, span.start) for span in shown if span is not None)
    if needed:
        raise ExpansionNeeded(needed)


def _extremes(unit: ParsedUnit) -> _Extremes:
    """Return what names the library's functions in the user's text."""
    found = _Extremes()
    for path, file in unit.files.items():
        if _MENTIONED.search(file.scan.source.text) is None:
            continue
        edits = found.edits.setdefault(file.scan.source.path, [])
        for node in (n for top in unit.declarations if top.file == path for n in top.walk()):
            start = file.original(node.start)
            if node.kind == "CALL_EXPR" and node.spelling in _CALLED:
                written = _WRITTEN.match(file.scan.source.text, start)
                if written is not None and _is_of_values(node):
                    edits.append((start, written.end("name"), _CALLED[node.spelling]))
            elif node.kind == "CALL_EXPR" and (name := _called_in_full(unit, node)):
                written = _WRITTEN.match(file.scan.source.text, start)
                if written is not None and _is_assigned(node):
                    edits.append((start, written.end("name"), _BY_TYPE[name]))
            elif node.kind in _REFERENCES and node.spelling in _VALUES and _is_found_by_using(unit, node):
                end = start + len(node.spelling)
                if file.scan.source.text[start:end] == node.spelling and _is_of_library_alone(unit, node):
                    edits.append((start, end, f"{_STD}{node.spelling}"))
                elif not _is_declared_around(node):
                    found.unwritten[path, node.start] = node.spelling
    return found


def _called_in_full(unit: ParsedUnit, call: Node) -> str:
    """Return which of the functions a call in a template names with its scope, with two operands; else nothing."""
    if len(call.children) != 3 or call.children[0].kind != "DECL_REF_EXPR":
        return ""
    parts = call.children[0].children
    name = next((p for p in parts if p.kind == "OVERLOADED_DECL_REF" and p.spelling in _VALUES), None)
    if name is None or not any(p.kind == "NAMESPACE_REF" and p.spelling == "std" for p in parts):
        return ""
    return name.spelling if _is_of_library_alone(unit, name) else ""


def _is_assigned(call: Node) -> bool:
    """Whether what a call in a template finds is assigned to a variable that has the type of an operand."""
    above = call.parent
    if above is None or above.children[-1].start != call.start:
        return False
    if above.kind != "COMPOUND_ASSIGNMENT_OPERATOR" and above.operator != "=":
        return False
    return _unqualified(above.children[0].type) in {_unqualified(operand.type) for operand in call.children[1:]}


def _unqualified(kind: Type) -> str:
    """Return a type's name without ``const``."""
    return str(types.canonical(kind).spelling).removeprefix("const ")


def _is_found_by_using(unit: ParsedUnit, node: Node) -> bool:
    """Whether a name without a scope may be one of the library's functions."""
    around = node.parent.children if node.parent is not None else []
    if any(child.kind == "NAMESPACE_REF" for child in (*node.children, *around)):
        return False
    return any(_is_std(unit, function) for function in _candidates(node))


def _is_of_library_alone(unit: ParsedUnit, node: Node) -> bool:
    """Whether a name means one of the library's functions, with whatever arguments."""
    if node.kind == "DECL_REF_EXPR":
        return True
    is_users = node.spelling in unit.kept(_declared_by_user)
    return not is_users and all(_is_std(unit, function) for function in _candidates(node))


def _is_declared_around(node: Node) -> bool:
    """Whether a using declaration in a block or namespace around a name has it found: it hides what is further out."""
    for above in node.ancestors():
        for child in above.children if above.kind != "TRANSLATION_UNIT" else ():
            for using in child.children if child.kind == "DECL_STMT" else (child,):
                if using.kind == "USING_DECLARATION" and using.spelling == node.spelling and using.start < node.start:
                    return any(map(is_of_std, _named(using)))
    return False


def _is_of_user_alone(unit: ParsedUnit, node: Node) -> bool:
    """Whether a name means the user's functions outside of namespaces, and none of the library's are found there."""
    functions = _candidates(node)
    if node.spelling in unit.kept(_found_everywhere) or any(_is_std(unit, function) for function in functions):
        return False
    return any(kind_of(f) in _FUNCTIONS and kind_of(f.semantic_parent) == "TRANSLATION_UNIT" for f in functions)


def _found_everywhere(unit: ParsedUnit) -> set[str]:
    """Return which of the library's functions all code finds, by what stands outside of namespaces and functions."""
    directives = (child for top in unit.declarations if top.kind == "USING_DIRECTIVE" for child in top.children)
    if any(child.spelling == "std" for child in directives):
        return set(_VALUES)
    usings = (top for top in unit.declarations if top.kind == "USING_DECLARATION")
    return {using.spelling for using in usings if any(map(is_of_std, _named(using)))}


def _told_apart_by_scopes(unit: ParsedUnit, node: Node) -> CompileError:
    name = node.spelling
    message = (
        f"'{name}' means the program's own function here, and that of 'std', too, in other device code, by a using "
    )
    advice = Note(f"write 'std::{name}' where the library's is meant")
    return error("unsupported-declaration", f"{message}directive or declaration", unit.span(node), advice)


def _candidates(node: Node) -> tuple[Cursor, ...]:
    if node.kind == "DECL_REF_EXPR":
        return (node.referenced,) if node.referenced is not None else ()
    return library.overloads(node.cursor)


def _is_std(unit: ParsedUnit, function: Cursor) -> bool:
    """Whether a candidate is one of the library's functions, or what a using declaration makes of one."""
    return is_of_std(function) or _place(function) in unit.kept(_using_declarations)


def _using_declarations(unit: ParsedUnit) -> set[tuple[str, int]]:
    """Return the places of the user's using declarations of the functions."""
    nodes = (node for top in unit.declarations for node in top.walk())
    usings = (n for n in nodes if n.kind == "USING_DECLARATION" and n.spelling in _VALUES)
    return {_place(n.cursor) for n in usings if any(map(is_of_std, _named(n)))}


def _named(using: Node) -> tuple[Cursor, ...]:
    return tuple(function for child in using.children for function in library.overloads(child.cursor))


def _place(declaration: Cursor) -> tuple[str, int]:
    return str(declaration.location.file), declaration.location.offset


def _declared_by_user(unit: ParsedUnit) -> set[str]:
    """Return which of the names functions of the user's have."""
    nodes = (node for top in unit.declarations for node in top.walk())
    return {node.spelling for node in nodes if node.kind in _FUNCTIONS and node.spelling in _VALUES}


def _is_of_values(call: Node) -> bool:
    callee, above = call.referenced, call.parent
    if callee is None or above is None or not _is_of_library(callee):
        return False
    if len(list(callee.get_arguments())) != _OPERANDS[callee.spelling]:
        return False
    is_read = above.kind == "UNEXPOSED_EXPR" and not types.is_constant(above.type) and not types.is_volatile(above.type)
    kinds = [types.without_reference(callee.result_type)]
    kinds += [types.without_reference(argument.type) for argument in callee.get_arguments() if argument is not None]
    are_numbers = all(types.kind_name(types.canonical(kind)) in _NUMBERS for kind in (*kinds, above.type))
    same = types.kind_name(types.canonical(above.type)) == types.kind_name(types.canonical(kinds[0]))
    return is_read and are_numbers and same and all(_is_plain(node) for node in call.walk() if node is not call)


def _is_of_library(callee: Cursor) -> bool:
    return kind_of(callee) == "FUNCTION_DECL" and is_of_std(callee)


def _is_plain(node: Node) -> bool:
    """Whether an expression has no effects: it may take elements of a ``std::array``, and the least of others."""
    if types.is_volatile(node.type):
        return False
    if node.kind != "CALL_EXPR":
        return node.kind in _PLAIN and node.operator not in _EFFECTS
    callee = node.referenced
    if callee is None or not library.in_system_header(callee):
        return False
    record = callee.semantic_parent
    is_of_array = record is not None and record.spelling == "array" and callee.spelling in _ACCESSES
    return is_of_array or (callee.spelling in _CALLED and _is_of_library(callee))
