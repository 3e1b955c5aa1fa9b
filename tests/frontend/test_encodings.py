"""Texts in any encoding: names, line ends, a byte-order mark, places in messages."""

from __future__ import annotations

import pytest

import support
from rexcc.frontend.scan import scan
from rexcc.source.diagnostics import render
from rexcc.source.text import SourceText, from_bytes, inside, outside, readable, to_bytes

EVERY_BYTE = bytes(range(256))


def test_every_byte_survives_and_is_one_character():
    text = from_bytes(EVERY_BYTE)
    assert len(text) == 256
    assert to_bytes(text) == EVERY_BYTE
    assert text[:128] == EVERY_BYTE[:128].decode("ascii")


def test_names_in_any_encoding_are_words():
    for name in ("größe", "日本", "źle", "\U0001f600"):
        assert from_bytes(name.encode()).isidentifier()
        assert readable(from_bytes(name.encode())) == name
    assert from_bytes("größe".encode("latin-1")).isidentifier()


def test_real_characters_stand_beside_bytes():
    assert to_bytes("… " + from_bytes("é".encode())) == "… é".encode()


@pytest.mark.parametrize("path", ["a.c", "日本/källa.c", "会/人.c", "broken\udcff.c"])
def test_paths_go_in_and_out(path: str):
    assert outside(inside(path)) == path
    assert outside(path) == path


@pytest.mark.parametrize(
    "data",
    [b"int a;\r#pragma omp target\r;\r", b"int a;\n#pragma omp target\r\n;", b"\xef\xbb\xbf#pragma omp target\n;"],
)
def test_directives_are_found_with_any_line_ends(data: bytes):
    found = scan(SourceText.from_bytes("t.c", data))
    (site,) = found.pragmas
    assert site.start == data.index(b"#")
    assert len(found.source.text) == len(data)


def test_universal_names_are_the_letters_but_in_literals():
    text = SourceText.from_bytes("t.c", rb'int \u00e9 = sizeof "\u00e9"; // \u00e9').text
    assert to_bytes(text) == 'int é = sizeof "\\u00e9"; // \\u00e9'.encode()


def test_columns_are_counted_in_bytes_and_carets_in_characters():
    program = "int main(void) {\n  int é日 = 0;\n#pragma omp target map(é日, ö_nicht)\n  é日++;\n}\n"
    problem = support.only_error(program.encode())
    assert problem.span is not None
    assert problem.span.place == "t.c:3:31"
    lines = render(problem).splitlines()
    assert "'ö_nicht'" in readable(lines[0])
    assert lines[2].index("^") == readable(lines[1]).index("ö_nicht")


BEYOND = """\
#pragma omp declare target
namespace näher {
struct S { int ü; int größe() const { return ü; } static int é; };
static double ö[3];
template <class T> T straße(T x) { return x + S::é; }
}
#pragma omp end declare target
int näher::S::é = 9;
int main() {
  int ä = 1;
  näher::S s{5};
#pragma omp target map(tofrom : ä) map(to : s)
  ä += näher::straße(s.größe()) + näher::ö[0] + sizeof("größe");
  return ä;
}
"""


def test_functions_and_variables_of_the_device_have_names_of_ascii_letters():
    made = support.compiled(BEYOND.encode(), "t.cpp")
    device = to_bytes(made.device).decode()
    assert 'sizeof("größe");' in device
    assert "int gr_u00f6_u00dfe() const { return ü; }" in device, "members, types and locals keep their names"
    assert "straße" not in device and "stra_u00dfe(s.gr_u00f6_u00dfe())" in device
    assert "ä +=" in device and "näher::S" in device
    host = to_bytes(made.host).decode()
    assert 'REX_GLOBAL_ENTRY(&näher::ö, "_ZN6näher6_u00f6E", sizeof näher::ö)' in host
    assert "rex_link_n_u00e4her_S__u00e9" in device and "rex_link_n_u00e4her_S__u00e9" in host
