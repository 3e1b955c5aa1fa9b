"""Names of the program that the device's language has for something of its own.

In: the pieces of a device file. Out: those names, and what they keep the unit from: in C++ they put the file into a
namespace, in which functions have other symbols than other units look for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rexcc.analysis.device_obstacles import Obstacle
from rexcc.analysis.separate import Separate, symbol
from rexcc.clang.library import in_system_header
from rexcc.clang.scopes import namespaces_around
from rexcc.codegen.closure.model import Closure
from rexcc.codegen.slice.pieces import Piece
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.records import replace

_OVERLOADED = frozenset({"sincos", "sincosf"})
"""Functions of the C library, too: programs in C++ overload and call them, and those of a namespace would hide it."""


def without_renamed(unit: ParsedUnit, separate: Separate, clashing: Sequence[str], sink: DiagnosticSink) -> Separate:
    """Return the functions in common without those that other units do not find: where names of the device's language
    keep a file of C++ in a namespace of its own, functions have other symbols, but for those of ``extern "C"``."""
    if not clashing or not unit.is_cplusplus:
        return separate
    language = unit.target.language
    why = f"stands in a file that has names of {language}'s: {', '.join(clashing)}"
    for function, call in separate.imported:
        if symbol(unit, function) != function.spelling:
            message = f"'{function.displayname}' is called in device code but not defined in this file, which has "
            message += f"names of {language}'s: {', '.join(clashing)}"
            note = Note('rename these, or declare the function in extern "C"')
            sink.error("undefined-device-function", message, unit.span(call), note)
    renamed = [f for f in separate.exported if symbol(unit, f) != f.spelling]
    kept = (*separate.kept, *((f, Obstacle(why, unit.tree.node(f))) for f in renamed))
    return replace(separate, exported=tuple(f for f in separate.exported if f not in renamed), kept=kept)


def names_of_the_language(
    unit: ParsedUnit, pieces: list[Piece], closure: Closure, of_std: Sequence[str], renamed: Collection[str] = ()
) -> list[str]:
    """Return the names at global scope that the device's language has, too; ``of_std`` are those of functions of
    ``std`` that are found there, ``renamed`` those that become others."""
    written = {n for p in pieces for n in p.names} | _outermost_namespaces(closure) | set(of_std)
    others = _OVERLOADED if unit.is_cplusplus else frozenset[str]()
    return sorted((written & set(unit.target.names)) - set(renamed) - others)


def _outermost_namespaces(closure: Closure) -> set[str]:
    """Return the names of the namespaces at global scope that device code has declarations of the user's in."""
    declared = (namespaces_around(node.cursor) for node in closure.declarations.values())
    return {str(spaces[-1].spelling) for spaces in declared if spaces and not in_system_header(spaces[-1])}
