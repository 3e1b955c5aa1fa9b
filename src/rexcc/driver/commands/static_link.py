"""Programs that are linked without the shared libraries that target regions need.

In: options, what the linker has said. Out: an error before anything is compiled, or notes that say what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode, UsageError
from rexcc.source.patterns import regex

_OURS = regex(rb"undefined [^\n]*rex_offload_init")
_OPENMP = b"__kmpc_"
_NEEDED = "target regions need LLVM's libomptarget, which is a shared library"


def refuse_regions(options: Options) -> None:
    """Refuse to link a program with target regions statically."""
    if options.is_static and options.mode is Mode.LINK:
        others = "leave -static out (-static-libgcc and -static-libstdc++ are fine)"
        raise UsageError(f"{_NEEDED}: {others}, or leave the regions to the host with -foffload=disable")


def notes(options: Options, said: Sequence[bytes]) -> Iterator[str]:
    """Yield what is to be said of a failed link, whose linker may miss symbols."""
    if any(map(_OURS.search, said)):
        yield f"{_NEEDED}; -static and -static-pie leave it out"
    elif options.is_static and any(_OPENMP in text for text in said):
        yield "OpenMP needs LLVM's libomp, of which there is no archive here; gcc has one: --host-compiler=gcc"
