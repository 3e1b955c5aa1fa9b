"""The files that a command names: those to read are there, and none of them is replaced.

In: options. Out: whether a file is missing that the linker alone would read, with errors and warnings for the user:
before minutes of compilation, and also where nothing is linked, so that a misspelt name is not passed over. A
UsageError for a file that would be read and written, however its name is spelled. The text of what has no second
reader.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from rexcc.driver.messages import report
from rexcc.driver.options.command_line import DEFAULT_OUTPUT, Options
from rexcc.driver.options.command_parts import Mode, UsageError
from rexcc.driver.options.languages import STANDARD_INPUT, is_read_once, stem
from rexcc.source.diagnostics import Severity


def why_unread(path: str) -> str:
    """Return why an input is no file that a compiler reads."""
    if Path(path).is_dir():
        return f"'{path}' is a directory; name the files in it"
    try:
        Path(path).open("rb").close()
    except FileNotFoundError:
        return f"no such file: '{path}'"
    except OSError as problem:
        return f"cannot read '{path}': {problem.strerror}"
    return f"cannot read '{path}'"


def are_there(options: Options) -> bool:
    """Return whether the inputs that no compiler reads are files; those that nobody reads are told."""
    if options.dry_run:
        return True
    others = [each for each in options.inputs if not each.language.is_source]
    wrong = [each.path for each in others if not Path(each.path).exists() or Path(each.path).is_dir()]
    for path in wrong:
        report.message(Severity.ERROR, why_unread(path))
    if Mode.PREPROCESS < options.mode < Mode.LINK and not options.quiet:
        for each in others:
            if each.path not in wrong:
                report.message(Severity.WARNING, f"'{each.path}' is for the linker, and nothing is linked")
    return not wrong


def read_once(path: str) -> bytes | None:
    """Return the bytes of standard input or of a pipe, which no second reader would find; None for a file."""
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    return Path(path).read_bytes() if is_read_once(path) else None


def check_outputs(options: Options) -> None:
    """Raise UsageError where a file that the command makes is one that it reads."""
    if options.dry_run:
        return
    for output in _outputs_of(options):
        for source in options.inputs:
            if source.path != STANDARD_INPUT and _is_same_file(source.path, output):
                raise UsageError(f"the output '{output}' is the input '{source.path}'")


def _outputs_of(options: Options) -> Iterator[str]:
    if options.output and options.mode not in (Mode.EMIT_SOURCES, Mode.REPORT):
        yield options.output
    elif options.mode is Mode.LINK:
        yield DEFAULT_OUTPUT
    elif options.mode in (Mode.OBJECT, Mode.ASSEMBLY):
        yield from (f"{stem(source.path)}.{options.suffix}" for source in options.sources)
    if options.compile_database:
        yield options.compile_database
    if options.dependencies.file:
        yield options.dependencies.file


def _is_same_file(source: str, output: str) -> bool:
    """Whether two names are one regular file; what is no file, such as a terminal, may be both."""
    try:
        return Path(output).is_file() and Path(output).samefile(source)
    except OSError:
        return False
