"""What a report tells of a translation unit, ready to print.

In: nothing; values made by ``unit``. Out: what ``page`` writes. Texts are the user's, one character per byte; places
are lines and columns of the user's files, as he counts them. A :class:`UnitReport` is all that a page needs of the
compiler: files, figures and times come beside it.
"""

from __future__ import annotations

from rexcc.source.line_directives import ListedLine
from rexcc.source.records import dataclass
from rexcc.target.model import Target


@dataclass(frozen=True)
class Point:
    """A place in a file of the user's."""

    path: str
    line: int
    column: int


@dataclass(frozen=True)
class Because:
    """Why something is so, with the code or clause because of which it is."""

    text: str
    place: Point | None


@dataclass(frozen=True)
class Told:
    """A remark; ``is_missed``: something was not done, and the first reason is the first thing in its way."""

    topic: str
    message: str
    place: Point
    is_missed: bool
    reasons: tuple[Because, ...]


@dataclass(frozen=True)
class MapEntry:
    """An entry of the map arrays, in words (:class:`rexcc.lowering.maps.map_remarks.Entry`)."""

    what: str
    bytes: str
    transfer: str
    details: tuple[str, ...]
    reason: str
    place: Point
    size: int | None
    is_implicit: bool
    is_reduced: bool


@dataclass(frozen=True)
class Launch:
    """How many threads execute a kernel.

    ``threads`` of a block, at most; ``second`` is what the second of two kernels is for, whose blocks have
    ``second_threads``, empty where there is one kernel; ``blocks`` is the number that the program writes, 0 where it
    writes none, or an expression, and ``blocks_place`` the clause. ``one_block`` and ``one_thread``: the construct has
    no league, or no parallel. ``shared`` are bytes of shared memory that the launch asks for, ``shared_text`` an
    expression for them where only the run knows. ``sequential`` is the first statement that one thread of a block
    executes while the others wait.
    """

    threads: int
    blocks: int
    one_block: bool
    one_thread: bool
    shared: int
    shared_text: str
    blocks_place: Point | None = None
    sequential: Point | None = None
    second: str = ""
    second_threads: int = 0


@dataclass(frozen=True)
class KernelReport:
    """A kernel: its names (that of its second form last), the function as its instantiation is called, its text."""

    names: tuple[str, ...]
    function: str
    lines: tuple[ListedLine, ...]
    launch: Launch
    told: tuple[Told, ...]

    @property
    def threads(self) -> int:
        """The threads of a block of the usual form, at most."""
        return 1 if self.launch.one_thread else self.launch.threads

    @property
    def widest(self) -> int:
        """The threads of a block of any form, at most."""
        return max(self.threads, self.launch.second_threads)

    def threads_of(self, name: str) -> int:
        """Return the threads of a block, at most, of the form with a name."""
        return self.threads if name == self.names[0] else self.launch.second_threads or self.threads


@dataclass(frozen=True)
class ConstructReport:
    """A target construct, with those joined with it: ``directive`` is their text, up to the line ``last``.

    ``host`` is what stands in the host file in its place, ``inside`` are the constructs in its statement. One for data
    alone has no kernels, one in a template a kernel for each instantiation.
    """

    name: str
    directive: str
    function: str
    place: Point
    last: int
    host: tuple[ListedLine, ...]
    entries: tuple[MapEntry, ...]
    kernels: tuple[KernelReport, ...] = ()
    inside: tuple[tuple[str, Point], ...] = ()


@dataclass(frozen=True)
class UnitReport:
    """A translation unit: its constructs in the order of the files and lines, and the names of its generated files."""

    path: str
    target: Target
    host: str
    device: str
    constructs: tuple[ConstructReport, ...]
    has_calls_elsewhere: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """The user's files that a page shows: the unit's own, and those that a place leads to."""
        found = [self.path]
        for construct in self.constructs:
            found += [construct.place.path, *(entry.place.path for entry in construct.entries)]
            for told in (told for kernel in construct.kernels for told in kernel.told):
                found += [told.place.path, *(r.place.path for r in told.reasons if r.place is not None)]
            for kernel in construct.kernels:
                found += [line.path for line in kernel.lines if line.path]
        return tuple(dict.fromkeys(found))
