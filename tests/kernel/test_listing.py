"""``--emit=kernel``: the tree of a kernel, as it stands before it becomes CUDA."""

from __future__ import annotations

from pathlib import Path

import pytest

from rexcc.driver.main import main
from rexcc.kernel.dump import dump
from rexcc.kernel.ir import (
    Assign,
    Barrier,
    Bind,
    Block,
    ByFirst,
    CopyBytes,
    Declare,
    Do,
    If,
    IfElse,
    Storage,
    User,
)

TEXT = """\
void f(int n, float a, float *x) {
  float s = 0;
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    x[i] *= a;
    s += x[i];
  }
}
"""


def test_every_node_has_its_lines() -> None:
    code = (
        Declare("int s", "s", storage=Storage.TEAM, alignment=16),
        Bind("int &r", "r", "*p"),
        ByFirst((Assign("s", "0"),), condition="c"),
        CopyBytes("a", "b", "8", by_block=True),
        Barrier(),
        Do("f(1,\n  2);"),
        Block("for (;;)", (User(("{\n  x = 1;\n}",), 3, "t.c", stored=(Assign("y", "x"),)),)),
        IfElse("c", (If("d", (Assign("a", "1"),)),), (Assign("a", "2"),)),
    )
    assert "\n".join(dump(code)) == (
        "declare team int s align 16\nbind int &r = *p\nby the first thread if c:\n  assign s = 0\n"
        "copy 8 bytes from b to a by the block\nbarrier\ndo f(1,\n   2);\n"
        "block for (;;)\n  user t.c:3\n    | {\n    |   x = 1;\n    | }\n  behind it:\n    assign y = x\n"
        "if c:\n  if d:\n    assign a = 1\nelse:\n  assign a = 2"
    )


def test_the_tree_of_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("t.c").write_text(TEXT)
    assert main(["--emit=kernel", "t.c"]) == 0
    shown = capfd.readouterr().out
    assert shown.startswith(
        "kernel OUT__1__f__3__kernel__\n  at t.c:3: target teams distribute parallel for\n  launch: "
    )
    for line in (
        "    __rex_s: s: &s, sizeof s bytes, REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT",
        "    declare thread float s = identity of + (float)",
        "    | ",
        "      behind it:",
        "    reduce by all threads of all blocks, with __rex_partials:\n      s into *(__rex_s) by +",
    ):
        assert line in shown
    assert main(["--emit=kernel", "t.c", "-o", "t.txt"]) == 0
    assert Path("t.txt").read_text() == shown


def test_errors_are_those_of_a_translation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    Path("t.c").write_text(TEXT.replace("reduction(+ : s)", "reduction(+ : q)"))
    assert main(["--emit=kernel", "t.c"]) == 1
    shown = capfd.readouterr()
    assert shown.out == "" and "q" in shown.err
