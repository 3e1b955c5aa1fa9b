"""A heap that the GPU shares, with a make-believe driver, and what is done with memory that it does not share."""

from __future__ import annotations

import re

import pytest
from runtime_workshop import INCLUDE, PROGRAMS, RUNTIME, WARNINGS, Workshop, tool

READS_HOST_MEMORY = "88"
"""The driver's attribute of a GPU that needs none of this."""


@pytest.fixture(scope="session")
def heaps(shop: Workshop) -> dict[str, str]:
    """Programs with a heap of managed and of pinned memory."""
    shop.fake_driver()
    shop.call(tool("gcc"), "-shared", "-fPIC", PROGRAMS / "memory_user.c", "-o", "libmemory_user.so")
    common = (tool("g++"), "-std=c++17", *WARNINGS, INCLUDE, "-c")
    shop.call(*common, "-O0", "-fno-builtin", PROGRAMS / "memory.cpp", "-o", "memory.o")
    found = {}
    for kind in ("MANAGED", "PINNED"):
        heap, program = f"heap_{kind}.o", f"memory_{kind}"
        source = RUNTIME / "memory" / "rex_memory.cpp"
        shop.call(*common, "-fPIC", "-fvisibility=hidden", f"-DREX_MEMORY_WANTED=REX_MEMORY_{kind}", source, "-o", heap)
        shop.call("g++", "memory.o", heap, "-o", program, "-Wl,-u,rex_program_memory_for", "-pthread", "-ldl")
        found[kind] = f"./{program}"
    return found


@pytest.mark.parametrize(
    ("kind", "heap", "settings"),
    [
        ("MANAGED", "shared", {"FAKE_CUDA_LACKS": READS_HOST_MEMORY}),
        ("PINNED", "shared", {}),
        ("MANAGED", "plain", {}),
        ("MANAGED", "plain", {"FAKE_CUDA_LACKS": READS_HOST_MEMORY, "OMP_TARGET_OFFLOAD": "disabled"}),
        ("MANAGED", "plain", {"FAKE_CUDA": "none"}),
    ],
)
def test_the_program_has_one_heap(
    shop: Workshop, heaps: dict[str, str], kind: str, heap: str, settings: dict[str, str]
) -> None:
    """Whoever allocates, frees and measures; the C library's where the GPU needs nothing else, or there is none."""
    environment = {"FAKE_CUDA": "90", "LD_LIBRARY_PATH": shop.fake_driver(), **settings}
    done = shop.call(heaps[kind], heap, **environment)
    assert re.fullmatch(r"\d+ checks, 0 failures\n", done.stdout)


@pytest.fixture(scope="session")
def own_free(shop: Workshop, heaps: dict[str, str]) -> str:
    shop.call(tool("gcc"), "-O0", "-fno-builtin", INCLUDE, "-c", PROGRAMS / "own_free.c", "-o", "own_free.o")
    shop.call("g++", "own_free.o", "heap_MANAGED.o", "-o", "own_free", "-pthread", "-ldl")
    return "./own_free"


@pytest.mark.parametrize(
    ("lacks", "reason"),
    [
        (READS_HOST_MEMORY, "the program has a 'free' of its own, or the driver gives no memory"),
        (f"{READS_HOST_MEMORY},83", "the driver has no managed memory for all GPUs"),
        (f"{READS_HOST_MEMORY},89", "the host must not touch managed memory here while a kernel runs"),
        ("0", "no reason"),
    ],
)
def test_why_the_heap_is_the_c_librarys(shop: Workshop, own_free: str, lacks: str, reason: str) -> None:
    """Blocks of another heap must not come to a program's own free. Where the GPU reads all memory nothing is said."""
    settings = {"FAKE_CUDA": "90", "FAKE_CUDA_LACKS": lacks, "LD_LIBRARY_PATH": shop.fake_driver()}
    assert shop.call(own_free, **settings).stdout == f"0 2 {reason}\n"


def test_what_the_gpu_cannot_read_is_mapped(shop: Workshop) -> None:
    driver = f"{shop.fake_driver()}/libcuda.so.1"
    source = f"-I{RUNTIME / 'src'}"
    program = shop.compile("g++ -std=c++17", "shared.cpp", *WARNINGS, "-O0", source, target="shared.o")
    run = shop.link(program, driver, shop.registration, target="shared", compiler="g++")
    done = shop.call(run, FAKE_CUDA="90", LD_LIBRARY_PATH=shop.fake_driver(), OMP_TARGET_OFFLOAD="disabled")
    assert re.fullmatch(r"\d+ checks, 0 failures\n", done.stdout)
    assert re.search(r"is memory that this GPU cannot read, and the pointer to it is shared with device 0", done.stderr)
    assert re.search(r"is memory that this GPU cannot read, and 'self' shares it with device 0", done.stderr)
