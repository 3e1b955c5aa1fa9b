"""Target regions: a target construct joined with the constructs nested directly in it.

In: the constructs of a function. Out: :class:`TargetRegion`, the same for ``target teams distribute parallel for`` and
for ``target`` + ``teams`` + … written one inside the other. What cannot be lowered is an error here, by name and
place, before any stage builds on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rexcc.analysis.host_bounds import host_bounds, parts_without
from rexcc.analysis.lookups import HostBound
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import iteration_of, loop_nest, rectangular_part
from rexcc.analysis.tuned_kernels import choice_of
from rexcc.clang import library, types
from rexcc.clang.tree import Node
from rexcc.openmp.model import Clause, ExpressionClause
from rexcc.program.constructs import Construct, ConstructFunction, ResolvedItem
from rexcc.program.loop_shape import alone
from rexcc.program.optimisations import Optimisation
from rexcc.program.tuned import Choice
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, Note, error
from rexcc.source.records import dataclass

SPMD_LEAVES = frozenset({("target",), ("target", "teams"), ("target", "parallel")})
WORKSHARING_LEAVES = frozenset(
    {
        ("target", "teams", "distribute"),
        ("target", "parallel", "for"),
        ("target", "teams", "distribute", "parallel", "for"),
    }
)
_MERGED_LEAVES = frozenset({"teams", "distribute", "parallel", "for", "simd"})
"""What a nested construct may consist of to become part of the region around it; others are lowered inside of it."""

COLLAPSE_RULE = "collapse needs a positive integer constant"
"""What is said of any other argument of ``collapse``."""


@dataclass(frozen=True)
class PlacedClause:
    """A clause with the construct it stands on."""

    clause: Clause
    construct: Construct


@dataclass(frozen=True, eq=False)
class TargetRegion:
    """One kernel to be: the target construct, the constructs merged into it, and what they apply to.

    ``leaves`` are the leaf constructs without ``simd``; ``body`` is the innermost associated statement; ``loops`` the
    distributed loops (empty on the SPMD path), ``sequential`` further associated loops that each thread runs itself.
    ``host_bounds`` are the expressions of the loops' headers whose values the host passes.
    ``has_inner_parallel`` tells that parallels or distributed loops stand in the body, among other statements.
    """

    unit: ParsedUnit
    owner: ConstructFunction
    construct: Construct
    merged: tuple[Construct, ...]
    leaves: tuple[str, ...]
    body: Node
    loops: tuple[CanonicalLoop, ...]
    sequential: tuple[CanonicalLoop, ...] = ()
    has_inner_parallel: bool = False
    host_bounds: tuple[HostBound, ...] = ()

    @property
    def constructs(self) -> tuple[Construct, ...]:
        """The target construct and those merged into it, outermost first."""
        return (self.construct, *self.merged)

    @property
    def iteration(self) -> Node:
        """What one iteration of the distributed loops executes, the whole statement where there are none."""
        return iteration_of(self.loops) if self.loops else self.body

    @cached_property
    def choice(self) -> Choice:
        """What a file of ``--tuned`` chooses for the kernel."""
        return choice_of(self.unit, self.construct)

    @property
    def left_out(self) -> frozenset[Optimisation]:
        """The optimisations that the kernel does without."""
        return self.unit.left_out | self.choice.left_out

    @cached_property
    def device_parts(self) -> tuple[Node, ...]:
        """The parts of the body that the device executes: all of it but what the host evaluates."""
        evaluated = (node for bound in self.host_bounds for node in (bound.node, *bound.again))
        return tuple(parts_without(self.body, frozenset(evaluated)))

    @cached_property
    def keeps_objects(self) -> bool:
        """Whether the region declares static variables that may change: a template's instantiations have one each."""
        nodes = (node for part in self.device_parts for node in part.walk() if node.kind == "VAR_DECL")
        return any(library.has_global_storage(node.cursor) and not types.is_constant(node.type) for node in nodes)

    def bound_of(self, node: Node) -> HostBound | None:
        """Return the variable that has the value of an expression of a header, None where the device evaluates it."""
        return next((bound for bound in self.host_bounds if bound.node is node), None)

    @property
    def is_worksharing(self) -> bool:
        """Whether the region is a distributed loop."""
        return self.leaves in WORKSHARING_LEAVES

    @property
    def has_teams(self) -> bool:
        """Whether it forms a league of teams."""
        return "teams" in self.leaves

    @property
    def has_parallel(self) -> bool:
        """Whether its teams have several threads."""
        return "parallel" in self.leaves

    def clauses(self, *names: str) -> Iterator[PlacedClause]:
        """Yield the clauses with one of these names on any of the merged constructs, outermost first."""
        for construct in self.constructs:
            for clause in construct.directive.clauses:
                if clause.name in names:
                    yield PlacedClause(clause, construct)

    def items(self, *names: str) -> Iterator[ResolvedItem]:
        """Yield the list items of the clauses with one of these names, outer constructs first."""
        for construct in self.constructs:
            yield from construct.items(*names)

    def target_clauses(self) -> tuple[Clause, ...]:
        """Return the clauses that apply to the ``target`` leaf."""
        return self.construct.clauses_of("target")

    def expression(self, name: str) -> tuple[str, Node | None] | None:
        """Return text and node of the argument of the innermost expression clause of this name."""
        found = None
        for placed in self.clauses(name):
            if isinstance(placed.clause, ExpressionClause):
                expression = placed.clause.expression
                found = expression.text.strip(), placed.construct.node_of(expression)
        return found


def build_region(unit: ParsedUnit, owner: ConstructFunction, construct: Construct) -> TargetRegion:
    """Join a target construct with what is nested directly in it.

    Raises CompileError for what cannot be lowered (code ``unsupported-construct``) and for loops that are not
    canonical.
    """
    known = unit.kept(_Regions).known
    found = known.get(construct)
    if found is None or found.unit is not unit or found.owner is not owner:
        found = known[construct] = _joined(unit, owner, construct)
    return found


class _Regions:
    """The regions of a unit's target constructs; several stages ask for each."""

    def __init__(self, _: ParsedUnit) -> None:
        self.known: dict[Construct, TargetRegion] = {}


def _joined(unit: ParsedUnit, owner: ConstructFunction, construct: Construct) -> TargetRegion:
    merged = tuple(_merged(construct))
    inner = merged[-1] if merged else construct
    every = tuple(leaf for c in (construct, *merged) for leaf in effective_leaves(c))
    leaves = tuple(leaf for leaf in every if leaf != "simd")
    if leaves not in SPMD_LEAVES | WORKSHARING_LEAVES:
        raise _unsupported(construct, merged)
    assert inner.body is not None
    depth = collapse_depth(construct, *merged)
    loops = loop_nest(unit, inner.body, depth) if leaves in WORKSHARING_LEAVES or "simd" in every else ()
    split = rectangular_part(loops) if leaves in WORKSHARING_LEAVES else 0
    walked = "parallel" not in leaves and any(forms_team(c) for c in inner.descendants())
    shared: tuple[CanonicalLoop, ...] = loops[:split]
    bounds: tuple[HostBound, ...] = ()
    if not merged:
        shared, bounds = host_bounds(unit, owner, construct, shared)
    return TargetRegion(unit, owner, construct, merged, leaves, inner.body, shared, loops[split:], walked, bounds)


def effective_leaves(construct: Construct) -> tuple[str, ...]:
    """Return a construct's leaves with ``loop`` replaced by what its binding makes of it (OpenMP 5.2, 11.7)."""
    leaves = construct.directive.leaves
    if leaves[-1] != "loop":
        return leaves
    if construct.binding == "thread":
        return (*leaves[:-1], "simd")
    if construct.binding == "parallel":
        inside = "parallel" in leaves or _is_inside_parallel(construct)
        return (*leaves[:-1], "for") if inside else (*leaves[:-1], "parallel", "for")
    shares_more = any(forms_team(c) for c in construct.descendants())
    return (*leaves[:-1], "distribute") if shares_more else (*leaves[:-1], "distribute", "parallel", "for")


def forms_team(construct: Construct) -> bool:
    """Whether several threads or teams execute a construct's statement."""
    return not {"parallel", "distribute"}.isdisjoint(effective_leaves(construct))


def _is_inside_parallel(construct: Construct) -> bool:
    for above in construct.around():
        leaves = above.directive.leaves
        shares = leaves[-1] == "loop" and above.binding == "teams"  # what it becomes depends on what is inside
        if "parallel" in (leaves if shares else effective_leaves(above)):
            return True
    return False


def _merged(construct: Construct) -> Iterator[Construct]:
    """Yield the constructs nested directly, each the only statement of the one around it."""
    current = construct
    while len(current.children) == 1 and current.body is not None:
        child = current.children[0]
        if not _continues(current, child) or not _is_only_statement(current.body, child.node):
            return
        yield child
        current = child


def _continues(outer: Construct, inner: Construct) -> bool:
    first, last = effective_leaves(inner)[0], effective_leaves(outer)[-1]
    after = {
        "target": ("teams", "parallel", "simd"),
        "teams": ("distribute",),
        "distribute": ("parallel",),
        "parallel": ("for",),
    }
    if inner.body is None or not _MERGED_LEAVES.issuperset(effective_leaves(inner)):
        return False
    return first in after.get(last, ())


def _is_only_statement(body: Node, statement: Node) -> bool:
    node = alone(body)
    return node.start == statement.start and node.kind == statement.kind


def collapse_depth(*constructs: Construct) -> int:
    """Return the argument of the innermost ``collapse`` clause, 1 without one; raises CompileError for a bad one."""
    for construct in reversed(constructs):
        expression = construct.directive.expression("collapse")
        if expression is None:
            continue
        value = construct.value_of(expression)
        if value is None or value < 1:
            raise error("omp-collapse", COLLAPSE_RULE, expression.span)
        return value
    return 1


def _unsupported(construct: Construct, merged: tuple[Construct, ...]) -> CompileError:
    spelled = " + ".join(f"'{c.directive.name}'" for c in (construct, *merged))
    return error(
        "unsupported-construct",
        f"{spelled} cannot be lowered yet",
        construct.span,
        Note("supported: target, target teams, target parallel, target parallel for, target teams distribute, "
             "target teams distribute parallel for, each also with simd or loop"),
    )  # fmt: skip
