"""Declarations that only C has.

In: functions, parameters and variables of C. Out: prototypes in the place of old-style definitions and of ``f()``,
``int`` where no type is written, parameters that are written as arrays with qualifiers as the pointers that they are,
and a value for the end of a function that returns without one.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor

from rexcc.clang import library, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.extents import bracket_end, end_with_macro, name_end
from rexcc.source.lexical import BLANK
from rexcc.source.own_names import own_name
from rexcc.source.patterns import regex

_STORAGE = regex(r"(?:\s*\b(?:static|extern|inline|__inline__|__inline|const|volatile|register|auto|_Noreturn)\b)*\s*")
_QUALIFIED = regex(r"\[\s*(?:(?:static|const|volatile|restrict|__restrict|__restrict__|\*)\b|\*\s*\])")
_BEHIND = regex(rf"{BLANK}[,;]")
_ENDS = frozenset({"RETURN_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT"})


def name_start(body: DeviceBody, declaration: Node) -> int:
    """Return where the name of a declaration starts."""
    return name_end(body, declaration) - len(declaration.spelling)


def lower_function(edits: CEdits, node: Node) -> None:
    """Make a function's definition one of C++."""
    block = next((c for c in node.children if c.kind == "COMPOUND_STMT"), None)
    if not _is_written_here(edits, node):
        return
    _give_type(edits, node)
    arguments = [a for a in node.cursor.get_arguments() if a is not None]
    if block is not None:
        _write_prototype(edits, node, arguments, block)
        _end(edits, node, block)


def _is_written_here(edits: CEdits, node: Node) -> bool:
    body, at = edits.body, name_start(edits.body, node)
    return body.text[at : at + len(node.spelling)] == node.spelling


def _give_type(edits: CEdits, node: Node) -> None:
    """Write the ``int`` that C89 lets out."""
    body, at = edits.body, name_start(edits.body, node)
    start = body.start(node)
    is_first = start < at or node.kind == "FUNCTION_DECL"  # the range of a second variable is its declarator
    if start <= at and is_first and _STORAGE.fullmatch(body.text, start, at):
        body.edits.insert(at, "int ")


def _write_prototype(edits: CEdits, node: Node, arguments: list[Cursor], block: Node) -> None:
    """Write the parameters of an old-style definition between its parentheses, with the types that calls pass."""
    body = edits.body
    opened = body.text.find("(", name_end(body, node))
    closed = bracket_end(body.text, opened)
    between = body.text[closed : body.start(block)]
    if not arguments or (
        not re.search(r"\w\s*;\s*$", re.sub(r"/\*[\s\S]*?\*/|//[^\n]*", "", between).rstrip() + " ")
        and any(_has_type(body, p) and body.start(p) < closed for p in node.children if p.kind == "PARM_DECL")
    ):
        return
    lines = "\n" * body.text.count("\n", opened, body.start(block))
    body.edits.rewrite(opened, body.start(block), f"({', '.join(map(_as_passed, arguments))}) {lines}")
    narrow = (a for a in arguments if _promoted(a))
    values = "".join(f" {_declared(a)} = ({spelling.spell_bare(a.type)})rex_{a.spelling};" for a in narrow)
    body.edits.insert(body.start(block) + 1, values)


def _has_type(body: DeviceBody, parameter: Node) -> bool:
    """Whether more than the name of a parameter stands where it is declared."""
    return body.text[body.start(parameter) : body.end(parameter)] not in ("", parameter.spelling)


_PROMOTED = {"FLOAT": "double"} | dict.fromkeys(
    ("BOOL", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT"), "int"
)
"""What calls pass for numbers, of kinds of types, where they know no parameters (C17, 6.5.2.2)."""


def _promoted(parameter: Cursor) -> str:
    return _PROMOTED.get(types.kind_name(types.canonical(parameter.type)), "")


def _declared(parameter: Cursor) -> str:
    return spelling.declare(types.declared_type(parameter), parameter.spelling)


def _as_passed(parameter: Cursor) -> str:
    """Return the declaration of a parameter of an old-style definition; a number that is promoted has another name, and
    so have rows of run-time extents, of which the function's views are made (``lowering/text/runtime_arrays.py``)."""
    if types.has_runtime_extent(parameter.type):
        rows = types.canonical(types.declared_type(parameter)).get_pointee()
        return f"rex_rows<{spelling.spell(types.innermost(rows))}> {own_name(parameter.spelling)}"
    kind = _promoted(parameter)
    return f"{kind} rex_{parameter.spelling}" if kind else _declared(parameter)


def complete_prototype(body: DeviceBody, first: Node, definition: Node) -> None:
    """Write the parameters of a declaration ``f()`` whose definition has some; C++ would see another function."""
    arguments = [a for a in definition.cursor.get_arguments() if a is not None]
    if types.kind_name(types.canonical(first.type)) != "FUNCTIONNOPROTO" or not arguments:
        return
    opened = body.text.find("(", name_end(body, first))
    body.edits.replace(opened, bracket_end(body.text, opened), f"({', '.join(map(_as_passed, arguments))})")


def declare_as_called(body: DeviceBody, declaration: Node, call: Node) -> None:
    """Write parameters of the types that a call gives a function of another file whose parameters nobody said."""
    if types.kind_name(types.canonical(declaration.type)) != "FUNCTIONNOPROTO" or call.kind != "CALL_EXPR":
        return
    opened = body.text.find("(", name_end(body, declaration))
    given = ", ".join(spelling.spell(library.canonical_type(a.type)) for a in call.children[1:])
    body.edits.replace(opened, bracket_end(body.text, opened), f"({given})")


def _end(edits: CEdits, node: Node, block: Node) -> None:
    """Return a value where control reaches the end of a function, which in C++ it may not."""
    body = edits.body
    for inner in block.walk():
        if inner.kind == "RETURN_STMT" and not inner.children and not _is_void(node):
            body.edits.after(body.start(inner), body.end(inner), " {}")
    if not _is_void(node) and not _ends(block) and body.text[body.end(block) - 1 : body.end(block)] == "}":
        body.edits.after(body.start(block) + 1, body.end(block) - 1, "return {}; ")


def _is_void(function: Node) -> bool:
    return types.kind_name(library.canonical_type(function.cursor.result_type)) == "VOID"


def _ends(statement: Node) -> bool:
    """Whether control cannot reach what follows a statement, as far as its form tells."""
    last = statement.children[-1] if statement.children else None
    if statement.kind in _ENDS:
        return True
    if statement.kind in ("COMPOUND_STMT", "LABEL_STMT", "CASE_STMT", "DEFAULT_STMT"):
        return last is not None and _ends(last)
    if statement.kind == "IF_STMT":
        return len(statement.children) == 3 and all(_ends(c) for c in statement.children[1:])
    return False


def lower_parameter(edits: CEdits, node: Node) -> None:
    """Write a parameter ``t[static 3]`` as the pointer that it is."""
    body = edits.body
    if not node.spelling or types.has_runtime_extent(node.type) or not _is_written_here(edits, node):
        return
    at = name_end(body, node)
    found = _QUALIFIED.match(body.text, at) or re.compile(r"\s*" + _QUALIFIED.pattern).match(body.text, at)
    if found is None:
        return
    opened = body.text.index("[", at)
    words = body.text[opened : bracket_end(body.text, opened)]
    marks = "__restrict__ " if "restrict" in words else ""
    marks += "volatile " if "volatile" in words else ""
    rest = body.text[bracket_end(body.text, opened) : body.end(node)].lstrip()
    pointer = f"*{marks}{node.spelling}"
    made = f"({pointer})" if rest.startswith("[") else pointer
    body.edits.rewrite(name_start(body, node), bracket_end(body.text, opened), made)


def lower_variable(edits: CEdits, node: Node) -> None:
    """Write the ``int`` that C89 lets out and a value of constants without one; drop the storage class ``auto``."""
    body = edits.body
    _give_value(edits, node)
    if not _is_written_here(edits, node) or body.start(node) > name_start(body, node):
        return
    start = body.start(node)
    word = re.search(r"\bauto\b", body.text[start : name_start(body, node)])
    if word is None:
        _give_type(edits, node)
    elif body.edits.is_free(start + word.start(), start + word.end()):  # else it stands for a type, which is written
        _give_type(edits, node)
        body.edits.replace(start + word.start(), start + word.end(), "")


def _give_value(edits: CEdits, node: Node) -> None:
    """Give a constant that has no value one, which C++ asks for."""
    body = edits.body
    bare = types.is_constant(node.type) and node.cursor.storage_class.name != "EXTERN"
    end = end_with_macro(body, node)
    if bare and _BEHIND.match(body.text, end) and library.initialiser(node.cursor) is None:
        first = name_start(body, node) if _is_written_here(edits, node) else body.start(node)
        body.edits.after(first, end, " = {}")


def keep_shadowing(edits: CEdits, loop: Node) -> None:
    """Put a loop's body in a block of its own where that declares a name that the loop's head declares too."""
    block = loop.children[-1] if loop.children else None
    if block is None or block.kind != "COMPOUND_STMT" or loop.children[0].kind != "DECL_STMT":
        return
    declared = {c.spelling for c in loop.children[0].children if c.kind == "VAR_DECL"}
    again = (c for statement in block.children if statement.kind == "DECL_STMT" for c in statement.children)
    if any(c.spelling in declared for c in again) and edits.is_reachable(block, inside=True):
        edits.body.edits.wrap(edits.body.start(block), edits.body.end(block), "{ ", " }")


def type_call(edits: CEdits, node: Node) -> None:
    """Give the type of its arguments to a call through a pointer to a function whose parameters nobody said."""
    if len(node.children) < 2:
        return
    called = node.children[0]
    kind = types.canonical(called.type)
    function = library.canonical_type(kind.get_pointee()) if types.kind_name(kind) == "POINTER" else kind
    target = node.referenced
    if types.kind_name(function) != "FUNCTIONNOPROTO":
        return
    if target is not None and target.kind.name in FUNCTION_KINDS:
        return
    given = ", ".join(spelling.spell(library.canonical_type(a.type)) for a in node.children[1:])
    edits.wrap(called, f"(({spelling.spell(function.get_result())} (*)({given}))(", "))")
