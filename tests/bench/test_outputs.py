"""When two outputs are the same."""

from __future__ import annotations

import pytest

from rexcc.bench.outputs import difference, files_differ, lines_agree, own_fault
from rexcc.bench.plan import Comparison

NEAR = Comparison(relative=1e-3, absolute=1e-6)


def test_equal_texts_agree_and_blanks_at_ends_do_not_count():
    assert difference("a\nb \n", "a\nb\n", Comparison()) is None


def test_the_first_difference_is_told():
    assert difference("a\nb\nc", "a\nx\ny", Comparison()) == "line 2 is 'b', not 'x'"
    assert difference("a\n", "a\nb\n", Comparison()) == "1 lines, not 2"


def test_dropped_lines_and_removed_parts():
    rules = Comparison(drop=("^Time",), remove=(r"\d+ us",))
    assert difference("Time 1\nsum 3 in 17 us\n", "sum 3 in 29 us\nTime 2\n", rules) is None
    assert difference("Time 1\nsum 3\n", "sum 4\n", rules) == "line 1 is 'sum 3', not 'sum 4'"


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ("x = 1.0000", "x = 1.0005"),
        ("1e-9", "-2e-9"),
        ("[1, 2.5]", "[1.0001, 2.5]"),
        ("12.5ms", "12.501ms"),
        ("nan 1", "-nan 1"),
        ("a   1", "a 1"),
        ("x1 3", "x1 3.0"),
        ("-1.5e+3", "-1500"),
    ],
)
def test_numbers_within_the_tolerance(mine: str, other: str):
    assert lines_agree(mine, other, NEAR)
    assert not lines_agree(mine, other, Comparison()) or mine == other


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ("x = 1.000", "x = 1.002"),
        ("x = 1", "y = 1"),
        ("1 2", "1"),
        ("x1 3", "x2 3"),
        ("inf", "1e300"),
        ("inf", "-inf"),
        ("nan", "1"),
        ("0", "0.00001"),
        ("0x10", "0x20"),
    ],
)
def test_what_differs(mine: str, other: str):
    assert not lines_agree(mine, other, NEAR)


@pytest.mark.parametrize(
    ("stdout", "stderr", "status", "words"),
    [
        ("PASS", "", 0, None),
        ("PASS", "", None, "time limit"),
        ("PASS", "a\nlast words\n", 1, "ended with status 1: last words"),
        ("PASS", "", -11, "signal 11"),
        ("done", "", 0, "no line that matches '^PASS'"),
        ("PASS\nx nan", "", 0, "prints 'x nan'"),
        ("PASS", "nan", 0, "prints 'nan'"),
    ],
)
def test_what_is_wrong_with_an_output_by_itself(stdout: str, stderr: str, status: int | None, words: str | None):
    found = own_fault(stdout, stderr, status, Comparison(expect=("^PASS",), reject=("nan",)))
    assert (found is None) if words is None else (found is not None and words in found)


def test_another_status_may_mean_success():
    assert own_fault("", "", 3, Comparison(status=3)) is None
    assert own_fault("", "", 0, Comparison(status=3)) == "ended with status 0"


def test_output_files():
    assert files_differ({"a.txt": b"1.0"}, {"a.txt": b"1.0001"}, NEAR) is None
    assert files_differ({"a.bin": b"1.0"}, {"a.bin": b"1.0001"}, NEAR) == "a.bin: other bytes"
    assert files_differ({}, {"a.txt": b""}, NEAR) == "file a.txt is missing"
    assert files_differ({"a.txt": b"1"}, {"a.txt": b"2"}, NEAR) == "a.txt: line 1 is '1', not '2'"
