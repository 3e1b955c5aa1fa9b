"""``--emit=ast``: constructs, leaves, and the attribute of each variable with the rule behind it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from inspection_tools import inspected, tree, tree_lines, variables

import support
from rexcc.driver.main import main
from rexcc.inspection.json_form import json_text
from rexcc.inspection.model import ConstructNode, OpenMPTree

PROGRAM = """#pragma omp declare target
int table[4];
#pragma omp end declare target
void f(int n, int *p, double *z) {
  int s = 0, a[8], k;
#pragma omp target data map(to: z[0:n]) map(alloc: a)
#pragma omp target teams distribute map(tofrom: p[0:n]) private(k) reduction(+: s)
  for (int i = 0; i < n; i++) {
    k = table[0];
#pragma omp parallel for
    for (int j = 0; j < n; j++) a[j] = z[j] + p[j];
    s += k;
  }
}
"""
SHARED = "implicit: without 'default', variables are shared in parallel and teams (5.2, 5.1.1)"


def test_the_tree_of_a_program() -> None:
    lines = tree_lines(PROGRAM)
    assert lines[:8] == [
        "t.c",
        "t.c:1:1:   declare target -> everything up to 'end declare target' at 3:1",
        "t.c:3:1:   end declare target -> closes 'declare target' at 1:1",
        "  function f(int, int *, double *) at t.c:4:1",
        "    target data map(to: z[0:n]) map(alloc: a) at t.c:6:1 -> 'target teams distribute' at 7:1",
        "      leaf target data: map(to: z[0:n]) map(alloc: a)",
        "        z: map(to: z[0:n]) -- explicit: named in 'map' (5.2, 5.8.3, 6:25)",
        "        a: map(alloc: a) -- explicit: named in 'map' (5.2, 5.8.3, 6:41)",
    ]
    assert [re.sub(r" -- .*", "", line) for line in lines[8:18]] == [
        "      target teams distribute map(tofrom: p[0:n]) private(k) reduction(+: s) at t.c:7:1 -> loop at 8:3",
        "        leaf target: map(tofrom: p[0:n]) map(tofrom: s)",
        "          p: map(tofrom: p[0:n])",
        "          k: private",
        "          s: map(tofrom: s), reduction(+)",
        "          n: firstprivate",
        "          table: device",
        "          a: map(tofrom: a)",
        "          z: map(alloc: z[:0])",
        "        leaf teams: reduction(+: s)",
    ]
    assert f"            n: {SHARED.replace('implicit', 'shared -- implicit')}" in lines
    assert lines[-2:] == ["          leaf for", "          private, declared inside (5.2, 5.1.1): j"]


@pytest.mark.parametrize(
    ("construct", "body", "expected"),
    [
        ("target", "n++;", "n: firstprivate -- implicit: a scalar is first-private (5.2, 5.8.1)"),
        ("target", "p[0]++;", "p: map(alloc: p[:0]) -- implicit: a pointer is mapped as the base of a zero-length "
                              "section (5.2, 5.8.1)"),
        ("target", "a[0]++;", "a: map(tofrom: a) -- implicit: what is neither scalar nor pointer is mapped tofrom "
                              "(5.2, 5.8.1)"),
        ("target defaultmap(to: aggregate)", "a[0]++;",
         "a: map(to: a) -- implicit: defaultmap(to) for its category, aggregate (5.2, 5.8.7, 4:20)"),
        ("target map(to: a[0:n])", "a[0]++;", "a: map(to: a[0:n]) -- explicit: named in 'map' (5.2, 5.8.3, 4:20)"),
        ("target is_device_ptr(p)", "p[0]++;",
         "p: is_device_ptr -- explicit: named in 'is_device_ptr' (5.2, 5.4.7, 4:20)"),
        ("parallel", "n++;", f"n: shared -- {SHARED}"),
        ("parallel private(n)", "n = 1;", "n: private -- explicit: named in 'private' (5.2, 5.4.3, 4:22)"),
        ("task", "n++;", "n: firstprivate -- implicit: not shared by the whole team, so firstprivate in the task "
                         "(5.2, 5.1.1)"),
        ("parallel for", "for (n = 0; n < 3; n++) ;",
         "n: private -- predetermined: the iteration variable of an associated loop is private (5.2, 5.1.1)"),
        ("parallel default(firstprivate)", "n++;", "n: firstprivate -- implicit: default(firstprivate) (5.2, 5.4.1, "
                                                   "4:22)"),
    ],
)  # fmt: skip
def test_every_attribute_has_its_rule(construct: str, body: str, expected: str) -> None:
    text = f"void f(int n, int *p) {{\n  int a[4] = {{0}};\n\n#pragma omp {construct}\n  {body}\n  (void)a;\n}}\n"
    assert expected in variables(text)


def test_a_list_item_made_by_a_macro_is_explicit() -> None:
    text = "#define SAME(x) x\nvoid f(int n, int *p) {\n#pragma omp target map(to: SAME(p)[0:n])\n  (void)p[0];\n}\n"
    assert any(found.startswith("p: map(to: p") and "explicit: named in 'map'" in found for found in variables(text))


def test_a_construct_without_rules_takes_those_around_it() -> None:
    text = "void f(int n, int *p) {\n#pragma omp for private(n)\n  for (int i = 0; i < 3; i++) n = p[i];\n}\n"
    assert "      as in the construct around: p" in tree_lines(text)


def test_variables_declared_inside_are_private_or_static() -> None:
    text = (
        "void f(int n, int *p) {\n#pragma omp parallel\n  {\n    int s = 0;\n    static int k;\n"
        "#pragma omp for\n    for (int i = 0; i < n; i++) { int t = i; p[i] = t + s + k; }\n  }\n}\n"
    )
    lines = [line for line in tree_lines(text) if "declared inside" in line]
    assert lines == [
        "      private, declared inside (5.2, 5.1.1): s",
        "      shared, declared inside (5.2, 5.1.1): k",
        "        private, declared inside (5.2, 5.1.1): i, t",
    ]
    (node,) = tree(text).functions[0].constructs
    assert [(v.name, v.attribute, v.origin) for v in node.inside] == [
        ("s", "private", "predetermined"),
        ("k", "shared", "predetermined"),
    ]


def test_instantiations_have_attributes_of_their_own() -> None:
    text = (
        "struct S { int x[4]; };\n"
        "template <class T> void f(T v) {\n#pragma omp target\n  { T w = v; }\n}\n"
        "template <int N> void k(int *p) {\n#pragma omp target\n  p[0] = N;\n}\n"
        "void g(int *p) { f(1); f(S()); k<3>(p); }\n"
        "template <class T> void unused(T v) {\n#pragma omp target\n  { T w = v; }\n}\n"
    )
    lines = tree_lines(text, "t.cpp")
    assert [line for line in lines if "function" in line or "instantiation " in line] == [
        "  instantiation f<int>(int) at t.cpp:2:1",
        "  instantiation f<S>(S) at t.cpp:2:1",
        "  instantiation k<3>(int *) at t.cpp:6:1",
        "  function unused(T) at t.cpp:11:1",
    ]
    assert [line.split(" -- ")[0].strip() for line in lines if " -- " in line] == [
        "v: firstprivate",
        "v: map(tofrom: v)",
        "p: map(alloc: p[:0])",
    ]
    assert lines[-2].strip() == "no attributes: a template without instantiations has no types"


def test_this_is_mapped() -> None:
    text = "struct S {\n  int x;\n  void f() {\n#pragma omp target\n    x++;\n  }\n};\n"
    assert variables(text, "t.cpp") == [
        "this: map(tofrom: this[0:1]) -- implicit: the object of a member function is mapped tofrom (5.2, 5.8.1)"
    ]


def test_what_cannot_be_lowered_is_shown_with_the_reason() -> None:
    text = "void f(int *p) {\n#pragma omp target parallel loop\n  for (int i = 0; i * i < 9; i++) p[i] = i;\n}\n"
    found = inspected(text, "ast").found
    assert isinstance(found, OpenMPTree)
    (construct,) = found.functions[0].constructs
    assert construct.problem.endswith("[omp-loop-form]") and construct.name == "target parallel loop"


def test_a_metadirective_shows_what_it_became() -> None:
    text = (
        "void f(int *p) {\n#pragma omp metadirective when(device={kind(host)}: parallel) otherwise(single)\n"
        "  p[0]++;\n}\n"
    )
    (line,) = [line for line in tree_lines(text) if "metadirective" in line]
    assert line == "    single at t.c:2:1 [by a metadirective; on the host: parallel] -> statement at 3:3"


# ---- JSON ------------------------------------------------------------------------------------------------------------


def test_the_json_form_has_the_same_tree() -> None:
    found = tree(PROGRAM)
    document = json.loads(json_text([found]))
    assert document["version"] == 1
    (unit,) = document["units"]
    assert (unit["file"], [d["name"] for d in unit["declarative"]]) == (
        "t.c",
        ["declare target", "end declare target"],
    )
    (data,) = unit["functions"][0]["constructs"]
    (region,) = data["children"]
    assert region["place"] == {"file": "t.c", "line": 7, "column": 1, "end_line": 7, "end_column": 83}
    target = next(leaf for leaf in region["leaves"] if leaf["name"] == "target")
    by_name = {v["name"]: v for v in target["variables"]}
    assert by_name["n"] == {
        "name": "n",
        "type": "int",
        "attribute": "firstprivate",
        "detail": "firstprivate",
        "origin": "implicit",
        "rule": "a scalar is first-private",
        "section": "5.8.1",
        "clause": None,
        "declared": {"file": "t.c", "line": 4, "column": 8, "end_line": 4, "end_column": 13},
    }
    assert by_name["p"]["clause"]["line"] == 7 and by_name["p"]["attribute"] == "map"


PROGRAMS = sorted((Path(support.__file__).parent / "programs").glob("*.c*"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_every_variable_of_every_region_has_an_attribute(path: Path) -> None:
    found = inspected(path.read_bytes().decode("latin-1"), "ast", path.name).found
    assert isinstance(found, OpenMPTree) and found.functions
    for construct in (c for f in found.functions for top in f.constructs for c in _all(top)):
        assert not construct.problem
        for variable in (v for leaf in construct.leaves for v in leaf.variables):
            assert variable.attribute and variable.rule and re.fullmatch(r"\d+(\.\d+)*", variable.section)
            assert (variable.origin == "explicit") <= (variable.clause is not None)


def _all(node: ConstructNode) -> list[ConstructNode]:
    return [node, *(below for child in node.children for below in _all(child))]


# ---- the driver ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text(PROGRAM)
    (tmp_path / "b.c").write_text("void g(int *größe) {\n#pragma omp parallel\n  größe[0] = 1;\n}\n")
    return tmp_path


def test_the_driver_writes_to_standard_output(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--emit=pragmas", "b.c", "a.c"]) == 0
    shown = capfd.readouterr()
    assert shown.err == ""
    assert shown.out.startswith("b.c:2:1: parallel -> statement at 3:3\na.c:1:1: declare target -> ")
    assert main(["--emit=ast", "b.c"]) == 0
    assert "\n        größe: shared -- implicit: " in capfd.readouterr().out


def test_the_driver_writes_json_and_files(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--emit=ast=json", "a.c", "b.c", "-o", "all.json"]) == 0
    assert capfd.readouterr() == ("", "")
    document: dict[str, Any] = json.loads((folder / "all.json").read_text("utf-8"))
    assert [unit["file"] for unit in document["units"]] == ["a.c", "b.c"]
    (variable,) = document["units"][1]["functions"][0]["constructs"][0]["leaves"][0]["variables"]
    assert variable["name"] == "größe"
    assert main(["--emit=pragmas=json", "b.c"]) == 0
    assert json.loads(capfd.readouterr().out)["units"][0]["directives"][0]["association"] == "block"


def test_errors_do_not_hide_the_rest(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.c").write_text("void f(int *p) {\n#pragma omp tagret\n  p[0] = 1;\n#pragma omp barrier\n}\n")
    assert main(["--emit=pragmas", "bad.c"]) == 1
    shown = capfd.readouterr()
    assert shown.out == "bad.c:4:1: barrier\n"
    assert "bad.c:2:13: error: unknown directive 'tagret'" in shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--emit=asts", "a.c"], "did you mean 'ast'?"),
        (["--emit=ast"], "no input files"),
        (["--emit=ast", "a.o"], "--emit=ast needs a source file"),
        (["--emit=pragmas", "a.s"], "'a.s' is neither"),
    ],
)
def test_what_cannot_be_inspected(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments) == 2
    assert message in capfd.readouterr().err


def test_sections_of_a_newer_version() -> None:
    """What OpenMP 6.0 has is named with its version."""
    lines = tree_lines(
        "static int g;\n#pragma omp groupprivate(g)\nvoid f(int n, int *p, int y) {\n"
        "#pragma omp target map(p[0 : n]) map(tofrom : y)\n  { g = 1;\n"
        "#pragma omp parallel for induction(step(2), * : y)\n"
        "  for (int i = 0; i < n; i++) { p[i] = y + g; y *= 2; } }\n}\n"
    )
    told = [line.strip() for line in lines if "6.0" in line]
    assert told == [
        "g: device -- predetermined: it is groupprivate: each team has its own (6.0, 7.13)",
        "y: induction -- explicit: named in 'induction' (6.0, 7.6.13, 6:26)",
    ]
