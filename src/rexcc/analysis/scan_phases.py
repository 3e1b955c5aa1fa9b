"""The two phases of a loop body with a ``scan`` directive (OpenMP 5.2, 5.6).

In: the loop's body and the directive in it. Out: an error for what would pass from one phase to the other but the
scan's variables, or would leave a phase: the threads of a team meet between the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, LOOP_KINDS, Node
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error

_CODE = "omp-scan"


def check_phases(unit: ParsedUnit, body: Node, directive: Node) -> None:
    """Report a jump out of a phase, and a declaration of the first phase that the second one uses."""
    for node in _own_statements(body):
        if node.kind == "CONTINUE_STMT":
            message = "'continue' leaves its part of the body; put the rest of that part under a condition"
            raise error(_CODE, message, unit.span(node))
    _check_jumps(unit, body, directive)
    _check_declarations(unit, body, directive)


def _own_statements(body: Node) -> Iterator[Node]:
    """Yield what is in the body but not in loops and functions of its own."""
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if node.kind in LOOP_KINDS | FUNCTION_KINDS | {"LAMBDA_EXPR"}:
            continue
        yield node
        waiting += node.children


def _check_jumps(unit: ParsedUnit, body: Node, directive: Node) -> None:
    nodes = list(body.walk())
    labels = {int(n.cursor.hash): n for n in nodes if n.kind == "LABEL_STMT"}
    for jump in (n for n in nodes if n.kind == "GOTO_STMT"):
        label = labels.get(int(jump.referenced.hash)) if jump.referenced is not None else None
        if label is not None and (jump.start < directive.start) != (label.start < directive.start):
            raise error(_CODE, f"'goto {label.spelling}' jumps over the 'scan'", unit.span(jump))


def _check_declarations(unit: ParsedUnit, body: Node, directive: Node) -> None:
    first = [s for s in body.children if s.kind == "DECL_STMT" and s.start < directive.start]
    declared = {library.key_of(d.cursor): d.spelling for s in first for d in s.walk() if d.kind.endswith("_DECL")}
    for node in (n for s in body.children if s.start > directive.start for n in s.walk()):
        found = node.referenced
        if found is not None and library.key_of(found) in declared:
            name = declared[library.key_of(found)]
            message = f"'{name}' is declared in front of the 'scan'; only the scan's variables reach the part behind it"
            raise error(_CODE, message, unit.span(node))
