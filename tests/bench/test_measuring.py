"""Outputs first, then times; what goes wrong is a row."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_programs import TIME, Recorder, job, measured

from rexcc.bench.measuring import Measuring, not_run
from rexcc.bench.plan import Comparison, Executable, Job, Plan
from rexcc.bench.results import VariantResult

RIGHT = "echo sum 10; echo time 2 ms"
FAST = "echo sum 10; echo time 1 ms"


def states(row: object) -> dict[str, str]:
    return {found.variant: found.state for found in row.variants}  # type: ignore[attr-defined]


def of(row: object, variant: str) -> VariantResult:
    found: VariantResult | None = row.of(variant)  # type: ignore[attr-defined]
    assert found is not None
    return found


def test_right_programs_are_timed(tmp_path: Path):
    row = measured(job(tmp_path, {"rexcc": FAST, "clang": RIGHT, "cuda": RIGHT}))
    assert states(row) == {"rexcc": "ok", "clang": "ok", "cuda": "ok"}
    assert of(row, "rexcc").compared_with == "cuda"
    assert of(row, "rexcc").figures["printed:time"].values == pytest.approx((1e-3,) * 3)
    assert len(of(row, "rexcc").figures["wall"].values) == 3
    ratio = row.ratio("clang", row.deciding)
    assert row.deciding == "printed:time" and ratio and (ratio.spread.median, ratio.verdict) == (2.0, "win")


def test_a_wrong_output_is_a_row_with_the_reason_and_no_time(tmp_path: Path):
    row = measured(job(tmp_path, {"rexcc": "echo sum 11", "clang": RIGHT}))
    assert of(row, "rexcc").state == "different"
    assert of(row, "rexcc").reason == "differs from clang: line 1 is 'sum 11', not 'sum 10'"
    assert not of(row, "rexcc").figures
    assert row.deciding is None and row.ratio("clang", "wall") is None


def test_what_takes_too_long_is_a_row(tmp_path: Path):
    row = measured(job(tmp_path, {"gcc": "sleep 3600"}), timeout=0.1)
    assert states(row) == {"gcc": "failed"}
    assert of(row, "gcc").reason == "was stopped by the time limit"


def test_a_crash_and_a_failed_build_are_rows(tmp_path: Path):
    row = measured(job(tmp_path, {"rexcc": RIGHT, "clang": "echo boom >&2; exit 3", "cuda": None}))
    assert states(row) == {"rexcc": "unchecked", "clang": "failed", "cuda": "not built"}
    assert of(row, "clang").reason == "ended with status 3: boom"
    assert of(row, "cuda").reason == "syntax error"
    assert of(row, "rexcc").reason == "nothing to compare the output with"
    assert of(row, "rexcc").figures["wall"].values


def test_a_program_that_cannot_be_run_is_a_row(tmp_path: Path):
    given = Job("it", (Executable("rexcc", str(tmp_path / "nothing")),))
    assert "cannot run" in of(measured(given), "rexcc").reason


def test_an_output_that_changes_in_a_later_round_counts(tmp_path: Path):
    counter = tmp_path / "count"
    racy = (
        f"echo x >> {counter}; if [ $(wc -l < {counter}) -gt 2 ]; then echo sum 9; else echo sum 10; fi; echo time 1 ms"
    )
    row = measured(job(tmp_path, {"rexcc": racy, "cuda": RIGHT}))
    assert of(row, "rexcc").state == "different"
    assert of(row, "rexcc").reason.startswith("in round 2: differs from cuda")
    assert not of(row, "rexcc").figures


def test_expected_output_and_own_check(tmp_path: Path):
    expected = tmp_path / "expected"
    expected.write_text("sum 10\n")
    rules = Comparison(drop=("^time",), expected=str(expected))
    row = measured(job(tmp_path, {"rexcc": RIGHT, "clang": "echo sum 1"}, compare=rules))
    assert states(row) == {"rexcc": "ok", "clang": "different"}
    alone = Comparison(reference="none", expect=("^sum 10$",))
    row = measured(job(tmp_path, {"rexcc": RIGHT, "clang": "echo sum 1"}, compare=alone))
    assert states(row) == {"rexcc": "ok", "clang": "failed"}
    assert of(row, "rexcc").compared_with == "its own check"


def test_a_reference_that_fails_makes_room_for_the_next(tmp_path: Path):
    rules = Comparison(drop=("^time",), reference="gcc")
    row = measured(job(tmp_path, {"rexcc": RIGHT, "clang": RIGHT, "gcc": "exit 1"}, compare=rules))
    assert of(row, "rexcc").compared_with == "clang"


def test_the_host_version_is_a_reference_and_no_peer(tmp_path: Path):
    rules = Comparison(drop=("^time",), reference="host")
    row = measured(job(tmp_path, {"rexcc": RIGHT, "clang": RIGHT, "host": RIGHT}, compare=rules))
    assert of(row, "rexcc").compared_with == "host"
    assert not of(row, "host").figures
    assert [peer.variant for peer in row.peers] == ["clang"]


def test_output_files_are_compared(tmp_path: Path):
    rules = Comparison(stdout=False, files=("out.txt",))
    row = measured(job(tmp_path, {"rexcc": "echo 1 > out.txt", "cuda": "echo 2 > out.txt"}, compare=rules))
    assert of(row, "rexcc").reason == "differs from cuda: out.txt: line 1 is '1', not '2'"


def test_inputs_arguments_and_environment(tmp_path: Path):
    data = tmp_path / "data"
    data.write_text("7\n")
    given = job(
        tmp_path,
        {"rexcc": 'cat in/x "$1"; echo $COLOUR', "cuda": 'cat in/x "$2"; echo $COLOUR'},
        inputs=((str(data), "in/x"),),
        arguments=("in/x",),
        cuda_arguments=("-", "in/x"),
        environment={"COLOUR": "red"},
        compare=Comparison(expect=("^7$", "^red$")),
    )
    assert states(measured(given)) == {"rexcc": "ok", "cuda": "ok"}


def test_rounds_are_interleaved_and_begin_with_another_variant_each(tmp_path: Path):
    run = Recorder(dict.fromkeys(("rexcc", "clang", "cuda"), "sum\ntime 1 ms\n"))
    given = job(tmp_path, {"rexcc": "", "clang": "", "cuda": ""})
    plan = Plan("t", (given,), device="cpu", repeats=3)
    Measuring(plan, tmp_path, run).measure(given)
    assert run.calls == ["rexcc", "clang", "cuda"] * 2 + ["clang", "cuda", "rexcc", "cuda", "rexcc", "clang"]


def test_gpu_time_comes_from_rounds_of_their_own(tmp_path: Path):
    record = "kernel\t1\t{}\t1\t1\t0\t1\t1\t1\t0\tk\ncopy\t1\t500\t1\t1\t1\t0\t0\t0\t0\tto the device\n"
    run = Recorder(
        dict.fromkeys(("rexcc", "clang", "cuda"), "sum\n"),
        {"rexcc": record.format(1000), "clang": record.format(3000)},
    )
    given = job(tmp_path, {"rexcc": "", "clang": "", "cuda": ""}, printed=())
    row = Measuring(Plan("t", (given,), repeats=1, gpu_repeats=3, activity="lib.so"), tmp_path, run).measure(given)
    assert run.calls.count("rexcc+") == 3
    assert row.deciding == "gpu"
    kernel, total = row.ratio("clang", "kernel"), row.ratio("clang", "gpu")
    assert kernel and kernel.spread.median == pytest.approx(3.0)
    assert total and total.spread.median == pytest.approx(3500 / 1500) and total.verdict == "win"
    assert of(row, "cuda").notes == ("GPU time not measured: the run left no record of CUPTI",)
    assert [entry.name for entry in of(row, "rexcc").kernels] == ["k", "to the device"]


def test_what_fails_only_with_cupti_keeps_its_other_figures(tmp_path: Path):
    run = Recorder(dict.fromkeys(("rexcc", "clang"), "sum\ntime 1 ms\n"), {"rexcc": "crash", "clang": ""})
    given = job(tmp_path, {"rexcc": "", "clang": ""})
    row = Measuring(Plan("t", (given,), gpu_repeats=3, activity="lib.so"), tmp_path, run).measure(given)
    assert states(row) == {"rexcc": "ok", "clang": "ok"}
    assert run.calls.count("rexcc+") == run.calls.count("clang+") == 1
    assert of(row, "rexcc").notes == (
        "GPU time not measured: with CUPTI the program was ended by signal 11: time 1 ms",
    )
    assert of(row, "clang").notes == ("GPU time not measured: CUPTI saw no kernel",)
    assert row.deciding == "printed:time"


def test_kernels_that_only_a_peer_launches_are_noted(tmp_path: Path):
    record = "kernel\t{}\t1000\t1\t1\t0\t1\t1\t1\t0\tk\n"
    run = Recorder(
        dict.fromkeys(("rexcc", "clang", "cuda"), "sum\n"),
        {"rexcc": record.format(10), "clang": record.format(13), "cuda": record.format(20)},
    )
    given = job(tmp_path, {"rexcc": "", "clang": "", "cuda": ""}, printed=())
    row = Measuring(Plan("t", (given,), repeats=1, gpu_repeats=1, activity="lib.so"), tmp_path, run).measure(given)
    assert not of(row, "clang").notes
    assert of(row, "cuda").notes == ("launches 20 kernels, ours 10: GPU times may not be of the same work",)


def test_a_figure_that_is_not_printed_is_noted(tmp_path: Path):
    row = measured(job(tmp_path, {"rexcc": "echo sum 10", "cuda": RIGHT}, printed=(TIME,)))
    assert of(row, "rexcc").notes == ("prints no figure 'time'",)
    assert row.deciding == "wall"


def test_no_round_begins_after_the_deadline(tmp_path: Path):
    run = Recorder({"rexcc": "", "cuda": ""})
    given = job(tmp_path, {"rexcc": "", "cuda": ""})
    row = Measuring(Plan("t", (given,)), tmp_path, run, deadline=0.0).measure(given)
    assert run.calls == ["rexcc", "cuda"]
    assert not of(row, "rexcc").figures
    assert states(not_run(given)) == {"rexcc": "not run", "cuda": "not run"}
