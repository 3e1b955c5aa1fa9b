"""What the user sees: diagnostics, one-line messages, and what compilers write.

In: diagnostics and bytes from compilers. Out: text on standard error, coloured only on a terminal.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable

from rexcc.driver.command_line import Options
from rexcc.driver.diagnostic_filter import wanted
from rexcc.source.diagnostics import Diagnostic, Severity, render
from rexcc.source.expansion_notes import as_written
from rexcc.source.text import to_bytes

Write = Callable[[Diagnostic], None]

_COLOURS = {"error": "1;31", "warning": "1;35", "remark": "1;34", "note": "1;36"}
_SEVERITY = re.compile(r"^(rexcc: |\S.*?:\d+:\d+: )?(error|warning|remark|note): (.*)$", re.MULTILINE)
_CARET = re.compile(r"^( {6}\| \s*)(\^~*)((?:\n {6}\| .*)?)$", re.MULTILINE)

_GENERATED = re.compile(r"(?:[^\s:'\"()]*/)?(?:rose_|rex_lib_|rex_host_)[^\s:'\"()]+")


def on_terminal() -> bool:
    """Whether colours make sense."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def coloured(text: str) -> str:
    """Return rendered diagnostics with the colours of clang."""

    def severity(match: re.Match[str]) -> str:
        place, word, message = match[1] or "", match[2], match[3]
        return f"\033[1m{place}\033[{_COLOURS[word]}m{word}: \033[0m\033[1m{message}\033[0m"

    return _CARET.sub("\\1\033[1;32m\\2\\3\033[0m", _SEVERITY.sub(severity, text))


def say(text: str) -> None:
    """Write lines to standard error."""
    shown = coloured(text) if on_terminal() else text
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


def show_diagnostics(options: Options, found: Iterable[Diagnostic], write: Write = show) -> bool:
    """Write the diagnostics of a file that the user wants to see; return whether they end the compilation."""
    result = wanted(options, [as_written(d) for d in found])
    for diagnostic in result.shown:
        write(diagnostic)
    if result.hidden_errors:
        errors = "1 more error is" if result.hidden_errors == 1 else f"{result.hidden_errors} more errors are"
        message(Severity.NOTE, f"{errors} not shown (-ferror-limit={options.error_limit}; 0 shows all)")
    return result.failed


def generated_names(text: str) -> tuple[str, ...]:
    """Return the generated files that a compiler's output names, each once."""
    return tuple(dict.fromkeys(_GENERATED.findall(text)))
