"""The host version of a region: the user's own statement under the host's OpenMP.

In: a region. Out: for each of its constructs what its own leaves mean on the host (``for`` for a separate ``for``,
``parallel for`` for a distributed loop without a ``parallel``, nothing for a league or ``simd``). Copies of what
is private to the target construct, or to a league, are ``host_copies.py``'s. ``default(none)`` is left out: it has been
checked, and variables that a clause of the target construct names are in none of the host's clauses.
"""

from __future__ import annotations

from itertools import takewhile

from rexcc.analysis.calls import asks_for_team, shares_league
from rexcc.analysis.data_sharing import data_sharing
from rexcc.analysis.default_none import is_default_none
from rexcc.analysis.group_variables import GroupVariables
from rexcc.analysis.live_out_indices import kept_indices
from rexcc.analysis.regions import TargetRegion, collapse_depth, effective_leaves
from rexcc.analysis.team_routines import TEAM_ROUTINES
from rexcc.lowering.host.host_loops import has_dependent_last, host_scan, without_collapse
from rexcc.lowering.host.host_resolved import host_clause, named_leaves, on_host
from rexcc.lowering.host.host_sections import down_to_elements
from rexcc.lowering.loops.conditional_lastprivate import in_order, is_conditional
from rexcc.lowering.loops.scan import Scan, accumulates, is_inscan, region_scan
from rexcc.lowering.model.dependences import is_task
from rexcc.openmp.model import Clause, Directive, ListClause, ListItem, ReductionClause
from rexcc.openmp.tables import LEAF_ROWS, named_construct
from rexcc.openmp.unparse import clauses_text
from rexcc.program.constructs import Construct
from rexcc.program.environment import Sharing
from rexcc.source.records import replace

_HOST_LEAVES = ("parallel", "for")
_NOT_ON_HOST = frozenset({"nowait", "allocate", "ompx_attribute"})
_OF_LEAGUE = frozenset(
    {"private", "firstprivate", "lastprivate", "linear", "shared", "default", "reduction", "collapse", "order"}
)
_LEAGUE_LEAVES = frozenset({"teams", "distribute", "loop"})
_LAST = ("lastprivate", "linear")
_TASKS = frozenset({"task", "taskloop"})
_LEAGUE = "#pragma omp teams num_teams(1)"
"""What is around a host version that calls functions with loops of the league: libomp looks for the league there."""
_LEAGUE_INSIDE = "\n".join(["#pragma omp parallel num_threads(1)"] * 2)
"""The same where no ``teams`` may stand. Without a league, libomp takes the team around the thread's for it, which is
one of one thread then."""
_LISTS = ("private", "firstprivate", "shared", "reduction")


def host_directives(region: TargetRegion) -> tuple[str, ...]:
    """Return, for each of the region's constructs, the host's directive with ``#pragma``; empty for none."""
    alone = runs_alone(region)
    texts = tuple(_text(leaves, clauses, alone) for leaves, clauses in _host_forms(region))
    inner = [effective_leaves(construct) for construct in region.constructs]
    is_distributed = any(texts) or any("distribute" in leaves for leaves in inner)
    if is_distributed or not any(shares_league(region.unit, part) for part in region.device_parts):
        return texts
    league = _LEAGUE if _may_have_league(region) else _LEAGUE_INSIDE
    return tuple(league if "teams" in leaves else text for text, leaves in zip(texts, inner, strict=True))


def _may_have_league(region: TargetRegion) -> bool:
    """Whether ``teams`` may stand around the host version: not inside of constructs of the host or in a task."""
    around = (c.directive.leaves[0] for c in region.construct.around())
    directive = region.construct.directive
    return all(leaf.startswith("target") for leaf in around) and not (
        is_task(directive) or directive.has("in_reduction")
    )


def runs_alone(region: TargetRegion) -> bool:
    """Whether one thread executes the host version: for constructs that host compilers do not have, or get wrong.

    Of ``atomic compare``, clang-19 never swaps for ``weak``, captures old values, compares floating-point bits; gcc 12
    dies on mixed types. clang-19 "cannot compile this scope yet", joins ``lastprivate(conditional:)`` wrongly, lets
    threads add to the original of a part of an array that has static storage, and loses last values of collapsed loops
    whose inner bounds depend on an outer index.
    """
    inside = list(region.constructs[-1].descendants())
    constructs = [*inside, *region.constructs]
    if region.is_worksharing and not region.has_parallel and uses_group_variables(region):
        return True  # its teams would be threads of the host, with one variable
    if any(is_conditional(clause) or clause.name == "induction" for c in constructs for clause in c.directive.clauses):
        return True  # no compiler of the host knows the second one
    if is_compiled_by_clang(region) and any(_reduces_part_of_global(c) for c in constructs):
        return True
    if _loses_last(region) or any(_loses_last_inside(region, c) for c in inside):
        return True
    directives = (c.directive for c in inside)
    return any(d.leaves == ("scope",) or (d.leaves == ("atomic",) and d.has("compare")) for d in directives)


def uses_group_variables(region: TargetRegion) -> bool:
    """Whether a region, or a function that it calls, uses variables of contention groups."""
    groups = region.unit.kept(GroupVariables)
    return any(groups.used_in(region.body)) or any(groups.used_by_functions(region.body))


def is_compiled_by_clang(region: TargetRegion) -> bool:
    """Whether clang compiles the host version."""
    return "__clang__" in dict(region.unit.compiler_macros)


def _loses_last(region: TargetRegion) -> bool:
    """Whether clang loses last values of the region's own loops, whose inner bounds depend on an outer index."""
    if not region.loops or not region.sequential or not is_compiled_by_clang(region):
        return False
    return any(region.clauses(*_LAST)) or bool(kept_indices(region))


def _loses_last_inside(region: TargetRegion, construct: Construct) -> bool:
    return is_compiled_by_clang(region) and has_dependent_last(region.unit, construct)


def _reduces_part_of_global(construct: Construct) -> bool:
    parts = (i for i in construct.items("reduction") if i.item.sections)
    return any(i.variable is not None and i.variable.is_global for i in parts)


def _text(leaves: tuple[str, ...], clauses: list[Clause], alone: bool = False) -> str:
    if not leaves:
        return ""
    clauses = [host_clause(clause) for clause in clauses]
    if alone and "parallel" in leaves:
        kept = clauses_text([c for c in clauses if c.name != "num_threads"])
        return f"#pragma omp {' '.join(leaves)} {f'{kept} '.lstrip()}num_threads(1)"
    return f"#pragma omp {' '.join(leaves)} {clauses_text(clauses)}".rstrip()


def _host_forms(region: TargetRegion) -> list[tuple[tuple[str, ...], list[Clause]]]:
    """Return leaves and clauses of each construct's host directive.

    Without a ``parallel``, the teams of a distributed loop are the host's threads: its directive has the clauses of the
    league too.
    """
    scan = region_scan(region)
    if scan is not None:
        return _scan_forms(region, scan)
    found: list[tuple[tuple[str, ...], list[Clause]]] = []
    has_parallel = any("parallel" in effective_leaves(construct) for construct in region.constructs)
    league: list[Clause] = []
    indices = frozenset(loop.name for loop in (*region.loops, *region.sequential))
    for construct in map(on_host, region.constructs):
        directive = construct.directive
        leaves = tuple(leaf for leaf in effective_leaves(construct) if leaf in _HOST_LEAVES)
        clauses = [c for c in directive.clauses if _acts_on(c, leaves)]
        if not has_parallel:
            league += [c for c in directive.clauses if _is_of_league(c, directive)]
            if "distribute" in effective_leaves(construct):
                leaves, clauses = _of_distributed(region, _joined(league))
        if "for" in leaves:
            items = [index.item for index in kept_indices(region).values()]
            kept = [ListClause("lastprivate", i.whole.span, (i,)) for i in items]
            clauses = [*_with_last_indices(clauses, indices), *kept]
        depth, loses = collapse_depth(*region.constructs), _loses_last(region)
        clauses = without_collapse(region.body, depth, clauses, loses)
        found.append((leaves, _in_order(construct, leaves, clauses)))
    return found


def _of_distributed(region: TargetRegion, clauses: list[Clause]) -> tuple[tuple[str, ...], list[Clause]]:
    """Return the form of a distributed loop without a ``parallel``: a parallel loop, unless its code could tell.

    Code that asks for its team or level must not stand in a parallel region: one thread executes it, as ``simd``,
    which knows the loop's other clauses; what is ``firstprivate`` to the region is copied around it. Around constructs
    inside, of which ``simd`` takes few, it is a plain loop: what is private to it is copied too, and a thread that
    executes all iterations in order needs nothing for reductions and last values.
    """
    named = any(n.kind == "DECL_REF_EXPR" and n.spelling in TEAM_ROUTINES for n in region.body.walk())
    if not (named or asks_for_team(region.unit, region.body)):
        return ("parallel", "for"), clauses
    if region.constructs[-1].children:
        return (), []
    return ("simd",), [c for c in clauses if c.name in LEAF_ROWS["simd"].clauses]


def _with_last_indices(clauses: list[Clause], indices: frozenset[str]) -> list[Clause]:
    """Return clauses without those that a host's ``for`` does not take for its own indices.

    What ``simd`` has as ``linear`` keeps its last value.
    """
    kept: list[Clause] = []
    for clause in clauses:
        own: list[ListItem] = []
        if isinstance(clause, ListClause) and clause.name in ("linear", "shared"):
            own = [i for i in clause.items if variable_name(i.base.text) in indices]
        if not own or not isinstance(clause, ListClause):
            kept.append(clause)
            continue
        others = tuple(i for i in clause.items if i not in own)
        kept += [replace(clause, items=others)] if others else []
        if clause.name == "linear":
            kept.append(replace(clause, name="lastprivate", items=tuple(own), modifiers=(), step=None))
    return kept


def _scan_forms(region: TargetRegion, scan: Scan) -> list[tuple[tuple[str, ...], list[Clause]]]:
    """Return the forms of a scan: one thread executes it in order, without a directive where that means the same."""
    outer: list[tuple[tuple[str, ...], list[Clause]]] = [((), []) for _ in region.constructs[1:]]
    if accumulates(region.body, scan):
        return [*outer, ((), [])]
    return [*outer, (("simd",), [p.clause for p in region.clauses("reduction") if is_inscan(p.clause)])]


def _acts_on(clause: Clause, leaves: tuple[str, ...]) -> bool:
    if clause.name in _NOT_ON_HOST or is_default_none(clause):
        return False
    if not set(leaves).issuperset(named_leaves(clause)):
        return False
    return any(clause.name in LEAF_ROWS[leaf].clauses for leaf in leaves)


def _is_of_league(clause: Clause, directive: Directive) -> bool:
    is_left_out = named_leaves(clause) == ("target",) or is_default_none(clause)
    return clause.name in _OF_LEAGUE and not is_left_out and not _LEAGUE_LEAVES.isdisjoint(directive.leaves)


def host_inner_directives(region: TargetRegion) -> list[tuple[Construct, str]]:
    """Return the constructs inside a region that mean something else on the host, each with the host's directive.

    There a league is one team, so its loops are the team's own: an undivided ``distribute`` becomes a loop of one
    thread, which keeps its data-sharing clauses.
    """
    found: list[tuple[Construct, str]] = []
    is_construct = any({"for", "simd"} & set(leaves) for leaves, _ in _host_forms(region))
    alone = runs_alone(region)
    for construct in map(on_host, region.constructs[-1].descendants()):
        if alone and construct.directive.leaves == ("atomic",):
            found.append((construct, ""))
            continue
        if construct.directive.leaves == ("scope",):
            found.append((construct, _scope_of_one(construct)))
            continue
        if construct.directive.name == "scan" and construct.parent is region.constructs[-1] and not is_construct:
            found.append((construct, ""))  # on the host this loop is no construct's
        if scanned := host_scan(region.unit, construct):
            found += scanned
            continue
        text = _inner_directive(construct, alone, _loses_last_inside(region, construct))
        if shared := _shared_in_task(region, construct):
            written = _text(construct.directive.leaves, list(construct.directive.clauses))
            text = f"{written if text is None else text} shared({', '.join(shared)})"
        if text is not None:
            found.append((construct, text))
    return found


def _shared_in_task(region: TargetRegion, construct: Construct) -> list[str]:
    """Return the variables of a region that an explicit task in it shares because all of its team do: host compilers,
    to whom the region is no construct, would copy what is local around it."""
    leaf = next((leaf for leaf in construct.directive.leaves if leaf in _TASKS), None)
    inside = takewhile(lambda c: c not in region.constructs, construct.around())
    if leaf is None or any("parallel" in c.directive.leaves for c in (construct, *inside, *region.constructs)):
        return []
    found = (d for d in data_sharing(region.unit, construct) if d.leaf == leaf and d.reason.clause is None)
    return [d.variable.name for d in found if d.sharing is Sharing.SHARED and not d.variable.is_global]


def _scope_of_one(construct: Construct) -> str:
    """Return what a ``scope`` means to a team of one thread: a loop's only iteration, which keeps the thread's level;
    around other constructs, which must not stand in a loop's region, a team of its own."""
    clauses = [c for c in construct.directive.clauses if c.name not in _NOT_ON_HOST]
    if construct.children:
        return _text(("parallel",), clauses, True)
    return f"{_text(('for',), clauses)}\nfor (int __rex_once = 0; __rex_once < 1; __rex_once++)"


def _inner_directive(construct: Construct, alone: bool, loses_last: bool) -> str | None:
    """Return the host's directive for a construct inside a region, None where the user's own means the same."""
    directive, effective = construct.directive, effective_leaves(construct)
    if directive.named("doacross"):
        return _text(("ordered",), [_older(c) for c in directive.clauses])
    renamed = not _LEAGUE_LEAVES.isdisjoint(directive.leaves)
    leaves = tuple(leaf for leaf in effective if not renamed or leaf in _HOST_LEAVES)
    of_one = not leaves and "distribute" in effective
    clauses = [c for c in directive.clauses if _acts_on(c, ("for",) if of_one else leaves)]
    if construct.body is None:
        kept = clauses
    else:
        kept = without_collapse(construct.body, collapse_depth(construct), clauses, loses_last)
    kept = _in_order(construct, leaves, kept)
    is_users = not renamed and kept == clauses and not any(_is_not_hosts(c) for c in directive.clauses)
    if is_users and not (alone and "parallel" in leaves):
        return None
    if any(is_conditional(c) or c.name == "induction" for c in directive.clauses):  # lanes would not be in order
        of_one, leaves = leaves == ("simd",), tuple(leaf for leaf in leaves if leaf != "simd")
    if of_one:
        return f"{_text(('parallel', 'for'), kept)} num_threads(1)"
    return "" if leaves == ("simd",) else _text(leaves, kept, alone)


def _older(clause: Clause) -> Clause:
    """Return ``doacross`` of OpenMP 5.2 as ``depend``, which all compilers of the host know on ``ordered``."""
    return replace(clause, name="depend") if clause.name == "doacross" else clause


def _is_not_hosts(clause: Clause) -> bool:
    return clause.name == "allocate" or (clause.name != "if" and named_construct(clause) is not None)


def _in_order(construct: Construct, leaves: tuple[str, ...], clauses: list[Clause]) -> list[Clause]:
    """Return clauses for a thread that assigns what is in ``lastprivate(conditional:)`` or ``induction`` itself, in the
    loop's order."""
    own = [c for c in clauses if isinstance(c, ListClause) and (is_conditional(c) or c.name == "induction")]
    shared = [replace(c, name="shared", modifiers=(), step=None) for c in own if "parallel" in leaves]
    kept = [c for c in clauses if c.name != "induction"]
    return [*in_order(construct, down_to_elements(construct, kept)), *shared]


def _joined(clauses: list[Clause]) -> list[Clause]:
    """Return the clauses of nested constructs as those of one: the innermost list that has a variable keeps it."""
    named: set[str] = set()
    last = {
        variable_name(i.base.text) for c in clauses if isinstance(c, ListClause) and c.name in _LAST for i in c.items
    }
    kept: list[Clause] = []
    for clause in reversed(clauses):
        if isinstance(clause, ListClause | ReductionClause) and clause.name in _LISTS:
            hidden = named if clause.name == "firstprivate" else named | last
            items = tuple(i for i in clause.items if variable_name(i.base.text) not in hidden)
            named |= {variable_name(i.base.text) for i in items}
            clause = replace(clause, items=items)
            if not items:
                continue
        kept.append(clause)
    return kept[::-1]


def copied_by_directives(region: TargetRegion) -> set[str]:
    """Return the names of which the host directives make private copies; those of a worksharing loop's indices too."""
    names = {loop.name for loop in region.sequential if region.is_worksharing}
    for _, clauses in _host_forms(region):
        for clause in clauses:
            if isinstance(clause, ListClause) and clause.name in ("private", "firstprivate"):
                names |= {variable_name(item.base.text) for item in clause.items}
    return names


def variable_name(text: str) -> str:
    """Return a variable's name without the scope it is written with."""
    return text.rpartition("::")[2].strip()
