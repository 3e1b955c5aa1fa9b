"""Running a plan.

In: commands. Out: their outcomes, in the plan's order. A command starts when the files that it reads are made, as many
at a time as there are CPUs; when one fails, those that need its output are skipped and the others go on, so that one
run shows the errors of all files.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

from rexcc.driver.commands.plan import Command
from rexcc.driver.commands.processors import usable_cpus
from rexcc.source.records import dataclass
from rexcc.target.commands import Finish, NotAnImageError

_TIME_TO_TIDY_UP = 2.0  # seconds


@dataclass(frozen=True)
class Outcome:
    """A command that ran: its exit status and what it printed; ``took_longer`` tells that its quicker form failed."""

    command: Command
    status: int
    stdout: bytes
    stderr: bytes
    took_longer: bool = False


def run_plan(commands: Sequence[Command]) -> list[Outcome]:
    """Run commands and return the outcomes of those that could run, in the order of ``commands``."""
    processes = _Processes()
    outcomes: dict[int, Outcome] = {}
    try:
        while len(ready := list(_ready(commands, outcomes, set(outcomes)))) == 1:
            outcomes[ready[0]] = run_command(commands[ready[0]], processes)
    except BaseException:
        processes.terminate()
        raise
    if ready:
        _run_side_by_side(commands, outcomes, processes)
    return [outcomes[index] for index in sorted(outcomes)]


def _run_side_by_side(commands: Sequence[Command], outcomes: dict[int, Outcome], processes: _Processes) -> None:
    """Run the commands that have no outcome yet, each in a thread, as many at a time as there are CPUs."""
    started = set(outcomes)
    ended: SimpleQueue[tuple[int, Outcome | BaseException]] = SimpleQueue()
    running, most = 0, usable_cpus()

    def run(index: int) -> None:
        try:
            ended.put((index, run_command(commands[index], processes)))
        except BaseException as problem:
            ended.put((index, problem))

    try:
        while True:
            for index in islice(_ready(commands, outcomes, started), most - running):
                started.add(index)
                running += 1
                threading.Thread(target=run, args=(index,), daemon=True).start()
            if not running:
                return
            index, outcome = ended.get()
            running -= 1
            if isinstance(outcome, BaseException):
                raise outcome
            outcomes[index] = outcome
    except BaseException:
        processes.terminate()
        raise


def run_in_place(argv: Sequence[str]) -> int:
    """Run a program with this one's standard streams; return its exit status.

    What ends this process ends it too. At a terminal it stays in the terminal's group of processes, to read from it.
    """
    apart = not sys.stdin or not sys.stdin.isatty()
    with subprocess.Popen(argv, start_new_session=apart) as process:
        try:
            process.communicate()
        except BaseException:
            _end([process])
            raise
    return process.returncode


class _Processes:
    """The processes that run now, so that an interrupted driver can end them."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def run(self, argv: Sequence[str], data: bytes | None) -> tuple[int, bytes, bytes]:
        """Run a program to its end, with ``data`` as its input; return its exit status and what it printed."""
        given = subprocess.DEVNULL if data is None else subprocess.PIPE
        with self._lock:
            if self._ended:
                return -signal.SIGTERM, b"", b""
            process = subprocess.Popen(
                argv, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
            self._running.add(process)
        with process:
            try:
                stdout, stderr = process.communicate(data)
            except BaseException:
                _end([process])  # which leaving the block waits for
                raise
        with self._lock:
            self._running.discard(process)
        return process.returncode, stdout, stderr

    def terminate(self) -> None:
        """End all of them and what they have started; those that have time to tidy up but do not end are killed."""
        with self._lock:
            self._ended = True
            running = list(self._running)
        _end(running)


def _end(running: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in running:
        _signal_group(process, signal.SIGTERM)
    deadline = time.monotonic() + _TIME_TO_TIDY_UP
    for process in running:
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        _signal_group(process, signal.SIGKILL)


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a compiler driver and the processes that it has started, if it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.getpgid(process.pid) == process.pid or process.returncode is not None:
            os.killpg(process.pid, number)
        else:
            os.kill(process.pid, number)


def _ready(commands: Sequence[Command], outcomes: dict[int, Outcome], started: set[int]) -> Iterator[int]:
    """Give the commands not yet started whose inputs no unfinished or failed command has to make."""
    finished = {i for i, outcome in outcomes.items() if outcome.status == 0}
    missing = {command.output for i, command in enumerate(commands) if i not in finished and command.output}
    for index, command in enumerate(commands):
        if index not in started and not missing.intersection(command.inputs):
            yield index


def run_command(command: Command, processes: _Processes | None = None) -> Outcome:
    """Run one command to its end."""
    processes = processes or _Processes()
    try:
        status, stdout, stderr = processes.run(command.quicker or command.argv, command.data)
        fails = status > 0 or (status == 0 and _calls_wrongly(command, stdout + stderr))
        took_longer = fails and bool(command.quicker)
        if took_longer:
            status, stdout, stderr = processes.run(command.argv, command.data)
    except OSError as problem:
        return Outcome(command, 127, b"", f"cannot run {command.argv[0]}: {problem.strerror}\n".encode())
    if status > 0 and command.may_fail and command.output and Path(command.output).is_file():
        status, stderr = 0, b""
    outcome = Outcome(command, status, stdout, stderr, took_longer)
    if status == 0 and _calls_wrongly(command, stdout + stderr):
        return Outcome(command, 1, stdout, stderr)
    if status == 0 and command.finish is not None and command.output:
        return _finished(outcome, command.output, command.finish)
    return outcome


def _calls_wrongly(command: Command, printed: bytes) -> bool:
    """Whether device code calls what has none, of which its compiler only warns."""
    text = printed.decode("utf-8", "replace")
    return command.target is not None and bool(command.target.tools.messages.wrong_calls(text, command.reached))


def _finished(outcome: Outcome, path: str, finish: Finish) -> Outcome:
    file = Path(path)
    try:
        file.write_bytes(finish.applied(file.read_bytes()))
    except (OSError, NotAnImageError) as problem:
        return Outcome(outcome.command, 1, outcome.stdout, f"{path}: {problem}\n".encode())
    return outcome
