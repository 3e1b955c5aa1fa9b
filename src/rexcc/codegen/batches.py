"""Marks the statements of the host program whose kernels are waited for at their end.

In: the quiet runs of a unit. Out: calls of ``rex_batch_begin`` and ``rex_batch_end`` around each, and the files' own
lines left as they are. ``rex_batch_uses`` names the members of their method's object that they use. Where a run calls
functions of other files, both calls are made if these say that they are quiet, which the linker decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.analysis.quiet_elsewhere import CommonFunction
from rexcc.analysis.quiet_parts import QuietParts
from rexcc.analysis.quiet_runs import QuietRun
from rexcc.codegen.host_edits import HostEdits, resume
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.statements import statement_end
from rexcc.source.line_directives import OWN
from rexcc.source.patterns import regex

_BEGIN = "rex_batch_begin(); /* nothing up to its end sees whether the kernels in between have ended */\n"
_END = "rex_batch_end();"

_PRAGMA = regex(r'(?:^[ \t]*#[ \t]*pragma[ \t]+(?!omp\b)[^\n]*|_Pragma[ \t]*\("(?!omp\b)[^\n]*\))\s*\Z', re.MULTILINE)
"""A pragma of the host compiler's, which speaks of the loop behind it."""

_ENDS = regex(r"(?:[;{}:]|\*/|\b(?:else|do)|^[ \t]*#[^\n]*|//[^\n]*)\s*\Z", re.MULTILINE)
"""What is in front of a statement, where nothing else there belongs to it: a macro may be a pragma."""


def mark_batches(edits: HostEdits, runs: Iterable[QuietRun]) -> None:
    """Mark the quiet runs of the unit."""
    for run in runs:
        file = edits.unit.files[run.first.file]
        source, start, end = file.scan.source, _start(file, run), _end(file, run)
        if not _is_start(source.text[:start], run):
            continue
        line = source.text[source.text.rfind("\n", 0, start) + 1 : start]
        indent = "" if line.strip() else line
        condition = _condition(run.elsewhere, indent)
        uses = "".join(f"{indent}{condition}rex_batch_uses(&{m}, sizeof {m});\n" for m in run.own_members)
        begin, end_of_run = f"{condition}{_BEGIN}{uses}", f"{condition}{_END}"
        opening, closing = (begin, end_of_run) if run.in_block else (f"{{ {begin}", f"{end_of_run} }}")
        changes = edits.of(file)
        changes.before(start, end, f"{opening}{resume(source, start)}{indent}")
        changes.after(start, end, f"\n{OWN}\n{indent}{closing}\n{resume(source, end)}")


def _condition(called: Iterable[CommonFunction], indent: str) -> str:
    tests = [f"REX_IS_QUIET({function.symbol}, {function.address})" for function in called]
    joined = f" &&\n{indent}    ".join(tests)
    return f"if ({joined})\n{indent}  " if tests else ""


def quiet_declared(quiet: QuietParts) -> list[str]:
    """Return the lines in front of a host file with which it asks for what other files say of their functions."""
    called = dict.fromkeys(function.symbol for run in quiet.runs for function in run.elsewhere)
    return [f"REX_ASKED_WHETHER_QUIET({name})" for name in called]


def quiet_defined(quiet: QuietParts) -> list[str]:
    """Return the lines at the end of a host file with which it says what others may know of its functions."""
    return [f"REX_QUIET({f.symbol}, {f.type})" for f in quiet.functions]


def _start(file: ProbedFile, run: QuietRun) -> int:
    """Return where a run starts in the user's text: a directive's place is that of its pragma, as is that of a loop
    of which pragmas speak."""
    sites = (p.site.start for p in file.probes if p.offset == run.first.start)
    start = next(sites, file.original(run.first.start))
    while (pragma := _PRAGMA.search(file.scan.source.text, 0, start)) is not None:
        start = pragma.start() + len(pragma[0]) - len(pragma[0].lstrip())
    return start


def _is_start(before: str, run: QuietRun) -> bool:
    """Whether nothing in front of a run belongs to it."""
    return _ENDS.search(before) is not None or (not run.in_block and before.rstrip().endswith(")"))


def _end(file: ProbedFile, run: QuietRun) -> int:
    """Return where a run ends in the user's text: where a directive does that has no statement."""
    updates = (p for p in file.probes if p.offset == run.last.start and p.directive.name == "target update")
    return next((p.site.end for p in updates), None) or statement_end(file, run.last)
