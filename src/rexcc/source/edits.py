"""Byte-range edits of a text.

In: insertions and replacements collected by the lowering stages. Out: the edited text, everything else unchanged.
Edits are data: they may be added in any order, must not overlap, and apply all or none.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Edit:
    """Replace ``[start, end)`` by ``text``; an insertion has ``start == end``.

    At one offset insertions apply by ``rank``, then in the order they were added, and before a replacement there.
    """

    start: int
    end: int
    text: str
    rank: int = 0


@dataclass
class EditList:
    """Edits of one text."""

    edits: list[Edit] = field(default_factory=list)

    def insert(self, offset: int, text: str, rank: int = 0) -> None:
        """Insert before the character at ``offset``."""
        self.edits.append(Edit(offset, offset, text, rank))

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace a range; an identical replacement added twice counts once."""
        edit = Edit(start, end, text)
        if edit not in self.edits:
            self.edits.append(edit)

    def apply(self, text: str, start: int = 0, end: int | None = None) -> str:
        """Return ``text[start:end]`` with the edits that lie inside it.

        Raises ValueError where two edits overlap: a defect of the compiler, never of the user's program.
        """
        stop = len(text) if end is None else end
        chosen = [e for e in self.edits if start <= e.start and e.end <= stop]
        chosen.sort(key=lambda e: (e.start, e.end != e.start, e.rank))
        parts: list[str] = []
        at = start
        for edit in chosen:
            if edit.start < at:
                raise ValueError(f"overlapping edits at offset {edit.start}: {edit.text!r}")
            parts += [text[at : edit.start], edit.text]
            at = edit.end
        parts.append(text[at:stop])
        return "".join(parts)
