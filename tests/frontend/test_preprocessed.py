"""What the preprocessor says of macros in directives, in front of their statements, and of files in other files."""

from __future__ import annotations

import re

import pytest

import support
from rexcc.frontend.files import SearchPath, UserFiles, gather
from rexcc.frontend.preprocessed import preprocess
from rexcc.source.expansion_notes import in_users_text
from rexcc.source.text import Span

FOR = "for (int i = 0; i < n; i++) a[i] = i;"


def preprocessed(text: str, headers: dict[str, str] | None = None, wanted: int | None = None) -> UserFiles:
    """Return the files of a program with the expansions that the stages need."""
    found = {"d/t.c": text.encode()} | {f"d/{name}": header.encode() for name, header in (headers or {}).items()}
    files = gather("d/t.c", SearchPath.from_arguments(()), found.get)
    assert files is not None
    return preprocess(files, "c", ("-DGIVEN(c)=firstprivate(c)",), () if wanted is None else {("d/t.c", wanted)})


def directives(files: UserFiles) -> list[str]:
    """Return the directives' texts, a blank behind each token."""
    scans = files.scans.values()
    return [_tokens(site.text.text) for scan in scans for site in scan.pragmas]


def _tokens(text: str) -> str:
    return " ".join(re.findall(r"\w+|\S", text))


DIRECTIVES = {
    "a clause": ("#define C(c) if(target : (c))", "omp target C(u)", "target if ( target : ( u))"),
    "a clause of the command line": ("", "omp target GIVEN(u)", "target firstprivate ( u)"),
    "nothing": ("#define NO\n#define TUNE(n)", "omp target NO TUNE(4) map(a)", "target map ( a)"),
    "the name": ("#define OFF target teams", "omp OFF map(a)", "target teams map ( a)"),
    "a word of OpenMP": ("#define parallel target", "omp parallel map(a)", "target map ( a)"),
    "a part of the name": ("#define L parallel for", "omp target L nowait", "target parallel for nowait"),
    "a section": ("#define ALL 0:n", "omp target map(a[ALL])", "target map ( a[ 0:n ])"),
    "two list items": ("#define AB a, b", "omp target map(to: AB)", "target map ( to: a, b )"),
    "an opening parenthesis": ("#define MAP map(to:", "omp target MAP a)", "target map ( to: a)"),
    "a macro whose argument is another": ("#define A(m) m\n#define M map(a)", "omp target A(M)", "target map ( a)"),
    "an alias of a macro with arguments": ("#define F G\n#define G(x) map(x)", "omp target F(a)", "target map ( a)"),
    "a joined name": ("#define J(a, b) a##b", "omp J(tar, get) map(a)", "target map ( a)"),
    "a value stays": ("#define N 4", "omp target num_threads(N)", "target num_threads ( N)"),
    "numbers of numbers stay": ("#define N (M + 1.5)\n#define M 1 << 2", "omp target if(N)", "target if ( N)"),
    "a list of values": ("#define AB a[0], b\n#define MAP to: AB", "omp target map(MAP)", "target map ( to: a[0], b )"),
    "a value of a value stays": ("#define N (*p->q[1])\n#define M N", "omp target if(M)", "target if ( M)"),
    "a section now": ("#define N 4\n#undef N\n#define N 0:n", "omp target map(a[N])", "target map ( a[ 0:n ])"),
    "an expression stays": ("#define N (n + 1)", "omp target map(a[0:N])", "target map ( a[0:N])"),
    "a name that is no macro here": ("#define map 1\n#undef map", "omp target map(a)", "target map ( a)"),
    "a name without its parentheses": ("#define map(x) 1\n#undef map", "omp target map(a)", "target map ( a)"),
    "strings": ('#define S "a\\n\\"" ', "omp error message(S) NO", 'error message ( S) NO'),
}  # fmt: skip


@pytest.mark.parametrize("name", DIRECTIVES)
def test_macros_in_directives(name: str) -> None:
    definitions, written, meant = DIRECTIVES[name]
    text = f"{definitions}\nvoid f(int n, int *a, int u) {{\n#pragma {written}\n  ;\n}}\n"
    files = preprocessed(text)
    assert directives(files) == [_tokens(meant)]
    assert files.source("d/t.c").text.count("\n") == text.count("\n")


@pytest.mark.parametrize("name", [n for n in DIRECTIVES if '"' not in DIRECTIVES[n][0]])
def test_macros_in_operators_and_attributes(name: str) -> None:
    definitions, written, meant = DIRECTIVES[name]
    files = preprocessed(f'{definitions}\nvoid f(int n, int *a, int u) {{\n_Pragma("{written}") ;\n}}\n')
    assert directives(files) == [_tokens(meant)]
    files = preprocessed(f"{definitions}\nvoid f(int *a) {{\n[[omp::directive({written[4:]})]] ;\n}}\n")
    assert directives(files) == [_tokens(meant)]


def test_the_definition_that_holds_at_the_place_counts() -> None:
    use = "#pragma omp target C\n;\n"
    text = f"#define C map(a)\nvoid f(int *a) {{\n{use}#undef C\n#define C nowait\n{use}}}\n"
    assert directives(preprocessed(text)) == ["target map ( a )", "target nowait"]


def test_a_directive_over_several_lines_keeps_them() -> None:
    use = "#pragma omp target C(a, \\\n  b) nowait\n  ;\n"
    text = f"#define C(x, y) map(x, y)\nvoid f(int *a, int *b) {{\n{use}}}\nint last;\n"
    files = preprocessed(text)
    assert directives(files) == ["target map ( a , b ) nowait"]
    assert files.source("d/t.c").text.splitlines()[6] == "int last;"


def test_a_comment_that_is_continued() -> None:
    text = f"void f(int n, int *a) {{\n#pragma omp parallel for // was: \\\n  num_threads(4)\n{FOR}\n}}\n"
    assert directives(preprocessed(text)) == ["parallel for"]


STATEMENTS = {
    "the head of a loop": ("#define EACH(i) for (int i = 0; i < n; i++)", "EACH(i) a[i] = i;", FOR),
    "head and body": (
        "#define EACH(i) for (int i = 0; i < n; i++)\n#define BODY { a[i] = i; }", "EACH(i) BODY",
        "for (int i = 0; i < n; i++) { a[i] = i; }",
    ),
    "the parentheses of a head": ("#define HEAD (int i = 0; i < n; i++)", "for HEAD a[i] = i;", FOR),
    "braces": ("#define BEGIN {\n#define END }", f"BEGIN {FOR} END", f"{{ {FOR} }}"),
    "digraphs": ("#define BEGIN <%\n#define END %>", f"BEGIN {FOR} END", f"{{ {FOR} }}"),
    "a statement without a directive stays": (
        "#define SET(x) { x = 1; }", "{ n = 2; SET(n) }", "{ n = 2; SET(n) }"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATEMENTS)
def test_macros_behind_directives(name: str) -> None:
    definitions, written, meant = STATEMENTS[name]
    source = preprocessed(f"{definitions}\nvoid f(int n, int *a) {{\n#pragma omp target\n{written}\n}}\n").source(
        "d/t.c"
    )
    assert source.text.rsplit("omp target\n")[1] == f"{meant}\n}}\n"


def test_a_macro_that_names_itself_is_not_expanded() -> None:
    text = "void g(int);\n#define g(x) { g(x); }\nvoid f(void) {\n#pragma omp target\ng(1)\n}\n"
    assert preprocessed(text).source("d/t.c").text == text


def test_expansions_bring_directives_with_macros() -> None:
    text = '#define MAPS map(to: a, b)\n#define T _Pragma("omp target MAPS")\nvoid f(int a, int b) {\nT ;\n}\n'
    assert directives(preprocessed(text)) == ["target map ( to : a , b )"]


def test_a_use_that_a_stage_asks_for() -> None:
    text = "#define NEXT(x) x + 1\nint f(int n) {\n#pragma omp barrier\n return NEXT(n);\n}\n"
    assert "return n + 1 ;" in preprocessed(text, wanted=text.index("NEXT(n)")).source("d/t.c").text
    assert preprocessed(text).source("d/t.c").text == text


BODY = "static void NAME(int n, int *a) {\n#pragma omp WHAT\nfor (int i = 0; i < n; i++) a[i] = i;\n}\n"


def test_a_file_that_is_included_twice() -> None:
    text = '#define WHAT target\n#define NAME one\n#include "b.h"\n'
    text += '#undef NAME\n#define NAME two\n#include "b.h"\nint last;\n'
    files = preprocessed(text, {"b.h": BODY})
    source = files.source("d/t.c")
    assert list(files.scans) == ["d/t.c"]
    assert directives(files) == ["target", "target"]
    second = source.text.rindex("#pragma")
    assert (source.users_path(second), source.users_line(second)) == ("d/b.h", 2)
    place = in_users_text(Span(source, second, second + 7))
    assert place is not None
    assert (place.place, place.text) == ("d/b.h:2:1", "#pragma")
    assert Span(source, source.text.index("int last"), 0).place == "d/t.c:7:1"


def test_a_guarded_file_stays_a_file() -> None:
    header = f"#ifndef B\n#define B\n#define WHAT target\n{BODY}#endif\n"
    files = preprocessed('#define NAME one\n#include "b.h"\n#include "b.h"\n', {"b.h": header})
    assert list(files.scans) == ["d/t.c", "d/b.h"]
    assert directives(files) == ["target"]


@pytest.mark.parametrize(
    ("before", "is_inlined"),
    [("void g(void) {\n", True), ("struct S {\n", True), ("int t[] = {\n", False), ("\n", False)],
)
def test_a_file_inside_of_code(before: str, is_inlined: bool) -> None:
    end = "" if before == "\n" else "};"
    files = preprocessed(
        f'#pragma omp requires dynamic_allocators\n{before}#include "b.h"\n{end}\n', {"b.h": "/*B*/\n"}
    )
    assert ("/*B*/" in files.source("d/t.c").text) == is_inlined


def test_a_file_that_ends_with_a_directive() -> None:
    text = 'void f(int n, int *a) {\n}\n#include "begin.h"\nint x;\n#include "end.h"\n'
    headers = {"begin.h": "#pragma omp declare target\n", "end.h": "#pragma omp end declare target\n"}
    assert directives(preprocessed(text, headers)) == ["declare target", "end declare target"]
    assert list(preprocessed(text, headers).scans) == ["d/t.c"]


def test_errors_are_shown_in_the_included_file() -> None:
    found = support.translate_text(
        'void f(int *a) {\n#include "b.h"\n}\n', "d/t.c", {"d/b.h": "\n#pragma omp tarket\n;\n"}
    )
    assert [d.span.place for d in found.diagnostics if d.span is not None] == ["d/b.h:2:13"]


def test_main_out_of_a_macro_is_initialised() -> None:
    text = "#define RUN(body) int main(void) { body }\nvoid f(void) {\n#pragma omp target\n;\n}\nRUN(f(); return 0;)\n"
    assert "int main(void) { REX_DECLARED(rex_offload_init(), 0); f(); return 0; }" in support.compiled(text).host


def test_edits_do_not_change_what_a_macro_makes_of_its_arguments() -> None:
    text = (
        "#pragma omp declare target\nconst char *label;\n#pragma omp end declare target\n"
        "#define WATCH(v) (label = #v, v)\n"
        "void f(void) {\nint r;\nstruct { int new; } s = {1};\n"
        "#pragma omp target map(from: r)\nr = WATCH(s.new);\n}\n"
    )
    assert '"s.new"' in support.compiled(text).device


@pytest.mark.parametrize(
    ("macro", "header"),
    [
        ("LESS i < 8", "int i = 0; LESS; i++"),
        ("BELOW < 8", "int i = 0; i BELOW; i++"),
        ("INIT int i = 0", "INIT; i < 8; i++"),
        ("STEP i += 2", "int i = 0; i < 8; STEP"),
    ],
)
def test_parts_of_a_loop_header(macro: str, header: str) -> None:
    name = macro.split()[0]
    text = f"#define {macro}\nvoid f(int *a) {{\n#pragma omp target teams distribute parallel for map(a[0:8])\n"
    kernel = support.compiled(f"{text}for ({header}) a[i] = i;\n}}\n").kernels[0]
    assert name not in kernel.body


def test_a_counter_in_a_directive_counts_once() -> None:
    text = (
        "#define NEXT __COUNTER__\n#define CALL(x) (x + NEXT)\nvoid f(int n) {\n"
        "#pragma omp target if(__COUNTER__ < n) thread_limit(NEXT + 1) device(CALL(__COUNTER__))\nn = __COUNTER__;\n}\n"
    )
    files = preprocessed(text)
    assert directives(files) == ["target if ( 0 < n ) thread_limit ( 1 + 1 ) device ( ( 2 + 3 ) )"]
    assert "n = 4" in files.source("d/t.c").text


def test_definitions_of_templates_are_expanded_at_once() -> None:
    made = "#define BOTH(f, g) template <class T> T f(T x) { return x; } template <class T> T g(T x) { return x; }\n"
    declared = "#define DECLARE(f) template <class T> T f(T x);\n#define RECORD(s) struct s { int x; };\n"
    uses = "BOTH(one,\n two)\nDECLARE(one)\nRECORD(S)\n#pragma omp target\n;\n"
    text = preprocessed(made + declared + uses).source("d/t.c").text
    assert text.endswith(
        "template <class T> T one(T x) { return x; } template <class T> T two(T x) { return x; }\n\n"
        "DECLARE(one)\nRECORD(S)\n#pragma omp target\n;\n"
    )
