"""Where each character of a generated text comes from: marks that edits leave while a program is translated.

In: the translation of a program under :func:`traced`. Out: texts with marks, which :func:`unmarked` takes out again:
the text as it is without them, and the ranges that are copies of the user's text. What a mark is made of stands in no
text, is neither a letter nor white space, and so changes nothing that looks at the text; the caller compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from rexcc.resolution import rewriting
from rexcc.source import edits as editing
from rexcc.source.text import SourceText

_OPEN, _CLOSE, _ZERO = "\ue000", "\ue001", 0xE010
_KINDS = {"start": "\ue002", "end": "\ue003", "inside": "\ue004"}
_MARK = re.compile(f"{_OPEN}([\ue010-\ue019]+)([\ue002-\ue004]){_CLOSE}")
_ANCHOR = re.compile(r"[;,=\[(](?=.*\w)")


@dataclass(frozen=True)
class Copy:
    """A range of a text that stands in a generated one."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Mark:
    """A mark's place in the text without marks, and the copy that starts, ends or goes on there."""

    at: int
    copy: Copy
    kind: str
    offset: int


@dataclass
class Trace:
    """What was copied and rewritten; ``rewritten`` are the texts that stages have made of others."""

    copies: list[tuple[Copy, int]] = field(default_factory=list)
    rewritten: dict[int, tuple[SourceText, SourceText, tuple[Any, ...]]] = field(default_factory=dict)
    quiet: int = 0

    def mark(self, copy: Copy, kind: str, offset: int) -> str:
        """Return a mark for a place of a copy."""
        self.copies.append((copy, offset))
        digits = "".join(chr(_ZERO + int(d)) for d in str(len(self.copies) - 1))
        return f"{_OPEN}{digits}{_KINDS[kind]}{_CLOSE}"

    def unmarked(self, text: str) -> tuple[str, list[Mark]]:
        """Return a text without its marks, and these."""
        parts: list[str] = []
        marks: list[Mark] = []
        at = length = 0
        kinds = {sign: kind for kind, sign in _KINDS.items()}
        for match in _MARK.finditer(text):
            parts.append(text[at : match.start()])
            length += len(parts[-1])
            at = match.end()
            copy, offset = self.copies[int("".join(str(ord(c) - _ZERO) for c in match[1]))]
            marks.append(Mark(length, copy, kinds[match[2]], offset))
        return "".join([*parts, text[at:]]), marks


@contextmanager
def traced() -> Iterator[Trace]:
    """Let edits mark what they copy."""
    trace = Trace()
    plain_line, made, pieces_of = editing.EditList.on_one_line, rewriting.SourceText, rewriting._pieces
    plain_tree = editing.EditList.tree
    last: list[tuple[SourceText, tuple[Any, ...]]] = []

    def tree(
        edits: editing.EditList, text: str, start: int, stop: int, around: editing.Edit | None = None
    ) -> list[str | editing.Edit]:
        found = plain_tree(edits, text, start, stop, around)
        if trace.quiet:
            return found
        parts = edits.parts(start, stop, around)
        copies = iter([Copy(text, part.start, part.end) for part in parts])
        if len(parts) == 1:
            return [_anchored(trace, next(copies), str(found[0]))]
        marked: list[str | editing.Edit] = []
        for number, piece in enumerate(found):
            if number % 2 or not isinstance(piece, str):
                marked.append(piece)
                continue
            copy, lead = next(copies), len(piece) - len(piece.lstrip())
            has_code = piece.strip(" \t\n{};")
            start_mark = trace.mark(copy, "start", copy.start + lead) if number and has_code else ""
            end_mark = trace.mark(copy, "end", copy.end) if number + 1 < len(found) and has_code else ""
            marked.append(f"{piece[:lead]}{start_mark}{piece[lead:]}{end_mark}")
        return marked

    def on_one_line(edits: editing.EditList, text: str, start: int, end: int) -> str:
        trace.quiet += 1
        try:
            return plain_line(edits, text, start, end)
        finally:
            trace.quiet -= 1

    def pieces(source: SourceText, replacements: Any) -> Iterator[Any]:
        last.append((source, tuple(pieces_of(source, replacements))))
        return iter(last[-1][1])

    def text_of(*arguments: Any, **named: Any) -> SourceText:
        result = made(*arguments, **named)
        trace.rewritten[id(result)] = (result, *last[-1])
        return result

    with (
        mock.patch.object(editing.EditList, "tree", tree),
        mock.patch.object(editing.EditList, "on_one_line", on_one_line),
        mock.patch.object(rewriting, "_pieces", pieces),
        mock.patch.object(rewriting, "SourceText", text_of),
    ):
        yield trace


def _anchored(trace: Trace, copy: Copy, text: str) -> str:
    """Return a text without edits with a mark inside, where nothing looks."""
    found = _ANCHOR.search(text)
    if found is None:
        return text
    at = found.end()
    return text[:at] + trace.mark(copy, "inside", copy.start + at) + text[at:]
