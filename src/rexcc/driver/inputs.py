"""What the linker alone would read: whether it is there, and whether anything is linked.

In: options. Out: whether a file is missing, with errors and warnings for the user: before minutes of compilation, and
also where nothing is linked, so that a misspelt name is not passed over.
"""

from __future__ import annotations

from pathlib import Path

from rexcc.driver import report
from rexcc.driver.command_line import Mode, Options
from rexcc.source.diagnostics import Severity


def are_there(options: Options) -> bool:
    """Return whether the inputs that no compiler reads are files; those that nobody reads are told."""
    if options.dry_run:
        return True
    others = [each for each in options.inputs if not each.language.is_source]
    missing = [each.path for each in others if not Path(each.path).exists()]
    for path in missing:
        report.message(Severity.ERROR, f"no such file: '{path}'")
    folders = [each.path for each in others if Path(each.path).is_dir()]
    for path in folders:
        report.message(Severity.ERROR, f"'{path}' is a directory; name the files in it")
    if Mode.PREPROCESS < options.mode < Mode.LINK and not options.quiet:
        for each in others:
            if each.path not in (*missing, *folders):
                report.message(Severity.WARNING, f"'{each.path}' is for the linker, and nothing is linked")
    return not missing and not folders
