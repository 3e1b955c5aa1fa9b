"""Errors of the base language: clang's ranges, notes, candidates and fix-its, and how it came to the place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rexcc.driver.messages.findings import entry_of
from rexcc.source.diagnostics import Diagnostic, render
from rexcc.source.expansion_notes import as_written
from support import errors

LOOP = "#pragma omp target teams distribute parallel for"
FOR = "for (int i = 0; i < n; i++)"

Headers = Callable[[dict[str, str]], dict[str, str]]


@pytest.fixture
def headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Headers:
    monkeypatch.chdir(tmp_path)  # where clang looks for them

    def written(files: dict[str, str]) -> dict[str, str]:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return files

    return written


def mended(found: Diagnostic) -> tuple[str, str]:
    """Return what an error would replace, and with what."""
    (fix,) = found.fixes
    return fix.span.text, fix.replacement


MISSPELT = f"""struct point {{ double x, weight; }};
void f(int n, double *array, struct point *p) {{
{LOOP} map(from: aray[0:n]) num_teams(nn)
  {FOR} arry[i] = p[i].wieght;
}}
"""


def test_misspelt_names_are_mended_in_clauses_and_regions() -> None:
    clause, unknown, region, member = errors(MISSPELT, "t.c")
    assert mended(clause) == ("aray", "array") and "did you mean 'array'?" in clause.message
    assert [note.message for note in clause.notes] == ["'array' declared here"]
    assert clause.notes[0].span is not None and clause.notes[0].span.place == "t.c:2:23"
    assert clause.span is not None and clause.span.text == "aray"
    assert unknown.fixes == () and unknown.span is not None and unknown.span.text == "nn"
    assert mended(region) == ("arry", "array") and mended(member) == ("wieght", "weight")


def test_insertions_stand_behind_the_users_characters() -> None:
    (found,) = errors(f"void f(int n, int *a) {{\n{LOOP} map(a[0:n])\n  {FOR} {{ a[i] = 1 }}\n}}\n", "t.c")
    (fix,) = found.fixes
    assert fix.replacement == ";" and fix.span.source.text[: fix.span.start].endswith("a[i] = 1")
    assert render(found).splitlines()[-1].endswith(";")


CANDIDATES = f"""double scale(double x);
double scale(double x, const char *how);
void f(int n, double *a) {{
{LOOP} map(a[0:n])
  {FOR} a[i] = scale(a[i], 2, 3);
}}
"""


def test_candidates_are_notes_at_their_declarations() -> None:
    (found,) = errors(CANDIDATES, "t.cpp")
    places = [(note.span.place if note.span else "", note.message.split(":")[0]) for note in found.notes]
    assert sorted(places) == [(f"t.cpp:{line}:8", "candidate function not viable") for line in (1, 2)]


INSTANCES = f"""struct S {{ int x; }};
template <class T> void fill(int n, T *a) {{
{LOOP} map(a[0:n])
  {FOR} a[i].y = 1;
}}
template <class T> void outer(int n, T *a) {{ fill(n, a); }}
void f(int n, S *a) {{ outer(n, a); }}
"""


def test_instantiations_lead_to_the_error() -> None:
    (found,) = errors(INSTANCES, "t.cpp")
    notes = [(note.span.line if note.span else 0, note.message) for note in found.notes]
    template = "in instantiation of function template specialization"
    assert notes == [(6, f"{template} 'fill<S>' requested here"), (7, f"{template} 'outer<S>' requested here")]


def test_macros_are_followed_to_their_definitions() -> None:
    macro = "#define BODY(a, i) a[i] = missing + i;\n"
    (found,) = errors(f"{macro}void f(int n, int *a) {{\n{LOOP} map(a[0:n])\n  {FOR} {{ BODY(a, i) }}\n}}\n", "t.c")
    (note,) = found.notes
    assert note.message == "expanded from macro 'BODY'"
    assert note.span is not None and note.span.place == "t.c:1:27"


def test_macros_that_answer_questions_are_none_of_the_users() -> None:
    question = "#define HAS(x) __has_attribute(x)\n#if HAS()\n#endif\n"
    (found,) = errors(f"{question}void f(int n, int *a) {{\n{LOOP} map(a[0:n])\n  {FOR} a[i] = i;\n}}\n", "t.c")
    assert found.span is not None and found.span.place.startswith("t.c:2:")
    assert [note.message for note in found.notes] == ["expanded from macro 'HAS'"]


def test_arguments_of_macros_with_regions_are_at_their_tokens() -> None:
    macro = '#define TARGET(...) _Pragma("omp target map(a[0:n])") { __VA_ARGS__ }\n'
    first, second = errors(f"{macro}void f(int n, int *a) {{\n  TARGET(a[0] = one; a[1] = 2 + two;)\n}}\n", "t.c")
    places = [each.span.place for each in map(as_written, (first, second)) if each.span is not None]
    assert places == ["t.c:3:17", "t.c:3:33"]


UNDECLARED = f"""double square(double x) {{ return x * x; }}
void f(int n, double *a) {{
  elsewhere(n);
{LOOP} map(a[0:n])
  {FOR} a[i] = squar(a[i]) + sqrt(a[i]) + omp_get_thread_num();
}}
"""


def test_undeclared_functions_are_errors_in_regions_alone() -> None:
    (found,) = errors(UNDECLARED, "t.c")  # the host's compiler knows what it takes outside of them
    assert found.code == "base-language" and found.span is not None and found.span.place == "t.c:5:38"
    assert found.message.startswith("call to undeclared function 'squar'")
    assert [note.message for note in found.notes] == ["did you mean 'square'?", "'square' declared here"]


def test_types_that_are_not_complete_are_at_their_directive() -> None:
    directive = "#pragma omp declare reduction(more : struct q : omp_out.x += omp_in.x)"
    found = errors(f"{directive}\nvoid f(int n) {{\n#pragma omp target\n  n++;\n}}\n", "t.c")
    assert [each.span.text for each in found if each.span is not None][:1] == [directive]


REGION = "static void work(int n, int *a) {\n#pragma omp target map(a[0:n]) nowai\n  a[0] = b;\n}\n"


def test_headers_have_the_lines_that_include_them(headers: Headers) -> None:
    files = headers({"outer.h": '\n#include "inner.h"\n', "inner.h": REGION})
    found = errors('#include "outer.h"\nint main(void) { return 0; }\n', "t.c", files)
    assert [d.code for d in found] == ["omp-unknown-clause", "base-language"]
    for each in found:
        lines = ["In file included from t.c:1:", "In file included from outer.h:2:"]
        assert render(as_written(each)).splitlines()[:2] == lines
        notes = [note for note in entry_of(each).notes if note.message == "included here"]
        assert [note.region.file for note in notes if note.region is not None] == ["t.c", "outer.h"]


def test_the_text_of_a_body_that_is_included_has_its_line(headers: Headers) -> None:
    files = headers({"body.h": "{ a[i] = nothing; }\n"})
    (found,) = errors(f'void f(int n, int *a) {{\n{LOOP} map(a[0:n])\n  {FOR}\n#include "body.h"\n}}\n', "t.c", files)
    assert render(found).startswith("In file included from t.c:4:\nbody.h:1:10: error: use of undeclared identifier")


def test_errors_in_headers_of_the_system_show_their_line() -> None:
    text = (
        f"#include <vector>\nstruct S {{ S(int); }};\nvoid f(int n, int *a) {{\n{LOOP} map(a[0:n])\n  {FOR} a[i] = 1;\n"
    )
    found = errors(f"{text}  std::vector<S> v(3);\n}}\n", "t.cpp")
    assert found and all(each.span is not None for each in found)
    assert any(note.span is not None and note.span.place.startswith("t.cpp:6:") for note in found[0].notes)


OUTSIDE = """#pragma omp target
void f(int n, int *a) {}
#pragma omp barrier
#pragma omp target update to(a)
int x;
"""


@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
def test_directives_outside_of_functions_are_named(name: str) -> None:
    found = errors(OUTSIDE, name)
    assert [(d.code, d.span.text if d.span else "") for d in found] == [
        ("omp-nesting", "target"), ("omp-nesting", "barrier"), ("omp-nesting", "target update to(a)")
    ]  # fmt: skip
    assert all("belongs into the body of a function" in d.message for d in found)


RUN = f"template <class F> void run(int n, F f) {{\n{LOOP}\n  {FOR} f(i);\n}}\n"


def test_lambdas_that_clang_refuses_are_refused() -> None:
    (found,) = errors(f"{RUN}void g(int n, int *a) {{\n  run(n, [](int i) {{ a[i] = 1; }});\n}}\n", "t.cpp")
    assert "'a' cannot be implicitly captured" in found.message and found.span is not None
    assert found.span.place == "t.cpp:6:22"
    assert [note.fixes[0].replacement for note in found.notes if note.fixes] == ["a", "&a", "=", "&"]


def test_lambdas_have_the_users_place() -> None:
    text = f"{RUN}void g(int n, int *a) {{\n  run(n, [=](int i) {{ a[i] = 1; }});\n"
    (found,) = errors(f"{text}  run(n, [=](int i, int j) {{ a[i] = j; }});\n}}\n", "t.cpp")
    assert "(lambda at t.cpp:7:10)" in found.message


OF_OURS = f"""template <class T> void inner(int n, T *a) {{
{LOOP} map(a[0:n])
  for (T i = 0; i < n; i++) a[0] = 1;
#pragma omp target map(a[0:n]) schedule(static)
  a[0] = 1;
}}
template <class T> struct Outer {{ void go(int n, T *a) {{ inner(n, a); }} }};
void f(int n, double *a, float *b) {{
  Outer<double>().go(n, a);
  inner(n, b);
}}
"""


def test_errors_of_ours_in_templates_have_the_calls_that_instantiate_them_once() -> None:
    clause, loop = errors(OF_OURS, "t.cpp")
    assert (loop.code, clause.code) == ("omp-loop-form", "omp-clause-not-allowed")
    notes = [(note.span.line if note.span else 0, note.message) for note in loop.notes]
    assert notes == [
        (7, "in instantiation of 'inner(int, double *)' requested here"),
        (9, "in instantiation of 'go(int, double *)' requested here"),
    ]
    assert clause.notes == ()  # it is wrong in the template itself


def test_scopes_that_the_file_does_not_close_may_hold_instances_with_regions() -> None:
    text = """namespace shapes {
template <typename T> auto area(T x, T y) { T r = 0;
#pragma omp target map(tofrom: r)
}
template <int N> struct Box { auto volume(int h) { int r = 0;
struct Side { double length; double square() const { return shapes::area(length, length); } };
"""
    found = errors(text, "t.cpp")
    assert found[0].code == "base-language" and "expected '}'" in {d.message for d in found}
