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
from rexcc.target.included_headers import headers_beside_c

_WORDS = r"__(?:device|host|global)__"
_MARKED = regex(
    rf"[\])]{BLANK}(?:(?:mutable|noexcept|constexpr)\b{BLANK})*{_WORDS}"
    rf"|^[ \t]*(?:\#|%:)[ \t]*define\b(?:\\[ \t]*\r?\n|[^\n])*{_WORDS}"
    r"|__CUDACC_EXTENDED_LAMBDA__|__nv_is_extended",
    re.MULTILINE,
)
_OF_CXX = regex(r"<\w+>")


def may_mark_lambdas(text: str) -> bool:
    """Whether a lambda of a device file may be marked."""
    return _MARKED.search(text) is not None or not all(map(_OF_CXX.fullmatch, headers_beside_c(text)))
