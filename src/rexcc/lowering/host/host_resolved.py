"""What the host reads where a directive was resolved at compile time.

In: the site of a directive. Out: the host's directive, as text or in the place of the device's: a metadirective may
choose differently for the device and for the host's version of a region.
"""

from __future__ import annotations

from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.model import Clause, Directive, ExpressionClause
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.tables import CONSTRUCTS, LEAF_ROWS, named_construct, without_construct_name
from rexcc.openmp.unparse import clauses_text, unparse
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.records import replace

_LEAGUE = frozenset({"teams", "distribute", "loop"})
_HOST_LEAVES = ("parallel", "for")


def host_directive(site: PragmaSite) -> Directive | None:
    """Return what the host reads in place of a directive that was resolved, None for any other."""
    return parse_directive(site.resolved.host, DiagnosticSink()) if site.resolved is not None else None


def on_host(construct: Construct) -> Construct:
    """Return a construct with the directive that the host executes."""
    directive = host_directive(construct.probe.site)
    return construct if directive is None else replace(construct, directive=directive)


def host_text(site: PragmaSite) -> str:
    """Return the host's directive in place of one that was resolved, with ``#pragma``; empty for none.

    In the host's version of a region there is no league.
    """
    directive = host_directive(site)
    if directive is None or directive.name == "nothing" or site.resolved is None:
        return ""
    if not site.resolved.in_region or _LEAGUE.isdisjoint(directive.leaves):
        return f"#pragma omp {unparse(directive)}"
    leaves = tuple(leaf for leaf in directive.leaves if leaf in _HOST_LEAVES)
    kept = [clause for clause in directive.clauses if _acts_on(clause, leaves)]
    return f"#pragma omp {' '.join(leaves)} {clauses_text(map(host_clause, kept))}".rstrip() if leaves else ""


def host_clause(clause: Clause) -> Clause:
    """Return a clause as compilers of the host take it: they know the directive-name modifiers of ``if`` alone, which
    name one construct, no combined one."""
    if clause.name != "if":
        return without_construct_name(clause)
    if not isinstance(clause, ExpressionClause) or "parallel" not in named_leaves(clause):
        return clause
    return replace(clause, modifiers=tuple(replace(m, name="parallel") for m in clause.modifiers))


def named_leaves(clause: Clause) -> tuple[str, ...]:
    """Return the leaves of the construct that a clause's directive-name modifier names, none without one."""
    named = named_construct(clause)
    return CONSTRUCTS[named].leaves if named else ()


def _acts_on(clause: Clause, leaves: tuple[str, ...]) -> bool:
    if not set(leaves).issuperset(named_leaves(clause)):
        return False
    return any(clause.name in LEAF_ROWS[leaf].clauses for leaf in leaves)
