"""Macros that a rewritten file has no use of, but the user's has: in directives, and in what hides some.

In: the user's text and the rewritten one. Out: lines that ask whether such macros are defined, which compilers take for
a use (``-Wunused-macros``).
"""

from __future__ import annotations

import re

from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING, SPLICE
from rexcc.source.patterns import regex
from rexcc.source.text import SourceText

_DEFINITION = regex(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)$", re.MULTILINE)
_NO_CODE = regex(rf"{RAW_STRING}|{COMMENT}|{LITERAL}")
_SPLICE = regex(SPLICE)
_WORD = regex(r"[^\W\d]\w*")


def asking_lines(source: SourceText, rewritten: str) -> list[str]:
    """Return the lines for the macros that the user's text, of which ``source`` is made, uses, and the other not."""
    while source.pieces:
        source = source.pieces[0].place.source
    if "define" not in source.text:
        return []
    unused = _used(source.text, in_strings=True) - _used(rewritten, in_strings=False)
    return [line for name in sorted(unused) for line in (f"#ifdef {name}", "#endif")]


def _used(text: str, in_strings: bool) -> set[str]:
    """Return the macros of a text that it names, themselves or by others; ``_Pragma`` has names in strings."""
    plain = _NO_CODE.sub(lambda m: m[0] if in_strings and not m[0].startswith(("/*", "//")) else " ", text)
    plain = _SPLICE.sub(" ", plain)
    bodies: dict[str, str] = dict(_DEFINITION.findall(plain))
    waiting = bodies.keys() & set(_WORD.findall(_DEFINITION.sub("", plain)))
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= (bodies.keys() & set(_WORD.findall(bodies[name]))) - found
    return found
