"""What a library has for programs with OpenMP alone.

In: texts of a library's headers. Out: whether the directives of one stand, with what they are about, in branches that
only compilers with OpenMP read (``#ifdef _OPENMP``, or a macro that is defined in such a branch). Device files are
compiled without, so that a library that knows of devices gives them its other branch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rexcc.source.patterns import regex

_LINE = regex(r"^[ \t]*(?:\#|%:)[ \t]*(?P<word>\w+)(?P<rest>.*)")
_WORD = regex(r"[A-Za-z_]\w*")
_IS_CODE = regex(r"\s*(?!//|\#|%:)\S")
_ASKS = "_OPENMP"


def macros_of_openmp(texts: Iterable[str]) -> frozenset[str]:
    """Return the macros that headers define in branches for compilers with OpenMP, with the one by which they ask."""
    found = {_ASKS}
    for lines in [text.split("\n") for text in texts if _ASKS in text]:
        for line, is_guarded in _guarded(lines, frozenset({_ASKS})):
            match = _LINE.match(line) if is_guarded else None
            name = _WORD.search(match["rest"]) if match is not None and match["word"] == "define" else None
            found |= {name[0]} if name is not None else set()
    return frozenset(found)


def all_guarded(text: str, directive: re.Pattern[str], macros: frozenset[str]) -> bool:
    """Whether all directives of a text stand in branches for compilers with OpenMP, together with their statements."""
    lines = list(_guarded(text.split("\n"), macros))
    for at, (line, is_guarded) in enumerate(lines):
        if directive.search(line) is not None:
            behind = (below for text, below in lines[at + 1 :] if _IS_CODE.match(text) is not None)
            if not is_guarded or not next(behind, False):
                return False
    return True


def _guarded(lines: list[str], macros: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Give each line with whether it stands in a branch that needs one of some macros."""
    branches: list[bool] = []
    for line in lines:
        match = _LINE.match(line)
        word = match["word"] if match is not None else ""
        if match is not None and word in ("if", "ifdef", "ifndef"):
            branches.append(word != "ifndef" and _needs(match["rest"], macros))
        elif match is not None and word in ("elif", "else") and branches:
            branches[-1] = word == "elif" and _needs(match["rest"], macros)
        elif word == "endif" and branches:
            branches.pop()
        yield line, any(branches)


def _needs(condition: str, macros: frozenset[str]) -> bool:
    """Whether a condition holds only where one of some macros is defined."""
    parts = [] if "||" in condition else condition.split("&&")
    return any(name in macros for part in parts if "!" not in part for name in _WORD.findall(part))
