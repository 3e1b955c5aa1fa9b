"""What stands in front of a statement is found near it, and as if the whole text in front were searched."""

from __future__ import annotations

import random

import pytest

from rexcc.frontend import surroundings

PIECES = (
    "#pragma unroll", "# pragma GCC ivdep \\\n", "_Pragma", "(", "\"unroll 4\"", ")", "\n", " \\\n", "\\ \r\n", " ",
    "\t",
    "x;", "#endif", "%: pragma once",
    "#pragma omp for", "_Pragma(\"a \\\"_Pragma(b)\\\" \")", "\n\n", "L", "#",
)  # fmt: skip


@pytest.mark.parametrize("pattern", [surroundings._PRAGMA, surroundings._LINE])
def test_the_last_lines_say_what_the_whole_text_says(pattern: object) -> None:
    made, number = set(), random.Random(7)
    for _ in range(6000):
        text = "".join(number.choice(PIECES) for _ in range(number.randrange(14)))
        end = number.randrange(len(text) + 1)
        whole = pattern.search(text, 0, end)  # type: ignore[attr-defined]
        near = pattern.search(text, surroundings._start_of_last_lines(text, end), end)  # type: ignore[attr-defined]
        assert (whole and whole.span()) == (near and near.span()), repr(text[:end])
        made.add(whole is None)
    assert made == {True, False}


def test_few_lines_are_looked_at() -> None:
    text = "int x;\n" * 1000
    assert surroundings._start_of_last_lines(text, len(text)) == len(text) - 4 * len("int x;\n")
