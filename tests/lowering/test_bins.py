"""Elements that many threads add to have bins in each block's memory, where no access can tell."""

from __future__ import annotations

import pytest

from support import Output, compiled

ADD = "\n#pragma omp atomic\n    h[k[i]]++;"
ADDITIONS = [
    (ADD, ("rex_bin_add(__rex_bins_h, &h[k[i]], 1)",)),
    (
        "\n#pragma omp atomic update relaxed\n    h[k[i]] += k[i] + 1;",
        ("rex_bin_add(__rex_bins_h, &h[k[i]], k[i] + 1)",),
    ),
    ("\n#pragma omp atomic\n    h[i % 9] = h[i % 9] - w;", ("rex_bin_sub(__rex_bins_h, &h[i % 9], w)",)),
    (
        f"{ADD}\n#pragma omp atomic\n    g[w] -= 2;",
        ("__rex_bins_h, &h[k[i]], 1", "rex_bin_sub(__rex_bins_g, &g[w], 2)"),
    ),
    (f"h[k[i]] = 0; k[i] = h[w]; if (w) {ADD}", ("__rex_bins_h, &h[k[i]], 1",)),  # what comes before may be the same
    (f"{ADD} list[i] = k[i];", ("__rex_bins_h, &h[k[i]], 1",)),  # listed with h: two objects
    (f"{ADD}\n#pragma omp atomic\n    d[k[i]] += w;", ("__rex_bins_h, &h[k[i]], 1", "rex_atomic_add(&d[k[i]], w)")),
    ("int at = found(list, i);\n#pragma omp atomic\n    h[at]++;", ("rex_bin_add(__rex_bins_h, &h[at], 1)",)),
    # what a function reads before an addition may be the same, as what an iteration itself reads
    ("int at = found(other, i);\n#pragma omp atomic\n    h[at]++;", ("rex_bin_add(__rex_bins_h, &h[at], 1)",)),
    ("\n#pragma omp atomic\n    h[found(other, i)] += found(other, w);", ("__rex_bins_h, &h[found(other, i)], fou",)),
    (f"{ADD} d[i] = 0;", ("__rex_bins_h, &h[k[i]], 1",)),  # an object of another type
    (f"for (int j = 0; j < 4; j++) {ADD}", ("__rex_bins_h, &h[k[i]], 1",)),
    (f"for (int j = 0; j < w; j++) {{ int b = j; while (b > 9) b /= 2; {ADD} }}", ("__rex_bins_h, &h[k[i]], 1",)),
    (
        f"{ADD}\n#pragma omp atomic\n    ++count;",
        ("__rex_bins_h, &h[k[i]], 1", "rex_open_bins(__rex_bin_memory_count, &count, n)"),
    ),
]
OTHERS = [
    f"{ADD} h[w] = 0;",
    f"{ADD} other[i] = h[w];",
    f"{ADD} other[i] = 0;",  # other may point into h
    "for (int j = 0; j < 4; j++) { other[j] = 1; \n#pragma omp atomic\n    h[k[i]]++;\n }",
    f"{ADD} w = *other;",
    "\n#pragma omp atomic capture\n    w = h[k[i]]++;",
    f"{ADD}\n#pragma omp atomic\n    h[w] |= 1;",
    f"{ADD}\n#pragma omp atomic read\n    w = h[1];",
    "\n#pragma omp atomic seq_cst\n    h[k[i]]++;",
    "\n#pragma omp atomic\n    h[k[i]] += 0.5;",
    "\n#pragma omp atomic\n    d[k[i]] += 1;",
    "\n#pragma omp atomic\n    *l += 1;",
    "\n#pragma omp atomic\n    tallies[k[i]].sum += 1;",
    "\n#pragma omp atomic\n    tallies[k[i]].n += 1;\n#pragma omp atomic\n    tallies[k[i]].few += 1;",
    "\n#pragma omp atomic\n    tallies[k[i]].n += 1;\n other[i] = (int)tallies[w].n;",
    "\n#pragma omp atomic\n    tallies->next[k[i]].n += 1;",
    "\n#pragma omp atomic\n    tallies->n += 1;",
    "struct tally *t = w ? &tallies[i] : tallies->next;\n#pragma omp atomic\n    t->n += 1;",
    f"{ADD}\n#pragma omp atomic\n    *u += 1;",  # of a type that may be an integer's
    f"{ADD}\n#pragma omp atomic capture\n    d[0] = d[1]++;",
    f"{ADD}\n#pragma omp atomic seq_cst\n    d[1] += 1;",
    f"{ADD}\n#pragma omp atomic\n    both[w].real += 1;",
    "\n#pragma omp atomic\n    seen[k[i]] += 1;",
    "{ int own[3] = {0};\n#pragma omp atomic\n    own[k[i] % 3] += 1;\n other[i] = own[0]; }",
    "{ int *moving = h + i;\n#pragma omp atomic\n    moving[0] += 1;\n }",
    f"{ADD} w = anything(i);",
    f"{ADD} other[0] = found(other, i);",  # other may point into h
    f"{ADD} w += found(other, i);",
    "for (int j = 0; j < 4; j++) { int at = found(other, j);\n#pragma omp atomic\n    h[at]++;\n }",
    f"w = found(other, i); {ADD}\n#pragma omp atomic\n    g[found(other, i)]++;",
    "int at = seen_now(other, i);\n#pragma omp atomic\n    h[at]++;",  # atomic reads, also through other functions
    "int at = seen_later(other, i);\n#pragma omp atomic\n    h[at]++;",
    "int at = seen_often(other, i);\n#pragma omp atomic\n    h[at]++;",
    "int at = anything(i);\n#pragma omp atomic\n    h[at]++;",
    f"if (w > 3) continue; {ADD}",
    f"for (int j = 0; j < k[i]; j++) w += list[j]; {ADD}",  # it pays only where the additions are what takes the time
]


def lowered(statement: str, clauses: str = "", construct: str = "teams distribute parallel for") -> Output:
    """Return what becomes of a loop."""
    source = (
        "struct tally { long n; int few; double sum; struct tally *next; };\n"
        "union either { int whole; float real; };\n"
        "#pragma omp declare target\nstatic int *hidden;\nint anything(int x) { return *hidden = x; }\n"
        "static int found(const int *in, int x) { int at = 0; while (in[at] < x) at++; return at; }\n"
        "static int seen_now(const int *in, int x) {\n  int now;\n#pragma omp atomic read\n  now = in[x];\n"
        "  return now;\n}\n"
        "static int seen_later(const int *in, int x) { return seen_now(in, x) + 1; }\n"
        "static int seen_often(const volatile int *in, int x) { return in[x]; }\n"
        "#pragma omp end declare target\nvoid f(int n, int w, int count, int *h, unsigned *g, int *k, int *list,"
        " int *other, double *d, long *l, struct tally *tallies, volatile int *seen, unsigned char *u,"
        " union either *both) {\n"
        "#pragma omp target data map(tofrom: h[0:99], g[0:99], k[0:n], list[0:n])\n"
        f"#pragma omp target {construct} firstprivate(w) map(tofrom: count) {clauses}\n"
        f"  for (int i = 0; i < n; i++) {{ {statement} }}\n}}\n"
    )
    return compiled(source, "a.c")


def device(statement: str, clauses: str = "", construct: str = "teams distribute parallel for") -> str:
    """Return the device text of a loop."""
    return lowered(statement, clauses, construct).device


@pytest.mark.parametrize(("statement", "expected"), ADDITIONS)
def test_additions_go_to_bins(statement: str, expected: tuple[str, ...]) -> None:
    text = device(statement)
    for one in expected:
        assert one in text
    assert (
        text.index("rex_open_bins(__rex_bin_memory_h, h, ")
        < text.index("for (long long")
        < text.index("rex_close_bins")
    )


def test_the_iterations_of_a_nest_are_a_product_of_64_bits() -> None:
    text = compiled(
        "#define LAST w - 1\n"
        "void f(int n, int w, int *h, int *k) {\n"
        "#pragma omp target teams distribute parallel for collapse(4) map(tofrom: h[0:99]) map(to: k[0:n])\n"
        "  for (int a = 0; a < n; a++)\n    for (int b = 0; b < n / 2; b++)\n      for (int c = 0; c < LAST; c++)\n"
        "        for (int d = 0; d < 9; d++) {\n#pragma omp atomic\n          h[k[a]]++;\n        }\n}\n",
        "a.c",
    ).device
    count = text[text.index("rex_open_bins(") : text.index(");", text.index("rex_open_bins("))]
    assert count.endswith(", (long long)n * (n / 2) * (LAST) * 9")


@pytest.mark.parametrize("statement", OTHERS)
def test_what_could_be_noticed_does_not(statement: str) -> None:
    text = device(statement)
    assert "rex_atomic" in text or "own[" in text
    assert "bins" not in text


NUMBERS = """struct point { float x, y; int at; };
union either { int whole; float real; };
#pragma omp declare target
static float first(const float *of) { return of[0]; }
#pragma omp end declare target
void f(int n, int m, const float *x, const float *y, const struct point *p, const union either *e, const char *c,
       int *h, double *w, float *out) {
#pragma omp target teams distribute parallel for firstprivate(m)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      BEFORE
#pragma omp atomic
      h[(int)(NUMBER) & 63]++;
      BEHIND
    }
}
"""
MORE = "#pragma omp atomic\n      w[j & 3] += 1;"


def counted(number: str, before: str = "", behind: str = "", first: str = "") -> str:
    """Return the device text of a loop that counts numbers, of which nothing but types is known."""
    source = first + NUMBERS.replace("NUMBER", number).replace("BEFORE", before).replace("BEHIND", behind)
    return compiled(source, "a.c").device


@pytest.mark.parametrize(
    ("number", "behind", "name"),
    [
        ("x[i] - y[j]", "", "const float *__restrict__ y"),
        ("p[j].x", "", "const struct point *__restrict__ p"),
        ("x[j]", MORE, "const float *__restrict__ x"),  # another type's numbers change besides
    ],
)
def test_numbers_of_another_type_never_change(number: str, behind: str, name: str) -> None:
    text = counted(number, behind=behind)
    assert "rex_open_bins" in text
    assert name in text


@pytest.mark.parametrize(
    ("number", "before", "behind"),
    [
        ("y[j]", "int k = ((const int *)y)[j];", ""),  # not behind an addition: it may be the counts themselves
        ("p[j].x", "int k = p[i].at;", ""),
        ("e[j].real", "", ""),  # members of a union may be one
        ("c[j]", "", ""),  # characters may be anything
        ("y[j]", "", "out[i] = 1;"),  # a plain store may make one type's object of another's
        ("first(y)", "", ""),
        ("y[j]", "out[i] = 1;", ""),
    ],
)
def test_numbers_that_may_change_are_loaded_again(number: str, before: str, behind: str) -> None:
    assert "__restrict__" not in counted(number, before, behind)


def test_types_tell_nothing_where_the_user_says_so() -> None:
    aliasing = "typedef double __attribute__((may_alias)) number;\n"
    assert "__restrict__" not in counted("x[i]", first=aliasing)
    text = "void f(int n, int *h, number *d) {\n#pragma omp target teams distribute parallel for\n"
    loop = "  for (int i = 0; i < n; i++) {\n#pragma omp atomic\n    h[i & 7]++;\n    d[i] = 0;\n  }\n}\n"
    assert "bins" in compiled(text.replace("number", "double") + loop, "a.c").device
    assert "bins" not in compiled(aliasing + text + loop, "a.c").device


COPIES = """static int h[9], one;
void f(int n, int *k, int *out) {
#pragma omp target teams distribute parallel for map(k[0:n], out[0:n]) CLAUSES
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    h[k[i]]++;
#pragma omp atomic
    one++;
    out[i] = h[i] + one;
  }
}
"""


@pytest.mark.parametrize("clauses", ["private(h, one)", "firstprivate(h) private(one)"])
def test_a_threads_own_copy_of_a_static_variable_has_none(clauses: str) -> None:
    text = compiled(COPIES.replace("CLAUSES", clauses), "a.c").device
    assert "    h[__ldg(&k[i])]++;\n" in text
    assert "    one++;\n" in text
    assert "bins" not in text
    assert "rex_atomic" not in text


@pytest.mark.parametrize(("arrays", "number"), [("hg", 4096), ("hgk", 2048)])
def test_a_block_has_room_for_all_bins(arrays: str, number: int) -> None:
    """At most 32 KiB of its memory, 48 of which are there."""
    text = device(" ".join(f"\n#pragma omp atomic\n    {array}[w]++;" for array in arrays))
    assert text.count(f"rex_bin_memory<unsigned int, {number}> ") == len(arrays)


WIDE = [
    (
        "l[k[i]] += 1;",
        ("rex_bin_add(__rex_bins_l, &l[k[i]], 1)", "rex_bin_memory<unsigned long long, 4096> __rex_bin_memory_l"),
    ),
    (
        "tallies[k[i]].n -= w;",
        (
            "rex_bin_sub(__rex_bins_tallies, &tallies[k[i]].n, w)",
            "rex_bin_memory<unsigned long long, 4096> __rex_bin_memory_tallies",
        ),
    ),
    (
        "tallies[k[i]].n += 3;\n#pragma omp atomic\n    tallies[k[i]].sum += w;",
        (
            "rex_bin_memory<unsigned long long, 4096> __rex_bin_memory_tallies",
            "rex_bin_add(__rex_bins_tallies, &tallies[k[i]].n, 3)",
            "rex_atomic_add(&tallies[k[i]].sum, w)",
        ),
    ),
    (
        "tallies[k[i]].few++;",
        ("rex_bin_add(__rex_bins_tallies, &tallies[k[i]].few, 1)", "rex_bin_memory<unsigned int, 4096> "),
    ),
    (
        "h[w]++;\n#pragma omp atomic\n    l[w]++;",
        (
            "rex_bin_memory<unsigned int, 2048> __rex_bin_memory_h",
            "rex_bin_memory<unsigned long long, 1024> __rex_bin_memory_l",
        ),
    ),
]


@pytest.mark.parametrize(("statement", "expected"), WIDE)
def test_bins_have_the_size_of_elements_and_members(statement: str, expected: tuple[str, ...]) -> None:
    text = device(f"\n#pragma omp atomic\n    {statement}")
    for one in expected:
        assert one in text


def test_headers_know_macros_of_the_command_line_that_they_ask_for() -> None:
    arguments = ("-DREX_BINS_ON_CPU", "-DDEFINED=2", "-DREX_TILE=4")
    text = compiled(COPIES.replace("CLAUSES", ""), "a.c", arguments=arguments).device
    header = text.index('#include "rex_nvidia.h"')
    assert text.index("#define REX_BINS_ON_CPU 1") < header < text.index("#define DEFINED 2")
    assert text.index("#define REX_TILE 4") < header


@pytest.mark.parametrize(
    ("clauses", "construct"),
    [
        ("schedule(static, 1)", "teams distribute parallel for"),
        ("num_threads(32)", "teams distribute parallel for"),
        ("num_teams(40)", "teams distribute parallel for"),
        ("reduction(+: w)", "teams distribute parallel for"),
    ],
)
def test_the_loop_is_over_the_grid_and_the_launch_is_ours(clauses: str, construct: str) -> None:
    clauses = clauses.replace("reduction(+: w)", "reduction(+: n)")
    assert "bins" not in device(ADD, clauses, construct)


TEMPLATE = """template <class T> void add(int n, int *k, T *h) {
#pragma omp target teams distribute parallel for map(tofrom: h[0:9]) map(to: k[0:n])
  for (int i = 0; i < n; i++) {
    if constexpr (sizeof(T) == 4) {
#pragma omp atomic
      h[k[i]] += T(1);
    } else {
#pragma omp atomic
      h[k[i]] -= 1;
    }
  }
}
void f(int n, int *k, int *i, float *f, long *l) { add(n, k, i); add(n, k, f); add(n, k, l); }
"""


def test_instances_of_a_template_have_them_where_their_types_do() -> None:
    output = compiled(TEMPLATE, "t.cpp")
    assert output.device.count("rex_bin_add(__rex_bins_h, &h[") == 1
    assert (
        output.device.count("rex_bin_sub(__rex_bins_h, &h[")
        == output.device.count("rex_bin_memory<unsigned long long, 4096> ")
        == 1
    )
    assert output.device.count("rex_atomic_add(&h[") == 1
    assert output.host.count("rex_blocks_with_bins(") == 1


def test_a_pointer_of_an_iteration_leads_to_elements() -> None:
    text = device(
        "struct tally *t = &tallies[k[i] & 63];\n#pragma omp atomic\n    t->n++;\n#pragma omp atomic\n    t->sum += w;"
    )
    assert "rex_open_bins(__rex_bin_memory_tallies, tallies, n)" in text
    assert "rex_bin_add(__rex_bins_tallies, &t->n, 1)" in text
    assert "rex_atomic_add(&t->sum, w)" in text


ADDITIONS_OF_LOOPS = [
    (f"for (int j = 0; j < w; j++) {ADD}", "8 * (long long)n", 8),
    (f"for (int j = 0; j < 2; j++) {ADD}", "3 * (long long)n", 3),  # about two
    (f"for (int j = 0; j < 2; j++) for (int l = j; l < w; l++) {ADD}", "8 * (long long)n", 8),
    (f"{ADD} for (int j = 0; j < 100; j++) {ADD}", "8 * (long long)n", 8),
    (ADD, "n", 1),
]


@pytest.mark.parametrize(("statement", "added", "additions"), ADDITIONS_OF_LOOPS)
def test_loops_around_an_addition_make_more_of_it(statement: str, added: str, additions: int) -> None:
    """Threads with one iteration each have bins where it adds often, and the grid is no smaller for them."""
    output = lowered(statement)
    assert f"rex_open_bins(__rex_bin_memory_h, h, {added});" in output.device
    assert f"rex_blocks_with_bins(__device_id, __rex_tripcount, _threads_per_block_, {additions})" in output.host
