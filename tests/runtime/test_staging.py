"""Large copies, taken over from libomptarget: the real one, with the CPU device and a make-believe driver."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from runtime_workshop import RUNTIME, STAGED, WARNINGS, Done, Workshop


@pytest.fixture(scope="session")
def staging(shop: Workshop) -> str:
    (shop.folder / "staged").mkdir()
    shop.host_image("fill", "-DFILL_START=1", target="staged/rex_lib_fill.host.so")
    shop.pretend_cubin("staged/rex_lib_fill.sm_90.cubin", 90)
    flags = ("-DNAME=one", "-DFILL_START=1", '-DIMAGE_FOLDER="staged"', '-DREX_IMAGE_DIR="."')
    fill = shop.compile("gcc", "rose_fill.c", *flags, "-DTEST_WITH_CUBIN", target="staged_fill.o")
    main = shop.compile("gcc", "staging.c", *WARNINGS, target="staging.o")
    shop.compile("gcc", "staging.c", *WARNINGS, "-DKIB=396", target="staging_small.o")
    return linked(shop, shop.visible_registration(), main, fill)


def linked(shop: Workshop, registration: Path, *objects: str) -> str:
    return shop.link(*objects, registration, target=f"{objects[0].removesuffix('.o')}_{registration.stem}")


def run(shop: Workshop, program: str, *arguments: str, **environment: str) -> Done:
    choices = {"REX_INIT": "eager", "REX_WAIT": "spin"}
    driver = choices | {"LD_LIBRARY_PATH": shop.fake_driver(), "FAKE_CUDA": "none", "FAKE_CUDA_LOG": "1"}
    return shop.call(program, *arguments, **driver | {"REX_COPY_THREADS": "4", "REX_HOST_CORES": "2"} | environment)


def carried(done: Done) -> list[int]:
    """Return the MiB that went up, down and within the GPU."""
    found = re.search(r"driver: up (\d+), down (\d+), across (\d+) MiB", done.stderr)
    return [int(number) for number in found.groups()] if found else []


RIGHT = r"\d+ checks, 0 failures\n"


def test_nothing_differs_but_who_copies(shop: Workshop, staging: str) -> None:
    ours, theirs = run(shop, staging), run(shop, staging, REX_COPY_THREADS="0")
    assert re.fullmatch(RIGHT, ours.stdout)
    assert ours.stdout == theirs.stdout
    assert not carried(theirs)
    up, down, across = carried(ours)
    assert up > 250 and down > 200 and across > 150


ENTRIES = """
__attribute__((section("%s"), used)) static char entry[32];
"""
"""What an object of clang's has for its regions."""


@pytest.mark.parametrize("section", ["omp_offloading_entries", "llvm_offload_entries"])
def test_regions_of_clang_may_attach_pointers_anywhere(shop: Workshop, staging: str, section: str) -> None:
    (shop.folder / f"{section}.c").write_text(ENTRIES % section)
    entries = shop.compile("gcc", str(shop.folder / f"{section}.c"), target=f"{section}.o")
    registration = shop.visible_registration()
    program = shop.link("staging.o", "staged_fill.o", entries, registration, target=f"staging_beside_{section}")
    done = run(shop, program)
    assert re.fullmatch(RIGHT, done.stdout)
    assert not carried(done)


@pytest.mark.parametrize("arguments", [(), ("threads",)])
def test_smaller_copies_are_carried_by_the_thread_itself(
    shop: Workshop, staging: str, arguments: tuple[str, ...]
) -> None:
    program = linked(shop, shop.visible_registration(), "staging_small.o", "staged_fill.o")
    done = run(shop, program, *arguments)
    assert re.fullmatch(RIGHT, done.stdout)
    assert min(carried(done)) >= (1 if arguments else 2)  # threads give way to each other


def test_pinned_memory_is_left_to_the_driver(shop: Workshop, staging: str) -> None:
    done = run(shop, staging, FAKE_CUDA_PINNED="1")
    assert re.fullmatch(RIGHT, done.stdout)
    assert not carried(done)


@pytest.mark.extended
def test_with_another_compiler(shop: Workshop, staging: str) -> None:
    """GCC makes thread-local objects one by one, clang a file's all at once, which is felt when a thread ends."""
    registration = shop.registration_with("-O1", "-fvisibility=hidden", STAGED, target="register_optimised.o")
    program = linked(shop, registration, "staging.o", "staged_fill.o")
    assert re.fullmatch(RIGHT, run(shop, program).stdout)


def test_threads_that_map_the_same(shop: Workshop, staging: str) -> None:
    for _ in range(2):
        assert re.fullmatch(RIGHT, run(shop, staging, "threads").stdout)


@pytest.mark.parametrize("copies", ["0", "3", "60"])
def test_libomptarget_steps_in_where_our_copies_fail(shop: Workshop, staging: str, copies: str) -> None:
    assert re.fullmatch(RIGHT, run(shop, staging, FAKE_CUDA_FAILS=copies).stdout)


def test_a_ring_carries_all_bytes_and_no_others(shop: Workshop) -> None:
    """Also past the caches, where the destination begins and ends within a line."""
    source = f"-I{RUNTIME / 'src'}"
    program = shop.compile("g++ -std=c++17", "ring.cpp", *WARNINGS, source, target="ring.o")
    run = shop.link(program, shop.registration, target="ring", compiler="g++")
    done = shop.call(run, FAKE_CUDA="90", LD_LIBRARY_PATH=shop.fake_driver(), OMP_TARGET_OFFLOAD="disabled")
    assert re.fullmatch(RIGHT, done.stdout)
