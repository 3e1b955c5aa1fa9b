"""Lines of ``#embed``: the numbers that they stand for, and what is left to clang."""

from __future__ import annotations

import pytest

import support
from rexcc.frontend.embedded import with_embedded
from rexcc.frontend.files import SearchPath, gather
from rexcc.source.compiler_macros import Macros

FILES = {"d/raw.bin": b"abcdefgh", "d/none.bin": b"", "data/other.bin": b"\x00\xff\n"}


def written(line: str, folders: tuple[str, ...] = (), macros: Macros = ()) -> str:
    """Return what becomes of a line of ``d/t.c``; lines behind it keep their numbers."""
    files = FILES | {"d/t.c": f"{line}\nint last;\n".encode()}
    found = gather("d/t.c", SearchPath(quoted=(), both=(), forced=()), files.get)
    assert found is not None and found.may_embed
    text = with_embedded(found, folders, files.get, (), macros).source("d/t.c").text
    assert text.count("\n") == line.count("\n") + 2
    return text.removesuffix("\nint last;\n")


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ('#embed "raw.bin"', "97,98,99,100,101,102,103,104"),
        ('  # embed /* all */ "raw.bin" limit(0x2) // two', "97,98"),
        ('#embed "raw.bin" clang::offset(6) __prefix__(1,) suffix(, 2)', "1,103,104, 2"),
        ('#embed "raw.bin" \\\n  limit(1)', "97\n"),
        ('#embed "raw.bin" limit(0) if_empty(7) prefix(1,)', "7"),
        ('#embed "none.bin" if_empty((3))', "(3)"),
        ('#embed "none.bin"', ""),
        ("#embed <raw.bin>", "#embed <raw.bin>"),
        ('#embed "gone.bin"', '#embed "gone.bin"'),
        ('/* #embed "raw.bin" */', '/* #embed "raw.bin" */'),
    ],
)
def test_lines_are_written_out(line: str, numbers: str) -> None:
    assert written(line) == numbers


def test_folders_are_looked_into() -> None:
    assert written("#embed <other.bin>", ("data",)) == "0,255,10"
    assert written('#embed "other.bin"', ("none", "data")) == "0,255,10"


CLANG_19 = (("__clang__", "1"), ("__clang_major__", "19"), ("__GNUC__", "4"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("#ifdef __has_embed", "#ifdef __FILE__"),
        ("#if defined(__has_embed) // __has_embed", "#if defined(__FILE__) // __has_embed"),
        ('#if __has_embed("raw.bin")', "#if 1"),
        ('#if __has_embed ("raw.bin" limit(0)) == 2', "#if 2 == 2"),
        ('#if __has_embed("gone.bin" prefix((1))) || __has_embed(<other.bin>)', "#if 0 || 1"),
        ('#if __has_embed \\\n ("raw.bin" \\\n limit(1)) > 1', "#if 1\\\n\\\n > 1"),
        ("#define HAS(x) __has_embed(x)", "#define HAS(x) __has_embed(x)"),
    ],
)
def test_whether_there_is_something_to_embed_is_answered_as_the_host_does(line: str, answer: str) -> None:
    """Where the host's compiler does not know the question, libclang does not either."""
    for macros in (CLANG_19, (("__GNUC__", "15"),)):
        assert written(line, ("data",), macros) == answer
    for macros in ((), (("__GNUC__", "14"),), (("__clang__", "1"), ("__clang_major__", "18"), ("__GNUC__", "15"))):
        assert written(line, ("data",), macros) == line


def test_who_lists_the_headers_is_told_what_the_host_cannot_list() -> None:
    files = FILES | {"d/t.c": b'#embed "raw.bin"\n#if __has_embed("none.bin")\n#endif\n#embed <gone.bin>\n'}
    found = gather("d/t.c", SearchPath(quoted=(), both=(), forced=()), files.get)
    assert found is not None
    assert with_embedded(found, (), files.get).embedded == ("d/raw.bin",)
    assert with_embedded(found, (), files.get, (), CLANG_19).embedded == ()


def test_kernels_read_what_is_embedded() -> None:
    program = """
static const unsigned char table[] = {
#embed "raw.bin" limit(3)
};
void f(int *a) {
#pragma omp target map(tofrom: a[0:3])
  a[0] = table[1];
}
"""
    made = support.compiled(program, headers={"raw.bin": b"abcdefgh"}, arguments=["-std=c2x"])
    assert "97,98,99" in made.device and "embed" not in made.host
    assert made.translation.embedded == ("raw.bin",)


def test_macros_that_are_defined_once_are_known() -> None:
    define = '#define NAME "raw.bin"\n#define COUNT 2 // bytes\n'
    table = "static const char t[] = {\n#embed NAME limit(COUNT) offset(FIRST)\n,\n#embed __FILE__ limit(1)\n};\n"
    region = "void f(int *a) {\n#pragma omp target\n  a[0] = t[0];\n}\n"
    made = support.compiled(f"{define}{table}{region}", headers={"raw.bin": b"abc"}, arguments=["-DFIRST=1"])
    assert made.device.count("\n98,99\n") == 1 and made.device.count(f"\n{ord('#')}\n") == 1


@pytest.mark.parametrize("line", ["#embed NAME", '#embed "raw.bin" limit(COUNT)', '#embed "raw.bin" limit(1 + 1)'])
def test_what_other_macros_say_is_refused_where_it_is_compiled(line: str) -> None:
    region = "void f(int *a) {\n#pragma omp target\n  a[0] = 1;\n}\n"
    twice = '#ifdef OTHER\n#define NAME "b.bin"\n#else\n#define NAME "raw.bin"\n#endif\n#define COUNT 1 + 1\n'
    table = f"{twice}static const char table[] = {{\n{line}\n}};\n"
    found = support.only_error(f"{table}{region}", headers={"raw.bin": b"abc"})
    assert "needs the name and the numbers of this #embed written out" in found.message
    assert found.span is not None and found.span.start == table.index(line) + 1
    support.compiled(f"#ifdef NEVER\n{table}#endif\n{region}")
