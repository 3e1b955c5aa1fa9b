"""The command line parser: what each option means and how bad usage is answered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rexcc.driver.commands.flags import for_device_code, without_macros
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode, UsageError
from rexcc.driver.options.help import help_text, whole_help
from rexcc.driver.options.languages import Language
from rexcc.driver.options.option_table import ROWS
from rexcc.driver.options.option_texts import TEXTS
from rexcc.driver.options.parser import parse
from rexcc.target.known import DEFAULT
from rexcc.target.options import translated


def parsed(line: str) -> Options:
    """Parse a line of words without spaces in them."""
    return parse(line.split())


def in_kernels(options: Options) -> tuple[str, ...]:
    """Return the words that options are for the compiler of kernels."""
    return translated(options.flags.given, options.device.tools.spellings)


def test_every_spelling_stands_once():
    spellings = [row.spelling for row in ROWS]
    assert len(spellings) == len(set(spellings))


def test_an_ordinary_line_goes_where_it_belongs():
    options = parsed("-O3 -Iinc -DX=1 -std=c11 -Wall a.c b.cpp -o prog -Llib -lm")
    assert options.mode is Mode.LINK
    assert [(i.path, i.language) for i in options.inputs] == [("a.c", Language.C), ("b.cpp", Language.CXX)]
    assert options.output == "prog"
    assert options.flags.host == ("-O3", "-Iinc", "-DX=1", "-Wall")
    assert options.flags.parse == ("-O3", "-Iinc", "-DX=1")
    assert in_kernels(options) == ("-Iinc",)
    assert options.link_items == ("-O3", *options.inputs, "-Llib", "-lm")
    assert options.c_standard == "c11"
    assert options.cxx_standard is None


@pytest.mark.parametrize(
    "option",
    ["-O2", "-Os", "-ffast-math", "-fno-fast-math", "-fno-math-errno", "-ffinite-math-only", "-ffreestanding", "-fPIC",
     "-fno-pic", "-fstack-protector-strong", "-pthread"],
)  # fmt: skip
def test_libclang_predefines_what_the_host_compiler_does(option: str):
    options = parsed(f"{option} a.c")
    assert option in options.flags.parse
    assert option in options.flags.host


@pytest.mark.parametrize(
    ("line", "mode"),
    [
        ("a.c", Mode.LINK),
        ("-c a.c", Mode.OBJECT),
        ("-S -c a.c", Mode.ASSEMBLY),
        ("-c -E a.c", Mode.PREPROCESS),
        ("-fsyntax-only a.c", Mode.SYNTAX),
        ("--emit=src a.c", Mode.EMIT_SOURCES),
        ("-MD -c a.c", Mode.OBJECT),
        ("-MM a.c", Mode.DEPENDENCIES),
        ("-dumpversion", Mode.QUERY),
        ("-print-search-dirs", Mode.QUERY),
        ("-v", Mode.QUERY),
        ("-Wl,--version", Mode.QUERY),
    ],
)
def test_modes(line: str, mode: Mode):
    assert parsed(line).mode is mode


def test_separate_and_joined_values_mean_the_same():
    joined = parse(["-Iinc", "-DA", "-oout", "-xc++", "a.c"])
    separate = parse(["-I", "inc", "-D", "A", "-o", "out", "-x", "c++", "a.c"])
    assert in_kernels(joined) == in_kernels(separate) == ("-Iinc",)
    assert separate.flags.host == ("-I", "inc", "-D", "A")
    assert joined.output == separate.output == "out"
    assert joined.has_cxx
    assert separate.has_cxx


def test_x_governs_the_inputs_after_it_only():
    options = parsed("a.c -x c++ b.c -x none c.c lib.a")
    assert [i.language for i in options.inputs] == [Language.C, Language.CXX, Language.C, Language.LINK]


def test_linker_arguments_keep_their_place():
    line = "a.o -Wl,--start-group x.a y.a -Wl,--end-group -u sym -z now -lm"
    options = parsed(line)
    spelled = [item if isinstance(item, str) else item.path for item in options.link_items]
    assert " ".join(spelled) == line


@pytest.mark.parametrize(
    ("line", "targets", "architectures"),
    [
        ("a.c", None, ()),
        ("--target=host a.c", {"host"}, ()),
        ("--target=both --offload-arch=sm_80,sm_90 --offload-arch=sm_80 a.c", {"host", "nvptx"}, ("sm_80", "sm_90")),
        ("--offload-arch=sm_80 --no-offload-arch=all --offload-arch=native a.c", None, ("native",)),
        ("-fopenmp -fopenmp-targets=nvptx64-nvidia-cuda a.c", {"nvptx"}, ()),
        ("-fopenmp-targets=x86_64-pc-linux-gnu a.c", {"host"}, ()),
        ("-fopenmp-targets=nvptx64,x86_64 a.c", {"host", "nvptx"}, ()),
        ("-fopenmp-targets=nvptx64 --target=host a.c", {"host"}, ()),
        ("-Xopenmp-target -march=sm_80 a.c", None, ("sm_80",)),
        ("-Xopenmp-target=nvptx64-nvidia-cuda -march=sm_75 a.c", None, ("sm_75",)),
        ("--cuda-gpu-arch=sm_86 a.c", None, ("sm_86",)),
        ("-mp=gpu -gpu=cc80,managed,cc90 a.c", None, ("sm_80", "sm_90")),
        ("-arch=sm_80 -arch sm_90a --gpu-architecture=compute_86 a.c", None, ("sm_80", "sm_90a", "sm_86")),
        (
            "-gencode arch=compute_80,code=sm_86 -gencode=arch=compute_90,code=[sm_90,compute_90] a.c",
            None,
            ("sm_86", "sm_90"),
        ),
        ("--generate-code=arch=compute_80,code=compute_80 -arch=native a.c", None, ("sm_80", "native")),
        ("-qopenmp -fiopenmp a.c", None, ()),
        ("-foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80 a.c", {"nvptx"}, ()),
    ],
)
def test_device_targets_in_every_dialect(line: str, targets: set[str] | None, architectures: tuple[str, ...]):
    options = parsed(line)
    assert options.chosen_targets == targets
    assert options.architectures == architectures
    assert not any("openmp" in flag or "sm_" in flag for flag in options.flags.host + options.flags.raw)


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("a.o", False), ("-foffload-lto a.o", True), ("-foffload-lto=full a.o", True),
        ("-foffload-lto=thin a.o", False), ("-foffload-lto -fno-offload-lto a.o", False), ("-flto a.o", False),
    ],
)  # fmt: skip
def test_device_code_is_linked_as_one_program_if_asked(line: str, whole: bool) -> None:
    options = parsed(line)
    assert options.links_whole is for_device_code(options, Language.CXX).links_whole is whole


def test_an_unknown_mode_of_device_link_time_optimization_is_refused() -> None:
    with pytest.raises(UsageError, match="'ful' of -foffload-lto; did you mean 'full'"):
        parsed("-foffload-lto=ful a.o")


def test_choices_made_for_the_user_are_told():
    options = parsed("-fopenmp-targets=nvptx64 -fopenmp-offload-mandatory -Xopenmp-target -foo a.c")
    assert options.remarks[0] == "-fopenmp-targets=nvptx64 taken as --target=nvptx"
    assert len(options.remarks) == 3


def test_a_host_triple_is_no_device_target():
    options = parsed("--target=x86_64-linux-gnu a.c")
    assert options.targets is None
    assert "--target=x86_64-linux-gnu" in options.flags.host
    assert "--target=x86_64-linux-gnu" in options.flags.abi


@pytest.mark.parametrize(
    ("line", "fast", "debug", "level"),
    [
        ("-Ofast a.c", True, False, "fast"),
        ("-O2 -ffast-math -g a.c", True, True, "2"),
        ("-ffast-math -fno-fast-math -g -g0 a.c", False, False, None),
        ("-O -ggdb a.c", False, True, "1"),
    ],
)
def test_levels(line: str, fast: bool, debug: bool, level: str | None):
    options = parsed(line)
    assert (options.fast_math, options.debug, options.optimization) == (fast, debug, level)


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("--include-directory d", ("-I", "d")),
        ("--include-directory=d", ("-I", "d")),
        ("--include-directory-after d", ("-idirafter", "d")),
        ("-iprefix top/ -iprefix d/ -iwithprefix inc", ("-idirafter", "d/inc")),
        ("-iprefixd/ -iwithprefixbeforeinc", ("-I", "d/inc")),
    ],
)
def test_other_spellings_of_folders_are_for_all_compilers(words: str, written: tuple[str, ...]) -> None:
    options = parsed(f"{words} a.c")
    in_device_code = {"-I": (f"-I{written[1]}",), "-idirafter": ("-Xcompiler", f"-idirafter{written[1]}")}
    assert options.flags.parse[-2:] == written and in_kernels(options) == in_device_code[written[0]]


@pytest.mark.parametrize("option", ["-iwithprefix", "-iwithprefixbefore"])
def test_the_host_compiler_puts_folders_behind_its_prefix_itself(option: str) -> None:
    for prefix in ((), ("-iprefix", "d/")):
        flags = parsed(" ".join([*prefix, option, "inc", "a.c"])).flags
        assert flags.host == (*prefix, option, "inc") and flags.raw[: len(flags.host)] == flags.host


def test_nvcc_gets_its_own_options():
    options = parsed("-Xptxas -v -Xcuda-ptxas -O2 -ffp-contract=off -isystem s -iquote q a.c")
    words = ("-Xptxas", "-v", "-Xptxas", "-O2", "-fmad=false", "-isystem", "s", "-Xcompiler", "-iquoteq")
    assert in_kernels(options) == words
    assert "-Xptxas" not in options.flags.host + options.flags.raw


def test_options_as_users_of_nvcc_write_them():
    options = parsed("-Xptxas=-v,-O2 --ptxas-options=-v -Xnvcc --ftz=true -Xnvcc=-G -lineinfo --fmad=false a.c")
    words = ("-Xptxas", "-v,-O2", "-Xptxas", "-v", "--ftz=true", "-G", "-lineinfo", "-fmad=false")
    assert in_kernels(options) == words
    assert options.link_items == options.inputs, "-lineinfo is no library"


@pytest.mark.parametrize("words", ["--maxrregcount 32", "--maxrregcount=32", "-maxrregcount 32", "-maxrregcount=32"])
def test_a_limit_of_registers_counts_for_more_than_launch_bounds(words: str):
    options = parsed(f"{words} a.c")
    assert in_kernels(options) == ("-maxrregcount=32", "-Xptxas", "--override-directive-values")
    assert options.flags.host == () and options.link_items == options.inputs


def test_approximate_arithmetic_of_kernels_is_asked_for():
    """``-ffast-math`` asks for it in host code and kernels, nvcc's option in kernels alone; nothing else does."""
    assert parsed("-ffast-math a.c").fast_math and parsed("-ffast-math a.c").flags.host == ("-ffast-math",)
    kernels_only = parsed("--use_fast_math a.c")
    assert kernels_only.fast_math and kernels_only.flags.host == () and kernels_only.flags.cpu == ()
    assert not parsed("-O3 -funsafe-math-optimizations -freciprocal-math -ffp-contract=fast a.c").fast_math


@pytest.mark.parametrize(
    ("line", "fast", "reciprocals"),
    [
        ("", False, False),
        ("-O3", False, False),
        ("-Ofast", True, True),
        ("-ffast-math", True, True),
        ("-funsafe-math-optimizations", False, True),
        ("-freciprocal-math", False, True),
        ("-ffast-math -fno-reciprocal-math", True, False),
        ("-fno-reciprocal-math -ffast-math", True, True),
        ("-ffast-math -fno-unsafe-math-optimizations", True, False),
        ("-freciprocal-math -fno-fast-math", False, False),
    ],
)
def test_the_last_option_about_reciprocals_counts(line: str, fast: bool, reciprocals: bool):
    options = parsed(f"{line} a.c")
    assert (options.fast_math, options.reciprocals) == (fast, reciprocals)


def test_dependencies():
    found = parsed("-MMD -MP -MF x.d -MT a -MQ b -c a.c").dependencies
    assert (found.kind, found.file, found.rules) == ("-MM", "x.d", ("-MP", "-MT", "a", "-MQ", "b"))
    linux = parsed("-Wp,-MD,dir/.a.o.d -c a.c").dependencies
    assert (linux.kind, linux.file) == ("-M", "dir/.a.o.d")


def test_openmp_may_be_off_and_on_again():
    assert not parsed("-fno-openmp a.c").openmp
    assert parsed("-fno-openmp -fopenmp a.c").openmp
    assert not parsed("-fopenmp -foffload=disable a.c").offload


def test_unknown_options_go_to_the_host_compiler():
    options = parsed("--gcc-toolchain=/x -fwhatever -mtune=native --weird a.c")
    assert options.flags.host == ("--gcc-toolchain=/x", "-fwhatever", "-mtune=native", "--weird")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--offload-arc=sm_90 a.c", "unknown option '--offload-arc=sm_90'; did you mean '--offload-arch'?"),
        ("--offload-arch a.c", "option '--offload-arch' needs a value: '--offload-arch=...'"),
        ("--target=hots a.c", "invalid value 'hots' of --target; did you mean 'host'? (nvptx, host, both)"),
        (
            "--rex-reduction=atomics a.c",
            "invalid value 'atomics' of --rex-reduction; did you mean 'atomic'? (device, reproducible, atomic, host)",
        ),
        (
            "--rex-scheduler=dirct a.c",
            "invalid value 'dirct' of --rex-scheduler; did you mean 'direct'? (direct, xomp)",
        ),
        ("--rex-wait=spim a.c", "invalid value 'spim' of --rex-wait; did you mean 'spin'? (spin, yield, block)"),
        ("--rex-init=late a.c", "invalid value 'late' of --rex-init (eager, overlap)"),
        (
            "--emit=cubin a.c",
            "invalid value 'cubin' of --emit (src, report, pragmas, pragmas=json, ast, ast=json, kernel, kernel=json)",
        ),
        ("-arch=all a.c", "'-arch=all': an image is built for each architecture; name them: --offload-arch=sm_90,..."),
        ("--maxrregcount", "option '--maxrregcount' needs an argument"),
        ("--offload-arch=90 a.c", "invalid GPU architecture '90'; expected sm_NN, such as sm_90, or native"),
        ("--offload-arch=gfx90a a.c", "invalid GPU architecture 'gfx90a'; expected sm_NN"),
        ("-fopenmp-targets=amdgcn-amd-amdhsa a.c", "cannot offload to 'amdgcn-amd-amdhsa'"),
        ("a.c k.cu -o prog", "'k.cu' cannot be compiled together with other sources"),
        ("-c a.c b.c -o x.o", "cannot write 2 outputs to 'x.o'"),
        ("--check --target=nvptx a.c", "--check runs kernels on the CPU device; leave --target=nvptx out"),
        ("--check --emit=src a.c", "--check needs a build; to read the generated sources, keep them: -save-temps=DIR"),
        ("--check -fsanitize=undefined,address a.c", "--check and -fsanitize=address exclude each other"),
        ("a.c -o", "option '-o' needs an argument"),
        ("-O2", "no input files"),
    ],
)
def test_bad_usage_is_one_line_with_a_way_out(line: str, message: str):
    with pytest.raises(UsageError) as caught:
        parsed(line)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_response_files(tmp_path: Path):
    inner = tmp_path / "inner"
    inner.write_text("-DA='x y' \"b c.c\"\n-o out")
    outer = tmp_path / "outer"
    outer.write_text(f"-O2 @{inner}")
    options = parse([f"@{outer}", "@missing.o"])
    assert options.flags.host == ("-O2", "-DA=x y")
    assert [i.path for i in options.inputs] == ["b c.c", "@missing.o"]


def test_a_response_file_that_names_itself(tmp_path: Path):
    loop = tmp_path / "loop"
    loop.write_text(f"@{loop}")
    with pytest.raises(UsageError, match="nested too deeply"):
        parse([f"@{loop}"])


def test_help_names_every_own_option():
    text = help_text()
    assert all(row.spelling in text for row in ROWS if row.help)
    assert max(map(len, text.splitlines())) <= 120 and text.count("\n") < 50


def test_the_whole_help_names_every_option():
    text = whole_help()
    missing = [row.spelling for row in ROWS if not re.search(rf"(?<![\w-]){re.escape(row.spelling)}", text)]
    assert missing == [] and set(help_text().splitlines()[6:30]) <= set(text.splitlines())
    assert max(map(len, text.splitlines())) <= 120


def test_texts_are_of_options_that_there_are():
    own = {row.spelling for row in ROWS if row.help}
    assert set(TEXTS) <= {row.spelling for row in ROWS} - own


@pytest.mark.parametrize(("line", "asked"), [("--help", "--help"), ("--help=all", "--help=all"),
                                             ("--help-hidden", "--help=all"), ("--help=warnings", None)])  # fmt: skip
def test_help_is_asked_for_as_with_clang_and_gcc(line: str, asked: str | None):
    assert parsed(line).information == asked
    assert asked or parsed(line).mode is Mode.QUERY


def test_what_kernels_for_gpus_do_without_is_remembered():
    assert [w for _, w in parsed("-fwrapv -fshort-wchar a.c").lost_in_device_code] == ["-fwrapv", "-fshort-wchar"]
    assert [w for _, w in parsed("-fwrapv -fshort-wchar -fno-wrapv a.c").lost_in_device_code] == ["-fshort-wchar"]
    assert parsed("-O2 -g a.c").lost_in_device_code == ()


@pytest.mark.parametrize("option", ["-Xarch_host", "-Xclang"])
@pytest.mark.parametrize("value", ["-fpack-struct", "-fpack-struct=1", "-fshort-enums", "-malign-double", "-m32"])
def test_types_are_not_changed_for_the_host_alone(option: str, value: str) -> None:
    message = f"'{option} {value}' gives the host other types than the device has, and both share their bytes"
    with pytest.raises(UsageError, match=f"^{message}; give '{value}' without {option}$"):
        parse([option, value, "k.c"])


def test_other_options_may_be_for_the_host_alone() -> None:
    for value in ("-O1", "-march=native", "-fno-inline", "-DHOST"):
        assert parse(["-Xarch_host", value, "k.c"]).flags.host == ("-Xarch_host", value)


@pytest.mark.parametrize(
    ("line", "language", "is_preprocessed"),
    [
        ("t.i", Language.C, True),
        ("t.ii", Language.CXX, True),
        ("-x cpp-output t.txt", Language.C, True),
        ("-x c++-cpp-output t.i", Language.CXX, True),
        ("-x c t.i", Language.C, False),
        ("t.c", Language.C, False),
    ],
)
def test_preprocessed_text_is_known(line: str, language: Language, is_preprocessed: bool):
    (source,) = parsed(line).sources
    assert (source.language, source.is_preprocessed) == (language, is_preprocessed)


def test_macros_of_the_command_line_are_in_preprocessed_text_already():
    words = ("-DA=1", "-D", "B", "-D_GNU_SOURCE", "-D", "_X=2", "-UC", "-include", "h.h", "-O2", "-imacrosm.h", "-Ii")
    assert without_macros(words) == ("-D_GNU_SOURCE", "-D_X=2", "-O2", "-Ii")


@pytest.mark.parametrize("name", ["c77", "c++18", "C99", "c", "gnu++", "c++11x"])
def test_standards_that_there_are_not(name: str):
    with pytest.raises(UsageError, match=re.escape(f"invalid value '{name}' of -std (c90, c99")):
        parse([f"-std={name}", "a.c"])


@pytest.mark.parametrize("name", ["c90", "gnu2x", "c2y", "iso9899:199409", "c++0x", "gnu++2c", "c++29"])
def test_standards_that_there_are(name: str):
    options = parse([f"-std={name}", "a.c"])
    assert name in (options.c_standard, options.cxx_standard)


@pytest.mark.parametrize("form", ["-Ilib", "-I lib", "--include-directory=lib", "-isystem lib", "-isystemlib"])
def test_folders_in_front_of_the_c_library_are_behind_it_for_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("lib/stdio.h", "cxx/stdio.h", "cxx/vector", "other/mine.h"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    options = parsed(f"{form} -Icxx -Iother a.c")
    line = for_device_code(options, Language.C)
    assert translated(line.given, DEFAULT.tools.spellings) == ("-Xcompiler", "-idirafterlib", "-Icxx", "-Iother")
    assert line.own == ("-idirafter", "lib", "-Icxx", "-Iother")
    assert "-idirafter" not in options.flags.host
