"""What each construct and clause leaves in the generated code, beyond the programs of ``test_rodinia_like``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import support
from rexcc.pipeline import Image
from rexcc.target.known import CPU, DEFAULT
from support import Block, Output, code_only, compiled

HEAD = (
    "struct S { int n; double *p, *q; float w[4]; };\n"
    "void f(int n, int m, double *p, double (*rows)[10], struct S s, struct S *t, int dev) {\n"
    "  double a[10], g[4][5], c[3][4][5], vla[n][m]; int i = 0, x = 0, y = 0;\n"
)


def lowered(text: str, name: str = "t.c", scheduler: str = "direct") -> Output:
    """Translate a region in a function with variables of all sorts."""
    return compiled(f"{HEAD}{text}\n}}\n", name, scheduler=scheduler)


def block(text: str) -> Block:
    """Return the only block of a region."""
    (found,) = lowered(text).blocks
    return found


MAPS = {
    "map(to : a)": "REX_MAP_TO",
    "map(from : a)": "REX_MAP_FROM",
    "map(tofrom : a)": "REX_MAP_TOFROM",
    "map(a)": "REX_MAP_TOFROM",
    "map(alloc : a)": "",
    "map(always, to : a)": "REX_MAP_TO | REX_MAP_ALWAYS",
    "map(always tofrom : a)": "REX_MAP_TOFROM | REX_MAP_ALWAYS",
    "map(present, to : a)": "REX_MAP_TO | REX_MAP_PRESENT",
    "map(close, from : a)": "REX_MAP_FROM | REX_MAP_CLOSE",
    "map(always, close, to : a)": "REX_MAP_TO | REX_MAP_ALWAYS | REX_MAP_CLOSE",
    "map(ompx_hold, to : a)": "REX_MAP_TO | REX_MAP_OMPX_HOLD",
}


@pytest.mark.parametrize("clause", MAPS)
def test_map_types_and_modifiers(clause: str) -> None:
    found = block(f"#pragma omp target {clause}\n  a[0] = 1;")
    assert found.types == (f"REX_MAP_PARAM | {MAPS[clause]}".removesuffix(" | "),)


@pytest.mark.parametrize("requirement", ["self_maps", "unified_shared_memory"])
def test_self_maps_of_programs_that_share_memory(requirement: str) -> None:
    start = f"}}\n#pragma omp requires {requirement}\nvoid h(int *p) {{\nint a[4];\n#pragma omp target"
    assert "REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_SELF" in block(f"{start} map(self : a)\n  a[0] = 1;").types[0]
    assert "REX_MAP_PARAM | REX_MAP_SELF" in block(f"{start} defaultmap(self)\n  a[0] = 1;").types[0]


SECTIONS = {
    "p[0 : n]": ("p", "&p[0]", "sizeof p[0] * (__SIZE_TYPE__)n"),
    "p[3 : n]": ("p", "&p[3]", "sizeof p[0] * (__SIZE_TYPE__)n"),
    "p[m + 1 : n - 1]": ("p", "&p[m + 1]", "sizeof p[0] * (__SIZE_TYPE__)(n - 1)"),
    "p[n]": ("p", "&p[n]", "sizeof p[0]"),
    "*p": ("p", "p", "sizeof(*p)"),
    "a": ("a", "a", "sizeof a"),
    "a[2]": ("a", "&a[2]", "sizeof a[0]"),
    "a[2 : 3]": ("a", "&a[2]", "sizeof a[0] * (__SIZE_TYPE__)3"),
    "a[:n]": ("a", "&a[0]", "sizeof a[0] * (__SIZE_TYPE__)n"),
    "g[1][2]": ("g", "&g[1][2]", "sizeof g[0][0]"),
    "g[1 : 2]": ("g", "&g[1]", "sizeof g[0] * (__SIZE_TYPE__)2"),
    "g[1][2 : 3]": ("g", "&g[1][2]", "sizeof g[0][0] * (__SIZE_TYPE__)3"),
    "rows[m : n]": ("rows", "&rows[m]", "sizeof rows[0] * (__SIZE_TYPE__)n"),
    "c[1][2][1 : 3]": ("c", "&c[1][2][1]", "sizeof c[0][0][0] * (__SIZE_TYPE__)3"),
    "x": ("&x", "&x", "sizeof x"),
}


@pytest.mark.parametrize("item", SECTIONS)
def test_base_begin_and_size_of_list_items(item: str) -> None:
    name = re.findall(r"\w+", item)[0]
    use = {"x": "x = 1"}.get(name, f"(void){name}[0]")
    found = block(f"#pragma omp target map(tofrom : {item})\n  {use};")
    base, begin, size, _ = (row[0] for row in (found.bases, found.begins, found.sizes, found.types))
    strip = "(void *)"
    assert (base.removeprefix(strip).strip("()"), begin.removeprefix(strip).strip("()")) == SECTIONS[item][:2]
    assert size == f"(__INT64_TYPE__)({SECTIONS[item][2]})"


def test_multi_dimensional_sections_count_every_lower_bound() -> None:
    for item, begin in (
        ("c[1 : 1][2 : 1][3 : 2]", "&c[1][2][3]"),
        ("c[i : n][x : m]", "&c[i][x]"),
        ("rows[2 : 1][4 : 5]", "&rows[2][4]"),
    ):
        name = item[: item.index("[")]
        found = block(f"#pragma omp target map(tofrom : {item})\n  {name}[2][2]{'[2]' if name == 'c' else ''} = 1;")
        assert begin in found.begins[0]


def test_a_collapsed_nest_names_each_count_once() -> None:
    (kernel,) = lowered(
        "#pragma omp target teams distribute parallel for collapse(3)\n"
        "for (int u = 0; u < 3; u++) for (int v = n; v > 0; v -= 2) for (long w = 1; w <= m; w++) c[u][v][w] = 1;"
    ).kernels
    assert kernel.body.count("_trips_u = ") + kernel.body.count("_trips_v = ") + kernel.body.count("_trips_w = ") == 3
    assert "rex_tripcount_gt(n, 0, 2)" in kernel.body and "rex_tripcount_le(1, m, 1)" in kernel.body


def test_the_direct_loop_is_the_users_loop_with_a_stride() -> None:
    loop = "for (int u = m; u >= n; u -= 3) p[u] = 1;"
    output = lowered(f"#pragma omp target teams distribute parallel for num_teams(8)\n{loop}")
    (kernel,) = output.kernels
    assert (
        "for (long long __rex_u = m - _dev_thread_id * 3; __rex_u >= n; __rex_u -= _dev_thread_num * 3) {"
        in kernel.body
    )
    assert "__INT64_TYPE__ __rex_tripcount = rex_tripcount_ge(m, n, 3);" in output.blocks[0].text
    assert "XOMP" not in output.device


def test_a_loop_of_one_iteration_for_each_thread_is_not_unrolled() -> None:
    loop = "for (long u = 0; u < n; u++)"
    text = lowered(f"#pragma omp target teams distribute parallel for\n{loop} if (u > 3) p[u] = 1;").kernels[0].body
    assert "\n  #pragma unroll 1\n  for (long u = _dev_thread_id" in text
    text = lowered(f"#pragma omp target teams distribute parallel for reduction(+ : x)\n{loop} x += u;").kernels[0].body
    assert "#pragma unroll" not in text, "a reduction's threads have many"


def test_the_xomp_scheduler_on_request_and_for_chunks() -> None:
    loop = "for (int u = 0; u < n; u++) p[u] = 1;"
    for text, scheduler in (
        (f"#pragma omp target parallel for\n{loop}", "xomp"),
        (f"#pragma omp target parallel for schedule(static, 4)\n{loop}", "direct"),
    ):
        output = lowered(text, scheduler=scheduler)
        assert output.device.count('#include "xomp_cuda_lib_inlined.cu"') == 1
        body = output.kernels[0].body
        for call in (
            "getCUDABlockThreadCount(1)",
            "getLoopIndexFromCUDAVariables(1)",
            "XOMP_static_sched_init(",
            "XOMP_static_sched_next(",
        ):
            assert body.count(call) == 1
    assert "xomp" not in lowered(f"#pragma omp target parallel for schedule(static)\n{loop}").device


ONE_BY_ONE = {
    "": "p[u] = a[u];",
    "num_teams(n)": "for (int v = 0; v < m; v++) p[u] += a[v];",
    "thread_limit(64)": "if (a[u] > 0) p[u] = 1;",
    "reduction(+ : x)": "x += a[u];",
    "collapse(2)": "for (int v = 0; v < m; v++) p[u * m + v] = 1;",
}


@pytest.mark.parametrize("clauses", ONE_BY_ONE)
def test_chunks_of_one_iteration_are_what_a_loop_over_the_grid_deals_out(clauses: str) -> None:
    loop = f"for (int u = 0; u < n; u++) {ONE_BY_ONE[clauses]}"
    directive = f"#pragma omp target teams distribute parallel for {clauses}"
    plain, one = (lowered(f"{directive}{schedule}\n{loop}") for schedule in ("", " schedule(static, 1)"))
    assert one.kernels[0].body == plain.kernels[0].body and "XOMP" not in one.device
    assert "schedule(static, 1)" in one.host


@pytest.mark.parametrize(
    ("construct", "body"),
    [
        ("teams distribute parallel for", "p[u] = omp_get_thread_num();"),
        ("teams distribute parallel for", "p[u] = asks();"),
        ("parallel for", "p[u] = 1;"),
    ],
)
def test_they_are_dealt_out_as_the_clause_says_where_that_can_be_told(construct: str, body: str) -> None:
    text = "#include <omp.h>\nint asks(void) { return omp_get_thread_num(); }\nvoid f(int *p, int n) {\n"
    text += f"#pragma omp target {construct} schedule(static, 1) map(from : p[0:n])\n"
    assert "XOMP_static_sched_init(" in compiled(f"{text}for (int u = 0; u < n; u++) {body} }}\n").device


NUMBERS = """
#include <omp.h>
template <class T> struct Numbers {
  using Value = T;
  T first;
  Numbers(T value) : first(value) {}
  Numbers(const Numbers &) = default;
  Value operator[](T i) const { return Value(first + i); }
  Numbers operator+(T i) const { return Numbers(first + i); }
  Value operator*() const { asks(Value(first)); return Value(first); }
};
void set(int *p) { p[0] = 1; }
struct Tracked { Tracked(int *p) { set(p); } };
struct Other { int n; };
template <class F> void each(int n, F f) {
  auto numbers = Numbers<int>(n);
#pragma omp target teams distribute parallel for schedule(static, 1) map(to : numbers)
  for (int i = 0; i < n; i++) f(%s);
}
void run(int *p, int n) { each(n, [=](int i) { p[i] = i; }); }
"""


@pytest.mark.parametrize(
    ("index", "is_told"), [("numbers[i]", False), ("numbers[i] + Other{i}.n", False), ("(int{*numbers})", True)]
)
def test_operators_that_nothing_calls_tell_nobody_his_thread(index: str, is_told: bool) -> None:
    asks = "template <class T> void asks(T &&i) { if (omp_get_thread_num() == i) i = 0; }\n"
    text = NUMBERS.replace("template <class T> struct", f"{asks}template <class T> struct", 1)
    assert ("XOMP_static_sched_init(" in compiled(text % index, "t.cpp").device) == is_told


RANGES = """
#include <omp.h>
#include <utility>
int asks(int i) { return i + omp_get_thread_num(); }
int stays(int i) { return i; }
struct Part { int n; Part() : n(%(part)s(0)) {} Part(int i) : n(%(given)s(i)) {} };
template <class T> struct Range {
  T first, last;
  Part part;
  Range() = delete;
  Range(T from, T to) : first(%(call)s(from)), last(from < to ? to : from) {}
  Range(const Range &) = default;
  Range &operator=(const Range &) = default;
  template <class U> Range &operator=(const Range<U> &other) { return set(other.begins()), *this; }
  template <class U> explicit Range(U given) : first(given.begins()), last(given.ends()) {}
  void swap(Range &other) { exchange(first, other.first); }
  T size() const { return last - first; }
};
struct Kept { int n; Kept(int i) : n(i) {} Kept(const Kept &) = default;
  Kept &operator=(const Kept &other) { n = asks(other.n); return *this; } };
Range<int> whole(int i) { return {0, i}; }
void f(int *p, int n) {
#pragma omp target teams distribute parallel for schedule(static, 1) map(tofrom : p[0:n])
  for (int i = 0; i < n; i++) { %(use)s; }
}
"""


@pytest.mark.parametrize(
    ("changes", "is_told"),
    [
        ({}, False),
        ({"use": "p[i] = whole(i).size()"}, False),
        ({"call": "asks"}, True),
        ({"part": "asks"}, True),
        ({"given": "asks"}, False),
        ({"use": "Kept a(i), b(p[i]); a.n++; p[i] = a.n + b.n"}, False),
        ({"use": "Kept a(i), b(p[i]); std::swap(a, b); p[i] = a.n"}, True),
        ({"use": "Kept a(i); Kept b(std::move(a)); p[i] = b.n"}, False),
    ],
)
def test_what_a_written_constructor_calls_tells_threads(changes: dict[str, str], is_told: bool) -> None:
    usual = {"call": "stays", "part": "stays", "given": "stays", "use": "p[i] = Range<int>(0, i).size()"}
    made = compiled(RANGES % (usual | changes), "t.cpp", arguments=("-std=c++20",))
    assert ("XOMP_static_sched_init(" in made.device) == is_told


GEOMETRY = {
    "target": ("1", "1", "__launch_bounds__(1)"),
    "target parallel": ("1", "rex_team_threads(__device_id, 256)", "__launch_bounds__(256)"),
    "target parallel num_threads(96)": ("1", "96", "__launch_bounds__(96)"),
    "target teams": ("rex_default_teams(__device_id)", "1", "__launch_bounds__(1)"),
    "target teams num_teams(n)": ("(int)(n)", "1", "__launch_bounds__(1)"),
    "target teams num_teams(12) thread_limit(64)": ("12", "1", "__launch_bounds__(1)"),
    "target parallel num_threads(n)": ("1", "(int)(n)", ""),
    "target parallel num_threads(64) thread_limit(32)": ("1", "32", "__launch_bounds__(33)"),
    "target parallel num_threads(4096)": ("1", "4096", ""),
    "target parallel if(parallel : n > 3)": ("1", "(int)((n > 3) ? 256 : 1)", ""),
}


@pytest.mark.parametrize("construct", GEOMETRY)
def test_launch_geometry(construct: str) -> None:
    output = lowered(f"#pragma omp {construct}\n  {{ p[0] = 1; }}")
    teams, threads, bounds = GEOMETRY[construct]
    (found,) = output.blocks
    assert f"int _num_blocks_ = {teams};" in found.text
    assert f"int _threads_per_block_ = {threads};" in found.text
    assert output.kernels[0].bounds == bounds
    assert "{_num_blocks_, 1, 1}, {_threads_per_block_, 1, 1}, 0};" in found.text


def test_the_compilers_own_geometry_comes_from_the_trip_count() -> None:
    loop = "for (int u = 0; u < n; u++) x += u;"
    text = block(f"#pragma omp target teams distribute parallel for\n{loop}").text
    assert "rex_default_threads(__device_id, __rex_tripcount, 256)" in text
    assert "rex_default_blocks(__device_id, __rex_tripcount, _threads_per_block_)" in text
    text = block(f"#pragma omp target teams distribute parallel for reduction(+ : x)\n{loop}").text
    assert "rex_default_blocks_reduction(__device_id, __rex_tripcount, _threads_per_block_,\n" in text
    assert re.search(r"_threads_per_block_,\n +&OUT__1__f__\d+__id__, 1\);", text)


@pytest.mark.parametrize(
    ("clauses", "teams", "threads"),
    [
        ("num_teams(n)", "(int)(n)", "threads_of_few"),
        ("num_teams(4)", "4", "threads_of_few"),
        ("num_teams(4000)", "4000", "threads_of"),
        ("num_teams(m) reduction(+ : x)", "(int)(m)", "warps_of_few"),
        ("num_teams(4000) reduction(+ : x)", "4000", "warps_of"),
        ("num_teams(m) schedule(static, 1)", "(int)(m)", "threads_of_few"),
        ("num_teams(m) if(teams : n > 3)", "(n > 3) ? (int)(m) : 1", "threads_of_few"),
        ("dist_schedule(static, 8)", "rex_blocks_of_chunks(__rex_tripcount, 8)", "threads_of"),
    ],
)
def test_threads_are_as_many_as_the_programs_teams_need(clauses: str, teams: str, threads: str) -> None:
    found = block(f"#pragma omp target teams distribute parallel for {clauses}\nfor (int u = 0; u < n; u++) x += u;")
    blocks = f"int _num_blocks_ = {teams};"
    wide = ", 1024, 2048" if threads.endswith("few") else ""
    call = f"rex_{threads}_teams(__device_id, __rex_tripcount, _num_blocks_, 256{wide});"
    assert found.text.index(blocks) < found.text.index(f"int _threads_per_block_ = {call}")


@pytest.mark.parametrize("clauses", ["num_teams(n) num_threads(64)", "num_teams(n) thread_limit(m)", ""])
def test_threads_are_the_programs_or_the_trip_counts_else(clauses: str) -> None:
    loop = "for (int u = 0; u < n; u++) p[u] = 1;"
    text = block(f"#pragma omp target teams distribute parallel for {clauses}\n{loop}").text
    assert "rex_threads_of_teams" not in text and "rex_threads_of_few_teams" not in text


@pytest.mark.parametrize(
    ("clauses", "statement", "is_spare"),
    [
        ("num_teams(n) num_threads(64)", "p[u] = 1;", True),
        ("num_teams(n) thread_limit(m)", "for (int v = 0; v < n; v++) p[u] += a[v];", True),
        ("num_teams(n) num_threads(64)", "p[u] = omp_get_num_threads();", False),
        ("num_teams(n) num_threads(64)", "p[u] = omp_get_thread_num();", False),
        ("num_teams(n) num_threads(64) schedule(static)", "p[u] = 1;", False),
        ("num_teams(n) num_threads(64) dist_schedule(static, 2)", "p[u] = 1;", False),
        ("num_teams(n) num_threads(64) reduction(+ : x)", "x += u;", False),
        ("num_threads(64)", "p[u] = 1;", False),
    ],
)
def test_threads_without_an_iteration_are_not_launched(clauses: str, statement: str, is_spare: bool) -> None:
    loop = f"for (int u = 0; u < n; u++) {{ {statement} }}"
    text = block(f"#pragma omp target teams distribute parallel for {clauses}\n{loop}").text
    found = re.search(r"int _threads_per_block_ = rex_used_threads\(__device_id, __rex_tripcount, _num_blocks_, ", text)
    assert (found is not None) is is_spare


def test_blocks_are_smaller_where_an_iteration_has_loops_in_loops() -> None:
    deep = "for (int u = 0; u < n; u++) for (int v = 0; v < m; v++) for (int w = 0; w < m; w++) p[u] += a[w];"
    for clauses, limit in (("", 128), ("collapse(2)", 256), ("reduction(+ : x)", 256), ("thread_limit(64)", 0)):
        output = lowered(f"#pragma omp target teams distribute parallel for {clauses}\n{deep}")
        unit = "warps" if "reduction" in clauses else "threads"
        wanted = f"rex_default_{unit}(__device_id, __rex_tripcount, {limit})" if limit else "64"
        assert f"int _threads_per_block_ = {wanted};" in output.host
        assert output.kernels[0].bounds == f"__launch_bounds__({limit or 64})"


def test_update_has_the_rows_of_to_before_those_of_from() -> None:
    found = block("#pragma omp target update to(a) from(p[0 : n], x) to(y)")
    assert found.call == "__tgt_target_data_update_mapper"
    assert [re.sub(r"\W|void", "", b) for b in found.bases] == ["a", "y", "p", "x"]
    assert found.types == ("REX_MAP_TO", "REX_MAP_TO", "REX_MAP_FROM", "REX_MAP_FROM")


def test_enter_and_exit_data() -> None:
    output = lowered(
        "#pragma omp target enter data map(to : a) map(alloc : p[0 : n])\n"
        "#pragma omp target exit data map(from : a) map(release : x) map(delete : p[0 : n])"
    )
    enter, leave = output.blocks
    assert (enter.call, enter.types) == ("__tgt_target_data_begin_mapper", ("REX_MAP_TO", "REX_MAP_NONE"))
    assert (leave.call, leave.types) == (
        "__tgt_target_data_end_mapper",
        ("REX_MAP_FROM", "REX_MAP_NONE", "REX_MAP_DELETE"),
    )
    assert output.kernels == []


def test_if_and_device() -> None:
    found = block("#pragma omp target if(n > 3) device(dev + 1)\n  p[0] = 1;")
    assert "__INT64_TYPE__ __device_id = rex_device_number(dev + 1);" in found.text
    assert "if (!(n > 3) || __tgt_target_kernel(" in found.text
    found = block("#pragma omp target update to(a) if(target update : n) device(dev)")
    assert "__INT64_TYPE__ __device_id = rex_device_number(dev);" in found.text
    assert "if (n)\n      __tgt_target_data_update_mapper(" in found.text
    found = block("#pragma omp target data map(a) if(n)\n  { x = 1; }")
    assert "__INT64_TYPE__ __device_id = rex_device_of_now();" in found.text
    assert found.text.count("if (__rex_mapped) __tgt_target_data_") == 2
    assert "REX_DEVICE_DEFAULT" in block("#pragma omp target\n  p[0] = 1;").text


def test_a_region_that_takes_part_in_a_reduction_maps_the_copy_of_its_task() -> None:
    found = lowered("#pragma omp target in_reduction(+ : x, g) map(tofrom : y)\n  { x++; y = n; g[1][2] += m; }")
    assert re.search(
        r"^#pragma omp task in_reduction\(\+: x, g\) firstprivate\(n, m\) shared\(y\) if\(0\)$",
        found.host,
        re.MULTILINE,
    )
    (made,) = found.blocks
    bits = "REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT"
    assert made.row("x") == ("rex_address(&x)", "rex_address(&x)", "(__INT64_TYPE__)(sizeof x)", bits)
    assert made.row("g")[3] == bits
    deferred = lowered("#pragma omp target nowait depend(out : y) in_reduction(max : p[m : n])\n  p[m] = 1;")
    task = r"^#pragma omp task in_reduction\(max: p\[m : n\]\) depend\(out: y\) firstprivate\(m\)$"
    assert re.search(task, deferred.host, re.MULTILINE)
    assert deferred.blocks[0].begins[0] == "rex_address(&p[m])"


def test_a_member_that_takes_part_in_a_reduction_is_refused() -> None:
    support.expect_error(
        "struct S { int x; void f() {\n#pragma omp target in_reduction(+ : «x»)\n  x++;\n} };\n",
        "unsupported-item",
        "'in_reduction' of 'x', which is no variable",
        "t.cpp",
    )


def test_no_array_of_addresses_is_a_constant_where_the_host_has_private_copies() -> None:
    """clang would fill it with the addresses of the originals."""
    region = "#pragma omp target data map(tofrom : g)\n#pragma omp target depend(inout : g) map(tofrom : g)\n  g++;\n"
    for around, place in (("", "(void *)&g"), ("#pragma omp parallel private(g)\n", "rex_address(&g)")):
        host = support.compiled(f"int g;\nvoid f(void) {{\n{around}{region}}}\n").host
        assert host.count(f"void *__args_base[] = {{{place}}};\n") == 2
        assert host.count(f"void *__args[] = {{{place}}};\n") == 2
        dependence = place.replace("(void *)", "")
        assert f"struct rex_depend __rex_depends[] = {{{{{dependence}, REX_DEPEND_INOUT}}}};\n" in host


def test_nowait_and_depend_make_tasks() -> None:
    host = lowered("#pragma omp target nowait map(tofrom : a)\n  a[0] = n;").host
    assert "struct rex_task __rex_task = {1, 0, 0, 0};\n    if (rex_target_kernel_task(&__rex_task, " in host
    assert re.search(r"\) != 0\) \{\n#pragma omp task firstprivate\(n\) shared\(a\)\n      \{\n", host)
    host = lowered("#pragma omp target depend(in : p[2 : n]) depend(out : x, *p) map(tofrom : x)\n  x = p[0];").host
    rows = "{&p[2], REX_DEPEND_IN}, {&x, REX_DEPEND_OUT}, {&(*p), REX_DEPEND_OUT}"
    assert f"struct rex_depend __rex_depends[] = {{{rows}}};" in host
    assert "struct rex_task __rex_task = {0, 3, __rex_depends, 0};" in host
    task = "#pragma omp task depend(in: p[2 : n]) depend(out: x, *p) firstprivate(p) shared(x) if(0)\n"
    assert task in host
    host = lowered("#pragma omp target update to(a) nowait depend(inout : a)").host
    assert "rex_target_data_update_task(&__rex_task, &__rex_place, __device_id, " in host
    assert "#pragma omp task" not in host
    assert "task" not in lowered("#pragma omp target\n  p[0] = 1;").host


def test_what_no_host_task_can_have_runs_when_its_dependences_are_met() -> None:
    for clause in ("depend(inoutset : a)", "depend(out : omp_all_memory)"):
        host = lowered(f"#pragma omp target nowait {clause}\n  a[0] = n;").host
        assert "      rex_wait_for_depends(&__rex_task, &__rex_place);\n      {\n" in host
        assert "#pragma omp task" not in host
    assert "{0, REX_DEPEND_ALL_MEMORY}" in host


def test_dependences_of_iterators_are_counted_at_run_time() -> None:
    host = lowered(
        "#pragma omp target nowait depend(iterator(i = 0 : n, long j = m : 0 : -2), in : a[i + j])\n  a[0] = n;"
    ).host
    loops = "for (int i = 0; i < n; i++) for (long j = m; j > 0; j += -2) "
    assert f"    {loops}rex_depend_on(&__rex_task, &a[i + j], REX_DEPEND_IN);\n" in host
    assert "rex_forget_depends(&__rex_task);\n#pragma omp task depend(iterator(" in host
    host = lowered("#pragma omp target exit data map(from : a) if (n) depend(iterator(i = 0 : n : m), out : a[i])").host
    assert "for (int i = 0; m > 0 ? i < n : i > n; i += m) rex_depend_on(&__rex_task, &a[i], REX_DEPEND_OUT);" in host
    assert "    else rex_empty_task(&__rex_task, &__rex_place, __device_id);\n" in host


def test_members_of_a_struct() -> None:
    found = block("#pragma omp target map(tofrom : s.p[0 : n], s.q[1 : n], s.w)\n  s.p[0] = s.q[0] + s.w[1];")
    assert found.types == (
        "REX_MAP_PARAM",
        "REX_MAP_MEMBER_OF(0) | REX_MAP_PTR_AND_OBJ | REX_MAP_TOFROM",
        "REX_MAP_MEMBER_OF(0) | REX_MAP_PTR_AND_OBJ | REX_MAP_TOFROM",
        "REX_MAP_MEMBER_OF(0) | REX_MAP_TOFROM",
    )
    assert found.sizes[0] == "(__INT64_TYPE__)((char *)(&s.w + 1) - (char *)&s.p)"
    assert found.begins[2].removeprefix("(void *)").strip("()") == "&s.q[1]"
    found = block("#pragma omp target map(to : x) map(tofrom : t->p[0 : n])\n  t->p[0] = x;")
    assert found.types[1:] == ("REX_MAP_PARAM", "REX_MAP_MEMBER_OF(1) | REX_MAP_PTR_AND_OBJ | REX_MAP_TOFROM")


def test_use_device_pointers_and_addresses() -> None:
    output = lowered(
        "#pragma omp target data map(tofrom : p[0 : n], x) use_device_ptr(p) use_device_addr(x)\n  { p[0] = x; }"
    )
    (found,) = output.blocks
    assert found.types == ("REX_MAP_TOFROM | REX_MAP_RETURN_PARAM", "REX_MAP_TOFROM | REX_MAP_RETURN_PARAM")
    assert "double *p = (double *)rex_device_address(__args_base[0], __args[0]);" in found.text
    assert found.text.index("__tgt_target_data_begin_mapper(") < found.text.index("double *p = ")
    assert found.text.count("#define x ") == found.text.count("#undef x") == 1


def test_the_row_of_a_device_address_is_that_of_a_map_or_one_of_its_own() -> None:
    """What this construct does not map keeps its value: the row only asks, by the address that may be mapped."""
    (shifted,) = lowered("#pragma omp target data map(to : p[2 : n]) use_device_ptr(p)\n  { p[2] = 0; }").blocks
    assert shifted.types == ("REX_MAP_TO | REX_MAP_RETURN_PARAM",)
    assert "double *p = (double *)__args_base[0];" in shifted.text
    (absent,) = lowered("#pragma omp target data map(to : x) use_device_ptr(p)\n  { p[2] = 0; }").blocks
    assert absent.types == ("REX_MAP_TO", "REX_MAP_RETURN_PARAM")
    assert absent.sizes[1] == "0"
    assert "double *p = (double *)rex_device_address(__args_base[1], __args[1]);" in absent.text
    (section,) = lowered("#pragma omp target data map(to : x) use_device_addr(p[3 : n])\n  { p[3] = 0; }").blocks
    assert section.begins[1] == section.bases[1] == "(void *)&p[3]"
    assert "const __INT64_TYPE__ __rex_offset_1 = (const char *)(&p[3]) - (const char *)(p);" in section.text


def test_reductions_map_and_combine() -> None:
    operators = {
        "+": "add",
        "-": "add",
        "*": "mul",
        "&": "and",
        "|": "or",
        "^": "xor",
        "&&": "land",
        "||": "lor",
        "min": "min",
        "max": "max",
    }
    for operator, name in operators.items():
        output = lowered(
            f"#pragma omp target teams distribute parallel for reduction({operator} : x)\n"
            f"for (int u = 0; u < n; u++) x = u;"
        )
        (kernel,) = output.kernels
        assert f"int x = rex_identity_{name}<int>();" in kernel.body
        assert kernel.body.rstrip().endswith(f"rex_reduce(__rex_partials, rex_into_{name}(__rex_x, x));")
        assert output.blocks[0].row("x")[3].startswith("REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT")


def test_array_parameters_come_in_as_pointers() -> None:
    output = compiled("void f(int a[], int m[][4]) {\n#pragma omp target\n  a[0] = m[0][1];\n}\n")
    (found,) = output.blocks
    assert found.sizes == ("0", "0")


def test_the_launch_environment_comes_first_and_names_stay() -> None:
    output = lowered("#pragma omp target map(tofrom : p[0 : n]) map(to : a)\n  p[0] = a[1] + x + m;")
    assert "(void *__rex_kernel_launch_env, double *p," in output.device
    assert re.search(r"p\[0\] = (__ldg\(&)?a\[1\]\)? \+ x \+ m;", output.device)


def test_host_version_of_each_construct() -> None:
    loop = "for (int u = 0; u < n; u++) p[u] = 1;"
    for construct, expected in {
        "target": None,
        "target teams": None,
        "target parallel": "parallel",
        "target simd": None,
        "target parallel for": "parallel for",
        "target teams distribute": "parallel for",
        "target teams distribute parallel for simd": "parallel for",
        "target parallel for collapse(1) num_threads(2)": "parallel for collapse(1) num_threads(2)",
    }.items():
        active = re.findall(
            r"^#pragma omp (.*)$", code_only(lowered(f"#pragma omp {construct}\n{loop}").host), re.MULTILINE
        )
        assert [re.sub(r"\s+", " ", a) for a in active] == ([expected] if expected else [])


def test_headers_with_regions_are_rewritten_beside_the_main_file() -> None:
    headers = {
        "d/k.h": '#pragma once\n#include "plain.h"\nstatic void in_header(int *p, int n) {\n'
        "#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])\n"
        "  for (int i = 0; i < n; i++) p[i] = one(i);\n}\n",
        "d/plain.h": "#pragma once\nstatic int one(int i) { return i + 1; }\n",
        "d/between.h": '#include "k.h"\n',
    }
    text = (
        '#include "plain.h"\n#include "between.h"\n#include "k.h"\nint main(void) {\n'
        "  int a[3];\n  in_header(a, 3);\n  return a[2];\n}\n"
    )
    output = compiled(text, "d/t.c", headers)
    assert sorted(output.headers) == ["rose_between.t.h", "rose_k.t.h"]
    assert '#include "plain.h"\n#include "rose_between.t.h"\n#include "rose_k.t.h"\n' in output.host
    assert '#include "rose_k.t.h"' in output.headers["rose_between.t.h"]
    assert "#pragma once" in output.headers["rose_k.t.h"] and '#include "plain.h"' in output.headers["rose_k.t.h"]
    assert output.host.count("REX_KERNEL_ID(") == len(output.kernels) == 1
    assert '#line 5 "d/k.h"' in output.device and output.device.count("int one(int i)") == 1
    assert re.search(r"main\(void\) \{ REX_DECLARED\(rex_offload_init\(\), 0\);", output.host)


def test_headers_that_include_each_other_stay_a_part_of_the_program() -> None:
    """Their guards leave out all that they say the second time."""
    headers = {
        "d/all.h": '#ifndef ALL_H\n#define ALL_H\n#include "first.h"\n#endif\n',
        "d/first.h": "#ifndef FIRST_H\n#define FIRST_H\n#define INL inline\n"
        'template <class T> struct first { T x; INL T get() const; };\n#include "second.h"\n'
        "template <class T> INL T first<T>::get() const { return x; }\nINL void run(int *p) {\n"
        "#pragma omp target map(tofrom: p[0:2])\n"
        "  { first<int> f{4}; p[0] = f.get(); p[1] = second<int>::n(); }\n}\n#endif\n",
        "d/second.h": '#ifndef SECOND_H\n#define SECOND_H\n#include "first.h"\n#include "all.h"\n#define EXTRA 3\n'
        "template <class T> struct second { static INL int n() { return EXTRA; } };\n#endif\n",
    }
    output = compiled('#include "all.h"\nint main() { int r[2]; run(r); }\n', "d/t.cpp", headers)
    parts = ("#define INL", "struct first", "#define EXTRA", "struct second", "T first<T>::get", "__global__")
    places = [output.device.index(part) for part in parts]
    assert places == sorted(places)
    assert '#include "rose_first.t.h"' in "".join(output.headers.values()) + output.host


def test_labels_of_main_stay_its_first_declarations() -> None:
    labels = " /* GNU */ __label__ a, b;\n  __label__ c;"
    body = "\n#pragma omp target\n  ;\na: b: c: goto *&&a;\n}\n"
    output = compiled(f"int main(void) {{{labels}{body}")
    assert f"{labels} REX_DECLARED(rex_offload_init(), 0);" in output.host


def test_the_device_slice_has_what_the_kernel_needs_and_no_more() -> None:
    source = """#include <math.h>
#include <string.h>
#define USED 3
#define INNER (USED + 1)
#define UNUSED 4
typedef struct { int x; } Used;
typedef struct { int y; } Unused;
enum { RED, GREEN };
static int deep(int v) { return v + INNER; }
static int used(Used u) { return deep(u.x) + GREEN; }
static int unused(Unused u) { return u.y * UNUSED; }
static const double half = 0.5;
int main(void) {
  int r = unused((Unused){1});
#pragma omp target map(from : r)
  { Used u = {2}; r = used(u) + (int)sqrt(half); }
  return r;
}
"""
    device = compiled(source).device
    for wanted in (
        "#define USED 3",
        "#define INNER",
        "} Used;",
        "{ RED = 0, GREEN = 1 }",
        "int deep(int v)",
        "int used(Used u)",
        "half = 0.5",
        "#include <math.h>",
    ):
        assert device.count(wanted) == 1, wanted
    for unwanted in ("UNUSED", "Unused", "int unused", "main(", "<string.h>"):
        assert unwanted not in device.replace("OUT__1__main__", ""), unwanted
    order = [device.index(w) for w in ("#define USED", "} Used;", "int deep", "int used", "__global__")]
    assert order == sorted(order)


def test_a_file_without_target_constructs_is_left_alone() -> None:
    for text in (
        "int main(void) { return 0; }\n",
        "void f(int n) {\n#pragma omp parallel for\n  for (int i = 0; i < n; i++) ;\n}\n",
        "// #pragma omp target\nint x;\n",
    ):
        found = support.translate_text(text)
        assert not found.has_offload and found.host is None and not found.diagnostics


def test_a_file_with_inactive_target_constructs_is_left_alone() -> None:
    assert not support.translate_text("#if 0\n#pragma omp target\n#endif\nint x;\n").has_offload


def test_a_file_with_data_constructs_only_has_no_kernels() -> None:
    found = compiled("void f(double *p, int n) {\n#pragma omp target update to(p[0 : n])\n}\n")
    assert found.kernels == [] and "REX_KERNEL" not in found.host


def test_images_follow_the_architectures() -> None:
    source = "int main(void) {\n#pragma omp target\n  ;\n  return 0;\n}\n"
    found = support.translate_text(source, "dir/my.prog.c", architectures=("sm_80", "sm_90"))
    assert found.images == (
        Image(DEFAULT, "sm_80", "rex_lib_my.prog.sm_80.cubin", "rex_lib_my.prog.cu"),
        Image(DEFAULT, "sm_90", "rex_lib_my.prog.sm_90.cubin", "rex_lib_my.prog.cu"),
        Image(CPU, "host", "rex_lib_my.prog.host.so", "rex_host_my.prog.cpp"),
    )
    assert found.host is not None and found.host.name == "rose_my.prog.c"
    assert [
        re.findall(r'"([^"]*)"', line)[0] for line in found.host.text.splitlines() if line.startswith("REX_IMAGE(")
    ] == [image.name for image in found.images]
    alone = support.translate_text(source, architectures=("sm_90",), cpu_device=False)
    assert alone.cpu_device is None and [image.architecture for image in alone.images] == ["sm_90"]


HASHES = """
import sys
sys.path.insert(0, sys.argv[1])
import hashlib, pathlib, support
for path in sorted(support.PROGRAMS.iterdir()):
    found = support.compiled(path.read_bytes(), path.name)
    print(path.name, hashlib.sha256((found.host + found.device + found.cpu).encode()).hexdigest())
"""


@pytest.mark.builds
def test_output_does_not_depend_on_hash_seeds() -> None:
    tests = str(Path(support.__file__).parent)
    path = os.pathsep.join([str(Path(tests).parent / "src"), *sys.path])
    results = set()
    running = []
    for seed in ("0", "1234"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.environ.get("PYTHONPATH") or path}
        running.append(
            subprocess.Popen([sys.executable, "-c", HASHES, tests], env=environment, stdout=subprocess.PIPE, text=True)
        )
    for process in running:
        output, _ = process.communicate(timeout=support.PATIENCE)
        assert process.returncode == 0
        results.add(output)
    assert len(results) == 1


READ_ONLY = {
    "x = s.n + s.w[1];": "REX_MAP_PRIVATE | REX_MAP_TO",  # an element, which may be found at run time
    "int *q = s.w; x = q[1];": "REX_MAP_TOFROM",
    "s.w[1] = x;": "REX_MAP_TOFROM",
    "x = s.n;": "",
    "x = s.n; x += *s.p;": "",
    "s.n = x;": "REX_MAP_TOFROM",
    "x = s.n++;": "REX_MAP_TOFROM",
    "int *q = &s.n; x = *q;": "REX_MAP_TOFROM",
    "struct S r = s; x = r.n;": "REX_MAP_TOFROM",
}


@pytest.mark.parametrize("body", READ_ONLY)
def test_a_structure_that_is_only_read_need_not_come_back(body: str) -> None:
    found = block(f"#pragma omp target\n  {{ {body} }}")
    words = [base for base in found.bases if "rex_pack_word(&s, sizeof s, " in base]
    if READ_ONLY[body]:
        assert f"REX_MAP_PARAM | {READ_ONLY[body]} | REX_MAP_IMPLICIT" in found.types and not words
    else:
        assert len(words) > 1 and set(found.types) == {"REX_MAP_IMPLICIT_LITERAL"}


def test_a_structure_travels_in_parameters_only_where_it_is_small() -> None:
    for count, by_value in ((15, True), (16, False)):
        text = f"struct T {{ int n; int more[{count}]; }};\nint f(struct T s, int x) {{\n"
        output = compiled(f"{text}#pragma omp target map(from: x)\n  x = s.n;\n  return x; }}\n")
        assert output.host.count("rex_pack_word") == by_value * 8
        assert ("REX_MAP_PRIVATE" in output.host) != by_value
        assert ("const struct T s = rex_unpack_object<struct T>(__rex_word_s_0, " in output.device) == by_value


@pytest.mark.parametrize(
    ("own", "by_value"),
    [
        ("T(T &&) = default;", False),
        ("T &operator=(T &&) = default;", False),
        ("T(const T &) = default; T(T &&) = default;", True),
        ("part inner;", False),
        ("T &operator=(const T &) = default;", True),
    ],
)
def test_one_that_cannot_be_copied_is_mapped(own: str, by_value: bool) -> None:
    text = f"struct part {{ part(part &&) = default; }};\nstruct T {{ int n; {own} }};\n"
    code = f"{text}int f(T s) {{ int x;\n#pragma omp target map(from: x)\n  x = s.n;\n  return x; }}\n"
    output = compiled(code, "t.cpp")
    assert ("rex_unpack_object" in output.device) == by_value


def test_one_whose_size_a_template_decides_travels_in_the_form_of_each() -> None:
    text = "template <class T> struct P { T a, b; };\ntemplate <class T> T f(P<T> s) { T x;\n"
    code = f"{text}#pragma omp target map(from: x)\n  x = s.a + s.b;\n return x; }}\n"
    output = compiled(f"{code}int main() {{ return f(P<int>{{1, 2}}) + f(P<double>{{1, 2}}); }}\n", "t.cpp")
    assert output.host.count("if constexpr") == 1 and output.host.count("rex_pack_word(&s") == 1 + 2
    assert "REX_MAP_PRIVATE" not in output.host


@pytest.mark.parametrize(
    "around",
    [
        "int *q = &s.n; REGION *q = 1;",
        "float *q = s.w; REGION q[0] = 1;",
        "keep(&s); REGION",
        "REGION\n#pragma omp target update to(s)\n",
    ],
)
def test_one_that_may_be_on_the_device_is_mapped(around: str) -> None:
    region = "\n#pragma omp target map(from: x)\n  x = s.n;\n"
    output = compiled(f"struct S;\nvoid keep(struct S *);\n{HEAD}{around.replace('REGION', region)}\n}}\n")
    assert "REX_MAP_PRIVATE" not in output.host


def test_one_with_a_mapper_is_mapped() -> None:
    """Its mapper attaches what it maps to the structure on the device, and would find no copy of a kernel's own."""
    mapper = "#pragma omp declare mapper(struct S v) map(v) map(v.p[0:v.n])\n"
    output = compiled(f"{HEAD}{mapper}#pragma omp target map(from: x)\n  x = s.p[s.n - 1];\n}}\n")
    assert "REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT" in output.host
    assert "REX_MAP_PRIVATE" not in output.host


COMMON = {
    "int a[n][m], int b[][m], int (*c)[m]": 1,
    "int a[n][m], int b[m][n]": 2,
    "int a[n][m], int b[n][m + 1]": 2,
    "int a[][m], int x[][m++], int b[][m]": 3,
    "int a ROWS, int b ROWS": 2,
    "int a[n][m][k], int b[n][m][k]": 2,
}


@pytest.mark.parametrize("parameters", COMMON)
def test_arrays_share_the_extents_that_they_have_in_common(parameters: str) -> None:
    """One argument for the rows of all of them, so that the device computes an element's place once."""
    names = re.findall(r"int \(?\*?([abcx])\b", parameters)
    body = " + ".join(f"(long){name}[1]" for name in names)
    maps = ", ".join(f"{name}[0 : n]" for name in names)
    text = f"#define ROWS [n][m]\nlong f(int n, int m, int k, {parameters}) {{\n  long s = 0;\n"
    text += f"#pragma omp target map(to : {maps})\n  s = {body};\n  return s;\n}}\n"
    declared = re.findall(r"rex_literal (__rex_(?!s\b|n\b|m\b|k\b)\w+)", compiled(text).device)
    assert len(declared) == len(set(declared)) == COMMON[parameters]


LISTED = """struct Pair {{ int a, b; }};
struct Reference {{ int &x; int y; }};
struct Keeps {{ int *p; Keeps(int &r) : p(&r) {{}} }};
struct Holder {{ Keeps keeps; int y; }};
template <class T> struct Field {{ T *data; int n; template <class U> U as(U u) const {{ return u; }} }};
void f(int *out, int nx) {{
#pragma omp target teams distribute parallel for map(from : out[0 : 100])
  for (int i = 0; i < 100; i++) {{
    {};
    out[i] = nx;
  }}
}}
"""


@pytest.mark.parametrize(
    ("made", "is_read"),
    [
        ("Pair p{nx, i}", True),
        ("Pair p[2] = {i, i, nx, nx}", True),
        ("int p[] = {nx, i}", True),
        ("Field<int> p{out, nx}", True),
        ("Reference p{nx, i}", False),
        ("int *p[] = {&nx, &i}", False),
    ],
)
def test_lists_of_initial_values_read_what_they_list(made: str, is_read: bool) -> None:
    """What is only read travels by value; tests/execution/programs/listed_values.cpp runs them."""
    device = compiled(LISTED.format(made), "a.cpp").device
    assert ("rex_literal __rex_nx)" in device) == is_read
    assert ("int *__rex_nx)" in device) != is_read
