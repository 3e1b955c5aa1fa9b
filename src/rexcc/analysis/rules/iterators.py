"""What the iterators of ``map``, ``to`` and ``from`` clauses must be (OpenMP 5.2, 3.2.6).

In: a construct. Out: errors for iterators that are no integers or pointers, or that never come to their end.
"""

from __future__ import annotations

from rexcc.analysis.rules.facts import is_known
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.openmp.iterators import Iterator, clause_iterators
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink

_CODE = "omp-bad-iterator"
_FLOATING = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "COMPLEX"})


def check_iterators(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """An iterator counts, and it gets on."""
    for clause in construct.directive.clauses:
        for iterator in clause_iterators(clause):
            declared = _declared(construct, iterator)
            if declared is not None and is_known(declared.type) and not _counts(declared):
                message = f"the iterator '{iterator.name}' has type '{spelling.spell(declared.type)}'; "
                sink.error(_CODE, f"{message}iterators are integers or pointers", iterator.bounds[0].span)
            step = iterator.bounds[2] if iterator.step else None
            if step is not None and construct.value_of(step) == 0:
                sink.error(_CODE, f"the step of the iterator '{iterator.name}' is 0", step.span)


def _declared(construct: Construct, iterator: Iterator) -> Node | None:
    """Return the declaration of an iterator."""
    node = construct.node_of(iterator.bounds[0])
    return next((n for n in node.ancestors() if n.kind == "VAR_DECL"), None) if node is not None else None


def _counts(declared: Node) -> bool:
    kind = types.canonical(declared.type)
    return types.is_pointer(kind) or (types.is_scalar(kind) and types.kind_name(kind) not in _FLOATING)
