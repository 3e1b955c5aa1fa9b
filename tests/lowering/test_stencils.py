"""Nests in tiles whose iterations have short loops over what neighbours load too, and elements behind accessors."""

from __future__ import annotations

import pytest

import support
from support import compiled

NEST = "for (int y = 2; y < n - 2; y++) for (int x = 2; x < m - 2; x++)"
DEEP = f"for (int z = 2; z < 40; z++) {NEST}"
SUM = "float s = 0; for (int d = -1; d <= 1; d++) for (int e = -1; e <= 1; e++)"
TOLD = "each thread executes 4 iterations side by side"


def c_text(body: str, loops: str = NEST) -> tuple[str, str]:
    """Return the device's text and what is told of a nest in C."""
    return _translated(
        "#include <math.h>\ntypedef volatile float port;\n"
        "static int clamp(int v, int most) { return v < 0 ? 0 : v > most ? most : v; }\n"
        "static int sum(int v) { int s = 0; for (int k = 0; k < v; k++) s += k; return s; }\n"
        "void f(float *out, const float *in, float *other, port *v, int n, int m) {\n"
        f"#pragma omp target teams distribute parallel for collapse({loops.count('for')})\n{loops} {body}\n}}\n",
        "t.c",
    )


def _translated(source: str, name: str) -> tuple[str, str]:
    found = support.translate_text(support.with_used_headers(source), name, remarks=True)
    assert found.host is not None, support.rendered(found)
    told = [d for d in found.diagnostics if d.code == "rex-loop"]
    return found.device.text if found.device else "", "\n".join([told[0].message, *(n.message for n in told[0].notes)])


STENCILS = {
    "rows": f"{{ {SUM} s += in[(y + d) * m + x + e]; out[y * m + x] = s; }}",
    "conditions": (
        f"{{ {SUM} {{ int r = y + d, c = x + e; if (r >= 0 && r < n && c < m) s += in[r * m + c]; }} "
        "out[y * m + x] = s; }"
    ),
    "functions": f"{{ {SUM} s += in[clamp(y - d, n - 1) * m + clamp(x + e, m - 1)]; out[y * m + x] = s / 9; }}",
    "elements": f"{{ {SUM} s += in[(y - 1 + d) * m + x + e]; out[y * m + x] += s; }}",
    "a row": "{ float s = 0; for (int d = -2; d <= 2; ++d) s = fmaxf(s, in[(y + d) * m + x]); out[y * m + x] = s; }",
}


@pytest.mark.parametrize("kind", STENCILS)
def test_neighbours_that_load_the_same_are_executed_side_by_side(kind: str) -> None:
    device, told = c_text(STENCILS[kind])
    assert told.startswith(TOLD)
    assert "const auto __rex_evaluate = [&](const __rex_nest_number __rex_y, const int __rex_part) {" in device
    assert device.index("for (int d = ") < device.index("*__rex_place_out[__rex_part] = __rex_value_out[__rex_part];")


def test_their_loops_are_unrolled_unless_the_user_says_how() -> None:
    device, _ = c_text(STENCILS["rows"])
    assert device.count('_Pragma("unroll")') == 2
    body = STENCILS["a row"].replace("for (int d", "\n#pragma unroll 3\nfor (int d")
    device, _ = c_text(body)
    assert "#pragma unroll 3" in device and "_Pragma" not in device


def test_threads_go_along_the_other_loops() -> None:
    """The rows of a tile are those of the loop that the inner one goes around, wherever it stands."""
    body = (
        "{ float s = 0; for (int d = -1; d <= 1; d++) s += in[(z * n + y + d) * m + x]; out[(z * n + y) * m + x] = s; }"
    )
    device, _ = c_text(body, DEEP)
    assert "[&](const __rex_nest_number __rex_y, const int __rex_part)" in device
    assert "__rex_tile_row = __rex_above_z * __rex_tile_rows" in device and "rex_row_end" in device
    deep, _ = c_text(body.replace("y + d", "y").replace("in[(z", "in[((z + d)"), DEEP)
    assert "[&](const __rex_nest_number __rex_z, const int __rex_part)" in deep


OTHERS = {
    "rows of threads": ("in[(y + d) * m + x + e]", "in[y * m + x + d + e]"),
    "every second row": ("(y + d)", "(2 * y + d)"),
    "long loops": ("d <= 1", "d <= 30"),
    "bounds of the run": ("d <= 1", "d <= n"),
    "a store in a loop": ("s += in", "s += other[x + d] = in"),
    "an address": ("s += in", "s += *&in"),
    "a volatile element": ("s += in[(y + d) * m + x + e]", "s += v[y + d]"),
    "a function with a loop": ("s += in[", "s += in[sum(d) + "),
    "a long function": ("s += in", "s += expf(d) * in"),
    "a way out": ("s += in[(y + d) * m + x + e]", "{ if (s > 3) break; s += in[y + d]; }"),
    "an array": ("float s = 0;", "float s = 0, own[2]; own[0] = 1;"),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_other_loops_are_executed_one_by_one(kind: str) -> None:
    device, told = c_text(STENCILS["rows"].replace(*OTHERS[kind]))
    assert "__rex_evaluate" not in device and not told.startswith(TOLD)


def test_a_loop_that_reads_what_is_stored_before_it_keeps_its_place() -> None:
    body = f"{{ out[y * m + x] = 1; {SUM} s += in[(y + d) * m + x + e]; other[y * m + x] = s; }}"
    assert "__rex_evaluate" not in c_text(body)[0]


GRID = """
template <class T> struct Grid {
  T *data; int width; float weight;
  T &operator()(int y, int x) const { return data[at(y, x)]; }
  T get(int y, int x) const { return weight * (*this)(y, x); }
  T *row(int y) const { return data + y * width; }
  int at(int y, int x) const { return y * width + x; }
  T twice(int y) const { T t = data[y]; return 2 * t; }
  T step(int y) { return data[width++]; }
};
template <class T> struct Own { T kept[4]; T &operator[](int i) { return kept[i]; } };
struct Base { float kept[4]; };
struct Below : Base { float *data; float &at(int i) { return data[i]; } };
template <class T> T &first(T &a, T &) { return a; }
template <class T> T &element(T *a, int i) { return a[i]; }
template <class T> const T &larger(const T &a, const T &b) { return a < b ? b : a; }
void f(float *out, const float *in, int n, int m) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 1; y < n - 1; y++) for (int x = 1; x < m - 1; x++) { BODY }
}
"""
LOCAL = "Grid<const float> u{in, m, 2}; Grid<float> v{out, m, 3}; "
ACCESSORS = {
    "operators": LOCAL + "v(y, x) = u(y - 1, x) + u(y + 1, x) + u.get(y, x);",
    "compound": LOCAL + "v(y, x) += u.get(y, x);",
    "rows": LOCAL + "v.row(y)[x] = u.row(y - 1)[x] + u.row(y + 1)[x];",
    "functions": "element(out, y * m + x) = larger(in[y], in[x]);",
    "references": LOCAL + "float &r = v(y, x); r = u(x, y);",
    "loops": LOCAL + "float s = 0; for (int d = -1; d < 2; d++) s += u(y + d, x); v(y, x) = s;",
}


@pytest.mark.parametrize("kind", ACCESSORS)
def test_elements_behind_accessors_are_elements(kind: str) -> None:
    device = compiled(GRID.replace("BODY", ACCESSORS[kind]), "t.cpp").device
    assert "__rex_evaluate" in device and "__rex_place_" in device


REFUSED = {
    "two statements": LOCAL + "v(y, x) = u.twice(y);",
    "a change": LOCAL + "v(y, x) = v.step(y);",
    "the object's own array": "Own<float> t{{1, 2, 3, 4}}; t[1] = in[y]; out[y * m + x] = t[0];",
    "an array of a base": "Below b{{{1, 2}}, out}; b.at(y) = in[x];",
    "a reference to a local": "float t = in[x]; first(t, t) = 3; out[y * m + x] = t;",
    "a reference through a local": "float t = in[x]; float &r = first(t, t); r = 3; out[y * m + x] = t;",
    "a read behind a store": LOCAL + "v(y, x) = 1; out[y] = u(y, x);",
    "nine loads": LOCAL + f"v(y, x) = {' + '.join(f'u(y, x + {k})' for k in range(9))};",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_other_functions_are_not_looked_through(kind: str) -> None:
    assert "__rex_evaluate" not in compiled(GRID.replace("BODY", REFUSED[kind]), "t.cpp").device
