"""Scans inside regions: their text for each kind of team, the host version, and what is refused."""

from __future__ import annotations

import re

import pytest

from support import compiled, expect_error

LOOP = "for (int i = 0; i < n; i++) {\n s += p[i];\n#pragma omp scan inclusive(s)\n p[i] = s; }"
EXCLUSIVE = "for (int i = 0; i < n; i++) {\n p[i] = s;\n#pragma omp scan exclusive(s)\n s += p[i]; }"
FUNCTION = f"static void sums(int *p, int n) {{\n static int s;\n#pragma omp for reduction(inscan, + : s)\n{LOOP}\n}}\n"
DEVICE_FUNCTION = f"#pragma omp declare target\n{FUNCTION}#pragma omp end declare target"
ASSIGNED = LOOP.replace("s += p[i]", "s = p[i]")


def region(code: str, around: str = "#pragma omp parallel num_threads(w)", before: str = "") -> str:
    """Return a C function with a region in which a parallel has some code and a statement."""
    head = f"{before}\nvoid f(int n, int *p) {{\n int s = 0, k = 0;\n#pragma omp target map(tofrom : p[0 : n], s, k)\n"
    return f"{head}{{ int w = 9; w++;\n{around}\n{{ {code} }} }}\n}}\n"


def squeezed(text: str) -> str:
    text = re.sub(r"^#line.*", "", text, flags=re.M)
    return re.sub(r"\s+", " ", re.sub(r"/\* *#pragma.*?\*/ ?", "", text)).strip()


def kernel(code: str, around: str = "#pragma omp parallel num_threads(w)", before: str = "") -> str:
    return squeezed(compiled(region(f"\n{code}\n", around, before)).kernels[0].body)


# ---- text ------------------------------------------------------------------------------------------------------------


def test_a_block_scans_in_rounds() -> None:
    text = kernel(f"#pragma omp for reduction(inscan, + : s)\n{LOOP}", "#pragma omp parallel")
    assert (
        "{ int *__rex_s = &s; int __rex_carry_s = *__rex_s; const long long __rex_trips = rex_tripcount_lt(0, n, 1); "
        "for (long long __rex_chunk_base = 0; __rex_chunk_base < __rex_trips; __rex_chunk_base += blockDim.x) { "
        "const long long __rex_iteration = __rex_chunk_base + threadIdx.x; int i = (int)__rex_iteration; "
        "int s = rex_identity_add<int>(); if (__rex_iteration < __rex_trips) { s += p[i]; } "
        "rex_scan_inclusive_add(s, __rex_carry_s); if (__rex_iteration < __rex_trips) { p[i] = s; } } "
        "if (threadIdx.x == 0 && __rex_trips > 0) *__rex_s = __rex_carry_s; }"
    ) in text


def test_the_phases_of_an_exclusive_scan_change_places() -> None:
    text = kernel(f"#pragma omp for reduction(inscan, + : s)\n{EXCLUSIVE}", "#pragma omp parallel")
    assert (
        "for (int __rex_phase = 0; __rex_phase < 2; __rex_phase++) { "
        "if (__rex_phase == 1 && __rex_iteration < __rex_trips) { p[i] = s; } "
        "if (__rex_phase == 0 && __rex_iteration < __rex_trips) { s += p[i]; } "
        "if (__rex_phase == 0) { rex_scan_exclusive_add(s, __rex_carry_s); } }"
    ) in text


def test_a_part_of_a_block_scans_on_its_own() -> None:
    text = kernel(f"#pragma omp for reduction(inscan, max : s)\n{LOOP}")
    assert "__rex_chunk_base += __rex_parallel_threads)" in text
    assert "rex_scan_inclusive_max(s, __rex_carry_s, __rex_parallel_threads);" in text


def test_a_function_scans_with_its_callers_team() -> None:
    text = squeezed(compiled(region("sums(p, n);", before=DEVICE_FUNCTION)).device)
    assert "const int __rex_team_thread = omp_get_thread_num(), __rex_team_threads = omp_get_num_threads();" in text
    assert "__rex_chunk_base += __rex_team_threads)" in text and "__rex_chunk_base + __rex_team_thread;" in text
    assert "rex_scan_inclusive_add(s, __rex_carry_s, 0);" in text
    assert "if (omp_get_thread_num() == 0 && __rex_trips > 0) *__rex_s = __rex_carry_s;" in text


def test_a_thread_alone_adds_up() -> None:
    text = kernel("#pragma omp simd reduction(inscan, + : k)\n" + re.sub(r"\bs\b", "k", LOOP))
    inside = "int k = rex_identity_add<int>(); k += p[i]; *__rex_k += k; k = *__rex_k; p[i] = k;"
    assert f"{{ int *__rex_k = &k; for (int i = 0; i < n; i++) {{ {inside} }} }}" in text
    text = kernel(f"#pragma omp parallel for reduction(inscan, + : s)\n{EXCLUSIVE}")
    inside = "int s = *__rex_s; p[i] = s; s = rex_identity_add<int>(); s += p[i]; *__rex_s += s;"
    assert f"{{ int *__rex_s = &s; for (int i = 0; i < n; i++) {{ {inside} }} }}" in text


# ---- the host version ------------------------------------------------------------------------------------------------

HOSTS = {
    "for nowait": ("{\n#pragma omp single nowait\n", LOOP, False),
    "for private(k)": ("{\n#pragma omp single private(k)\n", LOOP, False),
    "for firstprivate(k) lastprivate(k)": ("{\n#pragma omp single\n", LOOP, False),
    "parallel for": ("{\n#pragma omp parallel num_threads(1)\n", LOOP, False),
    "for ": ("{\n#pragma omp single\n#pragma omp simd reduction(inscan, +: s)\n", ASSIGNED, True),
    "for linear(k)": ("{\n#pragma omp single\n#pragma omp parallel for num_threads(1) linear(k)\n", LOOP, False),
    "simd": ("", LOOP, False),
    "simd lastprivate(conditional : k)": ("", LOOP, False),
    "simd private(k)": ("\n#pragma omp simd private(k) reduction(inscan, + : s)\n", LOOP, True),
}


@pytest.mark.parametrize("written", HOSTS)
def test_one_thread_executes_a_scan_on_the_host(written: str) -> None:
    wanted, loop, scans = HOSTS[written]
    host = compiled(region(f"\n#pragma omp {written} reduction(inscan, + : s)\n{loop}")).host
    host = re.sub(r"^#line.*\n *", "", re.sub(r"/\*.*?\*/ *\n", "", host), flags=re.M)
    assert wanted in re.sub(r" +\n", "\n", host)
    assert ("\n#pragma omp scan inclusive(s)" in host) == scans
    if not wanted:
        assert "\n#pragma omp simd" not in host


def test_an_assignment_of_an_object_forgets_the_value_before_it() -> None:
    source = """struct pair { int a, b; };
#pragma omp declare reduction(+ : pair : omp_out.a += omp_in.a) initializer(omp_priv = pair{0, 0})
void f(int n, int *p) { pair s{0, 0};
#pragma omp target teams distribute parallel for reduction(inscan, + : s)
for (int i = 0; i < n; i++) {
  s = %s;
#pragma omp scan inclusive(s)
  p[i] = s.a; } }
"""
    for value, scans in (("pair{i, 0}", True), ("pair{s.a + i, 0}", False)):
        assert ("\n#pragma omp simd reduction(inscan" in compiled(source % value, "t.cpp").host) == scans


def test_called_functions_scan_in_one_thread_on_the_host() -> None:
    assert "\n#pragma omp single\n" in compiled(region("sums(p, n);", before=DEVICE_FUNCTION)).host
    assert "\n#pragma omp for reduction(inscan, + : s)" in compiled(region("p[0] = 1;", before=FUNCTION)).host


# ---- what is refused -------------------------------------------------------------------------------------------------

FOR = "\n#pragma omp for reduction(inscan, + : s)\n"
DEPENDENT = "for (int j = 0; j < n; j++)\n" + LOOP.replace("< n", "< j")
REFUSED = {
    "a continue": (
        "omp-scan", "'continue' leaves its part", FOR + LOOP.replace("s += p[i];", "if (i) «continue»; s++;")
    ),
    "a variable of the first phase": (
        "omp-scan", "'t' is declared in front of the 'scan'",
        FOR + LOOP.replace("s +=", "int t = i; s +=").replace("= s;", "= s + «t»;"),
    ),
    "a type of the first phase": (
        "omp-scan", "'one' is declared in front of the 'scan'",
        FOR + LOOP.replace("s +=", "enum { one = 1 }; s +=").replace("= s;", "= s + «one»;"),
    ),
    "a jump over the scan": (
        "omp-scan", "'goto out' jumps over",
        FOR + LOOP.replace("s +=", "«goto» out; s +=").replace(" p[i] = s", " out: p[i] = s"),
    ),
    "an ordered loop": (
        "omp-clause-conflict", "'ordered' cannot be used together with an 'inscan' reduction",
        "\n#pragma omp for «ordered» reduction(inscan, + : s)\n" + LOOP,
    ),
    "a loop over bounds of another": (
        "unsupported-construct", "a scan of loops whose bounds depend on an outer index",
        "\n#pragma omp «for collapse(2) reduction(inscan, + : s)»\n" + DEPENDENT,
    ),
    "code between loops": (
        "omp-scan", "has nothing between its collapsed loops",
        "\n#pragma omp for collapse(2) «reduction(inscan, + : s)»\nfor (int j = 0; j < 3; j++) {\n k = j;\n"
        + LOOP + "}",
    ),
    "a scan without a loop": ("omp-scan", "must stand in the body of a loop", "\n#pragma omp «scan inclusive(s)»\n;"),
    "a scan of another reduction": (
        "omp-scan", "must stand in the body of a loop",
        "\n#pragma omp for reduction(+ : s)\n" + LOOP.replace("scan inclusive(s)", "«scan inclusive(s)»"),
    ),
    "a scan in a construct of the body": (
        "omp-scan", "must stand in the body of a loop",
        FOR + LOOP.replace("#pragma omp scan inclusive(s)\n p[i] = s;",
                           "#pragma omp critical\n {\n#pragma omp «scan inclusive(s)»\n p[i] = s; }"),
    ),
    "a scope": ("omp-scan", "'inscan' is for", "\n#pragma omp scope «reduction(inscan, + : s)»\n s++;"),
    "tasks": (
        "omp-scan", "which no 'taskloop' is", "\n#pragma omp taskloop «reduction(inscan, + : s)»\n" + LOOP
    ),
    "a private original": (
        "omp-private-original", "each thread has a variable of its own",
        "int s = 0;\n#pragma omp for reduction(inscan, + : «s»)\n" + LOOP,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what: str) -> None:
    code, message, text = REFUSED[what]
    expect_error(region(text), code, message)


def test_distributed_loops_have_no_scans() -> None:
    directive = "#pragma omp distribute parallel for «reduction(inscan, + : s)»"
    source = region(f"\n{directive}\n{LOOP}\n k++;", "").replace("omp target", "omp target teams")
    expect_error(source, "omp-scan", "which no 'distribute parallel for' is")


COMBINED = {
    "a region without a loop": ("omp-scan", "'inscan' is for", "", "s++;"),
    "a continue": ("omp-scan", "'continue' leaves its part", "for", LOOP.replace("s +=", "if (i) «continue»; s +=")),
    "a loop over bounds of another": (
        "unsupported-reduction", "a scan of loops whose bounds depend on an outer index", "for collapse(2)",
        DEPENDENT,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", COMBINED)
def test_what_combined_loops_refuse(what: str) -> None:
    code, message, leaves, text = COMBINED[what]
    clause = "reduction(inscan, + : s)"
    marked = clause if "«" in text else f"«{clause}»"
    directive = f"#pragma omp target parallel {leaves} {marked} map(p[0 : n])"
    expect_error(f"void f(int n, int *p) {{\n int s = 0;\n{directive}\n{text}\n}}\n", code, message)
