"""Long lines of the compiler's own statements."""

from __future__ import annotations

import pytest

from rexcc.kernel.folding import WIDTH, folded

LONG = [f"argument_{number}" for number in range(12)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  short(a, b);", ["  short(a, b);"]),
        (
            f"  call_of_a_function({', '.join(LONG)});",
            [f"  call_of_a_function({', '.join(LONG[:8])},", f"      {', '.join(LONG[8:])});"],
        ),
        (
            f"  const int first = f({', '.join(LONG[:4])}), second = g({', '.join(LONG[4:8])});",
            [f"  const int first = f({', '.join(LONG[:4])}),", f"      second = g({', '.join(LONG[4:8])});"],
        ),
        (
            f"  int *place = condition_of_it ? {' + '.join(LONG[:4])} : {' + '.join(LONG[4:8])};",
            [f"  int *place = condition_of_it ? {' + '.join(LONG[:4])}", f"      : {' + '.join(LONG[4:8])};"],
        ),
    ],
    ids=["short", "call", "declarations", "choice"],
)
def test_a_line_is_broken_where_least_binds(line: str, expected: list[str]) -> None:
    assert list(folded(line)) == expected


@pytest.mark.parametrize(
    "line",
    [
        f"#define CALL f({', '.join(LONG)})",
        f"  f(); /* {', '.join(LONG)} */",
        f'  print("{", ".join(LONG)}");',
        f'  print(R"({", ".join(LONG)})");',
        f"  {'x' * WIDTH};",
    ],
    ids=["directive", "comment", "literal", "raw string", "one name"],
)
def test_what_is_one_line_stays_one(line: str) -> None:
    assert folded(line) == (line,)


def test_the_tokens_stay() -> None:
    line = f"  x = f('\\'', \", \", {', '.join(LONG)}) + g({', '.join(LONG)}) * h({', '.join(LONG)});"
    assert " ".join(part.strip() for part in folded(line)) == line.strip()
    assert all(len(part) <= WIDTH for part in folded(line))
