"""Inner loops in which an iteration has what the one before has stored."""

from __future__ import annotations

import pytest

import support

PARAMETERS = "float *p, float *q, const float *b, int *g, double (*u)[16], int n, int m, unsigned v"
LOOP = "for (int j = 1; j < n; j++)"
COLUMN = f"{LOOP} p[j * m + i] = p[(j - 1) * m + i] * 0.5f + b[j * m + i];"


def kernel(loop: str, wraps: bool = False) -> str:
    source = (
        "#define SET(x, y) (x) = y\n"
        f"void k({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for\n"
        f"  for (int i = 0; i < m; i++) {{\n    float s = 0;\n    {loop}\n    q[i] += s;\n  }}\n}}\n"
    )
    found = support.translate_text(source, "t.c", arguments=("-w",), wraps=wraps)
    assert not found.diagnostics and found.device is not None
    return found.device.text


def test_an_iteration_leaves_its_element_to_the_next_one() -> None:
    text = kernel(COLUMN)
    first = text.index("{ int j = 1; if (j < n) { __rex_carry_p = p[(j - 1) * m + i]; } }")
    turn = text.index("rex_in_turns<int, 4, 1>(__rex_apart_j, 1, n,")
    kept = text.index("const float __rex_kept_p = __rex_carry_p;")
    assert first < turn < kept < text.index("__rex_carry_p = p[j * m + i] = __rex_kept_p * 0.5f + __rex_ahead_b")


def test_an_iteration_that_may_store_leaves_what_it_has_loaded() -> None:
    text = kernel("for (int j = n - 2; j >= 0; j--) if (g[(j + 1) * m + i] < g[j * m + i]) g[j * m + i] = "
                  "g[(j + 1) * m + i] + 1;")  # fmt: skip
    assert text.index("__rex_carry_g = __rex_ahead_g[__rex_turn_number];") < text.index(
        "if (__rex_kept_g < __rex_ahead"
    )
    assert "__rex_carry_g = g[j * m + i] = __rex_kept_g + 1;" in text
    assert "rex_in_turns_through<int, 8, -1>(__rex_apart_j, n - 2, 0," in text


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(f"{LOOP} p[j + i * n] = p[j - 1 + n * i] + b[j];", id="a row, with another order of its parts"),
        pytest.param("for (int j = 0; j < n - 1; j++) p[(j + 1) * m + i] = p[j * m + i] + b[j];", id="the next one"),
        pytest.param(f"{LOOP} {{ int e = j * m + i; p[e] = p[e - m] + b[e]; }}", id="found by a local"),
        pytest.param("for (int j = 2; j < n; j += 2) p[j * m] = p[(j - 2) * m] + b[j];", id="steps of two"),
        pytest.param(f"{LOOP} u[j][i] = u[j - 1][i] + b[j];", id="arrays of arrays"),
        pytest.param(
            f"{LOOP} {{ u[j][i] = b[j]; s += u[j - 1][i]; }}", id="a load of another element behind the store"
        ),
        pytest.param(f"{LOOP} {{ float x = p[(j - 1) * m] + b[j]; if (x > 0) x = 0; p[j * m] = x; }}", id="a value"),
        pytest.param(
            "for (unsigned j = 1; j < v; j++) p[(unsigned long)j * m] = p[((unsigned long)j - 1) * m] + b[j];",
            id="wide sums",
        ),
    ],
)
def test_recurrences(loop: str) -> None:
    assert "__rex_carry" in kernel(loop)


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(f"{LOOP} p[j * m + i] = p[(j - 2) * m + i] + b[j];", id="two iterations before"),
        pytest.param(f"{LOOP} p[j * m + i] = p[(j + 1) * m + i] + b[j];", id="the next iteration's"),
        pytest.param(f"{LOOP} p[j * m + i] = p[(j - 1) * n + i] + b[j];", id="another distance"),
        pytest.param(f"{LOOP} p[j * m + i] = q[(j - 1) * m + i] + b[j];", id="another array"),
        pytest.param(f"{LOOP} p[i] = p[i] + b[j];", id="one element"),
        pytest.param(f"{LOOP} {{ p[j * m] = p[(j - 1) * m] + b[j]; q[j] = 1; }}", id="another store that may be it"),
        pytest.param(f"{LOOP} {{ p[j * m] = b[j]; s += p[(j - 1) * m]; }}", id="a load behind the store"),
        pytest.param(f"{LOOP} {{ p[j * m] = p[(j - 1) * m]; p[j * m] = p[j * m] + b[j]; }}", id="two stores"),
        pytest.param(f"{LOOP} if (b[j] > 0) p[j * m] = p[(j - 1) * m];", id="a load under a condition"),
        pytest.param(f"{LOOP} {{ s = p[(j - 1) * m]; if (b[j] > s) p[j * m] = 0; }}", id="not stored, and not loaded"),
        pytest.param(f"{LOOP} SET(p[j * m], p[(j - 1) * m] + b[j]);", id="a store of a macro"),
        pytest.param(f"{LOOP} s = p[j * m] = p[(j - 1) * m] + b[j];", id="a store in an expression"),
        pytest.param(f"{LOOP} (p + j)[0] = (p + j)[0] + b[j];", id="a base that changes"),
        pytest.param(
            "for (unsigned j = 1; j < v; j++) p[j * v] = p[(j - 1) * v] + b[j];", id="sums that may wrap around"
        ),
        pytest.param(f"{LOOP} {{ p[j * m] = p[(j - 1) * m] + b[j]; if (s > 9) break; }}", id="it may be left"),
    ],
)
def test_loops_that_stay(loop: str) -> None:
    assert "__rex_carry" not in kernel(loop)


def test_loops_stay_where_integers_wrap_around() -> None:
    assert "__rex_carry" not in kernel(COLUMN, wraps=True)
