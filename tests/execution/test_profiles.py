"""REX_PROFILE on the CPU device: what each construct did, as a table, a document for the report, and a trace."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import support
from rexcc.report.profile import profile_of
from support import Bench

pytestmark = pytest.mark.usefixtures("runtime")

MAIN = """\
#include <omp.h>
#include <stdio.h>
void twice(int *b, int n);
static int a[1000], b[100], c[10];
int main(void) {
#pragma omp target enter data map(to : a)
  for (int k = 0; k < 3; k++) {
#pragma omp target data map(tofrom : b)
    {
#pragma omp target nowait depend(inout : b)
      for (int i = 0; i < 100; i++) b[i] += a[i] + k;
#pragma omp taskwait
      twice(b, 100);
#pragma omp target update from(b[0 : 50])
    }
  }
#pragma omp target map(tofrom : c)
  c[0]++;
#pragma omp target if (c[0] == 0)
  c[0]++;
#pragma omp target device(omp_get_initial_device())
  c[0]++;
  int *there = omp_target_alloc(80, 0), from[20] = {0};
  omp_target_memcpy(there, from, 80, 0, 0, 0, omp_get_initial_device());
  omp_target_free(there, 0);
#pragma omp target exit data map(from : a[0 : 1000])
  printf("%d %d\\n", b[1], c[0]);
}
"""
OTHER = """\
void twice(int *b, int n) {
#pragma omp target teams distribute parallel for map(tofrom : b[0 : n])
  for (int i = 0; i < n; i++) b[i] *= 2;
}
"""
EXPECTED = {
    ("main.c", 6): ("target enter data", 1, 0, 4000, 0),
    ("main.c", 8): ("target data", 3, 0, 1200, 1200),
    ("main.c", 10): ("target", 3, 0, 0, 0),
    ("main.c", 14): ("target update", 3, 0, 0, 600),
    ("main.c", 17): ("target", 1, 0, 40, 40),
    ("main.c", 21): ("target", 1, 1, 0, 0),
    ("main.c", 26): ("target exit data", 1, 0, 0, 4000),
    ("other.c", 2): ("target", 3, 0, 0, 0),
}
"""Construct, calls, those on the host, bytes to the device and back. What an ``if`` clause keeps from it is no call."""


def run(program: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "REX_", "LIBOMPTARGET", "LD_LIBRARY"))}
    done = subprocess.run(
        [str(program)], cwd=program.parent, env=kept | environment, capture_output=True, text=True, check=False,
        timeout=support.PATIENCE,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "8 3\n"), done.stderr
    return done


@pytest.fixture(scope="module")
def program(bench: Bench) -> Path:
    return bench.build({"main.c": MAIN, "other.c": OTHER})


@pytest.fixture(scope="module")
def profiled(program: Path) -> subprocess.CompletedProcess[str]:
    return run(program, REX_PROFILE="1,out.json,trace:trace.json")


def test_the_document_has_what_each_construct_did(program: Path, profiled: subprocess.CompletedProcess[str]) -> None:
    document = json.loads((program.parent / "out.json").read_text())
    assert document["device"] == "CPU device" and document["sees_copies"] is True
    assert document["outside"] == {"bytes_to": 80, "bytes_from": 0}
    columns = ("construct", "calls", "on_host", "bytes_to", "bytes_from")
    found = {(row["file"], row["line"]): tuple(row[name] for name in columns) for row in document["constructs"]}
    assert found == EXPECTED
    seconds = [row["seconds"] for row in document["constructs"]]
    assert seconds == sorted(seconds, reverse=True)
    for row in document["constructs"]:
        assert (row["kernel_seconds"] > 0) == (row["construct"] == "target" and row["on_host"] == 0), row
        assert row["kernel_seconds"] <= row["seconds"]
        assert row["function"] == ("twice" if row["file"] == "other.c" else "main")
    profile = profile_of(document)
    timed = profile.of("main.c", 8)
    assert timed is not None and (timed.calls, timed.bytes_to, timed.bytes_from) == (3, 1200, 1200)


def test_the_table_has_the_same_sorted_by_time(program: Path, profiled: subprocess.CompletedProcess[str]) -> None:
    heading, titles, *rows, outside = profiled.stderr.splitlines()
    assert re.fullmatch(r"rex: profile, CPU device: [\d.]+ .?s in 8 constructs", heading)
    assert titles.split() == [
        "time",
        "share",
        "calls",
        "average",
        "kernels",
        "bytes",
        "to",
        "bytes",
        "from",
        "construct",
    ]
    assert outside == "rex: copied outside of constructs: 80 bytes to the device, 0 from it"
    document = json.loads((program.parent / "out.json").read_text())["constructs"]
    for row, line in zip(document, rows, strict=True):
        name = f"{row['file']}:{row['line']} {row['function']}: {row['construct']}"
        end = f" {row['bytes_to']} +{row['bytes_from']}  {name}" + (r" \(on the host\)" if row["on_host"] else "")
        assert re.search(rf" {row['calls']} .*{end}$", line), line


def nested(spans: list[dict[str, Any]]) -> bool:
    """Whether spans of a thread are apart, or one within the other."""
    ends: list[float] = []
    for span in sorted(spans, key=lambda one: (one["ts"], -one["dur"])):
        while ends and ends[-1] <= span["ts"]:
            ends.pop()
        end = span["ts"] + span["dur"]
        if ends and round(end, 3) > round(ends[-1], 3):
            return False
        ends.append(end)
    return True


def test_the_trace_has_spans_within_spans(program: Path, profiled: subprocess.CompletedProcess[str]) -> None:
    events = json.loads((program.parent / "trace.json").read_text())["traceEvents"]
    threads: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            threads[event["tid"]].append(event)
    assert len(threads) > 1  # deferred tasks have threads of their own
    for spans in threads.values():
        assert nested(spans)
    kinds = [event["cat"] for spans in threads.values() for event in spans]
    assert kinds.count("kernel") == 7 and kinds.count("target") == 7
    assert kinds.count("copy") == 1 + 3 + 3 + 3 + 2 + 1 + 1


def test_what_is_not_asked_for_is_not_made(program: Path) -> None:
    there = set(program.parent.iterdir())
    assert run(program).stderr == "" and run(program, REX_PROFILE="0").stderr == ""
    said = run(program, REX_PROFILE="table").stderr
    assert said == "rex: REX_PROFILE=table is none of 0, 1, FILE.json, trace:FILE\n"
    assert set(program.parent.iterdir()) == there
    said = run(program, REX_PROFILE="no/folder.json").stderr
    assert said == "rex: REX_PROFILE: cannot write no/folder.json\n"


def test_on_the_host_there_is_nothing_to_time(program: Path) -> None:
    lines = run(program, REX_PROFILE="1", OMP_TARGET_OFFLOAD="disabled").stderr.splitlines()
    assert lines[0] == "rex: profile, host: 0.000 us in 4 constructs"
    for line in lines[2:]:
        assert re.fullmatch(r" +- +- +\d +- +- +0 +0  \w+\.c:\d+ \w+: target \(on the host\)", line)


@pytest.fixture(scope="module")
def listener(program: Path) -> str:
    """A tool of OpenMP's and of NVTX's."""
    library = program.parent / "listener.so"
    source = Path(__file__).with_name("listener.c")
    subprocess.run(["gcc", "-Wall", "-Werror", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    return str(library)


COUNTED = (
    f"7 targets, 12 of data, 7 kernels, {sum(up for *_, up, _ in EXPECTED.values()) + 80} bytes to, "
    f"{sum(down for *_, down in EXPECTED.values())} from"
)


def test_another_tool_goes_first(program: Path, listener: str) -> None:
    assert run(program, OMP_TOOL_LIBRARIES=listener).stderr == f"{COUNTED}\n"
    assert run(program, LD_PRELOAD=listener).stderr == f"{COUNTED}\n"
    *table, told, last = run(program, REX_PROFILE="1", OMP_TOOL_LIBRARIES=listener).stderr.splitlines()
    assert (len(table), last) == (2 + len(EXPECTED), COUNTED)
    assert told.startswith("rex: libomptarget has not told of its copies and kernels: another tool listens")


def test_a_tool_of_nvtx_hears_of_each_construct(program: Path, listener: str) -> None:
    *ranges, pops = run(program, NVTX_INJECTION64_PATH=listener).stderr.splitlines()
    turn = ["8 main: data begin", "10 main: target", "14 main: data update", "8 main: data end"]
    expected = ["6 main: data begin", *turn * 3, "17 main: target", "21 main: target", "26 main: data end"]
    assert sorted(r for r in ranges if r.startswith("main.c:")) == sorted(f"main.c:{line}" for line in expected)
    assert ranges.count("other.c:2 twice: target") == 3
    assert pops == f"{len(ranges)} pops"
    assert run(program, NVTX_INJECTION64_PATH="/no/library.so").stderr == ""


def test_the_listener_hears_of_a_program_with_nvidias_header(program: Path, listener: str) -> None:
    """So both sides of the protocol are what NVIDIA's are."""
    folder = program.parent
    (folder / "ranges.c").write_text(
        '#include <nvtx3/nvToolsExt.h>\nint main(void) {\n  nvtxRangePushA("outer");\n  nvtxRangePushA("inner");\n'
        "  nvtxRangePop();\n  return nvtxRangePop() != 0;\n}\n"
    )
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("nvcc is not installed")
    included = subprocess.run([nvcc, "-M", "ranges.c"], cwd=folder, capture_output=True, text=True, check=False)
    if "nvtx3/nvToolsExt.h: No such file" in included.stderr:
        pytest.skip("the CUDA of PyPI has no header of NVTX's")
    subprocess.run([nvcc, "-cudart", "none", "ranges.c", "-o", "ranges", "-ldl"], cwd=folder, check=True)
    done = subprocess.run(
        ["./ranges"], cwd=folder, env=os.environ | {"NVTX_INJECTION64_PATH": listener}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stderr == "outer\n inner\n2 pops\n"


def test_what_helps_where_libomp_has_only_its_other_name(program: Path) -> None:
    """libomptarget looks for libomp.so."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    folder, named = program.parent / "runtime", program.parent / "named"
    folder.mkdir()
    named.mkdir()
    for path in re.findall(r"=> (\S*/libomp(?:target)?\.so\.\S+)", linked):
        shutil.copy(path, folder)
    said = run(program, REX_PROFILE="1", LD_LIBRARY_PATH=str(folder)).stderr
    assert "another tool listens, no folder of LD_LIBRARY_PATH has a libomp.so, or it was built without" in said
    (named / "libomp.so").symlink_to(folder / "libomp.so.5")
    assert "told" not in run(program, REX_PROFILE="1", LD_LIBRARY_PATH=f"{named}:{folder}").stderr


def test_the_report_shows_it(program: Path, profiled: subprocess.CompletedProcess[str]) -> None:
    folder = program.parent
    assert support.rexcc(folder, "--emit=report", "-o", "report", "--profile=out.json", "main.c", "other.c") == 0
    page = (folder / "report" / "main.c.html").read_text()
    assert "<dt>Time of all calls</dt>" in page and "<dt>Of that in kernels</dt>" in page
    assert "<dd>1200 B</dd>" in page.replace("\xa0", " ")
