"""Lines that include files which macros name."""

from __future__ import annotations

from pathlib import Path

import pytest

from rexcc.source.diagnostics import Severity
from support import compiled, translate_text

REGION = "static int NAME(int n) {\n#pragma omp target map(tofrom: n)\n  n++;\n  return n;\n}\n"
PLAIN = "static int NAME(int n) { return n; }\n"
USES = '#define NAME f\n#define IMPL "a.h"\n#include "wrap.h"\n#define NAME g\n#define IMPL "b.h"\n#include "wrap.h"\n'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)  # where clang looks for the headers
    made = {"wrap.h": "#include IMPL\n#undef NAME\n#undef IMPL\n", "a.h": PLAIN, "b.h": REGION}
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    return made


def test_files_that_differ_from_one_inclusion_to_the_next_may_have_them(files: dict[str, str]) -> None:
    thrice = f'{USES}#define NAME h\n#define IMPL "b.h"\n#include "wrap.h"\n'
    output = compiled(f"{thrice}int main(void) {{ return f(1) + g(2) + h(3); }}\n", "t.c", files)
    assert [kernel.name for kernel in output.kernels] == ["OUT__1__g__2__kernel__", "OUT__2__h__2__kernel__"]
    wrong = {**files, "b.h": REGION.replace("tofrom: n", "tofrom: m")}
    Path("b.h").write_text(wrong["b.h"])
    (found,) = translate_text(f"{USES}int main(void) {{ return f(1) + g(2); }}\n", "t.c", wrong).diagnostics
    assert found.span is not None
    assert (found.span.source.users_path(found.span.start), found.span.line, found.span.text) == ("b.h", 2, "m")


def test_a_file_of_the_system_beside_one_with_directives_is_refused(files: dict[str, str]) -> None:
    uses = USES.replace('"a.h"', "<stdio.h>")
    (found,) = translate_text(f"{uses}int main(void) {{ return g(2); }}\n", "t.c", files).diagnostics
    assert found.severity is Severity.ERROR and found.code == "unsupported-construct"
    assert "'stdio.h', which is no file of yours" in found.message and found.span is not None
    assert (found.span.source.path, found.span.line, found.span.text) == ("wrap.h", 1, "#include IMPL")


def test_one_file_that_a_macro_names_may_have_them(files: dict[str, str]) -> None:
    uses = USES[USES.index("#define NAME g") :]
    output = compiled(f"{uses}int main(void) {{ return g(2); }}\n", "t.c", files)
    assert len(output.kernels) == 1
