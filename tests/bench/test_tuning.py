"""``rexcc bench --tune``: what is built, who wins, and the file that a later compile reads."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from fake_programs import job

from rexcc.bench import tuning, winners
from rexcc.bench.folders import find
from rexcc.bench.measuring import Measuring
from rexcc.bench.plan import Executable, Job, Plan, TunedKernel, plan_from_json, plan_to_json
from rexcc.bench.results import Results, results_from_json, results_to_json
from rexcc.bench.running import Run, Runner
from rexcc.bench.variants import Machine, ours
from rexcc.driver.main import main
from rexcc.program.tuned import Choice, read_tuned, tuned_text
from rexcc.target.known import DEFAULT

KEY = {"file": "a.c", "function": "f", "directive": 1, "text": "aa"}
KERNEL = TunedKernel(
    "it", ("f__kernel__", "f__small__kernel__"), KEY,
    {"threads-64": {"threads": 64}, "threads-512": {"threads": 512}, "no-tiles": {"without": ["tiles"]}},
)  # fmt: skip


def record(**microseconds: float) -> str:
    """Return CUPTI's record of a run in which each kernel ran twice, for so long altogether."""
    lines = (
        f"kernel\t2\t{round(1000 * us)}\t1\t2\t0\t4\t64\t32\t0\t{name}__kernel__\n" for name, us in microseconds.items()
    )
    return "".join(lines)


class Timed:
    """Stands for running on a GPU: a variant's output, and its kernels' times round by round."""

    def __init__(self, times: dict[str, list[str]], outputs: dict[str, str] | None = None) -> None:
        self.times, self.outputs = times, outputs or {}
        self.rounds: dict[str, int] = {}

    def __call__(self, given: Job, executable: Executable, with_activity: bool) -> Run:
        name = executable.variant
        text = None
        if with_activity:
            text = self.times[name][self.rounds.get(name, 0)]
            self.rounds[name] = self.rounds.get(name, 0) + 1
        return Run(0, self.outputs.get(name, "sum 1\n"), "", 0.1, {}, text)


def results(timed: Timed, folder: Path, kernels: tuple[TunedKernel, ...] = (KERNEL,)) -> Results:
    """Return the results of tuning a program with these times, as a file of results brings them back."""
    given = job(folder, dict.fromkeys(timed.times, "true"), printed=())
    given = dataclasses.replace(given, compare=dataclasses.replace(given.compare, reference="rexcc"))
    rounds = len(timed.times["rexcc"])
    plan = Plan("t", (given,), repeats=0, gpu_repeats=rounds, built={"for": "sm_90"}, activity="lib", tuned=kernels)
    plan = plan_from_json(json.loads(json.dumps(plan_to_json(plan))))
    row = Measuring(plan, folder, timed).measure(given)
    found = Results("t", "gpu", {}, plan.built, {}, (row,), plan.tuned)
    return results_from_json(json.loads(json.dumps(results_to_json(found))))


def steady(f: float, rounds: int = 3) -> list[str]:
    return [record(f=f + number / 100, other=50) for number in range(rounds)]


def test_the_quickest_wins_by_more_than_rounds_differ(tmp_path: Path):
    found = results(
        Timed({"rexcc": steady(20), "threads-64": steady(10), "threads-512": steady(8), "no-tiles": steady(30)}),
        tmp_path,
    )
    (winner,) = winners.winners(found)
    assert (winner.variant, round(winner.usual * 1e6, 2), round(winner.best * 1e6, 2)) == ("threads-512", 20.01, 8.01)
    file = tmp_path / "x.tune"
    assert winners.write(found, file) == [
        "it: f, directive 1: threads-512 8.0 us, usual 20.0 us (2.50)",
        "tuned: 1 of 1 kernels are quicker with another choice",
        f"written: {file}",
    ]
    (entry,) = read_tuned(file.read_text(), DEFAULT.limits)
    assert (entry.choice, entry.architecture, entry.measured) == (Choice(threads=512), "sm_90", (20.01, 8.01))
    assert dataclasses.asdict(entry.key) == KEY
    again = file.read_text()
    winners.write(found, file)
    assert file.read_text() == again


@pytest.mark.parametrize(
    ("usual", "other"),
    [
        (steady(20), steady(19.8)),  # less than the rule's bound
        ([record(f=v) for v in (20, 12, 26)], [record(f=v) for v in (15, 14, 16)]),  # rounds differ by more
        (steady(20, 2), steady(10, 2)),  # two rounds decide nothing
        (steady(20), [record(other=1)] * 3),  # the kernel did not run there
    ],
)
def test_who_does_not_win(tmp_path: Path, usual: list[str], other: list[str]):
    found = results(Timed({"rexcc": usual, "threads-64": other}), tmp_path)
    assert winners.entries(found) == ()
    assert tuned_text(winners.entries(found)).split() == ["{", '"form":', "1,", '"kernels":', "[]", "}"]


def test_a_variant_with_another_output_is_out_and_named(tmp_path: Path):
    times = {"rexcc": steady(20), "threads-64": steady(5), "threads-512": steady(10)}
    found = results(Timed(times, {"threads-64": "sum 2\n"}), tmp_path)
    said = winners.write(found, tmp_path / "x.tune")
    assert said[0] == "it: threads-64 is out: different: differs from rexcc: line 1 is 'sum 2', not 'sum 1'"
    assert [winner.variant for winner in winners.winners(found)] == ["threads-512"]


def test_both_forms_of_a_kernel_count_and_a_form_may_be_missing(tmp_path: Path):
    usual = [record(f=10, f__small=20)] * 3
    found = results(Timed({"rexcc": usual, "threads-64": [record(f=25)] * 3, "no-tiles": [record(f=35)] * 3}), tmp_path)
    (winner,) = winners.winners(found)
    assert (winner.variant, round(winner.usual * 1e6)) == ("threads-64", 30)


def test_all_runs_of_a_program_count_together(tmp_path: Path):
    small = results(Timed({"rexcc": steady(10), "threads-64": steady(5), "no-tiles": steady(9)}), tmp_path)
    large = results(Timed({"rexcc": steady(100), "threads-64": steady(200), "no-tiles": steady(80)}), tmp_path)
    rows = (
        *(dataclasses.replace(r, name="it/s") for r in small.rows),
        *(dataclasses.replace(r, name="it/l") for r in large.rows),
    )
    both = dataclasses.replace(small, rows=rows)
    assert [winner.variant for winner in winners.winners(both)] == ["no-tiles"]


SOURCE = """#include <stdio.h>
int main(void) {
  double a[100];
#pragma omp target teams distribute parallel for map(from: a)
  for (int i = 0; i < 100; i++) a[i] = 2 * i;
#pragma omp target teams distribute parallel for num_threads(32) num_teams(3) schedule(static, 1) map(tofrom: a)
  for (int i = 0; i < 100; i++) { if (a[i] > 4) a[i] += 1; }
  printf("%g\\n", a[7]);
}
"""


@pytest.mark.parametrize(("written", "reference"), [(None, "rexcc"), ("host", "rexcc"), ("none", "none")])
def test_outputs_are_compared_with_our_own_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str | None, reference: str
):
    (tmp_path / "a.c").write_text(SOURCE)
    manifest = find(str(tmp_path / "a.c"))
    rules = dataclasses.replace(manifest.programs[0].compare, reference=written)
    manifest = dataclasses.replace(manifest, programs=(dataclasses.replace(manifest.programs[0], compare=rules),))
    monkeypatch.setattr("rexcc.bench.building._compiled", lambda argv, folder: "not today")
    monkeypatch.setattr(tuning.Tuning, "_listed", lambda self, program, variant: ({}, {}))
    made = tuning.Tuning(manifest, tmp_path, ours(Machine("host", "host", None, None), ()), {}, "host", False, str)
    assert [job.compare.reference for job in made.jobs()[0]] == [reference]


@pytest.mark.builds
def test_a_program_is_tuned_and_built_with_the_winners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The whole way on the CPU device, where only the kernels' times are not real."""
    monkeypatch.chdir(tmp_path)
    Path("twice.c").write_text(SOURCE)
    rexcc = ours(Machine("host", "host", None, None), ())
    choices = tuning.chosen("threads-64")
    manifest = find("twice.c")
    quick = tuple(dataclasses.replace(program, flags=("-O0",)) for program in manifest.programs)
    manifest = dataclasses.replace(manifest, programs=quick)
    made = tuning.Tuning(manifest, tmp_path / "built", rexcc, choices, "host", False, print)
    (given,), (kernel,) = made.jobs()
    assert [executable.variant for executable in given.executables] == ["rexcc", "threads-64"]
    assert (kernel.key["directive"], kernel.choices) == (
        1,
        {"threads-64": {"threads": 64}},
    )  # a clause says the other's
    plan = Plan("t", (given,), repeats=0, gpu_repeats=3, activity="lib", tuned=(kernel,))
    runner = Runner(plan, tmp_path)

    def run(one: Job, executable: Executable, with_activity: bool) -> Run:
        real = runner.run(one, executable)
        assert (real.stdout, real.status) == ("15\n", 0), real
        seconds = {"rexcc": 20, "threads-64": 10}[executable.variant]
        return dataclasses.replace(real, activity=record(**{kernel.names[0].removesuffix("__kernel__"): seconds}))

    row = Measuring(plan, tmp_path, run).measure(given)
    found = Results("t", "gpu", {}, {}, {}, (row,), plan.tuned)
    winners.write(found, Path("twice.tune"))
    assert main(["--target=host", "--tuned=twice.tune", "--emit=src", "-o", "out", "twice.c"]) == 0
    host = Path("out/rose_twice.c").read_text()
    assert "rex_default_threads(__device_id, __rex_tripcount, 64)" in host


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--choices=no-tils"], "unknown choice 'no-tils'; known are threads-64, "),
        (["--variants=cuda"], "--tune compares builds of rexcc"),
        (["--history=h"], "--tune compares builds of rexcc"),
        (["--no-cupti"], "--tune needs the times of kernels"),
        (["--rexcc-flags=--tuned=x"], "--tune starts from the usual choices"),
        (["--target=host"], "--tune needs a GPU; with --pack it builds here"),
        (["--report", "results.json"], "these results have no choices"),
    ],
)
def test_what_makes_no_sense(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
):
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(SOURCE)
    Path("results.json").write_text(json.dumps(results_to_json(Results("t", "gpu", {}, {}, {}, ()))))
    assert main(["bench", "--tune=x.tune", *([] if "--report" in arguments else ["a.c"]), *arguments]) == 2
    assert message in capfd.readouterr().err
    assert not Path("x.tune").exists()


def test_every_choice_has_its_words_and_comes_back():
    for name, choice in tuning.CHOICES.items():
        key = winners.KernelKey(**KEY)
        text = tuned_text([winners.Entry(key, "sm_90", choice)])
        assert [entry.choice for entry in read_tuned(text, DEFAULT.limits)] == [choice], name
