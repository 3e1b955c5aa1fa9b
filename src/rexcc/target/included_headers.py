"""Whose headers a device file includes, as far as their names tell.

In: the text of a device file. Out: the names of headers, as they are written in its inclusions; which of them are ours,
and which are C's or the system's.
"""

from __future__ import annotations

import re

from rexcc.source.patterns import regex

_INCLUDED = regex(r"^[ \t]*(?:\#|%:)[ \t]*(?:include(?:_next)?|import)\b[ \t]*(?P<name>[^\n]*)", re.MULTILINE)
_OURS = regex(r"\"(?:rex_|xomp_)\w+\.(?:h|cu)\"")
_NAMES = (
    "alloca assert complex ctype dirent errno fcntl fenv float getopt inttypes libgen limits locale malloc math memory "
    "pthread sched setjmp signal stdalign stdarg stdbool stddef stdint stdio stdlib string strings sys/mman "
    "sys/resource sys/stat sys/time sys/times sys/types tgmath threads time uchar unistd values wchar wctype"
)
_OF_C = frozenset(f"<{name}.h>" for name in _NAMES.split())


def headers_beside_c(text: str) -> list[str]:
    """Return the names of headers that are neither ours nor C's or the system's."""
    return [name for name in headers_beside(text) if name not in _OF_C]


def headers_beside(text: str) -> list[str]:
    """Return the names of headers that are not ours."""
    names = (match["name"].split("//")[0].strip() for match in _INCLUDED.finditer(text))
    return [name for name in names if _OURS.fullmatch(name) is None]
