"""Names beyond ASCII: not all compilers of device code take them for functions and variables of the device.

In: the declarations that device text is made of. Out: device text in which such functions and variables have names
of ASCII letters, everywhere; literals and comments keep what they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.source.text import ascii_name

_WORD = re.compile(
    r"//(?:\\\r?\n|[^\n])*|/\*[\s\S]*?\*/|\b(?:L|u8|u|U)?R\"(?P<mark>[^()\\\s]{0,16})\([\s\S]*?\)(?P=mark)\""
    r"|\"(?:\\[\s\S]|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\[\s\S]|[^'\\\n])+'"
    r"|^[ \t]*#(?![ \t]*define\b)[^\n]*|(?P<word>[^\W\d][\w$]*)",
    re.MULTILINE,
)


class AsciiNames:
    """The functions and variables in declarations whose names have other letters."""

    def __init__(self, declared: Iterable[Node], kept: Iterable[str] = ()) -> None:
        nodes = (n for top in declared for n in top.walk())
        found = {n.spelling for n in nodes if n.kind in FUNCTION_KINDS or n.kind == "VAR_DECL"}
        self._names = {name: ascii_name(name) for name in found - set(kept) if not name.isascii()}

    def applied(self, text: str) -> str:
        """Return text with the names of device code."""
        if not self._names:
            return text
        return _WORD.sub(lambda m: self._names.get(m["word"], m[0]) if m["word"] else m[0], text)
