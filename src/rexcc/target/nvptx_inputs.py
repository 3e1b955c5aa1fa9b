"""What nvcc reads as it compiles a device file: asked for in the same run, and the tools that it starts.

In: the words of a command. Out: further words by which the preprocessor behind nvcc writes a rule of make with the
files that it reads; nothing for a command of which it is not known that its image follows from these files, its words
and the tools. nvcc's own ``-MD`` would preprocess a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rexcc.source.patterns import regex

_PLAIN = regex(
    r"-cubin|-ltoir|-dlto|-rdc=true|-arch=(?:sm|compute|lto)_\w+|-O[0-3]|-std=c\+\+\d+|--expt-relaxed-constexpr|-diag-suppress=[\d,]+|"
    r"-[DUI].+|-w|-fmad=(?:true|false)|-?-use_fast_math|--extended-lambda|-maxrregcount=\d+"
)
"""Options that decide about an image by themselves, and by the files that they have read."""
_WITH_VALUE = {
    "-isystem": regex(r".+"),
    "-ccbin": regex(r"/.+"),
    "-Xcicc": regex(r"-O[0-3]"),
    "-Xcompiler": regex(r"-funsigned-char"),
    "-Xptxas": regex(
        r"-v|--verbose|-O[0-4]|--override-directive-values|-(?:dlcm|dscm)=\w+|--(?:def-load|def-store)-cache=\w+"
    ),
}
_DIVIDES = regex(r"[\s,'\"\\$#:]")
"""What a path cannot have that nvcc hands on as one of several words, and make's rules as it is."""
_HEADER = regex(r"(?:(?P<bin>.*/bin)/\.\./(?:targets/[^/]+/)?|(?P<root>.*)/)include/(?:cuda_runtime|vector_types)\.h")
"""A header that every compilation reads."""
_TOOLS = ("bin/nvcc", "bin/nvcc.profile", "bin/ptxas", "nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc")


def listing(words: Sequence[str], path: str) -> tuple[str, ...]:
    """Return the words that have the files listed at a path which a command with some words reads."""
    return ("-Xcompiler", f"-MD,-MF,{path}") if _all_known(words) and not _DIVIDES.search(path) else ()


def _all_known(words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(_known(word, rest) for word in rest)


def _known(word: str, rest: Iterator[str]) -> bool:
    value = _WITH_VALUE.get(word)
    return bool(_PLAIN.fullmatch(word) if value is None else value.fullmatch(next(rest, "")))


def tools_behind(words: Sequence[str], files: Sequence[str]) -> tuple[str, ...]:
    """Return the compiler that reads the files for nvcc, and the tools and libraries of nvcc's installation: that whose
    header is the first among the files; nothing without it. nvcc names its headers by its own folder, also where a
    script has started it, and looks there first for a compiler that the words do not name."""
    found = next((match for match in map(_HEADER.fullmatch, files) if match), None)
    if found is None:
        return ()
    root = f"{found['bin']}/.." if found["bin"] else found["root"]
    named = [following for word, following in pairwise(words) if word == "-ccbin"]
    usual = f"{root}/nvvm/bin/gcc:{root}/bin/gcc:gcc"
    return (named[-1] if named else usual, *(f"{root}/{name}" for name in _TOOLS))
