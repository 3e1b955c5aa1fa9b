"""Measuring one job: outputs first, then times.

In: a job and a way to run it. Out: a :class:`Row`. Each variant runs once for its output, which is compared with the
reference; that run also warms up. Those that are right run in rounds, each round beginning with another variant, and
their outputs are compared every time. GPU time comes from further rounds, because recording it costs time.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rexcc.bench.activity import Activity, Entry, read_activity
from rexcc.bench.figures import SECONDS, read
from rexcc.bench.outputs import difference, files_differ, own_fault
from rexcc.bench.plan import OURS, Executable, Job, Plan
from rexcc.bench.results import MOST_KERNELS, NOT_PEERS, Row, Series, VariantResult
from rexcc.bench.running import Run

RunOnce = Callable[[Job, Executable, bool], Run]
USUAL_REFERENCES = ("cuda", "clang", "gcc", "host")
_LAUNCHES_ALIKE = 0.3


@dataclass(frozen=True)
class Reference:
    """What is right, and whose output that is; None for ``stdout`` where only the program's own check counts."""

    name: str
    stdout: str | None
    files: dict[str, bytes] | None


@dataclass
class _Variant:
    """One variant while it is measured."""

    executable: Executable
    state: str = "not run"
    reason: str = ""
    compared_with: str | None = None
    values: dict[str, list[float | None]] = field(default_factory=dict)
    each: dict[str, list[float | None]] = field(default_factory=dict)
    kernels: tuple[Entry, ...] = ()
    launches: int = 0
    is_recorded: bool = True
    notes: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.executable.variant

    @property
    def is_timed(self) -> bool:
        return self.state in ("ok", "unchecked") and self.name not in NOT_PEERS

    def ends(self, state: str, reason: str) -> None:
        self.state, self.reason = state, reason

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True)
class Measuring:
    """Measures jobs of a plan; ``deadline`` is the time (of ``time.monotonic``) after which no round begins."""

    plan: Plan
    folder: Path
    run: RunOnce
    deadline: float = float("inf")

    def measure(self, job: Job) -> Row:
        """Return the row of a job."""
        begin = time.monotonic()
        variants = [_Variant(executable) for executable in job.executables]
        for variant in variants:
            if variant.executable.path is None:
                variant.ends("not built", variant.executable.reason)
        reference = self._check(job, [v for v in variants if v.executable.path])
        self._time(job, variants, reference)
        self._record(job, variants, reference)
        found = tuple(_result(job, variant) for variant in variants)
        return Row(job.name, found, job.decides, job.note, round(time.monotonic() - begin, 1))

    def _check(self, job: Job, variants: Sequence[_Variant]) -> Reference | None:
        """Run everything once, choose the reference and compare the others with it."""
        runs: dict[str, Run] = {}
        for variant in variants:
            found = runs[variant.name] = self.run(job, variant.executable, False)
            fault = own_fault(found.stdout, found.stderr, found.status, job.compare)
            variant.ends("failed" if fault else "ok", fault or "")
        right = {variant.name: runs[variant.name] for variant in variants if variant.state == "ok"}
        reference = self._reference(job, right)
        for variant in variants:
            if variant.state == "ok":
                _judge(job, variant, runs[variant.name], reference, "")
        return reference

    def _reference(self, job: Job, right: dict[str, Run]) -> Reference | None:
        rules = job.compare
        if rules.expected:
            return Reference("the expected output", (self.folder / rules.expected).read_text(errors="replace"), None)
        if rules.reference == "none":
            return Reference("its own check", None, None)
        wanted = (rules.reference, *USUAL_REFERENCES) if rules.reference else USUAL_REFERENCES
        for name in wanted:
            if name in right and (name != OURS or name == rules.reference):
                return Reference(name, right[name].stdout, right[name].files)
        return None

    def _time(self, job: Job, variants: Sequence[_Variant], reference: Reference | None) -> None:
        """Fill in what programs print and the wall clock."""
        for number, turn in enumerate(self._rounds(variants, self.plan.repeats), 1):
            for variant in turn:
                found = self.run(job, variant.executable, False)
                _judge(job, variant, found, reference, f"in round {number}: ")
                values = _printed_values(job, variant, found) | {"wall": found.seconds}
                _extend(variant, values if variant.is_timed else {}, number)

    def _record(self, job: Job, variants: Sequence[_Variant], reference: Reference | None) -> None:
        """Fill in what the GPU did."""
        if self.plan.device != "gpu" or not self.plan.activity:
            return
        for number, turn in enumerate(self._rounds(variants, self.plan.gpu_repeats), 1):
            for variant in turn:
                if variant.is_recorded:
                    found = self.run(job, variant.executable, True)
                    activity = _activity(job, variant, found, reference, number)
                    _extend(variant, _gpu_values(activity) if activity else {}, number)
                    if activity and self.plan.tuned:
                        _extend_series(variant.each, _seconds_of_each(activity), number)
        _note_launches(variants)

    def _rounds(self, variants: Sequence[_Variant], rounds: int) -> Iterator[list[_Variant]]:
        """Give the variants that are still right in turn, each round beginning with another one."""
        for number in range(rounds):
            timed = [variant for variant in variants if variant.is_timed]
            if not timed or time.monotonic() > self.deadline:
                return
            first = number % len(timed)
            yield timed[first:] + timed[:first]


def _judge(job: Job, variant: _Variant, run: Run, reference: Reference | None, where: str) -> None:
    """Set a variant's state by one run's output."""
    fault = own_fault(run.stdout, run.stderr, run.status, job.compare)
    if fault:
        variant.ends("failed", where + fault)
        return
    if reference is None:
        variant.ends("unchecked", "nothing to compare the output with")
        return
    variant.compared_with = reference.name
    problem = _differs(job, run, reference)
    if problem:
        same = reference.name == variant.name
        whom = "its own first output" if same else reference.name
        variant.ends("different", f"{where}differs from {whom}: {problem}")


def _differs(job: Job, run: Run, reference: Reference) -> str | None:
    rules = job.compare
    problem = None
    if rules.stdout and reference.stdout is not None:
        problem = difference(run.stdout, reference.stdout, rules)
    if not problem and reference.files is not None:
        problem = files_differ(run.files, reference.files, rules)
    return problem


def _printed_values(job: Job, variant: _Variant, run: Run) -> dict[str, float | None]:
    found = {f"printed:{printed.name}": read(printed, run.stdout, variant.name) for printed in job.printed}
    for name, value in found.items():
        if value is None:
            variant.note(f"prints no figure '{name.partition(':')[2]}'")
    return found


def _activity(job: Job, variant: _Variant, run: Run, reference: Reference | None, number: int) -> Activity | None:
    """Return what CUPTI saw; a program that fails only with CUPTI keeps its other figures."""
    fault = own_fault(run.stdout, run.stderr, run.status, job.compare)
    found = read_activity(run.activity, job.ignore_kernels) if run.activity is not None else None
    if fault or found is None or not found.launches:
        missing = "CUPTI saw no kernel" if found else "the run left no record of CUPTI"
        variant.note(f"GPU time not measured: {f'with CUPTI the program {fault}' if fault else missing}")
        variant.is_recorded = False
        return None
    _judge(job, variant, run, reference, f"with CUPTI, in round {number}: ")
    variant.kernels, variant.launches = found.entries[:MOST_KERNELS], found.launches
    return found


def _note_launches(variants: Sequence[_Variant]) -> None:
    """Say so where a peer's kernels are clearly more or fewer than ours: then GPU times may be of other work."""
    ours = next((variant.launches for variant in variants if variant.name == OURS), 0)
    for variant in variants:
        if ours and variant.launches and abs(variant.launches - ours) > _LAUNCHES_ALIKE * ours + 1:
            variant.note(f"launches {variant.launches} kernels, ours {ours}: GPU times may not be of the same work")


def _gpu_values(activity: Activity) -> dict[str, float | None]:
    return {"gpu": activity.gpu, "kernel": activity.kernel, "transfer": activity.transfer}


def _extend(variant: _Variant, values: dict[str, float | None], number: int) -> None:
    """Append a round's values, so that values of one round stand at one place in all variants."""
    _extend_series(variant.values, values, number)


def _seconds_of_each(activity: Activity) -> dict[str, float | None]:
    return {entry.name: entry.total * 1e-9 for entry in activity.entries if entry.kind == "kernel"}


def _extend_series(known: dict[str, list[float | None]], values: dict[str, float | None], number: int) -> None:
    for name, value in values.items():
        series = known.setdefault(name, [])
        series.extend([None] * (number - 1 - len(series)))
        series.append(value)


def _result(job: Job, variant: _Variant) -> VariantResult:
    units = {f"printed:{printed.name}": printed for printed in job.printed}
    figures: dict[str, Series] = {}
    for name, values in variant.values.items():
        printed = units.get(name)
        if all(value is None for value in values) or not variant.is_timed:
            continue
        unit = printed.unit if printed and printed.unit not in SECONDS else "s"
        figures[name] = Series(unit, printed.better if printed else "lower", tuple(values))
    return VariantResult(
        variant.name,
        variant.state,
        variant.reason,
        variant.compared_with,
        figures,
        variant.kernels,
        tuple(variant.notes),
        {name: tuple(values) for name, values in variant.each.items()},
    )


def not_run(job: Job) -> Row:
    """Return the row of a job for which there was no time."""
    found = tuple(
        VariantResult(
            executable.variant, "not run" if executable.path else "not built", executable.reason or "no time was left"
        )
        for executable in job.executables
    )
    return dataclasses.replace(Row(job.name, found), decides=job.decides, note=job.note)
