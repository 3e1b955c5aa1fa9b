"""Statements of the host program that cannot see whether the kernels they launch have ended.

In: a parsed unit. Out: runs of such statements: loops, and several statements one behind the other. Nobody has to wait
in them for a kernel before the next one is launched, only at their end. What they do, with the functions of the unit
that they call, is visible as a whole (``quiet_statements``), and nothing leaves a run but its end. An update is
queued as a kernel is, and waits for the kernels before it if it brings something home. Longer runs may stand around
them, which call functions of other files (``quiet_elsewhere``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from clang.cindex import Cursor

from rexcc.analysis.batches.called_functions import CalledFunctions
from rexcc.analysis.batches.checked_objects import CheckedObjects, Pointers
from rexcc.analysis.batches.host_reads import HostReads
from rexcc.analysis.batches.plain_objects import is_plain
from rexcc.analysis.batches.queued_work import QueuedWork, names_in
from rexcc.analysis.batches.quiet_elsewhere import CommonFunction, common_function
from rexcc.analysis.batches.quiet_forms import construct_at, key_of
from rexcc.analysis.batches.quiet_runs import QuietRun, Uses, asking_fewer, shared
from rexcc.analysis.batches.run_reader import RunReader
from rexcc.analysis.batches.runs_of_statements import RunFinder
from rexcc.analysis.batches.tasks_in_order import AwaitedTasks
from rexcc.analysis.device_constructs import is_kernel
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.replaceable_functions import replaceable_functions
from rexcc.analysis.separate import symbol
from rexcc.clang import library, types
from rexcc.clang.scopes import enclosing_scopes
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, field, replace

_FUNCTIONS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD"})
_AROUND_FUNCTIONS = frozenset({"NAMESPACE", "LINKAGE_SPEC"}) | RECORD_KINDS
_TEMPLATES = frozenset({"FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})

MEMBERS = "::"
"""Stands for static functions of classes among the functions outside; no text has it as a name."""


def has_region(function: ConstructFunction) -> bool:
    """Whether a function launches kernels itself."""
    return any(map(is_kernel, function.walk()))


@dataclass(eq=False)
class RunSearch:
    """Looks for the runs of a unit's functions; those ``outside`` of the file may be called in them."""

    unit: ParsedUnit
    outside: frozenset[str] = frozenset()
    constructs: dict[tuple[int, int], Construct] = field(default_factory=dict)
    known: dict[int, frozenset[int] | None] = field(default_factory=dict)
    assertions: list[Node] = field(default_factory=list)
    ordering: set[int] = field(default_factory=set)
    _finders: dict[tuple[bool, Pointers], RunFinder] = field(default_factory=dict)

    def found(self) -> list[QuietRun]:
        """Return the runs of the unit, one for each place in the text."""
        for holder in self.unit.functions:
            for construct in holder.walk():
                self.constructs[key_of(construct.node)] = construct
        seen: dict[tuple[str, int], list[dict[tuple[str, int, int], QuietRun]]] = {}
        for function in self._functions():
            runs = self._runs(function)
            kept = asking_fewer([run for run in runs if self._launches(run)]) if self.outside else runs
            seen.setdefault((function.file, function.start), []).append({run.place: run for run in kept})
        return [run for found in seen.values() for run in shared(found)]

    def _runs(self, function: Node) -> list[QuietRun]:
        """Return the runs of a function. Tasks that depend on each other stay tasks where the program may do something
        beside them."""
        runs, finder = self._runs_by(function, orders=True)
        awaited = AwaitedTasks(self.constructs, finder.uses_of)
        if all(awaited.are_awaited(run) for run in runs if run.uses.ordered):
            return runs
        return self._runs_by(function, orders=False)[0]

    def _runs_by(self, function: Node, orders: bool) -> tuple[list[QuietRun], RunFinder]:
        """Return the runs of a function, and who found them. Where one declares a pointer that it asks by there are
        those that follow no such pointer, or, if there is none, those behind their declarations."""
        finder = self._finder(orders, Pointers.FOLLOWED)
        finder.declares_pointer = False
        runs = list(finder.runs(function))
        for pointers in (Pointers.UNKNOWN, Pointers.DECLARED_BEFORE) if finder.declares_pointer else ():
            finder = self._finder(orders, pointers)
            runs = list(finder.runs(function))
            if runs:
                break
        return runs, finder

    def _finder(self, orders: bool, pointers: Pointers) -> RunFinder:
        """Return what finds runs, in whose queues are tasks that depend on each other where it ``orders`` them."""

        def reader(
            in_function: bool = False, in_loop: bool = False, elsewhere: dict[str, CommonFunction] | None = None
        ) -> RunReader:
            made = self.reader(in_function, in_loop, elsewhere)
            return replace(made, orders_tasks=orders, checked=replace(made.checked, pointers=pointers))

        if (orders, pointers) not in self._finders:
            made = RunFinder(self.unit, self.constructs, self._work, reader, self.outside)
            self._finders[orders, pointers] = made
        return self._finders[orders, pointers]

    def _launches(self, run: QuietRun) -> bool:
        """Whether there is a kernel in a run, or in what it calls: a name alone may be that of another function."""
        if any(not function.is_member for function in run.uses.elsewhere):
            return True
        parent = run.first.parent
        inside = (n for n in (parent.children if parent else ()) if run.first.start <= n.start < run.last.end)
        top = [run.first, *inside]
        bodies = (*top, *called_bodies(self.unit.tree, top))
        found = (construct_at(self.constructs, node) for body in bodies for node in body.walk())
        return any(construct is not None and is_kernel(construct) for construct in found)

    def _functions(self) -> Iterator[Node]:
        """Yield the functions that may launch, templates as their instantiations."""
        yield from (f.node for f in self.unit.functions if not f.unused)
        for function in self._others:
            if not _is_pattern(function):
                yield from (function,) if self._work.mentions_launch(function) else ()
                continue
            instances = list(self.unit.instances.of(function.cursor))
            if any(map(self._work.mentions_launch, (function, *instances))):  # one may be given what launches
                yield from instances

    @cached_property
    def _others(self) -> list[Node]:
        """The functions without constructs."""
        holders = {(f.node.file, f.node.start) for f in self.unit.functions}
        return [f for f in self._definitions(self.unit.declarations) if (f.file, f.start) not in holders]

    @cached_property
    def _work(self) -> QueuedWork:
        launching = {f.node.spelling for f in self.unit.functions if has_region(f)} | self.outside
        functions = (*(f.node for f in self.unit.functions), *self._others)
        waiting = [(f.spelling, names_in(self.unit, f)) for f in functions]
        before = 0
        while before != len(launching):
            before = len(launching)
            launching |= {name for name, names in waiting if not launching.isdisjoint(names)}
        return QueuedWork(self.unit, self.constructs, frozenset(launching))

    def _definitions(self, declarations: Iterable[Node]) -> Iterator[Node]:
        for node in declarations:
            if node.file not in self.unit.files:
                continue
            if node.kind in _AROUND_FUNCTIONS:
                yield from self._definitions(node.children)
            if node.kind in _FUNCTIONS and node.cursor.is_definition():
                yield node

    def quiet_functions(self) -> Iterator[CommonFunction]:
        """Yield the functions with kernels that other files may call, which see as little as their callers."""
        for function in self._definitions(self.unit.declarations):
            if function.file != self.unit.main or not self._work.launches(function):
                continue
            common = common_function(self.unit, function.cursor) if function.kind == "FUNCTION_DECL" else None
            # another file's callers might give it objects without names
            is_quiet = common is not None and self.parameters_followed(function.cursor) == frozenset()
            if common is not None and is_quiet and not self._makes_ordered(function.cursor):
                yield common

    def quiet_members(self) -> Iterator[CommonFunction]:
        """Yield the static functions of classes that other files may call, with kernels or without."""
        written = (f for f in self._definitions(self.unit.declarations) if f.file == self.unit.main)
        known = set[str]()
        for function in (*written, *self.unit.instances):
            common = common_function(self.unit, function.cursor) if function.kind == "CXX_METHOD" else None
            if common is None or common.symbol in known or not function.cursor.is_definition():
                continue
            known.add(common.symbol)
            if self.called is not None and self.called.uses(function.cursor, seldom=False) == Uses():
                yield common

    def parameters_followed(self, callee: Cursor) -> frozenset[int] | None:
        """Return the places of the parameters that lead to objects which a function uses, None where it may not be
        called in a quiet loop: one of this unit may that does not call itself."""
        definition = callee.get_definition()
        if definition is None or kind_of(definition) != "FUNCTION_DECL" or library.in_system_header(definition):
            return None
        key = int(definition.hash)
        if key not in self.known:
            self.known[key] = None
            self.known[key] = self._reads_quietly(definition)
        return self.known[key]

    def _makes_ordered(self, callee: Cursor) -> bool:
        """Whether a function that has been read makes tasks that depend on others: callers have to wait for those."""
        definition = callee.get_definition()
        return definition is not None and int(definition.hash) in self.ordering

    @cached_property
    def _replaceable(self) -> frozenset[str]:
        return replaceable_functions(self.unit)

    def _reads_quietly(self, definition: Cursor) -> frozenset[int] | None:
        holder = next((f.node for f in self.unit.functions if f.node.cursor == definition), None)
        node = holder or self.unit.tree.node(definition)
        parameters = [types.without_reference(c.type) for c in node.children if c.kind == "PARM_DECL"]
        body = next((c for c in node.children if c.kind == "COMPOUND_STMT"), None)
        names = {str(definition.spelling), symbol(self.unit, definition)}
        if node.file not in self.unit.files or not names.isdisjoint(self._replaceable):
            return None
        if body is None or not all(is_plain(p) for p in parameters):
            return None
        reader = self.reader(in_function=True)
        if not reader.is_quiet(body):
            return None
        if Uses.joined(reader.asked).ordered:
            self.ordering.add(int(definition.hash))
        return frozenset(reader.checked.followed)

    def reader(
        self, in_function: bool = False, in_loop: bool = False, elsewhere: dict[str, CommonFunction] | None = None
    ) -> RunReader:
        """Return what reads statements: of a function that is called, of a loop, with room for functions elsewhere."""
        functions = None if in_function else self.called
        return RunReader(
            self.unit, self.constructs, in_function, in_loop, functions=functions, elsewhere=elsewhere,
            parameters_followed=self.parameters_followed, makes_ordered=self._makes_ordered, assertions=self.assertions,
            checked=CheckedObjects(in_function, functions.classes if functions is not None else None),
            host_reads=None if in_function else HostReads(self.unit, self._work.launches),
        )  # fmt: skip

    @cached_property
    def called(self) -> CalledFunctions | None:
        """The functions of C++ that runs call."""
        if not self.unit.is_cplusplus:
            return None
        return CalledFunctions(self.unit, self.constructs, asks_elsewhere=bool(self.outside))


def _is_pattern(function: Node) -> bool:
    """Whether a function is a template, or a member of one."""
    return any(kind_of(cursor) in _TEMPLATES for cursor in (function.cursor, *enclosing_scopes(function.cursor)))
