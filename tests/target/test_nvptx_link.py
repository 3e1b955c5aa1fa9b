"""Linking device code of several files with nvJitLink: what reaches its options, and what a user reads of failures."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

from rexcc.driver.tools.toolchain import find_compiler, find_linker
from rexcc.target import nvptx_link
from rexcc.target.commands import Around, CommandLine, Given, HostCompiler, Job, LinkError, LinkInput
from rexcc.target.known import DEFAULT

TOOLS = DEFAULT.tools
HOST = HostCompiler("clang", "clang++", "clang")
HERE, MAKEFILE = (Around("nvcc", HOST, "include", 19, linker=linker) for linker in (("link", "libnvJitLink.so.13"), ()))
PLAIN = CommandLine(optimization="3")
EXACT = CommandLine(given=(Given("-ffp-contract=off", "-ffp-contract=off", ""),))
FAST = CommandLine(fast_math=True)


def options(*lines: CommandLine, around: Around = HERE) -> tuple[str, ...]:
    """Return the command that links objects, each compiled by a command line."""
    inputs = [LinkInput(f"{n}.o", TOOLS.terms(line, around)) for n, line in enumerate(lines)]
    (step,) = TOOLS.linked(inputs, "image", "sm_90", PLAIN, HERE)
    return step.argv


def test_arithmetic_is_as_exact_as_the_most_exact_file() -> None:
    """nvJitLink forgets how a file was compiled: ``-ffp-contract=off`` there means nothing without ``-fma=0`` here."""
    assert "-fma=1" in options(PLAIN, PLAIN)
    assert "-fma=0" in options(PLAIN, EXACT)
    assert "-ftz=1" not in options(PLAIN, FAST)
    assert {"-ftz=1", "-prec-div=0", "-prec-sqrt=0"} <= {*options(FAST, FAST)}


@pytest.mark.parametrize("option", ["-fwrapv", "-Xptxas", "-Xnvcc"])
def test_options_for_stages_of_nvcc_ask_for_finished_code(option: str) -> None:
    line = CommandLine(given=(Given(option, option, "-v"),))
    assert TOOLS.terms(line, HERE) == ()
    steps = TOOLS.image(Job("a.cu", "", "sm_90", "a.o"), line, HERE)
    assert [("-cubin" in step.argv, "-ltoir" in step.argv) for step in steps] == [(True, False)]
    assert "-lto" not in options(line, line)


def test_a_limit_of_registers_stands_in_place_of_ours() -> None:
    line = CommandLine(given=(Given("--maxrregcount", "--maxrregcount", "128"),))
    (step,) = TOOLS.image(Job("a.cu", "", "sm_90", "a.o"), line, HERE)
    assert [word for word in step.argv if "maxrregcount" in word] == ["-maxrregcount=128"]


def test_the_last_word_on_contractions_counts() -> None:
    def line(*words: str) -> CommandLine:
        return CommandLine(given=tuple(Given("-fmad=", f"-fmad={word}", word) for word in words))

    assert "-fma=0" in options(line("true", "false"))
    assert "-fma=1" in options(line("false", "true"))


def test_an_image_is_made_of_the_object_that_has_all_it_names() -> None:
    def sources(is_whole: bool, around: Around) -> list[str]:
        job = Job("a.cu", "a.cubin", "sm_90", "a.o", is_whole)
        return [step.source for step in TOOLS.image(job, PLAIN, around)]

    assert sources(True, HERE) == ["a.cu", "a.o"]
    assert sources(False, HERE) == sources(True, MAKEFILE) == ["a.cu", "a.cu"]


def test_makefiles_do_without_rexcc() -> None:
    assert TOOLS.terms(PLAIN, MAKEFILE) == ()
    (step,) = TOOLS.linked([LinkInput("a.o"), LinkInput("b.o")], "image", "sm_90", PLAIN, MAKEFILE)
    assert step.argv[:2] == ("nvcc", "-dlink")


def test_a_missing_library_is_said() -> None:
    with pytest.raises(LinkError, match="pip install nvidia-nvjitlink"):
        TOOLS.linked([LinkInput("a.o", ("ir",))], "image", "sm_90", PLAIN, MAKEFILE)


LIBRARY = find_linker(TOOLS, find_compiler(TOOLS, None, {}))


@pytest.mark.builds
@pytest.mark.skipif(not LIBRARY, reason="no nvcc or no nvJitLink")
def test_what_the_library_says_reaches_the_user(tmp_path: Path) -> None:
    """A function that nobody defines; a file that is no device code."""
    (tmp_path / "a.cu").write_text('extern "C" __device__ int f(); __global__ void k(int *p) { *p = f(); }')
    made = ("nvcc", "-rdc=true", "-dlto", "-ltoir", "-arch=lto_90", "a.cu", "-o", "a.o")
    subprocess.run(made, cwd=tmp_path, check=True)
    library, code = ctypes.CDLL(LIBRARY), (tmp_path / "a.o").read_bytes()
    for data, words in ((code, "'f'"), (b"text", "cannot read the device code in a.o")):
        with pytest.raises(LinkError, match=words):
            nvptx_link.linked(library, ["-lto", "-arch=sm_90"], [("a.o", data)])
