"""Weak functions in a unit's device code, of which the link asks whether the program has another definition.

In: the code that a unit's devices execute. Out: lines of the host file, which embed a function's symbol, its name and
its place in a section that is never loaded; the link reads them again (:mod:`.unit_parts`). Device code of a file has
that file's definition: a file that has another one may have no device code, or be compiled by another compiler.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor, LinkageKind

from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.replaceable_functions import weak_functions
from rexcc.analysis.separate import symbol
from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.codegen.registration.unit_parts import assembler_text
from rexcc.lowering.c.dialect import c_name
from rexcc.program.unit import ParsedUnit
from rexcc.source.line_directives import c_string


def weak_function_lines(unit: ParsedUnit, parts: Iterable[Node]) -> list[str]:
    """Return the lines for the weak functions among those that code calls."""
    names = unit.kept(weak_functions)
    called = called_bodies(unit.tree, parts) if names else ()
    found = [_row(unit, body) for body in called if body.spelling in names and _is_shared(body.cursor)]
    return [f"REX_WEAK_FUNCTION({c_string(assembler_text(*row))})" for row in dict.fromkeys(found)]


def _row(unit: ParsedUnit, body: Node) -> tuple[str, str, str]:
    known, span = symbol(unit, body.cursor), unit.span(body)
    place = span.place if span is not None else unit.main
    return known if unit.is_cplusplus else c_name(known), str(body.cursor.displayname), place


def _is_shared(function: Cursor) -> bool:
    return bool(function.linkage == LinkageKind.EXTERNAL and not library.is_inline_function(function))
