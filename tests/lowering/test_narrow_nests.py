"""Nests whose iterations have numbers of 32 bits, and which of them have a kernel for more iterations besides."""

from __future__ import annotations

import pytest

from support import compiled, with_used_headers

NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
BODY = "if (y[i + j] > 3) y[i] = 1;"


def texts(loops: str, body: str = BODY, clauses: str = "", name: str = "a.c") -> tuple[str, str]:
    """Return the device's and the host's text of a nest of two loops."""
    source = (
        "#include <math.h>\n#pragma omp declare target\n"
        "float mine(float x) { return x * x; }\n"
        "float twice(float x) { if (x < 0) return 0; return mine(x) + mine(2 * x); }\n"
        "float long_one(float *y, int n) { float s = 0; for (int k = 0; k < n; k++) s += y[k]; return s; }\n"
        "float deep(float *y, int n) { return n > 3 ? long_one(y, n) : 0; }\n"
        "float again(float x, int n) { return n > 0 ? again(x / 2, n - 1) : x; }\n#pragma omp end declare target\n"
        "void f(float *y, int n, int m, long w) {\n"
        f"#pragma omp target teams distribute parallel for collapse(2) {clauses}\n{loops} {body}\n}}\n"
    )
    found = compiled(with_used_headers(source), name)
    return found.device, found.host


@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
@pytest.mark.parametrize("loops", [NEST, NEST.replace("< m", "< 8"), NEST.replace("int j = 0", "short j = -3")])
def test_the_launch_chooses_by_the_count(loops: str, name: str) -> None:
    device, host = texts(loops, name=name)
    assert (
        device.count("__global__") == 2
        and device.count("template <class __rex_nest_number>\nREX_KERNEL_CODE void\n") == 1
    )
    usual, wide = (device.index(f"code__<{number}>(") for number in ("rex_narrow_number", "long long"))
    assert usual < device.index("#ifdef REX_HAS_WIDE_NESTS\n") < wide
    assert device.count(BODY) == 1 and "long long __rex_iteration" not in device
    assert "rex_is_wide(__rex_tripcount) ? &" in host and host.count("wide__id__ : &") == 1


def test_constants_need_one_kernel() -> None:
    for i, j, number in (("256", "100", "unsigned"), ("32768", "32768", "unsigned"), ("32768", "32769", "long long")):
        device, host = texts(NEST.replace("< n", f"< {i}").replace("< m", f"< {j}"))
        assert f"  for ({number} __rex_iteration = " in device
        assert device.count("__global__") == 1 and "rex_is_wide" not in host


def test_constants_do_not_narrow_nests_with_loops_in_an_iteration() -> None:
    body = "{ float s = 0; for (int k = 0; k < n; k++) if (y[k] > 0) s += y[i + k]; y[i * 8 + j] = s; }"
    device, _ = texts(NEST.replace("< n", "< 256").replace("< m", "< 8"), body)
    assert "long long __rex_iteration = " in device and "unsigned __rex_iteration" not in device


SUMS = "for (int a = -2; a <= 2; a++) for (int b = 0; b < {}; b++) s += y[i + a + b];"


@pytest.mark.parametrize(("turns", "is_narrow"), [("5", True), ("11", True), ("13", False), ("n", False)])
def test_nests_with_few_turns_of_constant_loops_in_an_iteration_are_short(turns: str, is_narrow: bool) -> None:
    device, host = texts(NEST, f"{{ float s = 0; {SUMS.format(turns)} y[i * 8 + j] = s; }}")
    assert ("code__<rex_narrow_number>(" in device) == is_narrow == ("rex_is_wide(__rex_tripcount) ? &" in host)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if (mine(y[i]) > 3) y[j] = 1;", id="a function of the user's"),
        pytest.param("if (twice(y[i]) > 3) y[j] = 1;", id="one that calls another"),
        pytest.param("if (y[i] < INFINITY) y[j] = NAN;", id="the compiler's own"),
        pytest.param(f"{{ float s = -INFINITY; {SUMS.format(5)} y[i * 8 + j] = mine(s); }}", id="beside short loops"),
    ],
)
@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
def test_functions_without_loops_are_as_short_as_their_text(body: str, name: str) -> None:
    device, host = texts(NEST, body, name=name)
    assert "code__<rex_narrow_number>(" in device and "rex_is_wide(__rex_tripcount) ? &" in host


GRID = """
template <class T> struct Grid {
  T *data; int width;
  T &operator()(int y, int x) const { return data[(long)y * width + x]; }
  T kept(int y) const { return data[y]; }
};
struct Part { float value; Part(float v) : value(v) {} };
void f(float *y, int n, int m) {
  #pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { BODY }
}
"""


@pytest.mark.parametrize(
    ("body", "is_narrow"),
    [
        ("struct G { float *p; float at(int i) const { return p[i]; } } g{y}; if (g.at(i) > 3) y[j] = 1;", False),
        ("Part p(y[i]); if (p.value > 3) y[j] = p.value;", True),
        ("Part p(y[i]), q = p; if (q.value > 3) y[j] = q.value;", True),
        ("auto g = [=](int k) { return y[k]; }; if (g(i) > 3) y[j] = 1;", False),
    ],
)
def test_members_count_as_functions_do(body: str, is_narrow: bool) -> None:
    device = compiled(GRID.replace("BODY", body), "a.cpp").device
    assert ("code__<rex_narrow_number>(" in device) == is_narrow


def test_members_of_templates_are_read() -> None:
    plain = GRID.replace("BODY", "Grid<float> g{y, m}; if (g(i, j) > 3) g(j, i) = 1;")
    assert "code__<rex_narrow_number>(" in compiled(plain, "a.cpp").device
    assert "code__<rex_narrow_number>(" in compiled(plain.replace("g(i, j) > 3", "g.kept(i) > 3"), "a.cpp").device


def test_long_functions_are_not_worth_two_kernels() -> None:
    calls = " + ".join(f"twice(y[j + {k}])" for k in range(20))
    device, _ = texts(NEST, f"if (y[i] > 3) y[j] = {calls};")
    assert "code__<rex_narrow_number>(" not in device


def test_constants_count_in_the_type_in_which_they_are_compared() -> None:
    device, _ = texts(NEST.replace("int i = 0; i < n", "unsigned i = 0; i < -1").replace("< m", "< 2"))
    assert "  for (long long __rex_iteration = " in device and "rex_narrow" not in device


@pytest.mark.parametrize(
    ("loops", "body", "clauses"),
    [
        pytest.param(NEST.replace("int j", "long j"), BODY, "", id="an index of 64 bits"),
        pytest.param(NEST.replace("int i", "long i").replace("< n", "< 3"), BODY, "", id="the outer one"),
        pytest.param(NEST, BODY, "num_teams(8)", id="a grid that the program chooses"),
        pytest.param(NEST, BODY, "map(tofrom : n)", id="the host may count others"),
        pytest.param(NEST, "{ if (y[i] > j) w = j; }", "lastprivate(w) map(tofrom : w)", id="last values"),
        pytest.param(NEST, "w += y[i * 8 + j];", "reduction(+ : w)", id="a reduction"),
        pytest.param(NEST, "{ for (long k = 0; k < w; k++) if (y[j] < k) y[i] += y[j]; }", "", id="a long iteration"),
        pytest.param(NEST, "if (long_one(y, n) > 3) y[i] = 1;", "", id="a function with a loop"),
        pytest.param(NEST, "if (deep(y, n) > 3) y[i] = 1;", "", id="a function that calls one with a loop"),
        pytest.param(NEST, "if (again(y[i], n) > 3) y[i] = 1;", "", id="a function that calls itself"),
        pytest.param(NEST, "{ float (*p)(float) = mine; if (p(y[i]) > 3) y[i] = 1; }", "", id="through a pointer"),
        pytest.param(NEST, BODY, "schedule(static, 4)", id="chunks"),
    ],
)
def test_other_nests_have_64_bits(loops: str, body: str, clauses: str) -> None:
    device, host = texts(loops, body, clauses)
    assert "rex_narrow" not in device and "__rex_nest_number" not in device and "rex_is_wide" not in host


STORE, TRANSPOSED = "y[i * m + j] = i;", "y[j * 999 + i] = y[i * 999 + j];"


@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
@pytest.mark.parametrize("body", [STORE, TRANSPOSED])
@pytest.mark.parametrize("loops", [NEST, NEST.replace("< m", "< 80"), NEST.replace("int j = 0", "short j = -3")])
def test_tiles_and_strips_have_both_kernels(loops: str, body: str, name: str) -> None:
    device, host = texts(loops, body, name=name)
    assert "__rex_evaluate" in device and ("rex_in_strip" in device) == (body == TRANSPOSED)
    assert device.count("__global__") == 2 and device.count("__rex_evaluate = [&]") == 1
    assert "code__<rex_narrow_number>(" in device and "code__<long long>(" in device
    assert "long long __rex_" not in device.replace("unsigned long long __rex_tiling", "")
    assert "rex_is_wide(__rex_tripcount) ? &" in host


@pytest.mark.parametrize("body", [STORE, TRANSPOSED])
def test_constants_need_one_kernel_in_tiles_too(body: str) -> None:
    for i, j, number in (("256", "100", "unsigned"), ("32768", "32769", "long long")):
        device, host = texts(NEST.replace("< n", f"< {i}").replace("< m", f"< {j}"), body)
        assert f"  for ({number} __rex_iteration = " in device
        assert device.count("__global__") == 1 and "rex_is_wide" not in host


@pytest.mark.parametrize("body", [STORE, TRANSPOSED])
@pytest.mark.parametrize(
    ("loops", "clauses"),
    [
        pytest.param(NEST.replace("int j", "long j"), "", id="an index of 64 bits"),
        pytest.param(NEST, "map(tofrom : n)", id="the host may count others"),
    ],
)
def test_other_tiles_have_64_bits(loops: str, clauses: str, body: str) -> None:
    device, host = texts(loops, body, clauses)
    assert "__rex_evaluate" in device and "rex_narrow" not in device and "rex_is_wide" not in host


def test_extents_of_narrow_nests_are_counted_with_32_bits() -> None:
    loops = "for (int i = 1; i <= n; i++) for (int j = m; j > 2; j -= 3)"
    device, _ = texts(loops, STORE)
    assert (
        "rex_extent_le<__rex_nest_number>(1, n, 1)" in device and "rex_extent_gt<__rex_nest_number>(m, 2, 3)" in device
    )
    device, _ = texts(loops.replace("<= n", "<= 20").replace("j = m", "j = 50"), STORE)
    assert "rex_count_gt<unsigned>(50, 2, 3)" in device, "the kernel itself finds out whether there are any"


def test_functions_of_headers_are_short() -> None:
    device, _ = texts(NEST, "if (y[i + j] > 3) y[i] = expf(y[j]);")
    assert "code__<rex_narrow_number>" in device


def test_instances_of_a_template_choose_in_one_launch() -> None:
    source = (
        "template <class T> void f(T *y, int n, int m) {\n"
        f"#pragma omp target teams distribute parallel for collapse(2)\n{NEST} {BODY}\n}}\n"
        "void g(float *a, double *b, int n) { f(a, n, n); f(b, n, n); }\n"
    )
    found = compiled(source, "a.cpp")
    assert found.device.count("__global__") == 4 and found.device.count("code__<rex_narrow_number>(") == 2
    assert found.host.count("key<T>::id(_num_blocks_, _threads_per_block_, __rex_tripcount)") == 1
    assert found.host.count("{ return rex_is_wide(__rex_tripcount) ? &") == 2


def test_code_of_an_instance_that_stands_in_a_class_has_both_forms() -> None:
    source = (
        "template <class T> struct Two { T a[2]; };\n"
        "template <template <class> class C> void f(C<float> *y, int n, int m) {\n"
        f"#pragma omp target teams distribute parallel for collapse(2)\n{NEST} {{ C<float> v = y[i]; y[j] = v; }}\n}}\n"
        "void g(Two<float> *a, int n) { f(a, n, n); }\n"
    )
    device = compiled(source, "a.cpp").device
    assert device.count("::run<rex_narrow_number>(") == 1 and device.count("::run<long long>(") == 1
