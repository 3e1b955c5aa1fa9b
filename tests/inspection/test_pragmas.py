"""``--emit=pragmas``: each directive with its place, its clauses in canonical form, and what it belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest
from inspection_tools import inspected, pragma_lines, pragmas

import support
from rexcc.inspection.model import DirectiveNode, PragmaList

PROGRAM = """#pragma omp requires dynamic_allocators
#pragma omp declare target
int table[4];
#pragma omp declare simd notinbranch
static int twice(int x) { return 2 * x; }
#pragma omp end declare target
#if 0
#pragma omp barrier
#endif
void f(int n, int *p) {
  int a[8];
  #pragma   omp  target data map(to:p[0:n])  \\
      map( alloc : a)
  {
#pragma omp target update from(a)
#pragma omp target
#pragma omp teams
#pragma omp distribute
    for (int i = 0; i < n; i++) a[i] = i;
  }
  _Pragma("omp parallel") p[0] = 1;
}
"""


def test_directives_nest_as_their_statements_do() -> None:
    assert pragma_lines(PROGRAM) == [
        "t.c:1:1: requires dynamic_allocators",
        "t.c:2:1: declare target -> everything up to 'end declare target' at 6:1",
        "t.c:4:1:   declare simd notinbranch -> function 'twice' at 5:1",
        "t.c:6:1: end declare target -> closes 'declare target' at 2:1",
        "t.c:8:1: barrier [inactive]",
        "t.c:12:3: target data map(to: p[0:n]) map(alloc: a) -> block at 14:3",
        "t.c:15:1:   target update from(a)",
        "t.c:16:1:   target -> 'teams' at 17:1",
        "t.c:17:1:     teams -> 'distribute' at 18:1",
        "t.c:18:1:       distribute -> loop at 19:5",
        "t.c:21:3: parallel [_Pragma] -> statement at 21:27",
    ]


def test_the_same_twice() -> None:
    assert pragma_lines(PROGRAM) == pragma_lines(PROGRAM)


def test_headers_come_after_the_main_file() -> None:
    main = '#include "k.h"\n#pragma omp begin declare target\nint g;\n#pragma omp end declare target\n'
    header = "static void run(int *p) {\n#pragma omp target map(p[0:1])\n  p[0]++;\n}\n"
    assert pragma_lines(main, "d/t.c", {"d/k.h": header}) == [
        "d/t.c:2:1: begin declare target -> everything up to 'end declare target' at 4:1",
        "d/t.c:4:1: end declare target -> closes 'begin declare target' at 2:1",
        "d/k.h:2:1: target map(p[0:1]) -> statement at 3:3",
    ]


def test_a_template_is_listed_once() -> None:
    text = (
        "template <class T> void f(T *p) {\n#pragma omp target map(p[0:1])\n  p[0]++;\n}\n"
        "void g(int *a, double *b) { f(a); f(b); }\n"
        "struct S {\n#pragma omp declare simd\n  int twice(int x) { return 2 * x; }\n};\n"
    )
    assert pragma_lines(text, "t.cpp") == [
        "t.cpp:2:1: target map(p[0:1]) -> statement at 3:3",
        "t.cpp:7:1: declare simd -> function 'twice' at 8:3",
    ]


def test_arguments_of_directives_are_shown() -> None:
    text = "void f(int *p) {\n#pragma omp critical(name) hint(0)\n  p[0]++;\n#pragma omp flush(p)\n}\n"
    assert pragma_lines(text) == [
        "t.c:2:1: critical(name) hint(0) -> statement at 3:3",
        "t.c:4:1: flush(p)",
    ]


def test_names_that_are_not_ascii_keep_their_place() -> None:
    (node,) = pragmas("int größe;\n/* ä */ void f(void) {\n  größe = 1;\n#pragma omp barrier\n}\n").directives
    assert node.place.place == "t.c:4:1"


def test_what_is_wrong_is_left_out_and_reported() -> None:
    found = inspected("void f(int *p) {\n#pragma omp tagret\n  p[0] = 1;\n#pragma omp barrier\n}\n", "pragmas")
    assert [d.code for d in found.diagnostics] == ["omp-unknown-directive"]
    assert isinstance(found.found, PragmaList)
    assert [node.name for node in found.found.directives] == ["barrier"]


def test_a_file_without_directives() -> None:
    assert pragma_lines("int x;\n") == []


PROGRAMS = sorted((Path(__file__).parents[1] / "programs").glob("*.c"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_every_directive_of_a_program_is_listed(path: Path) -> None:
    text = path.read_bytes().decode("latin-1")
    found = inspected(text, "pragmas").found
    assert isinstance(found, PragmaList)
    listed = [node for top in found.directives for node in _all(top)]
    assert len(listed) == support.code_only(text).count("#pragma omp")
    assert all(node.active for node in listed)


def _all(node: DirectiveNode) -> list[DirectiveNode]:
    return [node, *(below for child in node.children for below in _all(child))]


def test_metadirectives_are_listed_as_they_stand() -> None:
    text = (
        "void f(int *p) {\n#pragma omp metadirective when(device={kind(nohost)}: parallel) otherwise(single)\n"
        "  p[0]++;\n}\n"
    )
    assert pragma_lines(text)[0].startswith("t.c:2:1: metadirective when(device={kind(nohost)}: parallel)")
