"""What stands around a statement in the user's text: pragmas that speak of it, and its parent's own words.

In: a statement, and the offsets where it starts and ends. Out: where pragmas in front of it begin, and whether lines
can stand there and behind it. In front there may be a statement, a line of the preprocessor, a label, or what the
parent begins with (``if (...)``, ``else``, ``do``). Anything else may belong to the statement, or to another one: a
macro may be a pragma, as in ``UNROLLED for (...)``, and ``else`` may be a part of one.
"""

from __future__ import annotations

import re

from rexcc.clang.tree import Node
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.statements import header_close
from rexcc.source.lexical import BLANK, SPLICE
from rexcc.source.patterns import regex

_GAP = rf"(?:{SPLICE}|[ \t])*"
_PRAGMA = regex(
    rf"(?:^[ \t]*(?:\#|%:){_GAP}pragma(?!{_GAP}(?:omp|STDC|clang{_GAP}fp)\b)(?:{SPLICE}|[^\n])*"
    rf"|_Pragma\s*\(\s*(?:L|u8|u|U)?\"(?!\s*omp\b)[^\n\"]*(?:\\\"[^\n\"]*)*\"\s*\))\s*\Z",
    re.MULTILINE,
)
"""A pragma of the host compiler's, which speaks of the statement behind it; others belong to the block around them."""
_LINE = regex(rf"^[ \t]*(?:\#|%:)(?:{SPLICE}|[^\n])*\s*\Z", re.MULTILINE)
_ENDS = frozenset(";{}:")
"""What is in front of a statement of a block, where nothing else there belongs to it; a line of the preprocessor is."""
_WORDS = regex(r"\b(?:else|do)\Z|:\Z")
"""What is in front of a statement that stands for a block, but for the header of its parent."""
_LONGEST_WORD = len("else")
_BLANK = regex(BLANK)
_MOST_LINES = 4
"""The tokens of a pragma that is an operator may each have a line: its name, two parentheses, and the text."""
_WITH_HEADERS = frozenset({"IF_STMT", "FOR_STMT", "WHILE_STMT", "CXX_FOR_RANGE_STMT", "SWITCH_STMT"})


def first_pragma(file: ProbedFile, start: int) -> int:
    """Return where the pragmas begin that stand in front of a statement, which starts at an offset; itself if none."""
    code = file.scan.code
    while (pragma := _PRAGMA.search(code, _start_of_last_lines(code, start), start)) is not None:
        start = pragma.start() + len(pragma[0]) - len(pragma[0].lstrip())
    return start


def _start_of_last_lines(text: str, end: int) -> int:
    """Return where the lines begin that a pragma or another line of the preprocessor may have which ends in front of an
    offset, but for blanks: the last few that have anything, and those that a backslash joins with them. So a text is
    read once for all of its statements."""
    start, lines = end, 0
    while start > 0:
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before:start]
        lines += bool(line.strip())
        start = before
        if lines >= _MOST_LINES and not _is_joined(text, start):
            break
    return start


def _is_joined(text: str, start: int) -> bool:
    """Whether a backslash joins a line to the one in front of it."""
    return text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : start].rstrip().endswith("\\")


def can_stand_in_front(file: ProbedFile, statement: Node, start: int, in_block: bool) -> bool:
    """Whether nothing in front of an offset belongs to the statement that starts there."""
    statement = _whole(statement)
    before, parent = file.scan.code[:start].rstrip(), statement.parent
    if _has_pragma_above(before):
        return False
    if in_block or (parent is not None and parent.kind == "COMPOUND_STMT"):
        return before[-1:] in _ENDS or _last_line(before) is not None
    if any(site.end == len(before) for site in file.scan.pragmas):  # a construct, whose statement it is
        return True
    while (line := _last_line(before)) is not None:
        before = before[: line.start()].rstrip()
    if _WORDS.search(before, max(len(before) - _LONGEST_WORD, 0)) is not None:
        return True
    if parent is None or parent.kind not in _WITH_HEADERS or parent.file != statement.file:
        return False
    return header_close(file, parent) == len(before)


def _has_pragma_above(before: str) -> bool:
    """Whether lines of the preprocessor that end a text, such as ``#endif``, have a pragma among them."""
    while _PRAGMA.search(before, _start_of_last_lines(before, len(before))) is None:
        line = _last_line(before)
        if line is None:
            return False
        before = before[: line.start()].rstrip()
    return True


def _last_line(text: str) -> re.Match[str] | None:
    """Return the line of the preprocessor that ends a text."""
    return _LINE.search(text, _start_of_last_lines(text, len(text)))


def can_stand_behind(file: ProbedFile, statement: Node, end: int, in_block: bool) -> bool:
    """Whether what the parent says behind a statement, which ends at an offset, is no part of a macro that is in it."""
    statement = _whole(statement)
    parent = statement.parent
    if in_block or parent is None or parent.children[-1] is statement:
        return True
    word = {"IF_STMT": "else", "DO_STMT": "while"}.get(parent.kind)
    found = _BLANK.match(file.scan.source.text, end)
    return word is None or (found is not None and file.scan.source.text.startswith(word, found.end()))


def _whole(statement: Node) -> Node:
    """Return a statement with its attributes, as which clang takes pragmas that it knows."""
    while statement.parent is not None and statement.parent.kind == "UNEXPOSED_STMT":
        statement = statement.parent
    return statement
