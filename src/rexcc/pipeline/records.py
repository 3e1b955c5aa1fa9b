"""What the pipeline gets and gives: the options of a translation, and its results."""

from __future__ import annotations

from collections.abc import Callable

from rexcc.codegen.registration.unit_parts import UnitPart
from rexcc.inspection.model import KernelList, KernelNode, OpenMPTree, PragmaList
from rexcc.program.optimisations import Optimisation
from rexcc.program.tuned import Entry
from rexcc.report.model import UnitReport
from rexcc.source.compiler_macros import Macros
from rexcc.source.compiler_questions import Ask
from rexcc.source.diagnostics import Diagnostic
from rexcc.source.records import dataclass, field
from rexcc.target.known import CPU, DEFAULT
from rexcc.target.messages import Reached
from rexcc.target.model import Target


@dataclass(frozen=True)
class TranslateOptions:
    """What the translation of one file depends on; equal options and files give equal bytes.

    ``clang_arguments`` are the preprocessing and language flags of the command line in clang's spelling (``-I``,
    ``-D``, ``-U``, ``-include``, ``-isystem``, ``-iquote``, ``-std``), ``system_includes`` the host compiler's own
    directories, ``compiler_macros`` what it tells about itself; ``embed_folders`` are where ``#embed`` looks.
    ``target`` is the device whose language device files are written in; ``architectures`` are those of its images, none
    for a build for the CPU device alone, which shares the device file; ``cpu_device`` asks for its image.
    ``strict_aliasing``: objects of different types are different objects; ``wraps``: signed integers wrap around;
    ``reciprocals``: a division may be a multiplication by one; ``left_out`` are optimisations that the user does not
    want, ``tuned`` choices for single kernels.
    ``scheduler`` is ``direct`` (grid-stride loops, XOMP where loop facts are missing) or ``xomp``. ``openmp_version``
    is what ``-fopenmp-version=`` asks for (45, 51 …), 0 for nothing. ``remarks`` asks for remarks about how each region
    is lowered, ``map_remarks`` for those about what each construct maps. ``listing`` asks for the trees of all
    kernels, ``report`` for what a lowering report tells of the unit; ``verify`` makes a kernel that breaks the rules of
    :mod:`rexcc.kernel.verifier` a defect of the compiler.
    ``part_terms`` is what relocatable objects of ``target`` say to the link (``ToolChain.terms``).
    ``alone``: device code of this file is linked with that of no other, and calls none of it.
    ``ask_host`` gives ``system_includes`` and ``compiler_macros`` in place of the values here: to ask takes time, and
    only a file that may have pragmas needs the answer. ``preprocess`` is
    its preprocessor, for what the files ask it.
    ``is_kept`` tells whether anybody can read the files when the program runs (:mod:`rexcc.source.line_directives`).
    """

    language: str
    clang_arguments: tuple[str, ...] = ()
    system_includes: tuple[str, ...] = ()
    compiler_macros: Macros = ()
    embed_folders: tuple[str, ...] = ()
    architectures: tuple[str, ...] = (DEFAULT.architectures.default,)
    cpu_device: bool = True
    scheduler: str = "direct"
    reduction: str = "device"
    strict_aliasing: bool = True
    wraps: bool = False
    reciprocals: bool = False
    left_out: frozenset[Optimisation] = frozenset()
    tuned: tuple[Entry, ...] = ()
    openmp_version: int = 0
    remarks: bool = False
    map_remarks: bool = False
    listing: bool = False
    report: bool = False
    verify: bool = False
    is_kept: bool = True
    alone: bool = False
    target: Target = DEFAULT
    part_terms: tuple[str, ...] = ()
    ask_host: Callable[[], tuple[tuple[str, ...], Macros]] | None = field(default=None, compare=False)
    preprocess: Ask | None = field(default=None, compare=False)

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets that there are to be images for."""
        return (*((self.target,) if self.architectures else ()), *((CPU,) if self.cpu_device else ()))


@dataclass(frozen=True)
class Image:
    """A file of compiled device code: its name, and the generated file (``source``) that a target's tools compile;
    ``part`` is the relocatable object for linking with other files, empty where there is nothing to link. ``name`` is
    empty where the code has no image without that of other files. ``has_code``: there is anything to compile."""

    target: Target
    architecture: str
    name: str
    source: str
    part: str = ""
    has_code: bool = True


@dataclass(frozen=True)
class GeneratedFile:
    """A file to write: its name as the system's, and its text, one character per byte (``source/text``)."""

    name: str
    text: str


@dataclass(frozen=True)
class Translation:
    """The result for one translation unit.

    ``has_offload`` is False for a file without target constructs: there are no files then and the driver hands the
    user's own file to the host compiler. Otherwise ``host`` is the rewritten source (``rose_nn.c``), ``device`` the
    kernels (``rex_lib_nn.cu``, None when the file has data constructs only), ``cpu_device`` the entry points
    (``rex_host_nn.cpp``) of devices that the host plugin starts, ``headers`` rewritten user headers. ``images`` are
    what ``host`` embeds with ``.incbin``, one per architecture, the CPU device's last. ``part`` is what
    ``host`` says of the unit's device code, with the images' relocatable objects, where that of several units may have
    to be linked together.
    ``reached`` are the functions that kernels reach. ``forced`` are headers of ``-include``
    that are rewritten: ``host`` includes them itself. ``listing`` has the kernels' trees, ``report`` is for the
    lowering report, None where nobody asked for one. ``cpu_headers`` is the text of a header with all that
    ``cpu_device`` includes before it differs from other units', empty where it differs from the start. With
    ``wants_shared_heap`` a program of the unit is linked with a heap that a GPU shares. ``embedded`` are the files of
    ``#embed`` lines where the host's compiler knows no such line.
    """

    has_offload: bool
    diagnostics: tuple[Diagnostic, ...]
    host: GeneratedFile | None = None
    device: GeneratedFile | None = None
    cpu_device: GeneratedFile | None = None
    headers: tuple[GeneratedFile, ...] = ()
    images: tuple[Image, ...] = ()
    part: UnitPart | None = None
    forced: tuple[str, ...] = ()
    reached: Reached = Reached()
    listing: tuple[KernelNode, ...] = ()
    report: UnitReport | None = None
    cpu_headers: str = ""
    wants_shared_heap: bool = False
    embedded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inspection:
    """What was understood of a translation unit, None when clang made no tree of it, and what is wrong with it."""

    found: PragmaList | OpenMPTree | KernelList | None
    diagnostics: tuple[Diagnostic, ...]


ReadFile = Callable[[str], bytes | None]
"""Reads a file by path; None when there is none. The only way the pipeline sees the file system, libclang aside."""
