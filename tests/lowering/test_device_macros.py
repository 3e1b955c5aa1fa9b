"""A name means in each piece of device text what it means to the preprocessor at that place of the user's text."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from support import code_only, compiled, translate_text

HEAD = "void use(int);\n"
REGION = "void %s(int *r) {\n#pragma omp target map(tofrom : r[0 : 1])\n  { r[0] = %s; }\n}\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Write headers for clang, which looks for them on disk."""
    for name, text in headers.items():
        Path(name).write_text(text)
    return headers


def kernels(source: str, name: str = "t.c", headers: Mapping[str, str] | None = None, flags: Sequence[str] = ()) -> str:
    """Return the preprocessed device text without what headers in front would add."""
    found = translate_text(source, name, written(headers or {}), flags)
    assert found.device is not None, found.diagnostics
    text = re.sub(r"^#include .*$|^#line .*$", "", found.device.text, flags=re.M)
    command = ["c++", "-E", "-P", "-x", "c++", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def values(*arguments: object, **named: object) -> list[str]:
    """Return what regions assign to ``r[0]``, preprocessed, in their order."""
    return [v.replace(" ", "") for v in re.findall(r"r\[0\] = (.*?);", kernels(*arguments, **named))]  # type: ignore[arg-type]


def regions(*parts: str) -> str:
    """Return a program: directives as they are, other parts as values of regions."""
    return "".join(p if p.startswith("#") else REGION % (f"f{n}", p) for n, p in enumerate(parts))


@pytest.mark.parametrize("end", ["\\\n\n", "\\\n  \\\n\t\n", "\\ \n\n", "\\\r\n\r\n", "/* a \\\n*/ \\\n\n"])
def test_an_empty_line_that_a_definition_is_continued_in_ends_it(end: str) -> None:
    source = f"#define A 1 {end}#define B 2 {end}static int f(int x) {{ return x + B; }}\n"
    source += REGION % ("g", "f(A)") + f"#define C 3 {end}" + REGION % ("h", "A + B + C")
    text = kernels(source).replace(" ", "")
    assert "returnx+2;" in text
    assert re.findall(r"r\[0\]=(.*?);", text) == ["f(1)", "1+2+3"]


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        (["#define A 1\n", "A", "#undef A\n#define A 2\n", "A"], ["1", "2"]),
        (["#define A 1\n", "A", "#undef A\n", "3"], ["1", "3"]),
        (["#define A 1\n#pragma push_macro(\"A\")\n#undef A\n#define A 2\n", "A", "#pragma pop_macro(\"A\")\n", "A"],
         ["2", "1"]),
        (["#pragma push_macro(\"A\")\n#define A 2\n", "A", "#pragma pop_macro(\"A\")\n", "A + 1"], ["2", "A+1"]),
        (["#define B 1\n#define A B\n", "A", "#undef B\n#define B 2\n", "A"], ["1", "2"]),
        (["#define B 1\n#define A B\n", "A", "#undef B\n", "A"], ["1", "B"]),
        (["#define F(x) (x)\n#define G(f) f(4)\n", "G(F)"], ["(4)"]),
        (["#define N1 5\n#define CAT(a, b) a##b\n", "CAT(N, 1)"], ["5"]),
        (["#define N1 5\n#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n", "CAT(N, 1)"], ["5"]),
        (["#if 1\n#define A 1\n#else\n#define A 2\n#endif\n", "A"], ["1"]),
        (["#ifndef A\n#define A 7\n#endif\n", "A"], ["7"]),
        (["#define A \\\n  8\n", "A"], ["8"]),
        (["#define A 1 /* not\n  2 */ + 2\n", "A"], ["1+2"]),
        (["#define A 1\n#undef A\n#define A(x) x\n", "A(3)", "#undef A\n#define A 4\n", "A"], ["3", "4"]),
    ],
)  # fmt: skip
def test_a_region_has_the_macros_of_its_place(parts: list[str], wanted: list[str]) -> None:
    declared = "int A, B;\n" if any("A + 1" in p or "#undef B\n" in p for p in parts) else ""
    source = "#pragma omp begin declare target\n" + declared + "#pragma omp end declare target\n" if declared else ""
    assert values(source + regions(*parts)) == wanted


def test_macros_of_functions_stay_theirs() -> None:
    body = "{\n#define AT(i) (%s)\n#pragma omp target map(tofrom : r[0 : 9])\n  { r[0] = AT(3); }\n#undef AT\n}\n"
    source = f"void up(int *r) {body % 'i'}void down(int *r) {body % '9 - i'}"
    assert values(source) == ["(3)", "(9-3)"]


def test_a_macro_that_changes_inside_a_region() -> None:
    source = "void f(int *r) {\n#pragma omp target map(tofrom : r[0 : 9])\n  {\n#define A 1\n    r[0] = A;\n"
    source += "#undef A\n#define A 2\n    r[0] = A;\n  }\n}\n#undef A\n#define A 3\n" + REGION % ("g", "A")
    assert values(source) == ["1", "2", "3"]


def test_functions_that_kernels_call_have_theirs() -> None:
    source = "#define A 1\nstatic int one(void) { return A; }\n#undef A\n#define A 2\n" + REGION % ("f", "A + one()")
    text = kernels(source)
    assert "return 1;" in text and "r[0] = 2 + one();" in text


def test_headers_that_are_read_several_times() -> None:
    headers = {"list.inc": "ITEM(1) ITEM(2)\n#undef ITEM\n"}
    source = '#define ITEM(x) + x\nstatic const int sum = 0\n#include "list.inc"\n;\n#define ITEM(x) * x\n'
    assert values(source + REGION % ("f", "1 ITEM(5)"), headers=headers) == ["1*5"]


def test_guarded_headers_stand_where_they_are_read_first() -> None:
    headers = {
        "a.h": '#ifndef A\n#define A\n#include "b.h"\nstatic inline int twice(int x) { return x * K; }\n#endif\n',
        "b.h": "#ifndef B\n#define B\n#define K 2\ntypedef struct { int k; } kind;\n#endif\n",
    }
    region = (
        "void f(int *r) {\n#pragma omp target map(tofrom : r[0 : 1])\n  { kind k = {1}; r[0] = twice(k.k) + K; }\n}\n"
    )
    device = compiled('#include "a.h"\n#include "b.h"\n' + region, headers=written(headers)).device
    order = [device.index(w) for w in ("#define K 2", "} kind;", "int twice", "__global__")]
    assert order == sorted(order)


@pytest.mark.parametrize("option", ["-include", "-imacros"])
def test_files_of_the_command_line_come_first(option: str) -> None:
    headers = {"config.h": "#define LEVEL 7\n#define SAME LEVEL\n"}
    source = "#undef SAME\n#define SAME 8\n" + REGION % ("f", "LEVEL + SAME")
    assert values(source, headers=headers, flags=(option, "config.h")) == ["7+8"]


def test_a_block_holds_what_is_included_in_it() -> None:
    headers = {"table.h": '#include "deeper.h"\nstatic int entry(int i) { return table[i]; }\n',
               "deeper.h": "int table[4] = {1, 2, 3, 4};\n"}  # fmt: skip
    around = '#pragma omp declare target\n#include "table.h"\n#pragma omp end declare target\n'
    output = compiled(around + REGION % ("f", "entry(2)"), headers=written(headers))
    assert "__device__ int table[4]" in code_only(output.device)


def test_ordinary_macros_stand_as_written() -> None:
    source = "#define N 100\ntypedef struct { int a; } t;\n#define SQUARE(x) ((x) * (x)) /* why */\n"
    device = compiled(source + REGION % ("f", "SQUARE(N) + (int)sizeof(t)")).device
    assert "#define N 100\n" in device and "#define SQUARE(x) ((x) * (x)) /* why */\n" in device
    assert "SQUARE(N)" in device and "#undef" not in device
    assert device.index("#define N") < device.index("} t;") < device.index("#define SQUARE")


def test_what_a_piece_says_in_comments_defines_nothing() -> None:
    function = "#pragma omp declare target\nint g(int x) {\n%s\n  return x;\n}\n#pragma omp end declare target\n"
    for inside in (
        "/*\n#define A 7\n*/",
        "#ifdef NEVER\n#define A 7\n#endif",
        "#undef A\n#define A 8\n#undef A\n#define A 7",
    ):
        assert values(regions("#define A 7\n", f"#define B 1\n{function % inside}", "g(A)")) == ["g(7)"]


def test_pieces_stand_together_where_they_do_in_the_users_file() -> None:
    source = (
        "#define A 3\n#define B 4\ntypedef unsigned int word;\ntypedef word words[A];\n\n"
        "#pragma omp declare target\nstatic int twice(int x) { return 2 * x; }\nstatic int more(int x) {\n"
        "  return twice(x) + B;\n}\n#pragma omp end declare target\n"
        "void f(int *r) {\n#pragma omp target map(tofrom : r[0 : 1])\n  { words w = {0}; r[0] = more(w[1]); }\n}\n"
    )
    text = compiled(source, "t.c").device
    assert "#define A 3\n#define B 4\n" in text
    assert '#line 3 "t.c"\ntypedef unsigned int word;\ntypedef word words[A];\n\n#line 7 "t.c"\n' in text
    assert "return 2 * x; }\n__device__ static int more(int x) {\n" in text
