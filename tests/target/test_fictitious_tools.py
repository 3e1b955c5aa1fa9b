"""A target that does not exist, from the command line to its programs: its own compiler, options, images, makefile."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from fx import FX, SEAL, Unseal

import support
from rexcc.driver.commands.plan import Command, Stage, Unit, make_plan
from rexcc.driver.commands.run import run_command
from rexcc.driver.compile import compile_all
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.options.help import help_text
from rexcc.driver.options.option_table import rows
from rexcc.driver.options.parser import parse
from rexcc.driver.tools import targets, toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.driver.tools.toolchain import MissingToolError, OpenMPRuntime, Toolchain
from rexcc.pipeline import TranslateOptions, translate
from rexcc.target.commands import HostCompiler
from rexcc.target.cpu import CPU
from rexcc.target.messages import Reached
from rexcc.target.nvptx import NVPTX
from rexcc.target.tools import Compiler, DeviceReport

HERE = Path(__file__).parent
PROGRAM = (HERE / "program.c").read_text()
LOOP = "void f(int n, int *p) {\n#pragma omp target parallel for\nfor (int i = 0; i < n; i++) p[i] = i;\n}\n"
MACHINE = Toolchain(
    host=HostCompiler("/bin/cc", "/bin/c++", "gcc"),
    runtime=OpenMPRuntime("/l", "/l/libomptarget.so", "/l/libomp.so", 19),
    device=Compiler("/fx/bin/fxcc", "FX_HOME"),
    sources=Path("/rexcc"),
)


def plan(line: str, architectures: tuple[str, ...] = ("fx_one",), text: str = LOOP) -> list[Command]:
    """Plan a command line for one file with a region, whose images are for architectures and the CPU device."""
    options = parse([*line.split(), "t.c"], [FX])
    asked = TranslateOptions("c", architectures=architectures, cpu_device=options.may_be_for(CPU), target=FX)
    made = translate("t.c", asked, {"t.c": text.encode()}.get)
    return make_plan(options, MACHINE, (Unit(options.sources[0], made, "T"),), "T")


def image(commands: list[Command]) -> Command:
    return next(command for command in commands if command.target is FX)


def test_its_compiler_makes_its_images() -> None:
    commands = plan("-O2 -I inc -Xfx --fast")
    assert [c.target for c in commands if c.stage is Stage.IMAGE] == [FX, CPU]
    assert image(commands).argv == (
        *("/fx/bin/fxcc", "--for=fx_one", "--level=2", "--c++=17", "--headers=inc", "--fast"),
        *("--headers=/rexcc/include", "T/rex_host_t.cpp", "-o", "T/rex_lib_t.fx_one.fximage"),
    )
    assert image(commands).work == "compiling the kernels of t.c for the Fx"
    assert "T/rex_lib_t.fx_one.fximage" in next(c for c in commands if c.stage is Stage.HOST).inputs
    assert not any("nvcc" in word or "sm_" in word for c in commands for word in c.argv)


def test_what_follows_its_compiler_is_shown() -> None:
    line = image(plan("-c", ("fx_two",))).shell()
    assert line.endswith("&& mv T/rex_lib_t.fx_two.fximage.bare T/rex_lib_t.fx_two.fximage")


def test_the_command_line_has_its_words() -> None:
    spellings = {row.spelling for row in rows(FX)}
    assert {"--fx-path=", "-Xfx", "--fx-arch="} < spellings and not {"--cuda-path=", "-Xptxas", "-gpu="} & spellings
    assert parse(["--target=fx", "t.c"], [FX]).targets == {"fx"}
    assert parse(["--target=both", "t.c"], [FX]).targets == {"fx", "host"}
    assert parse(["-fopenmp-targets=fx64-unknown", "t.c"], [FX]).chosen_targets == {"fx"}
    assert parse(["--offload-arch=fx_one", "--fx-arch=two", "t.c"], [FX]).architectures == ("fx_one", "fx_two")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--target=nvptx", r"invalid value 'nvptx' of --target.*\(fx, host, both\)"),
        ("--offload-arch=sm_90", "invalid GPU architecture 'sm_90'; expected fx_NN, such as fx_one, or native"),
        ("-fopenmp-targets=nvptx64", r"rexcc knows fx64 and the CPU device \(x86_64\)"),
    ],
)
def test_words_of_others_are_refused(option: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse([option, "t.c"], [FX])


def test_the_command_line_chooses_among_devices() -> None:
    both = (NVPTX, FX)
    assert parse(["--target=fx", "--offload-arch=fx_two", "t.c"], both).device is FX
    assert parse(["--target=nvptx", "t.c"], both).device is NVPTX
    assert parse(["t.c"], both).device is NVPTX and parse(["--target=host", "t.c"], both).device is NVPTX
    assert parse(["--target=fx", "--target=nvptx", "t.c"], both).targets == {"nvptx"}
    with pytest.raises(UsageError, match=r"invalid GPU architecture 'sm_90'; GPUs of NVIDIA are .* --target=nvptx"):
        parse(["--offload-arch=sm_90", "--target=fx", "t.c"], both)
    with pytest.raises(UsageError, match=r"invalid value 'fy' of --target.*\(nvptx, fx, host, both\)"):
        parse(["--target=fy", "t.c"], both)


def test_help_is_for_the_device_of_the_command() -> None:
    text = help_text(parse(["--target=fx", "--help"], (NVPTX, FX)).device)
    assert "-Xfx ARG" in text and "fx_one" in text and "-Xptxas" not in text
    assert "--target=nvptx|host|both" in help_text(NVPTX)


def test_what_options_lose_is_its_to_say() -> None:
    options = parse(["-fwrapv", "-fshort-wchar", "t.c"], [FX])
    assert [(s.is_refused, s.note.replace("{}", o)) for s, o in options.lost_in_device_code] == [
        (False, "kernels for fx are slower with -fwrapv"),
        (True, "-fshort-wchar means nothing to fxcc"),
    ]
    assert "--wrapping" in image(plan("-fwrapv -fwrapv-pointer")).argv
    assert "--wrapping" not in image(plan("-fwrapv -fno-wrapv")).argv


def test_it_is_chosen_where_its_compiler_is() -> None:
    def choose(*arguments: str, machine: Toolchain = MACHINE) -> targets.Targets:
        return targets.choose(parse([*arguments, "t.c"], [FX]), machine, lambda: ("fx_two",))

    poor = Toolchain(MACHINE.host, MACHINE.runtime, None)
    assert choose().architectures == ("fx_two",) and choose().cpu_device
    assert choose("--offload-arch=fx_one").architectures == ("fx_one",)
    assert choose(machine=poor).notes == (
        "no Fx compiler (fxcc) found: building for the CPU device only "
        "(ask Fx for it, or name its folder with --fx-path=DIR)",
    )
    with pytest.raises(MissingToolError, match=r"no Fx compiler \(fxcc\) found; ask Fx for it"):
        choose("--target=fx", machine=poor)


def test_its_compiler_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    (tmp_path / "bin").mkdir()
    shutil.copy(HERE / "fxcc", tmp_path / "bin")
    path = str(tmp_path / "bin" / "fxcc")
    assert toolchain.find_compiler(FX.tools, None, {}) is None
    assert toolchain.find_compiler(FX.tools, None, {"FX_HOME": str(tmp_path)}) == Compiler(path, "FX_HOME")
    assert toolchain.find_compiler(FX.tools, str(tmp_path), {}) == Compiler(path, "--fx-path")
    with pytest.raises(MissingToolError, match=r"no fxcc in '/none' \(--fx-path\)"):
        toolchain.find_compiler(FX.tools, "/none", {})


def test_its_devices_are_asked_its_own_way() -> None:
    class Library:
        def architecture(self) -> str:
            return "fx_two"

    def load(name: str) -> Library:
        assert name == "libfx.so"
        return Library()

    assert [d.architecture for d in FX.tools.devices(load).devices] == ["fx_two"]
    assert toolchain.find_devices(FX.tools) == DeviceReport(problem="no libfx.so")
    assert [f.part for f in FX.tools.examined(None, "")] == ["Fx compiler"]


def test_what_its_device_code_lacks_is_refused() -> None:
    head = "#include <stdlib.h>\n#include <stdio.h>\ntypedef int v __attribute__((vector_size(16)));\n"
    body = "{ p[i] = strtol(t, 0, 10); puts(t); }"
    loop = "#pragma omp target parallel for\nfor (int i = 0; i < n; i++)"
    text = f"{head}void f(int n, long *p, const char *t) {{\n{loop} "

    def errors(inner: str, architectures: tuple[str, ...]) -> list[str]:
        options = TranslateOptions("c", system_includes=support.options_of("t.c").system_includes,
                                   architectures=architectures, target=FX)  # fmt: skip
        return [d.message for d in translate("t.c", options, {"t.c": f"{text}{inner}\n}}\n".encode()}.get).diagnostics]

    advice = "count on your fingers"
    assert errors(body, ("fx_one",)) == [f"'strtol' is a function of the host and has no device code; {advice}"]
    (said,) = errors("{ v a = {0}; p[i] = a[0]; }", ("fx_one",))
    assert "which fxcc does not have in device code" in said
    assert errors(body, ()) == []


def test_its_messages_are_read() -> None:
    messages = FX.tools.messages
    assert messages.readable("fxcc: 3 kernels\n[t.c @ 4] error: no\n1 error detected\n") == "t.c:4: error: no"
    assert messages.errors("t.c:4: f is not there", Reached()) == ("t.c:4: f is not there on the device",)


def test_an_image_without_its_seal_is_none(tmp_path: Path) -> None:
    output = str(tmp_path / "x")
    command = Command(Stage.IMAGE, ("cp", "/etc/passwd", output), (), output, "a.c", target=FX, finish=Unseal())
    outcome = run_command(command)
    assert outcome.status == 1 and b"not an image of fxcc" in outcome.stderr
    assert Unseal().applied(SEAL + b"rest") == b"rest"


def place(bench: support.Bench, files: dict[str, str]) -> Path:
    """Place files, and an installation of the vendor's compiler, in a folder of their own."""
    support.require_runtime()
    folder = bench.place(files)
    for name in ("bin", "include"):
        (folder / "fx" / name).mkdir(parents=True)
    shutil.copy(HERE / "fxcc", folder / "fx" / "bin")
    for header in HERE.glob("fx_*.h"):
        shutil.copy(header, folder / "fx" / "include")
    return folder


def rexcc(folder: Path, *arguments: str) -> int:
    """Run the driver in process, in a folder, with the fictitious target in the place of the usual one."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        return compile_all(_options(*arguments), HostAnswers())
    finally:
        os.chdir(before)


def _options(*arguments: str) -> Options:
    return parse(["--fx-path=fx", "--host-compiler=gcc", *arguments], [FX])


@pytest.mark.parametrize(("name", "lines"), [("program.c", 4), ("warps.cpp", 11)])
def test_programs_run_from_its_images(bench: support.Bench, name: str, lines: int) -> None:
    text = (HERE / name).read_text()
    folder = place(bench, {name: text})
    assert rexcc(folder, "--target=fx", "-save-temps=kept", name, "-o", "t", support.QUICK_LINK) == 0
    image = folder / "kept" / f"rex_lib_{Path(name).stem}.fx_one.fximage"
    assert image.read_bytes().startswith(b"\x7fELF") and not list((folder / "kept").glob("*.so"))
    printed = support.on_device(folder / "t")
    assert printed == bench.plain({name: text}) and printed.count("\n") == lines


def test_the_cpu_device_shares_its_device_file(bench: support.Bench) -> None:
    folder = place(bench, {"t.c": PROGRAM})
    words = ("--target=host", "-O0", "-Ifx/include", "t.c", "-o", "t", support.QUICK_LINK)
    assert rexcc(folder, *words) == 0
    assert support.on_device(folder / "t") == bench.plain({"t.c": PROGRAM})


def test_an_error_of_its_compiler_has_the_users_place(bench: support.Bench, capfd: pytest.CaptureFixture[str]) -> None:
    folder = place(bench, {"t.c": LOOP})
    (folder / "fx" / "include" / "fx_device.h").write_text('#include "rex_nvidia.h"\n#define fx_lane nothing\n')
    assert rexcc(folder, "--target=fx", "-c", "t.c", "-o", "t.o") == 1
    said = capfd.readouterr().err
    assert "rexcc: error: compiling the kernels of t.c for the Fx failed" in said
    assert "fxcc: 9 kernels" not in said and " @ " not in said


@pytest.mark.extended
def test_its_makefile_builds(bench: support.Bench) -> None:
    folder = place(bench, {"t.c": PROGRAM})
    assert rexcc(folder, "--emit=src", "t.c", "-o", "out", "-Ifx/include") == 0
    text = (folder / "out" / "Makefile").read_text()
    assert "\t$(FXCC) --for=fx_one $(FXFLAGS) $< -o $@\n\t@tail -c +10 $@ > $@.bare\n\t@mv $@.bare $@\n" in text
    assert "only the CPU device where there is no fxcc" in text and NVPTX.tools.variable not in text
    support.place_helper(folder / "out")
    runtime = folder / "out" / "rex_runtime"
    shutil.copytree(support.RUNTIME / "include", runtime, dirs_exist_ok=True)  # for what its headers include
    done = subprocess.run(["make", "-s"], cwd=folder / "out", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "out" / "rex_lib_t.fx_one.fximage").read_bytes().startswith(b"\x7fELF")
    assert support.on_device(folder / "out" / "t") == bench.plain({"t.c": PROGRAM})
