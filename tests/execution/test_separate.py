"""Device functions that one file calls and another one defines: run on the CPU device, linked for GPUs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

import several_files
import support
from rexcc.codegen.registration import unit_parts
from rexcc.driver.link import device_link
from rexcc.driver.tools import toolchain
from rexcc.driver.tools.toolchain import RUNTIME_SOURCES, find_compiler
from rexcc.target.known import DEFAULT
from support import Bench

pytestmark = pytest.mark.usefixtures("runtime")

LARGE = "8727268670464\n506880\n402558975\n2932654325 2932664437 8 3065980288\n"
"""What gcc's build prints."""
FOLDER = Path(__file__).parent / "separate"
FILES = {path.name: path.read_text() for path in sorted(FOLDER.iterdir())}
EXPECTED = "42\n800 801 802 803 804 805 806 807 2000\n106\n57 15\n"
"""What a build for the host alone prints too (gcc -fopenmp -foffload=disable)."""


def test_one_command(bench: Bench) -> None:
    program = bench.build(FILES, "--target=host")
    assert support.on_device(program) == support.on_host(program) == EXPECTED


def test_an_archive_with_a_member_that_is_not_taken(bench: Bench) -> None:
    unused = "#pragma omp declare target\nint nowhere(void);\nint unused(void) { return nowhere(); }\n"
    folder = bench.place({**FILES, "unused.c": f"{unused}#pragma omp end declare target\n"})
    for name in ("main.c", "lib.c", "odd.cpp", "unused.c"):
        assert support.rexcc(folder, "--target=host", "-c", name) == 0
    subprocess.run(["ar", "rcs", "liball.a", "lib.o", "odd.o", "unused.o"], cwd=folder, check=True)
    assert support.rexcc(folder, "--target=host", "main.o", "-L.", "-lall", "-o", "program") == 0
    assert support.on_device(folder / "program") == EXPECTED


def test_objects_joined_by_the_linker_and_a_library_of_two_files(bench: Bench) -> None:
    entry = "int program(void);\nint main(void) { return program(); }\n"
    folder = bench.place({**FILES, "main.c": FILES["main.c"].replace("int main(", "int program("), "entry.c": entry})
    for name in ("main.c", "lib.c", "odd.cpp"):
        assert support.rexcc(folder, "--target=host", "-fPIC", "-c", name) == 0
    subprocess.run(["ld", "-r", "main.o", "lib.o", "-o", "both.o"], cwd=folder, check=True)
    assert support.rexcc(folder, "--target=host", "-shared", "both.o", "odd.o", "-o", "libboth.so") == 0
    link = ("--target=host", "entry.c", "-L.", "-lboth", "-Wl,-rpath,$ORIGIN", "-o", "program")
    assert support.rexcc(folder, *link) == 0
    assert support.on_device(folder / "program") == EXPECTED


def test_functions_that_are_asked_for_their_types_alone_need_no_other_file(bench: Bench) -> None:
    text = """
char tag(int);
double tag(double);
template <class T> constexpr int width = sizeof(tag(T()));
int main() {
  int a = 0;
#pragma omp target map(tofrom : a)
  a = width<int> + 10 * width<double>;
  return a - 81;
}
"""
    folder = bench.place({"main.cpp": text})
    assert support.rexcc(folder, "--target=host", "-c", "main.cpp") == 0
    assert support.rexcc(folder, "--target=host", "main.o", "-o", "program") == 0
    assert support.on_device(folder / "program") == ""


def test_registers_for_large_blocks_teams_and_recursion(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    names = {path.name: path.read_text() for path in sorted((FOLDER.parent / "large_blocks").iterdir())}
    program = bench.build(names, "--target=host")
    assert support.on_device(program) == LARGE
    if find_compiler(DEFAULT.tools, None, os.environ):  # the linker refuses functions that want too many registers
        sources = [name for name in names if name.endswith(".c")]
        bench.place(names)
        capfd.readouterr()
        command = ("--target=nvptx", "--offload-arch=sm_90", *sources, "-o", "for_gpu")
        assert support.rexcc(program.parent, *command) == 0
        assert capfd.readouterr().err == ""


def test_names_that_are_a_units_own(bench: Bench) -> None:
    """Variables, functions, classes, reductions and tables of one name in four files, which one image has."""
    names = {path.name: path.read_text() for path in sorted((FOLDER.parent / "own_names").iterdir())}
    folder = bench.place(names)
    objects = []
    for name in (name for name in names if not name.endswith(".h")):
        assert support.rexcc(folder, "--target=host", "-fPIC", "-c", name, "-o", f"{name}.o") == 0
        objects.append(f"{name}.o")
    assert support.rexcc(folder, "--target=host", *objects, "-o", "program") == 0
    expected = support.on_host(folder / "program")
    assert expected.startswith("first 195 300 2\nsecond 1350 50 120\nthird 13700 4 45 5 11\nfourth ")
    assert support.on_device(folder / "program") == expected
    subprocess.run(["ar", "rcs", "libnames.a", *objects[1:]], cwd=folder, check=True)
    assert support.rexcc(folder, "--target=host", objects[0], "-L.", "-lnames", "-o", "program") == 0
    assert support.on_device(folder / "program") == expected
    assert support.rexcc(folder, "--target=host", "-fPIC", "-Dmain=program", "-c", "first.c", "-o", objects[0]) == 0
    assert support.rexcc(folder, "--target=host", "-shared", *objects, "-o", "libnames.so") == 0
    (folder / "entry.c").write_text("int program(void);\nint main(void) { return program(); }\n")
    link = ("--target=host", "entry.c", "./libnames.so", "-Wl,-rpath,$ORIGIN", "-o", "program")
    assert support.rexcc(folder, *link) == 0
    assert support.on_device(folder / "program") == expected


KEEPING = """#include <stdio.h>
int host_count, table[3];
const int first = 10;
#pragma omp declare target
int limit(void);
int twice(int x) { return 2 * x + first; }
int told(int x) { fprintf(stderr, "%d", x); return x; }
int counted(void) { return host_count++; }
int counted_too(void) { return counted(); }
int launched(int x) {
#pragma omp target map(x)
  x++;
  return x;
}
int updated(void) {
#pragma omp target update to(table)
  return 0;
}
#pragma omp end declare target
"""


def test_host_code_in_declare_target_is_not_for_others(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    main = "int {0};\nint main(void) {{\n  int r = 0;\n#pragma omp target map(r)\n  r = {1};\n  return r - 12;\n}}\n"
    folder = bench.place({"main.c": main.format("twice(int x)", "twice(1)"), "a lib.c": KEEPING})
    assert support.rexcc(folder, "--target=host", "-c", "a lib.c", "-o", "lib.o") == 0
    assert support.rexcc(folder, "--target=host", "main.c", "lib.o", "-o", "program") == 0
    assert support.on_device(folder / "program") == ""
    causes = {
        "counted_too(void)": "a lib.c:8:28: note: its definition uses 'host_count', a variable of the host",
        "launched(int x)": "a lib.c:11:1: note: its definition has 'target', which only the host executes",
        "updated(void)": "a lib.c:16:1: note: its definition has 'target update', which only the host executes",
    }
    for declared, cause in causes.items():
        name = declared.partition("(")[0]
        (folder / "main.c").write_text(main.format(declared, f"{name}({'1' if 'int x' in declared else ''})"))
        capfd.readouterr()
        assert support.rexcc(folder, "--target=host", "main.c", "lib.o", "-o", "program") == 1
        said = capfd.readouterr().err
        assert f"main.c:5:7: error: '{name}(" in said
        assert cause in said
        assert not (folder / "program").exists()


def test_a_file_with_names_of_the_devices_language(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    """Its functions have symbols of their own in device code, but for those of C."""
    target = "#pragma omp declare target\n{}\n#pragma omp end declare target\n"
    one = "struct float4 { int a; };\n" + target.format("int there(int);\nint here(int x) { float4 f{x}; return f.a; }")
    one += "int main() {\n  int r = 0;\n#pragma omp target map(r)\n"
    one += "  { float4 f{3}; r = there(1) + f.a; }\n  return r - 5;\n}\n"
    two = target.format("int there(int x) { return x + 1; }")
    folder = bench.place({"one.cpp": one, "two.cpp": two})
    assert support.rexcc(folder, "--target=host", "one.cpp", "two.cpp", "-o", "program") == 1
    said = capfd.readouterr().err
    assert "one.cpp:9:22: error: 'there(int)' is called in device code but not defined in this file, which has" in said
    for name in ("one.cpp", "two.cpp"):
        (folder / name).write_text((folder / name).read_text().replace("int there", 'extern "C" int there'))
    assert support.rexcc(folder, "--target=host", "one.cpp", "two.cpp", "-o", "program") == 0
    assert support.on_device(folder / "program") == ""


@pytest.mark.skipif(not find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
@pytest.mark.parametrize(
    "without",
    [
        (),
        pytest.param(("main.c", "lib.c", "odd.cpp", "program"), marks=pytest.mark.extended),
        pytest.param(("lib.c",), marks=pytest.mark.extended),
    ],
)
def test_images_of_gpus_have_what_all_files_register(
    bench: Bench, without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linked by nvJitLink, by nvcc's linker where that is missing, and by nvJitLink of one object for nvcc's linker."""
    folder = bench.place(FILES)
    sources = [name for name in FILES if not name.endswith(".h")]
    architectures = ("sm_80", "sm_90") if not without else ("sm_90",)
    command = ("-O1", "--target=both", f"--offload-arch={','.join(architectures)}", "-save-temps=kept")
    find = toolchain.find_linker

    def build(name: str, *arguments: str) -> None:
        monkeypatch.setattr(toolchain, "find_linker", (lambda *_: "") if name in without else find)
        assert support.rexcc(folder, *command, *arguments) == 0

    for name in sources:
        build(name, "-c", name)
    build("program", *(f"{name.partition('.')[0]}.o" for name in sources), "-o", "program")
    assert support.on_device(folder / "program") == EXPECTED
    texts = [path.read_text() for path in (folder / "kept").glob("rose_*.c*")]
    kernels = {f"{stem}kernel__" for text in texts for stem in re.findall(r"REX_KERNEL_ENTRY\((\w+)\)", text)}
    variables = {name for text in texts for name in re.findall(r"REX_GLOBAL_ENTRY\([^,]+, \"(\w+)\"", text)}
    assert kernels and variables
    for architecture in architectures:
        names = (folder / "kept" / f"rex_group_0.{architecture}.cubin").read_bytes().split(b"\0")
        assert {name.encode() for name in kernels | variables | {"rex_lock_sums"}} - {*names} == set()
        assert (b"scale" in names) == bool(without), "only nvJitLink sees what it can inline"


@pytest.mark.skipif(not find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
def test_a_linker_that_was_there_only_before(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    one = "#pragma omp declare target\nint f(int);\n#pragma omp end declare target\n"
    one += "int main(void) {\n  int r;\n#pragma omp target map(from: r)\n  r = f(1);\n  return r;\n}\n"
    two = "#pragma omp declare target\nint f(int x) { return x - 1; }\n#pragma omp end declare target\n"
    folder = bench.place({"one.c": one, "two.c": two})
    command = ("--target=nvptx", "--offload-arch=sm_90", "-O0")
    assert support.rexcc(folder, *command, "-c", "one.c", "two.c") == 0
    (folder / "ctypes.py").write_text("raise ImportError('a file of the user's')\n")
    capfd.readouterr()
    assert support.rexcc(folder, "-v", *command, "one.o", "two.o", "-o", "program") == 0
    links = [line for line in capfd.readouterr().err.splitlines() if " -o program" in line]
    assert all("rex_groups.o" in line for line in links), "objects are linked once"
    assert (folder / "program").exists()
    monkeypatch.setattr(toolchain, "find_linker", lambda *_: "")
    assert support.rexcc(folder, *command, "one.o", "two.o", "-o", "program") == 1
    assert "error: the device code of these files is linked by nvJitLink" in capfd.readouterr().err
    assert not (folder / "program").exists()


@pytest.mark.skipif(not find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
def test_files_without_calls_of_others_pay_nothing(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    """Where all sources are in one command, the objects that others might want are not made."""
    target = "#pragma omp declare target\nint {0}(int x) {{ return x + 1; }}\n#pragma omp end declare target\n"
    region = "int {0}(void) {{\n  int r = 0;\n#pragma omp target map(r)\n  r = {1}(1);\n  return r - 2;\n}}\n"
    one, two = (target.format(f) + region.format(name, f) for name, f in (("main", "f"), ("other", "g")))
    folder = bench.place({"one.c": one, "two.c": two})
    command = ("-v", "--target=both", "--offload-arch=sm_90", "-O0", "-o", "program")
    for sources in (("one.c",), ("one.c", "two.c")):
        capfd.readouterr()
        assert support.rexcc(folder, *command, *sources) == 0
        assert "rdc=true" not in capfd.readouterr().err
    assert support.rexcc(folder, "--target=host", "-c", "two.c") == 0
    capfd.readouterr()
    assert support.rexcc(folder, *command, "one.c", "two.o") == 0
    assert "rdc=true" in capfd.readouterr().err


def test_what_cannot_be_code_of_a_gpu_is_kept() -> None:
    text = """#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <vector>
#pragma omp declare target
int good(int x) { return std::abs(x) + 1; }
int told(int x) { return fprintf(stderr, "%d", x); }
int left(int x) { std::exit(x); }
int thrown(int x) { if (x) throw 1; return 2; }
int waited() { return sched_get_priority_max(1); }
int held(int n) { return (int)std::vector<int>(n).size(); }
#pragma omp end declare target
"""
    host = support.translate_text(text, "t.cpp", cpu_device=False, architectures=("sm_90",), alone=False).host
    assert host is not None
    assert re.findall(r'"has\\\\t(\w+)"', host.text) == ["_Z4goodi"]
    kept = re.findall(r'"keeps\\\\t(\w+)\\\\t[^\\]+\\\\t([^"]+)"', host.text)
    assert [name for name, _ in kept] == ["_Z4toldi", "_Z4lefti", "_Z6throwni", "_Z6waitedv", "_Z4heldi"]
    assert kept[3][1] == "calls 'sched_get_priority_max', a function of the host"
    everything = support.translate_text(text, "t.cpp", cpu_device=True, architectures=(), alone=False).host
    assert everything is not None
    assert "keeps" not in everything.text


def test_a_file_says_what_its_functions_share() -> None:
    """Variables, the state of the team, and by which word its kernels are known."""
    head = "#include <omp.h>\n#pragma omp begin declare target\n"
    plain = "static int f(int x) { return x; }\nint g(int x) { const static int t[2] = {1, 2}; return f(t[x]); }\n"
    asking = "static int f(int x) { return x + omp_get_thread_num(); }\nint g(int x) { return f(x); }\n"
    sharing = "void g(int *a) {\n#pragma omp for\n  for (int i = 0; i < 9; i++) a[i] = i;\n}\n"
    held = "int g(int x) { static int n; return n += x; }\n"
    region = "int h(int x) {\n#pragma omp target map(x)\n  x++;\n  return x;\n}\n"
    found = []
    for text in (plain, asking, sharing, held, plain + "#pragma omp end declare target\n" + region):
        whole = head + text + ("" if region in text else "#pragma omp end declare target\n")
        host = support.translate_text(whole, cpu_device=False, alone=False).host
        assert host is not None
        found.append({*re.findall(r'REX_PART_LINE\("(team|state|kernels)\b', host.text)})
    assert found == [set(), {"team"}, {"team"}, {"state"}, {"kernels"}]
    (word,) = re.findall(r'"kernels\\\\t(\w+)"', host.text)
    assert re.findall(r"REX_KERNEL_ENTRY\((\w+)", host.text) == [f"OUT__1__h__7{word}"]


def test_the_header_frames_what_the_link_reads() -> None:
    header = (RUNTIME_SOURCES / "include" / "rex_module.h").read_text()
    assert f".pushsection {unit_parts.SECTION}," in header
    assert f'.ascii \\"{unit_parts.MAGIC}\\"' in header


def test_a_makefile_links_device_code(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    folder = bench.place(FILES)
    sources = [name for name in FILES if not name.endswith(".h")]
    assert support.rexcc(folder, "--emit=src", "-o", "out", *sources) == 0
    support.place_helper(folder / "out", dict(os.environ))
    subprocess.run(["make", "-s", "-C", "out"], cwd=folder, check=True)
    assert support.on_device(folder / "out" / "lib") == EXPECTED
    subprocess.run(["make", "-s", "-C", "out", "clean"], cwd=folder, check=True)
    assert [p.name for p in (folder / "out").iterdir() if p.is_file() and p.suffix in (".o", ".so", "")] == ["Makefile"]
    assert support.rexcc(folder, "--emit=src", "-o", "two", "main.c", "odd.cpp") == 1
    assert "main.c:19:7: error: 'scale(int)' is called in device code" in capfd.readouterr().err
    assert support.rexcc(folder, "--emit=src", "-o", "objects", "odd.cpp") == 0
    assert "'even(int)'" in capfd.readouterr().err


def test_the_runtime_is_told_of_recursion_through_files(bench: Bench) -> None:
    files = several_files.read(several_files.FOLDER / "partial_links.txt")
    folder = bench.place(files.files)
    for sources, is_told in ((files.sources, True), (["main.c", "a.c", "other.c"], False)):
        (folder / "other.c").write_text("int v;\nint g(int x) { return x; }\n#pragma omp declare target(g, v)\n")
        assert support.rexcc(folder, "--emit=src", "-o", "out", *sources) == 0
        assert ("REX_RECURSION\n" in (folder / "out" / device_link.SOURCE).read_text()) == is_told


@pytest.mark.extended
def test_a_makefile_joins_tables(bench: Bench) -> None:
    files = several_files.read(several_files.FOLDER / "indirect.txt")
    folder = bench.place(files.files)
    assert support.rexcc(folder, "--emit=src", "-o", "out", *files.sources) == 0
    support.place_helper(folder / "out", dict(os.environ))
    subprocess.run(["make", "-s", "-C", "out"], cwd=folder, check=True)
    assert support.on_device(folder / "out" / "main") == files.want
    subprocess.run(["make", "-s", "-C", "out", "clean"], cwd=folder, check=True)
    assert [p.name for p in (folder / "out").iterdir() if p.is_file() and p.suffix in (".o", ".so", "")] == ["Makefile"]


def test_a_failed_link_of_device_code_leaves_no_program(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bench.place(FILES)
    monkeypatch.setattr(device_link, "text", lambda found: "#error\n")
    assert support.rexcc(folder, "--target=host", *(name for name in FILES if not name.endswith(".h")), "-o", "p") != 0
    assert not (folder / "p").exists()


def test_a_single_file_hears_at_once_what_is_missing(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    folder = bench.place({"main.c": "int far(int);\nint main(void) {\n#pragma omp target\n  far(1);\n  return 0;\n}\n"})
    assert support.rexcc(folder, "main.c", "-o", "program") == 1
    said = capfd.readouterr().err
    assert "main.c:4:3: error: 'far' is called in a target region but not defined in this file" in said
    assert "no other file is linked that could define it for the device" in said


def test_what_no_file_defines_for_the_device_is_named(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    main = "int next(int x);\nint main(void) {\n  int r = 0;\n#pragma omp target map(r)\n  r = next(1);\n}\n"
    folder = bench.place({"main.c": main, "host.c": "int next(int x) { return x; }\n"})
    assert support.rexcc(folder, "--target=host", "main.c", "host.c", "-o", "program") == 1
    said = capfd.readouterr().err
    assert "main.c:5:7: error: 'next(int)' is called in device code, but no linked file defines it" in said
    assert "device code was found in main.c" in said
    assert not (folder / "program").exists()


def test_a_link_with_cplusplus_compiler_says_nothing(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    """As CMake calls it for programs of C and C++ whose compilers it knows."""
    one = "#pragma omp declare target\nint f(int);\n#pragma omp end declare target\n"
    one += "int main() {\n  int r = 0;\n#pragma omp target map(from: r)\n  r = f(1);\n  return r;\n}\n"
    two = "#pragma omp declare target\nint f(int x) { return x - 1; }\n#pragma omp end declare target\n"
    folder = bench.place({"one.cpp": one, "two.cpp": two})
    command = ("--target=host", "-O0", "--host-compiler=clang++-19")
    assert support.rexcc(folder, *command, "-c", "one.cpp", "two.cpp") == 0
    capfd.readouterr()
    assert support.rexcc(folder, *command, "one.o", "two.o", "-o", "program") == 0
    assert capfd.readouterr().err == ""
    assert support.on_device(folder / "program") == ""


def test_a_program_without_such_calls_is_linked_once(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    main = "#pragma omp declare target\nint f(int x) { return x + 1; }\n#pragma omp end declare target\n"
    main += "int main(void) {\n  int r = 0;\n#pragma omp target map(r)\n  r = f(1);\n  return r - 2;\n}\n"
    folder = bench.place({"main.c": main})
    assert support.rexcc(folder, "--target=host", "-v", "main.c", "-o", "program") == 0
    assert "rex_groups" not in capfd.readouterr().err
    assert support.on_device(folder / "program") == ""


def test_a_device_variable_of_the_program_and_of_a_library_is_warned_of(
    bench: Bench, capfd: pytest.CaptureFixture[str]
) -> None:
    declared = "#pragma omp begin declare target\nextern int level;\nint f(int);\n#pragma omp end declare target\n"
    region = "#pragma omp target map(tofrom : r)\n  r = f(r);\n  return r;\n}\n"
    files = {
        "state.c": f"{declared}int level = 3;\nint f(int x) {{ return x + level; }}\n",
        "away.c": f"{declared}int away(int r) {{\n{region}",
        "main.c": f"{declared}int away(int);\nint here(int r) {{\n{region}"
        "int main(void) { return here(away(0)) != 6; }\n",
    }
    folder = bench.place(files)
    link = ("main.o", "state.o", "libaway.so", "-Wl,-rpath,$ORIGIN", "-o", "program")
    assert support.rexcc(folder, "-fPIC", "-c", *files) == 0
    assert support.rexcc(folder, "-shared", "away.o", "state.o", "-o", "libaway.so") == 0
    capfd.readouterr()
    assert support.rexcc(folder, *link) == 0
    said = capfd.readouterr().err
    assert "warning: 'program' and 'libaway.so' are both linked with state.c: devices have 'level' twice" in said
    assert support.rexcc(folder, "-w", *link) == 0
    assert support.rexcc(folder, "-shared", "away.o", "-o", "libaway.so") == 1, "a library has its own device code"
    assert "warning" not in capfd.readouterr().err
