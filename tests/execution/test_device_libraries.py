"""Libraries of templates that have words of the device's language are left to its compiler, wherever they are found."""

from __future__ import annotations

import os

import pytest

import support
from rexcc.driver.tools.toolchain import find_compiler
from rexcc.driver.translate_sources import with_installed
from rexcc.frontend.library_headers import folders_for_devices
from rexcc.target.known import DEFAULT
from support import Bench

CONFIG = """#pragma once
#include <cmath>
#if defined(__CUDACC__)
#define VEC_FUNC __host__ __device__
#else
#define VEC_FUNC
#endif
#if defined(_OPENMP) && !defined(VEC_SEQUENTIAL)
#define VEC_HAS_OPENMP
#endif
#if defined(__SSE2__) && !defined(__CUDACC__)
#include <emmintrin.h>
#define VEC_PACKETS
#endif
"""
VEC = """#pragma once
#include <vec/config.h>
#include <vec/part0.h>
namespace vec {
enum Order { Rows = 1, Columns = 2 };
template <class Of> struct traits;
template <class To, class From> VEC_FUNC To cast(const From &from) { return To(from); }
template <class Derived> struct Base {
  VEC_FUNC const Derived &derived() const { return static_cast<const Derived &>(*this); }
  VEC_FUNC typename traits<Derived>::Scalar sum() const {
    typename traits<Derived>::Scalar all = 0;
    for (int i = 0; i < traits<Derived>::Size; i++) all += derived().at(i);
    return all;
  }
};
#ifdef VEC_PACKETS
typedef __m128d Packet;
template <class T> struct packet { typedef T type; };
template <> struct packet<double> { typedef Packet type; };
template <class P> P plus(const P &a, const P &b) { return a + b; }
template <> inline Packet plus<Packet>(const Packet &a, const Packet &b) { return _mm_add_pd(a, b); }
#endif
template <class A, class B> struct Sum : Base<Sum<A, B>> {
  VEC_FUNC Sum(const A &a, const B &b) : a(a), b(b) {}
  VEC_FUNC auto at(int i) const { return a.at(i) + b.at(i); }
  const A &a;
  const B &b;
};
template <class A, class B> struct traits<Sum<A, B>> : traits<A> {};
template <class A, class B> VEC_FUNC Sum<A, B> operator+(const Base<A> &a, const Base<B> &b) {
  return Sum<A, B>(a.derived(), b.derived());
}
template <class T, int N, int Options = Rows> struct alignas(16) Vec : Base<Vec<T, N, Options>> {
  VEC_FUNC Vec() : held{} {}
  template <class Other> VEC_FUNC Vec(const Base<Other> &other) { *this = other; }
  template <class Other> VEC_FUNC Vec &operator=(const Base<Other> &other) {
    for (int i = 0; i < N; i++) held[i] = other.derived().at(i);
    return *this;
  }
  VEC_FUNC T at(int i) const { return held[i]; }
  VEC_FUNC T &operator[](int i) { return held[i]; }
  template <class S> friend VEC_FUNC Vec operator*(const Vec &v, S s) {
    Vec made;
    for (int i = 0; i < N; i++) made[i] = v.held[i] * cast<T>(s);
    return made;
  }
  T held[N];
};
template <class T, int N, int Options> struct traits<Vec<T, N, Options>> { typedef T Scalar; enum { Size = N }; };
inline void add_all(double *all, const double *some, int n) {
  for (int i = 0; i < n; i++)
#ifdef VEC_HAS_OPENMP
  {
#pragma omp atomic
    all[0] += some[i];
  }
#else
    all[0] += some[i];
#endif
}
}
"""
MAIN = """#include <vec/vec.h>
#include <cstdio>
using V = vec::Vec<double, 4, vec::Columns>;
int main() {
  static V a[100], b[100];
  for (int i = 0; i < 400; i++) a[i / 4][i % 4] = i;
  double sum = 0;
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : b) reduction(+ : sum)
  for (int i = 0; i < 100; i++) {
    b[i] = a[i] + a[99 - i] + b[i] * 2;
    sum += (b[i] + a[i]).sum();
  }
  vec::add_all(&sum, b[7].held, 4);
  std::printf("%g %g\\n", sum, b[3][2]);
}
"""
MANY = 100


def library(folder: str) -> dict[str, str]:
    """The files of a program with a large library."""
    parts = {f"{folder}/vec/part{i}.h": f"#pragma once\n#include <vec/part{i + 1}.h>\n" for i in range(MANY)}
    headers = {f"{folder}/vec/vec.h": VEC, f"{folder}/vec/config.h": CONFIG, f"{folder}/vec/part{MANY}.h": ""}
    return {"main.cpp": MAIN, **headers, **parts}


@pytest.mark.skipif(not find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
@pytest.mark.parametrize("option", ["-isystem", "-I"])
def test_large_libraries_for_devices_are_included_by_device_files(
    bench: Bench, capfd: pytest.CaptureFixture[str], option: str
) -> None:
    support.require_runtime()
    folder = bench.place(library("lib"))
    words = ("--target=both", "--offload-arch=sm_90", "-O0", "-Wall", "-Werror", "-save-temps=made", option, "lib")
    assert support.rexcc(folder, *words, "main.cpp", "-o", "program") == 0, capfd.readouterr().err
    assert support.on_device(folder / "program") == support.on_host(folder / "program") == "240996 400\n"
    made = (folder / "made" / "rex_lib_main.cu").read_text()
    assert "#include <vec/vec.h>" in made
    assert "struct traits" not in made


EXTRA = """#pragma once
#include <vec/config.h>
namespace vec {
inline double halved(double x) { return x > 0 ? x / 2 : throw "negative"; }
constexpr double quarter(double x) { return halved(halved(x)); }
}
"""


@pytest.mark.skipif(not find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
@pytest.mark.parametrize("option", ["-isystem", "-I"])
def test_functions_of_large_libraries_without_a_mark_are_read(
    bench: Bench, capfd: pytest.CaptureFixture[str], option: str
) -> None:
    """Their header is, and the others are left to the device's compiler."""
    support.require_runtime()
    main = "#include <vec/extra.h>\n" + MAIN.replace(".sum();", ".sum() + vec::quarter(8);")
    folder = bench.place({**library("lib"), "lib/vec/extra.h": EXTRA, "main.cpp": main})
    words = ("--target=both", "--offload-arch=sm_90", "-O0", "-Wall", "-Werror", "-save-temps=made", option, "lib")
    assert support.rexcc(folder, *words, "main.cpp", "-o", "program") == 0, capfd.readouterr().err
    assert support.on_device(folder / "program") == support.on_host(folder / "program") == "241196 400\n"
    made = (folder / "made" / "rex_lib_main.cu").read_text()
    assert "#include <vec/vec.h>" in made
    assert "double halved" in made
    assert "struct traits" not in made


@pytest.mark.parametrize(
    ("folder", "main", "number", "text", "is_found"),
    [
        ("lib", "t.cpp", MANY, "#ifdef __CUDACC__\n#endif", True),
        ("../lib", "t.cpp", MANY, "#ifdef __CUDACC__\n#endif", True),
        ("/opt/lib", "/home/t.cpp", MANY, "#ifdef __CUDACC__\n#endif", True),
        ("lib", "t.cpp", MANY - 1, "#ifdef __CUDACC__\n#endif", False),
        ("lib", "t.cpp", MANY, "", False),
        ("lib", "t.cpp", MANY, "#ifdef __CUDACC__\n#endif\n#pragma omp declare target", False),
        ("lib", "t.cpp", MANY, "#ifdef __CUDACC__\n#endif\n#pragma omp atomic\nx++;", False),
        ("lib", "lib/src/t.cpp", MANY, "#ifdef __CUDACC__\n#endif", False),
        (".", "t.cpp", MANY, "#ifdef __CUDACC__\n#endif", False),
        ("..", "t.cpp", MANY, "#ifdef __CUDACC__\n#endif", False),
    ],
    ids=[
        *("beside", "above", "elsewhere", "small", "for hosts", "with regions", "with threads"),
        *("the program's", "the program's own", "the program's, above"),
    ],
)
def test_folders_of_large_libraries(folder: str, main: str, number: int, text: str, is_found: bool) -> None:
    texts = {main: "int main() {}"} | {f"{folder}/{i}.h": "" for i in range(number - 1)} | {f"{folder}/f.h": text}
    assert folders_for_devices(texts, main, (folder, "other"), ("__CUDACC__",)) == ({folder} if is_found else set())


def test_installed_libraries_are_of_the_system_by_either_option() -> None:
    words = ("-I/usr/include/lib", "-I", "/usr/local/include/a/../b", "-I", "include", "-Iown", "-DX", "-I/usr/include")
    want = [
        "-isystem",
        "/usr/include/lib",
        "-isystem",
        "/usr/local/include/a/../b",
        "-I",
        "include",
        "-Iown",
        "-DX",
    ]
    assert list(with_installed(words)) == [*want, "-I/usr/include"]
