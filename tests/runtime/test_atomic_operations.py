"""The atomic operations of device code: types, conversions, and many threads at a time."""

from __future__ import annotations

import pytest
from runtime_workshop import INCLUDE, PROGRAMS, RUNTIME, WARNINGS, Workshop, tool

import support
from support import NVCC_QUICKLY

PROGRAM = PROGRAMS / "atomics.cpp"
GOOD = "0 failures, 0 wrong\n"


@pytest.mark.parametrize(
    "compiler",
    [
        pytest.param("g++ -DFEW_TYPES -std=gnu++17 -O0", marks=pytest.mark.extended),
        pytest.param("g++ -std=gnu++17 -O3", marks=pytest.mark.extended),
        "clang++-19 -std=c++20 -O0",
        pytest.param("clang++-19 -DFEW_TYPES -std=c++20 -O1", marks=pytest.mark.extended),
    ],
)
def test_atomic_operations(shop: Workshop, compiler: str) -> None:
    name, *flags = compiler.split()
    target = f"atomics_{name}{flags[-1]}"
    shop.call(tool(name), *flags, *WARNINGS, INCLUDE, PROGRAM, "-pthread", "-o", target)
    assert shop.call(f"./{target}").stdout == GOOD


@pytest.mark.extended
def test_sixteen_bytes_under_locks(shop: Workshop) -> None:
    """As on processors and GPUs that cannot swap 16 bytes."""
    folder = shop.folder / "include_with_locks"
    folder.mkdir()
    for header in (RUNTIME / "include").glob("*.*"):
        text = header.read_text(encoding="utf-8")
        (folder / header.name).write_text(
            text.replace("#ifdef __x86_64__\nconstexpr size_t widest_word = 16;", "#if 0")
        )
    words = (folder / "rex_device_words.h").read_text(encoding="utf-8")
    assert "#if 0" in words
    flags = ("-DFEW_TYPES", "-std=gnu++17", "-O1", *WARNINGS, f"-I{folder}", "-pthread")
    shop.call(tool("g++"), *flags, PROGRAM, "-o", "atomics_locks")
    assert shop.call("./atomics_locks").stdout == GOOD


@pytest.mark.parametrize("architecture", support.sampled(["sm_90", "sm_75"], 2))
def test_nvcc_takes_the_atomic_operations(shop: Workshop, architecture: str) -> None:
    flags = ("-w", "-x", "cu", "-std=c++17", f"-arch={architecture}", "-ptx", "-DFEW_TYPES", *NVCC_QUICKLY)
    target = f"atomics.{architecture}.ptx"
    shop.call(tool("nvcc"), *flags, INCLUDE, PROGRAM, "-o", target)
    text = (shop.folder / target).read_text(encoding="utf-8")
    assert ("atom.cas.b128" in text or "atom.shared.cas.b128" in text) == (architecture == "sm_90")
    assert "trap" not in text
