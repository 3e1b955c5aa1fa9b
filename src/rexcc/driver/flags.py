"""Compiler flags: what the user's options are in the spelling of each compiler that we start.

In: options, toolchain and the language of a file. Out: argument lists without inputs and outputs. Pure functions,
shared by the plan and by the generated makefile.
"""

from __future__ import annotations

import os
import re

from rexcc.clang.standards import DEFAULT, year_of
from rexcc.driver.command_line import Gpu, Input, Options, UsageError
from rexcc.driver.languages import Language, header_of, language_of
from rexcc.driver.toolchain import Toolchain

Arguments = tuple[str, ...]

_OF_THE_SYSTEM = frozenset(
    {"-lc", "-ldl", "-lgcc", "-lgcc_s", "-lgomp", "-lm", "-lomp", "-lpthread", "-lrt", "-lstdc++"}
)
_WHOLE_PROGRAM = frozenset({"-fwhole-program-vtables", "-fvirtual-function-elimination"})
_NVCC_LEVELS = {"": "3", "0": "0", "1": "1", "2": "2", "s": "2", "z": "2", "g": "1"}
_NO_OPTIMIZER = ("-Xcicc", "-O0")


def driver_for(toolchain: Toolchain, language: Language) -> str:
    """Return the host compiler of a language."""
    return toolchain.host.cxx if language is Language.CXX else toolchain.host.cc


def language_standard(options: Options, language: Language) -> Arguments:
    """Return ``-std=`` if the user gave one for this language."""
    standard = {Language.C: options.c_standard, Language.CXX: options.cxx_standard}.get(language)
    return (f"-std={standard}",) if standard else ()


def host_flags(options: Options, toolchain: Toolchain, source: Input) -> Arguments:
    """Return the flags for compiling a user's file, rewritten or not."""
    if not _may_have_pragmas(source):
        return options.flags.host
    clang = options.flags.clang if toolchain.host.family == "clang" else ()
    standard = language_standard(options, source.language)
    return (*options.flags.host, *clang, *standard, "-fopenmp", "-isystem", toolchain.include)


def rewritten_flags(options: Options, toolchain: Toolchain, source: Input, forced: Arguments) -> Arguments:
    """Return the flags for compiling a rewritten file, which includes the headers ``forced`` itself, rewritten too."""
    words = iter(host_flags(options, toolchain, source))
    found: list[str] = []
    for word in words:
        if not word.startswith("-include"):
            found.append(word)
            continue
        option = "-include-pch" if word == "-include-pch" else "-include"
        path = word.removeprefix(option) or next(words, "")
        if path == "-Xclang" and found[-1:] == ["-Xclang"]:
            found.pop()
            path = next(words, "")
        path = header_of(path) if option == "-include-pch" else path
        if not any(name == path or name.endswith(f"/{path}") for name in forced):
            found += ["-include", path]
    return tuple(found)


def _may_have_pragmas(source: Input) -> bool:
    return source.language in (Language.C, Language.CXX) or source.path.endswith((".i", ".ii"))


def language_selection(source: Input) -> Arguments:
    """Return ``-x`` for a file whose name does not tell the language it is compiled in."""
    if source.forced is None or language_of(source.path, None) is source.language is not Language.HOST:
        return ()
    return ("-x", source.forced)


def contract_flags(options: Options, toolchain: Toolchain, image_folder: str) -> Arguments:
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
    """Return the standard of C++ in which the CPU device's image is compiled: the user's, from 11 to 20.

    Without one of his, and for programs in C, whose device text is the compiler's own, that is 17. GPUs have at least
    17: nvcc compiles functions of the standard library for them only where they are constexpr, such as those of
    ``std::array`` from 17 on.
    """
    if language is not Language.CXX or not options.cxx_standard:
        return DEFAULT
    return min(max(year_of(options.cxx_standard), 11), 20)


def nvcc_flags(options: Options, toolchain: Toolchain, language: Language) -> Arguments:
    """Return nvcc's flags for a device file, without the architecture.

    Of unused variables the host compiler speaks, where it is asked to: a kernel has names that its region may not need,
    and a loop's index may have the name of the variable that gets its last value. Where overflow has to wrap, nvcc's
    optimizer, which takes it for impossible, is left out; PTX's arithmetic wraps.
    """
    standard = max(17, device_standard(options, language))
    flags = [f"-O{_nvcc_level(options)}", f"-std=c++{standard}", "--expt-relaxed-constexpr"]
    flags.append("-diag-suppress=177,550,780")
    if any(gpu is Gpu.UNOPTIMIZED for gpu, _ in options.gpu_words):
        flags += _NO_OPTIMIZER
    if language is Language.CXX:
        flags.append("--extended-lambda")
    if options.fast_math:
        flags.append("--use_fast_math")
    if options.debug:
        flags.append("-lineinfo")
    if toolchain.host_for_nvcc:
        flags += ["-ccbin", toolchain.host_for_nvcc]
    return (*flags, *options.flags.nvcc, "-isystem", toolchain.include)


def _nvcc_level(options: Options) -> str:
    return _NVCC_LEVELS.get(options.optimization or "", "3")


def cpu_image_flags(options: Options, toolchain: Toolchain, language: Language) -> Arguments:
    """Return the host C++ compiler's flags for compiling the CPU device's image."""
    level = () if options.optimization is not None or options.debug else ("-O3",)
    standard = f"-std=gnu++{device_standard(options, language)}"
    shared = ("-fPIC", "-fvisibility=default", "-pthread", "-w")
    unique: Arguments = ("-fno-gnu-unique",) if toolchain.host.family == "gcc" else ()
    if toolchain.host.family == "clang" and any(flag.startswith("-fsanitize") for flag in options.flags.cpu):
        unique = ("-fno-sanitize-link-runtime",)  # the program has it
    return (*level, *options.flags.cpu, standard, *shared, *unique, "-isystem", toolchain.include)


def cpu_link_flags() -> Arguments:
    """Return the host C++ compiler's flags for linking the CPU device's image.

    The image keeps its own copies of everything: it must not bind to the program's variables of the same name. It stays
    loaded to the end (nodelete), because its worker threads do.
    """
    return ("-shared", "-Wl,-Bsymbolic,-z,nodelete")


def helper_flags(options: Options, toolchain: Toolchain) -> Arguments:
    """Return the flags for compiling ``register_cubin.cpp``, usable in programs and in shared libraries."""
    llvm = f"-DREX_LLVM_VERSION={toolchain.llvm_version}"
    common = ("-O2", "-std=c++17", "-fPIC", "-fvisibility=hidden")
    chosen = (("WAIT", options.wait), ("INIT", options.init))
    defaults = (f"-DREX_DEFAULT_{name}={choice}" for name, choice in chosen if choice)
    return (*common, *options.flags.abi, "-isystem", toolchain.include, llvm, *defaults)


def link_driver(options: Options, toolchain: Toolchain) -> str:
    """Return the compiler that links: the C++ one if an input is C++ or an option speaks of the C++ library."""
    return toolchain.host.cxx if options.has_cxx or options.cxx_link else toolchain.host.cc


def runtime_libraries(options: Options, toolchain: Toolchain, helper: str) -> Arguments:
    """Return what a program with OpenMP needs at the end of the linker's command line.

    Everything is linked only as needed, so that a program without kernels does not depend on any of it.
    """
    if not options.runtime_libraries:
        return ()
    if not toolchain.runtime:
        return ("-fopenmp",)
    cxx = () if options.cxx_link else ("-lstdc++",)
    libraries = (toolchain.runtime.omptarget, toolchain.runtime.omp, *cxx, "-lm", "-lpthread", "-ldl")
    as_needed = ("-Wl,--push-state,--as-needed", helper, *libraries, "-Wl,--pop-state")
    return (*as_needed, f"-Wl,-rpath,{toolchain.runtime.folder}", *unread_libraries(options))


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
