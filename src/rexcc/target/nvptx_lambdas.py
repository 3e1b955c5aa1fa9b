"""Whether a device file may have lambdas that are marked as device code, which nvcc knows only when it is asked to.

In: the text of a device file. Out: yes or no. Lambdas in device functions need no mark: those of the user's program
have none, unless a library's macro gives it to them. nvcc's option for marked ones brings ``<functional>`` into every
file, so it is given only where one may be: between the brackets and the body, in a macro, or in a header that is not
the language's own or the system's.
"""

from __future__ import annotations

import re

from rexcc.source.lexical import BLANK
from rexcc.source.patterns import regex

_WORDS = r"__(?:device|host|global)__"
_MARKED = regex(
    rf"[\])]{BLANK}(?:(?:mutable|noexcept|constexpr)\b{BLANK})*{_WORDS}"
    rf"|^[ \t]*(?:\#|%:)[ \t]*define\b(?:\\[ \t]*\r?\n|[^\n])*{_WORDS}"
    r"|__CUDACC_EXTENDED_LAMBDA__|__nv_is_extended",
    re.MULTILINE,
)
_INCLUDED = regex(r"^[ \t]*(?:\#|%:)[ \t]*include\b[ \t]*(?P<name>[^\n]*)", re.MULTILINE)
_OURS = regex(r"\"(?:rex_|xomp_)\w+\.(?:h|cu)\"")
_OF_CXX = regex(r"<\w+>")
_NAMES = (
    "alloca assert complex ctype dirent errno fcntl fenv float getopt inttypes libgen limits locale malloc math memory "
    "pthread sched setjmp signal stdalign stdarg stdbool stddef stdint stdio stdlib string strings sys/mman "
    "sys/resource sys/stat sys/time sys/times sys/types tgmath threads time uchar unistd values wchar wctype"
)
_OF_C = frozenset(f"<{name}.h>" for name in _NAMES.split())


def may_mark_lambdas(text: str) -> bool:
    """Whether a lambda of a device file may be marked."""
    names = (match["name"].split("//")[0].strip() for match in _INCLUDED.finditer(text))
    return _MARKED.search(text) is not None or not all(map(_is_plain, names))


def _is_plain(name: str) -> bool:
    """Whether a header has no macros for lambdas."""
    return name in _OF_C or _OF_CXX.fullmatch(name) is not None or _OURS.fullmatch(name) is not None
