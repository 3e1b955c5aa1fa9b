"""Finding directives in text: what is one, what only looks like one, and where it starts and ends."""

from __future__ import annotations

import pytest
from front_tools import pragmas, scanned

FOUND = {
    "plain": ("#pragma omp target\n", ["target"]),
    "indented": ("  \t#pragma omp target map(to: a)\n", ["target map(to: a)"]),
    "blanks after the hash": ("#  pragma   omp   barrier\n", ["barrier"]),
    "digraph": ("%:pragma omp target\n", ["target"]),
    "at the end of the file": ("int a;\n#pragma omp target", ["target"]),
    "continued": ("#pragma omp target \\\n  map(to: a) \\\n  device(0)\nint x;\n", ["target map(to: a) device(0)"]),
    "continued with carriage returns": ("#pragma omp target \\\r\n  nowait\r\nint x;\r\n", ["target nowait"]),
    "carriage returns": ("#pragma omp target\r\n{}\r\n#pragma omp barrier\r\n", ["target", "barrier"]),
    "comment at the end": ("#pragma omp target // why\n", ["target"]),
    "comment inside": ("#pragma omp target /* a */ map(to: a) /* b */\n", ["target map(to: a)"]),
    "comment over lines": ("#pragma omp target /* a\n b */ nowait\n", ["target nowait"]),
    "comment continued": ("#pragma omp target // a \\\n nowait\n#pragma omp barrier\n", ["target", "barrier"]),
    "_Pragma": ('void f(void) { _Pragma("omp target nowait") ; }', ["target nowait"]),
    "_Pragma with blanks": ('_Pragma ( "omp target" ) {}', ["target"]),
    "_Pragma with quotes inside": (r'_Pragma("omp error message(\"a\")") {}', ['error message("a")']),
    "_Pragma of another kind": ('_Pragma("GCC unroll 4") _Pragma("once")', []),
    "wide _Pragma": ('_Pragma(L"omp target") {}', ["target"]),
    "two on a line": ('_Pragma("omp target") _Pragma("omp teams") {}', ["target", "teams"]),
    "another pragma": ("#pragma once\n#pragma GCC ivdep\n#pragma ompx target\n#pragma omptarget\n", []),
    "in a line comment": ("// #pragma omp target\nint a;\n", []),
    "in a continued comment": ("// a \\\n#pragma omp target\nint a;\n", []),
    "in a block comment": ("/*\n#pragma omp target\n*/\n#pragma omp barrier\n", ["barrier"]),
    "after a comment that looks open": ("int a; // /*\n#pragma omp barrier\n// */\n", ["barrier"]),
    "in a string": ('const char *s = "\\\n#pragma omp target\\\n";\n', []),
    "after a string with a quote": ('char *s = "a\\"/*";\n#pragma omp barrier\n', ["barrier"]),
    "after a character with a quote": (
        "char c = '\"';\n#pragma omp barrier\nchar d = '\\'';\n#pragma omp target\n",
        ["barrier", "target"],
    ),
    "after a string with a slash": ('char *s = "//";\n#pragma omp barrier\n', ["barrier"]),
    "in a raw string": ('auto s = R"(\n#pragma omp target\n)";\n#pragma omp barrier\n', ["barrier"]),
    "in a raw string with a delimiter": (
        'auto s = R"x(\n)"\n#pragma omp target\n)x";\n#pragma omp barrier\n',
        ["barrier"],
    ),
    "in a prefixed raw string": ('auto s = u8R"(\n#pragma omp target\n)";\n', []),
    "in a wide raw string": ('auto s = LR"(\n#pragma omp target\n)";\n', []),
    "in other prefixed raw strings": (
        'auto s = uR"(\n#pragma omp target\n)"; auto t = UR"x(\n#pragma omp teams\n)x";\n',
        [],
    ),
    "digit separators": (
        "int a = 1'000'000;\n#pragma omp barrier\nint b = 0xAB'CD'01;\n#pragma omp target\n",
        ["barrier", "target"],
    ),
    "one digit separator": (
        "int a = 1'0;\n#pragma omp barrier\nchar c = 'x';\n#pragma omp target\n",
        ["barrier", "target"],
    ),
    "hexadecimal digit before a character": ("int f(int a) { return a+'x'; }\n#pragma omp barrier\n", ["barrier"]),
    "case with a character": ("case'a': x;\n#pragma omp barrier\n", ["barrier"]),
    "in a macro": ("#define P \\\n  #pragma omp target\n", []),
    "_Pragma in a macro": ('#define P _Pragma("omp target")\n', []),
    "in an error line": ("#if 0\n#error don't #pragma omp\n#endif\n#pragma omp barrier\n", ["barrier"]),
    "an apostrophe in an inactive branch": ("#if 0\nit's\n#endif\n#pragma omp barrier\n", ["barrier"]),
}


@pytest.mark.parametrize("name", FOUND)
def test_directives_are_found(name: str) -> None:
    text, expected = FOUND[name]
    assert pragmas(text) == expected


def test_bytes_that_are_no_utf8_keep_offsets() -> None:
    text = b'char *s = "\xff\xfe\xe4"; // \xc3\xa4 \x80\n#pragma omp target // \xfc\nint x;\n'
    (site,) = scanned(text).pragmas
    assert site.original == "#pragma omp target // \xfc"
    assert text[site.start : site.end].decode("latin-1") == site.original


def test_the_range_has_no_line_end_and_no_indent() -> None:
    source = "int a;\r\n\t#pragma omp target \\\r\n nowait  \r\nint b;\r\n"
    (site,) = scanned(source).pragmas
    assert site.original == "#pragma omp target \\\r\n nowait"
    assert source[site.end :].startswith("  \r\n")


def test_text_and_range_have_equal_length_so_that_columns_are_exact() -> None:
    (site,) = scanned("#pragma omp target /* x */ \\\n map(to: a) // y\n").pragmas
    assert site.text.exact
    assert len(site.text.text) == site.text.origin.end - site.text.origin.start
    at = site.text.text.index("map")
    assert site.source.text[site.text.origin.start + at :].startswith("map(to")


def test_includes_and_macros() -> None:
    found = scanned(
        '#include <a.h>\n # include "b.h" // c\n#include NAME\n#define F(x, ...) \\\n'
        ' x // c\n#define G\n/* #include "no.h" */'
    )
    assert [i.name for i in found.includes] == ["<a.h>", '"b.h"']
    assert [(m.name, m.parameters, m.body) for m in found.macros] == [("F", ("x", "..."), "x"), ("G", None, "")]
