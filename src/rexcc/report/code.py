"""Code as HTML, word by word: comments, literals, directives and keywords have a look of their own.

In: lines of C, C++ or a device's language, which adds words between underscores. Out: HTML for each line. A comment of
several lines is one in each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.report.html import Html, element, joined, text
from rexcc.source.lexical import LITERAL
from rexcc.source.patterns import regex

_KEYWORDS = (
    "alignas auto bool break case char class const constexpr continue default delete do double else enum extern false "
    "float for goto if inline int long namespace new nullptr operator private public register restrict return short "
    "signed sizeof static struct switch template this true typedef typename union unsigned using void volatile while"
)
_PARTS = regex(
    rf"(?P<comment>//.*|/\*.*?(?:\*/|$))|(?P<literal>{LITERAL})|(?P<directive>^\s*#\s*\w+)"
    rf"|(?P<keyword>\b(?:{'|'.join(_KEYWORDS.split())}|__[a-z]\w*__)\b)"
)
_CLASSES = {"comment": "c", "literal": "s", "directive": "p", "keyword": "k"}
_END = "*/"


def highlighted(lines: Iterable[str]) -> Iterator[Html]:
    """Yield each line as HTML."""
    in_comment = False
    for line in lines:
        head = Html()
        if in_comment:
            comment, end, line = line.partition(_END)
            head = element("i", comment + end, class_="c") if comment + end else head
            in_comment = not end
            if in_comment:
                yield head
                continue
        parts, last = list(_parts(line)), line.rfind("/*")
        in_comment = last >= 0 and _END not in line[last + 2 :] and _is_comment(line, last)
        yield joined((head, *parts))


def _parts(line: str) -> Iterator[Html]:
    at = 0
    for match in _PARTS.finditer(line):
        yield text(line[at : match.start()])
        yield element("i", match[0], class_=_CLASSES[match.lastgroup or "comment"])
        at = match.end()
    yield text(line[at:])


def _is_comment(line: str, at: int) -> bool:
    """Whether the last comment of a line begins at an offset."""
    found = [m for m in _PARTS.finditer(line) if m.start() <= at < m.end()]
    return bool(found) and found[0].lastgroup == "comment" and found[0].start() == at
