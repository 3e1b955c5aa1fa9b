"""Prefix sums of loops that all teams share: their text, the launch, and which loops one team has."""

from __future__ import annotations

import re

import pytest

from support import Output, compiled

SUMS = "s += p[i];\n#pragma omp scan inclusive(s)\nq[i] = s;"
CLAUSES = "reduction(inscan, + : s) map(to : p[0:n]) map(from : q[0:n])"


def text_of(body: str = SUMS, clauses: str = CLAUSES, construct: str = "teams distribute parallel for") -> Output:
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    head = "int omp_get_thread_num(void);\n#pragma omp declare target\nstatic int twice(int x) { return 2 * x; }\n"
    head += "#pragma omp end declare target\n"
    region = f"#pragma omp target {construct} {clauses}\n{loop}"
    return compiled(f"{head}int f(int n, const int *p, int *q) {{ int s = 1;\n{region}\nreturn s; }}\n")


def squeezed(text: str) -> str:
    text = re.sub(r"^#line.*", "", text, flags=re.M)
    return re.sub(r"\s+", " ", re.sub(r"/\* *#pragma.*?\*/ ?", "", text)).strip()


def kernel(body: str = SUMS, clauses: str = CLAUSES, construct: str = "teams distribute parallel for") -> str:
    return squeezed(text_of(body, clauses, construct).kernels[0].body)


def test_blocks_take_chunks_in_two_phases() -> None:
    assert (
        "const long long __rex_chunks = rex_scan_chunks(__rex_trips); "
        "for (long long __rex_chunk = rex_next_chunk(__rex_partials, -1); __rex_chunk < __rex_chunks; "
        "__rex_chunk = rex_next_chunk(__rex_partials, __rex_chunk)) { int __rex_sums_s[REX_SCAN_PARTS]; "
        "#pragma unroll for (int __rex_turn = 0; __rex_turn < 2 * REX_SCAN_PARTS; __rex_turn++) { "
        "const int __rex_phase = __rex_turn / REX_SCAN_PARTS, __rex_part = __rex_turn % REX_SCAN_PARTS; "
        "if (__rex_turn == REX_SCAN_PARTS) { "
        "rex_scan_teams_inclusive_add(__rex_sums_s, __rex_s, __rex_partials, 0, __rex_chunk, __rex_chunks); } "
        "const long long __rex_iteration = (__rex_chunk * REX_SCAN_PARTS + __rex_part) * blockDim.x + threadIdx.x; "
        "int i = (int)__rex_iteration; int s = rex_identity_add<int>(); "
        "if (__rex_phase == 1) { s = __rex_sums_s[__rex_part]; } "
        "if (__rex_phase == 0 && __rex_iteration < __rex_trips) { s += p[i]; } "
        "if (__rex_phase == 1 && __rex_iteration < __rex_trips) { q[i] = s; } "
        "if (__rex_phase == 0) { __rex_sums_s[__rex_part] = s; } } } "
        "rex_end_scans(__rex_partials, rex_scan_room(__rex_chunks, sizeof *__rex_s));"
    ) in kernel()


def test_the_contribution_of_an_exclusive_scan_comes_first() -> None:
    text = kernel("q[i] = s;\n#pragma omp scan exclusive(s)\ns += p[i];")
    assert "if (__rex_phase == 1 && __rex_iteration < __rex_trips) { q[i] = s; }" in text
    assert "if (__rex_phase == 0 && __rex_iteration < __rex_trips) { s += p[i]; }" in text
    assert "rex_scan_teams_exclusive_add(" in text


def test_variables_have_memory_one_behind_the_other() -> None:
    body = "s += p[i]; t = t > p[i] ? t : p[i];\n#pragma omp scan inclusive(s, t)\nq[i] = s + t;"
    clauses = f"{CLAUSES} reduction(inscan, max : t)"
    text = compiled(
        f"void f(int n, const int *p, int *q) {{ int s = 1; long t = 0;\n"
        f"#pragma omp target teams distribute parallel for {clauses}\nfor (int i = 0; i < n; i++) {{ {body} }} }}\n"
    )
    room = "rex_scan_room(__rex_chunks, sizeof *__rex_s)"
    assert f"rex_scan_teams_inclusive_max(__rex_sums_t, __rex_t, __rex_partials, {room}" in squeezed(
        text.kernels[0].body
    )
    block = text.blocks[0]
    sizes = [f"rex_scan_bytes(__rex_tripcount, _threads_per_block_, sizeof {name})" for name in "st"]
    assert block.sizes[-1] == f"(__INT64_TYPE__)({' + '.join(sizes)})"
    assert block.types[-1] == "REX_MAP_IMPLICIT_LITERAL | REX_MAP_PARTIALS | REX_MAP_ZEROED"


def test_the_host_names_a_variable_of_a_namespace_in_full() -> None:
    found = compiled(
        "namespace all { int s; }\nvoid f(int n, const int *p, int *q) {\n"
        "#pragma omp target teams distribute parallel for reduction(inscan, + : all::s)\n"
        "for (int i = 0; i < n; i++) { q[i] = all::s;\n#pragma omp scan exclusive(all::s)\nall::s += p[i]; } }\n",
        "t.cpp",
    )
    assert "rex_scan_bytes(__rex_tripcount, _threads_per_block_, sizeof all::s)" in found.host


def test_the_launch_brings_memory_and_the_variable_is_not_mapped() -> None:
    found = text_of()
    assert "int _threads_per_block_ = rex_scan_threads(__device_id, __rex_tripcount, 256);" in found.host
    assert "int _num_blocks_ = rex_scan_blocks(__device_id, __rex_tripcount, _threads_per_block_);" in found.host
    assert "REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT | REX_MAP_REDUCED" in found.blocks[0].types


REFUSED = {
    "num_teams": (SUMS, f"{CLAUSES} num_teams(4)", "teams distribute parallel for"),
    "num_threads": (SUMS, f"{CLAUSES} num_threads(64)", "teams distribute parallel for"),
    "one team": (SUMS, CLAUSES, "parallel for"),
    "an extent of the device's": (SUMS, f"{CLAUSES} map(to : n)", "teams distribute parallel for"),
    "a thread's number": (SUMS.replace("p[i]", "omp_get_thread_num()"), CLAUSES, "teams distribute parallel for"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_one_team_has_a_loop_where_the_program_chooses_or_something_may_tell(why: str) -> None:
    text = kernel(*REFUSED[why])
    assert "rex_scan_inclusive_add(s, __rex_carry_s);" in text
    assert "rex_next_chunk" not in text


def test_known_functions_tell_nothing() -> None:
    assert "rex_scan_teams_inclusive_add" in kernel(SUMS.replace("p[i]", "twice(p[i])"))


@pytest.mark.parametrize("variables", ["volatile int s", "row s, t, u", "row s, t; long u"])
def test_one_team_has_the_loop_of_what_no_bytes_stand_for_and_of_what_shared_memory_has_no_room_for(
    variables: str,
) -> None:
    names = "s" if "," not in variables else "s, t, u"
    text = compiled(
        "typedef struct { long v[8]; } row;\n"
        "#pragma omp declare reduction(+ : row : omp_out.v[0] += omp_in.v[0]) initializer(omp_priv = {{0}})\n"
        f"void f(int n, int *q) {{ {variables};\n"
        f"#pragma omp target teams distribute parallel for reduction(inscan, + : {names})\n"
        f"for (int i = 0; i < n; i++) {{ q[i] = 1;\n#pragma omp scan inclusive({names})\nq[i] = 2; }} }}\n"
    )
    assert "rex_next_chunk" not in text.kernels[0].body


@pytest.mark.parametrize("construct", ["parallel for", "teams distribute parallel for"])
@pytest.mark.parametrize("clause", ["firstprivate", "private"])
def test_sums_of_what_the_region_has_a_copy_of_begin_and_end_with_that(construct: str, clause: str) -> None:
    around = f"map(to : p[0:n]) map(from : q[0:n]) {clause}(s)"
    text = kernel(SUMS, f"{around}\n#pragma omp {construct} reduction(inscan, + : s)", "")
    assert "int __rex_carry_s = *&s;" in text
    assert "rex_scan_inclusive_add(s, __rex_carry_s);" in text and "rex_next_chunk" not in text


def test_one_thread_has_the_sums_of_a_copy_of_the_regions_own() -> None:
    text = kernel(SUMS, "firstprivate(s) map(tofrom : q[0:n])\n#pragma omp simd reduction(inscan, + : s)", "")
    assert "int *__rex_kept_s = &s; for (int i = 0; i < n; i++) {" in text
    assert "*__rex_kept_s += s; s = *__rex_kept_s;" in text


@pytest.mark.parametrize(("kind", "bounds"), [("int", "256, 6"), ("double", "256, 6"), ("struct pair", "256")])
def test_light_scans_leave_registers_for_more_blocks(kind: str, bounds: str) -> None:
    head = "struct pair { double a, b; };\n#pragma omp declare reduction(join : struct pair : omp_out.a += omp_in.a)\n"
    operator, part = ("join", ".a") if "pair" in kind else ("+", "")
    body = f"s{part} += p[i];\n#pragma omp scan inclusive(s)\nq[i] = s{part};"
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    region = f"#pragma omp target teams distribute parallel for reduction(inscan, {operator} : s)\n{loop}"
    found = compiled(f"{head}void f(int n, const int *p, double *q, {kind} s) {{\n{region}\n}}\n")
    assert f"__launch_bounds__({bounds})" in found.device
