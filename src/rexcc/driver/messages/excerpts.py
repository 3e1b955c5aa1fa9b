"""Messages of devices' compilers with the user's line and a caret.

In: a message that begins with a place, ``file:line: error: text [code]``. Out: the same as a diagnostic, at the column
that it names, or at the first name that it quotes: what such a compiler shows is a line of generated text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rexcc.source.diagnostics import Diagnostic, Severity, render
from rexcc.source.patterns import regex
from rexcc.source.text import SourceText, Span, inside
from rexcc.target.messages import function_name

Read = Callable[[str], bytes | None]

_PLACED = regex(
    r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<kind>error|warning): "
    r"(?P<text>.*?) \[(?P<code>[\w-]+)\]"
)
_QUOTED = regex(r"'([^']+)'")
_WORD = regex(r"\w+")
_BLANKS = regex(r"\s*")


def with_excerpt(message: str, read: Read) -> str:
    """Return a message with the line that it is about; one without a place in a file that is there stays as it is."""
    match = _PLACED.fullmatch(message)
    data = read(match["file"]) if match is not None else None
    if match is None or data is None:
        return message
    source = SourceText.from_bytes(inside(match["file"]), data)
    line = int(match["line"])
    if not source.line_text(line).strip():
        return message
    start, end = _columns(source.line_text(line), match["text"], int(match["column"] or 0))
    first = source.line_start(line)
    return render(
        Diagnostic(Severity(match["kind"]), match["code"], match["text"], Span(source, first + start, first + end))
    )


def _columns(line: str, text: str, column: int) -> tuple[int, int]:
    """Return the characters of a line that a message is about."""
    if column:
        word = _WORD.match(line, column - 1)
        return column - 1, word.end() if word is not None else column
    for quoted in _QUOTED.findall(text):
        name = function_name(quoted)
        found = re.search(rf"(?<!\w){re.escape(inside(name))}(?!\w)", line) if name else None
        if found is not None:
            return found.span()
    blanks = _BLANKS.match(line)
    start = blanks.end() if blanks is not None else 0
    return start, len(line.rstrip())
