"""The command itself, in process, with the fake compiler and the real host compilers."""

from __future__ import annotations

import io
import os
import resource
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fake
import pytest

import support
from rexcc import __version__
from rexcc.driver.main import main
from rexcc.driver.tools import toolchain
from rexcc.pipeline import ReadFile, TranslateOptions, Translation, stages
from rexcc.program.tuned import Choice, Entry, KernelKey, tuned_text
from rexcc.target.known import DEFAULT

needs_nvcc = pytest.mark.skipif(not toolchain.find_compiler(DEFAULT.tools, None, os.environ), reason="no nvcc")
HOST_ONLY = "--target=host"


def rexcc(*arguments: str) -> int:
    return main(list(arguments), fake.FakeCompiler())


def run(*argv: str) -> str:
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


def names(folder: str) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


def leftovers() -> set[str]:
    """What lies in the folder for temporary files."""
    return names(os.environ["TMPDIR"])


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_a_program_runs_on_the_cpu_device(project: Path, compiler: str, monkeypatch: pytest.MonkeyPatch):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    line = ["-O2", "-g", "-Wall", f"--host-compiler={compiler}", HOST_ONLY, "prog.c", "kernel.c", "-o", "prog", "-lm"]
    assert rexcc(*line) == 0
    monkeypatch.setenv("OMP_TARGET_OFFLOAD", "MANDATORY")
    assert run("./prog") == "2 198\n"
    assert names(".") == {"kernel.c", "prog", "prog.c", "scale.h"}
    assert not leftovers()


@pytest.mark.parametrize("saved", [(), ("-save-temps=t",)], ids=("private", "saved"))
def test_files_of_one_name_may_have_regions_or_none(project: Path, saved: tuple[str, ...]):
    for folder in ("one", "other"):
        Path(folder).mkdir()
        Path(folder, "prog.c").write_text(f"int {folder}(void) {{ return 1; }}\n")
    assert rexcc(HOST_ONLY, *saved, "one/prog.c", "prog.c", "kernel.c", "other/prog.c", "-o", "prog", "-lm") == 0
    assert run("./prog") == "2 198\n"
    assert not leftovers()


@needs_nvcc
def test_both_images_are_in_the_program(project: Path):
    assert rexcc("--offload-arch=sm_80,sm_90", "-save-temps=t", "prog.c", "kernel.c", "-o", "prog") == 0
    assert run("./prog") == "2 198\n"
    program = Path("prog").read_bytes()
    for name, architecture in (("sm_80", 80), ("sm_90", 90)):
        image = Path(f"t/rex_lib_kernel.{name}.cubin").read_bytes()
        assert image[7:9] == b"\x33\x07"
        assert image[48] == architecture
        assert image in program
    assert Path("t/rex_lib_kernel.host.so").read_bytes() in program


def test_compile_then_link_with_static_and_shared_libraries(project: Path):
    assert rexcc("-c", "-fPIC", HOST_ONLY, "kernel.c") == 0
    assert rexcc("-c", "prog.c") == 0
    run("ar", "rcs", "libkernel.a", "kernel.o")
    assert rexcc("-shared", "kernel.o", "-o", "libshared.so") == 0
    assert rexcc("prog.o", "libkernel.a", "-o", "static") == 0
    assert rexcc("prog.o", "-L.", "-lshared", "-Wl,-rpath,$ORIGIN", "-o", "shared") == 0
    assert run("./static") == run("./shared") == "2 198\n"


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_compile_then_link_with_link_time_optimisation(project: Path, compiler: str):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    own = ("-O1", "-flto", HOST_ONLY, f"--host-compiler={compiler}")
    assert rexcc(*own, "-c", "prog.c", "kernel.c") == 0
    assert rexcc(*own, "prog.o", "kernel.o", "-o", "prog") == 0
    assert run("./prog") == "2 198\n"


def test_c_and_cxx_in_one_line(project: Path):
    Path("prog.c").rename("prog.cpp")
    assert rexcc("-std=c11", "-std=c++20", HOST_ONLY, "prog.cpp", "kernel.c", "-o", "prog") == 0
    assert run("./prog") == "2 198\n"


def test_a_program_without_kernels_depends_on_no_runtime(project: Path):
    Path("plain.c").write_text("int main(void) { return 0; }\n")
    assert rexcc("plain.c", "-o", "plain") == 0
    needed = [line for line in run("readelf", "-d", "plain").splitlines() if "NEEDED" in line]
    assert len(needed) == 1
    assert "libc.so" in needed[0]


def test_paths_with_spaces(project: Path):
    Path("a dir").mkdir()
    for name in ("prog.c", "kernel.c", "scale.h"):
        Path(name).rename(f"a dir/{name}")
    assert rexcc(HOST_ONLY, "-save-temps=a dir", "a dir/prog.c", "a dir/kernel.c", "-o", "a prog") == 0
    assert run("./a prog") == "2 198\n"


def test_dependency_files_name_the_users_files(project: Path):
    assert rexcc("-MMD", "-MP", "-c", HOST_ONLY, "kernel.c", "-o", "kernel.o") == 0
    assert Path("kernel.d").read_text().split() == ["kernel.o:", "kernel.c", "scale.h", "scale.h:"]
    assert rexcc("-MD", "-MF", "all.d", "-MT", "x y", "-c", HOST_ONLY, "kernel.c") == 0
    assert Path("all.d").read_text().startswith("x y: kernel.c")
    assert str(os.environ["TMPDIR"]) not in Path("all.d").read_text()
    Path("a b.tune").write_text(tuned_text(()))
    assert rexcc("-MMD", "-MP", "--tuned=a b.tune", "-c", HOST_ONLY, "kernel.c", "-o", "kernel.o") == 0
    assert Path("kernel.d").read_text().endswith("scale.h:\nkernel.o: a\\ b.tune\na\\ b.tune:\n")


def test_what_is_no_file_of_choices(project: Path, capsys: pytest.CaptureFixture[str]):
    key = KernelKey("kernel.c", "f", 1, "aa")
    Path("x.tune").write_text(tuned_text([Entry(key, "sm_80", Choice(threads=64))]))
    assert rexcc("--tuned=x.tune", "-c", HOST_ONLY, "kernel.c") == 0
    assert "--tuned is not used: x.tune is for sm_80, not host" in capsys.readouterr().err
    Path("kernel.o").unlink()
    Path("x.tune").write_text('{"form": 2}')
    for name, message in (("none.tune", "cannot read 'none.tune': No such file"), ("x.tune", "x.tune: no choices of")):
        assert rexcc(f"--tuned={name}", "-c", HOST_ONLY, "kernel.c") == 2
        assert message in capsys.readouterr().err
    assert not Path("kernel.o").exists()


def test_save_temps(project: Path):
    Path("out").mkdir()
    generated = {"rose_kernel.c", "rex_lib_kernel.cu", "rex_host_kernel.cpp", "rex_lib_kernel.host.so"}
    assert rexcc("-save-temps=obj", "-c", HOST_ONLY, "kernel.c", "-o", "out/kernel.o") == 0
    assert names("out") == generated | {"kernel.o"}
    assert rexcc("-save-temps", "-c", HOST_ONLY, "kernel.c") == 0
    assert generated < names(".")


def test_same_input_same_bytes(project: Path):
    objects = []
    for _ in range(2):
        assert rexcc("-O2", "-g", "-c", HOST_ONLY, "kernel.c", "-o", "kernel.o") == 0
        objects.append(Path("kernel.o").read_bytes())
    assert objects[0] == objects[1]


def test_a_busy_folder_is_avoided_and_an_abandoned_one_reused(project: Path):
    kept: list[str] = []

    def translate(path: str, options: TranslateOptions, read_file: ReadFile) -> Translation:
        kept.extend(leftovers())
        if len(kept) < 2:
            assert main(["-c", "kernel.c"], translate) == 0
        return Translation(False, ())

    assert main(["-c", "kernel.c"], translate) == 0
    assert not leftovers()


def test_the_printed_plan_pastes_into_a_shell(project: Path, capfd: pytest.CaptureFixture[str]):
    line = ["-O2", '-DNAME="a b"', HOST_ONLY, "prog.c", "kernel.c", "-o", "prog"]
    assert rexcc("-###", *line) == 0
    printed = capfd.readouterr().err
    assert not Path("prog").exists()
    assert names(".") == {"kernel.c", "prog.c", "scale.h"}
    first, *commands = printed.splitlines()
    assert first == "rexcc --emit=src -o rexcc-temps -O2 '-DNAME=\"a b\"' --target=host prog.c kernel.c"
    assert rexcc("--emit=src", "-o", "rexcc-temps", *line[:-2]) == 0
    subprocess.run(["sh", "-e", "-c", "\n".join(commands)], check=True)
    assert run("./prog") == "2 198\n"
    rexcc("-###", *line)
    assert capfd.readouterr().err.endswith(printed)


def test_verbose_tells_choices_and_commands(project: Path, capfd: pytest.CaptureFixture[str]):
    assert rexcc("-v", "-c", "-fopenmp-targets=x86_64-linux-gnu", "kernel.c") == 0
    text = capfd.readouterr().err
    assert "rexcc: host compiler: " in text
    assert "taken as --target=host" in text
    assert "rex_host_kernel.cpp" in text


PREPROCESSED = """#include <assert.h>
#include <math.h>
#include <stdio.h>
#define TWICE(x) ((x) + (x))
int main(void) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++) { assert(i >= 0); sum += TWICE(sqrt(i * i)); }
  printf("%g %d\\n", sum, __LINE__);
}
"""


@pytest.mark.parametrize(("name", "more"), support.sampled([("t.txt", ("-x", "cpp-output")), ("t.ii", ())], 2))
def test_preprocessed_text_has_regions(name: str, more: tuple[str, ...], project: Path):
    """Another compiler's headers are in it, and macros of the command line are not to be replaced again."""
    support.require_runtime()
    compiler = "gcc" if shutil.which("gcc") else toolchain.find_host_compiler(None).cc
    (project / "t.c").write_text(PREPROCESSED)
    text = run(compiler, "-E", "-DN=(99+1)", *(("-x", "c++") if name == "t.ii" else ()), "t.c")
    (project / name).write_text(text)
    assert support.rexcc(project, "-Dsum=N", "-DN=7", *more, name, "-o", "prog", "-lm") == 0
    assert support.run(project / "prog", OMP_TARGET_OFFLOAD="MANDATORY") == "9900 9\n"


def test_offloading_can_be_disabled(project: Path, capfd: pytest.CaptureFixture[str]):
    assert rexcc("-v", "-fopenmp", "-foffload=disable", "prog.c", "kernel.c", "-o", "prog") == 0
    text = capfd.readouterr().err
    assert "rose_" not in text
    assert "-fopenmp" in text
    assert run("./prog") == "2 198\n"


def test_syntax_and_preprocessing(project: Path, capfd: pytest.CaptureFixture[str]):
    assert rexcc("-fsyntax-only", HOST_ONLY, "kernel.c") == 0
    assert rexcc("-E", "kernel.c") == 0
    assert "#pragma omp target" in capfd.readouterr().out
    assert names(".") == {"kernel.c", "prog.c", "scale.h"}


@pytest.mark.parametrize(
    ("made", "steps"),
    [("out/kernel.s", ("-S",)), ("out/kernel.ll", ("-S", "-emit-llvm")), ("out/kernel.bc", ("-c", "-emit-llvm"))],
)
def test_text_for_the_assembler_can_be_assembled(project: Path, made: str, steps: tuple[str, ...]):
    if "-emit-llvm" in steps and "clang" not in toolchain.find_host_compiler(None).cc:
        pytest.skip("the host compiler has no code of LLVM's")
    Path("out").mkdir()
    assert rexcc(*steps, HOST_ONLY, "kernel.c", "-o", made) == 0
    assert rexcc(made, "prog.c", "-o", "prog") == 0
    assert run("./prog") == "2 198\n"


def test_questions_go_to_the_host_compiler(capfd: pytest.CaptureFixture[str]):
    host = toolchain.find_host_compiler(None).cc
    for question in ("-dumpversion", "-dumpmachine", "-print-search-dirs"):
        assert rexcc(question) == 0
        assert capfd.readouterr().out == run(host, question)
    assert rexcc("-v") == 0
    assert "version" in capfd.readouterr().err


def test_without_openmp_the_host_compiler_is_alone(project: Path, monkeypatch: pytest.MonkeyPatch):
    def translate(*_: object) -> Translation:
        raise AssertionError

    assert main(["-fno-openmp", "prog.c", "kernel.c", "-o", "prog"], translate) == 0
    assert run("./prog") == "2 198\n"


ADDING = """#include "scale.h"
#include <stdio.h>
int main(void) {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = FACTOR + __LINE__;
  printf("%d %s\\n", s, __FILE__);
  return 0;
}
"""


def give(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let standard input be ``text``."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.mark.parametrize("compiler", support.sampled(["gcc", "clang-19"], 2))
def test_a_program_from_standard_input(project: Path, monkeypatch: pytest.MonkeyPatch, compiler: str):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    for number, steps in enumerate((["-o", "prog"], ["-c", "-o", "x.o"], ["-S", "-o", "x.s"])):
        give(monkeypatch, ADDING)
        assert main([HOST_ONLY, f"--host-compiler={compiler}", "-x", "c", "-", *steps]) == 0
        if number:
            assert rexcc(f"--host-compiler={compiler}", steps[-1], "-o", "prog") == 0
        assert run("./prog") == "8 <stdin>\n"
        Path("prog").unlink()
    assert not leftovers()


@pytest.mark.parametrize(
    ("text", "mode", "status", "said"),
    [
        ("int main(void) { return 0; }", "-c", 0, ""),
        (ADDING, "-fsyntax-only", 0, ""),
        ("int main(void) { return x; }", "-c", 1, "<stdin>:1:25: error: "),
        (ADDING.replace("map(", "mop("), "-c", 1, "<stdin>:5:20: error: unknown clause 'mop'"),
        (ADDING.replace("= FACTOR", "= MISSING"), "-fsyntax-only", 1, "<stdin>:6:7: error: use of undeclared"),
    ],
)
def test_standard_input_has_a_name(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], text: str, mode: str,
    status: int, said: str,
):  # fmt: skip
    give(monkeypatch, text)
    assert main([HOST_ONLY, mode, "-x", "c", "-"]) == status
    assert said in capfd.readouterr().err
    assert names(".") - {"kernel.c", "prog.c", "scale.h"} == ({"-.o"} if mode == "-c" and not status else set())


def piped(data: bytes) -> str:
    """Return the name of a pipe that has some bytes in it, and that nobody writes to any more."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return f"/dev/fd/{reading}"


def test_a_pipe_is_read_once(project: Path, capfd: pytest.CaptureFixture[str]):
    text = Path("kernel.c").read_bytes()
    assert main([HOST_ONLY, "-x", "c", piped(text), "-x", "none", "prog.c", "-o", "prog"]) == 0
    assert main([HOST_ONLY, "kernel.c", "prog.c", "-o", "other"]) == 0
    assert run("./prog") == run("./other")
    os.mkfifo("fifo.c")
    with ThreadPoolExecutor() as pool:
        written = pool.submit(Path("fifo.c").write_bytes, text)
        assert main([HOST_ONLY, "-c", "fifo.c"]) == 0
        assert written.result() == len(text)
    assert Path("fifo.o").is_file()
    capfd.readouterr()
    assert main([HOST_ONLY, "-x", "c", piped(text), piped(text), "-c"]) == 2
    assert "only one input may be standard input or a pipe ('/dev/fd/" in capfd.readouterr().err


PRECOMPILED = {
    "pre.h": "#include <array>\ninline int twice(int x) { return 2 * x; }\n#define SIZE 10\n",
    "main.cpp": """#include <cstdio>
int twice_of(const std::array<int, SIZE> &v);
int main() {
  std::array<int, SIZE> v;
  v.fill(1);
  int *p = v.data();
#pragma omp target teams distribute parallel for map(tofrom : p[0:SIZE])
  for (int i = 0; i < SIZE; i++) p[i] = twice(p[i]) + i;
  std::printf("%d %d\\n", v[9], twice_of(v));
}
""",
    "plain.cpp": "int twice_of(const std::array<int, SIZE> &v) { return twice(v[1]); }\n",
}


def precompile(compiler: str, made: str) -> None:
    """Write the files of a program with a precompiled header, and make that."""
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    for name, text in PRECOMPILED.items():
        Path(name).write_text(text)
    assert main([f"--host-compiler={compiler}", HOST_ONLY, "-x", "c++-header", "pre.h", "-o", made]) == 0


@pytest.mark.parametrize(
    "flags",
    [
        ["-include-pch", "pre.h.pch"],
        ["-include", "pre.h"],
        ["-includepre.h"],
        ["-Xclang", "-include-pch", "-Xclang", "pre.h.pch"],
    ],
    ids=" ".join,
)
def test_a_precompiled_header(project: Path, flags: list[str]):
    precompile("clang-19", "pre.h.pch")
    assert main(["--host-compiler=clang-19", HOST_ONLY, *flags, "main.cpp", "plain.cpp", "-o", "prog"]) == 0
    assert run("./prog") == "11 6\n"


def test_a_precompiled_header_that_build_systems_include_as_text_too(project: Path, capfd: pytest.CaptureFixture[str]):
    precompile("clang-19", "pre.h.pch")
    words = "-Winvalid-pch -Xclang -include-pch -Xclang pre.h.pch -Xclang -include -Xclang pre.h"
    capfd.readouterr()
    assert main(["--host-compiler=clang-19", HOST_ONLY, *words.split(), "-c", "main.cpp"]) == 0
    assert capfd.readouterr().err == ""


def test_a_precompiled_header_of_gcc(project: Path):
    precompile("gcc", "pre.h.gch")
    line = ["--host-compiler=gcc", HOST_ONLY, "-include", "pre.h", "main.cpp", "plain.cpp", "-o", "prog"]
    assert main(line) == 0
    assert run("./prog") == "11 6\n"


REGION_OF_HEADER = """#include <omp.h>
static int where(void) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  return host;
}
"""
REGION_OF_FILE = """#include <stdio.h>
int main(void) {
  int s = 3;
#pragma omp target map(tofrom : s)
  s *= 2;
  printf("%d %d\\n", where(), s);
}
"""


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_regions_in_a_header_of_the_command_line(project: Path, compiler: str):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    Path("reg.h").write_text(REGION_OF_HEADER)
    Path("r.c").write_text(REGION_OF_FILE)
    own = (f"--host-compiler={compiler}", HOST_ONLY)
    assert main([*own, "-include", "scale.h", "-include", "reg.h", "r.c", "-o", "prog"]) == 0
    assert run("./prog") == "0 6\n"
    assert main([*own, f"-include{Path('reg.h').resolve()}", "r.c", "--emit=src", "-o", "made"]) == 0
    support.place_helper(Path("made"))
    run("make", "-s", "-C", "made")
    assert run("made/r") == "0 6\n"
    made = "reg.h.gch" if compiler == "gcc" else "reg.h.pch"
    assert main([*own, "-x", "c-header", "reg.h", "-o", made]) == 0
    assert main([*own, "-include", "reg.h", "r.c", "-o", "prog"]) == 0
    assert run("./prog") == "0 6\n"


@pytest.mark.parametrize("kept", [True, False])
def test_a_precompiled_header_in_another_folder_than_its_header(
    project: Path, capfd: pytest.CaptureFixture[str], kept: bool
):
    Path("build").mkdir()
    precompile("clang-19", "build/other.pch")
    if not kept:
        Path("pre.h").unlink()
    line = ["--host-compiler=clang-19", HOST_ONLY, "-include-pch", "build/other.pch", "main.cpp", "plain.cpp"]
    assert main([*line, "-o", "prog"]) == (0 if kept else 2)
    said = capfd.readouterr().err
    if kept:
        assert run("./prog") == "11 6\n"
    else:
        assert "there is no 'build/other'; put it there, or name the precompiled header after it (pre.h.pch)" in said


def test_a_folder_that_is_gone(project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    source = Path("kernel.c").resolve()
    Path("gone").mkdir()
    monkeypatch.chdir("gone")
    Path("../gone").resolve().rmdir()
    assert main([HOST_ONLY, "-c", str(source), "-o", str(source.with_suffix(".o"))]) == 1
    assert capfd.readouterr().err == "rexcc: error: the current folder is no longer there; change to another one\n"


@pytest.mark.parametrize(
    "words", ["--emit=pragmas kernel.c -o /dev/full", "-MJ /dev/full -c prog.c", "-c prog.c -o /dev/full"]
)
def test_a_full_disk(project: Path, capfd: pytest.CaptureFixture[str], words: str):
    assert main([HOST_ONLY, *words.split()]) == 1
    said = capfd.readouterr().err
    assert "No space left on device" in said
    assert "Stack dump" not in said
    assert said.startswith("rexcc: error: /dev/full: ") or "-o /dev/full" in words


def test_what_standard_input_is_must_be_said(capfd: pytest.CaptureFixture[str], project: Path):
    assert main([HOST_ONLY, "-c", "-"]) != 0
    assert "-x" in capfd.readouterr().err


def test_a_makefile_for_standard_input(project: Path, monkeypatch: pytest.MonkeyPatch):
    give(monkeypatch, ADDING)
    assert main([HOST_ONLY, "--emit=src", "-x", "c", "-", "-o", "made"]) == 0
    assert any(name.startswith("rose_") for name in names("made"))
    give(monkeypatch, "int main(void) { return 0; }")
    assert main([HOST_ONLY, "--emit=src", "-x", "c", "-", "-o", "made"]) == 2


def test_diagnostics_of_all_files(project: Path, capfd: pytest.CaptureFixture[str]):
    for name in ("one.c", "two.c"):
        Path(name).write_text("int a;\n#pragma omp target reductoin(+:s)\n")
    assert rexcc("-c", "one.c", "two.c", "missing.c") == 1
    text = capfd.readouterr().err
    assert "one.c:2:20: error: unknown clause 'reductoin' [omp-unknown-clause]" in text
    assert "      |                    ^~~~~~~~~" in text
    assert "two.c:2:20: error:" in text
    assert "no such file: 'missing.c'" in text


def test_inputs_of_the_linker_are_looked_for_also_where_nothing_is_linked(
    project: Path, capfd: pytest.CaptureFixture[str]
):
    Path("one.c").write_text("int a;\n")
    Path("folder").mkdir()
    Path("o.o").write_text("")
    assert rexcc("-c", "one.c", "folder", "missing.o", "@response") == 1
    lines = capfd.readouterr().err.splitlines()
    assert lines[0] == "rexcc: error: 'folder' is a directory; name the files in it"
    assert [line for line in lines if "'missing.o'" in line or "'@response'" in line] == lines[1:]
    assert rexcc("one.c", "missing.o", "-o", "prog") == 1
    assert capfd.readouterr().err == "rexcc: error: no such file: 'missing.o'\n"
    assert rexcc("-c", "one.c", "o.o") == 0
    assert capfd.readouterr().err == "rexcc: warning: 'o.o' is for the linker, and nothing is linked\n"


@needs_nvcc
def test_errors_in_kernels_are_shown_once_at_the_users_line(project: Path, capfd: pytest.CaptureFixture[str]):
    Path("bad.c").write_text(fake.KERNEL.replace("FACTOR * x", "unknown * x"))
    assert rexcc("-c", "bad.c") == 1
    text = capfd.readouterr().err
    assert text.count("unknown") == 2  # the message and the line it quotes
    assert text.startswith("bad.c:4:38: error: 'unknown' is declared nowhere for the device")
    assert text.endswith("^~~~~~~\n")
    assert not leftovers()


def test_a_generated_file_named_in_an_error_is_kept(project: Path, capfd: pytest.CaptureFixture[str]):
    broken = fake.FakeCompiler(macros=("#include <no/such/header.h>",))
    assert main(["-c", HOST_ONLY, "kernel.c"], broken) == 1
    text = capfd.readouterr().err
    (folder,) = leftovers()
    (kept,) = (Path(os.environ["TMPDIR"]) / folder).rglob("rex_lib_kernel.cu")
    assert f"rexcc: note: generated files are kept in {kept.parent}: {kept}" in text


def test_an_internal_error(project: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("REXCC_DEBUG", raising=False)

    def translate(*_: object) -> Translation:
        raise KeyError("x")

    assert main(["-c", "kernel.c"], translate) == 70
    text = capfd.readouterr().err
    assert "internal error while compiling kernel.c" in text
    assert "Traceback" not in text
    assert not leftovers()


def test_without_cuda_the_user_is_told_once(
    project: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(toolchain, "find_compiler", lambda tools, wish, environment: None)
    Path("other.c").write_text(fake.KERNEL.replace("void scale", "void scale2"))
    assert rexcc("prog.c", "kernel.c", "other.c", "-o", "prog") == 0
    assert capfd.readouterr().err.count("rexcc: note: no CUDA compiler (nvcc) found") == 1
    assert run("./prog") == "2 198\n"
    assert rexcc("-c", "prog.c") == 0
    assert not capfd.readouterr().err
    assert rexcc("-c", "--offload-arch=sm_80", "prog.c") == 0
    assert rexcc("-c", "--offload-arch=sm_80", "kernel.c") == 1
    assert "no CUDA compiler" in capfd.readouterr().err


def test_what_the_compiler_proper_is_told(project: Path):
    compiler = fake.FakeCompiler()
    line = ["-c", "-DX", "-Iinc", "-std=c11", "-O3", "--rex-scheduler=xomp", "-Rpass=none", HOST_ONLY, "kernel.c"]
    assert main(line, compiler) == 0
    ((path, options),) = compiler.calls
    assert path == "kernel.c"
    assert options.language == "c"
    folders = ("-idirafter", "/usr/local/include", "-idirafter", "/usr/include")
    assert options.clang_arguments == ("-DX", "-Iinc", "-O3", *folders, "-std=c11")
    assert "/usr/include" in stages.asked(options, ()).system_includes
    assert (options.architectures, options.cpu_device, options.scheduler) == ((), True, "xomp")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_a_static_program_may_use_openmp_on_the_host(project: Path):
    (project / "threads.c").write_text(
        "#include <omp.h>\n#include <stdio.h>\nint main(void) {\n  int n = 0;\n#pragma omp parallel reduction(+ : n)\n"
        '  n += omp_get_num_threads() > 0;\n  printf("%d\\n", n > 0);\n}\n'
    )
    assert rexcc("--host-compiler=gcc", "-static", "threads.c", "-o", "threads") == 0
    assert run("./threads") == "1\n"


@pytest.mark.parametrize("option", ["-static", "-static-pie"])
def test_a_static_program_has_no_target_regions(option: str, project: Path, capfd: pytest.CaptureFixture[str]):
    assert rexcc(option, "kernel.c", "prog.c", "-o", "prog") == 2
    said = capfd.readouterr().err
    assert "error: target regions need LLVM's libomptarget" in said and "-foffload=disable" in said


@pytest.mark.parametrize(("line", "status"), [("a.c -o", 2), ("--target=x a.c", 2), ("", 2), ("--help", 0)])
def test_exit_status(line: str, status: int, capfd: pytest.CaptureFixture[str]):
    assert rexcc(*line.split()) == status
    assert status == 0 or capfd.readouterr().err.count("\n") == 1


def test_version_is_quick_and_begins_with_the_name(capfd: pytest.CaptureFixture[str]):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    shown = run(sys.executable, "-m", "rexcc.driver.main", "--version")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2  # 0.1 s of CPU time
    assert shown.startswith("rexcc (host compiler: ")
    assert shown.splitlines()[0].endswith(f") {__version__}")


def test_the_compiler_is_loaded_only_to_compile():
    code = (
        "import sys; from rexcc.driver.main import main; main(['--help']); main(['--version']);"
        "sys.exit('rexcc.pipeline' in sys.modules or 'clang' in sys.modules)"
    )
    run(sys.executable, "-c", code)


def test_all_that_a_command_says_arrives():
    """The process ends without what Python does at its end."""
    command = [sys.executable, "-m", "rexcc.driver.main"]
    explained = subprocess.run([*command, "--explain", "all"], capture_output=True, text=True, check=True).stdout
    assert len(explained) > 5_000 and explained.endswith("\n")
    refused = subprocess.run([*command, "--nonsense"], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("rexcc: error: ")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_command_needs_no_standard_streams(project: Path, closed: str):
    Path("plain.c").write_text("int f(void) { return 1; }\n")
    Path("wrong.c").write_text("int f(void) { return x; }\n")
    command = shlex.join([sys.executable, "-m", "rexcc.driver.main", "-c", "--target=host"])
    pipe = subprocess.PIPE
    done = subprocess.run(f"{command} plain.c {closed}", shell=True, stdout=pipe, stderr=pipe, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert Path("plain.o").exists()
    done = subprocess.run(f"{command} wrong.c {closed}", shell=True, stdout=pipe, stderr=pipe, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert ("error: " in done.stderr) is (closed == ">&-")
