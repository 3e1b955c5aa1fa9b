"""Which language an input is in.

In: a file name and the ``-x`` in force. Out: a :class:`Language`. Only C and C++ are translated, preprocessed or not;
other inputs belong to the host compiler (assembler, other languages) or to the linker (objects, archives, anything
unknown).
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path, PurePath

STANDARD_INPUT = "-"
"""The input that is not a file."""
_OPEN_FILES = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""What a process has open, which under these names is other files of the compilers that it starts."""


class Language(Enum):
    """What the driver does with an input depends on this only; the value is the spelling of ``-x``."""

    C = "c"
    CXX = "c++"
    HOST = "host"
    """Compiled by the host compiler as it is."""
    ALONE = "alone"
    """Makes the host compiler get the whole command: headers to precompile, modules, CUDA."""
    LINK = "link"
    """Handed to the linker."""

    @property
    def is_source(self) -> bool:
        """Whether a compiler, not only the linker, has to read the input."""
        return self is not Language.LINK


_SUFFIXES = {
    **dict.fromkeys((".c", ".i"), Language.C),
    **dict.fromkeys((".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii"), Language.CXX),
    **dict.fromkeys((".s", ".S", ".sx", ".ll", ".bc", ".m", ".mm", ".f", ".f90", ".F90"), Language.HOST),
    **dict.fromkeys((".h", ".hh", ".hpp", ".hxx", ".H", ".cu", ".cppm", ".ixx", ".pcm"), Language.ALONE),
}
_PREPROCESSED = {"cpp-output": Language.C, "c++-cpp-output": Language.CXX}
_FORCED_ALONE = ("-header", "-header-unit", "-system-header", "-user-header", "-module", "cuda", "hip")


def language_of(path: str, forced: str | None) -> Language:
    """Return the language of an input; ``forced`` is the value of the last ``-x``, None without one."""
    if forced is None and path == STANDARD_INPUT:
        return Language.ALONE  # without -x it is an error, which the host compiler tells
    if forced is None:
        return _SUFFIXES.get(PurePath(path).suffix, Language.LINK)
    if forced in (Language.C.value, Language.CXX.value):
        return Language(forced)
    if forced in _PREPROCESSED:
        return _PREPROCESSED[forced]
    return Language.ALONE if forced.endswith(_FORCED_ALONE) else Language.HOST


def is_preprocessed(path: str, forced: str | None) -> bool:
    """Whether an input is what a preprocessor has written."""
    return forced in _PREPROCESSED if forced is not None else path.endswith((".i", ".ii"))


def is_read_once(path: str) -> bool:
    """Whether what an input names cannot be opened again: standard input, a pipe."""
    return path == STANDARD_INPUT or path.startswith(_OPEN_FILES) or Path(path).is_fifo()


def spelling_of(language: Language, preprocessed: bool) -> str:
    """Return the value of ``-x`` for a file of C or C++."""
    known = (word for word, meant in _PREPROCESSED.items() if meant is language and preprocessed)
    return next(known, language.value)


def header_of(precompiled: str) -> str:
    """Return the header that a file was made of, as compilers name what they make of one: ``pre.h.pch``."""
    return precompiled.removesuffix(".pch").removesuffix(".gch")


def stem(path: str) -> str:
    """Return the base name without its last suffix, as compilers name an output after an input."""
    return PurePath(path).stem
