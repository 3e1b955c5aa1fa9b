"""Launches with few teams whose threads are open: how wide blocks may be, and what kernels are compiled for."""

from __future__ import annotations

import re

import pytest

from rexcc.program.optimisations import Optimisation
from support import compiled, rendered, translate_text

LIGHT = "y[i] += 2 * x[i];"
LOADS = "{ double s = 0; for (int j = 0; j < m; j++) s += x[j]; y[i] = s; }"
TURNS = "{ double s = x[i]; for (int j = 0; j < m; j++) s = s * s + j; y[i] = s; }"
NESTED = "{ double s = 0; for (int j = 0; j < m; j++) for (int k = 0; k < j; k++) s += k * j; y[i] = s; }"
SIMD = "{ double s = 0;\n#pragma omp simd\nfor (int j = 0; j < m; j++) s += j; y[i] = s; }"
GRID = "target teams distribute parallel for"
HEAD = """
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
int omp_get_num_threads(void);
int omp_get_thread_num(void);
#ifdef __cplusplus
}
#endif
static double in_turn(const double *x, int m) {
  double s = 0;
#pragma omp simd reduction(+ : s)
  for (int j = 0; j < m; j++) s += x[j];
  return s;
}
static double asks(double a) { return a * omp_get_num_threads(); }
static double changes(double *a) {
#pragma omp atomic
  *a += 1;
  return 2;
}
"""


def source_of(statement: str, clauses: str, construct: str = GRID, loop: str = "for (int i = 0; i < n; i++)") -> str:
    head = "void f(int n, int m, int teams, const double *x, double *y, double *p) {\n"
    head += "  double s = 0, t = 1, h[4] = {0};\n"
    return f"{HEAD}{head}#pragma omp {construct} {clauses}\n  {loop} {statement}\n}}\n"


def texts(statement: str = LIGHT, clauses: str = "num_teams(teams)", **more: str) -> tuple[str, str]:
    """Return the host's and the device's text of a region."""
    found = compiled(source_of(statement, clauses, **more), "a.c")
    return " ".join(found.host.split()), found.device


def bounds(device: str) -> list[str]:
    return re.findall(r"__launch_bounds__\((.*?)\)", device)


def given(host: str) -> str:
    """Return what the launch says of the threads of a block, behind the trip count and the teams."""
    found = re.search(r"int _threads_per_block_ = (\w+)\(__device_id, __rex_tripcount, _num_blocks_, (.*?)\);", host)
    return f"{found[1]}: {found[2]}" if found else ""


@pytest.mark.parametrize(
    ("statement", "clauses", "threads", "compiled_for"),
    [
        (LIGHT, "", "rex_threads_of_few_teams: 256, 1024, 2048", ["1024"]),
        ("s += x[i];", "reduction(+ : s)", "rex_warps_of_few_teams: 256, 1024, 2048", ["1024"]),
        ("{ s += x[i]; if (x[i] > t) t = x[i]; }", "reduction(+ : s) reduction(max : t)",
         "rex_warps_of_few_teams: 256, 1024, 2048", ["1024"]),
        (LIGHT, "schedule(static, 1)", "rex_threads_of_few_teams: 256, 1024, 2048", ["1024"]),
        (LOADS, "", "rex_threads_of_few_teams: 256, 1024, 1024", ["256", "1024, 1"]),
        (TURNS, "", "rex_threads_of_few_teams: 256, 512, 1024", ["256", "512"]),
        (NESTED, "", "rex_threads_of_few_teams: 128, 512, 1024", ["128", "512"]),
        ("y[i] = in_turn(x + i, m);", "", "rex_threads_of_few_teams: 256, 1024, 1024", ["256", "1024, 1"]),
        (SIMD, "", "rex_threads_of_few_teams: 256, 512, 1024", ["256", "512"]),
    ],
)  # fmt: skip
def test_kernels_are_compiled_for_the_blocks_that_they_may_have(
    statement: str, clauses: str, threads: str, compiled_for: list[str]
) -> None:
    host, device = texts(statement, f"num_teams(teams) {clauses}")
    assert (given(host), bounds(device)) == (threads, compiled_for)
    assert device.count("__global__") == len(compiled_for)


@pytest.mark.parametrize(("statements", "is_wide"), [(20, True), (200, False)])
def test_very_long_iterations_keep_the_usual_blocks(statements: int, is_wide: bool) -> None:
    body = "".join(f"s = s * s + j + {k}; " for k in range(statements))
    host, device = texts(f"{{ double s = t; for (int j = 0; j < m; j++) {{ {body}}} y[i] = s; }}")
    assert bounds(device) == (["256", "512"] if is_wide else ["256"])
    assert ("of_few_teams" in host) is is_wide


def test_wide_blocks_have_the_form_that_is_compiled_for_them() -> None:
    host, device = texts(TURNS)
    second = "OUT__1__f__25__large__"
    assert f"void *__host_ptr = _threads_per_block_ > 256 ? &{second}id__ : &OUT__1__f__25__id__;" in host
    usual, large = device.index("__launch_bounds__(256)"), device.index("__launch_bounds__(512)")
    assert usual < device.index("#ifdef REX_HAS_LARGE_BLOCKS") < large < device.index(f"{second}kernel__(")
    assert device.count("s = s * s + j") == 1  # the user's text stands there once
    host, _ = texts(NESTED)
    assert f"_threads_per_block_ > 128 ? &{second}id__" in host
    host, device = texts(LOADS)
    assert "rex_is_small_grid(_num_blocks_, _threads_per_block_) ? &OUT__1__f__25__small__id__" in host
    assert device.index("#ifdef REX_HAS_SMALL_GRIDS") < device.index("__launch_bounds__(1024, 1)")


@pytest.mark.parametrize(
    ("clauses", "is_few"),
    [
        ("num_teams(1)", True),
        ("num_teams(2047)", True),
        ("num_teams(1024 + 1024)", False),
        ("num_teams(teams + 4096)", True),
        ("num_teams(128) if(teams : n > 9)", True),
        ("num_teams(128) if(target : n > 9)", True),
        ("num_teams(128) device(m)", True),
        ("", False),
        ("num_teams(128) thread_limit(64)", False),
        ("num_teams(128) num_threads(m)", False),
        ("num_teams(128) if(parallel : n > 9)", False),
        ("num_teams(128) dist_schedule(static, 8)", False),
        ("dist_schedule(static, 8)", False),
    ],
)
def test_the_program_asks_for_few_teams_and_no_threads(clauses: str, is_few: bool) -> None:
    host, device = texts(clauses=clauses)
    assert ("of_few_teams" in host) is is_few
    assert bounds(device) == (["1024"] if is_few else bounds(device))
    if not is_few:
        assert "1024" not in bounds(device)


@pytest.mark.parametrize(
    ("construct", "is_few"),
    [
        ("target teams distribute parallel for simd", True),
        ("target teams loop", True),
        ("target teams distribute", False),  # a team has one thread
        ("target teams distribute simd", False),
    ],
)
def test_constructs_whose_teams_share_a_loop(construct: str, is_few: bool) -> None:
    host, _ = texts(construct=construct)
    assert ("of_few_teams" in host) is is_few


def test_teams_with_parallels_of_their_own_have_the_usual_blocks() -> None:
    statement = "{\n#pragma omp parallel for\nfor (int j = 0; j < m; j++) y[i * m + j] = j; }"
    host, _ = texts(statement, construct="target teams distribute")
    assert "of_few_teams" not in host and "_num_blocks_ = (int)(teams)" in host


@pytest.mark.parametrize(
    ("loop", "clauses"),
    [
        ("for (long i = 0; i < n; i++)", ""),
        ("for (unsigned long i = m; i < (unsigned long)n; i += 3)", ""),
        ("for (int i = n - 1; i >= 0; i--)", ""),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "collapse(2)"),
    ],
)
def test_loops_of_all_kinds(loop: str, clauses: str) -> None:
    statement = "y[i * m + j] += 2;" if clauses else LIGHT
    host, device = texts(statement, f"num_teams(teams) {clauses}", loop=loop)
    assert given(host) == "rex_threads_of_few_teams: 256, 1024, 2048" and bounds(device) == ["1024"]


@pytest.mark.parametrize(
    ("statement", "clauses"),
    [
        ("y[i] = omp_get_num_threads();", ""),
        ("y[i] = asks(x[i]);", ""),
        ("{\n#pragma omp critical\np[0] += x[i]; }", ""),
        ("{ double *q = malloc(80); q[0] = i; y[i] = q[0]; free(q); }", ""),
        ("{ double q[m]; q[0] = i; y[i] = q[0]; }", ""),
        ("h[i & 3] += x[i];", "reduction(+ : h)"),
        ("p[i & 3] += x[i];", "reduction(+ : p[0:4])"),
        ("p[(int)x[i]] = x[i] > p[(int)x[i]] ? x[i] : p[(int)x[i]];", "reduction(max : p[0:4])"),
        ("p[i % m] += x[i];", "reduction(+ : p[0:m])"),
    ],
)
def test_what_tells_threads_or_has_memory_for_each_keeps_the_usual_blocks(statement: str, clauses: str) -> None:
    host, device = texts(statement, f"num_teams(teams) {clauses}")
    assert "of_few_teams" not in host and "REX_HAS_LARGE_BLOCKS" not in device
    assert not {"1024", "512", "1024, 1"}.intersection(bounds(device))


ADDS = """static double atomicAdd(double *a, double b) {
  double old;
#pragma omp atomic capture
  { old = *a; *a += b; }
  return old;
}
static double again(double *a, int k) { return k > 0 ? atomicAdd(a, 1.0) + again(a, k - 1) : 0; }
"""
UNKNOWN = """#pragma omp declare target
extern double elsewhere(double *a);
extern "C" { double atomicAdd(double *a, double b); int omp_get_team_num() { return 0; } }
volatile int seen;
static double pointed(double *a) { return *a; }
#pragma omp declare target indirect to(pointed)
#pragma omp end declare target
struct Base { virtual double of(double *a) const { return *a; } };
static double by_builtin(double *a) { long long old = 0; __atomic_exchange((long long *)a, &old, &old, 5); return 1; }
static double looks(double *a) { return a[seen]; }
static double made(double *a) { double *b = new double; *b = *a; double c = *b; delete b; return c; }
static double named(double *a) { return omp_get_team_num(); }
static double flushed(double *a) {
#pragma omp flush
  return *a;
}
static double alone(double *a) {
#pragma omp critical
  *a += 1;
  return 2;
}
static double in_turn_of(double *a) { return elsewhere(a); }
"""


def with_functions(functions: str, statement: str, clauses: str) -> tuple[str, str]:
    region = f"#pragma omp {GRID} {clauses}\n  for (int i = 0; i < n; i++) {statement}\n"
    parameters = "int n, int teams, double *y, double *p, Base *b, double (*f)(double *)"
    base = "" if "struct Base" in functions else "struct Base;\n"
    text = f"{functions}{base}void f({parameters}) {{\n{region}}}\n"
    found = translate_text(text, "a.cpp", arguments=("-w",), alone=False)
    assert found.host and found.device and "__global__" in found.device.text, rendered(found)
    return " ".join(found.host.text.split()), found.device.text


@pytest.mark.parametrize(
    "statement",
    ["{\n#pragma omp atomic\np[0] += 1;\n}", "y[i] = atomicAdd(p, i);", "y[i] = again(p, 3);",
     "{ auto g = [&] { atomicAdd(p, 2); }; g(); }"],
)  # fmt: skip
def test_threads_that_change_elements_atomically_are_all_the_same(statement: str) -> None:
    """A function that the program defines does what its text says, whatever its name is."""
    host, device = with_functions(ADDS, statement, "num_teams(teams)")
    assert "rex_threads_of_few_teams" in host and {"1024", "512"} & set(bounds(device))
    _, device = with_functions(ADDS, statement, "schedule(static, 1)")
    assert "XOMP" not in device


@pytest.mark.parametrize(
    "statement",
    ["y[i] = elsewhere(p);", "y[i] = atomicAdd(p, i);", "y[i] = b->of(p);", "y[i] = f(p);", "y[i] = by_builtin(p);",
     "y[i] = looks(p);", "y[i] = made(p);", "y[i] = named(p);", "y[i] = flushed(p);", "y[i] = in_turn_of(p);",
     "y[i] = alone(p);", "y[i] = omp_get_team_num();"],
)  # fmt: skip
def test_functions_that_may_tell_threads(statement: str) -> None:
    """Nothing is known of functions that are defined elsewhere. OpenMP's names mean what they mean on devices."""
    host, device = with_functions(UNKNOWN, statement, "num_teams(teams)")
    assert "of_few_teams" not in host and not {"1024", "512", "1024, 1"} & set(bounds(device))
    _, device = with_functions(UNKNOWN, statement, "schedule(static, 1)")
    assert "XOMP_static_sched_next" in device


def test_private_arrays_of_the_run_keep_the_usual_blocks() -> None:
    source = "void f(int n, int m, int teams, double *y) {\n  double q[m];\n"
    source += f"#pragma omp {GRID} num_teams(teams) private(q)\n"
    found = compiled(f"{source}  for (int i = 0; i < n; i++) {{ q[0] = i; y[i] = q[0]; }}\n}}\n", "a.c")
    assert "rex_room_bytes" in found.host and "of_few_teams" not in found.host
    assert bounds(found.device) == ["256"]


def test_rooms_of_threads_are_as_many_as_a_block_has_threads() -> None:
    """What is declared for each thread of a block is never more narrow than the block."""
    statement = "{ int k = (int)x[i]; p[k] = x[i] > p[k] ? x[i] : p[k]; }"
    for clauses in ("num_teams(teams)", "num_teams(64)", ""):
        host, device = texts(statement, f"{clauses} reduction(max : p[0:4])")
        rooms = [int(found) for found in re.findall(r"__rex_room_p\[(\d+) \* 5\]", device)]
        assert rooms and all(int(bound) <= rooms[0] for bound in bounds(device)) and "of_few_teams" not in host


def test_an_option_leaves_it_out() -> None:
    left_out = frozenset({Optimisation.SMALL_GRIDS})
    for statement in (LIGHT, LOADS, TURNS):
        found = translate_text(source_of(statement, "num_teams(128)"), "a.c", left_out=left_out)
        assert found.host and found.device
        assert "rex_threads_of_teams(__device_id, __rex_tripcount, _num_blocks_, 256)" in found.host.text
        assert bounds(found.device.text) == ["256"]


TEMPLATE = """
template <class T, int N> void scale(int n, int teams, T *y) {
#pragma omp target teams distribute parallel for num_teams(NUMBER)
  for (int i = 0; i < n; i++) BODY
}
void f(int n, int teams, double *x, float *y) { scale<double, 128>(n, teams, x); scale<float, 4096>(n, teams, y); }
"""


def of_template(number: str, body: str) -> tuple[str, str]:
    found = compiled(TEMPLATE.replace("NUMBER", number).replace("BODY", body), "a.cpp")
    return " ".join(found.host.split()), found.device


def test_instances_tell_how_wide_their_blocks_may_be() -> None:
    host, device = of_template("teams", "y[i] *= 2;")
    key = "OUT__1__scale__3__key<T, N>"
    asked = f"__device_id, __rex_tripcount, _num_blocks_, 256, {key}::most(), {key}::room()"
    assert f"rex_threads_of_few_teams({asked})" in host
    assert f"void *__host_ptr = {key}::id(_num_blocks_, _threads_per_block_);" in host
    assert host.count("static int most() { return 1024; } static int room() { return 2048; }") == 2
    assert bounds(device) == ["1024", "1024"]
    host, device = of_template("teams", "{ T s = y[i]; for (int j = 1; j < N; j++) s = s * s + j; y[i] = s; }")
    assert host.count("static int most() { return 512; } static int room() { return 1024; }") == 2
    assert host.count("threads > 256 ? &OUT__1__scale__3__") == host.count("large__id__ : &") == 2
    assert host.count("REX_KERNEL_ENTRY(") == 4
    assert bounds(device) == ["256", "512"] * 2 and device.count("s = s * s + j") == 2
    host, device = of_template("teams", "for (int j = 1; j < N; j++) y[i] += y[i] * j;")
    assert host.count("static int most() { return 1024; } static int room() { return 1024; }") == 2
    assert host.count("rex_is_small_grid(blocks, threads) ? &OUT__1__scale__3__") == host.count("small__id__ : &") == 2
    assert bounds(device) == ["256", "1024, 1"] * 2 and device.count("y[i] += y[i] * j") == 2


def test_both_kernels_of_an_instance_call_code_in_a_class_where_packs_are_named() -> None:
    body = "{ const int more[] = {K...}; int k = teams; while (k-- > 0) y[i] += more[k % sizeof...(K)]; }"
    source = f"""
template <int... K> void add(int n, int teams, int *y) {{
#pragma omp target teams distribute parallel for num_teams(teams)
  for (int i = 0; i < n; i++) {body}
}}
void f(int n, int teams, int *y) {{ add<1, 2>(n, teams, y); }}
"""
    device = compiled(source, "a.cpp").device
    assert bounds(device) == ["256", "512"] and device.count("more[k %") == 1
    assert device.count("REX_KERNEL_CODE void run(") == 1 and device.count("in<1, 2>::run(__rex_kernel_launch_env") == 2


def test_instances_with_many_teams_have_a_launch_of_their_own() -> None:
    host, device = of_template("N", "y[i] *= 2;")
    assert "if constexpr (OUT__1__scale__3__key<T, N>::form() == 0)" in host
    assert "rex_threads_of_few_teams" in host and "rex_threads_of_teams" in host
    assert host.count("static int most()") == 1 and sorted(bounds(device)) == ["1024", "256"]


def test_instances_whose_code_tells_threads_have_the_usual_blocks() -> None:
    body = "{ double q[4]; q[0] = omp_get_num_threads(); y[i] = q[0]; }"
    source = f'extern "C" int omp_get_num_threads();\n{TEMPLATE.replace("NUMBER", "teams").replace("BODY", body)}'
    found = compiled(source, "a.cpp")
    assert found.host.count("static int most() { return 256; }") == 2 and bounds(found.device) == ["256", "256"]


def test_remarks_tell_how_wide_blocks_may_be() -> None:
    def told(statement: str) -> list[str]:
        found = translate_text(source_of(statement, "num_teams(128)"), "a.c", remarks=True).diagnostics
        return [note.message for d in found for note in d.notes]

    light, turns, loads = told(LIGHT), told(TURNS), told(LOADS)
    usual = "256 threads a block by default, or fewer where the teams need fewer, up to"
    assert f"{usual} 1024 where teams are few" in light and f"{usual} 1024 where teams are few" in loads
    assert f"{usual} 512 where teams are few" in turns
    assert "blocks of more than 256 threads have OUT__1__f__25__large__kernel__" in turns


SUMS = """{ double a = 0;
#pragma omp parallel for reduction(+ : a) PARALLEL
    for (int j = 0; j < m; j++) a += x[i * m + j];
    y[i] = a; }"""
TEAMS = "target teams distribute"
WIDE = (
    "(int)(rex_light_threads(__device_id, __rex_tripcount, rex_tripcount_lt(0, m, 1), "
    "rex_limit_of_few_iterations(__rex_tripcount, rex_tripcount_lt(0, m, 1), 256, 1024, 2048)))"
)


def test_teams_with_an_iteration_each_have_wide_blocks_where_they_are_few() -> None:
    host, device = texts(SUMS.replace("PARALLEL", ""), "", construct=TEAMS)
    assert f"int _threads_per_block_ = {WIDE};" in host
    assert bounds(device) == ["1024, 2", "256, 4"]  # the usual form, with 32 registers, and that for small grids
    small = "_threads_per_block_ <= 256 && rex_is_small_grid(_num_blocks_, _threads_per_block_)"
    assert f"{small} ? &OUT__1__f__25__small__id__" in host


@pytest.mark.parametrize(
    ("parallel", "clauses", "inside"),
    [
        ("num_threads(256)", "", ""),
        ("", "thread_limit(256)", ""),
        ("", "num_teams(teams)", ""),
        ("", "dist_schedule(static, 4)", ""),
        ("", "", "a += omp_get_num_threads();"),
        ("", "", "a += asks(x[i]);"),
    ],
)
def test_teams_of_which_the_program_says_or_asks_how_wide_they_are_stay(
    parallel: str, clauses: str, inside: str
) -> None:
    statement = SUMS.replace("PARALLEL", parallel).replace("a += x", f"{{ {inside} a += x").replace("j];", "j]; }")
    host, device = texts(statement, clauses, construct=TEAMS)
    assert "rex_limit_of_few_iterations" not in host
    assert not any(one.startswith("1024") for one in bounds(device))


def test_loops_that_do_more_keep_the_usual_blocks() -> None:
    longer = "{ if (x[j] > 1) continue; a += x[i * m + j]; }"
    statement = SUMS.replace("PARALLEL", "").replace("a += x[i * m + j];", longer)
    host, device = texts(statement, "", construct=TEAMS)
    assert "rex_limit_of_few_iterations" not in host
    assert not any(one.startswith("1024") for one in bounds(device))


def test_teams_with_several_loops_keep_the_usual_blocks() -> None:
    second = "\n#pragma omp parallel for\n for (int j = 0; j < m; j++) p[i * m + j] = a;\n y[i] = a; }"
    statement = SUMS.replace("PARALLEL", "").replace("y[i] = a; }", second)
    assert "rex_limit_of_few_iterations" not in texts(statement, "", construct=TEAMS)[0]
