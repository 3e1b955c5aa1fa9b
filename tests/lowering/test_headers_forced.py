"""Headers of ``-include``: the rewritten file includes those that are rewritten too, and only those."""

from __future__ import annotations

from pathlib import Path

import pytest

import support

REGION = "static void f(int *x) {\n#pragma omp target map(tofrom : x[0:1])\n  x[0]++;\n}\n"
PLAIN = "#define A 1\n"
PROGRAM = "int main(void) {\n  int x[1] = {0};\n  f(x);\n#pragma omp target map(tofrom : x)\n  x[0]++;\n}\n"


@pytest.fixture(autouse=True)
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clang looks for what the command line includes in folders."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inc").mkdir()
    (tmp_path / "plain.h").write_text(PLAIN)
    (tmp_path / "inc/reg.h").write_text(REGION)


def test_a_rewritten_header_is_included_by_the_file():
    headers = {"plain.h": PLAIN, "inc/reg.h": REGION}
    made = support.compiled(PROGRAM, "t.c", headers, ("-Iinc", "-include", "plain.h", "-includereg.h"))
    assert made.translation.forced == ("inc/reg.h",)
    assert '#include "rose_reg.t.h"\n#line 1 "t.c"' in made.host
    assert "plain.h" not in made.host
    assert "__tgt_target_kernel" in made.headers["rose_reg.t.h"]


def test_no_header_is_included_that_stays_as_it_is():
    made = support.compiled(PROGRAM.replace("f(x);", ""), "t.c", {"plain.h": PLAIN}, ("-include", "plain.h"))
    assert made.translation.forced == ()
    assert "#include" not in made.host.replace('#include "rex_kmp.h"', "")
