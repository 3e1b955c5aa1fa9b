"""Macros that hide directives are expanded, all others stay; line numbers stay too."""

from __future__ import annotations

import pytest
from front_tools import parsed

import support
from rexcc.frontend.files import SearchPath, gather
from rexcc.frontend.preprocessed import preprocess


def expanded(text: str) -> str:
    """Expand what hides directives in a file."""
    files = gather("t.c", SearchPath.from_arguments(()), {"t.c": text.encode()}.get)
    assert files is not None
    return preprocess(files, "c", ()).source("t.c").text


def uses(text: str) -> str:
    """Return what follows the macro definitions."""
    return "".join(line for line in expanded(text).splitlines(keepends=True) if not line.startswith("#define"))


CASES = {
    "object-like": ('#define T _Pragma("omp target")\nT {}\n', '_Pragma("omp target") {}\n'),
    "with a parameter": (
        "#define P(x) _Pragma(#x)\nP(omp target map(to: a)) {}\n",
        '_Pragma("omp target map(to: a)") {}\n',
    ),
    "too many arguments, which clang would put in parentheses": (
        '#define T(x) _Pragma("omp target") x\nT(for (;;) { int a = 1, b = 2; })\n',
        "T(for (;;) { int a = 1, b = 2; })\n",
    ),
    "too few arguments": (
        '#define T(x, y) _Pragma("omp target") x y\nT({})\n#define U() _Pragma("omp target")\nU() {}\n',
        'T({})\n_Pragma("omp target") {}\n',
    ),
    "nested": ("#define P(x) _Pragma(#x)\n#define T P(omp target)\nT {}\n", '_Pragma("omp target") {}\n'),
    "a string that another macro makes": (
        "#define S2(x) #x\n#define S(x) S2(x)\n#define P(x) _Pragma(S(x))\nP(omp target map(to: a, b)) {}\n",
        '_Pragma("omp target map(to: a, b)") {}\n',
    ),
    "a string of any number of arguments": (
        "#define S(...) #__VA_ARGS__\n#define P(...) _Pragma(S(__VA_ARGS__))\nP(omp target map(to: a, b)) {}\n",
        '_Pragma("omp target map(to: a, b)") {}\n',
    ),
    "such a string in the text": (
        "#define S(x) #x\n_Pragma ( S(omp target nowait) ) { s = S(a); }\n",
        '_Pragma ( "omp target nowait" ) { s = S(a); }\n',
    ),
    "another pragma in such a string": (
        "#define S(x) #x\n_Pragma(S(unroll)) for (;;) ;\n",
        "_Pragma(S(unroll)) for (;;) ;\n",
    ),
    "nested with a parameter": (
        "#define P(x) _Pragma(#x)\n#define L(m) P(omp target map m)\nL((to: a[0:n], b)) ;\n",
        '_Pragma("omp target map (to: a[0:n], b)") ;\n',
    ),
    "an attribute": (
        "#define P(c) [[omp::directive(parallel for c)]]\nP(nowait) for (;;) ;\n",
        "[[omp::directive(parallel for nowait)]] for (;;) ;\n",
    ),
    "a statement with it": (
        "#define P(x) _Pragma(#x)\n#define RUN(b) do { P(omp target) { b } } while (0)\nRUN(x = f(1, 2);)\n",
        'do { _Pragma("omp target") { x = f(1, 2); } } while (0)\n',
    ),
    "variadic": (
        "#define P(...) _Pragma(#__VA_ARGS__)\nP(omp target map(to: a, b)) ;\n",
        '_Pragma("omp target map(to: a, b)") ;\n',
    ),
    "pasted": ('#define P(x) _Pragma("omp target") int a##x = 1;\nP(3)\n', '_Pragma("omp target") int a3 = 1;\n'),
    "a name without parentheses is no use": ("#define P(x) _Pragma(#x)\nint P;\n", "int P;\n"),
    "not in strings and comments": (
        '#define T _Pragma("omp target")\n"T"; // T\n/* T */ \'T\'\n',
        "\"T\"; // T\n/* T */ 'T'\n",
    ),
    "other macros stay": ('#define T _Pragma("omp target")\n#define N 3\nT x = N;\n', '_Pragma("omp target") x = N;\n'),
    "other pragmas stay": ('#define U _Pragma("unroll 4")\nU for (;;);\n', "U for (;;);\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_expansion(name: str) -> None:
    text, expected = CASES[name]
    assert uses(text) == expected


def test_a_use_over_several_lines_keeps_the_number_of_lines() -> None:
    text = "#define P(x) _Pragma(#x)\nP(omp target\n  map(to: a)\n  nowait) {}\nint last;\n"
    result = expanded(text)
    assert result.count("\n") == text.count("\n")
    assert '_Pragma("omp target map(to: a) nowait")' in result
    assert result.splitlines()[4] == "int last;"


def test_files_without_such_macros_are_the_same_object() -> None:
    files = gather("t.c", SearchPath.from_arguments(()), {"t.c": b"#define N 4\nint a[N];\n#pragma omp barrier\n"}.get)
    assert files is not None
    assert preprocess(files, "c", ()) is files


def test_a_macro_of_a_header_is_expanded_in_the_main_file() -> None:
    header = "#define P(x) _Pragma(#x)\n#define OFFLOAD(x) P(omp target map(tofrom: x))\n"
    found = parsed('#include "m.h"\nvoid f(int a) {\n  OFFLOAD(a)\n  a++;\n}\n', "d/t.c", {"d/m.h": header})
    assert found.problems == []
    assert [(c.directive.name, c.span.line) for c in found.constructs] == [("target", 3)]


OMPVV_LIKE = """
#include <stdio.h>
#define OMPVV_PRAGMA(x) _Pragma(#x)
#define ERRORS(count, condition) { count += (condition) ? 1 : 0; }
#define SELECT_TARGET_DEFINITIONS int _ompvv_device = -1;
#define TEST_OFFLOADING(result) \\
  OMPVV_PRAGMA(omp target map(from : result)) \\
  { result = 5; }
#define TEST_SHARED(shared) \\
  { int _value = 0; \\
    OMPVV_PRAGMA(omp target map(to : _value)) \\
    { _value = 1; } \\
    shared = _value; }
int main(void) {
  int errors = 0, r = 0, shared = 0;
  SELECT_TARGET_DEFINITIONS
  TEST_OFFLOADING(r)
  TEST_SHARED(shared)
  ERRORS(errors, r != 5)
  return errors + _ompvv_device + shared;
}
"""


def test_macros_of_the_manner_of_a_test_suite() -> None:
    output = support.compiled(OMPVV_LIKE)
    assert len(output.kernels) == 2
    assert "#pragma omp target" not in support.code_only(output.host)
    lines = OMPVV_LIKE.splitlines()
    assert f"__{lines.index('  TEST_OFFLOADING(r)') + 1}__kernel__" in output.kernels[0].name
