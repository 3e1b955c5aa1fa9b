"""What the clean-up passes share: the kernel, its edits so far, and what is known of its memory.

In: a kernel whose loop has been lowered. Out: edits in ``context.body.edits`` and lines that outlining puts in: at the
start and end of the loop's body, and before inner loops.
"""

from __future__ import annotations

from functools import cached_property

from rexcc.analysis.calls import functions_elsewhere
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.kernel.ir import Assign, Code, Declare, Do
from rexcc.lowering.cleanups.alias import KernelMemory
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.remarks import Reason, Remark
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, field


@dataclass(frozen=True)
class StoredElement:
    """An element of an array that lives in a local and is stored at the end of an iteration."""

    place: str
    array: str
    local: str
    type: str

    @property
    def store(self) -> Assign:
        """The store."""
        return Assign(self.place, self.local)


@dataclass(frozen=True)
class TurnElement:
    """An element that each iteration of an inner loop loads, the array of the elements of a turn, and their type.

    ``loader`` is the function that loads all of a turn, from the address ``value``; without one each is loaded alone.
    """

    local: str
    type: str
    value: str
    loader: str = ""


@dataclass(frozen=True)
class LeftElement:
    """An element that the iteration before has left in a local: ``left``; what an iteration finds there, ``before``,
    and their type. ``value`` is what it leaves if it does not store another value, empty where it stores one."""

    left: str
    before: str
    type: str
    value: str


@dataclass(frozen=True, eq=False)
class Turns:
    """An inner loop of which so many iterations load before the first; ``places`` are what elements are found by.

    ``is_apart`` is the name of the function that says whether they may; empty where they do. ``kept`` are the variables
    that a turn changes where all its quotients by roots have one test, or its sines, and then it loads nothing before.
    ``rows`` are statements where it goes along rows: they return the address of an iteration's element of the thread's
    own row, and whether those of other rows are aligned. ``recurrences`` are what iterations leave for the next ones.
    ``form`` is the form of a kernel in which its sines have one.
    """

    loop: CanonicalLoop
    iterations: int
    elements: tuple[TurnElement, ...]
    places: tuple[Declare, ...]
    is_apart: str = ""
    kept: tuple[str, ...] | None = None
    rows: tuple[str, ...] = ()
    recurrences: tuple[LeftElement, ...] = ()
    form: str = ""


@dataclass(frozen=True, eq=False)
class Walk:
    """A loop that walks along memory with a pointer: the statement that moves it, and the reads of the element.

    ``moves_first``: the element of an iteration is that behind the move.
    """

    loop: CanonicalLoop
    pointer: Variable
    move: Node
    loads: tuple[Node, ...]
    moves_first: bool


@dataclass(eq=False)
class CleanupContext:
    """A kernel, the device text of its body, and the innermost distributed loop (None on the SPMD path).

    ``opening`` are locals at the start of that loop's body, ``stored`` the elements that are stored at its end;
    ``before`` has locals in front of inner loops, by loop, ``guarded`` the code around those that groups of threads
    share, ``turns`` and ``walks`` those that load in turns; ``in_locals`` has the locals' names where elements stood.
    ``remarks`` are what the passes tell; where ``explains``, they tell what they left, and why. ``reciprocals``: a
    division may be a multiplication by one; ``wraps``: signed integers wrap around. ``shared_loop`` is the inner loop
    that groups of threads are to share; ``unchanged`` are pointers to objects that are of no type that the region
    changes (:mod:`rexcc.lowering.atomics.unchanged_inputs`). ``threads_meet``: the region's threads wait for each
    other. ``factors`` has what divides locals (:func:`~rexcc.lowering.cleanups.neighbour_addresses.factor`).
    """

    kernel: Kernel
    body: DeviceBody
    loop: CanonicalLoop | None
    opening: list[Declare] = field(default_factory=list)
    stored: list[StoredElement] = field(default_factory=list)
    shared_loop: Node | None = None
    folded: frozenset[Node] = frozenset()
    unchanged: frozenset[Variable] = frozenset()
    threads_meet: bool = False
    factors: dict[Variable, int] = field(default_factory=dict)
    before: dict[Node, list[Declare | Do]] = field(default_factory=dict)
    guarded: dict[Node, Code] = field(default_factory=dict)
    turns: dict[Node, Turns] = field(default_factory=dict)
    walks: dict[Node, Walk] = field(default_factory=dict)
    explains: bool = False
    reciprocals: bool = False
    wraps: bool = False
    remarks: list[Remark] = field(default_factory=list)
    in_locals: dict[tuple[int, int], str] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)

    @property
    def scope(self) -> Node:
        """The code that each thread runs: an iteration of the distributed loop, or the whole region."""
        return self.kernel.region.iteration

    @cached_property
    def memory(self) -> KernelMemory:
        """What is known of the kernel's memory."""
        return KernelMemory(self.kernel.region, self.kernel.data)

    @cached_property
    def jumps(self) -> tuple[Node, ...]:
        """What leaves an iteration early or jumps across declarations: its ``continue``, ``goto``, ``return``."""
        return tuple(n for n in self.scope.walk() if self._is_jump(n))

    @cached_property
    def _probes(self) -> frozenset[int]:
        return frozenset(c.probe.offset for c in self.kernel.region.constructs[-1].descendants())

    @cached_property
    def _headers(self) -> tuple[Node, ...]:
        """The loops that each iteration executes as a block."""
        return tuple(loop.statement for loop in inner_headers(self.kernel.region.loops))

    def _is_jump(self, node: Node) -> bool:
        if node.kind == "CONTINUE_STMT":
            return self.nearest_loop(node) is None
        return node.kind in ("GOTO_STMT", "INDIRECT_GOTO_STMT", "RETURN_STMT") or node.is_called_code

    def is_loop(self, node: Node) -> bool:
        """Whether a node is a loop of the user's, not the statement that stands for a directive."""
        return node.kind in LOOP_KINDS and not self.is_directive(node) and node not in self._headers

    def is_directive(self, node: Node) -> bool:
        """Whether a node is the statement that stands for a directive; what it wraps runs once."""
        return node.kind == "WHILE_STMT" and node.start in self._probes

    def has_directive(self, node: Node) -> bool:
        """Whether a directive stands inside of a node, also one without a statement of its own."""
        return any(node.start <= probe < node.end for probe in self._probes)

    def nearest_loop(self, node: Node) -> Node | None:
        """Return the innermost loop around a node inside an iteration, None where there is none."""
        for above in node.ancestors():
            if above is self.scope.parent:
                return None
            if self.is_loop(above):
                return above
        return None

    def inner_loops(self) -> list[Node]:
        """Return the loops inside an iteration, outer before inner."""
        return [n for n in self.scope.walk() if self.is_loop(n) and self.body.start(n) not in self.body.collapsed]

    def unknown_functions(self) -> tuple[str, ...]:
        """Return the names of the functions that the region reaches and another file defines."""
        region = self.kernel.region
        return functions_elsewhere(region.unit, region.body)

    def tell(self, message: str, node: Node | None, *reasons: Reason, topic: Topic = Topic.MEMORY) -> None:
        """Note what a pass did, or did not."""
        if self.explains:
            self.remarks.append(Remark(topic, message, node, reasons))

    def is_in_local(self, node: Node) -> bool:
        """Whether an element has become a local."""
        return (self.body.start(node), self.body.end(node)) in self.in_locals

    def locals_in(self, *nodes: Node) -> frozenset[str]:
        """Return the names of the locals that elements inside of some code have become."""
        ranges = [(self.body.start(node), self.body.end(node)) for node in nodes]
        places = self.in_locals.items()
        return frozenset(name for (a, b), name in places if any(low <= a and b <= high for low, high in ranges))

    def put_before(self, loop: Node, line: Declare | Do) -> None:
        """Put a local's declaration, or a statement that gives it a value, in front of an inner loop."""
        self.before.setdefault(loop, []).append(line)

    def can_declare_before(self, loop: Node) -> bool:
        """Whether a declaration may stand right before a loop: in a block that no ``case`` label jumps into."""
        above = loop.parent
        if above is None or above.kind != "COMPOUND_STMT":
            return False
        return above.parent is None or above.parent.kind != "SWITCH_STMT"

    def name(self, wanted: str) -> str:
        """Return a name that no other pass has taken, as close to the wanted one as possible."""
        found, count = wanted, 1
        while found in self._names:
            count += 1
            found = f"{wanted}_{count}"
        self._names.add(found)
        return found
