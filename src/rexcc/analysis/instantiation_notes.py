"""The calls that lead to an instantiation of a template: the notes behind what is reported in it.

In: a unit, and a function with constructs. Out: notes "in instantiation of … requested here", the innermost first, as
clang has them: what is wrong with a template may be its caller's fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from re import Match

from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.program.constructs import ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import Diagnostic, DiagnosticSink, Note, Severity
from rexcc.source.patterns import regex
from rexcc.source.records import replace

_DEEPEST = 10
_TOLD = (Severity.ERROR, Severity.WARNING)


def note_instantiations(unit: ParsedUnit, function: ConstructFunction, sink: DiagnosticSink, before: int) -> None:
    """Add to what was reported since there were ``before`` diagnostics how a function came to be instantiated.

    What is wrong in several instantiations is told of the first.
    """
    if function.template is None or function.unused or len(sink.found) == before:
        return
    known = {_identity(each) for each in sink.found[:before]}
    new = [each for each in sink.found[before:] if _identity(each) not in known]
    notes = tuple(_requests(unit, function.node)) if any(each.severity in _TOLD for each in new) else ()
    sink.found[before:] = [
        replace(each, notes=(*each.notes, *notes)) if each.severity in _TOLD else each for each in new
    ]


def _identity(diagnostic: Diagnostic) -> object:
    span = diagnostic.span
    place = (span.source.path, span.start, span.end) if span is not None else None
    return diagnostic.severity, diagnostic.code, diagnostic.message, place


def _requests(unit: ParsedUnit, instance: Node) -> Iterator[Note]:
    """Yield the calls that need an instance, and those that need the one in which the call is."""
    known: set[int] = set()
    wanted: Node | None = instance
    while wanted is not None and len(known) < _DEEPEST:
        key = library.key_of(wanted.cursor)
        found = _call_of(unit, key) if key not in known else None
        if found is None:
            return
        known.add(key)
        call, caller = found
        name = _with_users_lambdas(unit, str(wanted.cursor.displayname).replace("<>(", "("))
        yield Note(f"in instantiation of '{name}' requested here", unit.span(call))
        wanted = caller


def _with_users_lambdas(unit: ParsedUnit, name: str) -> str:
    """Return a name in which lambdas stand where the user has them: clang knows the places of the text that it parses,
    and lambdas that have become classes by the names of these."""
    found = _PLACE.sub(lambda place: _users_place(unit, place), name)
    found = _CLASS.sub(r"(lambda at \g<line>:\g<column>)", found)
    while (arguments := _ARGUMENTS.search(found)) is not None:
        found = found[: arguments.start()] + arguments[1] + found[arguments.end() :]
    return found


_CLASS = regex(r"(?:\(anonymous namespace\)::)?\brex_lambda_(?P<line>\d+)_(?P<column>\d+)(?:_[0-9a-f]{8})?")
_ARGUMENTS = regex(r"(\(lambda at \d+:\d+\))<[^<>]*(?:<[^<>]*>[^<>]*)*>")
_PLACE = regex(r"\(lambda at (?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+)\)")


def _users_place(unit: ParsedUnit, place: Match[str]) -> str:
    file = unit.files.get(place["file"])
    lines = file.buffer.split("\n") if file is not None else []
    line, column = int(place["line"]) - 1, int(place["column"]) - 1
    if file is None or line >= len(lines):
        return place[0]
    before = len(lines[line].encode()[:column].decode(errors="ignore"))
    if not lines[line].startswith("[", before):
        return place[0]  # the user's own place, by '#line'
    offset = file.original(sum(map(len, lines[:line])) + line + before)
    source = file.scan.source
    return f"(lambda at {source.users_path(offset)}:{source.users_line(offset)}:{source.line_column(offset)[1]})"


def _call_of(unit: ParsedUnit, key: int) -> tuple[Node, Node | None] | None:
    """Return the first call of an instance, and the instance in which it is, None in a function that is none."""
    for top in unit.declarations:
        for node in top.walk():
            if _is_call(node, key):
                return node, None
    for instance in unit.instances:
        for node in instance.walk():
            if _is_call(node, key):
                return node, instance
    return None


def _is_call(node: Node, key: int) -> bool:
    callee = node.referenced if node.kind == "CALL_EXPR" else None
    return callee is not None and library.key_of(callee) == key
