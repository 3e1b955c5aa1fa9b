"""The CPU device: the host's processor, started by the host plugin of the runtime.

Its header gives the words of the GPU's language meanings in C++, so that both devices share a device file. A device
file for another target serves the CPU device too, if the target's header can be read behind this one's. Its tool chain
is the host's C++ compiler, which makes a shared library of the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from rexcc.source.patterns import regex
from rexcc.source.records import replace
from rexcc.target.commands import NO_SPECIAL_FUNCTIONS, Arguments, Around, CommandLine, Group, Job, LinkInput, Step
from rexcc.target.cpu_messages import HostMessages
from rexcc.target.model import Architectures, Capabilities, Traits
from rexcc.target.nvptx import NVPTX
from rexcc.target.options import Spellings
from rexcc.target.over_alignment import without_alignment
from rexcc.target.special_functions import without_special_functions
from rexcc.target.tools import ToolChain

_LINKING = ("-shared", "-Wl,-Bsymbolic,-z,nodelete")
"""The image keeps its own copies of everything: it must not bind to the program's variables of the same name. It stays
loaded to the end (nodelete), because its worker threads do."""
_WHOLE = "-Wl,-z,defs"
"""Whatever the image needs is in it, or in the libraries that the compiler links to everything."""
_REPORTS_LINES = "-DREX_KEEPS_IMAGE"
"""Sanitizers read the image's file when they report what they have found, and debuggers when they stop in it."""
TELLING_COPIES = ("-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset",)
"""What has the checking runtime told of the C library's copies (``runtime/check/callbacks.cpp``)."""
_LENT = ("-fsanitize", "-fprofile", "-fcoverage", "--coverage", "-pg", "-finstrument")
"""Options whose libraries only the program has."""


_GENERIC_LAMBDAS = 14
"""The standard of C++ that has lambdas which take arguments of any type, as generated loops do."""
_GENERIC_LAMBDA = regex(r"\[&\]\([^()]*\bauto\b")
_COUNTING = frozenset({"--coverage", "-coverage", "-fprofile-arcs"})
"""Options by which an image gets the library that writes its own counts: nothing else sees its functions."""


class HostTools(ToolChain):
    """The host's C++ compiler, which takes the command line's options as they are."""

    title = "C++ compiler"
    compiler = "c++"
    variable = "CXX"
    spellings: Spellings = MappingProxyType({})
    messages = HostMessages()

    def image(self, job: Job, line: CommandLine, around: Around) -> tuple[Step, ...]:
        """Return the command that makes the image, by way of the relocatable object where that is needed too."""
        program = Group((around.compiler,), self.variable)
        line = replace(line, standard=_standard_for(line.standard, job.text))
        flags = Group(image_flags(line, around), "CPUFLAGS")
        of_text = Group(without_special_functions(job.text, line.own) if line.is_cxx else NO_SPECIAL_FUNCTIONS)
        moves = without_alignment(job.text, line.own, around.host.family)
        may_be_precompiled = _may_be_precompiled(line, around) and not moves
        known = 1 + len(flags.words) + len(of_text.words) if may_be_precompiled else 0
        if not job.part and not line.checked:
            linking = _linking(line)
            words = (flags, of_text, linking)
            return (Step(program, words, job.source, job.output, precompiles=known, quicker=moves),)
        part = job.part or f"{job.output}.o"  # linked without what its compiler would add for -fsanitize
        words = (flags, of_text, Group(("-c",)))
        compiled = Step(program, words, job.source, part, precompiles=known, quicker=moves)
        image = self.linked((LinkInput(part),), job.output, job.architecture, line, around) if job.output else ()
        return (compiled, *image)

    def linked(
        self, parts: Sequence[LinkInput], output: str, architecture: str, line: CommandLine, around: Around
    ) -> tuple[Step, ...]:
        """Return the command that makes a shared library of objects."""
        program = Group((around.compiler,), self.variable)
        words = (
            Group(line.abi),
            Group(("-fPIC", "-pthread", *(flag for flag in line.own if flag in _COUNTING))),
            _linking(line, borrows=any(part.borrows for part in parts)),
            Group(tuple(part.path for part in parts[1:])),
        )
        return (Step(program, words, parts[0].path, output),)


def _standard_for(standard: int, text: str) -> int:
    """Return the standard of C++ for a device file: that of the program, unless generated loops need a later one."""
    return _GENERIC_LAMBDAS if standard < _GENERIC_LAMBDAS and _GENERIC_LAMBDA.search(text) is not None else standard


def _may_be_precompiled(line: CommandLine, around: Around) -> bool:
    """Whether headers can be precompiled for later commands: clang's code does not tell whether they were. Debug
    information and what is counted name places that differ from command to command."""
    is_plain = not line.debug and not line.checked and not any(flag.startswith(_LENT) for flag in line.own)
    return around.host.family == "clang" and is_plain


def telling_accesses(family: str) -> Arguments:
    """Return the options by which a host compiler's code tells the checking runtime of its accesses, with their lines.

    GNU's addr2line takes the files of clang's DWARF 5 for others than ``#line`` says. clang leaves out a read before a
    write of the same place, unless it is asked for.
    """
    reads: Arguments = ("-mllvm", "-tsan-instrument-read-before-write=1") if family == "clang" else ()
    return ("-g", "-gdwarf-4", "-fno-omit-frame-pointer", "-fsanitize=thread", *reads, "-DREX_CHECK")


def _linking(line: CommandLine, *, borrows: bool = False) -> Group:
    """Return the words for linking an image; one that ``borrows`` functions of the program finds them when it runs."""
    lends = borrows or line.checked or any(flag.startswith(_LENT) for flag in line.own)
    return Group((*_LINKING, *(() if lends else (_WHOLE,)), *(TELLING_COPIES if line.checked else ())), "CPULINK")


def image_flags(line: CommandLine, around: Around) -> Arguments:
    """Return the host C++ compiler's flags for compiling the CPU device's image."""
    level = () if line.optimization is not None or line.debug else ("-O3",)
    shared = ("-fPIC", "-fvisibility=default", "-pthread", "-w")
    unique: Arguments = ("-fno-gnu-unique",) if around.host.family == "gcc" else ()
    if around.host.family == "clang" and any(flag.startswith("-fsanitize") for flag in line.own):
        unique = ("-fno-sanitize-link-runtime",)  # the program has it
    # libomptarget's memory is malloc's, which aligns no better; vectors of more bytes are moved without asking for more
    moved: Arguments = ("-fmax-type-align=16",) if around.host.family == "clang" else ()
    is_read = line.debug or any(flag.startswith("-fsanitize") for flag in line.own)
    kept: Arguments = (_REPORTS_LINES,) if is_read else ()
    told = telling_accesses(around.host.family) if line.checked else ()
    ours = (*shared, *unique, *moved, *kept, *told)
    return (*level, *line.own, line.gnu_standard, *ours, "-isystem", around.include)


CPU = replace(
    NVPTX,
    name="host",
    title="the CPU device",
    vendor="",
    triples=("x86_64", "aarch64", "powerpc64", "riscv64", "host"),
    language="C++",
    source="cpp",
    capabilities=Capabilities(links_units=True, weak_functions=True),
    architectures=Architectures(pattern="host", form="host", default="host"),
    traits=Traits(frozenset({"nohost", "cpu", "any"}), frozenset({"x86_64"}), frozenset({"sse", "sse2"})),
    entry_header="rex_host_device.h",
    image="so",
    tools=HostTools(),
    multiprocessors={},
)
