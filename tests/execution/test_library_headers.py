"""Regions in headers that compilers take for the system's are the user's regions all the same.

Their host compiler would execute them on the host, whose data is not what the device has.
"""

from __future__ import annotations

import pytest

import support
from rexcc.frontend.files import SearchPath, gather, with_libraries
from support import Bench

LIBRARY = """#pragma once
{said}
#include <each/scaled.h>
template <class Body> void for_each(int n, Body body) {{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) body(i);
}}
"""
SCALED = """#pragma once
#include <vector>
int thrice(int x);
#pragma omp declare target to(thrice)
inline int thrice(int x) { return 3 * x; }
"""
UNUSED = "#pragma once\ninline int plain(int x) { int unused; return x; }\n"
MAIN = """#include "main.h"
#include <each/plain.h>
#include <stdio.h>
int main() {
  int a[10] = {};
#pragma omp target data map(tofrom: a)
  {
    int *all = a;
    for_each(10, [=](int i) { all[i] = thrice(i) + plain(1); });
  }
  printf("%d\\n", a[9]);
  return 0;
}
"""
SAID = {
    "nothing": "",
    "by GCC's pragma": "#pragma GCC system_header",
    "by the operator": '_Pragma("GCC system_header")',
}


def files(said: str) -> dict[str, str]:
    library = {"lib/each/each.h": LIBRARY.format(said=said), "lib/each/scaled.h": SCALED, "lib/each/plain.h": UNUSED}
    return {"main.cpp": MAIN, "main.h": "#include <each/each.h>\n", **library}


@pytest.mark.parametrize(
    ("said", "option"),
    support.sampled(
        [(said, option) for said in SAID for option in ("-isystem", "-I", "-idirafter")]
        + [(said, variable) for said in SAID for variable in ("CPATH", "CPLUS_INCLUDE_PATH")],
        4,
    ),
)
def test_regions_of_libraries_run_on_the_device(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], said: str, option: str
) -> None:
    support.require_runtime()
    folder = bench.place(files(SAID[said]))
    words = [option, "lib"] if option.startswith("-") else []
    if not words:
        monkeypatch.setenv(option, "lib")
    if option in ("-isystem", "-idirafter"):  # the user sees no warnings of libraries
        words += ["-Wall", "-Werror"]
    assert support.rexcc(folder, *words, "main.cpp", "-o", "program") == 0, capfd.readouterr().err
    assert support.on_device(folder / "program") == support.on_host(folder / "program") == "28\n"


def test_a_header_that_the_command_line_includes_may_say_that_it_is_the_systems(bench: Bench) -> None:
    """As the one that CMake makes for precompiled headers."""
    support.require_runtime()
    pre = '#pragma clang system_header\n#include "scaled.h"\n'
    main = """int main() {
      int sum = 0;
    #pragma omp target teams distribute parallel for reduction(+: sum)
      for (int i = 0; i < 5; i++) sum += thrice(i);
      return sum - 30;
    }
    """
    folder = bench.place({"pre.h": pre, "scaled.h": SCALED.replace("#pragma omp", "//"), "main.cpp": main})
    assert support.rexcc(folder, "-include", "pre.h", "main.cpp", "-o", "program") == 0
    assert support.on_device(folder / "program") == ""


@pytest.mark.parametrize(
    "line", ["#include_next <each/each.h>", '#include_next "each/each.h"', '#import "../lib/each/each.h"']
)
@pytest.mark.parametrize("option", support.sampled(["-isystem", "-I"], 2))
def test_headers_that_stand_in_front_of_libraries_include_them(bench: Bench, option: str, line: str) -> None:
    support.require_runtime()
    front = f"#ifndef FRONT\n#define FRONT\n{line}\n#endif\n"
    folder = bench.place({**files(""), "front/each/each.h": front.replace("../lib", "../../lib")})
    assert support.rexcc(folder, "-w", option, "front", option, "lib", "main.cpp", "-o", "program") == 0
    assert support.on_device(folder / "program") == "28\n"


@pytest.mark.parametrize(
    ("headers", "is_read"),
    [
        ({"top.h": "#include <next/deep.h>", "next/deep.h": "#include <each.h>", "each.h": SCALED}, True),
        ({"top.h": '#include "next/deep.h"', "next/deep.h": '#include "each.h"', "next/each.h": SCALED}, True),
        ({"top.h": "#pragma omp parallel for"}, False),
        ({"top.h": "#include <omp.h>", "omp.h": "#pragma omp begin declare variant match(device={})"}, False),
        ({"top.h": "#include <top.h>\nint far();"}, False),
    ],
    ids=["names", "quotes", "of the host", "of OpenMP", "of nothing"],
)
def test_only_headers_that_lead_to_directives_are_read(headers: dict[str, str], is_read: bool) -> None:
    search = SearchPath.from_arguments(("-isystem", "lib"))
    known = {f"lib/{name}": text.encode() for name, text in headers.items()} | {"t.cpp": b"#include <top.h>\n"}
    files = gather("t.cpp", search, known.get)
    assert files is not None
    found = with_libraries(files, search, known.get).libraries
    assert found == (known.keys() - {"t.cpp"} if is_read else set())
