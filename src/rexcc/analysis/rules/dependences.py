"""What stands in ``depend`` clauses (OpenMP 5.2, 15.9.5 and 3.2.6).

In: a construct. Out: errors for ``omp_all_memory`` that a task only reads, for dependence objects that are none, and
for iterators whose range depends on another iterator of the same modifier: their number could not be told beforehand.
"""

from __future__ import annotations

import re

from rexcc.analysis.rules.facts import is_known, shown
from rexcc.clang import types
from rexcc.openmp.iterators import iterators
from rexcc.openmp.model import DependClause, MapClause, MotionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink

_ALL_MEMORY = "omp_all_memory"


def check_all_memory(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Tasks depend on all memory as if they wrote it."""
    for clause in construct.directive.of_type(DependClause):
        for item in clause.items if clause.depend_type not in ("out", "inout") else ():
            if item.base.text.strip() == _ALL_MEMORY:
                message = f"'{_ALL_MEMORY}' needs the dependence type 'out' or 'inout', not '{clause.depend_type}'"
                sink.error("omp-bad-list-item", message, item.whole.span)


def check_objects(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """``depobj`` takes objects of type ``omp_depend_t``."""
    for clause in construct.directive.of_type(DependClause):
        for item, node in ((i.item, i.node) for i in construct.items_of(clause) if clause.depend_type == "depobj"):
            if node is None or item.sections or not is_known(node.type):
                continue
            kind = types.canonical(types.without_reference(node.type))
            if not types.is_pointer(kind) or types.kind_name(types.canonical(kind.get_pointee())) != "VOID":
                message = f"{shown(item)} in 'depend(depobj: ...)' has to be an 'omp_depend_t'"
                sink.error("omp-list-item-type", message, item.whole.span)


def check_iterators(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """The range of an iterator does not depend on another one."""
    for clause in construct.directive.clauses:
        if not isinstance(clause, DependClause | MapClause | MotionClause):
            continue
        found = iterators(clause.modifiers)
        for iterator in found:
            for other in found:
                uses = [e for e in iterator.bounds if re.search(rf"(?<![.\w>])\b{re.escape(other.name)}\b", e.text)]
                if uses and other is not iterator:
                    message = f"the range of iterator '{iterator.name}' must not depend on iterator '{other.name}'"
                    sink.error("omp-bad-iterator", message, uses[0].span)
