"""The compiler as one function: source text in, generated files and diagnostics out.

In: one translation unit and typed options. Out: :class:`Translation`. No file is written and no process started here;
user files are read through the ``read_file`` function that the driver passes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rexcc.source.diagnostics import Diagnostic


@dataclass(frozen=True)
class TranslateOptions:
    """What the translation of one file depends on; equal options and files give equal bytes.

    ``clang_arguments`` are the preprocessing and language flags of the command line in clang's spelling (``-I``, ``-D``,
    ``-U``, ``-include``, ``-isystem``, ``-iquote``, ``-std``), ``system_includes`` the host compiler's own directories.
    ``architectures`` are GPU architectures such as ``sm_90``; empty for a host-only build. ``cpu_device`` asks for the
    CPU device's image. ``scheduler`` is ``direct`` (grid-stride loops, XOMP where loop facts are missing) or ``xomp``.
    """

    language: str
    clang_arguments: tuple[str, ...] = ()
    system_includes: tuple[str, ...] = ()
    architectures: tuple[str, ...] = ("sm_90",)
    cpu_device: bool = True
    scheduler: str = "direct"


@dataclass(frozen=True)
class GeneratedFile:
    """A file to write: its name and its text, one character per byte (Latin-1)."""

    name: str
    text: str


@dataclass(frozen=True)
class Translation:
    """The result for one translation unit.

    ``has_offload`` is False for a file without target constructs: there are no files then and the driver hands the
    user's own file to the host compiler. Otherwise ``host`` is the rewritten source (``rose_nn.c``), ``device`` the
    kernels (``rex_lib_nn.cu``, None when the file has data constructs only), ``cpu_device`` the CPU device's entry points
    (``rex_host_nn.cpp``), ``headers`` rewritten user headers. ``image_names`` are the names that ``host`` embeds with
    ``.incbin``, one per architecture and one for the CPU device, in the order cubins then ``.so``: pairs of
    (architecture or ``host``, file name).
    """

    has_offload: bool
    diagnostics: tuple[Diagnostic, ...]
    host: GeneratedFile | None = None
    device: GeneratedFile | None = None
    cpu_device: GeneratedFile | None = None
    headers: tuple[GeneratedFile, ...] = ()
    image_names: tuple[tuple[str, str], ...] = ()


ReadFile = Callable[[str], bytes | None]
"""Reads a file by path; None when there is none. The only way the pipeline sees the file system, libclang aside."""


def translate(path: str, options: TranslateOptions, read_file: ReadFile) -> Translation:
    """Translate one C or C++ file.

    ``path`` is spelled as the user spelled it. Errors are in the result's diagnostics (then there are no files);
    raises only on a defect of the compiler.
    """
    raise NotImplementedError
