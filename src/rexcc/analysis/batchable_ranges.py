"""Statements of the host program that cannot see whether the kernels they launch have ended.

In: a parsed unit. Out: runs of such statements: loops, and several statements one behind the other. Nobody has to wait
in them for a kernel before the next one is launched, only at their end. What they do, with the functions of the unit
that they call, is visible as a whole (``unobserving_statements``), and nothing leaves a run but its end. An update is
queued as a kernel is, and waits for the kernels before it if it brings something home. Longer runs may stand around
them, which call functions of other files (``quiet_elsewhere``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from clang.cindex import Cursor

from rexcc.analysis.captures import CaptureList, capture_list
from rexcc.analysis.device_constructs import is_kernel
from rexcc.analysis.plain_objects import is_plain
from rexcc.analysis.quiet_elsewhere import CommonFunction, common_function
from rexcc.analysis.quiet_runs import QuietRun, asking_fewer, shared
from rexcc.analysis.replaceable_functions import replaceable_functions
from rexcc.analysis.separate import symbol
from rexcc.analysis.unobserving_statements import Reader, construct_at, key_of
from rexcc.clang import library, types
from rexcc.clang.tree import LOOP_KINDS, RECORD_KINDS, Node, enclosing_scope, kind_of
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_AROUND_ANYTHING = frozenset({"target data", "parallel", "single", "master", "masked", "critical", "task"})
"""Constructs whose statement may be any."""

_FUNCTIONS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD"})
_AROUND_FUNCTIONS = frozenset({"NAMESPACE", "LINKAGE_SPEC"}) | RECORD_KINDS
_TEMPLATES = frozenset({"FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})

_MEANT = regex(r"\s*(?:this|&\s*\w+)\s*")
_NAME = regex(r"[^\W\d]\w*")
_LOOP = regex(r"(?:for|while|do)\b")


def has_region(function: ConstructFunction) -> bool:
    """Whether a function launches kernels itself."""
    return any(is_kernel(c) for top in function.constructs for c in (top, *top.descendants()))


@dataclass(eq=False)
class RunSearch:
    """Looks for the longest runs; where functions ``outside`` of the file are called, also for shorter ones inside that
    ask for fewer of them.

    ``launching`` are the names of functions that contain, or mention one that contains, a target region, or may do so
    because they are outside; ``own_members`` those of ``*this`` that a statement uses, ``elsewhere`` the functions
    outside that it calls.
    """

    unit: ParsedUnit
    outside: frozenset[str] = frozenset()
    constructs: dict[tuple[int, int], Construct] = field(default_factory=dict)
    known: dict[int, bool | None] = field(default_factory=dict)
    launching: set[str] = field(default_factory=set)
    own_members: dict[Node, tuple[str, ...]] = field(default_factory=dict)
    elsewhere: dict[Node, dict[str, CommonFunction]] = field(default_factory=dict)

    def found(self) -> list[QuietRun]:
        """Return the runs of the unit, one for each place in the text."""
        for holder in self.unit.functions:
            for top in holder.constructs:
                for construct in (top, *top.descendants()):
                    self.constructs[key_of(construct.node)] = construct
        seen: dict[tuple[str, int], list[dict[tuple[str, int, int], QuietRun]]] = {}
        for function in self._functions():
            runs = self._runs(function)
            kept = asking_fewer(list(runs)) if self.outside else runs
            seen.setdefault((function.file, function.start), []).append({run.place: run for run in kept})
        return [run for found in seen.values() for run in shared(found)]

    def _functions(self) -> Iterator[Node]:
        """Yield the functions that may launch, templates as their instantiations."""
        holders = {(f.node.file, f.node.start) for f in self.unit.functions}
        others = [f for f in self._definitions(self.unit.declarations) if (f.file, f.start) not in holders]
        self._name_launching(others)
        yield from (f.node for f in self.unit.functions if not f.unused)
        launching = [f for f in others if self._mentions_launch(f)]
        yield from (f for f in launching if not _is_pattern(f))
        for pattern in filter(_is_pattern, launching):
            yield from self.unit.instances.of(pattern.cursor)

    def _definitions(self, declarations: Iterable[Node]) -> Iterator[Node]:
        for node in declarations:
            if node.file not in self.unit.files:
                continue
            if node.kind in _AROUND_FUNCTIONS:
                yield from self._definitions(node.children)
            if node.kind in _FUNCTIONS and node.cursor.is_definition():
                yield node

    def _name_launching(self, others: list[Node]) -> None:
        self.launching = {f.node.spelling for f in self.unit.functions if has_region(f)} | self.outside
        waiting = [(f.spelling, self._names_in(f)) for f in (*(f.node for f in self.unit.functions), *others)]
        before = 0
        while before != len(self.launching):
            before = len(self.launching)
            self.launching |= {name for name, names in waiting if not self.launching.isdisjoint(names)}

    def _mentions_launch(self, node: Node) -> bool:
        return not self.launching.isdisjoint(self._names_in(node))

    def _names_in(self, node: Node) -> frozenset[str]:
        return frozenset(_NAME.findall(self.unit.user_text(node)))

    def _runs(self, top: Node) -> Iterator[QuietRun]:
        """Yield the longest runs in a statement or function, those of its target regions aside, of constructs that ask
        for a loop or sections, and of lambdas with copies, which are parts of an object that may be anywhere."""
        construct = construct_at(self.constructs, top)
        if construct is not None and construct.directive.name not in _AROUND_ANYTHING:
            return
        if top.kind == "LAMBDA_EXPR" and not _refers_to_all(capture_list(self.unit.user_text(top))):
            return
        if top.kind == "COMPOUND_STMT" and self.unit.user_text(top).startswith("{"):
            yield from self._runs_of_block(top)
            return
        for child in top.children:
            is_loop = child.kind in LOOP_KINDS and _LOOP.match(self.unit.user_text(child)) is not None
            is_run = is_loop and self._is_worth(child) and self._is_quiet(child)
            if is_run:
                yield self._run(False, child)
            if not is_run or self.outside:
                yield from self._runs(child)

    def _runs_of_block(self, block: Node) -> Iterator[QuietRun]:
        run: list[Node] = []
        hidden = _sharing_text(block.children)
        for child in (*block.children, None):
            if child is not None and child not in hidden and self._is_quiet(child):
                run.append(child)
                continue
            while run and not self._queues(run[0]):
                run.pop(0)
            while run and not self._queues(run[-1]):
                run.pop()
            is_run = bool(run) and self._is_worth(*run)
            if is_run:
                yield self._run(True, *run)
            if not is_run or self.outside:
                yield from self._runs_inside(run)
            run = []
            if child is not None:
                yield from self._runs(child)

    def _runs_inside(self, run: list[Node]) -> Iterator[QuietRun]:
        for statement in run:
            if self.outside and len(run) > 1 and self._is_worth(statement):
                yield self._run(True, statement)
            yield from self._runs(statement)

    def _run(self, in_block: bool, *statements: Node) -> QuietRun:
        members = dict.fromkeys(m for statement in statements for m in self.own_members[statement])
        called = {name: f for statement in statements for name, f in self.elsewhere[statement].items()}
        return QuietRun(statements[0], statements[-1], in_block, tuple(members), tuple(called.values()))

    def _is_region_node(self, node: Node) -> bool:
        construct = construct_at(self.constructs, node)
        return construct is not None and is_kernel(construct)

    def _is_quiet(self, statement: Node) -> bool:
        called: dict[str, CommonFunction] = {}
        reader = Reader(self.unit, self.constructs, self.is_quiet_function, elsewhere=called if self.outside else None)
        is_quiet = self._is_written(statement) and not self._hides(statement) and reader.is_quiet(statement)
        self.own_members[statement], self.elsewhere[statement] = tuple(reader.own_members), called
        return is_quiet

    def _hides(self, statement: Node) -> bool:
        """Whether a statement declares something by the name of a function outside, of which the end of a run asks."""
        if not self.outside or statement.kind != "DECL_STMT":
            return False
        return any(n.kind.endswith("_DECL") and n.spelling in self.outside for n in statement.walk())

    def _is_written(self, statement: Node) -> bool:
        """Whether a statement is in the user's text, not in a macro's argument, where ours can stand around it."""
        if construct_at(self.constructs, statement) is not None:
            return True
        return int(statement.cursor.extent.start.offset) == statement.start

    def _is_worth(self, *run: Node) -> bool:
        """Whether a run launches again and again, or more than once, or updates something before or after it."""
        launching = [node for node in run if self._launches(node)]
        if launching and sum(map(self._queues, run)) > 1:
            return True
        return any(n.kind in LOOP_KINDS and key_of(n) not in self.constructs and self._launches(n)
                   for top in launching for n in self._outside_regions(top))  # fmt: skip

    def _outside_regions(self, top: Node) -> Iterator[Node]:
        yield top
        for child in () if self._is_region_node(top) else top.children:
            yield from self._outside_regions(child)

    def _launches(self, statement: Node) -> bool:
        return any(is_kernel(c) for c in self._constructs_in(statement)) or self._mentions_launch(statement)

    def _queues(self, statement: Node) -> bool:
        updates = (c.directive.name == "target update" for c in self._constructs_in(statement))
        return self._launches(statement) or any(updates)

    def _constructs_in(self, statement: Node) -> Iterator[Construct]:
        found = (construct_at(self.constructs, n) for n in statement.walk())
        return (c for c in found if c is not None)

    def quiet_functions(self) -> Iterator[CommonFunction]:
        """Yield the functions with kernels that other files may call, which see as little as their callers."""
        for function in self._definitions(self.unit.declarations):
            if function.file != self.unit.main or not self._launches(function):
                continue
            common = common_function(self.unit, function.cursor)
            if common is not None and self.is_quiet_function(function.cursor):
                yield common

    def is_quiet_function(self, callee: Cursor) -> bool:
        """Whether a function of this unit may be called in a quiet loop; one that calls itself may not."""
        definition = callee.get_definition()
        if definition is None or kind_of(definition) != "FUNCTION_DECL" or library.in_system_header(definition):
            return False
        key = int(definition.hash)
        if key not in self.known:
            self.known[key] = None
            self.known[key] = self._reads_quietly(definition)
        return self.known[key] is True

    @cached_property
    def _replaceable(self) -> frozenset[str]:
        return replaceable_functions(self.unit)

    def _reads_quietly(self, definition: Cursor) -> bool:
        holder = next((f.node for f in self.unit.functions if f.node.cursor == definition), None)
        node = holder or self.unit.tree.node(definition)
        parameters = [types.without_reference(c.type) for c in node.children if c.kind == "PARM_DECL"]
        body = next((c for c in node.children if c.kind == "COMPOUND_STMT"), None)
        names = {str(definition.spelling), symbol(self.unit, definition)}
        if node.file not in self.unit.files or not names.isdisjoint(self._replaceable):
            return False
        if body is None or not all(is_plain(p) for p in parameters):
            return False
        return Reader(self.unit, self.constructs, self.is_quiet_function, in_function=True).is_quiet(body)


def _refers_to_all(captures: CaptureList) -> bool:
    """Whether a lambda has no copies of what it captures, and no names of its own for other objects."""
    return captures.default != "=" and all(map(_MEANT.fullmatch, captures.items))


def _is_pattern(function: Node) -> bool:
    """Whether a function is a template, or a member of one."""
    scope: Cursor | None = function.cursor
    while scope is not None and kind_of(scope) not in _TEMPLATES:
        scope = enclosing_scope(scope)
    return scope is not None


def _sharing_text(statements: Iterable[Node]) -> set[Node]:
    """Return the statements of a block that one macro makes together: nothing can stand around some of them."""
    found: set[Node] = set()
    for before, behind in pairwise(statements):
        if behind.start < before.end:
            found |= {before, behind}
    return found
