"""What there is to measure: a plan of jobs, as the machine that measures needs it.

In: what the manifest says, with the executables that were built or why they were not. Out: the same as JSON, which is
the file ``plan.json`` of a packed folder. This module and those that it is used by are also part of the script in such
a folder, so they need nothing but Python's standard library.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

OURS = "rexcc"
DECIDERS = ("printed", "gpu", "kernel", "transfer", "wall")
MANDATORY = {"OMP_TARGET_OFFLOAD": "MANDATORY"}
"""The environment of a variant that offloads: without a device it fails, it does not run somewhere else."""


@dataclass(frozen=True)
class Printed:
    """A figure that the program prints: the first group of ``pattern`` is a number; ``of`` joins several lines."""

    name: str
    pattern: str
    unit: str
    of: str = "median"
    better: str = "lower"
    cuda_pattern: str | None = None


@dataclass(frozen=True)
class Comparison:
    """When the output of a variant is right. Paths are relative to the plan's folder."""

    reference: str | None = None
    expected: str | None = None
    stdout: bool = True
    files: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    relative: float = 0.0
    absolute: float = 0.0
    expect: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    status: int = 0


EXACT = Comparison()
"""All of standard output is equal."""


@dataclass(frozen=True)
class Executable:
    """One variant of a job: the file to run, or the reason why there is none."""

    variant: str
    path: str | None
    reason: str = ""
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """One row: a program with its arguments, its variants and what is to be compared and read.

    ``inputs`` are pairs of a file and the name that the program finds it under.
    """

    name: str
    executables: tuple[Executable, ...]
    arguments: tuple[str, ...] = ()
    cuda_arguments: tuple[str, ...] | None = None
    inputs: tuple[tuple[str, str], ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    compare: Comparison = EXACT
    printed: tuple[Printed, ...] = ()
    ignore_kernels: tuple[str, ...] = ()
    decides: str | None = None
    note: str = ""

    def arguments_of(self, variant: str) -> tuple[str, ...]:
        """Return the arguments that a variant gets."""
        if variant == "cuda" and self.cuda_arguments is not None:
            return self.cuda_arguments
        return self.arguments


@dataclass(frozen=True)
class TunedKernel:
    """A kernel of which choices are measured (``rexcc bench --tune``).

    ``names`` are those of its entry points, ``key`` is what a file of ``--tuned`` knows it by, and ``choices`` are the
    words of that file for each variant that changes it.
    """

    program: str
    names: tuple[str, ...]
    key: dict[str, Any]
    choices: dict[str, dict[str, Any]]


def tuned_from_json(data: dict[str, Any]) -> TunedKernel:
    """Return the kernel of ``dataclasses.asdict``."""
    return TunedKernel(data["program"], tuple(data["names"]), data["key"], data["choices"])


@dataclass(frozen=True)
class Plan:
    """All jobs; ``device`` is ``gpu`` or ``cpu``, ``built`` says with which versions, ``activity`` is CUPTI's library.

    ``library_folders`` are searched for shared libraries before the machine's own. Of ``tuned`` kernels the seconds of
    each are kept.
    """

    title: str
    jobs: tuple[Job, ...]
    device: str = "gpu"
    repeats: int = 7
    gpu_repeats: int = 3
    timeout: float = 60.0
    built: dict[str, str] = field(default_factory=dict)
    activity: str | None = None
    no_activity: str = ""
    library_folders: tuple[str, ...] = ()
    tuned: tuple[TunedKernel, ...] = ()


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON has it."""
    return dataclasses.asdict(plan)


def plan_from_json(data: dict[str, Any]) -> Plan:
    """Return the plan of :func:`plan_to_json`."""
    jobs = tuple(_job(job) for job in data["jobs"])
    tuned = tuple(map(tuned_from_json, data["tuned"]))
    return Plan(**{**data, "jobs": jobs, "library_folders": tuple(data["library_folders"]), "tuned": tuned})


def _job(data: dict[str, Any]) -> Job:
    cuda = data["cuda_arguments"]
    return Job(
        name=data["name"],
        executables=tuple(Executable(**executable) for executable in data["executables"]),
        arguments=tuple(data["arguments"]),
        cuda_arguments=None if cuda is None else tuple(cuda),
        inputs=tuple((file, name) for file, name in data["inputs"]),
        environment=dict(data["environment"]),
        compare=_comparison(data["compare"]),
        printed=tuple(Printed(**printed) for printed in data["printed"]),
        ignore_kernels=tuple(data["ignore_kernels"]),
        decides=data["decides"],
        note=data["note"],
    )


def _comparison(data: dict[str, Any]) -> Comparison:
    values: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in data.items()}
    return Comparison(**values)
