"""Running one variant of a program once, in a folder of its own.

In: an executable with arguments, inputs and environment. Out: :class:`Run`: exit status, what it printed and wrote, how
long it took by the wall clock, and what the GPU did where that was asked for.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rexcc.bench.plan import Executable, Job, Plan

COPIED_UP_TO = 16 << 20
"""Larger inputs are links, so programs must not write to them."""

CUPTI_FOLDERS = ("/usr/local/cuda/lib64", "/usr/local/cuda/extras/CUPTI/lib64")
"""Where a machine has its own, for a packed folder that brings none."""

READ_UP_TO = 64 << 20


@dataclass(frozen=True)
class Run:
    """A run; ``status`` is None when the time limit ended it, ``activity`` the text of CUPTI's record."""

    status: int | None
    stdout: str
    stderr: str
    seconds: float
    files: dict[str, bytes]
    activity: str | None = None


@dataclass(frozen=True)
class Runner:
    """Runs jobs of a plan whose paths are relative to ``folder``."""

    plan: Plan
    folder: Path

    def run(self, job: Job, executable: Executable, with_activity: bool = False) -> Run:
        """Run a variant to its end or to the time limit."""
        assert executable.path
        with tempfile.TemporaryDirectory(prefix="rexcc-bench-") as name:
            place = Path(name)
            work = place / "work"
            work.mkdir()
            self._provide(job, work)
            record = place / "activity"
            argv = (str((self.folder / executable.path).resolve()), *job.arguments_of(executable.variant))
            environment = self._environment(job, executable, record if with_activity else None)
            status, seconds = self._process(argv, work, environment, place)
            return Run(
                status,
                _read_text(place / "stdout"),
                _read_text(place / "stderr"),
                seconds,
                _written(work, job.compare.files),
                _read_text(record) if record.exists() else None,
            )

    def _provide(self, job: Job, work: Path) -> None:
        for file, name in job.inputs:
            source, target = (self.folder / file).resolve(), work / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.stat().st_size <= COPIED_UP_TO:
                shutil.copy(source, target)
            else:
                target.symlink_to(source)

    def _environment(self, job: Job, executable: Executable, record: Path | None) -> dict[str, str]:
        found = {**os.environ, **executable.environment, **job.environment}
        folders = [str((self.folder / folder).resolve()) for folder in self.plan.library_folders]
        if record and self.plan.activity:
            folders += CUPTI_FOLDERS
            found["CUDA_INJECTION64_PATH"] = str((self.folder / self.plan.activity).resolve())
            found["REX_GPU_ACTIVITY"] = str(record)
        earlier = found.get("LD_LIBRARY_PATH")
        found["LD_LIBRARY_PATH"] = os.pathsep.join([*([earlier] if earlier else []), *folders])
        return found

    def _process(
        self, argv: tuple[str, ...], work: Path, environment: dict[str, str], place: Path
    ) -> tuple[int | None, float]:
        with (place / "stdout").open("wb") as out, (place / "stderr").open("wb") as err:
            begin = time.perf_counter()
            with _HeldSignals() as held:
                try:
                    process = _started(argv, work, environment, out, err)
                except OSError as problem:
                    err.write(f"cannot run {argv[0]}: {problem.strerror}\n".encode())
                    return 127, 0.0
                stopped = _waited(process, self.plan.timeout, held)
            seconds = time.perf_counter() - begin
        return None if stopped else process.returncode, seconds


class _HeldSignals:
    """Holds SIGINT and SIGTERM back while a program starts: one that comes before ``process`` is known would leave it.

    Masking them would do as well, but programs inherit the mask.
    """

    def __enter__(self) -> _HeldSignals:
        self._came: list[int] = []
        self._usual = {number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def _note(self, number: int, frame: object) -> None:
        self._came.append(number)

    def release(self) -> None:
        """Let them come, those that were held first."""
        while self._usual:
            signal.signal(*self._usual.popitem())
        while self._came:
            signal.raise_signal(signal.Signals(self._came.pop()))

    def __exit__(self, *problem: object) -> None:
        self.release()


def _started(
    argv: tuple[str, ...], work: Path, environment: dict[str, str], out: IO[bytes], err: IO[bytes]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        argv, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
    )


def _waited(process: subprocess.Popen[bytes], limit: float, held: _HeldSignals) -> bool:
    """Wait for a program; return whether the time limit ended it. Waiting with a limit would look only now and then."""
    stopped = threading.Event()

    def stop() -> None:
        stopped.set()
        _end(process)

    timer = threading.Timer(limit, stop)
    try:
        held.release()
        timer.start()
        process.wait()
    finally:
        timer.cancel()
        _end(process)
    return stopped.is_set()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program that still runs, and the processes that it started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _read_text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(READ_UP_TO).decode(errors="replace")


def _written(work: Path, globs: tuple[str, ...]) -> dict[str, bytes]:
    found = sorted({path for glob in globs for path in work.glob(glob) if path.is_file()})
    return {str(path.relative_to(work)): path.read_bytes() for path in found}
