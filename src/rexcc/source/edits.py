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
    r"(\"(?:\\[\s\S]|[^\"\\\n])*\"|'(?:\\[\s\S]|[^'\\\n])+')|(?:/\*[\s\S]*?\*/|//[^\n]*|\s*\\?\r?\n\s*(?:#line\b[^\n]*)?)+"
)
_LINE_DIRECTIVE = re.compile(r'(?:^|\n)#line \d+ "(?:[^"\\\n]|\\.)*"$')


@dataclass(frozen=True)
class Part:
    """A part of an edited text: ``[start, end)`` of the text as it was, and what edits put behind it."""

    start: int
    end: int
    added: str


def separated(text: str, parts: list[Part]) -> list[tuple[str, str]]:
    """Return the characters of parts; a ``#line`` that an edit ends with has a line of its own, whatever another edit
    at the same place put behind it."""
    found: list[tuple[str, str]] = []
    behind_directive = False
    for part in parts:
        both: list[str] = []
        for is_added, characters in enumerate((text[part.start : part.end], part.added)):
            if behind_directive and characters.strip(" \t"):
                behind_directive = False
                if not characters.lstrip(" \t\r").startswith("\n"):
                    characters = f"\n{characters}"
            both.append(characters)
            if is_added and characters.endswith('"'):
                behind_directive = _LINE_DIRECTIVE.search(characters) is not None
        found.append((both[0], both[1]))
    return found


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
        pairs = separated(text, self.parts(text, start, len(text) if end is None else end))
        return "".join([characters for pair in pairs for characters in pair])

    def parts(self, text: str, start: int, stop: int) -> list[Part]:
        """Return what ``text[start:stop]`` is made of with the edits that lie inside it; nothing follows the last."""
        chosen = [e for e in self.edits if start <= e.start and e.end <= stop]
        chosen.sort(key=lambda e: (e.start, e.end != e.start, e.rank, -e.end))
        parts: list[Part] = []
        at, absorbed = start, False
        for edit in chosen:
            if absorbed and edit.start < at and edit.end <= at:
                continue
            if edit.start < at:
                raise ValueError(f"overlapping edits at offset {edit.start}: {edit.text!r}")
            parts.append(Part(at, edit.start, self._filled(text, edit.text)))
            at, absorbed = edit.end, edit.absorbs or (absorbed and edit.start == edit.end == at)
        return [*parts, Part(at, stop, "")]

    def _filled(self, text: str, wanted: str) -> str:
        """Return the text of an edit with its quotations, each on one line."""

        def quoted(mark: re.Match[str]) -> str:
            found = self.apply(text, int(mark[1]), int(mark[2]))
            return _LAID_OUT.sub(lambda m: m[1] or " ", found)

        return _MARK.sub(quoted, wanted)
