"""Team code: what one thread executes, what all do, which variables the team shares, where barriers stand."""

from __future__ import annotations

import re

import pytest

import support


def kernel(body: str, header: str = "#pragma omp target teams num_teams(4)") -> str:
    """Return the first kernel's body for a region with this body."""
    source = f"int f(int);\nvoid g(int n, int *a, double *z) {{\n{header}\n{body}\n}}\n"
    device = support.compiled(
        source.replace("int f(int);", "int f(int x) { static int calls; return calls += x; }")
    ).device
    return device[device.index("__global__") :]


def barriers(text: str) -> int:
    return text.count("__syncthreads()")


PARALLEL = "#pragma omp parallel\n"


def test_declarations_around_one_parallel_are_plain_cuda() -> None:
    text = kernel(
        f"{{ double tile[32]; int base = n * 2;\n{PARALLEL}{{ tile[0] = base;\n"
        "#pragma omp barrier\nz[0] = tile[1]; } }"
    )
    assert "__shared__ double tile[32];" in text and "int base = n * 2;" in text
    assert "threadIdx.x == 0" not in text
    assert barriers(text) == 1, "the user's own barrier"


def test_statements_with_effects_are_one_threads() -> None:
    text = support.on_one_line(kernel(f"{{ a[0] = 1; a[1] = 2;\n{PARALLEL}z[0] = a[0];\na[2] = 3; }}"))
    assert re.search(r"if \(threadIdx.x == 0\) \{ a\[0\] = 1; a\[1\] = 2; \} __syncthreads\(\);", text)
    assert re.search(r"z\[0\] = a\[0\]; __syncthreads\(\);\s*if \(threadIdx.x == 0\) \{ a\[2\] = 3; \}", text)
    assert barriers(text) == 2, "none behind the last statement"


@pytest.mark.parametrize(
    ("declaration", "use", "shared"),
    [
        ("int v = 1;", "z[0] = v;", False),
        ("int v = 1;", "v = 2;", True),
        ("int v = 1;", "int *p = &v; *p = 2;", True),
        ("int v[4];", "z[0] = v[1];", True),
        ("const int v[4] = {1, 2, 3, 4};", "z[0] = v[n];", False),
        ("struct { int x; } v; v.x = n;", "z[0] = v.x;", False),
        ("int v; v = n; v++;", "z[0] = v;", False),
    ],
)
def test_what_parallels_change_is_shared(declaration: str, use: str, shared: bool) -> None:
    text = kernel(f"{{ {declaration}\n{PARALLEL}{{ {use} }} }}")
    assert ("__shared__" in text) is shared


def test_private_copies_do_not_make_a_variable_shared() -> None:
    text = kernel("{ int v = 1;\n#pragma omp parallel firstprivate(v)\n{ v++; z[0] = v; } }")
    assert "__shared__" not in text
    text = kernel(
        "{ int v = 1;\n#pragma omp parallel for lastprivate(v)\nfor (int i = 0; i < n; i++) v = i;\nz[0] = v; }"
    )
    assert "__shared__ int v;" in text


def test_values_of_calls_with_effects_are_broadcast() -> None:
    text = kernel(f"{{ const int v = f(n);\n{PARALLEL}z[0] = v; }}")
    assert "const int v = rex_from_first([&]() -> int { return f(n); });" in text


@pytest.mark.parametrize(
    "initialiser", ["int t = (s = 3, f(n));", "int t = f(s = 3);", "int t = (s = 3); int *p = &t;", "int t[f(s = 3)];"]
)
def test_what_an_initialiser_of_the_first_thread_changes_is_the_teams(initialiser: str) -> None:
    text = kernel(f"{{ int s = 0; {initialiser}\n{PARALLEL}z[0] = s; }}")
    assert "__shared__ int s;" in text


def test_threads_wait_for_what_a_declaration_reads_of_the_first_ones() -> None:
    change = f"{PARALLEL}{{ v++; w++; }}"
    text = support.on_one_line(
        kernel(f"{{ int v = f(n), own = v, w = f(n), k = 2, last = v + w;\n{change}\nz[0] = own + k + last; }}")
    )
    first = r"if \(threadIdx\.x == 0\) \{ "
    assert re.search(rf"{first}v = f\(n\); \}} __syncthreads\(\); int own = v;", text), text
    assert re.search(rf"{first}w = f\(n\); \}} int k = 2; __syncthreads\(\); int last = v \+ w;", text), text
    text = support.on_one_line(kernel(f"{{ int v = f(n);\nint own = v, w = 3;\n{change}\nz[0] = own; }}"))
    assert re.search(rf"{first}v = f\(n\); \}} __syncthreads\(\);\s+int own = v; __shared__ int w;", text), text
    text = support.on_one_line(kernel(f"{{ int v = 1;\nint own = v, w = (v = f(n));\n{change}\nz[0] = own; }}"))
    assert re.search(r"int own = v; __syncthreads\(\); __shared__ int w; if", text), text


def test_conditions_around_parallels() -> None:
    text = kernel(f"{{ if (n > 3) {{\n{PARALLEL}z[0] = 1;\n}} }}")
    assert "if (n > 3)" in text and barriers(text) == 0
    text = kernel(f"while (f(n) > 3)\n{PARALLEL}z[0] = 1;")
    assert "while (rex_from_first([&] { return (bool)(f(n) > 3); }))" in text


def test_reading_before_a_change_waits() -> None:
    text = support.on_one_line(kernel(f"{{ int v = a[0];\n{PARALLEL}a[0] = v + 1; }}"))
    assert re.search(r"int v = a\[0\]; __syncthreads\(\);", text), "all have read before one writes"
    text = support.on_one_line(kernel(f"{{ int v = n;\n{PARALLEL}a[0] = v + 1; }}"))
    assert barriers(text) == 0


def test_first_values_wait_for_the_parallel_before_them() -> None:
    text = support.on_one_line(kernel(f"{{ int v[4];\n{PARALLEL}v[0] = 1;\nint w = v[0];\n{PARALLEL}w = v[1]; }}"))
    assert re.search(r"v\[0\] = 1; __syncthreads\(\);\s*__shared__ int w; if \(threadIdx.x == 0\) \{ w = v\[0\];", text)
    text = support.on_one_line(kernel(f"{{ int v[4];\n{PARALLEL}v[0] = 1;\nint w = 2;\n{PARALLEL}w = v[1]; }}"))
    assert "v[0] = 1; __shared__ int w; if (threadIdx.x == 0) { w = 2;" in text, "this one reads nothing"


def host(body: str, parameters: str = "int n, int *a, double *z") -> str:
    """Return the host text for a teams region with this body."""
    return support.compiled(f"void g({parameters}) {{\n#pragma omp target teams\n{body}\n}}\n").host


def test_arrays_of_run_time_extent_end_with_their_scope() -> None:
    text = kernel(f"{{ int v[n];\n{PARALLEL}v[0] = 1;\nint w = v[0] + v[1]; }}")
    assert "rex_team_memory __rex_memory;\n" in text and "rex_literal __rex_n)" in text, "an extent is only read"
    assert "rex_team_array<int> __rex_array_v(__rex_memory, n); int *const v = __rex_array_v.data;" in text
    text = support.on_one_line(text)
    assert re.search(r"v\[0\] = 1; __syncthreads\(\);\s*int w = v\[0\] \+ v\[1\]; \}", text)
    assert "a[0] = (int)__rex_array_v.bytes;" in kernel(f"{{ int v[n];\n{PARALLEL}v[0] = 1;\na[0] = (int)sizeof(v); }}")


def test_the_first_thread_alone_evaluates_an_extent_with_effects() -> None:
    text = kernel(f"{{ int v[n][a[0]++][3];\n{PARALLEL}v[0][0][0] = 1; }}")
    assert "__rex_array_v(__rex_memory, n, rex_from_first([&] { return (a[0]++); }), 3);" in text


def test_an_array_of_run_time_extent_is_the_teams_though_one_thread_uses_it() -> None:
    text = kernel(f"{{ int v[n]; v[0] = 1; a[0] = v[0];\n{PARALLEL}z[0] = 1; }}")
    assert "rex_team_array<int>" in text and "if (threadIdx.x == 0) { v[0] = 1; a[0] = v[0]; }" in text


def test_the_host_counts_the_bytes_of_arrays_that_it_can() -> None:
    text = host(f"{{ int v[n + 1]; double w[n]; float t[100];\n{PARALLEL}v[0] = w[0] = t[0] = 1; }}")
    assert "__rex_shared_bytes = rex_shared_bytes(rex_array_bytes(n + 1, 4) + rex_array_bytes(n, 8), 40560);" in text
    assert "{_threads_per_block_, 1, 1}, __rex_shared_bytes};" in text
    for extent in ("int m = a[0]; int v[m];", "int v[a[1]];", "int v[n]; n = 3;", "int m = n; int v[m];"):
        text = host(f"{{ {extent}\n{PARALLEL}v[0] = 1; }}")
        assert "__rex_shared_bytes" not in text and "{_threads_per_block_, 1, 1}, 0};" in text


def test_a_narrow_parallel_keeps_the_others_out() -> None:
    text = kernel(
        "{\n#pragma omp parallel num_threads(8)\na[0] = 1;\n#pragma omp parallel num_threads(64)\n"
        "{ a[1] = 2;\n#pragma omp barrier\na[2] = 3; } }"
    )
    assert "__launch_bounds__(64)" in text
    assert "rex_narrow(8)" in text and "rex_narrow(64)" not in text
    assert "if ((int)threadIdx.x < __rex_parallel_threads) {" in text


def test_a_barrier_in_a_narrow_parallel_is_its_own() -> None:
    text = kernel(
        "{\n#pragma omp parallel num_threads(8)\n{ a[0] = 1;\n#pragma omp barrier\na[1] = 2; }\n"
        "#pragma omp parallel num_threads(64)\na[1] = 2; }"
    )
    assert "rex_barrier(__rex_parallel_threads);" in text


def test_teams_share_the_iterations_and_threads_the_inner_loop() -> None:
    text = kernel(
        "for (int b = 0; b < n; b++) {\n#pragma omp parallel for\nfor (int i = 0; i < 64; i++) z[b * 64 + i] = i;\n}",
        "#pragma omp target teams distribute",
    )
    assert "= blockIdx.x;" in text and "+= gridDim.x" in text
    assert "for (int i = threadIdx.x; i < 64; i += blockDim.x)" in text


def test_the_team_sum_is_added_once() -> None:
    text = kernel(
        "for (int b = 0; b < n; b++) {\n#pragma omp parallel for\nfor (int i = 0; i < 64; i++) z[i] = i;\n"
        "total += b;\n}",
        "int total = 0;\n#pragma omp target teams distribute reduction(+: total)",
    )
    assert text.rstrip().endswith("rex_reduce_blocks(__rex_partials, rex_into_add(__rex_total, total));\n}")


def test_remarks_say_how_and_why() -> None:
    found = support.translate_text(
        f"void g(int *a) {{\n#pragma omp target\n{{\n  a[0] = 1;\n{PARALLEL}  a[1] = 2;\n}}\n}}\n", remarks=True
    ).diagnostics
    assert {d.severity.value for d in found} == {"remark"}
    how, why = found[0].notes[:2]
    assert "generic" in how.message
    assert why.span is not None and why.span.line == 4


FUNCTION = "void h(int *a) {\n  a[omp_get_thread_num()] = 1;\n#pragma omp barrier\n  a[0] += 1;\n}\n"


def function_text(region: str) -> str:
    source = f"#include <omp.h>\n{FUNCTION}void g(int n, int *a) {{\n{region}\n}}\n"
    device = support.compiled(source).device
    return device[device.index("__device__ void h") : device.index("__global__")]


def test_a_function_of_whole_blocks_knows_its_team() -> None:
    text = function_text("#pragma omp target teams\n#pragma omp parallel\nh(a);")
    assert "a[(int)threadIdx.x] = 1;" in text and "__syncthreads();" in text


@pytest.mark.parametrize(
    "region",
    [
        "#pragma omp target\nh(a);",
        "#pragma omp target\n{\n#pragma omp parallel\nh(a);\nh(a); }",
        "#pragma omp target\n{\n#pragma omp parallel num_threads(8)\nh(a);\n"
        "#pragma omp parallel num_threads(64)\na[1] = 2; }",
        "#pragma omp target parallel\n{\n#pragma omp parallel\nh(a); }",
        "#pragma omp target parallel\n{ void (*p)(int *) = h; p(a); }",
    ],
)
def test_a_function_of_other_teams_asks(region: str) -> None:
    text = function_text(region)
    assert "omp_get_thread_num()" in text and "rex_barrier();" in text


def exported_text(body: str, name: str = "t.cpp", region: str = PARALLEL + "h(a);") -> str:
    """Return a function that other files may call, whose calls here come from a region, and the kernel behind it."""
    head = (
        f"#include <omp.h>\n#pragma omp declare target\nvoid h(int *a) {{ {body} }}\n#pragma omp end declare target\n"
    )
    text = f"{head}void g(int n, int *a) {{\n#pragma omp target teams\n{{\n{region}\n}}\n}}\n"
    found = support.translate_text(text, name, alone=False)
    assert found.device is not None, support.rendered(found)
    device = found.device.text
    return device[device.index("void h") :]


@pytest.mark.parametrize("name", ["t.cpp", "t.c"])
def test_an_exported_function_of_whole_blocks_knows_its_team_where_nobody_else_is(name: str) -> None:
    text = exported_text("a[omp_get_thread_num()] = 1;\n#pragma omp barrier\na[0] += omp_get_num_threads();", name)
    assert re.search(r"void h\(int \*a\) \{ REX_TEAM_OF_BLOCK\b", text)
    assert "a[omp_get_thread_num()] = 1;" in text and "rex_barrier();" in text
    assert "rex_linked_team_begin(0);" in text and "rex_linked_parallel __rex_level(blockDim.x);" in text


def test_a_kernel_that_asks_itself_keeps_its_state() -> None:
    asking = PARALLEL + "{ h(a);\n#pragma omp task final(n > 2)\na[1] = omp_in_final(); }"
    text = exported_text("a[omp_get_thread_num()] = 1;", region=asking)
    assert "rex_team_begin(0);" in text and "linked" not in text


@pytest.mark.parametrize(
    ("body", "region"),
    [
        ("a[0] = 1;", PARALLEL + "h(a);"),
        ("a[omp_get_level()] = omp_get_thread_num();", PARALLEL + "h(a);"),
        ("\n#pragma omp for\nfor (int i = 0; i < 9; i++) a[i] = 1;", PARALLEL + "h(a);"),
        ("a[omp_get_thread_num()] = 1;", "h(a);"),
        ("a[omp_get_thread_num()] = 1;", PARALLEL + "{ void (*p)(int *) = h; p(a); }"),
        ("a[0] = [] { return omp_get_thread_num(); }();", PARALLEL + "h(a);"),
        ("struct s { int n = omp_get_thread_num(); }; a[0] = s().n;", PARALLEL + "h(a);"),
        ("a[1] = 0;\n#pragma omp parallel\na[omp_get_thread_num()] = 1;", PARALLEL + "h(a);"),
    ],
)
def test_other_exported_functions_ask(body: str, region: str) -> None:
    text = exported_text(body, region=region)
    assert "REX_TEAM_OF_BLOCK" not in text and "linked" not in text


def region(parameters: str, loop: str) -> support.Output:
    """Return the output for a loop construct behind a statement of one thread."""
    return support.compiled(
        f"void f({parameters}, int *y) {{\n#pragma omp target\n{{\ny[0]++;\n{loop} y[i] = 1;\n}}\n}}\n"
    )


def test_the_host_counts_iterations_of_unsigned_indices_in_their_order() -> None:
    loop = "#pragma omp parallel for\nfor (unsigned long i = s; i < n; i++)"
    count = "rex_parallel_threads(__device_id, rex_tripcount_lt({}, {}, 1), 256)"
    unsigned = support.on_one_line(region("unsigned long s, unsigned long n", loop).host)
    assert count.format("rex_ordered(s)", "rex_ordered(n)") in unsigned
    assert count.format("s", "n") in support.on_one_line(region("long s, long n", loop.replace("unsigned ", "")).host)


@pytest.mark.parametrize(
    ("name", "is_its"),
    [("", True), ("parallel:", True), ("parallel for:", True), ("parallel for simd:", True), ("simd:", False)],
)
def test_a_condition_may_name_the_combined_construct(name: str, is_its: bool) -> None:
    device = region("int s", f"#pragma omp parallel for simd if({name} s)\nfor (int i = 0; i < 9; i++)").device
    assert ("(s) ? blockDim.x : 1" in device) is is_its


READS = "double f = s; "
CHANGE = "#pragma omp parallel\n#pragma omp atomic\ns += a[0];\n"
SHARED = f"double s = 0;\n{CHANGE}"


@pytest.mark.parametrize(
    ("read", "then", "waits"),
    [
        (READS, "z[0] = f;", False),
        ("double f = s * n + a[0]; ", "z[0] = f;", True),  # a[0] may be z[0]
        (READS, "{ double t = f; z[0] = t; }", False),
        (READS, "s = 2;", True),
        (READS, "z[0] = s + f;", False),
        (READS, "{ double s = 3; z[0] = s++; }", False),
        (READS + "double *p = &s; ", "*p = f;", True),
        (READS + "double &q = s; ", "q = f;", True),
        (READS + "auto change = [&] { s = 1; }; ", "change();", True),
    ],
)
def test_threads_do_not_wait_for_readers_of_what_a_parallel_leaves(read: str, then: str, waits: bool) -> None:
    source = f"void g(int n, float *a, double *z) {{\n#pragma omp target teams num_teams(4)\n{{ {SHARED}{read}\n"
    device = support.compiled(f"{source}{PARALLEL}{then} }}\n}}\n", name="g.cpp").device
    text = support.on_one_line(device[device.index("__global__") :])
    behind = text[text.index("rex_atomic_add") :]
    assert barriers(behind) == 1 + waits, behind


@pytest.mark.parametrize(
    ("clause", "statement"),
    [("reduction(+: s)", ";"), ("for lastprivate(s)", "for (int i = 0; i < n; i++) z[i] = s = i;")],
)
def test_threads_wait_for_readers_of_what_clauses_change(clause: str, statement: str) -> None:
    text = support.on_one_line(kernel(f"{{ {SHARED}{READS}\n#pragma omp parallel {clause}\n{statement} }}"))
    assert re.search(r"double f = s; __syncthreads\(\);", text), text


@pytest.mark.parametrize(
    ("read", "waits"),
    [
        ("int *now = row[k % 3], *then = row[(k + 1) % 3];", False),
        ("int (*now)[8] = row + k % 2;", False),
        ("int *now = &row[0][k]; int *then = now;", True),
        ("int now = row[k % 3][0];", True),
        ("int *now = row[k % 3]; int first = *now;", True),
        ("int *now = row[row[0][0]];", True),
    ],
)
def test_who_takes_the_address_of_an_array_reads_nothing_of_it(read: str, waits: bool) -> None:
    use = f"{{ {read}\n{PARALLEL}row[k % 3][k] = now != 0; }}"
    text = support.on_one_line(kernel(f"{{ int row[3][8];\nfor (int k = 0; k < n; k++) {use} }}"))
    assert barriers(text[text.index("for (") :]) == 1 + waits, text


ITERATION = f"{SHARED}{READS}\n{PARALLEL}z[i] = f;"


@pytest.mark.parametrize(
    ("header", "body", "met"),
    [
        ("#pragma omp target teams distribute\n", ITERATION, False),
        ("#pragma omp target teams\n#pragma omp distribute\n", ITERATION, False),
        ("#pragma omp target teams\n", ITERATION, False),
        ("#pragma omp target teams distribute\n", f"{ITERATION} double t = s; a[i] = (int)t;", True),
        ("#pragma omp target teams\n", ITERATION.replace(READS, READS + "if (f > 3) continue;"), True),
        ("#pragma omp target teams distribute\n", ITERATION.replace(READS, READS + "if (f > 3) continue;"), True),
    ],
)
def test_an_iteration_that_ends_with_a_parallel_is_over_for_all(header: str, body: str, met: bool) -> None:
    text = support.on_one_line(kernel(f"for (int i = 0; i < n; i++) {{ {body} }}", header.rstrip()))
    start = text[text.index("for (") : text.index("s = 0;")]
    assert barriers(start) == met, text
    assert re.search(r"z\[i\] = f; \}? ?__syncthreads\(\);", text) or met, text


@pytest.mark.parametrize(
    ("directive", "lowered"),
    [("critical", "REX_CRITICAL"), ("atomic", "rex_atomic_add(&s, by);"), ("critical(one)", "rex_critical_one()")],
)
@pytest.mark.parametrize("before", ["", "if (true) ", "for (int k = 0; k < 2; k++) "])
def test_constructs_in_lambdas_of_team_code_are_lowered(directive: str, lowered: str, before: str) -> None:
    """Whoever calls such a lambda may be one of many threads."""
    source = f"""void f(int n, int s) {{
#pragma omp target map(tofrom: s)
  {before}{{
    auto add = [&s](int by) {{
#pragma omp {directive}
      s += by;
    }};
#pragma omp parallel for
    for (int i = 0; i < n; i++) add(i);
  }}
}}
"""
    text = support.on_one_line(support.compiled(source, name="f.cpp").device)
    assert lowered in text[text.index("auto add = ") : text.index("add(i)")]


SUM = "#pragma omp parallel for reduction(+: s)\nfor (int i = 0; i < n; i++) s += a[i];\n"


def test_every_thread_has_what_a_parallel_reduces() -> None:
    sum_ = "#pragma omp parallel reduction(+: s)\ns += a[0];\n"
    text = support.on_one_line(kernel(f"{{ double s = 0;\n{sum_}s /= n; double f = s;\n{PARALLEL}z[0] = f * s; }}"))
    assert (
        "double s = 0;" in text and "__shared__" not in text and "rex_reduce_for_all(rex_into_add(__rex_s, s));" in text
    )
    assert barriers(text) == 0, "the reduction has its own"
    two = sum_.replace("+: s", "+: s, t")
    text = support.on_one_line(kernel(f"{{ double s = 0, t = n;\n{two}{PARALLEL}z[0] = s / t; }}"))
    assert "rex_reduce_for_all(rex_into_add(__rex_s, s), rex_into_add(__rex_t, t));" in text
    text = support.on_one_line(kernel(f"{{ double s = 0;\n{sum_}a[0] = s; }}"))
    assert "if (threadIdx.x == 0) { a[0] = s; }" in text and barriers(text) == 0


@pytest.mark.parametrize(
    "body",
    [
        f"{{ double s = 0;\n{SUM}{CHANGE}z[0] = s; }}",
        f"{{ double s = 0, *p = &s;\n{SUM}z[0] = *p; }}",
        f"{{ double s = 0, &q = s;\n{SUM}z[0] = q; }}",
        f"{{ double s = 0; auto get = [&] {{ return s; }};\n{SUM}z[0] = get(); }}",
        f"{{ double s[1] = {{0}};\n{SUM.replace('+: s', '+: s[0:1]').replace('s +=', 's[0] +=')}z[0] = s[0]; }}",
        f"{{ double s = f(n);\n{SUM}z[0] = (s = f(n)); }}",
        f"{{ double s = f(n);\n{SUM}int t = (s = f(n)); z[0] = t; }}",
        f"{{ double s = 0;\n{SUM}int t = (s = n);\n{CHANGE.replace('s +=', 't +=')}z[0] = s; }}",
        f"{{ double s = 0;\n{SUM.replace('for reduction', 'for num_threads(n) reduction')}{PARALLEL}z[0] = s; }}",
        f"{{ double s = 0;\n{SUM.replace('for reduction', 'for if(n > 3) reduction')}z[0] = s; }}",
        f"{{ double s = 0, t = 0, *p = &t;\n{SUM.replace('+: s', '+: s, t')}z[0] = s + *p; }}",
        f"{{ double s = 0; int t = f(n);\n{SUM.replace('+: s', '+: s, t')}a[0] = (t = f(n)); }}",
        "{ double s = 0;\n#pragma omp parallel reduction(+: s)\n{\n#pragma omp for reduction(+: s)\n"
        "for (int i = 0; i < n; i++) s += a[i];\n}\nz[0] = s; }",
    ],
)
def test_other_reduced_variables_are_the_teams(body: str) -> None:
    source = "static int f(int x) { static int calls; return calls += x; }\nvoid g(int n, int *a, double *z) {\n"
    device = support.compiled(f"{source}#pragma omp target teams num_teams(4)\n{body}\n}}\n", name="g.cpp").device
    assert "rex_reduce_for_all" not in device and "__shared__ double s" in device, device


def test_static_variables_of_a_team_are_the_devices() -> None:
    source = "void g(int n, int *a, double *z) {{\n#pragma omp target teams num_teams(4)\n{{ {} }}\n}}\n"
    body = f"static double s; static int c; c++; s = c;\n{SUM}z[0] = s;"
    text = support.on_one_line(support.compiled(source.format(body)).device)
    assert re.search(r"static int c;\s+if \(threadIdx.x == 0\) \{ c\+\+; s = c; \} __syncthreads", text), text
    assert "rex_reduce_add(__rex_s, s);" in text
    body = f"static const double w[] = {{1, 2}}; double s = w[0];\n{SUM}z[0] = w[1] * s;"
    assert "rex_reduce_for_all" in support.compiled(source.format(body)).device


def test_threads_meet_behind_a_reduction_for_all_and_what_ends_with_it() -> None:
    loop = SUM.replace("reduction(+: s)", "reduction(+: s) lastprivate(v)").replace(
        "s += a[i]", "{ s += a[i]; v = i; }"
    )
    text = support.on_one_line(kernel(f"{{ double s = 0; int v = 1;\n{loop}z[0] = s + v; }}"))
    assert re.search(
        r"rex_reduce_for_all\(rex_into_add\(__rex_s, s\)\);.*__syncthreads\(\); if \(threadIdx.x == 0\) \{ z\[0\]", text
    ), text


@pytest.mark.parametrize(
    ("declared", "forms"), [("static int calls = 3;", 0), ("static const int calls = 3;", 2), ("int calls = 3;", 2)]
)
def test_a_static_variable_is_one_object(declared: str, forms: int) -> None:
    """The forms of a kernel are instantiations of a template, each of which would have its own."""
    source = f"""void f(int n, int *p, const int *x) {{
#pragma omp target teams distribute map(tofrom: p[0:n]) map(to: x[0:n*n])
  for (int r = 0; r < n; r++) {{
    {declared}
    int s = 0;
#pragma omp parallel for reduction(+: s)
    for (int j = 0; j < n; j++) s += x[r * n + j];
    p[r] = s + calls;
  }}
}}
"""
    device = support.compiled(source).device
    assert device.count("code__<") == forms


_MAKES = """{ for (int r = 0; r < n; r++) {
  int sum = 0, edge[2];
#pragma omp parallel
  {
#pragma omp atomic
    sum += r;
    edge[0] = r;
  }
  int q = sum;
  n -= q;
} }"""


def test_a_guard_that_a_declaration_closes_waits_for_readers_and_lets_readers_wait() -> None:
    text = support.on_one_line(kernel(_MAKES))
    assert re.search(r"\{ __syncthreads\(\); __shared__ int sum; if \(threadIdx.x == 0\) \{ sum = 0; \}", text)
    assert re.search(r"__shared__ int edge\[2\]; __syncthreads\(\);", text)


_NORM = """#pragma omp declare target
{function}
#pragma omp end declare target
void g(int n, int *a, double *z) {{
#pragma omp target teams distribute
  for (int r = 0; r < n; r++) {{ {calls} }}
}}
"""
_SUM = """static int sum(int *a, int n) {{ {first}
  int s = 0;
#pragma omp parallel for {clauses} reduction(+ : s)
  for (int i = 0; i < n; i++) s += a[i];
  return s; }}"""


def called(function: str, calls: str = "a[r] = sum(a, n);") -> str:
    """Return the device text of a region that calls a function."""
    return support.compiled(_NORM.format(function=function, calls=calls)).device


@pytest.mark.parametrize(
    ("calls", "together"),
    [
        ("a[r] = sum(a, n);", True),
        ("a[r] += 2 * sum(a, n) + 1;", True),
        ("int k = sum(a, n); z[k] = 1;", True),
        ("sum(a, n);", True),
        ("for (int k = 0; k < 4; k++) sum(a, k);", True),
        ("if (r > 3) a[r] = sum(a, n); else a[r] = 0;", True),
        ("a[r] = r > 3 ? sum(a, n) : 0;", False),  # whether there is a call
        ("a[r] = (a[0]++, sum(a, n));", False),  # what comes before
        ("a[r] = sum(a, n) + sum(a, 2);", False),
        ("int m = n; a[r] = sum(a, m--);", False),
        ("int (*f)(int *, int) = sum; a[r] = f(a, n);", False),
        ("a[r] = sizeof(sum(a, n));", False),
        ("while (sum(a, n)) a[0]++;", False),
        ("auto_parallel", False),
    ],
)
def test_functions_that_all_threads_call_together(calls: str, together: bool) -> None:
    if calls == "auto_parallel":
        calls = "\n#pragma omp parallel\n{ a[r] = sum(a, n); }"
    text = called(_SUM.format(first="", clauses=""), calls)
    assert ("__rex_together_sum(a, " in text.split("__global__")[1]) is together


@pytest.mark.parametrize(
    ("first", "clauses"),
    [
        ("static int calls; calls++;", ""),
        ("const char *me = __func__; a[0] = me[0];", ""),
        ("int *p = &n; *p += 1;", ""),
        ("", "num_threads(3)"),
        ("", "if (n > 4)"),
        ("if (n > 3) return sum(a, n - 1);", ""),
        ("int rest[n]; rest[0] = 1;\n#pragma omp parallel\nrest[0]++;\n", ""),
        ("goto end; end: a[0] = 1;", ""),
    ],
)
def test_functions_that_one_thread_calls(first: str, clauses: str) -> None:
    text = called(_SUM.format(first=first, clauses=clauses))
    if "return sum" in first:  # the inner calls alone
        assert re.search(r"return sum\(a, n - 1\)", text.split("__rex_together_sum(int")[1])
    else:
        assert "__rex_together" not in text


def test_functions_of_a_team_wait_for_their_callers_and_for_themselves() -> None:
    text = support.on_one_line(called(_SUM.format(first="a[0] = n;", clauses=""), "a[r] = sum(a, n); z[r] = a[0];"))
    form = text[text.index("__rex_together_sum(int") :]
    assert form.index("__syncthreads()") < form.index("if (threadIdx.x == 0) { a[0] = n; }")
    assert re.search(r"rex_reduce_for_all\(.*?\); \} return s; \}", form)


def test_functions_that_call_functions_of_a_team_are_called_together() -> None:
    wrapper = _SUM.format(first="", clauses="") + "\nstatic int twice(int *a, int n) { return 2 * sum(a, n); }"
    text = called(wrapper, "a[r] = twice(a, n);")
    assert "return 2 * __rex_together_sum(a, n);" in text and "= __rex_together_twice(a, n);" in text
    plain = "static int twice(int *a, int n) { return 2 * a[n]; }"
    assert "__rex_together" not in called(plain, "a[r] = twice(a, n);")


_SPACES = """namespace lib {{
static int sum(const int *a, const int &n) {{
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}}
struct S {{ int n; }};
static int sum(const int *a, S n) {{
#pragma omp parallel
  {{ }}
  return n.n;
}}
}} // namespace lib
{before}
void g(int n, int *a) {{
#pragma omp target
  {{ {call} }}
}}
"""


@pytest.mark.parametrize(
    ("before", "call", "made"),
    [
        ("", "a[0] = lib::sum(a, n);", "lib::__rex_together_sum(a, n)"),
        ("", "a[0] = ::lib :: sum(a, n);", "::lib :: __rex_together_sum(a, n)"),
        ("using namespace lib;", "a[0] = sum(a, n);", " __rex_together_sum(a, n)"),
        ("using lib::sum;", "a[0] = sum(a, n);", ""),
        ("#define SUM lib::sum", "a[0] = SUM(a, n);", ""),
        ("", "a[0] = lib::sum(a, lib::S{n});", ""),
    ],
)
def test_functions_of_namespaces_that_teams_call(before: str, call: str, made: str) -> None:
    text = support.compiled(_SPACES.format(before=before, call=call), "t.cpp").device.split("__global__")[1]
    assert made in text if made else "__rex_together" not in text


_BUMP = "static int bump(int *p) { static int k; return *p += k++; }\n"


def test_functions_whose_statements_threads_cannot_share_are_one_threads() -> None:
    """A part of a loop's header that must be executed once: no error, where one thread can execute all of it."""
    first = "for (int k = bump(a); k < n; k++) {\n#pragma omp parallel\na[k]++;\n}"
    function = _BUMP + _SUM.format(first=first, clauses="") + "\nstatic int twice(int *a, int n) { return sum(a, n); }"
    assert "__rex_together" not in called(function, "a[r] = sum(a, n) + twice(a, n);")


@pytest.mark.parametrize("behind", ["", "\n#pragma omp parallel\nz[0] = 1;\n"])
def test_regions_whose_statements_threads_cannot_share_call_as_one_thread(behind: str) -> None:
    function = _BUMP + _SUM.format(first="", clauses="")
    text = called(function, f"for (int k = bump(a); k < n; k++) a[k] = sum(a, n); {behind}")
    assert "__rex_together" not in text.split("__global__")[1]


_BOUND = """struct P {{ int a, b; }};
static P next(int *p) {{ *p += 1; return {{*p, 2}}; }}
void f(int *r) {{
#pragma omp target map(tofrom : r[0 : 9])
  {{
    int n = 0;
    P p = {{1, 2}};
    {declaration};
    {use};
#pragma omp parallel
    r[1] = n;
  }}
}}
"""


def test_first_values_with_effects_that_are_taken_apart() -> None:
    source = _BOUND.format(declaration="auto [a, b] = next(&n)", use="r[0] = a + b")
    assert "auto [a, b] = rex_from_first([&]() -> P { return next(&n); });" in support.compiled(source, "t.cpp").device


@pytest.mark.parametrize(
    ("declaration", "use"),
    [
        ("auto [a, b] = next(&n)", "«a»++"),
        ("auto [a, b] = p", "int *q = &«b»; *q = 3"),
        ("auto &[a, b] = p", "«a» = 3"),
    ],
)
def test_names_of_parts_that_are_changed(declaration: str, use: str) -> None:
    source = _BOUND.format(declaration=declaration, use=use)
    support.expect_error(source, "unsupported-team-variable", "may be changed in code around parallels", "t.cpp")


def test_names_of_parts_of_memory_may_be_changed() -> None:
    source = _BOUND.format(declaration="auto &[a, b] = *(P *)r", use="a = 3")
    assert "if (threadIdx.x == 0) { a = 3; }" in support.compiled(source, "t.cpp").device


_PLACES = """
#include <initializer_list>
static int calls;
#pragma omp declare target(calls)
const double &pick(const double &a) {{
#pragma omp atomic
  calls++;
  return a;
}}
const double *look(const double *a) {{
#pragma omp atomic
  calls++;
  return a;
}}
struct Place {{
  const double *p;
  operator const double &() const {{ return pick(*p); }}
}};
inline Place place(const double *p) {{ return Place{{p}}; }}
inline auto adder(int t) {{
  look(nullptr);
  return [t](int x) {{ return x + t; }};
}}
void f(int n, double *out) {{
#pragma omp target teams distribute
  for (int t = 0; t < n; t++) {{
    {0}
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 32; i++) s += {1};
    out[t] = s;
  }}
}}
"""


@pytest.mark.parametrize(
    ("declared", "used"),
    [
        ("const double &q = t; «const» double &r = pick(q);", "r"),
        ("const double v = t, &q = -v; «const» double &r = pick(q);", "r"),
        ("struct T { double x; }; const double &q = T{out[t]}.x; «const» double &r = pick(q);", "r"),
        ("const double d[2] = {1, 2}, *p = d; «const» double &r = pick(*p);", "r"),
        ("«const» double &r = place(out + t);", "r"),
        ("«std»::initializer_list<double> l = {*look(out), 2};", "l.begin()[i % 2]"),
        ("«auto» l = {*look(out), 2.0};", "l.begin()[i % 2]"),
        ("«auto» g = adder(t);", "g(i)"),
    ],
)
def test_places_that_end_with_one_thread_or_have_no_type_are_refused(declared: str, used: str) -> None:
    support.expect_error(_PLACES.format(declared, used), "unsupported-team-variable", "", "t.cpp")


def test_one_thread_finds_a_place_through_references_and_pointers() -> None:
    declared = "const double &q = out[t], &o = *(out + t), *p = &o; const double &r = pick(q), &u = pick(p[1]);"
    text = support.compiled(_PLACES.format(declared, "r + u"), "t.cpp").device
    assert text.count("*rex_from_first(") == 2


@pytest.mark.parametrize("declared", ["int k = 0", "int k = 0, e = 4", "int e = 4, k = 0, f = e"])
def test_shared_variables_of_loop_headers_are_refused(declared: str) -> None:
    source = (
        f"void f(double *z) {{\n#pragma omp target map(z[0:4])\nfor («int»{declared[3:]}; k < 4; k++) {{\n"
        "#pragma omp parallel\n{\n#pragma omp single\nif (k == 1) k = 2;\nz[k] = 1; } } }\n"
    )
    support.expect_error(source, "unsupported-control-flow", "put it in front of the loop")


@pytest.mark.parametrize("used", ["z += i", "z = i", "change(z)"])
def test_temporary_objects_of_the_team_do_not_change(used: str) -> None:
    source = (
        "void change(int &x) { x++; }\nvoid f(int *p) {\n#pragma omp target map(tofrom: p[0:8])\n  {\n"
        f"    «int &&z = 3»;\n#pragma omp parallel for\n    for (int i = 0; i < 8; i++) {used};\n"
        "    p[0] = z;\n  }\n}\n"
    )
    support.expect_error(source, "unsupported-team-variable", "'z' refers to a temporary object", "t.cpp")
