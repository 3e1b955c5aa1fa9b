"""Finding directives in text: what is one, what only looks like one, and where it starts and ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from front_tools import pragmas, scanned

from rexcc.frontend import scan as scan_module
from rexcc.source.text import to_bytes

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
    "an attribute": ("[[omp::directive(target map(to: a[f(0)]))]] {}", ["target map(to: a[f(0)])"]),
    "an attribute with blanks": ("[[ omp :: directive ( barrier ) ]] ;", ["barrier"]),
    "an attribute of a namespace": ("[[using omp : directive(barrier)]];", ["barrier"]),
    "an attribute over lines": ("[[omp::directive(target /* a */\n nowait // b\n )]] {}", ["target nowait"]),
    "an attribute with strings": ('[[omp::directive(error message(")]]"))]];', ['error message(")]]")']),
    "a sequence": (
        "[[omp::sequence(directive(parallel), omp::directive(for private(a, b)))]] for (;;) ;",
        ["parallel", "for private(a, b)"],
    ),
    "a sequence in a sequence": (
        "[[omp::sequence(directive(parallel), sequence(directive(for), directive(tile sizes(2))))]] for (;;) ;",
        ["parallel", "for", "tile sizes(2)"],
    ),
    "several in one attribute": ("[[omp::directive(parallel), omp::directive(for)]] ;", ["parallel", "for"]),
    "an attribute on a declaration": (
        "[[omp::decl(declare simd uniform(a))]] int f(int a);",
        ["declare simd uniform(a)"],
    ),
    "other attributes": ("[[maybe_unused]] int a; [[gnu::const]] int f(int omp); int b = c[d[0]];", []),
    "a subscript with a lambda": ("int b = c[[]{ return 0; }()]; omp::directive(x);", []),
    "an attribute in a macro": ("#define P [[omp::directive(parallel)]]\n", []),
    "an attribute in a comment": ("// [[omp::directive(parallel)]]\n/* [[omp::directive(for)]] */", []),
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
    assert to_bytes(site.original) == b"#pragma omp target // \xfc"
    assert text[site.start : site.end] == to_bytes(site.original)


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


ATTRIBUTES = {
    "a statement keeps its own": ("[[omp::directive(parallel)]] x = 1;", ["[[omp::directive(parallel)]]"]),
    "the empty statement of a barrier": ("[[omp::directive(barrier)]] ;x;", ["[[omp::directive(barrier)]] ;"]),
    "the empty statement of a parallel": ("[[omp::directive(parallel)]];", ["[[omp::directive(parallel)]]"]),
    "a sequence is cut": (
        "[[omp::sequence(directive(taskwait), directive(barrier))]]; x;",
        ["[[omp::sequence(directive(taskwait)", ", directive(barrier))]];"],
    ),
}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_the_pieces_of_attributes(name: str) -> None:
    text, expected = ATTRIBUTES[name]
    assert [site.original for site in scanned(text).pragmas] == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[[omp::directive(parallel private(a))]] ;", 27),
        ("[[omp::sequence(directive(target), directive(parallel private(a)))]] ;", 55),
        ('_Pragma("omp parallel private(a)") ;', 23),
    ],
)
def test_columns_in_attributes_and_operators_are_exact(text: str, place: int) -> None:
    site = scanned(text).pragmas[-1]
    at = site.text.text.index("private")
    assert site.text.span(at, at + 7).column == place
    assert site.text.span(at, at + 7).text == "private"


def test_a_pragma_operator_with_escapes_has_its_place_as_a_whole() -> None:
    (site,) = scanned(r'_Pragma("omp error message(\"a\")") ;').pragmas
    assert site.text.span(1, 2).text == r'_Pragma("omp error message(\"a\")")'


def test_includes_and_macros() -> None:
    found = scanned(
        '#include <a.h>\n # include "b.h" // c\n#include NAME\n#define F(x, ...) \\\n'
        ' x // c\n#define G\n/* #include "no.h" */'
    )
    assert [i.name for i in found.includes] == ["<a.h>", '"b.h"']
    assert [(m.name, m.parameters, m.body) for m in found.macros] == [("F", ("x", "..."), "x"), ("G", None, "")]


def test_what_tokens_begin_with_hides_none():
    """The look ahead is there for speed alone."""
    whole = re.compile(scan_module._TOKEN.pattern.removeprefix(scan_module._BEGINS), re.MULTILINE)
    tests = Path(__file__).parent.parent
    texts = [path.read_text(errors="replace") for path in sorted((tests / "execution" / "programs").glob("*.c*"))]
    texts.append('u8R"x(#define A)x" LR"(")" L\'a\' 1\'000 x[[omp::directive(target)]] %:pragma omp x\n')
    texts.append(' %: include <a>\n/**/#undef B\n\t# define C \\\n 1 // #undef C\nx _Pragma("omp barrier") y')
    for text in texts:
        found = [(match.span(), match.lastgroup) for match in scan_module._TOKEN.finditer(text)]
        assert found == [(match.span(), match.lastgroup) for match in whole.finditer(text)]
