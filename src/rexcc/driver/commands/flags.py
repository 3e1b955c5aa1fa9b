"""Compiler flags: what the user's options are in the spelling of each compiler that we start.

In: options, toolchain and the language of a file. Out: argument lists without inputs and outputs. Pure functions,
shared by the plan and by the generated makefile.
"""

from __future__ import annotations

import os
import re

from rexcc.clang.standards import DEFAULT, year_of
from rexcc.driver.commands.shadowing_folders import behind_systems
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Input, Mode, UsageError
from rexcc.driver.options.languages import Language, language_of
from rexcc.driver.tools.toolchain import ARCHIVES, REQUIRED_HEAP, Toolchain
from rexcc.target.commands import Arguments, CommandLine
from rexcc.target.cpu import TELLING_COPIES, telling_accesses

_OF_THE_SYSTEM = frozenset(
    {"-lc", "-ldl", "-lgcc", "-lgcc_s", "-lgomp", "-lm", "-lomp", "-lpthread", "-lrt", "-lstdc++"}
)
_OF_PREPROCESSOR = ("-include-pch", "-include", "-imacros", "-D", "-U")
_FOR_IMAGES = ("__tsan_*", "__sanitizer_cov_*", "__wrap_*", "rex_check_*", "ompt_start_tool")
CHECKING = tuple(f"-Wl,--export-dynamic-symbol={name}" for name in _FOR_IMAGES)
"""The images call the checking runtime, and libomp looks for a tool of the program's."""
HEAP_WORDS = ("-Wl,-u,rex_program_memory_for", "-Wl,--export-dynamic-symbol=rex_program_memory_for")
"""The heap is taken although nobody calls it by this name, by which libraries with target regions find it."""
_WHOLE_PROGRAM = frozenset({"-fwhole-program-vtables", "-fvirtual-function-elimination"})


def driver_for(toolchain: Toolchain, language: Language) -> str:
    """Return the host compiler of a language."""
    return toolchain.host.cxx if language is Language.CXX else toolchain.host.cc


def language_standard(options: Options, language: Language) -> Arguments:
    """Return ``-std=`` if the user gave one for this language."""
    standard = {Language.C: options.c_standard, Language.CXX: options.cxx_standard}.get(language)
    return (f"-std={standard}",) if standard else ()


def host_flags(options: Options, toolchain: Toolchain, source: Input) -> Arguments:
    """Return the flags for compiling a user's file, rewritten or not."""
    if source.language not in (Language.C, Language.CXX):
        return (*options.flags.host, *of_one_step(options, toolchain))
    clang = options.flags.clang if toolchain.host.family == "clang" else ()
    standard = language_standard(options, source.language)
    include = () if source.is_preprocessed else ("-isystem", toolchain.include)
    checked = _checked_on_host(toolchain.host.family) if options.checked else ()
    return (*options.flags.host, *clang, *standard, "-fopenmp", *checked, *include, *of_one_step(options, toolchain))


def of_one_step(options: Options, toolchain: Toolchain) -> Arguments:
    """Return what each command gets besides where the user's compiles and links in one: some options are for the other.

    clang calls an option unused that a step has no use for, which ``-Werror`` makes an error; of the whole command it
    is not true.
    """
    is_one = options.mode is Mode.LINK and bool(options.sources)
    return ("-Wno-unused-command-line-argument",) if is_one and toolchain.host.family == "clang" else ()


def _checked_on_host(family: str) -> Arguments:
    """Return the options that tell the checking runtime of the host's accesses.

    Under -fsanitize=thread clang leaves out elements of local arrays, which no thread but this one can know; a device
    may have a copy. All loads and stores are told as for coverage.
    """
    all_accesses = ("-fsanitize-coverage=func,trace-loads,trace-stores",) if family == "clang" else ()
    return (*telling_accesses(family), *all_accesses)


def rewritten_flags(options: Options, toolchain: Toolchain, source: Input, forced: Arguments) -> Arguments:
    """Return the flags for compiling a rewritten file, which includes the headers ``forced`` itself, rewritten too."""
    if source.is_preprocessed:
        return (*without_macros(host_flags(options, toolchain, source)), "-isystem", toolchain.include)
    words = iter(host_flags(options, toolchain, source))
    found, precompiled = list[str](), list[str]()
    for word in words:
        if not word.startswith("-include"):
            found.append(word)
            continue
        option = "-include-pch" if word == "-include-pch" else "-include"
        path = word.removeprefix(option) or next(words, "")
        if path == "-Xclang" and found[-1:] == ["-Xclang"]:
            found.pop()
            path = next(words, "")
        if option == "-include" and path in precompiled:  # as build systems do for compilers that read text
            continue
        if option == "-include-pch":
            path = dict(options.precompiled).get(path, path)
            precompiled.append(path)
        if not any(name == path or name.endswith(f"/{path}") for name in forced):
            found += ["-include", path]
    return tuple(found)


def without_macros(words: Arguments) -> Arguments:
    """Return options without the user's macros and headers, which preprocessed text has in it; reserved names stay,
    for they choose what the system's headers declare."""
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        option = next((o for o in _OF_PREPROCESSOR if word.startswith(o)), "")
        value = (word.removeprefix(option) or next(rest, "")) if option else ""
        if option == "-D" and value.startswith("_"):
            found.append(f"-D{value}")
        elif not option:
            found.append(word)
    return tuple(found)


def rewritten_language(source: Input) -> Arguments:
    """Return ``-x`` for the rewritten file of a source."""
    return ("-x", source.language.value) if source.is_preprocessed else language_selection(source)


def language_selection(source: Input) -> Arguments:
    """Return ``-x`` for a file whose name does not tell the language it is compiled in."""
    named = language_of(source.path, None) is source.language is not Language.HOST and not source.is_preprocessed
    if source.forced is None or named:
        return ()
    return ("-x", source.forced)


def contract_flags(toolchain: Toolchain, image_folder: str) -> Arguments:
    """Return the macros that a rewritten file needs."""
    return (f"-DREX_LLVM_VERSION={toolchain.llvm_version}", f'-DREX_IMAGE_DIR="{_in_string(_in_string(image_folder))}"')


def without_link_time_optimization(options: Options) -> Arguments:
    """Return what makes a finished object of a rewritten file that is linked by a later command.

    Link-time optimisation assembles what embeds the images only when it links, and they are gone by then. Where the
    whole program must take part in it, the file cannot stay out.
    """
    last = next((flag for flag in reversed(options.flags.host) if flag.startswith(("-flto", "-fno-lto"))), "-fno-lto")
    if last == "-fno-lto":
        return ()
    for flag in options.flags.host:
        if flag in _WHOLE_PROGRAM or flag.startswith("-fsanitize=cfi"):
            raise UsageError(f"{flag} needs all files at link time: compile and link target regions in one command")
    return ("-fno-lto",)


def _in_string(text: str) -> str:
    """Return text as it stands between quotes, for a compiler or, once more, for the assembler behind it."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def quote_folder(path: str) -> Arguments:
    """Return what lets a rewritten file find the headers beside the user's file."""
    return ("-iquote", os.path.dirname(path) or ".")  # noqa: PTH120 - the spelling of the user's path is kept


def device_standard(options: Options, language: Language) -> int:
    """Return the standard of C++ in which device files are compiled: the user's, from 11 on.

    Without one of his, and for programs in C, whose device text is the compiler's own, that is 17. A target may need a
    later one, or know none as late.
    """
    if language is not Language.CXX or not options.cxx_standard:
        return DEFAULT
    return max(year_of(options.cxx_standard), 11)


def for_device_code(options: Options, language: Language) -> CommandLine:
    """Return what the command line says to the compilers of device files made of sources in a language."""
    line = CommandLine(
        given=options.flags.given,
        own=options.flags.cpu,
        abi=options.flags.abi,
        optimization=options.optimization,
        debug=options.debug,
        fast_math=options.fast_math,
        standard=device_standard(options, language),
        is_cxx=language is Language.CXX,
        checked=options.checked,
        links_whole=options.links_whole,
    )
    return behind_systems(line)


def helper_flags(options: Options, toolchain: Toolchain) -> Arguments:
    """Return the flags for compiling the runtime's helper, usable in programs and in shared libraries."""
    llvm = f"-DREX_LLVM_VERSION={toolchain.llvm_version}"
    common = ("-O2", "-std=c++17", "-fPIC", "-fvisibility=hidden")
    chosen = (("WAIT", options.wait), ("INIT", options.init))
    defaults = (f"-DREX_DEFAULT_{name}={choice}" for name, choice in chosen if choice)
    return (*common, *options.flags.abi, "-isystem", toolchain.include, llvm, *defaults)


def archive_flags(name: str) -> Arguments:
    """Return what the source of an archive is told besides: heaps of different memory are one source."""
    kind = name.removeprefix("librex").removesuffix(".a")
    macros = {"pinned": "-DREX_MEMORY_WANTED=REX_MEMORY_PINNED", REQUIRED_HEAP: "-DREX_MEMORY_FOR_REQUIRED=1"}
    return (macros[kind],) if kind in macros else ()


def link_driver(options: Options, toolchain: Toolchain) -> str:
    """Return the compiler that links."""
    return toolchain.host.cxx if options.links_as_cxx else toolchain.host.cc


def archives(options: Options) -> Arguments:
    """Return the names of the archives that a program is linked with."""
    names = {"librexcc.a", *(["librexcheck.a"] if options.checked else []), *heap_archives(options)}
    return tuple(name for name in ARCHIVES if name in names)


def heap_archives(options: Options) -> Arguments:
    """Return the archive of the program's own heap, which a shared library uses and does not bring."""
    return (f"librex{options.memory}.a",) if options.memory and "-shared" not in options.link_items else ()


def runtime_libraries(options: Options, toolchain: Toolchain, helpers: Arguments) -> Arguments:
    """Return what a program with OpenMP needs at the end of the linker's command line.

    Everything is linked only as needed, so that a program without kernels does not depend on any of it. Where the user
    names the standard libraries, as libtool does, they stand in front of ours, which need what C's has in an archive.
    """
    if options.is_static:
        return static_libraries(toolchain)
    if not options.runtime_libraries:
        return ()
    if not toolchain.runtime:
        return ("-fopenmp",)
    cxx = () if options.cxx_link and options.standard_libraries else ("-lstdc++",)
    rest = () if options.standard_libraries else ("-lgcc_s", "-lgcc", "-lc")
    libraries = (toolchain.runtime.omptarget, toolchain.runtime.omp, *cxx, "-lm", "-lpthread", "-ldl", *rest)
    checking = (*TELLING_COPIES, *CHECKING) if options.checked else ()
    heap = HEAP_WORDS if heap_archives(options) else ()
    as_needed = (*heap, "-Wl,--push-state,--as-needed", *helpers, *libraries, "-Wl,--pop-state")
    paths = (f"-Wl,-rpath,{folder}" for folder in toolchain.runtime.folders)
    return (*as_needed, *paths, *unread_libraries(options), *checking, *of_one_step(options, toolchain))


def static_libraries(toolchain: Toolchain) -> Arguments:
    """Return the OpenMP runtime of a static program, as far as there is an archive of it; it has no target regions."""
    if toolchain.host.family == "gcc":
        return ("-fopenmp",)
    archive = toolchain.runtime.archive if toolchain.runtime else ""
    return (archive, "-lpthread", "-lrt", "-ldl", "-lm") if archive else ()


def unread_libraries(options: Options) -> Arguments:
    """Return what keeps the linker from reading the libraries that shared libraries need.

    GNU's linker does so only to tell which of their symbols nobody defines, and libomptarget needs libLLVM, which is
    most of the time that a link takes (docs/decisions/037-short-commands.md). The user's own shared libraries are to be
    looked at, and what he says to the linker himself counts.
    """
    own = any(_may_bring_a_library(i if isinstance(i, str) else i.path) for i in options.link_items)
    return () if own else ("-Wl,--allow-shlib-undefined",)


def _may_bring_a_library(item: str) -> bool:
    if item.startswith(("-Wl,", "-Xlinker", "-l", "-fuse-ld", "-z", "-T", "@")):
        return item not in _OF_THE_SYSTEM
    return re.search(r"\.so(\.[0-9.]+)?$", item) is not None
