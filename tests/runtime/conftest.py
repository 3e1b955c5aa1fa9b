"""One workshop for all runtime tests of a process."""

from __future__ import annotations

import pytest
from runtime_workshop import LLVM, PROGRAMS, RUNTIME, WARNINGS, Workshop


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    if not (LLVM / "libomptarget.so").exists():
        pytest.skip(f"there is no libomptarget in {LLVM}")
    return Workshop(tmp_path_factory.mktemp("runtime"))


@pytest.fixture(scope="session")
def queue(shop: Workshop) -> str:
    (shop.folder / "queue_cuda").mkdir()
    fake = "queue_cuda/libcuda.so.1"
    shop.call("gcc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", PROGRAMS / "fake_queue.c", "-o", fake)
    source = f"-I{RUNTIME / 'src'}"
    program = shop.compile("g++ -std=c++17", "queue.cpp", *WARNINGS, "-O0", source, target="queue.o")
    return shop.link(program, fake, shop.registration, target="queue", compiler="g++")
