"""Memory allocators of target regions: ``uses_allocators``, and ``allocate`` clauses (OpenMP 5.2, 6.6 and 6.8).

In: a target region, or any construct of device code. Out: the allocators that the region has of its own, with their
traits; the alignments that private copies get, and errors for those that are not known: copies in a kernel are local
variables, whatever the allocator. Predefined allocators are numbers and need nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.references import is_written
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.openmp.model import ListClause, ListItem, Modifier
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_PARTS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "PAREN_EXPR", "UNEXPOSED_EXPR"})
_OF_HEAP = 16
"""What memory of the heap, and arrays of run-time extent, are aligned to."""
_PREDEFINED = regex(r"(?:::\s*)?(?:omp_\w+_mem_alloc|omp_null_allocator|llvm_omp_\w+_mem_alloc)")


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
        for item in placed.construct.items_of(clause):
            if item.whole_variable is not None:
                traits = _argument(clause.modifiers, "traits") or _old_traits(item.item)
                yield Allocator(item.whole_variable, traits, memspace)


def allocator_of(region: TargetRegion, variable: Variable) -> Allocator:
    """Return the allocator that a variable of the region is."""
    return next(a for a in allocators_of(region) if a.variable == variable)


def _argument(modifiers: tuple[Modifier, ...], name: str) -> str:
    return next((m.argument.text.strip() for m in modifiers if m.name == name and m.argument is not None), "")


def _old_traits(item: ListItem) -> str:
    """Return the traits of ``allocator(traits)``."""
    match = re.fullmatch(r"\s*\w+\s*\(([\s\S]*)\)\s*", item.whole.text)
    return match[1].strip() if match else ""


def check_allocations(construct: Construct, sink: DiagnosticSink) -> None:
    """Refuse ``allocate`` clauses that ask for more than a local variable is."""
    for clause in construct.directive.of_type(ListClause):
        if clause.name != "allocate":
            continue
        allocator, aligned = _argument(clause.modifiers, "allocator"), _argument(clause.modifiers, "align")
        if aligned and not aligned.isdigit():
            message = f"the alignment '{aligned}' cannot be lowered yet; write it as a number"
            sink.error("unsupported-clause", message, clause.span)
        elif allocator and not _PREDEFINED.fullmatch(allocator) and _trait_alignment(construct, allocator) is None:
            message = f"'allocate' with '{allocator}', whose traits may ask for an alignment, cannot be lowered yet"
            message += "; use one of OpenMP's allocators, or traits that are constant"
            sink.error("unsupported-clause", message, clause.span)
        else:
            _check_alignment(construct, clause, sink)


def _check_alignment(construct: Construct, clause: ListClause, sink: DiagnosticSink) -> None:
    for item, named in ((found.item, found.named) for found in construct.items_of(clause)):
        if named is None or not types.is_variable_length(named.type):
            continue
        if _alignment(construct, clause) > _OF_HEAP:
            message = f"'{item.whole.text.strip()}' has an extent of the run and is aligned to {_OF_HEAP} bytes; "
            message += "more cannot be lowered yet; give it a constant extent"
            sink.error("unsupported-clause", message, item.whole.span)


def alignments(construct: Construct) -> dict[str, int]:
    """Return the alignments, by variable, that ``allocate`` clauses ask for beyond those of the types."""
    found: dict[str, int] = {}
    for clause in construct.directive.of_type(ListClause):
        if clause.name != "allocate":
            continue
        wanted = _alignment(construct, clause)
        for item in construct.items_of(clause):
            given = types.canonical(item.named.type).get_align() if item.named is not None else 0
            if wanted > given:
                found[item.item.base.text.strip().rpartition("::")[2]] = wanted
    return found


def traits_of(construct: Construct) -> Iterator[str]:
    """Yield the names of the arrays of traits in ``uses_allocators`` clauses."""
    for clause in construct.directive.of_type(ListClause):
        for item in clause.items if clause.name == "uses_allocators" else ():
            yield _argument(clause.modifiers, "traits") or _old_traits(item)


def _alignment(construct: Construct, clause: ListClause) -> int:
    """Return the alignment that a clause asks for, 0 for none."""
    written, allocator = _argument(clause.modifiers, "align"), _argument(clause.modifiers, "allocator")
    own = bool(allocator) and not _PREDEFINED.fullmatch(allocator)
    by_trait = (_trait_alignment(construct, allocator) or 0) if own else 0
    return max(int(written) if written.isdigit() else 0, by_trait)


def _trait_alignment(construct: Construct, allocator: str) -> int | None:
    """Return the alignment among the traits of an allocator, 0 where none is asked for, None where it is not known."""
    for around in (construct, *construct.around()):
        for clause in around.directive.of_type(ListClause):
            for item in clause.items if clause.name == "uses_allocators" else ():
                if re.match(r"\w*", item.whole.text.strip())[0] == allocator:  # type: ignore[index]
                    traits = _argument(clause.modifiers, "traits") or _old_traits(item)
                    return _constant_alignment(construct, traits) if traits else 0
    return None


def _changes(function: Node, name: str) -> bool:
    """Whether a function assigns to a variable or to a part of it."""
    for use in (n for n in function.walk() if n.kind == "DECL_REF_EXPR" and n.spelling == name):
        part = use
        while part.parent is not None and part.parent.kind in _PARTS:
            part = part.parent
        if is_written(part) or is_exposed(part):
            return True
    return False


def _constant_alignment(construct: Construct, traits: str) -> int | None:
    """Return the alignment in a constant array of traits."""
    function = construct.function
    declared = [n for n in function.walk() if n.kind == "VAR_DECL" and n.spelling == traits]
    unit = function.cursor.translation_unit.cursor
    cursors = [c for c in unit.get_children() if c.kind.name == "VAR_DECL" and c.spelling == traits]
    declared += [function.tree.node(c) for c in cursors]
    if not declared or (not types.is_constant(declared[0].type) and _changes(function, traits)):
        return None
    for entry in (n for n in declared[0].walk() if n.kind == "INIT_LIST_EXPR" and len(n.children) == 2):
        key, value = entry.children
        if any(n.spelling == "omp_atk_alignment" for n in key.walk()):
            return evaluate_integer(value.cursor)
    return 0
