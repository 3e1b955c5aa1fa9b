"""clang's errors of the base language as diagnostics at the user's places.

In: clang's translation unit of files with probes. Out: errors with the range, the notes and the fix-its that clang
gives them: candidates, the declaration that was probably meant, the instantiations that lead to an error, the macros
that it comes out of. Nothing of what stands for a directive in clang's text is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from clang.cindex import Diagnostic as ClangDiagnostic
from clang.cindex import TranslationUnit

from rexcc.clang import locations, unit_files
from rexcc.clang.tree import Node
from rexcc.frontend.parsing import IMPLICIT_FUNCTION
from rexcc.frontend.probe import Probe, ProbedFile
from rexcc.source.diagnostics import Diagnostic, DiagnosticSink, FixIt, Note, Severity
from rexcc.source.patterns import regex
from rexcc.source.text import SourceText, Span

_NO_MODULE = regex(r"module '[^']*' not found")
_GENERATED = regex(r"\b(?:__)?(?:rex|rose)_\w+|\b__arg_\w+|\b_Rhas_\w+")
"""Names that only generated text has."""
_DEVICE_HAS = regex(r"call to undeclared (?:(?P<library>library )function|function 'omp_)")
_WORD = regex(r"\b\w+")
_INCLUSION = "in file included from "
_MISPLACED = regex(
    r"while loop outside of a function|expected (?:identifier or '\('|unqualified-id|member name or ';' after|'\)')"
)
"""What clang says of a statement where none may stand."""


class _Places:
    """The places of clang's text in the files that it has read: those of the user, and those of the system."""

    def __init__(self, unit: TranslationUnit, files: Mapping[str, ProbedFile]) -> None:
        self._unit = unit
        self._files = files
        self._names = locations.FileNames()
        self._of_system: dict[str, SourceText] = {}

    def position(self, location: Any) -> tuple[str, int]:
        """Return the file and the offset of a place in clang's text."""
        return locations.file_location(location, self._names)

    def span(self, found: ClangDiagnostic) -> Span | None:
        """Return what a diagnostic is about: from its place to the end of the range around that."""
        name, offset = self.position(found.location)
        ends = [end for file, start, end in self._ranges(found) if file == name and start <= offset < end]
        return self.range(name, offset, max(ends, default=self._end_of_word(name, offset))) if name else None

    def _end_of_word(self, name: str, offset: int) -> int:
        """Return where the word that begins at a place ends, or the character there."""
        file = self._files.get(name)
        word = _WORD.match(file.buffer, offset) if file is not None else None
        return word.end() if word is not None else offset + 1

    def _ranges(self, found: ClangDiagnostic) -> Iterator[tuple[str, int, int]]:
        for each in (*found.ranges, *(fix.range for fix in found.fixits)):
            name, start = self.position(each.start)
            yield name, start, self.position(each.end)[1]

    def range(self, name: str, start: int, end: int) -> Span | None:
        """Return a range of clang's text in the user's; None where clang has read no such file."""
        file = self._files.get(name)
        if file is None:
            source = self._system_text(name)
            return Span(source, start, end) if source is not None and end <= len(source.text) else None
        first = file.original(start)
        last = file.original(max(start, end - 1)) + 1
        return Span(file.scan.source, first, max(first + 1, last))

    def _system_text(self, name: str) -> SourceText | None:
        if name not in self._of_system:
            data = unit_files.file_contents(self._unit, name)
            if not data:
                return None
            self._of_system[name] = SourceText.from_bytes(name, data)
        return self._of_system[name]

    def probe(self, name: str, offset: int) -> Probe | None:
        """Return the directive in whose place a character of clang's text is."""
        file = self._files.get(name)
        if file is None:
            return None
        first = file.original(offset)
        return next((p for p in file.probes if p.site.start <= first < max(p.site.end, p.directive.span.end)), None)

    def directive(self, name: str, offset: int) -> Span | None:
        """Return the whole directive for text of ours that stands for it, None for what the user wrote."""
        file = self._files.get(name)
        if file is None or self.users(name, offset, offset + 1) is not None:
            return None
        first = file.original(offset)
        sites = (site for site in file.scan.pragmas if site.start <= first < site.end)
        return next((site.source.span(site.start, site.end) for site in sites), None)

    def users(self, name: str, start: int, end: int) -> Span | None:
        """Return the place of characters of clang's text that are the user's own, None for others.

        What would be inserted goes behind a character of his.
        """
        file = self._files.get(name)
        if file is None:
            return None
        first = file.original(start) if start < end or start == 0 else file.original(start - 1) + 1
        text, length = file.scan.source.text, end - start
        front = min(start, 1)
        if text[first - front : first + length] != file.buffer[start - front : end] and (
            not length or text[first : first + length] != file.buffer[start:end]
        ):
            return None
        is_whole = not length or file.original(end - 1) == first + length - 1
        return Span(file.scan.source, first, first + length) if is_whole else None


def report_errors(
    unit: TranslationUnit, files: Mapping[str, ProbedFile], regions: Iterable[Node], sink: DiagnosticSink
) -> None:
    """Report clang's errors at the user's places, and calls of undeclared functions in ``regions`` of devices."""
    places = _Places(unit, files)
    ranges = [(region.file, region.start, region.end) for region in regions]
    errors = [found for found in unit.diagnostics if _is_error(found, places, ranges)]
    misplaced = dict(filter(None, (_misplaced(found, places) for found in errors)))
    for found in errors:
        probe = places.probe(*places.position(found.location))
        sink.add(misplaced[probe] if probe in misplaced else _diagnostic(found, places))


def _is_error(found: ClangDiagnostic, places: _Places, regions: Iterable[tuple[str, int, int]]) -> bool:
    """Whether clang refuses the program: as for undeclared functions, only where the device would need them.

    Some compilers of the host take them, and devices have those of C's library and of OpenMP. clang looks for what was
    meant only where they are errors.
    """
    if found.severity < ClangDiagnostic.Error:
        return False
    if IMPLICIT_FUNCTION not in str(found.option):
        return True
    has = _DEVICE_HAS.match(str(found.spelling))
    if has is not None and (has["library"] or not len(found.children)):
        return False
    name, offset = places.position(found.location)
    return any(name == file and start <= offset < end for file, start, end in regions)


def _diagnostic(found: ClangDiagnostic, places: _Places) -> Diagnostic:
    notes = tuple(_notes(found.children, places))
    fixes = tuple(_fixes(found, places))
    span = places.directive(*places.position(found.location)) or places.span(found)
    return Diagnostic(Severity.ERROR, "base-language", _said(found), span, notes, fixes)


def _misplaced(found: ClangDiagnostic, places: _Places) -> tuple[Probe, Diagnostic] | None:
    """Return a directive that stands where no statement may be, with its error: clang's is about its probe."""
    name, offset = places.position(found.location)
    probe = places.probe(name, offset)
    if probe is None or not _MISPLACED.match(str(found.spelling)) or places.users(name, offset, offset + 1):
        return None
    message = f"'{probe.directive.name}' cannot stand here: it belongs into the body of a function"
    return probe, Diagnostic(Severity.ERROR, "omp-nesting", message, probe.directive.span)


def _fixes(found: ClangDiagnostic, places: _Places) -> Iterator[FixIt]:
    """Yield what clang would write instead; nothing of it where some would go into text that is not the user's."""
    fixes = []
    for each in found.fixits:
        (name, start), (_, end) = places.position(each.range.start), places.position(each.range.end)
        place = places.users(name, start, end)
        if place is None or _GENERATED.search(each.value):
            return
        fixes.append(FixIt(place, str(each.value)))
    yield from fixes


def _notes(children: Iterable[ClangDiagnostic], places: _Places) -> Iterator[Note]:
    """Yield clang's notes, but for those on text that stands for directives."""
    for child in children:
        text = str(child.spelling)
        if _GENERATED.search(text) or text.startswith(_INCLUSION):
            continue
        yield Note(text, places.span(child), tuple(_fixes(child, places)))


def _said(found: ClangDiagnostic) -> str:
    """Return what clang says, and what to do where it is about what libclang cannot read."""
    text = str(found.spelling)
    if _NO_MODULE.match(text):
        text += ": target regions cannot stand in files that import modules of C++; include a header, or move them"
    return text
