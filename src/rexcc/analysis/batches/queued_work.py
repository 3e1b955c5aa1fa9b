"""What statements of the host program can put into a thread's queue: launches, and updates of data.

In: a statement. Out: whether there is any in it, and whether it is worth a queue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clang.cindex import Type

from rexcc.analysis.batches.quiet_forms import construct_at, key_of
from rexcc.analysis.device_constructs import is_kernel
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_OBJECTS = frozenset({"DECL_REF_EXPR", "CALL_EXPR", "MEMBER_REF_EXPR"})
_NAME = regex(r"[^\W\d]\w*")


def only_makes_lambdas(statement: Node) -> bool:
    """Whether a statement declares variables that are lambdas, of which it executes none."""
    if statement.kind != "DECL_STMT":
        return False
    values = [child.children[-1].bare() for child in statement.children if child.kind == "VAR_DECL" and child.children]
    return len(values) == len(statement.children) and all(value.kind == "LAMBDA_EXPR" for value in values)


def names_in(unit: ParsedUnit, node: Node) -> frozenset[str]:
    """Return the names in the user's text of a node."""
    return frozenset(_NAME.findall(unit.user_text(node)))


@dataclass(frozen=True, eq=False)
class QueuedWork:
    """Tells what statements queue; ``launching`` are the names of functions that contain, or mention one that contains,
    a target region, or may do so because they are outside of the file."""

    unit: ParsedUnit
    constructs: Mapping[tuple[int, int], Construct]
    launching: frozenset[str]
    _calls: dict[int, bool] = field(default_factory=dict)
    _queueing: dict[Node, bool] = field(default_factory=dict)

    def mentions_launch(self, node: Node) -> bool:
        """Whether a node names a function that launches, or may, or an object whose call does."""
        if not self.launching.isdisjoint(names_in(self.unit, node)):
            return True
        if not self.unit.is_cplusplus or not self.launching:
            return False
        return any(
            n.kind in _OBJECTS and types.is_record(n.type) and self._launches_by_call(n.type) for n in node.walk()
        )

    def _launches_by_call(self, kind: Type) -> bool:
        """Whether to call an object of a class mentions a function that launches."""
        record = types.canonical(types.without_reference(kind)).get_declaration()
        key = int(record.hash)
        if key not in self._calls:
            methods = (m.get_definition() for m in record.get_children() if m.spelling == "operator()")
            known = (self.unit.tree.node(method) for method in methods if method is not None)
            self._calls[key] = any(not self.launching.isdisjoint(names_in(self.unit, method)) for method in known)
        return self._calls[key]

    def launches(self, statement: Node) -> bool:
        """Whether a statement launches a kernel, or may."""
        return any(is_kernel(c) for c in self._constructs_in(statement)) or self.mentions_launch(statement)

    def queues(self, statement: Node) -> bool:
        """Whether a statement launches a kernel or updates data; it is asked for with each statement around it."""
        if statement not in self._queueing:
            updates = (c.directive.name == "target update" for c in self._constructs_in(statement))
            self._queueing[statement] = self.launches(statement) or any(updates)
        return self._queueing[statement]

    def is_worth(self, *run: Node) -> bool:
        """Whether quiet statements launch again and again, or more than once, or update something before or after."""
        launching = [node for node in run if self.launches(node)]
        if launching and sum(map(self.queues, run)) > 1:
            return True
        return any(n.kind in LOOP_KINDS and key_of(n) not in self.constructs and self.launches(n)
                   for top in launching for n in self._outside_regions(top))  # fmt: skip

    def _outside_regions(self, top: Node) -> Iterator[Node]:
        yield top
        construct = construct_at(self.constructs, top)
        if (construct is None or not is_kernel(construct)) and not only_makes_lambdas(top):
            for child in top.children:
                yield from self._outside_regions(child)

    def _constructs_in(self, statement: Node) -> Iterator[Construct]:
        found = (construct_at(self.constructs, n) for n in statement.walk())
        return (c for c in found if c is not None)
