"""What is legal and almost surely not meant: each warning at its exact place, and what looks like it and is right."""

from __future__ import annotations

import pytest

import support
from rexcc.source.diagnostics import Diagnostic, FixIt, Severity
from support import marked

HEAD = (
    "#include <stdlib.h>\nint use(int *);\nint everywhere;\n#pragma omp declare target(everywhere)\n"
    "int f(int n, int *p, int *q) {\n  int s = 0, t = 0, a[10] = {0};\n"
)
LOOP = "#pragma omp target teams distribute parallel for"
FOR = "for (int i = 0; i < n; i++)"


def findings(text: str, name: str = "t.c", version: int = 0) -> list[Diagnostic]:
    found = support.translate_text(text, name, openmp_version=version).diagnostics
    return [d for d in found if d.severity is not Severity.REMARK]


def expect(code: str, message: str, source: str, version: int = 0) -> Diagnostic:
    """Insist on just one warning, at the marked characters."""
    text, line, column, token = marked(source)
    found = findings(text, version=version)
    assert [d.code for d in found] == [code], "\n".join(d.message for d in found)
    (one,) = found
    assert one.severity is Severity.WARNING
    assert message in one.message, one.message
    assert one.span is not None and (one.span.line, one.span.column) == (line, column), one.span.place
    assert one.span.text == token
    return one


def program(text: str) -> str:
    return f"{HEAD}{text}\n  return 0;\n}}\n"


SUSPECT = {
    "assigned": ("omp-lost-result", "'s' is assigned in the region", "#pragma omp target\n«s» = n;\np[0] = s;"),
    "counted": ("omp-lost-result", "map(tofrom : s)", "#pragma omp target\n{ «s»++; }\nif (s) p[0] = 1;"),
    "in target data": (
        "omp-lost-result",
        "never comes back",
        "#pragma omp target data map(tofrom : s)\n{\n#pragma omp target\n«s» = n;\n}\np[0] = s;",
    ),
    "reduced inside": (
        "omp-lost-result",
        "'s'",
        f"#pragma omp target\n{{\n#pragma omp parallel for reduction(+ : s)\n{FOR} «s» += i;\n}}\np[0] = s;",
    ),
    "reduced and mapped to": ("omp-reduction-map", "mapped 'to'", f"{LOOP} map(to : «s») reduction(+ : s)\n{FOR} s++;"),
    "reduced and allocated": (
        "omp-reduction-map",
        "mapped 'alloc'",
        f"#pragma omp target map(alloc : «s»)\n{{\n#pragma omp parallel for reduction(+ : s)\n{FOR} s++;\n}}",
    ),
    "elements added to": (
        "omp-from-read",
        "'a' is read here before",
        f"{LOOP} map(from : a)\n{FOR} «a»[i] += i;\np[0] = a[0];",
    ),
    "a scalar added to": ("omp-from-read", "'s'", "#pragma omp target map(from : s)\n{ «s»++; }\np[0] = s;"),
    "an element of itself": (
        "omp-from-read",
        "'p'",
        f"{LOOP} map(from : p[0 : n])\n{FOR} p[i] = «p»[i] + 1;",
    ),
    "a private scalar": (
        "omp-private-value",
        "'s' is private and has no value here",
        f"{LOOP} private(s) map(from : a)\n{FOR} a[i] = «s»;\np[0] = a[0];",
    ),
    "a private pointer": (
        "omp-private-value",
        "firstprivate(p)",
        f"{LOOP} private(p) map(p[0 : n])\n{FOR} «p»[i] = i;",
    ),
    "private in a host construct": (
        "omp-private-value",
        "'s'",
        f"#pragma omp parallel for private(s)\n{FOR} if (i > «s») p[i] = s;",
    ),
    "memory of the host": (
        "omp-unmapped-pointer",
        "map(h[0 : n])",
        "int *h = (int *)malloc(40);\nh[0] = 1;\n#pragma omp target\n«h»[0] = n;\nfree(h);",
    ),
    "memory of the host, later": (
        "omp-unmapped-pointer",
        "'h' points to",
        "int *h;\nh = calloc(10, 4);\nif (h == NULL) return 1;\n#pragma omp target map(s)\ns = *«h»;\nfree(h);",
    ),
    "memory of the host, whose pointer is mapped": (
        "omp-unmapped-pointer",
        "'map(h)' maps the pointer without that; map(h[0 : n]) does",
        "int *h = (int *)malloc(40);\n#pragma omp target map(to : h)\n«h»[0] = n;\nfree(h);",
    ),
    "a member's memory of the host": (
        "omp-unmapped-pointer",
        "map(v.d[0 : n])",
        "struct { int n, *d; } v = {10, malloc(40)};\n#pragma omp target map(tofrom : v)\n"
        "«v.d»[0] = v.d[1];\nfree(v.d);",
    ),
    "a member's memory, later": (
        "omp-unmapped-pointer",
        "'v.e' points to",
        "struct { int *d, *e; } v;\nv.d = p;\nv.e = calloc(10, 4);\n#pragma omp target map(v.d[0 : n])\n"
        "v.d[0] = *«v.e»;\nfree(v.e);",
    ),
    "a member beside mapped ones": (
        "omp-unmapped-member",
        "map(to : v.n)",
        "struct { int n, *d; } v = {10, p};\n#pragma omp target map(v.d[0 : n])\nv.d[0] = «v.n»;",
    ),
    "a member in an inner loop": (
        "omp-unmapped-member",
        "'v.n' is on no device",
        "struct { int n, *d; } v = {10, p};\n#pragma omp target data map(v.d[0 : n])\n"
        f"{LOOP} map(v.d[0 : n])\nfor (int i = 0; i < v.n; i++) for (int j = 0; j < i; j++) v.d[i] += j % «v.n»;",
    ),
    "a member that another region maps": (
        "omp-unmapped-member",
        "'v.n' is on no device",
        "struct { int n, *d; } v = {10, p};\n#pragma omp target map(v.n)\nv.n++;\n#pragma omp target map(v)\nv.n++;\n"
        "#pragma omp target map(v.d[0 : n])\nv.d[0] = «v.n»;",
    ),
    "an update of nothing": (
        "omp-unmapped-update",
        "'a' is on no device",
        "#pragma omp target update from(«a»)\np[0] = a[1];",
    ),
    "a sum of threads": (
        "omp-race",
        "'s' at the same time",
        f"#pragma omp parallel for\n{FOR} «s» += p[i];\np[0] = s;",
    ),
    "a sum of teams": ("omp-race", "'reduction'", f"{LOOP} map(tofrom : s)\n{FOR} «s» = s + i;\np[0] = s;"),
    "a sum in parallel": (
        "omp-race",
        "'s'",
        f"#pragma omp parallel\n{{\n#pragma omp for\n{FOR} if (p[i] > 3) «s»++;\n}}\np[0] = s;",
    ),
    "a task's own copy": (
        "omp-lost-in-task",
        "shared(s)",
        "#pragma omp target map(tofrom : s)\n{\n#pragma omp task\n«s» = n;\n#pragma omp taskwait\n}\np[0] = s;",
    ),
    "a task's own array": (
        "omp-lost-in-task",
        "'a' is firstprivate",
        "#pragma omp target\n{\n#pragma omp task\n{ «a»[1] = n; a[0] += 2; }\n}\np[0] = a[0];",
    ),
    "an inner index": (
        "omp-race",
        "'t'",
        f"#pragma omp parallel for\n{FOR} for (t = 0; t < n; «t»++) q[i] = i;",
    ),
}


@pytest.mark.parametrize("name", SUSPECT)
def test_what_is_not_meant_is_a_warning(name: str) -> None:
    code, message, text = SUSPECT[name]
    expect(code, message, program(text))


VIEW = (
    "struct view { int *p, n, step; int &operator()(int i) const { return p[i * step]; }\n"
    "int last() { return this->n - 1; } int *all() { return p; } static int one() { return 1; } };\n"
)
"""What looks at a part of an array, as applications have it."""


@pytest.mark.parametrize(
    ("clause", "use", "message"),
    [
        ("map(v.p[0 : 9])", "v(3) = 1;", "'v.step' is on no device, and 'operator()' uses it"),
        ("map(v.p[0 : 9]) map(to : v.step)", "v(3) = v.last();", "'v.n' is on no device, and 'last' uses it"),
        ("map(v.p[0 : 9])", "v.all()[1] = v.one();", ""),
        ("map(v, v.p[0 : 9])", "v(3) = v.last();", ""),
        ("map(v.p[0 : 9])", "v.p[0] = sizeof(v(3));", ""),
    ],
)
def test_methods_use_members(clause: str, use: str, message: str) -> None:
    head, tail = VIEW + f"void f(int *p) {{\nview v = {{p, 10, 2}};\n#pragma omp target {clause}\n{{ ", " }\n}\n"
    found = findings(head + use + tail, "t.cpp")
    assert [d.code for d in found] == (["omp-unmapped-member"] if message else [])
    if message:
        assert message in found[0].message
        assert found[0].span is not None and found[0].span.line == 6


def test_a_lost_result_has_a_mending() -> None:
    text = program("#pragma omp target map(to : p[0 : n])\ns = p[0];\nq[0] = s;")
    (found,) = findings(text)
    (fix,) = found.fixes
    mended = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
    assert "#pragma omp target map(to : p[0 : n]) map(tofrom : s)\n" in mended
    assert findings(mended) == []


RIGHT = {
    "mapped": "#pragma omp target map(from : s)\ns = n;\np[0] = s;",
    "assigned again": "#pragma omp target\n{ s = n; a[0] = s; }\ns = 2;\np[0] = s + a[0];",
    "scratch of two regions": "#pragma omp target map(a)\n{ s = n; a[0] = s; }\n"
    "#pragma omp target map(a)\n{ s = 1; a[1] = s; }",
    "a pointer that gets memory of the device": "int *h;\n#pragma omp target map(h)\n"
    "{ h = (int *)malloc(8); h[0] = n; }",
    "a pointer and its section": "int *h = (int *)malloc(40);\n#pragma omp target data map(h)\n"
    "#pragma omp target map(h[0 : n])\nh[0] = n;\nfree(h);",
    "never read": "#pragma omp target map(a)\n{ s = n; a[0] = s; }\np[0] = a[0];",
    "private": "#pragma omp target private(s)\ns = n;\np[0] = s;",
    "private and assigned": f"{LOOP} private(s) map(a)\n{FOR} {{ s = i; a[i] = s; }}\np[0] = a[0];",
    "private and given away": f"{LOOP} private(s) map(a)\n{FOR} {{ use(&s); a[i] = s; }}\np[0] = a[0];",
    "a private index": "int i;\n#pragma omp parallel for private(i)\nfor (i = 0; i < n; i++) p[i] = i;",
    "private, and named inside": f"#pragma omp parallel private(s)\n{{\n#pragma omp for lastprivate(s)\n{FOR} s = i;\n"
    "p[0] = s;\n}",
    "private, and the result of asm": '#pragma omp parallel private(s)\n{ __asm__("" : "=r"(s)); p[0] = s; }',
    "private and discarded": "#pragma omp parallel private(s)\n(void)s;",
    "firstprivate on purpose": "#pragma omp target firstprivate(s)\ns = n;\np[0] = s;",
    "defaultmap": "#pragma omp target defaultmap(tofrom : scalar)\ns = n;\np[0] = s;",
    "a variable of the device": "#pragma omp target\neverywhere = n;\np[0] = everywhere;",
    "an index": f"int i;\n{LOOP}\nfor (i = 0; i < n; i++) p[i] = i;\np[0] = 1;",
    "memory of the device": "#pragma omp target map(s)\n{ int *h = (int *)malloc(40); h[0] = n;\n"
    "struct { int *d; } v = {malloc(40)}; v.d[0] = h[0]; s = v.d[0]; free(v.d); free(h); }\np[0] = s;",
    "private inside": "#pragma omp target map(a)\n"
    "{\n#pragma omp parallel private(t)\n{ t = 1; a[0] = t; }\n}\np[0] = t;",
    "read by address": "#pragma omp target\ns = n;\nuse(&s);\np[0] = s;",
    "reduced": f"{LOOP} reduction(+ : s)\n{FOR} s++;\np[0] = s;",
    "reduced where it is": "#pragma omp target data map(tofrom : s)\n{\n"
    f"{LOOP} map(to : s) reduction(+ : s)\n{FOR} s++;\n}}",
    "written first": f"{LOOP} map(from : a)\n{FOR} {{ a[i] = 1; a[i] += i; }}",
    "written in an earlier iteration": "#pragma omp target map(from : a)\n"
    "for (int i = 0; i < 10; i++) { s = i ? a[i - 1] : 0; a[i] = s + 1; }",
    "written before in its loop": "#pragma omp target map(from : a)\n"
    "for (int k = 0; k < 2; k++) { if (k) a[1] += 1; else a[1] = 0; }",
    "an element's address passed on": f"void set(int *, int);\n{LOOP} map(from : a)\n{FOR} set(&a[i], 1);\np[0] = *a;",
    "a row passed on": f"void set(int *, int);\nint m[9][4];\n{LOOP} map(from : m)\n{FOR} set(m[i], 4);\np[0] = **m;",
    "from with data": f"#pragma omp target data map(tofrom : a)\n{{\n{LOOP} map(from : a)\n{FOR} a[i] += i;\n}}",
    "passed on": "#pragma omp target enter data map(to : p[0 : n])\n#pragma omp target map(from : a)\na[0] = 1;",
    "memory known to others": "int *h = malloc(40);\nuse(h);\n#pragma omp target\nh[0] = n;\nfree(h);",
    "memory with another name": "int *h = malloc(40), *g = h;\n#pragma omp target data map(g[0 : 10])\n{\n"
    "#pragma omp target\nh[0] = n;\n}\nfree(g);",
    "memory that is mapped": "int *h = malloc(40);\n#pragma omp target enter data map(to : h[0 : 10])\n"
    "#pragma omp target\nh[0] = n;\n#pragma omp target exit data map(delete : h[0 : 10])\nfree(h);",
    "a member's memory that is mapped": "struct { int n, *d; } v = {10, malloc(40)};\n"
    "#pragma omp target map(tofrom : v, v.d[0 : 10])\nv.d[0] = n;\nfree(v.d);",
    "a member's memory mapped before": "struct { int n, *d; } v = {10, malloc(40)};\n"
    "#pragma omp target enter data map(to : v, v.d[0 : 10])\n#pragma omp target\nv.d[0] = n;\nfree(v.d);",
    "a member's memory with another name": "struct { int n, *d; } v = {10, malloc(40)};\nint *g = v.d;\n"
    "#pragma omp target data map(g[0 : 10])\n{\n#pragma omp target\nv.d[0] = n;\n}\nfree(g);",
    "a member that gets an argument": "struct { int n, *d; } v = {10, malloc(40)};\n"
    "v.d = p;\n#pragma omp target\nv.d[0] = n;",
    "a structure known to others": "struct pair { int n, *d; } v = {10, malloc(40)};\nextern int see(struct pair *);\n"
    "see(&v);\n#pragma omp target\nv.d[0] = n;",
    "a member's memory of the device": "struct { int n, *d; } v;\n#pragma omp target map(to : v)\n"
    "{ v.d = malloc(4); v.d[0] = 1; free(v.d); }",
    "a member in the head of the loop": "struct { int n, *d; } v = {10, p};\n"
    f"{LOOP} map(v.d[0 : v.n])\nfor (int i = 0; i < v.n; i++) v.d[i] += i;",
    "a member that is mapped, too": "struct { int n, *d; } v = {10, p};\n"
    "#pragma omp target map(to : v.n) map(v.d[0 : n])\nv.d[0] = v.n;",
    "a member of a structure that is mapped": "struct { int n, *d; } v = {10, p};\n"
    "#pragma omp target data map(to : v)\n{\n#pragma omp target map(v.d[0 : n])\nv.d[0] = v.n;\n}",
    "a member of a structure that others map": "struct pair { int n, *d; } v = {10, p};\n"
    "extern int see(struct pair *);\nsee(&v);\n#pragma omp target map(v.d[0 : n])\nv.d[0] = v.n;",
    "a member's size": "struct { int n, *d; } v = {10, p};\n#pragma omp target map(v.d[0 : n])\nv.d[0] = sizeof v.n;",
    "a structure without mapped members": "struct { int n, *d; } v = {10, p};\n"
    "#pragma omp target map(p[0 : v.n])\np[0] = v.n;",
    "a variable that is there": f"{LOOP} map(always, from : p[0 : n])\n{FOR} p[i] += i;",
    "a variable that has to be there": f"{LOOP} map(present, from : p[0 : n])\n{FOR} p[i] += i;",
    "storage from a routine": "extern int omp_target_associate_ptr(const void *, const void *, size_t, size_t, int);\n"
    f"omp_target_associate_ptr(p, q, n, 0, 0);\n{LOOP} map(from : p[0 : n])\n{FOR} p[i] += i;",
    "a parameter": "#pragma omp target\np[0] = n;",
    "an update of an argument": "#pragma omp target update to(p[0 : n])",
    "an update of what others know": "use(a);\n#pragma omp target update to(a)",
    "an update of what is mapped": "#pragma omp target data map(a)\n{\n#pragma omp target update to(a)\n}",
    "atomic": f"#pragma omp parallel for\n{FOR} {{\n#pragma omp atomic\ns += i;\n}}\np[0] = s;",
    "critical": f"#pragma omp parallel for\n{FOR} {{\n#pragma omp critical\ns += i;\n}}\np[0] = s;",
    "reduced by threads": f"#pragma omp parallel reduction(+ : s)\n{{\n#pragma omp for\n{FOR} s += i;\n}}\np[0] = s;",
    "private to threads": f"#pragma omp parallel for firstprivate(s)\n{FOR} {{ s += i; q[i] = s; }}",
    "a thread's own": f"#pragma omp parallel\n{{ int u = 0;\n#pragma omp for\n{FOR} u += i;\nq[u] = 0; }}",
    "one iteration": f"#pragma omp parallel for\n{FOR} if (i == 3) s += i;\np[0] = s;",
    "one thread": f"#pragma omp parallel for num_threads(1)\n{FOR} s += i;\np[0] = s;",
    "the same value": f"#pragma omp parallel for\n{FOR} if (p[i]) s = 1;\np[0] = s;",
    "an orphan": f"#pragma omp for\n{FOR} s += i;\np[0] = s;",
    "a shared variable of a task": "#pragma omp target map(tofrom : s)\n{\n#pragma omp task shared(s)\n"
    "s = n;\n}\np[0] = s;",
    "a task's copy on purpose": "#pragma omp target map(tofrom : s)\n{\n#pragma omp task firstprivate(s)\n"
    "s = n;\n}\np[0] = s;",
    "a task's copy that it reads": "#pragma omp target map(tofrom : s, a)\n{\n#pragma omp task shared(a)\n"
    "{ s += n; a[0] = s; }\n}\np[0] = s + a[0];",
    "a task's copy whose value is used at once": "#pragma omp target map(tofrom : s, a)\n{\n"
    "#pragma omp task shared(a)\na[0] = s++;\n}\np[0] = s;",
    "a task's copy that is a condition": "#pragma omp target map(tofrom : s, a)\n{\n"
    "#pragma omp task shared(a)\nif (s = n) a[0] = 1;\n}\np[0] = s;",
    "a pointer's elements in a task": "#pragma omp target map(tofrom : p[0 : n])\n{\n#pragma omp task\np[0] = n;\n}",
    "a task of a team": "#pragma omp target map(tofrom : s)\n{\n#pragma omp parallel\n{\n#pragma omp single\n{\n"
    "#pragma omp task\ns = n;\n}\n}\n}\np[0] = s;",
    "a task in what a parallel shares": "#pragma omp parallel\n{\n#pragma omp single\n{\n"
    "#pragma omp target map(tofrom : s)\n{\n#pragma omp task\ns = n;\n}\n}\n}\np[0] = s;",
    "a task's copy that stays": "#pragma omp target map(to : s)\n{\n#pragma omp task\ns = n;\n}\np[0] = 1;",
    "a task and a variable of the device": "#pragma omp target\n{\n#pragma omp task\neverywhere = n;\n}",
    "a loop of tasks": "#pragma omp target map(tofrom : s)\n{\n#pragma omp taskloop lastprivate(s)\n"
    "for (int i = 0; i < n; i++) s = i;\n}\np[0] = s;",
    "elements": f"#pragma omp parallel for\n{FOR} a[i] += i;\np[0] = a[0];",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_looks_like_it_is_no_warning(name: str) -> None:
    found = findings(program(RIGHT[name]))
    assert [d.message for d in found if d.severity is Severity.WARNING] == []


@pytest.mark.parametrize("line", ["for (auto &x : q[i].d) x = i;", "auto &[x, y] = q[i].d; x = i, y = i;"])
def test_other_names_of_parts_may_write_them(line: str) -> None:
    text = f"struct two {{ double d[2]; }};\nvoid f(int n, two *q) {{\n#pragma omp target map(from : q[0 : n])\n{FOR}"
    assert findings(f"{text} {{ {line} }}\n}}\n", "t.cpp") == []


FORGOTTEN = {
    "#pragma «parallel» for": ("'#pragma parallel for'", "omp "),
    "#pragma «target» teams distribute parallel for map(p[0 : n])": ("'#pragma omp target teams distribute", "omp "),
    "  #  pragma   «critical»": ("'#pragma critical'", "omp "),
    "#pragma «opm» parallel for": ("'#pragma opm parallel for'", "omp"),
    "#pragma «OMP» target": ("did you mean '#pragma omp'", "omp"),
}


@pytest.mark.parametrize("text", FORGOTTEN)
def test_a_pragma_without_its_omp_is_answered_with_the_mending(text: str) -> None:
    message, replacement = FORGOTTEN[text]
    found = expect("omp-forgotten", message, f"void f(int n, int *p) {{\n{text}\n{FOR} p[i] = i;\n}}\n")
    (fix,) = found.fixes
    assert isinstance(fix, FixIt)
    assert fix.replacement == replacement
    assert found.span is not None and fix.span.start == found.span.start


def test_pragmas_of_others_are_left_alone() -> None:
    others = (
        "simd",
        "unroll",
        "unroll(4)",
        "GCC ivdep",
        "once",
        "clang loop unroll(full)",
        "acc parallel loop",
        "loop",
    )
    text = "".join(f"#pragma {other}\n" for other in (*others, 'section(".data")', "STDC FP_CONTRACT ON", "ivdep"))
    assert findings(f"void f(int n, int *p) {{\n{text}{FOR} p[i] = i;\n}}\n#if 0\n#pragma parallel for\n#endif\n") == []


def test_what_is_newer_than_the_version_asked_for() -> None:
    text = "void f(int n, int *p) {\n#pragma omp target parallel for map(p[0 : n]) «order(concurrent)»\n"
    expect("omp-version", "OpenMP 5.0, and -fopenmp-version=45 asks for 4.5", f"{text}{FOR} p[i] = i;\n}}\n", 45)
    text = "void f(int n, int *p) {\n#pragma omp «loop bind(thread)»\n"
    expect("omp-version", "'loop' came with OpenMP 5.0", f"{text}{FOR} p[i] = i;\n}}\n", 45)
    plain = f"void f(int n, int *p) {{\n#pragma omp loop bind(thread)\n{FOR} p[i] = i;\n}}\n"
    assert findings(plain, version=50) == findings(plain) == []


def test_the_version_asked_for_is_that_of_the_macro() -> None:
    text = "#if _OPENMP != 201511\n#error no\n#endif\nvoid f(void) {\n#pragma omp target\n{}\n}\n"
    assert findings(text, version=45) == []


@pytest.mark.parametrize("name", ["assumes", "declare variant"])
def test_begin_and_end_belong_together(name: str) -> None:
    clause = "no_parallelism" if name == "assumes" else "match(user = {condition(0)})"
    (found,) = findings(f"#pragma omp end {name}\nint x;\n")
    assert (found.code, found.span.text if found.span else "") == ("omp-unmatched-end", f"end {name}")
    pair = findings(f"#pragma omp begin {name} {clause}\n#pragma omp end {name}\nint x;\n")
    assert [d for d in pair if not d.code.startswith("unsupported")] == []


def test_a_mapper_without_use() -> None:
    text = "typedef struct {{ int n; }} list;\n#pragma omp declare mapper({} : list l) map(l)\nint x;\n"
    expect("omp-unused-mapper", "'whole' is never used", text.format("«whole»"))


def test_extensions_that_ask_for_kernels() -> None:
    text = "void f(void) {\n#pragma omp target teams «ompx_bare» num_teams(1) thread_limit(1)\n{}\n}\n"
    support.expect_error(text, "unsupported-clause", "write '#pragma omp parallel' in front of the statement")
    region = "void f(int *n) {\n#pragma omp target map(from: n[0:1])\nn[0] = ompx_block_dim_x();\n}\n"
    text = f'# 1 "ompx.h" 1 3\nint ompx_block_dim_x(void);\n# 1 "t.c" 2\n{region}'
    found = support.translate_text(text).diagnostics
    assert [(d.code, "'omp_get_num_threads()'" in d.message) for d in found] == [("host-function", True)]


def test_extensions_are_remarked() -> None:
    text = "void f(int n) {\n#pragma omp parallel ompx_attribute([[nodiscard]])\n{}\n}\n"
    found = [d for d in support.translate_text(text).diagnostics if d.code == "rex-extension"]
    assert [(d.severity, d.span.text if d.span else "") for d in found] == [
        (Severity.REMARK, "ompx_attribute([[nodiscard]])")
    ]
