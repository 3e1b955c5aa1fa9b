"""Byte-range edits of a text.

In: insertions and replacements collected by the lowering stages. Out: the edited text, everything else unchanged.
Edits are data: they may be added in any order, must not overlap, and apply all or none. The text of an edit may quote
ranges of the text, which then stand there with their own edits, whenever those were added.
"""

from __future__ import annotations

import re
from dataclasses import field

from rexcc.source.records import dataclass

_MARK = re.compile("[\u0416\u2039](\\d+)[\u0416\u203a:](\\d+)[\u0416\u203a]")
_LAID_OUT = re.compile(
    r"(\"(?:\\[\s\S]|[^\"\\\n])*\"|'(?:\\[\s\S]|[^'\\\n])+')|(?:/\*[\s\S]*?\*/|//[^\n]*|\s*\\?\r?\n\s*)+"
)
_LINE_DIRECTIVE = re.compile(r'(?:^|\n)#line \d+ "(?:[^"\\\n]|\\.)*"$')


def _joined(parts: list[str]) -> str:
    """Return parts of the text, each followed by that of an edit, as one; a ``#line`` that an edit ends with has a line
    of its own, whatever another edit at the same place put behind it."""
    found: list[str] = []
    behind_directive = False
    for position, part in enumerate(parts):
        if behind_directive and part.strip(" \t"):
            if not part.lstrip(" \t\r").startswith("\n"):
                found.append("\n")
            behind_directive = False
        found.append(part)
        if position % 2 == 1 and part.endswith('"'):
            behind_directive = _LINE_DIRECTIVE.search(part) is not None
    return "".join(found)


def quote(text: str, start: int, end: int) -> str:
    """Return a mark that stands, in the text of an edit, for a range of ``text`` with the edits inside it.

    The marks' characters are in no text, whose characters are bytes; that of a plain word counts as a word too.
    """
    if re.fullmatch(r"\w+", text[start:end]):
        return f"\u0416{start}\u0416{end}\u0416"
    return f"\u2039{start}:{end}\u203a"


@dataclass(frozen=True)
class Edit:
    """Replace ``[start, end)`` by ``text``; an insertion has ``start == end``.

    At one offset insertions apply by ``rank``, then in the order they were added, and before a replacement there. One
    that ``absorbs`` stands for all edits inside its range, of which only its quotations show something.
    """

    start: int
    end: int
    text: str
    rank: int = 0
    absorbs: bool = False


@dataclass
class EditList:
    """Edits of one text."""

    edits: list[Edit] = field(default_factory=list)
    _replaced: set[Edit] = field(default_factory=set)

    def insert(self, offset: int, text: str, rank: int = 0) -> None:
        """Insert before the character at ``offset``."""
        self.edits.append(Edit(offset, offset, text, rank))

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace a range; an identical replacement added twice counts once."""
        self._add(Edit(start, end, text))

    def rewrite(self, start: int, end: int, text: str) -> None:
        """Replace a range whatever other edits are inside it; ``text`` quotes the parts whose edits shall stay."""
        self._add(Edit(start, end, text, absorbs=True))

    def _add(self, edit: Edit) -> None:
        if edit not in self._replaced:
            self._replaced.add(edit)
            self.edits.append(edit)

    def apply(self, text: str, start: int = 0, end: int | None = None) -> str:
        """Return ``text[start:end]`` with the edits that lie inside it.

        Raises ValueError where two edits overlap: a defect of the compiler, never of the user's program.
        """
        stop = len(text) if end is None else end
        chosen = [e for e in self.edits if start <= e.start and e.end <= stop]
        chosen.sort(key=lambda e: (e.start, e.end != e.start, e.rank, -e.end))
        parts: list[str] = []
        at, absorbed = start, False
        for edit in chosen:
            if absorbed and edit.start < at and edit.end <= at:
                continue
            if edit.start < at:
                raise ValueError(f"overlapping edits at offset {edit.start}: {edit.text!r}")
            parts += [text[at : edit.start], self._filled(text, edit.text)]
            at, absorbed = edit.end, edit.absorbs or (absorbed and edit.start == edit.end == at)
        parts.append(text[at:stop])
        return _joined(parts)

    def _filled(self, text: str, wanted: str) -> str:
        """Return the text of an edit with its quotations, each on one line."""

        def quoted(mark: re.Match[str]) -> str:
            found = self.apply(text, int(mark[1]), int(mark[2]))
            return _LAID_OUT.sub(lambda m: m[1] or " ", found)

        return _MARK.sub(quoted, wanted)
