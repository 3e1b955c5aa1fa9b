"""Wrong and unsupported input: the message, its code, and the exact token it points at."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import support
from support import expect_error

OPEN: dict[str, str] = {}

LOOP = "#pragma omp target teams distribute parallel for"
FOR = "for (int i = 0; i < n; i++)"


def in_function(text: str) -> str:
    return f"void f(int n, int *p, double *q) {{\n  int i, j, s = 0, a[10], m[4][4];\n  double x;\n{text}\n}}\n"


def case(name: str, code: str, message: str, text: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=OPEN[name])] if name in OPEN else []
    return pytest.param(code, message, text, marks=marks, id=name)


DIRECTIVES = [
    case("misspelt directive", "omp-unknown-directive", "did you mean 'target'?", "#pragma omp «tagret»\ns++;"),
    case(
        "misspelt combined",
        "omp-unknown-directive",
        "distribute",
        "#pragma omp target teams «distribut» parallel for\n" + FOR + " s++;",
    ),
    case("misspelt clause", "omp-unknown-clause", "did you mean 'map'?", "#pragma omp target «mpa»(to: a)\ns++;"),
    case(
        "misspelt clause after others",
        "omp-unknown-clause",
        "reduction",
        f"{LOOP} map(to: a) \\\n   «reductoin»(+: s)\n{FOR} s++;",
    ),
    case("misspelt map type", "omp-unknown-map-type", "did you mean 'to'?", "#pragma omp target map(«too»: a)\ns++;"),
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
        "teams loop",
        "unsupported-construct",
        "'target teams loop' cannot be lowered yet",
        f"#pragma omp «target teams loop»\n{FOR} a[i] = i;",
    ),
    case(
        "target parallel loop",
        "unsupported-construct",
        "cannot be lowered yet",
        f"#pragma omp «target parallel loop»\n{FOR} a[i] = i;",
    ),
    case(
        "parallel inside",
        "unsupported-construct",
        "'parallel' inside a 'target' region",
        "#pragma omp target\n{\n#pragma omp «parallel»\n  a[0] = 1;\n  a[1] = 2;\n}",
    ),
    case(
        "distribute beside a statement",
        "unsupported-construct",
        "'distribute' inside a 'target teams' region",
        f"#pragma omp target teams\n{{\n#pragma omp «distribute»\n  {FOR} a[0] = 1;\n  a[1] = 2;\n}}",
    ),
    case(
        "critical",
        "unsupported-construct",
        "'critical' inside",
        "#pragma omp target\n{\n#pragma omp «critical»\ns++;\n}",
    ),
    case(
        "barrier",
        "unsupported-construct",
        "'barrier' inside",
        "#pragma omp target parallel\n{\n#pragma omp «barrier»\ns++;\n}",
    ),
    case(
        "target inside",
        "unsupported-construct",
        "'target' inside a 'target' region",
        "#pragma omp target\n{\n#pragma omp «target»\n  s++;\n}",
    ),
    case("lastprivate", "unsupported-clause", "'lastprivate' on", f"{LOOP} «lastprivate(s)»\n{FOR} s = i;"),
    case("linear", "unsupported-clause", "'linear' on", f"{LOOP} «linear(s)»\n{FOR} s = i;"),
    case("ancestor", "unsupported-clause", "ancestor", "#pragma omp target «device(ancestor: 1)»\ns++;"),
    case(
        "unified shared memory",
        "unsupported-clause",
        "'requires unified_shared_memory'",
        "#pragma omp requires «unified_shared_memory»\n#pragma omp target\ns++;",
    ),
    case("mapper", "unsupported-modifier", "'mapper' modifier", "#pragma omp target map(«mapper(m)», to: a)\na[0]++;"),
    case(
        "iterator",
        "unsupported-modifier",
        "'iterator' modifier",
        "#pragma omp target map(«iterator(k = 0:n)», to: a[k])\na[0]++;",
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
        "unsupported-reduction",
        "'foo' cannot be lowered yet",
        f"{LOOP} reduction(foo : s)\n{FOR} «s»++;",
    ),
    case(
        "link",
        "unsupported-clause",
        "'link'",
        "}\nint g;\n#pragma omp declare target «link(g)»\nvoid h(void) {\n#pragma omp target\ng++;",
    ),
    case(
        "an undefined function",
        "undefined-device-function",
        "'outside' is called in a target region",
        "int outside(int);\n#pragma omp target\ns = «outside(3)»;",
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


def test_each_construct_is_checked_on_its_own() -> None:
    loop = "for (int i = 0; i < n; i++)"
    source = in_function(
        f"{LOOP} lastprivate(s)\n{loop} s = i;\n#pragma omp target teams loop\n{loop} a[i] = i;\n"
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
        in_function("#pragma omp target\n{\n#pragma omp «critical»\ns++;\n}"), "unsupported-construct", ""
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


OUGHT_TO_BE_REFUSED = {
    "floating loop variable": f"{LOOP}\nfor (x = 0; x < n; x++) s++;",
    "zero step": f"{LOOP}\nfor (int i = 0; i < n; i += 0) s++;",
    "changing bound": f"{LOOP}\nfor (int i = 0; i < s; i++) s = 2;",
    "changing step": f"{LOOP}\nfor (int i = 0; i < n; i += s) s = 2;",
    "return out of a region": "#pragma omp target\n{ return; }",
    "return out of target data": "#pragma omp target data map(to: a)\n{ return; }",
    "break out of a region": "for (;;) {\n#pragma omp target\n  { break; }\n}",
    "goto out of a region": "#pragma omp target\n{ goto out; }\nout:;",
    "private and firstprivate": "#pragma omp target private(s) firstprivate(s)\ns++;",
    "default(none)": "#pragma omp target parallel default(none)\na[0] = n;",
    "no teams": f"{LOOP} num_teams(0)\n{FOR} a[i] = i;",
    "negative threads": f"{LOOP} num_threads(-1)\n{FOR} a[i] = i;",
    "chunk of nothing": f"#pragma omp target parallel for schedule(static, 0)\n{FOR} a[i] = i;",
    "update to and from": "#pragma omp target update to(a) from(a)\n",
    "is_device_ptr of an int": "#pragma omp target is_device_ptr(s)\ns++;",
    "a declaration as region": "#pragma omp target\nint k = 3;\ns = 1;",
}


ACCEPTED_TODAY = frozenset(OUGHT_TO_BE_REFUSED)
"""Those that are not refused yet; take a name out when it is."""


def _ought(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason="accepted without a word")] if name in ACCEPTED_TODAY else []
    return pytest.param(OUGHT_TO_BE_REFUSED[name], marks=marks, id=name)


@pytest.mark.parametrize("text", [_ought(n) for n in OUGHT_TO_BE_REFUSED])
def test_what_openmp_forbids_is_refused(text: str) -> None:
    assert support.errors(in_function(text))
