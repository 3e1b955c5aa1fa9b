"""What a command line means: :class:`Options`, the typed result of parsing it.

Options are immutable; each row of ``option_table`` maps options to options, one after the other and in order, because
later arguments override earlier ones and ``-x`` governs the inputs after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rexcc.driver.options.command_parts import Dependencies, Flags, Input, Level, Mode, To, UsageError
from rexcc.driver.options.languages import STANDARD_INPUT, Language, language_of, spelling_of, stem
from rexcc.source.records import dataclass, replace
from rexcc.target.commands import Given
from rexcc.target.known import CPU, DEFAULT, DEVICES
from rexcc.target.model import Target
from rexcc.target.options import Spelling, lost

REPORT_FOLDER = "rexcc-report"
"""Where a report lies whose user names no folder."""
DEFAULT_OUTPUT = "a.out"
"""What linkers make where no output is named."""
LinkItem = Input | str
"""One place in the linker's command line: an input (a source stands for its object) or an argument."""


@dataclass(frozen=True)
class Options:
    """A parsed command line. Where the user said nothing ``targets`` is None and ``architectures`` empty.

    ``device`` is the target that kernels are made for beside the CPU device, one of ``devices``; ``targets`` are names
    of either.

    Without ``openmp`` the host compiler gets everything; without ``offload`` it gets the files, with OpenMP on.
    ``remarks`` are choices that ``-v`` tells; ``information`` is ``--help``, ``--version`` or ``--explain``
    (of the code ``explained``). ``precompiled`` are the precompiled headers that the host compiler reads, each with
    its header, ``embed_folders`` those of ``--embed-dir``. ``compile_database`` is the file of ``-MJ``.
    Of several ``warning_levels`` of one code the last counts; an ``error_limit`` of 0 is none.
    ``tools_folder`` is where the device's tools are, ``omp_runtime`` the version or place of LLVM's runtime; a program
    that ``is_static`` is linked with no shared library; ``links_whole``: device code of any number of files as one.
    ``diagnostics`` is ``text``, ``json`` or ``sarif``, ``colours`` of text ``always``, ``never`` or ``auto``;
    ``inspection`` the value of ``--emit=`` in ``Mode.INSPECT``;
    ``wait`` and ``init`` the program's defaults of ``REX_WAIT`` and ``REX_INIT``. ``report`` is the folder for the
    lowering report of a build, ``profile`` the file with times of a run that is to be in a report. ``checked``: the
    checking runtime watches the program. ``tuned`` is the file with choices for kernels.
    """

    argv: tuple[str, ...] = ()
    device: Target = DEFAULT
    devices: tuple[Target, ...] = DEVICES
    mode: Mode = Mode.LINK
    inputs: tuple[Input, ...] = ()
    link_items: tuple[LinkItem, ...] = ()
    flags: Flags = Flags()
    forced_language: str | None = None
    output: str | None = None
    c_standard: str | None = None
    cxx_standard: str | None = None
    optimization: str | None = None
    debug: bool = False
    fast_math: bool = False
    strict_aliasing: bool = True
    wraps: bool = False
    reciprocals: bool = False
    dependencies: Dependencies = Dependencies()
    compile_database: str | None = None
    targets: frozenset[str] | None = None
    implied_targets: frozenset[str] | None = None
    architectures: tuple[str, ...] = ()
    openmp: bool = True
    offload: bool = True
    scheduler: str = "direct"
    wait: str = ""
    init: str = ""
    memory: str = ""
    reduction: str = "device"
    optimisations: tuple[str, ...] = ()
    tuned: str | None = None
    openmp_version: int = 0
    host_compiler: str | None = None
    omp_runtime: str | None = None
    tools_folder: str | None = None
    save_temps: str | None = None
    verbose: bool = False
    dry_run: bool = False
    runtime_libraries: bool = True
    standard_libraries: bool = True
    is_static: bool = False
    links_whole: bool = False
    cxx_link: bool = False
    checked: bool = False
    quiet: bool = False
    warnings_are_errors: bool = False
    warning_levels: tuple[tuple[str, Level], ...] = ()
    error_limit: int = 20
    diagnostics: str = "text"
    colours: str = "auto"
    inspection: str = ""
    report: str | None = None
    profile: str | None = None
    remark_pattern: str | None = None
    information: str | None = None
    explained: str = ""
    remarks: tuple[str, ...] = ()
    precompiled: tuple[tuple[str, str], ...] = ()
    embed_folders: tuple[str, ...] = ()

    @property
    def report_folder(self) -> str | None:
        """The folder for the lowering report, None where none is wanted."""
        if self.mode is Mode.REPORT:
            return self.output or self.report or REPORT_FOLDER
        return self.report

    @property
    def sources(self) -> tuple[Input, ...]:
        """The inputs that a compiler, not only the linker, reads."""
        return tuple(i for i in self.inputs if i.language.is_source)

    @property
    def makes_text(self) -> bool:
        """Whether what is made of a source is for a later command to assemble: assembler text, or LLVM's code."""
        return self.mode is Mode.ASSEMBLY or (self.mode is Mode.OBJECT and "-emit-llvm" in self.flags.host)

    @property
    def suffix(self) -> str:
        """What the name of a file ends in that is made of a source."""
        text, binary = ("ll", "bc") if "-emit-llvm" in self.flags.host else ("s", "o")
        return text if self.mode is Mode.ASSEMBLY else binary

    @property
    def has_cxx(self) -> bool:
        """Whether an input is C++."""
        return any(i.language is Language.CXX for i in self.inputs)

    @property
    def links_as_cxx(self) -> bool:
        """Whether the C++ compiler links: an input is C++, an option speaks of the C++ library, or an object may be C++
        whose sanitizers call what only that compiler links."""
        has_objects = any(not i.language.is_source for i in self.inputs)
        return self.has_cxx or self.cxx_link or (has_objects and bool(self.sanitizers))

    @property
    def kernel_optimisations(self) -> tuple[str, ...]:
        """What ``--rex-opt`` says; kernels are plain for a debugger (``-g -O0``) and for sanitizers, who follow the
        user's statements, where it says nothing else."""
        is_plain = bool(self.sanitizers) or (self.debug and self.optimization == "0")
        return (*(["0"] if is_plain else []), *self.optimisations)

    @property
    def sanitizers(self) -> frozenset[str]:
        """The names of the sanitizers that the program is built with."""
        flags = (flag.partition("=")[2] for flag in self.flags.host if flag.startswith("-fsanitize="))
        return frozenset(name for flag in flags for name in flag.split(","))

    @property
    def other_heaps(self) -> tuple[str, ...]:
        """What replaces the program's heap, so that it cannot have another."""
        sanitizers = {"address", "hwaddress", "memory", "thread", "leak"} & self.sanitizers
        return (*(["--check"] if self.checked else []), *(f"-fsanitize={name}" for name in sorted(sanitizers)))

    @property
    def for_host_alone(self) -> bool:
        """Whether the host compiler gets the whole command."""
        alone = any(source.language is Language.ALONE for source in self.inputs)
        return alone or not self.openmp or self.mode in (Mode.QUERY, Mode.DEPENDENCIES, Mode.PREPROCESS)

    @property
    def chosen_targets(self) -> frozenset[str] | None:
        """The names of the targets that the user chose; rexcc's own spelling wins over clang's and gcc's."""
        return self.targets or self.implied_targets

    def may_be_for(self, target: Target) -> bool:
        """Whether the user wants images for a target, or leaves that to us."""
        return self.chosen_targets is None or target.name in self.chosen_targets

    @property
    def known_targets(self) -> tuple[Target, ...]:
        """The targets that a command can be for."""
        return (self.device, CPU)

    @property
    def lost_in_device_code(self) -> tuple[tuple[Spelling, str], ...]:
        """The options, as written, that lose something in the device's code, and what becomes of them there."""
        return lost(self.flags.given, self.device.tools.spellings)

    def wants_remark(self, code: str) -> bool:
        """Whether remarks of this code are to be shown."""
        return self.remark_pattern is not None and re.search(self.remark_pattern, code) is not None

    def stopping_at(self, mode: Mode) -> Options:
        """Return options that go no further than ``mode``."""
        return replace(self, mode=min(self.mode, mode))

    def with_input(self, path: str) -> Options:
        """Return options with one input more at this place of the line."""
        language = language_of(path, self.forced_language)
        found = Input(path, language, len(self.inputs), self.forced_language)
        flags = self.flags.plus(To.RAW, (path,))
        return replace(self, inputs=(*self.inputs, found), link_items=(*self.link_items, found), flags=flags)

    def with_given(self, given: Given) -> Options:
        """Return options that know of one option more that was given."""
        return replace(self, flags=replace(self.flags, given=(*self.flags.given, given)))

    def with_flag(self, to: To, spelled: tuple[str, ...]) -> Options:
        """Return options with one flag more for the commands ``to``."""
        items = (*self.link_items, *spelled) if To.LINK in to else self.link_items
        return replace(self, flags=self.flags.plus(to, spelled), link_items=items)

    def with_standard_input(self, read: Callable[[str], bytes | None]) -> Options:
        """Return options that hold the text of a source that can be read only once, which ``read`` returns for its
        path; it is standard input then, whatever way the user names it."""
        asked = [i for i in self.sources if i.path == STANDARD_INPUT or i.language is not Language.HOST]
        found = [(i, data) for i in asked if i.data is None and (data := read(i.path)) is not None]
        if not found:
            return self
        if len(found) > 1:
            names = ", ".join(f"'{source.path}'" for source, _ in found)
            raise UsageError(f"only one input may be standard input or a pipe ({names}); write the others to files")
        ((source, data),) = found
        spelled = source.forced or spelling_of(source.language, source.is_preprocessed)
        known = replace(source, path=STANDARD_INPUT, forced=spelled, data=data)
        inputs = tuple(known if each == source else each for each in self.inputs)
        items = tuple(known if each == source else each for each in self.link_items)
        named = replace(self, inputs=inputs, link_items=items)
        if source.path == STANDARD_INPUT or self.output or self.mode not in (Mode.OBJECT, Mode.ASSEMBLY):
            return named
        return replace(named, output=f"{stem(source.path)}.{self.suffix}")

    def with_remark(self, text: str) -> Options:
        """Return options with one thing more for ``-v`` to tell."""
        return replace(self, remarks=(*self.remarks, text))
