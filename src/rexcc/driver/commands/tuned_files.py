"""``--tuned=FILE``: the file of choices for kernels, which every compilation that names it depends on.

In: options. Out: the entries, or :class:`UsageError` where the file has none; and the file's name in the lists of
``-MD``, which the host compiler writes and cannot put it into.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rexcc.driver.commands.plan import Stage
from rexcc.driver.commands.run import Outcome
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import UsageError
from rexcc.program.tuned import Entry, TunedFileError, read_tuned
from rexcc.target.known import CPU

_PHONY = "-MP"


def entries(options: Options) -> tuple[Entry, ...]:
    """Return the choices that a command line names, none without a file."""
    if options.tuned is None:
        return ()
    try:
        return read_tuned(Path(options.tuned).read_text(encoding="utf-8"), options.device.limits)
    except OSError as problem:
        raise UsageError(f"--tuned: cannot read '{options.tuned}': {problem.strerror}") from None
    except (TunedFileError, UnicodeDecodeError) as problem:
        raise UsageError(f"--tuned: {options.tuned}: {problem}") from None


def unused(options: Options, architectures: tuple[str, ...]) -> str:
    """Return why no entry can be for a build for some architectures, nothing where one can."""
    known = {entry.architecture for entry in entries(options)}
    names = architectures or (CPU.architectures.default,)
    if not known or (len(names) == 1 and names[0] in known):
        return ""
    if len(names) > 1:
        return f"--tuned is not used: {', '.join(names)} share the text of their kernels; build for one of them"
    return f"--tuned is not used: {options.tuned} is for {', '.join(sorted(known))}, not {names[0]}"


def add_to_lists(options: Options, outcomes: Iterable[Outcome]) -> None:
    """Name the file in the lists of headers that commands have written."""
    if options.tuned is None:
        return
    name = options.tuned.replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")
    for outcome in outcomes:
        written = outcome.command.output if outcome.command.stage is Stage.DEPENDENCIES else None
        if written and outcome.status == 0 and Path(written).is_file():
            rule = Path(written).read_text(encoding="utf-8", errors="surrogateescape")
            phony = f"{name}:\n" if _PHONY in options.dependencies.rules else ""
            more = f"{rule.partition(': ')[0]}: {name}\n{phony}"
            Path(written).write_text(rule + more, encoding="utf-8", errors="surrogateescape")
