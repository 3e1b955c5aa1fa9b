"""The longest runs of statements in a function of the host program that cannot see whether their kernels have ended.

In: a function. Out: its runs: loops, and several statements one behind the other. Where functions outside of the file
may be called, shorter ones stand inside of those, which ask for fewer of them; where they are not, runs may be
interrupted (``interrupted_parts``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from rexcc.analysis.batches.interrupted_parts import Part, PartReader, in_a_row, meet, quiet_part
from rexcc.analysis.batches.queued_work import QueuedWork, only_makes_lambdas
from rexcc.analysis.batches.quiet_elsewhere import CommonFunction
from rexcc.analysis.batches.quiet_forms import construct_at
from rexcc.analysis.batches.quiet_runs import Interruption, QuietRun, Uses
from rexcc.analysis.batches.run_reader import RunReader
from rexcc.analysis.captures import CaptureList, capture_list
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_AROUND_ANYTHING = frozenset({"target data", "parallel", "single", "master", "masked", "critical", "task"})
"""Constructs whose statement may be any."""

_MEANT = regex(r"\s*(?:this|&\s*\w+)\s*")
_LOOP = regex(r"(?:for|while|do)\b")
_ASKED = regex(r"(\*?)(\w+)((?:->)?)")
"""What a run asks the runtime for, with the name of a variable in front, and whether that is a pointer."""


@dataclass(eq=False)
class RunFinder:
    """Finds the runs; ``outside`` are the functions outside of the file that may be called. ``reader`` makes what reads
    statements, in a function, in a loop, with room for the functions of other files that are called.
    ``declares_pointer`` tells that a run which was found declares a pointer of which it asks where that leads."""

    unit: ParsedUnit
    constructs: Mapping[tuple[int, int], Construct]
    work: QueuedWork
    reader: Callable[[bool, bool, dict[str, CommonFunction] | None], RunReader]
    outside: frozenset[str]
    declares_pointer: bool = False
    _known: dict[tuple[Node, bool], Uses | None] = field(default_factory=dict)

    def runs(self, top: Node) -> Iterator[QuietRun]:
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
            part = self._part(child) if is_loop else None
            yield from self.runs(child) if part is None else self._runs_of_loop(False, part)

    def _runs_of_block(self, block: Node) -> Iterator[QuietRun]:
        hidden = _sharing_text(block.children)
        run: list[Part] = []
        for child in (*self._from_first_to_last_queued(block), None):
            part = None if child is None or child in hidden else self._part(child)
            if part is not None:
                run.append(part)
                continue
            yield from self._interrupted_run(True, _trimmed(run)) if meet(run) else self._runs_between(run)
            run = []
            if child is not None and child not in hidden:
                yield from self.runs(child)

    def _from_first_to_last_queued(self, block: Node) -> Sequence[Node]:
        """Return the statements of a block among which its runs are: nothing before them or behind them is read."""
        queueing = [i for i, child in enumerate(block.children) if self.work.queues(child)]
        return block.children[queueing[0] : queueing[-1] + 1] if queueing else ()

    def _runs_between(self, parts: list[Part]) -> Iterator[QuietRun]:
        """Yield the runs among parts whose interruptions stand in loops that are runs themselves, or in no run."""
        run: list[Part] = []
        for part in (*parts, None):
            if part is not None and not part.is_interrupted:
                run.append(part)
                continue
            yield from self._quiet_run(_trimmed(run))
            run = []
            if part is not None:
                yield from self._runs_of_loop(True, part)

    def _quiet_run(self, run: list[Part]) -> Iterator[QuietRun]:
        is_run = self._is_worth(run)
        if is_run:
            yield self._noted(_run_of(True, run))
        for part in run if self.outside or not is_run else ():
            if self.outside and len(run) > 1 and self._is_worth([part]):
                yield self._noted(_run_of(True, [part]))
            yield from self.runs(part.first)

    def _runs_of_loop(self, in_block: bool, part: Part) -> Iterator[QuietRun]:
        """Yield the run that a statement alone is, or those in it."""
        if part.is_interrupted and part.again:
            yield from self._interrupted_run(in_block, [part])
            return
        is_run = not part.is_interrupted and self._is_worth([part])
        if is_run:
            yield self._noted(_run_of(in_block, [part]))
        if not is_run or self.outside:
            yield from self.runs(part.first)

    def _interrupted_run(self, in_block: bool, parts: list[Part]) -> Iterator[QuietRun]:
        """Yield the run that parts are, and those in what interrupts it."""
        run = self._noted(_run_of(in_block, parts))
        if _hidden(run):  # it asks again behind each interruption
            for part in parts:
                yield from self.runs(part.first)
            return
        yield run
        for interruption in run.interruptions:
            for node in _statements_of(interruption):
                yield from self.runs(node)

    def _noted(self, run: QuietRun) -> QuietRun:
        self.declares_pointer |= True in _hidden(run)
        return run

    def _is_worth(self, parts: list[Part]) -> bool:
        return bool(parts) and self.work.is_worth(*(part.first for part in parts))

    def _part(self, statement: Node) -> Part | None:
        """Return the part of a run that a statement is; where functions outside are called, it has to be quiet. What
        makes lambdas is none: there are runs in them."""
        if not self._is_written(statement) or self._hides(statement) or only_makes_lambdas(statement):
            return None
        if not self.outside:
            return self._parts.part(statement)
        uses = self.uses_of(statement, False)
        return None if uses is None else quiet_part(statement, self.work.queues(statement), uses)

    @cached_property
    def _parts(self) -> PartReader:
        return PartReader(self.unit, self.constructs, self.uses_of, self.work.queues, self._is_written)

    def uses_of(self, node: Node, in_loop: bool) -> Uses | None:
        """Return what a quiet statement uses, None for one that is not quiet; it is asked for by itself, and with each
        statement around it."""
        if (node, in_loop) not in self._known:
            called: dict[str, CommonFunction] | None = {} if self.outside else None
            self._known[node, in_loop] = self.reader(False, in_loop, called).uses(node)
        return self._known[node, in_loop]

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


def _run_of(in_block: bool, parts: list[Part]) -> QuietRun:
    whole = in_a_row(parts[0].first, parts[-1].last, parts)
    return QuietRun(whole.first, whole.last, in_block, whole.uses, whole.interruptions)


def _trimmed(run: list[Part]) -> list[Part]:
    """Return a run without what queues nothing at its ends."""
    queueing = [i for i, part in enumerate(run) if part.queues]
    return run[queueing[0] : queueing[-1] + 1] if queueing else []


def _statements_of(part: Interruption | QuietRun) -> Iterator[Node]:
    """Yield the statements that a run, or an interruption of one, consists of."""
    parent = part.first.parent
    for node in () if parent is None else parent.children:
        if part.first.start <= node.start and node.end <= part.last.end:
            yield node


def _hidden(run: QuietRun) -> set[bool]:
    """Return of each name that a run declares, and asks for an object by, whether that is a pointer's."""
    found = filter(None, map(_ASKED.match, run.uses.checked))
    named = {str(match[2]): bool(match[1] or match[3]) for match in found}
    nodes = (node for statement in _statements_of(run) for node in statement.walk()) if named else ()
    return {named[node.spelling] for node in nodes if node.kind.endswith("_DECL") and node.spelling in named}


def _refers_to_all(captures: CaptureList) -> bool:
    """Whether a lambda has no copies of what it captures, and no names of its own for other objects."""
    return captures.default != "=" and all(map(_MEANT.fullmatch, captures.items))


def _sharing_text(statements: Iterable[Node]) -> set[Node]:
    """Return the statements of a block that one macro makes together: nothing can stand around some of them, or around
    what ends one of them."""
    found: set[Node] = set()
    for before, behind in pairwise(statements):
        if behind.start < before.end:
            found |= {before, behind}
    return found
