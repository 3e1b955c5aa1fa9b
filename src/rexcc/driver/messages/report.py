"""What the user sees: diagnostics, one-line messages, and what compilers write.

In: diagnostics and bytes from compilers; the options (``-w``, ``-Werror``, ``-Werror=CODE``, ``-Wno-CODE``,
``-Wno-error=CODE``, ``-Rrex``, ``-ferror-limit=``). Out: :class:`Wanted`, what of the findings of one file is shown and
as what, sorted by place; text on standard error, with colours where they are wanted.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from contextvars import ContextVar

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Level
from rexcc.source.diagnostics import Diagnostic, Note, Severity, render
from rexcc.source.expansion_notes import as_written
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, replace
from rexcc.source.text import Span, to_bytes


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


Write = Callable[[Diagnostic], None]

_COLOURS = {"error": "1;31", "warning": "1;35", "remark": "1;34", "note": "1;36"}
_SEVERITY = regex(r"^(rexcc: |\S.*?:\d+:(?:\d+:)? |\S+: )?(error|warning|remark|note): (.*)$", re.MULTILINE)
_CARET = regex(r"^( {6}\| \s*)(\^~*)((?:\n {6}\| .*)?)$", re.MULTILINE)

_GENERATED = regex(r"(?:[^\s:'\"()]*/)?(?:rose_|rex_lib_|rex_host_)[^\s:'\"()]+")


ALWAYS, NEVER, AUTO = "always", "never", "auto"
_COLOURS_WANTED: ContextVar[str] = ContextVar("colours", default=AUTO)


def choose_colours(choice: str) -> None:
    """Let messages have colours always, never, or where they make sense (``-fdiagnostics-color=``)."""
    _COLOURS_WANTED.set(choice)


def has_colours() -> bool:
    """Whether messages have colours.

    Options count most, as with clang; then the environment: NO_COLOR (no-color.org), CLICOLOR_FORCE and CLICOLOR
    (bixense.com/clicolors); else it is whether a terminal reads them.
    """
    choice = _COLOURS_WANTED.get()
    if choice != AUTO:
        return choice == ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return os.environ.get("CLICOLOR") != "0" and os.environ.get("TERM") != "dumb" and sys.stderr.isatty()


def coloured(text: str) -> str:
    """Return rendered diagnostics with the colours of clang."""

    def severity(match: re.Match[str]) -> str:
        place, word, message = match[1] or "", match[2], match[3]
        return f"\033[1m{place}\033[{_COLOURS[word]}m{word}: \033[0m\033[1m{message}\033[0m"

    return _CARET.sub("\\1\033[1;32m\\2\\3\033[0m", _SEVERITY.sub(severity, text))


def say(text: str) -> None:
    """Write lines to standard error."""
    shown = coloured(text) if has_colours() else text
    write_bytes(b"".join(_line_bytes(line) + b"\n" for line in shown.split("\n")))


def _line_bytes(line: str) -> bytes:
    """Return a line as the bytes it was: the user's text has a character for each, names are the system's."""
    return to_bytes(line)


def write_bytes(data: bytes) -> None:
    """Write bytes to standard error after what is there already."""
    sys.stderr.flush()
    stream = getattr(sys.stderr, "buffer", None)
    if stream is None:
        sys.stderr.write(data.decode("utf-8", errors="replace"))
        return
    stream.write(data)
    stream.flush()


def write_bytes_to_stdout(data: bytes) -> None:
    """Write what a compiler wrote to standard output, such as the assembler text of ``-S -o -``."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def message(severity: Severity, text: str) -> None:
    """Write one line without a place."""
    say(f"rexcc: {severity.value}: {text}")


def show(diagnostic: Diagnostic) -> None:
    """Write a diagnostic as text."""
    say(render(diagnostic))


def show_diagnostics(options: Options, found: Iterable[Diagnostic], write: Write) -> bool:
    """Write the diagnostics of a file that the user wants to see; return whether they end the compilation."""
    result = wanted(options, [as_written(d) for d in found])
    included: tuple[Span, ...] = ()
    for diagnostic in result.shown:
        is_known = write is show and diagnostic.included == included
        write(replace(diagnostic, included=()) if is_known else diagnostic)
        included = diagnostic.included
    if result.hidden_errors:
        errors = "1 more error is" if result.hidden_errors == 1 else f"{result.hidden_errors} more errors are"
        message(Severity.NOTE, f"{errors} not shown (-ferror-limit={options.error_limit}; 0 shows all)")
    return result.failed


def generated_names(text: str) -> tuple[str, ...]:
    """Return the generated files that a compiler's output names, each once."""
    return tuple(dict.fromkeys(_GENERATED.findall(text)))
