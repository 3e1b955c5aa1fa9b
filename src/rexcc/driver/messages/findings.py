"""Findings of rexcc and of the compilers behind it in one form, for documents that programs read.

In: diagnostics, and the text that would have gone to standard error. Out: :class:`Entry` values with lines and columns
instead of spans. Columns count characters, so that editors find the place in lines that are not ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rexcc.driver.messages.host_messages import FIX
from rexcc.source.diagnostics import Diagnostic, Fixes, Note
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, replace
from rexcc.source.text import SourceText, Span, readable

_PLACED = regex(
    r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal |catastrophic )?"
    r"(?P<kind>error|warning|note|remark)(?: #[\w-]+)?: (?P<message>.*?)(?: \[(?P<code>[^\]]+)\])?"
)
_UNPLACED = regex(r"(?P<tool>[^\s:]+): (?:fatal )?(?P<kind>error|warning|note|remark): (?P<message>.*)")
_COUNT = regex(r"\d+ (?:errors?|warnings?)(?: and \d+ errors?)? generated\.")
_ESCAPE = regex(r"\\(.)")
_AROUND = (" ", "In file included from", "In function", "In member function")


@dataclass(frozen=True)
class Region:
    """A range of a file; lines and columns count from 1, the end is behind the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""


@dataclass(frozen=True)
class Replacement:
    """A fix-it: the range to replace and what to put there."""

    region: Region
    text: str


@dataclass(frozen=True)
class Entry:
    """One finding. ``code`` is empty where a message has none; notes are entries without notes of their own."""

    kind: str
    message: str
    code: str = ""
    region: Region | None = None
    notes: tuple[Entry, ...] = ()
    fixes: tuple[Replacement, ...] = ()


def entry_of(diagnostic: Diagnostic) -> Entry:
    """Return a diagnostic as an entry."""
    return Entry(
        diagnostic.severity.value,
        readable(diagnostic.message),
        diagnostic.code,
        _region(diagnostic.span),
        (
            *map(_note, diagnostic.notes),
            *map(_inclusion, diagnostic.included),
        ),
        _replacements(diagnostic.fixes),
    )


def _note(note: Note) -> Entry:
    return Entry("note", readable(note.message), region=_region(note.span), fixes=_replacements(note.fixes))


def _inclusion(line: Span) -> Entry:
    return Entry("note", "included here", region=_whole(line))


def _replacements(fixes: Fixes) -> tuple[Replacement, ...]:
    return tuple(Replacement(_whole(fix.span), readable(fix.replacement)) for fix in fixes)


def _region(span: Span | None) -> Region | None:
    return _whole(span) if span is not None else None


def _whole(span: Span) -> Region:
    line, column = _position(span.source, span.start)
    end_line, end_column = _position(span.source, span.end)
    return Region(readable(span.source.users_path(span.start)), line, column, end_line, end_column, readable(span.text))


def _position(source: SourceText, offset: int) -> tuple[int, int]:
    start = source.line_start(source.line_column(offset)[0])
    return source.users_line(offset), len(readable(source.text[start:offset])) + 1


def entries_of_text(text: str) -> Iterator[Entry]:
    """Read the messages of compilers and of the driver; other lines make a note of their own.

    The source lines and carets that follow a message are left out: the message's place says the same.
    """
    last: Entry | None = None
    for found in _messages(text.splitlines()):
        if found.kind == "note" and found.region is not None and last is not None:
            last = replace(last, notes=(*last.notes, found))
            continue
        if last is not None:
            yield last
        last = found
    if last is not None:
        yield last


def _messages(lines: Iterable[str]) -> Iterator[Entry]:
    found: list[Entry] = []
    for line in lines:
        placed, unplaced, fix = _PLACED.fullmatch(line), _UNPLACED.fullmatch(line), FIX.fullmatch(line)
        if placed:
            at, column = int(placed["line"]), int(placed["column"] or 1)
            region = Region(placed["file"], at, column, at, column)
            found.append(Entry(placed["kind"], placed["message"], placed["code"] or "", region))
        elif unplaced:
            tool = "" if unplaced["tool"] == "rexcc" else f"{unplaced['tool']}: "
            found.append(Entry(unplaced["kind"], tool + unplaced["message"]))
        elif fix and found:
            found[-1] = replace(found[-1], fixes=(*found[-1].fixes, _fix_of(fix)))
        elif line.strip() and not line.startswith(_AROUND) and not _COUNT.fullmatch(line):
            found.append(Entry("note", line.strip()))
    yield from found


def _fix_of(match: re.Match[str]) -> Replacement:
    """Return a mending that a compiler has printed."""
    start, end = (int(match["line"]), int(match["column"])), (int(match["end_line"]), int(match["end_column"]))
    return Replacement(Region(match["file"], *start, *end), _ESCAPE.sub(r"\1", match["text"]))
