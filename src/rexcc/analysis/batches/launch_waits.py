"""Which kernels the host waits for before it goes on, and what makes it wait.

In: a unit with its quiet runs. Out: for a kernel the run that queues it, or the first thing behind its launch that may
see whether it has ended, and so keeps the statements around it from being a run (``runs_of_statements``).

What is in the way is looked for in the loop around the launch, or else in the function: behind the launch first, for
that is what the host would come to first, then in front of it, and last in the loop's header. Of a statement it is the
innermost part that may see kernels although no part of it does. Of a function of the same unit, called there, it is
looked for once more, so that the reason is a statement that somebody can change.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from clang.cindex import Cursor

from rexcc.analysis.batches.batchable_ranges import RunSearch
from rexcc.analysis.batches.quiet_forms import construct_at
from rexcc.analysis.batches.quiet_parts import QuietParts
from rexcc.analysis.batches.quiet_runs import QuietRun
from rexcc.analysis.batches.quiet_statements import StatementReader
from rexcc.analysis.batches.run_reader import RunReader
from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, LOOP_KINDS, Node, kind_of
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, replace

_DEEPEST = 4
"""Calls through which a reason is followed."""


@dataclass(eq=False)
class LaunchWaits:
    """Tells of the kernels of a unit whether the host waits for them."""

    unit: ParsedUnit
    quiet: QuietParts

    def run_around(self, construct: Construct) -> QuietRun | None:
        """Return the run in which a kernel is queued, the innermost, None where the host waits for it."""
        node = construct.node
        around = [run for run in self.quiet.runs if _holds(run.place, node)]
        queued = [run for run in around if not any(_within(i.range, node) for i in run.interruptions)]
        return min(queued, key=lambda run: run.place[2] - run.place[1], default=None)

    def obstacles(self, construct: Construct) -> tuple[Node, ...]:
        """Return what the host waits in front of: the part of a statement and, where it is a call of a function of the
        unit, what that does, and so on. Nothing where no reason is known, as in a function that is quiet itself: then
        its callers decide."""
        loop = _loop_around(construct.node)
        scope = loop or self._body(construct.function.cursor)
        if scope is None:
            return ()
        reader = self._reader if loop is not None else self._reader_of(construct.function.cursor)
        found = (self._first(reader, statement) for statement in _in_order(construct.node, scope))
        first = next(filter(None, found), None)
        chain = [first] if first is not None else []
        while chain and len(chain) < _DEEPEST:
            inside = self._inside(chain[-1])
            if inside is None or inside in chain:
                break
            chain.append(inside)
        return tuple(chain)

    def _first(self, reader: StatementReader, statement: Node) -> Node | None:
        """Return the innermost part of a statement that may see kernels, None where none may."""
        if reader.is_quiet(statement):
            return None
        inside = (self._first(reader, part) for part in self._parts(statement))
        return next(filter(None, inside), statement)

    def _parts(self, statement: Node) -> list[Node]:
        """Return what the host evaluates or executes of a statement: of a call what it is given, of data that is mapped
        around a statement this statement."""
        construct = construct_at(self._search.constructs, statement)
        if construct is None:
            return list(statement.children)[statement.kind == "CALL_EXPR" :]
        if construct.body is None or construct.directive.name != "target data":
            return []
        return [construct.body]

    def _inside(self, call: Node) -> Node | None:
        """Return what a function of the unit that is called does, where that is known to be the reason."""
        callee = call.referenced if call.kind == "CALL_EXPR" else None
        definition = callee.get_definition() if callee is not None else None
        if definition is None or library.in_system_header(definition):
            return None
        body = self._body(definition)
        return self._first(self._reader_of(definition), body) if body is not None else None

    def _reader_of(self, function: Cursor) -> StatementReader:
        """Return what reads a function that is called."""
        called = self._search.called
        if called is None:
            inside = self._search.reader(in_function=True)
            return replace(inside, in_loop=True, in_switch=True, host_reads=self._reader.host_reads)
        return replace(called.reader_of(function, seldom=False), in_loop=True, in_switch=True)

    def _body(self, definition: Cursor) -> Node | None:
        if kind_of(definition) not in FUNCTION_KINDS:
            return None
        holder = next((f.node for f in self.unit.functions if f.node.cursor == definition), None)
        node = holder or self.unit.tree.node(definition)
        if node.file not in self.unit.files:
            return None
        return next((child for child in node.children if child.kind == "COMPOUND_STMT"), None)

    @cached_property
    def _search(self) -> RunSearch:
        search = RunSearch(self.unit)
        search.found()
        return search

    @cached_property
    def _reader(self) -> RunReader:
        """What reads statements. A part of one may leave a loop or a choice that is around it."""
        return replace(self._search.reader(), in_loop=True, in_switch=True)


def _holds(place: tuple[str, int, int], node: Node) -> bool:
    file, start, end = place
    return node.file == file and start <= node.start < end


def _within(place: tuple[int, int], node: Node) -> bool:
    return place[0] <= node.start < place[1]


def _loop_around(node: Node) -> Node | None:
    """Return the innermost loop of the host around a launch, None where there is none in its function."""
    ends = LOOP_KINDS | FUNCTION_KINDS | {"LAMBDA_EXPR"}
    around = next((above for above in node.ancestors() if above.kind in ends), None)
    return around if around is not None and around.kind in LOOP_KINDS else None


def _in_order(launch: Node, scope: Node) -> Iterator[Node]:
    """Yield the statements of a scope in the order in which the host comes to them behind a launch."""
    before: list[Node] = []
    node = launch
    while node is not scope and node.parent is not None:
        siblings = node.parent.children
        place = next((i for i, child in enumerate(siblings) if child is node or child.start == node.start), 0)
        yield from siblings[place + 1 :]
        before += siblings[:place]
        node = node.parent
    yield from before
