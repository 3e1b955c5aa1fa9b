"""``scan`` in a loop inside device code (OpenMP 5.2, 5.6).

In: a loop construct whose reductions have the ``inscan`` modifier. Out: the edits that split its body, and
:class:`ScanCode`. The threads of a team execute the loop in rounds; what earlier rounds have contributed is carried
along, and the first thread gives it to the original::

    { int *__rex_s = &s; int __rex_carry_s = *__rex_s; …
      for (…) { …                                          // rexcc.lowering.loops.scan
      if (first thread && __rex_trips > 0) *__rex_s = __rex_carry_s; }

A thread alone contributes to the original itself.
"""

from __future__ import annotations

from rexcc.analysis.regions import collapse_depth
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Assign, Code, If
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.copies import check_dependent
from rexcc.lowering.loops.scan import NO_LOOP, Scan, check_perfect, find_scan, is_inscan, scan_alone, split_rounds
from rexcc.openmp.model import Clause, ReductionClause
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error
from rexcc.source.own_names import own_name
from rexcc.source.records import dataclass

_OTHER_LOOPS = frozenset({"distribute", "loop", "taskloop"})


@dataclass(frozen=True)
class ScanCode:
    """Code that opens and closes the block around a loop, and that with which an iteration begins."""

    opening: Code = ()
    closing: Code = ()
    each: Code = ()


NO_SCAN = ScanCode()
"""The loop has no scan."""


def check_scanned(construct: Construct) -> None:
    """Report a loop construct whose reductions cannot have the ``inscan`` modifier."""
    directive = construct.directive
    clause = next((c for c in directive.clauses if is_inscan(c)), None)
    if clause is None:
        return
    if not _OTHER_LOOPS.isdisjoint(directive.leaves):
        raise error("omp-scan", f"{NO_LOOP}, which no '{directive.name}' is", clause.span)
    if construct.body is not None:
        check_perfect(construct.body, collapse_depth(construct), clause)


def split_clauses(clauses: tuple[Clause, ...]) -> tuple[tuple[ReductionClause, ...], tuple[Clause, ...]]:
    """Return the reductions of a scan, and the other clauses of a loop."""
    scanned = tuple(c for c in clauses if isinstance(c, ReductionClause) and is_inscan(c))
    return scanned, tuple(c for c in clauses if not is_inscan(c))


def scan_in_rounds(
    context: Context, construct: Construct, scanned: tuple[ReductionClause, ...], inner: Node
) -> ScanCode:
    """Split the body of a loop whose iterations the context's team shares."""
    scan = _scan(context, construct, scanned, inner)
    team = context.team
    threads = "" if team.is_block else team.threads if team.known else "0"
    split_rounds(context.body, scan, inner, threads)
    carried = tuple(i.carried(_original(i.name)) for i in scan.items)
    stored = (Assign(f"*{_original(i.name)}", i.carry) for i in scan.items)
    closing = tuple(If(f"{team.first} && __rex_trips > 0", (assigned,)) for assigned in stored)
    return ScanCode((*_kept(scan), *carried), closing, scan.opening())


def scan_by_one(context: Context, construct: Construct, scanned: tuple[ReductionClause, ...], inner: Node) -> ScanCode:
    """Split the body of a loop that the running thread executes."""
    scan = _scan(context, construct, scanned, inner)
    scan_alone(context.body, scan, inner)
    return ScanCode(_kept(scan))


def _scan(context: Context, construct: Construct, scanned: tuple[ReductionClause, ...], inner: Node) -> Scan:
    for clause in scanned:
        check_dependent(context, construct, clause)
    clauses = [(construct, c) for c in scanned]
    return find_scan(context.unit, construct, clauses, inner, lambda e: context.expression(construct, e))


def _kept(scan: Scan) -> Code:
    """Return the code that keeps the originals' addresses."""
    return tuple(i.kept for i in scan.items)


def _original(name: str) -> str:
    return own_name(name)
