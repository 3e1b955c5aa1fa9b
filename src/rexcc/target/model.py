"""The model of a target: its device language, what it is capable of, its architectures, image format and tools.

In: nothing. Out: :class:`Target`, which a translation gets with its options; stages and driver ask it instead of
knowing a device, so that another device is another instance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field
from rexcc.target.occupancy import Multiprocessor
from rexcc.target.tools import ToolChain

_NAME = regex(r"(?<![.\w])[A-Za-z_]\w*")


@dataclass(frozen=True)
class Words:
    """Texts of the device language.

    ``thread`` is the running thread's number in its block, ``threads`` their number, ``block`` and ``blocks`` the same
    of blocks in the grid: expressions of an unsigned 32-bit type. ``team_memory`` declares a variable of which the
    threads of a block have one, ``barrier`` is the statement at which they wait for each other, ``fence`` the one that
    orders a thread's accesses to memory for all others, ``read_only_load`` the function that loads what its argument
    points to where nothing writes it while the kernel runs. ``kernel``, ``device``
    and ``both`` are the specifiers of kernels, of device functions and variables, and of functions of both sides;
    ``bounds`` that of the most threads of a kernel's blocks, with ``{}`` for the number, empty where there is none.
    ``variables`` are the names that every kernel has and a program therefore cannot. ``xomp_thread`` and
    ``xomp_threads`` are the running thread's number among all of a grid and their number, for the XOMP scheduler.
    ``asked`` are the macros by which texts ask whether the language's compiler reads them, ``read_by`` the arguments
    with which clang reads texts as that compiler does, and ``marked`` is its kind of attribute for ``device``.
    """

    thread: str
    threads: str
    block: str
    blocks: str
    team_memory: str
    barrier: str
    fence: str
    read_only_load: str
    kernel: str
    device: str
    both: str
    bounds: str
    variables: tuple[str, ...]
    xomp_thread: str
    xomp_threads: str
    asked: tuple[str, ...] = ()
    read_by: tuple[str, ...] = ()
    marked: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the words: kernels say by them what they mean, so that no program can have them.

        They are those of ``variables``, of functions, and of specifiers, which are macros for other compilers.
        """
        words = (self.team_memory, self.barrier, self.fence, self.read_only_load, self.kernel, self.device, self.both)
        found = (name for word in (*words, self.bounds) for name in _NAME.findall(word))
        return (*self.variables, *sorted(set(found) - set(self.variables)))

    @property
    def is_first(self) -> str:
        """The condition that holds in the first thread of a block."""
        return f"{self.thread} == 0"

    def number_in_grid(self, threads: str = "") -> str:
        """Return the running thread's number among those of all blocks, each of which has ``threads``."""
        return f"{threads or self.threads} * {self.block} + {self.thread}"

    def launch_bounds(self, threads: int, blocks: int) -> str:
        """Return the specifier of a kernel whose blocks have so many threads at most, of which a multiprocessor has to
        have room for so many ``blocks``; 0: for as many as the compiler likes."""
        return self.bounds.format(f"{threads}, {blocks}" if blocks else threads)


@dataclass(frozen=True)
class Limits:
    """What a device can do at most.

    ``warp``: threads that execute an instruction together. ``threads``: of a block. ``team_bytes``: what a kernel may
    declare in the memory of a team, of which the headers take up to ``own_bytes``; with up to ``resident_bytes`` for
    each block as many blocks run at a time as without. ``least_bound``: the least number of threads, but for one, that
    is worth promising to the device's compiler. ``transfer_bytes``: of memory that are moved together, aligned.
    A multiprocessor has ``registers`` for at most ``resident`` threads, of which each has ``thread_registers`` at most.
    """

    warp: int
    threads: int
    team_bytes: int
    own_bytes: int
    resident_bytes: int
    least_bound: int
    transfer_bytes: int = 32
    registers: int = 64 * 1024
    resident: int = 2 * 1024
    thread_registers: int = 255

    @property
    def launched_bytes(self) -> int:
        """What a launch may give to a team's arrays whose extents only the run knows."""
        return self.team_bytes - self.own_bytes


@dataclass(frozen=True, eq=False)
class Capabilities:
    """What device code can do; by default all that the host can.

    ``host_functions`` are those of the C library that devices have not, ``instead`` says of some what is there. Of the
    C++ library's functions devices have those that are ``constexpr`` in a ``constexpr_standard``, 0 for all, and those
    of ``shared_headers`` but for ``waiting_functions``; functions and classes of ``constexpr_later`` may get a later
    standard. ``seems_constant``: functions of that library are told that they are evaluated at compile time, so code
    cannot ask whether it is. ``exceptions`` and ``runtime_types`` are C++'s, ``streams``
    those of its library.
    ``lacking_types`` are libclang's kinds of types that device code cannot have, ``long_double`` whether ``long
    double`` is the host's, ``compares_arrays`` whether a defaulted ``operator <=>`` compares members that are arrays,
    ``places_members`` whether unusual members have the host's places (:mod:`rexcc.analysis.device_layouts`).
    ``lacking_features`` are those of :mod:`rexcc.analysis.device_declarations` that device code
    has not. ``read_only_types`` are those that ``Words.read_only_load`` loads. ``links_units``: device
    code of several files can be linked, ``weak_functions``: of several definitions of one function too.
    """

    host_functions: frozenset[str] = frozenset()
    instead: Mapping[str, str] = field(default_factory=dict)
    constexpr_standard: int = 0
    shared_headers: frozenset[str] = frozenset()
    waiting_functions: frozenset[str] = frozenset()
    constexpr_later: frozenset[str] = frozenset()
    seems_constant: bool = False
    exceptions: bool = True
    runtime_types: bool = True
    streams: bool = True
    lacking_types: frozenset[str] = frozenset()
    long_double: bool = True
    compares_arrays: bool = True
    places_members: bool = True
    lacking_features: frozenset[str] = frozenset()
    read_only_types: frozenset[str] = frozenset()
    links_units: bool = False
    weak_functions: bool = False

    @property
    def are_hosts(self) -> bool:
        """Whether device code can do all that the host can."""
        lacks = self.host_functions or self.constexpr_standard or self.lacking_types or self.lacking_features
        has_language = self.exceptions and self.runtime_types and self.long_double and self.compares_arrays
        has_language = has_language and self.places_members
        return not lacks and has_language and self.streams


@dataclass(frozen=True)
class Architectures:
    """The names of a target's architectures.

    ``pattern`` matches one, with its number as the first group where it has one, ``form`` shows how they are spelled,
    with ``NN`` for the number, whose digits are of a ``base``. ``default`` is what is built for where nothing says
    more.
    """

    pattern: str
    form: str
    default: str
    base: int = 10

    def is_known(self, name: str) -> bool:
        """Whether a name is an architecture's."""
        return re.fullmatch(self.pattern, name) is not None

    @property
    def beginning(self) -> str:
        """What the names of architectures begin with."""
        return self.form.rstrip("N")

    def number(self, name: str) -> int:
        """Return an architecture's number, by which the runtime chooses images; 0 is the host's processor."""
        found = re.fullmatch(self.pattern, name)
        return int(found[1], self.base) if found and found.re.groups else 0


@dataclass(frozen=True)
class Traits:
    """What context selectors of OpenMP call a device: its kinds, architectures, and instruction sets for all builds."""

    kinds: frozenset[str]
    arch: frozenset[str]
    isa: frozenset[str] = frozenset()


HEADERS_WARP, HEADERS_THREADS = 32, 1024
"""The width of warps, and the most threads of a block, that headers take a device to have where nothing says otherwise
(``rex_warp.h``)."""


@dataclass(frozen=True, eq=False)
class Target:
    """A device.

    ``name`` is what the user calls it (``--target=``), ``title`` what messages call it, ``vendor`` its maker,
    ``triples`` the beginnings of what other compilers call it, the usual one first. ``language`` is the name of its
    language, ``source`` the ending of its files. ``header`` is what a device file includes first, ``names`` those of
    the device language and its headers that a program may have for something else, ``xomp`` the header of the XOMP
    scheduler. ``image`` is the ending of a file with compiled device code. ``entry_header``: where the device is
    started by the host plugin of the runtime, the header of a file with entry points, which is compiled in the device
    file's place; the CPU device, which has the same file, is made with it too. ``multiprocessors`` says by the
    architecture's number what those of a GPU have.
    """

    name: str
    title: str
    vendor: str
    triples: tuple[str, ...]
    language: str
    source: str
    words: Words
    limits: Limits
    capabilities: Capabilities
    architectures: Architectures
    traits: Traits
    header: str
    names: frozenset[str]
    xomp: str
    image: str
    tools: ToolChain
    entry_header: str = ""
    multiprocessors: Mapping[int, Multiprocessor] = field(default_factory=dict)

    def multiprocessor(self, architecture: str) -> Multiprocessor | None:
        """Return what a multiprocessor of an architecture has, None where that is not known, or there are none."""
        return self.multiprocessors.get(self.architectures.number(architecture))

    @property
    def definitions(self) -> tuple[str, ...]:
        """The lines with which generated files begin: what is otherwise than the headers take it to be."""
        asked = (
            ("REX_WARP", self.limits.warp, HEADERS_WARP),
            ("REX_MOST_THREADS", self.limits.threads, HEADERS_THREADS),
        )
        return tuple(f"#define {name} {number}" for name, number, usual in asked if number != usual)

    def has_triple(self, triple: str) -> bool:
        """Whether other compilers mean this target by a triple."""
        return triple.startswith(self.triples)
