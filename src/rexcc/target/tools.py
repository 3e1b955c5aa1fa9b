"""The tool chain of a target: what the driver asks of it.

In: nothing. Out: :class:`ToolChain` with the types around it. It says by data where its compiler may be, which options
it understands, what the devices of this machine depend on; it makes commands (:mod:`.commands`) and reads messages
(:mod:`.messages`). It starts no process and reads no file: what it needs of either it gets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any

from rexcc.source.records import dataclass
from rexcc.target.commands import Arguments, Around, CommandLine, Given, Job, LinkInput, LinkPlan, Step
from rexcc.target.messages import Messages
from rexcc.target.options import OwnOption, Spellings


class Where(Enum):
    """What the name of a place is."""

    VARIABLE = "a variable of the environment, whose value is a folder"
    FOLDER = "a folder"
    PATH = "a command"
    PACKAGE = "a pattern of folders among Python's packages, the last by name first"


@dataclass(frozen=True)
class Place:
    """Where a compiler may be: in ``bin`` of a folder, or on PATH. ``found_by`` is what the user is told."""

    where: Where
    name: str
    found_by: str


@dataclass(frozen=True)
class Compiler:
    """A compiler of device files that was found."""

    path: str
    found_by: str


@dataclass(frozen=True)
class Device:
    """A device of this machine, such as ``NVIDIA H200`` and ``sm_90``."""

    name: str
    architecture: str


@dataclass(frozen=True)
class DeviceReport:
    """The devices of this machine; ``driver`` says what their driver supports, ``problem`` why there are none."""

    devices: tuple[Device, ...] = ()
    driver: str | None = None
    problem: str | None = None


@dataclass(frozen=True)
class Dependence:
    """What the devices that a process sees depend on: files, patterns of names in /dev, variables."""

    files: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """A part that ``rexcc doctor`` has looked at: ``state`` is ``ok``, ``missing`` (needed) or ``without`` (useful)."""

    part: str
    state: str
    detail: str
    remedy: str = ""


Load = Callable[[str], Any]
"""Loads a library by its name; raises OSError where there is none."""


class ToolChain(ABC):
    """The tools of a target.

    ``title`` and ``compiler`` name the compiler for the user and as a command, ``remedy`` says how to get it. Without
    ``places`` it is the host's C++ compiler. ``variable`` has it in makefiles. ``linker`` is the pattern of a library's
    name that can link device code of several files, found beside the compiler or among Python's packages;
    ``linker_remedy`` says how to get it. ``foreign_options`` are other compilers' for the same devices, which build
    systems give. ``newest_standard`` is the last one of C++ that the compiler knows, 0 where that is the host's matter.
    ``spellings`` says what becomes of options in device code. ``read_variables`` are beginnings of the names of
    variables of the environment that the tools read, ``option_variables`` those by which they take further options.
    """

    title: str
    compiler: str
    variable: str
    remedy: str = ""
    places: tuple[Place, ...] = ()
    linker: str = ""
    linker_remedy: str = ""
    own_options: tuple[OwnOption, ...] = ()
    foreign_options: tuple[OwnOption, ...] = ()
    newest_standard: int = 0
    spellings: Spellings
    messages: Messages
    dependence: Dependence = Dependence()
    read_variables: tuple[str, ...] = ()
    option_variables: tuple[str, ...] = ()

    @property
    def is_hosts(self) -> bool:
        """Whether the host's C++ compiler compiles the device files."""
        return not self.places

    def limit(self, standard: int) -> str:
        """Return what the compiler does not know of a standard of C++, for the user whose program it cannot compile."""
        if not self.newest_standard or standard <= self.newest_standard:
            return ""
        return f"{self.compiler} knows C++{self.newest_standard} at most, and the program is in C++{standard}"

    @abstractmethod
    def image(self, job: Job, line: CommandLine, around: Around) -> tuple[Step, ...]:
        """Return the commands that make an image, and the relocatable object that a job asks for."""

    def asks_usage(self, given: Sequence[Given]) -> bool:
        """Whether options ask the tools to tell the user what kernels take."""
        return False

    def terms(self, line: CommandLine, around: Around) -> Arguments:
        """Return what the link of several files has to know of how a relocatable object is compiled."""
        return ()

    def is_ready(self, part: LinkInput) -> bool:
        """Whether an object's code is the device's already, so that a link changes none of it."""
        return False

    def linked(
        self, parts: Sequence[LinkInput], output: str, architecture: str, line: CommandLine, around: Around
    ) -> tuple[Step, ...]:
        """Return the commands that make one image of the relocatable objects of several files, of a target whose
        capabilities say that its linker can (``links_units``). Raises LinkError where something is missing."""
        raise NotImplementedError(self.title)

    def link_plan(self, options: Sequence[str]) -> LinkPlan:
        """Return how ``linker`` links by the options of its command."""
        return LinkPlan((), (), tuple(options))

    def link(self, library: Any, options: Sequence[str], inputs: Sequence[tuple[str, bytes]]) -> tuple[bytes, str]:
        """Return what inputs, names with contents, are linked to by ``linker``, and what that has told.
        Raises LinkError."""
        raise NotImplementedError(self.title)

    def listing(self, words: Sequence[str], path: str) -> Arguments:
        """Return further words for the compiler by which it lists, at a path, the files that it reads: a rule of make.
        There are none where an image does not follow from these files, the command's words and the tools alone, or may
        not."""
        return ()

    def tools_behind(self, words: Sequence[str], files: Sequence[str]) -> Arguments:
        """Return the tools that a compiler has started by some words, as names of commands or paths, by the files that
        it has read; none where they are not known. Of several names, with colons in between, the first that is there is
        meant."""
        return ()

    def devices(self, load: Load) -> DeviceReport:
        """Return the devices of this machine, asked by a library that ``load`` gives."""
        return DeviceReport()

    def examined(self, found: Compiler | None, version: str) -> Iterator[Finding]:
        """Say for ``rexcc doctor`` whether the compiler is there; ``version`` is what it prints of itself."""
        yield from ()

    def examined_devices(self, report: DeviceReport) -> Iterator[Finding]:
        """Say for ``rexcc doctor`` which devices are there."""
        yield from ()
