"""When device code is compiled without CUDA's headers, and that it means the same then."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from rexcc import runtime
from rexcc.source.records import replace
from rexcc.target.commands import NO_SPECIAL_FUNCTIONS, Around, CommandLine, Given, HostCompiler, Job, Step
from rexcc.target.nvptx_headers import NO_REDUCTIONS, without_headers
from rexcc.target.nvptx_tools import NvidiaTools

HEAD = '#include "rex_nvidia.h"\n'
AROUND = Around("nvcc", HostCompiler("gcc", "g++", "gcc"), "/rexcc/include", 19)


@pytest.mark.parametrize(
    "text",
    [
        "#include <vector>",
        "#include <type_traits>",
        "#include <complex.h>",
        '#include "functions.h"',
        "#include HEADER",
        '#include "rex_device_std_atomic.h"',
    ],
)
def test_a_file_with_other_headers_needs_them(text: str):
    assert not without_headers(HEAD + text, (), "include")


@pytest.mark.parametrize(
    "text",
    [
        "int *p = new int;",
        "virtual int f();",
        "throw 1;",
        "typeid(a);",
        "__builtin_sqrt(x);",
        "__sync_synchronize();",
        "#define OF(name) __builtin_ ## name",
        "#define OF(name) __sync_##name",
    ],
)
def test_what_nobody_declares_is_the_hosts_without_the_headers(text: str):
    assert not without_headers(HEAD + text, (), "include")


@pytest.mark.parametrize(
    "text",
    [
        "template <class T> auto f(T x) -> decltype(exp10(x)) { return x; }",
        "template <class T, int = sizeof(exp10(T()))> int f(T x) { return 1; }",
        "template <class T, int = sizeof exp10(T())> int f(T x) { return 1; }",
        "template <class T, bool = noexcept(exp10(T()))> int f(T x) { return 1; }",
        "template <class T> __typeof__(exp10(T())) f(T x) { return 1; }",
        "template <class T> int f(T x) requires requires { exp10(x); } { return 1; }",
        "int g() { return [](auto x) -> decltype(exp10(x)) { return x; }(1); }",
        "template <class T, int n = std::numeric_limits<T>::max_digits10> int f(T, int) { return n; }",
        "template <class T, bool = std::numeric_limits<T>::is_iec559> int f(T, int) { return 1; }",
    ],
)
def test_a_template_may_not_ask_what_is_declared(text: str):
    assert not without_headers(HEAD + text, (), "include")


def test_templates_that_ask_for_types_and_their_sizes_are_none_of_these():
    sizes = "sizeof(T) * (x + 1) + sizeof x + sizeof *&x + sizeof...(U)"
    text = f"template <class T, class... U> int f(T x) {{ return {sizes} + g(x); }}\n"
    plain = "decltype(exp10(1)) x; int y = sizeof(exp10(1));\n"
    assert without_headers(HEAD + text, (), "include")
    assert without_headers(HEAD + plain, (), "include")


def test_a_file_without_others_may_do_without_them():
    text = (
        HEAD + '#include <cmath>\n#include <stdio.h> // printf\n#include <stdint.h>\n#include "rex_device_arrivals.h"\n'
    )
    assert without_headers(text, ("-O3", "-Ifolder"), "include")
    assert not without_headers(text, ("-Dsqrt=root",), "include")
    assert not without_headers(text, ("-Xcompiler", "-O2,-DNAN=0"), "include")


def _steps(line: CommandLine, **job: object) -> tuple[Step, ...]:
    made = replace(Job("a.cu", "a.cubin", "sm_90", text=HEAD), **job)
    return NvidiaTools().image(made, line, AROUND)


def test_the_quicker_command_is_the_usual_one_with_further_words():
    (step,) = _steps(CommandLine())
    further = set(step.quicker_argv) - set(step.argv)
    assert further == {"-D__CUDA_RUNTIME_H__", "-DREX_CUDA_WORDS", NO_REDUCTIONS, "/rexcc/include/device"}
    assert step.quicker_argv[-3:] == step.argv[-3:] == ("a.cu", "-o", "a.cubin")
    assert all(step.quicker for step in _steps(CommandLine(), part="a.o"))


def test_files_of_the_user_in_front_of_the_device_file_need_the_headers():
    assert _steps(CommandLine(given=(Given("-Xnvcc", "", "-include=a.h"),)))[0].quicker_argv == ()
    assert _steps(CommandLine(), has_code=False)[0].quicker_argv == ()


def _front_end(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compile a file without CUDA's headers."""
    words = without_headers(HEAD, (), str(runtime.INCLUDE))
    flags = ("-std=c++17", "-w", *NO_SPECIAL_FUNCTIONS, "-isystem", str(runtime.INCLUDE))
    argv = ["nvcc", "-ptx", *flags, *words, str(source), "-o", str(folder / "a.ptx")]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("level", ["0", "2"])
def test_debuggers_see_functions_and_places_of_cudas_headers(level: str):
    line = CommandLine(optimization=level)
    assert _steps(line)[0].quicker_argv
    assert not any(step.quicker_argv for step in _steps(replace(line, debug=True)))


_ONE = (
    "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p "
    "log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc lrint llrint lround llround isnan isinf "
    "ilogb isfinite signbit isnormal"
)
_TWO = (
    "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder isgreater isgreaterequal isless islessequal "
    "islessgreater isunordered"
)
NUMBERS = ("float", "double", "int", "unsigned", "long", "unsigned long long", "char", "short", "bool")
NAMESPACES = ("", "std::")


def _calls() -> list[str]:
    """Return calls of all functions with all kinds of numbers."""
    values = [f"{{}}(({number})1)" for number in NUMBERS]
    calls = [value.format(space + name) for name, space, value in product(_ONE.split(), NAMESPACES, values)]
    some = NUMBERS[:4]
    calls += [f"{space}{name}(({a})1, ({b})2)" for name, space, a, b in product(_TWO.split(), NAMESPACES, some, some)]
    calls += [f"{space}fma(({a})1, ({b})1, ({c})1)" for space, a, b, c in product(NAMESPACES, some, some, some)]
    calls += [
        f"{space}{name}(({a})1, 2)" for space, name, a in product(NAMESPACES, ("ldexp", "scalbn", "scalbln"), some)
    ]
    calls += [f"{space}{name}(({a})1, (int *)0)" for space, name, a in product(NAMESPACES, ("frexp",), some)]
    calls += [f"{space}modf(({a})1, ({a} *)0)" for space, a in product(NAMESPACES, ("float", "double"))]
    signed = ("float", "double", "int", "long", "long long", "char", "short", "signed char")
    return [*calls, *(f"{space}abs(({a})-1)" for space, a in product(NAMESPACES, signed))]


def _compiled(folder: Path, text: str, *words: str) -> str:
    source, output = folder / "a.cu", folder / f"{len(words)}.ptx"
    source.write_text(text)
    flags = ("-std=c++17", "--expt-relaxed-constexpr", "-w", *NO_SPECIAL_FUNCTIONS, "-isystem", str(runtime.INCLUDE))
    argv = ["nvcc", "-ptx", "-arch=sm_90", *flags, *words, str(source), "-o", str(output)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return output.read_text()


@pytest.mark.parametrize(
    "declaration",
    [
        "template <class T> typename std::make_signed<T>::type f(T) { return 1; } enum E { e }; auto x = f(e);",
        "template <class T> typename std::make_unsigned<T>::type f(T) { return 1; } auto x = f((wchar_t)1);",
        "template <class T, bool is_one = std::numeric_limits<T>::is_specialized> int f(T); int x = f(1.0L);",
    ],
)
@pytest.mark.builds
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_types_of_which_the_library_tells_more_need_it(tmp_path: Path, declaration: str):
    source = tmp_path / "a.cu"
    source.write_text(f"{HEAD}int f(...);\n{declaration}\n")
    assert _front_end(source, tmp_path).returncode != 0


TRAITS = (
    "std::is_same<std::decay<int() noexcept>::type, int (*)() noexcept>::value",
    "std::is_same<std::decay<int (&)(int, ...)>::type, int (*)(int, ...)>::value",
    "!std::is_convertible<int *, const int[3]>::value && !std::is_convertible<int (*)(), int()>::value",
    "std::is_convertible<void, const void>::value && !std::is_convertible<int, void>::value",
)


@pytest.mark.builds
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_types_have_the_traits_that_they_have_in_the_library(tmp_path: Path):
    source = tmp_path / "a.cu"
    source.write_text(HEAD + "".join(f'static_assert({trait}, "");\n' for trait in TRAITS))
    done = _front_end(source, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.builds
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_calls_find_the_functions_that_they_find_in_the_library(tmp_path: Path):
    """The type of a call tells the overload; a file in which a type depends on the headers differs in its constants."""
    calls = _calls()
    kinds = "".join(f"template <> constexpr int kind<{t}> = {n};\n" for n, t in enumerate((*NUMBERS, "long long"), 1))
    table = ",\n".join(f"kind<decltype({call})>" for call in calls)
    text = f"{HEAD}#include <cmath>\n#include <cstdlib>\ntemplate <class T> constexpr int kind = 0;\n{kinds}"
    text += f"__device__ int types[] = {{\n{table}\n}};\n"
    words = without_headers(HEAD, (), str(runtime.INCLUDE))
    assert words
    usual, quick = _compiled(tmp_path, text), _compiled(tmp_path, text, *words)
    assert f"types[{4 * len(calls)}]" in usual
    assert quick == usual


KERNELS = """
extern "C" __global__ void values(float *f, double *d, int *i) {
  f[0] = sqrt(f[0]) + std::exp(f[1]) + powf(f[2], 2) + std::abs(f[3]) + fabs(f[4]) + floor(f[5]) + rsqrtf(f[6]);
  d[0] = sqrt(d[0]) + exp2(d[1]) + std::fmin(d[2], f[1]) + abs(d[3]) + ceil(i[4]) + fma(d[5], d[6], d[7]) + rsqrt(d[8]);
  i[0] = isnan(f[7]) + std::isinf(d[9]) + isfinite(d[10]) + signbit(f[8]) + isnormal(d[11]) + abs(i[1]) + lround(d[12]);
  f[9] = ldexp(f[10], 3) + NAN * INFINITY + (float)M_PI + rex_hypot(f[1], f[2], f[3]);
  rex_sincos(f[11], f + 12, f + 13);
  d[20] = frexp(d[21], i + 5) + modf(d[22], d + 23) + copysign(d[24], f[14]) + div(i[6], i[7]).quot;
}
extern "C" __global__ void extremes(float *f, double *d, int *i, short *s) {
  f[0] = std::max(f[1], f[2]) + std::min(f[3], 0.f) + std::clamp(f[4], f[5], 1.f);
  d[0] = std::max(d[1], d[2]) * std::min<double>(f[6], d[3]) + std::clamp(d[4], -1.0, 1.0);
  i[0] = std::max(i[1], 3) - std::min(i[2], i[3], [](int a, int b) { return a > b; }) + std::max<int>(s[0], i[4]);
  s[1] = std::max(s[2], s[3]);
  int &greatest = const_cast<int &>(std::max(i[5], i[6]));
  greatest = 0;
}
extern "C" __global__ void atomics(int *i, unsigned *u, long long *l, unsigned long long *w, float *f, double *d) {
  i[1] = atomicAdd(i, 1) + atomicMin(i, 2) + atomicXor(i, 3) + atomicCAS(i, 4, 5) + atomicExch(i, 6);
  u[1] = atomicAdd(u, 1u) + atomicMax(u, 2u) + atomicInc(u, 3u) + atomicCAS(u, 4u, 5u) + atomicOr(u, 6u);
  l[1] = atomicMin(l, 1ll) + atomicMax(l, 2ll) + atomicAnd(l, 3ll);
  w[1] = atomicAdd(w, 1ull) + atomicMax(w, 2ull) + atomicCAS(w, 3ull, 4ull) + atomicExch(w, 5ull) + atomicOr(w, 6ull);
  f[1] = atomicAdd(f, 1.f) + atomicExch(f, 2.f);
  d[1] = atomicAdd(d, 1.0);
}
extern "C" __global__ void warps(int *i, unsigned *u, float *f, double *d, long long *l) {
  i[1] = __shfl_sync(~0u, i[0], 3) + __shfl_xor_sync(~0u, i[0], 4, 8) + __ffs(i[2]) + __mulhi(i[3], i[4]);
  u[1] = __shfl_up_sync(~0u, u[0], 1) + __ballot_sync(~0u, i[0]) + __umulhi(u[2], u[3]) + __float_as_uint(f[2]);
  f[1] = __shfl_down_sync(~0u, f[0], 2, 16) + __fmaf_rn(f[3], f[4], f[5]) + __sinf(f[6]);
  d[1] = __shfl_down_sync(~0u, d[0], 2);
  l[1] = __shfl_sync(~0u, l[0], 2);
  __syncwarp();
  __threadfence();
  __barrier_sync_count(1, 64);
  __syncthreads();
  i[2] = __isLocal(i) + (int)__cvta_generic_to_shared(i);
  printf("%d\\n", i[2]);
  memcpy(i + 4, u, 16);
  __nanosleep(20);
  if (i[3]) __trap();
}
"""


LIMITS = """
template <class T> __device__ int bytes(T) { return sizeof(T); }
template <class T> __device__ void tell(double *to, int &at) {
  typedef std::numeric_limits<T> of;
  const double values[] = {
      (double)of::min(), (double)of::max(), (double)of::lowest(), (double)of::epsilon(), (double)of::infinity(),
      (double)of::denorm_min(), (double)of::quiet_NaN(), of::digits, of::digits10, of::radix, of::is_specialized,
      of::is_signed, of::is_integer, of::is_exact, of::is_bounded, of::has_infinity, of::has_quiet_NaN,
      bytes(of::min()), bytes(of::max()), bytes(of::epsilon()), bytes(of::quiet_NaN())};
  for (double value : values) to[at++] = value;
}
template <class... T> __device__ void tell_all(double *to) {
  int at = 0;
  (tell<T>(to, at), ...);
}
extern "C" __global__ void limits(double *to) {
  tell_all<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long,
           unsigned long long, float, double>(to);
}
"""
ASSERTIONS = """
extern "C" __global__ void assertions(int *i, float *f) {
  assert(i[0] < 3);
  assert(f[0] > 0 && "and a word");
  i[1] = 2;
}
#define NDEBUG
#include <assert.h>
extern "C" __global__ void none(int *i) {
  assert(i[0] < 3);
}
"""
HALVES = """
extern "C" __global__ void halves(_Float16 *h, float *f, int *i) {
  h[0] = h[1] * h[2] + h[3] / (_Float16)i[0] - f[0];
  f[1] = sqrt((float)h[4]) + std::max((float)h[5], f[2]) + fabs((double)h[6]);
  i[1] = h[7] < h[8] || h[9] >= 2;
  h[10] += 1.5f;
}
"""
FURTHER = [
    pytest.param("#include <limits>\n", LIMITS, id="limits"),
    pytest.param("#include <cassert>\n", ASSERTIONS, id="assertions"),
    pytest.param('#include <algorithm>\n#include <cmath>\n#include "rex_device_half.h"\n', HALVES, id="halves"),
]


@pytest.mark.parametrize(("head", "text"), FURTHER)
@pytest.mark.builds
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_limits_assertions_and_halves_need_no_headers(tmp_path: Path, head: str, text: str):
    quicker = without_headers(HEAD + head + text, (), str(runtime.INCLUDE))
    assert quicker
    assert _compiled(tmp_path, HEAD + head + text, *quicker) == _compiled(tmp_path, HEAD + head + text)


REDUCING = ("elements", "groups", "into", "partials", "reduce", "scans")


def _own_names(header: str) -> set[str]:
    """Return the names of ours that a header may declare: macros, and what has parameters, a base or a meaning."""
    text = re.sub(r"//[^\n]*", "", (runtime.INCLUDE / header).read_text())
    found = re.findall(r"#\s*define\s+(rex_\w+|REX_\w+)|\b(?:struct|class|union|using|enum)\s+(rex_\w+)", text)
    pasted = re.findall(r"(?:REX_DEVICE|__device__)[^;{}]*?\b(rex_\w+)##\w+(?:##\w+)*\(", text)
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.MULTILINE)
    calls = re.findall(r"(?:REX_DEVICE|__device__)[\w \t*&:<>,\n]*?\b(rex_\w+)\s*\(", code)
    return {name for pair in found for name in pair if name} - {f"{header.upper().replace('.', '_')}"} | {
        *calls,
        *pasted,
    }


def test_device_code_that_does_not_reduce_names_nothing_of_these_headers():
    """A name that another header declares, too, would be another function without them."""
    for subject in REDUCING:
        names = _own_names(f"rex_device_{subject}.h")
        assert len(names) > 2
        missed = [name for name in names if NO_REDUCTIONS in without_headers(f"{HEAD}{name}(x);", (), "include")]
        assert missed == []
    assert NO_REDUCTIONS in without_headers(HEAD + "rex_next_up(i, n); rex_barrier();", (), "include")


@pytest.mark.builds
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_without_headers_of_reductions_kernels_are_the_same(tmp_path: Path):
    names = ("algorithm", "cmath", "stdlib.h", "stdio.h", "string.h")
    text = "".join([HEAD, *(f"#include <{name}>\n" for name in names), KERNELS])
    quicker = without_headers(text, (), str(runtime.INCLUDE))
    assert NO_REDUCTIONS in quicker
    more = tuple(word for word in quicker if word != NO_REDUCTIONS)
    assert _compiled(tmp_path, text, *quicker) == _compiled(tmp_path, text, *more)


LONG = ("pow(2.0, 3.0L)", "fmax(2.0L, 3.0)", "fma(2.0, 3.0, 4.0L)")


@pytest.mark.parametrize("call", LONG)
@pytest.mark.builds
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_arguments_of_long_double_need_the_headers(tmp_path: Path, call: str):
    """Their host functions would otherwise become calls for `double`, which stands next to them."""
    source = tmp_path / "a.cu"
    source.write_text(f"{HEAD}__device__ double x;\n__global__ void f() {{ x = {call}; }}\n")
    assert _front_end(source, tmp_path).returncode != 0


FAST = pytest.param(("--use_fast_math",), id="fast", marks=pytest.mark.extended)


@pytest.mark.parametrize("words", [pytest.param((), id="exact"), FAST])
@pytest.mark.builds
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_kernels_have_the_instructions_that_cudas_headers_give(tmp_path: Path, words: tuple[str, ...]):
    names = ("algorithm", "cmath", "stdlib.h", "stdio.h", "string.h")
    text = "".join([HEAD, *(f"#include <{name}>\n" for name in names), KERNELS])
    quicker = without_headers(text, words, str(runtime.INCLUDE))
    assert quicker
    usual, quick = _compiled(tmp_path, text, *words), _compiled(tmp_path, text, *words, *quicker)
    assert usual.count(".entry") == 4
    assert quick == usual
