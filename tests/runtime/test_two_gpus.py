"""Several GPUs in one process: two make-believe ones, whose streams are threads, and a libomptarget on them."""

from __future__ import annotations

import re

import pytest
from runtime_workshop import INCLUDE, LLVM, PROGRAMS, WARNINGS, Workshop


@pytest.fixture(scope="session")
def program(shop: Workshop) -> str:
    folder = shop.folder / "gpus"
    folder.mkdir()
    driver, mapping = folder / "libcuda.so.1", folder / "libomptarget.so"
    shared = ("-O1", "-shared", "-fPIC", *WARNINGS)
    shop.call("gcc", *shared, "-Wl,-soname,libcuda.so.1", PROGRAMS / "fake_gpus.c", "-o", driver, "-ldl", "-pthread")
    shop.call("g++", "-std=c++17", *shared, INCLUDE, PROGRAMS / "fake_mapping.cpp", driver, "-o", mapping)
    shop.pretend_cubin("two_gpus.sm_90.cubin", 90)
    shop.compile("g++ -std=c++17", "two_gpus.cpp", *WARNINGS, "-O1", target="two_gpus.o")
    paths = (f"-L{folder}", f"-Wl,-rpath,{folder}", f"-L{LLVM}", f"-Wl,-rpath,{LLVM}")
    words = ("two_gpus.o", shop.registration, "-rdynamic", *paths, "-lomptarget", driver, "-lomp", "-ldl", "-pthread")
    shop.call("g++", *words, "-o", "two_gpus")
    (shop.folder / "sets.c").write_text("#include <stdlib.h>\nvoid *sets = (void *)setenv;\n")
    shop.call("gcc", "-fPIC", "-c", "sets.c")
    shop.call("g++", "sets.o", *words, "-o", "two_gpus_sets")
    return "./two_gpus"


def test_the_default_device_is_started_when_the_program_is_loaded(shop: Workshop, program: str) -> None:
    """OpenMP begins then: not where the program may set what OpenMP reads."""
    assert shop.call(program, "start").stdout == "images: 1 0\n"
    assert shop.call(f"{program}_sets", "start").stdout == "images: 0 0\n"


@pytest.mark.parametrize(
    ("what", "copies"),
    [
        ("counts", "4"),
        ("batches", "4"),
        ("beside", "4"),
        ("arrival", "4"),
        ("threads 64", "4"),
        ("batches", "0"),
        ("threads 16", "0"),
    ],
)
def test_two_devices_are_used_side_by_side(shop: Workshop, program: str, what: str, copies: str) -> None:
    done = shop.call(program, *what.split(), REX_COPY_THREADS=copies)
    assert re.fullmatch(r"\d+ checks, 0 failures\n", done.stdout)


def test_children_end_while_another_thread_launches(shop: Workshop, program: str) -> None:
    """They have the profile's lock as it was when they were made."""
    done = shop.call(program, "forks", REX_COPY_THREADS="4", REX_PROFILE="forks.json")
    assert re.fullmatch(r"\d+ checks, 0 failures\n", done.stdout)


def test_tasks_end_before_the_program_does(shop: Workshop, program: str) -> None:
    done = shop.call(program, "exit", REX_COPY_THREADS="4")
    assert re.fullmatch(r"\d+ checks, 0 failures\n\d+ checks, 0 failures at exit\n", done.stdout)


def test_launches_and_mappings_leave_nothing_behind(shop: Workshop, program: str) -> None:
    done = shop.call(program, "growth", "2000", REX_COPY_THREADS="4", FAKE_GPUS_AT_ONCE="1")
    assert re.fullmatch(r"\d+ checks, 0 failures\n", done.stdout)
