"""Byte-range edits of a text.

In: insertions and replacements collected by the lowering stages. Out: the edited text, everything else unchanged.
Edits are data: they may be added in any order, must not overlap, and apply all or none. The text of an edit may quote
ranges of the text, which then stand there with their own edits, whenever those were added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from rexcc.source.lexical import COMMENT, LITERAL
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field, replace

_LAID_OUT = regex(rf"({LITERAL})|(?:{COMMENT}|\s*\\?\r?\n\s*(?:#line\b[^\n]*)?)+")
_LINE_DIRECTIVE = regex(r'(?:^|\n)#line \d+ "(?:[^"\\\n]|\\.)*"$')


def separated(pieces: Iterable[str]) -> list[str]:
    """Return the pieces of a text; a ``#line`` that one ends with has a line of its own, whatever stands behind it."""
    found: list[str] = []
    behind_directive = False
    for piece in pieces:
        if behind_directive and piece.strip(" \t"):
            behind_directive = False
            if not piece.lstrip(" \t\r").startswith("\n"):
                piece = f"\n{piece}"
        found.append(piece)
        if piece.endswith('"'):
            behind_directive = _LINE_DIRECTIVE.search(piece) is not None
    return found


@dataclass(frozen=True)
class Quote:
    """A range of the text, which stands in an edit with all edits inside of it, on one line."""

    start: int
    end: int


Quoted = Callable[[int, int], str]
"""Gives a range of a text with the edits inside of it, its lines kept."""


class Structure(Protocol):
    """What is more than characters and stands in the place of a range; some of that may stay in it."""

    @property
    def kept(self) -> Quote | None:
        """The range that stays."""

    def text(self, quoted: Quoted) -> str:
        """Return it as text."""


Content = tuple["str | Quote | Structure", ...]
"""What an edit puts in a text: characters, ranges of that text, and structures of both."""


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
        return "".join(_own(part) for part in self.content)

    @property
    def structure(self) -> Structure | None:
        """The structure that the edit puts there, if it is one: that stands alone."""
        first = self.content[0] if self.content else ""
        return None if isinstance(first, str | Quote) else first

    @property
    def replaced(self) -> tuple[tuple[int, int], ...]:
        """The ranges that the edit replaces: not what stays of the range of a structure."""
        kept = self.structure.kept if self.structure is not None else None
        return ((self.start, self.end),) if kept is None else ((self.start, kept.start), (kept.end, self.end))

    @property
    def _keeps_all(self) -> bool:
        """Whether the edit is a structure around all of its range."""
        return self.structure is not None and self.structure.kept == Quote(self.start, self.end)

    def belongs_to(self, start: int, end: int) -> bool:
        """Whether an edit at the ends of a range is for something inside of it, not for something around it."""
        if self.closes:
            return self.start < end or self.owner[0] >= start
        return self.start > start or self.start < self.end or self.owner[1] <= end

    def holds(self, other: Edit) -> bool:
        """Whether another edit lies inside of the range of this one.

        Of two for one range the one around all of it is the outer one, the first if both are. What a pair of insertions
        puts around the same range lies inside if it came later.
        """
        if other.start < other.end:
            if (other.start, other.end) == (self.start, self.end):
                return self._keeps_all and (not other._keeps_all or other.order > self.order)
            return self.start <= other.start and other.end <= self.end
        kept = self.structure.kept if self.structure is not None else None
        if other.closes and other.start == self.end:
            later = self._keeps_all and other.owner[0] == self.start and -other.order > self.order
            is_inside = other.owner[0] > self.start or later
            return is_inside and (kept is None or kept.end == self.end or other.owner[0] >= kept.end)
        if not other.closes and other.start == self.start:
            later = (self._keeps_all or kept is None) and other.owner[1] == self.end and other.order > self.order
            is_inside = other.owner[1] < self.end or later
            return is_inside and self.structure is not None and (kept is None or kept.start == self.start)
        return self.start < other.start < self.end

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The order of application: by offset, and at one offset what closes ranges, what opens them, replacements.

        Ranges nest: of those that end at an offset the inner ones close first, of those that begin there the outer
        ones open first.
        """
        if self.start < self.end:
            return (self.start, 2, -self.end, self.order)
        if self.closes:
            return (self.start, 0, -self.owner[0], self.order)
        return (self.start, 1, -self.owner[1], self.order)


@dataclass(frozen=True)
class Part:
    """A part of an edited text: ``[start, end)`` of the text as it was, and the edit behind it."""

    start: int
    end: int
    edit: Edit | None = None


OUTERMOST = -1
"""The order of an edit that stands around all others of its range, whenever those were made."""


@dataclass
class EditList:
    """Edits of one text."""

    edits: list[Edit] = field(default_factory=list)
    _order: int = 0
    _replaced: set[Edit] = field(default_factory=set)

    def insert(self, offset: int, text: str) -> None:
        """Insert before the character at ``offset``, behind all that belongs to a range."""
        self.before(offset, offset, text)

    def before(self, start: int, end: int, text: str | Content) -> None:
        """Insert in front of ``[start, end)``; of several for one range the first is the outermost."""
        self.edits.append(Edit(start, start, content(text), owner=(start, end), order=self.next_order()))

    def after(self, start: int, end: int, text: str | Content) -> None:
        """Insert behind ``[start, end)``; of several for one range the first stands first."""
        self.edits.append(Edit(end, end, content(text), owner=(start, end), closes=True, order=self.next_order()))

    def wrap(self, start: int, end: int, before: str | Content, after: str) -> None:
        """Put text around ``[start, end)``; of several for one range the first is the outermost."""
        self.before(start, end, before)
        self.edits.append(Edit(end, end, content(after), owner=(start, end), closes=True, order=-self.next_order()))

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace a range; an identical replacement added twice counts once."""
        self._add(Edit(start, end, (text,)))

    def rewrite(self, start: int, end: int, text: str | Quote | Content) -> None:
        """Replace a range whatever other edits are inside it; ``text`` quotes the parts whose edits shall stay."""
        self._add(Edit(start, end, content(text), absorbs=True))

    def supersede(self, start: int, end: int, text: str) -> None:
        """Replace a range with all that other edits put inside of it or around all of it."""
        self.edits = [e for e in self.edits if not (start <= e.start and e.end <= end and e.belongs_to(start, end))]
        self.rewrite(start, end, text)

    def restructure(self, start: int, end: int, structure: Structure, order: int = 0) -> None:
        """Put a structure in the place of a range, in which all edits of what stays of that are kept.

        Of several for one range the first is the outermost, the one with the lowest ``order`` if that is given.
        """
        self._add(Edit(start, end, (structure,), absorbs=True, order=order))

    def next_order(self) -> int:
        """Return the place in the order of edits that the next one has."""
        self._order += 1
        return self._order

    def replaced_in(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the ranges, insertions' too, that edits replace and that share something with a range."""
        return ((low, high) for e in self.edits for low, high in e.replaced if low < end and high > start)

    def is_free(self, start: int, end: int) -> bool:
        """Whether no edit touches the inside of a range."""
        return next(self.replaced_in(start, end), None) is None

    def has_insertion(self, offset: int) -> bool:
        """Whether an edit inserts something in front of a character."""
        return any(e.start == offset and (e.start == e.end or e._keeps_all) for e in self.edits)

    def has_insertion_around(self, start: int, end: int) -> bool:
        """Whether an edit inserts something in front of a range that is not for a part of the range alone."""
        found = (e for e in self.edits if e.start == start and (e.start == e.end or e._keeps_all))
        return any(e.start < e.end or e.closes or not start < e.owner[1] <= end for e in found)

    def _add(self, edit: Edit) -> None:
        if edit not in self._replaced:
            self._replaced.add(edit)
            self.edits.append(edit if edit.order else replace(edit, order=self.next_order()))

    def apply(self, text: str, start: int = 0, end: int | None = None, around: Edit | None = None) -> str:
        """Return ``text[start:end]`` with the edits that lie inside it, and inside of the edit ``around`` if given.

        Raises ValueError where two edits overlap: a defect of the compiler, never of the user's program.
        """
        tree = self.tree(text, start, len(text) if end is None else end, around)
        return "".join(separated(one if isinstance(one, str) else self._text(text, one) for one in tree))

    def tree(self, text: str, start: int, stop: int, around: Edit | None = None) -> list[str | Edit]:
        """Return what ``text[start:stop]`` is made of: characters, and the edits that are structures."""
        found: list[str | Edit] = []
        for part in self.parts(start, stop, around):
            found.append(text[part.start : part.end])
            if part.edit is not None:
                found.append(part.edit if part.edit.structure is not None else self.filled(text, part.edit))
        return found

    def parts(self, start: int, stop: int, around: Edit | None = None) -> list[Part]:
        """Return what a range of the text is made of with the edits that belong to it; nothing follows the last."""
        chosen = [e for e in self.edits if start <= e.start and e.end <= stop and e.belongs_to(start, stop)]
        if around is not None:
            chosen = [e for e in chosen if around.holds(e)]
        for structure in [e for e in chosen if e.structure is not None]:
            chosen = [e for e in chosen if not structure.holds(e)]
        chosen.sort(key=lambda e: e.place)
        parts: list[Part] = []
        at, last = start, Edit(start, start, ())
        for edit in chosen:
            if last.absorbs and last.holds(edit):
                continue
            if edit.start < at:
                raise ValueError(f"overlapping edits at offset {edit.start}: {edit.text!r}")
            parts.append(Part(at, edit.start, edit))
            if edit.end > at or edit.absorbs:
                last = edit
            at = edit.end
        return [*parts, Part(at, stop)]

    def on_one_line(self, text: str, start: int, end: int) -> str:
        """Return ``text[start:end]`` with the edits that lie inside it, on one line without comments."""
        return _LAID_OUT.sub(lambda m: m[1] or " ", self.apply(text, start, end))

    def filled(self, text: str, edit: Edit) -> str:
        """Return what an edit puts in a text as characters."""
        return "".join(
            self.on_one_line(text, part.start, part.end) if isinstance(part, Quote) else str(part)
            for part in edit.content
        )

    def _text(self, text: str, edit: Edit) -> str:
        assert edit.structure is not None
        return edit.structure.text(lambda start, end: self.apply(text, start, end, edit))


def _own(part: str | Quote | Structure) -> str:
    if isinstance(part, str):
        return part
    return "" if isinstance(part, Quote) else part.text(lambda start, end: "")
