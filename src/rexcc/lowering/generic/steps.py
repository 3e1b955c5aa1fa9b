"""Teams that go step by step: short parallel loops in a loop of the initial thread's.

In: a region whose iterations have a team each, and its parallels. Out: :class:`Steps`, how many iterations its loops
have at most, as host expressions, from which the launch chooses how wide blocks are (``rex_threads_of_steps``)::

    #pragma omp target teams distribute
    for (int k = 0; k < n; k++) {
      double m[24][25];
    #pragma omp parallel for collapse(2)          // 600 iterations, once
      …
      for (int p = 0; p < 24; p++) {              // the initial thread's
    #pragma omp parallel for                      // 23 iterations at most, 24 times
        for (int i = p + 1; i < 24; i++) …

All threads of a block walk through the initial thread's code together and wait for each other at each step. A block as
wide as the longest loop has threads that do nothing but that, in the place of other teams.

How many threads a team has is the implementation's choice where no clause says it (OpenMP 5.2, 10.1.1), so nothing
depends on what is found here but time: bounds may be too large.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.regions import TargetRegion, collapse_depth, effective_leaves
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.generic.known_counts import host_text, iterations_of
from rexcc.lowering.model.geometry import constant_trips, tripcount
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass

_MOST_BYTES = 8192
"""Arrays of a team, of which a multiprocessor then has room for as many as it takes blocks."""
_FEWEST = 4
"""Times that a loop is executed if it is worth more than those that are executed once."""


@dataclass(frozen=True)
class Steps:
    """Iterations of the longest parallel loop in a loop of the initial thread's, and of the longest one elsewhere."""

    repeated: str
    once: str

    def threads(self, wide: str) -> str:
        """Return the threads of a block that would have so many otherwise."""
        return f"rex_threads_of_steps(__device_id, __rex_tripcount, {self.repeated}, {self.once}, {wide})"


def steps_of(region: TargetRegion, data: RegionData, parallels: list[Construct]) -> Steps | None:
    """Return the steps of a region's teams, None where there are none, or where something is not known of them."""
    if region.owner.template is not None or not _have_room(region, parallels):
        return None
    repeated: list[str] = []
    once: list[str] = []
    for construct in parallels:
        around = list(_loops_around(region, construct))
        count = _most_iterations(region, data, construct, around)
        if not count:
            return None
        times = prod(constant_trips(region, loop) or _FEWEST for loop in around)
        (repeated if times >= _FEWEST else once).append(count)
    return Steps(_longest(repeated), _longest(once)) if repeated else None


def _longest(counts: list[str]) -> str:
    text = "0"
    for count in dict.fromkeys(counts):
        text = count if text == "0" else f"rex_max({text}, {count})"
    return text


def _have_room(region: TargetRegion, parallels: list[Construct]) -> bool:
    """Whether all that team code declares is so small that a multiprocessor has room for as many teams as blocks."""
    bodies = [c.body for c in parallels if c.body is not None]
    assert region.construct.body is not None
    declared = (n for n in region.construct.body.walk() if n.kind == "VAR_DECL")
    kinds = [n.type for n in declared if not any(n.is_inside(body) for body in bodies)]
    if any(types.is_variable_length(kind) for kind in kinds):
        return False
    sizes = [kind.get_size() for kind in kinds if not types.is_reference(kind)]
    return min(sizes, default=0) >= 0 and sum(sizes) <= _MOST_BYTES


def _loops_around(region: TargetRegion, construct: Construct) -> Iterator[Node]:
    """Yield the loops of the initial thread's around a parallel."""
    probes = frozenset(c.probe.offset for c in region.constructs[-1].descendants())
    for above in construct.node.ancestors():
        if above is region.iteration.parent or above is region.construct.body:
            return
        if above.kind in LOOP_KINDS and not (above.kind == "WHILE_STMT" and above.start in probes):
            yield above


def _most_iterations(region: TargetRegion, data: RegionData, construct: Construct, around: list[Node]) -> str:
    """Return how many iterations a parallel loop has at most, empty where the host cannot tell."""
    known = iterations_of(region, data, construct)
    if known is not None:
        return known.text
    if [leaf for leaf in effective_leaves(construct) if leaf != "simd"] != ["parallel", "for"] or not construct.body:
        return ""
    bounds = _Bounds(region, data, around)
    loops = loop_nest(region.unit, construct.body, collapse_depth(construct))
    counts = [bounds.count(loop) for loop in loops]
    if not all(counts):
        return ""
    text = counts[0]
    for count in counts[1:]:
        text = f"rex_collapse({text}, {count})"
    return text


class _Bounds:
    """The least and greatest values of expressions in loops of the initial thread's, as host expressions."""

    def __init__(self, region: TargetRegion, data: RegionData, around: list[Node]) -> None:
        self.region, self.data = region, data
        read = (self._read(loop) for loop in around if loop.kind == "FOR_STMT")
        self.loops = {loop.index: loop for loop in read if loop is not None}
        assert region.construct.body is not None
        self.declared = {Variable(n.cursor): n for n in region.construct.body.walk() if n.kind == "VAR_DECL"}

    def _read(self, statement: Node) -> CanonicalLoop | None:
        try:
            return canonical_loop(self.region.unit, statement)
        except CompileError:
            return None

    def count(self, loop: CanonicalLoop) -> str:
        """Return the iterations of a loop at most, empty where the host cannot tell."""
        if not loop.is_integer or loop.step.value is None:
            return ""
        lower = self._extreme(loop.lower, not loop.increasing)
        bound = self._extreme(loop.bound, loop.increasing)
        return tripcount(loop, lower, bound) if lower and bound else ""

    def _extreme(self, node: Node, greatest: bool, depth: int = 0) -> str:
        """Return the greatest value of an expression, or the least one."""
        known = host_text(self.region, self.data, node)
        if known:
            return known
        inner, variable = node.bare(), named_variable(node.bare())
        if inner.kind == "BINARY_OPERATOR" and inner.operator in ("+", "-"):
            left, right = inner.children
            first = self._extreme(left, greatest, depth)
            second = self._extreme(right, greatest == (inner.operator == "+"), depth)
            return f"((long long)({first}) {inner.operator} ({second}))" if first and second else ""
        if variable in self.loops and depth < len(self.loops):
            loop = self.loops[variable]
            if greatest != loop.increasing:
                return self._extreme(loop.lower, greatest, depth + 1)
            last = self._extreme(loop.bound, greatest, depth + 1)
            one = {"<": " - 1", ">": " + 1"}.get(loop.relation, "")
            return f"((long long)({last}){one})" if last else ""
        declared = self.declared.get(variable) if variable is not None else None
        value = initialiser(declared) if declared is not None and depth < _FEWEST else None
        return self._extreme(value, greatest, depth + 1) if value is not None else ""
