"""What stands in front of a statement in the user's text: pragmas that speak of it, or its parent.

In: a statement, and the offset where it starts. Out: where pragmas in front of it begin, and whether lines can stand
there: behind a statement, a line of the preprocessor, a label, or the header of the parent. Anything else may belong to
the statement: a macro may be a pragma, as in ``UNROLLED for (...)``.
"""

from __future__ import annotations

import re

from rexcc.clang.tree import Node
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.statements import header_close
from rexcc.source.lexical import SPLICE
from rexcc.source.patterns import regex

_GAP = rf"(?:{SPLICE}|[ \t])*"
_PRAGMA = regex(
    rf"(?:^[ \t]*(?:\#|%:){_GAP}pragma(?!{_GAP}(?:omp|STDC|clang{_GAP}fp)\b)(?:{SPLICE}|[^\n])*"
    rf"|_Pragma\s*\(\s*(?:L|u8|u|U)?\"(?!\s*omp\b)[^\n\"]*(?:\\\"[^\n\"]*)*\"\s*\))\s*\Z",
    re.MULTILINE,
)
"""A pragma of the host compiler's, which speaks of the statement behind it; others belong to the block around them."""
_ENDS = regex(rf"(?:[;{{}}:]|\b(?:else|do)|^[ \t]*(?:\#|%:)(?:{SPLICE}|[^\n])*)\s*\Z", re.MULTILINE)
"""What is in front of a statement, where nothing else there belongs to it."""
_WITH_HEADERS = frozenset({"IF_STMT", "FOR_STMT", "WHILE_STMT", "CXX_FOR_RANGE_STMT", "SWITCH_STMT"})


def first_pragma(file: ProbedFile, start: int) -> int:
    """Return where the pragmas begin that stand in front of a statement, which starts at an offset; itself if none."""
    while (pragma := _PRAGMA.search(file.scan.code, 0, start)) is not None:
        start = pragma.start() + len(pragma[0]) - len(pragma[0].lstrip())
    return start


def can_stand_in_front(file: ProbedFile, statement: Node, start: int, in_block: bool) -> bool:
    """Whether nothing in front of an offset belongs to the statement that starts there."""
    before = file.scan.code[:start].rstrip()
    if _ENDS.search(before) is not None:
        return True
    parent = statement.parent
    if in_block or not before.endswith(")") or parent is None:
        return False
    if any(site.end == len(before) for site in file.scan.pragmas):  # `_Pragma("omp parallel")`
        return True
    return parent.kind in _WITH_HEADERS and parent.file == statement.file and header_close(file, parent) == len(before)
