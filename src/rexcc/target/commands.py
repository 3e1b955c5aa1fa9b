"""Commands that compile device files, as data: what a target gets to make them, and what it gives.

In: the options of a command line that matter to compilers of device files (:class:`CommandLine`), the machine's other
tools (:class:`Around`), and what an image is made of (:class:`Job`). Out: :class:`Step` values, one for each process.
The driver executes them, shows them (``-###``) or writes them to a makefile; nothing here touches a file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from rexcc.source.records import dataclass

Arguments = tuple[str, ...]


@dataclass(frozen=True)
class HostCompiler:
    """The C compiler and its C++ sibling; ``family`` is ``clang``, ``gcc`` or ``other``."""

    cc: str
    cxx: str
    family: str


@dataclass(frozen=True)
class Given:
    """An option as it was given: its ``spelling`` in the table of options, the ``argument`` as written, its value."""

    spelling: str
    argument: str
    value: str


NO_SPECIAL_FUNCTIONS = ("-D_GLIBCXX_BITS_SPECFUN_H",)
"""For device code of programs in C, which is compiled as C++17: libstdc++'s <math.h> then leaves out the mathematical
special functions, as in C++14. C has none of them, and they are most of what a compiler reads for a small kernel."""

LIBRARY_ON_DEVICES = (
    "-D__builtin_is_constant_evaluated()=true",
    "-D__builtin_constant_p(...)=0",
    "-D__builtin_clzl(...)=__builtin_clzll(__VA_ARGS__)",
)
"""For nvcc, which takes ``constexpr`` functions of the C++ library as device code. Many of them have a part for compile
time, and otherwise call functions that are not ``constexpr``: nvcc leaves out such calls without a word, for they stand
in system headers. Both parts do the same, and the first is all ``constexpr``. It leaves out builtins, too, that it has
for the host alone, and with them what depends on these: ``std::advance`` does nothing. Our headers have macros for all
of them (``rex_device_builtins.h``), but nvcc reads ``<algorithm>``'s first parts before any of ours."""

_DRAFTS = {23: "2b", 26: "2c"}
"""What compilers called standards before they were there."""


@dataclass(frozen=True)
class CommandLine:
    """What a command line says to the compilers of device files.

    ``given`` are all options in their order; ``own`` those that change what code means, in the spelling of the host's
    compilers, ``abi`` those that every file of the program has to be compiled with. ``optimization`` is the level of
    ``-O`` as written, None without one; ``standard`` that of C++, as ``17``; ``is_cxx`` whether the user's file is C++.
    ``tells_usage``: the tools shall say what each kernel takes (``Messages.usages``); ``checked``: accesses are told to
    the checking runtime (``--check``); ``links_whole``: device code of any number of files is linked as one program.
    """

    given: tuple[Given, ...] = ()
    own: Arguments = ()
    abi: Arguments = ()
    optimization: str | None = None
    debug: bool = False
    fast_math: bool = False
    standard: int = 17
    is_cxx: bool = False
    tells_usage: bool = False
    checked: bool = False
    links_whole: bool = False

    @property
    def gnu_standard(self) -> str:
        """The standard with GNU's extensions, by the name that all compilers know which have it: ``-std=gnu++2b``."""
        return f"-std=gnu++{_DRAFTS.get(self.standard, self.standard)}"


@dataclass(frozen=True)
class Around:
    """What the machine has: the target's ``compiler``, the host's, the folder of our headers, LLVM's version.

    ``has_usual_host``: whether ``gcc`` and ``g++`` are found by these names. ``linker`` is the command that links
    device code of several files, without options; there is none without the library that it calls
    (``ToolChain.linker``), and for makefiles, which do without rexcc. ``further`` are the words of the
    environment's options for the compiler (``ToolChain.option_variables``).
    """

    compiler: str
    host: HostCompiler
    include: str
    llvm_version: int
    has_usual_host: bool = True
    linker: Arguments = ()
    further: Arguments = ()


class LinkError(Exception):
    """Device code of several files cannot be linked; the text says why."""


@dataclass(frozen=True)
class LinkInput:
    """A relocatable object that is linked with those of other files: its path, and what its compilation has said to the
    link in the target's words (``ToolChain.terms``).

    ``has`` and ``needs`` are symbols of functions, ``kernels`` is a word in the names of its kernels and of no others'.
    ``is_plain``: it has no variables, so that there may be several copies of its functions. ``is_asked``: others call
    functions of it that are in no list. ``uses_team``: its functions use the state of their team. ``borrows``: it
    calls functions that the program has for the host. ``shares`` are symbols of variables that others may define, too.
    """

    path: str
    terms: Arguments = ()
    has: Arguments = ()
    needs: Arguments = ()
    kernels: str = ""
    is_plain: bool = True
    is_asked: bool = False
    uses_team: bool = False
    borrows: bool = False
    shares: Arguments = ()


@dataclass(frozen=True)
class Piece:
    """Some inputs of a link, by their numbers, that are linked on their own first, with further options."""

    options: Arguments
    inputs: tuple[int, ...]


@dataclass(frozen=True)
class LinkPlan:
    """How a library links: ``pieces`` of the inputs, by the options ``for_pieces`` and their own, and these by
    ``options``; without pieces all inputs by the options for pieces."""

    pieces: tuple[Piece, ...]
    options: Arguments
    for_pieces: Arguments


@dataclass(frozen=True)
class Job:
    """An image: the generated file that it is compiled from, its path, and its architecture.

    ``part``: the path of the relocatable object for the linking of several files, empty for none. With one, the
    image's path may be empty: a file that calls device functions of others has no image of its own. ``is_whole``
    tells that the object names nothing but what it has, and says all that an image of it alone would say. ``text``
    is what the device file holds that ``source`` is, or includes. ``has_code``: there is anything to compile.
    """

    source: str
    output: str
    architecture: str
    part: str = ""
    is_whole: bool = False
    text: str = ""
    has_code: bool = True


@dataclass(frozen=True)
class Group:
    """Words of a command. A makefile has them in a ``variable``, if that is named."""

    words: Arguments
    variable: str = ""


class Finish(ABC):
    """What happens to a file that a compiler has written; ``note`` says why, for makefiles."""

    note: str

    @abstractmethod
    def applied(self, data: bytes) -> bytes:
        """Return what the file shall hold; raise NotAnImageError for what is no image."""

    @abstractmethod
    def shell(self, quoted_path: str) -> tuple[str, ...]:
        """Return shell commands that do the same without rexcc."""


class NotAnImageError(ValueError):
    """The bytes are no image of the target's."""


@dataclass(frozen=True)
class Step:
    """One process: it reads ``source``, its last word but for ``-o`` and the ``output`` that it makes.

    ``precompiles``: how many of its words a compiler that can take precompiled headers has to be given to make them,
    too; 0 where it cannot. ``quicker``: further words that are tried first: the process takes less time with them and
    makes the same, or makes what asks less of memory (:mod:`.over_alignment`), or fails.
    """

    program: Group
    words: tuple[Group, ...]
    source: str
    output: str
    finish: Finish | None = None
    precompiles: int = 0
    quicker: Arguments = ()

    @property
    def argv(self) -> Arguments:
        """The command."""
        return self._with(())

    @property
    def quicker_argv(self) -> Arguments:
        """The command with the further words, empty without such."""
        return self._with(self.quicker) if self.quicker else ()

    def _with(self, further: Arguments) -> Arguments:
        words = (word for group in (self.program, *self.words) for word in group.words)
        return (*words, *further, self.source, "-o", self.output)
