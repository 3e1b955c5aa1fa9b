"""What came of a plan: the compilers' messages, filtered, and the exit status.

In: commands and the outcomes of those that ran. Out: text for the user and 0 or 1. Places in messages are the user's
already, through ``#line``; where a generated file is named nevertheless, it is kept and the user told where. The same
kernels are compiled several times, for each device: what one compiler said is not said again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.commands.run import Outcome
from rexcc.driver.commands.workspace import Workspace
from rexcc.driver.messages import report
from rexcc.driver.messages.excerpts import with_excerpt
from rexcc.driver.messages.host_messages import as_users
from rexcc.driver.options.command_line import Options
from rexcc.source.diagnostics import Severity
from rexcc.source.patterns import regex
from rexcc.target.occupancy import Usage
from rexcc.target.usage_table import usage_table

_FULL_DISK = "No space left on device"
_CRASH = "PLEASE submit a bug report"
"""How clang begins to tell where in itself it was when it ended, which a full disk makes it do."""
_WIDE_ATOMIC = regex(r"undefined (?:reference to|symbol:) [`']?__atomic_\w+")


def report_outcomes(commands: list[Command], outcomes: list[Outcome], workspace: Workspace) -> int:
    """Show what the compilers said; return 0 if every command ran and succeeded, else 1."""
    failed_kernels: set[str | None] = set()
    said: set[tuple[str | None, str]] = set()
    of_host = {line for o in outcomes if o.command.target is None for line in _text(o.stderr).splitlines()}
    for outcome in outcomes:
        command = outcome.command
        if command.target is None:
            report.write_bytes_to_stdout(outcome.stdout)
            _show(outcome, _of_host(outcome), workspace)
            continue
        messages = command.target.tools.messages
        printed = _text(outcome.stdout) + _text(outcome.stderr)
        errors = messages.errors(printed, command.reached) if outcome.status else ()
        text = _joined(errors, command.source) or _without(messages.readable(printed), of_host)
        if command.source not in failed_kernels and errors and outcome.status > 0:
            limit = command.limit if messages.may_be_of_standard(printed) else ""
            _say_errors("" if (command.source, text) in said else text, limit)
        elif command.source not in failed_kernels:
            _show(outcome, "" if (command.source, text) in said else text, workspace)
        said.add((command.source, text))
        if outcome.status:
            failed_kernels.add(command.source)
    return int(len(outcomes) < len(commands) or any(outcome.status for outcome in outcomes))


def _of_host(outcome: Outcome) -> str:
    """Return what the host's compiler has printed, with the user's lines."""
    inputs = (path for path in outcome.command.inputs if Path(path).name.startswith("rose_")) if outcome.stderr else ()
    texts = [data.decode("utf-8", "surrogateescape") for data in map(_read, inputs) if data is not None]
    return as_users(_text(outcome.stderr), _read, texts)


def report_usages(options: Options, outcomes: Sequence[Outcome]) -> None:
    """Show what kernels take, where options of a device's tools ask for that."""
    tools = options.device.tools
    if not tools.asks_usage(options.flags.given):
        return
    known: dict[str, dict[Usage, None]] = {}
    for outcome in outcomes:
        if outcome.command.target is options.device:
            told = tools.messages.usages(_text(outcome.stdout) + _text(outcome.stderr))
            known.setdefault(outcome.command.source or "", {}).update(dict.fromkeys(told))
    for source, usages in known.items():
        for line in usage_table(source, tuple(usages)):
            report.say(line)


def _joined(errors: tuple[str, ...], source: str | None) -> str:
    """Return errors in the user's words with his lines."""
    return "\n".join(with_excerpt(_in_file(error, source), _read) for error in errors)


def _without(text: str, known: set[str]) -> str:
    """Return a text without the lines that the host's compiler has printed too, of the same options."""
    return "\n".join(line for line in text.splitlines() if line not in known)


def _read(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except OSError:
        return None


def _say_errors(text: str, limit: str) -> None:
    if text:
        report.say(text)
        _say_limit(limit)


def _say_limit(limit: str) -> None:
    if limit:
        report.message(Severity.NOTE, f"{limit}; --target=host compiles it for the CPU device")


def _in_file(error: str, source: str | None) -> str:
    """Return an error with the file whose kernels were compiled where its compiler knew no place."""
    return f"{source}: {error}" if source is not None and error.startswith("error: ") else error


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="surrogateescape")


def _show(outcome: Outcome, text: str, workspace: Workspace) -> None:
    if _FULL_DISK in text:
        text = text.partition(_CRASH)[0]
    if text.strip():
        shown = report.coloured(text) if report.has_colours() else text
        report.write_bytes(shown.rstrip("\n").encode("utf-8", errors="surrogateescape") + b"\n")
    if not outcome.status:
        return
    if outcome.status < 0 or not text.strip() or outcome.command.stage in (Stage.IMAGE, Stage.HELPER):
        work = outcome.command.work
        how = f"was killed by signal {-outcome.status}" if outcome.status < 0 else "failed"
        report.message(Severity.ERROR, f"{work} {how}")
        _say_limit(outcome.command.limit if outcome.status > 0 else "")
    if outcome.command.stage is Stage.LINK and _WIDE_ATOMIC.search(text):
        what = (
            "reductions and atomics of types wider than a register call libatomic where clang compiles the host's code"
        )
        report.message(Severity.NOTE, f"{what}; link with -latomic")
    names = report.generated_names(text)
    if names:
        workspace.keep = True
        report.message(Severity.NOTE, f"generated files are kept in {workspace.folder}: {', '.join(names)}")
