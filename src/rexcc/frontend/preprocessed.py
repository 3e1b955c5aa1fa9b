"""The stage that expands the macros that hide directives, parts of directives or the structure of the text.

In: the user's files and clang's arguments. Out: files in which such uses are replaced by what the preprocessor makes of
them, and in which files that are a part of other code, or are included several times, stand in place of their
``#include`` lines; line numbers do not change. Files in which no directive can stand come back as they are, without
asking.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.frontend.decisions import Replaced, is_hiding, is_partial, replacements
from rexcc.frontend.expander import Inclusion, ask
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.inclusions import Nesting, is_blank, is_fragment, is_guarded, may_be_inlined
from rexcc.frontend.macro_uses import Question, Wanted, questions
from rexcc.frontend.macros import MacroTable, macro_table
from rexcc.frontend.scan import FileScan
from rexcc.source.records import dataclass
from rexcc.source.text import Piece, SourceText, Span

_ROUNDS = 4
"""How often an expansion may bring directives whose text holds macros."""


def preprocess(files: UserFiles, language: str, arguments: tuple[str, ...], wanted: Wanted = ()) -> UserFiles:
    """Return the files with the expansions that the stages need; ``wanted`` are uses that they have asked for."""
    if not files.may_have_pragmas:
        return files
    for _ in range(_ROUNDS):
        table = macro_table(files.scans.values(), arguments)
        asked = {name: questions(scan, table, wanted) for name, scan in files.scans.items()}
        if not any(asked.values()) and not may_be_inlined(files):
            return files
        roots = ask(files, asked, language, arguments)
        made = _Maker(files, asked, table, roots).made()
        if made is files or not _has_new_questions(made, arguments):
            return made
        files, wanted = made, ()
    return files


def _has_new_questions(files: UserFiles, arguments: tuple[str, ...]) -> bool:
    """Whether an expansion has brought a directive that holds macros."""
    expanded = [scan for scan in files.scans.values() if any(not p.is_copy for p in scan.source.pieces)]
    if not expanded:
        return False
    table = macro_table(files.scans.values(), arguments)
    for scan in expanded:
        for question in questions(scan, table, ()):
            piece = scan.source.piece_at(question.start)
            if question.site is not None and piece is not None and not piece.is_copy:
                return True
    return False


@dataclass(frozen=True)
class _Part:
    text: str
    place: Span
    definitions: tuple[Span, ...] | None = None


class _Maker:
    """Makes the new texts of the files from what the preprocessor said."""

    def __init__(
        self, files: UserFiles, asked: dict[str, list[Question]], table: MacroTable, roots: list[Inclusion]
    ) -> None:
        self._files = files
        self._asked = asked
        self._table = table
        self._every = [inclusion for root in roots for inclusion in _below(root)]
        counted: dict[str, int] = {}
        for inclusion in self._every:
            counted[inclusion.path] = counted.get(inclusion.path, 0) + 1
        self._repeated = {p for p, n in counted.items() if n > 1 and not is_guarded(files.scans[p])}
        self._inlined: set[str] = set()

    def made(self) -> UserFiles:
        """Return the files with new texts, the same ones where nothing changes."""
        sources: dict[str, SourceText] = {}
        for path in self._files.scans:
            own = [inclusion for inclusion in self._every if inclusion.path == path]
            if own:
                best = max(own, key=lambda inclusion: (len(inclusion.answers), len(inclusion.children)))
                parts = list(self._parts(best, Nesting(), False))
                if any(p.definitions is not None or p.place.source.path != path for p in parts):
                    sources[path] = _joined(self._files.source(path), parts)
        made = rewritten(self._files, sources) if sources else self._files
        if not made.has_pragmas:
            return self._files
        return made.without_unreached(self._inlined) if self._inlined else made

    def _parts(self, inclusion: Inclusion, nesting: Nesting, is_inlined: bool) -> Iterator[_Part]:
        """Yield what a file's text is made of; ``nesting`` knows what it stands in."""
        scan = self._files.scans[inclusion.path]
        changes: list[tuple[int, int, Replaced | str]] = [(r.start, r.end, r) for r in self._replaced(inclusion)]
        changes += [(line.start, line.end, target) for line, target in self._files.included[inclusion.path]]
        at = 0
        for start, end, change in sorted(changes, key=lambda c: c[:2]):
            if start < at:
                continue
            yield nesting.passed(_copy(scan, at, start))
            at = end
            if isinstance(change, Replaced):
                place = scan.source.span(start, end)
                yield nesting.passed(_Part(change.text, place, self._table.definitions(change.name)))
                continue
            child = inclusion.children.get(start)
            if child is not None and (is_inlined or self._is_inlined(child, nesting)):
                self._inlined.add(child.path)
                yield from self._parts(child, nesting, True)
            elif not is_inlined or child is not None:
                at = start
            if at == start:
                yield _copy(scan, start, end)
                at = end
        yield nesting.passed(_copy(scan, at, len(scan.source.text)))

    def _replaced(self, inclusion: Inclusion) -> Iterator[Replaced]:
        scan = self._files.scans[inclusion.path]
        ends = [site.end for site in scan.pragmas]
        for index, question in enumerate(self._asked[inclusion.path]):
            last = max((end for end in ends if end <= question.start), default=-1)
            is_behind = last >= 0 and is_blank(scan.source.text[last : question.start])
            for found in replacements(scan.source, index, question, inclusion.answers, self._table, is_behind):
                ends += [found.end] if is_partial(found.text) or is_hiding(found.text) else []
                yield found

    def _is_inlined(self, child: Inclusion, nesting: Nesting) -> bool:
        return child.path in self._repeated or nesting.is_in_code or is_fragment(self._files.scans[child.path])


def _copy(scan: FileScan, start: int, end: int) -> _Part:
    return _Part(scan.source.text[start:end], scan.source.span(start, end))


def _below(inclusion: Inclusion) -> Iterator[Inclusion]:
    yield inclusion
    for child in inclusion.children.values():
        yield from _below(child)


def _joined(source: SourceText, parts: list[_Part]) -> SourceText:
    """Return the text that parts make, each of which knows its place."""
    pieces: list[Piece] = []
    texts: list[str] = []
    at = 0
    for part in parts:
        if part.text:
            pieces.append(Piece(at, at + len(part.text), part.place, part.definitions))
            texts.append(part.text)
            at += len(part.text)
    includes = source.includes or any(p.place.source.path != source.path or p.place.source.numbered for p in pieces)
    return SourceText(source.path, "".join(texts), (), tuple(pieces), includes)
