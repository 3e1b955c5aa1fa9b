"""Diagnostics: what is wrong, where, why and what to do.

In: findings of every stage. Out: :class:`Diagnostic` values, collected in a :class:`DiagnosticSink`, rendered as
``file:line:col: error: message [code]`` with the source line and a caret. Stages report and go on where they can, so
that one run shows all errors of a file; :class:`CompileError` ends a stage that cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TypeVar

from rexcc.source.needed_expansion import ExpansionNeeded
from rexcc.source.records import dataclass, field
from rexcc.source.spelling import nearest
from rexcc.source.text import SourceText, Span, readable

T = TypeVar("T")


class Severity(Enum):
    """How bad a finding is; the value is the word that is printed."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"


@dataclass(frozen=True)
class FixIt:
    """A safe mending: what to write instead of the characters of a place; an empty place inserts."""

    span: Span
    replacement: str


Fixes = tuple[FixIt, ...]


@dataclass(frozen=True)
class Note:
    """An explanation that belongs to a diagnostic, at a place of its own or none; ``fixes`` are what it proposes."""

    message: str
    span: Span | None = None
    fixes: Fixes = ()


@dataclass(frozen=True)
class Diagnostic:
    """One finding: severity, stable code such as ``omp-unknown-clause``, message, place, notes and mendings.

    ``fixes`` belong together: done all, they make the program what was probably meant. ``included`` are the places of
    the ``#include`` lines that lead from the main file to this one. Each code has a file in ``rexcc/explanations``.
    """

    severity: Severity
    code: str
    message: str
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    fixes: Fixes = ()
    included: tuple[Span, ...] = ()


class CompileError(Exception):
    """Raised by a stage that cannot go on; carries the diagnostic to show, and ``others`` of the same piece."""

    def __init__(self, diagnostic: Diagnostic, *others: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.others = others


def error(code: str, message: str, span: Span | None, *notes: Note, fixes: Fixes = ()) -> CompileError:
    """Return an error to raise."""
    return CompileError(Diagnostic(Severity.ERROR, code, message, span, notes, fixes))


def do_each(items: Iterable[T], do: Callable[[T], None]) -> None:
    """Do something with each of several items, also where it fails with one before.

    Raises CompileError with the errors of all. A defect behind an error is none: it may come of it.
    """
    found: list[Diagnostic] = []
    for item in items:
        try:
            do(item)
        except CompileError as problem:
            found += [problem.diagnostic, *problem.others]
        except ExpansionNeeded:
            raise
        except Exception:
            if not found:
                raise
            break
    if found:
        raise CompileError(*found)


@dataclass
class DiagnosticSink:
    """Collects findings in the order they come."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a finding, once."""
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    def error(self, code: str, message: str, span: Span | None, *notes: Note, fixes: Fixes = ()) -> None:
        """Keep an error."""
        self.add(Diagnostic(Severity.ERROR, code, message, span, notes, fixes))

    def warning(self, code: str, message: str, span: Span | None, *notes: Note, fixes: Fixes = ()) -> None:
        """Keep a warning."""
        self.add(Diagnostic(Severity.WARNING, code, message, span, notes, fixes))

    @property
    def has_errors(self) -> bool:
        """Whether an error was kept."""
        return any(d.severity is Severity.ERROR for d in self.found)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` or nothing."""
    match = nearest(word, known)
    return f"; did you mean '{match}'?" if match else ""


def respelt(place: Span, written: str, meant: str | None) -> Fixes:
    """Return the mending of a misspelt word; none where nothing is near, or where the word comes out of a macro."""
    return (FixIt(place, meant),) if meant is not None and place.text == written else ()


def render(diagnostic: Diagnostic) -> str:
    """Return the plain text of a diagnostic: source line, caret and mending; without a final newline."""
    head = f"{diagnostic.severity.value}: {diagnostic.message} [{diagnostic.code}]"
    parts = [_including(diagnostic.included), _located(head, diagnostic.span, diagnostic.fixes)]
    parts += [_located(f"note: {note.message}", note.span, note.fixes) for note in diagnostic.notes]
    return "\n".join(filter(None, parts))


def _including(lines: tuple[Span, ...]) -> str:
    """Return how the compiler came to a header, as clang prints it."""
    return "\n".join(f"In file included from {line.source.users_path(line.start)}:{line.line}:" for line in lines)


def _located(message: str, span: Span | None, fixes: Fixes = ()) -> str:
    if span is None:
        return f"rexcc: {message}"
    line, column = span.source.line_column(span.start)
    shown = span.source.line_text(line)
    width = max(1, len(_blanks(shown[column - 1 : column - 1 + span.end - span.start])))
    indent = _blanks(shown[: column - 1])
    lines = [f"{span.place}: {message}", f"{span.line:5d} | {shown}", f"      | {indent}^{'~' * (width - 1)}"]
    mended = _mended(span.source, line, fixes)
    return "\n".join([*lines, f"      | {mended}"] if mended else lines)


def _mended(source: SourceText, line: int, fixes: Fixes) -> str:
    """Return a line with nothing but the replacements, each under its place, as clang shows them."""
    shown = source.line_text(line)
    start = source.line_start(line)
    found = ""
    for fix in sorted(fixes, key=lambda fix: fix.span.start):
        column = fix.span.start - start
        if fix.span.source is source and 0 <= column <= len(shown) and fix.replacement:
            gap = _blanks(shown[:column])[len(found) :]
            found += (gap or " " * bool(found)) + fix.replacement
    return found


def _blanks(shown: str) -> str:
    """Return as many blanks as a part of a line is wide: several of its bytes may be one character."""
    return "".join("\t" if c == "\t" else " " for c in readable(shown))
