"""What the linker alone would read: whether it is there, and whether anything is linked.

In: options. Out: whether a file is missing, with errors and warnings for the user: before minutes of compilation, and
also where nothing is linked, so that a misspelt name is not passed over.
"""

from __future__ import annotations

from pathlib import Path

from rexcc.driver import report
from rexcc.driver.command_line import Mode, Options
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
