"""What a run may choose: how the host waits for the GPU, and when the GPU is started.

The driver is a make-believe one that takes its time to start and tells what it is asked.
"""

from __future__ import annotations

import pytest
from runtime_workshop import Done, Workshop

MAIN = "main on device: 1 10\n"
MANY = "100000"
"""More ranks than any machine has cores."""


@pytest.fixture(scope="session")
def slow_driver(shop: Workshop) -> dict[str, str]:
    """The environment in which the driver takes 300 ms to find that there is no GPU."""
    return {"LD_LIBRARY_PATH": shop.fake_driver(), "FAKE_CUDA": "none", "FAKE_CUDA_DELAY": "300", "FAKE_CUDA_LOG": "1"}


@pytest.fixture(scope="session")
def overlap(shop: Workshop) -> str:
    """A program with images for a GPU and for the CPU device, and a library that may be loaded."""
    objects = []
    for name, start in (("one", "1"), ("two", "100")):
        folder = shop.folder / f"late_{name}"
        folder.mkdir()
        shop.host_image("fill", f"-DFILL_START={start}", target=f"{folder.name}/rex_lib_fill.host.so")
        shop.pretend_cubin(f"{folder.name}/rex_lib_fill.sm_90.cubin", 90)
        flags = (f"-DNAME={name}", f"-DFILL_START={start}", f'-DIMAGE_FOLDER="{folder.name}"', '-DREX_IMAGE_DIR="."')
        objects.append(shop.compile("gcc", "rose_fill.c", *flags, "-DTEST_WITH_CUBIN", target=f"{folder.name}.o"))
    shop.link("-shared", objects[1], shop.registration, target="libfill_late.so")
    main = shop.compile("gcc", "overlap.c", target="overlap.o")
    return shop.link(main, objects[0], shop.registration, target="overlap")


def events(done: Done) -> list[str]:
    return [line for line in done.stderr.splitlines() if line.startswith(("driver:", "program:", "rex:"))]


def test_the_gpu_is_started_before_main(shop: Workshop, overlap: str, slow_driver: dict[str, str]) -> None:
    done = shop.call(overlap, **slow_driver)
    assert done.stdout == MAIN
    assert events(done) == ["driver: ready 0", "program: main"]


def test_the_gpu_is_started_beside_main(shop: Workshop, overlap: str, slow_driver: dict[str, str]) -> None:
    done = shop.call(overlap, REX_INIT="overlap", **slow_driver)
    assert done.stdout == MAIN
    assert events(done) == ["program: main", "driver: ready 0"]


def test_a_program_may_choose_when_it_is_linked(shop: Workshop, overlap: str, slow_driver: dict[str, str]) -> None:
    program = shop.link("overlap.o", "late_one.o", shop.visible_registration(), target="overlap_linked")
    assert events(shop.call(program, **slow_driver)) == ["program: main", "driver: ready 0"]
    done = shop.call(program, **slow_driver | {"FAKE_CUDA": "90"})
    assert events(done)[:3] == ["program: main", "driver: ready 0", "driver: flags 4"]
    done = shop.call(program, REX_INIT="eager", **slow_driver | {"FAKE_CUDA": "90"})
    assert events(done)[:2] == ["driver: ready 0", "driver: flags 4"]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("devices", f"some devices\n{MAIN}"),
        ("fork", f"child on device: 1 10\n{MAIN}"),
        ("library", f"library on device: 100 1000\n{MAIN}"),
        ("threads", "thread on device: 1 10\n" * 8 + MAIN),
    ],
)
def test_what_main_does_meanwhile(
    shop: Workshop, overlap: str, slow_driver: dict[str, str], what: str, expected: str
) -> None:
    done = shop.call(overlap, what, REX_INIT="overlap", **slow_driver)
    assert done.stdout == expected
    assert events(done) == ["program: main", "driver: ready 0"]


@pytest.mark.parametrize("what", ["return", "exit"])
def test_a_program_that_ends_meanwhile(shop: Workshop, overlap: str, slow_driver: dict[str, str], what: str) -> None:
    """The driver's own handlers of exit() must not run before it has started."""
    done = shop.call(overlap, what, status=7, REX_INIT="overlap", **slow_driver)
    assert events(done) == ["program: main", "driver: ready 0"]


def test_nothing_overlaps_where_nothing_is_offloaded(shop: Workshop, overlap: str, slow_driver: dict[str, str]) -> None:
    done = shop.call(overlap, REX_INIT="overlap", OMP_TARGET_OFFLOAD="disabled", **slow_driver)
    assert done.stdout == MAIN.replace("device", "host")
    assert "driver: ready 0" not in events(done)


@pytest.mark.parametrize(("chosen", "flag"), [({}, 1), ({"REX_WAIT": "yield"}, 2), ({"REX_WAIT": "block"}, 4)])
def test_how_the_host_waits(
    shop: Workshop, overlap: str, slow_driver: dict[str, str], chosen: dict[str, str], flag: int
) -> None:
    done = shop.call(overlap, **slow_driver | {"FAKE_CUDA": "90"} | chosen)
    assert events(done)[:2] == ["driver: ready 0", f"driver: flags {flag}"]


def test_unknown_choices_are_told(shop: Workshop, overlap: str, slow_driver: dict[str, str]) -> None:
    done = shop.call(overlap, REX_WAIT="sleep", REX_INIT="late", **slow_driver | {"FAKE_CUDA": "90"})
    assert "rex: REX_WAIT=sleep is none of spin, yield, block" in events(done)
    assert "rex: REX_INIT=late is none of eager, overlap" in events(done)
    assert "driver: flags 1" in events(done)


@pytest.mark.parametrize(
    ("ranks", "chosen", "flags"),
    [("", {}, 1), ("1", {}, 1), (MANY, {}, 2), (MANY, {"REX_WAIT": "spin"}, 1), (MANY, {"REX_WAIT": "block"}, 4)],
)  # fmt: skip
def test_the_host_yields_where_ranks_share_its_cores(
    shop: Workshop, overlap: str, slow_driver: dict[str, str], ranks: str, chosen: dict[str, str], flags: int
) -> None:
    """More ranks than cores, none of them bound: who waits without yielding takes the time of others."""
    rank = {"OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": ranks}
    done = shop.call(overlap, **slow_driver | {"FAKE_CUDA": "90"} | rank | chosen)
    assert f"driver: flags {flags}" in events(done)
