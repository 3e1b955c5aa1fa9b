"""Loops whose directives compilers of the host get otherwise than they are.

In: a loop construct of a host version, or the clauses of its directive. Out: its directives on the host.

Collapsed loops with code between them: the host shares only the outermost loop. gcc takes such code from version 14 on,
and clang 19 lets a ``continue`` of the innermost loop skip the code behind it. OpenMP leaves open how often it is
executed; this way it is once for each iteration around it.

Collapsed loops whose inner bounds depend on an outer index: clang 19 gives lastprivate variables values of iterations
that there are not. One thread executes them, and shares only the outermost loop with nobody.

Loops with ``scan``: one thread executes them in order. clang-19 gives each thread of a separate ``for`` its own partial
sums, forgets the original's value in a ``parallel for``, and takes no collapsed loops. Where each assignment builds on
the value before it, a loop without reduction means the same; elsewhere ``simd`` does.

Loops with ``loop``: their indices are lastprivate by rule (5.2, 5.1.1), but clang 19 leaves those of loops that bind to
a team of threads as they were, unless a clause names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rexcc.analysis.nests import loop_nest, rectangular_part
from rexcc.analysis.regions import collapse_depth
from rexcc.clang.tree import Node
from rexcc.lowering.host.host_resolved import host_clause
from rexcc.lowering.loops.scan import accumulates, find_scan, is_inscan
from rexcc.openmp.model import Clause, Directive, Expression, KeywordClause, ListClause, ListItem, ReductionClause
from rexcc.openmp.unparse import clauses_text
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import counted_variables, is_perfect
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.records import replace

_KEEPING = frozenset({"simd", "loop"})
"""Leaves whose indices have last values without a clause."""
_PRIVATE = frozenset({"private", "firstprivate", "lastprivate"})


def without_collapse(statement: Node, depth: int, clauses: Sequence[Clause], loses_last: bool = False) -> list[Clause]:
    """Return the clauses of a nest of ``depth`` loops; where it has code between them, or ``loses_last`` values with
    ``collapse``, those of its outermost loop.

    The indices of the others stay private. What is linear is so in the iterations of all loops together.
    """
    collapse = next((c for c in clauses if c.name == "collapse"), None)
    if collapse is None or any(c.name == "linear" for c in clauses):
        return list(clauses)
    if not loses_last and is_perfect(statement, depth):
        return list(clauses)
    listed = {i.base.text.strip() for c in clauses if isinstance(c, ListClause) and c.name in _PRIVATE for i in c.items}
    outer = set(counted_variables(statement, 1))
    inner = (v for v in counted_variables(statement, depth) if v not in outer)
    indices = [v for v in inner if v.name not in listed]
    kept = [c for c in clauses if c is not collapse]
    return [*kept, _private(indices, collapse)] if indices else kept


def has_dependent_last(unit: ParsedUnit, construct: Construct) -> bool:
    """Whether last values are kept of a construct's loops, and inner bounds depend on an outer index."""
    directive = construct.directive
    depth = collapse_depth(construct)
    keeps = directive.has("lastprivate") or not _KEEPING.isdisjoint(directive.leaves)
    if depth == 1 or not keeps or construct.body is None:
        return False
    return rectangular_part(loop_nest(unit, construct.body, depth)) < depth


def _private(variables: Sequence[Variable], place: Clause) -> Clause:
    names = (Expression(v.name, place.span) for v in variables)
    return ListClause("private", place.span, tuple(ListItem(name, name) for name in names))


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


def host_last_indices(unit: ParsedUnit, construct: Construct) -> list[tuple[Construct, str]]:
    """Return a construct that ends with ``loop``, if no clause names the indices it keeps, with its directive."""
    directive = construct.directive
    if directive.leaves[-1] != "loop" or construct.body is None or construct.probe.site.resolved is not None:
        return []
    named = {n for c in directive.of_type(ListClause) if c.name in ("private", "lastprivate") for n in _names(c)}
    loops = loop_nest(unit, construct.body, collapse_depth(construct))
    indices = [loop.name for loop in loops if not loop.declares and loop.name not in named]
    if not indices:
        return []
    clauses = clauses_text(map(host_clause, directive.clauses))
    return [(construct, " ".join(["#pragma omp", directive.name, *filter(None, [clauses]), *map(_last, indices)]))]


def _last(index: str) -> str:
    return f"lastprivate({index})"


def _text(directive: Directive, names: frozenset[str]) -> str:
    return clauses_text(host_clause(c) for c in directive.clauses if c.name in names)


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
        return f"#pragma omp parallel num_threads(1) {clauses_text(map(host_clause, clauses))}".rstrip() + private
    clauses += [c for c in directive.clauses if c.name == "nowait"]
    return f"#pragma omp single {clauses_text(map(host_clause, clauses))}".rstrip() + private


def _names(clause: ListClause) -> list[str]:
    return [item.base.text.strip() for item in clause.items]
