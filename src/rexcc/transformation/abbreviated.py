"""Abbreviated function templates with constructs for devices get template parameters with names (C++20).

In: the user's files. Out: the files in which such a function is the template that it is equivalent to (C++20
[dcl.fct] 22): kernels and their keys name its parameters. Before and after::

    int total(int n, auto f) { … }

    template <class rex_a0> int total(int n, rex_a0 f) { … }

A method that is defined outside of a class template stays, and is refused where its region is lowered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.analysis.device_constructs import is_ours
from rexcc.clang.abbreviated import is_abbreviated
from rexcc.clang.tree import Node, kind_of
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.patterns import regex

_MAY_STAND = regex(r"[(,]\s*(?:[\w:<>]+\s+)*auto\b")
_AUTO = regex(r"(?:\b(?!(?:const|volatile|register|this)\b)([\w:]+(?:<[^<>]*>)?)\s+)?\bauto\b(?=([\s&*]*\.\.\.)?)")
"""A parameter's placeholder, with the concept in front of it and the mark of a pack behind it."""
_HEAD = regex(r"template\s*<")


def name_parameters(files: UserFiles, language: str, arguments: tuple[str, ...]) -> UserFiles:
    """Return the files in which abbreviated templates with constructs are ordinary ones."""
    if language != "c++" or not any(_MAY_STAND.search(scan.source.text) for scan in files.scans.values()):
        return files
    problems = DiagnosticSink()
    unit = parse_unit(files, language, arguments, problems)
    if problems.has_errors:
        return files  # what is wrong is found again by the parse to come
    found: dict[str, list[Replacement]] = {}
    for function in _functions(unit) if unit is not None else ():
        for path, edits in _edits(unit, function) if unit is not None else ():
            found.setdefault(path, []).extend(edits)
    if not found:
        return files
    return rewritten(files, {path: rewrite(files.source(path), edits) for path, edits in found.items()})


def _functions(unit: ParsedUnit) -> list[Node]:
    """Return the abbreviated templates of the user's that have constructs for devices."""
    functions = (f for f in unit.functions if any(map(is_ours, f.walk())))
    patterns = (function.template or function.node for function in functions)
    once = {(node.file, node.start): node for node in patterns if node.file in unit.files}
    return [n for n in once.values() if n.kind == "FUNCTION_TEMPLATE" and is_abbreviated(n.cursor) and _is_closed(n)]


def _is_closed(function: Node) -> bool:
    """Whether a function's own template header would stand in front of it: it is not a class template's outside."""
    cursor = function.cursor
    return kind_of(cursor.semantic_parent) != "CLASS_TEMPLATE" or bool(cursor.semantic_parent == cursor.lexical_parent)


def _edits(unit: ParsedUnit, function: Node) -> Iterator[tuple[str, list[Replacement]]]:
    """Yield the edits that give a function's parameters their types, and the function these types."""
    file = unit.files[function.file]
    text, edits, declared = file.scan.source.text, list[Replacement](), list[str]()
    for parameter in (c for c in function.children if c.kind == "PARM_DECL"):
        start, end = file.original(parameter.start), file.original(parameter.end)
        auto = _AUTO.search(text, start, end)
        if auto is None:
            continue
        name = f"rex_a{len(declared)}"
        is_pack = re.compile(r"[\s&*]*\.\.\.").match(text, auto.end(), end) is not None
        declared.append(f"{auto[1] or 'class'}{'...' if is_pack else ''} {name}")
        edits.append(Replacement(auto.start(), auto.end(), (name,)))
    start = file.original(function.start)
    head = _HEAD.match(text, start)
    if head is None:
        edits.append(Replacement(start, start, (f"template <{', '.join(declared)}> ",)))
    elif (closing := _closing(text, head.end())) is not None:
        edits.append(Replacement(closing, closing, (f", {', '.join(declared)}",)))
    if declared and len(edits) > len(declared):
        yield file.scan.source.path, edits


def _closing(text: str, start: int) -> int | None:
    """Return where a template header ends that has been opened, None where its text does not say so."""
    depth, inside = 1, 0
    for at in range(start, len(text)):
        inside += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[at], 0)
        depth += {"<": 1, ">": -1}.get(text[at], 0) if inside == 0 else 0
        if depth == 0:
            return at
    return None
