"""Functions that only whole blocks execute: their team is known when they are written.

In: a unit with its regions. Out: the places of functions whose every call, from kernels and from other functions, is
one by name in a parallel region of all threads of the block. In them ``omp_get_thread_num()`` is a word of the target
and so is a barrier, as in the kernels. All other functions ask the runtime, which hides from the compiler that a branch
splits a warp (docs/decisions/022-thread-numbers-in-text.md).

A function that other units may call is compiled twice: for an image of its own unit, and for one that is linked of
several. In the first, nobody else calls it.
"""

from __future__ import annotations

from functools import cached_property

from clang.cindex import Cursor

from rexcc.analysis.calls import any_function_asks, asks_itself, asks_of_caller
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.device_constructs import is_kernel
from rexcc.analysis.function_facts import functions_named
from rexcc.analysis.indirect import indirect_functions
from rexcc.analysis.local_methods import LocalMethods
from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.regions import TargetRegion, build_region, effective_leaves
from rexcc.analysis.sharing import region_data
from rexcc.analysis.team_routines import TEAM_ROUTINES, called_by
from rexcc.analysis.unnamed_calls import functions_defined, initial_values, may_be_unnamed
from rexcc.clang import library
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.lowering.generic.region import team_region
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass, field


def block_uniform_functions(
    unit: ParsedUnit, declared: DeclareTarget, exported: tuple[Cursor, ...]
) -> tuple[frozenset[Place], frozenset[Place]]:
    """Return the places of the functions that only whole blocks execute, and of those that ask for their team and of
    which that is only true in an image of this unit alone: ``exported`` are those that device code of other units may
    call, from anywhere."""
    if not any_function_asks(unit):
        return frozenset(), frozenset()
    search = _Search(unit, declared)
    for function in unit.functions:
        for construct in filter(is_kernel, function.walk()):
            search.region(function, construct)
    search.waiting += [(function, False) for function in (*indirect_functions(unit), *search.unnamed)]
    search.follow()
    known = search.whole - search.others
    asking = {place for place in known if asks_of_caller(unit, search.written[place])}
    alone = {place for place in asking if _may_be_told(unit, search.written[place])}
    search.waiting += [(function, False) for function in exported]
    search.follow()
    found = search.whole - search.others
    return frozenset(found), frozenset(alone - found)


@dataclass(eq=False)
class _Search:
    unit: ParsedUnit
    declared: DeclareTarget
    whole: set[Place] = field(default_factory=set)
    others: set[Place] = field(default_factory=set)
    waiting: list[tuple[Cursor, bool]] = field(default_factory=list)
    seen: set[tuple[int, bool]] = field(default_factory=set)
    written: dict[Place, Node] = field(default_factory=dict)

    @cached_property
    def unnamed(self) -> list[Cursor]:
        """The functions that code may call without naming them."""
        return [n.cursor for n in functions_defined(self.unit) if may_be_unnamed(n.cursor)]

    @cached_property
    def initialising(self) -> frozenset[str]:
        """The names of what may be called where an object is made."""
        return frozenset(str(n.spelling) for value in initial_values(self.unit) for n in value.walk())

    def region(self, owner: ConstructFunction, construct: Construct) -> None:
        """Note what a region calls, and from where."""
        try:
            region = build_region(self.unit, owner, construct)
            parallels = self._whole_parallels(region)
        except CompileError:
            parallels = None  # it is reported where the region is lowered
        assert construct.body is not None
        inner = [c for c in construct.descendants() if c.body is not None and "parallel" in effective_leaves(c)]
        for name, target in functions_named(construct.body):
            around = [c for c in inner if c.body is not None and c.body.start <= name.start < c.body.end]
            is_whole = parallels is not None and [id(c) for c in around] in parallels
            self.waiting.append((target, is_whole and _is_plain_call(name)))

    def _whole_parallels(self, region: TargetRegion) -> list[list[int]]:
        """Return the parallels around code that whole blocks execute, each as the list of those around it."""
        merged = [id(c) for c in region.constructs[1:] if "parallel" in effective_leaves(c)]
        if region.has_parallel:
            return [merged]
        if not region.has_inner_parallel:
            return []
        return [[key] for key in team_region(region, region_data(region, self.declared), False).launch.whole]

    def follow(self) -> None:
        """Go through the functions that are called, each in every way that it is."""
        seen = self.seen
        while self.waiting:
            target, is_whole = self.waiting.pop()
            definition = target.get_definition() or target
            if library.in_system_header(definition) or (int(definition.hash), is_whole) in seen:
                continue
            seen.add((int(definition.hash), is_whole))
            unanswerable = asks_itself(self.unit, self.unit.tree.node(definition))
            is_whole = is_whole and not definition.is_virtual_method() and not unanswerable
            is_whole = is_whole and not may_be_unnamed(definition) and definition.spelling not in self.initialising
            is_whole = is_whole and self._place(definition) not in self.unit.kept(LocalMethods).places
            (self.whole if is_whole else self.others).add(self._place(definition))
            self._calls_of(definition, is_whole)

    def _calls_of(self, definition: Cursor, is_whole: bool) -> None:
        node = self.unit.tree.node(definition)
        holder = next((f for f in self.unit.functions if (f.node.file, f.node.start) == (node.file, node.start)), None)
        inner = list(holder.walk()) if holder is not None else []
        apart = [c.body for c in inner if c.body is not None and _is_apart(c)]
        for name, target in functions_named(node):
            nested = any(body.start <= name.start < body.end for body in apart)
            self.waiting.append((target, is_whole and not nested and _is_plain_call(name)))

    def _place(self, definition: Cursor) -> Place:
        node = self.unit.tree.node(library.as_written(definition))
        self.written[(node.file, node.start)] = node
        return node.file, node.start


_TOLD = frozenset({"omp_get_thread_num", "omp_get_num_threads"})
_OF_CALLER = frozenset({"barrier", "critical", "atomic", "flush", "master", "masked", "simd"})
"""What a function may name, and the constructs of its caller's team that it may have, so that it can be told its team
by names of its own (``REX_TEAM_OF_BLOCK``)."""


def _may_be_told(unit: ParsedUnit, function: Node) -> bool:
    """Whether names in a function's own block say all that it asks of its team. They mean nothing in code that a lambda
    or a class inside of it holds, and something else in the team of a construct."""
    statement = next((c for c in function.children if c.kind == "COMPOUND_STMT"), None)
    if statement is None or not unit.user_text(statement).startswith("{"):
        return False
    holders = [f for f in unit.functions if (f.template or f.node).cursor == function.cursor]
    leaves = {leaf for f in holders for c in f.walk() for leaf in c.directive.leaves}
    names = {n.spelling for n in statement.walk() if n.kind == "DECL_REF_EXPR"} & TEAM_ROUTINES
    holds = any(n.kind == "LAMBDA_EXPR" or n.kind in RECORD_KINDS for n in statement.walk())
    return leaves <= _OF_CALLER and names <= _TOLD and not holds


def _is_apart(construct: Construct) -> bool:
    """Whether a construct's statement is executed by another team than its function."""
    return not {"parallel", "target"}.isdisjoint(effective_leaves(construct))


def _is_plain_call(name: Node) -> bool:
    """Whether a function is named to be called right there, not in a lambda, which may be called from anywhere."""
    if name.kind == "DECL_REF_EXPR" and called_by(name) is None:
        return False
    return not any(above.is_called_code for above in name.ancestors())
