"""Names of the program that the device's language has for something of its own.

In: the pieces of a device file. Out: those names, and what they keep the unit from: in C++ they put the file into a
namespace, in which functions have other symbols than other units look for. Names that only namespaces have do not.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rexcc.analysis.device_obstacles import Obstacle
from rexcc.analysis.separate import Separate, symbol
from rexcc.clang.library import in_system_header, is_inline_namespace
from rexcc.clang.scopes import namespaces_around
from rexcc.codegen.closure.model import Closure
from rexcc.codegen.slice.pieces import Piece
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.patterns import regex
from rexcc.source.records import replace

_USING = regex(r"\busing\s+(?:namespace\s+(?:[\w\s]*::\s*)*(?P<space>\w+)|[^;={}]*?::\s*(?P<name>\w+)\s*[;,])")
"""What brings names of namespaces elsewhere: a namespace's last name, or one name."""
_OVERLOADED = frozenset({"sincos", "sincosf"})
"""Functions of the C library, too: programs in C++ overload and call them, and those of a namespace would hide it."""


def without_renamed(unit: ParsedUnit, separate: Separate, clashing: Sequence[str], sink: DiagnosticSink) -> Separate:
    """Return the functions in common without those that other units do not find: where names of the device's language
    keep a file of C++ in a namespace of its own, functions have other symbols, but for those of ``extern "C"``."""
    if not clashing or not unit.is_cplusplus:
        return separate
    language = unit.target.language
    names, way_out = ", ".join(clashing), 'rename these, or declare the function in extern "C"'
    why = f"stands in a file that has names of {language}'s: {names}; {way_out}"
    for function, call in separate.imported:
        if symbol(unit, function) != function.spelling:
            message = f"'{function.displayname}' is called in device code but not defined in this file, which has "
            message += f"names of {language}'s: {names}"
            sink.error("undefined-device-function", message, unit.span(call), Note(way_out))
    renamed = [f for f in separate.exported if symbol(unit, f) != f.spelling]
    kept = (*separate.kept, *((f, Obstacle(why, unit.tree.node(f))) for f in renamed))
    return replace(separate, exported=tuple(f for f in separate.exported if f not in renamed), kept=kept)


def names_of_the_language(
    unit: ParsedUnit,
    pieces: list[Piece],
    closure: Closure,
    of_std: Sequence[str],
    renamed: Collection[str],
    separate: Separate,
) -> list[str]:
    """Return the names at global scope that the device's language has, too; ``of_std`` are those of functions of
    ``std`` that are found there, ``renamed`` those that become others. Names of namespaces count where nothing is lost
    by that: a using directive may have brought them there."""
    written = {n for p in pieces for n in p.names} | _outermost_namespaces(closure) | set(of_std)
    others = _OVERLOADED if unit.is_cplusplus else frozenset[str]()
    found = (written & set(unit.target.names)) - set(renamed) - others
    if found and unit.is_cplusplus and _has_symbols(unit, separate):
        found -= _of_namespaces(unit, closure, found) - _outermost_namespaces(closure) - set(of_std)
    return sorted(found)


def _has_symbols(unit: ParsedUnit, separate: Separate) -> bool:
    """Whether the unit has functions in common with others by symbols that a namespace would change."""
    functions = (*separate.exported, *(function for function, _ in separate.imported))
    return any(symbol(unit, function) != function.spelling for function in functions)


def _of_namespaces(unit: ParsedUnit, closure: Closure, names: Collection[str]) -> set[str]:
    """Return those of ``names`` that device code has in namespaces alone, whose members are not found outside."""
    spaces: dict[str, set[str]] = {}
    for node in closure.declarations.values():
        if node.spelling in names:
            around = namespaces_around(node.cursor)
            open_ones = all(not space.spelling or is_inline_namespace(space) for space in around)
            spaces.setdefault(node.spelling, set()).update([""] if open_ones else [str(s.spelling) for s in around])
    code = "\n".join(file.scan.code for file in unit.files.values())
    used = {match["space"] or match["name"] for match in _USING.finditer(code)}
    return {name for name, around in spaces.items() if "" not in around and used.isdisjoint({name, *around})}


def _outermost_namespaces(closure: Closure) -> set[str]:
    """Return the names of the namespaces at global scope that device code has declarations of the user's in."""
    declared = (namespaces_around(node.cursor) for node in closure.declarations.values())
    return {str(spaces[-1].spelling) for spaces in declared if spaces and not in_system_header(spaces[-1])}
