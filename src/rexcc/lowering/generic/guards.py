"""The code of one thread among code of the block: guards, and the barriers around them.

In: statements in the order in which they are executed, and what they read and change. Out: edits. A guard is the
condition under which the first thread alone executes neighbouring statements. Barriers stand

* after what one thread, or a parallel, did, unless nothing follows;
* before it, when the others may still be reading what it is going to change.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_range
from rexcc.kernel.ir import Barrier, ByFirst, Code
from rexcc.lowering.cleanups.memory import Places
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_around, place_before, place_behind
from rexcc.source.records import dataclass

NOTHING: Places = frozenset()
WAIT: Code = (Barrier(),)


@dataclass
class OpenGuard:
    """The range of statements for the first thread, to which more may come; what stands before it, its order."""

    start: int
    end: int
    order: int
    before: Code = ()


@dataclass
class State:
    """Where the writer is: the open guard or None, what is owed, what was read.

    ``owed``: a barrier must come before anything that other threads see; ``by_all``: all have something to show, not
    just the first thread. ``read``: what threads may still be reading.
    """

    guard: OpenGuard | None = None
    owed: bool = False
    by_all: bool = False
    read: Places = NOTHING

    def conflicts(self, changed: Places) -> bool:
        """Whether a change may meet a thread that is still reading."""
        if self.read is None or changed is None:
            return self.read is None or bool(self.read)
        return bool(self.read & changed)


class GuardWriter:
    """Writes guards and barriers into the code of a body; ``guards`` are the first statements of each, ``place`` is the
    end of what is written of the block that begins at ``opened``."""

    def __init__(self, body: DeviceBody) -> None:
        self.body = body
        self.state = State()
        self.guards: list[Node] = []
        self.place = self.opened = 0

    def _range(self, statement: Node) -> tuple[int, int]:
        return statement_range(self.body.file, statement)

    def _close(self, start: int, end: int, last: bool) -> None:
        """Close the open guard and pay the barrier behind statements, unless nothing follows."""
        self._close_guard()
        if self.state.owed and not last:
            place_behind(self.body, start, end, WAIT)
        self.state = State(read=NOTHING if self.state.owed else self.state.read)

    def _close_guard(self) -> None:
        guard = self.state.guard
        if guard is None:
            return
        place_around(self.body, guard.start, guard.end, (*guard.before, ByFirst(USER)), guard.order)
        self.state.guard = None
        self.state.owed = True

    def _put_barrier(self, node: Node) -> None:
        """Put a barrier behind the statement before a node; where other text is between, in front of the node and of
        the guard that may begin there."""
        start, end = self._range(node)
        if 0 < self.place <= start and not self.body.text[self.place : start].strip():
            place_behind(self.body, self.opened, self.place, WAIT)
            return
        block = node.parent
        if block is not None and block.kind == "COMPOUND_STMT":
            end = self.body.end(block) - 1
        place_before(self.body, start, end, WAIT)

    def _before_all(self, node: Node, looks: bool = True) -> None:
        """All threads execute what follows: the guard ends here; what it did must be seen by whoever ``looks``."""
        self._close_guard()
        if self.state.owed and looks:
            self._put_barrier(node)
            self.state = State()

    def _before_change(self, node: Node, changed: Places) -> None:
        """What follows changes memory: nobody may still be reading it."""
        self._before_all(node, changed is None)
        if self.state.conflicts(changed):
            self._put_barrier(node)
            self.state = State()

    def _open_guard(self, node: Node, changed: Places) -> None:
        if self.state.conflicts(changed) or (self.state.owed and self.state.by_all):
            self._before_change(node, None)
        start, end = self._range(node)
        if self.state.guard is None:
            self.guards.append(node)
            self.state.guard = OpenGuard(start, end, self.body.edits.next_order())
        self.state.guard.end = end
