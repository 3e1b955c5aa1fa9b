"""Runs of host statements that call functions of other files, and what a file says of its own functions."""

from __future__ import annotations

import re

import pytest

import support

REGION = "\n#pragma omp target teams distribute parallel for\nfor (int i = 0; i < n; i++) a[i] += 1;\n"
C_HEAD = f"""
#include <stdio.h>
struct pair {{ int first, second; }};
void step(float *a, int n);
int count(struct pair);
void told(const char *, ...);
void older();
__attribute__((weak)) void weak_one(float *);
static void inner(float *a, int n) {{ step(a, n); }}
void g(float *a, int n) {{ {REGION} }}
void f(float *a, int n, struct pair p, void (*any)(void)) {{
"""
CPLUSPLUS_HEAD = """
namespace phys {
  struct field { float *v; };
  void sweep(field f, float &w);
  void sweep(field f, const double &w);
  extern "C" void smooth(float *a, int n);
  template <class T> void of_template(T a) ;
  inline void of_header(float *a);
  auto chosen(void (*how)(int)) -> void (*)(int);
}
struct local { static void of_class(float *a); friend void of_friend(local, float *a); };
void f(float *a, int n, phys::field q, local l) { float w = 1;
"""


def translated(text: str, name: str = "t.c", alone: bool = False) -> str:
    found = support.translate_text(f"{text}\n}}\n", name, arguments=("-w",), alone=alone)
    assert found.host is not None, support.rendered(found)
    return found.host.text


def begins(text: str) -> list[list[str]]:
    """Return of each run which functions it asks about, outer runs first."""
    found = re.findall(r"((?:REX_IS_QUIET[^;]*?\s+)?)rex_batch_begin", text)
    ends = re.findall(r"((?:REX_IS_QUIET[^;]*?\s+)?)rex_batch_end", text)
    assert sorted(map(asked, found)) == sorted(map(asked, ends))
    return [asked(condition) for condition in found]


def asked(condition: str) -> list[str]:
    return re.findall(r"REX_IS_QUIET\((\w+)", condition)


@pytest.mark.parametrize(
    ("statements", "runs"),
    [
        ("for (int k = 0; k < 9; k++) step(a, n);", [["step"]]),
        ("step(a, n); step(a, n);", [["step"]]),
        ("step(a, n);", []),
        ("for (int k = 0; k < count(p); k++) step(a, n);", [["count", "step"]]),
        (f"for (int k = 0; k < 9; k++) {{ step(a, n); {REGION} {REGION} }}", [["step"], []]),
        (
            "for (int k = 0; k < 9; k++) { for (int j = 0; j < 9; j++) step(a, n); p.first += count(p); }",
            [["step", "count"], ["step"]],
        ),
        ("for (int k = 0; k < 9; k++) { step(a, n); step(a + n, n); }", [["step"]]),
        ('for (int k = 0; k < 9; k++) { step(a, n); printf("%d", k); }', []),
        ("for (int k = 0; k < 9; k++) inner(a, n);", []),
        ('for (int k = 0; k < 9; k++) told("x", n);', []),
        ("for (int k = 0; k < 9; k++) older(a, n);", []),
        ("for (int k = 0; k < 9; k++) weak_one(a);", []),
        ("for (int k = 0; k < 9; k++) any();", []),
        ("{ void step(float *a, int n); for (int k = 0; k < 9; k++) step(a, n); }", []),
    ],
)
def test_runs_of_c(statements: str, runs: list[list[str]]) -> None:
    """Whether a function is quiet is asked of those alone that every file knows under one name."""
    text = translated(f"{C_HEAD}{statements}")
    assert begins(text) == runs
    assert set(re.findall(r"^REX_ASKED_WHETHER_QUIET\((\w+)\)", text, re.M)) == {name for run in runs for name in run}


@pytest.mark.parametrize("declaration", ["int step = 3;", "enum { step = 3 };", "int other = 1, step = 3;"])
def test_a_run_ends_in_front_of_a_declaration_that_hides_the_function(declaration: str) -> None:
    """Its end asks for the function by the same name as its beginning."""
    text = translated(f"{C_HEAD}step(a, n); step(a, n); {declaration} p.first = step;")
    assert begins(text) == [["step"]]
    assert text.index("rex_batch_end") < text.index(declaration)


@pytest.mark.parametrize(
    ("call", "condition"),
    [
        (
            "phys::sweep(q, w)",
            "_ZN4phys5sweepENS_5fieldERf, (static_cast<void (*)(phys::field, float &)>(::phys::sweep))",
        ),
        ("phys::sweep(q, w + 0.5)", ""),
        ("phys::smooth(a, n)", "smooth, (static_cast<void (*)(float *, int)>(::phys::smooth))"),
        ("phys::of_template(a)", ""),
        ("phys::of_header(a)", ""),
        ("phys::chosen(nullptr)", ""),
        ("local::of_class(a)", ""),
        ("of_friend(l, a)", ""),
    ],
)
def test_runs_of_cplusplus(call: str, condition: str) -> None:
    """Its overloads are told apart by the type; an argument by reference has to be a named variable."""
    text = translated(f"{CPLUSPLUS_HEAD} for (int k = 0; k < 9; k++) {call};\n{REGION}", "t.cpp")
    assert re.findall(r"REX_IS_QUIET\((.*)\)\)\s+rex_batch_begin", text) == ([condition] if condition else [])


def test_a_file_alone_has_nobody_to_ask() -> None:
    code = f"{C_HEAD} for (int k = 0; k < 9; k++) step(a, n); {REGION} {REGION}"
    assert begins(translated(code, alone=True)) == [[]]
    assert "QUIET" not in translated(code, alone=True)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("void own(float *a, int n) { %s }", True),
        ("void own(float *a, int n) { for (int k = 0; k < 9; k++) { %s } }", True),
        ('void own(float *a, int n) { %s printf("done"); }', False),
        ("static void own(float *a, int n) { %s } void g(float *a) { own(a, 9); }", False),
        ("inline void own(float *a, int n) { %s } extern inline void own(float *, int);", False),
        ("__attribute__((weak)) void own(float *a, int n) { %s }", False),
        ("void elsewhere(void); void own(float *a, int n) { %s elsewhere(); }", False),
        ("void own(float *a, int n, volatile int *done) { %s while (!*done) ; }", False),
        ('int own(int n) { return n; } void g(float *a, int n) { %s printf("done"); }', False),
    ],
)
def test_what_a_file_says_of_its_functions(function: str, said: bool) -> None:
    """Of those with kernels, whose definition here is the program's only one."""
    text = translated(f"#include <stdio.h>\n{function % REGION}\nvoid last(void) {{")
    assert re.findall(r"REX_QUIET\(own, (.*)\)", text) == (["__typeof__(own)"] if said else [])


@pytest.mark.parametrize(
    "statements",
    [
        "int m = count(p); for (int k = 0; k < m; k++) step(a, n); struct pair q = p; p.first += q.first;",
        "int m = count(p), l = count(p); int u = m; for (int k = 0; k < m; k++) { step(a, l); step(a, u); } int v = m;",
    ],
)
def test_runs_that_end_at_one_declaration_have_names_of_their_own(statements: str) -> None:
    """In C, a run's marks are declarations where declarations stand behind it, those of runs inside of others too."""
    names = re.findall(r"\), (\w+)\);", re.sub(r"\s+", " ", translated(f"{C_HEAD} {statements}")))
    assert len(names) > 2
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("clauses", "said"), [("nowait", True), ("nowait depend(inout: a[0])", False)])
def test_nothing_is_said_of_functions_that_make_tasks_with_dependences(clauses: str, said: bool) -> None:
    """Their callers would have to wait for tasks of their own first."""
    own = REGION.replace("parallel for", f"parallel for {clauses}", 1)
    text = translated(f"void own(float *a, int n) {{ {own} }}\nvoid last(void) {{")
    assert ("REX_QUIET(own, " in text) == said
