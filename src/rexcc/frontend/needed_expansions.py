"""Uses of macros that edits of the text have to be kept out of.

In: the uses of macros in a unit and the edits of one of its files. Out: nothing, or :class:`ExpansionNeeded` with the
uses that have to be expanded first: an edit in the argument of a macro changes the strings that the macro makes of it,
and a line of its own is no part of an argument.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

from rexcc.clang.tree import Node
from rexcc.frontend.macros import OF_LIBRARY, macro_table
from rexcc.frontend.probe import ProbedFile
from rexcc.source.edits import Edit
from rexcc.source.expansion_notes import in_users_text
from rexcc.source.needed_expansion import ExpansionNeeded
from rexcc.source.records import dataclass
from rexcc.source.text import Span


@dataclass(frozen=True)
class _Use:
    start: int
    end: int
    joins: bool


class MacroUses:
    """The uses of macros with arguments in the user's files, outermost ones, in his offsets: his macros, and those of
    the library that make strings."""

    def __init__(self, declarations: Iterable[Node], files: Mapping[str, ProbedFile]) -> None:
        self._files = files
        table = macro_table(file.scan for file in files.values())
        names, joining = table.callable | OF_LIBRARY, table.joining | OF_LIBRARY
        found: dict[str, list[_Use]] = {}
        for node in declarations:
            if node.kind != "MACRO_INSTANTIATION" or node.file not in files:
                continue
            if node.spelling not in names:
                continue
            file = files[node.file]
            start, end = file.original(node.start), file.original(node.end)
            if end - start > len(node.spelling):
                found.setdefault(node.file, []).append(_Use(start, end, node.spelling in joining))
        self._uses = {path: _outermost(uses) for path, uses in found.items()}

    def check(self, path: str, edits: Iterable[Edit]) -> None:
        """Raise ExpansionNeeded where an edit changes what a macro makes."""
        uses = self._uses.get(path)
        if not uses:
            return
        needed = {use for edit in edits if (use := _around(uses, edit)) is not None}
        source = self._files[path].scan.source
        spans = (in_users_text(Span(source, use.start, use.start + 1)) for use in needed)
        places = frozenset((span.source.path, span.start) for span in spans if span is not None)
        if places:
            raise ExpansionNeeded(places)

    def holds(self, path: str, start: int, end: int) -> bool:
        """Whether a range of a file is a part of a macro's use, its arguments or more of it."""
        uses = self._uses.get(path, [])
        index = bisect_right(uses, start, key=lambda use: use.start) - 1
        return index >= 0 and end <= uses[index].end and (start, end) != (uses[index].start, uses[index].end)


def _outermost(uses: list[_Use]) -> list[_Use]:
    kept: list[_Use] = []
    for use in sorted(uses, key=lambda u: (u.start, -u.end)):
        if kept and use.start < kept[-1].end:
            kept[-1] = _Use(kept[-1].start, kept[-1].end, kept[-1].joins or use.joins)
        else:
            kept.append(use)
    return kept


def _around(uses: list[_Use], edit: Edit) -> _Use | None:
    """Return the use that an edit is inside of, if it must not be."""
    index = bisect_right(uses, edit.start, key=lambda use: use.start) - 1
    if index < 0:
        return None
    use = uses[index]
    if not (use.start < edit.start and edit.end < use.end):
        return None
    return use if use.joins or "\n" in edit.text else None
