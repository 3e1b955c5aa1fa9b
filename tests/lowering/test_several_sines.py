"""Loops of sines and cosines ask once for several iterations whether all arguments are usual."""

from __future__ import annotations

import re

import pytest

import support
from rexcc.program.optimisations import left_out

LOOP = "for (int k = 0; k < m; k++)"

TAKEN = {
    "a sine": (f"{LOOP} {{ s += a[k] * sinf(b[k] * x); }}", 8, "s", "a[k] * rex_sincos.sine(b[k] * x)"),
    "without braces": (f"{LOOP} s += a[k] * cosf(b[k] * x);", 8, "s", "a[k] * rex_sincos.cosine(b[k] * x)"),
    "both of a value": (
        f"{LOOP} {{ float e = b[k] * x; s += a[k] * cosf(e); t += a[k] * sinf(e); }}",
        8,
        "s, t",
        "rex_sincos(e, &__rex_sin_e, &__rex_cos_e);",
    ),
    "both without braces": (
        f"{LOOP} s += sinf(a[k]) * cosf(a[k]);",
        8,
        "s",
        "rex_sincos(a[k], &__rex_sin, &__rex_cos);",
    ),
    "three": (f"{LOOP} {{ s += sinf(a[k]) + sinf(b[k]); t -= cosf(x * k); }}", 4, "s, t", "rex_sincos.sine(b[k])"),
    "with an exponential": (
        f"{LOOP} {{ s += expf(-a[k]) * sinf(b[k]); }}",
        8,
        "s",
        "expf(-a[k]) * rex_sincos.sine(b[k])",
    ),
    "downwards": ("for (int k = m; k > n; k -= 2) s += sinf(a[k]);", 8, "s", "rex_sincos.sine(a[k])"),
    "in a loop": (f"for (int q = 0; q < m; q++) {{ {LOOP} s += sinf(a[k] * q); t += s; }}", 8, "s", "sine(a[k] * q)"),
}
LEFT = {
    "a sine of what the loop computes": f"{LOOP} {{ s += a[(int)(9 * sinf(b[k]))]; }}",
    "a store": f"{LOOP} {{ s += sinf(a[k]); o[k] = s; }}",
    "an address": f"float *r = &s; {LOOP} {{ *r += sinf(a[k]); }}",
    "an address that is known": f"float *r = &s; {LOOP} {{ s += sinf(a[k]); }} *r = 1;",
    "an exit": f"{LOOP} {{ s += sinf(a[k]); if (s > 3) break; }}",
    "a while": "int k = 0; while (k < m) { s += sinf(a[k]); k++; }",
    "an index that moves": f"{LOOP} {{ s += sinf(a[k]); k++; }}",
    "a bound that moves": f"{LOOP} {{ s += sinf(a[k]); m -= s > 3; }}",
    "few iterations": "for (int k = 0; k < 5; k++) s += sinf(a[k]);",
    "a power": f"{LOOP} {{ s += powf(a[k], x) * sinf(b[k]); }}",
    "doubles": f"{LOOP} {{ s += sin(a[k]); }}",
    "five": f"{LOOP} {{ s += sinf(a[k]) + sinf(b[k]) + sinf(x * k) + sinf(a[k] + x) + sinf(b[k] + x); }}",
    "many loads": f"{LOOP} s += b[k] * sinf(a[2 * k] * x + a[3 * k] - a[k]);",
    "rows": f"{LOOP} {{ s += sinf(a[i * m + k]); }}",
    "a loop inside": f"{LOOP} {{ s += sinf(a[k]); for (int e = 0; e < 3; e++) t += e; }}",
    "an atomic": f"{LOOP} {{ s += sinf(a[k]);\n#pragma omp atomic\n o[0] += s; }}",
    "a user's unroll": f"\n#pragma unroll 2\n {LOOP} {{ s += sinf(a[k]); }}",
    "an argument that stays": f"{LOOP} {{ s += a[k] * sinf(x); }}",
    "a macro": f"{LOOP} {{ s += SINE(a[k]); }}",
}


def kernel(code: str, name: str = "t.c", without: str = "all") -> str:
    source = (
        f"#include <{'math.h' if name.endswith('.c') else 'cmath'}>\n#define SINE(e) sinf(e)\n"
        "void f(const float *a, const float *b, float *o, int n, int m, float x) {\n"
        "#pragma omp target teams distribute parallel for map(to: a[0:m], b[0:m]) map(tofrom: o[0:n])\n"
        f"  for (int i = 0; i < n; i++) {{\n    float s = 0, t = i;\n    {code}\n    o[i] = s + t;\n  }}\n}}\n"
    )
    found = support.translate_text(source, name, arguments=("-w",), left_out=left_out([without]))
    assert not found.diagnostics and found.device is not None
    return re.sub(r"__ldg\(&(\w+\[[\w *]+\])\)", r"\1", found.device.text)


@pytest.mark.parametrize("name", TAKEN)
def test_one_test_for_several_iterations(name: str) -> None:
    code, turn, changed, call = TAKEN[name]
    text = kernel(code)
    head = r"rex_sines_in_turns<__rex_form, int, (\d), [-12]+>\([^;]*, REX_SINES rex_sincos\) \{"
    asked = re.search(head + r"(.*?)\n\s*\}, ([^;()]*)\);", text, re.S)
    assert asked is not None and int(asked[1]) == turn and asked[3] == changed
    assert call in asked[2] and not re.search(r"(sin|cos)f\(", asked[2]) and "unroll 8" not in text


@pytest.mark.parametrize("name", LEFT)
def test_loops_stay(name: str) -> None:
    text = kernel(LEFT[name])
    assert "rex_sines_in_turns" not in text and "rex_sincos." not in text and "__rex_form" not in text


@pytest.mark.parametrize("called", ["std::sin", "::sinf", "std :: sin "])
def test_functions_of_the_library_of_cxx(called: str) -> None:
    assert "s += rex_sincos.sine(a[k] + x);" in kernel(f"{LOOP} s += {called}(a[k] + x);", "t.cpp")


@pytest.mark.parametrize("without", ["sines", "math-loops", "small-grids"])
def test_the_form_may_be_left_out(without: str) -> None:
    assert "rex_sines_in_turns" not in kernel(TAKEN["a sine"][0], without=f"no-{without}")


def test_grids_that_fill_the_gpu_have_the_usual_form() -> None:
    text = kernel(TAKEN["a sine"][0])
    usual, small = text.split("/* The same for grids that leave half of the threads of a multiprocessor idle")
    assert "template <class __rex_form>" in usual
    assert "code__<rex_usual_form>(" in usual and "code__<rex_small_form>(" in small


@pytest.mark.parametrize("code", ["s += sinf(tile[k] * x);", "{ float e = tile[k]; s += sinf(e); t -= cosf(e) * e; }"])
def test_loops_over_a_tile_of_a_team(code: str) -> None:
    source = (
        "#include <math.h>\n#include <omp.h>\nvoid f(const float *a, float *o, float x) {\n"
        "#pragma omp target teams num_teams(8) thread_limit(64) map(to: a[0:512]) map(tofrom: o[0:512])\n  {\n"
        "    float tile[64];\n#pragma omp parallel num_threads(64)\n    {\n"
        "      int at = omp_get_thread_num(); float s = 0, t = 0;\n      tile[at] = a[at];\n"
        f"#pragma omp barrier\n      for (int k = 0; k < 64; k++) {code}\n      o[at] = s + t;\n    }}\n  }}\n}}\n"
    )
    found = support.translate_text(source, "t.c", arguments=("-w",))
    assert found.device is not None
    text = found.device.text
    assert "rex_sines_in_turns<rex_small_form, int, 8, 1>(0, 64, " in text and "rex_sincos.sine(" in text
