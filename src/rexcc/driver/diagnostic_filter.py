"""Which diagnostics the user wants to see, and as what.

In: the options (``-w``, ``-Werror``, ``-Werror=CODE``, ``-Wno-CODE``, ``-Wno-error=CODE``, ``-Rrex``,
``-ferror-limit=``) and the findings of one file. Out: :class:`Wanted`, what is shown, sorted by place. Nothing is
written here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rexcc.driver.command_line import Level, Options
from rexcc.source.diagnostics import Diagnostic, Note, Severity
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Wanted:
    """What to show of one file, whether it ends the compilation, and how many errors are over the limit."""

    shown: tuple[Diagnostic, ...]
    failed: bool
    hidden_errors: int = 0


def wanted(options: Options, found: Iterable[Diagnostic]) -> Wanted:
    """Return what the user wants to see of one file's diagnostics."""
    kept = [d for d in (_as_asked(options, d) for d in found) if d is not None]
    shown = _sorted_by_place(kept)
    errors = [d for d in shown if d.severity is Severity.ERROR]
    limit = options.error_limit
    if not limit or len(errors) <= limit:
        return Wanted(tuple(shown), bool(errors))
    end = shown.index(errors[limit])
    return Wanted(tuple(shown[:end]), True, len(errors) - limit)


def _as_asked(options: Options, diagnostic: Diagnostic) -> Diagnostic | None:
    """Return a diagnostic with the severity that the options give it; None when it is not to be shown."""
    if diagnostic.severity is Severity.REMARK:
        return diagnostic if options.wants_remark(diagnostic.code) else None
    if diagnostic.severity is not Severity.WARNING:
        return diagnostic
    level = dict(options.warning_levels).get(diagnostic.code)
    if options.quiet or level is Level.OFF:
        return None
    if level is Level.ERROR:
        return _promoted(diagnostic, f"-Werror={diagnostic.code}")
    if options.warnings_are_errors and level is not Level.WARNING:
        return _promoted(diagnostic, "-Werror")
    return diagnostic


def _promoted(diagnostic: Diagnostic, option: str) -> Diagnostic:
    why = Note(f"a warning, and an error because of {option}")
    return replace(diagnostic, severity=Severity.ERROR, notes=(*diagnostic.notes, why))


def _sorted_by_place(found: list[Diagnostic]) -> list[Diagnostic]:
    """Sort by place in each file; files in the order in which they come, what has no place first."""
    files: dict[str, int] = {}
    for diagnostic in found:
        if diagnostic.span is not None:
            files.setdefault(diagnostic.span.source.path, len(files))

    def place(diagnostic: Diagnostic) -> tuple[int, int]:
        span = diagnostic.span
        return (files[span.source.path], span.start) if span is not None else (-1, 0)

    return sorted(found, key=place)
