"""Memory allocators of target regions: ``uses_allocators``, and ``allocate`` clauses (OpenMP 5.2, 6.6 and 6.8).

In: a target region, or any construct of device code. Out: the allocators that the region has of its own, with their
traits; errors for what private copies in a kernel cannot be: they are local variables, whatever the allocator, aligned
as their types ask for. Predefined allocators are numbers and need nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rexcc.analysis.references import Variable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.unit import Construct
from rexcc.openmp.model import ListClause, ListItem, Modifier
from rexcc.source.diagnostics import DiagnosticSink

_PREDEFINED = re.compile(r"(?:::\s*)?(?:omp_\w+_mem_alloc|omp_null_allocator|llvm_omp_\w+_mem_alloc)")


@dataclass(frozen=True)
class Allocator:
    """An allocator that a region initialises: its variable, the array of its traits and its memory space as text."""

    variable: Variable
    traits: str
    memspace: str

    @property
    def device_handle(self) -> str:
        """The host expression for its handle in the kernel."""
        return f"rex_device_allocator({self._count}, {self.traits or '0'})"

    @property
    def host_handle(self) -> str:
        """The expression that initialises it on the host."""
        return f"omp_init_allocator({self.memspace}, (int)({self._count}), {self.traits or '0'})"

    @property
    def _count(self) -> str:
        return f"sizeof {self.traits} / sizeof *{self.traits}" if self.traits else "0"


def allocators_of(region: TargetRegion) -> Iterator[Allocator]:
    """Yield the allocators of a region that are variables."""
    for placed in region.clauses("uses_allocators"):
        clause = placed.clause
        assert isinstance(clause, ListClause)
        memspace = _argument(clause.modifiers, "memspace") or "omp_default_mem_space"
        for item in clause.items:
            node = _variable(placed.construct, item)
            if node is not None and node.referenced is not None:
                traits = _argument(clause.modifiers, "traits") or _old_traits(item)
                yield Allocator(Variable(node.referenced), traits, memspace)


def allocator_of(region: TargetRegion, variable: Variable) -> Allocator:
    """Return the allocator that a variable of the region is."""
    return next(a for a in allocators_of(region) if a.variable.key == variable.key)


def _argument(modifiers: tuple[Modifier, ...], name: str) -> str:
    return next((m.argument.text.strip() for m in modifiers if m.name == name and m.argument is not None), "")


def _old_traits(item: ListItem) -> str:
    """Return the traits of ``allocator(traits)``."""
    match = re.fullmatch(r"\s*\w+\s*\(([\s\S]*)\)\s*", item.whole.text)
    return match[1].strip() if match else ""


def _variable(construct: Construct, item: ListItem) -> Node | None:
    """Return the name of a variable that a list item is, None for enumerators."""
    node = construct.expressions.get(item.base)
    bare = node.bare() if node is not None else None
    found = bare.referenced if bare is not None and bare.kind == "DECL_REF_EXPR" else None
    return bare if found is not None and found.kind.name in ("VAR_DECL", "PARM_DECL") else None


def check_allocations(construct: Construct, sink: DiagnosticSink) -> None:
    """Refuse ``allocate`` clauses that ask for more than a local variable is."""
    for clause in construct.directive.of_type(ListClause):
        if clause.name != "allocate":
            continue
        allocator = _argument(clause.modifiers, "allocator")
        if allocator and not _PREDEFINED.fullmatch(allocator):
            message = f"'allocate' with '{allocator}', whose traits may ask for an alignment, cannot be lowered yet"
            sink.error("unsupported-clause", f"{message}; use one of OpenMP's allocators", clause.span)
        _check_alignment(construct, clause, sink)


def _check_alignment(construct: Construct, clause: ListClause, sink: DiagnosticSink) -> None:
    wanted = _argument(clause.modifiers, "align")
    if not wanted:
        return
    for item in clause.items:
        node = construct.expressions.get(item.base)
        given = types.canonical(node.bare().type).get_align() if node is not None else 0
        if not wanted.isdigit() or int(wanted) > given:
            message = f"'{item.whole.text.strip()}' is aligned to {given} bytes by its type; more cannot be lowered yet"
            sink.error("unsupported-clause", message, item.whole.span)
