"""Memory orders of atomic constructs, and the clauses that go with them.

In: the directive and the unit's ``requires``. Out: whether a fence stands before and behind the operation, which itself
is relaxed.
"""

from __future__ import annotations

from rexcc.analysis.memory_orders import memory_order
from rexcc.lowering.atomics.forms import Form, atomic_kind
from rexcc.openmp.model import Directive, KeywordClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error

_BEFORE = frozenset({"seq_cst", "acq_rel", "release"})
_AFTER = frozenset({"seq_cst", "acq_rel", "acquire"})
_FORBIDDEN = {("read", "release"), ("write", "acquire")}


def fences(unit: ParsedUnit, directive: Directive) -> tuple[bool, bool]:
    """Return whether an atomic operation needs a fence before it and one behind it.

    A read acquires and a write releases; a sequentially consistent one of either kind does both.
    """
    order = memory_order(unit, directive)
    kind = atomic_kind(directive)
    before = order in _BEFORE and (kind != "read" or order == "seq_cst")
    after = order in _AFTER and (kind != "write" or order == "seq_cst")
    for clause in directive.of_type(KeywordClause):
        if clause.name == "fail":
            before |= clause.keyword == "seq_cst"
            after |= clause.keyword in _AFTER
    return before, after


def check_clauses(construct: Construct, form: Form) -> None:
    """Refuse clauses that do not fit the kind of atomic construct."""
    directive = construct.directive
    kind = atomic_kind(directive)
    for clause in directive.clauses:
        if clause.name in ("weak", "fail") and not directive.has("compare"):
            raise error("omp-atomic-clause", f"'{clause.name}' needs the clause 'compare'", clause.span)
        if clause.name == "weak" and not form.equality:
            raise error("omp-atomic-clause", "'weak' needs a comparison with '=='", clause.span)
        if (kind, clause.name) in _FORBIDDEN:
            raise error("omp-atomic-clause", f"'{clause.name}' makes no sense on 'atomic {kind}'", clause.span)
        if isinstance(clause, KeywordClause) and clause.name == "memscope" and clause.keyword == "all":
            message = "'memscope(all)' in device code cannot be lowered yet; write 'memscope(device)'"
            raise error("unsupported-clause", message, clause.span)
