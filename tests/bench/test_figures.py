"""Figures that programs print, and what CUPTI's recorder wrote."""

from __future__ import annotations

import pytest

from rexcc.bench.activity import read_activity
from rexcc.bench.figures import in_words, read
from rexcc.bench.plan import Printed

TEXT = "kernel 3 ms\nkernel 1 ms\nkernel 8 ms\nrate 120 GB/s\ncuda: 5 ms\n"
RECORD = (
    "kernel\t10\t5000\t400\t600\t0\t100\t256\t32\t0\tmain kernel(int, float *)\n"
    "kernel\t1\t900000\t900000\t900000\t0\t1\t1\t8\t0\tverify\n"
    "copy\t2\t3000\t1000\t2000\t4096\t0\t0\t0\t0\tto the device\n"
    "set\t1\t200\t200\t200\t64\t0\t0\t0\t0\tmemory\n"
    "half a li"
)


@pytest.mark.parametrize(("of", "value"), [("median", 3), ("sum", 12), ("first", 3), ("last", 8), ("min", 1)])
def test_several_lines_become_one_figure_in_seconds(of: str, value: float):
    printed = Printed("k", r"^kernel ([\d.]+) ms", "ms", of)
    assert read(printed, TEXT, "rexcc") == pytest.approx(value * 1e-3)


def test_other_units_stay_as_they_are():
    assert read(Printed("r", r"rate (\S+) GB/s", "GB/s", better="higher"), TEXT, "rexcc") == 120


def test_the_cuda_version_may_print_otherwise():
    printed = Printed("k", r"^kernel ([\d.]+) ms", "ms", "first", cuda_pattern=r"^cuda: (\d+)")
    assert read(printed, TEXT, "cuda") == pytest.approx(5e-3)
    assert read(printed, TEXT, "clang") == pytest.approx(3e-3)


def test_what_is_not_printed_is_none():
    assert read(Printed("k", r"nowhere (\d+)", "s"), TEXT, "rexcc") is None
    assert read(Printed("k", r"^(kernel)", "s"), TEXT, "rexcc") is None


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (1.5, "s", "1.50 s"),
        (0.0123, "s", "12.3 ms"),
        (123.4e-6, "s", "123 µs"),
        (5e-9, "s", "5.00 ns"),
        (4123.4, "GB/s", "4,123 GB/s"),
        (0.0, "s", "0 ns"),
    ],
)
def test_words(value: float, unit: str, words: str):
    assert in_words(value, unit) == words


def test_the_record_of_cupti():
    found = read_activity(RECORD, ("^verify",))
    assert found.kernel == pytest.approx(5.2e-6)
    assert found.transfer == pytest.approx(3e-6)
    assert found.gpu == pytest.approx(8.2e-6)
    assert found.launches == 10
    assert [entry.name for entry in found.entries][:2] == ["verify", "main kernel(int, float *)"]
    assert read_activity("", ()).launches == 0
