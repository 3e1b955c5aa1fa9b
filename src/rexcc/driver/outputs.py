"""No output replaces an input.

In: options. Out: nothing, or a UsageError for a file that would be read and written, however its name is spelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rexcc.driver.command_line import DEFAULT_OUTPUT, Mode, Options, UsageError
from rexcc.driver.languages import STANDARD_INPUT, stem


def check(options: Options) -> None:
    """Raise UsageError where a file that the command makes is one that it reads."""
    if options.dry_run:
        return
    for output in _outputs(options):
        for source in options.inputs:
            if source.path != STANDARD_INPUT and _is_same_file(source.path, output):
                raise UsageError(f"the output '{output}' is the input '{source.path}'")


def _outputs(options: Options) -> Iterator[str]:
    if options.output and options.mode not in (Mode.EMIT_SOURCES, Mode.REPORT):
        yield options.output
    elif options.mode is Mode.LINK:
        yield DEFAULT_OUTPUT
    elif options.mode in (Mode.OBJECT, Mode.ASSEMBLY):
        suffix = "s" if options.mode is Mode.ASSEMBLY else "o"
        yield from (f"{stem(source.path)}.{suffix}" for source in options.sources)
    if options.dependencies.file:
        yield options.dependencies.file


def _is_same_file(source: str, output: str) -> bool:
    """Whether two names are one regular file; what is no file, such as a terminal, may be both."""
    try:
        return Path(output).is_file() and Path(output).samefile(source)
    except OSError:
        return False
