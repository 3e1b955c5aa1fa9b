"""The model of a target: the words of its device language, its limits, and what its device files include.

In: nothing. Out: :class:`Target`, which a translation gets with its options; stages ask it for words instead of writing
them, so that another device is another instance.
"""

from __future__ import annotations

from rexcc.source.records import dataclass


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
    ``variables`` are the names that every kernel has and a program therefore cannot.
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

    @property
    def is_first(self) -> str:
        """The condition that holds in the first thread of a block."""
        return f"{self.thread} == 0"

    @property
    def by_first(self) -> str:
        """What opens a block of statements of the first thread."""
        return f"if ({self.is_first}) {{"

    def number_in_grid(self, threads: str = "") -> str:
        """Return the running thread's number among those of all blocks, each of which has ``threads``."""
        return f"{threads or self.threads} * {self.block} + {self.thread}"

    def launch_bounds(self, threads: int) -> str:
        """Return the specifier of a kernel whose blocks have so many threads at most."""
        return self.bounds.format(threads)


@dataclass(frozen=True)
class Limits:
    """What a device can do at most.

    ``warp``: threads that execute an instruction together. ``threads``: of a block. ``team_bytes``: what a kernel may
    declare in the memory of a team. ``least_bound``: the least number of threads, but for one, that is worth promising
    to the device's compiler.
    """

    warp: int
    threads: int
    team_bytes: int
    least_bound: int


@dataclass(frozen=True)
class Tools:
    """The commands that compile device files: the compiler's name, and its words for an image of an architecture."""

    compiler: str
    image: tuple[str, ...]

    def image_words(self, architecture: str) -> tuple[str, ...]:
        """Return the words with which the compiler makes an image for an architecture."""
        return tuple(word.format(architecture) for word in self.image)


@dataclass(frozen=True)
class Target:
    """A device.

    ``header`` is what a device file includes first, ``names`` those of the device language and its headers that a
    program may have for something else, ``image`` the ending of a file with compiled device code; ``tools`` make it,
    None where the host's compiler does.
    """

    name: str
    words: Words
    limits: Limits
    header: str
    names: frozenset[str]
    image: str
    tools: Tools | None = None
