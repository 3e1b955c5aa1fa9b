"""Reductions, scans, last values: the text of kernels, what is refused and why, results that only a device has."""

from __future__ import annotations

import pytest

import support
from support import Bench, compiled, expect_error

LOOP = "#pragma omp target teams distribute parallel for"
FOR = "for (int i = 0; i < n; i++)"


def function(text: str, before: str = "") -> str:
    """Return a C function with a few variables around a text."""
    head = "void f(int n, int *p, double *q) {\nint s = 0, a[8], b[4][4];\nlong double w = 0;\ndouble d = 0;\n"
    return f"{before}\n{head}{text}\n}}\n"


def kernel(text: str, before: str = "", name: str = "t.c", reduction: str = "device") -> str:
    """Return the device text of a function's only kernel."""
    return compiled(function(text, before), name, reduction=reduction).kernels[0].body


# ---- how threads combine ---------------------------------------------------------------------------------------------


TWO = f"{LOOP} reduction(+ : s) reduction(min : d)\n{FOR} {{ s += i; d = d < i ? d : i; }}"


@pytest.mark.parametrize(("text", "count"), [(TWO, 1), (f"{LOOP}\n{FOR} p[i] = i;", 0)])
def test_a_file_whose_teams_join_results_says_so_before_it_runs(text: str, count: int) -> None:
    assert compiled(function(text)).host.count("\nREX_REDUCTIONS\n") == count


def test_all_teams_join_all_variables_at_once() -> None:
    output = compiled(function(TWO))
    body, parameters, block = output.kernels[0].body, output.kernels[0].parameters, output.blocks[0]
    assert "int s = rex_identity_add<int>();" in body and "double d = rex_identity_min<double>();" in body
    assert body.rstrip().endswith("rex_reduce(__rex_partials, rex_into_add(__rex_s, s), rex_into_min(__rex_d, d));")
    assert parameters[-1] == "rex_partials *__rex_partials"
    room = "rex_partial_bytes(_num_blocks_, sizeof s) + rex_partial_bytes(_num_blocks_, sizeof d)"
    assert block.sizes[-1] == f"(__INT64_TYPE__)({room})"
    assert block.types[-1] == "REX_MAP_IMPLICIT_LITERAL | REX_MAP_PARTIALS"


def test_variables_that_a_kernel_reads_and_writes_once_are_said_to_be() -> None:
    plain = "REX_MAP_PARAM | REX_MAP_TOFROM"
    block = compiled(function(f"{LOOP} reduction(+ : s)\n{FOR} s += i;")).blocks[0]
    assert block.row("s")[3] == f"{plain} | REX_MAP_IMPLICIT | REX_MAP_REDUCED"
    block = compiled(function(f"{LOOP} reduction(+ : s) map(tofrom : s)\n{FOR} s += i;")).blocks[0]
    assert block.row("s")[3] == f"{plain} | REX_MAP_REDUCED"
    block = compiled(function(f"{LOOP} reduction(+ : s) map(always, tofrom : s)\n{FOR} s += i;")).blocks[0]
    assert "REDUCED" not in block.row("s")[3]
    object_ = (
        "struct own { int k; own() {} own(const own &) {} };\n#pragma omp declare reduction(+ : own : omp_out.k++)"
    )
    text = f"own o;\n{LOOP} reduction(+ : o)\n{FOR} o.k++;"
    assert "REDUCED" not in compiled(function(text, object_), "t.cpp").blocks[0].row("o")[3]
    block = compiled(function(f"{LOOP} reduction(+ : a)\n{FOR} a[0] += i;")).blocks[0]
    assert block.row("a")[3] == f"{plain} | REX_MAP_IMPLICIT | REX_MAP_REDUCED"
    block = compiled(function(f"{LOOP} reduction(+ : a[1:4])\n{FOR} a[2] += i;")).blocks[0]
    assert "REDUCED" not in block.row("a")[3]
    block = compiled(function(f"int large[65];\n{LOOP} reduction(+ : large)\n{FOR} large[0] += i;")).blocks[0]
    assert "REDUCED" not in block.row("large")[3]


@pytest.mark.parametrize(
    ("members", "is_read_once"),
    [
        ("int k = 3; S() {}", True),
        ("int k; S(int i = 0) : k(i) {} template <class U> S &operator=(const U &u) { k = u.k; return *this; }", True),
        ("int k = 3; S() {} ~S() { k = 0; }", False),
        ("int k = 3; S() {} S(S &&o) : k(o.k + 1) {}", False),
        ("int k = 3; S() {} virtual int get() { return k; }", False),
        ("alignas(64) int k = 3; S() {}", False),
        ("struct P { int n; P() {} P(const P &p) : n(p.n + 1) {} } p; int k = 3; S() {}", False),
    ],
)
@pytest.mark.parametrize("template", ["", "template <class T> "])
def test_objects_that_a_kernel_reads_and_writes_once(members: str, is_read_once: bool, template: str) -> None:
    kind = "S<int>" if template else "S"
    region = f"#pragma omp declare reduction(+ : {kind} : omp_out.k += omp_in.k)\n{kind} o;\n"
    region += f"{LOOP} reduction(+ : o)\n{FOR} o.k += i;"
    output = compiled(function(region, f"{template}struct S {{ {members} }};"), "t.cpp", arguments=("-w",))
    assert ("REX_MAP_REDUCED" in output.blocks[0].row("o")[3]) == is_read_once


@pytest.mark.parametrize(
    ("members", "is_read_once"),
    [
        ("int k = 3; B() {}", True),
        ("int k = 3; B() {} B(const B &o) : k(o.k + 1) {}", False),
        ("int k = 3; B() {} virtual int get() { return k; }", False),
    ],
)
@pytest.mark.parametrize("base", ["B<T>", "T"])
def test_bases_that_depend_on_parameters_tell_how_objects_are_moved(
    members: str, is_read_once: bool, base: str
) -> None:
    kind = "S<B<int>>" if base == "T" else "S<int>"
    region = f"#pragma omp declare reduction(+ : {kind} : omp_out.k += omp_in.k)\n{kind} o;\n"
    region += f"{LOOP} reduction(+ : o)\n{FOR} o.k += i;"
    top = f"template <class T> struct B {{ {members} }};\ntemplate <class T> struct S : {base} {{ S() {{}} }};"
    output = compiled(function(region, top), "t.cpp", arguments=("-w",))
    assert ("REX_MAP_REDUCED" in output.blocks[0].row("o")[3]) == is_read_once


def test_the_host_adds_the_results_of_blocks_on_request() -> None:
    output = compiled(function(TWO), reduction="host")
    body, block = output.kernels[0].body, output.blocks[0]
    leave = "rex_leave(rex_unpack<int>(__rex_partial_count), rex_into_add(__rex_s, s), rex_into_min(__rex_d, d));"
    assert body.rstrip().endswith(leave)
    assert block.row("__reduction_buffer_s")[2:] == (
        "(__INT64_TYPE__)(_num_blocks_ * sizeof(__typeof__(s)))",
        "REX_MAP_PARAM | REX_MAP_FROM",
    )
    each = "for (int __rex_partial = 0; __rex_partial < _num_blocks_; __rex_partial++)"
    assert f"{each} s += __reduction_buffer_s[__rex_partial];" in output.host
    assert (
        f"{each} if (__reduction_buffer_d[__rex_partial] < d) d = __reduction_buffer_d[__rex_partial];" in output.host
    )
    assert output.host.count("rex_free_buffer(") == 2


@pytest.mark.parametrize("clauses", ["nowait reduction(+ : s)", "reduction(+ : a)"])
def test_what_the_host_cannot_finish_stays_with_the_device(clauses: str) -> None:
    output = compiled(function(f"{LOOP} {clauses}\n{FOR} a[s += i]++;"), reduction="host")
    assert "__reduction_buffer" not in output.host


def test_each_block_adds_its_own_on_request() -> None:
    body = kernel(TWO, reduction="atomic")
    assert "rex_reduce_add(__rex_s, s);" in body and "rex_reduce_min(__rex_d, d);" in body
    assert "PARTIALS" not in compiled(function(TWO), reduction="atomic").host


def test_a_narrow_team_folds_its_own_values() -> None:
    narrow = f"#pragma omp parallel for num_threads(5) reduction(- : s)\n{FOR} s -= i;\n"
    wide = f"#pragma omp parallel for\n{FOR} p[i] = s;\n"
    body = kernel(f"#pragma omp target map(tofrom : p[0 : n])\n{{\n{narrow}{wide}}}")
    assert "rex_reduce_team(__rex_parallel_threads, rex_into_add(__rex_s, s));" in body and "rex_reduce_add" not in body


def test_a_block_joins_several_variables_at_once() -> None:
    inner = f"#pragma omp parallel for reduction(+ : s, a) reduction(min : d)\n{FOR} {{ s++; a[1]++; d = i; }}"
    body = kernel(f"#pragma omp target teams map(tofrom : s, a, d) num_teams(1)\n{{\n{inner}\n}}")
    row = "rex_into_add((int *)__rex_a, (int *)a, sizeof a / sizeof(int))"
    assert "rex_reduce_block(rex_into_add(__rex_s, s)," in body and row in body and "rex_into_min(__rex_d, d)" in body
    assert body.count("rex_reduce") == 1


def test_elements_are_joined_by_each_block_or_in_order_on_request() -> None:
    text = f"int large[65];\n{LOOP} reduction(+ : s, large)\n{FOR} {{ s++; large[1]++; }}"
    row = "rex_into_add((int *)__rex_large, (int *)large, sizeof large / sizeof(int))"
    body = kernel(text)
    assert f"rex_reduce_block({row});" in body and "rex_reduce(__rex_partials, rex_into_add(__rex_s, s));" in body
    output = compiled(function(text), reduction="reproducible")
    body = output.kernels[0].body
    assert body.count("rex_reduce") == 1 and "rex_reduce(__rex_partials," in body and row in body
    room = "rex_partial_bytes(_num_blocks_, sizeof s) + rex_partial_bytes(_num_blocks_, sizeof large)"
    assert output.blocks[0].sizes[-1] == f"(__INT64_TYPE__)({room})"


@pytest.mark.parametrize("strategy", ["device", "host"])
def test_few_elements_are_joined_as_values_are(strategy: str) -> None:
    output = compiled(function(f"{LOOP} reduction(+ : a, d)\n{FOR} {{ d++; a[1]++; }}"), reduction=strategy)
    row = "rex_into_add((int *)__rex_a, (int *)a, sizeof a / sizeof(int))"
    assert "rex_reduce_block(" not in output.device and "rex_reduce(__rex_partials," in output.device
    assert row in output.device
    assert any("rex_partial_bytes(_num_blocks_, sizeof a)" in size for size in output.blocks[0].sizes)


def test_sections_in_order_bring_memory_for_their_elements() -> None:
    output = compiled(function(f"{LOOP} reduction(* : p[2 : n])\n{FOR} p[2 + i] *= 3;"), reduction="reproducible")
    assert "rex_into_mul(__rex_p + 2, __rex_own_p, __rex_section_0_p)" in output.kernels[0].body
    assert (
        output.blocks[0].sizes[-1]
        == "(__INT64_TYPE__)(rex_partial_bytes(_num_blocks_, sizeof p[0] * (__SIZE_TYPE__)(n)))"
    )


def test_what_teams_have_reduced_is_joined_in_order() -> None:
    text = f"#pragma omp target teams reduction(+ : d)\n{{\n#pragma omp parallel for reduction(+ : d)\n{FOR} d++;\n}}"
    assert "rex_atomic_add(__rex_d, d);" in compiled(function(text), reduction="atomic").device
    for strategy in ("device", "reproducible", "host"):
        device = compiled(function(text), reduction=strategy).device
        assert device.rstrip().endswith("rex_reduce_blocks(__rex_partials, rex_into_add(__rex_d, d));\n}")
        assert "rex_atomic" not in device
    elements = text.replace("(+ : d)", "(+ : a)").replace("d++", "a[1]++")
    assert "rex_reduce_blocks" not in compiled(function(elements)).device
    assert "rex_reduce_blocks" in compiled(function(elements), reduction="reproducible").device


@pytest.mark.parametrize(
    ("clause", "statement", "room"),
    [
        ("a", "a[p[i] & 7] *= 3;", ("int __rex_room_a[256 * 9];", "int (&a)[8] = *(int (*)[8])(", "threadIdx.x * 9")),
        ("b", "b[i & 3][1] *= 3;", ("int __rex_room_b[256 * 17];", "int (&b)[4][4] = *(int (*)[4][4])(", "* 17)")),
        (
            "q[2:8]",
            "q[2 + p[i]] *= 3;",
            ("double __rex_room_q[256 * 9];", "double *__rex_own_q = __rex_room_q + ", "* 9"),
        ),
    ],
)
def test_elements_that_only_the_run_finds_have_rooms_in_shared_memory(
    clause: str, statement: str, room: tuple[str, ...]
) -> None:
    text = f"{LOOP} reduction(* : {clause})\n{FOR} {statement}"
    for strategy in ("device", "reproducible", "atomic"):
        body = kernel(text, reduction=strategy)
        assert f"__shared__ {room[0]}" in body and all(part in body for part in room)


@pytest.mark.parametrize(
    "text",
    [
        f"{LOOP} reduction(+ : a)\n{FOR} a[3]++;",
        f"{LOOP} reduction(+ : a)\n{FOR} for (int k = 0; k < 8; k++) a[k] += i;",
        f"{LOOP} reduction(* : a) reduction(max : b)\n{FOR} {{ a[p[i]] *= 3; b[p[i]][0] = i; }}",
        f"{LOOP} reduction(* : a) thread_limit(1024)\n{FOR} a[p[i]] *= 3;",
        f"{LOOP} reduction(* : a) num_threads(n)\n{FOR} a[p[i]] *= 3;",
        f"{LOOP} reduction(* : q[:10])\n{FOR} q[p[i]] *= 3;",
        f"#pragma omp target teams distribute reduction(+ : a)\n{FOR} {{ a[p[i]]++;\n#pragma omp parallel\np[0]++;\n}}",
    ],
)
def test_other_elements_are_the_threads_own_variables(text: str) -> None:
    assert "__rex_room" not in kernel(text)


@pytest.mark.parametrize("strategy", ["device", "atomic", "host"])
def test_teams_add_their_elements_while_others_do(strategy: str) -> None:
    inner = "{ a[i % 2]++;\n#pragma omp parallel for\nfor (int j = 0; j < 8; j++) p[j + 8 * i] = i;\n}"
    text = f"#pragma omp target teams distribute reduction(+ : a)\n{FOR} {inner}"
    device = compiled(function(text), reduction=strategy).device
    assert "rex_atomic_add((int *)__rex_a + __rex_e, ((int *)a)[__rex_e]);" in device
    mine = "#pragma omp declare reduction(mine : int : omp_out += omp_in)\n"
    device = compiled(function(text.replace("+ : a", "mine : a"), mine), reduction=strategy).device
    assert "rex_reduce_each_with((int *)__rex_a + __rex_e, ((int *)a)[__rex_e], " in device


@pytest.mark.parametrize(
    ("operator", "step", "join"),
    [
        ("+", "s += i", "*__rex_s += s;"),
        ("-", "s -= i", "*__rex_s += s;"),
        ("&&", "s = s && i", "*__rex_s = (int)(*__rex_s && s);"),
        ("max", "s = i", "*__rex_s = rex_combine_max(*__rex_s, s);"),
    ],
)
def test_a_thread_alone_needs_no_atomic(operator: str, step: str, join: str) -> None:
    inner = f"#pragma omp simd reduction({operator} : s)\n{FOR} {step};\n p[j] = s; }}"
    body = kernel(f"{LOOP} map(tofrom : p[0 : n])\nfor (int j = 0; j < n; j++) {{ int s = 0;\n{inner}")
    assert join in body


# ---- arrays ----------------------------------------------------------------------------------------------------------


def test_a_section_has_private_elements_only() -> None:
    output = compiled(function(f"{LOOP} reduction(* : a[2 : 3])\n{FOR} a[2 + i % 3] *= i;"))
    body = output.kernels[0].body
    assert "int __rex_room_a[256 * 3];" in body and "int *__rex_own_a = __rex_room_a + threadIdx.x * 3;" in body
    assert "int (&a)[8] = *(int (*)[8])rex_elements_from(__rex_own_a, 2);" in body
    assert "rex_reduce_block(rex_into_mul(*__rex_a + 2, __rex_own_a, 3));" in body
    base, begin, size, _ = output.blocks[0].row("a")
    assert (base, begin) == ("(void *)a", "(void *)&a[2]") and "* (__SIZE_TYPE__)3" in size


@pytest.mark.parametrize("section", ["q[0 : 8]", "q[0 : n]"])
def test_private_elements_of_a_section_overlap_nothing(section: str) -> None:
    maps = f"map(to : p[0 : n]) reduction(+ : {section})"
    inner = f"{LOOP} {maps}\n{FOR} {{ q[p[i]] *= 2; q[p[i]] += p[i]; }}"
    assert "__rex_cached_p = __ldg(&p[i]);" in kernel(inner)
    teams = f"#pragma omp target teams distribute {maps}\n{FOR} {{\n#pragma omp parallel\nq[p[i]] *= p[i];\n}}"
    assert "__ldg" not in kernel(teams)  # elements that a team has


def test_elements_of_run_time_number_come_with_the_launch() -> None:
    output = compiled(function(f"{LOOP} reduction(* : p[0 : n])\n{FOR} p[i] *= i;"))
    assert "int *__rex_room_p" in output.kernels[0].parameters
    sizes = [s for s in output.blocks[0].sizes if "_num_blocks_" in s]
    assert sizes == ["(__INT64_TYPE__)(sizeof p[0] * (__SIZE_TYPE__)(n) * _num_blocks_ * _threads_per_block_)"]


@pytest.mark.parametrize("section", ["b[1 : 2]", "b[1][0 : 3]", "b[0 : 2][0 : 4]", "b[1]", "b[1][2]"])
def test_sections_of_several_dimensions_are_contiguous(section: str) -> None:
    body = kernel(f"{LOOP} reduction(+ : {section})\n{FOR} b[1][2] += i;")
    assert "int (&b)[4][4] = *(int (*)[4][4])" in body


# ---- user-defined reductions -----------------------------------------------------------------------------------------

SPAN = "struct span { int low, high; };\nint pick(int a, int b) { return a < b ? a : b; }\n"
WIDEN = "#pragma omp declare reduction(widen : struct span : omp_out.low = pick(omp_out.low, omp_in.low))"


def test_functions_stand_where_the_directive_stands() -> None:
    text = f"struct span r = {{1, 2}};\n{LOOP} reduction(widen : r)\n{FOR} if (i < r.low) r.low = i;"
    device = compiled(function(text, f"{SPAN}{WIDEN} initializer(omp_priv = {{9, 9}})")).device
    combiner = (
        "__device__ static inline void rex_combine_widen_3(struct span &omp_out, struct span &omp_in) "
        "{ omp_out.low = pick(omp_out.low, omp_in.low); }"
    )
    assert device.count(combiner) == 1
    assert "struct span rex_init_widen_3() { struct span omp_priv = {9, 9}; return omp_priv; }" in device
    assert device.index("int pick(") < device.index(combiner) < device.index("__global__")
    assert "rex_reduce(__rex_partials, rex_into_with(__rex_r, r, REX_COMBINER(rex_combine_widen_3)));" in device


def test_an_unused_reduction_leaves_nothing_on_the_device() -> None:
    host_only = '#include <stdio.h>\n#pragma omp declare reduction(say : int : omp_out = printf("%d", omp_in))\n'
    assert "rex_combine" not in compiled(function(f"{LOOP} reduction(+ : s)\n{FOR} s++;", host_only)).device


def test_the_innermost_block_decides() -> None:
    declared = "#pragma omp declare reduction(mix : int : omp_out {} omp_in)\n"
    text = f"{{\n{declared.format('|=')}{LOOP} reduction(mix : s)\n{FOR} s |= i;\n}}"
    assert "omp_out |= omp_in;" in kernel(text, declared.format("&="))


def test_a_header_may_declare() -> None:
    header = f"{SPAN}{WIDEN}\n"
    source = function(f"struct span r = {{1, 2}};\n{LOOP} reduction(widen : r)\n{FOR} r.low = 0;", '#include "s.h"')
    output = compiled(source, "d/t.c", {"d/s.h": header})
    assert "rex_combine_widen_3(struct span &omp_out" in output.device


ORIGINALS = """#include <stdio.h>
#pragma omp declare reduction(sum : int : omp_out += omp_in) initializer(omp_priv = omp_orig)
struct big { long a, b, c; };
#pragma omp declare reduction(sum : struct big : omp_out.a += omp_in.a, omp_out.c += omp_in.c) \\
    initializer(omp_priv = omp_orig)
int main(void) {
  int s = 5, t = 3, u = 7, v = 9;
  struct big b = {1, 2, 3}, c = {1, 2, 3};
#pragma omp target parallel reduction(sum : s) num_threads(40)
  ;
#pragma omp target teams distribute parallel for reduction(sum : t) num_teams(6) num_threads(33) reduction(sum : c)
  for (int i = 0; i < 1; i++) t += 0;
#pragma omp target map(tofrom : u, v, b)
  {
#pragma omp parallel for reduction(sum : u) num_threads(37)
    for (int i = 0; i < 5; i++) u += 0;
#pragma omp parallel reduction(sum : v, b) num_threads(5)
    v += 0;
  }
  printf("%d %d %d %d %ld %ld %ld\\n", s, t, u, v, b.a, b.c, c.c);
  return 0;
}
"""


def test_initializers_read_the_value_before_any_thread_has_combined(bench: Bench) -> None:
    support.require_runtime()
    built = bench.build({"originals.c": ORIGINALS}, "-w")
    for cores in ("1", "5"):
        found = support.on_device(built, REX_HOST_CORES=cores)
        assert found == f"{5 * 41} {3 * 199} {7 * 38} {9 * 6} 6 18 {3 * 199}\n"


DIMENSIONS = """#include <stdio.h>
static double table[4][8];
int main(void) {
#pragma omp target teams distribute parallel for reduction(+ : table[1 : 2])
  for (int i = 0; i < 400; i++) table[1 + i % 2][i % 8] += 1;
#pragma omp target teams distribute parallel for reduction(+ : table[3][4 : 2]) collapse(2)
  for (int i = 0; i < 400; i++)
    for (int j = 0; j < 2; j++) table[3][4 + j] += i * j;
  printf("%g %g %g %g\\n", table[1][0], table[2][1], table[3][4], table[3][5]);
  return 0;
}
"""


def test_sections_that_the_host_compiler_gets_wrong(bench: Bench) -> None:
    """clang's own code for sections of an array of arrays is wrong or refused, so only the device is compared."""
    support.require_runtime()
    built = bench.build({"dimensions.c": DIMENSIONS}, "-w", "--host-compiler=gcc")
    assert support.on_device(built) == "50 50 0 79800\n"


# ---- scan and last values --------------------------------------------------------------------------------------------


def test_a_scan_is_one_teams_work() -> None:
    scan = "{ s += i;\n#pragma omp scan inclusive(s)\np[i] = s; }"
    text = f"{LOOP} reduction(inscan, + : s) map(from : p[0 : n]) num_teams(7)\n{FOR} {scan}"
    output = compiled(function(text))
    body = output.kernels[0].body
    assert body.index("s += i;") < body.index("rex_scan_inclusive_add(s, __rex_carry_s);") < body.index("p[i] = s;")
    assert "int _num_blocks_ = 1;" in output.blocks[0].text
    assert "rex_run_teams_synchronised" in output.cpu


def test_the_host_runs_a_scan_in_order() -> None:
    scan = "{{ {} i;\n#pragma omp scan inclusive(s)\np[i] = s; }}"
    text = f"#pragma omp target parallel for reduction(inscan, + : s) map(from : p[0 : n])\n{FOR} {scan}"
    assert "\n#pragma omp scan" not in compiled(function(text.format("s +="))).host
    assert "\n#pragma omp scan inclusive(s)" in compiled(function(text.format("s ="))).host


def test_who_ran_last_writes_back() -> None:
    body = kernel(f"{LOOP} lastprivate(s) schedule(static, 4)\n{FOR} s = i;")
    assert "__rex_ran_last = i == __rex_last_i;" in body
    assert "if (__rex_ran_last) *__rex_s = s;" in body


# ---- what is refused -------------------------------------------------------------------------------------------------

REFUSED = {
    "a type without the operator": (
        "omp-unknown-reduction",
        "no reduction '+' is declared for 'z' of type 'struct S'",
        f"struct S {{ int x; }} z;\n{LOOP} reduction(+ : «z»)\n{FOR} z.x++;",
    ),
    "a name for other types": (
        "omp-unknown-reduction",
        "there is one for 'long', 'short'",
        "#pragma omp declare reduction(mix : long, short : omp_out += omp_in)\n"
        f"{LOOP} reduction(«mix» : s)\n{FOR} s++;",
    ),
    "bits of a double": (
        "omp-reduction-type",
        "'|' reduces integers, but 'd' has type 'double'",
        f"{LOOP} reduction(| : «d»)\n{FOR} d++;",
    ),
    "a type that only hosts combine": (
        "unsupported-reduction",
        "__float128",
        f"__float128 huge;\n{LOOP} reduction(+ : «huge»)\n{FOR} ;",
    ),
    "a member": (
        "omp-list-item-type",
        "'z.x' is a part of a variable",
        f"struct S {{ int x; }} z;\n#pragma omp target teams distribute\n{FOR} {{\n"
        f"#pragma omp simd reduction(+ : «z.x»)\n{FOR} z.x++; }}",
    ),
    "no elements": (
        "omp-section-length", "'a[1 : 0]' has no elements", f"{LOOP} reduction(+ : «a[1 : 0]»)\n{FOR} a[1]++;"
    ),
    "columns": (
        "omp-section-stride",
        "'b[0 : 2][1 : 2]' is not contiguous",
        f"{LOOP} reduction(+ : «b[0 : 2][1 : 2]»)\n{FOR} b[0][1]++;",
    ),
    "a variable in a combiner": (
        "omp-reduction-variable",
        "may not use the variable 'n'",
        f"#pragma omp declare reduction(far : int : omp_out += omp_in * «n»)\n{LOOP} reduction(far : s)\n{FOR} s++;",
    ),
    "an original that may be elsewhere": (
        "unsupported-reduction",
        "reads omp_orig",
        "#pragma omp declare reduction(up : int : omp_out += omp_in) initializer(omp_priv = omp_orig)\n"
        f"#pragma omp target data map(s)\n{LOOP} reduction(«up» : s)\n{FOR} s++;",
    ),
    "a conditional last value of several teams": (
        "omp-clause-not-allowed",
        "'distribute' takes no lastprivate(conditional:)",
        f"{LOOP} «lastprivate(conditional : s)»\n{FOR} s = i;",
    ),
    "a conditional last array": (
        "omp-list-item-type",
        "lastprivate(conditional:) takes scalars",
        f"#pragma omp target parallel for lastprivate(conditional : «a»)\n{FOR} a[0] = i;",
    ),
    "a conditional last value assigned atomically": (
        "unsupported-clause",
        "'s', which is in lastprivate(conditional:), is assigned in an 'atomic' construct",
        "#pragma omp target parallel for lastprivate(conditional : s)\n"
        f"{FOR} {{\n#pragma omp atomic write\n«s» = i;\n}}",
    ),
    "a conditional last value that another construct assigns": (
        "unsupported-clause",
        "'reduction' of 's' inside 'target parallel for' with lastprivate(conditional: s)",
        "#pragma omp target parallel for lastprivate(conditional : s)\n"
        f"{FOR} {{\n#pragma omp simd «reduction(+ : s)»\nfor (int k = 0; k < i; k++) s += k;\n}}",
    ),
    "a last pointer": (
        "unsupported-clause", "the pointer 'p'", f"{LOOP} lastprivate(«p»)\n{FOR} p = &s;"
    ),
    "a linear array": (
        "omp-list-item-type",
        "'linear' is for integers",
        f"#pragma omp target parallel for linear(«a» : 1)\n{FOR} a[0] = i;",
    ),
    "inscan without scan": (
        "omp-scan",
        "needs one 'scan' directive",
        f"#pragma omp «target parallel for reduction(inscan, + : s)»\n{FOR} {{ s++; }}",
    ),
    "scan of another variable": (
        "omp-scan",
        "'s' has an 'inscan' reduction and must be in the 'scan'",
        f"{LOOP} reduction(inscan, + : s, d)\n{FOR} {{ s++;\n#pragma omp «scan inclusive(d)»\n d += s; }}",
    ),
    "scan in a branch": (
        "omp-scan",
        "between statements of the loop's body itself",
        f"{LOOP} reduction(inscan, + : s)\n{FOR} {{ if (i) {{ s++;\n#pragma omp «scan inclusive(s)»\n p[0] = s; }} }}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_place(name: str) -> None:
    code, message, text = REFUSED[name]
    expect_error(function(text), code, message)


def test_enumerations_of_cplusplus_have_no_operators() -> None:
    text = f"enum colour {{ RED }} c = RED;\n{LOOP} reduction(| : «c»)\n{FOR} c = RED;"
    expect_error(function(text), "omp-unknown-reduction", "no reduction '|' is declared", "t.cpp")


def test_the_advice_for_a_class_that_adds_is_a_directive_that_works() -> None:
    text = f"struct S {{ int x; S operator+(S o) const {{ return {{x + o.x}}; }} }} z;\n«HERE»\n{LOOP}"
    text = function(f"{text} reduction(+ : z)\n{FOR} z.x++;")
    found = support.only_error(text.replace("«HERE»", ""), "t.cpp")
    (note,) = found.notes
    directive = note.message.split("'")[1]
    assert directive.endswith(": omp_out = omp_out + omp_in) initializer(omp_priv = {})")
    assert "__tgt_target_kernel" in compiled(text.replace("«HERE»", directive), "t.cpp").host


def test_members_that_leave_a_region_are_refused_by_name() -> None:
    text = f"struct S {{ int x; void f(int n) {{\n{LOOP} lastprivate(«x»)\n{FOR} x++;\n}} }};"
    expect_error(text, "unsupported-item", "'lastprivate' of 'x'", "t.cpp")


# ---- the host version ------------------------------------------------------------------------------------------------


PARTS = """
static double g[16], *p;
struct S { static double m[8]; };
void f(int n) {
static double s[9]; double l[9];
{}
}
"""


@pytest.mark.parametrize(
    ("item", "alone"),
    [
        ("g[2 : 5]", True), ("g[3]", True), ("p[0 : n]", True), ("S::m[1 : 2]", True), ("s[0 : 9]", True),
        ("g", False), ("l[2 : 5]", False),
    ],
)  # fmt: skip
def test_clang_executes_reductions_of_parts_of_what_is_static_by_one_thread(item: str, alone: bool) -> None:
    """clang-19 gives threads no copies of them, wherever the loop is."""
    names = {
        "loop": f"{LOOP} reduction(+ : {item})",
        "inside": f"#pragma omp target\n#pragma omp parallel for reduction(+ : {item})",
    }
    element = item if item in ("g", "g[3]") else item.partition("[")[0]
    for directive in names.values():
        text = PARTS.replace("{}", f"{directive}\n{FOR} {element.removesuffix('[3]')}[3] += i;")
        by_clang = support.translate_text(text, "t.cpp", compiler_macros=(("__clang__", "1"),))
        by_others = support.translate_text(text, "t.cpp")
        assert by_clang.host is not None and by_others.host is not None, support.rendered(by_clang)
        assert by_clang.host.text.count("num_threads(1)") == alone, directive
        assert "num_threads(1)" not in by_others.host.text
