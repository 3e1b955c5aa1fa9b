"""One workshop for all runtime tests of a process."""

from __future__ import annotations

import pytest
from runtime_workshop import INCLUDE, LLVM, PROGRAMS, RUNTIME, WARNINGS, Workshop


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    if not (LLVM / "libomptarget.so").exists():
        pytest.skip(f"there is no libomptarget in {LLVM}")
    return Workshop(tmp_path_factory.mktemp("runtime"))


@pytest.fixture(scope="session")
def queue(shop: Workshop) -> str:
    (shop.folder / "queue_cuda").mkdir()
    fake = "queue_cuda/libcuda.so.1"
    shop.call("gcc", INCLUDE, "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", PROGRAMS / "fake_queue.c", "-o", fake)
    source = f"-I{RUNTIME / 'src'}"
    program = shop.compile("g++ -std=c++17", "queue.cpp", *WARNINGS, "-O0", source, target="queue.o")
    return shop.link(program, fake, shop.registration, target="queue", compiler="g++")


@pytest.fixture(scope="session")
def gpus(shop: Workshop) -> str:
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
