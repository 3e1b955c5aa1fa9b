"""Regions in headers that compilers take for the system's are the user's regions all the same.

Their host compiler would execute them on the host, whose data is not what the device has.
"""

from __future__ import annotations

import os
import posixpath

import pytest

import support
from rexcc.driver.tools.toolchain import find_compiler
from rexcc.frontend.files import SearchPath, UserFiles, gather, with_libraries
from rexcc.frontend.library_headers import Needed
from rexcc.pipeline import phases
from rexcc.pipeline.records import TranslateOptions, Translation
from rexcc.target.known import DEFAULT
from support import Bench

LIBRARY = """#pragma once
{said}
#include <each/scaled.h>
template <class Body> void for_each(int n, Body body) {{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) body(i);
}}
"""
SCALED = """#pragma once
#include <limits>
int thrice(int x);
#pragma omp declare target to(thrice)
inline int thrice(int x) { return 3 * x; }
"""
UNUSED = "#pragma once\ninline int plain(int x) { int unused; return x; }\n"
MAIN = """#include "main.h"
#include <each/plain.h>
#include <stdio.h>
int main() {
  int a[10] = {};
#pragma omp target data map(tofrom: a)
  {
    int *all = a;
    for_each(10, [=](int i) { all[i] = thrice(i) + plain(1); });
  }
  printf("%d\\n", a[9]);
  return 0;
}
"""
SAID = {
    "nothing": "",
    "by GCC's pragma": "#pragma GCC system_header",
    "by the operator": '_Pragma("GCC system_header")',
}


def files(said: str) -> dict[str, str]:
    library = {"lib/each/each.h": LIBRARY.format(said=said), "lib/each/scaled.h": SCALED, "lib/each/plain.h": UNUSED}
    return {"main.cpp": MAIN, "main.h": "#include <each/each.h>\n", **library}


@pytest.mark.parametrize(
    ("said", "option"),
    support.sampled(
        [(said, option) for said in SAID for option in ("-isystem", "-I", "-idirafter")]
        + [(said, variable) for said in SAID for variable in ("CPATH", "CPLUS_INCLUDE_PATH")],
        4,
    ),
)
def test_regions_of_libraries_run_on_the_device(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], said: str, option: str
) -> None:
    support.require_runtime()
    folder = bench.place(files(SAID[said]))
    words = [option, "lib"] if option.startswith("-") else []
    if not words:
        monkeypatch.setenv(option, "lib")
    if option in ("-isystem", "-idirafter"):  # the user sees no warnings of libraries
        words += ["-Wall", "-Werror"]
    assert support.rexcc(folder, *words, "main.cpp", "-o", "program") == 0, capfd.readouterr().err
    assert support.on_device(folder / "program") == support.on_host(folder / "program") == "28\n"


def test_a_header_that_the_command_line_includes_may_say_that_it_is_the_systems(bench: Bench) -> None:
    """As the one that CMake makes for precompiled headers."""
    support.require_runtime()
    pre = '#pragma clang system_header\n#include "scaled.h"\n'
    main = """int main() {
      int sum = 0;
    #pragma omp target teams distribute parallel for reduction(+: sum)
      for (int i = 0; i < 5; i++) sum += thrice(i);
      return sum - 30;
    }
    """
    folder = bench.place({"pre.h": pre, "scaled.h": SCALED.replace("#pragma omp", "//"), "main.cpp": main})
    assert support.rexcc(folder, "-include", "pre.h", "main.cpp", "-o", "program") == 0
    assert support.on_device(folder / "program") == ""


@pytest.mark.parametrize(
    "line", ["#include_next <each/each.h>", '#include_next "each/each.h"', '#import "../lib/each/each.h"']
)
@pytest.mark.parametrize("option", support.sampled(["-isystem", "-I"], 2))
def test_headers_that_stand_in_front_of_libraries_include_them(bench: Bench, option: str, line: str) -> None:
    support.require_runtime()
    front = f"#ifndef FRONT\n#define FRONT\n{line}\n#endif\n"
    folder = bench.place({**files(""), "front/each/each.h": front.replace("../lib", "../../lib")})
    assert support.rexcc(folder, "-w", option, "front", option, "lib", "main.cpp", "-o", "program") == 0
    assert support.on_device(folder / "program") == "28\n"


ADDING = """#pragma once
inline void add(int *to) {
  int *unused;
#pragma omp atomic
  *to += 1;
}
"""
IN_TURN = """#include <add.h>
int main() {
  int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: sum)
  for (int i = 0; i < 999; i++) add(&sum);
  return sum - 999;
}
"""


def test_functions_of_libraries_keep_their_atomic_operations() -> None:
    search = ("-isystem", "lib")
    found = support.translate_text(IN_TURN, "t.cpp", {"lib/add.h": ADDING}, search)
    assert found.device is not None
    assert "rex_atomic" in found.device.text


MISSPELT = (
    "#pragma once\n#pragma opm parallel\n#pragma omp declare target\nint f(int);\n#pragma omp end declare target\n"
)


@pytest.mark.parametrize("option", ["-isystem", "-I"])
def test_libraries_are_not_warned_of(option: str) -> None:
    main = "#include <lib.h>\nint main() {\n#pragma omp target\n  ;\n}\n"
    found = support.translate_text(main, "t.cpp", {"lib/lib.h": MISSPELT}, (option, "lib"))
    assert ("omp-forgotten" in support.rendered(found)) == (option == "-I")


def test_what_is_imported_is_included_once(bench: Bench) -> None:
    support.require_runtime()
    region = "static int once() {\n  int r = 0;\n#pragma omp target map(r)\n  r = 7;\n  return r;\n}\n"
    main = '#import "once.h"\n#import "once.h"\nint main() { return once() - 7; }\n'
    folder = bench.place({"once.h": region, "main.cpp": main})
    assert support.rexcc(folder, "-w", "main.cpp", "-o", "program") == 0
    assert support.on_device(folder / "program") == ""


@pytest.mark.parametrize(
    ("headers", "is_read"),
    [
        ({"top.h": "#include <next/deep.h>", "next/deep.h": "#include <each.h>", "each.h": SCALED}, True),
        ({"top.h": '#include "next/deep.h"', "next/deep.h": '#include "each.h"', "next/each.h": SCALED}, True),
        (
            {"top.h": '#include "a/x.h"\n' + SCALED, "a/x.h": '#include "../b/y.h"', "b/y.h": '#include "../top.h"'},
            True,
        ),
        ({"top.h": "#pragma omp \\\n  target"}, True),
        ({"top.h": "#define EACH PRAGMA(omp target teams loop)"}, True),
        ({"top.h": "inline void add(int *a) {\n#pragma omp atomic\n*a += 1; }"}, True),
        ({"top.h": "#pragma omp requires reverse_offload"}, True),
        ({"top.h": "#pragma omp parallel for"}, False),
        ({"top.h": '#define SIMD _Pragma("omp declare simd notinbranch")'}, False),
        ({"top.h": "#include <omp.h>", "omp.h": "#pragma omp begin declare variant match(device={})"}, False),
        ({"top.h": "#include <top.h>\nint far();"}, False),
    ],
    ids=[
        *("names", "quotes", "of each other", "of two lines", "of a macro", "of a function", "of the program"),
        *("of the host", "of C's library", "of OpenMP", "of nothing"),
    ],
)
def test_only_headers_that_lead_to_directives_are_read(headers: dict[str, str], is_read: bool) -> None:
    search = SearchPath.from_arguments(("-isystem", "lib"))
    known = {f"lib/{name}": text.encode() for name, text in headers.items()} | {"t.cpp": b"#include <top.h>\n"}

    def read(name: str) -> bytes | None:
        return known.get(posixpath.normpath(name))

    files = gather("t.cpp", search, read)
    assert files is not None
    found = with_libraries(files, search, read).libraries
    assert found == (known.keys() - {"t.cpp"} if is_read else set())


def test_what_stands_beside_a_header_that_is_read_is_read_with_all_that_lead_to_it() -> None:
    """One text has it otherwise twice: as the user's, and where a header of the system's includes it."""
    known = {
        "lib/needed.h": b'#include "beside.h"\n#include <apart.h>\n',
        "lib/beside.h": b"struct B {};\n",
        "lib/apart.h": b"struct A {};\n",
        "lib/other.h": b'#include "../lib/beside.h"\n',
        "t.cpp": b"#include <needed.h>\n#include <other.h>\n",
    }
    search = SearchPath.from_arguments(("-isystem", "lib"))

    def read(name: str) -> bytes | None:
        return known.get(posixpath.normpath(name))

    files = gather("t.cpp", search, read)
    assert files is not None
    found = with_libraries(files, search, read, {"lib/needed.h"}).libraries
    assert found == {"lib/needed.h", "lib/beside.h", "lib/other.h"}


GUARDED = """#if defined _OPENMP && !defined SEQUENTIAL
#define HAS_THREADS
#endif
#ifdef HAS_THREADS
inline void add(int *a) {
#if !defined PLAIN
  # pragma omp atomic // of threads of the host
#endif

  *a += 1;
}
#endif
"""


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        (GUARDED, False),
        ("#ifdef _OPENMP\n#pragma omp atomic\n#endif\n*p += v;\n", True),
        ("#ifdef _OPENMP\nx = 1;\n#else\n#pragma omp atomic\n*p += v;\n#endif\n", True),
        ("#ifndef _OPENMP\n#pragma omp atomic\n*p += v;\n#endif\n", True),
        ("#if defined _OPENMP || 1\n#pragma omp atomic\n*p += v;\n#endif\n", True),
        ("#pragma omp critical\n*p += v;\n", True),
        ("#ifdef _OPENMP\n#pragma omp target\n*p += v;\n#endif\n", True),
    ],
    ids=["with its code", "alone", "other branch", "without OpenMP", "or", "anywhere", "for devices"],
)
def test_libraries_for_devices_may_have_code_for_threads_of_the_host(text: str, is_read: bool) -> None:
    """Their own words say what of them is for devices; other libraries are read for such a directive."""
    known = {"lib/top.h": b"#include <config.h>\n" + text.encode(), "t.cpp": b"#include <top.h>\n"}
    search = SearchPath.from_arguments(("-isystem", "lib"))
    for config, libraries in (
        (b"#ifdef __CUDACC__\n#endif\n", {"lib/top.h"} if is_read else set()),
        (b"", {"lib/top.h"}),
    ):
        read = {**known, "lib/config.h": config}.get
        files = gather("t.cpp", search, read)
        assert files is not None
        assert with_libraries(files, search, read, (), ("__CUDACC__",)).libraries == libraries


GEOMETRY = {
    "lib/geo/vec.h": """#pragma once
#include <cmath>
#include "detail/ops.h"
namespace geo {
static const double weights[3] = {0.5, 0.25, 2};
enum class axis { x, y, z };
template <class T> struct vec {
  T x, y, z;
  vec(T a, T b, T c) : x(a), y(b), z(c) {}
  vec() : vec(0, 0, 0) {}
  T norm() const { return std::sqrt(detail::dot(*this, *this)); }
  T weighted(axis a) const { return weights[static_cast<int>(a)] * (*this)[static_cast<int>(a)]; }
  T operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  vec &operator+=(const vec &o) { x += o.x; y += o.y; z += o.z; return *this; }
};
template <class T> inline vec<T> operator*(T k, const vec<T> &v) { return vec<T>(k * v.x, k * v.y, k * v.z); }
template <class T> vec<T> operator+(vec<T> a, const vec<T> &b) { return a += b; }
inline int unused(int x) { int nothing; throw x; }
} // namespace geo
""",
    "lib/geo/detail/ops.h": """#pragma once
#include "geo/limits.h"
namespace geo { namespace detail {
template <class V> auto dot(const V &a, const V &b) -> decltype(a.x) { return clip(a.x * b.x + a.y * b.y + a.z * b.z); }
} }
""",
    "lib/geo/limits.h": """#ifndef GEO_LIMITS
#define GEO_LIMITS
#ifndef GEO_MOST
#define GEO_MOST 1e6
#endif
inline double clip(double x) { return x > GEO_MOST ? GEO_MOST : x; }
#endif
""",
    "main.cpp": """#include <cstdio>
#include <geo/vec.h>
#include <vector>
#pragma omp begin declare target
double length(double a, double b) { return geo::vec<double>(a, b, 0).norm(); }
#pragma omp end declare target
int main() {
  std::vector<geo::vec<double>> all;
  for (int i = 0; i < 100; i++) all.push_back(geo::vec<double>(i, 2 * i, 3));
  const auto *p = all.data();
  double sum = 0, most = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : 100]) reduction(+ : sum) reduction(max : most)
  for (int i = 0; i < 100; i++) {
    geo::vec<double> v = 2.0 * p[i] + geo::vec<double>();
    sum += v.norm() + v.weighted(geo::axis::y);
    double l = length(i, 3);
    if (l > most) most = l;
  }
  std::printf("%.6f %.6f\\n", sum, most);
}
""",
}
AWARE = {
    "lib/aware/aware.h": """#pragma once
#ifdef __CUDACC__
#define AWARE __host__ __device__
#else
#define AWARE
#endif
#include <aware/more.h>
""",
    "lib/aware/more.h": "AWARE inline int more(int x) { return x + 40; }\n",
    "main.cpp": """#include <aware/aware.h>
#include <cstdio>
int main() { int x = 2;
#pragma omp target map(x)
  x = more(x);
  printf("%d\\n", x); }
""",
}
NAMING = {
    "lib/naming/config.h": """#pragma once
#if defined __CUDACC__ && defined NAMING_FOR_CUDA
#define NAMING_BOTH __host__ __device__
#else
#define NAMING_BOTH
#endif
#ifdef __CUDACC__
#define NAMING_HD __host__ __device__
#define NAMING_NO_INT128
#else
#define NAMING_HD
#endif
#define NAMING_MEMBER NAMING_HD inline
""",
    "lib/naming/all.h": """#pragma once
#include <naming/config.h>
#include <naming/marked.h>
#include <stdexcept>
#include <string>
namespace naming {
struct range_error : std::runtime_error {
  explicit range_error(const std::string &what) : std::runtime_error(what) {}
};
template <class E> [[noreturn]] NAMING_BOTH void raise(const E &problem) { throw problem; }
#define NAMING_CHECK(condition) \\
  if (!(condition)) raise(range_error("bad \\"index\\""))
NAMING_BOTH inline int plain(int x) { return x + 1; }
constexpr int calling(int x) { return x < 0 ? 1 : plain(x) + 1; }
constexpr int chosen(int x) { return x < 100 ? x : throw range_error("too many"); }
template <class T> struct row {
  T held[4];
  NAMING_BOTH row();
  NAMING_MEMBER T &front() { return held[0]; }
  T &at(int i) { NAMING_CHECK(i >= 0 && i < 4); return held[i]; }
  template <class U> T checked(U i) { if (i > 3) { naming::raise(range_error("i")); } return held[i]; }
};
template <class T> row<T>::row() : held{1, 2, 3, marked(4)} {}
}
""",
    "lib/naming/marked.h": """#pragma once
namespace naming {
#ifdef __CUDA_ARCH__
__device__ inline int marked(int x) { return x * 10; }
#else
inline int marked(int x) { return x * 10; }
#endif
}
""",
    "main.cpp": """#include <cstdio>
#include <naming/all.h>
int main() { int x = 2;
#pragma omp target map(x)
  {
    naming::row<int> r;
    r.front() += x;
    x = naming::calling(r.front()) + r.at(2) + r.checked(3L) + naming::marked(1) + naming::chosen(7);
  }
  printf("%d\\n", x); }
""",
}
LEANING = {
    "lib/leaning/all.h": """#pragma once
#include <leaning/base.h>
#include <leaning/trait.h>
#include <leaning/unused.h>
namespace leaning {
struct tag {};
template <class T> struct held : tag { T v; held(T x) : v(x) {} T get() const { return v * scale<T>::value; } };
}
#include <leaning/behind.h>
""",
    "lib/leaning/base.h": "#pragma once\ntemplate <int N> struct number { static const int value = N; };\n",
    "lib/leaning/trait.h": """#pragma once
namespace leaning {
template <class T> struct scale { static const int value = 1; };
struct other : number<3> {};
}
""",
    "lib/leaning/unused.h": "#pragma once\n#include <iostream>\nstruct unused : number<1> { std::ostream *to; };\n",
    "lib/leaning/behind.h": """#pragma once
namespace leaning { struct empty : tag {}; }
""",
    "main.cpp": """#include <leaning/all.h>
#include <cstdio>
template <class T> T taken(T x) { return leaning::held<T>(x).get(); }
int main() { int x = 2;
#pragma omp target map(x)
  x = taken(x) + sizeof(leaning::empty);
  printf("%d\\n", x); }
""",
}
"""Headers that include nothing themselves of what they need."""


@pytest.mark.skipif(not find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
@pytest.mark.parametrize(
    ("made_of", "want"), [(LEANING, "3\n"), (GEOMETRY, "27112.580280 99.045444\n"), (AWARE, "42\n"), (NAMING, "65\n")]
)
def test_functions_of_libraries_without_directives_are_device_code(
    bench: Bench, capfd: pytest.CaptureFixture[str], made_of: dict[str, str], want: str
) -> None:
    """Those that a library marks as device code are left to CUDA's compiler; a library that names CUDA marks not all.
    What throws in them ends a program on a GPU."""
    support.require_runtime()
    folder = bench.place(made_of)
    words = ("--target=both", "--offload-arch=sm_90", "-O0", "-Wall", "-Werror", "-isystem", "./lib/../lib")
    assert support.rexcc(folder, *words, "main.cpp", "-o", "program") == 0, capfd.readouterr().err
    assert support.on_device(folder / "program") == support.on_host(folder / "program") == want


FIXTURES = {
    "lib/fixture.h": """#pragma once
class Fixture {
public:
  virtual ~Fixture() {}
  virtual int size() const { return 3; }
  void run() { body(); }
private:
  virtual void body() = 0;
};
template <class T> struct Holder : Fixture {
  T held = 2;
  virtual T value(int i) const { return held + i; }
};
#define TYPED_CASE(name) \\
  template <class Given> struct name : Holder<Given> { typedef Given T; void body(); }; \\
  static int registered_##name = 1; \\
  template <class Given> void name<Given>::body()
""",
    "main.cpp": """#include <cstdio>
#include <exception>
#include <fixture.h>
static int ended = 0;
static int twice(int x) { return 2 * x; }
struct Weighted : Fixture {
  int weight = 4;
  ~Weighted() { ended++; }
  int size() const override { return twice(5); }
  void body() override {
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < 10; i++) sum += weight + twice(i);
    std::printf("%d\\n", sum);
  }
};
struct Last final : Weighted {
  int more = 1;
  int own() const { return more; }
  int size() const override { return more; }
  void body() override {
    int all = 0;
#pragma omp target map(tofrom : all)
    all = weight + own();
    std::printf("%d\\n", all);
  }
};
template <class T> struct Scaled : Holder<T> {
  ~Scaled() {}
  T value(int i) const override { return twice(i); }
  T other() const { return this->held; }
  void body() override {
    T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < 10; i++) sum += i + this->held + other();
    std::printf("%g\\n", double(sum));
  }
};
struct Failure : std::exception {
  int at = 2;
  const char *what() const noexcept override { return "failure"; }
  int count(int n) {
    int found = 0;
#pragma omp target teams distribute parallel for reduction(+ : found)
    for (int i = 0; i < n; i++) found += at;
    return found;
  }
};
TYPED_CASE(Summed) {
  T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 5; i++) sum += T(i) / 2;
  std::printf("%g %d\\n", double(sum), registered_Summed);
}
int main() {
  { Weighted w; w.run(); Last l; l.run(); Scaled<int> i; i.run(); Scaled<float> f; f.run();
    Summed<int> s; s.run(); Summed<double> d; d.run(); std::printf("%d %g\\n", w.size(), f.value(1)); }
  Failure failure;
  std::printf("%d %s %d\\n", failure.count(5), failure.what(), ended);
}
""",
}


@pytest.mark.skipif(not find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
def test_classes_may_derive_from_those_of_libraries(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    """Frameworks for tests have such: what overrides a library's functions is the host's, and macros make classes."""
    support.require_runtime()
    folder = bench.place(FIXTURES)
    words = ("--target=both", "--offload-arch=sm_90", "-O0", "-isystem", "lib")
    assert support.rexcc(folder, *words, "main.cpp", "-o", "program") == 0, capfd.readouterr().err
    want = "130\n5\n85\n85\n4 1\n5 1\n10 2\n10 failure 2\n"
    assert support.on_device(folder / "program") == support.on_host(folder / "program") == want


@pytest.mark.parametrize(("folders", "found"), [(("lib", "lib/deep"), {"lib/deep/f.h"}), (("other",), set[str]())])
def test_headers_that_device_code_needs(folders: tuple[str, ...], found: set[str]) -> None:
    assert Needed({"lib/./deep/f.h"}, folders).among(["lib/deep/f.h", "lib/deep/g.h"]) == found


CALLING = "#include <k0.h>\nint main() {\n  int x = 1;\n#pragma omp target map(x)\n  x = k0(x);\n}\n"


@pytest.mark.parametrize(
    ("first", "main", "times", "read"),
    [
        ("", CALLING, 2, ["lib/k0.h", "lib/k1.h", "lib/k2.h"]),
        ("", CALLING.replace("k0(x)", "1"), 1, []),
        ("#ifdef __CUDACC__\n#define ONLY_NAMED\n#endif\n", CALLING, 2, ["lib/k0.h", "lib/k1.h", "lib/k2.h"]),
        ("#ifdef __CUDACC__\n#define SHARED __device__\n#endif\n", CALLING, 1, []),
    ],
    ids=["one calls the other", "none is called", "names CUDA", "for CUDA"],
)
def test_files_are_translated_at_most_twice(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, first: str, main: str, times: int, read: list[str]
) -> None:
    """What functions of libraries call is known with them."""
    pattern = (
        "#pragma once\n#include <k{1}.h>\n#ifndef SHARED\n#define SHARED\n#endif\n"
        "template <class T> SHARED T k{0}(T x) {{ return k{1}(x) + 1; }}\n"
    )
    headers = {f"lib/k{i}.h": first + pattern.format(i, i + 1) for i in range(2)}
    headers["lib/k2.h"] = "inline int k2(int x) { return x; }\n"
    translated = phases.translate_files
    found: list[UserFiles] = []

    def count(files: UserFiles, options: TranslateOptions) -> Translation:
        found.append(files)
        return translated(files, options)

    monkeypatch.chdir(bench.place(headers))
    monkeypatch.setattr(phases, "translate_files", count)
    support.translate_text(main, "t.cpp", headers, ("-isystem", "lib"))
    assert len(found) == times
    assert found[0].last is found[-1].last  # what has been parsed is known
    assert sorted(name for name in found[-1].scans if name != "t.cpp") == read


def test_headers_of_the_c_library_are_not_asked_for() -> None:
    folders = ("/usr/include", "/opt/lib")
    of_system = {
        f"/usr/include/{name}" for name in ("stdio.h", "sys/stat.h", "c++/12/array", "x86_64-linux-gnu/bits/s.h")
    }
    of_libraries = {"/opt/lib/f.h", "/usr/include/gsl/gsl_pow_int.h"}
    needed = {*of_system, "/opt/g.h", *of_libraries}
    assert Needed(needed, folders).among(needed) == of_libraries


OF_C = {
    "main.c": "#include <stdio.h>\n#include <limits_of.h>\nint main(void) {\n  int at = 0;\n"
    "#pragma omp target map(tofrom : at)\n  at = limit_of(LIMIT);\n"
    '  printf("%d %d\\n", at, (int)sizeof(struct limit));\n  return 0;\n}\n',
    "lib/limits_of.h": "#define LIMIT 6\nstruct limit { int most; };\n"
    "static inline int limit_of(int n) { struct limit own = {n}; return 7 * own.most; }\n",
}


@pytest.mark.parametrize("variable", ["C_INCLUDE_PATH", "CPATH"])
def test_folders_in_which_compilers_of_c_look_are_those_of_device_code(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    support.require_runtime()
    folder = bench.place(OF_C)
    monkeypatch.setenv(variable, str(folder / "lib"))
    assert support.rexcc(folder, "main.c", "-o", "program") == 0
    assert support.on_device(folder / "program") == "42 4\n"
