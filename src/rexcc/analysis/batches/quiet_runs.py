"""Runs of statements of the host program between whose kernels nobody has to wait.

In: the runs that were found. Out: those that are marked in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.batches.quiet_elsewhere import CommonFunction
from rexcc.clang.tree import Node
from rexcc.source.records import dataclass, field


@dataclass(frozen=True)
class Pause:
    """A statement of a called function that sees what kernels have done, so that the function leaves the queue first.
    Of a loop, whose ``body`` may never be executed, that happens where the body begins."""

    file: str
    start: int
    end: int
    in_block: bool
    statement: Node = field(compare=False, repr=False)
    body: Node | None = field(compare=False, repr=False, default=None)

    @staticmethod
    def of(statement: Node, in_block: bool, body: Node | None = None) -> Pause:
        """Return the pause in front of a statement, or in the body of one."""
        return Pause(statement.file, statement.start, statement.end, in_block, statement, body)


@dataclass(frozen=True)
class Inlined:
    """Where a function takes the attribute that makes it a part of its callers, as it has to be, for the linker may
    take another file's. A template may do without ``inline``. A lambda takes it behind its parameters, and may have no
    list of them."""

    file: str
    start: int
    is_inline: bool = True
    is_behind: bool = False
    lacks_list: bool = False


@dataclass(frozen=True)
class HostRead:
    """An expression of an object that may be anywhere, which is read where it stands, on one line of the text: first
    those kernels are waited for that can write it."""

    file: str
    start: int
    end: int


@dataclass(frozen=True)
class TaskWait:
    """A ``taskwait`` among what is queued: what comes behind it in the queue waits for the tasks in front of it."""

    file: str
    start: int
    statement: Node = field(compare=False, repr=False)


@dataclass(frozen=True)
class Uses:
    """What has to be found out about statements when the program runs: that no kernel has access to the objects that
    are ``checked``, which the statements read or write, and that the functions ``elsewhere`` are quiet. And what has to
    be done in the statements (``reads``), or in functions that they call (``pauses``), and which of these are
    ``inlined``. ``taskwaits``: where they wait for tasks, of which there may be no others then than theirs.
    ``ordered``: they make tasks that depend on others, or others on them."""

    checked: tuple[str, ...] = ()
    elsewhere: tuple[CommonFunction, ...] = ()
    pauses: tuple[Pause, ...] = ()
    inlined: tuple[Inlined, ...] = ()
    reads: tuple[HostRead, ...] = ()
    taskwaits: tuple[TaskWait, ...] = ()
    ordered: bool = False

    @staticmethod
    def joined(several: Iterable[Uses]) -> Uses:
        """Return what several use, each once."""
        known = list(several)
        checked = dict.fromkeys(expression for uses in known for expression in uses.checked)
        called = {function.symbol: function for uses in known for function in uses.elsewhere}
        pauses = dict.fromkeys(pause for uses in known for pause in uses.pauses)
        inlined = dict.fromkeys(function for uses in known for function in uses.inlined)
        reads = dict.fromkeys(read for uses in known for read in uses.reads)
        taskwaits = dict.fromkeys(wait for uses in known for wait in uses.taskwaits)
        ordered = any(uses.ordered for uses in known)
        asked = (tuple(checked), tuple(called.values()), tuple(pauses), tuple(inlined), tuple(reads))
        return Uses(*asked, tuple(taskwaits), ordered)


@dataclass(frozen=True, eq=False)
class Interruption:
    """Statements from ``first`` to ``last`` that see what kernels have done, so all are waited for in front of them; of
    one block, or one that stands for a block itself. Control ``leaves`` the run there, or goes on behind them."""

    first: Node
    last: Node
    in_block: bool
    leaves: bool

    @property
    def range(self) -> tuple[int, int]:
        """Where they begin and end."""
        return self.first.start, self.last.end


@dataclass(frozen=True, eq=False)
class QuietRun:
    """Statements from ``first`` to ``last``, of one block unless they are one loop that stands for a block itself. All
    is quiet but for the ``interruptions``."""

    first: Node
    last: Node
    in_block: bool
    uses: Uses
    interruptions: tuple[Interruption, ...] = ()

    @property
    def place(self) -> tuple[str, int, int]:
        """The file and the range that the run fills."""
        return self.first.file, self.first.start, self.last.end

    def demands_as(self, other: QuietRun) -> bool:
        """Whether the same has to be found out about both when the program runs."""
        mine, others = ([i.range for i in run.interruptions] for run in (self, other))
        return (self.uses, mine) == (other.uses, others)

    def encloses(self, other: QuietRun) -> bool:
        """Whether another run stands inside of this one."""
        (file, start, end), (others, first, last) = self.place, other.place
        return file == others and start <= first and last <= end and (start, end) != (first, last)


def asking_fewer(runs: list[QuietRun]) -> Iterator[QuietRun]:
    """Yield the runs that ask for functions elsewhere, but for those that stand in another and ask for the same."""
    for run in runs:
        around = (other for other in runs if other.encloses(run))
        asked = frozenset(run.uses.elsewhere)
        if asked and all(asked != frozenset(other.uses.elsewhere) for other in around):
            yield run


def shared(instantiations: list[dict[tuple[str, int, int], QuietRun]]) -> Iterator[QuietRun]:
    """Yield the runs that all instantiations of a template have, which share their text; of a function its own."""
    for place, run in instantiations[0].items():
        others = [runs.get(place) for runs in instantiations]
        if all(other is not None and other.demands_as(run) for other in others):
            yield run
