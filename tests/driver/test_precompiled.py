"""Headers of the CPU device that an earlier command has precompiled."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from rexcc.driver.caches import cache_files
from support import Bench

PROGRAM = """\
#include <stdio.h>
int main(void) {
  int a = 1;
#pragma omp target map(tofrom : a)
  a += 2;
  printf("%d\\n", a);
  return 0;
}
"""


@pytest.fixture
def headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where precompiled headers belong, in a cache of this test's own."""
    if "clang-19" not in support.COMPILERS:
        pytest.skip("no clang-19")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rexcc" / "headers"


def built(bench: Bench, capfd: pytest.CaptureFixture[str], *arguments: str, name: str = "t.c") -> tuple[bool, bytes]:
    """Build the program; return whether precompiled headers were used, and the object."""
    folder = bench.place({name: PROGRAM})
    capfd.readouterr()
    assert support.rexcc(folder, "-c", "-v", "--host-compiler=clang-19", *arguments, name) == 0
    return " -include-pch " in capfd.readouterr().err, (folder / "t.o").read_bytes()


@pytest.mark.parametrize("name", support.sampled(["t.c", "t.cpp"], 2))
def test_the_third_command_uses_what_the_second_has_made(
    bench: Bench, headers: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    uses, expected = built(bench, capfd, name=name)
    assert not uses
    assert not list(headers.glob("*.pch"))
    assert built(bench, capfd, name=name) == (False, expected)
    assert built(bench, capfd, name=name) == (True, expected)
    assert not built(bench, capfd, "-O1", name=name)[0]
    assert len(list(headers.glob("*.pch"))) == 1


def test_what_the_compiler_refuses_is_made_again(
    bench: Bench, headers: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _, expected = built(bench, capfd)
    built(bench, capfd)
    (made,) = headers.glob("*.pch")
    made.write_bytes(b"damaged")
    assert built(bench, capfd) == (False, expected)
    assert made.stat().st_size > len(b"damaged")
    text = b"CPCH, but not of this compiler"
    cache_files.write_checked(made, text)
    assert built(bench, capfd) == (True, expected)
    assert not made.exists()
    assert built(bench, capfd) == (False, expected)
    assert built(bench, capfd) == (True, expected)


def test_debug_information_has_its_own_places(bench: Bench, headers: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert [built(bench, capfd, "-g")[0] for _ in range(3)] == [False] * 3
    assert not headers.exists()


def test_a_header_that_hides_the_systems_counts(
    bench: Bench,
    headers: Path,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    assert [built(bench, capfd, f"-I{own}")[0] for _ in range(3)] == [False, False, True]
    (own / "stdint.h").write_text("#include_next <stdint.h>\n")
    assert [built(bench, capfd, f"-I{own}")[0] for _ in range(3)] == [False, False, True]
    monkeypatch.setenv("CPATH", str(own))
    assert not built(bench, capfd, f"-I{own}")[0]
