"""Inner loops that load what several iterations need before the first."""

from __future__ import annotations

import re

import pytest

import support

PARAMETERS = "const float *a, const double *b, const Body *p, const int *at, float *o, float *u, int n, int m"
MAPS = "map(to: a[0:n*m], b[0:n*m], p[0:m], at[0:m]) map(from: o[0:n*m])"
LOOP = "for (int j = 0; j < m; j++)"
NBODY = "float d = p[j].x - p[i].x; s += p[j].m / sqrtf(d * d + p[j].v.y);"


TYPES = """#include <math.h>
#define ELEMENT a[j]
#define EACH for (int j = 0; j < m; j++)
struct Bits { unsigned m : 3; };
struct Vector { float y, z; };
typedef struct Body { float x, m; struct Vector v; } Body;
static float near(float v) { return v; }
"""


def kernel(loop: str, maps: str = MAPS, wraps: bool = False) -> str:
    source = (
        f"{TYPES}void k({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {maps}\n"
        "  for (int i = 0; i < n; i++) {\n    float s = 0; int q = m; struct Bits bits = {3};\n"
        f"    {loop}\n    o[i] = s + q;\n  }}\n}}\n"
    )
    found = support.translate_text(support.with_used_headers(source), "t.c", arguments=("-w",), wraps=wraps)
    assert not found.diagnostics and found.device is not None
    return found.device.text


def turns(loop: str) -> str:
    """Return the arguments of the call that executes a loop in turns."""
    found = re.search(r"rex_in_turns(\w*<.*?>\(.*?), \[&\]", kernel(loop))
    assert found is not None
    return found[1]


def test_loads_stand_in_front_of_the_iterations() -> None:
    text = kernel(f"{LOOP} {{ {NBODY} }}")
    loads = [f"__rex_ahead_p_{x}[__rex_turn_number]" for x in ("x", "m", "v_y")]
    first = text.index(f"{loads[0]} = __ldg(&p[j].x);")
    assert first < text.index(f"rex_loaded({', '.join(loads[:2])}") < text.index("float d = __rex_ahead_p_x")
    assert f"s += {loads[1]} / rex_root(d * d + {loads[2]});" in text
    assert text.count("int j = __rex_turn_first + __rex_turn_number;") == 2


def test_the_statement_stands_once_in_its_own_lines() -> None:
    text = kernel(f"{LOOP}\n      {{\n        {NBODY}\n      }}")
    assert text.count("rex_root(") == 1
    assert text[: text.index("float d =")].rpartition("#line ")[2].split()[:2] == ["14", '"t.c"']


@pytest.mark.parametrize(
    "loop, want",
    [
        pytest.param(f"{LOOP} s += a[j] / (s + 1);", "<int, 8, 1>(0, m", id="a division"),
        pytest.param(f"{LOOP} s += expf(a[j * m + i]);", "<int, 8, 1>(0, m", id="a function"),
        pytest.param("for (int j = 1; j <= m; j += 3) s /= a[j];", "_through<int, 8, 3>(1, m", id="steps to the last"),
        pytest.param("for (long j = m - 1; j >= 0; --j) s /= a[j];", "_through<long, 8, -1>(m - 1, 0", id="downwards"),
        pytest.param("for (unsigned j = m; j > 3; j -= 2) s /= a[j];", "<unsigned int, 8, -2>(m, 3", id="unsigned"),
        pytest.param(f"{LOOP} {{ int e = j * n + i; s /= a[e]; }}", "<int, 8, 1>(0, m", id="a local has the place"),
        pytest.param(f"{LOOP} {{ const Body *e = p + j; s /= e->x; }}", "<int, 8, 1>(0, m", id="a pointer has"),
        pytest.param(f"{LOOP} s += b[j] / b[m + j];", "<int, 8, 1>(0, m", id="16 registers are two of double"),
        pytest.param(f"{LOOP} s += b[j] / b[m + j] + a[j];", "<int, 4, 1>(0, m", id="four iterations"),
        pytest.param(f"{LOOP} {{ float e = a[j]; if (e > 1) s /= e; }}", "<int, 8, 1>(0, m", id="a condition behind"),
        pytest.param(f"{LOOP} o[j * n + i] = 1 / a[j];", "<int, 8, 1>(0, m", id="a store"),
        pytest.param(f"{LOOP} o[at[j]] = 1 / (float)at[j];", "<int, 8, 1>(0, m", id="the place of a store"),
        pytest.param(f"{LOOP} o[i * m] += 1 / a[j];", "<int, 8, 1>(0, m", id="one element is changed"),
        pytest.param("EACH s += a[j] / (s + 1);", "<int, 8, 1>(0, m", id="a macro's loop"),
        pytest.param(f"{LOOP} s += ((const short *)a)[j] / (s + 1);", "<int, 8, 1>(0, m", id="a narrow number"),
    ],
)
def test_forms(loop: str, want: str) -> None:
    assert turns(loop) == want


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(f"{LOOP} s += a[j] * s;", id="nothing to wait for"),
        pytest.param(f"{LOOP} s += a[j] / 3;", id="by a constant"),
        pytest.param(f"{LOOP} s += expf(a[j] * s);", id="one element for all threads and a function"),
        pytest.param(f"{LOOP} s += expf(a[j] * s) * tanhf(a[2 * j] + a[3 * j]);", id="as many for each function"),
        pytest.param("for (int j = i; j < m; j++) s += 1 / a[j];", id="rows that begin at each index"),
        pytest.param(f"{LOOP} q = q / at[j];", id="of integers"),
        pytest.param(f"{LOOP} s += 1 / (s + j);", id="nothing to load"),
        pytest.param(f"{LOOP} s += a[i] / (s + j);", id="the same element"),
        pytest.param(f"{LOOP} if (s < 9) s += a[j] / (s + 1);", id="a condition"),
        pytest.param(f"{LOOP} s += s > 3 ? a[j] / s : 1;", id="a choice"),
        pytest.param(f"{LOOP} s += s > 3 && a[j] / s > 1;", id="an operand that may be left out"),
        pytest.param(f"{LOOP} {{ s += a[j] / (s + 1); if (s > 3) break; }}", id="the loop is left"),
        pytest.param(f"{LOOP} {{ if (s > 3) continue; s += a[j] / (s + 1); }}", id="a part is skipped"),
        pytest.param(f"{LOOP} {{ s += a[j] / (s + 1); if (s > 3) goto end; }} end:;", id="a jump"),
        pytest.param(f"{LOOP} {{ s += a[j] / (s + 1); if (s > 3) j++; }}", id="the index changes"),
        pytest.param("for (int j = 0; j < q; j++) { s += a[j] / (s + 1); q--; }", id="the bound changes"),
        pytest.param(f"{LOOP} {{ s += a[q] / (s + a[j]); q++; }}", id="a place changes"),
        pytest.param(f"{LOOP} {{ int e = j; e += i; s /= a[e]; }}", id="a local changes"),
        pytest.param(f"{LOOP} s += a[at[j]] / (s + 1);", id="the place is loaded"),
        pytest.param(f"{LOOP} {{ o[j * n] = s; s += a[j] / o[j * n]; }}", id="it may be one for all iterations"),
        pytest.param(f"{LOOP} {{ s += o[i * m + j]; o[i * m + j] = s; }}", id="a row of sums of each thread's own"),
        pytest.param(f"{LOOP} {{ s = o[j * n + i] - o[j * n]; o[j * n + i] = s; }}", id="more of what it stores"),
        pytest.param(f"{LOOP} {{ s += p->x; u[j * n + i] = s; }}", id="the same element of what it may store"),
        pytest.param(f"{LOOP} {{ o[j] = s; s += a[j] / o[j]; }}", id="it is stored before"),
        pytest.param(f"{LOOP} {{ o[at[j]] = s; s += 1 / o[j]; }}", id="it is not known what is stored"),
        pytest.param(f"{LOOP} {{ o[j] += s; s += a[j] / s; }}", id="it is changed"),
        pytest.param(f"{LOOP} {{ o[i] += 1 / a[j]; s += o[i]; }}", id="one element is changed and loaded"),
        pytest.param(f"{LOOP} s += *(volatile float *)&a[j] / s;", id="volatile"),
        pytest.param(f"{LOOP} s += near(a[j]) / (s + 1);", id="a call"),
        pytest.param(f"{LOOP} s += ELEMENT / (s + 1);", id="a macro"),
        pytest.param("for (int j = 0; j != m; j++) s += a[j] / (s + 1);", id="counts up to one value alone"),
        pytest.param("for (int j = 0; j < 40; j++) s += a[j] / (s + 1);", id="few iterations"),
        pytest.param("for (int j = 0; j < m; j += q) s += a[j] / (s + 1);", id="steps that are not known"),
        pytest.param("for (int j = -m; j < bits.m; j++) s += a[j] / (s + 1);", id="a bit-field is the bound"),
        pytest.param("int j; for (j = 0; j < m; j++) s += a[j] / (s + 1);", id="an index that lives on"),
        pytest.param("for (short j = 0; j < m; j++) s += a[j] / (s + 1);", id="an index that is converted"),
        pytest.param("for (int j = 0; j < m; j++) for (int e = 0; e < q; e++) s /= a[j];", id="not the innermost"),
        pytest.param(f"{LOOP} s += b[j] / (b[m+j] * b[2*m+j] + b[3*m+j] * b[4*m+j]);", id="too many registers"),
        pytest.param(f"{LOOP} s += a[j] / s / (s + 1) / (s + 2) / (s + 3) / (s + 4);", id="too many divisions"),
    ],
)
def test_loops_stay(loop: str) -> None:
    text = kernel(loop)
    assert "rex_in_turns" not in text and "__rex_ahead_" not in text


@pytest.mark.parametrize("element", ["expf(a[i * m + j])", "1 / a[i * m + j]"])
def test_rows_of_each_threads_own_have_another_form(element: str) -> None:
    text = kernel(f"{LOOP} s += {element};")
    assert "rex_in_turns" not in text and "rex_along_row" in text


@pytest.mark.parametrize(
    "loop, first, second",
    [
        pytest.param(f"{LOOP} {{ s += a[j] / o[j * n]; o[j * n] = s; }}", "(int)(0)", "(int)(0) + 1", id="a division"),
        pytest.param(f"{LOOP} {{ s += o[j * n + i]; o[j * n + i] = s; }}", "(int)(0)", "(int)(0) + 1", id="a sum"),
        pytest.param(
            "for (long j = m; j >= q; j -= 4) o[j * n] = s -= o[j * n];", "(long)(m)", "(long)(m) - 4", id="back"
        ),
    ],
)
def test_elements_that_a_loop_changes_are_compared_with_the_next(loop: str, first: str, second: str) -> None:
    asked = re.search(r"return rex_apart\((.*?)\);\n +};", kernel(loop), re.S)
    assert asked is not None
    at = re.split(r",\s*(?=\[&\])", asked[1])
    assert [one.rpartition("}(")[2] for one in at] == [f"{first})", f"{second})"]
    assert at[0].rpartition("}(")[0] == at[1].rpartition("}(")[0]


def test_what_the_loop_may_write_is_compared() -> None:
    loop = f"{LOOP} {{ int e = j * n + i; s = a[e] / (s + b[j]); u[e] = s; o[e] = s * s; }}"
    asked = kernel(loop, "")
    assert "rex_in_turns<int, 4, 1>(__rex_apart_j, 0, m, [&]" in asked
    apart = asked[asked.index("const auto __rex_apart_j = [&] {") : asked.index("rex_in_turns<")]
    assert "return rex_apart(__rex_of_u, __rex_of_a, __rex_of_b) &&" in apart
    assert "rex_apart(__rex_of_o, __rex_of_a, __rex_of_b);" in apart
    assert "rex_in_turns" not in kernel(loop, "", wraps=True)
    by_pointer = kernel(f"{LOOP} {{ float *e = u + j * n; s = a[j] / (s + b[j]); *e = s; }}", "")
    assert "[&](int j) { float *e = u + j * n; return rex_element(*e); }" in by_pointer
    proved = kernel(loop, f"{MAPS} map(from: u[0:n*m])")
    assert "rex_in_turns<int, 8, 1>(0, m, [&]" in proved and "__rex_apart_j" not in proved


@pytest.mark.parametrize("store", ["float *e = u + j * 7 % m; *e = s;", "float *e = &u[j * j]; e[1] = s;"])
def test_stores_whose_addresses_go_up_and_down_have_no_range(store: str) -> None:
    assert "rex_in_turns" not in kernel(f"{LOOP} {{ s += a[j] / (s + 1); {store} }}", "")


def test_what_an_iteration_may_store_first_is_loaded_in_its_place() -> None:
    text = kernel(f"{LOOP} {{ u[j * n] = s; s += b[j * n] / (s + a[j]); o[i] = a[j] - b[j * n]; }}", "")
    a, b = (
        f"rex_ahead(__rex_turn, __rex_ahead_{x}[__rex_turn_number], {x}[j{y}])" for x, y in (("a", ""), ("b", " * n"))
    )
    assert f"s += {b} / (s + {a}); o[i] = {a} - {b};" in text
    text = kernel(f"{LOOP} {{ s += b[j] / (s + a[j]); u[j] = s; s += a[j]; }}", "")
    assert "(s + __rex_ahead_a[__rex_turn_number]); u[j] = s; s += rex_ahead(__rex_turn, " in text


def test_an_element_that_its_own_iteration_stores() -> None:
    loop = f"{LOOP} {{ s = a[j] / (s + u[j * 64 + i]); u[j * 64 + i] = s; }}"
    assert "rex_in_turns<int, 8, 1>(0, m, [&]" in kernel(loop, f"{MAPS} map(tofrom: u[0:n*m])")


def test_what_another_loop_writes_is_loaded_as_it_is() -> None:
    text = kernel(f"{LOOP} s += a[j] / (s + u[j]); u[i] = s;", "")
    assert "__rex_ahead_u[__rex_turn_number] = u[j];" in text and "__ldg" not in text


@pytest.mark.parametrize(
    ("load", "is_jam"),
    [("a[q * n + i] / (s + a[q * n + j])", True), ("a[(q * n + i) * m + j] / (s + a[q])", False)],
    ids=["neighbours load the same", "columns of each thread's own"],
)
def test_nests(load: str, is_jam: bool) -> None:
    source = (
        "void k(const float *a, float *o, int n, int m) {\n"
        "#pragma omp target teams distribute parallel for collapse(2) map(to: a[0:n*n*m]) map(from: o[0:n*m])\n"
        "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) {\n      float s = 0;\n"
        f"      for (int q = 0; q < n; q++) s += {load};\n      o[i * m + j] = s;\n    }}\n}}\n"
    )
    device = support.compiled(source, "t.c").device
    assert ("rex_in_turns" in device, "__rex_parts" in device) == (not is_jam, is_jam)


@pytest.mark.parametrize(
    ("code", "iterations"),
    [
        ("unsigned v = a[i]; a[i] = s; s += v;", 32),
        ("double v = b[i]; b[i] = t; t += v;", 32),
        ("double v = b[i], w = c[i]; b[i] = t; c[i] = w + t; t += v;", 16),
        ("unsigned v = a[i]; a[i] = s; s += v;" + " s ^= s << 3;" * 12, 16),
        ("unsigned v = a[i]; a[i] = s; s += v;" + " s ^= s << 3;" * 19, 8),
    ],
)
def test_kernels_of_one_thread_have_longer_turns(code: str, iterations: int) -> None:
    region = "map(tofrom: a[0:n], b[0:n], c[0:n]) map(from: s, t)"
    loop = f"s = 0; t = 0;\n    for (int i = 0; i < n; i++) {{ {code} }}"
    source = (
        "void k(unsigned *a, double *b, double *c, int n, int m) {\n  unsigned s; double t;\n"
        f"#pragma omp target {region}\n  {{\n    {loop}\n  }}\n}}\n"
    )
    device = support.compiled(source, "t.c").device
    found = re.search(r"rex_in_turns<int, (\d+), 1>", device)
    assert found is not None and int(found[1]) == iterations
