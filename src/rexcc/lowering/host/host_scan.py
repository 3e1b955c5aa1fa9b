"""``scan`` loops in the host version of a region: one thread executes them in order.

In: a loop construct inside a region whose reductions have the ``inscan`` modifier. Out: its directives on the host.
clang-19 gives each thread of a separate ``for`` its own partial sums, forgets the original's value in a ``parallel
for``, and takes no collapsed loops. Where each assignment builds on the value before it, a loop without reduction means
the same; elsewhere ``simd`` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rexcc.analysis.nests import loop_nest
from rexcc.analysis.regions import collapse_depth
from rexcc.lowering.loops.scan import accumulates, find_scan, is_inscan
from rexcc.openmp.model import Clause, Directive, KeywordClause, ListClause, ReductionClause
from rexcc.openmp.unparse import clauses_text
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit

_OF_SIMD = frozenset({"lastprivate", "linear", "reduction"})
_OF_LOOP = frozenset({"private", "firstprivate", "lastprivate", "linear", "collapse"})
_ALONE = "#pragma omp parallel for num_threads(1)"


def host_scan(unit: ParsedUnit, construct: Construct) -> list[tuple[Construct, str]]:
    """Return the constructs of a loop, if it has a scan, that mean something else on the host, with its directives."""
    directive = construct.directive
    scanned = [(construct, c) for c in directive.of_type(ReductionClause) if is_inscan(c)]
    if not scanned or construct.body is None or construct.probe.site.resolved is not None:
        return []
    if _has_other_default(directive):
        return []
    loops = loop_nest(unit, construct.body, collapse_depth(construct))
    scan = find_scan(unit, construct, scanned, loops[-1].body)
    outer = _executor(directive, [loop.name for loop in loops if not loop.declares])
    if not accumulates(loops[-1].body, scan):
        simd = f"#pragma omp simd {_text(directive, _OF_SIMD)}"
        return [(construct, f"{outer}\n{simd}")] if outer else []
    if outer and directive.has("linear"):
        single = f"#pragma omp single{' nowait' if directive.has('nowait') else ''}\n"
        outer = f"{'' if 'parallel' in directive.leaves else single}{_ALONE} {_text(directive, _OF_LOOP)}"
    elif not outer and (directive.has("private") or directive.has("linear")):
        return []
    return [(construct, outer), (scan.construct, "")]


def _text(directive: Directive, names: frozenset[str]) -> str:
    return clauses_text([c for c in directive.clauses if c.name in names])


def _has_other_default(directive: Directive) -> bool:
    keywords = (c.keyword for c in directive.of_type(KeywordClause) if c.name == "default")
    return any(keyword in ("private", "firstprivate") for keyword in keywords)


def _executor(directive: Directive, indices: Iterable[str]) -> str:
    """Return the directive of the one thread; what has a first and a last value is shared, so it needs no copy."""
    if "for" not in directive.leaves:
        return ""
    last = {n for c in directive.of_type(ListClause) if c.name in ("lastprivate", "linear") for n in _names(c)}
    clauses: list[Clause] = []
    for clause in directive.of_type(ListClause):
        if clause.name in ("private", "firstprivate"):
            items = tuple(i for i in clause.items if i.base.text.strip() not in last)
            clauses += [replace(clause, items=items)] if items else []
    private = "".join(f" private({name})" for name in indices if name not in last)
    if "parallel" in directive.leaves:
        return f"#pragma omp parallel num_threads(1) {clauses_text(clauses)}".rstrip() + private
    clauses += [c for c in directive.clauses if c.name == "nowait"]
    return f"#pragma omp single {clauses_text(clauses)}".rstrip() + private


def _names(clause: ListClause) -> list[str]:
    return [item.base.text.strip() for item in clause.items]
