"""Tasks of kernels and updates that depend on each other: whether the queue may execute them in order.

In: a construct with ``nowait``, or a run. Out: whether it makes a task that has a place between others, whether what it
depends on is found without reading memory that a kernel may write, and whether the program waits for the tasks of a run
before it does anything that it could do beside them.

A task depends on some that were made before it, all of which are in the queue in front of it where the run begins with
no tasks (:mod:`.run_reader`). So the queue's order is one that the dependences allow. What comes behind the run finds
the queue empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rexcc.analysis.batches.plain_objects import is_named_array
from rexcc.analysis.batches.quiet_forms import construct_at, key_of
from rexcc.analysis.batches.quiet_runs import QuietRun, Uses
from rexcc.analysis.device_constructs import is_kernel
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.source.records import dataclass

_WITH_BARRIER = frozenset({"parallel", "single"})
"""Constructs at whose end all tasks are complete that their statement has made."""


def is_ordered_task(construct: Construct) -> bool:
    """Whether a construct makes a task that has a place between others, or moves data."""
    directive = construct.directive
    return directive.has("nowait") and (directive.has("depend") or not is_kernel(construct))


def finds_dependences_by_name(construct: Construct) -> bool:
    """Whether the addresses that a task depends on are found without following pointers in memory."""
    return all(map(_is_found_by_name, construct.items("depend")))


def _is_found_by_name(item: ResolvedItem) -> bool:
    if item.node is None or is_named_array(item.node):
        return True
    kind = item.node.type
    for _ in item.item.sections[:-1]:
        inner = types.pointee_of(kind) if types.is_pointer(kind) else types.element_of(kind)
        if inner is None or types.is_pointer(inner):
            return False
        kind = inner
    return True


@dataclass(frozen=True, eq=False)
class AwaitedTasks:
    """Tells of runs whether a ``taskwait`` or a barrier follows on their tasks. ``uses_of`` returns what a quiet
    statement uses, which may be in a loop, None for one that is not quiet."""

    constructs: Mapping[tuple[int, int], Construct]
    uses_of: Callable[[Node, bool], Uses | None]

    def are_awaited(self, run: QuietRun) -> bool:
        """Whether nothing but quiet statements stands between the tasks of a run and what waits for them: the program
        has nothing to do in the meantime, and others are waited for there as well."""
        around = run.first.parent
        siblings = around.children if around is not None else [run.first]
        inside = [node for node in siblings if run.first.start <= node.start < run.last.end]
        behind = [node for node in siblings if node.start >= run.last.end]
        return self._all_awaited(inside, self._are_met(behind, around is not None and self._ends_with_barrier(around)))

    def _all_awaited(self, statements: Sequence[Node], at_end: bool) -> bool:
        """Whether the tasks of statements in a row are; ``at_end``: those that are left at the end of the row are."""
        return all(
            self._is_awaited(node, self._are_met(statements[place + 1 :], at_end))
            for place, node in enumerate(statements)
            if self._makes_ordered(node)
        )

    def _are_met(self, statements: Iterable[Node], at_end: bool) -> bool:
        """Whether quiet statements lead to one that waits for tasks, or to the end of their row."""
        for node in statements:
            construct = construct_at(self.constructs, node)
            if construct is not None and construct.directive.name == "taskwait" and not construct.directive.clauses:
                return True
            if self.uses_of(node, True) is None:
                return False
        return at_end

    def _is_awaited(self, node: Node, behind: bool) -> bool:
        """Whether the tasks of a statement are, which are waited for ``behind`` it or not."""
        if behind and self.uses_of(node, True) is not None:
            return True
        construct = construct_at(self.constructs, node)
        if construct is not None:
            body = construct.body if construct.directive.name == "target data" else None
            return body is not None and self._is_awaited(body, behind)
        if node.kind == "COMPOUND_STMT":
            return self._all_awaited(node.children, behind)
        if node.kind == "IF_STMT":
            return all(self._is_awaited(part, behind) for part in node.children if self._makes_ordered(part))
        if node.kind in LOOP_KINDS:  # what comes next may be another iteration
            return all(self._is_awaited(part, False) for part in node.children if self._makes_ordered(part))
        return False

    def _makes_ordered(self, node: Node) -> bool:
        """Whether a statement makes tasks that depend on each other, in the queue."""
        uses = self.uses_of(node, True)
        if uses is not None:
            return uses.ordered
        if node.kind in LOOP_KINDS or node.kind in ("COMPOUND_STMT", "IF_STMT"):
            return any(map(self._makes_ordered, node.children))
        return False

    def _ends_with_barrier(self, block: Node) -> bool:
        """Whether a block is the statement of a construct at whose end all tasks are complete."""
        found = (c for c in self.constructs.values() if c.body is not None and key_of(c.body) == key_of(block))
        return any(c.directive.name in _WITH_BARRIER and not c.directive.has("nowait") for c in found)
