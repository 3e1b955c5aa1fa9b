"""Base functions that nobody declares (OpenMP 5.2, 7.5.5): their variants between ``begin`` and ``end`` declare them.

In: the user's files, in which variants have names of their own. Out: files in which a declaration under the name that
the user wrote stands in front of the first of a function's variants, where no function of that name is in its scope.
Calls and rules of variants then find it like any other base function.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.clang.tree import Node
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.begun_variants import BegunVariant
from rexcc.resolution.conditions import condition_probes
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.resolution.variants import functions_of, in_system_headers, scope_of
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.lexical import COMMENT
from rexcc.source.patterns import regex

_COMMENT = regex(COMMENT)


def declare_implied(
    files: UserFiles, begun: Sequence[BegunVariant], language: str, arguments: tuple[str, ...]
) -> UserFiles:
    """Return the files with a declaration of each base function that there is only as variants."""
    if not begun:
        return files
    unit = parse_unit(files, language, arguments, DiagnosticSink(), condition_probes(files))
    if unit is None:
        return files
    changes: dict[str, list[Replacement]] = {}
    for node, base in _without_base(unit, begun):
        text = _declaration(unit, node, base)
        at = unit.files[node.file].original(node.start)
        if text:
            changes.setdefault(unit.files[node.file].scan.source.path, []).append(Replacement(at, at, (text,)))
    sources = {path: rewrite(files.source(path), found) for path, found in changes.items()}
    return rewritten(files, sources) if sources else files


def _without_base(unit: ParsedUnit, begun: Sequence[BegunVariant]) -> list[tuple[Node, str]]:
    """Return the first variant of each function that nobody declares, with the function's name."""
    functions = functions_of(unit)
    declared = {(scope_of(f.cursor), f.spelling) for f in functions}
    found: list[tuple[Node, str]] = []
    for variant in begun:
        node = next((f for f in functions if f.spelling == variant.name), None)
        if node is None or node.kind != "FUNCTION_DECL" or node.file not in unit.files:
            continue
        name = (scope_of(node.cursor), variant.base)
        if name not in declared and not in_system_headers(unit, variant.base):
            declared.add(name)
            found.append((node, variant.base))
    return found


def _declaration(unit: ParsedUnit, function: Node, base: str) -> str:
    """Return the beginning of a definition as a declaration of its base function, or nothing if macros made it."""
    body = next((c for c in function.children if c.kind == "COMPOUND_STMT"), None)
    file = unit.files[function.file]
    if body is None or body.file != function.file:
        return ""
    text = file.scan.source.text[file.original(function.start) : file.original(body.start)]
    text = " ".join(_COMMENT.sub(" ", text).split())
    parts = regex(rf"\b{function.spelling}\b").split(text)
    return f"{base.join(parts)}; " if len(parts) == 2 and "#" not in text else ""
