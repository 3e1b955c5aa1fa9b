"""Objects on the CPU device whose types ask for more alignment than its memory has."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from rexcc.target.commands import Around, CommandLine, HostCompiler, Job
from rexcc.target.cpu import CPU
from rexcc.target.over_alignment import without_alignment

MOVES = "-Wa,-muse-unaligned-vector-move"
TYPE = "struct alignas(32) Four { double v[4]; };"
MOVED = 'extern "C" void moved(Four *a, const Four *b) { *a = *b; }\n'
CPU_INFO = Path("/proc/cpuinfo")


def _has_avx() -> bool:
    return CPU_INFO.exists() and "avx" in CPU_INFO.read_text().split()


pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86 has moves that ask for alignment")


@pytest.mark.parametrize(
    "text",
    [
        TYPE,
        "struct __attribute__((packed, aligned(64))) Line { char c[64]; };",
        "struct __attribute__((__aligned__)) Most { char c; };",
        "#define ALIGNED(n) __attribute__((aligned(n)))",
        "_Alignas ( 32 ) double v[4];",
        "alignas(double[4]) double v[4];",
        "typedef float eight __attribute__((vector_size(32)));",
    ],
)
def test_moves_ask_for_none_where_a_type_may_ask_for_more(text: str) -> None:
    assert without_alignment(text, ("-O3", "-march=native"), "gcc") == (MOVES,)
    assert without_alignment(text, ("-mavx2",), "clang") == ("-fno-integrated-as", MOVES)
    assert not without_alignment(text, ("-O3", "-mtune=native"), "clang")


@pytest.mark.parametrize("text", ["struct Four { double v[4]; };", "struct alignas(16) Two { double v[2]; };"])
def test_commands_stay_as_they_are_elsewhere(text: str) -> None:
    assert not without_alignment(text, ("-march=native",), "clang")


@pytest.mark.parametrize("part", ["", "part.o"])
def test_commands_with_the_words_are_tried_first(part: str) -> None:
    """Assemblers that do not know them are asked without."""
    around = Around("g++", HostCompiler("gcc", "g++", "gcc"), "/rexcc/include", 19)
    job = Job("rex_host_a.cpp", "a.host.so", "host", part=part, text=TYPE)
    first, *_ = CPU.tools.image(job, CommandLine(own=("-mavx",)), around)
    assert MOVES in first.quicker_argv and MOVES not in first.argv


@pytest.mark.builds
@pytest.mark.skipif(not _has_avx(), reason="no AVX")
@pytest.mark.parametrize(("compiler", "family"), [("g++", "gcc"), ("clang++-19", "clang")])
def test_objects_may_lie_anywhere(compiler: str, family: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    source, library = tmp_path / "moved.cpp", tmp_path / "moved.so"
    source.write_text(f"{TYPE}\n{MOVED}")
    flags = ("-O2", "-mavx", "-shared", "-fPIC")
    subprocess.run([compiler, *flags, *without_alignment(TYPE, flags, family), source, "-o", library], check=True)
    values = (ctypes.c_double * 20)(*range(20))
    beside = (-ctypes.addressof(values) % 32) // 8 + 1  # a place beside the alignment
    place = ctypes.addressof(values) + 8 * beside
    ctypes.CDLL(str(library)).moved(ctypes.c_void_p(place + 64), ctypes.c_void_p(place))
    assert values[beside + 8 : beside + 12] == [float(beside + n) for n in range(4)]
