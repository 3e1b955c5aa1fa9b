"""The types that device code has for C's complex numbers: ``rex_complex_double`` for ``double complex``.

In: device text of a unit in C, the user's and generated. Out: the same with one name in place of the words of each such
type, which may stand in any order among other specifiers. nvcc lacks the type; ``rex_device_complex.h`` says what
the name means to which compiler.
"""

from __future__ import annotations

import re

from rexcc.source.lexical import BLANK, COMMENT, LITERAL
from rexcc.source.patterns import regex

_KEYWORDS = ("_Complex", "__complex__", "__complex")
_REAL = {"double": "rex_complex_double", "float": "rex_complex_float"}
_BESIDE = (
    "const volatile static extern inline register auto typedef restrict __restrict__ __restrict __inline __inline__ "
    "__const __(?!real__|imag__)[a-z]+__ long "
    "constexpr thread_local return sizeof else do case goto"
)
"""Words, as patterns, beside a complex type that are no type themselves."""
_NO_CODE = rf"{COMMENT}|{LITERAL}|^[ \t]*#(?![ \t]*define\b)[^\n]*"
_WORD = regex(r"[^\W\d]\w*")


class ComplexWords:
    """``words`` are those that make a type complex, macros for them among them; ``reals`` macros for its parts."""

    def __init__(self, words: tuple[str, ...], reals: tuple[str, ...]) -> None:
        word = "|".join(map(re.escape, words))
        self._words = frozenset(words)
        self._reals = {**_REAL, **{name: f"rex_complex_of<{name}>::type" for name in reals}}
        beside = rf"(?:{word}|{'|'.join(map(re.escape, self._reals))}|{'|'.join(_BESIDE.split())})"
        self._asked = re.compile(rf"\b(?:{word})\b")
        self._defining = rf"^[ \t]*#[ \t]*define[ \t]+\w+[ \t]+(?:{word}|{'|'.join(self._reals)})[ \t]*$"
        self._pattern = re.compile(
            rf"{_NO_CODE}|{self._defining}|^[ \t]*#[ \t]*define[ \t]+\w+(?:\([^)\n]*\))?"
            rf"|(?<![\w$.])(?P<types>{beside}\b(?:{BLANK}\b{beside}\b(?![$]))*)"
            rf"|\b(?P<macro>[^\W\d]\w*)(?P<blank>\s+)(?:{word})\b",
            re.M,
        )

    def applied(self, text: str) -> str:
        """Return device text with these names."""
        return self._pattern.sub(self._changed, text) if self._asked.search(text) else text

    def _changed(self, match: re.Match[str]) -> str:
        if match["macro"]:  # of which the preprocessor makes a type
            return f"rex_complex_of<{match['macro']}>::type"
        found = match["types"]
        if found is None or not self._asked.search(found):
            return match[0]
        spans = [m for m in _WORD.finditer(found) if not self._is_in_comment(found, m.start())]
        own = [m for m in spans if m[0] in self._words]
        reals = [m for m in spans if m[0] in self._reals]
        if not own or len(reals) > 1 or any(m[0] == "long" for m in spans):
            return match[0]
        name = self._reals[reals[0][0]] if reals else _REAL["double"]
        gone = reals[0] if reals else None
        parts, at = [], 0
        for m in spans:
            if m is own[0] or m is gone:
                first = gone is None or m.start() == min(own[0].start(), gone.start())
                parts += [found[at : m.start()], name if first else ""]
                at = m.end() if first else _behind_blank(found, m)
                if not first:
                    parts[-2] = parts[-2].rstrip(" \t") if at == len(found) else parts[-2]
        return "".join((*parts, found[at:]))

    @staticmethod
    def _is_in_comment(text: str, at: int) -> bool:
        return any(m.start() <= at < m.end() for m in _COMMENT.finditer(text))


_COMMENT = regex(COMMENT)


def _behind_blank(text: str, word: re.Match[str]) -> int:
    """Return where the text goes on without a word and the blanks behind it."""
    end = word.end()
    while end < len(text) and text[end] in " \t":
        end += 1
    return end


def complex_words(has_header: bool, macros: list[str]) -> ComplexWords:
    """Return what finds the types in a unit's device text; ``has_header``: <complex.h> makes ``complex`` a word of the
    language; ``macros`` are the texts of macros, name and body."""
    words = [*_KEYWORDS, "complex"] if has_header else list(_KEYWORDS)
    reals: list[str] = []
    for text in macros:
        name, _, body = text.strip().partition(" ")
        if body.strip() in words:
            words.append(name)
        elif body.strip() in _REAL or body.strip() in reals:
            reals.append(name)
    return ComplexWords(tuple(words), tuple(reals))
