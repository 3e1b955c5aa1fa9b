"""OpenMP's allocators whose memory a GPU copies to and from by itself."""

from __future__ import annotations

import re

from runtime_workshop import Workshop


def test_pinned_blocks_are_libomptargets_and_all_link_units(shop: Workshop) -> None:
    """With alignment, pools, fallbacks, blocks that grow, a library that frees them, and without a device."""
    library = shop.link(
        "-shared",
        shop.compile("gcc", "pinned_library.c", target="pinned_library.o"),
        shop.registration,
        target="libpinned.so",
    )
    program = shop.compile("g++ -std=c++17", "pinned.cpp", "-Wall", "-Werror", "-O0", target="pinned.o")
    run = shop.link(program, shop.registration, library, "-Wl,-rpath,.", target="pinned", compiler="g++")
    assert re.fullmatch(r"\d+ checks, 0 failures\n", shop.call(run).stdout)
