"""Wrong and unsupported input: the message, its code, and the exact token it points at."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import support
from support import expect_error

LOOP = "#pragma omp target teams distribute parallel for"
FOR = "for (int i = 0; i < n; i++)"


def in_function(text: str) -> str:
    return f"void f(int n, int *p, double *q) {{\n  int i, j, s = 0, a[10], m[4][4];\n  double x;\n{text}\n}}\n"


def case(name: str, code: str, message: str, text: str) -> object:
    return pytest.param(code, message, text, id=name)


DIRECTIVES = [
    case("misspelt directive", "omp-unknown-directive", "did you mean 'target'?", "#pragma omp «tagret»\ns++;"),
    case(
        "misspelt combined",
        "omp-unknown-directive",
        "distribute",
        "#pragma omp target teams «distribut» parallel for\n" + FOR + " s++;",
    ),
    case(
        "Fortran's end",
        "omp-unknown-directive",
        "in C and C++ 'target teams' ends with its statement",
        "#pragma omp target teams\n{}\n#pragma omp «end target teams»",
    ),
    case(
        "misspelt end",
        "omp-unknown-directive",
        "did you mean 'end declare target'?",
        "#pragma omp end declare «traget»",
    ),
    case("misspelt clause", "omp-unknown-clause", "did you mean 'map'?", "#pragma omp target «mpa»(to: a)\ns++;"),
    case(
        "misspelt clause after others",
        "omp-unknown-clause",
        "reduction",
        f"{LOOP} map(to: a) \\\n   «reductoin»(+: s)\n{FOR} s++;",
    ),
    case("misspelt map type", "omp-unknown-map-type", "did you mean 'to'?", "#pragma omp target map(«too»: a)\ns++;"),
    case(
        "misspelt clause in an attribute",
        "omp-unknown-clause",
        "did you mean 'map'?",
        "[[omp::directive(target «mpa»(to: a))]] s++;",
    ),
    case(
        "misspelt clause in a sequence",
        "omp-unknown-clause",
        "did you mean 'num_teams'?",
        "[[omp::sequence(directive(target),\n  directive(teams «num_tems»(2)))]] s++;",
    ),
    case("misspelt clause in _Pragma", "omp-unknown-clause", "'map'", '_Pragma("omp target «mpa»(to: a)") s++;'),
    case("misspelt attribute", "omp-attribute-syntax", "directive, sequence", "[[«omp::directve(target)»]] s++;"),
    case("two attributes", "omp-attribute-syntax", "its own '[[…]]'", "[[omp::directive(target), «likely»]] s++;"),
    case(
        "another attribute first",
        "omp-attribute-syntax",
        "its own '[[…]]'",
        "[[«likely», omp::directive(target)]] s++;",
    ),
    case(
        "declaration",
        "omp-attribute-syntax",
        "as a pragma behind",
        "#pragma omp target\n; [[«omp::decl(threadprivate)»]] int t;",
    ),
    case("unclosed bracket", "omp-unbalanced", "'[' is never closed", "#pragma omp target map(to: a«[»0:n)\ns++;"),
    case(
        "unknown name",
        "base-language",
        "undeclared identifier 'nothing'",
        "#pragma omp target map(to: «n»othing)\ns++;",
    ),
    case(
        "unknown name in a section",
        "base-language",
        "undeclared identifier 'nothing'",
        "#pragma omp target map(to: a[0 : «n»othing])\ns++;",
    ),
    case(
        "unknown name in num_teams",
        "base-language",
        "undeclared identifier 'many'",
        f"{LOOP} num_teams(2 * «m»any)\n{FOR} s++;",
    ),
    case(
        "unknown member",
        "base-language",
        "no member named 'y'",
        "struct { int x; } z;\n#pragma omp target map(to: z.«y»)\ns++;",
    ),
    case(
        "reduction on target",
        "omp-clause-not-allowed",
        "'reduction' is not allowed on 'target'",
        "#pragma omp target «reduction»(+ : s)\ns++;",
    ),
    case("repeated if", "omp-repeated-clause", "'if' is there twice", "#pragma omp target if(n) «if(s)»\ns++;"),
    case(
        "missing to or from",
        "omp-missing-clause",
        "needs one of the clauses 'to' or 'from'",
        "#pragma omp «target update»\n",
    ),
    case("missing map", "omp-missing-clause", "needs one of the clauses 'map'", "#pragma omp «target data»\n{}"),
    case(
        "map type on enter data",
        "omp-map-type-not-allowed",
        "'from' is not allowed on 'target enter data'",
        "#pragma omp target enter data «map(from: a)»\n",
    ),
    case(
        "map type on exit data",
        "omp-map-type-not-allowed",
        "'to' is not allowed on 'target exit data'",
        "#pragma omp target exit data «map(to: a)»\n",
    ),
    case(
        "map type on target",
        "omp-map-type-not-allowed",
        "'release' is not allowed on 'target'",
        "#pragma omp target «map(release: a)»\ns++;",
    ),
    case(
        "use_device_ptr of an element",
        "omp-bad-list-item",
        "is not a variable",
        "#pragma omp target data use_device_ptr(«a[0]»)\n{}",
    ),
    case("an error in the base language", "base-language", "undeclared identifier 'k'", "#pragma omp target\ns = «k»;"),
]

UNSUPPORTED = [
    case(
        "a device address whose name means two things",
        "unsupported-item",
        "'s' in use_device_addr and something else of that name in one block",
        "struct { int s; } other = {0};\n#pragma omp target data map(s) use_device_addr(«s»)\ns = other.s;",
    ),
    case(
        "goto around a parallel",
        "unsupported-control-flow",
        "cannot be lowered yet",
        "#pragma omp target\n{\nif (n > 3) «goto end»;\n#pragma omp parallel\n  a[0] = 1;\nend: a[1] = 2;\n}",
    ),
    case(
        "initialiser beside a team's array of run-time extent",
        "unsupported-team-variable",
        "the initialiser of 't' in one declaration with a variable-length array",
        "#pragma omp target\n{\n  int v[n], «t[2] = {1, 2}»;\n#pragma omp parallel\n  v[0] = t[1];\n}",
    ),
    case(
        "address of an array of run-time extent",
        "unsupported-type",
        "the address of 'v', an array of run-time extent",
        "#pragma omp target\n{\n  int v[n];\n  p = *(«&v» + 1);\n}",
    ),
    case(
        "size of an array of run-time extent that has no name",
        "unsupported-type",
        "the size of '(*(int (*)[n])p)', an array of run-time extent",
        "#pragma omp target\ns = (int)sizeof«(*(int (*)[n])p)»;",
    ),
    case(
        "size of a type made of one of run-time extent",
        "unsupported-type",
        "'sizeof(row[2])', of a type made of one of run-time extent,",
        "#pragma omp target\n{\n  typedef int row[n];\n  s = (int)«sizeof(row[2])»;\n}",
    ),
    case(
        "team memory",
        "team-memory",
        "a block has 49152",
        "«#pragma omp target»\n{\n  double v[9000];\n#pragma omp parallel\n  v[n] = 1;\n}".replace(
            "«#pragma omp target»", "#pragma omp «target»"
        ),
    ),
    case(
        "depobj inside",
        "unsupported-construct",
        "'depobj' inside",
        "#pragma omp target parallel\n{\n#pragma omp «depobj(x) destroy»\ns++;\n}",
    ),
    case(
        "target inside",
        "unsupported-construct",
        "'target' inside a 'target' region",
        "#pragma omp target\n{\n#pragma omp «target»\n  s++;\n}",
    ),
    case(
        "lastprivate",
        "omp-clause-not-allowed",
        "'distribute' takes no lastprivate(conditional:)",
        f"{LOOP} «lastprivate(conditional: s)»\n{FOR} s = i;",
    ),
    case(
        "linear",
        "unsupported-clause",
        "'linear' with 'ref'",
        f"#pragma omp target parallel for «linear(ref(s))»\n{FOR} s = i;",
    ),
    case(
        "allocate",
        "unsupported-clause",
        "may ask for an alignment",
        f"{LOOP} private(s) «allocate(d: s)»\n{FOR} s = i;",
    ),
    case(
        "long double",
        "unsupported-type",
        "'wide' holds 'long double'",
        "long double wide = 1;\n#pragma omp target\nx = «wide»;",
    ),
    case(
        "two sections of one array in a reduction of tasks",
        "omp-data-sharing",
        "'task_reduction' of a second section of one array, 'v[4:4]', cannot be lowered yet; name one section that",
        "int v[8];\n#pragma omp taskgroup task_reduction(+: v[0:4], «v[4:4]»)\nv[0]++;",
    ),
    case(
        "a last value whose iteration depends on an outer index",
        "unsupported-clause",
        "the last value of 'x' of loops with code between them whose bounds depend on an outer index cannot be lowered",
        "#pragma omp target teams distribute parallel for collapse(2) lastprivate(«x») map(tofrom: x)\n"
        "for (int i = 0; i < 4; i++) { q[i] = 1;\nfor (int j = i; j < 3; j++) x = j; }",
    ),
    case(
        "a last value inside of a region whose iteration depends on an outer index",
        "unsupported-construct",
        "a last value of loops with code between them whose bounds depend on an outer index",
        "#pragma omp target map(tofrom: x)\n{ s = 1;\n#pragma omp «parallel for collapse(2) lastprivate(x)»\n"
        "for (int i = 0; i < 4; i++) { q[i] = 1;\nfor (int j = i; j < 3; j++) x = j; } }",
    ),
    case(
        "a linear variable of loops whose bounds depend on an outer index",
        "unsupported-clause",
        "linear(s) on loops whose bounds depend on an outer index cannot be lowered yet; compute it from the loops'",
        "#pragma omp target parallel for collapse(2) linear(«s») map(tofrom: s)\n"
        "for (int i = 0; i < 4; i++)\nfor (int j = i; j < 3; j++) q[i] = s;",
    ),
    case(
        "a section of a pointer with a shape",
        "unsupported-item",
        "a section of a pointer with a shape cannot be lowered yet; take it of a pointer to rows",
        "#pragma omp target update to(«(([2][2])&x)[0:1][1]»)",
    ),
    case(
        "a member without bytes",
        "unsupported-type",
        "the member 'e' takes no bytes in C, and one or more in the C++ of device code; leave it out",
        "#pragma omp target\n{ struct empty {}; struct holds { «struct empty e[2]»; char c; } h; x = sizeof h; }",
    ),
    case(
        "alignment by an expression",
        "unsupported-type",
        "the alignment of 'k' cannot be lowered yet; write it as a number",
        "«_Alignas(1 << 6) int k» = 1;\n#pragma omp target firstprivate(k)\nx = k++;",
    ),
    case(
        "alignment by a name that something nearer may have",
        "unsupported-type",
        "the alignment of 'k' cannot be lowered yet; write it as a number",
        "enum { WIDE = 64 };\n«_Alignas(WIDE) int k» = 1;\n#pragma omp target firstprivate(k)\nx = k++;",
    ),
    case(
        "atomic variable",
        "unsupported-type",
        "'count' has an '_Atomic' type, which nvcc does not have in device code; leave '_Atomic' out and",
        "_Atomic int count = 1;\n#pragma omp target\nx = «count»;",
    ),
    case(
        "atomic member",
        "unsupported-type",
        "'both.in.n' has an '_Atomic' type",
        "struct { int a; struct { _Atomic int n[2]; } in; } both;\n#pragma omp target map(both)\nx = «both».a;",
    ),
    case(
        "imaginary literal",
        "unsupported-type",
        "'2i' has the complex type '_Complex int', which nvcc does not have in device code; use 'double complex' or",
        "#pragma omp target\nx = __real__ «2i»;",
    ),
    case(
        "long double complex",
        "unsupported-type",
        "'z' has the complex type '_Complex long double', which nvcc does not have in device code",
        "#pragma omp target\n{ «long double _Complex z = 1»; x = __real__ z; }",
    ),
    case(
        "a value that becomes long double complex",
        "unsupported-type",
        "'z' is converted to the complex type '_Complex long double', which nvcc does not have in device code",
        "double _Complex z = 1;\n#pragma omp target\nx = __real__ (1.0l + «z»);",
    ),
    case(
        "volatile complex",
        "unsupported-type",
        "'z' has the complex type 'volatile _Complex float', which nvcc does not have in device code",
        "#pragma omp target\n{ «volatile float _Complex z = 1»; x = __real__ z; }",
    ),
    case(
        "a member of a complex type of integers",
        "unsupported-type",
        "'both.z' has the complex type '_Complex int'",
        "struct { int a; union { int _Complex z[2]; }; } both;\n#pragma omp target map(both)\nx = «both».a;",
    ),
    case(
        "a complex number added to a bit-field",
        "unsupported-type",
        "'+=' assigns a part of a complex number to 'b.f', which device code cannot do yet; write creal(…)",
        "struct { int f : 7; } b = {1};\n#pragma omp target map(b)\n«b.f += 1.0i»;",
    ),
    case(
        "an atomic update of a complex number",
        "unsupported-type",
        "there are no atomic operations on C's complex numbers; name one of real and imaginary part",
        "double _Complex z = 1;\n#pragma omp target map(z)\n{\n#pragma omp atomic\n«z» += 1;\n}",
    ),
    case(
        "a counting condition",
        "unsupported-name",
        "'NEXT' counts in a condition, and other uses of '__COUNTER__' are numbers in generated code",
        "#define NEXT __COUNTER__\n#if 1 < «NEXT»\n#endif\n#if 0\n#if NEXT\n#endif\n#endif\n"
        "#pragma omp target\ns = NEXT;",
    ),
    case(
        "long double in a struct",
        "unsupported-type",
        "'both.b' holds 'long double'",
        "struct { int a; long double b[2]; } both;\n#pragma omp target map(both)\nx = both.a + «both».b[1];",
    ),
    case(
        "alignment", "unsupported-clause", "as a number", f"{LOOP} private(s) «allocate(align(8 * 8): s)»\n{FOR} s = i;"
    ),
    case(
        "alignment of a variable",
        "unsupported-clause",
        "the alignment '8 * 8' cannot be lowered yet",
        "#pragma omp target\n{\nint v;\n#pragma omp «allocate(v) align(8 * 8)»\ns = v;\n}",
    ),
    case(
        "alignment of an array of run-time extent",
        "unsupported-clause",
        "aligned to 16 bytes",
        "int v[n];\n#pragma omp target private(v) allocate(align(32): «v»)\ns = v[0];",
    ),
    case("ancestor", "unsupported-clause", "no device of rexcc can", "#pragma omp target «device(ancestor: 1)»\ns++;"),
    case(
        "induction on distribute",
        "unsupported-clause",
        "'induction' on 'target teams distribute parallel for' cannot be lowered yet",
        f"{LOOP} «induction(step(2), *: s)»\n{FOR} s *= 2;",
    ),
    case(
        "induction inside of a region by a declared operator",
        "unsupported-clause",
        "'induction' by the declared 'twice' cannot be lowered yet",
        "#pragma omp target map(s)\n{ a[0] = 0;\n"
        f"#pragma omp parallel for «induction(step(2), twice: s)»\n{FOR} s *= 2;\n}}",
    ),
    case(
        "induction of an integer by a fraction",
        "unsupported-clause",
        "'s' has type 'int', and each step would round",
        f"#pragma omp target parallel for induction(step(0.5), +: «s»)\n{FOR} s += 0.5;",
    ),
    case(
        "induction without a step",
        "omp-missing-argument",
        "'induction' needs an operator and a step",
        f"#pragma omp target parallel for induction(«+»: s)\n{FOR} s += 1;",
    ),
    case(
        "reverse offload",
        "unsupported-requirement",
        "'requires reverse_offload' cannot be honoured",
        "}\n#pragma omp requires «reverse_offload»\nvoid h(int *p) {\n#pragma omp target\np[0]++;",
    ),
    case(
        "self",
        "unsupported-modifier",
        "'self' takes a program that shares its memory with devices",
        "#pragma omp target map(«self», to: a)\na[0]++;",
    ),
    case(
        "self by default",
        "unsupported-modifier",
        "'self' takes a program that shares its memory with devices",
        "#pragma omp target «defaultmap(self : aggregate)»\na[0]++;",
    ),
    case("stride in a section", "omp-section-stride", "stride", "#pragma omp target map(to: p[0:n:«2»])\np[0]++;"),
    case(
        "section of a pointer without length",
        "omp-section-length",
        "needs a length, as in 'p[0:n]'",
        "#pragma omp target map(to: «p[:]»)\np[0]++;",
    ),
    case(
        "section of a scalar",
        "omp-section-base",
        "'s' is neither array nor pointer",
        "#pragma omp target map(to: «s»[0:n])\ns++;",
    ),
    case(
        "address of what a pointer points to",
        "unsupported-item",
        "'*p' in use_device_addr must be a variable; put its address into a pointer",
        "#pragma omp target data map(to : p[0:n]) use_device_addr(«*p»)\np[0]++;",
    ),
    case(
        "section of an element",
        "omp-section-base",
        "'p[…]' is neither array nor pointer",
        f"{LOOP} reduction(+ : «p»[0:2][0:n])\n{FOR} p[0]++;",
    ),
    case(
        "atomic form",
        "omp-atomic-form",
        "not a form of 'atomic update'",
        "#pragma omp target\n{\n#pragma omp atomic\n  «s = a[0]»;\n}",
    ),
    case("collapse of nothing", "omp-collapse", "positive integer constant", f"{LOOP} collapse(«0»)\n{FOR} s++;"),
    case("collapse of a variable", "omp-collapse", "positive integer constant", f"{LOOP} collapse(«n»)\n{FOR} s++;"),
    case(
        "defaultmap none",
        "omp-attribute",
        "defaultmap(none) asks for an explicit attribute of 'a'",
        "#pragma omp target defaultmap(none)\n«a»[0] = 1;",
    ),
    case(
        "user-defined reduction",
        "omp-unknown-reduction",
        "no reduction 'foo' is declared for 's' of type",
        f"{LOOP} reduction(«foo» : s)\n{FOR} s++;",
    ),
    case(
        "a function pointer without indirect functions",
        "unsupported-capture",
        "function pointer 'g' cannot be used in a target region: this file has no function",
        "}\nvoid i(int);\n#pragma omp declare target enter(i) indirect(0)\n"
        "void h(void (*g)(int)) {\n#pragma omp target\n«g»(3);",
    ),
    case(
        "an indirect function of another file",
        "undefined-device-function",
        "'i' is 'indirect' on 'declare target' but not defined in this file",
        "}\n«void i(int x)»;\n#pragma omp declare target enter(i) indirect\n"
        "void h(void (*g)(int)) {\n#pragma omp target\ng(3);",
    ),
    case(
        "a function's name compared",
        "unsupported-indirect",
        "a function's name is its address on the device here",
        "}\nvoid i(int x) {}\n#pragma omp declare target enter(i) indirect\n"
        "void h(void (*g)(int)) {\n#pragma omp target\nif («g == &i») g(3);",
    ),
    case(
        "a step through a pointer",
        "unsupported-indirect",
        "a loop's step cannot be what a function gives",
        "}\nint i(int x) { return x; }\n#pragma omp declare target enter(i) indirect\n"
        "void h(int (*g)(int)) {\n#pragma omp target\n#pragma omp parallel for\n"
        "for (int j = 0; j < 9; j += «g»(1)) g(3);",
    ),
]


@pytest.mark.parametrize(("code", "message", "text"), [*DIRECTIVES, *UNSUPPORTED])
def test_an_error_points_at_its_token(code: str, message: str, text: str) -> None:
    expect_error(in_function(text), code, message)


def test_all_errors_of_a_file_show_in_one_run() -> None:
    source = in_function(
        "#pragma omp tagret\ns++;\n#pragma omp target mpa(to: a)\ns++;\n#pragma omp target map(to: nothing)\ns++;"
    )
    found = support.errors(source)
    assert [(d.code, d.span.line if d.span else 0) for d in found] == [
        ("omp-unknown-directive", 4),
        ("omp-unknown-clause", 6),
        ("base-language", 8),
    ]


def test_all_errors_of_a_region_show_in_one_run() -> None:
    atomic = "#pragma omp atomic\n"
    source = in_function(
        f"#pragma omp target parallel\n{{\n{atomic}s = a[0];\n#pragma omp atomic read\ns++;\n#pragma omp single\n{{\n"
        f"{atomic}s = n;\n{atomic}s += 1;\n#pragma omp target\n;\n}}\n}}"
    )
    found = support.errors(source)
    assert [(d.code, d.span.line - 3 if d.span else 0) for d in found] == [
        ("omp-atomic-form", 4),
        ("omp-atomic-form", 6),
        ("omp-atomic-form", 10),
        ("unsupported-construct", 13),
    ]


def test_each_construct_is_checked_on_its_own() -> None:
    loop = "for (int i = 0; i < n; i++)"
    source = in_function(
        f"#pragma omp target parallel for linear(ref(s))\n{loop} s = i;\n#pragma omp target\n#pragma omp target\ns++;\n"
        f"{LOOP}\nwhile (n--) s++;\n#pragma omp target map(to: p[:])\np[0]++;"
    )
    assert [d.code for d in support.errors(source)] == [
        "unsupported-clause",
        "unsupported-construct",
        "omp-loop-form",
        "omp-section-length",
    ]


def test_notes_name_a_second_place() -> None:
    found = expect_error(in_function("#pragma omp target if(n) «if(s)»\ns++;"), "omp-repeated-clause", "twice")
    assert [n.span.line if n.span else 0 for n in found.notes] == [4]
    found = expect_error(
        in_function("#pragma omp target\n{\n#pragma omp «target»\ns++;\n}"), "unsupported-construct", ""
    )
    assert found.notes[0].message == "the region starts here"
    assert found.notes[0].span is not None and found.notes[0].span.line == 4


def test_a_place_in_a_continued_pragma_keeps_line_and_column() -> None:
    expect_error(
        in_function(f"{LOOP} \\\n    map(to : a) \\\n      «mpa»(to : p[0 : n])\n{FOR} s++;"), "omp-unknown-clause", ""
    )
    expect_error(
        in_function(f"{LOOP} /* a\n comment */ map(to : a[0 : «u»nknown])\n{FOR} s++;"), "base-language", "unknown"
    )


def test_a_place_after_a_tab_keeps_the_caret_under_the_token() -> None:
    text, line, column, _ = support.marked(in_function("\t#pragma omp target\t«mpa»(to: a)\n\ts++;"))
    shown = support.rendered(support.translate_text(text)).splitlines()
    assert shown[0].startswith(f"t.c:{line}:{column}: error: ")
    assert shown[2] == "      | \t                  \t^~~"


def test_an_error_in_a_header_names_the_header() -> None:
    header = "static void run(int *p, int n) {\n#pragma omp target map(tofrom: p[0:n]) mpa(x)\n  p[0] = n;\n}\n"
    main = '#include "k.h"\nint main(void) { int a[3]; run(a, 3); return 0; }\n'
    found = support.only_error(main, "d/t.c", {"d/k.h": header})
    assert found.span is not None and found.span.place == "d/k.h:2:40"


def test_an_error_beside_a_macro_that_stands_for_nothing() -> None:
    """A refused program is tried again with its macros expanded, this one to no token at all."""
    text = "#define API\n#define IN(x) x\nAPI void f(int n, int *p) {\n#pragma omp «tagret»\n  p[IN(0)] = n;\n}\n"
    expect_error(text, "omp-unknown-directive", "did you mean 'target'?")


def test_an_error_in_cxx() -> None:
    source = (
        "#include <vector>\nvoid f(std::vector<int> &v) {\n#pragma omp target map(to: v[0:«m»issing])\n  v[0]++;\n}\n"
    )
    expect_error(source, "base-language", "undeclared identifier 'missing'", "t.cpp")


def test_the_driver_exits_with_status_one_and_prints_place_and_caret(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text(
        "int main(void) {\n  int s = 0;\n#pragma omp target reductoin(+ : s)\n  s++;\n  return s;\n}\n"
    )
    command = [sys.executable, "-m", "rexcc.driver.main", "--target=host", "bad.c", "-o", "bad"]
    path = os.pathsep.join([str(Path(support.__file__).parents[1] / "src"), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[:3] == [
        "bad.c:3:20: error: unknown clause 'reductoin' on 'target'; did you mean 'in_reduction'? [omp-unknown-clause]",
        "    3 | #pragma omp target reductoin(+ : s)",
        "      |                    ^~~~~~~~~",
    ]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.c"]


def test_all_files_of_a_command_are_checked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("one.c", "two.c"):
        (tmp_path / name).write_text(
            f"void {name[:3]}(int *p) {{\n#pragma omp target map(too : p[0:1])\n  p[0] = 1;\n}}\n"
        )
    assert support.rexcc(tmp_path, "-c", "one.c", "two.c") == 1
    shown = capfd.readouterr().err
    assert "one.c:2:24: error:" in shown and "two.c:2:24: error:" in shown


BLOCK = "omp-structured-block"
FORBIDDEN = [
    case("floating loop variable", "omp-loop-form", "'x' has the floating", f"{LOOP}\nfor («x» = 0; x < n; x++) s++;"),
    case("declared floating", "omp-loop-form", "type 'float'", f"{LOOP}\nfor (float «y» = 0; y < n; y += 1) s++;"),
    case("zero step", "omp-loop-form", "a step of 0", f"{LOOP}\nfor (int i = 0; i < n; i += «0») s++;"),
    case("changing bound", "omp-loop-form", "'s' is part", f"{LOOP}\nfor (int i = 0; i < s; i++) «s» = 2;"),
    case("changing step", "omp-loop-form", "'s' is part", f"{LOOP}\nfor (int i = 0; i < n; i += s) «s» = 2;"),
    case("bound with a side effect", "omp-loop-form", "'n' is part", f"{LOOP}\nfor (int i = 0; i < «n»--; i++) s++;"),
    case(
        "return out of a region", BLOCK, "'return' leaves the 'target' region; set", "#pragma omp target\n{ «return»; }"
    ),
    case(
        "return out of target data",
        BLOCK,
        "leaves the 'target data' region",
        "#pragma omp target data map(to: a)\n{ if (n) «return»; }",
    ),
    case(
        "return out of target parallel",
        BLOCK,
        "'target parallel'",
        "#pragma omp target parallel\n{ for (;;) «return»; }",
    ),
    case(
        "return out of an associated loop",
        "omp-loop-form",
        "'return' leaves the loop",
        f"{LOOP}\n{FOR} {{ if (i) «return»; }}",
    ),
    case(
        "return in target data and target",
        BLOCK,
        "'target' region",
        "#pragma omp target data map(to: a)\n{\n#pragma omp target\n  { «return»; }\n}",
    ),
    case(
        "return beside a parallel loop of the host",
        BLOCK,
        "'target data' region",
        f"#pragma omp target data map(to: a)\n{{\n#pragma omp parallel for\n{FOR} a[0] = i;\n«return»; }}",
    ),
    case("break out of a region", BLOCK, "'break' leaves", "for (;;) {\n#pragma omp target\n  { «break»; }\n}"),
    case(
        "continue out of a region",
        BLOCK,
        "'continue' leaves",
        "for (;;) {\n#pragma omp target\n  { switch (n) { case 1: «continue»; } }\n}",
    ),
    case(
        "break out of target data",
        BLOCK,
        "'break' leaves the 'target data' region",
        "for (;;) {\n#pragma omp target data map(to: a)\n  { «break»; }\n}",
    ),
    case("goto out of a region", BLOCK, "'goto out' leaves", "#pragma omp target\n{ «goto out»; }\nout:;"),
    case("goto into a region", BLOCK, "'goto in' enters", "if (n) «goto in»;\n#pragma omp target\n{ s++; in:; }"),
    case(
        "goto out of an iteration",
        BLOCK,
        "'goto out' leaves",
        f"{LOOP}\n{FOR} {{ if (i) «goto out»; a[i] = 0; }}\nout:;",
    ),
    case(
        "goto out of target data",
        BLOCK,
        "'goto out' leaves the 'target data'",
        "#pragma omp target data map(to: a)\n{ «goto out»; }\nout:;",
    ),
    case(
        "a case in a region",
        BLOCK,
        "'case' enters",
        "switch (n) {\n#pragma omp target\n  { s++; «case 1»: s--; }\n}",
    ),
    case(
        "a declaration as region",
        BLOCK,
        "a declaration cannot be the body of 'target'; put",
        "#pragma omp target\n«int k = 3»;\ns = 1;",
    ),
    case(
        "a declaration in target data",
        BLOCK,
        "cannot be the body of 'target data'",
        "#pragma omp target data map(to: a)\n«int k = 3»;\ns = 1;",
    ),
    case(
        "private and firstprivate",
        "omp-data-sharing",
        "'s' is in 'firstprivate' and in 'private'",
        "#pragma omp target private(s) firstprivate(n, «s»)\ns++;",
    ),
    case(
        "shared and reduction",
        "omp-data-sharing",
        "'s' is in 'reduction' and in 'shared'",
        f"{LOOP} shared(s) reduction(+ : «s»)\n{FOR} s++;",
    ),
    case(
        "two reductions",
        "omp-data-sharing",
        "'s' is in 'reduction'",
        f"{LOOP} reduction(+ : s) reduction(max : «s»)\n{FOR} s++;",
    ),
    case(
        "default(none)",
        "omp-default-none",
        "'a' is in no data-sharing clause",
        "#pragma omp target parallel default(none)\n«a»[0] = n;",
    ),
    case(
        "default(none) on nested teams",
        "omp-default-none",
        "'n' is in no data-sharing clause",
        "#pragma omp target map(a)\n#pragma omp teams default(none) shared(a)\na[0] = «n»;",
    ),
    case(
        "default(none) and the bound of a loop",
        "omp-default-none",
        "'n' is in",
        f"{LOOP} default(none) shared(a)\nfor (int i = 0; i < «n»; i++) a[i] = i;",
    ),
    case(
        "collapse of nothing inside",
        "omp-collapse",
        "positive integer constant",
        f"#pragma omp target\n{{\n#pragma omp simd collapse(«0»)\n{FOR} a[i] = i;\ns = 1;\n}}",
    ),
    case("no teams", "omp-clause-value", "is 0 here", f"{LOOP} num_teams(«0»)\n{FOR} a[i] = i;"),
    case("no lower bound", "omp-clause-value", "'num_teams'", f"{LOOP} num_teams(«0» : 4)\n{FOR} a[i] = i;"),
    case("negative threads", "omp-clause-value", "is -1 here", f"{LOOP} num_threads(«-1»)\n{FOR} a[i] = i;"),
    case("no thread limit", "omp-clause-value", "'thread_limit'", f"{LOOP} thread_limit(«1 - 1»)\n{FOR} a[i] = i;"),
    case(
        "chunk of nothing",
        "omp-clause-value",
        "the chunk size in 'schedule'",
        f"#pragma omp target parallel for schedule(static, «0»)\n{FOR} a[i] = i;",
    ),
    case(
        "distributed chunk of nothing",
        "omp-clause-value",
        "'dist_schedule'",
        f"{LOOP} dist_schedule(static, «0»)\n{FOR} a[i] = i;",
    ),
    case(
        "update to and from",
        "omp-update-both-ways",
        "both 'to' and 'from'",
        "#pragma omp target update to(s, a) from(«a»)\n",
    ),
    case(
        "is_device_ptr of an int",
        "omp-list-item-type",
        "has type 'int', which is neither",
        "#pragma omp target is_device_ptr(p, «s»)\ns++;",
    ),
    case(
        "reduction of a struct",
        "omp-unknown-reduction",
        "no reduction '+' is declared for 'z' of type 'struct S'",
        f"struct S {{ int x; }} z;\n{LOOP} reduction(+ : «z»)\n{FOR} z.x++;",
    ),
]


@pytest.mark.parametrize(("code", "message", "text"), FORBIDDEN)
def test_what_openmp_forbids_is_refused(code: str, message: str, text: str) -> None:
    expect_error(in_function(text), code, message)


ALLOWED = {
    "nested exits": "#pragma omp target\n{ for (;;) { if (n) continue; break; } switch (n) { case 1: break; } }",
    "continue in a switch": "#pragma omp target\nfor (i = 0; i < 3; i++) switch (n) { case 1: continue; }",
    "continue in an associated loop": f"{LOOP}\n{FOR} {{ if (i) continue; a[i] = 0; }}",
    "goto inside": "#pragma omp target\n{ if (n) goto in; s++; in:; }",
    "goto around": "again:;\n#pragma omp target\n{ s++; }\nif (n) goto again;",
    "a loop of the host": f"#pragma omp target data map(to: a)\nfor (;;) {{ if (n) break; {FOR} continue; }}",
    "first and last": "#pragma omp target data map(to: a)\n{\n#pragma omp parallel for firstprivate(s) lastprivate(s)\n"
    f"{FOR} s = i;\n}}",
    "twice private": "#pragma omp target private(s) private(s)\ns = 1;",
    "all listed": f"{LOOP} default(none) shared(a) firstprivate(n)\nfor (int i = 0; i < n; i++) a[i] = sizeof x;",
    "in a type": f"{LOOP} default(none) shared(a)\nfor (int i = 0; i < 9; i++) {{ __typeof__(n) k = i; a[i] = k; }}",
    "mapped": "#pragma omp target parallel default(none) map(tofrom: a) firstprivate(n)\na[0] = n;",
    "an index outside": f"{LOOP} default(none) shared(a, n)\nfor (i = 0; i < n; i++) a[i] = i;",
    "an index of simd": "#pragma omp target parallel default(none) shared(a)\n{\n#pragma omp simd\n"
    "for (i = 0; i < 3; i++) a[i] = i;\n}",
    "a literal": "const double k = 1.5;\n#pragma omp target parallel default(none) shared(q)\nq[0] = k;",
    "a constant": "const int k = 3;\n#pragma omp target parallel default(none) shared(a)\na[k] = k;",
    "bound in a sizeof": f"{LOOP}\nfor (int i = 0; i < (int)sizeof s; i++) s = 2;",
    "an element of the bound's array": f"{LOOP}\nfor (int i = 0; i < a[0]; i++) a[i + 1] = 2;",
    "variables in values": f"int none = 0;\n{LOOP} num_teams(none + 1) num_threads(n)\n{FOR} a[i] = i;",
    "two sections": "#pragma omp target update to(a[0:5]) from(a[5:5])\n",
    "arrays of device pointers": "#pragma omp target is_device_ptr(p, q)\np[0] = 1;",
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_openmp_allows_is_accepted(name: str) -> None:
    found = support.translate_text(in_function(ALLOWED[name]))
    assert not found.diagnostics, support.rendered(found)


def test_objects_that_only_the_host_can_make_are_refused() -> None:
    text = (
        "struct Shape {\n  int n;\n  Shape(int x) : n(x) {}\n  virtual int corners() { return n; }\n};\n"
        "#pragma omp begin declare target\n«Shape square(4)»;\n#pragma omp end declare target\n"
        "void f() {\n#pragma omp target\n  square.n = 1;\n}\n"
    )
    expect_error(text, "unsupported-initialiser", "'square' cannot be on the device", "t.cpp")


def test_constants_without_a_value_for_devices_are_refused_in_functions() -> None:
    text = (
        "struct Shape {\n  int n;\n  Shape(int x) : n(x) {}\n  virtual int corners() const { return n; }\n};\n"
        "const Shape square(4);\nstatic int get() { return «square».n; }\n"
        "void f(int *p) {\n#pragma omp target map(p[0:1])\n  p[0] = get();\n}\n"
    )
    expect_error(text, "unsupported-initialiser", "'square', a constant of the host, is used in a function", "t.cpp")


def test_lambdas_from_outside_name_no_constants_that_only_the_host_knows() -> None:
    text = (
        "extern const int n;\nvoid f(int *p) {\n  auto g = [] { return «n»; };\n"
        "#pragma omp target map(p[0:1])\n  p[0] = g();\n}\n"
    )
    expect_error(text, "undeclared-device-variable", "'n' is a variable of the host", "t.cpp")


def test_lambdas_with_values_of_their_own_are_not_on_the_device() -> None:
    text = (
        "#pragma omp begin declare target\n«auto count = [n = 1](int x) mutable { return n += x; }»;\n"
        "static int f(int x) { return count(x); }\n#pragma omp end declare target\n"
        "void g(int *p) {\n#pragma omp target map(p[0:1])\n  p[0] = f(1);\n}\n"
    )
    expect_error(text, "unsupported-initialiser", "'count' cannot be on the device: a lambda with captures", "t.cpp")


def test_an_address_of_what_another_file_has_is_no_first_value() -> None:
    head = "extern int n;\n#pragma omp declare target\nint *pn = «&n»;\n#pragma omp end declare target\n"
    text = f"{head}void f(int *r) {{\n#pragma omp target map(from : r[0 : 1])\nr[0] = *pn;\n}}\n"
    expect_error(text, "unsupported-initialiser", "'pn' begins with the address of 'n'")


def test_static_members_of_class_templates_in_functions() -> None:
    text = (
        "template <class T> struct S {\n  static int count;\n  static int next(int x) { return x + «count»; }\n};\n"
        "template <class T> int S<T>::count;\nvoid f(int *p) {\n"
        "#pragma omp target map(p[0:1])\n  p[0] = S<int>::next(1);\n}\n"
    )
    expect_error(text, "unsupported-static-member", "a static member of a class template", "t.cpp")


@pytest.mark.parametrize("use", ["S<int>::count", "s.count", "s.count++"])
def test_declared_static_members_of_class_templates_in_regions(use: str) -> None:
    marked = f"«{use[:-2]}»++" if use.endswith("++") else f"«{use}»"
    text = (
        "#pragma omp begin declare target\ntemplate <class T> struct S {\n  static int count;\n"
        "  static constexpr int size = 4;\n};\n#pragma omp end declare target\n"
        "template <class T> int S<T>::count;\nvoid f(int *p, S<int> s) {\n"
        f"#pragma omp target map(p[0:1])\n  p[0] = S<int>::size + {marked};\n}}\n"
    )
    expect_error(text, "unsupported-static-member", "cannot be declared for the device yet", "t.cpp")


def test_threadprivate_variables_have_no_copy_on_the_device() -> None:
    text = (
        "int g;\n#pragma omp threadprivate(«g»)\n#pragma omp declare target(g)\n"
        "void f(void) {\n#pragma omp target\n  g = 1;\n}\n"
    )
    found = expect_error(text, "omp-threadprivate", "cannot be in 'declare target'")
    assert [n.message for n in found.notes] == ["declared here"]


def test_functions_inside_a_region_may_return() -> None:
    text = (
        "template <class T> void run(T *p, int n) {\n#pragma omp target map(p[0:n])\n  {\n"
        "    auto two = [](T x) { for (;;) return x; };\n    p[0] = two(n);\n  }\n}\n"
        "void f(int &r, int *(&p), int (&a)[3]) {\n  run(a, 3);\n"
        "#pragma omp target is_device_ptr(p, a)\n  p[0] = a[0];\n}\n"
    )
    found = support.translate_text(text, "t.cpp")
    assert not found.diagnostics, support.rendered(found)
    expect_error(
        "void f(int &r) {\n#pragma omp target is_device_ptr(«r»)\n  r = 1;\n}\n", "omp-list-item-type", "'int'", "t.cpp"
    )


def test_what_a_region_declares_needs_no_clause() -> None:
    text = (
        "#include <vector>\nstatic const int limit = 3;\nint table[9];\n#pragma omp declare target(table)\n"
        "template <int N> void f(int n, int (&a)[4]) {\n  constexpr float half = 0.5f;\n"
        "#pragma omp target parallel default(none) shared(a)\n  {\n    auto g = [](int x) { return x; };\n"
        "    for (int &x : a) x += g(limit) + table[0] + N * half;\n  }\n}\n"
        "void h(int (&a)[4]) { f<2>(1, a); }\n"
    )
    assert "omp-default-none" not in support.rendered(support.translate_text(text, "t.cpp"))


def test_all_variables_that_default_none_misses_are_named() -> None:
    text = "#pragma omp target parallel default(none)\n«a»[0] = n + s;"
    found = expect_error(in_function(text), "omp-default-none", "'a'")
    assert [n.message for n in found.notes] == ["asked for here", "'n' is in none either", "'s' is in none either"]


def test_a_host_variable_in_a_called_function_is_refused() -> None:
    text = (
        "int g = 5;\nint f(int x) { return x + «g»; }\n"
        "void run(int *r) {\n#pragma omp target map(tofrom: r[0:1])\n  r[0] = f(1);\n}\n"
    )
    expect_error(text, "undeclared-device-variable", "'g' is a variable of the host")


@pytest.mark.parametrize(
    ("members", "made"),
    [
        ("int *p = «table», n;", "S s; p[0] = s.p[1];"),
        ("int *p = &«table»[3], n;", "p[0] = S().n;"),
        ("int n, *p = «table»;", "S s = {3}; p[0] = s.n;"),
        ("int n, m = «table»[0];", "S s{3}; p[0] = s.m;"),
        ("int *p = «table»; S() {}", "S s; p[0] = s.p[1];"),
        ("struct { int *q = «table»; } in;", "S s; p[0] = s.in.q[1];"),
    ],
)
def test_a_host_variable_in_a_first_value_of_a_member_is_refused(members: str, made: str) -> None:
    text = (
        f"static int table[64];\nstruct S {{ {members} }};\n"
        f"void run(int *p) {{\n#pragma omp target map(tofrom: p[0:1])\n  {{ {made} }}\n}}\n"
    )
    expect_error(text, "undeclared-device-variable", "'table' is a variable of the host", "t.cpp")


@pytest.mark.parametrize(
    ("members", "made"),
    [
        ("int n, *p = table;", "S s = {3, p}; p[0] = s.n;"),
        ("int *p = table; S(int *q) : p(q) {}", "S s(p); p[0] = s.p[1];"),
        ("int n = sizeof table;", "S s; p[0] = s.n;"),
        ("int n; static int *at(int i) { return table + i; }", "S s; p[0] = s.n;"),
    ],
)
def test_a_first_value_of_a_member_that_nothing_has_may_name_a_host_variable(members: str, made: str) -> None:
    text = (
        f"static int table[64];\nstruct S {{ {members} }};\n"
        f"void run(int *p) {{\n#pragma omp target map(tofrom: p[0:1])\n  {{ {made} }}\n}}\n"
    )
    assert support.translate_text(text, "t.cpp").device is not None


@pytest.mark.parametrize(
    "constant",
    [
        "static int *const first = table;",
        "static int *const other = table; static int *const *const first = &other;",
        "struct S { int n, *p; }; static const struct S first = {3, &table[2]};",
        "static int *const first[2] = {0, table};",
        "static int (*const first)[64] = &table;",
        "static const long first = (long)&table;",
    ],
)
def test_a_constant_that_leads_to_a_variable_is_refused_in_a_called_function(constant: str) -> None:
    text = (
        f"static int table[64];\n{constant}\nint f(void) {{ return *(int *)«first»; }}\n"
        "void run(int *r) {\n#pragma omp target map(tofrom: r[0:1])\n  r[0] = f();\n}\n"
    )
    if "struct" in constant:
        text = text.replace("*(int *)«first»", "*«first».p")
    expect_error(text, "undeclared-device-address", "'first', a constant that holds the address of a variable")


def test_a_constant_that_leads_to_a_device_variable_is_repeated() -> None:
    text = (
        "#pragma omp declare target\nstatic int table[64];\n#pragma omp end declare target\n"
        "static int *const first = table;\nint f(int i) { return first[i]; }\n"
        "void run(int *r) {\n#pragma omp target map(tofrom: r[0:1])\n  r[0] = f(1) + first[0];\n}\n"
    )
    assert support.translate_text(text, "t.c").device is not None


def test_members_of_an_anonymous_union_outside_of_the_region() -> None:
    text = "void f() {\n  union { int i; float x; };\n  i = 1;\n#pragma omp target\n  «i» = 2;\n}\n"
    expect_error(text, "unsupported-capture", "a member of an anonymous union outside of the region", "t.cpp")


def test_a_variable_of_a_class_that_another_function_keeps_to_itself() -> None:
    text = "template <int N> auto table() {\n  static int n;\n  struct Row { int a[N]; int get() { return n; } };\n"
    text += "  return Row();\n}\nint f() {\n  int r;\n"
    text += "  auto row = table<3>();\n#pragma omp target map(from: r)\n  r = «row».a[1];\n  return r;\n}\n"
    expect_error(text, "unsupported-capture", "'row' has the type 'Row', which the function 'table' declares", "t.cpp")


@pytest.mark.parametrize("use", ["s.next().n", "a[k++].n", "a[--k].n", "a[k = 1].n", "(k--, s).n", "p++->n"])
def test_an_expression_in_front_of_a_static_member_that_does_something(use: str) -> None:
    text = "struct S { static int n; S next(); };\nint f(S s, S *a) {\n  int r;\n#pragma omp target map(from: r)\n  "
    text += f"{{ int k = 1; S *p = a; r = «{use}»; }}\n  return r;\n}}\n"
    expect_error(text, "unsupported-capture", "names the static member 'n' by an expression", "t.cpp")


def test_a_volatile_structure_in_another_one_under_a_typedefs_name() -> None:
    text = (
        "typedef volatile struct { int a; } in;\nstruct out { «in v»; int b; };\nint f(struct out o) {\n  int r = 0;\n"
    )
    text += "#pragma omp target map(to : o) map(from : r)\n  {\n    struct out x = o;\n    r = x.v.a;\n  }\n"
    message = "'v', a volatile structure in another one, needs a declaration of its own in which 'volatile' stands"
    expect_error(text + "  return r;\n}\n", "unsupported-type", message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("if (x < 0) «exit»(2);", "'exit' is a function of the host and has no device code; 'abort'"),
        ("«puts»(text);", "'puts' is a function of the host and has no device code; 'printf' prints there"),
        ("x += «rand»();", "'rand' is a function of the host and has no device code"),
        ("«fscanf»(stdin, text, &x);", "'fscanf' is a function of the host and has no device code"),
        ("«sscanf»(text, text, &x);", "'sscanf' is a function of the host and has no device code"),
        ("x += «fgetc»(stdin);", "'fgetc' is a function of the host and has no device code"),
        ("x += «strtold»(text, nullptr) > 0;", "'strtold' is a function of the host and has no device code"),
        ("if (x < 0) «throw x»;", "'throw' cannot be in device code: GPUs have no exceptions; set a flag"),
        ("if (x < 0) «throw std::runtime_error(text)»;", "'throw' cannot be in device code: GPUs have no exceptions"),
        ("«try { x++; } catch (...) {}»", "'try' cannot be in device code: GPUs have no exceptions"),
        ("x += «dynamic_cast<const D *>(b)» != nullptr;", "'dynamic_cast' cannot be in device code"),
    ],
)
def test_what_a_gpu_cannot_do_is_found_with_the_calls_that_lead_there(body: str, message: str) -> None:
    text = (
        "#include <cstdio>\n#include <cstdlib>\n#include <stdexcept>\n"
        "struct B { virtual int f() const; };\nstruct D : B {};\n"
        "extern const B *b;\n"
        f'static const char *text = "a";\ntemplate <class T> T inner(T x) {{ {body} return x; }}\n'
        "static int outer(int x) { return inner(x) + 1; }\nvoid f(int *p) {\n#pragma omp target map(p[0:1])\n"
        "  p[0] = outer(p[0]);\n}\n"
    )
    found = expect_error(text, "host-function", message, "t.cpp")
    assert [note.message for note in found.notes] == [
        "'inner' is called here", "'outer' is called here", "the region starts here",
    ]  # fmt: skip


def test_the_number_of_threads_is_a_clause_in_device_code() -> None:
    """The device has no variable for it, so the call would have no effect where it stands."""
    text = "#include <omp.h>\nstatic void few(void) { omp_set_num_threads(1); }\nvoid f(int *n) {\n"
    text += "  omp_set_num_threads(3);\n#pragma omp target map(tofrom: n[0:1])\n  {\n    few();\n"
    text += "#pragma omp parallel\n#pragma omp atomic\n    n[0]++;\n  }\n}\n"
    for architectures in (("sm_90",), ()):  # the CPU device alone, too
        diagnostics = support.translate_text(text, architectures=architectures).diagnostics
        found = [d for d in diagnostics if d.code == "host-function"]
        assert len(found) == 1
        assert "'omp_set_num_threads' has no effect in device code; give the 'parallel' a clause" in found[0].message
        assert "'few' is called here" in found[0].notes[0].message
    guarded = text.replace(
        "{ omp_set_num_threads(1); }", "{ if (omp_is_initial_device()) { omp_set_num_threads(1); } }"
    )
    for name in ("t.c", "t.cpp"):
        assert guarded != text and not support.translate_text(guarded, name).diagnostics
    for other in ("if (!omp_is_initial_device())", "if (omp_is_initial_device()) ; else"):
        text_there = text.replace("{ omp_set_num_threads(1); }", f"{{ {other} omp_set_num_threads(1); }}")
        assert [d.code for d in support.translate_text(text_there).diagnostics] == ["host-function"]


HEADERS = (
    "array", "vector", "algorithm", "numeric", "functional", "string", "atomic", "memory", "complex", "cmath",
    "utility", "optional",
)  # fmt: skip


LIBRARY_CALLS = [
    ("«v.push_back(x)»;", "'std::vector::push_back' is a function of the host and has no device code; map the"),
    ("x += «v.size()»;", "'std::vector::size' is a function of the host"),
    ("x += «v[0]»;", "'std::vector::operator[]' is a function of the host"),
    ("std::vector<int> «w(3)»;", "a 'std::vector' cannot be made in device code: its constructor is a function"),
    ("«std::inplace_merge»(a.data(), a.data() + 1, a.data() + 2);", "'std::inplace_merge' is a function of the host"),
    ("«std::stable_sort»(a.data(), a.data() + 2);", "'std::stable_sort' is a function of the host"),
    ("x += «std::hash<int>{}(x)»;", "'std::hash::operator()' is a function of the host"),
    ("x += «s.length()»;", "'std::string::length' is a function of the host"),
    ("x += «*owner»;", "'std::unique_ptr::operator*' is a function of the host"),
]


def test_functions_of_the_cplusplus_library_that_only_hosts_have() -> None:
    text = "".join(f"#include <{name}>\n" for name in HEADERS)
    text += (
        "struct S {\n  std::vector<int> v; std::array<int, 2> a; std::string s; std::atomic<int> count;\n"
        "  std::unique_ptr<int> owner;\n"
    )
    starts = []
    for number, (body, _) in enumerate(LIBRARY_CALLS):
        text += f"  int own{number}(int x) {{ "
        starts.append(len(text) + body.index("«"))
        text += f"{body.replace('«', '').replace('»', '')} return x; }}\n"
    text += "};\n"
    for number in range(len(LIBRARY_CALLS)):
        text += (
            f"void f{number}(S *s, int *p) {{\n#pragma omp target map(tofrom: s[0:1], p[0:1])\n"
            f"  p[0] = s->own{number}(1);\n}}\n"
        )
    found = [d for d in support.translate_text(text, "t.cpp").diagnostics if d.code == "host-function"]
    assert len(found) == len(LIBRARY_CALLS), [d.message for d in found]
    for number, ((_, message), start, error) in enumerate(zip(LIBRARY_CALLS, starts, found, strict=True)):
        assert error.message.startswith(message), error.message
        assert error.span is not None and error.span.start <= start < error.span.end
        assert [note.message for note in error.notes] == [f"'own{number}' is called here", "the region starts here"]


def test_threads_of_gpus_do_not_wait_for_atomic_objects() -> None:
    text = "#include <atomic>\nvoid f(std::atomic<int> *p) {\n#pragma omp target map(p[0:1])\n  p->wait(0);\n}\n"
    (found,) = support.translate_text(text, "t.cpp", arguments=["-std=c++20"]).diagnostics
    assert found.message.startswith("'std::atomic::wait' is a function of the host and has no device code")


def test_functions_of_the_cplusplus_library_that_gpus_have() -> None:
    """What is ``constexpr``, and what CUDA's headers or ours declare again."""
    includes = "".join(f"#include <{name}>\n" for name in HEADERS)
    body = """
      std::array<int, 3> a{3, 1, 2};
      auto pair = std::make_pair(a[0], a.size());
      std::complex<double> c(1, 2);
      c = std::exp(c * c) + std::polar(1.0, 2.0);
      p[0] = std::max(a[0], a[1]) + *std::max_element(a.begin(), a.end()) + pair.first + std::plus<int>()(1, 2);
      p[0] += (int)(std::sqrt(2.0f) + std::abs(-2L) + std::fabs(c.real()) + std::isnan(1.0));
      p[0] += std::optional<int>(3).value_or(1) + std::move(a[1]) + std::clamp(p[0], 0, 3);
      p[0] += (int)sizeof(std::vector<int>);
      std::atomic<int> &count = *(std::atomic<int> *)p;
      p[1] = count.load() + count.fetch_add(1, std::memory_order_relaxed) + count++ + std::atomic_exchange(&count, 3);
    """
    text = f"{includes}void f(int *p) {{\n#pragma omp target map(tofrom: p[0:1])\n  {{ {body} }}\n}}\n"
    assert [d.message for d in support.translate_text(text, "t.cpp").diagnostics] == []


@pytest.mark.parametrize("name", ["not_executed.c", "not_executed.cpp"])
def test_functions_of_the_host_are_no_error_where_nothing_executes_them(name: str) -> None:
    text = (Path(__file__).parents[1] / "execution" / "programs" / name).read_text()
    assert "rand()" in text
    assert not support.translate_text(text, name).diagnostics


def test_functions_of_the_users_own_may_have_any_name() -> None:
    own = "static int rand(void) { return 3; }\nstatic int remove(int x) { return x; }\n"
    text = f"{own}void f(int *p) {{\n#pragma omp target map(p[0:1])\n  p[0] = rand() + remove(1);\n}}\n"
    assert not support.translate_text(text).diagnostics
    text = "#include <stdlib.h>\nvoid f(int *p) {\n#pragma omp target map(p[0:1])\n  p[0] = rand();\n}\n"
    assert not support.translate_text(text, architectures=()).diagnostics


def test_modules_are_refused_where_regions_would_need_them() -> None:
    text = "import m;\nvoid f(int *p) {\n#pragma omp target map(p[0:1])\n  p[0] = 1;\n}\n"
    found = support.translate_text(text, "t.cpp", arguments=["-std=c++20"]).diagnostics
    assert any("target regions cannot stand in files that import modules of C++" in d.message for d in found)


@pytest.mark.parametrize("question", ["std::is_constant_evaluated()", "__builtin_is_constant_evaluated()"])
def test_code_for_gpus_cannot_ask_whether_it_is_evaluated_at_compile_time(question: str) -> None:
    """The library's functions are told that they are, see ``LIBRARY_ON_DEVICES``."""
    text = "#include <type_traits>\nconstexpr int g(int x) { return QUESTION ? x : x + 1; }\n"
    text += "void f(int *p) {\n#pragma omp target map(p[0 : 1])\n p[0] = g(p[0]);\n}\n"
    made = support.translate_text(text.replace("QUESTION", question), "t.cpp", arguments=["-std=c++20"])
    found = made.diagnostics
    assert [d.code for d in found] == ["host-function"] and "write the part for run time alone" in found[0].message
    assert found[0].span is not None and found[0].span.line == 2


def test_code_for_gpus_may_ask_at_compile_time() -> None:
    text = "constexpr int g(int x) { return __builtin_is_constant_evaluated() ? x : x + 1; }\n"
    text += "constexpr int h(int x) { if consteval { return x; } return x + 1; }\n"
    text += (
        "void f(int *p) {\n#pragma omp target map(p[0 : 1])\n{ constexpr int a = g(1); static constexpr int b = h(1);"
    )
    text += " p[0] = a + b; }\n}\n"
    assert not support.translate_text(text, "t.cpp", arguments=["-std=c++2b"]).diagnostics


@pytest.mark.parametrize("question", ["if consteval", "if !consteval", "if not consteval"])
@pytest.mark.parametrize("head", ["constexpr int g(int x)", "template <class T> constexpr T g(T x)"])
def test_code_for_gpus_has_no_part_for_compile_time(question: str, head: str) -> None:
    text = f"{head} {{ {question} {{ return x; }} return x + 1; }}\n"
    text += "void f(int *p) {\n#pragma omp target map(p[0 : 1])\n p[0] = g(p[0]);\n}\n"
    found = support.translate_text(text, "t.cpp", arguments=["-std=c++2b"]).diagnostics
    assert [d.code for d in found] == ["host-function"] and "'if consteval'" in found[0].message
    assert found[0].span is not None and found[0].span.line == 1


@pytest.mark.parametrize(
    "body",
    [
        "auto g = [=] { int n = «lib::n»; return n; };\n  x = g();",
        "int table = «lib::table»[1];\n  x = table;",
        "int n = 1;\n#pragma omp parallel for firstprivate(«»lib::n)\n  for (int i = 0; i < 3; i++) x = lib::n;",
    ],
)
def test_names_of_namespaces_that_the_body_gives_to_others(body: str) -> None:
    text = f"void f(int &x) {{\n#pragma omp target map(x)\n  {{\n  {body}\n  }}\n}}\n"
    text = f"namespace lib {{ int n, table[2]; }}\n{text}"
    expect_error(text, "unsupported-capture", "copy it to one of another name in front of the region", "t.cpp")


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("for (int k = 0; k < 9; k++) {{ {parallel} if (p[0] == 3) «goto end;» }}\n  end: p[1]++;", "'goto'"),
        ("if (n > 3) «goto end;»\n  {parallel}\n  end: p[1]++;", "'goto'"),
        ("int k = 0;\n  «again:» {parallel} if (++k < 3) goto again;", "a label"),
    ],
)
def test_jumps_around_a_parallel_are_named(body: str, what: str) -> None:
    parallel = "\n#pragma omp parallel for\n  for (int i = 0; i < n; i++) p[i]++;\n"
    code = body.format(parallel=parallel).replace("end;»", "end»;").replace("again:»", "again»:")
    marked = f"void f(int n, int *p) {{\n#pragma omp target map(tofrom: p[0:n])\n  {{ {code} }}\n}}\n"
    expect_error(
        marked, "unsupported-control-flow", f"{what} around a parallel cannot be lowered yet; in place of the jump"
    )
