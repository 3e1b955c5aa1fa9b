"""What the tests of ``rexcc bench`` share: programs that are shell scripts, and jobs of them."""

from __future__ import annotations

import time
from pathlib import Path

import support
from rexcc.bench.measuring import Measuring
from rexcc.bench.plan import Comparison, Executable, Job, Plan, Printed
from rexcc.bench.results import Row
from rexcc.bench.running import Run, Runner

TIME = Printed("time", r"^time ([\d.]+) ms", "ms")


def program(folder: Path, name: str, body: str) -> str:
    """Write an executable script; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


def job(folder: Path, bodies: dict[str, str | None], **more: object) -> Job:
    """Return a job of scripts, one for each variant; None is one that was not built."""
    executables = tuple(
        Executable(variant, program(folder, f"it.{variant}", body)) if body is not None
        else Executable(variant, None, "syntax error")
        for variant, body in bodies.items()
    )  # fmt: skip
    settings: dict[str, object] = {"compare": Comparison(drop=("^time",)), "printed": (TIME,), **more}
    return Job("it", executables, **settings)  # type: ignore[arg-type]


def measured(given: Job, repeats: int = 3, **settings: object) -> Row:
    """Return the row of a job, really run."""
    plan = Plan("test", (given,), device="cpu", repeats=repeats, timeout=support.PATIENCE)
    for name, value in settings.items():
        object.__setattr__(plan, name, value)
    return Measuring(plan, Path("/"), Runner(plan, Path("/")).run).measure(given)


class Recorder:
    """Stands for running: gives the outputs it was made with, and keeps the order of the calls."""

    def __init__(self, outputs: dict[str, str], activity: dict[str, str] | None = None) -> None:
        self.outputs, self.activity = outputs, activity or {}
        self.calls: list[str] = []

    def __call__(self, given: Job, executable: Executable, with_activity: bool) -> Run:
        self.calls.append(executable.variant + ("+" if with_activity else ""))
        record = self.activity.get(executable.variant) if with_activity else None
        status = -11 if record == "crash" else 0
        return Run(status, self.outputs[executable.variant], "", time.perf_counter(), {}, record)
