"""Folders of the user's that have headers called as the C library's are, which include these and change something.

In: what a command line says to the compilers of device files. Out: the same with such folders behind the system's.
Device files have the text of the user's headers already. What they include themselves is the system's, and CUDA's,
which does not compile with another library's names (gnulib: ``#define printf rpl_printf``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from rexcc.source.records import replace
from rexcc.target.commands import Arguments, CommandLine, Given

_HEADERS = (
    "assert.h", "ctype.h", "errno.h", "fcntl.h", "fenv.h", "float.h", "inttypes.h", "limits.h", "locale.h", "math.h",
    "pthread.h", "signal.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h",
    "strings.h", "time.h", "unistd.h", "wchar.h", "wctype.h",
)  # fmt: skip
_OF_CXX = "vector"
"""What a folder has that is a C++ library itself."""
_BEFORE, _BEHIND = ("-I", "-isystem"), "-idirafter"


def behind_systems(line: CommandLine) -> CommandLine:
    """Return what a command line says, with the folders in an order in which the system's headers come first."""
    folders = [given.value for given in line.given if given.spelling in _BEFORE]
    shadowing = frozenset(filter(_shadows, dict.fromkeys(folders)))
    if not shadowing:
        return line
    given = (_moved(option) if option.value in shadowing else option for option in line.given)
    return replace(line, given=tuple(given), own=tuple(_own(line.own, shadowing)))


def _shadows(folder: str) -> bool:
    return any(Path(folder, name).is_file() for name in _HEADERS) and not Path(folder, _OF_CXX).is_file()


def _moved(option: Given) -> Given:
    if option.spelling not in _BEFORE:
        return option
    return replace(option, spelling=_BEHIND, argument=f"{_BEHIND}{option.value}")


def _own(words: Arguments, shadowing: Collection[str]) -> Iterator[str]:
    """Yield a compiler's words, of which a folder may be a part or the next one."""
    joined = {f"{option}{folder}": folder for folder in shadowing for option in _BEFORE}
    rest = iter(words)
    for word in rest:
        if word in _BEFORE:
            folder = next(rest, "")
            yield from (_BEHIND if folder in shadowing else word, folder)
        elif word in joined:
            yield from (_BEHIND, joined[word])
        else:
            yield word
