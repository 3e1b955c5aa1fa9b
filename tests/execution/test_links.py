"""Several translation units, static and shared libraries, headers with regions, generated sources built by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import support
from support import Bench

pytestmark = pytest.mark.usefixtures("runtime")

MAIN = """
#include <stdio.h>
#include "shared.h"
int fill(int *p, int n);
double total(const double *p, int n);
static int helper(int x) { return x + 1; }
int counter = 3;
#pragma omp declare target to(counter)
int main(void) {
  int a[10];
  double d[5] = {1, 2, 3, 4, 5};
  printf("%d\\n", fill(a, 10));
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < 10; i++) a[i] = helper(a[i]) + shared_scale(i) + counter;
  printf("%d %d %g %d\\n", a[0], a[9], total(d, 5), twice_on_device(21));
  return 0;
}
"""
HEADER = """
#ifndef SHARED_H
#define SHARED_H
static inline int shared_scale(int i) { return 10 * i; }
static inline int twice_on_device(int x) {
  int r = 0;
#pragma omp target map(from : r)
  r = 2 * x + shared_scale(0);
  return r;
}
#endif
"""
FILL = """
#include "shared.h"
static int helper(int x) { return x + 1000; }
int fill(int *p, int n) {
#pragma omp target teams distribute parallel for map(from : p[0 : n])
  for (int i = 0; i < n; i++) p[i] = helper(i) + shared_scale(i);
  return twice_on_device(4);
}
"""
TOTAL = """
#include "shared.h"
namespace {
double helper(double x) { return x * 0.5; }
}
extern "C" double total(const double *p, int n) {
  double s = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) s += helper(p[i]);
  return s + twice_on_device(1);
}
"""
FILES = {"main.c": MAIN, "shared.h": HEADER, "fill.c": FILL, "total.cpp": TOTAL}
EXPECTED = "8\n1004 1193 9.5 42\n"


def test_three_translation_units_in_one_command(bench: Bench) -> None:
    program = bench.build(FILES)
    assert support.on_device(program) == support.on_host(program) == EXPECTED


BY_LIBTOOL = ("-nostdlib", "-lstdc++", "-lm", "-lc", "-lgcc_s")
"""What libtool writes where it links a shared library of C++: it names the system's libraries itself."""


@pytest.mark.parametrize("libraries", [(), ("-nodefaultlibs", "-Wl,-z,defs", "-lc"), BY_LIBTOOL])
def test_objects_a_static_and_a_shared_library(bench: Bench, libraries: tuple[str, ...]) -> None:
    folder = bench.place(FILES)
    assert support.rexcc(folder, "-c", "fill.c") == 0
    subprocess.run(["ar", "rcs", "libfill.a", "fill.o"], cwd=folder, check=True)
    assert support.rexcc(folder, "-shared", "-fPIC", "total.cpp", *libraries, "-o", "libtotal.so") == 0
    link = ["main.c", "libfill.a", "-L.", "-ltotal", "-Wl,-rpath,$ORIGIN", "-o", "program"]
    assert support.rexcc(folder, *link) == 0
    assert support.on_device(folder / "program") == EXPECTED


VIRTUAL = """
#include <cstdio>
struct Base { virtual ~Base() = default; virtual int f() const { return 1; } };
struct Derived : Base { int f() const override { return 2; } };
int main(int argc, char **) {
  Base *object = argc > 5 ? new Base : new Derived;
  int r = object->f();
  delete object;
#pragma omp target map(tofrom : r)
  r += 40;
  std::printf("%d\\n", r);
  return 0;
}
"""


@pytest.mark.parametrize("sanitizers", ["undefined", "address,undefined"])
def test_objects_of_cplusplus_are_linked_with_what_their_sanitizers_call(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, sanitizers: str
) -> None:
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")  # of LLVM's runtime
    folder, option = bench.place({"main.cpp": VIRTUAL}), f"-fsanitize={sanitizers}"
    assert support.rexcc(folder, option, "-c", "main.cpp") == 0
    assert support.rexcc(folder, option, "main.o", "-o", "program") == 0
    assert support.on_device(folder / "program") == "42\n"


NO_REGIONS = """
#include <omp.h>
#include <stdio.h>
#include "away.h"
int main(void) {
  int device = omp_get_default_device(), host = omp_get_initial_device(), there[4], back[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; i++) there[i] = i + 1;
  int *away = (int *)away_alloc(sizeof there);
  omp_target_memcpy(away, there, sizeof there, 0, 0, device, host);
  omp_target_memcpy(back, away, sizeof back, 0, 0, host, device);
  printf("%d %d %d\\n", omp_get_num_devices() > 0, omp_target_is_present(there, device), back[3]);
  omp_target_free(away, device);
  return 0;
}
"""
AWAY = """
#include <omp.h>
#include "away.h"
void *away_alloc(size_t size) {
  return omp_get_num_devices() > 0 ? omp_target_alloc(size, omp_get_default_device()) : 0;
}
"""
AWAY_HEADER = """
#include <stddef.h>
#ifdef __cplusplus
extern "C"
#endif
void *away_alloc(size_t size);
"""
WITHOUT_REGIONS = {"main.c": NO_REGIONS, "away.c": AWAY, "away.h": AWAY_HEADER}


def test_devices_of_a_program_without_regions(bench: Bench) -> None:
    folder = bench.place(WITHOUT_REGIONS | {"main.cpp": NO_REGIONS})
    assert support.rexcc(folder, "main.cpp", "away.c", "-s", "-o", "program") == 0
    assert support.on_device(folder / "program") == "1 0 4\n"
    assert support.rexcc(folder, "-shared", "-fPIC", "away.c", "-o", "libaway.so") == 0
    assert support.rexcc(folder, "-c", "main.c") == 0
    assert support.rexcc(folder, "main.o", "-L.", "-laway", "-Wl,-rpath,$ORIGIN", "-o", "program") == 0
    assert support.on_device(folder / "program") == "1 0 4\n"


MERGED = {
    "merged.h": """
#pragma omp begin declare target
inline int counter = 3;
struct Limits { static inline int most = 8; };
inline int bump() { return ++counter; }
#pragma omp end declare target
int other();
int seen();
""",
    "main.cpp": """
#include <cstdio>
#include "merged.h"
#pragma omp begin declare target
__attribute__((weak)) int setting = 1;
#pragma weak level
extern "C" { int level = 2; }
int own() { return level; }
#pragma omp end declare target
int main() {
  int r = 0, s = 0, t[3];
  counter = Limits::most = setting = 50; // the device has its own by now
#pragma omp target map(from : r)
  { counter += 10; r = bump(); }
  int o = other();
#pragma omp target map(from : s, t)
  { s = counter; t[0] = setting; t[1] = own(); t[2] = Limits::most; }
  std::printf("%d %d %d %d %d %d\\n", r, o, s, t[0], t[1], t[2]);
#pragma omp target update from(counter, setting)
  std::printf("%d %d %d %d\\n", counter, seen(), setting, Limits::most);
}
""",
    "other.cpp": """
#include "merged.h"
#pragma omp begin declare target
int setting = 5;
extern "C" { int level = 6; }
#pragma omp end declare target
int other() {
  int r = 0;
#pragma omp target map(from : r)
  { counter += 100; setting += 7; level++; Limits::most--; r = bump(); }
  return r;
}
int seen() { return counter; }
""",
}


@pytest.mark.parametrize("order", [("main.cpp", "other.cpp"), ("other.cpp", "main.cpp")])
def test_variables_that_several_files_define_are_one_on_the_device(bench: Bench, order: tuple[str, ...]) -> None:
    folder = bench.place(MERGED)
    assert support.rexcc(folder, *order, "-w", "-o", "program") == 0
    assert support.on_device(folder / "program") == "14 115 115 12 7 7\n115 115 12 50\n"


SHARED_DATA = """
#ifndef SHARED_H
#define SHARED_H
struct Point { int x, y; };
#ifdef __cplusplus
extern "C" {
#endif
#pragma omp begin declare target
extern int counter;
extern double table[8];
extern int open_ended[];
extern struct Point origin;
extern int not_used_here;
#pragma omp end declare target
extern float linked[6];
#pragma omp declare target link(linked)
int other(int n);
#ifdef __cplusplus
}
#endif
#endif
"""
DEFINED = """
#include <stdio.h>
#include "shared.h"
int counter = 5;
double table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int open_ended[4] = {10, 20, 30, 40};
struct Point origin = {3, 4};
int not_used_here;
float linked[6] = {1, 2, 3, 4, 5, 6};
#pragma omp begin declare target
static int own[2] = {1, 2};
static int mine(int i) { return own[i]++; }
#pragma omp end declare target
int main(void) {
  int q = 0;
#pragma omp target map(from : q)
  q = mine(1);
  printf("%d\\n", q);
  int r = 0;
#pragma omp target map(tofrom : r)
  {
    counter++;
    r = counter + (int)table[7] + open_ended[3] + origin.x;
  }
  printf("%d\\n", r);
  printf("%d\\n", other(3));
#pragma omp target update from(counter, table, origin)
  printf("%d %g %d %d\\n", counter, table[2], origin.x, origin.y);
  counter = 1000;
#pragma omp target update to(counter)
#pragma omp target data map(tofrom : linked)
  printf("%d\\n", other(1));
  printf("%g %g\\n", linked[1], linked[5]);
  return 0;
}
"""
ELSEWHERE = """
#include "shared.h"
static int add(int n) {
  table[2] += n;
  return counter + (int)table[n] + open_ended[2] + origin.y;
}
static float from_link(int i) { linked[i] *= 2; return linked[i]; }
#pragma omp begin declare target
static int own[2] = {10, 20};
static int mine(int i) { return own[i]++; }
#pragma omp end declare target
extern "C" int other(int n) {
  int r = 0;
#pragma omp target map(tofrom : r)
  {
    counter += 100;
    r = add(n) + open_ended[1];
    origin.y = r;
  }
#pragma omp target map(tofrom : r) map(tofrom : linked)
  r += (int)from_link(n);
#pragma omp target data map(tofrom : linked)
#pragma omp target map(tofrom : r)
  r += (int)from_link(5);
#pragma omp target update from(counter)
  int q = 0;
#pragma omp target map(from : q)
  q = mine(1);
  return r + counter + q;
}
"""
GLOBALS = {"defined.c": DEFINED, "shared.h": SHARED_DATA, "elsewhere.cpp": ELSEWHERE}


@pytest.mark.parametrize("requirement", ["", "#pragma omp requires unified_shared_memory\n"])
def test_variables_that_another_file_defines(bench: Bench, requirement: str) -> None:
    files = {name: requirement * (name == "shared.h") + text for name, text in GLOBALS.items()}
    program = bench.build(files)
    assert support.on_device(program) == support.on_host(program) == bench.plain(files)


def test_a_variable_that_another_library_defines(bench: Bench) -> None:
    folder = bench.place(GLOBALS)
    assert support.rexcc(folder, "-shared", "-fPIC", "elsewhere.cpp", "-o", "libelsewhere.so") == 0
    link = ["defined.c", "-L.", "-lelsewhere", "-Wl,-rpath,$ORIGIN", "-o", "program"]
    assert support.rexcc(folder, *link) == 0
    assert support.on_device(folder / "program") == bench.plain(GLOBALS)


def test_a_variable_that_no_file_has_on_the_device_is_named(bench: Bench) -> None:
    folder = bench.place(GLOBALS)
    (folder / "host.c").write_text("int counter; double table[8]; int open_ended[4]; struct { int x, y; } origin;")
    (folder / "main.c").write_text("int other(int n); float linked[6]; int main(void) { return other(1); }")
    subprocess.run(["gcc", "-c", "host.c"], cwd=folder, check=True)
    assert support.rexcc(folder, "elsewhere.cpp", "main.c", "host.o", "-o", "program") == 0
    environment = {**os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY"}
    found = subprocess.run([folder / "program"], env=environment, capture_output=True, text=True, check=False)
    assert "'counter' is used by device functions of a file that does not define it" in found.stderr


def test_the_reduced_programs_agree_with_plain_execution(bench: Bench) -> None:
    """Each program's main becomes a function of one program, so that one build serves all C programs."""
    files: dict[str, str] = {}
    calls: list[str] = []
    for path in sorted(support.PROGRAMS.iterdir()):
        if path.suffix == ".c":
            name = f"main_of_{path.stem}"
            body = path.read_bytes().decode("latin-1").encode("ascii", "replace").decode("ascii")
            files[path.name] = body.replace("int main(", f"int {name}(", 1)
            takes, gives = ("int argc, char **argv", "1, 0") if "argc" in body else ("void", "")
            declared = f"int {name}({takes});"
            run = f'static int run_{path.stem}(void) {{ puts("{path.stem}:"); return {name}({gives}); }}'
            calls.append(f"{declared} {run}")
    runs = "".join(f"  run_{p.stem}();\n" for p in sorted(support.PROGRAMS.iterdir()) if p.suffix == ".c")
    files["all.c"] = "#include <stdio.h>\n" + "\n".join(calls) + f"\nint main(void) {{\n{runs}  return 0;\n}}\n"
    program = bench.build(files, "-w")
    expected = bench.plain(files)
    assert support.on_device(program) == support.on_host(program) == expected
    cpp = {"data_like.cpp": (support.PROGRAMS / "data_like.cpp").read_text()}
    assert support.on_device(bench.build(cpp)) == bench.plain(cpp)


def test_generated_sources_can_be_built_by_hand(bench: Bench) -> None:
    if shutil.which("make") is None:
        pytest.skip("no make")
    folder = bench.place({"axpy.c": (support.PROGRAMS / "axpy_multi_like.c").read_text()})
    assert support.rexcc(folder, "--emit=src", "axpy.c", "-o", "generated") == 0
    names = {p.name for p in (folder / "generated").iterdir()}
    assert {
        "rose_axpy.c",
        "rex_lib_axpy.cu",
        "rex_host_axpy.cpp",
        "rex_runtime",
        "Makefile",
    } <= names
    support.place_helper(folder / "generated")
    done = subprocess.run(["make", "-s"], cwd=folder / "generated", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    programs = [
        p for p in (folder / "generated").iterdir() if p.is_file() and p.stat().st_mode & 0o100 and p.suffix == ""
    ]
    (program,) = [p for p in programs if p.name != "Makefile"]
    assert support.on_device(program) == bench.plain({"axpy.c": (folder / "axpy.c").read_text()})


def test_regions_in_threads_of_the_host(bench: Bench) -> None:
    source = """#include <stdio.h>
int main(void) {
  int sums[8] = {0}, all = 0;
#pragma omp parallel for num_threads(4)
  for (int t = 0; t < 8; t++) {
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < 1000; i++) s += i % (t + 1);
    sums[t] = s;
  }
  for (int t = 0; t < 8; t++) all += sums[t] * (t + 1);
  printf("%d\\n", all);
  return 0;
}
"""
    files = {"threads.c": source}
    program = bench.build(files)
    assert support.on_device(program) == support.on_host(program) == bench.plain(files)


def compiles(compiler: str, *arguments: str, folder: Path) -> None:
    done = subprocess.run([compiler, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "names",
    support.sampled(
        [
            ["classes.cpp", "templates.cpp"],
            ["constructs.c", "reductions.c", "atomics.c", "declared.c", "members.c"],
        ],
        2,
    ),
    ids=["c++", "c"],
)
def test_kernels_compile_for_the_gpu(bench: Bench, names: list[str]) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc")
    programs = Path(__file__).parent / "programs"
    texts = support.side_by_side(support.compiled((programs / name).read_text(), name).device for name in names)
    files = {f"kernels{number}.cu": text for number, text in enumerate(texts)}
    include = Path(support.__file__).parents[1] / "src" / "rexcc" / "runtime" / "include"
    own = ("-std=c++17", *support.NVCC_QUICKLY, "--expt-relaxed-constexpr", "-I", str(include), "-w")
    compiles(nvcc, "-arch=sm_80", *own, "-ptx", *files, folder=bench.place(files))


def test_units_that_require_different_things_are_refused(bench: Bench) -> None:
    region = "#pragma omp target map(tofrom: x)\n  x++;\n  return x;\n}\n"
    files = {
        "a.c": f"int g(int);\n#pragma omp requires unified_shared_memory\nint f(int x) {{\n{region}"
        "int main(void) { return f(1) + g(1); }\n",
        "b.c": f"int g(int x) {{\n{region}",
    }
    program = bench.build(files)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False, cwd=program.parent)
    assert done.returncode != 0
    assert "'requires unified_shared_memory' has to be in all files with target regions" in done.stderr


RETURNED = """
inline auto in_order(char a, double b, int c) { return [c, b, a](int i) { return int(a + 2 * b + 3 * c + i); }; }
inline auto named(char a, double b) { auto made = [b, a](int i) { return int(a + 2 * b + i); }; return made; }
inline auto implied(char a, double b, int c) { return [=](int i) { return int(c + 2 * b + 3 * a + i); }; }
inline auto arrays(int k) { int t[2] = {k, 2}; short z = 3; return [t, z, k](int i) { return t[i] + z + k; }; }
template <class T> auto any(T k) { return [k, n = 3](int i) { return int(n * k + i); }; }
struct Cell { int v; auto get() const { int w = v; char c = 1; return [c, w](int i) { return w + c + i; }; } };
"""
RETURNED_MAIN = """
#include <cstdio>
#include "returned.h"
int elsewhere();
int main() {
  auto a = in_order(1, 2, 3); auto b = named(4, 5); auto c = arrays(6); auto d = any(2.5); auto e = Cell{7}.get();
  auto f = implied(1, 2, 3);
  int r[6];
#pragma omp target map(from : r)
  { r[0] = a(1); r[1] = b(1); r[2] = c(1); r[3] = d(1); r[4] = e(1); r[5] = f(1); }
  std::printf("%d %d %d %d %d %d %d\\n", r[0], r[1], r[2], r[3], r[4], r[5], elsewhere());
}
"""
RETURNED_ELSEWHERE = """
#include "returned.h"
int elsewhere() { return in_order(1, 2, 3)(1) + named(4, 5)(1) + arrays(6)(1) + any(2.5)(1) + Cell{7}.get()(1) +
  implied(1, 2, 3)(1); }
"""


@pytest.mark.parametrize("order", [("main.cpp", "elsewhere.cpp"), ("elsewhere.cpp", "main.cpp")])
def test_lambdas_of_headers_are_laid_out_as_in_files_without_regions(bench: Bench, order: tuple[str, ...]) -> None:
    """The linker keeps one of the definitions of the functions that return them."""
    files = {"returned.h": RETURNED, "main.cpp": RETURNED_MAIN, "elsewhere.cpp": RETURNED_ELSEWHERE}
    folder = bench.place(files)
    assert support.rexcc(folder, "-O0", *order, "-o", "program") == 0
    assert support.on_device(folder / "program") == "15 15 11 8 9 11 69\n"


COUNTING = "[a, b](int i) { static int calls; return a + b + i + calls++; }"


@pytest.mark.parametrize("body", [COUNTING, "[a, n = b](int i) { return a + i; }"])
def test_other_lambdas_of_headers_stay(bench: Bench, body: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = (
        '#include "made.h"\nint main() { auto f = made(1, 2); int r;\n#pragma omp target map(from : r)\nr = f(1); }\n'
    )
    folder = bench.place({"made.h": f"inline auto made(char a, int b) {{ return {body}; }}\n", "main.cpp": text})
    assert support.rexcc(folder, "main.cpp", "-o", "program") != 0
    assert "is returned by a header's function" in capfd.readouterr().err


WEAK = """
#include <stdio.h>
{before}
int scale(int x) {{ return 2 * x; }}
{behind}
int main(void) {{
  int r = 0;
#pragma omp target map(tofrom : r)
  r = scale(21);
  printf("%d %d\\n", r, scale(21));
  return 0;
}}
"""
WEAKLY = {
    "attribute": ("__attribute__((weak)) int scale(int x);", ""),
    "macro": ("#define WEAK __attribute__((__weak__))\nWEAK", ""),
    "pragma": ("#pragma weak scale\nint scale(int x);", ""),
    "declared": (
        "#pragma omp begin declare target\n__attribute__((weak)) int scale(int x);",
        "#pragma omp end declare target",
    ),
}


@pytest.mark.parametrize("how", WEAKLY)
@pytest.mark.parametrize("name", ["main.c", "main.cpp"])
def test_weak_functions_of_device_code_are_the_programs(
    bench: Bench, how: str, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The device would have one definition of the function, and the host another one."""
    before, behind = WEAKLY[how]
    if how == "pragma" and name.endswith("pp"):
        before, behind = f'extern "C" {{\n{before}', f"}}\n{behind}"
    text = WEAK.format(before=before, behind=behind)
    files = {name: text, "other.c": "int unused(int x) { return 3 * x; }\n"}
    assert support.on_device(bench.build(files, "-w")).split() == ["42", "42"]
    other = "int scale(int x) { return 3 * x; }\n"
    ending = name.rpartition(".")[2] if how != "pragma" else "c"
    folder = bench.place({name: text, f"strong.{ending}": other})
    capfd.readouterr()
    assert support.rexcc(folder, "--target=host", "-w", name, f"strong.{ending}", "-o", "program") != 0
    told = capfd.readouterr().err
    assert f"is weak in {name}:" in told and "the program has another one" in told
    assert not (folder / "program").exists()
