"""``std::min`` and ``std::max`` of numbers have values in device code where nothing can tell."""

from __future__ import annotations

import pytest

import support
from support import compiled

_SOURCE = """#include <algorithm>
#include <array>
static int next(int &x) {{ return ++x; }}
struct W {{ int v; bool operator<(const W &o) const {{ return v < o.v; }} }};
void f(int n, int *a, double *z, std::array<float, 4> q) {{
#pragma omp target map(tofrom: a[0:n], z[0:n])
  {{ {code} }}
}}
"""


def kernel(code: str) -> str:
    device = compiled(_SOURCE.format(code=code), "t.cpp", arguments=("-std=c++17",)).device
    return device[device.index("__global__") :]


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("a[0] = std::min(a[1], a[2] + 1);", "a[0] = rex_least(a[1], a[2] + 1);"),
        ("z[0] += ::std::max<double>(n, 3);", "z[0] += rex_greatest<double>(n, 3);"),
        ("z[1] = std::max(std::min(z[0], 1.), z[2]);", "z[1] = rex_greatest(std::min(z[0], 1.), z[2]);"),
        ("a[0] += std::clamp(a[1], 0, n - 1);", "a[0] += rex_clamped(a[1], 0, n - 1);"),
        ("z[1] = std::max(q[1], q[n]);", "z[1] = rex_greatest(q[1], q[n]);"),
        ("using std::min; if (min(a[0], a[1]) > 3) a[0] = 1;", "if (rex_least(a[0], a[1]) > 3)"),
    ],
)
def test_what_is_read_at_once_has_a_value(code: str, made: str) -> None:
    assert made in kernel(code)


@pytest.mark.parametrize(
    "code",
    [
        "const int &r = std::min(a[0], a[1]); a[0] = 5; a[2] = r;",
        "const int *p = &std::min(a[0], a[1]); a[2] = *p;",
        "int x = n; a[0] = std::min(x, next(x));",
        "int x = n; a[0] = std::min(x, x += 2);",
        "a[0] = std::min({a[0], a[1], n});",
        "a[0] = std::clamp(std::min({a[0], n}), 0, 3, [](int x, int y) { return x > y; });",
        "a[0] = std::min(a[0], a[1], [](int x, int y) { return x > y; });",
        "W w{n}, v{2}; a[0] = std::min(w, v).v;",
        "volatile int x = n; a[0] = std::min<volatile int>(x, x);",
    ],
)
def test_what_may_be_told_apart_stays_a_reference(code: str) -> None:
    text = kernel(code)
    assert "rex_least" not in text and "std::min" in text


_TEMPLATE = """#include <algorithm>
struct W {{ int v; bool operator<(const W &o) const {{ return v < o.v; }} }};
template <class T> T g(const T *a, T s) {{ {code} return s; }}
template <class T> void f(T *a) {{
  T s = a[0];
#pragma omp target teams distribute parallel for map(tofrom: a[0:9]) map(tofrom: s)
  for (int i = 0; i < 9; i++) {{ {code} a[i] = g(a, s); }}
}}
template void f(float *); template void f(W *);
"""


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("s = std::max(s, a[1]);", "s = rex_greatest_of(s, a[1]);"),
        ("s = ::std::min<T>(a[1], s);", "s = rex_least_of<T>(a[1], s);"),
        ("s = std::max(s, std::min(a[1], a[2]));", "s = rex_greatest_of(s, std::min(a[1], a[2]));"),
        ("const T &r = std::max(s, a[1]); s = r;", "const T &r = std::max(s, a[1]);"),
        ("T r = std::max(s, a[1]); s = r;", "T r = std::max(s, a[1]);"),
        ("s = std::max({s, a[1]});", "s = std::max({s, a[1]});"),
        ("s = std::max(s, a[1], [](T x, T y) { return x < y; });", "s = std::max(s, a[1], "),
    ],
)
def test_a_template_has_values_where_its_types_are_numbers(code: str, made: str) -> None:
    """The text is one for all instances, in regions and in functions that they call."""
    device = compiled(_TEMPLATE.format(code=code), "t.cpp", arguments=("-std=c++17",)).device
    assert device.count(made) == 3


_COUNTS = """#include <algorithm>
void f(const int *x, int *h, const float *y, float *z, int n, int bins) {
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: h[0:bins])
  for (int i = 0; i < n; i++) {
    int k = std::clamp(x[i], 0, bins - 1);
#pragma omp atomic
    h[k]++;
  }
#pragma omp target teams distribute parallel for map(to: y[0:n]) map(from: z[0:n])
  for (int i = 0; i < n; i++) z[i] = std::clamp(y[i], 0.f, 1.f);
}
"""


def test_what_is_clamped_has_no_effects_and_is_short() -> None:
    """Counts come together in the block's memory, and a thread takes several iterations side by side."""
    device = compiled(_COUNTS, "t.cpp", arguments=("-std=c++17",)).device
    assert "rex_bin_add(__rex_bins_h, &h[k], 1)" in device and "__rex_value_z" in device


_FOUND = """#include <algorithm>
using namespace std;
{declared}
void f(float *a) {{
#pragma omp target map(tofrom: a[0:3])
  {{ {code} }}
}}
"""


def found(declared: str, code: str) -> str:
    """Return the device file of a program that names the library's functions by a using directive."""
    return compiled(_FOUND.format(declared=declared, code=code), "t.cpp", arguments=("-std=c++17",)).device


@pytest.mark.parametrize(
    ("declared", "code", "made"),
    [
        ("template <class T> T g(T s) { return max(s, T(0)); }", "a[0] = g(a[0]);", "return std::max(s, T(0));"),
        ("template <class T> struct S { T v; S(T s, T o = max(T(0), T(1))) : v(min(s, o)) {} };",
         "a[0] = S<float>(a[0]).v;", "T o = std::max(T(0), T(1))) : v(std::min(s, o))"),
        ("", "auto g = [](auto s) { return max(s, s); }; a[0] = g(a[0]);", "return std::max(s, s);"),
        ("using std::max; template <class T> T g(T s) { return max(s, s); }", "a[0] = g(a[0]);", "std::max(s, s)"),
        ("", "const float &r = max(a[0], a[1]); a[2] = r;", "r = std::max(a[0], a[1]);"),
        ("", "int i = 0; a[2] = max(a[i++], 0.f);", "a[2] = std::max(a[i++], 0.f);"),
        ("", "const float &(*g)(const float &, const float &) = max; a[0] = g(a[1], a[2]);", "= std::max;"),
        ("#pragma omp declare reduction(top : float : omp_out = max({omp_out, omp_in})) initializer(omp_priv = 0)",
         "float m = 0;\n#pragma omp parallel reduction(top : m)\nm = 1; a[0] = m;", "= std::max({omp_out, omp_in});"),
    ],
)  # fmt: skip
def test_a_name_that_a_using_directive_finds_is_the_librarys(declared: str, code: str, made: str) -> None:
    """CUDA's functions of that name at global scope are not asked for."""
    text = found(declared, code)
    assert made in text and "rex_user" not in text


@pytest.mark.parametrize(
    ("declared", "code", "of_std"),
    [
        ("#define MAX(a, b) max(a, b)\ntemplate <class T> T g(T s) { return MAX(s, T(0)); }", "a[0] = g(a[0]);", "max"),
        ("#define MAX(a, b) max(a, b)", "a[0] = MAX(a[0], a[1]);", "max"),
        ("struct P { float v; friend P min(P a, P b) { return a.v < b.v ? a : b; } };\n"
         "template <class T> T g(T s) { return min(s, s); }", "a[0] = g(a[0]) + g(P{a[1]}).v;", "min"),
    ],
)  # fmt: skip
def test_where_the_name_cannot_be_written_a_namespace_around_declares_it(declared: str, code: str, of_std: str) -> None:
    """In macros, and where an argument may bring the user's function of that name."""
    text = found(declared, code)
    assert f"namespace rex_user {{ /* CUDA has its own: {of_std} */\nusing std::{of_std};\n" in text


@pytest.mark.parametrize(
    "declared",
    [
        "#define MAX(a, b) std::max(a, b)\ntemplate <class T> T g(T s) { return MAX(s, T(0)); }",
        "namespace n { using std::max; template <class T> T h(T s) { return ::std::max(s, T(0)); } } using n::h;\n"
        "template <class T> T g(T s) { return h(s); }",
        "#define MAX(a, b) max(a, b)\ntemplate <class T> T g(T s) { return s; } float h(float s) { return MAX(s, s); }",
    ],
)
def test_names_in_full_and_host_code_need_no_namespace(declared: str) -> None:
    text = found(declared, "a[0] = g(a[0]);")
    assert "rex_user" not in text and "std::std" not in text


_OWN = """#include <algorithm>
static int max(int a, int b) {{ return a > b ? a : b; }}
template <class T> T g(T a, T b) {{ {using} return max(a, b); }}
void f(double *a) {{
#pragma omp target map(tofrom: a[0:3])
  {{ a[0] = max(a[0], a[1]); a[1] = g(a[1], a[2]); }}
}}
"""


def test_a_using_declaration_in_a_block_leaves_other_code_the_users_function() -> None:
    text = compiled(_OWN.format(using="using std::max;"), "t.cpp", arguments=("-std=c++17",)).device
    assert text.count("using std::max;") == 1 and "using std::max; return max(a, b);" in text


def test_names_that_a_directive_in_a_block_makes_ambiguous_are_refused() -> None:
    source = _OWN.format(using="using namespace std;")
    (told,) = support.translate_text(source, "t.cpp", arguments=("-std=c++17",)).diagnostics
    assert told.code == "unsupported-declaration" and told.span is not None and told.span.text == "max"
