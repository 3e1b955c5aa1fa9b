"""The plan: which commands a line becomes, checked as data on a machine that is made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import fake
import pytest

from rexcc.driver.commands.plan import Command, Stage, Unit, make_plan
from rexcc.driver.commands.workspace import unit_folders
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.options.languages import Language
from rexcc.driver.options.parser import parse
from rexcc.driver.tools import packages
from rexcc.driver.tools.toolchain import MissingToolError, Toolchain
from rexcc.pipeline import TranslateOptions, Translation
from rexcc.program.optimisations import Optimisation, left_out
from rexcc.target.commands import Around, CommandLine, HostCompiler, Job, LinkInput
from rexcc.target.cpu import CPU
from rexcc.target.model import Target
from rexcc.target.nvptx import NVPTX
from rexcc.target.nvptx_image import OldHeader

PLAIN = b"int main(void) { return 0; }\n"


def plan(
    machine: Toolchain, line: str, offload: tuple[str, ...] = (), archs: tuple[str, ...] = ("sm_90",)
) -> list[Command]:
    """Plan a line; files named in ``offload`` have a region."""
    options = parse(line.split())
    units = []
    for source, folder in zip(options.sources, unit_folders("T", options.sources), strict=True):
        data = fake.KERNEL.encode() if source.path in offload else PLAIN
        translation = Translation(False, ())
        if source.language is not Language.HOST:
            asked = TranslateOptions(source.language.value, architectures=archs)
            translation = fake.FakeCompiler()(source.path, asked, lambda path, data=data: data)
        units.append(Unit(source, translation, folder))
    return make_plan(options, machine, tuple(units), "T")


def stages(commands: list[Command]) -> list[str]:
    return [command.stage.name for command in commands]


def of(commands: list[Command], stage: Stage) -> Command:
    return next(command for command in commands if command.stage is stage)


def image(commands: list[Command], target: Target = NVPTX) -> Command:
    """Return the first command that makes an image for a target."""
    return next(command for command in commands if command.target is target)


def has(command: Command, *words: str) -> bool:
    """Whether the words stand in the command one after the other."""
    line = command.argv
    return any(line[at : at + len(words)] == words for at in range(len(line)))


def test_a_program_with_kernels(machine: Toolchain):
    commands = plan(machine, "-O3 main.c kern.c -o prog -lm", offload=("kern.c",))
    assert stages(commands) == ["HOST", "IMAGE", "IMAGE", "HOST", "HELPER", "HELPER", "LINK"]
    link = commands[-1]
    assert has(link, "T/main.o", "T/kern.o", "-lm", "-Wl,--push-state,--as-needed", "T/librexcc.a")
    assert "-fopenmp" not in link.argv
    assert "-Wl,-rpath,/llvm/lib" in link.argv
    assert link.argv[0] == "/bin/clang-19"
    assert link.argv[-2:] == ("-o", "prog")


@pytest.mark.parametrize(
    ("more", "unread"),
    [
        ("", True), ("-lm -lpthread", True), ("-g x.o y.a", True), ("-lfoo", False), ("-l foo", False),
        ("libfoo.so", False), ("libfoo.so.2", False), ("-Wl,-z,now", False), ("-Xlinker -s", False), ("@more", False),
    ],
)  # fmt: skip
def test_what_libraries_need_is_read_only_for_the_users_own(machine: Toolchain, more: str, unread: bool):
    link = plan(machine, f"kern.c -o prog {more}", offload=("kern.c",))[-1]
    assert ("-Wl,--allow-shlib-undefined" in link.argv) == unread


def test_each_command_names_what_it_waits_for(machine: Toolchain):
    commands = plan(machine, "kern.c -o prog", offload=("kern.c",))
    host = of(commands, Stage.HOST)
    assert set(host.inputs) == {"T/rose_kern.c", "T/rex_lib_kern.sm_90.cubin", "T/rex_lib_kern.host.so"}
    assert set(of(commands, Stage.LINK).inputs) == {"T/kern.o", "T/librexcc.a"}


def test_the_rewritten_file_finds_what_lay_beside_the_original(machine: Toolchain):
    host = of(plan(machine, "-Iinc -c src/kern.c", offload=("src/kern.c",)), Stage.HOST)
    assert host.argv[:4] == ("/bin/clang-19", "-iquote", "src", "-Iinc")
    assert has(host, "-fopenmp", "-isystem", "/rexcc/include", "-DREX_LLVM_VERSION=19", '-DREX_IMAGE_DIR="T"', "-c")
    assert host.argv[-2:] == ("-o", "kern.o")


def test_a_plain_file_is_compiled_as_it_is(machine: Toolchain):
    (command,) = plan(machine, "-c -std=c11 -g dir/plain.c")
    assert command.argv == (
        *("/bin/clang-19", "-g", "-std=c11", "-fopenmp", "-isystem", "/rexcc/include"),
        *("-c", "dir/plain.c", "-o", "plain.o"),
    )


def test_assembly_and_objects_need_no_openmp(machine: Toolchain):
    command, *_ = plan(machine, "-c start.S -DX")
    assert command.argv == ("/bin/clang-19", "-DX", "-c", "start.S", "-o", "start.o")
    assert stages(plan(machine, "a.o b.a c.so -o prog")) == ["HELPER", "HELPER", "LINK"]


def test_nvcc_speaks_its_own_dialect(machine: Toolchain):
    line = "-Ofast -g -std=gnu++23 -DX -include pre.h -Wall -fno-rtti -Xptxas -v -c kern.cpp"
    command = image(plan(machine, line, offload=("kern.cpp",)))
    assert command.argv[:4] == ("/cuda/bin/nvcc", "-ptx", "-arch=sm_90", "-O3")
    for word in ("-std=c++20", "--expt-relaxed-constexpr", "--use_fast_math", "-DREX_APPROXIMATE", "-lineinfo"):
        assert word in command.argv
    assert has(command, "-Xptxas", "-v")
    assert "-diag-suppress=177,550,780" in command.argv, "the host compiler says what is unused, where it is asked"
    assert not {"-Wall", "-fno-rtti", "-include", "pre.h", "-g"} & set(command.argv)


def test_c_kernels_are_compiled_as_cxx17(machine: Toolchain):
    commands = plan(machine, "-std=c11 -c kern.c", offload=("kern.c",))
    assert "-std=c++17" in image(commands).argv
    assert "--extended-lambda" not in image(commands).argv
    cpu = image(commands, CPU)
    assert {"-std=gnu++17", "-shared", "-fPIC", "-O3", "-fvisibility=default"} <= set(cpu.argv)
    assert "-std=c11" not in cpu.argv


@pytest.mark.parametrize("target", [NVPTX, CPU])
def test_what_device_code_does_not_have_of_the_cxx_library_is_not_read(machine: Toolchain, target: Target):
    for name in ("kern.c", "kern.cpp"):
        argv = image(plan(machine, f"-c {name}", offload=(name,)), target).argv
        assert "-D_GLIBCXX_BITS_SPECFUN_H" in argv


@pytest.mark.parametrize(
    ("standard", "cpu", "gpu"),
    [
        ("c++98", 11, 17),
        ("gnu++11", 11, 17),
        ("c++1y", 14, 17),
        ("c++17", 17, 17),
        ("gnu++20", 20, 20),
        ("c++2b", "2b", 20),
        ("c++23", "2b", 20),
        ("gnu++26", "2c", 20),
    ],
)
def test_kernels_have_the_standard_of_the_user(machine: Toolchain, standard: str, cpu: int | str, gpu: int):
    commands = plan(machine, f"-std={standard} a.cpp", offload=("a.cpp",))
    assert has(image(commands, CPU), f"-std=gnu++{cpu}")
    assert has(image(commands), f"-std=c++{gpu}")


def test_one_image_for_each_architecture(machine: Toolchain):
    commands = plan(machine, "-c kern.c", offload=("kern.c",), archs=("sm_80", "sm_90"))
    images = [c for c in commands if c.target is NVPTX]
    assert [c.output for c in images] == ["T/rex_lib_kern.sm_80.cubin", "T/rex_lib_kern.sm_90.cubin"]
    assert [c.finish for c in images] == [OldHeader("sm_80"), OldHeader("sm_90")]


def test_no_header_is_read_for_an_empty_image(machine: Toolchain):
    around, line = machine.around(NVPTX), CommandLine(optimization="2", standard=17)
    (full,) = NVPTX.tools.image(Job("a.cu", "a.cubin", "sm_90"), line, around)
    (empty,) = NVPTX.tools.image(Job("a.cu", "a.cubin", "sm_90", has_code=False), line, around)
    assert {*empty.argv} - {*full.argv} == {"-D__CUDA_RUNTIME_H__"}


@pytest.mark.parametrize("words", ["-include cuda.h", "--pre-include=a.h", "-optf a", "-O2 -Xcompiler -include,a.h"])
@pytest.mark.parametrize("variable", ["NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS"])
def test_what_the_environment_includes_may_have_words_of_cuda(
    machine: Toolchain, monkeypatch: pytest.MonkeyPatch, variable: str, words: str
):
    """Of an empty image too, and lambdas that are marked."""
    line = CommandLine(optimization="2", standard=17, is_cxx=True)
    for value, is_read in ((words, True), ("-I include -lineinfo", False)):
        monkeypatch.setenv(variable, value)
        (empty,) = NVPTX.tools.image(Job("a.cu", "a.cubin", "sm_90", has_code=False), line, machine.around(NVPTX))
        assert ("-D__CUDA_RUNTIME_H__" not in empty.argv) == is_read
        assert ("--extended-lambda" in empty.argv) == is_read


def test_objects_for_the_linking_of_several_files(machine: Toolchain):
    """Each is compiled for blocks of any size; an image has the file's own code alone, and no other file's calls."""
    around = machine.around(NVPTX)
    line = CommandLine(optimization="2", standard=17)
    part, image = NVPTX.tools.image(Job("a.cu", "a.cubin", "sm_90", "a.o"), line, around)
    assert {"-rdc=true", "-maxrregcount=64"} <= {*part.argv}
    assert part.finish is None
    assert part.argv[-3:] == ("a.cu", "-o", "a.o")
    (alone,) = NVPTX.tools.image(Job("a.cu", "a.cubin", "sm_90"), line, around)
    assert image == alone
    (only,) = NVPTX.tools.image(Job("a.cu", "", "sm_90", "a.o"), line, around)
    assert only == part
    (joined,) = NVPTX.tools.linked((LinkInput("a.o"), LinkInput("b.o")), "ab.cubin", "sm_80", line, around)
    assert {"-dlink", "-cubin", "-arch=sm_80", "a.o", "b.o"} <= {*joined.argv}
    assert joined.finish == OldHeader("sm_80")


def test_new_runtimes_take_new_cubins(machine: Toolchain):
    assert machine.runtime
    newer = replace(machine, runtime=replace(machine.runtime, version=22))
    command = image(plan(newer, "-c kern.c", offload=("kern.c",)))
    assert command.finish is None
    assert "dd" not in command.shell()


def test_a_standard_concerns_its_own_language(machine: Toolchain):
    first, second, *_ = plan(machine, "-std=c11 -std=c++20 a.c b.cpp -o prog")
    assert "-std=c11" in first.argv
    assert "-std=c++20" not in first.argv
    assert "-std=c++20" in second.argv
    assert second.argv[0] == "/bin/clang++-19"


@pytest.mark.parametrize(
    ("line", "driver"),
    [
        ("a.c", "clang-19"),
        ("a.cpp", "clang++-19"),
        ("a.o", "clang-19"),
        ("-stdlib=libc++ a.o", "clang++-19"),
        ("-fsanitize=undefined a.o", "clang++-19"),
        ("-fsanitize=undefined a.c", "clang-19"),
    ],
)
def test_the_linker_driver(machine: Toolchain, line: str, driver: str):
    assert plan(machine, line)[-1].argv[0] == f"/bin/{driver}"


def test_options_of_the_other_step_are_not_called_unused(machine: Toolchain):
    """Only clang warns of them, and only the whole command can tell what it has no use for."""
    quiet = "-Wno-unused-command-line-argument"
    line = "-Werror -stdlib=libstdc++ -mllvm -x -Weverything"
    steps = [of(plan(machine, f"{line} a.c -o a"), stage) for stage in (Stage.HOST, Stage.LINK)]
    assert [step.argv.count(quiet) for step in steps] == [1, 1]
    assert not any(quiet in command.argv for command in plan(machine, f"{line} -c a.c"))
    assert quiet not in plan(machine, f"{line} a.o -o a")[-1].argv
    compiled = of(plan(machine, f"{line} kern.c", offload=("kern.c",)), Stage.HOST).argv
    assert compiled.index(quiet) > compiled.index("-Weverything")


@pytest.mark.parametrize("line", ["-static a.o", "-r a.o -o b.o"])
def test_no_runtime_where_the_user_wants_none(machine: Toolchain, line: str):
    (link,) = plan(machine, line)
    assert not any("omptarget" in word for word in link.argv)


@pytest.mark.parametrize("option", ["-nostdlib", "-nodefaultlibs"])
def test_what_the_runtime_needs_stands_behind_it_where_the_user_names_the_standard_libraries(
    machine: Toolchain, option: str
):
    link = plan(machine, f"-shared {option} a.o -lc")[-1]
    assert any("omptarget" in word for word in link.argv)
    behind = link.argv[next(at for at, word in enumerate(link.argv) if word.endswith("librexcc.a")) :]
    assert {"-lstdc++", "-lc", "-lgcc_s"} <= set(behind)


def test_without_a_runtime_only_kernels_are_an_error(machine: Toolchain, monkeypatch: pytest.MonkeyPatch):
    poor = replace(machine, runtime=None)
    monkeypatch.setattr(packages, "means", lambda environment: packages.Means("apt-get", is_root=True))
    assert "-fopenmp" in plan(poor, "a.c")[-1].argv
    with pytest.raises(MissingToolError, match="apt-get install libomp-19-dev"):
        plan(poor, "kern.c", offload=("kern.c",))


def test_dependencies_speak_of_the_users_file(machine: Toolchain):
    commands = plan(machine, "-MMD -MP -c src/kern.c -o out/kern.o", offload=("src/kern.c",))
    command = of(commands, Stage.DEPENDENCIES)
    assert has(command, "-MM", "-MF", "out/kern.d", "-MQ", "out/kern.o", "-MP", "src/kern.c")
    assert "-MMD" not in of(commands, Stage.HOST).argv
    (plain,) = plan(machine, "-MD -MT x -MF y.d -c a.c")
    assert has(plain, "-MD", "-MF", "y.d", "-MT", "x")


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("-MD -c a.c", ["a.d"]),
        ("-MD -c a.c -o d/x.o", ["d/x.d"]),
        ("-MD a.c -o prog", ["prog.d"]),
        ("-MD a.c b.c -o prog", ["a.d", "b.d"]),
    ],
)
def test_names_of_dependency_files(machine: Toolchain, line: str, files: list[str]):
    commands = [c for c in plan(machine, line) if "-MF" in c.argv]
    assert [c.argv[c.argv.index("-MF") + 1] for c in commands] == files


def test_syntax_check_and_assembler_text(machine: Toolchain):
    (check,) = plan(machine, "-fsyntax-only kern.c", offload=("kern.c",))
    assert check.argv[-2:] == ("-fsyntax-only", "T/rose_kern.c")
    commands = plan(machine, "-S kern.c -o out/kern.s", offload=("kern.c",))
    assert image(commands).output == "out/rex_lib_kern.sm_90.cubin"
    assert '-DREX_IMAGE_DIR="out"' in of(commands, Stage.HOST).argv


@pytest.mark.parametrize(
    ("line", "output"), [("-S", "kern.s"), ("-c", "kern.o"), ("-S -emit-llvm", "kern.ll"), ("-c -emit-llvm", "kern.bc")]
)
def test_names_of_what_is_made_of_a_source(machine: Toolchain, line: str, output: str):
    """What a later command assembles names the images, which lie beside it then."""
    compiled = of(plan(machine, f"{line} src/kern.c", offload=("src/kern.c",)), Stage.HOST)
    assert compiled.output == output
    assert ('-DREX_IMAGE_DIR="."' in compiled.argv) == (output != "kern.o")


def test_files_of_the_same_name_do_not_meet(machine: Toolchain):
    commands = plan(machine, "a/kern.c b/kern.c -o prog", offload=("a/kern.c", "b/kern.c"))
    outputs = [c.output for c in commands if c.output]
    assert len(outputs) == len(set(outputs))
    assert has(commands[-1], "T/kern.o", "T/2/kern.o")


def test_x_is_passed_on_only_where_the_name_misleads(machine: Toolchain):
    (misleading,) = plan(machine, "-x c++ -c a.inc")
    assert has(misleading, "-x", "c++", "-c", "a.inc")
    (plain,) = plan(machine, "-x c -c a.c")
    assert "-x" not in plain.argv


def test_a_plan_depends_on_nothing_else(machine: Toolchain):
    line = "-O2 -g a.c b/kern.c c.cpp -o prog -lm"
    assert plan(machine, line, offload=("b/kern.c",)) == plan(machine, line, offload=("b/kern.c",))


def test_a_linked_program_keeps_its_choices(machine: Toolchain):
    helper = of(plan(machine, "--rex-wait=block --rex-init=overlap kern.c", offload=("kern.c",)), Stage.HELPER)
    assert has(helper, "-DREX_DEFAULT_WAIT=block", "-DREX_DEFAULT_INIT=overlap")
    plain = of(plan(machine, "kern.c", offload=("kern.c",)), Stage.HELPER)
    assert not any("REX_DEFAULT" in word for word in plain.argv)


@pytest.mark.parametrize(
    "option",
    ["-fwrapv", "-ftrapv", "-fno-strict-aliasing", "-fshort-wchar", "-funsigned-char", "-fno-signed-zeros",
     "-frounding-math", "-fno-math-errno", "-ffp-contract=fast", "-fstack-protector-strong", "-mlong-double-64",
     "-fsanitize=address", "-fsanitize=undefined", "-Wno-narrowing"],
)  # fmt: skip
def test_options_that_change_what_code_means_reach_the_cpu_image(machine: Toolchain, option: str):
    commands = plan(machine, f"{option} kern.c", offload=("kern.c",), archs=())
    assert has(image(commands, CPU), option)
    assert has(of(commands, Stage.HOST), option)


def test_a_debugger_sees_variables_of_kernels_that_are_not_optimised(machine: Toolchain):
    """As by clang: line numbers with any other level."""
    linked = replace(machine, linker="libnvJitLink.so")
    for flags in ("-g -O0", "-O2 -g3 -O0"):
        made = image(plan(linked, f"{flags} kern.c", offload=("kern.c",)))
        assert has(made, "-G") and not has(made, "-lineinfo") and has(made, "-O0")
    for flags in ("-g", "-g -O1", "-O0 -g -O2"):
        made = image(plan(linked, f"{flags} kern.c", offload=("kern.c",)))
        assert has(made, "-lineinfo") and not has(made, "-G")
    assert not has(image(plan(linked, "-g -O0 -g0 kern.c", offload=("kern.c",))), "-G")
    line = CommandLine(debug=True, optimization="0")
    around = Around("nvcc", HostCompiler("cc", "c++", "gcc"), "/include", 19, linker=("link",))
    assert NVPTX.tools.terms(line, around) == ()
    assert NVPTX.tools.terms(replace(line, optimization="1"), around)


def test_kernels_are_plain_for_debuggers_and_sanitizers():
    """Unless --rex-opt says something else, before or behind."""
    for line in ("-g -O0", "-fsanitize=address", "-O2 -fsanitize=undefined,thread", "--rex-opt=no-tiles -O0 -g"):
        assert left_out(parse([*line.split(), "a.c"]).kernel_optimisations) == set(Optimisation), line
    for line in ("-g", "-O0", "-g -O0 -O1", "--rex-opt=all -g -O0", "-fsanitize=address --rex-opt=all"):
        assert left_out(parse([*line.split(), "a.c"]).kernel_optimisations) == set(), line
    tiles = left_out(parse(["-g", "-O0", "--rex-opt=tiles", "a.c"]).kernel_optimisations)
    assert tiles == set(Optimisation) - {Optimisation.TILES}


def test_where_overflow_wraps_kernels_do_without_the_optimizer_that_excludes_it(machine: Toolchain):
    def gpu_image(flags: str) -> Command:
        return image(plan(machine, f"{flags} kern.c", offload=("kern.c",)))

    for option in ("-fwrapv", "-fwrapv-pointer", "-fno-strict-overflow"):
        assert has(gpu_image(option), "-Xcicc", "-O0")
    for options in ("-O2", "-fwrapv -fno-wrapv", "-fno-strict-overflow -fstrict-overflow"):
        assert not has(gpu_image(options), "-Xcicc")


@pytest.mark.parametrize("option", ["-fshort-enums", "-fpack-struct", "-fpack-struct=2"])
def test_options_for_the_users_types_leave_those_of_the_cpp_library_alone(machine: Toolchain, option: str):
    commands = plan(machine, f"{option} kern.c", offload=("kern.c",), archs=())
    assert not has(image(commands, CPU), option)
    assert parse([option, "kern.c"]).flags.parse == (option,)


def test_debug_information_without_a_level_means_kernels_as_written(machine: Toolchain):
    command = image(plan(machine, "-g kern.c", offload=("kern.c",), archs=()), CPU)
    assert has(command, "-g")
    assert not any(word.startswith("-O") for word in command.argv)
    assert has(image(plan(machine, "kern.c", offload=("kern.c",), archs=()), CPU), "-O3")


@pytest.mark.parametrize(
    ("line", "kept_out"),
    [
        ("-c -flto", True), ("-c -flto=thin", True), ("-c -flto=auto -fno-fat-lto-objects", True), ("-c", False),
        ("-c -flto -fno-lto", False), ("-S -flto", False), ("-flto -o prog", False),
        ("-c -fno-lto -flto", True),
    ],
)  # fmt: skip
def test_images_are_in_an_object_before_it_is_linked(machine: Toolchain, line: str, kept_out: bool):
    host = of(plan(machine, f"{line} kern.c", offload=("kern.c",)), Stage.HOST)
    choices = [word for word in host.argv if word.startswith(("-flto", "-fno-lto"))]
    assert host.argv.count("-fno-lto") == line.count("-fno-lto") + kept_out
    assert not kept_out or choices[-1] == "-fno-lto"
    assert "-fno-lto" not in of(plan(machine, "-c -flto plain.c"), Stage.HOST).argv


@pytest.mark.parametrize("flag", ["-fwhole-program-vtables", "-fvirtual-function-elimination", "-fsanitize=cfi-icall"])
def test_what_needs_every_file_at_link_time(machine: Toolchain, flag: str):
    with pytest.raises(UsageError, match=f"^{flag} needs all files at link time"):
        plan(machine, f"-c -flto {flag} kern.cpp", offload=("kern.cpp",))
    assert flag in of(plan(machine, f"-flto {flag} kern.cpp", offload=("kern.cpp",)), Stage.HOST).argv
    assert flag in of(plan(machine, f"-c -flto {flag} kern.cpp"), Stage.HOST).argv


def test_headers_by_which_build_systems_precompile(machine: Toolchain):
    words = "-Winvalid-pch -Xclang -include-pch -Xclang b/pre.h.pch -Xclang -include -Xclang b/pre.h"
    options = parse([*words.split(), "-c", "kern.cpp"])
    assert options.flags.parse == ("-include", "b/pre.h")
    assert options.precompiled == (("b/pre.h.pch", "b/pre.h"),)
    rewritten = of(plan(machine, f"{words} -c kern.cpp", offload=("kern.cpp",)), Stage.HOST)
    assert "-include-pch" not in rewritten.argv
    assert has(rewritten, "-Winvalid-pch", "-include", "b/pre.h")
    assert rewritten.argv.count("-include") == 1
    assert has(of(plan(machine, f"{words} -c kern.cpp"), Stage.HOST), *words.split())
    assert parse(["-Xclang", "-imacros", "-Xclang", "m.h", "k.c"]).flags.parse == ("-imacros", "m.h")
    assert parse(["-Xclang", "-disable-O0-optnone", "-Xclang", "-x", "k.c"]).flags.parse == ()


@pytest.mark.parametrize(
    ("line", "host", "kernels"),
    [
        ("--coverage kern.c -o bin/prog", "bin/prog-kern", "bin/prog-kern.host"),
        ("--coverage kern.c", "a-kern", "a-kern.host"),
        ("-fprofile-arcs -ftest-coverage -c kern.c -o k.o", "", "k.host"),
        ("-c kern.c", "", ""),
    ],
)
def test_coverage_is_named_after_what_the_user_gets(machine: Toolchain, line: str, host: str, kernels: str):
    commands = plan(machine, line, offload=("kern.c",))
    for command, base in ((of(commands, Stage.HOST), host), (image(commands, CPU), kernels)):
        notes = [word for word in command.argv if word.startswith(("-coverage-notes-file=", "-coverage-data-file="))]
        files = [f"{Path(base).absolute()}.gcno", f"{Path(base).absolute()}.gcda"] if base else []
        assert [note.partition("=")[2] for note in notes] == files
    assert not [word for word in image(commands).argv if "coverage" in word]


def test_gcc_names_coverage_by_a_folder_and_a_base(machine: Toolchain):
    host = HostCompiler("/bin/gcc", "/bin/g++", "gcc")
    commands = plan(replace(machine, host=host), "--coverage kern.c -o bin/prog", offload=("kern.c",))
    assert has(of(commands, Stage.HOST), "-dumpdir", "bin/", "-dumpbase", "prog-kern.c", "-dumpbase-ext", ".c")
    assert has(image(commands, CPU), "-dumpdir", "bin/", "-dumpbase", "prog-kern.host.c", "-dumpbase-ext", ".c")


@pytest.mark.parametrize("option", ["-fprofile-generate", "-fprofile-use", "-fprofile-generate=d", "-fprofile-use=d"])
def test_gcc_finds_a_profile_again(machine: Toolchain, option: str):
    """Of host code and of kernels; clang names profiles by itself."""
    host = HostCompiler("/bin/gcc", "/bin/g++", "gcc")
    commands = plan(replace(machine, host=host), f"{option} kern.c -o bin/prog", offload=("kern.c",))
    assert has(of(commands, Stage.HOST), "-dumpbase", "prog-kern.c") and has(of(commands, Stage.HOST), option)
    assert has(image(commands, CPU), "-dumpbase", "prog-kern.host.c") and has(image(commands, CPU), option)
    commands = plan(machine, f"{option} kern.c", offload=("kern.c",))
    assert has(image(commands, CPU), option) and not has(of(commands, Stage.HOST), "-Xclang")


def test_a_static_program_gets_the_archive_of_its_openmp(machine: Toolchain):
    def libraries(machine: Toolchain) -> tuple[str, ...]:
        argv = plan(machine, "-static a.c")[-1].argv
        return argv[argv.index("T/a.o") + 1 : -2]

    assert libraries(machine) == ()
    assert machine.runtime is not None
    archive = replace(machine, runtime=replace(machine.runtime, archive="/llvm/lib/libomp.a"))
    assert libraries(archive)[0] == "/llvm/lib/libomp.a"
    assert libraries(replace(machine, host=HostCompiler("/bin/gcc", "/bin/g++", "gcc"))) == ("-fopenmp",)


@pytest.mark.parametrize("line", ["-DN=2 kern.i -c", "-DN=2 -x cpp-output kern.txt -c"])
def test_a_rewritten_file_of_preprocessed_text_is_preprocessed(machine: Toolchain, line: str):
    name = line.split()[-2]
    host = of(plan(machine, line, offload=(name,)), Stage.HOST)
    assert has(host, "-x", "c") and "-DN=2" not in host.argv
    assert "DEPENDENCIES" not in stages(plan(machine, f"-MD {line}", offload=(name,))), "its headers are in it"
    plain = of(plan(machine, line), Stage.HOST)
    assert "-isystem" not in plain.argv and not has(plain, "-x", "c") and name in plain.argv


def test_checks_take_the_sanitizers_calls_and_our_runtime(machine: Toolchain) -> None:
    commands = plan(machine, "--check a.c -o a", offload=("a.c",), archs=())
    compiling, linking = (command for command in commands if command.stage is Stage.IMAGE)
    assert has(compiling, "-fsanitize=thread") and has(compiling, "-c") and has(of(commands, Stage.HOST), "-DREX_CHECK")
    assert "-fsanitize=thread" not in linking.argv, "its compiler would add the sanitizer's library"
    link = of(commands, Stage.LINK)
    assert "-fsanitize=thread" not in link.argv and link.argv.index("T/librexcheck.a") < link.argv.index("T/librexcc.a")
    assert stages(commands).count("HELPER") == 4
    assert not any("check" in word.lower() for command in plan(machine, "a.c", ("a.c",)) for word in command.argv)
