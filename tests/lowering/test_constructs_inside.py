"""The text of constructs inside device code, and what is refused there."""

from __future__ import annotations

import re

import pytest

import support
from rexcc.lowering.constructs import lower
from rexcc.pipeline import StageError
from support import compiled, expect_error

HEAD = """#include <omp.h>
void g(int by) {}
void f(int n, int *p, double *q, int chunk) {
  int s = 0, a[64], x = 0;
#pragma omp target parallel map(tofrom : s, a, x, p[0 : n])
  { g(0); // so that the region is this one directive
"""


def in_parallel(code: str) -> str:
    return f"{HEAD}{code}\n  }}\n}}\n"


def body(code: str, name: str = "t.c") -> str:
    """Return the kernel's text for code inside a parallel region, one blank for each gap, without line directives."""
    (kernel,) = compiled(in_parallel(code), name).kernels
    return squeezed(kernel.body[re.search(r"#line|/\* #pragma", kernel.body).start() :])


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"^#line.*", "", text, flags=re.M)).strip()


HEADERS = {
    "for (int i = 0; i < 256; i++)": "for (int i = threadIdx.x; i < 256; i += blockDim.x)",
    "for (int i = 2; i <= 10; i += 3)": "for (int i = 2 + threadIdx.x * 3; i <= 10; i += blockDim.x * 3)",
    "for (unsigned i = 7; i < 9; ++i)": "for (unsigned int i = 7 + threadIdx.x; i < 9; i += blockDim.x)",
    "for (long i = 0; i < n; i++)": "for (long i = threadIdx.x; i < n; i += blockDim.x)",
    "for (int i = 0; i < n; i++)": "for (long long __rex_i = threadIdx.x; __rex_i < n; __rex_i += blockDim.x)",
    "for (int i = n; i < 2 * n; i++)": (
        "for (long long __rex_i = n + (long long)threadIdx.x; __rex_i < 2 * n; __rex_i += blockDim.x)"
    ),
    "for (int i = n - 1; i >= 0; i -= 2)": (
        "for (long long __rex_i = (n - 1) - (long long)threadIdx.x * 2; __rex_i >= 0; __rex_i -= blockDim.x * 2)"
    ),
    "for (int i = 0; i < 10; i += chunk)": (
        "for (long long __rex_i = (long long)threadIdx.x * chunk; __rex_i < 10; "
        "__rex_i += (long long)blockDim.x * chunk)"
    ),
    "for (int i = 2147483000; i < 2147483640; i++)": (
        "for (long long __rex_i = 2147483000 + (long long)threadIdx.x; __rex_i < 2147483640; __rex_i += blockDim.x)"
    ),
    "for (unsigned char i = 0; i < 250; i++)": (
        "for (long long __rex_i = threadIdx.x; __rex_i < 250; __rex_i += blockDim.x)"
    ),
}


def test_a_comment_has_the_column_of_the_statements_beside_it() -> None:
    code = "    s = 1;\n#pragma omp task\n    s = 2;\n#pragma omp taskwait\n    s = 3;"
    text = compiled(in_parallel(code)).device
    assert "\n    /* #pragma omp taskwait */\n" in text


@pytest.mark.parametrize("written", HEADERS)
def test_a_shared_loop(written: str) -> None:
    assert HEADERS[written] in body(f"#pragma omp for\n  {written} a[i] = 0;")


TEXTS = {
    "#pragma omp barrier": "__syncthreads();",
    "#pragma omp flush": "__threadfence();",
    "#pragma omp flush(s)": "__threadfence();",
    "#pragma omp taskwait": "",
    "#pragma omp taskyield": "",
    "#pragma omp cancellation point parallel": "",
    "#pragma omp nothing": "",
    '#pragma omp error at(execution) severity(warning) message("odd")': (
        'printf("%s:%d: warning: %s\\n", "t.c", 7, "odd");'
    ),
    "if (s) {\n  #pragma omp error at(execution)\n  }": (
        'if (s) { { printf("%s:%d: error: %s\\n", "t.c", 8, "error directive"); __trap(); } }'
    ),
    "#pragma omp single nowait\n  s = 1;": "if (threadIdx.x == 0) s = 1;",
    "#pragma omp single\n  s = 1;\ng(1);": "if (threadIdx.x == 0) s = 1; __syncthreads(); g(1);",
    "#pragma omp masked\n  { s = 1; }": "if (threadIdx.x == 0) { s = 1; }",
    "#pragma omp masked filter(n % 3)\n  s = 1;": "if ((int)threadIdx.x == (n % 3)) s = 1;",
    "#pragma omp master\n  s = 1;": "if (threadIdx.x == 0) s = 1;",
    "#pragma omp critical\n  p[0]++;": "REX_CRITICAL(rex_critical_()) p[0]++;",
    "#pragma omp taskgroup\n  s = 1;": "s = 1;",
    "#pragma omp assume no_openmp\n  s = 1;": "s = 1;",
    "#pragma omp scope nowait\n  s = 1;": "s = 1;",
    "#pragma omp scope firstprivate(x)\n  x = 1;\ng(1);": (
        "{ const auto __rex_x = x; int x = __rex_x; x = 1; } __syncthreads(); g(1);"
    ),
    "#pragma omp task private(x)\n  x = 1;": "{ int x; x = 1; }",
    "#pragma omp parallel\n  s = 1;": "s = 1;",
    "#pragma omp parallel private(x)\n  x = 1;": "{ int x; x = 1; }",
    "#pragma omp parallel firstprivate(a)\n  a[0] = 1;": (
        "{ auto &__rex_a = a; int a[64]; __builtin_memcpy(a, __rex_a, sizeof a); a[0] = 1; }"
    ),
    "#pragma omp simd\n  for (int i = 0; i < n; i++) a[i] = 1;": "for (int i = 0; i < n; i++) a[i] = 1;",
    "#pragma omp simd private(x)\n  for (int i = 0; i < n; i++) x = i;": (
        "{ int x; for (int i = 0; i < n; i++) x = i; }"
    ),
    "#pragma omp loop bind(thread)\n  for (int i = 0; i < n; i++) a[i] = 1;": "for (int i = 0; i < n; i++) a[i] = 1;",
    "#pragma omp for nowait ordered\n  for (int i = 0; i < n; i++) {\n#pragma omp ordered\n a[i] = 1; }": (
        "if (threadIdx.x == 0) for (int i = 0; i < n; i++) { a[i] = 1; }"
    ),
    "#pragma omp for lastprivate(x) nowait\n  for (int i = 0; i < 9; i++) x = i;": (
        "{ auto &__rex_x = x; int x; const long long __rex_last = rex_tripcount_lt(0, 9, 1) - 1; "
        "for (int i = threadIdx.x; i < 9; i += blockDim.x) { x = i; } "
        "if (__rex_last >= 0 && __rex_last % blockDim.x == threadIdx.x) __rex_x = x; }"
    ),
    "s = omp_get_thread_num() + omp_get_num_threads();": "s = (int)threadIdx.x + (int)blockDim.x;",
    "s = omp_get_level() + omp_in_parallel();": "s = 1 + (blockDim.x > 1);",
    "s = omp_in_final();": "s = 0;",
    "#pragma omp task final(n > 2)\n  s = 1;": "s = 1;",
    "#pragma omp parallel\n  s = omp_get_thread_num() + omp_get_num_threads() * omp_get_level();": "s = 0 + 1 * 2;",
    "#pragma omp parallel\n  s = omp_in_parallel() + omp_get_ancestor_thread_num(1);": (
        "s = (blockDim.x > 1) + (int)threadIdx.x;"
    ),
    "#pragma omp single copyprivate(q)\n  q = 0;": (
        "if (threadIdx.x == 0) q = 0; rex_copy_from_first(q, (int)blockDim.x);"
    ),
}


@pytest.mark.parametrize("written", TEXTS)
def test_the_text_of_a_construct(written: str) -> None:
    text = re.sub(r"/\* *#pragma.*?\*/ ?", "", body(written))
    assert text == squeezed(f"{{ g(0); // so that the region is this one directive {TEXTS[written]} }}")


def barriers(code: str) -> int:
    return body(code).count("__syncthreads()")


def test_barriers_stand_where_openmp_has_them() -> None:
    loop = "#pragma omp for\n  for (int i = 0; i < n; i++) a[i]++;\n"
    assert barriers(f"{loop} g(1);") == 1
    assert barriers(loop.replace("for\n", "for nowait\n", 1) + "g(1);") == 0
    assert barriers(loop) == 0  # the region ends here
    assert barriers(f"{loop}#pragma omp barrier\n g(1);") == 1
    assert barriers(f"{{ {loop} }} g(1);".replace("{ #", "{\n#")) == 1
    assert barriers(f"if (n > 3) {{\n{loop} }}") == 1
    assert barriers(f"{loop}{loop}g(1);") == 2
    sections = "#pragma omp sections\n{\n#pragma omp section\n s = 1;\n#pragma omp section\n x = 1;\n }\n"
    assert barriers(f"{sections}g(1);") == 1


def test_a_kernel_without_questions_keeps_no_state() -> None:
    assert "rex_team_begin" not in compiled(in_parallel("s = omp_get_thread_num();")).device


STATE = {
    "a macro hides the call": ("#define ME omp_get_thread_num()\n", "s = ME;"),
    "a function asks": ("#include <omp.h>\nstatic int me(void) { return omp_get_thread_num(); }\n", "s = me();"),
    "a function shares a loop": (
        "static void share(int *p, int n) {\n#pragma omp for\n  for (int i = 0; i < n; i++) p[i] = 1; }\n",
        "share(p, n);",
    ),
    "through a function": (
        "#include <omp.h>\nstatic int me(void) { return omp_get_level(); }\nstatic int mine(void) { return me(); }\n",
        "s = mine();",
    ),
}


@pytest.mark.parametrize("what", STATE)
def test_a_kernel_keeps_the_state_that_functions_ask_for(what: str) -> None:
    before, code = STATE[what]
    elsewhere = f"void elsewhere(int *p, int n) {{\n  int s = 0;\n#pragma omp target\n  {{ {code} }}\n}}\n"
    source = before + in_parallel(code) + elsewhere  # a function that whole blocks alone call would know its team
    assert "rex_team_begin(1);" in compiled(source).device


def test_constructs_are_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A directive whose construct nothing lowers would become a comment."""
    monkeypatch.setattr(lower, "place_construct", lambda *_: None)
    with pytest.raises(StageError, match="'critical' has not been lowered"):
        compiled(in_parallel("\n#pragma omp critical\n  p[0] += 1;"))


COPIED = """#include <omp.h>
template <class T> struct Asking {{
  T v;
  Asking(int i) : v(i + omp_get_thread_num()) {{}}
  template <class U> Asking(const Asking<U> &o) : v(o.v + omp_get_thread_num()) {{}}
  {0}
}};
void f(int n, int *p) {{
  Asking<int> c(1);
#pragma omp target teams distribute parallel for firstprivate(c) map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) p[i] = c.v;
}}
"""


@pytest.mark.parametrize(
    ("member", "asks"),
    [
        ("", False),
        ("Asking(const Asking &) = default;", False),
        ("Asking &operator=(const Asking &o) { v = o.v + omp_get_thread_num(); return *this; }", False),
        ("Asking(const Asking &o) : v(o.v + omp_get_thread_num()) {}", True),
        ("~Asking() { v = omp_get_thread_num(); }", True),
    ],
)
def test_copies_of_bytes_call_no_function_of_their_class(member: str, asks: bool) -> None:
    assert ("rex_team_begin(1);" in compiled(COPIED.format(member), "t.cpp").device) == asks


IN_FINAL = "#include <omp.h>\nstatic int in_final(void) { return omp_in_final(); }\n"
FINAL = "#pragma omp task final(n > 2)\n s = {};"


def test_final_tasks_are_kept_where_code_in_them_asks() -> None:
    for asked in ("omp_in_final()", "in_final()"):
        device = support.on_one_line(compiled(IN_FINAL + in_parallel(FINAL.format(asked))).device)
        assert "{ rex_final __rex_final(n > 2);" in device and "rex_team_begin(1);" in device
    device = compiled(IN_FINAL + in_parallel(f"{FINAL.format(1)}\n s = in_final();")).device
    assert "rex_final" not in device and "rex_team_begin(1);" in device
    assert "rex_team_begin" not in compiled(IN_FINAL + in_parallel(FINAL.format(1))).device


def test_a_taskloop_may_be_final() -> None:
    loop = "#pragma omp taskloop final(x) shared(s)\n for (int i = 0; i < n; i++) s = omp_in_final();"
    assert "rex_final __rex_final(x); for (int i = 0; i < n; i++) s = omp_in_final(); }" in body(loop)


TASKS = "  int c = x, z = 2;\n#pragma omp taskloop {} shared(s)\n  for (int i = 0; i < n; i++) {}"


@pytest.mark.parametrize("chunks", ["grainsize(1)", "num_tasks(2)"])
@pytest.mark.parametrize("listed", ["firstprivate(c)", "default(firstprivate)"])
def test_first_private_copies_that_tasks_of_a_taskloop_change(chunks: str, listed: str) -> None:
    changing = in_parallel(TASKS.format(f"«{chunks}» {listed}", "c++, s += c;"))
    expect_error(changing, "unsupported-clause", "each task has a 'c' of its own, which its iterations change")
    for written, code in ((f"{chunks} {listed}", "s += c;"), (listed, "c++, s += c;")):
        compiled(in_parallel(TASKS.format(written, code)))


WANTED = """void f(int n, int *p) {{
  int g = -1;
#pragma omp target map(tofrom : {map})
  {{
    p[0] = 1;
    int k, m;
{loops}
  }}
}}
"""


@pytest.mark.parametrize("directive", ["loop bind(thread)", "parallel loop"])
def test_last_values_of_loop_indices_are_kept_where_they_are_read(directive: str) -> None:
    """The index of ``loop`` is lastprivate (OpenMP 5.2, 5.1.1); tests/execution/programs/loop_indices.c runs them."""
    loop = "#pragma omp {}\n for ({} = 0; {} < n; {}++) p[{}] = 1;"
    home = WANTED.format(map="g, p[0 : n]", loops=loop.format(directive, *"gggg"))
    used = WANTED.format(map="p[0 : n]", loops=loop.format(directive, *"kkkk") + "\n p[1] = k;")
    for source, name in ((home, "g"), (used, "k")):
        device = compiled(source).device
        assert f"__rex_{name} = {name};" in device or f" {name} = 0 + rex_tripcount_lt(0, n, 1) * 1;" in device
    again = loop.format(directive, *"kkkk") + "\n for (k = 0; k < 3; k++) p[k]++;\n" + loop.format(directive, *"mmmm")
    device = compiled(WANTED.format(map="p[0 : n]", loops=again)).device
    assert "&__rex_" not in device and "= 0 + rex_tripcount" not in device


@pytest.mark.parametrize("head", ["static int", "template <class T> static T"])
@pytest.mark.parametrize(
    ("directive", "on_host"),
    [
        ("loop bind(parallel)", "loop bind(parallel) lastprivate(i)"),
        ("parallel loop collapse(2) lastprivate(j)", "parallel loop collapse(2) lastprivate(j) lastprivate(i)"),
        ("loop bind(thread) private(i)", ""),
    ],
)
def test_functions_that_kernels_call_keep_last_values_on_the_host(head: str, directive: str, on_host: str) -> None:
    """clang 19 forgets the index of a ``loop`` that binds to a team of threads, unless a clause names it."""
    loops = f"#pragma omp {directive}\n for (i = 0; i < n; i++)\n for (j = 0; j < n; j++) ;"
    source = f"{head} last(int n) {{\n int i, j;\n{loops}\n return i;\n}}\nint f(int n) {{\n int k;\n"
    call = "last<int>(n)" if "template" in head else "last(n)"
    source += f"#pragma omp target map(from : k)\n k = {call};\n return k;\n}}\n"
    host = compiled(source, "a.cpp").host
    written = on_host or directive
    assert f"\n#pragma omp {written}\n" in host


def test_a_pointer_that_counts_and_is_mapped_home() -> None:
    source = "void f(int n, int *p) {\n int *q;\n#pragma omp DIRECTIVE defaultmap(tofrom) map(p[0 : n])\n"
    source += " for (q = p; q < p + n; q++) *q = 1;\n}\n"
    expect_error(
        source.replace("DIRECTIVE", "«target simd»"), "unsupported-clause", "the last value of the pointer 'q'"
    )
    compiled(source.replace("DIRECTIVE", "target teams loop private(q)"))


@pytest.mark.parametrize("behind", ["for (;;) { p[1] = k; k = 4; break; }", "for (k = k - 1; k > 3; k--) p[k] = 1;"])
def test_loops_that_read_an_index_before_they_assign_it(behind: str) -> None:
    loop = "#pragma omp loop bind(thread)\n for (k = 0; k < n; k++) p[k] = 1;\n"
    assert "__rex_k = k;" in compiled(WANTED.format(map="p[0 : n]", loops=loop + behind)).device


def test_a_wanted_index_of_loops_whose_bounds_depend_on_each_other() -> None:
    loops = (
        "#pragma omp parallel loop collapse(2)\n for (k = 0; k < n; k++)\n for (m = k; m < n; m++) p[m] = 1;\np[0] = m;"
    )
    device = compiled(WANTED.format(map="p[0 : n]", loops=loops)).device
    assert "if (__rex_final_iteration >= 0) m = __rex_last_m + 1;" in device
    assert "if (__rex_final_iteration >= 0) k =" not in device


def test_an_index_of_loop_that_would_be_mapped_implicitly() -> None:
    loop = "#pragma omp «loop» bind(thread)\n for (g = 0; g < n; g++) p[g] = 1;"
    source = WANTED.format(map="p[0 : n]) defaultmap(tofrom : scalar", loops=loop)
    expect_error(source, "unsupported-construct", "the last value of 'g' would be mapped implicitly")


def test_serialised_parallels_tell_the_functions_they_call() -> None:
    before = "#include <omp.h>\nstatic int me(void) { return omp_get_num_threads(); }\n"
    source = in_parallel("#pragma omp parallel\n s = me();\n#pragma omp parallel\n s = 1;")
    assert compiled(before + source).device.count("rex_parallel __rex_level(1);") == 1


def test_a_function_with_parallels_of_its_own_needs_no_state() -> None:
    function = "static int own(int n) { int s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
    function += "for (int i = 0; i < n; i++) s += i;\n return s; }\n"
    device = compiled(function + in_parallel("s = own(n);")).device
    assert "rex_team_begin" not in device
    assert "for (int i = 0; i < n; i++) s += i;" in device


def test_locks_are_declared_once() -> None:
    code = "#pragma omp critical(one)\n p[0]++;\n#pragma omp critical(one)\n p[0]++;\n#pragma omp critical\n p[0]++;"
    device = compiled(in_parallel(code)).device
    assert device.count("static __device__ unsigned &rex_critical_one() { static unsigned lock; return lock; }") == 1
    assert device.count("static __device__ unsigned &rex_critical_() { static unsigned lock; return lock; }") == 1


def test_directives_of_a_column_0_style_are_indented_like_their_statements() -> None:
    device = compiled(in_parallel("    int y = 0;\n#pragma omp masked\n    y = 1;")).device
    assert "\n    /* #pragma omp masked */ if (threadIdx.x == 0)\n    y = 1;" in device


def test_line_numbers_stay_the_users() -> None:
    loops = "for (int i = 0; i < 9; i++)\nfor (int k = 0; k < 9; k++)\n"
    code = f"#pragma omp for lastprivate(x) collapse(2)\n{loops}x = i;\ns = 7;"
    number, places = 0, {}
    for line in compiled(in_parallel(code)).device.splitlines():
        directive = re.match(r'#line (\d+) "t\.c"', line)
        if directive is None:
            places[line.strip()[:6]] = number
        number = int(directive[1]) if directive else number + 1
    assert (places["x = i;"], places["s = 7;"]) == (10, 11)


ERRORS = [
    ("omp-nesting", "'barrier' must not stand in 'single'", "#pragma omp single\n{\n#pragma omp «barrier»\n}"),
    ("omp-nesting", "'for' must not stand in 'critical'",
     "#pragma omp critical\n{\n#pragma omp «for»\nfor (int i = 0; i < n; i++) s++;\n}"),
    ("omp-nesting", "'single' must not stand in 'for'",
     "#pragma omp for\nfor (int i = 0; i < n; i++) {\n#pragma omp «single»\ns++;\n}"),
    ("omp-nesting", "'masked' must not stand in 'task'", "#pragma omp task\n{\n#pragma omp «masked»\ns++;\n}"),
    ("omp-nesting", "waits for itself", "#pragma omp critical(a)\n{\n#pragma omp «critical(a)»\ns++;\n}"),
    ("omp-private-original", "'reduction' of 'y'",
     "int y = 0;\n#pragma omp for reduction(+ : «y»)\nfor (int i = 0; i < n; i++) y++;"),
    ("omp-private-original", "'lastprivate' of 'y'",
     "int y;\n#pragma omp for lastprivate(«y»)\nfor (int i = 0; i < n; i++) y = i;"),
    ("unsupported-construct", "a task with 'detach' inside a 'target parallel' region",
     "omp_event_handle_t e;\n#pragma omp «task detach(e)»\ns++;"),
    ("unsupported-construct", "'depobj' inside a 'target parallel' region",
     "omp_depend_t d;\n#pragma omp «depobj(d) depend(in : s)»"),
    ("unsupported-clause", "'copyprivate' of the variable-length array 'v' cannot be lowered yet",
     "int v[n];\n#pragma omp single copyprivate(«v»)\nv[0] = 1;"),
    ("omp-clause-not-allowed", "'taskloop' takes no lastprivate(conditional:)",
     "#pragma omp taskloop «lastprivate(conditional : x)»\nfor (int i = 0; i < n; i++) if (i == 3) x = i;"),
    ("omp-loop-form", "the statement after this directive must be a for loop", "#pragma omp for\n«while» (n) n--;"),
    ("omp-default-none", "'s' is in no clause", "#pragma omp parallel default(none)\n«s»++;"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "message", "text"), ERRORS)
def test_what_is_refused(code: str, message: str, text: str) -> None:
    expect_error(in_parallel(text), code, message)


def test_a_copied_class_with_a_copy_operation_of_its_own() -> None:
    source = """struct P { int x; P() : x(1) {} P(const P &o) : x(o.x) {} };
void f(int n) {
#pragma omp target parallel
  {
    P own;
#pragma omp single copyprivate(«own»)
    own.x = n;
  }
}
"""
    expect_error(source, "unsupported-clause", "copy operation of its own", "t.cpp")


def test_a_reduction_whose_type_depends_on_a_template() -> None:
    source = """template <class T> T sum(const T *p, int n) {
  T s = 0;
#pragma omp parallel for reduction(+ : «s»)
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}
void f(const int *p, const double *q, int n, int &a, double &b) {
#pragma omp target map(to : p[0 : n], q[0 : n])
  a = sum(p, n), b = sum(q, n);
}
"""
    expect_error(source, "unsupported-reduction", "depends on template arguments", "t.cpp")


def test_generated_kernels_of_every_construct_are_balanced() -> None:
    for written in TEXTS:
        text = support.code_only(compiled(in_parallel(written)).device)
        assert text.count("{") == text.count("}") and text.count("(") == text.count(")")


def test_a_bound_is_taken_along_as_the_preprocessor_leaves_it() -> None:
    loop = "for (int i = 0; i < n -\n#ifdef SMALL\n 2 // two\n#else\n /* one */ 1\n#endif\n ; i++) p[i] = i;"
    text = body(f"#pragma omp for nowait\n{loop}")
    assert "__rex_i < n - 1; " in text and "SMALL" not in text and "two" not in text


_SECTIONS = """#define COUNT(v) v += 1
typedef struct {{ double v; int at; }} Best;
static int kept;
void take(int *p);
void f(int n, int *p, double *q) {{
  int s = 0, t = 0, u = 0;
  Best best = {{0, 0}};
  float x = 0;
  {before}
#pragma omp target parallel for map(tofrom : s, t, x, best, kept, p[0 : n], q[0 : n])
  for (int i = 0; i < n; i++) {{
{code}
  }}
}}
"""
_ONE = "#pragma omp critical\n"


def sections(code: str, before: str = "") -> str:
    """Return the text of a kernel with critical sections, one blank for each gap."""
    device = compiled(_SECTIONS.format(code=code, before=before)).device
    return squeezed(device[device.index("__global__") :])


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("s += p[i];", "rex_atomic_add(&s, p[i]);"),
        ("{ s = p[i] | s; }", "rex_atomic_or(&s, p[i]);"),
        ("if (s < p[i]) s = p[i];", "rex_atomic_max(&s, p[i]);"),
        ("best.v -= q[i];", "rex_atomic_sub(&best.v, q[i]);"),
        ("x += q[i];", "rex_atomic_plain_add(&x, q[i]);"),
        ("x--;", "rex_atomic_plain_sub(&x, 1);"),
        (f"s++;\n{_ONE}s += 2;", "rex_atomic_add(&s, 1); /* #pragma omp critical */ rex_atomic_add(&s, 2);"),
        (f"s++;\n{_ONE}t++;", "rex_atomic_add(&s, 1); /* #pragma omp critical */ rex_atomic_add(&t, 1);"),
    ],
)
def test_critical_sections_that_are_one_update(code: str, made: str) -> None:
    assert made in sections(_ONE + code)


@pytest.mark.parametrize(
    ("code", "test"),
    [
        ("if (p[i] > s) { s = p[i]; t = i; }", "(p[i]) > rex_atomic_read(&s)"),
        ("if (best.v >= q[i] && i > 3) { best.v = q[i]; best.at = i; }", "(q[i]) <= rex_atomic_read(&best.v)"),
        ("if (i < n && p[i] > s) { s = p[i]; t = i; }", "(i < n) && (p[i]) > rex_atomic_read(&s)"),
        ("if (p && (i > 3 && p[i] > s)) { s = p[i]; t = i; }", "(p) && (i > 3) && (p[i]) > rex_atomic_read(&s)"),
        ("if (p[i] < s || (t > i && s == p[i])) { s = p[i]; t = i; }", "(p[i]) <= rex_atomic_read(&s)"),
    ],
)
def test_critical_sections_that_take_their_lock_seldom(code: str, test: str) -> None:
    assert f"REX_CRITICAL_IF(rex_critical_(), {test}) if (" in sections(_ONE + code)


@pytest.mark.parametrize(
    ("code", "before"),
    [
        ("p[0]++;", ""),  # memory that others may name
        ("kept++;", ""),  # so may functions
        ("s += 1;", "take(&s);"),
        (f"s += 1;\n{_ONE}t = s;", ""),  # looks at it
        (f"s += t;\n{_ONE}if (p[i] > t) {{ t = p[i]; u = 1; }}", ""),
        (f"s += 1;\n{_ONE}p[s] = 1;", ""),
        ("s = p[i];", ""),
        ("{ s += 1; t += s; }", ""),
        ("s += p[0]++;", ""),
        ("if (p[i] > s) { s = p[i]; s = s + 1; }", ""),
        ("if (p[i] > s) { s = p[i]; q[0] = i; }", ""),
        ("if (p[i] > s) s = p[i]; else t = 1;", ""),
        ("if (p[i] > s || i == 4) { s = p[i]; t = i; }", ""),
        ("if (p[i] != s) { s = p[i]; t = i; }", ""),
        ("if (t > s) { s = t; t = i; }", ""),
        ("if (t == i && p[t] > s) { s = p[i]; t = i; }", ""),
        ("if ((i < n && p[i] > s) || p[i] == s) { s = p[i]; t = i; }", ""),
    ],
)
def test_critical_sections_that_always_take_their_lock(code: str, before: str) -> None:
    text = sections(_ONE + code, before)
    assert "/* #pragma omp critical */ REX_CRITICAL(rex_critical_())" in text and "rex_atomic_add(" not in text


@pytest.mark.parametrize("other", ["s += t;\n#pragma omp critical\nt++;", "COUNT(s);"])
def test_critical_sections_stay_locked_beside_one_that_does(other: str) -> None:
    text = sections(f"{_ONE}s += 1;\n{_ONE}{other}")
    assert "REX_CRITICAL(rex_critical_()) s += 1;" in text and "rex_atomic_add(&s" not in text


def test_critical_sections_order_what_atomic_constructs_tell() -> None:
    text = f"{_ONE}s += 1;\n#pragma omp atomic\nq[0] += 1;\n#pragma omp atomic write\np[0] = 1;\n"
    assert "rex_atomic_add(&s, 1);" in sections(text)
    text += "#pragma omp atomic read\nu = p[0];\n"
    assert "REX_CRITICAL(rex_critical_()) s += 1;" in sections(text)


def test_critical_sections_have_no_look_at_what_one_thread_has() -> None:
    assert "REX_CRITICAL_IF" not in sections(f"int own = 0;\n{_ONE}if (p[i] > own) {{ own = p[i]; t = i; }}")


def test_critical_sections_of_functions_keep_those_of_regions_locked() -> None:
    source = """int kept;
#pragma omp declare target
static void note(int *p) {
#pragma omp critical
  p[0]++;
}
#pragma omp end declare target
void f(int n, int *p) {
  int s = 0;
#pragma omp target parallel for map(tofrom : s)
  for (int i = 0; i < n; i++) {
#pragma omp critical
    s++;
    note(p);
  }
}
"""
    assert "REX_CRITICAL(rex_critical_()) s++;" in squeezed(compiled(source).device)
    assert "rex_atomic_add(&s, 1);" in squeezed(compiled(source.replace("critical\n  p", "critical(b)\n  p")).device)
