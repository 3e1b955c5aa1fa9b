"""Byte-range edits of a text.

In: insertions and replacements collected by the lowering stages. Out: the edited text, everything else unchanged.
Edits are data: they may be added in any order, must not overlap, and apply all or none. The text of an edit may quote
ranges of the text, which then stand there with their own edits, whenever those were added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from rexcc.source.records import dataclass

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


@dataclass(frozen=True)
class Quote:
    """A range of the text, which stands in an edit with all edits inside of it, on one line."""

    start: int
    end: int


Content = tuple["str | Quote", ...]
"""What an edit puts in a text: characters, and ranges of that text."""


def content(*parts: str | Quote | Content) -> Content:
    """Return parts one behind the other."""
    return tuple(one for part in parts for one in (part if isinstance(part, tuple) else (part,)))


def listed(parts: Iterable[str | Quote | Content], separator: str = ", ") -> Content:
    """Return parts with a separator between them."""
    return content(*(one for part in parts for one in (separator, part)))[1:]


@dataclass(frozen=True)
class Edit:
    """Replace ``[start, end)`` by ``content``; an insertion has ``start == end``.

    One that ``absorbs`` stands for all edits inside its range, of which only its quotations show something. An
    insertion belongs to ``owner``, the range that begins or, if it ``closes`` it, ends there.
    """

    start: int
    end: int
    content: Content
    absorbs: bool = False
    owner: tuple[int, int] = (0, 0)
    closes: bool = False
    order: int = 0

    @property
    def text(self) -> str:
        """The characters that the edit itself brings, without its quotations."""
        return "".join(part for part in self.content if isinstance(part, str))

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The order of application: by offset, and at one offset what closes ranges, what opens them, replacements.

        Ranges nest: of those that end at an offset the inner ones close first, of those that begin there the outer
        ones open first.
        """
        if self.start < self.end:
            return (self.start, 2, -self.end, 0)
        if self.closes:
            return (self.start, 0, -self.owner[0], self.order)
        return (self.start, 1, -self.owner[1], self.order)


@dataclass
class EditList:
    """Edits of one text."""

    edits: list[Edit] = field(default_factory=list)
    _replaced: set[Edit] = field(default_factory=set)

    def insert(self, offset: int, text: str) -> None:
        """Insert before the character at ``offset``, behind all that belongs to a range."""
        self.before(offset, offset, text)

    def before(self, start: int, end: int, text: str | Content) -> None:
        """Insert in front of ``[start, end)``; of several for one range the first is the outermost."""
        self.edits.append(Edit(start, start, content(text), owner=(start, end), order=len(self.edits)))

    def after(self, start: int, end: int, text: str | Content) -> None:
        """Insert behind ``[start, end)``; of several for one range the first stands first."""
        self.edits.append(Edit(end, end, content(text), owner=(start, end), closes=True, order=len(self.edits)))

    def wrap(self, start: int, end: int, before: str | Content, after: str) -> None:
        """Put text around ``[start, end)``; of several for one range the first is the outermost."""
        self.before(start, end, before)
        self.edits.append(Edit(end, end, content(after), owner=(start, end), closes=True, order=-len(self.edits)))

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace a range; an identical replacement added twice counts once."""
        self._add(Edit(start, end, (text,)))

    def rewrite(self, start: int, end: int, text: str | Quote | Content) -> None:
        """Replace a range whatever other edits are inside it; ``text`` quotes the parts whose edits shall stay."""
        self._add(Edit(start, end, content(text), absorbs=True))

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
        chosen.sort(key=lambda e: e.place)
        parts: list[Part] = []
        at, absorbed = start, False
        for edit in chosen:
            if absorbed and edit.start < at and edit.end <= at:
                continue
            if edit.start < at:
                raise ValueError(f"overlapping edits at offset {edit.start}: {edit.text!r}")
            parts.append(Part(at, edit.start, self._filled(text, edit.content)))
            at, absorbed = edit.end, edit.absorbs or (absorbed and edit.start == edit.end == at)
        return [*parts, Part(at, stop, "")]

    def on_one_line(self, text: str, start: int, end: int) -> str:
        """Return ``text[start:end]`` with the edits that lie inside it, on one line without comments."""
        return _LAID_OUT.sub(lambda m: m[1] or " ", self.apply(text, start, end))

    def _filled(self, text: str, made: Content) -> str:
        """Return the text of an edit with its quotations."""
        return "".join(part if isinstance(part, str) else self.on_one_line(text, part.start, part.end) for part in made)
